/* SPDX-License-Identifier: Apache-2.0
 *
 * FIT_CHECK: how far the model may be believed: a step left out was mispredicted, or nothing could be checked.
 */
#include "../shared/ramp_common.h"

static void failed(struct reckon *r, const struct reckon_fit *f) {
    bool rate = f->check_delivered == RECKON_CHECK_FAILED, p99 = f->check_p99 == RECKON_CHECK_FAILED;
    struct reckon_finding *found = reckon_find(
        r, RECKON_WARN, "*",
        "steps left out are mispredicted: delivered by up to %s (limit 15%%)%s, p99 by up to %s (limit 30%%)%s",
        reckon_percent(r, f->loo_delivered_pct), rate ? ", which fails" : "", reckon_percent(r, f->loo_p99_pct),
        p99 ? ", which fails" : "");
    reckon_fix(r, found,
               rate ? "Do not plan with this model: run more steps around the ceiling and longer ones."
                    : "The rate can be planned with, the latency cannot: run more steps below the ceiling and longer ones.");
}

static const char *reason(const struct reckon_fit *f) {
    return f->unchecked_why == RECKON_ONE_SHORT_STEP
               ? "one step alone fell short, so without it the others have no ceiling to predict it from"
               : "there are too few steps to leave one out and predict it from the others";
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_ramp *ramp = subject;
    struct reckon_fit fleet = ramp_fleet(ramp);
    if (!ramp_has_ceiling(r, ramp))
        return 0;
    if (fleet.check == RECKON_CHECK_FAILED)
        failed(r, &fleet);
    if (fleet.check != RECKON_UNCHECKED)
        return 0;
    struct reckon_finding *f = reckon_find(r, RECKON_INFO, "*", "the model could not be checked: %s", reason(&fleet));
    reckon_fix(r, f, fleet.unchecked_why == RECKON_ONE_SHORT_STEP
                         ? "Add one more paced step that asks for more than the ceiling: then two fall short and the "
                           "ceiling is checked."
                         : "Run at least three steps, two of them above the ceiling.");
    return 0;
}

RECKON_PLUGIN(rule, fit_check) = {
    .name = "FIT_CHECK",
    .summary = "a step left out is mispredicted, or the model cannot be checked",
    .rule =
        {
            .title = "model check",
            .why = "A model fitted to its own points always fits them. So each step is left out in turn and predicted from the "
                   "others: the delivered rate must come within 15% and the p99 within 30%, and the two are judged apart. "
                   "With fewer than three steps, or with a ceiling that one step alone sets, nothing independent is left to "
                   "check against, and the model is unchecked, never validated by default.",
            .lead = "The model does not predict its own steps",
            .rank = 2000,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
