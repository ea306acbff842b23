/* SPDX-License-Identifier: Apache-2.0
 *
 * From a history to judged series: trials are sorted by test, whole runs by family, and every test is worked
 * out on its own, in parallel.
 */
#include <stdlib.h>
#include <string.h>

#include "series.h"

/* ---- order ---- */

/* Counting sort of the trials by test. */
static void sort_trials(struct trend_analysis *a) {
    const struct trend_history *h = a->history;
    a->first = reckon_resize(NULL, h->ntests + 1, sizeof *a->first);
    a->order = reckon_resize(NULL, h->ntrials, sizeof *a->order);
    memset(a->first, 0, (h->ntests + 1) * sizeof *a->first);
    for (size_t i = 0; i < h->ntrials; i++)
        a->first[h->trials[i].test + 1]++;
    for (size_t t = 0; t < h->ntests; t++)
        a->first[t + 1] += a->first[t];
    uint32_t *next = reckon_resize(NULL, h->ntests, sizeof *next);
    if (h->ntests > 0)
        memcpy(next, a->first, h->ntests * sizeof *next);
    for (size_t i = 0; i < h->ntrials; i++)
        a->order[next[h->trials[i].test]++] = (uint32_t)i;
    free(next);
}

static int by_family(const void *left, const void *right, void *history) {
    const struct trend_history *h = history;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const struct history_run *x = &h->runs[a], *y = &h->runs[b];
    if (x->family != y->family)
        return x->family < y->family ? -1 : 1;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return a < b ? -1 : a > b;
}

static void sort_runs(struct trend_analysis *a, struct trend_history *h) {
    a->whole = reckon_resize(NULL, h->nruns, sizeof *a->whole);
    a->place = reckon_resize(NULL, h->nruns, sizeof *a->place);
    for (size_t i = 0; i < h->nruns; i++) {
        a->place[i] = RECKON_NONE;
        if (h->runs[i].family)
            a->whole[a->nwhole++] = (uint32_t)i;
    }
    if (a->nwhole > 0)
        qsort_r(a->whole, a->nwhole, sizeof *a->whole, by_family, h);
    for (size_t i = 0; i < a->nwhole; i++)
        a->place[a->whole[i]] = (uint32_t)i;
}

static int by_number(const void *left, const void *right) {
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void find_span(struct trend_analysis *a) {
    size_t n = a->history->nruns;
    double *ts = reckon_resize(NULL, n, sizeof *ts);
    for (size_t i = 0; i < n; i++)
        ts[i] = a->history->runs[i].ts;
    if (n > 0)
        qsort(ts, n, sizeof *ts, by_number);
    for (size_t i = 0; i < n; i++)
        a->times += i == 0 || ts[i] != ts[i - 1];
    a->first_ts = n > 0 ? ts[0] : RECKON_BLANK;
    a->last_ts = n > 0 ? ts[n - 1] : RECKON_BLANK;
    free(ts);
}

static int by_name(const void *left, const void *right, void *history) {
    const struct trend_history *h = history;
    const struct history_test *a = &h->tests[((const struct trend_series *)left)->test];
    const struct history_test *b = &h->tests[((const struct trend_series *)right)->test];
    int by = strcmp(trend_history_text(h, a->name), trend_history_text(h, b->name));
    if (!by)
        by = strcmp(trend_history_text(h, a->attributes), trend_history_text(h, b->attributes));
    return by ? by : strcmp(trend_history_text(h, a->unit), trend_history_text(h, b->unit));
}

/* Every test that was measured becomes a series. */
static void list_series(struct trend_analysis *a, struct trend_history *h) {
    a->series = reckon_resize(NULL, h->ntests, sizeof *a->series);
    for (size_t i = 0; i < h->ntests; i++)
        if (a->first[i + 1] > a->first[i])
            a->series[a->count++] = (struct trend_series){.test = (uint32_t)i,
                                                          .lower_is_better = h->tests[i].lower_is_better ||
                                                                             a->options.lower_is_better};
    if (a->count > 0)
        qsort_r(a->series, a->count, sizeof *a->series, by_name, h);
}

/* ---- work ---- */

void trend_note_coarse(struct reckon *r, double unit, size_t count, const char *name) {
    if (count > 0)
        reckon_note(
            r,
            "--unit %g is too coarse for %s%s: the largest sample is less than two of it, and noise looks "
            "like change",
            unit, reckon_printable(r, name),
            count > 1 ? reckon_text(r, " and %s", reckon_count(r, count - 1, "more test")) : "");
}

static void say_coarse(const struct trend_analysis *a) {
    size_t count = 0;
    const char *name = NULL;
    for (size_t i = a->count; i-- > 0;)
        if (a->series[i].coarse) {
            name = trend_history_text(a->history, a->history->tests[a->series[i].test].name);
            count++;
        }
    trend_note_coarse(a->r, a->options.unit, count, name);
}

/* A run's value hides that some of its trials gave none. */
static void say_failed_trials(const struct trend_analysis *a) {
    size_t trials = 0, runs = 0;
    const char *name = NULL;
    for (size_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->series[i].nentries; k++) {
            const struct trend_entry *e = &a->series[i].entries[k];
            if (e->state != RECKON_TREND_MEASURED || !e->failed)
                continue;
            name = name ? name : trend_history_text(a->history, a->history->tests[a->series[i].test].name);
            trials += e->failed;
            runs++;
        }
    if (runs > 0)
        reckon_note(a->r, "%s of %s failed and %s left out of the mean of those beside %s (%s%s)",
                    reckon_count(a->r, trials, "trial"), reckon_count(a->r, runs, "run"),
                    trials == 1 ? "is" : "are", trials == 1 ? "it" : "them", reckon_printable(a->r, name),
                    runs > 1 ? " first" : "");
}

static int one(void *user, size_t i) {
    struct trend_analysis *a = user;
    trend_entries(a, &a->series[i]);
    trend_judge(a, &a->series[i]);
    return 0;
}

int trend_arrange(struct reckon *r, struct trend_analysis *a, struct trend_history *h,
                  const struct trend_options *options) {
    *a = (struct trend_analysis){
        .base = {.size = sizeof a->base, .version = RECKON_TREND_VERSION, .api = &trend_api},
        .r = r,
        .history = h,
        .options = *options,
    };
    if (h->ntrials >= RECKON_NONE || h->nruns >= RECKON_NONE)
        return reckon_error(r, NULL, 0, "the history has more than four thousand million values");
    sort_trials(a);
    list_series(a, h);
    return 0;
}

int trend_analyse(struct reckon *r, struct trend_analysis *a, struct trend_history *h,
                  const struct trend_options *options) {
    if (trend_arrange(r, a, h, options))
        return -1;
    sort_runs(a, h);
    find_span(a);
    int rc = reckon_parallel(r, a->count, one, a);
    if (!rc && options->unit > 0)
        say_coarse(a);
    if (!rc)
        say_failed_trials(a);
    return rc;
}

void trend_analysis_free(struct trend_analysis *a) {
    for (size_t i = 0; i < a->count; i++) {
        free(a->series[i].entries);
        free(a->series[i].sample);
        free(a->series[i].groups);
        free(a->series[i].comments);
    }
    free(a->series);
    free(a->order);
    free(a->first);
    free(a->whole);
    free(a->place);
}
