/* SPDX-License-Identifier: Apache-2.0
 *
 * The period's own figures: percentiles of network RTT and processing delays, of the whole cluster and of the
 * job's own probes. Exact, over every probe of the period.
 */
#include "analyzer.h"

/* Which time of a probe. */
static uint32_t network_of(const struct probe *p) {
    return p->network;
}
static uint32_t responder_of(const struct probe *p) {
    return p->responder;
}
static uint32_t delay_of(const struct probe *p) {
    return p->delay;
}

static bool of_job(const struct analyzer *a, const struct probe *p) {
    return p->list == SERVICE || (p->route != RECKON_NONE && a->routes.at[p->route].job);
}

/* Percentiles one after the other: what is above one is all the next needs to look at. */
static struct reckon_percentiles select_all(uint32_t *v, size_t n) {
    static const uint32_t permille[4] = {500, 900, 990, 999};
    double us[4];
    size_t from = 0;
    for (int i = 0; i < 4; i++) {
        size_t rank = percentile_rank(n, permille[i]);
        us[i] = n ? select_nth(v + from, n - from, rank - from) / 1e3 : RECKON_BLANK;
        from = n ? rank : 0;
    }
    return (struct reckon_percentiles){us[0], us[1], us[2], us[3], n};
}

static struct reckon_percentiles percentiles(struct analyzer *a, const struct period *p, bool job,
                                             uint32_t (*time)(const struct probe *)) {
    size_t n = 0;
    for (size_t i = 0; i < p->nprobes; i++)
        if (!p->probes[i].failed && time(&p->probes[i]) != UNMEASURED && (!job || of_job(a, &p->probes[i])))
            a->values[n++] = time(&p->probes[i]);
    return select_all(a->values, n);
}

static void fill_view(struct analyzer *a, const struct period *p, bool job, struct reckon_triage_view *view) {
    for (size_t i = 0; i < p->nprobes; i++) {
        bool counts = !job || of_job(a, &p->probes[i]);
        view->probes += counts;
        view->timeouts += counts && p->probes[i].failed;
    }
    view->network = percentiles(a, p, job, network_of);
    view->responder = percentiles(a, p, job, responder_of);
    view->prober = percentiles(a, p, job, delay_of);
}

void figures_fill(struct analyzer *a, const struct period *p, struct tally *t) {
    struct reckon_triage_period *f = reckon_resize(NULL, 1, sizeof *f);
    *f = (struct reckon_triage_period){.size = sizeof *f, .start = t->start, .end = t->end};
    scratch_reserve(a, p->nprobes, 0);
    fill_view(a, p, false, &f->cluster);
    fill_view(a, p, true, &f->job);
    f->metric = metric_within(a, t->start, t->end);
    f->metric_before = metric_before(a, t->start);
    f->slow = metric_fell(a, f->metric_before, f->metric);
    if (f->slow)
        metric_mark_slow(a, t->start, t->end);
    t->figures = f;
}
