/* SPDX-License-Identifier: Apache-2.0
 *
 * Drill `ping`: the client keeps --concurrency messages under way, the server answers each; what is not
 * answered within
 * --timeout is lost.
 */
#include <stdlib.h>

#include "flights.h"

/* A client's message under way. */
struct slot {
    struct flight flight; /* first */
    uint64_t number;
    uint32_t pair; /* its place */
    uint32_t next_free;
};

/* A server's answer that has not gone yet. */
struct answer {
    uint64_t number, stamp;
    uint32_t slot;
};

struct ping_pair {
    uint32_t base, free;    /* client: its first slot in the worker's, and a list of free ones */
    struct answer *answers; /* server: a ring of --concurrency */
    uint32_t first_answer, answers_waiting;
};

struct ping {
    struct flights flights; /* of slots */
    struct slot *slots;
    struct answer *answers;
    struct ping_pair *pairs;
};

static uint64_t ping_memory(const struct plan *plan, uint32_t clients, uint32_t servers) {
    return clients * (sizeof(struct ping_pair) + plan->concurrency * sizeof(struct slot)) +
           servers * (sizeof(struct ping_pair) + plan->concurrency * sizeof(struct answer));
}

static void ping_close(struct worker *w) {
    struct ping *g = w->own;
    if (!g)
        return;
    free(g->slots);
    free(g->answers);
    free(g->pairs);
    free(g);
    w->own = NULL;
}

static bool ping_open(struct worker *w) {
    struct ping *g = w->own = calloc(1, sizeof *g);
    size_t each = w->plan->concurrency, clients = 0, servers = 0;
    if (!g)
        return false;
    g->slots = calloc(each * w->nclients + 1, sizeof *g->slots);
    g->answers = calloc(each * (w->npairs - w->nclients) + 1, sizeof *g->answers);
    g->pairs = calloc((size_t)w->npairs + 1, sizeof *g->pairs);
    if (!g->slots || !g->answers || !g->pairs)
        return false;
    g->flights = (struct flights){&g->slots->flight, sizeof *g->slots, NOBODY, NOBODY};
    for (uint32_t i = 0; i < w->npairs; i++) {
        struct ping_pair *own = w->pairs[i].own = &g->pairs[i];
        if (!w->pairs[i].client) {
            own->answers = g->answers + each * servers++;
            continue;
        }
        own->base = own->free = (uint32_t)(each * clients++);
        for (uint32_t k = 0; k < each; k++)
            g->slots[own->base + k] =
                (struct slot){.pair = i, .next_free = k + 1 < each ? own->base + k + 1 : NOBODY};
    }
    return true;
}

static void ping_start(struct worker *w, uint64_t now) {
    (void)now;
    for (uint32_t i = 0; i < w->npairs; i++)
        if (w->pairs[i].client)
            pair_ready(w, &w->pairs[i]);
}

/* ---- sending ---- */

static bool next_request(struct worker *w, struct pair *p, struct head *h, struct reckon_message *m,
                         uint64_t now) {
    struct ping *g = w->own;
    struct ping_pair *own = p->own;
    if (own->free == NOBODY || !pair_may_begin(w, p, now))
        return false;
    struct slot *s = &g->slots[own->free];
    h->kind = MESSAGE_REQUEST;
    h->slot = own->free - own->base;
    h->number = s->number = p->begun;
    h->stamp = now;
    m->body_size = w->plan->size - HEAD_SIZE;
    flight_begin(&g->flights, own->free, now);
    own->free = s->next_free;
    pair_begins(w, p);
    w->under_way++;
    p->tally.total++;
    p->tally.sent_bytes += w->plan->size;
    return true;
}

static bool next_answer(struct worker *w, struct pair *p, struct head *h, struct reckon_message *m) {
    struct ping_pair *own = p->own;
    if (!own->answers_waiting)
        return false;
    const struct answer *a = &own->answers[own->first_answer];
    h->kind = MESSAGE_REPLY;
    h->slot = a->slot;
    h->number = a->number;
    h->stamp = a->stamp;
    m->body_size = w->plan->reply - HEAD_SIZE;
    own->first_answer = own->first_answer + 1 < w->plan->concurrency ? own->first_answer + 1 : 0;
    own->answers_waiting--;
    p->tally.sent_bytes += w->plan->reply;
    return true;
}

