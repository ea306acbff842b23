/* SPDX-License-Identifier: Apache-2.0
 *
 * From samples to a run: windows, clocks, means, who took part, and what is said about it. Values are worked
 * by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "../reading.h"

#define FILES 8

static const struct reckon_plugin mx = {.name = "mx", .run = {.workload = RECKON_REQUEST_REPLY}};
static const struct reckon_plugin tcp = {.name = "tcp", .run = {.workload = RECKON_TCP}};
static const struct reckon_plugin udp = {.name = "udp", .run = {.workload = RECKON_UDP}};

/* Sinks filled by hand. */
struct bench {
    struct reading x;
    struct reckon_sink *sinks[FILES];
    size_t n;
};

static void start(struct bench *b) {
    reading_start(&b->x);
    b->n = 0;
}

static struct reckon_sink *file(struct bench *b, const char *path) {
    return b->sinks[b->n++] = sink_new(b->x.r, path);
}

static struct reckon_comparison *assemble(struct bench *b, const struct reckon_plugin *reader,
                                          double window) {
    struct reckon_comparison *c = reading_assemble(&b->x, reader, b->sinks, b->n, window);
    b->n = 0;
    return c;
}

/* A request/reply flow's row: what a figure list sets, of 100 B and 50 B unless it says otherwise. */
struct figure {
    enum reckon_figure which;
    double value;
};

static void put(struct reckon_sink *s, double ts, const char *host, const char *peer, const char *layer,
                const struct figure *figures, size_t n) {
    struct reckon_sample sample;
    reckon_sample_init(&sample);
    sample.ts = ts;
    sample.host = host;
    sample.peer = peer;
    sample.layer = layer;
    sample.figure[RECKON_SIZE] = 100;
    sample.figure[RECKON_REPLY_SIZE] = 50;
    for (size_t i = 0; i < n; i++)
        sample.figure[figures[i].which] = figures[i].value;
    reckon_sink_sample(s, &sample);
}
#define PUT(sink, ts, host, peer, layer, ...)                                                                \
    put(sink, ts, host, peer, layer, (const struct figure[]){__VA_ARGS__},                                   \
        sizeof((const struct figure[]){__VA_ARGS__}) / sizeof(struct figure))

static void put_kind(struct reckon_sink *s, enum reckon_sample_kind kind, double ts, const char *host,
                     const char *peer) {
    struct reckon_sample sample;
    reckon_sample_init(&sample);
    sample.kind = kind;
    sample.ts = ts;
    sample.host = host;
    sample.peer = peer;
    reckon_sink_sample(s, &sample);
}

/* ---- means ---- */

static void averages(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    PUT(s, 10, "a", "b", NULL, {RECKON_SENT, 100}, {RECKON_ACHIEVED, 90}, {RECKON_LOSS, -2},
        {RECKON_RTT_P50, 10});
    PUT(s, 11, "a", "b", NULL, {RECKON_SENT, 200}, {RECKON_ACHIEVED, -1}, {RECKON_LOSS, 6},
        {RECKON_RTT_P99, 40});
    PUT(s, 12, "a", "b", NULL, {RECKON_SENT, -5}, {RECKON_ACHIEVED, 95}, {RECKON_RTT_P50, 21});
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    const struct flow *f = &c->flows[0];
    CU_ASSERT_EQUAL(f->sent, 150);      /* (100 + 200) / 2: a negative one is skipped */
    CU_ASSERT_EQUAL(f->samples, 2);     /* of what was sent */
    CU_ASSERT_EQUAL(f->achieved, 92.5); /* (90 + 95) / 2 */
    CU_ASSERT_EQUAL(f->loss, 2);        /* (-2 + 6) / 2: a negative loss is honest */
    CU_ASSERT_EQUAL(f->rtt_p50, 15.5);  /* (10 + 21) / 2 */
    CU_ASSERT_EQUAL(f->rtt_p99, 40);
    CU_ASSERT(reckon_blank(f->demand)); /* unpaced */
    CU_ASSERT(reckon_blank(f->expected));
    CU_ASSERT_EQUAL(f->limit_link, RECKON_NONE);
    CU_ASSERT_STRING_EQUAL(c->unit, "pps");
    CU_ASSERT_STRING_EQUAL(c->describe, "mx run, 100 B requests, 50 B replies, last 60s");
    CU_ASSERT_EQUAL(c->first_ts, 10);
    CU_ASSERT_EQUAL(c->last_ts, 12);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 0);
    reading_end(&b.x);
}

