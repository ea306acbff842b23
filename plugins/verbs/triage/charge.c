/* SPDX-License-Identifier: Apache-2.0
 *
 * Which RNICs are behind failing ToR-mesh probes (doc/triage.md, "RNICs"). A dead RNIC's own probes are lost
 * at its neighbours too, so the worst is charged first, what it had a part in is taken away, and the rest is
 * judged again.
 *
 * ToR-mesh probes stay under one ToR, so every ToR is judged on its own.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

/* What is left of one RNIC's ToR-mesh probes, and its failing inter-ToR probes. */
struct share {
    uint64_t bad, of, inter_bad;
    uint32_t first; /* into `chain`: its first event, as an end */
    bool charged;
};

struct work {
    const struct charge *c;
    struct share *share; /* per RNIC */
    uint32_t *chain;     /* two per event: the next event of its prober, of its target; RECKON_NONE ends */
};

/* Links every event to both its ends, and counts. */
static void gather(struct work *w) {
    const struct charge *c = w->c;
    for (uint32_t i = 0; i < c->topo->nrnics; i++)
        w->share[i] = (struct share){.of = c->mesh_to[i], .first = RECKON_NONE};
    for (uint32_t i = 0; i < c->nevents; i++) {
        const struct event *e = &c->events[i];
        if (e->cause != CAUSE_NONE) {
            if (e->list == TOR_MESH)
                w->share[e->target].of--; /* explained already: it decides nothing here */
            continue;
        }
        w->chain[(size_t)2 * i] = w->share[e->prober].first;
        w->share[e->prober].first = 2 * i;
        w->chain[(size_t)2 * i + 1] = w->share[e->target].first;
        w->share[e->target].first = 2 * i + 1;
        w->share[e->target].bad += e->list == TOR_MESH;
        w->share[e->prober].inter_bad += e->list == INTER_TOR;
        w->share[e->target].inter_bad += e->list == INTER_TOR;
    }
}

static double loss_of(const struct share *s) {
    return s->of ? (double)s->bad / (double)s->of : 0;
}

static bool over_limit(const struct work *w, uint32_t rnic) {
    const struct share *s = &w->share[rnic];
    return !s->charged && s->bad && (double)s->bad * 100 > w->c->limit * (double)s->of;
}

static bool inter_fails(const struct work *w, uint32_t rnic) {
    return (double)w->share[rnic].inter_bad * 100 > w->c->limit * (double)w->c->inter_at[rnic];
}

/* Whether two losses are one within what chance does to that many probes (two standard errors). */
static bool alike(const struct share *x, const struct share *y) {
    double p = loss_of(x), q = loss_of(y), n = (double)x->of, m = (double)y->of;
    double both = (p * n + q * m) / (n + m);
    return fabs(p - q) <= 2 * sqrt(both * (1 - both) * (1 / n + 1 / m));
}

/* The RNICs of a ToR to charge next, into `out`: the one with the highest loss. Of several that are as high,
 * within chance, the one whose inter-ToR probes fail too; those exactly as high together. */
static uint32_t worst(const struct work *w, const struct topology_tor *tor, uint32_t *out) {
    uint32_t top = RECKON_NONE, n = 0;
    for (uint32_t i = 0; i < tor->count; i++)
        if (over_limit(w, tor->rnics[i]) &&
            (top == RECKON_NONE || loss_of(&w->share[tor->rnics[i]]) > loss_of(&w->share[top])))
            top = tor->rnics[i];
    if (top == RECKON_NONE)
        return 0;
    uint32_t best = inter_fails(w, top) ? top : RECKON_NONE;
    for (uint32_t i = 0; i < tor->count && !inter_fails(w, top); i++) {
        uint32_t x = tor->rnics[i];
        if (over_limit(w, x) && inter_fails(w, x) && alike(&w->share[x], &w->share[top]) &&
            (best == RECKON_NONE || loss_of(&w->share[x]) > loss_of(&w->share[best])))
            best = x;
    }
    uint32_t chosen = best == RECKON_NONE ? top : best;
    for (uint32_t i = 0; i < tor->count; i++) {
        uint32_t x = tor->rnics[i];
        const struct share *s = &w->share[x], *t = &w->share[chosen];
        if (over_limit(w, x) && s->bad * t->of == t->bad * s->of &&
            inter_fails(w, x) == (best != RECKON_NONE))
            out[n++] = x;
    }
    return n;
}

/* Takes away what the RNIC had a part in. Returns how many events that were. */
static uint64_t take(struct work *w, uint32_t rnic, bool *job) {
    const struct charge *c = w->c;
    uint64_t taken = 0;
    w->share[rnic].charged = true;
    for (uint32_t link = w->share[rnic].first; link != RECKON_NONE; link = w->chain[link]) {
        struct event *e = &c->events[link / 2];
        if (e->cause != CAUSE_NONE)
            continue;
        e->cause = c->cause;
        *job |= e->job;
        taken++;
        if (e->list == TOR_MESH) {
            w->share[e->target].bad--;
            w->share[e->target].of--;
        } else if (e->list == INTER_TOR) {
            w->share[e->target].inter_bad--;
            w->share[e->prober].inter_bad--;
        }
    }
    return taken;
}

static void judge_tor(struct work *w, const struct topology_tor *tor, uint32_t *chosen, struct share *were) {
    uint32_t n;
    while ((n = worst(w, tor, chosen)) > 0) {
        for (uint32_t i = 0; i < n; i++)
            were[i] = w->share[chosen[i]];
        for (uint32_t i = 0; i < n; i++) {
            bool job = false;
            uint64_t taken = take(w, chosen[i], &job);
            w->c->report(w->c->user, chosen[i], were[i].bad, were[i].of, taken, job);
        }
    }
}

void charge_rnics(const struct charge *c) {
    struct work w = {.c = c};
    size_t most = 1;
    for (uint32_t i = 0; i < c->topo->ntors; i++)
        most = c->topo->tors[i].count > most ? c->topo->tors[i].count : most;
    w.share = reckon_resize(NULL, c->topo->nrnics + (size_t)1, sizeof *w.share);
    w.chain = reckon_resize(NULL, 2 * c->nevents + 1, sizeof *w.chain);
    uint32_t *chosen = reckon_resize(NULL, most, sizeof *chosen);
    struct share *were = reckon_resize(NULL, most, sizeof *were);
    gather(&w);
    for (uint32_t i = 0; i < c->topo->ntors; i++)
        judge_tor(&w, &c->topo->tors[i], chosen, were);
    free(were);
    free(chosen);
    free(w.chain);
    free(w.share);
}
