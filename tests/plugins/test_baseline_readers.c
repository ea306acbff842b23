/* SPDX-License-Identifier: Apache-2.0
 *
 * The readers of earlier reckonings, --json and --overlay: formats.md, "Baseline".
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../fabric.h"
#include "../scratch.h"

#define JSON context_reckon_json_LTX_reckon_plugin
#define OVERLAY context_reckon_overlay_LTX_reckon_plugin
extern const struct reckon_module JSON, OVERLAY;

static struct scratch scratch;
static struct reckon_baseline *baseline;
static struct reckon_comparison *run;

/* Reads the text, and holds it against a run of the hosts a, b, c d and their flows a -> b, with and without
 * layer 1, and b -> "c d". */
static int read_then(const struct reckon_module *m, const char *text) {
    struct reckon *r = scratch_start(&scratch);
    baseline = baseline_new(r, "then");
    run = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    for (int h = 0; h < 3; h++)
        fabric_host(run, (const char *const[]){"a", "b", "c d"}[h], 10, BLANK, NONE, NONE);
    fabric_layer(run, "1");
    fabric_shape(run, 1434, 34);
    fabric_flow(run, 0, 1, 0, 0, 100, 95);
    fabric_flow(run, 0, 1, 1, 0, 100, 95);
    fabric_flow(run, 1, 2, 0, 0, 100, 95);
    fabric_ready(run);
    model_solve(run, false);
    if (scratch_read(&scratch, m, text, baseline))
        return -1;
    baseline_apply(run, baseline);
    return 0;
}

static void end(void) {
    baseline_free(baseline);
    run->flow_then = NULL; /* the session's */
    fabric_free(run);
    scratch_end(&scratch);
}

static bool is(const char *text, const char *wanted) {
    return wanted ? text && !strcmp(text, wanted) : !text;
}

/* ---- JSON ---- */

#define META                                                                                                 \
    "\"meta\": {\"tool\": \"reckon\", \"label\": \"tue\", \"run\": \"7\", \"ts\": 1010, \"unit\": \"pps\", " \
    "\"describe\": \"mx run\"}"

static void json_whole(void) {
    CU_ASSERT_EQUAL(
        read_then(
            &JSON,
            "{\"assumptions\": [\"}\"], \"flows\": [\n"
            "{\"src\": \"a\", \"dst\": \"b\", \"layer\": null, \"efficiency_pct\": 91.5, \"Src\": \"b\"},\n"
            "{\"src\": \"a\", \"dst\": \"b\", \"layer\": \"1\", \"efficiency_pct\": 92},\n"
            "{\"src\": \"b\", \"dst\": \"c d\", \"efficiency_pct\": null}],\n"
            "\"hardware\": {\"groups\": {}, \"hosts\": {\"a\": {\"nic_gbps\": 25}, \"c\\u0020d\": "
            "{\"nic_gbps\": 10}}},\n"
            "\"hosts\": [{\"host\": \"a\", \"efficiency_pct\": 99.0000128}, "
            "{\"host\": \"b\", \"efficiency_pct\": \" 98.5 \"}, {\"host\": \"z\", \"efficiency_pct\": 97},"
            "{\"host\": \"c d\", \"efficiency_pct\": null}],\n" META "}\n"),
        0);
    CU_ASSERT(is(reckon_baseline_label(run), "tue"));
    CU_ASSERT(is(reckon_baseline_unit(run), "pps"));
    CU_ASSERT(is(reckon_baseline_describe(run), "mx run"));
    CU_ASSERT_EQUAL(reckon_baseline_ts(run), 1010);
    CU_ASSERT_EQUAL(reckon_host_then(run, 0), 99.0000128);
    CU_ASSERT_EQUAL(reckon_host_then(run, 1), 98.5); /* a number as text is a number */
    CU_ASSERT(reckon_blank(reckon_host_then(run, 2)));
    CU_ASSERT_EQUAL(reckon_host_nic_then(run, 0), 25);
    CU_ASSERT_EQUAL(reckon_host_nic_then(run, 2), 10); /* the key's escapes are undone */
    CU_ASSERT_EQUAL(reckon_flow_then(run, 0), 91.5);
    CU_ASSERT_EQUAL(reckon_flow_then(run, 1), 92);
    CU_ASSERT(reckon_blank(reckon_flow_then(run, 2)));
    CU_ASSERT(is(reckon_baseline_missing(run, 0), "z"));
    CU_ASSERT_EQUAL(reckon_baseline_unreadable_count(run), 0);
    end();
}

