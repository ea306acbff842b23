/* SPDX-License-Identifier: Apache-2.0
 *
 * Cables and traced routes (cables.h). A tuple is known by a 64-bit hash of its text, so that a fleet's
 * million tuples take two dozen bytes each.
 */
#include "cables.h"

#include <stdlib.h>
#include <string.h>

#include "../triage_common/hash.h"

#define LONGEST_CABLE 1024

void cables_init(struct cables *c, const struct topology *topo) {
    *c = (struct cables){.topo = topo};
    strmap_init(&c->by_name, topo->r);
}

void cables_free(struct cables *c) {
    strmap_free(&c->by_name);
    free(c->at);
}

static uint32_t port_of(const struct cables *c, const char *a, size_t na, const char *b, size_t nb) {
    uint32_t rnic = topology_rnic(c->topo, a, na);
    return rnic != RECKON_NONE ? rnic : topology_rnic(c->topo, b, nb);
}

uint32_t cables_add(struct cables *c, const char *link, size_t length) {
    char name[LONGEST_CABLE];
    const char *arrow = memchr(link, '>', length);
    size_t na = arrow ? (size_t)(arrow - link) : 0, nb = arrow ? length - na - 1 : 0;
    if (!na || !nb || !topology_cable(c->topo, link, na, arrow + 1, nb, name, sizeof name))
        return RECKON_NONE;
    uint32_t known = strmap_get(&c->by_name, name, strlen(name));
    if (known != RECKON_NONE || c->count == MOST_CABLES)
        return known;
    c->at = reckon_grow(c->at, c->count, &c->cap, sizeof *c->at);
    struct cable *new = &c->at[c->count];
    *new = (struct cable){.port = port_of(c, link, na, arrow + 1, nb)};
    strmap_add(&c->by_name, name, strlen(name), c->count, &new->name);
    return c->count++;
}

/* ---- routes ---- */

void routes_init(struct routes *t) {
    *t = (struct routes){.seed = hash_seed(), .nlinks = 1, .free = RECKON_NONE};
    t->links = reckon_grow(NULL, 0, &t->links_cap, sizeof *t->links);
}

void routes_free(struct routes *t) {
    free(t->at);
    free(t->slot);
    free(t->links);
}

uint64_t routes_hash(const struct routes *t, const char *tuple, size_t length) {
    uint64_t h = hash_bytes(tuple, length, t->seed);
    return h ? h : 1;
}

static size_t slot_of(const struct routes *t, uint64_t tuple) {
    size_t i = tuple & (t->slots - 1);
    while (t->slot[i] && t->at[t->slot[i] - 1].tuple != tuple)
        i = (i + 1) & (t->slots - 1);
    return i;
}

uint32_t routes_find(const struct routes *t, uint64_t tuple) {
    uint32_t s = t->slots ? t->slot[slot_of(t, tuple)] : 0;
    return s ? s - 1 : RECKON_NONE;
}

static void index_again(struct routes *t, size_t slots) {
    free(t->slot);
    t->slots = slots;
    t->slot = reckon_resize(NULL, slots, sizeof *t->slot);
    memset(t->slot, 0, slots * sizeof *t->slot);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->at[i].tuple)
            t->slot[slot_of(t, t->at[i].tuple)] = i + 1;
}

/* A number that is free. */
static uint32_t fresh(struct routes *t) {
    uint32_t n = t->free;
    if (n != RECKON_NONE) {
        t->free = t->at[n].leg[0];
        return n;
    }
    t->at = reckon_grow(t->at, t->count, &t->cap, sizeof *t->at);
    return t->count++;
}

uint32_t routes_add(struct routes *t, uint64_t tuple) {
    uint32_t known = routes_find(t, tuple);
    if (known != RECKON_NONE)
        return known;
    if (2 * (t->live + (size_t)1) > t->slots)
        index_again(t, t->slots ? 2 * t->slots : 1024);
    uint32_t n = fresh(t);
    t->at[n] = (struct route){.tuple = tuple, .used = t->round};
    t->slot[slot_of(t, tuple)] = n + 1;
    t->live++;
    return n;
}

/* A fresh place for `count` cables and their number. */
static uint32_t place(struct routes *t, uint32_t count) {
    while (t->nlinks + count + 1 > t->links_cap)
        t->links = reckon_grow(t->links, t->links_cap, &t->links_cap, sizeof *t->links);
    uint32_t at = (uint32_t)t->nlinks;
    t->nlinks += count + (size_t)1;
    return at;
}

void routes_trace(struct routes *t, uint32_t route, enum leg leg, const uint32_t *cables, uint32_t count) {
    struct route *x = &t->at[route];
    uint32_t old = x->leg[leg];
    x->used = t->round;
    if (!count || t->nlinks + count + 1 > UINT32_MAX)
        return;
    if (!old || t->links[old] < count) {
        t->garbage += old ? t->links[old] + (size_t)1 : 0;
        old = place(t, count);
    } else
        t->garbage += t->links[old] - count;
    x->leg[leg] = old;
    t->links[old] = count;
    memcpy(t->links + old + 1, cables, count * sizeof *cables);
}

bool routes_traced(const struct routes *t, uint32_t route) {
    return route != RECKON_NONE && (t->at[route].leg[LEG_PROBE] || t->at[route].leg[LEG_ACK]);
}

uint32_t routes_cables(const struct routes *t, uint32_t route, uint32_t *out) {
    uint32_t n = 0;
    for (int leg = 0; leg < LEGS; leg++) {
        const uint32_t *links = t->links + t->at[route].leg[leg];
        for (uint32_t i = 1; t->at[route].leg[leg] && i <= links[0]; i++) {
            uint32_t k = 0;
            while (k < n && out[k] != links[i])
                k++;
            if (k == n)
                out[n++] = links[i];
        }
    }
    return n;
}

/* Legs packed anew, without the room nobody refers to. */
static void pack(struct routes *t) {
    struct routes old = *t;
    t->links = NULL;
    t->links_cap = t->garbage = 0;
    t->links = reckon_grow(NULL, 0, &t->links_cap, sizeof *t->links);
    t->nlinks = 1;
    for (uint32_t i = 0; i < t->count; i++)
        for (int leg = 0; t->at[i].tuple && leg < LEGS; leg++) {
            const uint32_t *links = old.links + t->at[i].leg[leg];
            if (!t->at[i].leg[leg])
                continue;
            uint32_t at = place(t, links[0]);
            memcpy(t->links + at, links, (links[0] + (size_t)1) * sizeof *links);
            t->at[i].leg[leg] = at;
        }
    free(old.links);
}

static void give_up(struct routes *t, uint32_t route) {
    struct route *x = &t->at[route];
    for (int leg = 0; leg < LEGS; leg++)
        t->garbage += x->leg[leg] ? t->links[x->leg[leg]] + (size_t)1 : 0;
    *x = (struct route){.leg = {t->free, 0}};
    t->free = route;
    t->live--;
}

void routes_forget(struct routes *t, uint32_t rounds) {
    uint32_t before = t->live;
    for (uint32_t i = 0; i < t->count; i++)
        if (t->at[i].tuple && !t->at[i].job && t->round - t->at[i].used > rounds)
            give_up(t, i);
    if (t->live < before)
        index_again(t, t->slots);
    if (t->garbage > t->nlinks / 2)
        pack(t);
}