/* 0.1 added up seven times is not 0.7 to the last bit, nor a seventh of that 0.1; the mean of equal targets
 * is. */
static void equal_targets(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    for (int i = 0; i < 7; i++)
        PUT(s, i, "a", "b", NULL, {RECKON_SENT, 1}, {RECKON_DEMAND, 0.1});
    const struct reckon_comparison *c = assemble(&b, &mx, 0);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    CU_ASSERT_EQUAL(c->flows[0].demand, 0.1);
    reading_end(&b.x);
}

/* Values whose plain sum depends on their order: 1e16 + 1 + 1 … is 1e16 when the ones come after it. */
static void sums_in_any_order(void) {
    for (unsigned from = 0; from < 7; from++) {
        struct bench b;
        start(&b);
        struct reckon_sink *s[] = {file(&b, "1.csv"), file(&b, "2.csv")};
        for (unsigned i = 0; i < 41; i++) {
            unsigned k = (i * 17 + from * 5) % 41; /* 17 and 41 share no factor: every k once */
            PUT(s[k % 2], 10 + k % 3, "a", "b", NULL, {RECKON_SENT, k ? 1.0 : 1e16}, {RECKON_ACHIEVED, 5e307},
                {RECKON_LOSS, 1e308});
        }
        const struct reckon_comparison *c = assemble(&b, &mx, 0);
        CU_ASSERT_EQUAL(c->flows[0].sent, (1e16 + 40) / 41);
        CU_ASSERT_DOUBLE_EQUAL(c->flows[0].achieved / 5e307, 1, 1e-14); /* though their sum overflows */
        CU_ASSERT_DOUBLE_EQUAL(c->flows[0].loss / 1e308, 1, 1e-14);
        reading_end(&b.x);
    }
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "1.csv");
    PUT(s, 10, "a", "b", NULL, {RECKON_SENT, 1e308});
    PUT(s, 10, "a", "b", NULL, {RECKON_SENT, 1.5e308});
    CU_ASSERT_DOUBLE_EQUAL(assemble(&b, &mx, 0)->flows[0].sent / 1.25e308, 1, 1e-15);
    reading_end(&b.x);
}

static void adds_up(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "run");
    reckon_sink_add_up(s, true);
    reckon_sink_sharing(s, RECKON_SHARE_ALL, "parallel");
    reckon_sink_run_id(s, "tue");
    reckon_sink_loose_times(s, true);
    for (int i = 1; i <= 3; i++)
        PUT(s, BLANK, "a", "b", NULL, {RECKON_DEMAND, 10}, {RECKON_ACHIEVED, i}, {RECKON_RTT_P50, i});
    PUT(s, BLANK, "b", "a", NULL, {RECKON_ACHIEVED, 1e308});
    PUT(s, BLANK, "b", "a", NULL, {RECKON_ACHIEVED, 1e308});
    const struct reckon_comparison *c = assemble(&b, &tcp, 60);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 2);
    CU_ASSERT_EQUAL(c->flows[0].demand, 30);
    CU_ASSERT_EQUAL(c->flows[0].achieved, 6);
    CU_ASSERT_EQUAL(c->flows[0].rtt_p50, 2); /* times are still averaged */
    CU_ASSERT_EQUAL(c->flows[0].samples, 3);
    CU_ASSERT(reckon_blank(c->flows[1].achieved)); /* no number holds it */
    CU_ASSERT_STRING_EQUAL(c->mode, "parallel");
    CU_ASSERT_STRING_EQUAL(c->run_id, "tue");
    CU_ASSERT_STRING_EQUAL(c->describe, "tcp run, parallel");
    CU_ASSERT_EQUAL(c->sharing, RECKON_SHARE_ALL);
    CU_ASSERT(c->loose_times);
    CU_ASSERT(reckon_blank(c->first_ts) && reckon_blank(c->window));
    CU_ASSERT_STRING_EQUAL(c->unit, "Mb/s");
    reading_end(&b.x);
}

