/* SPDX-License-Identifier: Apache-2.0
 *
 * Which single change would add something (plan.h). Only what stops a flow is worth changing: more of any
 * other link leaves every max-min fair share as it is.
 */
#include <stdlib.h>
#include <string.h>

#include "../../shared/plan_common.h"
#include "../../shared/trimmed.h"
#include "plan.h"

/* How much is tried at most: flows × changes, but some changes in any case. */
#define WORK 40e6
#define LEAST 12
#define MOST 300

/* A change: one group's uplinks or one host's NIC, or those of all that are declared like it. */
struct change {
    bool uplinks, all;
    uint32_t of;      /* group or host */
    uint32_t limited; /* flows that its links stop */
    uint32_t elements;
};

struct upgrades {
    struct reckon *r;
    const struct reckon_comparison *now;
    struct change *changes;
    size_t count, cap;
    struct reckon_upgrade **found;
    size_t nfound;
};

/* ---- what there is to change ---- */

/* The next speed Ethernet comes in, Gb/s. */
static double next_speed(double gbps) {
    static const double speeds[] = {1, 2.5, 5, 10, 25, 50, 100, 200, 400, 800, 1600};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i] > gbps)
            return speeds[i];
    return 2 * gbps;
}

static bool alike(const struct reckon_comparison *c, const struct change *a, const struct change *b) {
    if (a->uplinks != b->uplinks)
        return false;
    if (!a->uplinks)
        return reckon_host_nic_gbps(c, a->of) == reckon_host_nic_gbps(c, b->of);
    return reckon_group_tier(c, a->of) == reckon_group_tier(c, b->of) &&
           reckon_group_uplinks(c, a->of) == reckon_group_uplinks(c, b->of) &&
           reckon_group_uplink_gbps(c, a->of) == reckon_group_uplink_gbps(c, b->of);
}

static void push(struct upgrades *u, struct change x) {
    u->changes = reckon_grow(u->changes, u->count, &u->cap, sizeof *u->changes);
    u->changes[u->count++] = x;
}

/* Flows that the links of each host (packet rates aside) and group stop. */
static void count_limited(const struct reckon_comparison *c, uint32_t *host, uint32_t *group) {
    for (uint32_t l = 0; l < reckon_link_count(c); l++) {
        if (reckon_link_kind(c, l) == RECKON_LINK_NIC)
            host[reckon_link_host(c, l)] += reckon_link_limited(c, l);
        else if (reckon_link_kind(c, l) == RECKON_LINK_UPLINK)
            group[reckon_link_group(c, l)] += reckon_link_limited(c, l);
    }
}

static void gather_single(struct upgrades *u) {
    const struct reckon_comparison *c = u->now;
    uint32_t *host = reckon_alloc(u->r, (reckon_host_count(c) + (size_t)1) * sizeof *host);
    uint32_t *group = reckon_alloc(u->r, (reckon_group_count(c) + (size_t)1) * sizeof *group);
    count_limited(c, host, group);
    for (uint32_t g = 0; g < reckon_group_count(c); g++)
        if (group[g])
            push(u, (struct change){true, false, g, group[g], 1});
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (host[h] && reckon_host_in_layout(c, h))
            push(u, (struct change){false, false, h, host[h], 1});
}

/* How many are declared like it, whether or not they stop a flow. */
static uint32_t count_alike(const struct reckon_comparison *c, const struct change *x) {
    uint32_t n = 0, all = x->uplinks ? reckon_group_count(c) : reckon_host_count(c);
    for (uint32_t i = 0; i < all; i++)
        n += alike(c, x, &(struct change){.uplinks = x->uplinks, .of = i}) &&
             (x->uplinks || reckon_host_in_layout(c, i));
    return n;
}

/* One more change for each kind of declaration that has several elements. */
static void gather_all(struct upgrades *u) {
    size_t single = u->count;
    for (size_t i = 0; i < single; i++) {
        bool known = false;
        for (size_t k = single; k < u->count && !known; k++)
            known = alike(u->now, &u->changes[i], &u->changes[k]);
        struct change all = u->changes[i];
        all.all = true;
        all.elements = known ? 0 : count_alike(u->now, &all);
        if (all.elements > 1)
            push(u, all);
    }
}

