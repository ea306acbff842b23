/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparing what flows got with what they could have had: every host's figures and verdict. A few passes over
 * the flows, and medians by selection in one buffer.
 */
#include <stdlib.h>

#include "compare.h"
#include "wire.h"

#define ABOVE 105.0 /* percent from which more than expected is worth a WARN */

static void *zeroed(size_t n, size_t size) {
    void *p = calloc(n ? n : 1, size);
    if (!p)
        out_of_memory();
    return p;
}

/* ---- touching flows: counts, and the median efficiency ---- */

static void count_flow(struct host *h, bool compared, bool is_short) {
    h->touching++;
    h->compared += compared;
    h->shorts += is_short;
}

static void count_touching(struct reckon_comparison *c, double short_pct) {
    for (uint32_t h = 0; h < c->nhosts; h++)
        c->hosts[h].touching = c->hosts[h].compared = c->hosts[h].shorts = 0;
    for (uint32_t i = 0; i < c->nflows; i++) {
        const struct flow *f = &c->flows[i];
        double efficiency = flow_efficiency(f);
        bool compared = !reckon_blank(efficiency), is_short = efficiency < short_pct;
        count_flow(&c->hosts[f->src], compared, is_short);
        if (f->dst != f->src)
            count_flow(&c->hosts[f->dst], compared, is_short);
    }
}

/* Lays every host's efficiencies out side by side, then takes the median of each. */
static void find_medians(struct reckon_comparison *c) {
    size_t *at = zeroed((size_t)c->nhosts + 1, sizeof *at), total = 0;
    for (uint32_t h = 0; h < c->nhosts; h++) {
        at[h] = total;
        total += c->hosts[h].compared;
    }
    double *value = reckon_resize(NULL, total, sizeof *value);
    for (uint32_t i = 0; i < c->nflows; i++) {
        const struct flow *f = &c->flows[i];
        double efficiency = flow_efficiency(f);
        if (reckon_blank(efficiency))
            continue;
        value[at[f->src]++] = efficiency;
        if (f->dst != f->src)
            value[at[f->dst]++] = efficiency;
    }
    for (uint32_t h = 0; h < c->nhosts; h++)
        c->hosts[h].efficiency = reckon_median(value + at[h] - c->hosts[h].compared, c->hosts[h].compared);
    free(value);
    free(at);
}

/* ---- own flows: sums, the limit most of them have, and the largest added RTT ---- */

struct own {
    struct reckon_comparison *c;
    uint32_t *times;        /* per link: how many of the sender's flows it limits */
    uint32_t *link, nlinks; /* those that limit any */
    uint32_t *seen;         /* per layer: the sender last seen in it, plus 1 */
};

static void sum_own(const struct own *o, struct host *h, uint32_t from, uint32_t to) {
    double expected = 0, achieved = 0; /* flows are in a fixed order, so plain sums are always the same */
    uint32_t expectations = 0, measured = 0, layers = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct flow *f = &o->c->flows[i];
        if (reckon_blank(f->expected))
            continue;
        expectations++;
        expected += f->expected;
        if (!reckon_blank(f->achieved)) {
            measured++;
            achieved += f->achieved;
        }
        layers += o->seen[f->layer] != f->src + 1;
        o->seen[f->layer] = f->src + 1;
    }
    h->expected = expectations ? expected / layers : RECKON_BLANK;
    h->achieved = measured ? achieved / layers : RECKON_BLANK;
}

static void find_limit(struct own *o, struct host *h, uint32_t from, uint32_t to) {
    bool targets = false;
    o->nlinks = 0;
    for (uint32_t i = from; i < to; i++) {
        const struct flow *f = &o->c->flows[i];
        targets = targets || f->limit == RECKON_LIMIT_TARGET;
        if (f->limit_link != RECKON_NONE && !o->times[f->limit_link]++)
            o->link[o->nlinks++] = f->limit_link;
    }
    uint32_t best = RECKON_NONE;
    for (uint32_t k = 0; k < o->nlinks; k++) { /* limit words sort like their kinds of links */
        uint32_t l = o->link[k];
        if (best == RECKON_NONE || o->times[l] > o->times[best] ||
            (o->times[l] == o->times[best] && link_order(o->c, l, best) < 0))
            best = l;
    }
    for (uint32_t k = 0; k < o->nlinks; k++)
        o->times[o->link[k]] = 0;
    h->limit_link = best;
    h->limit = best != RECKON_NONE ? link_limit(o->c, best)
               : targets           ? RECKON_LIMIT_TARGET
                                   : RECKON_LIMIT_NONE;
}

static double largest_added_rtt(const struct reckon_comparison *c, uint32_t from, uint32_t to) {
    double largest = RECKON_BLANK;
    for (uint32_t i = from; c->idle_p50 && i < to; i++)
        largest = fmax(largest, flow_added_rtt(c, i)); /* fmax passes over a blank */
    return largest;
}

static void look_at_own(struct reckon_comparison *c) {
    struct own o = {.c = c,
                    .times = zeroed(c->nlinks, sizeof *o.times),
                    .link = zeroed(c->nlinks, sizeof *o.link),
                    .seen = zeroed(c->nlayers, sizeof *o.seen)};
    for (uint32_t h = 0, from = 0, to; h < c->nhosts; h++, from = to) {
        for (to = from; to < c->nflows && c->flows[to].src == h; to++)
            ;
        sum_own(&o, &c->hosts[h], from, to);
        find_limit(&o, &c->hosts[h], from, to);
        c->hosts[h].added_rtt = largest_added_rtt(c, from, to);
    }
    free(o.times);
    free(o.link);
    free(o.seen);
}

/* ---- verdicts ---- */

static enum reckon_verdict verdict_of(const struct host *h, double short_pct, double fail_pct) {
    if (!h->reported)
        return RECKON_VERDICT_NO_DATA;
    if (!h->touching)
        return RECKON_VERDICT_NONE;
    if (!h->compared)
        return RECKON_VERDICT_UNMODELLED;
    if (h->efficiency < fail_pct)
        return RECKON_VERDICT_FAIL;
    return h->efficiency < short_pct || h->efficiency > ABOVE ? RECKON_VERDICT_WARN : RECKON_VERDICT_OK;
}

void compare_hosts(struct reckon_comparison *c, double short_pct, double fail_pct) {
    count_touching(c, short_pct);
    find_medians(c);
    look_at_own(c);
    for (uint32_t h = 0; h < c->nhosts; h++)
        c->hosts[h].verdict = verdict_of(&c->hosts[h], short_pct, fail_pct);
}

void compare(struct reckon_comparison *c) {
    double short_pct = reckon_option_number(c->r, "short");
    evidence_gather(c, short_pct);
    compare_hosts(c, short_pct, reckon_option_number(c->r, "fail"));
}

bool anything_compared(const struct reckon_comparison *c) {
    for (uint32_t h = 0; h < c->nhosts; h++)
        if (c->hosts[h].compared)
            return true;
    return false;
}

const char *nothing_compared(const struct reckon_comparison *c) {
    if (anything_compared(c))
        return NULL;
    for (uint32_t h = 0; h < c->nhosts; h++)
        if (!reckon_blank(c->hosts[h].nic_gbps))
            return "no flow has both an expectation and a measurement";
    return "no host has a NIC speed; declare nic_gbps in the layout, or give --nic-gbps or --speeds";
}