/* ---- sizes ---- */

static void takes_the_last_size(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    PUT(s, 12, "a", "b", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 64}, {RECKON_REPLY_SIZE, 0});
    PUT(s, 12, "a", "b", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 70},
        {RECKON_REPLY_SIZE, -1}); /* the larger at one time */
    PUT(s, 13, "a", "b", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 0},
        {RECKON_REPLY_SIZE, BLANK}); /* not usable */
    PUT(s, 11, "a", "b", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 1434}, {RECKON_REPLY_SIZE, 34});
    PUT(s, 11, "c", "b", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, BLANK});
    PUT(s, 11, "c", "d", NULL, {RECKON_SENT, 1}, {RECKON_REPLY_SIZE, BLANK});
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    CU_ASSERT_EQUAL(c->shapes[c->flows[0].shape].size, 70);
    CU_ASSERT_EQUAL(c->shapes[c->flows[0].shape].reply, 0);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 2);
    CU_ASSERT(reading_noted(&b.x, "2 flows left out"));
    CU_ASSERT(reading_noted(&b.x, "1 host changed the packet size"));
    CU_ASSERT(reading_noted(&b.x, "(a)"));
    CU_ASSERT_PTR_NOT_NULL(host_named(c, "d")); /* an end of a flow left out still took part */
    reading_end(&b.x);
}

static void numbers_shapes(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    PUT(s, 1, "a", "b", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 64});
    PUT(s, 1, "a", "c", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 1434});
    PUT(s, 1, "a", "d", NULL, {RECKON_SENT, 1}, {RECKON_SIZE, 64});
    const struct reckon_comparison *c = assemble(&b, &mx, 0);
    CU_ASSERT_EQUAL_FATAL(c->nshapes, 2);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->shape, flow_named(c, "a", "d", NULL)->shape);
    CU_ASSERT_EQUAL(c->shapes[flow_named(c, "a", "c", NULL)->shape].size, 1434);
    CU_ASSERT_STRING_EQUAL(c->describe, "mx run, 64 to 1434 B requests, 50 B replies, all of it");
    s = file(&b, "u");
    PUT(s, BLANK, "a", "b", NULL, {RECKON_ACHIEVED, 1}, {RECKON_SIZE, 1400}, {RECKON_REPLY_SIZE, BLANK});
    PUT(s, BLANK, "a", "c", NULL, {RECKON_ACHIEVED, 1}, {RECKON_SIZE, BLANK});
    c = assemble(&b, &udp, 60);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1); /* a datagram needs a size, and no reply */
    CU_ASSERT_STRING_EQUAL(c->describe, "udp run, 1400 B datagrams");
    reading_end(&b.x);
}

static void leaves_out_what_asked_for_nothing(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    PUT(s, 1, "a", "b", NULL, {RECKON_DEMAND, 0}, {RECKON_SENT, 1});
    PUT(s, 1, "a", "c", NULL, {RECKON_DEMAND, 0}, {RECKON_SENT, 1});
    PUT(s, 2, "a", "c", NULL, {RECKON_DEMAND, 8}, {RECKON_SENT, 1});
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    CU_ASSERT_EQUAL(c->flows[0].demand, 4); /* (0 + 8) / 2 */
    CU_ASSERT_EQUAL(reading_notes(&b.x), 0);
    reading_end(&b.x);
}

