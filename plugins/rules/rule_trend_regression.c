/* SPDX-License-Identifier: Apache-2.0
 *
 * TREND_REGRESSION: a group of runs that is worse than the one before began in the last run, or lately.
 */
#include "../shared/trend_text.h"

#define DAY 86400.0

/* The newest regression of a test; false when there is none. */
static bool newest(const struct reckon_trend *t, size_t test, size_t groups, struct trend_change *out) {
    for (size_t g = groups; g-- > 1;)
        if (trend_change_at(t, test, g, out) && out->run.comment == RECKON_TREND_REGRESSION)
            return true;
    return false;
}

static void say(struct reckon *r, const struct reckon_trend *t, const struct reckon_trend_test *test,
                const struct trend_change *c) {
    struct reckon_trend_group last;
    reckon_trend_group(t, c->test, test->groups - 1, &last);
    const char *since =
        c->newest ? "" : reckon_text(r, "; %s at that level", reckon_count(r, last.count, "run"));
    if (c->group + 1 < test->groups)
        since = reckon_text(r, "; it is at %s now", trend_value(r, last.mean, test->unit));
    struct reckon_finding *f =
        reckon_find(r, c->newest ? RECKON_CRITICAL : RECKON_WARN, test->name, "%s%s %s %s in %s%s",
                    test->name, trend_attributes(r, t, c->test), test->lower_is_better ? "rose" : "fell",
                    trend_change_text(r, c, test->unit), trend_run_name(r, &c->run), since);
    reckon_fix(r, f, "Look for what changed between %s and %s.", trend_run_name(r, &c->last),
               trend_run_name(r, &c->run));
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_trend *t = subject;
    double first, last, days = reckon_option_number(r, "days");
    size_t retired = 0;
    const char *one = NULL;
    reckon_trend_span(t, &first, &last);
    for (size_t i = 0; i < reckon_trend_tests(t); i++) {
        struct reckon_trend_test test;
        struct trend_change change;
        reckon_trend_test(t, i, &test);
        if (!newest(t, i, test.groups, &change))
            continue;
        if (change.newest && trend_retired(r, t, i))
            one = retired++ ? one : test.name;
        else if (change.newest || change.run.ts >= last - days * DAY)
            say(r, t, &test, &change);
    }
    trend_note_retired(r, retired, "with a regression", one);
    return 0;
}

RECKON_PLUGIN(rule, trend_regression) = {
    .name = "TREND_REGRESSION",
    .summary = "a test became worse, in the last run or lately",
    .rule =
        {
            .title = "regression",
            .why =
                "The samples of a test are cut into consecutive groups so that the whole is described in the "
                "fewest bits; noise stays within a group, a real change starts a new one. A group that is "
                "worse "
                "than the one before is a regression. When the last run started it, it is critical: it is "
                "new, "
                "and the change that made it is the one before this run. Within --days of the newest run it "
                "is a "
                "warning, so that it is not forgotten. A test that was last run three weeks before the "
                "newest "
                "run, and "
                "earlier than --days, is retired: what it ended with is no finding.",
            .lead = "Performance became worse",
            .rank = 7000,
            .on = "trend",
            .evaluate = evaluate,
        },
};
