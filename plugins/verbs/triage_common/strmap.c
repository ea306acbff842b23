/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts to numbers (strmap.h), and the seed of the hash.
 */
#include "strmap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "hash.h"

uint64_t hash_seed(void) {
    uint64_t seed = 0;
    if (getrandom(&seed, sizeof seed, GRND_NONBLOCK) != (ssize_t)sizeof seed) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        seed = (uint64_t)now.tv_nsec * 0x9E3779B97F4A7C15u ^ (uint64_t)now.tv_sec;
    }
    return seed;
}

void strmap_init(struct strmap *m, struct reckon *r) {
    *m = (struct strmap){.r = r, .seed = hash_seed()};
}

/* The key's slot, or the free one it would take. */
static struct strmap_slot *find(const struct strmap *m, const char *key, size_t length) {
    size_t i = hash_bytes(key, length, m->seed) & (m->slots - 1);
    while (m->slot[i].key && (m->slot[i].length != length || memcmp(m->slot[i].key, key, length)))
        i = (i + 1) & (m->slots - 1);
    return &m->slot[i];
}

uint32_t strmap_get(const struct strmap *m, const char *key, size_t length) {
    if (!m->slots)
        return RECKON_NONE;
    const struct strmap_slot *s = find(m, key, length);
    return s->key ? s->value : RECKON_NONE;
}

static void widen(struct strmap *m) {
    struct strmap old = *m;
    m->slots = old.slots ? 2 * old.slots : 64;
    m->slot = reckon_resize(NULL, m->slots, sizeof *m->slot);
    memset(m->slot, 0, m->slots * sizeof *m->slot);
    for (size_t i = 0; i < old.slots; i++)
        if (old.slot[i].key)
            *find(m, old.slot[i].key, old.slot[i].length) = old.slot[i];
    free(old.slot);
}

uint32_t strmap_add(struct strmap *m, const char *key, size_t length, uint32_t value, const char **text) {
    if (2 * (m->count + 1) > m->slots)
        widen(m);
    struct strmap_slot *s = find(m, key, length);
    if (!s->key) {
        *s = (struct strmap_slot){reckon_strndup(m->r, key, length), (uint32_t)length, value};
        m->count++;
    }
    if (text)
        *text = s->key;
    return s->value;
}

void strmap_free(struct strmap *m) {
    free(m->slot);
    m->slot = NULL;
    m->slots = m->count = 0;
}
