/* SPDX-License-Identifier: Apache-2.0
 *
 * Records that are wrong, come twice, late or in any order, and clocks that are apart: nothing crashes, all
 * of it is counted and said, and what can be told is told all the same.
 */
#include <stdlib.h>
#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../plugins/verbs/triage_common/tail.h"
#include "../triage_toy.h"

void suite_triage_records(void);

static struct toy toy;

static struct reckon_probe good(double at, const char *status) {
    return (struct reckon_probe){.size = sizeof(struct reckon_probe),
                                 .ts = TOY_BEGIN + at,
                                 .list = "inter-tor",
                                 .prober = "H1/0",
                                 .target = "H3/0",
                                 .tuple = "H1/0:1>H3/0:2",
                                 .qpn = 104,
                                 .status = status,
                                 .app_rtt_ns = RECKON_BLANK,
                                 .nic_rtt_ns = RECKON_BLANK,
                                 .responder_ns = RECKON_BLANK};
}

static void put(const struct reckon_probe *p) {
    toy.a.records.probe(&toy.a.records, p);
}

static uint64_t odd(enum odd kind) {
    return toy.a.odd[kind].count;
}

static bool noted(const char *piece) {
    const char *note;
    for (size_t i = 0; (note = reckon_note_at(toy.a.r, i)); i++)
        if (strstr(note, piece))
            return true;
    return false;
}

static void malformed_probes(void) {
    toy_start(&toy);
    struct reckon_probe p = good(1, "ok");
    put(&p);
    p.list = "tor_mesh", put(&p), p.list = "inter-tor";
    p.status = "lost", put(&p), p.status = "ok";
    p.tuple = "", put(&p), p.tuple = "a";
    p.ts = RECKON_BLANK, put(&p);
    p.ts = -5, put(&p);
    p.ts = 1e300, put(&p), p.ts = TOY_BEGIN + 2;
    CU_ASSERT_EQUAL(odd(ODD_MALFORMED), 6);
    p.prober = "H9/0", put(&p), p.prober = "H1/0";
    p.target = "H1/7", put(&p), p.target = "H3/0";
    CU_ASSERT_EQUAL(odd(ODD_STRANGER), 2);
    toy_judge(&toy);
    CU_ASSERT_EQUAL(toy.subject.probes, 1);
    say_odd(&toy.a);
    CU_ASSERT_TRUE(noted("6 records left out as malformed"));
    CU_ASSERT_TRUE(noted("RNIC H9/0"));
    toy_end(&toy);
}

static void malformed_others(void) {
    toy_start(&toy);
    struct reckon_records *x = &toy.a.records;
    x->agent(x, TOY_BEGIN, "H1", "0", RECKON_BLANK, "register"); /* without a number */
    x->agent(x, TOY_BEGIN, "H1", "0", 5, "restart");
    x->path(x, "t", "forward", "A>S1");
    x->path(x, "t", "probe", "A-S1");
    x->path(x, "t", "probe", "A>");
    x->path(x, "t", "probe", "  ");
    x->path(x, "", "probe", "A>S1");
    x->job(x, "no tuple");
    x->metric(x, TOY_BEGIN, RECKON_BLANK);
    CU_ASSERT_EQUAL(odd(ODD_MALFORMED), 9);
    x->agent(x, TOY_BEGIN, "H9", "0", 5, "upload");
    x->agent(x, TOY_BEGIN, "H1", "9", 5, "register");
    CU_ASSERT_EQUAL(odd(ODD_STRANGER), 2);
    char long_path[4096] = "";
    for (int i = 0; i < 70; i++)
        strcat(long_path, "A>S1 ");
    x->path(x, "t", "ack", long_path);
    CU_ASSERT_EQUAL(odd(ODD_MALFORMED), 10);
    toy_end(&toy);
}

