/* SPDX-License-Identifier: Apache-2.0
 *
 * GROUP_SHORT: half a group below --short while the other groups are not, and whether its boundary or what
 * its hosts share is to blame. With several tiers each is judged, innermost first.
 */
#include "../shared/rule_common.h"

#define BOUNDARY_POINTS 10.0 /* crossing flows this much below those inside put it on the boundary */

struct rule {
    struct reckon *r;
    struct reckon_comparison *c;
    double shorts, fail;
    const struct rule_field *field;
    struct reckon_tally all; /* all live flows */
};

/* The live flows of one group. */
struct evidence {
    struct rule_sides median;
    struct reckon_tally crossing, inside;
    uint64_t on_uplink;                  /* crossing flows whose limit is an uplink */
    bool narrow_crossing, narrow_inside; /* some short flow expects no more than one uplink carries */
};

static void tally(const struct rule *u, uint32_t g, const struct rule_index *touching, struct evidence *e) {
    const struct reckon_comparison *c = u->c;
    for (uint32_t i = touching->first[g]; i < touching->first[g + 1]; i++) {
        uint32_t f = touching->flow[i];
        if (!rule_live(c, f))
            continue;
        double eff = reckon_flow_efficiency(c, f);
        bool crosses = rule_crosses(c, f, reckon_group_tier(c, g));
        bool *narrow = crosses ? &e->narrow_crossing : &e->narrow_inside;
        rule_tally(crosses ? &e->crossing : &e->inside, eff, u->shorts);
        *narrow = *narrow || (eff < u->shorts && reckon_flow_over_uplink(c, f) == RECKON_NONE);
        e->on_uplink += crosses && reckon_flow_limit(c, f) == RECKON_LIMIT_UPLINK;
    }
}

static struct reckon_tally plus(struct reckon_tally a, struct reckon_tally b) {
    return (struct reckon_tally){a.compared + b.compared, a.shorts + b.shorts};
}

static struct reckon_tally minus(struct reckon_tally a, struct reckon_tally b) {
    return (struct reckon_tally){a.compared - b.compared, a.shorts - b.shorts};
}

/* Its unexplained members below --short into `out` (may be NULL); *members: how many have an efficiency at
 * all. */
static size_t short_members(const struct rule *u, uint32_t g, uint32_t *out, size_t *members) {
    size_t n = 0;
    *members = 0;
    for (uint32_t i = 0; i < reckon_group_size(u->c, g); i++) {
        uint32_t h = reckon_group_host(u->c, g, i);
        double eff = reckon_host_efficiency(u->c, h);
        *members += !reckon_blank(eff);
        if (!(eff < u->shorts) || reckon_host_explained(u->c, h))
            continue;
        if (out)
            out[n] = h;
        n++;
    }
    return n;
}

/* Half its members are short, while the hosts elsewhere are not. */
static bool suspect(void *user, uint32_t g) {
    const struct rule *u = user;
    size_t members, n = short_members(u, g, NULL, &members);
    return n >= 2 && 2 * n >= members && rule_outside(u->field, g) >= u->shorts;
}

static bool on_boundary(struct rule_sides m) {
    return !reckon_blank(m.crossing) && !(m.inside - m.crossing < BOUNDARY_POINTS);
}

static const char *where(struct rule *u, uint32_t g, const struct evidence *e) {
    const char *kind = reckon_tier_kind(u->c, reckon_group_tier(u->c, g));
    double uplinks = reckon_group_uplinks(u->c, g);
    if (!on_boundary(e->median))
        return reckon_text(u->r, "the cause is what the %s's hosts share, not its way out", kind);
    if (reckon_blank(uplinks))
        return reckon_text(u->r, "the cause is on the %s's boundary, where no uplinks are declared", kind);
    const char *declared = reckon_text(u->r, "%g x %g Gb/s", uplinks, reckon_group_uplink_gbps(u->c, g));
    if (2 * e->on_uplink >= e->crossing.compared)
        return reckon_text(u->r, "the cause is its uplinks, declared as %s", declared);
    return reckon_text(u->r,
                       "the cause is its uplinks, declared as %s, or the path behind them (most crossing "
                       "flows were not limited "
                       "by uplinks)",
                       declared);
}

static void advise(struct rule *u, uint32_t g, const struct evidence *e, struct reckon_finding *f) {
    const char *label = reckon_group_label(u->c, g);
    if (!on_boundary(e->median))
        reckon_fix(
            u->r, f,
            "Look at what the hosts of %s share: the switch itself (buffers, errors, a line card), its "
            "configuration, and a driver, firmware or kernel that only these hosts run.",
            label);
    else if (reckon_blank(reckon_group_uplinks(u->c, g)))
        reckon_fix(u->r, f,
                   "Declare the uplinks of %s (`uplinks=` and `uplink_gbps=`), so that its crossing flows "
                   "can be held against them; then look at the links that leave it.",
                   label);
    else
        reckon_fix(
            u->r, f,
            "Count the uplinks of %s that are up and their speeds: a member out of the LAG, a bad optic, or "
            "ECMP that hashes onto a few of them; then the errors and discards on both of their ends.",
            label);
}

