/* SPDX-License-Identifier: Apache-2.0
 *
 * The drills of the network benchmark between two workers: ping, bulk and mrr over loopback with udp and tcp,
 * and over a transport whose losses, repeats and refusals the test decides. What is counted must be exact.
 */
#include <CUnit/CUnit.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <reckon/plugin.h>

#include "../../plugins/verbs/node/mrr.h"
#include "../../plugins/verbs/node/worker.h"
#include "bench_pipe.h"

void suite_bench_drills(void);

extern const struct reckon_module transport_udp_LTX_reckon_plugin, transport_tcp_LTX_reckon_plugin;
#define UDP (transport_udp_LTX_reckon_plugin.plugin->transport)
#define TCP (transport_tcp_LTX_reckon_plugin.plugin->transport)

#define MS UINT64_C(1000000)
#define MOST_PAIRS 8u

/* ---- a stage: a client node and a server node, each of as many workers as the plan says ---- */

struct side {
    struct plan plan;
    struct plan_pair pairs[MOST_PAIRS];
    struct worker workers[4];
};

struct stage {
    const struct reckon_transport *transport;
    struct side client, server;
};

static struct plan plan_of(enum drill drill) {
    struct plan p = {
        .drill = drill, .size = 64, .reply = drill == DRILL_PING ? 48 : 0, .concurrency = 1, .workers = 1};
    p.timeout = 800 * MS; /* much, since a busy machine is no loss */
    p.npairs = 1;
    if (drill == DRILL_BULK) {
        p.size = 10000;
        p.chunk = 1000;
        p.window = 3000;
    }
    if (drill == DRILL_MRR) {
        p.trials = 3;
        p.trial = 150 * MS;
        p.pause = 50 * MS;
    }
    memcpy(p.secret, "a secret of 16 b", sizeof p.secret);
    return p;
}

static void open_side(struct side *s, const struct reckon_transport *transport, const struct plan *plan,
                      bool client) {
    struct address loopback = {.v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)},
                               .length = sizeof loopback.v4};
    s->plan = *plan;
    s->plan.pairs = s->pairs;
    for (uint32_t i = 0; i < plan->npairs; i++)
        s->pairs[i] = (struct plan_pair){.client = client, .there = plan->npairs - 1 - i, .peer = loopback};
    for (uint32_t i = 0; i < plan->workers; i++)
        CU_ASSERT_PTR_NULL_FATAL(worker_open(&s->workers[i], &s->plan, transport, &loopback, i));
}

static uint16_t port_of(const struct side *s, const struct reckon_transport *transport, uint32_t pair) {
    struct address at = {.length = sizeof at.v6};
    CU_ASSERT_EQUAL(transport->address(s->workers[pair % s->plan.workers].endpoint, &at.any, &at.length), 0);
    return bench_address_port(&at);
}

static void introduce(struct side *s, const struct side *other, const struct reckon_transport *transport) {
    for (uint32_t i = 0; i < s->plan.npairs; i++)
        bench_address_set_port(&s->pairs[i].peer, port_of(other, transport, s->pairs[i].there));
}

/* Both nodes, ready and started. */
static struct stage *begin(const struct reckon_transport *transport, const struct plan *plan) {
    struct stage *t = calloc(1, sizeof *t);
    t->transport = transport;
    open_side(&t->client, transport, plan, true);
    open_side(&t->server, transport, plan, false);
    introduce(&t->client, &t->server, transport);
    introduce(&t->server, &t->client, transport);
    uint64_t start = clock_ns() + (transport->stream ? 500 : 20) * MS; /* streams must be open by then */
    for (uint32_t i = 0; i < plan->workers; i++) {
        CU_ASSERT_PTR_NULL(worker_start(&t->server.workers[i], start));
        CU_ASSERT_PTR_NULL(worker_start(&t->client.workers[i], start));
    }
    return t;
}

static void ask(struct side *s, enum order order) {
    for (uint32_t i = 0; i < s->plan.workers; i++)
        CU_ASSERT_TRUE(worker_ask(&s->workers[i], order, false));
}

