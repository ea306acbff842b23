/* SPDX-License-Identifier: Apache-2.0
 *
 * RAMP_ERRATIC: a step kept up at a rate above one that fell short. Something else than the rate changed.
 */
#include "../shared/ramp_common.h"

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    struct reckon_fit fleet = ramp_fleet(ramp);
    const char *steps = "", *label;
    for (size_t i = 0; (label = reckon_fit_erratic(ramp, RECKON_NONE, i)); i++)
        steps = reckon_text(r, "%s%s%s", steps, *steps ? ", " : "", reckon_printable(r, label));
    if (!fleet.erratic_count)
        return 0;
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, "*", "%s (%s) kept up although a step at a lower rate fell short, at %s per flow",
                    reckon_count(r, fleet.erratic_count, "step"), steps, ramp_rate(r, fleet.first_short));
    reckon_fix(r, f,
               "Something besides the rate changed between the steps: look at what ran beside the test, then run the ramp "
               "again with longer steps.");
    return 0;
}

RECKON_PLUGIN(rule, ramp_erratic) = {
    .name = "RAMP_ERRATIC",
    .summary = "a step kept up at a rate above one that fell short",
    .rule =
        {
            .title = "steps disagree",
            .why = "A fabric under a rising load keeps up until it does not. A step that kept up, by more than 2 points, at a "
                   "rate above one that fell short is not that: something else changed between the two, and the model "
                   "fitted to them mixes two states. A step either side of the --keep-up line by a fraction of a point is "
                   "noise on the line and is not reported.",
            .lead = "The steps of this ramp disagree",
            .rank = 1700,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
