/* SPDX-License-Identifier: Apache-2.0
 *
 * What is compared, per flow and host, and the verdicts: doc/model.md, "Comparing", worked by hand.
 */
#include <CUnit/CUnit.h>

#include "../../core/compare.h"
#include "../../core/wire.h"
#include "../fabric.h"
#include "sandbox.h"

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Hosts a, b, c, d with targets of 100 requests/s a flow, far below any link. */
static struct reckon_comparison *four_hosts(struct reckon *r) {
    struct reckon_comparison *c = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_LAYER);
    for (int h = 0; h < 4; h++)
        fabric_host(c, (const char *const[]){"a", "b", "c", "d"}[h], 10, BLANK, NONE, NONE);
    fabric_shape(c, 1434, 34);
    return c;
}

static void solve_and_compare(struct reckon_comparison *c) {
    fabric_ready(c);
    model_solve(c, false);
    evidence_gather(c, 90);
    compare_hosts(c, 90, 50);
}

/* a sends at 80 and 120%, b at 95%, and d to a at 40%; c has never been measured. */
static struct reckon_comparison *a_run(struct reckon *r) {
    struct reckon_comparison *c = four_hosts(r);
    fabric_flow(c, 0, 1, 0, 0, 100, 80);
    fabric_flow(c, 0, 2, 0, 0, 100, 120);
    fabric_flow(c, 1, 0, 0, 0, 100, 95);
    fabric_flow(c, 2, 0, 0, 0, 100, BLANK);
    fabric_flow(c, 3, 0, 0, 0, 100, 40);
    solve_and_compare(c);
    return c;
}

static void flows(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = a_run(r);
    CU_ASSERT(near(reckon_flow_efficiency(c, 0), 80));
    CU_ASSERT(near(reckon_flow_efficiency(c, 1), 120)); /* never clipped */
    CU_ASSERT(reckon_blank(reckon_flow_efficiency(c, 3)));
    CU_ASSERT_EQUAL(reckon_flow_expected(c, 3), 100);
    fabric_free(c);
    session_end(r);
}

static void hosts(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = a_run(r);
    /* a touches 80, 120, 95, 40: the mean of 80 and 95; two of them short */
    CU_ASSERT(near(reckon_host_efficiency(c, 0), 87.5));
    CU_ASSERT_EQUAL(reckon_host_compared(c, 0), 4);
    CU_ASSERT_EQUAL(reckon_host_short(c, 0), 2);
    CU_ASSERT_EQUAL(reckon_host_expected(c, 0), 200);
    CU_ASSERT_EQUAL(reckon_host_achieved(c, 0), 200);
    CU_ASSERT_EQUAL(reckon_host_limit(c, 0), RECKON_LIMIT_TARGET);
    CU_ASSERT_EQUAL(reckon_host_limit_link(c, 0), NONE);
    /* c's own flow was not measured, the one to it was */
    CU_ASSERT(near(reckon_host_efficiency(c, 2), 120));
    CU_ASSERT_EQUAL(reckon_host_expected(c, 2), 100);
    CU_ASSERT(reckon_blank(reckon_host_achieved(c, 2)));
    CU_ASSERT_EQUAL(reckon_host_compared(c, 2), 1);
    fabric_free(c);
    session_end(r);
}

/* FAIL below 50, WARN below 90 or above 105, else OK, ends not included. */
static void verdicts(void) {
    static const struct {
        double rate;
        enum reckon_verdict verdict;
    } cases[] = {
        {49.9, RECKON_VERDICT_FAIL}, {50, RECKON_VERDICT_WARN}, {89.9, RECKON_VERDICT_WARN},
        {90, RECKON_VERDICT_OK},     {105, RECKON_VERDICT_OK},  {105.1, RECKON_VERDICT_WARN},
    };
    struct reckon *r = session_begin(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reckon_comparison *c = four_hosts(r);
        fabric_flow(c, 0, 1, 0, 0, 100, cases[i].rate);
        solve_and_compare(c);
        CU_ASSERT_EQUAL(reckon_host_verdict(c, 0), cases[i].verdict);
        CU_ASSERT_EQUAL(reckon_host_verdict(c, 2), RECKON_VERDICT_NONE);
        CU_ASSERT(!reckon_host_has_flow(c, 2));
        fabric_free(c);
    }
    session_end(r);
}

static void silent_and_unmodelled(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = four_hosts(r);
    c->hosts[1].reported = false;
    c->hosts[3].reported = false; /* and has no flow */
    c->hosts[2].nic_gbps = BLANK;
    fabric_flow(c, 0, 1, 0, 0, 100, 97);
    fabric_flow(c, 0, 2, 0, 0, 100, 97);
    solve_and_compare(c);
    CU_ASSERT_EQUAL(reckon_host_verdict(c, 0), RECKON_VERDICT_OK);
    CU_ASSERT_EQUAL(reckon_host_verdict(c, 1), RECKON_VERDICT_NO_DATA);
    CU_ASSERT_EQUAL(reckon_host_verdict(c, 2), RECKON_VERDICT_UNMODELLED);
    CU_ASSERT_EQUAL(reckon_host_verdict(c, 3), RECKON_VERDICT_NO_DATA);
    CU_ASSERT(near(reckon_host_efficiency(c, 1), 97)); /* its verdict is about its silence alone */
    CU_ASSERT_EQUAL(reckon_host_expected(c, 0), 100);  /* the flow to c has no expectation */
    CU_ASSERT(anything_compared(c));
    CU_ASSERT_PTR_NULL(nothing_compared(c));
    fabric_free(c);
    session_end(r);
}

