/* SPDX-License-Identifier: Apache-2.0
 *
 * The worker's loop: send what is ready, wait for what comes, look after what is due. What a message means is
 * the drill's business; who may send one, and when, is decided here.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "worker.h"

#define QUANTUM 16u                   /* messages of a pair before the next pair's turn */
#define CATCH_UP UINT64_C(50000000)   /* ns: a paced pair makes up for no more delay than this */
#define PATIENCE UINT64_C(5000000000) /* ns until a worker that does not answer is given up */

uint64_t clock_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

const struct drill_ops *drill_ops_of(enum drill drill) {
    static const struct drill_ops *const ops[DRILLS] = {&drill_ping, &drill_bulk, &drill_mrr};
    return ops[drill];
}

/* ---- which pairs may send ---- */

static void list_append(struct worker *w, struct list *l, struct pair *p, enum pair_place place) {
    p->place = place;
    p->next = NOBODY;
    if (l->count++)
        w->pairs[l->last].next = place_of(w, p);
    else
        l->first = place_of(w, p);
    l->last = place_of(w, p);
}

static struct pair *list_take(struct worker *w, struct list *l) {
    struct pair *p = pair_at(w, l->first);
    l->first = p->next;
    l->count--;
    p->place = PAIR_AWAY;
    return p;
}

void pair_ready(struct worker *w, struct pair *p) {
    if (p->place == PAIR_AWAY && !p->lost)
        list_append(w, &w->ready, p, PAIR_READY);
}

/* ---- pacing: a heap by time ---- */

static void swap(struct timer *a, struct timer *b) {
    struct timer kept = *a;
    *a = *b;
    *b = kept;
}

static void call_when_due(struct worker *w, struct pair *p) {
    uint32_t i = w->nheap++;
    p->timed = true;
    w->heap[i] = (struct timer){p->due, place_of(w, p)};
    for (; i && w->heap[i].at < w->heap[(i - 1) / 2].at; i = (i - 1) / 2)
        swap(&w->heap[i], &w->heap[(i - 1) / 2]);
}

static struct pair *take_top(struct worker *w) {
    struct pair *p = pair_at(w, w->heap[0].place);
    w->heap[0] = w->heap[--w->nheap];
    for (uint32_t i = 0, least = 0;; i = least) {
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < w->nheap; child++)
            if (w->heap[child].at < w->heap[least].at)
                least = child;
        if (least == i)
            break;
        swap(&w->heap[i], &w->heap[least]);
    }
    p->timed = false;
    return p;
}

static void call_those_due(struct worker *w, uint64_t now) {
    while (w->nheap && w->heap[0].at <= now)
        pair_ready(w, take_top(w));
}

bool pair_may_begin(struct worker *w, struct pair *p, uint64_t now) {
    if (w->ended || now >= w->stop || (w->plan->count && p->begun >= w->plan->count))
        return false;
    if (!w->period || p->due <= now)
        return true;
    if (!p->timed)
        call_when_due(w, p);
    return false;
}

/* The same each time it is asked, so that a message can be taken back. Random gaps are exponential, from
 * splitmix64 (Steele, Lea and Flood, 2014) as a hash. */
uint64_t pair_gap(const struct worker *w, const struct pair *p, uint64_t number) {
    if (!w->plan->poisson)
        return w->period;
    uint64_t x = w->seed + ((uint64_t)p->number << 40) + number * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return (uint64_t)(-log((double)((x >> 11) + 1) * 0x1p-53) * (double)w->period);
}

void pair_begins(struct worker *w, struct pair *p) {
    p->due += pair_gap(w, p, p->begun);
    if (++p->begun == w->plan->count)
        w->unfinished--;
}

void pair_takes_back(struct worker *w, struct pair *p) {
    if (p->begun-- == w->plan->count)
        w->unfinished++;
    p->due -= pair_gap(w, p, p->begun);
}

/* ---- sending ---- */

static bool make_message(struct worker *w, struct pair *p, uint64_t now) {
    struct head *h = &w->heads[w->nout];
    struct reckon_message *m = &w->out[w->nout];
    *h = (struct head){.pair = p->there};
    *m = (struct reckon_message){.peer = p->peer, .head = h, .body = w->padding};
    memcpy(h->secret, w->plan->secret, sizeof h->secret);
    if (!w->ops->next(w, p, h, m, now))
        return false;
    h->length = (uint32_t)(HEAD_SIZE + m->body_size);
    head_swap(h);
    w->from[w->nout++] = p;
    return true;
}

