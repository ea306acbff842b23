/* SPDX-License-Identifier: Apache-2.0
 *
 * Run reader iperf3: what a client file says, names, times and the modes they show, the span all tests share,
 * and what is refused. The files have the members that iperf3 3.12 writes; times and figures are made up
 * round.
 */
#include <stdio.h>
#include <string.h>

#include <CUnit/CUnit.h>

#include "../../plugins/runs/iperf3/iperf3.h"
#include "../reading.h"

extern const struct reckon_module run_iperf3_LTX_reckon_plugin;

/* ---- files ---- */

/* A test of `seconds` from 1000 + at on, 1 s an interval. MB are 10^6 bytes, rates Mb/s. */
struct made {
    double at, seconds;
    const char *mb;       /* of each interval: "5 5 5"; NULL: no interval */
    double sent, arrived; /* MB in all */
    double target;        /* -b of each stream, 0: none */
    int streams, reverse, omit, fqrate;
    const char *protocol, *version; /* NULL: TCP, 3.12 */
    const char *end;                /* more members of end */
    const char *server;             /* its address; NULL: 10.0.0.2 */
};

struct trial {
    struct reading reading;
    struct setting settings[3];
    const char *pattern;
};

static void start(struct trial *t) {
    reading_start(&t->reading);
    t->pattern = IPERF3_PATTERN;
    t->settings[0] = t->reading.mode;
    t->settings[1] = (struct setting){.spec = {.name = "iperf3-pattern", .type = RECKON_TEXT},
                                      .values = {&t->pattern, 1, 1}};
    t->settings[2] = (struct setting){.spec = {.name = "mtu", .type = RECKON_NUMBER}, .number = 1500};
    t->reading.scratch.options.at = t->settings;
    t->reading.scratch.options.count = t->reading.scratch.options.cap = 3;
}

static void end(struct trial *t) {
    reading_end(&t->reading);
}

static void ask_mode(struct trial *t, const char *mode) {
    t->reading.mode_text = mode;
    t->settings[0].values = (struct strings){&t->reading.mode_text, 1, 1};
}

static const char *intervals_of(struct reckon *r, const struct made *m) {
    const char *all = "", *s = m->mb ? m->mb : "";
    double mb;
    for (int i = 0, used; sscanf(s, "%lf%n", &mb, &used) == 1; i++, s += used)
        all = reckon_text(
            r, "%s%s{\"streams\":[],\"sum\":{\"start\":%d,\"end\":%d,\"bytes\":%.0f,\"omitted\":%s}}", all,
            i ? "," : "", i < m->omit ? i : i - m->omit, (i < m->omit ? i : i - m->omit) + 1, mb * 1e6,
            i < m->omit ? "true" : "false");
    return all;
}

static const char *sum_of(struct reckon *r, double mb, double seconds) {
    return reckon_text(r, "{\"seconds\":%g,\"bytes\":%.0f,\"bits_per_second\":%.6f,\"lost_percent\":%s}",
                       seconds, mb * 1e6, mb * 8e6 / seconds, "2.5");
}

static const char *start_of(struct reckon *r, const struct made *m) {
    return reckon_text(
        r,
        "{\"connected\":[{\"local_host\":\"10.0.0.1\",\"remote_host\":\"%s\"},{}],\"version\":\"iperf %s\","
        "\"timestamp\":{\"timesecs\":%.0f},\"test_start\":{\"protocol\":\"%s\",\"num_streams\":%d,"
        "\"blksize\":1448,\"omit\":%d,\"duration\":%g,\"reverse\":%d,\"target_bitrate\":%.0f,\"fqrate\":%d}}",
        m->server ? m->server : "10.0.0.2", m->version ? m->version : "3.12", 1000 + m->at,
        m->protocol ? m->protocol : "TCP", m->streams ? m->streams : 1, m->omit, m->seconds, m->reverse,
        m->target * 1e6, m->fqrate);
}

static void make(struct trial *t, const char *name, const struct made *m) {
    struct reckon *r = t->reading.r;
    reading_file(
        &t->reading, name,
        reckon_text(r, "{\"start\":%s,\"intervals\":[%s],\"end\":{\"sum_sent\":%s,\"sum_received\":%s%s}}",
                    start_of(r, m), intervals_of(r, m), sum_of(r, m->sent, m->seconds),
                    sum_of(r, m->arrived, m->seconds), m->end ? m->end : ""));
}

