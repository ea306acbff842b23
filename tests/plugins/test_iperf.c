/* SPDX-License-Identifier: Apache-2.0
 *
 * Run reader iperf: results, directories, overlays of one run and of several, modes, and what is refused.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CUnit/CUnit.h>

#include "../reading.h"

#define RESULTS "timestamp,source,target,status,protocol,mbps,error\n"
#define HEADING "# run tue, mode parallel\n"

static struct reckon_comparison *read_text(struct reading *x, const char *text) {
    return reading_run(x, &run_iperf_LTX_reckon_plugin, reading_file(x, "run.tsv", text), 60);
}

/* ---- results ---- */

static void reads_results(void) {
    struct reading x;
    reading_start(&x);
    reading_mode(&x, "sequential-host");
    const struct reckon_comparison *c = read_text(&x, "\nTimestamp,source,target,status,protocol,mbps,error\n"
                                                      "1,a,b,OK,TCP,940.5,\n"
                                                      "1,a,b,ok,TCP,939.5,\n"
                                                      "1,b,c,FAIL,TCP,,no route\n"
                                                      "1,c,a,,TCP,5,\n"      /* no status */
                                                      "1,c,b,OK,TCP,none,\n" /* no figure */
                                                      "1,,b,OK,TCP,1,\n1,a,,OK,TCP,1,\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 1);
    CU_ASSERT_EQUAL(c->flows[0].achieved, 940); /* averaged: the tests did not run side by side */
    CU_ASSERT_EQUAL(c->flows[0].samples, 2);
    CU_ASSERT(reckon_blank(c->flows[0].demand));
    CU_ASSERT_EQUAL(c->workload, RECKON_TCP);
    CU_ASSERT_EQUAL(c->sharing, RECKON_SHARE_SOURCE);
    CU_ASSERT_STRING_EQUAL(c->mode, "sequential-host");
    CU_ASSERT(!c->loose_times);
    CU_ASSERT_EQUAL_FATAL(c->nfailed, 3);
    CU_ASSERT_STRING_EQUAL(c->failed[0].source, "b");
    CU_ASSERT_STRING_EQUAL(c->failed[0].error, "no route");
    CU_ASSERT_STRING_EQUAL(c->failed[1].status, "?");
    CU_ASSERT_STRING_EQUAL(c->failed[2].status, "OK");
    CU_ASSERT_EQUAL(c->nhosts, 3);
    CU_ASSERT(host_named(c, "a")->reported);
    CU_ASSERT(!host_named(c, "b")->reported && !host_named(c, "c")->reported);
    CU_ASSERT_EQUAL(reading_notes(&x), 2);
    CU_ASSERT(reading_noted(&x, "does not hold the target rate"));
    CU_ASSERT(reading_noted(&x, "run.tsv: 2 rows without a source or a target left out"));
    reading_end(&x);
}

static void reads_a_directory(void) {
    struct reading x;
    reading_start(&x);
    CU_ASSERT_PTR_NULL(reading_run(&x, &run_iperf_LTX_reckon_plugin, x.folder, 60));
    CU_ASSERT(scratch_error(&x.scratch, "no iperf_results.csv"));
    const char *results =
        reading_file(&x, "iperf_results.csv", RESULTS "1,a,b,OK,TCP,1.5,\n1,a,b,OK,TCP,2,\n");
    reading_file(&x, ".run_mode", " parallel\r\n");
    const struct reckon_comparison *c = reading_run(&x, &run_iperf_LTX_reckon_plugin, x.folder, 60);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_STRING_EQUAL(c->mode, "parallel");
    CU_ASSERT_EQUAL(c->sharing, RECKON_SHARE_ALL);
    CU_ASSERT_EQUAL(c->flows[0].achieved, 3.5); /* side by side: they add up */
    CU_ASSERT(c->loose_times);
    static const struct {
        const char *text, *said;
    } bad[] = {{"PARALLEL\n", "/.run_mode:1: the mode 'PARALLEL' is unknown"},
               {"\n\n rolling\n", "/.run_mode:3: a rolling run"},
               {"parallel x\n", "/.run_mode:1: expected one word"},
               {"parallel\nparallel\n", "/.run_mode:1: expected one word"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        reading_file(&x, ".run_mode", bad[i].text);
        CU_ASSERT_PTR_NULL(reading_run(&x, &run_iperf_LTX_reckon_plugin, x.folder, 60));
        CU_ASSERT(scratch_error(&x.scratch, bad[i].said));
    }
    reading_file(&x, ".run_mode", "sequential-pair");
    reading_mode(&x, "parallel");
    CU_ASSERT_PTR_NULL(reading_run(&x, &run_iperf_LTX_reckon_plugin, x.folder, 60));
    CU_ASSERT(scratch_error(&x.scratch,
                            "/.run_mode:1: the run says its mode was 'sequential-pair', but --iperf-mode"));
    reading_mode(&x, NULL);
    CU_ASSERT_PTR_NULL(
        reading_run(&x, &run_iperf_LTX_reckon_plugin, results, 60)); /* the file alone has no mode */
    CU_ASSERT(scratch_error(&x.scratch, "--iperf-mode parallel, sequential-host or sequential-pair"));
    reading_end(&x);
}

/* ---- overlays ---- */

static void reads_an_overlay(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c = read_text(
        &x, "# made by hand\n" HEADING "# -b target 600 per host (200.5 Mb/s per flow)\n"
            "!test\tiperf_mbps_out\tunit=Mb/s\n"
            "iperf_mbps_out\ta\t100\tpeer=b\trun=tue\r\n"
            "iperf_mbps_in\tb\t999\tpeer=a\trun=tue\n"
            "iperf_mbps_out\ta\t50\trun=tue\tpeer=\"b\"\n"
            "iperf_mbps_out\ta\tlots\tpeer=b\trun=tue\n" /* no number, no peer: no test */
            "iperf_mbps_out\ta\t7\trun=tue\n"
            "iperf_mbps_out a 70 peer='c d' run=tue # not a tab: a shell's words\n"
            "iperf_state\te\tNO-DATA\trun=tue\niperf_state\tf\tOK\trun=tue\niperf_state\ta\tNO-DATA\n"
            "iperf_status\ta\tok\tpeer=b\niperf_status\tg\t\"NO SUMMARY\"\tpeer=h\terror=\"no "
            "summary\"\trun=tue\n"
            "iperf_cpu_peak\tb\t98.5\niperf_cpu_softirq\tb\t41\niperf_other\tz\t1\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nflows, 2);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->achieved, 150);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->demand, 401); /* 2 × 200.5 */
    CU_ASSERT_EQUAL(flow_named(c, "a", "c d", NULL)->achieved, 70);
    CU_ASSERT_STRING_EQUAL(c->run_id, "tue");
    CU_ASSERT(host_named(c, "a")->reported); /* it sent, whatever its state says */
    CU_ASSERT(!host_named(c, "e")->reported && host_named(c, "f")->reported);
    CU_ASSERT(!host_named(c, "g")->reported && !host_named(c, "h") && !host_named(c, "z"));
    CU_ASSERT_EQUAL(host_named(c, "b")->cpu_peak, 98.5);
    CU_ASSERT_EQUAL(host_named(c, "b")->cpu_softirq, 41);
    CU_ASSERT_EQUAL_FATAL(c->nfailed, 1);
    CU_ASSERT_STRING_EQUAL(c->failed[0].target, "h");
    CU_ASSERT_STRING_EQUAL(c->failed[0].status, "NO SUMMARY");
    CU_ASSERT_STRING_EQUAL(c->failed[0].error, "no summary");
    CU_ASSERT_EQUAL(reading_notes(&x), 0);
    reading_end(&x);
}

/* Names without iperf_, as older exporters wrote them, and targets that are averaged when nothing ran side by
 * side. */
static void reads_old_names(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c = read_text(
        &x,
        "# run 1, mode sequential-pair\n# -b target (10 Mb/s per flow)\n"
        "mbps_out\ta\t9\tpeer=b\nmbps_out\ta\t8\tpeer=b\nstatus\tb\tFAIL\tpeer=a\tstatus=TIMEOUT\terr=late\n"
        "cpu_peak\ta\t5\ncpu_softirq\ta\tx\nstate\tb\tOK\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->flows[0].achieved, 8.5);
    CU_ASSERT_EQUAL(c->flows[0].demand, 10);
    CU_ASSERT_EQUAL(c->sharing, RECKON_SHARE_NONE);
    CU_ASSERT_STRING_EQUAL(c->failed[0].status, "TIMEOUT");
    CU_ASSERT_STRING_EQUAL(c->failed[0].error, "late");
    CU_ASSERT_EQUAL(host_named(c, "a")->cpu_peak, 5);
    CU_ASSERT(reckon_blank(host_named(c, "a")->cpu_softirq));
    CU_ASSERT(host_named(c, "b")->reported);
    reading_end(&x);
}

/* Runs count in order of first appearance: x comes back, y is still the last. What names no run belongs to
 * all. */
static void reads_the_last_run(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c = read_text(
        &x, "# run x, mode parallel\n# -b target 1 (1 Mb/s per flow)\niperf_mbps_out\ta\t1\tpeer=b\trun=x\n"
            "# run y, mode "
            "sequential-host\niperf_mbps_out\ta\t2\tpeer=b\trun=y\niperf_status\ta\tFAIL\tpeer=c\trun=x\n"
            "iperf_mbps_out\ta\t4\tpeer=b\trun=x\niperf_mbps_out\tc\t8\tpeer=b\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 2);
    CU_ASSERT_EQUAL(flow_named(c, "a", "b", NULL)->achieved, 2);
    CU_ASSERT(reckon_blank(flow_named(c, "a", "b", NULL)->demand)); /* that target was x's */
    CU_ASSERT_EQUAL(flow_named(c, "c", "b", NULL)->achieved, 8);
    CU_ASSERT_STRING_EQUAL(c->run_id, "y");
    CU_ASSERT_STRING_EQUAL(c->mode, "sequential-host");
    CU_ASSERT_EQUAL(c->nfailed, 0);
    CU_ASSERT_EQUAL(reading_notes(&x), 1);
    CU_ASSERT(reading_noted(&x, "2 runs"));
    reading_end(&x);
}

/* ---- refusals ---- */

struct refusal {
    const char *mode, *text, *piece;
};

static void refuses(void) {
    static const char out[] = "iperf_mbps_out\ta\t1\tpeer=b\n";
    const struct refusal refusals[] = {
        {NULL, out, "does not say how the tests were driven"},
        {"parallel", "# run 1, mode sequential-pair\niperf_mbps_out\ta\t1\tpeer=b\n",
         "but --iperf-mode says 'parallel'"},
        {NULL, "# run 1, mode rolling\niperf_mbps_out\ta\t1\tpeer=b\n", "overlap at random"},
        {NULL, "# run 1, mode sideways\niperf_mbps_out\ta\t1\tpeer=b\n", "'sideways' is unknown"},
        {NULL, HEADING "iperf_mbps_out\ta\t1\n", "export it again"},
        {NULL, HEADING "iperf_mbps_out\ta\t?\tpeer=b\n", "no successful test"},
        {NULL,
         HEADING
         "iperf_status\ta\tFAIL\tpeer=b\trun=r1\terror=\"b: it hung up\"\niperf_cpu_peak\ta\t9\trun=r1\n",
         "its last run r1 holds no successful test: its one test failed (a -> b: b: it hung up)"},
        {NULL,
         HEADING
         "iperf_status\ta\tFAIL\tpeer=b\niperf_status\tb\tREFUSED\tpeer=a\niperf_status\tc\tOK\tpeer=a\n",
         "it holds no successful test: all 2 tests failed (a -> b: FAIL)"},
        {NULL, HEADING "iperf_mbps_out\ta\t1\tpeer=b\trun=1\niperf_status\ta\tFAIL\tpeer=b\trun=2\n",
         "last run 2"},
        {NULL, HEADING "iperf_mbps_in\ta\t1\tpeer=b\n", "not an export-overlay file"},
        {NULL, "", "not an export-overlay file"},
        {NULL, HEADING "iperf_mbps_out \"a 400 peer=b\n", ":2: a quote is opened here"},
        {NULL, HEADING "iperf_mbps_in b 1 peer=a\niperf_mbps_out a '400 peer=b\n",
         ":3: a quote is opened here"},
        {NULL, "\n# run 1, mode sideways\niperf_mbps_out\ta\t1\tpeer=b\n", ":2: the mode 'sideways'"},
        {NULL, "a,b,c\n1,2,3\n", "not an export-overlay file"},
        {"parallel", "timestamp,source,target,status\n1,a,b,OK\n", "no mbps column"},
        {"parallel", RESULTS "1,a,b,FAIL,TCP,1,\n", "no successful test"},
        {NULL, RESULTS "1,a,b,OK,TCP,1,\n", "does not say how the tests were driven"},
    };
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct reading x;
        reading_start(&x);
        if (refusals[i].mode)
            reading_mode(&x, refusals[i].mode);
        CU_ASSERT_PTR_NULL(read_text(&x, refusals[i].text));
        CU_ASSERT(scratch_error(&x.scratch, refusals[i].piece));
        reading_end(&x);
    }
}

static void checks_its_option(void) {
    static const char *const piece[] = {"is unknown", "overlap at random", NULL};
    static const char *const mode[] = {"both", "rolling", "sequential-pair"};
    for (size_t i = 0; i < 3; i++) {
        struct reading x;
        reading_start(&x);
        reading_mode(&x, mode[i]);
        CU_ASSERT_EQUAL(run_iperf_LTX_reckon_plugin.plugin->check(x.r), piece[i] ? -1 : 0);
        CU_ASSERT(!piece[i] || scratch_error(&x.scratch, piece[i]));
        reading_end(&x);
    }
}

/* Lines that end nowhere: an open quote, a lone backslash, keys without values. */
static void survives_oddities(void) {
    struct reading x;
    reading_start(&x);
    const struct reckon_comparison *c = read_text(
        &x, HEADING
        "iperf_mbps_out a 5 peer=\"b c\niperf_mbps_out a 6 peer=d\\\niperf_mbps_out\n\t\t\t\n= = =\n"
        "iperf_mbps_out\ta\t7\tpeer=\t=\tpeer\t\n# run \n# , mode \n#\n!\niperf_mbps_out\t\t1\tpeer=b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->nflows, 2);
    CU_ASSERT_PTR_NOT_NULL(flow_named(c, "a", "b c", NULL));
    CU_ASSERT(
        reading_noted(&x, "on 1 line a quote is not closed and takes in the rest (the first is line 2)"));
    CU_ASSERT_PTR_NOT_NULL(flow_named(c, "a", "d\\", NULL));
    reading_end(&x);
}

static void recognises(void) {
    static const char *const texts[] = {RESULTS,
                                        "# iperf-orchestrator run 1 -- overlay\n",
                                        "# x\niperf_mbps_out\ta\t1\n",
                                        "mbps_out a 1 peer=b\n",
                                        "ts,host,dir\n",
                                        "",
                                        "# reckon 1\nreckon_limit\ta\tNIC\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct reckon_head head = {sizeof head, "f", texts[i], strlen(texts[i]), true};
        CU_ASSERT_EQUAL(run_iperf_LTX_reckon_plugin.plugin->run.recognise(&head) > 50, i < 4);
    }
}

void suite_iperf(void) {
    CU_pSuite s = CU_add_suite("iperf", NULL, NULL);
    CU_add_test(s, "reads results", reads_results);
    CU_add_test(s, "reads a directory", reads_a_directory);
    CU_add_test(s, "reads an overlay", reads_an_overlay);
    CU_add_test(s, "reads old names", reads_old_names);
    CU_add_test(s, "reads the last run", reads_the_last_run);
    CU_add_test(s, "refuses", refuses);
    CU_add_test(s, "checks its option", checks_its_option);
    CU_add_test(s, "survives oddities", survives_oddities);
    CU_add_test(s, "recognises", recognises);
}