static bool is_over(struct side *s) {
    bool over = true;
    ask(s, ORDER_NONE);
    for (uint32_t i = 0; i < s->plan.workers; i++)
        over &= !s->workers[i].view_sending && s->workers[i].view_drained;
    return over;
}

/* Until the client has nothing to send and waits for nothing, twenty seconds at most; then the books are
 * closed. */
static void finish(struct stage *t) {
    uint64_t until = clock_ns() + 20000 * MS;
    while (!is_over(&t->client) && clock_ns() < until)
        usleep(2000);
    CU_ASSERT(is_over(&t->client));
    ask(&t->client, ORDER_CLOSE);
    ask(&t->server, ORDER_CLOSE);
}

static struct tally tally_of(const struct side *s) {
    struct tally sum = {0};
    for (uint32_t i = 0; i < s->plan.npairs; i++)
        tally_merge(&sum, &s->workers[i % s->plan.workers].views[i / s->plan.workers].tally);
    return sum;
}

static struct sample rtt_of(struct side *s) {
    struct sample sum = {0};
    for (uint32_t i = 0; i < s->plan.npairs; i++) {
        struct worker *w = &s->workers[i % s->plan.workers];
        for (unsigned k = 0; k < 2; k++)
            sample_merge(&sum, &pair_at(w, i / s->plan.workers)->meters[k].sample);
    }
    return sum;
}

static void end(struct stage *t) {
    for (uint32_t i = 0; i < t->client.plan.workers; i++) {
        worker_close(&t->client.workers[i]);
        worker_close(&t->server.workers[i]);
    }
    free(t);
}

/* Runs a plan to its end and says what both sides counted. */
static void play(const struct reckon_transport *transport, const struct plan *plan, struct tally *client,
                 struct tally *server) {
    struct stage *t = begin(transport, plan);
    finish(t);
    *client = tally_of(&t->client);
    *server = tally_of(&t->server);
    end(t);
}

/* total, failed, bad, arrived, late */
#define COUNTS(t, a, b, c, d, e)                                                                             \
    do {                                                                                                     \
        CU_ASSERT_EQUAL((t).total, a);                                                                       \
        CU_ASSERT_EQUAL((t).failed, b);                                                                      \
        CU_ASSERT_EQUAL((t).bad, c);                                                                         \
        CU_ASSERT_EQUAL((t).arrived, d);                                                                     \
        CU_ASSERT_EQUAL((t).late, e);                                                                        \
    } while (0)

/* ---- over loopback ---- */

static void ping_over(const struct reckon_transport *transport, uint32_t concurrency, uint32_t pairs,
                      uint32_t workers) {
    struct plan p = plan_of(DRILL_PING);
    struct tally c, s;
    p.count = 500;
    p.concurrency = concurrency;
    p.npairs = pairs;
    p.workers = workers;
    p.timeout = 10000 * MS;
    play(transport, &p, &c, &s);
    COUNTS(c, 500 * pairs, 0, 0, 500 * pairs, 0);
    COUNTS(s, 500 * pairs, 0, 0, 500 * pairs, 0);
    CU_ASSERT_EQUAL(c.sent_bytes, 500 * pairs * 64);
    CU_ASSERT_EQUAL(s.received_bytes, 500 * pairs * 64);
    CU_ASSERT_EQUAL(c.received_bytes, 500 * pairs * 48);
}

static void ping(void) {
    ping_over(UDP, 1, 1, 1);
    ping_over(TCP, 1, 1, 1);
}

static void concurrent_pings(void) {
    ping_over(UDP, 16, 1, 1);
    ping_over(TCP, 16, 1, 1);
    ping_over(UDP, 4, 6, 1);
    ping_over(TCP, 4, 6, 1);
    ping_over(UDP, 4, 7, 3); /* workers with different shares */
    ping_over(TCP, 4, 7, 3);
}

