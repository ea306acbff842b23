/* SPDX-License-Identifier: Apache-2.0
 *
 * A worker: one thread, one endpoint of the transport, and its share of the node's pairs. Between START and
 * STOP_DONE it takes no lock and allocates nothing; whoever commands it asks it to publish what it counted,
 * and waits for that.
 */
#ifndef RECKON_NODE_WORKER_H
#define RECKON_NODE_WORKER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include <reckon/transport.h>

#include "../bench_common/command.h"
#include "../bench_common/message.h"

#define WORKER_BATCH 64u
#define WORKER_TICK UINT64_C(10000000) /* ns: how long it goes without looking for orders, at most */
#define NOBODY UINT32_MAX

/* ---- a pair, as its worker sees it ---- */

enum pair_place { PAIR_AWAY, PAIR_READY, PAIR_BLOCKED };

/* RTTs since the last time they were published. */
struct meter {
    struct sample sample;
    struct histogram histogram;
};

struct pair {
    uint32_t number, there; /* its number here and at the other node */
    bool client, lost;
    bool more;     /* it would have had more for the batch */
    bool timed;    /* it is in the heap, wherever else it is: it may have an answer to send meanwhile */
    uint32_t peer; /* the transport's number */
    int error;     /* why it is lost */
    enum pair_place place;
    uint32_t next;  /* in the list it is in */
    uint64_t due;   /* paced: when the next message may go */
    uint64_t begun; /* client: messages or transfers begun */
    struct tally tally;
    struct meter *meters; /* client: two, one in use and one being read; NULL in drills without RTT */
    void *own;            /* the drill's */
};

/* What of a pair is published. */
struct pair_view {
    struct tally tally;
    bool lost;
    int error;
};

struct list {
    uint32_t first, last, count;
};

struct timer {
    uint64_t at;
    uint32_t place; /* the pair's */
};

/* ---- what a drill does: ping, bulk, mrr ---- */

struct worker;
struct drill_ops {
    bool measures; /* its clients measure RTT */
    uint64_t lull; /* ns that what comes may lie in the kernel, where nothing depends on it: to be woken for
                      each message costs its sender more than the sending. 0: none */
    /* Bytes that it will allocate for so many pairs. */
    uint64_t (*memory)(const struct plan *plan, uint32_t clients, uint32_t servers);
    /* Allocates; false when there is no memory. close() frees, also after a failed open(). */
    bool (*open)(struct worker *w);
    void (*close)(struct worker *w);
    /* The test begins. */
    void (*start)(struct worker *w, uint64_t now);
    /* The pair's next message: fills in head (but for secret and pair), body and size. False: nothing now. */
    bool (*next)(struct worker *w, struct pair *p, struct head *h, struct reckon_message *m, uint64_t now);
    /* The last message that next() made for the pair, and that was not yet undone, did not go after all. */
    void (*undo)(struct worker *w, struct pair *p, const struct head *h);
    /* It went. May be NULL. */
    void (*taken)(struct worker *w, struct pair *p, const struct head *h, uint64_t now);
    /* Where the body of a message goes; may be NULL (nowhere). */
    void *(*place)(struct worker *w, struct pair *p, const struct head *h, size_t body);
    void (*received)(struct worker *w, struct pair *p, const struct head *h, size_t body, uint64_t when);
    /* Does what is due; returns when it wants to be called next. */
    uint64_t (*tick)(struct worker *w, uint64_t now);
    /* Nobody sends any more: what is still under way at the servers here has failed. May be NULL. */
    void (*finish)(struct worker *w, uint64_t now);
};
extern const struct drill_ops drill_ping, drill_bulk, drill_mrr;
const struct drill_ops *drill_ops_of(enum drill drill);

/* ---- a worker ---- */

enum order { ORDER_NONE, ORDER_STOP, ORDER_CLOSE, ORDER_QUIT };