/* Every ready pair has a turn, of an equal share of the batch. */
static void fill_batch(struct worker *w, uint64_t now) {
    uint32_t share = WORKER_BATCH / w->ready.count;
    share = share < QUANTUM ? QUANTUM : share;
    w->nout = w->nturns = 0;
    while (w->ready.count && w->nout < WORKER_BATCH && w->nturns < WORKER_BATCH) {
        struct pair *p = list_take(w, &w->ready);
        uint32_t made = 0;
        if (p->lost)
            continue;
        if (w->period && p->due + CATCH_UP + 2 * w->period < now) /* held up: no burst of all it missed */
            p->due = now;
        while (made < share && w->nout < WORKER_BATCH && make_message(w, p, now))
            made++;
        p->more = made == share || w->nout == WORKER_BATCH;
        w->turns[w->nturns++] = p;
    }
}

/* What did not go goes back into its pair, the latest first. Such a pair waits until the transport takes
 * more: it is set aside before its drill hears of anything, or that would call it ready. */
static void settle_batch(struct worker *w, uint64_t now) {
    for (uint32_t i = 0; i < w->nout; i++)
        if (w->out[i].sent == RECKON_BUSY && w->from[i]->place == PAIR_AWAY)
            list_append(w, &w->blocked, w->from[i], PAIR_BLOCKED);
    for (uint32_t i = 0; i < w->nout; i++) {
        struct pair *p = w->from[i];
        head_swap(&w->heads[i]);
        if (w->out[i].sent == RECKON_GONE && !p->client)
            p->tally.failed++;
        if (w->out[i].sent != RECKON_BUSY && w->ops->taken)
            w->ops->taken(w, p, &w->heads[i], now);
    }
    for (uint32_t i = w->nout; i-- > 0;)
        if (w->out[i].sent == RECKON_BUSY)
            w->ops->undo(w, w->from[i], &w->heads[i]);
    for (uint32_t i = 0; i < w->nturns; i++)
        if (w->turns[i]->more)
            pair_ready(w, w->turns[i]);
}

static void send_ready(struct worker *w, uint64_t now) {
    fill_batch(w, now);
    if (w->nout)
        w->transport->send(w->endpoint, w->out, w->nout);
    settle_batch(w, now);
}

/* ---- what the transport says ---- */

static void on_writable(void *user, uint32_t peer) {
    struct worker *w = user;
    for (uint32_t n = w->blocked.count; n > 0; n--) {
        struct pair *p = list_take(w, &w->blocked);
        if (peer == RECKON_NONE || p->peer == peer)
            pair_ready(w, p);
        else
            list_append(w, &w->blocked, p, PAIR_BLOCKED);
    }
}

static void on_lost(void *user, uint32_t peer, int error) {
    struct worker *w = user;
    for (uint32_t i = 0; i < w->npairs; i++)
        if (w->pairs[i].peer == peer && !w->pairs[i].lost) {
            w->pairs[i].lost = true;
            w->pairs[i].error = error;
            if (w->pairs[i].client && w->plan->count && w->pairs[i].begun < w->plan->count)
                w->unfinished--;
        }
}

/* The pair a message is for, with the head in the machine's order; NULL when it is nobody's. */
static struct pair *addressee(struct worker *w, uint32_t peer, const void *from, struct head *h) {
    memcpy(h, from, sizeof *h);
    head_swap(h);
    uint32_t place = h->pair / w->stride;
    if (memcmp(h->secret, w->plan->secret, sizeof h->secret) || h->pair % w->stride != w->index ||
        place >= w->npairs || w->pairs[place].peer != peer)
        return NULL;
    return pair_at(w, place);
}

static void *on_place(void *user, uint32_t peer, const void *head, size_t body) {
    struct worker *w = user;
    struct head h;
    struct pair *p = w->ops->place && !w->closed ? addressee(w, peer, head, &h) : NULL;
    return p ? w->ops->place(w, p, &h, body) : NULL;
}

static void on_received(void *user, uint32_t peer, const void *head, size_t body, uint64_t when) {
    struct worker *w = user;
    struct head h;
    struct pair *p = addressee(w, peer, head, &h);
    w->heard = true;
    if (!p)
        w->strangers++;
    else if (w->closed)
        p->tally.late++;
    else if (h.length != HEAD_SIZE + body)
        p->tally.bad++;
    else
        w->ops->received(w, p, &h, body, when);
}

