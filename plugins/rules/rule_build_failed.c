/* SPDX-License-Identifier: Apache-2.0
 *
 * BUILD_FAILED: a trial of one of the two builds failed.
 */
#include "../shared/trend_text.h"

static int evaluate(struct reckon *r, void *subject) {
    for (size_t i = 0; i < reckon_builds_tests(subject); i++) {
        struct reckon_build_test t;
        reckon_build_test(subject, i, &t);
        if (t.result != RECKON_TREND_FAILED)
            continue;
        struct reckon_finding *f = reckon_find(r, RECKON_CRITICAL, t.name,
                                               "%s cannot be judged: %zu of the parent's and %zu of the "
                                               "current trials failed, the first with status %s",
                                               t.name, t.failed[RECKON_PARENT], t.failed[RECKON_CURRENT],
                                               t.status ? t.status : "none");
        reckon_fix(r, f, "See in the log of those trials why they failed, and measure again.");
    }
    return 0;
}

RECKON_PLUGIN(rule, build_failed) = {
    .name = "BUILD_FAILED",
    .summary = "a trial of one of the two builds failed",
    .rule =
        {
            .title = "failed",
            .why = "A build whose trials fail has not shown that it is as good as its parent, so the test "
                   "fails, "
                   "whatever its other trials say.",
            .lead = "A build could not be measured",
            .rank = 7300,
            .on = "compare",
            .evaluate = evaluate,
        },
};
