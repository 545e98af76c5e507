#include <stdio.h>
#ifndef POINT_H
#define POINT_H
#define MAX_POINTS 16
#define SQUARE(x) ((x) * (x))

typedef unsigned int uint;
typedef int (*compare_fn)(const void *, const void *);

struct point {
    int x;
};

typedef struct {
    struct point *items;
} list_t;

enum color { RED, GREEN };

static int counter = 0;
const char *names[] = {"a", "b"};

int add_point(list_t *list,
              struct point p);

static char *name_of(enum color c)
{
    return names[c];
}

int main(int argc, char **argv) {
    printf("%d", SQUARE(add_point(NULL, 0)));
    return MAX_POINTS;
}
#endif