/* Client: passive send, passive receive; server: active receive, active send; every byte compared. */
static void bulk_over(const struct reckon_transport *transport, uint32_t concurrency, uint32_t pairs,
                      uint32_t workers) {
    struct plan p = plan_of(DRILL_BULK);
    struct tally c, s;
    p.count = 40;
    p.concurrency = concurrency;
    p.npairs = pairs;
    p.workers = workers;
    p.timeout = 10000 * MS;
    p.check = true;
    p.size = 100001; /* a last piece that is shorter */
    p.chunk = transport->stream ? p.size : 1432;
    p.window = transport->stream ? p.size : 20000;
    play(transport, &p, &c, &s);
    COUNTS(c, 40 * pairs, 0, 0, 40 * pairs, 0);
    COUNTS(s, 40 * pairs, 0, 0, 40 * pairs, 0);
    CU_ASSERT_EQUAL(s.received_bytes, UINT64_C(40) * pairs * 100001);
    CU_ASSERT_EQUAL(c.received_bytes, UINT64_C(40) * pairs * 100001);
    CU_ASSERT_EQUAL(c.sent_bytes, s.received_bytes);
}

static void bulk(void) {
    bulk_over(UDP, 1, 1, 1);
    bulk_over(TCP, 1, 1, 1);
}

static void concurrent_bulk(void) {
    bulk_over(UDP, 4, 1, 1);
    bulk_over(TCP, 4, 1, 1);
    bulk_over(TCP, 3, 5, 2);
}

static void mrr(void) {
    const struct reckon_transport *const transports[] = {UDP, TCP};
    for (size_t i = 0; i < 2; i++) {
        struct plan p = plan_of(DRILL_MRR);
        struct stage *t = begin(transports[i], &p);
        usleep(transports[i]->stream ? 1100000 : 620000); /* what comes before, three trials and pauses */
        ask(&t->client, ORDER_STOP);
        uint64_t sent = 0, came = 0, until = clock_ns() + 3000 * MS;
        do {
            usleep(20000);
            ask(&t->server, ORDER_NONE);
        } while (tally_of(&t->server).total < tally_of(&t->client).total && clock_ns() < until);
        ask(&t->client, ORDER_CLOSE);
        ask(&t->server, ORDER_CLOSE);
        struct tally c = tally_of(&t->client), s = tally_of(&t->server);
        for (uint32_t k = 0; k < 3; k++) {
            struct trial_report here = mrr_trial(&t->client.workers[0], 0, k),
                                there = mrr_trial(&t->server.workers[0], 0, k);
            CU_ASSERT(there.count <= here.count);
            CU_ASSERT(here.span <= 151 * MS);
            sent += here.count;
            came += there.count;
        }
        CU_ASSERT(sent > 0 && came > 0);
        CU_ASSERT_EQUAL(sent, c.total);
        CU_ASSERT_EQUAL(came, s.total);
        CU_ASSERT(!transports[i]->stream || came == sent);
        end(t);
    }
}

/* With a time limit alone: what was begun is still answered, so that both sides agree. */
static void time_limit(void) {
    struct plan p = plan_of(DRILL_PING);
    struct tally c, s;
    p.time = 100 * MS;
    p.concurrency = 8;
    p.timeout = 10000 * MS;
    play(TCP, &p, &c, &s);
    CU_ASSERT(c.total > 100);
    CU_ASSERT_EQUAL(c.total, s.total);
    CU_ASSERT_EQUAL(c.arrived, c.total);
    p = plan_of(DRILL_BULK);
    p.time = 100 * MS;
    p.concurrency = 3;
    p.chunk = p.window = p.size;
    p.timeout = 10000 * MS;
    play(TCP, &p, &c, &s);
    CU_ASSERT(c.total > 10);
    CU_ASSERT_EQUAL(c.total, s.total);
    CU_ASSERT_EQUAL(c.arrived, s.arrived);
}

/* 1000 a second for 0.3 s: at most 300, and no more than a busy machine holds up fewer. */
static void paced(void) {
    struct plan p = plan_of(DRILL_PING);
    struct tally c, s;
    p.time = 300 * MS;
    p.rate = 1000000;
    p.concurrency = 64;
    play(UDP, &p, &c, &s);
    CU_ASSERT(c.total <= 300 && c.total >= 30);
    CU_ASSERT_EQUAL(c.total, s.total);
}

