/* SPDX-License-Identifier: Apache-2.0
 *
 * Drill `bulk`: buffers, what both sides do to a transfer, and its messages.
 */
#include <stdlib.h>
#include <string.h>

#include "bulk.h"

/* ---- memory ---- */

static uint32_t pieces_of(const struct plan *plan) {
    return (plan->size - 1) / plan->chunk + 1;
}

static uint64_t words_of(const struct plan *plan) {
    return pieces_of(plan) / 64 + 1;
}

/* How many buffers so many servers have: enough for all that is offered, or --buffers of them. */
static uint64_t buffers_of(const struct plan *plan, uint64_t servers) {
    uint64_t most = servers * plan->concurrency;
    return plan->buffers && plan->buffers < most ? plan->buffers : most;
}

static uint64_t bulk_memory(const struct plan *plan, uint32_t clients, uint32_t servers) {
    uint64_t each = sizeof(struct transfer) + words_of(plan) * 8,
             offers = (uint64_t)clients * plan->concurrency;
    return (clients + (uint64_t)servers) * sizeof(struct bulk_pair) +
           offers * (each + 2 * (uint64_t)plan->size) + buffers_of(plan, servers) * (each + plan->size) +
           (uint64_t)servers * plan->concurrency * (sizeof(uint32_t) + sizeof(struct refusal));
}

static void bulk_close(struct worker *w) {
    struct bulk *g = bulk_of(w);
    if (!g)
        return;
    free(g->transfers);
    free(g->buffers);
    free(g->pieces);
    free(g->pairs);
    free(g->by_slot);
    free(g->refused);
    free(g);
    w->own = NULL;
}

static void put_free(struct bulk *g, uint32_t *list, uint32_t index) {
    g->transfers[index].next_free = *list;
    *list = index;
}

/* Gives each transfer its buffers: a client's two, a server's one. */
static void lay_out(struct worker *w) {
    struct bulk *g = bulk_of(w);
    uint32_t each = w->plan->concurrency, at = 0, slots = 0;
    unsigned char *buffer = g->buffers;
    for (uint32_t i = 0; i < w->npairs; i++) {
        struct bulk_pair *own = w->pairs[i].own = &g->pairs[i];
        bool client = w->pairs[i].client;
        *own = (struct bulk_pair){
            .queues = {{NOBODY, NOBODY}, {NOBODY, NOBODY}}, .free = NOBODY, .base = client ? at : slots};
        if (!client)
            slots += each;
        for (uint32_t k = each; client && k-- > 0;) {
            g->transfers[at + k] =
                (struct transfer){.pair = i, .slot = k, .out = buffer, .in = buffer + w->plan->size};
            put_free(g, &own->free, at + k);
            buffer += 2 * (size_t)w->plan->size;
        }
        at += client ? each : 0;
    }
    for (g->free = NOBODY; at < g->ntransfers; at++) {
        g->transfers[at] = (struct transfer){.pair = NOBODY, .out = buffer, .in = buffer};
        put_free(g, &g->free, at);
        buffer += w->plan->size;
    }
    for (uint32_t i = 0; i < g->ntransfers; i++)
        g->transfers[i].pieces = g->pieces + (size_t)i * g->words;
    memset(g->by_slot, 0xff, slots * sizeof *g->by_slot);
}

static bool bulk_open(struct worker *w) {
    struct bulk *g = w->own = calloc(1, sizeof *g);
    if (!g)
        return false;
    size_t each = w->plan->concurrency, servers = w->npairs - w->nclients, offers = each * w->nclients;
    size_t own = buffers_of(w->plan, servers), nbuffers = 2 * offers + own;
    g->ntransfers = (uint32_t)(offers + own);
    g->npieces = pieces_of(w->plan);
    g->words = (uint32_t)words_of(w->plan);
    g->transfers = calloc((size_t)g->ntransfers + 1, sizeof *g->transfers);
    g->buffers = malloc(nbuffers * w->plan->size + 1);
    g->pieces = calloc((size_t)g->ntransfers * g->words + 1, sizeof *g->pieces);
    g->pairs = calloc((size_t)w->npairs + 1, sizeof *g->pairs);
    g->by_slot = calloc(each * servers + 1, sizeof *g->by_slot);
    g->refused = calloc(each * servers + 1, sizeof *g->refused);
    if (!g->transfers || !g->buffers || !g->pieces || !g->pairs || !g->by_slot || !g->refused)
        return false;
    memset(g->buffers, 0x5a, nbuffers * w->plan->size); /* the pages are there before the first message */
    g->flights = (struct flights){&g->transfers->flight, sizeof *g->transfers, NOBODY, NOBODY};
    lay_out(w);
    return true;
}

