/* SPDX-License-Identifier: Apache-2.0
 *
 * Flows and their links: what rises on a link is the sum of its flows' coefficients, worked out for whole
 * runs of flows of one sender, and taken back flow by flow.
 */
#include "solver.h"

#include "demands.h"
#include "wire.h"

/* Counts n flows on a link, each with the same coefficient. */
static inline void join_link(struct solver *s, uint32_t link, uint32_t n, double coefficient) {
    struct pipe *p = &s->pipe[link];
    if (reckon_blank(p->capacity) || !(coefficient > 0))
        return;
    if (!p->terms)
        s->link[s->nlinks++] = link;
    p->terms += n;
    if (n == 1)
        sum_add(&p->rising, coefficient);
    else
        sum_add_product(&p->rising, n, coefficient);
}

/* The same on both ways of a NIC, packet rate or uplink. */
static inline void join_ways(struct solver *s, uint32_t out, uint32_t n, double out_coefficient,
                             double in_coefficient) {
    join_link(s, out, n, out_coefficient);
    join_link(s, out + 1, n, in_coefficient);
}

/* Lets flows of one sender and shape rise through the uplinks of one tier; those into one group are counted
 * together. */
static void raise_across(struct solver *s, const uint32_t *list, uint32_t n, uint32_t tier) {
    const struct flow *flows = s->c->flows;
    const struct shape *w = &s->c->shapes[flows[*list].shape];
    uint32_t ntiers = s->c->ntiers, home = s->group[flows[*list].src * ntiers + tier];
    uint32_t last = RECKON_NONE, across = 0, into = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t group = s->group[flows[list[k]].dst * ntiers + tier];
        if (!crosses(home, group))
            continue;
        if (group != last && into) {
            join_ways(s, group_link(s->c, last, UPLINK_OUT), into, w->backward, w->forward);
            into = 0;
        }
        last = group;
        into++;
        across++;
    }
    if (!across)
        return;
    join_ways(s, group_link(s->c, last, UPLINK_OUT), into, w->backward, w->forward);
    join_ways(s, group_link(s->c, home, UPLINK_OUT), across, w->forward, w->backward);
}

/* Lets flows of one sender and shape rise. */
static void raise_run(struct solver *s, const uint32_t *list, uint32_t n) {
    const struct flow *flows = s->c->flows;
    const struct shape *w = &s->c->shapes[flows[*list].shape];
    uint32_t src = flows[*list].src;
    join_ways(s, host_link(src, NIC_OUT), n, w->forward, w->backward);
    for (uint32_t k = 0; k < n; k++)
        join_ways(s, host_link(flows[list[k]].dst, NIC_OUT), 1, w->backward, w->forward);
    if (s->packets) {
        join_ways(s, host_link(src, PPS_OUT), n, w->packets_forward, w->packets_backward);
        for (uint32_t k = 0; k < n; k++)
            join_ways(s, host_link(flows[list[k]].dst, PPS_OUT), 1, w->packets_backward, w->packets_forward);
    }
    for (uint32_t t = 0; t < s->c->ntiers; t++)
        raise_across(s, list, n, t);
}

/* Lists the flows' demands. */
static void note_demands(struct solver *s, const uint32_t *list, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        double demand = s->c->flows[list[k]].demand;
        if (reckon_blank(demand))
            continue;
        if (!s->paced)
            s->paced = reckon_resize(NULL, s->c->nflows, sizeof *s->paced);
        s->paced[s->npaced++] = demand_item(demand, list[k]);
    }
}

void solver_raise(struct solver *s, bool with_demands) {
    const struct flow *flows = s->c->flows;
    s->nlinks = 0;
    for (uint32_t from = 0, to; from < s->nlist; from = to) {
        const struct flow *f = &flows[s->list[from]];
        for (to = from + 1; to < s->nlist && flows[s->list[to]].src == f->src; to++)
            if (flows[s->list[to]].shape != f->shape)
                break;
        raise_run(s, s->list + from, to - from);
        if (with_demands)
            note_demands(s, s->list + from, to - from);
    }
}

/* What a flow that stopped no longer rises by, and what it has taken, per link of a leg. */
struct share {
    double coefficient;
    struct sum taken;
};

static struct share share_of(double coefficient, struct sum rate) {
    struct share x = {coefficient, {0, 0}};
    sum_add_scaled(&x.taken, coefficient, rate);
    return x;
}

static inline void leave_link(struct solver *s, uint32_t link, const struct share *x) {
    struct pipe *p = &s->pipe[link];
    if (reckon_blank(p->capacity) || !(x->coefficient > 0))
        return;
    p->terms--;
    sum_add(&p->rising, -x->coefficient);
    sum_add(&p->left, -x->taken.hi);
    p->left.lo -= x->taken.lo;
}

static inline void leave_ways(struct solver *s, uint32_t out, const struct share *out_share,
                              const struct share *in_share) {
    leave_link(s, out, out_share);
    leave_link(s, out + 1, in_share);
}

void solver_release(struct solver *s, uint32_t flow, struct sum rate) {
    const struct flow *f = &s->c->flows[flow];
    const struct shape *w = &s->c->shapes[f->shape];
    struct share forward = share_of(w->forward, rate), backward = share_of(w->backward, rate);
    leave_ways(s, host_link(f->src, NIC_OUT), &forward, &backward);
    leave_ways(s, host_link(f->dst, NIC_OUT), &backward, &forward);
    for (uint32_t t = 0, n = s->c->ntiers; t < n; t++) {
        uint32_t from = s->group[f->src * n + t], to = s->group[f->dst * n + t];
        if (!crosses(from, to))
            continue;
        leave_ways(s, group_link(s->c, from, UPLINK_OUT), &forward, &backward);
        leave_ways(s, group_link(s->c, to, UPLINK_OUT), &backward, &forward);
    }
    if (!s->packets)
        return;
    forward = share_of(w->packets_forward, rate);
    backward = share_of(w->packets_backward, rate);
    leave_ways(s, host_link(f->src, PPS_OUT), &forward, &backward);
    leave_ways(s, host_link(f->dst, PPS_OUT), &backward, &forward);
}
