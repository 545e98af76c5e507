CC ?= gcc
CFLAGS := -O2 -Wall $(shell pkg-config --cflags zlib)
SOURCES = $(wildcard src/*.c) main.c

.PHONY: all clean

all: app  docs

app: $(SOURCES:.c=.o)
	$(CC) $(CFLAGS) -o $@ $^ -lm

%.o: %.c config.h
	$(CC) -c $(CFLAGS) $< -o $@

clean:
	rm -f app *.o && find . -name '*.d' -delete