/* A test that got 10 Mb/s all the time. */
static void make_plain(struct trial *t, const char *name, double at, double seconds) {
    make(t, name,
         &(struct made){.at = at, .seconds = seconds, .sent = 1.25 * seconds, .arrived = 1.25 * seconds});
}

static const struct reckon_comparison *read_all(struct trial *t) {
    return reading_run(&t->reading, &run_iperf3_LTX_reckon_plugin, t->reading.folder, 60);
}

static bool near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

/* The achieved rate of a flow; blank when there is none. */
static double got(const struct reckon_comparison *c, const char *src, const char *dst) {
    const struct flow *f = c ? flow_named(c, src, dst, NULL) : NULL;
    return f ? f->achieved : RECKON_BLANK;
}

/* ---- one test ---- */

/* 5 MB in 2 s arrive: 20 Mb/s; 6 MB were sent: 24. */
static void reads_goodput(void) {
    struct trial t;
    start(&t);
    make(&t, "a-b.json",
         &(struct made){.seconds = 2,
                        .mb = "3 3",
                        .sent = 6,
                        .arrived = 5,
                        .end = ",\"cpu_utilization_percent\":{\"host_total\":80.5,\"remote_total\":7}"});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    CU_ASSERT(near(got(c, "a", "b"), 20));
    CU_ASSERT(near(c->flows[0].sent, 24));
    CU_ASSERT(reckon_blank(c->flows[0].demand));
    CU_ASSERT_EQUAL(c->workload, RECKON_TCP);
    CU_ASSERT(host_named(c, "a")->reported);
    CU_ASSERT(!host_named(c, "b")->reported); /* others alone speak of it, so that its CPU is left out */
    CU_ASSERT_EQUAL(host_named(c, "a")->cpu_agent, 80.5);
    CU_ASSERT(reckon_blank(host_named(c, "b")->cpu_agent));
    CU_ASSERT(reckon_blank(c->last_ts)); /* no window applies to tests that may be hours apart */
    end(&t);
}

/* -R: the server sends, and what the client counted has arrived already. */
static void reads_reverse(void) {
    struct trial t;
    start(&t);
    make(&t, "a-b.json", &(struct made){.seconds = 2, .mb = "5 5", .sent = 12, .arrived = 10, .reverse = 1});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 1);
    CU_ASSERT(near(got(c, "b", "a"), 40));
    CU_ASSERT(near(c->flows[0].sent, 48));
    CU_ASSERT(host_named(c, "a")->reported && host_named(c, "b")->reported);
    end(&t);
}

/* --bidir: two flows of one file; -P 4 -b 10M: each way wants 40 Mb/s. From 3.16 on a stream is a thread: of
 * two sockets' 120% one takes 60. */
static void reads_both_ways(void) {
    struct trial t;
    start(&t);
    struct reckon *r = t.reading.r;
    make(&t, "a-b.json",
         &(struct made){
             .seconds = 2,
             .mb = "5 5",
             .sent = 10,
             .arrived = 10,
             .streams = 4,
             .target = 10,
             .version = "3.16",
             .end = reckon_text(r,
                                ",\"sum_sent_bidir_reverse\":%s,\"sum_received_bidir_reverse\":%s,"
                                "\"cpu_utilization_percent\":{\"host_total\":120,\"remote_total\":50}",
                                sum_of(r, 4, 2), sum_of(r, 3, 2))});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 2);
    CU_ASSERT(near(got(c, "a", "b"), 40));
    CU_ASSERT(near(got(c, "b", "a"), 12));
    CU_ASSERT(near(flow_named(c, "b", "a", NULL)->sent, 16));
    CU_ASSERT_EQUAL(c->flows[0].demand, 40);
    CU_ASSERT_EQUAL(c->flows[1].demand, 40);
    CU_ASSERT_EQUAL(host_named(c, "a")->cpu_agent, 60);
    CU_ASSERT_EQUAL(host_named(c, "b")->cpu_agent, 25);
    end(&t);
}

/* UDP: datagrams, loss, and the lower of -b and --fq-rate. */
static void reads_udp(void) {
    struct trial t;
    start(&t);
    make(&t, "a-b.json",
         &(struct made){
             .seconds = 2, .sent = 10, .arrived = 9.75, .protocol = "UDP", .target = 40, .fqrate = 30000000});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->workload, RECKON_UDP);
    CU_ASSERT(near(got(c, "a", "b"), 39));
    CU_ASSERT_EQUAL(c->flows[0].loss, 2.5);
    CU_ASSERT_EQUAL(c->flows[0].demand, 30);
    CU_ASSERT_EQUAL(c->shapes[c->flows[0].shape].size, 1448);
    end(&t);
}

