/* SPDX-License-Identifier: Apache-2.0
 *
 * A transport within the process. Endpoints have ports from 1 on, in the order in which they were opened.
 */
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_pipe.h"

#define ENDPOINTS 8u
#define QUEUE 65536u
#define BUSY 1000000u /* ns that an endpoint takes no more, after FATE_BUSY */

struct letter {
    unsigned from;
    size_t size; /* of head and body */
    unsigned char *text;
};

struct reckon_endpoint {
    unsigned port;
    uint64_t busy; /* until when it takes no more, and then calls writable(); 0: it takes more */
    const struct reckon_transport_events *events;
    size_t head;
    unsigned peers[ENDPOINTS], npeers; /* their ports */
    struct letter queue[QUEUE];
    unsigned first, waiting;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t came;
    struct reckon_endpoint *endpoints[ENDPOINTS];
    unsigned count, sent, impatient;
    fate_of_message *fate;
    void *user;
    struct letter held;
    unsigned held_for;
} net = {.lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER};

void pipe_begin(fate_of_message *fate, void *user) {
    net.count = net.sent = net.held_for = net.impatient = 0;
    free(net.held.text);
    net.held = (struct letter){.from = 0};
    memset(net.endpoints, 0, sizeof net.endpoints);
    net.fate = fate;
    net.user = user;
}

static void post(unsigned to, struct letter letter) {
    struct reckon_endpoint *e = to && to <= net.count ? net.endpoints[to - 1] : NULL;
    if (!e || e->waiting == QUEUE) {
        free(letter.text);
        return;
    }
    e->queue[(e->first + e->waiting++) % QUEUE] = letter;
    pthread_cond_broadcast(&net.came);
}

static struct letter letter_of(unsigned from, const void *head, size_t head_size, const void *body,
                               size_t size) {
    struct letter l = {.from = from, .size = head_size + size, .text = malloc(head_size + size + 1)};
    memcpy(l.text, head, head_size);
    if (size)
        memcpy(l.text + head_size, body, size);
    return l;
}

void pipe_inject(unsigned port, unsigned from, const struct head *h, const void *body, size_t size) {
    struct head copy = *h;
    head_swap(&copy);
    pthread_mutex_lock(&net.lock);
    post(port, letter_of(from, &copy, sizeof copy, body, size));
    pthread_mutex_unlock(&net.lock);
}

bool pipe_is_empty(void) {
    bool empty = true;
    pthread_mutex_lock(&net.lock);
    for (unsigned i = 0; i < net.count; i++)
        empty &= !net.endpoints[i] || !net.endpoints[i]->waiting;
    pthread_mutex_unlock(&net.lock);
    return empty;
}

unsigned pipe_impatient(void) {
    return net.impatient;
}

/* ---- the transport ---- */

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static size_t memory(const struct reckon_transport_setup *setup) {
    (void)setup;
    return sizeof(struct reckon_endpoint);
}

static struct reckon_endpoint *open_endpoint(const struct reckon_transport_setup *setup) {
    struct reckon_endpoint *e = calloc(1, sizeof *e);
    pthread_mutex_lock(&net.lock);
    net.endpoints[net.count++] = e;
    e->port = net.count;
    pthread_mutex_unlock(&net.lock);
    e->events = setup->events;
    e->head = setup->head;
    return e;
}

static void close_endpoint(struct reckon_endpoint *e) {
    pthread_mutex_lock(&net.lock);
    net.endpoints[e->port - 1] = NULL;
    for (; e->waiting; e->waiting--, e->first++)
        free(e->queue[e->first % QUEUE].text);
    pthread_mutex_unlock(&net.lock);
    free(e);
}

static int address(const struct reckon_endpoint *e, struct sockaddr *to, socklen_t *length) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)e->port)};
    memcpy(to, &at, sizeof at);
    *length = sizeof at;
    return 0;
}

