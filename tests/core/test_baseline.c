/* SPDX-License-Identifier: Apache-2.0
 *
 * What a baseline says of this run's hosts and flows: doc/model.md, "Against a baseline".
 */
#include <CUnit/CUnit.h>

#include "../../core/compare.h"
#include "../fabric.h"
#include "sandbox.h"

/* a, b, c at 10 Gb/s; a -> b at 95%, b -> a in layer 1 at 80%, a -> c never measured. */
static struct reckon_comparison *a_run(struct reckon *r) {
    struct reckon_comparison *c = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    for (int h = 0; h < 3; h++)
        fabric_host(c, (const char *const[]){"a", "b", "c"}[h], 10, BLANK, NONE, NONE);
    fabric_layer(c, "1");
    fabric_layer(c, "2");
    fabric_shape(c, 1434, 34);
    fabric_flow(c, 0, 1, 0, 0, 100, 95);
    fabric_flow(c, 0, 2, 0, 0, 100, BLANK);
    fabric_flow(c, 1, 0, 1, 0, 100, 80);
    fabric_ready(c);
    model_solve(c, false);
    evidence_gather(c, 90);
    compare_hosts(c, 90, 50);
    return c;
}

/* Frees what fabric_free() did not allocate. */
static void end(struct reckon_comparison *c, struct reckon_baseline *b, struct reckon *r) {
    c->flow_then = NULL; /* the session's */
    baseline_free(b);
    fabric_free(c);
    session_end(r);
}

static void refusals(void) {
    struct reckon *r = session_begin(0);
    struct reckon_baseline *b = baseline_new(r, "then.json");
    reckon_baseline_host(b, "a", BLANK);
    reckon_baseline_nic(b, "b", 10);
    CU_ASSERT_EQUAL(baseline_check(r, b, "pps"), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->task.error, "compared no host"));
    r->task.error = NULL;
    reckon_baseline_host(b, "a", 99);
    CU_ASSERT_EQUAL(baseline_check(r, b, "pps"), 0); /* without a unit */
    reckon_baseline_about(b, NULL, BLANK, "Mb/s", NULL);
    CU_ASSERT_EQUAL(baseline_check(r, b, "Mb/s"), 0);
    CU_ASSERT_EQUAL(baseline_check(r, b, "pps"), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(r->task.error, "then.json: the baseline counts Mb/s"));
    baseline_free(b);
    session_end(r);
}

static void hosts(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = a_run(r);
    struct reckon_baseline *b = baseline_new(r, "then.json");
    CU_ASSERT(!reckon_has_baseline(c));
    CU_ASSERT(reckon_blank(reckon_host_then(c, 0)));
    reckon_baseline_host(b, "a", 99);
    reckon_baseline_host(b, "z", 97);
    reckon_baseline_host(b, "y", 98);
    reckon_baseline_host(b, "w", BLANK); /* not compared then */
    reckon_baseline_host(b, "b", BLANK);
    reckon_baseline_host(b, "c", 50); /* not compared now */
    reckon_baseline_host(b, "a", 90); /* the last counts */
    baseline_apply(c, b);
    CU_ASSERT(reckon_has_baseline(c));
    CU_ASSERT_EQUAL(reckon_host_then(c, 0), 90);
    CU_ASSERT_DOUBLE_EQUAL(reckon_host_change(c, 0), 87.5 - 90, 1e-9); /* a touches 95 and 80 */
    CU_ASSERT(reckon_blank(reckon_host_change(c, 1)));
    CU_ASSERT_EQUAL(reckon_host_then(c, 2), 50);
    CU_ASSERT(reckon_blank(reckon_host_change(c, 2)));
    CU_ASSERT_STRING_EQUAL(reckon_baseline_missing(c, 0), "y");
    CU_ASSERT_STRING_EQUAL(reckon_baseline_missing(c, 1), "z");
    CU_ASSERT_PTR_NULL(reckon_baseline_missing(c, 2));
    end(c, b, r);
}

static void flows(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = a_run(r);
    struct reckon_baseline *b = baseline_new(r, "then.json");
    reckon_baseline_flow(b, "b", "a", "1", 99);
    reckon_baseline_flow(b, "b", "a", NULL, 98); /* of another layer */
    reckon_baseline_flow(b, "b", "a", "3", 97);  /* of a layer this run lacks */
    reckon_baseline_flow(b, "a", "b", "", 94);   /* "" is no layer */
    reckon_baseline_flow(b, "a", "c", NULL, 93); /* not compared now */
    reckon_baseline_flow(b, "a", "q", NULL, 92);
    baseline_apply(c, b);
    CU_ASSERT_EQUAL(reckon_flow_then(c, 0), 94);
    CU_ASSERT_DOUBLE_EQUAL(reckon_flow_change(c, 0), 1, 1e-9);
    CU_ASSERT(reckon_blank(reckon_flow_then(c, 1)));
    CU_ASSERT(reckon_blank(reckon_flow_change(c, 1)));
    CU_ASSERT_EQUAL(reckon_flow_then(c, 2), 99);
    CU_ASSERT_DOUBLE_EQUAL(reckon_flow_change(c, 2), -19, 1e-9);
    end(c, b, r);
}