/* Before 3.10 UDP had one sum, of what was sent: 10 Mb/s less 5%. */
static void reads_old_udp(void) {
    struct trial t;
    start(&t);
    reading_file(
        &t.reading, "a-b.json",
        reckon_text(
            t.reading.r,
            "{\"start\":%s,\"intervals\":[],\"end\":{\"sum\":{\"seconds\":2,\"bytes\":2500000,"
            "\"bits_per_second\":10000000,\"lost_percent\":5}}}",
            start_of(t.reading.r, &(struct made){.seconds = 2, .protocol = "UDP", .version = "3.7"})));
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT(near(got(c, "a", "b"), 9.5));
    CU_ASSERT_EQUAL(c->flows[0].loss, 5);
    CU_ASSERT(near(c->flows[0].sent, 10));
    end(&t);
}

/* ---- failed tests ---- */

static void counts_failures(void) {
    static const struct {
        const char *name, *text, *status, *error;
    } files[] = {
        {"b-a.json",
         "{\"start\":{\"connected\":[]},\"intervals\":[],\"end\":{},\"error\":\"unable to connect\"}",
         "ERROR", "unable to connect"},
        {"b-c.json", " \n", "EMPTY", NULL},
        {"b-d.json", "{\"start\":{\"connected\":[", "CUT-OFF", NULL},
        {"b-e.json", "iperf3: error - the server is busy\nmore", "ERROR", "error - the server is busy"},
        {"b-f.json", "{\"start\":{\"test_start\":{\"protocol\":\"TCP\"}},\"end\":{}}", "NO-SUMMARY", NULL},
    };
    struct trial t;
    start(&t);
    make_plain(&t, "a-b.json", 0, 2);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        reading_file(&t.reading, files[i].name, files[i].text);
    reading_file(&t.reading, "nobody.json", "");
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 1);
    CU_ASSERT_EQUAL_FATAL(c->nfailed, 5);
    for (size_t i = 0; i < 5; i++) { /* sorted by target, as the files are */
        CU_ASSERT_STRING_EQUAL(c->failed[i].source, "b");
        CU_ASSERT_STRING_EQUAL(c->failed[i].status, files[i].status);
        CU_ASSERT(!files[i].error || !strcmp(c->failed[i].error, files[i].error));
    }
    CU_ASSERT(!host_named(c, "b")->reported && !host_named(c, "d")->reported);
    CU_ASSERT(reading_noted(&t.reading, "nobody.json is a failed test of hosts unknown"));
    end(&t);
}

/* ---- names ---- */

static void names_by_pattern(void) {
    static const struct {
        const char *pattern, *file, *src, *dst;
    } cases[] = {
        {"{src}-{dst}.json", "web1-db.json", "web1", "db"},
        {"{src}-{dst}.json", "odd.json", "10.0.0.1", "10.0.0.2"}, /* the addresses */
        {"t_{dst}_from_{src}_*.json", "t_b_from_a_17.json", "a", "b"},
        {"*{src}--{dst}.json", "x-y--z.json", NULL, NULL}, /* where * ends is anybody's guess */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial t;
        start(&t);
        t.pattern = cases[i].pattern;
        CU_ASSERT_EQUAL(iperf3_check_pattern(t.reading.r, "--iperf3-pattern", t.pattern), i == 3 ? -1 : 0);
        t.reading.r->task.error = NULL;
        make_plain(&t, cases[i].file, 0, 2);
        const struct reckon_comparison *c = read_all(&t);
        CU_ASSERT_EQUAL(c != NULL, cases[i].src != NULL);
        if (cases[i].src)
            CU_ASSERT(near(got(c, cases[i].src, cases[i].dst), 10));
        end(&t);
    }
}

