/* SPDX-License-Identifier: Apache-2.0
 *
 * The solver's state, and how flows join and leave their links. Not installed.
 */
#ifndef RECKON_CORE_SOLVER_H
#define RECKON_CORE_SOLVER_H

#include "model.h"
#include "sum.h"

/* A link, as far as it is filled. */
struct pipe {
    double capacity;   /* blank: limits nothing */
    struct sum left;   /* of the capacity, once the stopped flows have their rates */
    struct sum rising; /* coefficients of the flows still rising */
    uint32_t terms;    /* how many of these */
    uint32_t step;     /* the event at which `full` was worked out */
    bool full, filling;
};

/* Where a host's flows stand: those it sends in `list`, those it receives in `in`. */
struct ends {
    uint32_t out_at, out_n, in_at, in_n;
};

/* When a link fills, or earlier: what rose on it may have stopped since. */
struct due {
    double level;
    uint32_t link;
};

struct solver {
    struct reckon_comparison *c;
    struct pipe *pipe;
    uint32_t *group;                /* per host and tier */
    bool *modelled;                 /* per host */
    bool unpaced, packets, two_way; /* whether packet rates limit, and flows load the way back too */
    /* the problem being solved */
    uint32_t *list, nlist;  /* its flows, by index; those that stopped go when it is walked */
    uint64_t *stopped;      /* a bit per flow */
    uint32_t rising;        /* flows that have not stopped */
    uint32_t *link, nlinks; /* links with flows that rise */
    struct due *due;        /* heap, the lowest level first */
    uint32_t ndue;
    uint64_t *paced; /* flows with a demand, the lowest first (demands.h) */
    uint32_t npaced, next_paced;
    struct sum level;
    uint32_t step;
    uint32_t *filling, nfilling;
    uint8_t *host_stops, *group_stops; /* which of its flows cross a filling link: those SENT, RECEIVED */
    /* the index of `list`, made when first needed */
    bool indexed;
    uint32_t *in;
    struct ends *ends;
    uint32_t *host, nhosts; /* hosts with flows in it */
    uint32_t *first_host;   /* per group: the first of these; RECKON_NONE */
    uint32_t *next_host;    /* per host and tier: the next in the group */
};

enum { SENT = 1, RECEIVED = 2 };

static inline bool has_stopped(const struct solver *s, uint32_t flow) {
    return s->stopped[flow / 64] >> flow % 64 & 1;
}

/* Whether a flow between the two groups crosses their uplinks. */
static inline bool crosses(uint32_t from, uint32_t to) {
    return from != to && from != RECKON_NONE && to != RECKON_NONE;
}

/* Lets the listed flows rise: counts them on their links, and lists these; with_demands: lists their demands
 * too. */
void solver_raise(struct solver *s, bool with_demands);
/* Takes a flow that stopped at `rate` off its links. */
void solver_release(struct solver *s, uint32_t flow, struct sum rate);

#endif
