/* SPDX-License-Identifier: Apache-2.0
 *
 * The Controller's lists: who probes whom, over which random source ports, how often; and their rotation.
 */
#ifndef PINGLIST_DRAW_H
#define PINGLIST_DRAW_H

#include "../triage_common/pinglist.h"
#include "../triage_common/topology.h"

struct plan {
    const struct topology *topo;
    double coverage;
    uint64_t seed;
    uint16_t port;     /* the agents' own */
    uint32_t npaths;   /* between two ToRs */
    uint32_t ntuples;  /* k, per ordered pair of ToRs */
    double inter_rate; /* probes/s of each inter-ToR tuple */
    uint32_t *tors;    /* those with an RNIC */
    uint32_t ntors;
    bool rotate;
    double hour;
    uint64_t apart; /* tuples left out so far, since one end has an IPv4 and the other an IPv6 address */
    const char *apart_a, *apart_b;                    /* the first of them */
    uint64_t slots[PING_LISTS], replaced[PING_LISTS]; /* so far, so that exactly a fifth is replaced in all */
};

/* Fills npaths (0: the spines'), ntuples, inter_rate and tors. */
void plan_fill(struct plan *plan, uint32_t npaths);
void plan_free(struct plan *plan);

/* The rows of one host. `old` (may be NULL) is the list it has: its tuples stay, but those that are rotated.
 */
void draw_host(struct plan *plan, uint32_t host, const struct pinglist *old, struct pinglist *out);

#endif
