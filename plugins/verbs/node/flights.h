/* SPDX-License-Identifier: Apache-2.0
 *
 * What is under way, in the order in which it began: the first is the next to time out. Each flight is one of
 * an array, linked by its place in it, so that it can leave the middle.
 */
#ifndef RECKON_NODE_FLIGHTS_H
#define RECKON_NODE_FLIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "worker.h"

struct flight {
    uint64_t began;
    uint32_t before, after; /* NOBODY at the ends */
    bool under_way;
};

struct flights {
    struct flight *at; /* the array; stride bytes apart */
    size_t stride;
    uint32_t first, last;
};

static inline struct flight *flight_at(const struct flights *f, uint32_t i) {
    return (struct flight *)(void *)((char *)f->at + i * f->stride);
}

static inline void flight_begin(struct flights *f, uint32_t i, uint64_t now) {
    *flight_at(f, i) = (struct flight){.began = now, .before = f->last, .after = NOBODY, .under_way = true};
    if (f->last == NOBODY)
        f->first = i;
    else
        flight_at(f, f->last)->after = i;
    f->last = i;
}

static inline void flight_end(struct flights *f, uint32_t i) {
    struct flight *gone = flight_at(f, i);
    if (gone->before == NOBODY)
        f->first = gone->after;
    else
        flight_at(f, gone->before)->after = gone->after;
    if (gone->after == NOBODY)
        f->last = gone->before;
    else
        flight_at(f, gone->after)->before = gone->before;
    gone->under_way = false;
}

/* When the first one times out; UINT64_MAX when nothing is under way. */
static inline uint64_t flight_deadline(const struct flights *f, uint64_t timeout) {
    return f->first == NOBODY ? UINT64_MAX : flight_at(f, f->first)->began + timeout;
}

#endif