/* Totals are per layer: a sends 100 and 100 in layer 1, 100 in layer 2: 300 / 2. */
static void per_layer(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = four_hosts(r);
    fabric_layer(c, "1");
    fabric_layer(c, "2");
    fabric_flow(c, 0, 1, 1, 0, 100, 90);
    fabric_flow(c, 0, 2, 1, 0, 100, 90);
    fabric_flow(c, 0, 2, 2, 0, 100, 80);
    fabric_flow(c, 1, 2, 2, 0, 100, 80);
    solve_and_compare(c);
    CU_ASSERT_EQUAL(reckon_host_expected(c, 0), 150);
    CU_ASSERT_EQUAL(reckon_host_achieved(c, 0), 130);
    CU_ASSERT_EQUAL(reckon_host_expected(c, 1), 100);
    fabric_free(c);
    session_end(r);
}

/* The link most own flows are limited by; targets count only when all are met; a tie goes to the first by
 * kind, name, way. */
static void limits(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = four_hosts(r);
    for (uint32_t d = 1; d < 4; d++)
        fabric_flow(c, 0, d, 0, 0, BLANK, 1);
    fabric_ready(c);
    model_solve(c, false);
    const uint32_t nic = host_link(0, NIC_OUT), other = host_link(1, NIC_IN);
    CU_ASSERT_EQUAL(c->flows[0].limit_link, nic);
    c->flows[0].limit_link = c->flows[1].limit_link = other;
    compare_hosts(c, 90, 50);
    CU_ASSERT_EQUAL(reckon_host_limit(c, 0), RECKON_LIMIT_NIC);
    CU_ASSERT_EQUAL(reckon_host_limit_link(c, 0), other);
    c->flows[1].limit = RECKON_LIMIT_TARGET; /* now one each */
    c->flows[1].limit_link = NONE;
    compare_hosts(c, 90, 50);
    CU_ASSERT_EQUAL(reckon_host_limit_link(c, 0), nic);
    c->flows[0].limit_link = host_link(0, NIC_IN); /* in before out */
    compare_hosts(c, 90, 50);
    CU_ASSERT_EQUAL(reckon_host_limit_link(c, 0), host_link(0, NIC_IN));
    CU_ASSERT_EQUAL(reckon_host_limit(c, 1), RECKON_LIMIT_NONE); /* sends nothing */
    fabric_free(c);
    session_end(r);
}

static void added_rtt(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = four_hosts(r);
    fabric_flow(c, 0, 1, 0, 0, 100, 97)->rtt_p50 = 150;
    fabric_flow(c, 0, 2, 0, 0, 100, 97)->rtt_p50 = 90;
    fabric_flow(c, 0, 3, 0, 0, 100, 97);
    fabric_flow(c, 1, 0, 0, 0, 100, 97)->rtt_p50 = 700;
    CU_ASSERT(reckon_blank(reckon_flow_added_rtt(c, 0))); /* no idle floor yet */
    static const double idle[] = {50, 40, 40, BLANK};
    c->idle_p50 = memcpy(malloc(sizeof idle), idle, sizeof idle);
    solve_and_compare(c);
    CU_ASSERT_EQUAL(reckon_flow_added_rtt(c, 0), 100);
    CU_ASSERT(reckon_blank(reckon_flow_added_rtt(c, 2)));
    CU_ASSERT(reckon_blank(reckon_flow_idle_p50(c, 2))); /* no loaded p50 to hold it against */
    CU_ASSERT_EQUAL(reckon_host_added_rtt(c, 0), 100);   /* its own flows' largest */
    CU_ASSERT(reckon_blank(reckon_host_added_rtt(c, 1)));
    fabric_free(c);
    session_end(r);
}

static void nothing(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = four_hosts(r);
    fabric_flow(c, 0, 1, 0, 0, 100, BLANK);
    solve_and_compare(c);
    CU_ASSERT(!anything_compared(c));
    CU_ASSERT_PTR_NOT_NULL_FATAL(nothing_compared(c));
    CU_ASSERT_PTR_NOT_NULL(strstr(nothing_compared(c), "no flow"));
    for (uint32_t h = 0; h < 4; h++)
        c->hosts[h].nic_gbps = BLANK;
    CU_ASSERT_PTR_NOT_NULL(strstr(nothing_compared(c), "no host"));
    fabric_free(c);
    session_end(r);
}

/* A host that sends to itself touches the flow once. */
static void to_itself(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = four_hosts(r);
    fabric_flow(c, 0, 0, 0, 0, 100, 97);
    solve_and_compare(c);
    CU_ASSERT_EQUAL(reckon_host_compared(c, 0), 1);
    CU_ASSERT(near(reckon_host_efficiency(c, 0), 97));
    fabric_free(c);
    session_end(r);
}

void suite_compare(void);

void suite_compare(void) {
    CU_pSuite suite = CU_add_suite("compare", NULL, NULL);
    CU_add_test(suite, "flows", flows);
    CU_add_test(suite, "hosts", hosts);
    CU_add_test(suite, "verdicts", verdicts);
    CU_add_test(suite, "silent and unmodelled", silent_and_unmodelled);
    CU_add_test(suite, "per layer", per_layer);
    CU_add_test(suite, "limits", limits);
    CU_add_test(suite, "added RTT", added_rtt);
    CU_add_test(suite, "nothing", nothing);
    CU_add_test(suite, "to itself", to_itself);
}
