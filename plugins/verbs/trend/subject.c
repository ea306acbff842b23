/* SPDX-License-Identifier: Apache-2.0
 *
 * The subject "trend" as rules and outputs see it: each structure is filled as far as the caller's own size
 * goes.
 */
#include <string.h>

#include "series.h"

static const struct trend_analysis *own(const struct reckon_trend *t) {
    return (const struct trend_analysis *)t; /* base is its first member */
}

/* Copies what the caller, perhaps built against a shorter structure, has room for. */
static void give(void *out, size_t room, void *filled, size_t size) {
    *(size_t *)filled = room;
    memcpy(out, filled, room < size ? room : size);
}

static const char *text(const struct trend_analysis *a, uint32_t number) {
    return trend_history_text(a->history, number);
}

static size_t tests(const struct reckon_trend *t) {
    return own(t)->count;
}

static void test(const struct reckon_trend *t, size_t i, struct reckon_trend_test *out) {
    const struct trend_analysis *a = own(t);
    const struct trend_series *s = &a->series[i];
    const struct trend_group *last = s->ngroups > 0 ? &s->groups[s->ngroups - 1] : NULL;
    struct reckon_trend_test full = {
        .name = text(a, a->history->tests[s->test].name),
        .unit = text(a, a->history->tests[s->test].unit),
        .lower_is_better = s->lower_is_better,
        .bits = s->bits,
        .runs = s->nentries,
        .samples = s->nsamples,
        .groups = s->ngroups,
        .trend = last ? last->stats.mean : RECKON_BLANK,
        .trend_runs = last ? last->stats.count : 0,
        .long_term_change = s->change,
        .result = s->result,
        .regressions = s->counts[RECKON_TREND_REGRESSION],
        .progressions = s->counts[RECKON_TREND_PROGRESSION],
        .recent_regressions = s->recent[RECKON_TREND_REGRESSION],
        .recent_progressions = s->recent[RECKON_TREND_PROGRESSION],
        .recent_failures = s->recent[RECKON_TREND_FAILED],
        .last_failure = s->last_failure,
    };
    give(out, out->size, &full, sizeof full);
}

/* What the first failed trial of a run said of itself. */
static const char *failure(const struct trend_analysis *a, const struct trend_entry *e) {
    for (uint32_t i = e->first; i < e->first + e->trials; i++)
        if (a->history->trials[a->order[i]].status)
            return text(a, a->history->trials[a->order[i]].status);
    return "failed";
}

static void run(const struct reckon_trend *t, size_t of, size_t i, struct reckon_trend_run *out) {
    const struct trend_analysis *a = own(t);
    const struct trend_entry *e = &a->series[of].entries[i];
    struct reckon_trend_run full = {
        .ts = e->ts,
        .label = text(a, a->history->runs[e->run].label),
        .state = (enum reckon_trend_state)e->state,
        .trials = e->trials - e->failed,
        .failed = e->failed,
        .value = e->value,
        .stdev = e->stdev,
        .group = e->group == RECKON_NONE ? SIZE_MAX : e->group,
        .comment = (enum reckon_trend_comment)e->comment,
    };
    full.status = e->state == RECKON_TREND_MEASURED      ? "OK"
                  : e->state == RECKON_TREND_RUN_MISSING ? "missing"
                                                         : failure(a, e);
    give(out, out->size, &full, sizeof full);
}

static double trial(const struct reckon_trend *t, size_t of, size_t i, size_t wanted) {
    const struct trend_analysis *a = own(t);
    const struct trend_entry *e = &a->series[of].entries[i];
    for (uint32_t k = e->first; k < e->first + e->trials; k++) {
        const struct history_trial *trial = &a->history->trials[a->order[k]];
        if (!trial->status && wanted-- == 0)
            return trial->value;
    }
    return RECKON_BLANK;
}

static void group(const struct reckon_trend *t, size_t of, size_t i, struct reckon_trend_group *out) {
    const struct trend_series *s = &own(t)->series[of];
    const struct trend_group *g = &s->groups[i];
    struct reckon_trend_group full = {
        .first = s->sample[g->first],
        .first_ts = s->entries[s->sample[g->first]].ts,
        .count = g->stats.count,
        .mean = g->stats.mean,
        .stdev = trend_stats_stdev(&g->stats),
        .bits = g->bits,
        .comment = s->comments[i],
    };
    give(out, out->size, &full, sizeof full);
}

static bool attribute(const struct reckon_trend *t, size_t of, size_t i, const char **key,
                      const char **value) {
    const struct trend_analysis *a = own(t);
    const char *line = text(a, a->history->tests[a->series[of].test].attributes);
    for (; *line && i > 0; i--) {
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    size_t n = strcspn(line, "\n"), k = strcspn(line, "=\n");
    if (n == 0)
        return false;
    *key = reckon_strndup(a->r, line, k);
    *value = reckon_strndup(a->r, line + k + (k < n), n - k - (k < n));
    return true;
}

static size_t span(const struct reckon_trend *t, double *first_ts, double *last_ts) {
    *first_ts = own(t)->first_ts;
    *last_ts = own(t)->last_ts;
    return own(t)->times;
}

const struct reckon_trend_api trend_api = {.size = sizeof trend_api,
                                           .tests = tests,
                                           .test = test,
                                           .run = run,
                                           .trial = trial,
                                           .group = group,
                                           .attribute = attribute,
                                           .span = span};
