/* SPDX-License-Identifier: Apache-2.0
 *
 * A test from INIT to STOP_DONE. STOP ends the sending; when nothing is under way any more the books are
 * closed with what every client offered, so that both sides of a pair give the same totals; a last STATUS
 * asks for them.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define LEAD (SECOND / 5)        /* from START to the beginning, */
#define LEAD_STREAM (SECOND / 2) /* more where connections must be open by then, */
#define LEAD_NODE (SECOND / 200) /* more for each node, */
#define LEAD_PAIR (SECOND / 500) /* and for each pair of the node that has most, */
#define LEAD_MOST (4 * SECOND)   /* but no more than this */
#define PEEK (SECOND / 10)       /* how often to see whether --count is through */
#define DRAIN_POLL (SECOND / 20)
#define SETTLE (SECOND / 5) /* after mrr: for frames that are still on their way */
#define MARGIN (2 * SECOND) /* how much longer than planned a node may say that it is sending */

/* ---- INIT ---- */

/* Numbers the pairs that are left, at both their nodes. */
static uint32_t number_pairs(struct bench *b) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < b->nnodes; i++)
        b->nodes[i].npairs = 0;
    for (uint32_t i = 0; i < b->nduos; i++) {
        struct duo *d = &b->duos[i];
        d->at_client = d->at_server = RECKON_NONE;
        if (d->lost)
            continue;
        d->at_client = b->nodes[d->client].npairs++;
        d->at_server = b->nodes[d->server].npairs++;
        left++;
    }
    for (uint32_t i = 0; i < b->nnodes; i++)
        b->nodes[i].duos = reckon_resize(b->nodes[i].duos, (size_t)b->nodes[i].npairs + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < b->nduos; i++) {
        const struct duo *d = &b->duos[i];
        if (d->lost)
            continue;
        b->nodes[d->client].duos[d->at_client] = i;
        b->nodes[d->server].duos[d->at_server] = i;
    }
    return left;
}

static void make_init(struct bench *b, struct bench_node *n, struct bytes *to) {
    struct plan p = b->plan;
    p.npairs = n->npairs;
    p.pairs = reckon_resize(NULL, (size_t)n->npairs + 1, sizeof *p.pairs);
    for (uint32_t k = 0; k < n->npairs; k++) {
        const struct duo *d = &b->duos[n->duos[k]];
        bool client = duo_is_client(b, n, k);
        p.pairs[k] = (struct plan_pair){.client = client, .there = client ? d->at_server : d->at_client};
    }
    put_plan(to, &p);
    free(p.pairs);
}

/* A node without any pair left has nothing to do. */
static void leave_out_idle(struct bench *b) {
    for (uint32_t i = 0; i < b->nnodes; i++)
        if (!b->nodes[i].lost && !b->nodes[i].npairs)
            node_lost(b, &b->nodes[i], "no node is left that it could be tested with");
}

/* Until no node drops out over INIT: the others must not be told of peers that are not there. */
static int init_all(struct bench *b) {
    for (;;) {
        uint32_t left = number_pairs(b);
        if (!left || b->interrupted)
            return reckon_error(b->r, NULL, 0,
                                b->interrupted ? "interrupted before the test began"
                                               : "no pair of nodes is left");
        leave_out_idle(b);
        uint32_t before = nodes_left(b);
        bench_ask(b, COMMAND_INIT, make_init, bench_clock() + b->node_timeout, true);
        if (nodes_left(b) == before)
            return 0;
        bench_ask(b, COMMAND_STOP_DONE, NULL, bench_clock() + b->node_timeout, true);
    }
}

/* ---- START ---- */

static void make_start(struct bench *b, struct bench_node *n, struct bytes *to) {
    uint64_t now = bench_clock();
    put_number(to, b->zero > now ? b->zero - now : 0, 8);
    for (uint32_t k = 0; k < n->npairs; k++) {
        const struct duo *d = &b->duos[n->duos[k]];
        uint32_t there = duo_is_client(b, n, k) ? d->at_server : d->at_client;
        put_address(to, &duo_peer(b, n, k)->data[there % b->plan.workers]);
    }
}

