/* SPDX-License-Identifier: Apache-2.0
 *
 * The sample store: what goes in comes out, exactly, in order, and in little memory.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "../reading.h"

#define ROWS 20000u /* enough for several chunks */

/* The i-th sample of a made-up file: names, layers and figures that repeat, follow on and jump. */
static struct reckon_sample made_up(size_t i, char names[3][24]) {
    static const double figures[] = {0,     1434,   1999.2,      0.625,   -3.5,
                                     1e300, 5e-324, 4294967.295, 1.0 / 3, 123456789.1};
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.kind = RECKON_SAMPLE_FLOW + i / 7 % 4;
    s.ts = i % 11 == 5 ? BLANK : 1000 + (double)(i / 50) * 0.1;
    snprintf(names[0], sizeof names[0], "h%zu", i / 100 % 9);
    snprintf(names[1], sizeof names[1], "p%zu", i % 23);
    snprintf(names[2], sizeof names[2], "%zu", i / 1000);
    s.host = names[0];
    s.peer = s.kind == RECKON_SAMPLE_HOST || i % 13 == 3 ? NULL : names[1];
    s.layer = i % 3 ? NULL : names[2];
    for (size_t f = 0; f < RECKON_FIGURES; f++)
        if ((i + f) % 5)
            s.figure[f] = figures[(i / (f + 1) + f) % (sizeof figures / sizeof *figures)];
    return s;
}

static bool same_name(const struct names *names, uint32_t number, const char *text) {
    return number == RECKON_NONE ? !text : text && !strcmp(names->text[number], text);
}

static bool same_figures(const struct record *rec, const struct reckon_sample *s) {
    bool has = s->kind == RECKON_SAMPLE_HOST || (s->kind == RECKON_SAMPLE_FLOW && s->peer);
    for (int f = 0; f < RECKON_FIGURES; f++) {
        bool there = has && !reckon_blank(s->figure[f]);
        if (there != !!(rec->present & 1u << f) || (there && rec->figure[f] != s->figure[f]))
            return false;
    }
    return true;
}

static void reads_back(void) {
    struct reading x;
    reading_start(&x);
    struct reckon_sink *sink = sink_new(x.r, "f.csv");
    char names[3][24];
    for (size_t i = 0; i < ROWS; i++) {
        struct reckon_sample s = made_up(i, names);
        reckon_sink_sample(sink, &s);
    }
    struct sample_names *all = sinks_finish(&sink, 1);
    struct sample_cursor c;
    size_t i = 0, wrong = 0;
    for (cursor_start(&c, sink); cursor_next(&c); i++) {
        struct reckon_sample s = made_up(i, names);
        enum reckon_sample_kind kind = s.kind == RECKON_SAMPLE_FLOW && !s.peer ? RECKON_SAMPLE_SEEN : s.kind;
        wrong += c.record.kind != kind || c.record.number != i ||
                 !same_name(&all->hosts, c.record.host, s.host) ||
                 !same_name(&all->hosts, c.record.peer, s.peer) ||
                 !same_name(&all->layers, c.record.layer, s.layer) || !same_figures(&c.record, &s) ||
                 !(c.record.ts == s.ts || (reckon_blank(c.record.ts) && reckon_blank(s.ts)));
    }
    CU_ASSERT_EQUAL(i, ROWS);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(sink->count, ROWS);
    CU_ASSERT_DOUBLE_EQUAL(sink->newest, 1000 + (double)((ROWS - 1) / 50) * 0.1, 0);
    sink_free(sink);
    reading_end(&x);
}

/* What no reader should hand over, and what older ones cannot. */
static void takes_what_is_usable(void) {
    struct reading x;
    reading_start(&x);
    struct reckon_sink *sink = sink_new(x.r, "f.csv");
    struct reckon_sample s;
    reckon_sample_init(&s);
    reckon_sink_sample(sink, &s); /* without a host */
    s.host = "";
    reckon_sink_sample(sink, &s);
    s.host = "a";
    s.peer = "b";
    s.kind = 9; /* no kind */
    reckon_sink_sample(sink, &s);
    CU_ASSERT_EQUAL(sink->count, 0);
    s.kind = RECKON_SAMPLE_FLOW;
    s.ts = INFINITY;
    s.figure[RECKON_SENT] = -INFINITY;
    s.figure[RECKON_ACHIEVED] = -0.0;
    s.figure[RECKON_LOSS] = 2;
    s.size = offsetof(struct reckon_sample, figure[RECKON_LOSS]); /* a module that knows three figures */
    reckon_sink_sample(sink, &s);
    sinks_finish(&sink, 1);
    struct sample_cursor c;
    cursor_start(&c, sink);
    CU_ASSERT_FATAL(cursor_next(&c));
    CU_ASSERT(reckon_blank(c.record.ts));
    CU_ASSERT_EQUAL(c.record.present, 1u << RECKON_ACHIEVED);
    CU_ASSERT(!signbit(c.record.figure[RECKON_ACHIEVED]));
    CU_ASSERT(!cursor_next(&c));
    sink_free(sink);
    reading_end(&x);
}