struct worker {
    const struct plan *plan;
    const struct drill_ops *ops;
    const struct reckon_transport *transport;
    struct reckon_endpoint *endpoint;
    struct reckon_transport_events events;
    uint32_t index, stride; /* pair number n is here when n % stride == index, at place n / stride */
    uint32_t npairs, nclients;
    struct pair *pairs;
    struct timer *heap; /* paced pairs, the one due first on top */
    uint32_t nheap;
    struct list ready, blocked;
    unsigned char *padding; /* what messages are filled with */
    void *own;              /* the drill's */
    /* the batch being made */
    struct reckon_message out[WORKER_BATCH];
    struct head heads[WORKER_BATCH];
    struct pair *from[WORKER_BATCH], *turns[WORKER_BATCH];
    uint32_t nout, nturns;
    /* the test */
    uint64_t start, stop; /* monotonic ns; start: 0 before START; stop: when sending ends, UINT64_MAX for when
                             it is told */
    uint64_t ended;       /* when it did; 0: not yet */
    uint64_t period;      /* ns between two messages of a paced pair, on average; 0: unpaced */
    uint64_t seed;        /* of random gaps */
    uint32_t unfinished;  /* client pairs that have not begun all of their --count */
    uint64_t under_way;   /* messages or transfers of clients here that are waited for */
    uint64_t strangers;
    bool closed;
    bool heard;    /* something came since the last lull */
    unsigned flip; /* which meters are in use */
    /* orders and answers */
    pthread_t thread;
    bool threaded;
    sem_t wake;
    atomic_int order;
    atomic_uint asked, answered;
    bool with_meters;        /* publish what was measured too */
    struct pair_view *views; /* what was published */
    unsigned published;      /* the meters that are not in use */
    uint64_t view_active, view_strangers;
    bool view_sending, view_drained;
};

/* Makes everything the plan's pairs of this worker need, and the thread. NULL, or why not. worker_close() in
 * any case. */
const char *worker_open(struct worker *w, const struct plan *plan, const struct reckon_transport *transport,
                        const struct address *at, uint32_t index);
void worker_close(struct worker *w);
/* Bytes one worker, and all the pairs of a plan, will take. */
uint64_t worker_memory(const struct plan *plan, const struct reckon_transport *transport);
/* The peers are where plan->pairs says. The test begins at `start`. NULL, or why not. */
const char *worker_start(struct worker *w, uint64_t start);
/* Gives an order and waits until it is carried out and the views are published, and the meters if they are
 * wanted: then those `published` must be zeroed before they are wanted again. False when the worker does not
 * answer. */
bool worker_ask(struct worker *w, enum order order, bool with_meters);

/* Of the loop, for worker_open(): what the thread runs, and what it hears from the transport. */
void *worker_main(void *worker);
void worker_events(struct worker *w);

/* ---- for drills ---- */

uint64_t clock_ns(void);
static inline struct pair *pair_at(struct worker *w, uint32_t place) {
    return &w->pairs[place];
}
static inline uint32_t place_of(const struct worker *w, const struct pair *p) {
    return (uint32_t)(p - w->pairs);
}
/* The pair may have something to send. */
void pair_ready(struct worker *w, struct pair *p);
/* Whether the pair's client may begin another message now. When pacing says later, the pair is called again
 * then. */
bool pair_may_begin(struct worker *w, struct pair *p, uint64_t now);
/* ns that the plan wants between the pair's message of that number and the next. */
uint64_t pair_gap(const struct worker *w, const struct pair *p, uint64_t number);
/* It has begun one; and it has not after all. */
void pair_begins(struct worker *w, struct pair *p);
void pair_takes_back(struct worker *w, struct pair *p);
/* Notes when a pair's first and latest messages were. */
static inline void pair_active(struct worker *w, struct pair *p, uint64_t now) {
    uint64_t at = now > w->start ? now - w->start : 1;
    if (!p->tally.first)
        p->tally.first = at;
    p->tally.last = at;
}
static inline void pair_measured(struct worker *w, struct pair *p, uint64_t rtt) {
    struct meter *m = &p->meters[w->flip];
    sample_add(&m->sample, rtt);
    histogram_add(&m->histogram, rtt);
}

#endif