/* Hosts whose names hold the pattern's dash: the layout or --names tell them apart. */
static void names_with_dashes(void) {
    struct trial t;
    start(&t);
    make_plain(&t, "r1-a-r2-b.json", 0, 2);
    CU_ASSERT_PTR_NULL(read_all(&t));
    CU_ASSERT(scratch_error(&t.reading.scratch, "in 3 ways"));
    CU_ASSERT_EQUAL(scratch_layout(&t.reading.scratch, "rack r\n  node r1-a\n  node r2-b\n"), 0);
    CU_ASSERT(near(got(read_all(&t), "r1-a", "r2-b"), 10));
    layout_free(t.reading.r->layout);
    t.reading.r->layout = NULL;
    t.reading.r->names = names_map_new(t.reading.r);
    reckon_names_add(t.reading.r->names, "10.0.0.1", "r1-a");
    reckon_names_add(t.reading.r->names, "10.0.0.2", "r2-b");
    CU_ASSERT(near(got(read_all(&t), "r1-a", "r2-b"), 10));
    end(&t);
}

static void checks_patterns(void) {
    static const char *const bad[] = {"{src}.json", "{src}-{dst}-{src}", "{src}{dst}.json", "*{dst}-{src}",
                                      "*-{src}-{dst}-*"};
    struct trial t;
    start(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(iperf3_check_pattern(t.reading.r, "--iperf3-pattern", bad[i]), -1);
        CU_ASSERT(scratch_error(&t.reading.scratch, "--iperf3-pattern"));
    }
    CU_ASSERT_EQUAL(iperf3_check_pattern(t.reading.r, "--iperf3-pattern", "{dst}/{src}.json"), 0);
    end(&t);
}

/* ---- modes ---- */

/* 10 s tests: those 8 s apart share 2 s, less than a quarter; those 7 s apart 3 s. 2 s tests share 2 s when
 * they start in one second, 1 s when not. */
static void tells_modes(void) {
    static const struct {
        const char *mode; /* NULL: refused */
        double seconds, at[4];
    } cases[] = {
        {"parallel", 10, {0, 7, 0, 7}},
        {"sequential-pair", 10, {0, 8, 16, 24}},
        {"sequential-host", 10, {0, 0, 10, 10}},
        {NULL, 10, {0, 10, 0, 10}}, /* senders meet, one's own tests do not */
        {NULL, 10, {0, 0, 0, 10}},
        {"sequential-pair", 2, {0, 1, 2, 3}},
        {"parallel", 2, {0, 0, 0, 0}},
        {NULL, 10, {0, 0, 7.4, 14}},
    };
    static const char *const name[] = {"a-b.json", "a-c.json", "b-a.json", "b-c.json"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial t;
        start(&t);
        for (size_t k = 0; k < 4; k++)
            make_plain(&t, name[k], cases[i].at[k], cases[i].seconds);
        const struct reckon_comparison *c = read_all(&t);
        CU_ASSERT_EQUAL(c != NULL, cases[i].mode != NULL);
        if (c && cases[i].mode)
            CU_ASSERT_STRING_EQUAL(c->mode, cases[i].mode);
        if (!c)
            CU_ASSERT(scratch_error(&t.reading.scratch, "b-a.json ran side by side, "));
        end(&t);
    }
}

/* The option counts, and a note says what the times show. */
static void takes_the_mode_given(void) {
    struct trial t;
    start(&t);
    make_plain(&t, "a-b.json", 0, 10);
    make_plain(&t, "b-a.json", 20, 10);
    ask_mode(&t, "parallel");
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->sharing, RECKON_SHARE_ALL);
    CU_ASSERT(reading_noted(&t.reading, "by their times the tests were driven sequential-pair"));
    CU_ASSERT(reading_noted(&t.reading, "for only 0.0 s"));
    CU_ASSERT(c->loose_times);
    ask_mode(&t, "rolling");
    CU_ASSERT_EQUAL(run_iperf3_LTX_reckon_plugin.plugin->check(t.reading.r), -1);
    end(&t);
}

/* ---- the span in common ---- */

/* a has the link for itself for 2 s, b at its end: 10 MB/s alone, 5 MB/s each together. Whole averages are 48
 * and 48 Mb/s on a link of 80; while both ran it is 40 and 40. */
static void takes_the_common_span(void) {
    struct trial t;
    start(&t);
    make(&t, "a-c.json",
         &(struct made){.seconds = 10, .mb = "10 10 5 5 5 5 5 5 5 5", .sent = 60, .arrived = 60});
    make(&t, "b-c.json",
         &(struct made){.at = 2, .seconds = 10, .mb = "5 5 5 5 5 5 5 5 10 10", .sent = 60, .arrived = 60});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_STRING_EQUAL(c->mode, "parallel");
    CU_ASSERT(near(got(c, "a", "c"), 40));
    CU_ASSERT(near(got(c, "b", "c"), 40));
    CU_ASSERT(!c->loose_times);
    CU_ASSERT(reading_noted(&t.reading, "the 8.0 s in which all 2 tests ran"));
    end(&t);
}

