/* SPDX-License-Identifier: Apache-2.0
 *
 * The vote over traced routes (doc/triage.md, "Cables"): binary network tomography, repeated so that several
 * faults at once are told apart. Near O(E log C) for E cables on failing routes: votes only ever fall, so a
 * heap whose entries are checked when they come up finds the most voted each time.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

struct ballot {
    const struct vote *v;
    uint32_t *event; /* the voting events */
    uint32_t nevents;
    uint32_t *begin; /* per voting event: where its cables begin; one more at the end */
    uint32_t *cable;
    uint32_t *of_begin; /* per cable: where its events begin in of_event */
    uint32_t *of_event;
    uint32_t *votes; /* per cable, of the events left */
    double *share;   /* per cable: how many of its probes fail */
    bool *gone;      /* per voting event */
    bool *named;     /* per cable */
    uint32_t *heap;  /* cables, the most voted first */
    uint32_t *key;   /* per cable: its votes when it was put in its place */
    uint32_t nheap;
};

/* ---- heap ---- */

/* More votes, then the higher share of its probes failing. */
static bool above(const struct ballot *b, uint32_t x, uint32_t y) {
    if (b->key[x] != b->key[y])
        return b->key[x] > b->key[y];
    if (b->share[x] > b->share[y] || b->share[x] < b->share[y])
        return b->share[x] > b->share[y];
    return x < y;
}

static void sink(struct ballot *b, uint32_t i) {
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= b->nheap)
            return;
        if (child + 1 < b->nheap && above(b, b->heap[child + 1], b->heap[child]))
            child++;
        if (!above(b, b->heap[child], b->heap[i]))
            return;
        uint32_t swap = b->heap[i];
        b->heap[i] = b->heap[child];
        b->heap[child] = swap;
        i = child;
    }
}

/* The most voted cable, left in its place; RECKON_NONE when none has a vote. */
static uint32_t top(struct ballot *b) {
    while (b->nheap && b->key[b->heap[0]] != b->votes[b->heap[0]]) {
        b->key[b->heap[0]] = b->votes[b->heap[0]];
        sink(b, 0);
    }
    return b->nheap && b->votes[b->heap[0]] ? b->heap[0] : RECKON_NONE;
}

/* ---- set-up ---- */

static void gather_events(struct ballot *b) {
    const struct vote *v = b->v;
    uint32_t cables[2 * LONGEST_ROUTE];
    size_t cap = 0, n = 0;
    b->event = reckon_resize(NULL, v->nevents + 1, sizeof *b->event);
    b->begin = reckon_resize(NULL, v->nevents + 1, sizeof *b->begin);
    for (uint32_t i = 0; i < v->nevents; i++) {
        const struct event *e = &v->events[i];
        if (e->cause != v->cause || !routes_traced(v->routes, e->route))
            continue;
        b->event[b->nevents] = i;
        b->begin[b->nevents++] = (uint32_t)n;
        uint32_t count = routes_cables(v->routes, e->route, cables);
        while (n + count > cap)
            b->cable = reckon_grow(b->cable, cap, &cap, sizeof *b->cable);
        if (count)
            memcpy(b->cable + n, cables, count * sizeof *cables);
        n += count;
    }
    b->begin[b->nevents] = (uint32_t)n;
}

/* From events' cables to cables' events. */
static void gather_cables(struct ballot *b) {
    uint32_t ncables = b->v->cables->count, n = b->begin[b->nevents];
    b->votes = reckon_resize(NULL, ncables + (size_t)1, sizeof *b->votes);
    b->of_begin = reckon_resize(NULL, ncables + (size_t)2, sizeof *b->of_begin);
    b->of_event = reckon_resize(NULL, n + (size_t)1, sizeof *b->of_event);
    memset(b->of_begin, 0, (ncables + (size_t)2) * sizeof *b->of_begin);
    for (uint32_t i = 0; i < n; i++)
        b->of_begin[b->cable[i] + 2]++;
    for (uint32_t c = 0; c < ncables; c++) {
        b->votes[c] = b->of_begin[c + 2];
        b->of_begin[c + 2] += b->of_begin[c + 1];
    }
    for (uint32_t e = 0; e < b->nevents; e++)
        for (uint32_t i = b->begin[e]; i < b->begin[e + 1]; i++)
            b->of_event[b->of_begin[b->cable[i] + 1]++] = e;
}