/* ---- a transfer, on either side ---- */

/* Puts it in after those that began before it: mostly at the end, or, what waited for a grant, at the front.
 */
static void enqueue(struct bulk *g, struct transfer *t, int which) {
    struct queue *q = &g->pairs[t->pair].queues[which];
    uint32_t index = index_of(g, t), before = NOBODY, at = q->first;
    if (t->queued[which])
        return;
    t->queued[which] = true;
    if (q->first != NOBODY && g->transfers[q->last].number < t->number) {
        before = q->last;
        at = NOBODY;
    }
    for (; at != NOBODY && g->transfers[at].number < t->number; at = g->transfers[at].next[which])
        before = at;
    t->next[which] = at;
    if (before == NOBODY)
        q->first = index;
    else
        g->transfers[before].next[which] = index;
    if (at == NOBODY)
        q->last = index;
}

static void dequeue(struct bulk *g, struct transfer *t, int which) {
    struct queue *q = &g->pairs[t->pair].queues[which];
    uint32_t index = index_of(g, t), before = NOBODY, at = q->first;
    if (!t->queued[which])
        return;
    t->queued[which] = false;
    for (; at != index; at = g->transfers[at].next[which])
        before = at;
    if (before == NOBODY)
        q->first = t->next[which];
    else
        g->transfers[before].next[which] = t->next[which];
    if (q->last == index)
        q->last = before;
}

void transfer_wants(struct worker *w, struct transfer *t, unsigned wanted) {
    t->wants |= wanted;
    enqueue(bulk_of(w), t, QUEUE_SMALL);
    pair_ready(w, pair_at(w, t->pair));
}

void transfer_sends(struct worker *w, struct transfer *t) {
    if (t->sent < t->allowed)
        enqueue(bulk_of(w), t, QUEUE_BYTES);
    pair_ready(w, pair_at(w, t->pair));
}

void transfer_unqueue(struct worker *w, struct transfer *t) {
    for (int which = 0; which < QUEUES; which++)
        dequeue(bulk_of(w), t, which);
}

void transfer_begin(struct worker *w, struct transfer *t, uint64_t now) {
    struct bulk *g = bulk_of(w);
    t->wants = 0;
    t->sent = t->allowed = t->received = t->granted = 0;
    memset(t->pieces, 0, g->words * sizeof *t->pieces);
    flight_begin(&g->flights, index_of(g, t), now);
}

bool transfer_step(const struct machine *m, struct transfer *t, int event) {
    int next = machine_next(m, t->state, event);
    if (next != FORBIDDEN)
        t->state = next;
    return next != FORBIDDEN;
}

bool transfer_grants(const struct worker *w, struct transfer *t) {
    uint64_t size = w->plan->size, window = w->plan->window;
    uint64_t upto = t->received + window < size ? t->received + window : size;
    if (upto <= t->granted || (upto < size && upto - t->granted < window / 2))
        return false;
    t->granted = (uint32_t)upto;
    return true;
}

/* ---- sending ---- */

static const struct {
    unsigned wanted;
    enum message_kind kind;
} small[] = {{WANTS_OFFER, MESSAGE_OFFER}, {WANTS_GRANT, MESSAGE_GRANT}, {WANTS_DONE, MESSAGE_DONE}};
#define SMALL (sizeof small / sizeof *small)

static void small_message(struct worker *w, struct transfer *t, struct head *h) {
    size_t i = 0;
    while (!(t->wants & small[i].wanted))
        i++;
    t->wants &= ~small[i].wanted;
    h->kind = (uint8_t)small[i].kind;
    h->stamp = small[i].kind == MESSAGE_OFFER ? w->plan->size : t->granted;
    if (!t->wants)
        dequeue(bulk_of(w), t, QUEUE_SMALL);
}