/* 6 s apart, 4 s in common of 10: less than half. */
static void leaves_a_short_span(void) {
    struct trial t;
    start(&t);
    make(&t, "a-c.json",
         &(struct made){.seconds = 10, .mb = "10 10 5 5 5 5 5 5 5 5", .sent = 60, .arrived = 60});
    make(&t, "b-c.json",
         &(struct made){.at = 6, .seconds = 10, .mb = "5 5 5 5 5 5 5 5 10 10", .sent = 60, .arrived = 60});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT(near(got(c, "a", "c"), 48));
    CU_ASSERT(c->loose_times);
    CU_ASSERT(reading_noted(&t.reading, "for only 4.0 s, less than half a test"));
    end(&t);
}

/* 10% of UDP are lost all along: of 5 MB/s in the span 4.5 arrive, 36 Mb/s. TCP that wrote 3 MB ahead in its
 * first second, which never arrived: the other seconds are what they look like, 40 Mb/s. What --omit
 * leaves out comes before the measurement: 1002 to 1006 for both. An interval that goes on behind the span
 * counts by its part. */
static void scales_by_what_arrived(void) {
    struct trial t;
    start(&t);
    make(&t, "a-c.json",
         &(struct made){.seconds = 6, .mb = "10 10 5 5 5 5", .sent = 40, .arrived = 36, .protocol = "UDP"});
    make(&t, "b-c.json",
         &(struct made){
             .at = 2, .seconds = 6, .mb = "5 5 5 5 10 10", .sent = 40, .arrived = 36, .protocol = "UDP"});
    CU_ASSERT(near(got(read_all(&t), "a", "c"), 36));
    make(&t, "a-c.json", &(struct made){.seconds = 6, .mb = "8 5 5 5 5 5", .sent = 33, .arrived = 30});
    make(&t, "b-c.json",
         &(struct made){.at = 2, .seconds = 6, .mb = "8 5 5 5 5 5", .sent = 33, .arrived = 30});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT(near(got(c, "a", "c"), 40));
    CU_ASSERT(near(got(c, "b", "c"), 40));
    make(&t, "a-c.json",
         &(struct made){.seconds = 4, .mb = "99 99 8 5 5 5", .sent = 23, .arrived = 23, .omit = 2});
    make(&t, "b-c.json", &(struct made){.at = 2, .seconds = 4, .mb = "5 5 5 5", .sent = 20, .arrived = 20});
    CU_ASSERT(near(got(read_all(&t), "a", "c"), (8 + 5 + 5 + 5) * 8 / 4.0));
    make(&t, "a-c.json", &(struct made){.seconds = 6, .mb = "5 5 5 5 9 9", .sent = 38, .arrived = 38});
    make(&t, "b-c.json", &(struct made){.seconds = 4.5, .mb = "5 5 5 5", .sent = 20, .arrived = 20});
    CU_ASSERT(near(got(read_all(&t), "a", "c"), (20 + 9 / 2.0) * 8 / 4.5));
    end(&t);
}

/* Tests of one pair side by side add up, and so do their targets; one after the other they are averaged. */
static void adds_up(void) {
    struct trial t;
    start(&t);
    t.pattern = "{src}-{dst}_*";
    make(&t, "a-b_1.json", &(struct made){.seconds = 4, .sent = 10, .arrived = 10, .target = 30});
    make(&t, "a-b_2.json", &(struct made){.seconds = 4, .sent = 5, .arrived = 5, .target = 30});
    const struct reckon_comparison *c = read_all(&t);
    CU_ASSERT(near(got(c, "a", "b"), 30));
    CU_ASSERT_EQUAL(c->flows[0].demand, 60);
    make(&t, "a-b_2.json", &(struct made){.at = 4, .seconds = 4, .sent = 5, .arrived = 5, .target = 30});
    c = read_all(&t);
    CU_ASSERT(near(got(c, "a", "b"), 15));
    CU_ASSERT_EQUAL(c->flows[0].demand, 30);
    end(&t);
}

