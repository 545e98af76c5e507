#include <stdio.h>
#include <stdlib.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

struct node {
	struct node *next;
	unsigned int flags : 4;
	char name[32];
};

/* Takes a node out of its list. */
static int node_remove(struct node **head, const char *name)
{
	struct node *it, *prev = NULL;

	for (it = *head; it != NULL; prev = it, it = it->next) {
		if (strcmp(it->name, name) != 0)
			continue;
		if (prev)
			prev->next = it->next;
		else
			*head = it->next;
		it->flags |= (1u << 3) & ~0x0f;
		printf("removed  %s, %d left\n", it->name, --count);
		free(it);
		return 0;
	}
	return -1;
}

int main(int argc, char *argv[])
{
	int i = 0, total = 0;

	while (i++ < argc)
		total += atoi(argv[i]) * MAX(i, 2) - i / 3;
	return total ? EXIT_SUCCESS : EXIT_FAILURE;
}