static uint32_t add(struct reckon_endpoint *e, const struct reckon_transport_peer *peer) {
    unsigned port = ntohs(((const struct sockaddr_in *)(const void *)peer->address)->sin_port);
    for (uint32_t i = 0; i < e->npeers; i++)
        if (e->peers[i] == port)
            return i;
    e->peers[e->npeers] = port;
    return e->npeers++;
}

static enum fate ask_fate(const struct reckon_message *m) {
    struct head h;
    memcpy(&h, m->head, sizeof h);
    head_swap(&h);
    return net.fate ? net.fate(net.user, &h, net.sent) : FATE_DELIVER;
}

/* True when it went (or was lost). */
static bool send_one(struct reckon_endpoint *e, const struct reckon_message *m) {
    enum fate fate = ask_fate(m);
    unsigned to = e->peers[m->peer];
    if (fate == FATE_BUSY)
        return false;
    net.sent++;
    if (fate == FATE_DROP)
        return true;
    struct letter l = letter_of(e->port, m->head, e->head, m->body, m->body_size);
    if (fate == FATE_GARBLE)
        l.text[l.size - 1] ^= 1;
    if (fate == FATE_HOLD && !net.held_for) {
        net.held = l;
        net.held_for = to;
        return true;
    }
    post(to, l);
    if (fate == FATE_TWICE)
        post(to, letter_of(e->port, m->head, e->head, m->body, m->body_size));
    if (net.held_for) {
        post(net.held_for, net.held);
        net.held = (struct letter){.from = 0};
        net.held_for = 0;
    }
    return true;
}

static void send_messages(struct reckon_endpoint *e, struct reckon_message *messages, size_t count) {
    bool busy = false;
    pthread_mutex_lock(&net.lock);
    net.impatient += e->busy != 0;
    for (size_t i = 0; i < count; i++) {
        busy = busy || !send_one(e, &messages[i]);
        messages[i].sent = busy ? RECKON_BUSY : RECKON_TAKEN;
    }
    e->busy = busy ? now() + BUSY : e->busy;
    pthread_mutex_unlock(&net.lock);
}

static void deliver(struct reckon_endpoint *e, struct letter l) {
    uint32_t peer = 0;
    while (peer < e->npeers && e->peers[peer] != l.from)
        peer++;
    size_t body = l.size - e->head;
    if (peer < e->npeers) {
        void *to = body ? e->events->place(e->events->user, peer, l.text, body) : NULL;
        if (to)
            memcpy(to, l.text + e->head, body);
        e->events->received(e->events->user, peer, l.text, body, now());
    }
    free(l.text);
}

static void wait_for(struct reckon_endpoint *e, uint64_t ns) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t nsec = (uint64_t)t.tv_nsec + (e->busy && ns > BUSY ? BUSY : ns);
    t = (struct timespec){t.tv_sec + (time_t)(nsec / 1000000000), (long)(nsec % 1000000000)};
    pthread_mutex_lock(&net.lock);
    while (!e->waiting && pthread_cond_timedwait(&net.came, &net.lock, &t) == 0)
        ;
    for (unsigned n = e->waiting < 64 ? e->waiting : 64; n; n--) {
        struct letter l = e->queue[e->first++ % QUEUE];
        e->waiting--;
        pthread_mutex_unlock(&net.lock);
        deliver(e, l);
        pthread_mutex_lock(&net.lock);
    }
    pthread_mutex_unlock(&net.lock);
    if (e->busy && now() >= e->busy) {
        e->busy = 0;
        e->events->writable(e->events->user, RECKON_NONE);
    }
}

static void counts(const struct reckon_endpoint *e, struct reckon_transport_counts *to) {
    (void)e;
    to->strangers = to->malformed = 0;
}

const struct reckon_transport pipe_transport = {
    .size = sizeof pipe_transport,
    .largest = 1 << 20,
    .memory = memory,
    .open = open_endpoint,
    .address = address,
    .add = add,
    .send = send_messages,
    .wait = wait_for,
    .counts = counts,
    .close = close_endpoint,
};