void worker_events(struct worker *w) {
    w->events = (struct reckon_transport_events){.size = sizeof w->events,
                                                 .user = w,
                                                 .place = on_place,
                                                 .received = on_received,
                                                 .writable = on_writable,
                                                 .lost = on_lost};
}

/* ---- the loop ---- */

static bool is_sending(const struct worker *w) {
    return !w->ended && w->nclients && (!w->plan->count || w->unfinished);
}

static void publish(struct worker *w, uint64_t now) {
    struct reckon_transport_counts counts = {.size = sizeof counts};
    w->transport->counts(w->endpoint, &counts);
    for (uint32_t i = 0; i < w->npairs; i++) {
        const struct pair *p = &w->pairs[i];
        w->views[i] = (struct pair_view){.tally = p->tally, .lost = p->lost, .error = p->error};
    }
    w->view_sending = is_sending(w);
    w->view_drained = !w->under_way;
    w->view_strangers = w->strangers + counts.strangers + counts.malformed;
    uint64_t upto = w->ended ? w->ended : now;
    w->view_active = upto > w->start ? upto - w->start : 0;
    if (w->with_meters) {
        w->published = w->flip;
        w->flip ^= 1;
    }
}

static void obey(struct worker *w, uint64_t now) {
    unsigned asked = atomic_load_explicit(&w->asked, memory_order_acquire);
    if (asked == atomic_load_explicit(&w->answered, memory_order_relaxed))
        return;
    int order = atomic_load_explicit(&w->order, memory_order_relaxed);
    if (order >= ORDER_STOP && !w->ended)
        w->ended = now;
    if (order >= ORDER_CLOSE && !w->closed) {
        w->closed = true;
        if (w->ops->finish)
            w->ops->finish(w, now);
    }
    publish(w, now);
    atomic_store_explicit(&w->answered, asked, memory_order_release);
}

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void gather(struct worker *w, uint64_t most) {
    const struct timespec t = {.tv_nsec = (long)least(w->ops->lull, most)};
    if (t.tv_nsec)
        nanosleep(&t, NULL);
    w->heard = false;
}

static void run(struct worker *w) {
    if (w->transport->connect)
        w->transport->connect(w->endpoint, w->start);
    uint64_t now;
    while ((now = clock_ns()) < w->start &&
           atomic_load_explicit(&w->order, memory_order_relaxed) != ORDER_QUIT)
        w->transport->wait(w->endpoint, least(w->start - now, WORKER_TICK));
    w->ops->start(w, now);
    while (atomic_load_explicit(&w->order, memory_order_relaxed) != ORDER_QUIT) {
        now = clock_ns();
        if (!w->ended && (now >= w->stop || (w->nclients && w->plan->count && !w->unfinished)))
            w->ended = least(now, w->stop);
        obey(w, now);
        call_those_due(w, now);
        uint64_t next = w->ops->tick(w, now);
        if (w->ready.count && !w->closed)
            send_ready(w, now);
        if (w->nheap)
            next = least(next, w->heap[0].at);
        if (!w->ended)
            next = least(next, w->stop);
        bool at_once = (w->ready.count && !w->closed) || next <= now;
        if (!at_once && w->heard)
            gather(w, next - now);
        w->transport->wait(w->endpoint, at_once ? 0 : least(next - now, WORKER_TICK));
    }
}

void *worker_main(void *worker) {
    struct worker *w = worker;
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    while (sem_wait(&w->wake)) /* until START, or the end */
        ;
    if (w->start)
        run(w);
    return NULL;
}

bool worker_ask(struct worker *w, enum order order, bool with_meters) {
    const struct timespec pause = {.tv_nsec = 100000};
    uint64_t until = clock_ns() + PATIENCE;
    if (order != ORDER_NONE)
        atomic_store_explicit(&w->order, order, memory_order_relaxed);
    unsigned asked = atomic_load_explicit(&w->asked, memory_order_relaxed);
    if (asked == atomic_load_explicit(&w->answered, memory_order_acquire)) {
        w->with_meters = with_meters;
        atomic_store_explicit(&w->asked, ++asked, memory_order_release);
    }
    while (atomic_load_explicit(&w->answered, memory_order_acquire) != asked) {
        if (clock_ns() > until)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}
