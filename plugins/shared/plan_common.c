/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan summed up (plan_common.h).
 */
#include "plan_common.h"

#include <stdlib.h>
#include <string.h>

#include "links.h"
#include "report_text.h"

#define LIMITS (RECKON_LIMIT_UNMODELLED + 1)
#define SAME 1e-9 /* levels this close are one */

struct plan_totals plan_totals(const struct reckon_comparison *c) {
    struct plan_totals t = {.flows = reckon_flow_count(c),
                            .total = RECKON_BLANK,
                            .lowest = RECKON_BLANK,
                            .highest = RECKON_BLANK};
    for (uint32_t f = 0; f < t.flows; f++) {
        double x = reckon_flow_expected(c, f);
        if (reckon_blank(x))
            continue;
        t.total = t.expected++ ? t.total + x : x;
        t.lowest = fmin(t.lowest, x); /* a blank is passed over */
        t.highest = fmax(t.highest, x);
        t.at_target += reckon_flow_limit(c, f) == RECKON_LIMIT_TARGET;
    }
    return t;
}

/* ---- classes ---- */

/* 0: inside the innermost group; t + 1: across tier t, the outermost that differs; tiers + 1: an end has no
 * group. */
static uint32_t relation(const struct reckon_comparison *c, uint32_t f) {
    uint32_t src = reckon_flow_src(c, f), dst = reckon_flow_dst(c, f), tiers = reckon_tier_count(c),
             across = 0;
    for (uint32_t t = 0; t < tiers; t++) {
        uint32_t a = reckon_host_group(c, src, t), b = reckon_host_group(c, dst, t);
        if (a == RECKON_NONE || b == RECKON_NONE)
            return tiers + 1;
        if (a != b)
            across = t + 1;
    }
    return across;
}

static const char *relation_text(struct reckon *r, const struct reckon_comparison *c, uint32_t relation) {
    uint32_t tiers = reckon_tier_count(c);
    if (!reckon_group_count(c))
        return "all flows";
    if (!relation)
        return reckon_text(r, "inside a %s", reckon_tier_kind(c, 0));
    if (relation > tiers)
        return reckon_text(r, "outside any %s", reckon_tier_kind(c, 0));
    const char *between =
        reckon_text(r, "between %s", reckon_count(r, 2, reckon_tier_kind(c, relation - 1)) + 2);
    return relation == tiers ? between : reckon_text(r, "%s of a %s", between, reckon_tier_kind(c, relation));
}

static void add_to_class(struct plan_class *k, double rate) {
    k->flows++;
    if (reckon_blank(rate))
        return;
    k->total = reckon_blank(k->total) ? rate : k->total + rate;
    k->lowest = fmin(k->lowest, rate);
    k->highest = fmax(k->highest, rate);
}

const struct plan_class *plan_classes(struct reckon *r, const struct reckon_comparison *c, size_t *count) {
    size_t relations = reckon_tier_count(c) + (size_t)2, n = 0;
    struct plan_class *all = reckon_alloc(r, relations * LIMITS * sizeof *all);
    for (size_t i = 0; i < relations * LIMITS; i++)
        all[i] = (struct plan_class){.limit = (enum reckon_limit)(i % LIMITS),
                                     .total = RECKON_BLANK,
                                     .lowest = RECKON_BLANK,
                                     .highest = RECKON_BLANK};
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        add_to_class(&all[relation(c, f) * LIMITS + reckon_flow_limit(c, f)], reckon_flow_expected(c, f));
    for (size_t i = 0; i < relations * LIMITS; i++)
        if (all[i].flows) {
            all[n] = all[i];
            all[n++].where = relation_text(r, c, (uint32_t)(i / LIMITS));
        }
    *count = n;
    return all;
}

/* ---- bottlenecks ---- */

/* What the order needs, so that no global is. */
struct ranked {
    struct plan_bottleneck b;
    uint32_t limited;
};

static int by_level(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->b.level != y->b.level)
        return x->b.level < y->b.level ? -1 : 1;
    if (x->limited != y->limited)
        return x->limited > y->limited ? -1 : 1;
    return x->b.link < y->b.link ? -1 : x->b.link > y->b.link;
}

/* Rates that differ by less than the solver's grain become one, so that the links' order is not left to it.
 */