/* Of gaps between independent events e^-x are longer than x times the mean, and one says nothing about the
 * next. */
static void random_gaps(void) {
    struct plan plan = {.poisson = true};
    struct worker w = {.plan = &plan, .period = 1000000, .seed = 42};
    struct pair p = {.number = 3}, q = {.number = 4};
    const uint64_t n = 200000;
    double sum = 0, long1 = 0, long3 = 0, both = 0, same = 0;
    for (uint64_t i = 0; i < n; i++) {
        double gap = (double)pair_gap(&w, &p, i) / 1e6, next = (double)pair_gap(&w, &p, i + 1) / 1e6;
        sum += gap;
        long1 += gap > 1;
        long3 += gap > 3;
        both += gap > 1 && next > 1;
        same += pair_gap(&w, &p, i) == pair_gap(&w, &q, i);
    }
    double count = (double)n; /* each bound is over four standard deviations away */
    CU_ASSERT_DOUBLE_EQUAL(sum / count, 1, 0.01);
    CU_ASSERT_DOUBLE_EQUAL(long1 / count, 0.36788, 0.005);
    CU_ASSERT_DOUBLE_EQUAL(long3 / count, 0.04979, 0.002);
    CU_ASSERT_DOUBLE_EQUAL(both / count, 0.13534, 0.004);
    CU_ASSERT(same < 10);
    plan.poisson = false;
    CU_ASSERT_EQUAL(pair_gap(&w, &p, 7), 1000000);
}

/* A transfer that is under way does not wait for the time of the next one: with that twice as long as the
 * timeout, all would fail. */
static void paced_bulk(void) {
    struct plan p = plan_of(DRILL_BULK);
    struct tally c, s;
    p.count = 2;
    p.rate = 1000 * 1000 * MS / (2 * p.timeout);
    p.concurrency = 4;
    play(UDP, &p, &c, &s);
    COUNTS(c, 2, 0, 0, 2, 0);
    COUNTS(s, 2, 0, 0, 2, 0);
}

/* ---- with faults ---- */

struct seen {
    unsigned requests, replies, refusals;
    uint64_t numbers[2]; /* delivered, and their sum: each number once */
    enum message_kind kind;
    unsigned nth;
    enum fate fate;
};

/* The nth, 2nth… message of a kind has its fate. */
static enum fate every_nth(void *user, const struct head *h, unsigned nth) {
    struct seen *seen = user;
    (void)nth;
    return h->kind == seen->kind && ++seen->requests % seen->nth == 0 ? seen->fate : FATE_DELIVER;
}

static void play_with(enum drill drill, enum message_kind kind, unsigned nth, enum fate fate, uint64_t count,
                      struct tally *c, struct tally *s) {
    struct seen seen = {.kind = kind, .nth = nth, .fate = fate};
    struct plan p = plan_of(drill);
    p.count = count;
    p.concurrency = 5;
    p.check = drill == DRILL_BULK;
    pipe_begin(every_nth, &seen);
    play(&pipe_transport, &p, c, s);
}

static void lost_pings(void) {
    struct tally c, s;
    play_with(DRILL_PING, MESSAGE_REQUEST, 10, FATE_DROP, 100, &c, &s); /* ten of 100 requests */
    COUNTS(c, 100, 10, 0, 90, 0);
    COUNTS(s, 90, 0, 0, 90, 0);
    play_with(DRILL_PING, MESSAGE_REPLY, 10, FATE_DROP, 100, &c, &s); /* ten of 100 replies */
    COUNTS(c, 100, 10, 0, 90, 0);
    COUNTS(s, 100, 0, 0, 100, 0);
}