/* A record that is there twice counts once; one that differs in its time does not. */
static void copies(void) {
    toy_start(&toy);
    struct reckon_probe p = good(1, "timeout");
    put(&p), put(&p), put(&p);
    p.ts += 0.001, put(&p);
    CU_ASSERT_EQUAL(odd(ODD_COPY), 2);
    toy_judge(&toy);
    CU_ASSERT_EQUAL(toy.subject.timeouts, 2);
    toy_end(&toy);
}

static bool over_a_s3(const struct toy_probe *p) {
    return toy_over(p, 'A', 3);
}

/* Everything twice, and the periods in the wrong order: the same problems. */
static void twice_and_backwards(void) {
    toy_start(&toy);
    for (int round = 0; round < 2; round++)
        for (int period = 2; period >= 0; period--) {
            toy.lost = period == 1 ? over_a_s3 : NULL;
            toy_period(&toy, period);
        }
    uint64_t once = 3 * (12 * 200 + 48 * 20), uploads = 3 * 12 * 4;
    CU_ASSERT_EQUAL(odd(ODD_COPY), once);
    /* of each round the periods 1 and 0, and of the second one period 2 but for the times the first had got
     * to */
    CU_ASSERT(odd(ODD_REORDERED) > 2 * 2 * once / 3);
    toy_judge(&toy);
    CU_ASSERT_EQUAL(odd(ODD_COPY), once + uploads);
    CU_ASSERT_EQUAL(toy.a.hosts[0].uploads.count, uploads / 6);
    say_odd(&toy.a);
    CU_ASSERT_TRUE(noted("left out as copies"));
    CU_ASSERT_TRUE(noted("and read in their place"));
    CU_ASSERT_EQUAL(toy.subject.probes, once);
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(toy_problem(&toy, RECKON_SWITCH_PROBLEM, "A-S3"));
    CU_ASSERT_EQUAL(toy_problem(&toy, RECKON_SWITCH_PROBLEM, "A-S3")->votes, 160);
    toy_end(&toy);
}

/* Agents' records alone: copies are left out, other agents of the host and other times are not; what comes
 * behind is counted. */
static void agents_twice_and_late(void) {
    toy_start(&toy);
    struct reckon_records *x = &toy.a.records;
    double t = TOY_BEGIN;
    x->agent(x, t + 5, "H1", "0", RECKON_BLANK, "upload");
    x->agent(x, t + 5, "H1", "0", RECKON_BLANK, "upload");
    x->agent(x, t + 5, "H1", "1", RECKON_BLANK, "upload");
    x->agent(x, t + 10, "H1", "H1/0", RECKON_BLANK, "upload");
    x->agent(x, t + 6, "H1", "0", RECKON_BLANK, "upload"); /* four seconds behind */
    x->agent(x, t + 9, "H1", "1", RECKON_BLANK, "upload");
    x->agent(x, t + 8.5, "H1", "1", RECKON_BLANK, "upload"); /* half a second is nothing */
    x->agent(x, t + 5, "H1", "0", RECKON_BLANK, "upload");
    for (int i = 0; i < 3; i++)
        x->agent(x, t + 7, "H2", "0", 555, "register");
    CU_ASSERT_EQUAL(odd(ODD_REORDERED), 2);
    agents_settle(&toy.a);
    CU_ASSERT_EQUAL(odd(ODD_COPY), 2 + 2);
    CU_ASSERT_EQUAL(toy.a.hosts[0].uploads.count, 6);
    CU_ASSERT_EQUAL(toy.a.rnics[2].registered.count, 2); /* and the number of long ago */
    x->agent(x, t + 5, "H1", "0", RECKON_BLANK, "upload");
    agents_settle(&toy.a);
    CU_ASSERT_EQUAL(odd(ODD_COPY), 5);
    toy_end(&toy);
}

