/* SPDX-License-Identifier: Apache-2.0
 *
 * What travels between console and node: numbers, plans, reports, addresses; each there and back, cut off at
 * every byte, and with nonsense in it.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include <reckon/base.h>

#include "../../plugins/verbs/bench_common/command.h"
#include "../../plugins/verbs/bench_common/message.h"

void suite_bench_wire(void);

static struct reader reader_of(const struct bytes *b) {
    return (struct reader){.at = b->at, .left = b->count};
}

/* ---- numbers and texts ---- */

static void numbers(void) {
    static const uint64_t values[] = {0, 1, 127, 128, 16383, 16384, UINT64_C(1) << 63, UINT64_MAX};
    struct bytes b = {0};
    put_number(&b, 0x0102, 2);
    CU_ASSERT_EQUAL(b.at[0], 2); /* little-endian */
    for (size_t i = 0; i < 8; i++) {
        put_varint(&b, values[i]);
        put_number(&b, values[i], 8);
    }
    struct reader r = reader_of(&b);
    CU_ASSERT_EQUAL(get_number(&r, 2), 0x0102);
    for (size_t i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(get_varint(&r), values[i]);
        CU_ASSERT_EQUAL(get_number(&r, 8), values[i]);
    }
    CU_ASSERT(reader_done(&r));
    CU_ASSERT_EQUAL(get_number(&r, 1), 0);
    CU_ASSERT(r.bad);
    free(b.at);
}