/* ---- windows and clocks ---- */

static void cuts_the_window(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv"), *t = file(&b, "b.csv"), *u = file(&b, "c.csv");
    PUT(s, 99, "a", "b", NULL, {RECKON_SENT, 7});
    PUT(s, 39.9, "a", "b", NULL, {RECKON_SENT, 1000}); /* too old by a tenth: the end is 100 */
    PUT(s, 39.9, "a", "z", NULL, {RECKON_SENT, 1000}); /* z did not take part */
    PUT(t, 100, "b", "d", NULL, {RECKON_SENT, 1});
    PUT(t, 40, "b", "d", NULL, {RECKON_SENT, 2}); /* the window's first second belongs to it */
    PUT(u, 30, "d", "a", NULL, {RECKON_SENT, 1});
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL(c->nflows, 2);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->sent, 7);
    CU_ASSERT_EQUAL(flow_named(c, "b", "d", NULL)->sent, 1.5);
    CU_ASSERT_EQUAL(c->nhosts, 3);
    CU_ASSERT(host_named(c, "a")->reported && host_named(c, "b")->reported);
    CU_ASSERT(!host_named(c, "d")->reported); /* b sends to it; its own file stopped too early */
    CU_ASSERT_PTR_NULL(host_named(c, "z"));
    CU_ASSERT_EQUAL(c->first_ts, 40);
    CU_ASSERT_EQUAL(c->last_ts, 100);
    CU_ASSERT_EQUAL(c->window, 60);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 1);
    CU_ASSERT(reading_noted(&b.x, "d is left out"));
    CU_ASSERT(reading_noted(&b.x, "70 s before the end"));
    reading_end(&b.x);
}

/* Newest rows 100, 104 and 4000: the median is 104, and 3896 s are more than any window. */
static void distrusts_a_clock(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv"), *t = file(&b, "b.csv"), *u = file(&b, "c.csv");
    PUT(s, 100, "a", "b", NULL, {RECKON_SENT, 1});
    PUT(t, 104, "b", "a", NULL, {RECKON_SENT, 2});
    PUT(t, 43, "b", "a", NULL, {RECKON_SENT, 20}); /* too old by one */
    PUT(u, 4000, "c", "a", NULL, {RECKON_SENT, 3});
    PUT(u, 3940, "c", "a", NULL, {RECKON_SENT, 4}); /* its own last minute */
    PUT(u, 3939, "c", "a", NULL, {RECKON_SENT, 50});
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL(c->window_end, 104);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->sent, 1);
    CU_ASSERT_EQUAL(flow_named(c, "b", "a", NULL)->sent, 2);
    CU_ASSERT_EQUAL(flow_named(c, "c", "a", NULL)->sent, 3.5);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 1);
    CU_ASSERT(reading_noted(&b.x, "the clock of c is 3896 s ahead"));
    reading_end(&b.x);
    /* 60 s ahead of the median of 100, 100 and 160 is within the window: that file ends it */
    start(&b);
    s = file(&b, "a.csv"), t = file(&b, "b.csv"), u = file(&b, "c.csv");
    PUT(s, 100, "a", "b", NULL, {RECKON_SENT, 1});
    PUT(t, 100, "b", "a", NULL, {RECKON_SENT, 1});
    PUT(u, 160, "c", "a", NULL, {RECKON_SENT, 1});
    c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL(c->window_end, 160);
    CU_ASSERT_EQUAL(c->nflows, 3);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 0);
    reading_end(&b.x);
}

static void takes_everything(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv"), *t = file(&b, "b.csv");
    PUT(s, 1, "a", "b", NULL, {RECKON_SENT, 1});
    PUT(s, 40, "a", "b", NULL, {RECKON_SENT, 3});
    PUT(t, 45, "b", "a", NULL, {RECKON_SENT, 1});
    const struct reckon_comparison *c = assemble(&b, &mx, 0);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->sent, 2);
    CU_ASSERT_EQUAL(c->window, 0);
    CU_ASSERT_EQUAL(c->first_ts, 1);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 0);
    reading_end(&b.x);
}

