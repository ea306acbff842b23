/* SPDX-License-Identifier: Apache-2.0
 *
 * Loads, who was outcompeted, what stands out, and noise. The binomial's tails were worked out with exact
 * integers: `sets` is the largest number of sets with tail <= 0.01 / sets, that is floor(m^n / (100 sum
 * C(n,i) s^i (m-s)^(n-i))).
 */
#include <CUnit/CUnit.h>

#include "../../core/compare.h"
#include "../../core/wire.h"
#include "../fabric.h"
#include "sandbox.h"

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static bool stands_out(uint64_t n, uint64_t k, uint64_t shorts, uint64_t of, uint64_t sets) {
    return reckon_stands_out((struct reckon_tally){n, k}, (struct reckon_tally){of, shorts}, sets);
}

/* 5 of 10 with p = 1/10: 0.0016349374, by hand from 252 × 9^5 + 210 × 9^4 + 120 × 9^3 + 45 × 81 + 90 + 1,
 * over 10^10. */
static void binomial_tails(void) {
    static const struct {
        uint64_t n, k, shorts, of, sets;
        uint64_t slack; /* of sets, for figures beyond what a sum of so many terms can tell */
    } cases[] = {
        {10, 5, 1, 10, 6, 0},
        {10, 6, 1, 10, 68, 0},
        {10, 10, 1, 2, 10, 0}, /* 1/1024 */
        {1000, 1000, 995, 1000, 1, 0},
        {2000, 70, 20, 1000, 1137, 0},
        {2000, 100, 20, 1000, 20842308625325, 100},
        {3000, 2, 1, 1000000, 2227, 0},
        {100000, 2300, 1, 50, 530072499, 0},
        {100000, 2400, 1, 50, 9815196810956129, 1000000},
        {1000000, 10700, 1, 100, 5593300283, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t n = cases[i].n, k = cases[i].k, s = cases[i].shorts, m = cases[i].of;
        CU_ASSERT(stands_out(n, k, s, m, cases[i].sets - cases[i].slack));
        CU_ASSERT(!stands_out(n, k, s, m, cases[i].sets + 1 + cases[i].slack));
    }
}

/* Tails a double cannot hold: all of 5,000 short with p = 1/2 is 2^-5000; 299 or more of 300 is 301 × 2^-300.
 */
static void no_underflow(void) {
    CU_ASSERT(stands_out(5000, 5000, 1, 2, UINT64_MAX));
    CU_ASSERT(stands_out(300, 299, 1, 2, UINT64_MAX));
    CU_ASSERT(!stands_out(5000, 2501, 1, 2, 1));
    CU_ASSERT(stands_out(1000000, 400000, 1, 3, UINT64_MAX));
    CU_ASSERT(!stands_out(1000000, 333300, 1, 3, 1));
}

static void ends_of_the_range(void) {
    CU_ASSERT(stands_out(100, 1, 0, 5000, 1000000)); /* p = 0: one short flow is impossible */
    CU_ASSERT(stands_out(100, 1, 0, 0, 1000000));    /* so it is when there is no rest */
    CU_ASSERT(!stands_out(100, 0, 0, 5000, 1));      /* none short: chance 1 */
    CU_ASSERT(!stands_out(0, 0, 1, 2, 1));
    CU_ASSERT(!stands_out(100, 100, 7, 7, 1)); /* p = 1 */
}

/* a and b send to d, c too; d's NIC of 10 Gb/s takes requests of 8,000 bits (934 bytes): each may have
 * 416,666.67. */
static struct reckon_comparison *three_senders(struct reckon *r, double a, double b, double c_rate) {
    struct reckon_comparison *c = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    for (int h = 0; h < 4; h++)
        fabric_host(c, (const char *const[]){"a", "b", "c", "d"}[h], 10, BLANK, NONE, NONE);
    fabric_shape(c, 934, 34);
    fabric_flow(c, 0, 3, 0, 0, BLANK, a);
    fabric_flow(c, 1, 3, 0, 0, BLANK, b);
    fabric_flow(c, 2, 3, 0, 0, BLANK, c_rate);
    fabric_ready(c);
    model_solve(c, false);
    return c;
}

static void loads(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = three_senders(r, 200000, 400000, 600000);
    evidence_gather(c, 90);
    uint32_t in = host_link(3, NIC_IN), out = host_link(3, NIC_OUT);
    CU_ASSERT(near(reckon_link_load(c, in), 8000 * 1.2e6));
    CU_ASSERT(near(reckon_link_expected_load(c, in), 10e9));
    CU_ASSERT(near(reckon_link_utilisation(c, in), 96));
    CU_ASSERT(near(reckon_link_load(c, out), 800 * 1.2e6));
    CU_ASSERT_EQUAL(reckon_link_flows(c, in), 3);
    CU_ASSERT_EQUAL(reckon_link_limited(c, in), 3);
    CU_ASSERT_EQUAL(reckon_link_limited(c, out), 0);
    CU_ASSERT(near(reckon_link_load(c, host_link(0, NIC_OUT)), 8000 * 200000.0));
    CU_ASSERT(reckon_blank(reckon_link_utilisation(c, host_link(3, PPS_IN))));
    /* one at a time, the largest load counts */
    c->sharing = RECKON_SHARE_SOURCE;
    evidence_gather(c, 90);
    CU_ASSERT(near(reckon_link_load(c, in), 8000 * 600000.0));
    CU_ASSERT_EQUAL(reckon_link_flows(c, in), 3);
    fabric_free(c);
    session_end(r);
}

/* A link has a measured load once one flow across it was measured, an expected one once a flow has an
 * expectation; no flow at all is expected to load it with nothing. */
static void unknown_loads(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = three_senders(r, 200000, BLANK, BLANK);
    evidence_gather(c, 90);
    CU_ASSERT(near(reckon_link_load(c, host_link(3, NIC_IN)), 8000 * 200000.0));
    CU_ASSERT(reckon_blank(reckon_link_load(c, host_link(1, NIC_OUT))));
    CU_ASSERT(reckon_blank(reckon_link_utilisation(c, host_link(1, NIC_OUT))));
    CU_ASSERT(near(reckon_link_expected_load(c, host_link(1, NIC_OUT)), 10e9 / 3));
    c->flows[0].achieved = 0; /* measured, and nothing arrived */
    c->flows[1].expected = c->flows[2].expected = BLANK;
    evidence_gather(c, 90);
    CU_ASSERT_EQUAL(reckon_link_load(c, host_link(3, NIC_IN)), 0);
    CU_ASSERT(reckon_blank(reckon_link_expected_load(c, host_link(1, NIC_OUT))));
    CU_ASSERT(near(reckon_link_expected_load(c, host_link(3, NIC_IN)), 10e9 / 3));
    c->nflows = 1;
    evidence_gather(c, 90);
    CU_ASSERT_EQUAL(reckon_link_expected_load(c, host_link(1, NIC_OUT)), 0);
    CU_ASSERT(reckon_blank(reckon_link_load(c, host_link(1, NIC_OUT))));
    c->nflows = 3;
    fabric_free(c);
    session_end(r);
}

/* What others took beyond their share of the full link is at least what the short flow misses, or it is not.
 */
static void outcompeted(void) {
    static const struct {
        double a, b, c;
        bool taken;
    } cases[] = {
        {200000, 416666, 633334, true},  /* a misses 216,666.67; c has 216,667.33 too many */
        {200000, 416666, 633333, false}, /* 216,666.33: not quite */
        {200000, 600000, 500000, true},  /* two together: 183,333.33 + 83,333.33 */
        {200000, 400000, BLANK, false},  /* not measured: nothing known */
    };
    struct reckon *r = session_begin(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reckon_comparison *c = three_senders(r, cases[i].a, cases[i].b, cases[i].c);
        evidence_gather(c, 90);
        CU_ASSERT_EQUAL(reckon_flow_outcompeted(c, 0), cases[i].taken);
        CU_ASSERT(!reckon_flow_outcompeted(c, 1)); /* not short */
        evidence_gather(c, 10);                    /* nobody is short of 10% */
        CU_ASSERT(!reckon_flow_outcompeted(c, 0));
        fabric_free(c);
    }
    session_end(r);
}

/* Without a limiting link there is nobody to have taken it; and another problem's surplus does not count. */
static void not_outcompeted(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = three_senders(r, 200000, 400000, 900000);
    c->flows[0].demand = 300000;
    model_solve(c, false);
    evidence_gather(c, 90);
    CU_ASSERT_EQUAL(reckon_flow_limit(c, 0), RECKON_LIMIT_TARGET);
    CU_ASSERT(!reckon_flow_outcompeted(c, 0));
    c->flows[0].demand = BLANK;
    c->sharing = RECKON_SHARE_NONE;
    model_solve(c, false);
    c->flows[2].achieved = 5e6; /* four times its own expectation of 1,250,000 */
    evidence_gather(c, 90);
    CU_ASSERT(!reckon_flow_outcompeted(c, 0));
    fabric_free(c);
    session_end(r);
}

/* Efficiencies 98, 99, 100, 101, 60: median 99, deviations 1, 0, 1, 2, 39: median 1, × 1.4826. */
static void noise(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_NONE);
    static const double rates[] = {98, 99, 100, 101, 60, 5};
    fabric_shape(c, 934, 34);
    for (uint32_t h = 0; h < 7; h++)
        fabric_host(c, (const char *const[]){"a", "b", "c", "d", "e", "f", "g"}[h], 10, BLANK, NONE, NONE);
    for (uint32_t h = 0; h < 6; h++)
        fabric_flow(c, h, 6, 0, 0, 100, rates[h]);
    fabric_ready(c);
    model_solve(c, false);
    reckon_explain_host(c, 5); /* its 5% is not looked at */
    double median;
    CU_ASSERT(near(reckon_noise(c, &median), 1.4826));
    CU_ASSERT(near(median, 99));
    CU_ASSERT(near(reckon_noise(c, NULL), 1.4826));
    reckon_explain_host(c, 6);
    CU_ASSERT(reckon_blank(reckon_noise(c, &median)));
    CU_ASSERT(reckon_blank(median));
    fabric_free(c);
    session_end(r);
}

void suite_evidence(void);

void suite_evidence(void) {
    CU_pSuite suite = CU_add_suite("evidence", NULL, NULL);
    CU_add_test(suite, "tails of the binomial", binomial_tails);
    CU_add_test(suite, "no underflow", no_underflow);
    CU_add_test(suite, "ends of the range", ends_of_the_range);
    CU_add_test(suite, "loads", loads);
    CU_add_test(suite, "unknown loads", unknown_loads);
    CU_add_test(suite, "outcompeted", outcompeted);
    CU_add_test(suite, "not outcompeted", not_outcompeted);
    CU_add_test(suite, "noise", noise);
}
