/* SPDX-License-Identifier: Apache-2.0
 *
 * The server of drill `bulk`: a buffer that is free takes the offer, pulls, pushes back. An offer without a
 * free buffer is discarded, counted as total and failed, and its client told.
 */
#include "bulk.h"

static void refuse(struct worker *w, struct pair *p, const struct head *h) {
    struct bulk_pair *own = p->own;
    if (own->refusals < w->plan->concurrency) /* else the client's timeout tells it */
        bulk_of(w)->refused[own->base + own->refusals++] = (struct refusal){h->number, h->slot};
    pair_ready(w, p);
}

/* Counts the transfer and frees its buffer. */
static void release(struct worker *w, struct pair *p, struct transfer *t) {
    struct bulk *g = bulk_of(w);
    const struct bulk_pair *own = p->own;
    uint32_t index = index_of(g, t);
    p->tally.total++;
    if (t->state == SERVER_TRANSFERRED)
        p->tally.arrived++;
    else
        p->tally.failed += t->state == SERVER_FAILED;
    transfer_step(&bulk_server_machine, t, SERVER_RELEASE);
    flight_end(&g->flights, index);
    g->by_slot[own->base + t->slot] = NOBODY;
    transfer_unqueue(w, t);
    t->next_free = g->free;
    g->free = index;
}

void bulk_server_fail(struct worker *w, struct pair *p, struct transfer *t) {
    transfer_step(&bulk_server_machine, t, SERVER_ERROR);
    release(w, p, t);
}

/* A client that offers a slot anew has given up what it offered there before. */
static void give_up_older(struct worker *w, struct pair *p, uint32_t slot) {
    const struct bulk_pair *own = p->own;
    uint32_t older = bulk_of(w)->by_slot[own->base + slot];
    if (older != NOBODY)
        bulk_server_fail(w, p, &bulk_of(w)->transfers[older]);
}

static bool is_nonsense(const struct worker *w, const struct head *h) {
    return h->stamp != w->plan->size || h->length != HEAD_SIZE;
}

void bulk_server_offer(struct worker *w, struct pair *p, const struct head *h, uint64_t when) {
    struct bulk *g = bulk_of(w);
    const struct bulk_pair *own = p->own;
    if (h->slot >= w->plan->concurrency) {
        p->tally.total++;
        p->tally.bad++;
        return;
    }
    uint32_t there = g->by_slot[own->base + h->slot];
    if (there != NOBODY && g->transfers[there].number == h->number) { /* the same once more */
        p->tally.late++;
        return;
    }
    pair_active(w, p, when);
    give_up_older(w, p, h->slot);
    if (g->free == NOBODY) {
        p->tally.total++;
        p->tally.failed++;
        refuse(w, p, h);
        return;
    }
    struct transfer *t = &g->transfers[g->free];
    g->by_slot[own->base + h->slot] = g->free;
    g->free = t->next_free;
    t->pair = place_of(w, p);
    t->slot = h->slot;
    t->number = h->number;
    transfer_begin(w, t, when);
    transfer_step(&bulk_server_machine, t, SERVER_DESCRIPTOR);
    if (is_nonsense(w, h)) {
        transfer_step(&bulk_server_machine, t, SERVER_NONSENSE);
        p->tally.bad++;
        refuse(w, p, h);
        release(w, p, t);
        return;
    }
    transfer_step(&bulk_server_machine, t, SERVER_PULL);
    transfer_grants(w, t);
    transfer_wants(w, t, WANTS_GRANT);
}

void bulk_server_whole(struct worker *w, struct pair *p, struct transfer *t) {
    (void)p;
    if (!transfer_step(&bulk_server_machine, t, SERVER_PULLED))
        return;
    uint32_t window = w->plan->window < w->plan->size ? w->plan->window : w->plan->size;
    t->allowed = t->allowed > window ? t->allowed : window; /* granted by the offer */
    transfer_sends(w, t);
}

void bulk_server_done(struct worker *w, struct pair *p, struct transfer *t) {
    if (t->sent == w->plan->size && transfer_step(&bulk_server_machine, t, SERVER_PUSHED))
        release(w, p, t);
}
