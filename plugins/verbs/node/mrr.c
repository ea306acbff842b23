/* SPDX-License-Identifier: Apache-2.0
 *
 * Drill `mrr`: clients send frames as fast as they can (or paced) for --trial, --trials times with a pause
 * between; the server counts what arrives of each trial, and in which time.
 */
#include <stdlib.h>

#include "mrr.h"

struct trial {
    uint64_t count, first, last; /* first and last in ns of the monotonic clock */
};

struct mrr {
    struct trial *trials; /* plan->trials of them for each pair */
    uint32_t trial;       /* the one that clients send in */
    bool open;            /* now; else they wait for it to begin */
};

static struct trial *trials_of(const struct worker *w, const struct pair *p) {
    const struct mrr *g = w->own;
    return g->trials + (size_t)place_of(w, p) * w->plan->trials;
}

struct trial_report mrr_trial(const struct worker *w, uint32_t place, uint32_t trial) {
    const struct trial *t = &trials_of(w, &w->pairs[place])[trial];
    return (struct trial_report){.count = t->count, .span = t->last - t->first};
}

static uint64_t mrr_memory(const struct plan *plan, uint32_t clients, uint32_t servers) {
    return ((uint64_t)clients + servers) * plan->trials * sizeof(struct trial);
}

static void mrr_close(struct worker *w) {
    struct mrr *g = w->own;
    if (g)
        free(g->trials);
    free(g);
    w->own = NULL;
}

static bool mrr_open(struct worker *w) {
    struct mrr *g = w->own = calloc(1, sizeof *g);
    return g && (g->trials = calloc((size_t)w->npairs * w->plan->trials + 1, sizeof *g->trials));
}

static void mrr_start(struct worker *w, uint64_t now) {
    (void)w, (void)now; /* the first trial is opened by the first tick */
}

static uint64_t trial_begins(const struct worker *w, uint32_t trial) {
    return w->start + trial * (w->plan->trial + w->plan->pause);
}

static uint64_t mrr_tick(struct worker *w, uint64_t now) {
    struct mrr *g = w->own;
    if (w->ended || g->trial >= w->plan->trials)
        return UINT64_MAX;
    uint64_t begins = trial_begins(w, g->trial), ends = begins + w->plan->trial;
    if (now < begins)
        return begins;
    if (now >= ends) {
        g->open = false;
        return ++g->trial < w->plan->trials ? trial_begins(w, g->trial) : UINT64_MAX;
    }
    for (uint32_t i = 0; !g->open && i < w->npairs; i++)
        if (w->pairs[i].client) {
            w->pairs[i].due = w->period ? now : 0;
            pair_ready(w, &w->pairs[i]);
        }
    g->open = true;
    return ends;
}

static bool mrr_next(struct worker *w, struct pair *p, struct head *h, struct reckon_message *m,
                     uint64_t now) {
    const struct mrr *g = w->own;
    if (!p->client || !g->open || now >= trial_begins(w, g->trial) + w->plan->trial ||
        !pair_may_begin(w, p, now))
        return false;
    h->kind = MESSAGE_FRAME;
    h->trial = (uint16_t)g->trial;
    h->number = p->begun;
    h->stamp = now;
    m->body_size = w->plan->size - HEAD_SIZE;
    trials_of(w, p)[g->trial].count++;
    pair_begins(w, p);
    p->tally.total++;
    p->tally.sent_bytes += w->plan->size;
    return true;
}

static void mrr_undo(struct worker *w, struct pair *p, const struct head *h) {
    trials_of(w, p)[h->trial].count--;
    pair_takes_back(w, p);
    p->tally.total--;
    p->tally.sent_bytes -= w->plan->size;
}

static void note(struct trial *t, uint64_t when) {
    if (!t->first)
        t->first = when;
    t->last = when;
}

static void mrr_taken(struct worker *w, struct pair *p, const struct head *h, uint64_t now) {
    note(&trials_of(w, p)[h->trial], now);
    pair_active(w, p, now);
}

static void mrr_received(struct worker *w, struct pair *p, const struct head *h, size_t body, uint64_t when) {
    (void)body;
    if (p->client || h->kind != MESSAGE_FRAME || h->length != w->plan->size || h->trial >= w->plan->trials) {
        p->tally.bad++;
        return;
    }
    struct trial *t = &trials_of(w, p)[h->trial];
    t->count++;
    note(t, when);
    p->tally.total++;
    p->tally.arrived++;
    p->tally.received_bytes += h->length;
    pair_active(w, p, when);
}

const struct drill_ops drill_mrr = {
    .lull = 50000,
    .memory = mrr_memory,
    .open = mrr_open,
    .close = mrr_close,
    .start = mrr_start,
    .next = mrr_next,
    .undo = mrr_undo,
    .taken = mrr_taken,
    .received = mrr_received,
    .tick = mrr_tick,
};