static void repeated_pings(void) {
    struct tally c, s;
    play_with(DRILL_PING, MESSAGE_REPLY, 4, FATE_TWICE, 100, &c, &s);
    COUNTS(c, 100, 0, 0, 100, 25);
    play_with(DRILL_PING, MESSAGE_REQUEST, 4, FATE_HOLD, 100, &c, &s); /* overtaken by the next */
    CU_ASSERT_EQUAL(c.arrived + c.failed, 100);
    CU_ASSERT_EQUAL(c.total, 100);
}

/* A message that is refused goes again later, once, with the same number. */
static enum fate refuse_often(void *user, const struct head *h, unsigned nth) {
    struct seen *seen = user;
    (void)nth;
    if (++seen->refusals % 3 == 0)
        return FATE_BUSY;
    if (h->kind == seen->kind) {
        seen->numbers[0]++;
        seen->numbers[1] += h->number;
    }
    return FATE_DELIVER;
}

static void refused_often(void) {
    struct tally c, s;
    struct seen seen = {.kind = MESSAGE_REQUEST};
    struct plan p = plan_of(DRILL_PING);
    p.count = 200;
    p.concurrency = 7;
    p.timeout = 10000 * MS;
    pipe_begin(refuse_often, &seen);
    play(&pipe_transport, &p, &c, &s);
    COUNTS(c, 200, 0, 0, 200, 0);
    COUNTS(s, 200, 0, 0, 200, 0);
    CU_ASSERT_EQUAL(seen.numbers[0], 200);
    CU_ASSERT_EQUAL(seen.numbers[1], 199 * 200 / 2);
    CU_ASSERT_EQUAL(c.sent_bytes, 200 * 64);
    CU_ASSERT_EQUAL(pipe_impatient(), 0);

    seen = (struct seen){.kind = MESSAGE_OFFER};
    p = plan_of(DRILL_BULK);
    p.count = 60;
    p.concurrency = 7;
    p.check = true;
    p.timeout = 10000 * MS;
    pipe_begin(refuse_often, &seen);
    play(&pipe_transport, &p, &c, &s);
    COUNTS(c, 60, 0, 0, 60, 0);
    COUNTS(s, 60, 0, 0, 60, 0);
    CU_ASSERT_EQUAL(seen.numbers[0], 60);
    CU_ASSERT_EQUAL(seen.numbers[1], 59 * 60 / 2);
    CU_ASSERT_EQUAL(c.sent_bytes, 60 * 10000);
    CU_ASSERT_EQUAL(pipe_impatient(), 0);
}

/* The same rate, in random order, and what is taken back is not lost. */
static void paced_at_random(void) {
    struct plan p = plan_of(DRILL_PING);
    struct tally c, s;
    struct seen seen = {.kind = MESSAGE_REQUEST};
    p.count = 200;
    p.rate = 1000000;
    p.poisson = true;
    p.concurrency = 64;
    p.timeout = 10000 * MS;
    pipe_begin(refuse_often, &seen);
    play(&pipe_transport, &p, &c, &s);
    COUNTS(c, 200, 0, 0, 200, 0);
    COUNTS(s, 200, 0, 0, 200, 0);
    CU_ASSERT_EQUAL(seen.numbers[1], 199 * 200 / 2);
}

/* Whichever message of a transfer is lost, that transfer fails, and no other: of 20 with ten pieces each way.
 */
static void lost_bulk(void) {
    struct tally c, s;
    play_with(DRILL_BULK, MESSAGE_DATA, 395, FATE_DROP, 20, &c, &s); /* one piece, towards the end */
    COUNTS(c, 20, 1, 0, 19, 0);
    CU_ASSERT_EQUAL(s.total, 20);
    CU_ASSERT_EQUAL(s.failed, 1);
    play_with(DRILL_BULK, MESSAGE_OFFER, 10, FATE_DROP, 20, &c, &s);
    COUNTS(c, 20, 2, 0, 18, 0);
    COUNTS(s, 18, 0, 0, 18, 0);
    play_with(DRILL_BULK, MESSAGE_DONE, 20, FATE_DROP, 20, &c,
              &s); /* the client knows better than the server */
    COUNTS(c, 20, 0, 0, 20, 0);
    COUNTS(s, 20, 1, 0, 19, 0);
}