static void varints_too_long(void) {
    static const unsigned char eleven[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00},
                               large[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
    struct reader r = {.at = eleven, .left = sizeof eleven};
    CU_ASSERT_EQUAL(get_varint(&r), 0);
    CU_ASSERT(r.bad);
    r = (struct reader){.at = large, .left = sizeof large}; /* the tenth byte has room for one bit */
    CU_ASSERT_EQUAL(get_varint(&r), 0);
    CU_ASSERT(r.bad);
}

static void texts(void) {
    char text[8];
    struct bytes b = {0};
    put_text(&b, "udp");
    struct reader r = reader_of(&b);
    get_text(&r, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "udp");
    CU_ASSERT(reader_done(&r));
    r = reader_of(&b);
    get_text(&r, text, 3); /* no room for the NUL */
    CU_ASSERT(r.bad);
    b.at[3] = 0; /* "u\0p" */
    r = reader_of(&b);
    get_text(&r, text, sizeof text);
    CU_ASSERT(r.bad);
    CU_ASSERT_STRING_EQUAL(text, "");
    free(b.at);
}

/* ---- addresses ---- */

static void addresses(void) {
    static const struct {
        const char *text, *is; /* NULL: refused */
    } cases[] = {
        {"10.0.0.1", "10.0.0.1:7125"},
        {"10.0.0.1:80", "10.0.0.1:80"},
        {"[fe80::1]:99", "[fe80::1]:99"},
        {"::1", "[::1]:7125"},
        {"[::1]", "[::1]:7125"},
        {"10.0.0.1:0", NULL},
        {"10.0.0.1:65536", NULL},
        {"10.0.0.1:", NULL},
        {"10.0.0.1:8x", NULL},
        {":80", NULL},
        {"[::1", NULL},
        {"[::1]80", NULL},
        {"", NULL},
        {"10.0.0.1:-5", NULL},
        {"10.0.0.1:123456789", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a, back;
        const char *why;
        char text[ADDRESS_TEXT];
        int rc = bench_address_parse(&a, cases[i].text, &why);
        CU_ASSERT_EQUAL(rc, cases[i].is ? 0 : -1);
        if (rc)
            continue;
        CU_ASSERT_STRING_EQUAL(bench_address_text(&a, text), cases[i].is);
        CU_ASSERT_EQUAL(bench_address_has_port(cases[i].text), bench_address_port(&a) != 7125);
        struct bytes b = {0};
        put_address(&b, &a);
        struct reader r = reader_of(&b);
        get_address(&r, &back);
        CU_ASSERT(reader_done(&r) && bench_address_same(&a, &back));
        free(b.at);
    }
}

static struct address address_of(const char *text) {
    struct address a;
    const char *why;
    CU_ASSERT_EQUAL(bench_address_parse(&a, text, &why), 0);
    return a;
}

static void kinds_of_address(void) {
    static const struct {
        const char *text;
        bool loopback, one_host;
    } cases[] = {{"127.0.0.1", true, true},
                 {"127.8.9.10", true, true},
                 {"10.0.0.1", false, true},
                 {"0.0.0.0", false, false},
                 {"224.0.0.1", false, false},
                 {"255.255.255.255", false, false},
                 {"::1", true, true},
                 {"::", false, false},
                 {"ff02::1", false, false},
                 {"fd00::1", false, true},
                 {"::ffff:127.0.0.1", true, true},
                 {"::ffff:10.0.0.1", false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct address a = address_of(cases[i].text);
        CU_ASSERT_EQUAL(bench_address_is_loopback(&a), cases[i].loopback);
        CU_ASSERT_EQUAL(bench_address_is_one_host(&a), cases[i].one_host);
    }
    struct address six = address_of("[::ffff:10.1.2.3]:5"), four = address_of("10.1.2.3:5");
    CU_ASSERT_FALSE(bench_address_same(&six, &four));
    bench_address_plain(&six);
    CU_ASSERT(bench_address_same(&six, &four));
}

/* ---- plans ---- */

static struct plan_pair two_pairs[2];

static struct plan good_plan(enum drill drill) {
    struct plan p = {.drill = drill, .transport = "udp", .size = 1000, .reply = drill == DRILL_PING ? 64 : 0};
    p.concurrency = 4;
    p.workers = 2;
    p.count = 7;
    p.time = 5;
    p.rate = 123456;
    p.poisson = true;
    p.timeout = 1000000000;
    p.chunk = p.window = drill == DRILL_BULK ? 1000 : 0;
    p.trial = drill == DRILL_MRR ? 1000000000 : 0;
    p.trials = drill == DRILL_MRR ? 10 : 0;
    p.npairs = 2;
    p.pairs = two_pairs;
    two_pairs[0] = (struct plan_pair){.client = true, .there = 3, .peer = address_of("10.0.0.2:1")};
    two_pairs[1] =
        (struct plan_pair){.client = false, .there = UINT32_MAX - 1, .peer = address_of("[fd00::2]:2")};
    memcpy(p.secret, "0123456789abcdef", sizeof p.secret);
    return p;
}

static void plans(void) {
    struct plan p = good_plan(DRILL_PING), back;
    struct bytes b = {0};
    put_plan(&b, &p);
    struct reader r = reader_of(&b);
    CU_ASSERT_FATAL(get_plan(&r, &back, 2));
    CU_ASSERT_EQUAL(back.drill, DRILL_PING);
    CU_ASSERT_STRING_EQUAL(back.transport, "udp");
    CU_ASSERT_EQUAL(back.size, 1000);
    CU_ASSERT_EQUAL(back.reply, 64);
    CU_ASSERT_EQUAL(back.rate, 123456);
    CU_ASSERT(back.poisson && !back.check);
    CU_ASSERT_EQUAL(back.time, 5);
    CU_ASSERT_EQUAL(memcmp(back.secret, p.secret, sizeof p.secret), 0);
    CU_ASSERT_EQUAL(back.npairs, 2);
    CU_ASSERT(back.pairs[0].client && back.pairs[0].there == 3);
    CU_ASSERT(!back.pairs[1].client && back.pairs[1].there == UINT32_MAX - 1);
    free(back.pairs);
    r = reader_of(&b);
    CU_ASSERT_FALSE(get_plan(&r, &back, 1)); /* more pairs than allowed */
    for (size_t n = 0; n < b.count; n++) {
        r = (struct reader){.at = b.at, .left = n};
        CU_ASSERT_FALSE(get_plan(&r, &back, 2));
    }
    put_number(&b, 0, 1); /* one byte too many */
    r = reader_of(&b);
    CU_ASSERT_FALSE(get_plan(&r, &back, 2));
    b.at[0] = DRILLS; /* no such drill */
    b.count--;
    r = reader_of(&b);
    CU_ASSERT_FALSE(get_plan(&r, &back, 2));
    free(b.at);
}

static const struct limits limits = {
    .size = 1 << 20, .flows = 2, .memory = 1 << 30, .time = UINT64_C(3600) << 30};

static void good_plans(void) {
    for (int d = 0; d < DRILLS; d++) {
        struct plan p = good_plan((enum drill)d);
        CU_ASSERT_PTR_NULL(plan_refusal(&p, &limits, 65507));
    }
    struct plan p = good_plan(DRILL_MRR);
    p.pause = 200000000;
    CU_ASSERT_EQUAL(plan_span(&p), 12000000000u); /* ten times 1.2 s */
    p = good_plan(DRILL_PING);
    CU_ASSERT_EQUAL(plan_span(&p), 5);
}

/* One thing wrong at a time. */
static void refused_plans(void) {
#define WRONG(drill, change)                                                                                 \
    do {                                                                                                     \
        struct plan p = good_plan(drill);                                                                    \
        change;                                                                                              \
        CU_ASSERT_PTR_NOT_NULL(plan_refusal(&p, &limits, 65507));                                            \
    } while (0)
    WRONG(DRILL_PING, p.size = HEAD_SIZE - 1);
    WRONG(DRILL_MRR, p.size = HEAD_SIZE - 1);
    WRONG(DRILL_BULK, p.size = 0);
    WRONG(DRILL_PING, p.reply = HEAD_SIZE - 1);
    WRONG(DRILL_PING, p.size = 65508); /* the transport's largest */
    WRONG(DRILL_PING, p.reply = 65508);
    WRONG(DRILL_BULK, p.size = p.window = p.chunk = 65507); /* and a head */
    WRONG(DRILL_BULK, p.size = (1 << 20) + 1);
    WRONG(DRILL_PING, p.concurrency = 0);
    WRONG(DRILL_PING, p.concurrency = 65537);
    WRONG(DRILL_PING, p.workers = 0);
    WRONG(DRILL_PING, p.workers = 65);
    WRONG(DRILL_PING, p.timeout = 0);
    WRONG(DRILL_PING, p.timeout = PLAN_LONGEST_TIMEOUT + 1);
    WRONG(DRILL_PING, p.time = limits.time + 1);
    WRONG(DRILL_PING, p.time = UINT64_MAX);
    WRONG(DRILL_PING, p.rate = UINT64_MAX);
    WRONG(DRILL_MRR, p.trial = 0);
    WRONG(DRILL_MRR, p.trial = UINT64_MAX / 10);
    WRONG(DRILL_MRR, p.pause = UINT64_MAX / 10);
    WRONG(DRILL_MRR, p.trials = 0);
    WRONG(DRILL_MRR, p.trials = 1001);
    WRONG(DRILL_BULK, p.chunk = 0);
    WRONG(DRILL_BULK, p.chunk = 1001);
    WRONG(DRILL_BULK, p.window = 999);
    WRONG(DRILL_PING, p.npairs = 0);
#undef WRONG
    struct plan p = good_plan(DRILL_PING);
    struct limits fewer = limits;
    fewer.flows = 1;
    CU_ASSERT_PTR_NOT_NULL(plan_refusal(&p, &fewer, 65507));
}

/* ---- reports ---- */

static void fill_pair(struct pair_report *p) {
    *p = (struct pair_report){.p50 = RECKON_BLANK, .p99 = RECKON_BLANK, .recent_p50 = RECKON_BLANK};
    p->tally = (struct tally){.total = 1,
                              .failed = 2,
                              .bad = 3,
                              .arrived = 4,
                              .late = 5,
                              .sent_bytes = 6,
                              .received_bytes = 7,
                              .first = 8,
                              .last = 9,
                              .shortened = 10};
    sample_add(&p->rtt, SAMPLE_LARGEST);
    sample_add(&p->rtt, 12345);
    p->p50 = 12345;
    p->p99 = 1.5e12;
    p->lost = true;
    p->error = 104;
}

static struct report *new_report(void) {
    struct report *r = calloc(1, sizeof *r);
    *r = (struct report){
        .state = 3, .sending = true, .active = UINT64_MAX, .strangers = 9, .npairs = 2, .ntrials = 2};
    r->busiest_worker = 12.5;
    r->busiest_core = r->busiest_softirq = RECKON_BLANK;
    histogram_add(&r->recent, 777);
    r->pairs = calloc(3, sizeof *r->pairs);
    fill_pair(&r->pairs[0]);
    r->trials = calloc(4, sizeof *r->trials);
    r->trials[3] = (struct trial_report){.count = 5, .span = 6};
    return r;
}

static void reports(void) {
    struct report *r = new_report(), *back = calloc(1, sizeof *back);
    struct bytes b = {0};
    put_report(&b, r);
    struct reader from = reader_of(&b);
    CU_ASSERT_FATAL(get_report(&from, back, 2));
    CU_ASSERT_EQUAL(back->state, 3);
    CU_ASSERT(back->sending && !back->drained);
    CU_ASSERT_EQUAL(back->active, UINT64_MAX);
    CU_ASSERT_EQUAL(back->busiest_worker, 12.5);
    CU_ASSERT(reckon_blank(back->busiest_core));
    CU_ASSERT_EQUAL(back->recent.count, 1);
    CU_ASSERT_EQUAL(memcmp(&back->pairs[0].tally, &r->pairs[0].tally, sizeof(struct tally)), 0);
    CU_ASSERT_EQUAL(back->pairs[0].rtt.count, 2);
    CU_ASSERT(back->pairs[0].rtt.squares == r->pairs[0].rtt.squares);
    CU_ASSERT_EQUAL(back->pairs[0].p99, 1.5e12);
    CU_ASSERT(back->pairs[0].lost && back->pairs[0].error == 104);
    CU_ASSERT(!back->pairs[1].lost && reckon_blank(back->pairs[1].p50));
    CU_ASSERT_EQUAL(back->trials[3].span, 6);
    report_free(back);
    from = reader_of(&b);
    CU_ASSERT_FALSE(get_report(&from, back, 3)); /* of other pairs */
    for (size_t n = 0; n < b.count; n++) {
        from = (struct reader){.at = b.at, .left = n};
        CU_ASSERT_FALSE(get_report(&from, back, 2));
    }
    report_free(r);
    free(r);
    free(back);
    free(b.at);
}

/* Bytes at random are never a crash, and what is taken is what was asked for. */
static void random_bytes(void) {
    struct report *back = calloc(1, sizeof *back);
    unsigned char text[300];
    uint64_t x = 42;
    for (int round = 0; round < 20000; round++) {
        size_t n = (size_t)round % sizeof text;
        for (size_t i = 0; i < n; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            text[i] = (unsigned char)(x >> 56) & (round % 3 ? 0xff : 0x03);
        }
        struct reader from = {.at = text, .left = n};
        if (get_report(&from, back, 2))
            report_free(back);
        struct plan p;
        from = (struct reader){.at = text, .left = n};
        if (get_plan(&from, &p, 100))
            free(p.pairs);
    }
    free(back);
    CU_PASS("no crash");
}

static void tallies(void) {
    struct tally a = {.total = 1, .first = 0, .last = 0},
                 b = {.total = 2, .failed = 1, .first = 50, .last = 60},
                 c = {.total = 3, .first = 40, .last = 55};
    tally_merge(&a, &b);
    tally_merge(&a, &c);
    CU_ASSERT_EQUAL(a.total, 6);
    CU_ASSERT_EQUAL(a.failed, 1);
    CU_ASSERT_EQUAL(a.first, 40);
    CU_ASSERT_EQUAL(a.last, 60);
}

void suite_bench_wire(void) {
    CU_pSuite s = CU_add_suite("bench: on the wire", NULL, NULL);
    CU_add_test(s, "numbers", numbers);
    CU_add_test(s, "varints that are too long", varints_too_long);
    CU_add_test(s, "texts", texts);
    CU_add_test(s, "addresses", addresses);
    CU_add_test(s, "kinds of addresses", kinds_of_address);
    CU_add_test(s, "plans", plans);
    CU_add_test(s, "plans a node takes", good_plans);
    CU_add_test(s, "plans a node refuses", refused_plans);
    CU_add_test(s, "reports", reports);
    CU_add_test(s, "bytes at random", random_bytes);
    CU_add_test(s, "tallies add up", tallies);
}
