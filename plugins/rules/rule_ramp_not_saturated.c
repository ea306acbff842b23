/* SPDX-License-Identifier: Apache-2.0
 *
 * RAMP_NOT_SATURATED: no step asked for more than it got, so the ceiling is somewhere above the ramp.
 */
#include "../shared/ramp_common.h"
#include "../shared/rule_common.h"

static void whole_fleet(struct reckon *r, const struct reckon_fit *fleet) {
    struct reckon_finding *f =
        reckon_find(r, RECKON_INFO, "*", "every step kept up: the ceiling is above %s per flow, the most any step delivered",
                    ramp_rate(r, fleet->ceiling));
    reckon_fix(r, f, "Add steps at higher rates, and an unpaced one on top, until two fall short.");
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    const struct reckon_comparison *c = reckon_ramp_hardware_of(ramp);
    struct reckon_fit fleet = ramp_fleet(ramp), fit;
    if (!fleet.reached) {
        whole_fleet(r, &fleet);
        return 0;
    }
    uint32_t hosts = reckon_host_count(c), n = 0;
    uint32_t *which = reckon_alloc(r, (hosts + 1u) * sizeof *which);
    for (uint32_t h = 0; h < hosts; h++)
        if (ramp_host(ramp, h, &fit) && !fit.reached)
            which[n++] = h;
    if (n)
        reckon_find(r, RECKON_INFO, "*", "%s never fell short, so %s a lower bound: %s", reckon_count(r, n, "host"),
                    n == 1 ? "its ceiling is" : "their ceilings are", rule_names(r, c, which, n));
    return 0;
}

RECKON_PLUGIN(rule, ramp_not_saturated) = {
    .name = "RAMP_NOT_SATURATED",
    .summary = "no step asked for more than it got",
    .rule =
        {
            .title = "never saturated",
            .why = "A ceiling is one only when some step asked for more than it got. When every step kept up, what was "
                   "delivered is a lower bound, and nothing is invented above it: the report says so. The same holds for "
                   "single hosts that never fell short while the fleet did.",
            .lead = "The ramp never saturated the fleet",
            .rank = 2400,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