static void repeated_bulk(void) {
    struct tally c, s;
    play_with(DRILL_BULK, MESSAGE_DATA, 7, FATE_TWICE, 20, &c, &s);
    COUNTS(c, 20, 0, 0, 20, c.late);
    COUNTS(s, 20, 0, 0, 20, s.late);
    CU_ASSERT_EQUAL(c.late + s.late, 400 / 7);
    play_with(DRILL_BULK, MESSAGE_OFFER, 4, FATE_TWICE, 20, &c, &s);
    COUNTS(c, 20, 0, 0, 20, 0);
    COUNTS(s, 20, 0, 0, 20, 5);
    play_with(DRILL_BULK, MESSAGE_DATA, 5, FATE_HOLD, 20, &c, &s); /* pieces in another order */
    CU_ASSERT_EQUAL(c.bad, 0);
    CU_ASSERT_EQUAL(c.total, 20);
}

/* A byte that changed on the way is found by --check alone. */
static void garbled_bulk(void) {
    struct tally c, s;
    play_with(DRILL_BULK, MESSAGE_DATA, 399, FATE_GARBLE, 20, &c, &s);
    COUNTS(c, 20, 0, 1, 20, 0);
    COUNTS(s, 20, 0, 0, 20, 0);
}

/* Five offered at once, one buffer: what finds none is discarded, counted on both sides, and said to the
 * client. */
static void no_buffer(void) {
    struct plan p = plan_of(DRILL_BULK);
    struct tally c, s;
    p.count = 50;
    p.concurrency = 5;
    p.buffers = 1;
    pipe_begin(NULL, NULL);
    uint64_t began = clock_ns();
    play(&pipe_transport, &p, &c, &s);
    CU_ASSERT(clock_ns() - began < 50 * p.timeout); /* nobody waited for a timeout */
    CU_ASSERT_EQUAL(c.total, 50);
    CU_ASSERT_EQUAL(s.total, 50);
    CU_ASSERT(c.failed > 0 && c.arrived > 0);
    CU_ASSERT_EQUAL(c.failed, s.failed);
    CU_ASSERT_EQUAL(c.arrived, s.arrived);
    CU_ASSERT_EQUAL(c.failed + c.arrived, 50);
}

/* ---- messages that make no sense ---- */

static struct head head_for(enum message_kind kind, uint32_t size) {
    struct head h = {.kind = (uint8_t)kind, .length = size};
    memcpy(h.secret, "a secret of 16 b", sizeof h.secret);
    return h;
}

/* A quiet stage: its client begins nothing; ports 1 and 2 are client and server. */
static struct stage *quiet_stage(enum drill drill) {
    struct plan p = plan_of(drill);
    p.count = 1;
    p.rate = 1; /* the only one in 1000 s… */
    p.concurrency = 2;
    pipe_begin(NULL, NULL);
    struct stage *t = begin(&pipe_transport, &p);
    finish(t); /* …goes at once: it is over */
    end(t);
    pipe_begin(NULL, NULL);
    p.count = 0;
    t = begin(&pipe_transport, &p);
    ask(&t->client, ORDER_NONE);
    ask(&t->client, ORDER_STOP);
    while (!is_over(&t->client))
        usleep(1000);
    return t;
}

/* Until both have taken in what was injected, and what came of it. */
static void settle(struct stage *t) {
    for (uint64_t until = clock_ns() + 5000 * MS; clock_ns() < until && !pipe_is_empty();)
        usleep(2000);
    for (int i = 0; i < 3; i++) { /* answers to answers */
        ask(&t->client, ORDER_NONE);
        ask(&t->server, ORDER_NONE);
        usleep(20000);
    }
    ask(&t->client, ORDER_CLOSE);
    ask(&t->server, ORDER_CLOSE);
}

static void inject(unsigned to, struct head h, size_t body) {
    static const unsigned char zeros[70000];
    pipe_inject(to, 3 - to, &h, zeros, body);
}