static void level_out(struct ranked *all, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (all[i].b.level - all[i - 1].b.level <= SAME * all[i].b.level)
            all[i].b.level = all[i - 1].b.level;
    qsort(all, n, sizeof *all, by_level);
}

const struct plan_bottleneck *plan_bottlenecks(struct reckon *r, const struct reckon_comparison *c,
                                               size_t *count) {
    uint32_t links = reckon_link_count(c);
    double *level = reckon_resize(NULL, links + (size_t)1, sizeof *level);
    struct ranked *all = reckon_resize(NULL, links + (size_t)1, sizeof *all);
    size_t n = 0;
    for (uint32_t l = 0; l < links; l++)
        level[l] = RECKON_BLANK;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        uint32_t l = reckon_flow_limit_link(c, f);
        if (l != RECKON_NONE)
            level[l] = fmin(level[l], reckon_flow_expected(c, f));
    }
    for (uint32_t l = 0; l < links; l++)
        if (!reckon_blank(level[l]))
            all[n++] = (struct ranked){{l, level[l]}, reckon_link_limited(c, l)};
    if (n)
        qsort(all, n, sizeof *all, by_level);
    level_out(all, n);
    struct plan_bottleneck *out = reckon_alloc(r, (n + 1) * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = all[i].b;
    free(level);
    free(all);
    *count = n;
    return out;
}

static bool like(const struct reckon_comparison *c, const struct plan_bottleneck *a,
                 const struct plan_bottleneck *b) {
    return a->level == b->level && reckon_link_kind(c, a->link) == reckon_link_kind(c, b->link) &&
           reckon_link_out(c, a->link) == reckon_link_out(c, b->link) &&
           reckon_link_capacity(c, a->link) == reckon_link_capacity(c, b->link) &&
           reckon_link_limited(c, a->link) == reckon_link_limited(c, b->link);
}

size_t plan_like(const struct reckon_comparison *c, const struct plan_bottleneck *all, size_t count,
                 size_t first) {
    size_t n = 1;
    while (first + n < count && like(c, &all[first], &all[first + n]))
        n++;
    return n;
}

/* ---- sentences ---- */

static const char *first_to_fill(struct reckon *r, const struct reckon_comparison *c) {
    size_t count, flows = 0;
    const struct plan_bottleneck *all = plan_bottlenecks(r, c, &count);
    if (!count)
        return "";
    size_t n = plan_like(c, all, count, 0);
    for (size_t i = 0; i < n; i++)
        flows += reckon_link_limited(c, all[i].link);
    const char *more = n > 1 ? reckon_text(r, " and %zu more like it", n - 1) : "";
    return reckon_text(r, "; first to fill: %s%s, which %s %s to %s%s", link_text(r, c, all[0].link), more,
                       n > 1 ? "hold" : "holds", reckon_count(r, flows, "flow"),
                       reckon_rate(r, all[0].level, reckon_run_unit(c)), flows > 1 ? " each" : "");
}

const char *plan_sentence(struct reckon *r, const struct reckon_comparison *c) {
    struct plan_totals t = plan_totals(c);
    const char *unit = reckon_run_unit(c);
    if (!t.expected)
        return "nothing can be expected: no flow has a NIC speed at both ends and a limit";
    const char *some = t.expected < t.flows ? reckon_text(r, " (%u of them)", t.expected) : "";
    if (t.at_target == t.flows)
        return reckon_text(r, "the fabric has room: all %s reach their target, %s in all",
                           reckon_count(r, t.flows, "flow"), reckon_rate(r, t.total, unit));
    const char *each = t.lowest == t.highest
                           ? reckon_text(r, "%s each", reckon_rate(r, t.lowest, unit))
                           : reckon_text(r, "from %s to %s each", reckon_rate(r, t.lowest, unit),
                                         reckon_rate(r, t.highest, unit));
    return reckon_text(r, "%s%s could carry %s in all, %s%s", reckon_count(r, t.flows, "flow"), some,
                       reckon_rate(r, t.total, unit), each, first_to_fill(r, c));
}

const char *plan_change(struct reckon *r, double before, double after) {
    double change = (after / before - 1) * 100;
    if (reckon_blank(change))
        return "-";
    if (fabs(change) < 0.005)
        return "no change";
    int decimals = fabs(change) < 10;
    return reckon_text(r, "%s%s%%", change > 0 ? "+" : "", reckon_fixed(r, change, decimals));
}