static void notes_the_wrong_unit(void) {
    struct bench b;
    start(&b);
    PUT(file(&b, "a.csv"), 1786741765000, "a", "b", NULL, {RECKON_SENT, 1});
    assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL(reading_notes(&b.x), 1);
    CU_ASSERT(reading_noted(&b.x, "milliseconds (1786741765000 in a.csv)"));
    PUT(file(&b, "b.csv"), 1786741765000000, "a", "b", NULL, {RECKON_SENT, 1});
    assemble(&b, &mx, 60);
    CU_ASSERT(reading_noted(&b.x, "microseconds"));
    reading_end(&b.x);
}

/* ---- hosts ---- */

static void tells_who_took_part(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    put_kind(s, RECKON_SAMPLE_SEEN, 5, "seen", "drained");
    put_kind(s, RECKON_SAMPLE_PEER, 5, "named", NULL);
    put_kind(s, RECKON_SAMPLE_HOST, 5, "host", NULL);
    reckon_sink_failed(s, "tried", "beyond", NULL, NULL);
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL_FATAL(c->nhosts, 5);
    CU_ASSERT(host_named(c, "seen")->reported);
    CU_ASSERT(host_named(c, "host")->reported);
    CU_ASSERT(!host_named(c, "drained")->reported);
    CU_ASSERT(!host_named(c, "named")->reported);
    CU_ASSERT(!host_named(c, "tried")->reported);
    CU_ASSERT_EQUAL(c->nflows, 0);
    CU_ASSERT_EQUAL(c->hosts[0].element, RECKON_NONE);
    CU_ASSERT_EQUAL(c->hosts[0].group[MAX_TIERS - 1], RECKON_NONE);
    CU_ASSERT(reckon_blank(c->hosts[0].nic_gbps) && reckon_blank(c->hosts[0].then));
    reading_end(&b.x);
}

static void averages_cpu(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv"), *t = file(&b, "b.csv");
    for (int i = 0; i < 2; i++) {
        struct reckon_sample sample;
        reckon_sample_init(&sample);
        sample.kind = RECKON_SAMPLE_HOST;
        sample.ts = 100 + i;
        sample.host = "b";
        sample.figure[RECKON_CPU_CORE] = i ? 90 : 40;
        sample.figure[RECKON_CPU_AGENT] = i ? -1 : 20;
        reckon_sink_sample(i ? s : t, &sample);
        sample.ts = 1;
        sample.figure[RECKON_CPU_CORE] = 1000; /* outside the window */
        reckon_sink_sample(s, &sample);
    }
    PUT(s, 100, "a", "b", NULL, {RECKON_SENT, 1},
        {RECKON_CPU_PEAK, 12.5}); /* a reader may say it with the flow */
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    CU_ASSERT_EQUAL(host_named(c, "b")->cpu_core, 65); /* (40 + 90) / 2 */
    CU_ASSERT_EQUAL(host_named(c, "b")->cpu_agent, 20);
    CU_ASSERT(reckon_blank(host_named(c, "b")->cpu_peak));
    CU_ASSERT_EQUAL(host_named(c, "a")->cpu_peak, 12.5);
    CU_ASSERT(reading_noted(&b.x, "1 host reported in more than one file"));
    CU_ASSERT(reading_noted(&b.x, "(b in 2)"));
    reading_end(&b.x);
}