/* A judged period takes no more; one far ahead of the rest is not opened while following. */
static void late_and_ahead(void) {
    toy_start(&toy);
    toy.a.follow = true;
    struct reckon_probe p = good(1, "ok");
    put(&p);
    p.ts = TOY_BEGIN + 1000, put(&p);
    CU_ASSERT_EQUAL(odd(ODD_AHEAD), 1);
    p.ts = TOY_BEGIN + 21, put(&p);
    toy_judge(&toy);
    p.ts = TOY_BEGIN + 2, put(&p);
    CU_ASSERT_EQUAL(odd(ODD_LATE), 1);
    CU_ASSERT_EQUAL(odd(ODD_REORDERED), 0); /* neither 1000 nor 2 is read in its place */
    say_odd(&toy.a);
    CU_ASSERT_TRUE(noted("they came after their period was judged"));
    CU_ASSERT_TRUE(noted("periods ahead of the rest"));
    toy_end(&toy);
}

static void vanished_agent(void) {
    toy_start(&toy);
    toy_period(&toy, 0);
    toy.skipped = 4; /* H3 */
    toy_period(&toy, 1);
    toy_period(&toy, 2);
    toy_judge(&toy);
    agents_say(&toy.a);
    CU_ASSERT_TRUE(noted("the agents of 1 host uploaded before and then no more (the first: H3"));
    toy_end(&toy);
}

static bool over_a_s3_a_while(const struct toy_probe *p) {
    return over_a_s3(p) && p->at >= 5 && p->at < 12;
}

/* H2's clock is 7 s ahead and H5's 3 s behind, in all they write: said, and a cable that is dead for 7 s of
 * period 1 is found all the same, and nothing else. */
static void clocks_apart(void) {
    toy_start_with(&toy, &(const struct toy){.clock = {[2] = 7, [5] = -3}});
    for (int period = 0; period < 3; period++) {
        toy.lost = period == 1 ? over_a_s3_a_while : NULL;
        toy_period(&toy, period);
    }
    toy_judge(&toy);
    agents_say(&toy.a);
    CU_ASSERT_TRUE(noted("the clocks of 2 hosts are apart from the others' (the first: H2 by about +7.0 s)"));
    CU_ASSERT_EQUAL(toy.subject.nproblems, 1);
    const struct reckon_triage_problem *p = toy_problem(&toy, RECKON_SWITCH_PROBLEM, "A-S3");
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_EQUAL(p->votes, 8 * 7);
    CU_ASSERT_EQUAL(p->start, TOY_BEGIN + TOY_PERIOD);
    CU_ASSERT_EQUAL(p->periods, 1);
    toy_end(&toy);
}

/* Numbers and their times: 102 from long ago, 555 from 50 s on. */
static void stale_numbers(void) {
    toy_start(&toy);
    struct reckon_records *x = &toy.a.records;
    x->agent(x, TOY_BEGIN + 50, "H2", "0", 555, "register");
    agents_settle(&toy.a);
    uint32_t rnic = topology_rnic(&toy.a.topo, "H2/0", 4);
    CU_ASSERT_FALSE(agents_stale(&toy.a, rnic, TOY_BEGIN + 10, 102));
    CU_ASSERT_TRUE(agents_stale(&toy.a, rnic, TOY_BEGIN + 50, 102));
    CU_ASSERT_TRUE(agents_stale(&toy.a, rnic, TOY_BEGIN + 47, 102)); /* it was restarting */
    CU_ASSERT_FALSE(agents_stale(&toy.a, rnic, TOY_BEGIN + 60, 555));
    CU_ASSERT_TRUE(agents_stale(&toy.a, rnic, TOY_BEGIN + 60, 7));
    CU_ASSERT_EQUAL(odd(ODD_FUTURE_QPN), 0);
    CU_ASSERT_FALSE(agents_stale(&toy.a, rnic, TOY_BEGIN + 40, 555)); /* a clock is wrong */
    CU_ASSERT_EQUAL(odd(ODD_FUTURE_QPN), 1);
    CU_ASSERT_FALSE(agents_stale(&toy.a, rnic, TOY_BEGIN + 60, UINT32_MAX)); /* unknown */
    CU_ASSERT_TRUE(
        agents_stale(&toy.a, rnic, TOY_BEGIN + 47, UINT32_MAX)); /* unknown, and it was restarting */
    toy_end(&toy);
}