static void piece(struct worker *w, struct transfer *t, struct head *h, struct reckon_message *m) {
    uint32_t left = w->plan->size - t->sent;
    h->kind = MESSAGE_DATA;
    h->stamp = t->sent;
    m->body = t->out + t->sent;
    m->body_size = left < w->plan->chunk ? left : w->plan->chunk;
    t->sent += (uint32_t)m->body_size;
    if (t->sent >= t->allowed)
        dequeue(bulk_of(w), t, QUEUE_BYTES);
}

static bool next_refusal(struct worker *w, struct pair *p, struct head *h) {
    struct bulk_pair *own = p->own;
    if (!own->refusals)
        return false;
    const struct refusal *r = &bulk_of(w)->refused[own->base + --own->refusals];
    h->kind = MESSAGE_REFUSED;
    h->slot = r->slot;
    h->number = r->number;
    return true;
}

static bool bulk_next(struct worker *w, struct pair *p, struct head *h, struct reckon_message *m,
                      uint64_t now) {
    struct bulk *g = bulk_of(w);
    struct bulk_pair *own = p->own;
    if (p->client)
        bulk_client_begin(w, p, now);
    else if (next_refusal(w, p, h))
        return true;
    int which = own->queues[QUEUE_SMALL].first != NOBODY ? QUEUE_SMALL : QUEUE_BYTES;
    if (own->queues[which].first == NOBODY)
        return false;
    struct transfer *t = &g->transfers[own->queues[which].first];
    h->slot = t->slot;
    h->number = t->number;
    if (which == QUEUE_SMALL)
        small_message(w, t, h);
    else
        piece(w, t, h, m);
    return true;
}

/* The running transfer a message is about; NULL when there is none of that number (any more). */
static struct transfer *subject_of(struct worker *w, const struct pair *p, const struct head *h) {
    struct bulk *g = bulk_of(w);
    const struct bulk_pair *own = p->own;
    if (h->slot >= w->plan->concurrency)
        return NULL;
    uint32_t i = p->client ? own->base + h->slot : g->by_slot[own->base + h->slot];
    struct transfer *t = i == NOBODY ? NULL : &g->transfers[i];
    return t && t->flight.under_way && t->number == h->number ? t : NULL;
}

static void bulk_undo(struct worker *w, struct pair *p, const struct head *h) {
    struct transfer *t = subject_of(w, p, h);
    if (h->kind == MESSAGE_REFUSED && !p->client) {
        struct bulk_pair *own = p->own;
        bulk_of(w)->refused[own->base + own->refusals++] = (struct refusal){h->number, h->slot};
    } else if (t && h->kind == MESSAGE_DATA) {
        t->sent = (uint32_t)h->stamp;
        transfer_sends(w, t);
    } else if (t) {
        for (size_t i = 0; i < SMALL; i++)
            if (small[i].kind == (enum message_kind)h->kind)
                transfer_wants(w, t, small[i].wanted);
    }
}

static void bulk_taken(struct worker *w, struct pair *p, const struct head *h, uint64_t now) {
    struct transfer *t = subject_of(w, p, h);
    pair_active(w, p, now);
    if (h->kind == MESSAGE_DATA)
        p->tally.sent_bytes += h->length - HEAD_SIZE;
    if (t && p->client)
        bulk_client_taken(w, p, t, h);
}

/* ---- receiving ---- */

/* The length of the piece that begins at `from`; 0 when none does. */
static uint32_t piece_at(const struct plan *plan, uint64_t from) {
    if (from >= plan->size || from % plan->chunk)
        return 0;
    return plan->size - from < plan->chunk ? (uint32_t)(plan->size - from) : plan->chunk;
}

/* Whether the transfer waits for bytes at all. */
static bool takes_in(const struct pair *p, const struct transfer *t) {
    return p->client ? t->state == CLIENT_CB_LEFT1 || t->state == CLIENT_CB_LEFT2
                     : t->state == SERVER_RECEIVING;
}