/* What cannot be used is counted, and left out. */
static void json_unreadable(void) {
    static const struct {
        const char *host, *flow;
        unsigned unreadable;
    } cases[] = {
        {"{\"host\": \"a\", \"efficiency_pct\": NaN}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": -Infinity}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": Infinity, \"achieved\": NaN}", "",
         1}, /* achieved is not read */
        {"{\"host\": \"a\", \"efficiency_pct\": 1e999}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": -4}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": \"ninety\"}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": \"NaN\"}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": true}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": [99]}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": {}}", "", 1},
        {"{\"host\": \"a\", \"efficiency_pct\": \"\"}", "", 0},
        {"{\"host\": \"a\"}", "", 0},
        {"{\"Host\": \"a\", \"efficiency_pct\": 99}", "", 1}, /* keys are told by case */
        {"{\"host\": 5, \"efficiency_pct\": 99}", "", 1},
        {"\"a\", 5, [], null, NaN", "", 5},
        {"", "{\"dst\": \"b\", \"efficiency_pct\": 99}", 1},
        {"", "{\"src\": \"a\", \"dst\": \"b\", \"layer\": [], \"efficiency_pct\": 99}", 1},
        {"", "{\"src\": \"a\", \"dst\": \"b\", \"efficiency_pct\": false}, 7", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "{" META ", \"hosts\": [%s], \"flows\": [%s]}", cases[i].host,
                 cases[i].flow);
        CU_ASSERT_EQUAL(read_then(&JSON, text), 0);
        CU_ASSERT(reckon_blank(reckon_host_then(run, 0)));
        CU_ASSERT(reckon_blank(reckon_flow_then(run, 0)));
        CU_ASSERT_EQUAL(reckon_baseline_unreadable_count(run), cases[i].unreadable);
        end();
    }
}

/* Without a label, the run's id; a layer may be a number; what is not text is no text. */
static void json_about(void) {
    CU_ASSERT_EQUAL(
        read_then(&JSON, "{\"meta\": {\"tool\": \"reckon\", \"label\": null, \"run\": \"7\", \"ts\": \"12\", "
                         "\"unit\": NaN}, \"flows\": [{\"src\": \"a\", \"dst\": \"b\", \"layer\": 1, "
                         "\"efficiency_pct\": 90}]}"),
        0);
    CU_ASSERT(is(reckon_baseline_label(run), "7"));
    CU_ASSERT(is(reckon_baseline_unit(run), NULL));
    CU_ASSERT_EQUAL(reckon_baseline_ts(run), 12);
    CU_ASSERT_EQUAL(reckon_flow_then(run, 1), 90);
    end();
}