static bool ping_next(struct worker *w, struct pair *p, struct head *h, struct reckon_message *m,
                      uint64_t now) {
    return p->client ? next_request(w, p, h, m, now) : next_answer(w, p, h, m);
}

/* The slot is free again. */
static void release(struct worker *w, struct pair *p, uint32_t index) {
    struct ping *g = w->own;
    struct ping_pair *own = p->own;
    flight_end(&g->flights, index);
    g->slots[index].next_free = own->free;
    own->free = index;
    w->under_way--;
}

static void ping_undo(struct worker *w, struct pair *p, const struct head *h) {
    struct ping_pair *own = p->own;
    if (p->client) {
        release(w, p, own->base + h->slot);
        pair_takes_back(w, p);
        p->tally.total--;
        p->tally.sent_bytes -= w->plan->size;
    } else {
        own->first_answer = (own->first_answer ? own->first_answer : w->plan->concurrency) - 1;
        own->answers_waiting++;
        p->tally.sent_bytes -= w->plan->reply;
    }
}

static void ping_taken(struct worker *w, struct pair *p, const struct head *h, uint64_t now) {
    (void)h;
    if (p->client)
        pair_active(w, p, now);
}

/* ---- receiving ---- */

static void request_came(struct worker *w, struct pair *p, const struct head *h, uint64_t when) {
    struct ping_pair *own = p->own;
    if (h->kind != MESSAGE_REQUEST || h->length != w->plan->size || h->slot >= w->plan->concurrency) {
        p->tally.bad++;
        return;
    }
    p->tally.total++;
    p->tally.arrived++;
    p->tally.received_bytes += h->length;
    pair_active(w, p, when);
    if (own->answers_waiting == w->plan->concurrency) { /* more than a client may have under way: discarded */
        p->tally.failed++;
        return;
    }
    uint32_t at = own->first_answer + own->answers_waiting++;
    own->answers[at < w->plan->concurrency ? at : at - w->plan->concurrency] =
        (struct answer){.number = h->number, .stamp = h->stamp, .slot = h->slot};
    pair_ready(w, p);
}

static void reply_came(struct worker *w, struct pair *p, const struct head *h, uint64_t when) {
    struct ping *g = w->own;
    struct ping_pair *own = p->own;
    if (h->kind != MESSAGE_REPLY || h->length != w->plan->reply || h->slot >= w->plan->concurrency) {
        p->tally.bad++;
        return;
    }
    struct slot *s = &g->slots[own->base + h->slot];
    if (!s->flight.under_way || s->number != h->number) { /* given up before, or a second one */
        p->tally.late++;
        return;
    }
    if (s->flight.began != h->stamp) {
        p->tally.bad++;
        return;
    }
    pair_measured(w, p, when > h->stamp ? when - h->stamp : 0);
    p->tally.arrived++;
    p->tally.received_bytes += h->length;
    pair_active(w, p, when);
    release(w, p, own->base + h->slot);
    pair_ready(w, p);
}

static void ping_received(struct worker *w, struct pair *p, const struct head *h, size_t body,
                          uint64_t when) {
    (void)body;
    if (p->client)
        reply_came(w, p, h, when);
    else
        request_came(w, p, h, when);
}

/* ---- what is lost ---- */

static uint64_t ping_tick(struct worker *w, uint64_t now) {
    struct ping *g = w->own;
    while (flight_deadline(&g->flights, w->plan->timeout) <= now) {
        uint32_t index = g->flights.first;
        struct pair *p = pair_at(w, g->slots[index].pair);
        p->tally.failed++;
        release(w, p, index);
        pair_ready(w, p);
    }
    return flight_deadline(&g->flights, w->plan->timeout);
}

const struct drill_ops drill_ping = {
    .measures = true,
    .memory = ping_memory,
    .open = ping_open,
    .close = ping_close,
    .start = ping_start,
    .next = ping_next,
    .undo = ping_undo,
    .taken = ping_taken,
    .received = ping_received,
    .tick = ping_tick,
};