/* Bytes order: 'B' (0x42) before 'a' (0x61) before 'é' (0xc3); layers as text. */
static void orders_by_bytes(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv"), *t = file(&b, "b.csv");
    PUT(s, 1, "\xc3\xa9", "a", "9", {RECKON_SENT, 1});
    PUT(t, 1, "a", "B", "10", {RECKON_SENT, 2});
    PUT(t, 1, "a", "B", NULL, {RECKON_SENT, 3});
    PUT(s, 1, "a", "B", "9", {RECKON_SENT, 4});
    PUT(t, 1, "B", "\xc3\xa9", "", {RECKON_SENT, 5});
    PUT(t, 1, "B", "a", "9", {RECKON_SENT, 6});
    PUT(s, 1, "B", "b", "9", {RECKON_SENT, 7});
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    static const char *const hosts[] = {"B", "a", "b", "\xc3\xa9"};
    static const double sent[] = {6, 7, 5, 3, 2, 4, 1};
    CU_ASSERT_EQUAL_FATAL(c->nhosts, 4);
    for (uint32_t h = 0; h < 4; h++)
        CU_ASSERT_STRING_EQUAL(c->hosts[h].name, hosts[h]);
    CU_ASSERT_EQUAL_FATAL(c->nlayers, 3);
    CU_ASSERT_PTR_NULL(c->layers[0]);
    CU_ASSERT_STRING_EQUAL(c->layers[1], "10");
    CU_ASSERT_STRING_EQUAL(c->layers[2], "9");
    CU_ASSERT_EQUAL_FATAL(c->nflows, 7);
    for (uint32_t f = 0; f < 7; f++)
        CU_ASSERT_EQUAL(c->flows[f].sent, sent[f]);
    CU_ASSERT(reading_noted(&b.x, "case alone are taken as different ones: B and b"));
    reading_end(&b.x);
}

static void keeps_distinct_failures(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv"), *t = file(&b, "b.csv");
    reckon_sink_failed(s, "b", "a", "TIMEOUT", NULL);
    reckon_sink_failed(s, "a", "c", "TIMEOUT", "later");
    reckon_sink_failed(t, "a", "c", "TIMEOUT", "earlier");
    reckon_sink_failed(t, "a", "c", NULL, NULL);
    reckon_sink_failed(t, "a", "b", "X", NULL);
    const struct reckon_comparison *c = assemble(&b, &tcp, 60);
    static const char *const expected[][3] = {
        {"a", "b", "X"}, {"a", "c", "?"}, {"a", "c", "TIMEOUT"}, {"b", "a", "TIMEOUT"}};
    CU_ASSERT_EQUAL_FATAL(c->nfailed, 4);
    for (size_t i = 0; i < 4; i++) {
        CU_ASSERT_STRING_EQUAL(c->failed[i].source, expected[i][0]);
        CU_ASSERT_STRING_EQUAL(c->failed[i].target, expected[i][1]);
        CU_ASSERT_STRING_EQUAL(c->failed[i].status, expected[i][2]);
    }
    CU_ASSERT_STRING_EQUAL(c->failed[2].error, "earlier");
    reading_end(&b.x);
}

static void refuses_nothing(void) {
    struct bench b;
    start(&b);
    file(&b, "a.csv");
    CU_ASSERT_PTR_NULL(assemble(&b, &mx, 60));
    CU_ASSERT(scratch_error(&b.x.scratch, "a.csv: it holds no row"));
    file(&b, "a.csv"), file(&b, "b.csv");
    CU_ASSERT_PTR_NULL(assemble(&b, &mx, 60));
    CU_ASSERT(scratch_error(&b.x.scratch, "none of the 2 files"));
    reading_end(&b.x);
}

/* ---- many, and again ---- */

/* 300 senders × 500 peers, more than one batch, from two files with every row of a sender in either: the flow
 * from i to j sends 1000·i + j on average. */
