/* SPDX-License-Identifier: Apache-2.0
 *
 * FLEET_CEILING: the whole fleet saturates below what its hardware allows.
 */
#include "../shared/ramp_common.h"

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    struct reckon_fit fleet = ramp_fleet(ramp);
    if (!ramp_has_ceiling(r, ramp))
        return 0;
    if (reckon_blank(fleet.hardware)) {
        reckon_skip(r, "no NIC speed is known, so there is nothing to hold the ceiling against");
        return 0;
    }
    double share = fleet.ceiling / fleet.hardware * 100;
    if (!(share < reckon_option_number(r, "short")) || ramp_cpu_is_the_ceiling(ramp))
        return 0;
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, "*", "the fleet saturates at %s per flow, and the hardware allows %s (%s)",
                    ramp_rate(r, fleet.ceiling), ramp_rate(r, fleet.hardware), reckon_percent(r, share));
    reckon_fix(r, f, "Every host stops early: look at what all share -- the test's settings (workers, packet size), packet "
                     "rates the layout does not declare (nic_mpps), the switches, and tiers above the racks.");
    return 0;
}

RECKON_PLUGIN(rule, fleet_ceiling) = {
    .name = "FLEET_CEILING",
    .summary = "the fleet saturates below --short of what the hardware allows",
    .uses = (const char *const[]){"short", NULL},
    .rule =
        {
            .title = "fleet ceiling",
            .why = "The hardware's own ceiling is the max-min fair share of the widest step's flows, all of them unpaced. A fleet "
                   "whose median host stops below --short of that per flow is held back by something that the layout does "
                   "not declare: packet rates, the test hosts, the switches or the layers above the racks. It stays quiet "
                   "when RAMP_CPU has said that the ceiling is the test hosts' CPU.",
            .lead = "The whole fleet saturates below its hardware",
            .rank = 2300,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