static void nonsense_pings(void) {
    struct stage *t = quiet_stage(DRILL_PING);
    struct tally c0 = tally_of(&t->client), s0, c, s;
    ask(&t->server, ORDER_NONE);
    s0 = tally_of(&t->server);
    struct head good = head_for(MESSAGE_REQUEST, 64), h;
    inject(2, good, 24); /* as it should be */
    h = good, h.secret[7] ^= 1;
    inject(2, h, 24); /* of another test */
    h = good, h.pair = 1;
    inject(2, h, 24); /* of no pair */
    h = good, h.pair = UINT32_MAX;
    inject(2, h, 24);
    h = good, h.length = 65;
    inject(2, h, 24); /* not as long as it says */
    h = head_for(MESSAGE_REQUEST, 70);
    inject(2, h, 30); /* of another size */
    h = good, h.slot = 2;
    inject(2, h, 24); /* more than --concurrency */
    h = good, h.kind = 99;
    inject(2, h, 24);
    h = good, h.kind = MESSAGE_REPLY;
    inject(2, h, 24); /* a server gets no replies */
    h = head_for(MESSAGE_REPLY, 48);
    inject(1, h, 8); /* nobody waits for it */
    h = head_for(MESSAGE_REQUEST, 64);
    inject(1, h, 24); /* a client answers nothing */
    h = head_for(MESSAGE_REPLY, 48), h.slot = UINT32_MAX;
    inject(1, h, 8);
    settle(t);
    c = tally_of(&t->client);
    s = tally_of(&t->server);
    CU_ASSERT_EQUAL(s.total - s0.total, 1);
    CU_ASSERT_EQUAL(s.bad, 5);
    CU_ASSERT_EQUAL(t->server.workers[0].view_strangers, 3);
    CU_ASSERT_EQUAL(c.total, c0.total);
    CU_ASSERT_EQUAL(c.arrived, c0.arrived);
    CU_ASSERT_EQUAL(c.bad, 2);
    CU_ASSERT_EQUAL(c.late, 2); /* the answer to the good one, and the one nobody waits for */
    end(t);
}

static void nonsense_bulk(void) {
    struct stage *t = quiet_stage(DRILL_BULK);
    ask(&t->server, ORDER_NONE);
    struct tally c0 = tally_of(&t->client), s0 = tally_of(&t->server), c, s;
    struct head h = head_for(MESSAGE_OFFER, 40);
    h.number = 1000;
    h.stamp = 9999;
    inject(2, h, 0); /* a buffer of another size: BADMSG */
    h.stamp = 10000, h.slot = 2;
    inject(2, h, 0); /* no such slot */
    h = head_for(MESSAGE_DATA, 1040), h.number = 1000;
    inject(2, h, 1000); /* bytes that nobody pulled */
    h.stamp = 500;
    inject(2, h, 1000); /* not where a piece begins */
    h.stamp = UINT64_MAX - 999;
    inject(2, h, 1000);
    h = head_for(MESSAGE_DATA, 40 + 60000);
    inject(2, h, 60000); /* larger than any piece */
    h = head_for(MESSAGE_GRANT, 40), h.stamp = UINT64_MAX;
    inject(2, h, 0);
    inject(1, h, 0);
    h = head_for(MESSAGE_DONE, 40);
    inject(2, h, 0);
    inject(1, h, 0); /* bad: a client is told nothing of the kind */
    h = head_for(MESSAGE_REFUSED, 40);
    inject(1, h, 0);
    inject(2, h, 0); /* bad */
    h = head_for(MESSAGE_REQUEST, 40);
    inject(2, h, 0); /* bad */
    settle(t);
    c = tally_of(&t->client);
    s = tally_of(&t->server);
    CU_ASSERT_EQUAL(s.total - s0.total, 2); /* the two offers */
    CU_ASSERT_EQUAL(s.bad, 2 + 3 + 2);      /* they, three pieces that are none, two kinds of message */
    CU_ASSERT_EQUAL(s.late, 1);             /* the piece that nobody pulled */
    CU_ASSERT_EQUAL(s.arrived, s0.arrived);
    CU_ASSERT_EQUAL(c.bad, 1);
    CU_ASSERT_EQUAL(c.total, c0.total);
    end(t);
}

