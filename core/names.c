/* SPDX-License-Identifier: Apache-2.0
 *
 * Interning: every distinct text gets a number, in order of first appearance, so that nothing after reading
 * compares strings. Open addressing over numbers; the length and hash of a text stand in front of it.
 */
#include <stdlib.h>
#include <string.h>

#include "session.h"

#define FIRST_SLOTS 64u

struct entry {
    uint32_t length, hash;
    char text[];
};

static const struct entry *entry_of(const char *text) {
    return (const struct entry *)(const void *)(text - offsetof(struct entry, text));
}

/* Multiply and fold, eight bytes at a time: the length is mixed in, so that zero bytes at the end count. */
static uint32_t hash_text(const char *s, size_t length) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t h = length * odd;
    while (length >= 8) {
        uint64_t word;
        memcpy(&word, s, 8);
        h = (h ^ word) * odd;
        h ^= h >> 32;
        s += 8;
        length -= 8;
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < length; i++)
        rest |= (uint64_t)(unsigned char)s[i] << 8 * i;
    h = (h ^ rest) * odd;
    return (uint32_t)(h >> 32);
}

/* The slot that holds the text, or the free one where it belongs. */
static uint32_t slot_of(const struct names *n, const char *s, size_t length, uint32_t hash) {
    uint32_t i = hash & (n->slots - 1);
    for (; n->slot[i]; i = (i + 1) & (n->slots - 1)) {
        const char *text = n->text[n->slot[i] - 1];
        const struct entry *e = entry_of(text);
        if (e->hash == hash && e->length == length && !memcmp(text, s, length))
            break;
    }
    return i;
}

static void slots_double(struct names *n) {
    if (n->slots > UINT32_MAX / 2)
        out_of_memory();
    n->slots = n->slots ? n->slots * 2 : FIRST_SLOTS;
    free(n->slot);
    n->slot = calloc(n->slots, sizeof *n->slot);
    if (!n->slot)
        out_of_memory();
    for (uint32_t number = 0; number < n->count; number++) {
        uint32_t i = entry_of(n->text[number])->hash & (n->slots - 1);
        while (n->slot[i])
            i = (i + 1) & (n->slots - 1);
        n->slot[i] = number + 1;
    }
}

uint32_t names_add(struct names *n, const char *s, size_t length) {
    if (length > UINT32_MAX / 2)
        out_of_memory();
    if (n->count >= n->slots / 2)
        slots_double(n);
    uint32_t hash = hash_text(s, length);
    uint32_t i = slot_of(n, s, length, hash);
    if (n->slot[i])
        return n->slot[i] - 1;
    struct entry *e = arena_alloc(&n->arena, sizeof *e + length + 1);
    e->length = (uint32_t)length;
    e->hash = hash;
    memcpy(e->text, s, length);
    n->text = reckon_grow(n->text, n->count, &n->cap, sizeof *n->text);
    n->text[n->count] = e->text;
    n->slot[i] = ++n->count;
    return n->count - 1;
}

uint32_t names_find(const struct names *n, const char *s, size_t length) {
    if (!n->slots)
        return RECKON_NONE;
    return n->slot[slot_of(n, s, length, hash_text(s, length))] - 1; /* 0 - 1 is RECKON_NONE */
}

void names_free(struct names *n) {
    arena_free(&n->arena);
    free(n->text);
    free(n->slot);
    *n = (struct names){0};
}
