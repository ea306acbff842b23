/* SPDX-License-Identifier: Apache-2.0
 *
 * ABOVE_HARDWARE: flows that carried more than the hardware allows. Where a link they cross carried more than
 * its capacity as well, the declaration is wrong; where every link held, they only took more than their fair
 * share.
 */
#include "../shared/rule_common.h"

#include <string.h>

#define ABOVE_PCT 105.0
#define ABOVE_PCT_LOOSE                                                                                      \
    120.0 /* averages over intervals that do not coincide add up to more than the link                       \
           */

/* Some of the flows above their expectation: how many, and the furthest above. */
struct above {
    size_t count;
    const struct reckon_comparison *c; /* where the worst was */
    size_t step;
    uint32_t worst;
    uint32_t busiest; /* the busiest link the worst crosses; RECKON_NONE */
};

static uint32_t busiest_link(const struct reckon_comparison *c, uint32_t f) {
    uint32_t link[RECKON_FLOW_LINKS], busiest = RECKON_NONE;
    double coefficient[RECKON_FLOW_LINKS], most = -1;
    size_t n = reckon_flow_links(c, f, link, coefficient);
    for (size_t i = 0; i < n; i++) {
        double load = reckon_link_utilisation(c, link[i]);
        if (load > most) {
            most = load;
            busiest = link[i];
        }
    }
    return busiest;
}

static void add(struct above *a, const struct reckon_comparison *c, size_t step, uint32_t f,
                uint32_t busiest) {
    if (a->count++ && reckon_flow_efficiency(c, f) <= reckon_flow_efficiency(a->c, a->worst))
        return;
    a->c = c;
    a->step = step;
    a->worst = f;
    a->busiest = busiest;
}

static void look(const struct reckon_comparison *c, size_t step, struct above *over, struct above *all) {
    double line = reckon_run_loose_times(c) ? ABOVE_PCT_LOOSE : ABOVE_PCT;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        if (!(reckon_flow_efficiency(c, f) > ABOVE_PCT))
            continue;
        uint32_t busiest = busiest_link(c, f);
        add(all, c, step, f, busiest);
        if (busiest != RECKON_NONE && reckon_link_utilisation(c, busiest) > line)
            add(over, c, step, f, busiest);
    }
}

static const char *link_text(struct reckon *r, const struct reckon_comparison *c, uint32_t l) {
    static const enum reckon_limit limit_of[] = {
        [RECKON_LINK_NIC] = RECKON_LIMIT_NIC,
        [RECKON_LINK_PPS] = RECKON_LIMIT_NIC_PPS,
        [RECKON_LINK_UPLINK] = RECKON_LIMIT_UPLINK,
    };
    return l == RECKON_NONE ? "no link with a capacity"
                            : reckon_limit_text(r, c, limit_of[reckon_link_kind(c, l)], l);
}

/* What of the declaration the busiest link hangs on. */
static const char *declared_text(struct reckon *r, const struct reckon_comparison *c, uint32_t l) {
    uint32_t host = reckon_link_host(c, l), group = reckon_link_group(c, l);
    const char *where = reckon_group_count(c) == 0
                            ? ""
                            : reckon_text(r,
                                          ", and which %s each host is in (a host placed in the wrong one "
                                          "charges its flows to uplinks they never cross)",
                                          reckon_tier_kind(c, 0));
    if (host == RECKON_NONE)
        return reckon_text(r, "how many uplinks of %s are cabled, their speed%s",
                           reckon_group_label(c, group), where);
    return reckon_text(r, "the %s of %s's NIC%s",
                       reckon_link_kind(c, l) == RECKON_LINK_PPS ? "packet rate" : "speed",
                       reckon_host_name(c, host), where);
}

/* "worst a1 -> b1 at 131% in step max: expected …, achieved … (limit …)". */
static const char *worst_text(struct reckon *r, const struct above *a, const struct reckon_ramp *ramp) {
    const struct reckon_comparison *c = a->c;
    const char *unit = reckon_run_unit(c);
    return reckon_text(r, "worst %s at %s%s%s: expected %s, achieved %s (limit %s)",
                       rule_flow(r, c, a->worst), reckon_percent(r, reckon_flow_efficiency(c, a->worst)),
                       ramp ? " in step " : "", ramp ? reckon_step_label(ramp, a->step) : "",
                       reckon_rate(r, reckon_flow_expected(c, a->worst), unit),
                       reckon_rate(r, reckon_flow_achieved(c, a->worst), unit), rule_limit(r, c, a->worst));
}

static void report(struct reckon *r, const struct above *a, bool over, const struct reckon_ramp *ramp) {
    const char *src = reckon_host_name(a->c, reckon_flow_src(a->c, a->worst));
    const char *flows = reckon_count(r, a->count, "flow"), *counted = ramp ? ", counted step by step," : "";
    const char *worst = worst_text(r, a, ramp), *link = link_text(r, a->c, a->busiest);
    const char *load =
        a->busiest == RECKON_NONE ? "-" : reckon_percent(r, reckon_link_utilisation(a->c, a->busiest));
    if (!over) {
        reckon_find(r, RECKON_INFO, src,
                    "%s%s took more than a fair share of links that held; %s; its busiest link, %s, "
                    "carried %s of its capacity",
                    flows, counted, worst, link, load);
        return;
    }
    struct reckon_finding *f = reckon_find(r, RECKON_WARN, src,
                                           "%s%s carried more than the declared hardware can, over links "
                                           "that carried more than their capacity; %s; %s carried %s",
                                           flows, counted, worst, link, load);
    reckon_fix(r, f, "Correct the declaration before trusting any other figure: %s.",
               declared_text(r, a->c, a->busiest));
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_ramp *ramp = strcmp(reckon_subject(r), "ramp") == 0 ? subject : NULL;
    struct above over = {.worst = RECKON_NONE}, all = {.worst = RECKON_NONE};
    if (ramp)
        for (size_t i = 0; i < reckon_step_count(ramp); i++)
            look(reckon_step_comparison(ramp, i), i, &over, &all);
    else
        look(subject, 0, &over, &all);
    if (over.count)
        report(r, &over, true, ramp);
    else if (all.count)
        report(r, &all, false, ramp);
    return 0;
}

RECKON_PLUGIN(rule, above_hardware) = {
    .name = "ABOVE_HARDWARE",
    .summary = "a flow carried more than 105% of its expectation",
    .rule =
        {
            .title = "above hardware",
            .why = "This is not good news. A flow cannot beat the hardware, so one above 105% of its "
                   "expectation that crosses a link which itself carried more than 105% of its capacity "
                   "means that the declaration is wrong: a speed set too low, an uplink count short of what "
                   "is cabled, a host placed in the wrong rack. Every other expectation is suspect until it "
                   "is fixed: a warning. When all links it crosses held, it took more than its fair share "
                   "while others got less, as real flows do on a full link: information only. The 5% are "
                   "for what clocks and counters disagree by. In a parallel stream test that does not say "
                   "when each test ran, a link may read up to 120%, because averages over intervals that do "
                   "not coincide add up to more than the link ever carried.",
            .lead = "The declared hardware is wrong",
            .rank = 500,
            .on = "run ramp",
            .evaluate = evaluate,
        },
};
