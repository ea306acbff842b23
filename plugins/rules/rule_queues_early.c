/* SPDX-License-Identifier: Apache-2.0
 *
 * QUEUES_EARLY: latency is mostly queue at a rate far below the ceiling.
 */
#include "../shared/ramp_common.h"

#define EARLY 50.0 /* percent of the ceiling */

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    struct reckon_fit fleet = ramp_fleet(ramp);
    if (!ramp_has_ceiling(r, ramp))
        return 0;
    if (reckon_blank(fleet.r0_us)) {
        reckon_skip(r, "no latency curve could be fitted");
        return 0;
    }
    double share = fleet.knee / fleet.ceiling * 100;
    if (!(share < EARLY))
        return 0;
    struct reckon_finding *f = reckon_find(
        r, RECKON_WARN, "*", "the p99 reaches %gx its low-load value of %s at %s per flow already, %s of the ceiling",
        reckon_option_number(r, "bloat"), reckon_time(r, fleet.p99_base_us), ramp_rate(r, fleet.knee),
        reckon_percent(r, share));
    reckon_fix(r, f, "Look for a queue that fills in bursts: interrupt moderation and ring sizes on the hosts, shared buffers "
                     "in the switches, other traffic on the fabric.");
    return 0;
}

RECKON_PLUGIN(rule, queues_early) = {
    .name = "QUEUES_EARLY",
    .summary = "the knee is below 50% of the ceiling",
    .uses = (const char *const[]){"bloat", NULL},
    .rule =
        {
            .title = "queues early",
            .why = "The knee is the rate at which the fitted p99 reaches --bloat times its low-load value; past it latency is "
                   "mostly queue. A single queue that fills smoothly has its knee near the ceiling; one below half of it "
                   "means that the load arrives in bursts or meets other traffic, long before a link is full.",
            .lead = "Queues build long before the fabric is full",
            .rank = 2500,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
