/* SPDX-License-Identifier: Apache-2.0
 *
 * The client of drill `bulk`. A buffer pair has three completions to wait for: its descriptor has gone, the
 * one buffer was pulled, the other was pushed into. Its time runs from QUEUED to TRANSFERRED.
 */
#include <string.h>

#include "bulk.h"

/* Different bytes for every transfer, so that what comes back can be told from what was there before. */
static void fill(unsigned char *buffer, size_t n, uint64_t seed) {
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (size_t i = 0; i < n; i += 8) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        memcpy(buffer + i, &x, n - i < 8 ? n - i : 8);
    }
}

void bulk_client_begin(struct worker *w, struct pair *p, uint64_t now) {
    struct bulk *g = bulk_of(w);
    struct bulk_pair *own = p->own;
    while (own->free != NOBODY && pair_may_begin(w, p, now)) {
        struct transfer *t = &g->transfers[own->free];
        own->free = t->next_free;
        t->number = p->begun;
        if (w->plan->check)
            fill(t->out, w->plan->size, t->number ^ (uint64_t)p->number << 40);
        transfer_begin(w, t, now);
        transfer_step(&bulk_client_machine, t, CLIENT_QUEUE);
        transfer_grants(w, t); /* the offer itself grants the first window of what is pushed */
        pair_begins(w, p);
        w->under_way++;
        transfer_wants(w, t, WANTS_OFFER);
    }
}

/* Counts the transfer and frees its buffers. */
static void release(struct worker *w, struct pair *p, struct transfer *t) {
    struct bulk *g = bulk_of(w);
    struct bulk_pair *own = p->own;
    uint32_t index = index_of(g, t);
    p->tally.total++;
    if (t->state == CLIENT_TRANSFERRED)
        p->tally.arrived++;
    else
        p->tally.failed++;
    transfer_step(&bulk_client_machine, t, CLIENT_RELEASE);
    flight_end(&g->flights, index);
    w->under_way--;
    transfer_unqueue(w, t);
    t->next_free = own->free;
    own->free = index;
    pair_ready(w, p);
}

void bulk_client_taken(struct worker *w, struct pair *p, struct transfer *t, const struct head *h) {
    if (h->kind == MESSAGE_OFFER) {
        transfer_step(&bulk_client_machine, t, CLIENT_DESCRIBE);
        transfer_step(&bulk_client_machine, t, CLIENT_DONE);
    } else if (h->kind == MESSAGE_DATA && h->stamp + (h->length - HEAD_SIZE) == w->plan->size) {
        transfer_step(&bulk_client_machine, t, CLIENT_DONE);
    } else if (h->kind == MESSAGE_DONE) {
        release(w, p, t);
    }
}

void bulk_client_whole(struct worker *w, struct pair *p, struct transfer *t, uint64_t when) {
    if (!transfer_step(&bulk_client_machine, t, CLIENT_DONE) || t->state != CLIENT_TRANSFERRED)
        return;
    pair_measured(w, p, when > t->flight.began ? when - t->flight.began : 0);
    if (w->plan->check && memcmp(t->in, t->out, w->plan->size) != 0)
        p->tally.bad++;
    transfer_wants(w, t, WANTS_DONE); /* released when that has gone */
}

void bulk_client_fail(struct worker *w, struct pair *p, struct transfer *t) {
    if (t->state == CLIENT_QUEUED)
        transfer_step(&bulk_client_machine, t, CLIENT_NO_DESCRIPTOR);
    while (t->state != CLIENT_FAILED && transfer_step(&bulk_client_machine, t, CLIENT_ERROR))
        ; /* every completion still waited for comes as an error */
    release(w, p, t);
}
