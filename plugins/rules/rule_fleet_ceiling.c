/* SPDX-License-Identifier: Apache-2.0
 *
 * FLEET_CEILING: the whole fleet saturates below what its hardware allows. A link that is full at the ceiling
 * is told about: then flows that do not cross it could have had more, had they asked for more.
 */
#include "../shared/links.h"
#include "../shared/ramp_common.h"

#include <string.h>

/* The fullest link of the step that set the fleet's ceiling. */
struct fullest {
    const struct reckon_comparison *c;
    uint32_t link; /* RECKON_NONE: none has a capacity */
    double percent;
};

static struct fullest fullest_at(const struct reckon_ramp *ramp, const char *step) {
    struct fullest full = {.link = RECKON_NONE, .percent = 0};
    for (size_t i = 0; i < reckon_step_count(ramp) && !full.c; i++)
        if (strcmp(reckon_step_label(ramp, i), step) == 0)
            full.c = reckon_step_comparison(ramp, i);
    for (uint32_t l = 0; full.c && l < reckon_link_count(full.c); l++) {
        double percent = reckon_link_utilisation(full.c, l);
        if (percent > full.percent) {
            full.percent = percent;
            full.link = l;
        }
    }
    return full;
}

static void report(struct reckon *r, const struct reckon_fit *fleet, const struct fullest *full,
                   double shorts) {
    const char *busy = "", *link = full->link == RECKON_NONE ? NULL : link_text(r, full->c, full->link);
    if (link)
        busy = reckon_text(r, "; there the busiest link, %s, carried %s of its capacity", link,
                           reckon_percent(r, full->percent));
    struct reckon_finding *f = reckon_find(
        r, RECKON_WARN, "*", "the fleet saturates at %s per flow, while the hardware allows %s (%s)%s",
        ramp_rate(r, fleet->ceiling), ramp_rate(r, fleet->hardware),
        reckon_percent(r, fleet->ceiling / fleet->hardware * 100), busy);
    if (link && full->percent >= shorts)
        reckon_fix(r, f,
                   "%s is full, so the flows that cross it got what there is; the others asked for no more "
                   "than those. Add an unpaced step on top: it shows what they can get.",
                   link);
    else
        reckon_fix(r, f,
                   "Every host stops early: look at what all share -- the test's settings (workers, packet "
                   "size), packet rates the layout does not declare (nic_mpps), the switches, and tiers "
                   "above the racks.");
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    struct reckon_fit fleet = ramp_fleet(ramp);
    if (!ramp_has_ceiling(r, ramp))
        return 0;
    if (reckon_blank(fleet.hardware)) {
        reckon_skip(r, "no NIC speed is known, so there is nothing to hold the ceiling against");
        return 0;
    }
    if (!(fleet.ceiling / fleet.hardware * 100 < reckon_option_number(r, "short")) ||
        ramp_cpu_is_the_ceiling(ramp))
        return 0;
    struct fullest full = fullest_at(ramp, fleet.ceiling_step);
    report(r, &fleet, &full, reckon_option_number(r, "short"));
    return 0;
}

RECKON_PLUGIN(rule, fleet_ceiling) = {
    .name = "FLEET_CEILING",
    .summary = "the fleet saturates below --short of what the hardware allows",
    .uses = (const char *const[]){"short", NULL},
    .rule =
        {
            .title = "fleet ceiling",
            .why = "The hardware's own ceiling is the max-min fair share of the widest step's flows, all of "
                   "them unpaced. A fleet whose median host stops below --short of that per flow is held "
                   "back by something that the layout does not declare: packet rates, the test hosts, the "
                   "switches or the layers above the racks. When a link is full at the ceiling, it is that "
                   "link's: paced flows all ask for the same, and those that do not cross it could have had "
                   "more. It stays quiet when RAMP_CPU has said that the ceiling is the test hosts' CPU.",
            .lead = "The whole fleet saturates below its hardware",
            .rank = 2300,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