static void *bulk_place(struct worker *w, struct pair *p, const struct head *h, size_t body) {
    struct transfer *t = h->kind == MESSAGE_DATA ? subject_of(w, p, h) : NULL;
    return t && takes_in(p, t) && body && body == piece_at(w->plan, h->stamp) ? t->in + h->stamp : NULL;
}

static void piece_came(struct worker *w, struct pair *p, const struct head *h, size_t body, uint64_t when) {
    struct transfer *t = subject_of(w, p, h);
    if (!body || body != piece_at(w->plan, h->stamp)) {
        p->tally.bad++;
        return;
    }
    uint64_t piece = h->stamp / w->plan->chunk, bit = UINT64_C(1) << piece % 64;
    if (!t || !takes_in(p, t) || t->pieces[piece / 64] & bit) {
        p->tally.late++;
        return;
    }
    t->pieces[piece / 64] |= bit;
    t->received += (uint32_t)body;
    p->tally.received_bytes += body;
    pair_active(w, p, when);
    if (t->received == w->plan->size) {
        if (p->client)
            bulk_client_whole(w, p, t, when);
        else
            bulk_server_whole(w, p, t);
    } else if (transfer_grants(w, t)) {
        transfer_wants(w, t, WANTS_GRANT);
    }
}

/* Whether the transfer may send bytes at all. */
static bool gives_out(const struct pair *p, const struct transfer *t) {
    return p->client ? t->state == CLIENT_CB_LEFT2 : t->state == SERVER_SENDING;
}

static void grant_came(struct worker *w, struct pair *p, const struct head *h) {
    struct transfer *t = subject_of(w, p, h);
    uint32_t upto = h->stamp < w->plan->size ? (uint32_t)h->stamp : w->plan->size;
    if (t && gives_out(p, t) && upto > t->allowed) {
        t->allowed = upto;
        transfer_sends(w, t);
    }
}

static void bulk_received(struct worker *w, struct pair *p, const struct head *h, size_t body,
                          uint64_t when) {
    struct transfer *t = subject_of(w, p, h);
    switch (h->kind) {
    case MESSAGE_DATA:
        piece_came(w, p, h, body, when);
        return;
    case MESSAGE_GRANT:
        grant_came(w, p, h);
        return;
    case MESSAGE_OFFER:
        if (p->client)
            break;
        bulk_server_offer(w, p, h, when);
        return;
    case MESSAGE_DONE:
        if (p->client)
            break;
        if (t)
            bulk_server_done(w, p, t);
        return;
    case MESSAGE_REFUSED:
        if (!p->client)
            break;
        if (t)
            bulk_client_fail(w, p, t);
        return;
    }
    p->tally.bad++;
}

/* ---- time ---- */

static void bulk_start(struct worker *w, uint64_t now) {
    (void)now;
    for (uint32_t i = 0; i < w->npairs; i++)
        if (w->pairs[i].client)
            pair_ready(w, &w->pairs[i]);
}

static void fail_first(struct worker *w) {
    struct transfer *t = &bulk_of(w)->transfers[bulk_of(w)->flights.first];
    struct pair *p = pair_at(w, t->pair);
    if (p->client)
        bulk_client_fail(w, p, t);
    else
        bulk_server_fail(w, p, t);
}

static uint64_t bulk_tick(struct worker *w, uint64_t now) {
    struct flights *f = &bulk_of(w)->flights;
    while (flight_deadline(f, w->plan->timeout) <= now)
        fail_first(w);
    return flight_deadline(f, w->plan->timeout);
}

static void bulk_finish(struct worker *w, uint64_t now) {
    (void)now;
    while (bulk_of(w)->flights.first != NOBODY)
        fail_first(w);
}

const struct drill_ops drill_bulk = {
    .measures = true,
    .memory = bulk_memory,
    .open = bulk_open,
    .close = bulk_close,
    .start = bulk_start,
    .next = bulk_next,
    .undo = bulk_undo,
    .taken = bulk_taken,
    .place = bulk_place,
    .received = bulk_received,
    .tick = bulk_tick,
    .finish = bulk_finish,
};
