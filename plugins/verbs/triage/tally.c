/* SPDX-License-Identifier: Apache-2.0
 *
 * What a period's probes count up to, by RNIC and by cable, and its timeouts one by one: all that judging
 * needs.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

/* n zeroed counts in the place of old ones. */
static uint32_t *counts(uint32_t *old, size_t n) {
    uint32_t *v = reckon_resize(old, n + 1, sizeof *v);
    memset(v, 0, (n + 1) * sizeof *v);
    return v;
}

static struct tally *fresh(struct analyzer *a, int64_t index) {
    struct tally *t = a->resting;
    a->resting = NULL;
    if (!t) {
        t = reckon_resize(NULL, 1, sizeof *t);
        memset(t, 0, sizeof *t);
    }
    t->index = index;
    t->start = (double)index * a->set.period;
    t->end = t->start + a->set.period;
    t->ntimeouts = t->nsuspects = t->found.count = t->slow.count = 0;
    t->ncables = a->cables.count;
    t->mesh_to = counts(t->mesh_to, a->topo.nrnics);
    t->probes_from = counts(t->probes_from, a->topo.nrnics);
    t->charged_before =
        reckon_resize(t->charged_before, a->topo.nrnics + (size_t)1, sizeof *t->charged_before);
    t->probes_to = counts(t->probes_to, a->topo.nrnics);
    t->answers_from = counts(t->answers_from, a->topo.nrnics);
    t->inter_at = counts(t->inter_at, a->topo.nrnics);
    t->over = counts(t->over, a->cables.count);
    t->answers_over = counts(t->answers_over, a->cables.count);
    return t;
}

/* A path may have been traced after its probe came in. */
static void find_route(struct analyzer *a, struct probe *p) {
    if (p->traced)
        return;
    p->route = routes_find(&a->routes, p->tuple);
    if (p->route != RECKON_NONE)
        a->routes.at[p->route].used = a->routes.round;
}

static void count_cables(const struct analyzer *a, struct tally *t, const struct probe *p) {
    uint32_t cables[2 * LONGEST_ROUTE];
    uint32_t n = p->route == RECKON_NONE ? 0 : routes_cables(&a->routes, p->route, cables);
    bool answers = slow_over_cables(p);
    for (uint32_t i = 0; i < n; i++) {
        t->over[cables[i]]++;
        t->answers_over[cables[i]] += answers;
    }
}

static void add_timeout(struct analyzer *a, struct tally *t, const struct probe *p) {
    bool job = p->list == SERVICE || (p->route != RECKON_NONE && a->routes.at[p->route].job);
    t->timeouts = reckon_grow(t->timeouts, t->ntimeouts, &t->cap, sizeof *t->timeouts);
    t->timeouts[t->ntimeouts++] = (struct event){.prober = p->prober,
                                                 .target = p->target,
                                                 .route = p->route,
                                                 .at = p->at,
                                                 .qpn = p->qpn,
                                                 .list = p->list,
                                                 .job = job};
}

/* The order of timeouts must not tell in which order their records came. */
static int timeout_order(const void *a, const void *b) {
    const struct event *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->prober != y->prober)
        return x->prober < y->prober ? -1 : 1;
    return (x->target > y->target) - (x->target < y->target);
}

struct tally *tally_take(struct analyzer *a, struct period *p) {
    struct tally *t = fresh(a, p->index);
    a->routes.round++;
    for (size_t i = 0; i < p->nprobes; i++) {
        struct probe *probe = &p->probes[i];
        find_route(a, probe);
        t->mesh_to[probe->target] += probe->list == TOR_MESH;
        t->probes_to[probe->target]++;
        t->probes_from[probe->prober]++;
        t->answers_from[probe->target] += !probe->failed;
        t->inter_at[probe->prober] += probe->list == INTER_TOR;
        t->inter_at[probe->target] += probe->list == INTER_TOR;
        count_cables(a, t, probe);
        a->nservice += probe->list == SERVICE;
        if (probe->failed)
            add_timeout(a, t, probe);
    }
    if (t->ntimeouts)
        qsort(t->timeouts, t->ntimeouts, sizeof *t->timeouts, timeout_order);
    a->nprobes += p->nprobes;
    a->ntimeouts += t->ntimeouts;
    return t;
}

void tally_widen(const struct analyzer *a, struct tally *t) {
    t->over = reckon_resize(t->over, a->cables.count + (size_t)1, sizeof *t->over);
    for (uint32_t c = t->ncables; c < a->cables.count; c++)
        t->over[c] = 0;
    t->ncables = a->cables.count;
}

void tally_free(struct tally *t) {
    if (!t)
        return;
    free(t->timeouts);
    free(t->mesh_to);
    free(t->probes_to);
    free(t->probes_from);
    free(t->charged_before);
    free(t->answers_from);
    free(t->inter_at);
    free(t->over);
    free(t->answers_over);
    free(t->suspects);
    free(t->found.at);
    free(t->slow.at);
    free(t);
}

void tally_done(struct analyzer *a, struct tally *t) {
    if (a->resting)
        tally_free(t);
    else
        a->resting = t;
}
