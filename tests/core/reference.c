/* SPDX-License-Identifier: Apache-2.0
 *
 * Progressive filling as the model describes it.
 */
#include <math.h>
#include <stdlib.h>

#include "reference.h"

struct filling {
    const struct reckon_comparison *c;
    struct reference *x;
    bool *takes_part, *stopped;  /* per flow */
    long double *taken, *rising; /* per link */
    bool *full;                  /* per link */
    bool unpaced;
};

static double demand_of(const struct filling *p, uint32_t flow) {
    return p->unpaced ? BLANK : p->c->flows[flow].demand;
}

/* What stopped flows take from every link, and what the others add per unit of level. */
static void load_links(struct filling *p) {
    uint32_t link[RECKON_FLOW_LINKS];
    double coefficient[RECKON_FLOW_LINKS];
    for (uint32_t l = 0; l < p->c->nlinks; l++)
        p->taken[l] = p->rising[l] = 0;
    for (uint32_t i = 0; i < p->c->nflows; i++) {
        size_t n = p->takes_part[i] ? flow_links(p->c, &p->c->flows[i], link, coefficient) : 0;
        for (size_t k = 0; k < n; k++)
            if (p->stopped[i])
                p->taken[link[k]] += coefficient[k] * p->x->expected[i];
            else
                p->rising[link[k]] += coefficient[k];
    }
}

static bool fills(const struct filling *p, uint32_t l) {
    return p->rising[l] > 0 && isfinite(p->c->links[l].capacity);
}

static long double fills_at(const struct filling *p, uint32_t l) {
    return fills(p, l) ? (p->c->links[l].capacity - p->taken[l]) / p->rising[l] : INFINITY;
}

/* One that rounding left a little overfull fills below zero. */
static bool full_at(const struct filling *p, uint32_t l, long double level) {
    return fills(p, l) && fills_at(p, l) <= level + 1e-12L * fabsl(level);
}

static void stop(struct filling *p, uint32_t flow, enum reckon_limit limit, uint32_t link, long double rate) {
    p->stopped[flow] = true;
    p->x->limit[flow] = limit;
    p->x->link[flow] = link;
    p->x->expected[flow] = rate;
}

/* Of two links full at once: the larger coefficient, then out, then kind, name, way. */
static bool before(const struct reckon_comparison *c, uint32_t a, double ca, uint32_t b, double cb) {
    if (ca != cb)
        return ca > cb;
    if (reckon_link_out(c, a) != reckon_link_out(c, b))
        return reckon_link_out(c, a);
    return link_order(c, a, b) < 0;
}

/* Stops the flow if it crosses a link that fills at this level, charging it to the first of those full there.
 */
static void stop_on_links(struct filling *p, uint32_t flow, long double level) {
    static const enum reckon_limit word[] = {RECKON_LIMIT_NIC, RECKON_LIMIT_NIC_PPS, RECKON_LIMIT_UPLINK};
    uint32_t link[RECKON_FLOW_LINKS];
    double coefficient[RECKON_FLOW_LINKS];
    size_t n = flow_links(p->c, &p->c->flows[flow], link, coefficient), best = n;
    bool stops = false;
    for (size_t k = 0; k < n; k++) {
        if (!p->full[link[k]])
            continue;
        stops = stops || full_at(p, link[k], level);
        if (best == n || before(p->c, link[k], coefficient[k], link[best], coefficient[best]))
            best = k;
    }
    if (!stops)
        return;
    double demand = demand_of(p, flow);
    if (!isnan(demand) && demand - level <= 1e-9L * fmaxl(demand, 1))
        stop(p, flow, RECKON_LIMIT_TARGET, NONE, level);
    else
        stop(p, flow, word[reckon_link_kind(p->c, link[best])], link[best], level);
}

/* The next thing that happens; false when nothing does. */
static bool step(struct filling *p) {
    const struct reckon_comparison *c = p->c;
    load_links(p);
    /* Not asked of the levels: valgrind, which keeps them as doubles, takes no care of their infinity. */
    bool any = false;
    long double demand = INFINITY, level = INFINITY;
    for (uint32_t i = 0; i < c->nflows; i++)
        if (p->takes_part[i] && !p->stopped[i] && !isnan(demand_of(p, i))) {
            demand = fminl(demand, demand_of(p, i));
            any = true;
        }
    for (uint32_t l = 0; l < c->nlinks; l++) {
        level = fminl(level, fills_at(p, l));
        any = any || fills(p, l);
    }
    if (!any)
        return false;
    if (demand <= level) {
        for (uint32_t i = 0; i < c->nflows; i++)
            if (p->takes_part[i] && !p->stopped[i] && demand_of(p, i) <= (double)demand)
                stop(p, i, RECKON_LIMIT_TARGET, NONE, demand);
        return true;
    }
    for (uint32_t l = 0; l < c->nlinks; l++)
        p->full[l] = full_at(p, l, level) ||
                     (fills(p, l) && c->links[l].capacity - p->taken[l] - p->rising[l] * level <=
                                         1e-9L * c->links[l].capacity);
    for (uint32_t i = 0; i < c->nflows; i++)
        if (p->takes_part[i] && !p->stopped[i])
            stop_on_links(p, i, level);
    return true;
}

/* Whether flow i shares the fabric with flow j. */
static bool together(const struct reckon_comparison *c, uint32_t i, uint32_t j) {
    const struct flow *a = &c->flows[i], *b = &c->flows[j];
    return c->sharing == RECKON_SHARE_ALL || (c->sharing == RECKON_SHARE_LAYER && a->layer == b->layer) ||
           (c->sharing == RECKON_SHARE_SOURCE && a->src == b->src) || i == j;
}

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n + 1, size);
    if (!p)
        abort();
    return p;
}

struct reference reference_solve(const struct reckon_comparison *c, bool unpaced) {
    struct reference x = {.expected = zeroed(c->nflows, sizeof *x.expected),
                          .limit = zeroed(c->nflows, sizeof *x.limit),
                          .link = zeroed(c->nflows, sizeof *x.link)};
    struct filling p = {.c = c,
                        .x = &x,
                        .unpaced = unpaced,
                        .takes_part = zeroed(c->nflows, sizeof *p.takes_part),
                        .stopped = zeroed(c->nflows, sizeof *p.stopped),
                        .taken = zeroed(c->nlinks, sizeof *p.taken),
                        .rising = zeroed(c->nlinks, sizeof *p.rising),
                        .full = zeroed(c->nlinks, sizeof *p.full)};
    for (uint32_t first = 0; first < c->nflows; first++) {
        if (x.limit[first] != RECKON_LIMIT_NONE)
            continue;
        for (uint32_t i = 0; i < c->nflows; i++)
            p.takes_part[i] = together(c, first, i);
        while (step(&p))
            ;
        for (uint32_t i = 0; i < c->nflows; i++)
            if (p.takes_part[i] && !p.stopped[i])
                stop(&p, i, RECKON_LIMIT_UNBOUNDED, NONE, NAN);
    }
    for (uint32_t i = 0; i < c->nflows; i++)
        if (isnan(c->hosts[c->flows[i].src].nic_gbps) || isnan(c->hosts[c->flows[i].dst].nic_gbps))
            stop(&p, i, RECKON_LIMIT_UNMODELLED, NONE, NAN);
    free(p.takes_part);
    free(p.stopped);
    free(p.taken);
    free(p.rising);
    free(p.full);
    return x;
}

void reference_free(struct reference *x) {
    free(x->expected);
    free(x->limit);
    free(x->link);
}