/* ---- growing files ---- */

#define TEMPLATE "/tmp/reckon-tail-XXXXXX"
static char path[sizeof TEMPLATE];

static void new_file(void) {
    strcpy(path, TEMPLATE);
    close(mkstemp(path));
}

static void append(const char *text) {
    int fd = open(path, O_WRONLY | O_APPEND);
    CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static size_t read_all(struct tail *t) {
    size_t n = 0, got;
    while ((got = tail_read(t, &toy.a.records, 16)) > 0)
        n += got;
    return n;
}

/* Columns in any order, quotes, half a line that is finished later, a line that is too short, a file that is
 * replaced. */
static void growing_file(void) {
    struct tail t;
    toy_start(&toy);
    new_file();
    tail_init(&t, path, RECORD_AGENT);
    CU_ASSERT_EQUAL(read_all(&t), 0);
    append("event,host,ts,extra,rnic,qpn\nupload,H1,1700000001,,0,\nupload,\"H2\",17000");
    read_all(&t);
    CU_ASSERT_EQUAL(toy.a.hosts[0].uploads.count, 1);
    CU_ASSERT_EQUAL(toy.a.hosts[1].uploads.count, 0);
    append("00002,\"a,\"\"b\",0,\r\nupload,H3\n");
    read_all(&t);
    CU_ASSERT_EQUAL(toy.a.hosts[1].uploads.count, 1);
    CU_ASSERT_EQUAL(toy.a.hosts[1].uploads.at[0].ts, 1700000002);
    CU_ASSERT_EQUAL(t.odd, 1);
    CU_ASSERT_EQUAL(truncate(path, 0), 0);
    append("ts,host,rnic,qpn,event\n1700000009,H3,0,,upload\n");
    read_all(&t);
    CU_ASSERT_EQUAL(toy.a.hosts[2].uploads.count, 1);
    tail_close(&t);
    unlink(path);
    toy_end(&toy);
}

/* Lines are handed over as far as two in a row are later: 3, then 9 because 4 follows it, then 4, but not 8
 * and 7; then all. The quoted commas do not move the ts. */
static void up_to_a_time(void) {
    struct tail t;
    toy_start(&toy);
    new_file();
    tail_init(&t, path, RECORD_AGENT);
    append("host,ts,rnic,qpn,event\nH1,3.5,0,,upload\n\"H2\",9,0,,upload\nH3,4,\"0,\"\"1\",,upload\n"
           "H4,8,0,,upload\nH5,\"7\",0,,upload\nH6,1700000000.123456,0,,upload\nH6,1");
    CU_ASSERT_NOT_EQUAL(tail_fill(&t, 4096), 0);
    CU_ASSERT_FALSE(t.waiting);
    CU_ASSERT(tail_next(&t) < 0); /* the header waits for nothing */
    CU_ASSERT_EQUAL(tail_take(&t, &toy.a.records, -1e300), 1);
    CU_ASSERT_EQUAL(tail_next(&t), 3.5);
    CU_ASSERT_EQUAL(tail_take(&t, &toy.a.records, 5), 3);
    CU_ASSERT_EQUAL(toy.a.hosts[2].uploads.count, 1);
    CU_ASSERT_EQUAL(tail_next(&t), 7);
    CU_ASSERT_EQUAL(tail_fill(&t, 4096), 0); /* there is enough */
    CU_ASSERT_EQUAL(tail_take(&t, &toy.a.records, 7), 2);
    CU_ASSERT(tail_next(&t) > 1700000000.12 && tail_next(&t) < 1700000000.124);
    CU_ASSERT_EQUAL(tail_take(&t, &toy.a.records, 1e300), 1);
    CU_ASSERT_EQUAL(tail_fill(&t, 4096), 0);
    CU_ASSERT_TRUE(t.waiting); /* for the rest of the last line */
    tail_close(&t);
    unlink(path);
    toy_end(&toy);
}

/* After a pause of 980 s the first record is ahead of the rest until a second host has come as far. */
static void after_a_pause(void) {
    toy_start(&toy);
    toy.a.follow = true;
    struct reckon_probe p = good(1, "ok");
    put(&p);
    p.prober = "H2/0", put(&p), p.prober = "H4/0", put(&p);
    p.ts = TOY_BEGIN + 1000, put(&p);
    ahead_admit(&toy.a);
    CU_ASSERT_EQUAL(odd(ODD_AHEAD), 1);
    toy.a.records.agent(&toy.a.records, TOY_BEGIN + 1001, "H1", "0", RECKON_BLANK, "upload");
    ahead_admit(&toy.a); /* the period before the pause was not judged yet */
    CU_ASSERT_EQUAL(odd(ODD_AHEAD), 1);
    CU_ASSERT_TRUE(judge_next(&toy.a));
    ahead_admit(&toy.a);
    CU_ASSERT_EQUAL(odd(ODD_AHEAD), 0);
    toy_judge(&toy);
    CU_ASSERT_EQUAL(toy.subject.probes, 4);
    CU_ASSERT_EQUAL(toy.subject.nperiods, 2);
    toy_end(&toy);
}

static void endless_line(void) {
    struct tail t;
    toy_start(&toy);
    new_file();
    tail_init(&t, path, RECORD_AGENT);
    append("ts,host,rnic,qpn,event\n");
    for (int i = 0; i < 20; i++)
        append("012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
               "3456789"
               "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
               "3456789");
    read_all(&t);
    for (int i = 0; i < 400; i++)
        append("012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
               "3456789"
               "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"
               "3456789");
    read_all(&t);
    CU_ASSERT_EQUAL(t.odd, 1);
    CU_ASSERT(t.cap < 70000);
    append("\n1700000009,H3,0,,upload\n");
    read_all(&t);
    CU_ASSERT_EQUAL(toy.a.hosts[2].uploads.count, 1);
    tail_close(&t);
    unlink(path);
    toy_end(&toy);
}

/* ---- numbers ---- */

static void numbers(void) {
    static const char *const same[] = {"0",
                                       "1700000000.123456",
                                       "5.",
                                       ".5",
                                       "123456789012345",
                                       "1234567890.12345",
                                       "0.1",
                                       "1e3",
                                       "-4",
                                       " 7 ",
                                       "999999999999999",
                                       "1700000000.123456789",
                                       "007.5"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        CU_ASSERT_EQUAL(record_number(same[i]), reckon_number(same[i], strlen(same[i])));
    CU_ASSERT_TRUE(reckon_blank(record_number("")));
    CU_ASSERT_TRUE(reckon_blank(record_number(".")));
    CU_ASSERT_TRUE(reckon_blank(record_number("1.2.3")));
    CU_ASSERT_TRUE(reckon_blank(record_number("12x")));
}

void suite_triage_records(void) {
    CU_pSuite s = CU_add_suite("triage records", NULL, NULL);
    CU_add_test(s, "malformed probes", malformed_probes);
    CU_add_test(s, "other malformed records", malformed_others);
    CU_add_test(s, "copies", copies);
    CU_add_test(s, "twice and backwards", twice_and_backwards);
    CU_add_test(s, "agents twice and late", agents_twice_and_late);
    CU_add_test(s, "late and ahead", late_and_ahead);
    CU_add_test(s, "an agent that vanished", vanished_agent);
    CU_add_test(s, "clocks apart", clocks_apart);
    CU_add_test(s, "stale numbers", stale_numbers);
    CU_add_test(s, "a growing file", growing_file);
    CU_add_test(s, "up to a time", up_to_a_time);
    CU_add_test(s, "after a pause", after_a_pause);
    CU_add_test(s, "an endless line", endless_line);
    CU_add_test(s, "numbers", numbers);
}
