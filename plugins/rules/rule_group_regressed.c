/* SPDX-License-Identifier: Apache-2.0
 *
 * GROUP_REGRESSED: half a group fell together since the baseline while the others held, and whether its way
 * out or what its hosts share did. With several tiers each is judged, innermost first.
 */
#include "../shared/rule_common.h"

struct rule {
    struct reckon *r;
    struct reckon_comparison *c;
    double drop, fail;
    const struct rule_field *field; /* changes */
};

/* Its unexplained members that fell, into `out` (may be NULL); *members: those that have a change. */
static size_t fallen(const struct rule *u, uint32_t g, uint32_t *out, size_t *members) {
    size_t n = 0;
    *members = 0;
    for (uint32_t i = 0; i < reckon_group_size(u->c, g); i++) {
        uint32_t h = reckon_group_host(u->c, g, i);
        double change = reckon_host_change(u->c, h);
        if (reckon_blank(change) || reckon_host_explained(u->c, h))
            continue;
        ++*members;
        if (change > -u->drop)
            continue;
        if (out)
            out[n] = h;
        n++;
    }
    return n;
}

static bool suspect(void *user, uint32_t g) {
    const struct rule *u = user;
    size_t members, n = fallen(u, g, NULL, &members);
    return n >= 2 && 2 * n >= members && rule_outside(u->field, g) > -u->drop;
}

static void judge(void *user, uint32_t g, const struct rule_index *touching) {
    struct rule *u = user;
    struct rule_sides moved = rule_sides(u->c, touching, g, reckon_flow_change);
    uint32_t *hosts = reckon_alloc(u->r, (reckon_group_size(u->c, g) + (size_t)1) * sizeof *hosts);
    size_t members, n = fallen(u, g, hosts, &members);
    double now = rule_median_of(u->c, reckon_host_efficiency, hosts, n);
    bool boundary = !reckon_blank(moved.crossing) && !(moved.inside - moved.crossing < u->drop);
    const char *kind = reckon_tier_kind(u->c, reckon_group_tier(u->c, g)),
               *label = reckon_group_label(u->c, g);
    struct reckon_finding *f =
        reckon_find(u->r, now < u->fail ? RECKON_CRITICAL : RECKON_WARN, NULL,
                    "%zu of %zu hosts of %s %s fell since %s, their median from %s to %s, while the hosts "
                    "elsewhere held (%+.0f points); %s: %s",
                    n, members, kind, label, reckon_baseline_since(u->c),
                    reckon_percent(u->r, rule_median_of(u->c, reckon_host_then, hosts, n)),
                    reckon_percent(u->r, now), rule_outside(u->field, g), rule_sides_text(u->r, moved, true),
                    boundary ? "the cause is its way out" : "the cause is what its hosts share");
    if (boundary)
        reckon_fix(u->r, f,
                   "Capacity out of %s went away since then: count its uplinks that are up (a LAG member, "
                   "an optic, a path that ECMP no longer uses), and read the errors on both ends.",
                   label);
    else
        reckon_fix(
            u->r, f,
            "Ask what changed on the switch of %s or on all of its hosts since then: its configuration, "
            "firmware, a driver that was rolled out there first.",
            label);
    for (size_t i = 0; i < n; i++)
        reckon_explain_host(u->c, hosts[i]);
}

static int evaluate(struct reckon *r, void *subject) {
    struct rule u = {.r = r, .c = subject};
    const char *none = rule_no_baseline(u.c);
    if (!none && reckon_group_count(u.c) == 0)
        none = "no host of the run is in a group";
    if (none) {
        reckon_skip(r, "%s", none);
        return 0;
    }
    u.drop = reckon_option_number(r, "drop");
    u.fail = reckon_option_number(r, "fail");
    u.field = rule_field(r, u.c, reckon_host_change);
    rule_each_group(r, u.c, suspect, judge, &u);
    return 0;
}

RECKON_PLUGIN(rule, group_regressed) = {
    .name = "GROUP_REGRESSED",
    .summary = "half a rack fell --drop points while the other racks held",
    .uses = (const char *const[]){"drop", "fail", "group-kind", NULL},
    .rule =
        {
            .title = "rack fell",
            .why = "One fault that moved a whole rack is one finding, not one per host. At least two of its "
                   "hosts and half of those compared both times fell by --drop points or more, while the "
                   "median host outside did not. A fall of the flows that cross its boundary, by --drop "
                   "points more than of those inside it, is capacity out of the rack that went away between "
                   "the runs: a LAG member, an optic, ECMP. A fall inside and out alike is the switch or "
                   "something its hosts share. It is critical when the median of the fallen is now below "
                   "--fail, else a warning. With several group kinds each tier is judged, innermost first.",
            .lead = "One part of the fabric has lost capacity since the earlier run",
            .rank = 1200,
            .on = "run",
            .evaluate = evaluate,
        },
};