/* Side by side the busiest of a host's processes counts, else their mean. */
static void reads_cpu(void) {
    struct trial t;
    static const char *const cpu[] = {",\"cpu_utilization_percent\":{\"host_total\":90,\"remote_total\":1}",
                                      ",\"cpu_utilization_percent\":{\"host_total\":10,\"remote_total\":3}"};
    for (int later = 0; later < 2; later++) {
        start(&t);
        make(&t, "a-b.json", &(struct made){.seconds = 4, .sent = 5, .arrived = 5, .end = cpu[0]});
        make(&t, "b-a.json",
             &(struct made){.at = 4 * later, .seconds = 4, .sent = 5, .arrived = 5, .end = cpu[1]});
        const struct reckon_comparison *c = read_all(&t);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT_EQUAL(host_named(c, "a")->cpu_agent, later ? (90 + 3) / 2.0 : 90);
        CU_ASSERT_EQUAL(host_named(c, "b")->cpu_agent, later ? (1 + 10) / 2.0 : 10);
        end(&t);
    }
}

/* ---- refusals ---- */

static void refuses(void) {
    static const struct {
        const char *text, *piece;
    } cases[] = {
        {"{\"start\":{\"accepted_connection\":{}}}", "a server's file"},
        {"{\"a\":1}", "no \"start\""},
        {"[1]", "no \"start\""},
        {"plain text", "not a file of iperf3 -J"},
        {"{\"start\":{\"test_start\":{\"protocol\":\"SCTP\"}}}", "its protocol is SCTP"},
        {"{\"start\":{}} {\"start\":{}}", "more than one JSON document"},
        {"{\"start\":{},\"error\":\"no\"}", "it holds no successful test"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trial t;
        start(&t);
        reading_file(&t.reading, "a-b.json", cases[i].text);
        CU_ASSERT_PTR_NULL(read_all(&t));
        CU_ASSERT(scratch_error(&t.reading.scratch, cases[i].piece));
        end(&t);
    }
}

static void refuses_a_mixture(void) {
    struct trial t;
    start(&t);
    make_plain(&t, "a-b.json", 0, 2);
    make(&t, "b-a.json", &(struct made){.seconds = 2, .sent = 1, .arrived = 1, .protocol = "UDP"});
    CU_ASSERT_PTR_NULL(read_all(&t));
    CU_ASSERT(scratch_error(&t.reading.scratch, "b-a.json: it is a test of UDP while"));
    end(&t);
}

/* Members of the wrong kind, and figures that are none. */
static void survives_oddities(void) {
    static const char *const texts[] = {
        "{\"start\":[],\"error\":5}",
        "{\"start\":{\"connected\":{},\"test_start\":{\"protocol\":\"TCP\",\"num_streams\":\"x\"},"
        "\"timestamp\":1},\"intervals\":"
        "{},\"end\":{\"sum_received\":{\"bytes\":-1,\"bits_per_second\":1e999,\"seconds\":0}}}",
        "{\"start\":{\"test_start\":{\"protocol\":\"TCP\"}},\"intervals\":[1,null,{\"sum\":[]}],\"end\":[]}",
    };
    struct trial t;
    start(&t);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        reading_file(&t.reading, "a-b.json", texts[i]);
        CU_ASSERT_PTR_NULL(read_all(&t));
        CU_ASSERT(scratch_error(&t.reading.scratch, ""));
    }
    end(&t);
}

void suite_iperf3(void) {
    CU_pSuite s = CU_add_suite("iperf3", NULL, NULL);
    CU_add_test(s, "reads goodput", reads_goodput);
    CU_add_test(s, "reads -R", reads_reverse);
    CU_add_test(s, "reads --bidir", reads_both_ways);
    CU_add_test(s, "reads UDP", reads_udp);
    CU_add_test(s, "reads UDP of old versions", reads_old_udp);
    CU_add_test(s, "counts failures", counts_failures);
    CU_add_test(s, "names by pattern", names_by_pattern);
    CU_add_test(s, "names with dashes", names_with_dashes);
    CU_add_test(s, "checks patterns", checks_patterns);
    CU_add_test(s, "tells modes", tells_modes);
    CU_add_test(s, "takes the mode given", takes_the_mode_given);
    CU_add_test(s, "takes the common span", takes_the_common_span);
    CU_add_test(s, "leaves a short span", leaves_a_short_span);
    CU_add_test(s, "scales by what arrived", scales_by_what_arrived);
    CU_add_test(s, "adds up", adds_up);
    CU_add_test(s, "reads CPU", reads_cpu);
    CU_add_test(s, "refuses", refuses);
    CU_add_test(s, "refuses a mixture", refuses_a_mixture);
    CU_add_test(s, "survives oddities", survives_oddities);
}
