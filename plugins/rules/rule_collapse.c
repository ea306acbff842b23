/* SPDX-License-Identifier: Apache-2.0
 *
 * COLLAPSE: asked for more than its ceiling, the fleet delivered far less than it can.
 */
#include "../shared/ramp_common.h"

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    struct reckon_fit fleet = ramp_fleet(ramp);
    double delivered, shorts = reckon_option_number(r, "short");
    if (!ramp_has_ceiling(r, ramp))
        return 0;
    const char *step = reckon_fit_beyond(ramp, RECKON_NONE, 0, &delivered); /* the lowest comes first */
    if (!step || !(delivered < shorts / 100 * fleet.ceiling))
        return 0;
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, "*", "step %s, beyond the ceiling of %s per flow, delivered only %s (%s of it)",
                    reckon_printable(r, step), ramp_rate(r, fleet.ceiling), ramp_rate(r, delivered),
                    reckon_percent(r, delivered / fleet.ceiling * 100));
    reckon_fix(r, f, "Past its ceiling the fabric loses work instead of holding its rate: look at drops in the switches' and "
                     "hosts' queues, and keep the load below the ceiling.");
    return 0;
}

RECKON_PLUGIN(rule, collapse) = {
    .name = "COLLAPSE",
    .summary = "a step past the ceiling delivered below --short of it",
    .uses = (const char *const[]){"short", NULL},
    .rule =
        {
            .title = "collapse",
            .why = "A link that is full goes on carrying what it can, so a step that asks for more than the ceiling should "
                   "still deliver about the ceiling. One that delivers less than --short of it collapsed: work is done "
                   "twice or thrown away under overload, by retries, by drops of what had already crossed the fabric, or by "
                   "hosts that spend their time on what they cannot answer.",
            .lead = "The fabric collapses under overload",
            .rank = 1900,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