/* A chunk that begins without a peer, and goes on with the first name of all as one. */
static void begins_without_peer(void) {
    struct reading x;
    reading_start(&x);
    struct reckon_sink *sink = sink_new(x.r, "f.csv");
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.host = "a";
    reckon_sink_sample(sink, &s);
    s.host = "b";
    s.peer = "a";
    reckon_sink_sample(sink, &s);
    sinks_finish(&sink, 1);
    struct sample_cursor c;
    memset(&c, 0x55, sizeof c);
    cursor_start(&c, sink);
    CU_ASSERT_FATAL(cursor_next(&c));
    CU_ASSERT_EQUAL(c.record.kind, RECKON_SAMPLE_SEEN); /* a flow to nobody is none */
    CU_ASSERT_FATAL(cursor_next(&c));
    CU_ASSERT_EQUAL(c.record.peer, 0);
    CU_ASSERT_EQUAL(c.record.host, 1);
    sink_free(sink);
    reading_end(&x);
}

/* A history of 100,000 seconds read for its last minute: the minute is whole, the rest is not kept. */
static void drops_what_is_too_old(void) {
    struct reading x;
    reading_start(&x);
    struct reckon_sink *sink = sink_new(x.r, "f.csv");
    sink->window = 60;
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.host = "a";
    s.peer = "b";
    for (int t = 1; t <= 100000; t++) {
        s.ts = t;
        s.figure[RECKON_SENT] = t + 1.0 / 3;
        reckon_sink_sample(sink, &s);
    }
    s.ts = 100000 - 60; /* late, and just in time */
    s.figure[RECKON_SENT] = s.ts + 1.0 / 3;
    reckon_sink_sample(sink, &s);
    CU_ASSERT(sink->count < 10000);
    sinks_finish(&sink, 1);
    struct sample_cursor c;
    size_t inside = 0, read = 0;
    for (cursor_start(&c, sink); cursor_next(&c); read++)
        inside += c.record.ts >= 100000 - 60 && c.record.figure[RECKON_SENT] == c.record.ts + 1.0 / 3;
    CU_ASSERT_EQUAL(inside, 62);
    CU_ASSERT_EQUAL(read, sink->count);
    sink_free(sink);
    reading_end(&x);
}

/* Two files name the same hosts in another order; --names makes one of two. */
static void shares_names(void) {
    struct reading x;
    reading_start(&x);
    x.r->names = names_map_new(x.r);
    reckon_names_add(x.r->names, "m-a", "a");
    struct reckon_sink *sinks[] = {sink_new(x.r, "1.csv"), sink_new(x.r, "2.csv")};
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.host = "m-a";
    s.peer = "b";
    reckon_sink_sample(sinks[0], &s);
    s.host = "b";
    s.peer = "a";
    reckon_sink_sample(sinks[1], &s);
    struct sample_names *names = sinks_finish(sinks, 2);
    CU_ASSERT_EQUAL(names->hosts.count, 2);
    struct sample_cursor c, d;
    cursor_start(&c, sinks[0]);
    cursor_start(&d, sinks[1]);
    CU_ASSERT_FATAL(cursor_next(&c) && cursor_next(&d));
    CU_ASSERT_EQUAL(c.record.host, d.record.peer);
    CU_ASSERT_EQUAL(c.record.peer, d.record.host);
    CU_ASSERT_STRING_EQUAL(names->hosts.text[c.record.host], "a");
    sink_free(sinks[0]);
    CU_ASSERT_STRING_EQUAL(names->hosts.text[d.record.host], "b"); /* the other still holds them */
    sink_free(sinks[1]);
    reading_end(&x);
}

/* A row as mx writes it costs a few dozen bytes: 4 + 4 a figure of up to three decimals, the peer next in
 * order free. */
static void is_small(void) {
    struct reading x;
    reading_start(&x);
    struct reckon_sink *sink = sink_new(x.r, "f.csv");
    struct reckon_sample s;
    char peer[16];
    reckon_sample_init(&s);
    s.host = "h";
    s.ts = 1;
    s.figure[RECKON_SIZE] = 1434;
    s.figure[RECKON_REPLY_SIZE] = 34;
    size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 100000; i++) {
        snprintf(peer, sizeof peer, "p%d", i % 100);
        s.peer = peer;
        s.figure[RECKON_SENT] = 1000 + i * 0.1;
        s.figure[RECKON_ACHIEVED] = 999 + i * 0.1;
        s.figure[RECKON_LOSS] = i % 1000 * 0.001;
        s.figure[RECKON_RTT_P50] = i % 200;
        s.figure[RECKON_RTT_P99] = i % 300 + 100;
        reckon_sink_sample(sink, &s);
    }
    size_t bytes = mallinfo2().uordblks - before;
    CU_ASSERT(bytes < 100000 * 28 || !before); /* a sanitizer's allocator counts nothing */
    sink_free(sink);
    reading_end(&x);
}

void suite_samples(void) {
    CU_pSuite s = CU_add_suite("samples", NULL, NULL);
    CU_add_test(s, "reads back", reads_back);
    CU_add_test(s, "takes what is usable", takes_what_is_usable);
    CU_add_test(s, "begins without peer", begins_without_peer);
    CU_add_test(s, "drops what is too old", drops_what_is_too_old);
    CU_add_test(s, "shares names", shares_names);
    CU_add_test(s, "is small", is_small);
}
