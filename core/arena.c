/* SPDX-License-Identifier: Apache-2.0
 *
 * Arenas: memory in blocks that are freed at once. A small arena stays small; blocks double up to a megabyte.
 * An allocation that fails ends the program with one line, no temporaries left, and status 2.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

#define FIRST_BLOCK 1024u
#define LARGEST_BLOCK ((size_t)1024 * 1024)
#define ALIGNMENT 16u

struct arena_block {
    struct arena_block *previous;
    size_t size;
    _Alignas(ALIGNMENT) char data[];
};

void out_of_memory(void) {
    static const char line[] = "reckon: out of memory\n";
    unlink_temporaries();
    ssize_t written = write(STDERR_FILENO, line, sizeof line - 1);
    (void)written; /* nobody is left to tell */
    _exit(2);
}

static struct arena_block *block_new(struct arena *a, size_t size) {
    size_t bytes;
    if (__builtin_add_overflow(size, sizeof(struct arena_block), &bytes))
        out_of_memory();
    struct arena_block *b = calloc(1, bytes);
    if (!b)
        out_of_memory();
    b->size = size;
    a->total += bytes;
    return b;
}

/* A block of its own, put below the one that still has room. */
static void *alloc_alone(struct arena *a, size_t size) {
    struct arena_block *b = block_new(a, size);
    b->previous = a->last->previous;
    a->last->previous = b;
    return b->data;
}

static void block_push(struct arena *a) {
    size_t size = a->total < FIRST_BLOCK ? FIRST_BLOCK : a->total < LARGEST_BLOCK ? a->total : LARGEST_BLOCK;
    struct arena_block *b = block_new(a, (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
    b->previous = a->last;
    a->last = b;
    a->used = 0;
}

void *arena_alloc(struct arena *a, size_t size) {
    if (size > SIZE_MAX - ALIGNMENT)
        out_of_memory();
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (!a->last)
        block_push(a);
    if (size > a->last->size - a->used) {
        if (size > FIRST_BLOCK / 4 && size > a->last->size / 4)
            return alloc_alone(a, size);
        block_push(a);
    }
    void *p = a->last->data + a->used;
    a->used += size;
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n) {
    size_t length = strnlen(s, n);
    char *copy = arena_alloc(a, length + 1);
    memcpy(copy, s, length);
    return copy;
}

void arena_free(struct arena *a) {
    for (struct arena_block *b = a->last, *previous; b; b = previous) {
        previous = b->previous;
        free(b);
    }
    *a = (struct arena){0};
}