static void start_all(struct bench *b) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < b->nnodes; i++)
        most = b->nodes[i].npairs > most ? b->nodes[i].npairs : most;
    uint64_t lead =
        LEAD + (b->transport->stream ? LEAD_STREAM : 0) + b->nnodes * LEAD_NODE + most * LEAD_PAIR;
    lead = lead < LEAD_MOST ? lead : LEAD_MOST;
    b->zero = bench_clock() + lead;
    b->started = bench_date() + (double)lead / 1e9;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        struct bench_node *n = &b->nodes[i];
        n->then = reckon_resize(n->then, (size_t)n->npairs + 1, sizeof *n->then);
        for (uint32_t k = 0; k < n->npairs; k++)
            n->then[k] = (struct pair_report){.p50 = RECKON_BLANK};
        n->then_active = 0;
    }
    bench_ask(b, COMMAND_START, make_start, bench_clock() + b->node_timeout, true);
}

/* ---- while it runs ---- */

struct writers {
    const struct result *const *results;
    void **owns;
    size_t count;
};

static double most(double a, double x) {
    return reckon_blank(a) || x > a ? x : a;
}

/* A node has reported: its interval goes to all who write, and is the past from then on. */
static int note_interval(struct bench *b, const struct writers *w, uint32_t i, double ts) {
    struct bench_node *n = &b->nodes[i];
    double seconds = n->now.active > n->then_active ? (double)(n->now.active - n->then_active) / 1e9 : 0;
    if (seconds > 0) {
        n->busiest_core = most(n->busiest_core, n->now.busiest_core);
        n->busiest_softirq = most(n->busiest_softirq, n->now.busiest_softirq);
        n->busiest_worker = most(n->busiest_worker, n->now.busiest_worker);
    }
    for (size_t k = 0; k < w->count; k++)
        if (w->results[k]->interval && w->results[k]->interval(b, w->owns[k], i, ts, seconds))
            return -1;
    for (uint32_t k = 0; k < n->npairs; k++)
        n->then[k] = n->now.pairs[k];
    n->then_active = n->now.active;
    n->reported = false;
    return 0;
}

static int note_intervals(struct bench *b, const struct writers *w, double ts) {
    for (uint32_t i = 0; i < b->nnodes; i++)
        if (b->nodes[i].reported && note_interval(b, w, i, ts))
            return -1;
    return 0;
}

static void note_lost_peers(struct bench *b) {
    for (uint32_t i = 0; i < b->nduos; i++) {
        struct duo *d = &b->duos[i];
        const struct pair_report *sides[] = {duo_client(b, d), duo_server(b, d)};
        for (size_t k = 0; k < 2; k++)
            if (!d->lost && sides[k] && sides[k]->lost)
                d->lost =
                    reckon_text(b->r, "%s lost its connection: %s", b->nodes[k ? d->server : d->client].name,
                                strerror((int)sides[k]->error));
    }
}

static void make_status(struct bench *b, struct bench_node *n, struct bytes *to) {
    (void)n;
    put_number(to, b->peeking ? STATUS_COUNTS : STATUS_ALL, 1);
}

static void make_last_status(struct bench *b, struct bench_node *n, struct bytes *to) {
    (void)b, (void)n;
    put_number(to, STATUS_TRIALS, 1);
}

/* Some client that is left may still send, or has not said. */
static bool anybody_sends(const struct bench *b) {
    for (uint32_t i = 0; i < b->nnodes; i++) {
        const struct bench_node *n = &b->nodes[i];
        if (!n->lost && n->client && (!n->now.pairs || n->now.sending))
            return true;
    }
    return false;
}

/* Waits for the end of the interval; a test of so many messages may be through before. */
static void wait_interval(struct bench *b, uint64_t until) {
    if (b->plan.count && bench_clock() < b->zero)
        bench_pause(b, b->zero < until ? b->zero : until);
    while (b->plan.count && bench_clock() + 2 * PEEK < until && !b->interrupted) {
        bench_pause(b, bench_clock() + PEEK);
        b->peeking = true;
        bench_ask(b, COMMAND_STATUS, make_status, until, false);
        b->peeking = false;
        if (!anybody_sends(b))
            return;
    }
    bench_pause(b, until);
}

