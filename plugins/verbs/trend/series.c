/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging one series: groups, what starts a regression or progression, the compliance figures.
 */
#include "series.h"

#include <stdlib.h>

#include "compliance.h"

#define DAY 86400.0

/* The entries that are grouped: all that have a value, the newest TREND_SERIES_MAX of them. */
static void pick_samples(const struct trend_analysis *a, struct trend_series *s) {
    size_t skip = s->nsamples > TREND_SERIES_MAX ? s->nsamples - TREND_SERIES_MAX : 0;
    if (skip > 0)
        reckon_note(a->r, "%s has %zu samples: groups are looked for in the newest %d",
                    reckon_printable(a->r, trend_history_text(a->history, a->history->tests[s->test].name)),
                    s->nsamples, TREND_SERIES_MAX);
    s->sample = reckon_resize(NULL, s->nsamples - skip, sizeof *s->sample);
    for (size_t i = 0; i < s->nentries; i++) {
        if (s->entries[i].state != RECKON_TREND_MEASURED)
            continue;
        if (skip > 0)
            skip--;
        else
            s->sample[s->nsample++] = i;
    }
}

static double largest(const double *values, size_t n) {
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

static enum reckon_trend_comment comment(double before, double mean, bool lower_is_better) {
    if (mean == before)
        return RECKON_TREND_NORMAL;
    return (mean < before) != lower_is_better ? RECKON_TREND_REGRESSION : RECKON_TREND_PROGRESSION;
}

/* Tells every sample its group, and what the group's first one starts. */
static void mark(struct trend_series *s) {
    s->comments = reckon_resize(NULL, s->ngroups, sizeof *s->comments);
    for (size_t g = 0; g < s->ngroups; g++) {
        const struct trend_group *group = &s->groups[g];
        s->comments[g] = g == 0 ? RECKON_TREND_NORMAL
                                : comment(group[-1].stats.mean, group->stats.mean, s->lower_is_better);
        s->entries[s->sample[group->first]].comment = (uint8_t)s->comments[g];
        for (size_t i = group->first; i < group->first + group->stats.count; i++)
            s->entries[s->sample[i]].group = (uint32_t)g;
    }
}

/* Groups and long-term change of a series that has a sample. */
static void cut(const struct trend_analysis *a, struct trend_series *s) {
    size_t n = s->nsample;
    double *values = reckon_resize(NULL, 3 * n, sizeof *values), *ts = values + n, *trend = ts + n;
    for (size_t i = 0; i < n; i++) {
        values[i] = s->entries[s->sample[i]].value;
        ts[i] = s->entries[s->sample[i]].ts;
    }
    struct trend_scale scale = trend_scale_new(largest(values, n), n, a->options.bits, a->options.unit);
    s->coarse = trend_scale_coarse(&scale);
    s->groups = trend_partition(&scale, values, n, &s->ngroups, &s->bits);
    trend_scale_free(&scale);
    mark(s);
    for (size_t i = 0; i < n; i++)
        trend[i] = s->groups[s->entries[s->sample[i]].group].stats.mean;
    s->change = trend_long_term_change(ts, trend, n, a->options.week_runs, s->lower_is_better);
    free(values);
}

static void count(const struct trend_analysis *a, struct trend_series *s) {
    for (size_t i = 0; i < s->nentries; i++) {
        const struct trend_entry *e = &s->entries[i];
        bool failed = e->state != RECKON_TREND_MEASURED;
        enum reckon_trend_comment what = failed ? RECKON_TREND_FAILED : (enum reckon_trend_comment)e->comment;
        double days = failed ? a->options.failed_days : a->options.days;
        s->counts[what]++;
        if (e->ts >= a->last_ts - days * DAY)
            s->recent[what]++;
        if (failed)
            s->last_failure = i;
    }
}

void trend_judge(const struct trend_analysis *a, struct trend_series *s) {
    s->last_failure = SIZE_MAX;
    s->bits = s->change = RECKON_BLANK;
    pick_samples(a, s);
    if (s->nsample > 0)
        cut(a, s);
    count(a, s);
    const struct trend_entry *last = s->nentries > 0 ? &s->entries[s->nentries - 1] : NULL;
    s->result = last && last->state == RECKON_TREND_MEASURED ? (enum reckon_trend_comment)last->comment
                                                             : RECKON_TREND_FAILED;
}
