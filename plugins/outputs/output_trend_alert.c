/* SPDX-License-Identifier: Apache-2.0
 *
 * --alert for a trend: the body of a mail about what is new in the last run, as plain text.
 */
#include <string.h>

#include "../shared/trend_text.h"

/* Makes every line safe to show, whatever names it holds. */
static void line(struct reckon *r, struct reckon_writer *w, const char *text) {
    reckon_printf(w, "%s\n", reckon_printable(r, text));
}

/* "(known) " for a test that --known names with that rule. */
static const char *known(const struct reckon *r, const char *rule, const char *test) {
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        if (reckon_finding_known(f) && !strcmp(reckon_finding_rule(f), rule) &&
            !strcmp(reckon_finding_host(f), test))
            return "(known) ";
    }
    return "";
}

static size_t changes(struct reckon *r, const struct reckon_trend *t, struct reckon_writer *w,
                      enum reckon_trend_comment kind, const char *rule, const char *title) {
    size_t count, shown = 0;
    const struct trend_change *all = trend_changes(r, t, kind, -HUGE_VAL, &count);
    for (size_t i = 0; i < count; i++) {
        struct reckon_trend_test test;
        if (!all[i].newest || trend_retired(r, t, all[i].test))
            continue;
        reckon_trend_test(t, all[i].test, &test);
        if (shown++ == 0)
            reckon_printf(w, "\n%s\n", title);
        line(r, w,
             reckon_text(r, "  %s%s%s: %s in %s, after %s", known(r, rule, test.name), test.name,
                         trend_attributes(r, t, all[i].test), trend_change_text(r, &all[i], test.unit),
                         trend_run_name(r, &all[i].run), trend_run_name(r, &all[i].last)));
    }
    return shown;
}

static size_t failures(struct reckon *r, const struct reckon_trend *t, struct reckon_writer *w) {
    size_t shown = 0;
    for (size_t i = 0; i < reckon_trend_tests(t); i++) {
        struct reckon_trend_test test;
        struct reckon_trend_run run;
        reckon_trend_test(t, i, &test);
        if (test.result != RECKON_TREND_FAILED || trend_retired(r, t, i))
            continue;
        reckon_trend_run(t, i, test.runs - 1, &run);
        if (shown++ == 0)
            reckon_put(w, "\nFailed tests\n");
        line(r, w,
             reckon_text(r, "  %s%s%s: %s in %s, %zu within %g days", known(r, "TREND_FAILED", test.name),
                         test.name, trend_attributes(r, t, i), run.status, trend_run_name(r, &run),
                         test.recent_failures, reckon_option_number(r, "failed-days")));
    }
    return shown;
}

static int write_alert(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_trend *t = subject;
    double first, last;
    size_t runs = reckon_trend_span(t, &first, &last);
    reckon_printf(w, "reckon trend: %s over %s%s\n", reckon_count(r, reckon_trend_tests(t), "test"),
                  reckon_count(r, runs, "run"),
                  runs > 0 ? reckon_text(r, ", last %s UTC", trend_date(r, last)) : "");
    size_t news = changes(r, t, w, RECKON_TREND_REGRESSION, "TREND_REGRESSION", "Regressions");
    news += failures(r, t, w);
    news += changes(r, t, w, RECKON_TREND_PROGRESSION, "TREND_PROGRESSION", "Progressions");
    if (news == 0)
        reckon_put(w, "\nNothing new in the last run.\n");
    return 0;
}

RECKON_PLUGIN(output, trend_alert) = {
    .name = "trend_alert",
    .summary = "a mail body: what is new in the last run",
    .output = {.on = "trend", .option = "alert", .write = write_alert},
};
