/* SPDX-License-Identifier: Apache-2.0
 *
 * The job: its metric over time, and which RNICs and cables lie on its paths.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

#define BEFORE ((size_t)4096) /* how many of the latest values a median before something rests on */

void metric_add(struct analyzer *a, double ts, double value) {
    struct metric *m = &a->metric;
    m->sorted = !m->count || (m->sorted && m->at[m->count - 1].ts <= ts);
    if (a->follow && m->count >= 2 * BEFORE) { /* older ones are never asked for */
        memmove(m->at, m->at + BEFORE, BEFORE * sizeof *m->at);
        m->count = BEFORE;
    }
    m->at = reckon_grow(m->at, m->count, &m->cap, sizeof *m->at);
    m->at[m->count++] = (struct sample){.ts = ts, .value = value};
}

static int sample_order(const void *a, const void *b) {
    const struct sample *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* How many samples lie before ts; sorts first. */
static size_t before(struct metric *m, double ts) {
    if (!m->sorted && m->count)
        qsort(m->at, m->count, sizeof *m->at, sample_order);
    m->sorted = true;
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (m->at[middle].ts < ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double metric_within(struct analyzer *a, double start, double end) {
    struct metric *m = &a->metric;
    size_t first = before(m, start), last = before(m, end);
    double *v = reckon_resize(NULL, last - first + 1, sizeof *v);
    for (size_t i = first; i < last; i++)
        v[i - first] = m->at[i].value;
    double median = reckon_median(v, last - first);
    free(v);
    return median;
}

double metric_before(struct analyzer *a, double start) {
    struct metric *m = &a->metric;
    double v[BEFORE];
    size_t n = 0;
    for (size_t i = before(m, start); i-- > 0 && n < BEFORE;)
        if (!m->at[i].slow)
            v[n++] = m->at[i].value;
    return reckon_median(v, n);
}

void metric_mark_slow(struct analyzer *a, double start, double end) {
    struct metric *m = &a->metric;
    size_t last = before(m, end);
    for (size_t i = before(m, start); i < last; i++)
        m->at[i].slow = true;
}

bool metric_fell(const struct analyzer *a, double was, double now) {
    return now < was * (1 - a->set.job_threshold / 100); /* false when either is blank */
}

/* ---- the job's paths ---- */

static void mark_leg(struct analyzer *a, uint32_t leg) {
    const uint32_t *links = a->routes.links + leg;
    for (uint32_t i = 1; leg && i <= links[0]; i++) {
        struct cable *c = &a->cables.at[links[i]];
        c->on_job = true;
        if (c->port != RECKON_NONE)
            a->rnics[c->port].on_job = true;
    }
}

void job_mark(struct analyzer *a) {
    if (!a->njob || !a->job_changed)
        return;
    for (uint32_t c = 0; c < a->cables.count; c++)
        a->cables.at[c].on_job = false;
    a->njob_traced = 0;
    for (uint32_t i = 0; i < a->routes.count; i++) {
        a->njob_traced += a->routes.at[i].job && routes_traced(&a->routes, i);
        for (int leg = 0; a->routes.at[i].job && leg < LEGS; leg++)
            mark_leg(a, a->routes.at[i].leg[leg]);
    }
    a->job_changed = false;
}

bool job_placed(const struct analyzer *a) {
    return a->njob_traced || a->nservice;
}

void job_say(struct analyzer *a) {
    if (a->njob > a->njob_traced)
        reckon_note(
            a->r,
            "no path of %llu of the job's %s was traced, so a problem on it may be taken for one off the job",
            (unsigned long long)(a->njob - a->njob_traced), reckon_count(a->r, a->njob, "tuple"));
}
