/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules and outputs of trends say alike (trend_text.h).
 */
#include "trend_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- figures ---- */

#define DAY 86400.0
#define RETIRED_DAYS 21.0

struct scale {
    const char *unit;
    double from;       /* the smallest value it is for */
    const char *shown; /* the unit then */
    double divisor;
};

static const struct scale scales[] = {
    {"pps", 1e9, "Gpps", 1e9}, {"pps", 1e6, "Mpps", 1e6}, {"pps", 1e3, "kpps", 1e3},
    {"cps", 1e6, "Mcps", 1e6}, {"cps", 1e3, "kcps", 1e3}, {"Mb/s", 1e3, "Gb/s", 1e3},
    {"us", 1e6, "s", 1e6},     {"us", 1e3, "ms", 1e3},    {"", 1e9, "G", 1e9},
    {"", 1e6, "M", 1e6},       {"", 1e5, "k", 1e3},
};

double trend_axis(struct reckon *r, double largest, const char *unit, const char **shown) {
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (!strcmp(scales[i].unit, unit) && largest >= scales[i].from) {
            *shown = scales[i].shown;
            return scales[i].divisor;
        }
    *shown = reckon_printable(r, unit);
    return 1;
}

const char *trend_value(struct reckon *r, double x, const char *unit) {
    const char *shown;
    if (reckon_blank(x))
        return "-";
    x /= trend_axis(r, x, unit, &shown);
    int whole = x >= 1000 ? 4 : x >= 100 ? 3 : x >= 10 ? 2 : 1;
    const char *space = *shown && strcmp(shown, "%") ? " " : "";
    if (x > 0 && (x < 0.01 || x >= 1e9))
        return reckon_text(r, "%.3e%s%s", x, space, shown);
    return reckon_text(r, "%s%s%s", reckon_fixed(r, x, 4 - whole), space, shown);
}

const char *trend_share(struct reckon *r, double share) {
    if (reckon_blank(share))
        return "-";
    if (fabs(share) < 0.0005)
        return "0.0%";
    return reckon_text(r, fabs(share) < 100 ? "%+.1f%%" : "%+.3g%%", 100 * share);
}

/* ---- times ---- */

static const char *calendar(struct reckon *r, double ts, const char *format) {
    struct tm tm;
    char text[64];
    time_t whole = fabs(ts) < 1e14 ? (time_t)floor(ts) : 0;
    if (!(fabs(ts) < 1e14) || !gmtime_r(&whole, &tm) || !strftime(text, sizeof text, format, &tm))
        return reckon_text(r, "%g", ts);
    return reckon_strdup(r, text);
}

const char *trend_date(struct reckon *r, double ts) {
    return calendar(r, ts, "%Y-%m-%d %H:%M");
}

const char *trend_day(struct reckon *r, double ts) {
    return calendar(r, ts, "%Y-%m-%d");
}

const char *trend_run_name(struct reckon *r, const struct reckon_trend_run *run) {
    if (*run->label)
        return reckon_text(r, "run %s (%s)", run->label, trend_date(r, run->ts));
    return reckon_text(r, "the run of %s", trend_date(r, run->ts));
}

/* ---- words ---- */

const char *trend_result(enum reckon_trend_comment result) {
    return result == RECKON_TREND_REGRESSION || result == RECKON_TREND_FAILED ? "Fail" : "Pass";
}

const char *trend_reason(enum reckon_trend_comment result) {
    static const char *const word[] = {"Normal", "Regression", "Progression", "Failed"};
    return word[result];
}

const char *trend_attributes(struct reckon *r, const struct reckon_trend *t, size_t test) {
    const char *key, *value, *all = "";
    for (size_t i = 0; reckon_trend_attribute(t, test, i, &key, &value); i++)
        all = reckon_text(r, "%s%s%s %s", all, i ? ", " : "", key, value);
    return *all ? reckon_text(r, " {%s}", all) : "";
}

bool trend_retired(const struct reckon *r, const struct reckon_trend *t, size_t test) {
    struct reckon_trend_test it;
    struct reckon_trend_run run;
    double first, last;
    reckon_trend_test(t, test, &it);
    if (it.runs == 0)
        return true;
    reckon_trend_span(t, &first, &last);
    reckon_trend_run(t, test, it.runs - 1, &run);
    return run.ts < last - fmax(reckon_option_number(r, "days"), RETIRED_DAYS) * DAY;
}

