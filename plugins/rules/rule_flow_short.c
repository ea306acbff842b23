/* SPDX-License-Identifier: Apache-2.0
 *
 * FLOW_SHORT: short flows between hosts that are otherwise fine. What is left when no host, group or fleet is
 * to blame is the path itself, or the noise of real traffic.
 */
#include "../shared/rule_common.h"

#define NOISE_TIMES 4.0

/* Some of the short flows: how many, the worst, and whether one expects no more than one uplink carries. */
struct flows {
    size_t count;
    uint32_t worst;
    bool narrow;
};

static void add(struct flows *s, const struct reckon_comparison *c, uint32_t f) {
    if (s->count++ == 0 || reckon_flow_efficiency(c, f) < reckon_flow_efficiency(c, s->worst))
        s->worst = f;
    s->narrow = s->narrow || reckon_flow_over_uplink(c, f) == RECKON_NONE;
}

/* A short flow both of whose ends are unexplained and fine. */
static bool suspect(const struct reckon_comparison *c, uint32_t f, double shorts) {
    return reckon_flow_efficiency(c, f) < shorts && rule_live(c, f) &&
           reckon_host_efficiency(c, reckon_flow_src(c, f)) >= shorts &&
           reckon_host_efficiency(c, reckon_flow_dst(c, f)) >= shorts;
}

static void report(struct reckon *r, const struct reckon_comparison *c, const struct flows *s, double shorts,
                   enum reckon_severity severity, const char *but) {
    uint32_t src = reckon_flow_src(c, s->worst), dst = reckon_flow_dst(c, s->worst);
    struct reckon_finding *f = reckon_find(
        r, severity, reckon_host_name(c, src),
        "%s between hosts that are otherwise fine %s below %g%%; worst %s at %s of what the hardware allows "
        "(limit %s)%s",
        reckon_count(r, s->count, "flow"), s->count == 1 ? "is" : "are", shorts, rule_flow(r, c, s->worst),
        reckon_percent(r, reckon_flow_efficiency(c, s->worst)), rule_limit(r, c, s->worst), but);
    if (severity != RECKON_INFO || !*but)
        reckon_fix(r, f,
                   "Neither end is slow with its other peers, so look at the path between %s and %s: "
                   "`netmesh` between them, per port if ECMP hashes flows onto several members, and the "
                   "errors of the links they cross.",
                   reckon_host_name(c, src), reckon_host_name(c, dst));
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    double shorts = reckon_option_number(r, "short"), fail = reckon_option_number(r, "fail");
    double median, noise = reckon_noise(c, &median);
    struct flows all = {.worst = RECKON_NONE}, blamed = {.worst = RECKON_NONE};
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        if (!suspect(c, f, shorts))
            continue;
        add(&all, c, f);
        if (!reckon_flow_outcompeted(c, f) && median - reckon_flow_efficiency(c, f) > NOISE_TIMES * noise)
            add(&blamed, c, f);
    }
    if (all.count == 0)
        return 0;
    if (blamed.count == 0) {
        const char *but = reckon_text(
            r,
            "; but each was outcompeted on its link or lies within the noise of this run (%g x %.1f points "
            "below the median %s)",
            NOISE_TIMES, noise, reckon_percent(r, median));
        report(r, c, &all, shorts, RECKON_INFO, but);
    } else if (!blamed.narrow) {
        report(r, c, &blamed, shorts, RECKON_INFO, RULE_ONE_UPLINK);
    } else {
        bool clear = blamed.count > 1 || reckon_flow_efficiency(c, blamed.worst) < fail;
        report(r, c, &blamed, shorts, clear ? RECKON_WARN : RECKON_INFO, "");
    }
    return 0;
}

RECKON_PLUGIN(rule, flow_short) = {
    .name = "FLOW_SHORT",
    .summary = "flows below --short between hosts that are otherwise fine",
    .uses = (const char *const[]){"short", "fail", NULL},
    .rule =
        {
            .title = "path short",
            .why = "A flow below --short whose two ends are both fine, and explained by no earlier rule, is "
                   "slow for a reason of its own: one member of a bundle, one path of ECMP, one bad link "
                   "between the two. Real flows scatter, though. A flow that others outcompeted on its "
                   "limiting link, or that lies within 4 times the run's noise (the median absolute "
                   "deviation of all efficiencies x 1.4826) of the median, is no evidence; if there are no "
                   "others, all are told about as information. Of the rest, more than one, or one below "
                   "--fail, is a warning; a single milder one, or flows that each expect more than one "
                   "uplink carries, is information.",
            .lead = "The hosts are fine, a path between them is not",
            .rank = 1400,
            .on = "run",
            .evaluate = evaluate,
        },
};
