/* SPDX-License-Identifier: Apache-2.0
 *
 * What a node is to do in a test, as the console tells it with INIT, and the limits it checks before it uses
 * any of it.
 */
#ifndef RECKON_BENCH_PLAN_H
#define RECKON_BENCH_PLAN_H

#include "address.h"

enum drill { DRILL_PING, DRILL_BULK, DRILL_MRR, DRILLS };
/* "ping", "bulk", "mrr". */
const char *drill_name(enum drill drill);
/* By name; DRILLS for none. */
enum drill drill_named(const char *name);

#define PLAN_SECRET 16u /* bytes that say a message belongs to this test */
#define PLAN_MOST_TRIALS 1000u
#define PLAN_MOST_WORKERS 64u
#define PLAN_LONGEST_TIMEOUT UINT64_C(600000000000) /* ns */

/* One direction of two nodes, seen from one of them. Its number is its place in the plan. */
struct plan_pair {
    bool client;         /* this node is the pair's client */
    uint32_t there;      /* the pair's number at the other node */
    struct address peer; /* where the other node takes test messages; comes with START */
};

struct plan {
    enum drill drill;
    char transport[32];
    bool check;           /* bulk: compare what came back */
    bool poisson;         /* paced with random gaps, as by independent senders; else even ones */
    uint32_t size, reply; /* bytes of a message or buffer, of a reply */
    uint32_t concurrency;
    uint32_t chunk, window; /* bulk over datagrams: bytes of a piece, bytes under way */
    uint32_t buffers;       /* bulk: of a server, 0: enough for all its clients */
    uint32_t workers;
    uint64_t count;        /* messages of a pair; 0: no limit */
    uint64_t time;         /* ns; 0: no limit */
    uint64_t rate;         /* thousandths of a message a second and pair; 0: unpaced */
    uint64_t timeout;      /* ns */
    uint64_t trial, pause; /* mrr: ns of a trial, and between two */
    uint32_t trials;
    unsigned char secret[PLAN_SECRET];
    uint32_t npairs;
    struct plan_pair *pairs; /* free() */
};

struct limits {
    uint64_t size;   /* bytes of a message or buffer */
    uint64_t flows;  /* pairs of a test */
    uint64_t memory; /* bytes of all buffers */
    uint64_t time;   /* ns of a test */
};

void put_plan(struct bytes *to, const struct plan *p);
/* Reads a plan; never more pairs than `most`. False when the bytes hold none: nothing is left to free then.
 */
bool get_plan(struct reader *from, struct plan *p, uint64_t most);
/* Whether a node within these limits may do this: NULL, or why not. `largest` is the transport's largest
 * message. */
const char *plan_refusal(const struct plan *p, const struct limits *l, uint64_t largest);
/* How long sending goes on at most, ns; 0: until it is told to stop. */
uint64_t plan_span(const struct plan *p);

#endif
