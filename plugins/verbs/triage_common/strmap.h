/* SPDX-License-Identifier: Apache-2.0
 *
 * A table from texts to numbers: open addressing, keys copied into the session's arena.
 */
#ifndef TRIAGE_STRMAP_H
#define TRIAGE_STRMAP_H

#include <reckon/base.h>

struct strmap_slot {
    const char *key; /* NULL: free */
    uint32_t length, value;
};

struct strmap {
    struct reckon *r;
    struct strmap_slot *slot;
    size_t slots, count; /* slots: a power of two, or 0 */
    uint64_t seed;
};

void strmap_init(struct strmap *m, struct reckon *r);
/* What the key stands for; RECKON_NONE for none. */
uint32_t strmap_get(const struct strmap *m, const char *key, size_t length);
/* Enters the key unless it is there; returns what it stands for then (the old value when it was). *text (may
 * be NULL) is the table's own copy of the key. */
uint32_t strmap_add(struct strmap *m, const char *key, size_t length, uint32_t value, const char **text);
/* Frees the slots; the keys go with the session. */
void strmap_free(struct strmap *m);

#endif