static int watch_all(struct bench *b, const struct writers *w) {
    uint64_t span = plan_span(&b->plan), last = span ? b->zero + span + MARGIN : UINT64_MAX;
    uint64_t next = b->zero + b->interval;
    do {
        if (span && next > b->zero + span && next < b->zero + span + b->interval)
            next = b->zero + span + SECOND / 100; /* the end of the test ends an interval too */
        wait_interval(b, next);
        double ts = bench_date();
        uint64_t until = bench_clock() + b->interval;
        bench_ask(b, COMMAND_STATUS, make_status, until, false);
        note_lost_peers(b);
        if (note_intervals(b, w, ts))
            return -1;
        if (span)
            reckon_progress(b->r, "testing", (double)(bench_clock() - b->zero) / (double)span);
        for (next += b->interval; next < bench_clock();)
            next += b->interval;
    } while (!b->interrupted && anybody_sends(b) && bench_clock() < last);
    return 0;
}

/* ---- the end ---- */

static bool all_drained(const struct bench *b) {
    for (uint32_t i = 0; i < b->nnodes; i++)
        if (!b->nodes[i].lost && b->nodes[i].client && !(b->nodes[i].now.pairs && b->nodes[i].now.drained))
            return false;
    return true;
}

static void make_close(struct bench *b, struct bench_node *n, struct bytes *to) {
    for (uint32_t k = 0; k < n->npairs; k++) {
        const struct duo *d = &b->duos[n->duos[k]];
        const struct pair_report *c = duo_is_client(b, n, k) || d->lost ? NULL : duo_client(b, d);
        put_varint(to, c ? c->tally.total : 0);
    }
}

static int end_all(struct bench *b, const struct writers *w) {
    uint64_t until = bench_clock() + b->plan.timeout + MARGIN;
    double ts = bench_date();
    b->interrupted = false; /* a second signal ends it */
    bench_ask(b, COMMAND_STOP, NULL, bench_clock() + b->node_timeout, true);
    do {
        bench_ask(b, COMMAND_STATUS, make_status, bench_clock() + b->node_timeout, true);
        if (note_intervals(b, w, ts))
            return -1;
        if (!all_drained(b))
            bench_pause(b, bench_clock() + DRAIN_POLL);
    } while (!all_drained(b) && !b->interrupted && bench_clock() < until);
    if (b->plan.drill == DRILL_MRR)
        bench_pause(b, bench_clock() + SETTLE);
    bench_ask(b, COMMAND_STOP, make_close, bench_clock() + b->node_timeout, true);
    bench_ask(b, COMMAND_STATUS, make_last_status, bench_clock() + b->node_timeout, true);
    note_lost_peers(b);
    b->ending = true;
    bench_ask(b, COMMAND_STOP_DONE, NULL, bench_clock() + b->node_timeout, true);
    return note_intervals(b, w, ts);
}

static int begin_all(struct bench *b, const struct writers *w) {
    for (size_t k = 0; k < w->count; k++)
        if (w->results[k]->begin && w->results[k]->begin(b, &w->owns[k]))
            return -1;
    return 0;
}

static int finish_all(struct bench *b, const struct writers *w) {
    int rc = 0;
    for (size_t k = 0; k < w->count; k++)
        rc |= w->results[k]->end ? w->results[k]->end(b, w->owns[k]) : 0;
    return rc;
}

int bench_run(struct bench *b, const struct result *const *results, size_t nresults) {
    struct writers w = {results, reckon_alloc(b->r, (nresults + 1) * sizeof(void *)), nresults};
    if (init_all(b) || begin_all(b, &w))
        return -1;
    start_all(b);
    return watch_all(b, &w) || end_all(b, &w) || finish_all(b, &w) ? -1 : 0;
}