static void json_refused(void) {
    static const char *const bad[][2] = {
        {"", "is no baseline"},
        {"ts,host,dir\n", "is no baseline"},
        {"[]", "is no baseline"},
        {"{}", "is no baseline"},
        {"{\"meta\": {\"tool\": \"dredge\"}}", "is no baseline"},
        {"{\"meta\": 5}", "is no baseline"},
        {"{" META, "breaks off"},
        {"{" META ", \"hosts\": [{\"host\": \"a\", \"eff", "breaks off"},
        {"{" META ", \"hosts\": [{\"host\" \"a\"}]}", "JSON"},
        {"{" META ", \"hosts\": [{\"host\": 1NaN}]}", "JSON"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(read_then(&JSON, bad[i][0]), -1);
        CU_ASSERT(scratch_error(&scratch, bad[i][1]));
        end();
    }
}

/* A hundred thousand brackets, in a part that is read and in one that is not. */
static void json_deep(void) {
    enum { DEEP = 100000 };
    char *text = malloc(2 * DEEP + 200);
    for (int read = 0; read < 2; read++) {
        char *at = text + sprintf(text, "{" META ", \"%s\": [", read ? "hosts" : "findings");
        at = memset(at, '[', DEEP), at = memset(at + DEEP, ']', DEEP), at += DEEP;
        strcpy(at, "]}");
        CU_ASSERT_EQUAL(read_then(&JSON, text), read ? -1 : 0);
        if (read)
            CU_ASSERT(scratch_error(&scratch, "JSON"));
        end();
    }
    free(text);
}

/* ---- overlay ---- */

#define TESTS "!test\treckon_expected\tunit=pps\thigher=good\n!test\treckon_efficiency\tunit=%\n"

static void overlay_whole(void) {
    CU_ASSERT_EQUAL(
        read_then(&OVERLAY,
                  "# reckon 0.8.0\n# mx run; last 60s; 3 hosts, 3 flows, 3 compared\n# floor.dc\n" TESTS
                  "reckon_expected\ta\t781250\tlimit=\"r01 uplinks out\"\trun=tue\n"
                  "reckon_efficiency\ta\t99.0\tflows=10\tshort_flows=0\trun=tue\n"
                  "reckon_efficiency\tc d\t97.5\trun=tue\n"
                  "reckon_efficiency\tb\t\trun=tue\n"
                  "reckon_nic_gbps\ta\t10\tsource=layout\trun=tue\n"
                  "mx_efficiency\ta\t50\trun=other\n"
                  "\n"
                  "reckon_peer_efficiency\ta\t91.5\tpeer=b\trun=tue\n"
                  "reckon_peer_efficiency\ta\t92.5\tlayer=1\tpeer=b\trun=tue\n"
                  "reckon_peer_efficiency\tb\t93.5\tlimit=\"x, y\"\tpeer=\"c d\"\trun=tue\n"
                  "reckon_peer_eff"),
        0);
    CU_ASSERT(is(reckon_baseline_label(run), "tue"));
    CU_ASSERT(is(reckon_baseline_unit(run), "pps"));
    CU_ASSERT(is(reckon_baseline_describe(run), "mx run; last 60s"));
    CU_ASSERT(reckon_blank(reckon_baseline_ts(run)));
    CU_ASSERT_EQUAL(reckon_host_then(run, 0), 99);
    CU_ASSERT(reckon_blank(reckon_host_then(run, 1)));
    CU_ASSERT_EQUAL(reckon_host_then(run, 2), 97.5);
    CU_ASSERT_EQUAL(reckon_host_nic_then(run, 0), 10);
    CU_ASSERT_EQUAL(reckon_flow_then(run, 0), 91.5);
    CU_ASSERT_EQUAL(reckon_flow_then(run, 1), 92.5);
    CU_ASSERT_EQUAL(reckon_flow_then(run, 2), 93.5);
    CU_ASSERT_EQUAL(reckon_baseline_unreadable_count(run), 0);
    end();
}

/* Any prefix; no unit, no description; what is no figure is counted. */
static void overlay_bare(void) {
    CU_ASSERT_EQUAL(
        read_then(&OVERLAY,
                  "# reckon 1.0.0\r\n#\r\nnew_expected\ta\t1\r\nnew_efficiency\ta\t-1\r\n"
                  "new_efficiency\tb\tlots\r\nnew_efficiency\tc d\t98\r\nreckon_efficiency\ta\t5\r\n"
                  "new_peer_efficiency\ta\t98\r\n"),
        0);
    CU_ASSERT(reckon_blank(reckon_host_then(run, 0)));
    CU_ASSERT_EQUAL(reckon_host_then(run, 2), 98);
    CU_ASSERT(is(reckon_baseline_unit(run), NULL));
    CU_ASSERT(is(reckon_baseline_label(run), NULL));
    CU_ASSERT(is(reckon_baseline_describe(run), NULL));
    CU_ASSERT_EQUAL(reckon_baseline_unreadable_count(run), 3);
    end();
}

static void overlay_refused(void) {
    static const char *const bad[][2] = {
        {"# reckon 1.0.0\n" TESTS "reckon_efficiency\ta\t99\trun=tue\nreckon_efficiency\ta\t98\trun=wed\n",
         "more than one run, tue and wed"},
        {"# reckon 1.0.0\n!test\treckon_ceiling\tunit=pps\nreckon_ceiling\ta\t5\n", "expected"},
        {"# run 5, mode parallel\n" TESTS, "is no overlay of reckon"},
        {"", "expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CU_ASSERT_EQUAL(read_then(&OVERLAY, bad[i][0]), -1);
        CU_ASSERT(scratch_error(&scratch, bad[i][1]));
        end();
    }
}

/* Each tells its own; documents of before 1.0 name their tool far down. */
static void recognised(void) {
    static const char json[] = "{\n " META ", \"hosts\": []}",
                      old[] = "{\n \"assumptions\": [],\n \"baseline\": null,",
                      overlay[] = "# reckon 0.8.0\n#\n";
    CU_ASSERT(scratch_recognise(&JSON, json) > 90);
    CU_ASSERT(scratch_recognise(&JSON, old) > 50);
    CU_ASSERT_EQUAL(scratch_recognise(&JSON, overlay), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&JSON, "{\"start\": {\"tool\": \"iperf3\"}}"), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&JSON, ""), 0);
    CU_ASSERT(scratch_recognise(&OVERLAY, overlay) > 90);
    CU_ASSERT_EQUAL(scratch_recognise(&OVERLAY, "# run 5, mode parallel\n"), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&OVERLAY, json), 0);
}

void suite_baseline_readers(void);

void suite_baseline_readers(void) {
    CU_pSuite suite = CU_add_suite("baseline readers", NULL, NULL);
    CU_add_test(suite, "JSON", json_whole);
    CU_add_test(suite, "JSON: what cannot be used", json_unreadable);
    CU_add_test(suite, "JSON: about", json_about);
    CU_add_test(suite, "JSON: refused", json_refused);
    CU_add_test(suite, "JSON: deep", json_deep);
    CU_add_test(suite, "overlay", overlay_whole);
    CU_add_test(suite, "overlay: bare", overlay_bare);
    CU_add_test(suite, "overlay: refused", overlay_refused);
    CU_add_test(suite, "each its own", recognised);
}