/* What is changed everywhere first, then what stops most. */
static int by_promise(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    if (x->all != y->all)
        return x->all ? -1 : 1;
    if (x->limited != y->limited)
        return x->limited > y->limited ? -1 : 1;
    if (x->uplinks != y->uplinks)
        return x->uplinks ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

/* ---- trying one ---- */

static void apply_one(const struct upgrades *u, bool uplinks, uint32_t of) {
    const struct reckon_comparison *c = u->now;
    if (uplinks)
        reckon_override(u->r, reckon_group_element(c, of), "uplinks",
                        trimmed(u->r, reckon_group_uplinks(c, of) + 1, 3));
    else
        reckon_override(u->r, reckon_host_element(c, of), "nic_gbps",
                        trimmed(u->r, next_speed(reckon_host_nic_gbps(c, of)), 3));
}

static void apply(const struct upgrades *u, const struct change *x) {
    uint32_t all = x->uplinks ? reckon_group_count(u->now) : reckon_host_count(u->now);
    if (!x->all)
        apply_one(u, x->uplinks, x->of);
    for (uint32_t i = 0; x->all && i < all; i++)
        if (alike(u->now, x, &(struct change){.uplinks = x->uplinks, .of = i}) &&
            (x->uplinks || reckon_host_in_layout(u->now, i)))
            apply_one(u, x->uplinks, i);
}

static const char *say(const struct upgrades *u, const struct change *x) {
    struct reckon *r = u->r;
    const struct reckon_comparison *c = u->now;
    if (x->uplinks) {
        const char *kind = reckon_tier_kind(c, reckon_group_tier(c, x->of));
        const char *more = trimmed(r, reckon_group_uplinks(c, x->of) + 1, 3);
        if (!x->all)
            return reckon_text(r, "%s=%s uplinks=%s", kind, reckon_group_label(c, x->of), more);
        return reckon_text(r, "%s with %s x %s Gb/s: uplinks=%s", reckon_count(r, x->elements, kind),
                           trimmed(r, reckon_group_uplinks(c, x->of), 3),
                           trimmed(r, reckon_group_uplink_gbps(c, x->of), 3), more);
    }
    double gbps = reckon_host_nic_gbps(c, x->of);
    const char *faster = trimmed(r, next_speed(gbps), 3);
    if (!x->all)
        return reckon_text(r, "%s=%s nic_gbps=%s",
                           reckon_element_kind(reckon_layout(r), reckon_host_element(c, x->of)),
                           reckon_host_name(c, x->of), faster);
    return reckon_text(r, "%s at %s Gb/s: nic_gbps=%s", reckon_count(r, x->elements, "host"),
                       trimmed(r, gbps, 3), faster);
}

/* What it adds; what is only another rounding of the sums is nothing. */
static double gain(double before, double after) {
    return fabs(after - before) > 1e-9 * before ? after - before : 0;
}

static int try_one(struct upgrades *u, struct reckon_comparison *scratch, const struct change *x,
                   const struct plan_totals *before) {
    apply(u, x);
    int rc = reckon_expect_again(scratch);
    reckon_override_end(u->r);
    struct plan_totals after = plan_totals(scratch);
    double total = gain(before->total, after.total), worst = gain(before->lowest, after.lowest);
    if (rc || !(total > 0 || worst > 0))
        return rc;
    struct reckon_upgrade *found = reckon_alloc(u->r, sizeof *found);
    *found = (struct reckon_upgrade){.size = sizeof *found,
                                     .change = say(u, x),
                                     .elements = x->elements,
                                     .total = after.total,
                                     .worst = after.lowest,
                                     .added_total = total,
                                     .added_worst = worst};
    u->found[u->nfound++] = found;
    return 0;
}

/* ---- all of them ---- */

static int by_gain(const void *a, const void *b) {
    const struct reckon_upgrade *x = *(struct reckon_upgrade *const *)a,
                                *y = *(struct reckon_upgrade *const *)b;
    if (x->added_total != y->added_total)
        return x->added_total > y->added_total ? -1 : 1;
    if (x->added_worst != y->added_worst)
        return x->added_worst > y->added_worst ? -1 : 1;
    return strcmp(x->change, y->change);
}

static size_t affordable(const struct upgrades *u) {
    double n = WORK / (reckon_flow_count(u->now) + 1.0);
    size_t room = n > MOST ? MOST : n > LEAST ? (size_t)n : LEAST;
    if (u->count > room)
        reckon_note(u->r, "of %s the %zu that stop the most flows were tried",
                    reckon_count(u->r, u->count, "upgrade"), room);
    return u->count < room ? u->count : room;
}

int plan_upgrades(struct reckon *r, struct reckon_sink *sink, struct reckon_plan *plan) {
    struct upgrades u = {.r = r, .now = plan->now};
    struct plan_totals before = plan_totals(plan->now);
    gather_single(&u);
    gather_all(&u);
    if (u.count)
        qsort(u.changes, u.count, sizeof *u.changes, by_promise);
    size_t n = affordable(&u);
    u.found = reckon_alloc(r, (n + 1) * sizeof *u.found);
    struct reckon_comparison *scratch = reckon_expect(r, "plan", sink);
    int rc = scratch ? 0 : -1;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = try_one(&u, scratch, &u.changes[i], &before);
        reckon_progress(r, "upgrades", (double)(i + 1) / (double)n);
    }
    reckon_expect_free(scratch);
    free(u.changes);
    if (u.nfound)
        qsort(u.found, u.nfound, sizeof *u.found, by_gain);
    plan->upgrades = (const struct reckon_upgrade *const *)u.found;
    plan->nupgrades = u.nfound;
    return rc;
}