/* ---- who is not there ---- */

/* The server goes away in the middle: a stream says so, datagrams time out; the client comes to an end. */
static void peer_gone(void) {
    const struct reckon_transport *const transports[] = {UDP, TCP};
    for (size_t i = 0; i < 2; i++) {
        struct plan p = plan_of(DRILL_PING);
        p.time = 400 * MS;
        p.concurrency = 4;
        struct stage *t = begin(transports[i], &p);
        usleep(transports[i]->stream ? 600000 : 150000);
        worker_close(&t->server.workers[0]);
        uint64_t until = clock_ns() + 10000 * MS;
        while (!is_over(&t->client) && clock_ns() < until)
            usleep(2000);
        CU_ASSERT(clock_ns() < until);
        struct tally c = tally_of(&t->client);
        CU_ASSERT_EQUAL(c.total, c.arrived + c.failed);
        CU_ASSERT(c.failed >= 4);
        CU_ASSERT_EQUAL(t->client.workers[0].views[0].lost, transports[i]->stream);
        worker_close(&t->client.workers[0]);
        free(t);
    }
}

/* Nobody at the other end from the beginning. */
static void peer_never_there(void) {
    struct plan p = plan_of(DRILL_PING);
    p.time = 100 * MS;
    struct stage *t = calloc(1, sizeof *t);
    t->transport = TCP;
    open_side(&t->client, TCP, &p, true);
    bench_address_set_port(&t->client.pairs[0].peer, 1);
    CU_ASSERT_PTR_NULL(worker_start(&t->client.workers[0], clock_ns() + 50 * MS));
    usleep(250000);
    CU_ASSERT(is_over(&t->client));
    CU_ASSERT(t->client.workers[0].views[0].lost);
    CU_ASSERT_EQUAL(t->client.workers[0].views[0].error, ECONNREFUSED);
    worker_close(&t->client.workers[0]);
    free(t);
}

static void measured(void) {
    struct plan p = plan_of(DRILL_PING);
    p.count = 300;
    p.concurrency = 3;
    struct stage *t = begin(UDP, &p);
    finish(t);
    struct sample rtt = rtt_of(&t->client);
    CU_ASSERT_EQUAL(rtt.count, 300);
    CU_ASSERT(rtt.min > 0 && rtt.max < 800 * MS);
    end(t);
}

void suite_bench_drills(void) {
    CU_pSuite s = CU_add_suite("bench: drills", NULL, NULL);
    CU_add_test(s, "ping over loopback", ping);
    CU_add_test(s, "concurrent pings", concurrent_pings);
    CU_add_test(s, "bulk over loopback, active and passive sides", bulk);
    CU_add_test(s, "concurrent bulk transfers", concurrent_bulk);
    CU_add_test(s, "trials of mrr", mrr);
    CU_add_test(s, "both sides agree when time is up", time_limit);
    CU_add_test(s, "paced", paced);
    CU_add_test(s, "paced bulk transfers", paced_bulk);
    CU_add_test(s, "random gaps", random_gaps);
    CU_add_test(s, "paced at random", paced_at_random);
    CU_add_test(s, "every RTT is measured", measured);
    CU_add_test(s, "lost pings", lost_pings);
    CU_add_test(s, "pings that come twice or in another order", repeated_pings);
    CU_add_test(s, "a transport that is often busy", refused_often);
    CU_add_test(s, "lost messages of a bulk transfer", lost_bulk);
    CU_add_test(s, "those that come twice or in another order", repeated_bulk);
    CU_add_test(s, "bytes that changed on the way", garbled_bulk);
    CU_add_test(s, "a server without a free buffer", no_buffer);
    CU_add_test(s, "pings that make no sense", nonsense_pings);
    CU_add_test(s, "bulk messages that make no sense", nonsense_bulk);
    CU_add_test(s, "a peer that goes away", peer_gone);
    CU_add_test(s, "a peer that never was there", peer_never_there);
}