/* The severity the figures ask for: INFO when the evidence does not bear them out. */
static enum reckon_severity severity_of(const struct rule *u, const struct evidence *e, bool *wide) {
    bool boundary = on_boundary(e->median);
    struct reckon_tally touching = plus(e->crossing, e->inside), blamed = boundary ? e->crossing : touching;
    double worst = fmin(e->median.crossing, e->median.inside); /* fmin leaves a blank out */
    *wide = blamed.shorts > 0 && !e->narrow_crossing && (boundary || !e->narrow_inside);
    if (*wide || !reckon_stands_out(blamed, minus(u->all, touching), reckon_group_count(u->c)))
        return RECKON_INFO;
    return worst < u->fail ? RECKON_CRITICAL : RECKON_WARN;
}

static void explain(struct rule *u, uint32_t g, const uint32_t *hosts, size_t n,
                    const struct rule_index *touching, const struct evidence *before) {
    struct evidence left = {0};
    for (size_t i = 0; i < n; i++)
        reckon_explain_host(u->c, hosts[i]);
    tally(u, g, touching, &left);
    u->all = minus(u->all, minus(plus(before->crossing, before->inside), plus(left.crossing, left.inside)));
}

static void judge(void *user, uint32_t g, const struct rule_index *touching) {
    struct rule *u = user;
    struct evidence e = {.median = rule_sides(u->c, touching, g, reckon_flow_efficiency)};
    uint32_t *hosts = reckon_alloc(u->r, (reckon_group_size(u->c, g) + (size_t)1) * sizeof *hosts);
    size_t members, n = short_members(u, g, hosts, &members);
    bool wide;
    if (!(e.median.crossing < u->shorts) && !(e.median.inside < u->shorts))
        return;
    tally(u, g, touching, &e);
    enum reckon_severity severity = severity_of(u, &e, &wide);
    const char *chance =
        wide ? RULE_ONE_UPLINK : "; but these flows are short no more often than chance explains in this run";
    struct reckon_finding *f = reckon_find(
        u->r, severity, NULL,
        "%zu of %zu hosts of %s %s are below %g%% while the hosts elsewhere are at %s; %s: %s%s%s", n,
        members, reckon_tier_kind(u->c, reckon_group_tier(u->c, g)), reckon_group_label(u->c, g), u->shorts,
        reckon_percent(u->r, rule_outside(u->field, g)), rule_sides_text(u->r, e.median, false),
        where(u, g, &e), rule_then(u->r, u->c, hosts, n), severity == RECKON_INFO ? chance : "");
    if (severity == RECKON_INFO)
        return;
    advise(u, g, &e, f);
    explain(u, g, hosts, n, touching, &e);
}

static int evaluate(struct reckon *r, void *subject) {
    struct rule u = {.r = r, .c = subject};
    if (reckon_group_count(u.c) == 0) {
        reckon_skip(r, "no host of the run is in a group");
        return 0;
    }
    u.shorts = reckon_option_number(r, "short");
    u.fail = reckon_option_number(r, "fail");
    u.field = rule_field(r, u.c, reckon_host_efficiency);
    if (u.field->count && u.field->figure[0] < u.shorts) {
        u.all = rule_tally_all(u.c, u.shorts);
        rule_each_group(r, u.c, suspect, judge, &u);
    }
    return 0;
}

RECKON_PLUGIN(rule, group_short) = {
    .name = "GROUP_SHORT",
    .summary = "half a rack below --short while the other racks are not",
    .uses = (const char *const[]){"short", "fail", "group-kind", NULL},
    .rule =
        {
            .title = "rack short",
            .why = "A rack is only a rack fault if the other racks are fine, the same test a host is put to "
                   "against its mates: at least two of its hosts and half of them are below --short, while "
                   "the median host outside is not. Then its flows say where. Those crossing its boundary "
                   "10 points or more below those inside put it on the boundary: on its uplinks, when at "
                   "least half the crossing flows were limited by uplinks; on the uplinks or the path "
                   "behind them, when they were paced below that; on something undeclared, when the layout "
                   "declares no uplinks. Both alike put it on the switch or on something its hosts share. "
                   "The flows that carry the blame must be short more often than those that touch no host "
                   "of the rack, by more than chance explains (1%, shared among the groups); else, or when "
                   "each of them expects more than one uplink carries, it is information and nobody is "
                   "explained. Worse than --fail is critical, else a warning. With several group kinds each "
                   "tier is judged, innermost first.",
            .lead = "The shortfall is on one part of the fabric, not the fleet",
            .rank = 900,
            .on = "run",
            .evaluate = evaluate,
        },
};
