/* SPDX-License-Identifier: Apache-2.0
 *
 * Cables by number, and the traced routes of tuples: which cables a probe and its ack go over.
 */
#ifndef TRIAGE_CABLES_H
#define TRIAGE_CABLES_H

#include "../triage_common/topology.h"

#define MOST_CABLES 4000000u
#define LONGEST_ROUTE 64u /* links of one leg */

struct cable {
    const char *name;
    uint32_t port; /* the RNIC whose port it is; RECKON_NONE */
    bool on_job;
};
struct cables {
    const struct topology *topo;
    struct strmap by_name;
    struct cable *at;
    uint32_t count;
    size_t cap;
};
void cables_init(struct cables *c, const struct topology *topo);
void cables_free(struct cables *c);
/* The cable of a link "A>B" (or of a cable's own name). RECKON_NONE: not a link, or too many. */
uint32_t cables_add(struct cables *c, const char *link, size_t length);

enum leg { LEG_PROBE, LEG_ACK, LEGS };

/* One tuple's route, known by the hash of its text. */
struct route {
    uint64_t tuple;     /* 0: free */
    uint32_t leg[LEGS]; /* where in `links` its count and cables are; 0: not traced. Free: [0] is the next
                           free one */
    uint32_t used;      /* round it was last asked for or traced in */
    bool job;           /* one of the job's own tuples */
};
struct routes {
    struct route *at;     /* a number stays as long as the route is in use */
    uint32_t count, free; /* free: the first of those that were given up, RECKON_NONE for none */
    uint32_t live;        /* how many are not free */
    size_t cap;
    uint32_t *slot; /* open addressing: number + 1 */
    size_t slots;
    uint32_t *links; /* legs, each a count and its cables */
    size_t nlinks, links_cap, garbage;
    uint32_t round;
    uint64_t seed;
};
void routes_init(struct routes *t);
void routes_free(struct routes *t);
uint64_t routes_hash(const struct routes *t, const char *tuple, size_t length);
/* The route's number: an old one, RECKON_NONE for none; or a new one. */
uint32_t routes_find(const struct routes *t, uint64_t tuple);
uint32_t routes_add(struct routes *t, uint64_t tuple);
/* Sets a leg (the last trace counts). */
void routes_trace(struct routes *t, uint32_t route, enum leg leg, const uint32_t *cables, uint32_t count);
/* Whether any leg of the route is traced. */
bool routes_traced(const struct routes *t, uint32_t route);
/* The cables of both legs, each once, into `out` (2 × LONGEST_ROUTE). Returns how many. */
uint32_t routes_cables(const struct routes *t, uint32_t route, uint32_t *out);
/* Drops routes that nobody used or traced for `rounds` rounds (the job's stay), and the room of replaced
 * legs. */
void routes_forget(struct routes *t, uint32_t rounds);

#endif