static void build_heap(struct ballot *b) {
    uint32_t ncables = b->v->cables->count;
    b->heap = reckon_resize(NULL, ncables + (size_t)1, sizeof *b->heap);
    b->key = reckon_resize(NULL, ncables + (size_t)1, sizeof *b->key);
    b->gone = reckon_resize(NULL, b->nevents + (size_t)1, sizeof *b->gone);
    b->named = reckon_resize(NULL, ncables + (size_t)1, sizeof *b->named);
    memset(b->gone, 0, b->nevents + (size_t)1);
    memset(b->named, 0, ncables + (size_t)1);
    b->share = reckon_resize(NULL, ncables + (size_t)1, sizeof *b->share);
    for (uint32_t c = 0; c < ncables; c++)
        if (b->votes[c]) {
            b->key[c] = b->votes[c];
            b->share[c] = (double)b->votes[c] / b->v->over[c];
            b->heap[b->nheap++] = c;
        }
    for (uint32_t i = b->nheap / 2; i-- > 0;)
        sink(b, i);
}

/* ---- rounds ---- */

/* The most voted cable, and with it those that have as many votes, as high a share of failing probes and some
 * of these in common with it: nothing tells them apart. Returns how many are in `out`; 0 when votes are too
 * few. */
static uint32_t elect(struct ballot *b, uint32_t *out) {
    uint32_t first = top(b), n = 0;
    if (first == RECKON_NONE || b->votes[first] < b->v->min_votes)
        return 0;
    out[n++] = first;
    b->named[first] = true;
    for (uint32_t i = b->of_begin[first]; i < b->of_begin[first + 1]; i++) {
        uint32_t e = b->of_event[i];
        for (uint32_t k = b->begin[e]; !b->gone[e] && k < b->begin[e + 1]; k++) {
            uint32_t c = b->cable[k];
            if (b->named[c] || b->votes[c] != b->votes[first] || b->share[c] < b->share[first] ||
                b->share[c] > b->share[first])
                continue;
            b->named[c] = true;
            out[n++] = c;
        }
    }
    return n;
}

/* Takes the cable's failing probes away. */
static void take(struct ballot *b, uint32_t cable, bool *job) {
    for (uint32_t i = b->of_begin[cable]; i < b->of_begin[cable + 1]; i++) {
        uint32_t e = b->of_event[i];
        if (b->gone[e])
            continue;
        b->gone[e] = true;
        *job |= b->v->events[b->event[e]].job;
        for (uint32_t k = b->begin[e]; k < b->begin[e + 1]; k++)
            b->votes[b->cable[k]]--;
    }
}

static void free_ballot(struct ballot *b) {
    free(b->event);
    free(b->begin);
    free(b->cable);
    free(b->of_begin);
    free(b->of_event);
    free(b->votes);
    free(b->share);
    free(b->gone);
    free(b->named);
    free(b->heap);
    free(b->key);
}

void vote_cables(const struct vote *v) {
    struct ballot b = {.v = v};
    if (!v->nevents)
        return;
    gather_events(&b);
    gather_cables(&b);
    build_heap(&b);
    uint32_t *out = reckon_resize(NULL, v->cables->count + (size_t)1, sizeof *out), n;
    for (uint32_t round = 0; (!v->max_suspects || round < v->max_suspects) && (n = elect(&b, out)) > 0;
         round++) {
        uint32_t votes = b.votes[out[0]];
        bool job = false;
        for (uint32_t i = 0; i < n; i++)
            take(&b, out[i], &job);
        v->report(v->user, out, n, votes, job);
    }
    free(out);
    free_ballot(&b);
}
