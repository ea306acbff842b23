/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker's birth and death: everything a test needs is made here, before its first message.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "worker.h"

#define BILLION UINT64_C(1000000000)

/* ---- how large things are ---- */

static size_t largest_message(const struct plan *plan) {
    size_t bulk = (size_t)plan->chunk + HEAD_SIZE;
    if (plan->drill == DRILL_BULK)
        return bulk;
    return plan->reply > plan->size ? plan->reply : plan->size;
}

static struct reckon_transport_setup setup_of(const struct plan *plan, uint32_t peers) {
    return (struct reckon_transport_setup){.size = sizeof(struct reckon_transport_setup),
                                           .secret = plan->secret,
                                           .head = HEAD_SIZE,
                                           .largest = largest_message(plan),
                                           .peers = peers};
}

/* A plan's numbers are bounded: at most 2^32 pairs, of 2^16 buffers of 2^32 bytes. Beyond 2^63 it is simply
 * too much. */
uint64_t worker_memory(const struct plan *plan, const struct reckon_transport *transport) {
    const struct drill_ops *ops = drill_ops_of(plan->drill);
    struct reckon_transport_setup setup = setup_of(plan, plan->npairs);
    uint32_t clients = 0;
    for (uint32_t i = 0; i < plan->npairs; i++)
        clients += plan->pairs[i].client;
    uint32_t servers = plan->npairs - clients;
    if ((double)plan->npairs * plan->concurrency * ((double)plan->size + 1024) > 0x1p62)
        return UINT64_MAX;
    return plan->workers * (sizeof(struct worker) + largest_message(plan) + transport->memory(&setup)) +
           plan->npairs * (sizeof(struct pair) + sizeof(struct pair_view) + sizeof(struct timer)) +
           (ops->measures ? 3 * sizeof(struct meter) * clients : 0) + ops->memory(plan, clients, servers);
}

/* ---- making one ---- */

static void share_pairs(struct worker *w) {
    for (uint32_t i = 0; i < w->npairs; i++) {
        uint32_t number = i * w->stride + w->index;
        const struct plan_pair *from = &w->plan->pairs[number];
        w->pairs[i] = (struct pair){.number = number,
                                    .there = from->there,
                                    .client = from->client,
                                    .peer = RECKON_NONE,
                                    .next = NOBODY};
        w->nclients += from->client;
    }
}

static bool make_meters(struct worker *w) {
    for (uint32_t i = 0; i < w->npairs; i++)
        if (w->pairs[i].client && w->ops->measures && !(w->pairs[i].meters = calloc(2, sizeof(struct meter))))
            return false;
    return true;
}

static const char *open_endpoint(struct worker *w, const struct address *at) {
    struct reckon_transport_setup setup = setup_of(w->plan, w->npairs);
    setup.address = &at->any;
    setup.length = at->length;
    setup.events = &w->events;
    w->endpoint = w->transport->open(&setup);
    return w->endpoint ? NULL : strerror(errno);
}

const char *worker_open(struct worker *w, const struct plan *plan, const struct reckon_transport *transport,
                        const struct address *at, uint32_t index) {
    *w = (struct worker){
        .plan = plan, .transport = transport, .ops = drill_ops_of(plan->drill), .index = index};
    w->stride = plan->workers;
    w->npairs = plan->npairs / w->stride + (index < plan->npairs % w->stride);
    w->ready = w->blocked = (struct list){NOBODY, NOBODY, 0};
    worker_events(w);
    sem_init(&w->wake, 0, 0);
    w->pairs = calloc((size_t)w->npairs + 1, sizeof *w->pairs);
    w->views = calloc((size_t)w->npairs + 1, sizeof *w->views);
    w->heap = calloc((size_t)w->npairs + 1, sizeof *w->heap);
    w->padding = calloc(1, largest_message(plan));
    if (!w->pairs || !w->views || !w->heap || !w->padding)
        return strerror(ENOMEM);
    share_pairs(w);
    if (!make_meters(w) || !w->ops->open(w))
        return strerror(ENOMEM);
    const char *why = open_endpoint(w, at);
    if (why)
        return why;
    int error = pthread_create(&w->thread, NULL, worker_main, w);
    w->threaded = !error;
    return error ? strerror(error) : NULL;
}

void worker_close(struct worker *w) {
    if (w->threaded) {
        atomic_store(&w->order, ORDER_QUIT);
        sem_post(&w->wake);
        pthread_join(w->thread, NULL);
    }
    if (w->endpoint)
        w->transport->close(w->endpoint);
    if (w->pairs)
        w->ops->close(w);
    for (uint32_t i = 0; w->pairs && i < w->npairs; i++)
        free(w->pairs[i].meters);
    free(w->pairs);
    free(w->views);
    free(w->heap);
    free(w->padding);
    sem_destroy(&w->wake);
}

/* ---- its test ---- */

/* What both sides of a pair call it: its number at the server, who is called by many. */
static uint32_t name_of(const struct pair *p) {
    return p->client ? p->there : p->number;
}

static const char *add_peers(struct worker *w) {
    for (uint32_t i = 0; i < w->npairs; i++) {
        struct pair *p = &w->pairs[i];
        const struct address *at = &w->plan->pairs[p->number].peer;
        struct reckon_transport_peer peer = {.size = sizeof peer,
                                             .address = &at->any,
                                             .length = at->length,
                                             .name = name_of(p),
                                             .opens = p->client};
        p->peer = w->transport->add(w->endpoint, &peer);
        if (p->peer == RECKON_NONE)
            return strerror(errno);
    }
    return NULL;
}

/* Paced pairs begin one after the other within a period, not all at once. */
static void spread(struct worker *w) {
    uint32_t nth = 0;
    for (uint32_t i = 0; i < w->npairs; i++)
        if (w->pairs[i].client)
            w->pairs[i].due = w->start + (uint64_t)((double)w->period * nth++ / w->nclients);
}

const char *worker_start(struct worker *w, uint64_t start) {
    uint64_t span = plan_span(w->plan);
    const char *why = add_peers(w);
    if (why)
        return why;
    w->start = start;
    w->stop = span ? start + span : UINT64_MAX;
    w->period = w->plan->rate ? 1000 * BILLION / w->plan->rate : 0;
    memcpy(&w->seed, w->plan->secret, sizeof w->seed);
    w->unfinished = w->nclients;
    spread(w);
    sem_post(&w->wake);
    return NULL;
}