/* More than 1 percent of what it was. */
static void nic_speeds(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = a_run(r);
    struct reckon_baseline *b = baseline_new(r, "then.json");
    reckon_baseline_nic(b, "a", 9.95); /* 0.5% more now */
    reckon_baseline_nic(b, "b", 9.8);  /* 2% */
    baseline_apply(c, b);
    CU_ASSERT(!reckon_host_nic_changed(c, 0));
    CU_ASSERT(reckon_host_nic_changed(c, 1));
    CU_ASSERT_EQUAL(reckon_host_nic_then(c, 1), 9.8);
    CU_ASSERT(!reckon_host_nic_changed(c, 2)); /* unknown then */
    end(c, b, r);
}

/* 0.020317 Gb/s is 0.02 in an overlay, 1.6% less; 0.0205 may have been written as 0.021. */
static void nics_as_overlays_round(void) {
    static const struct {
        double now, then;
        bool changed;
    } cases[] = {{0.020317, 0.02, false}, {0.0205, 0.021, false}, {0.0205, 0.02, false},
                 {0.0206, 0.02, true},    {0.0194, 0.02, true},   {0.020317, 0.0200001, true},
                 {0.0004, 0, false},      {10.0004, 10, false},   {10.2, 10, true},
                 {0.02, 0.020317, true}}; /* the last as JSON has it */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reckon *r = session_begin(0);
        struct reckon_comparison *c = a_run(r);
        struct reckon_baseline *b = baseline_new(r, "then.tsv");
        c->hosts[0].nic_gbps = cases[i].now;
        reckon_baseline_nic(b, "a", cases[i].then);
        baseline_apply(c, b);
        CU_ASSERT_EQUAL(reckon_host_nic_changed(c, 0), cases[i].changed);
        end(c, b, r);
    }
}

/* 1767607200 is 2026-01-05 10:00:00 UTC (date -u -d @1767607200). */
static void since(void) {
    static const struct {
        const char *path, *label;
        double ts;
        const char *since;
    } cases[] = {
        {"runs/then.json", "tue", 1767607200, "run tue"},
        {"runs/then.json", NULL, 1767607200, "the run of 2026-01-05 10:00 UTC"},
        {"runs/then.json", NULL, BLANK, "then.json"},
        {"then.json", NULL, 1e300, "then.json"},
        {"-", NULL, BLANK, "standard input"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reckon *r = session_begin(0);
        struct reckon_comparison *c = a_run(r);
        struct reckon_baseline *b = baseline_new(r, cases[i].path);
        reckon_baseline_about(b, cases[i].label, cases[i].ts, NULL, "mx run");
        baseline_apply(c, b);
        CU_ASSERT_STRING_EQUAL(reckon_baseline_since(c), cases[i].since);
        CU_ASSERT_STRING_EQUAL(reckon_baseline_path(c), cases[i].path);
        CU_ASSERT_STRING_EQUAL(reckon_baseline_describe(c), "mx run");
        end(c, b, r);
    }
}

/* Outputs write bytes that are not UTF-8, and an overlay control bytes, as \xNN text. */
static void escaped_names(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = a_run(r);
    struct reckon_baseline *b = baseline_new(r, "then.json");
    c->hosts[1].name = "b\xff";
    c->hosts[2].name = "c\x1b";
    reckon_baseline_host(b, "b\\xff", 70);
    reckon_baseline_host(b, "c\\x1b", 71);
    baseline_apply(c, b);
    CU_ASSERT_EQUAL(reckon_host_then(c, 1), 70);
    CU_ASSERT_EQUAL(reckon_host_then(c, 2), 71);
    CU_ASSERT_PTR_NULL(reckon_baseline_missing(c, 0));
    end(c, b, r);
}

void suite_baseline(void);

void suite_baseline(void) {
    CU_pSuite suite = CU_add_suite("baseline", NULL, NULL);
    CU_add_test(suite, "refusals", refusals);
    CU_add_test(suite, "hosts", hosts);
    CU_add_test(suite, "flows", flows);
    CU_add_test(suite, "NIC speeds", nic_speeds);
    CU_add_test(suite, "NIC speeds as overlays round", nics_as_overlays_round);
    CU_add_test(suite, "since", since);
    CU_add_test(suite, "escaped names", escaped_names);
}
