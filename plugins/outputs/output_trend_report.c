/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person reads about a trend: verdict and findings, the dashboard worst first, failed tests, and what
 * changed lately; a table for each --split.
 */
#include <string.h>

#include "../shared/report_common.h"
#include "../shared/trend_tables.h"

#define MANY 20 /* more findings than this are left to the tables */

static void headline(const struct report *to, const struct reckon_trend *t) {
    double first, last;
    size_t runs = reckon_trend_span(t, &first, &last);
    const char *span =
        runs > 0 ? reckon_text(to->r, ", %s to %s UTC", trend_date(to->r, first), trend_date(to->r, last))
                 : "";
    report_headline(to, reckon_text(to->r, "trend of %s over %s%s",
                                    reckon_count(to->r, reckon_trend_tests(t), "test"),
                                    reckon_count(to->r, runs, "run"), span));
}

static void findings(const struct report *to) {
    size_t n = reckon_finding_count(to->r);
    if (n <= MANY || reckon_flag(to->r, "all"))
        report_findings(to);
    else
        report_labelled(to, "FINDINGS", 11,
                        reckon_text(to->r, "%zu; --all lists them here, --csv and --json anyway", n));
}

/* ---- tables ---- */

struct table {
    const char *title;
    const char *columns; /* the head of all but the first column */
    void (*row)(const struct report *to, const struct reckon_trend *t, const struct trend_row *row);
};

static const char *named(const struct reckon_trend *t, size_t test) {
    struct reckon_trend_test it;
    reckon_trend_test(t, test, &it);
    return it.name;
}

/* One part of a table, at most --top rows. */
static void part(const struct report *to, const struct reckon_trend *t, const struct table *table,
                 const struct trend_rows *all, const char *which) {
    size_t top = (size_t)reckon_option_number(to->r, "top"), shown = 0, width = 10;
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->rows[i].part, which) && shown++ < top)
            width = report_widest(to, width, named(t, all->rows[i].test));
    size_t more = shown > top ? shown - top : 0;
    report_heading(to, *which ? reckon_text(to->r, "%s; %s", table->title, which) : table->title);
    report_blanks(to, 4);
    report_left(to, "test", width);
    reckon_printf(to->w, "%s\n", table->columns);
    shown = 0;
    for (size_t i = 0; i < all->count && shown < top; i++) {
        if (strcmp(all->rows[i].part, which))
            continue;
        shown++;
        report_blanks(to, 4);
        report_left(to, named(t, all->rows[i].test), width);
        table->row(to, t, &all->rows[i]);
        reckon_put(to->w, "\n");
    }
    if (more > 0)
        reckon_printf(to->w, "    and %zu more\n", more);
}

static void print_table(const struct report *to, const struct reckon_trend *t, const struct table *table,
                        struct trend_rows all) {
    if (reckon_option_number(to->r, "top") > 0)
        for (size_t i = 0; i < all.nparts; i++)
            part(to, t, table, &all, all.parts[i]);
}

/* "3 (1)": all of them, and the recent ones. */
static void counts(const struct report *to, size_t all, size_t recent) {
    report_right(to, reckon_text(to->r, "%zu (%zu)", all, recent), 9);
}

static void dashboard_row(const struct report *to, const struct reckon_trend *t,
                          const struct trend_row *row) {
    struct reckon_trend_test test;
    reckon_trend_test(t, row->test, &test);
    report_right(to, trend_value(to->r, test.trend, test.unit), 12);
    report_right(to, reckon_text(to->r, "%zu", test.trend_runs), 6);
    report_right(to, trend_share(to->r, test.long_term_change), 11);
    counts(to, test.regressions, test.recent_regressions);
    counts(to, test.progressions, test.recent_progressions);
    reckon_put(to->w, "  ");
    report_coloured(to, !strcmp(trend_result(test.result), "Fail") ? REPORT_RED : REPORT_PLAIN,
                    trend_result(test.result));
    reckon_printf(to->w, ", %s", trend_reason(test.result));
}

/* Where and how it failed stands last: a status may be a whole sentence. */
static void failure_row(const struct report *to, const struct reckon_trend *t, const struct trend_row *row) {
    static const char *const states[] = {"OK", "failed", "missing"};
    struct reckon_trend_test test;
    struct reckon_trend_run last, failure;
    reckon_trend_test(t, row->test, &test);
    reckon_trend_run(t, row->test, test.runs - 1, &last);
    reckon_trend_run(t, row->test, test.last_failure, &failure);
    reckon_put(to->w, "  ");
    report_left(to, states[last.state], 8);
    report_right(to, reckon_text(to->r, "%zu", test.recent_failures), 7);
    reckon_printf(to->w, "  %s  ", trend_date(to->r, failure.ts));
    report_left(to, reckon_text(to->r, "%s%s%s", failure.label, *failure.label ? ", " : "", failure.status),
                0);
}

static void change_row(const struct report *to, const struct reckon_trend *t, const struct trend_row *row) {
    const struct trend_change *c = row->change;
    struct reckon_trend_test test;
    reckon_trend_test(t, row->test, &test);
    double share = c->before > 0 ? (c->after - c->before) / c->before : RECKON_BLANK;
    reckon_printf(to->w, "  %s  ", trend_date(to->r, c->run.ts));
    report_left(to, reckon_trend_word(c->run.comment), 11);
    report_right(to, trend_value(to->r, c->before, test.unit), 12);
    report_right(to, trend_value(to->r, c->after, test.unit), 12);
    report_right(to, trend_share(to->r, share), 8);
    reckon_put(to->w, "  ");
    report_left(to, c->run.label, 0);
}

static void tables(const struct report *to, const struct reckon_trend *t) {
    struct reckon *r = to->r;
    double days = reckon_option_number(r, "days"), failed = reckon_option_number(r, "failed-days");
    const struct table dashboard = {
        reckon_text(r, "DASHBOARD, worst long-term change first; in brackets: within %g days", days),
        "       trend  runs  long-term    regr.   progr.  result", dashboard_row};
    const struct table failures = {
        reckon_text(r, "FAILED TESTS: in their last run, or within %g days", failed),
        "  last run  fails  last failure      run, status", failure_row};
    const struct table changes = {reckon_text(r, "REGRESSIONS AND PROGRESSIONS within %g days", days),
                                  "  since             change            from          to          run",
                                  change_row};
    print_table(to, t, &dashboard, trend_dashboard(r, t));
    print_table(to, t, &failures, trend_failures(r, t));
    print_table(to, t, &changes, trend_recent(r, t));
}

static int write_report(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct report to = {.r = r, .w = w};
    headline(&to, subject);
    report_verdict(&to);
    findings(&to);
    if (!reckon_flag(r, "quiet")) {
        reckon_put(w, reckon_note_at(r, 0) ? "\n" : "");
        report_notes(&to);
        tables(&to, subject);
    }
    report_next_steps(&to, false);
    report_skipped(&to);
    return 0;
}

RECKON_PLUGIN(output, trend_report) = {
    .name = "trend_report",
    .summary = "what a person reads about a trend",
    .uses = (const char *const[]){"top", NULL},
    .options = (const struct reckon_option[]){REPORT_OPTIONS},
    .output = {.on = "trend", .console = true, .write = write_report},
};
