/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon trend HISTORY...`: reads a history of many runs, finds where performance really changed, and says
 * so.
 */
#include "series.h"
#include "trend_options.h"

#include <stdio.h>
#include <string.h>

static int read_history(struct reckon *r, struct trend_history *h) {
    const char **paths = NULL;
    size_t count = 0;
    while (reckon_argument(r, count))
        count++;
    if (count == 0)
        return reckon_error(
            r, NULL, 0,
            "trend needs a history: files or directories of earlier --json reckonings, or others");
    paths = reckon_alloc(r, count * sizeof *paths);
    for (size_t i = 0; i < count; i++)
        paths[i] = reckon_argument(r, i);
    return trend_read(r, paths, count, h);
}

static struct trend_options options(const struct reckon *r) {
    double unit = reckon_option_number(r, "unit");
    return (struct trend_options){
        .bits = reckon_option_number(r, "bits"),
        .unit = reckon_blank(unit) ? 0 : unit,
        .lower_is_better = reckon_flag(r, "lower-is-better"),
        .week_runs = (size_t)reckon_option_number(r, "week-runs"),
        .days = reckon_option_number(r, "days"),
        .failed_days = reckon_option_number(r, "failed-days"),
    };
}

static bool has_attribute(const struct reckon_trend *t, const char *word, size_t length) {
    const char *key, *value;
    for (size_t test = 0; test < reckon_trend_tests(t); test++)
        for (size_t i = 0; reckon_trend_attribute(t, test, i, &key, &value); i++)
            if (strlen(key) == length && !memcmp(key, word, length))
                return true;
    return false;
}

/* "cores, nic": the attributes that tests have, each once, as they come; "" for none. */
static const char *attributes_text(struct reckon *r, const struct reckon_trend *t) {
    const char *all = "", *key, *value;
    for (size_t test = 0; test < reckon_trend_tests(t); test++)
        for (size_t i = 0; reckon_trend_attribute(t, test, i, &key, &value); i++) {
            if (!strstr(reckon_text(r, ", %s,", all), reckon_text(r, " %s,", key)))
                all = reckon_text(r, "%s%s%s", all, *all ? ", " : "", key);
        }
    return all;
}

/* A word of --split that no test has was mistyped, or belongs to another history. */
static void check_split(struct reckon *r, const struct reckon_trend *t) {
    const char *word = reckon_option_given(r, "split") ? reckon_option_text(r, "split") : "";
    for (size_t n; *word; word += n + (word[n] == ',')) {
        n = strcspn(word, ",");
        if (!n || has_attribute(t, word, n))
            continue;
        const char *have = attributes_text(r, t);
        reckon_note(r, "--split %s: no test has that attribute; %s%s",
                    reckon_printable(r, reckon_strndup(r, word, n)), *have ? "they have " : "they have none",
                    reckon_printable(r, have));
    }
}

static int judge(struct reckon *r, struct trend_analysis *a) {
    check_split(r, &a->base);
    if (reckon_read_known(r, a->last_ts) || reckon_evaluate(r, "trend", &a->base) ||
        reckon_write_outputs(r, "trend", &a->base))
        return -1;
    bool any = false;
    for (size_t i = 0; i < a->count && !any; i++)
        any = a->series[i].nsamples > 0;
    if (!any)
        fprintf(stderr, "reckon: the history holds no value\n");
    return reckon_exit_status(r, any);
}

static int trend_main(struct reckon *r) {
    struct trend_history h;
    struct trend_analysis a;
    struct trend_options o = options(r);
    if (reckon_check_outputs(r))
        return -1;
    trend_history_init(&h);
    int status = read_history(r, &h);
    if (!status) {
        status = trend_analyse(r, &a, &h, &o);
        if (!status)
            status = judge(r, &a);
        trend_analysis_free(&a);
    }
    trend_history_free(&h);
    return status;
}

RECKON_PLUGIN(verb, trend) = {
    .name = "trend",
    .summary = "where performance really changed over many runs",
    .options =
        (const struct reckon_option[]){
            TREND_CODING_OPTIONS,
            {.name = "week-runs",
             .type = RECKON_WHOLE,
             .value_name = "N",
             .initial = "10",
             .max = 1e9,
             .group = "judgement",
             .help = "how many runs a week has, for the long-term change"},
            {.name = "days",
             .type = RECKON_NUMBER,
             .value_name = "D",
             .initial = "21",
             .unit = "days",
             .max = HUGE_VAL,
             .group = "judgement",
             .help = "regressions and progressions are recent for so long"},
            {.name = "failed-days",
             .type = RECKON_NUMBER,
             .value_name = "D",
             .initial = "7",
             .unit = "days",
             .max = HUGE_VAL,
             .group = "judgement",
             .help = "failures are recent for so long"},
            {.name = "split",
             .type = RECKON_TEXT,
             .value_name = "KEY[,KEY...]",
             .initial = "testbed,cores",
             .group = "output",
             .help = "a table for each combination of these attributes of the tests"},
            {.type = RECKON_OPTION_END},
        },
    .verb = {.usage = "reckon trend HISTORY... [options]",
             .subject = "trend",
             .subject_version = RECKON_TREND_VERSION,
             .main = trend_main},
};