void trend_note_retired(struct reckon *r, size_t count, const char *how, const char *one) {
    if (count > 0)
        reckon_note(r, "%s, not run for weeks, ended %s, which is no finding: %s%s",
                    reckon_count(r, count, "test"), how, reckon_printable(r, one),
                    count > 1 ? " and others" : "");
}

/* ---- changes ---- */

/* The last run with a value before this one. */
static void value_before(const struct reckon_trend *t, size_t test, size_t run,
                         struct reckon_trend_run *out) {
    do
        reckon_trend_run(t, test, --run, out);
    while (run > 0 && out->state != RECKON_TREND_MEASURED);
}

bool trend_change_at(const struct reckon_trend *t, size_t test, size_t group, struct trend_change *out) {
    struct reckon_trend_group now, before;
    struct reckon_trend_test whole;
    reckon_trend_group(t, test, group, &now);
    if (now.comment == RECKON_TREND_NORMAL)
        return false;
    reckon_trend_group(t, test, group - 1, &before);
    reckon_trend_test(t, test, &whole);
    *out = (struct trend_change){.test = test,
                                 .group = group,
                                 .before = before.mean,
                                 .after = now.mean,
                                 .newest = now.first + 1 == whole.runs};
    reckon_trend_run(t, test, now.first, &out->run);
    value_before(t, test, now.first, &out->last);
    return true;
}

static int newest_first(const void *left, const void *right) {
    const struct trend_change *a = left, *b = right;
    if (a->run.ts != b->run.ts)
        return a->run.ts > b->run.ts ? -1 : 1;
    if (a->test != b->test)
        return a->test < b->test ? -1 : 1;
    return a->group < b->group ? -1 : a->group > b->group;
}

struct trend_change *trend_changes(struct reckon *r, const struct reckon_trend *t,
                                   enum reckon_trend_comment kind, double since, size_t *count) {
    struct trend_change *list = NULL, change;
    size_t cap = 0;
    *count = 0;
    for (size_t i = 0; i < reckon_trend_tests(t); i++) {
        struct reckon_trend_test test;
        reckon_trend_test(t, i, &test);
        for (size_t g = test.groups; g-- > 1;) {
            if (!trend_change_at(t, i, g, &change) || (kind && change.run.comment != kind))
                continue;
            if (change.run.ts < since)
                break;
            list = reckon_grow(list, *count, &cap, sizeof *list);
            list[(*count)++] = change;
        }
    }
    if (*count > 0)
        qsort(list, *count, sizeof *list, newest_first);
    struct trend_change *kept = reckon_alloc(r, *count * sizeof *kept);
    if (*count > 0)
        memcpy(kept, list, *count * sizeof *kept);
    free(list);
    return kept;
}

const char *trend_change_text(struct reckon *r, const struct trend_change *c, const char *unit) {
    const char *share =
        c->before > 0 ? reckon_text(r, " (%s)", trend_share(r, (c->after - c->before) / c->before)) : "";
    return reckon_text(r, "from %s to %s%s", trend_value(r, c->before, unit), trend_value(r, c->after, unit),
                       share);
}

/* ---- order ---- */

struct place {
    double change; /* the larger the worse */
    size_t test;
};

static int by_change(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (reckon_blank(a->change) != reckon_blank(b->change))
        return reckon_blank(a->change) ? 1 : -1;
    if (a->change != b->change && !reckon_blank(a->change))
        return a->change > b->change ? -1 : 1;
    return a->test < b->test ? -1 : a->test > b->test;
}

size_t *trend_worst_first(struct reckon *r, const struct reckon_trend *t) {
    size_t n = reckon_trend_tests(t);
    struct place *places = reckon_resize(NULL, n, sizeof *places);
    size_t *tests = reckon_alloc(r, n * sizeof *tests);
    for (size_t i = 0; i < n; i++) {
        struct reckon_trend_test test;
        reckon_trend_test(t, i, &test);
        places[i] = (struct place){test.lower_is_better ? test.long_term_change : -test.long_term_change, i};
    }
    if (n > 0)
        qsort(places, n, sizeof *places, by_change);
    for (size_t i = 0; i < n; i++)
        tests[i] = places[i].test;
    free(places);
    return tests;
}