static void sorts_many(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s[] = {file(&b, "1.csv"), file(&b, "2.csv")};
    char src[8], dst[8];
    for (unsigned k = 0; k < 300 * 500; k++) {
        unsigned n = k * 7919u % (300 * 500), i = n / 500, j = n % 500; /* 7919 is prime to 150,000 */
        snprintf(src, sizeof src, "%03u", i);
        snprintf(dst, sizeof dst, "%03u", j);
        PUT(s[k % 2], k % 5, src, dst, NULL, {RECKON_SENT, 1000.0 * i + j - 1});
        PUT(s[k % 3 == 0], 4, src, dst, NULL, {RECKON_SENT, 1000.0 * i + j + 1});
    }
    const struct reckon_comparison *c = assemble(&b, &mx, 60);
    size_t wrong = 0;
    CU_ASSERT_EQUAL_FATAL(c->nflows, 300 * 500);
    CU_ASSERT_EQUAL(c->nhosts, 500);
    for (uint32_t n = 0; n < c->nflows; n++) {
        const struct flow *f = &c->flows[n];
        double mean = 1000.0 * f->src + f->dst;
        /* the first of all rows would be -1, which is skipped */
        wrong +=
            f->src != n / 500 || f->dst != n % 500 || f->sent != (n ? mean : 1) || f->samples != (n ? 2 : 1);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    reading_end(&b.x);
}

static bool odd(void *user, size_t i, const struct record *rec) {
    return (rec->number % 2 == 1) == *(const bool *)user && i == 0;
}

/* Two runs cut from the same sinks, and the sinks still whole. */
static void assembles_what_is_kept(void) {
    struct bench b;
    start(&b);
    struct reckon_sink *s = file(&b, "a.csv");
    PUT(s, 1, "a", "b", NULL, {RECKON_SENT, 10});
    PUT(s, 9999, "b", "a", NULL, {RECKON_SENT, 20});
    PUT(s, 3, "a", "b", NULL, {RECKON_SENT, 30});
    for (int which = 0; which < 2; which++) {
        bool want = which;
        struct reckon_comparison *c = run_assemble_kept(b.x.r, &mx, b.sinks, b.n, odd, &want);
        CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
        CU_ASSERT_EQUAL(c->flows[0].sent, 20); /* the one in the middle; or (10 + 30) / 2 */
        CU_ASSERT_EQUAL(c->first_ts, which ? 9999 : 1);
        CU_ASSERT_EQUAL(c->last_ts, which ? 9999 : 3);
        CU_ASSERT_EQUAL(host_named(c, "b")->reported, which);
        CU_ASSERT_STRING_EQUAL(c->describe, "mx run, 100 B requests, 50 B replies");
        CU_ASSERT(reckon_blank(c->window));
        run_free(c);
    }
    CU_ASSERT_EQUAL(reading_notes(&b.x), 0);
    CU_ASSERT_EQUAL(assemble(&b, &mx, 0)->nflows, 2);
    reading_end(&b.x);
}

void suite_assemble(void) {
    CU_pSuite s = CU_add_suite("assemble", NULL, NULL);
    CU_add_test(s, "averages", averages);
    CU_add_test(s, "the mean of equal targets", equal_targets);
    CU_add_test(s, "sums in any order", sums_in_any_order);
    CU_add_test(s, "adds up", adds_up);
    CU_add_test(s, "takes the last size", takes_the_last_size);
    CU_add_test(s, "numbers shapes", numbers_shapes);
    CU_add_test(s, "leaves out what asked for nothing", leaves_out_what_asked_for_nothing);
    CU_add_test(s, "cuts the window", cuts_the_window);
    CU_add_test(s, "distrusts a clock", distrusts_a_clock);
    CU_add_test(s, "takes everything", takes_everything);
    CU_add_test(s, "notes the wrong unit", notes_the_wrong_unit);
    CU_add_test(s, "tells who took part", tells_who_took_part);
    CU_add_test(s, "averages CPU", averages_cpu);
    CU_add_test(s, "orders by bytes", orders_by_bytes);
    CU_add_test(s, "keeps distinct failures", keeps_distinct_failures);
    CU_add_test(s, "refuses nothing", refuses_nothing);
    CU_add_test(s, "sorts many", sorts_many);
    CU_add_test(s, "assembles what is kept", assembles_what_is_kept);
}
