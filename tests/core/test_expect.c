/* SPDX-License-Identifier: Apache-2.0
 *
 * Expectations without a run, on a layout and on one that is changed for a moment; and the loads of links,
 * which are the sums over the flows that cross them.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include <reckon/plan.h>

#include "../../core/compare.h"
#include "../fabric.h"
#include "../scratch.h"

void suite_expect(void);

static struct scratch scratch;

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* ---- without a run ---- */

/* A floor: three racks of two 10 Gb/s hosts, one 10 Gb/s uplink each. */
static const char seed_floor[] =
    "dc T\n row A nic_gbps=10 uplinks=1 uplink_gbps=10\n  rack r01\n   node a1\n   node a2\n"
    "  rack r02\n   node b1\n   node b2\n  rack r03\n   node c1\n   node c2\n";
static const char *const six[] = {"a1", "a2", "b1", "b2", "c1", "c2"};

static void add(struct reckon_sink *sink, const char *src, const char *dst) {
    struct reckon_sample s;
    reckon_sample_init(&s);
    s.host = src;
    s.peer = dst;
    s.figure[RECKON_SIZE] = 1434;
    s.figure[RECKON_REPLY_SIZE] = 34;
    reckon_sink_sample(sink, &s);
}

static struct reckon_sink *all_to_all(struct reckon *r) {
    struct reckon_sink *sink = reckon_sink_new(r);
    for (size_t a = 0; a < 6; a++)
        for (size_t b = 0; b < 6; b++)
            if (a != b)
                add(sink, six[a], six[b]);
    return sink;
}

/* Whether flows inside a rack and across racks are all expected at these rates. */
static bool expects(const struct reckon_comparison *c, double inside, double across) {
    bool all = reckon_flow_count(c) == 30;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        bool same =
            reckon_host_group(c, reckon_flow_src(c, f), 0) == reckon_host_group(c, reckon_flow_dst(c, f), 0);
        all = all && near(reckon_flow_expected(c, f), same ? inside : across);
    }
    return all;
}

static uint32_t element(struct reckon *r, const char *name) {
    return reckon_element_named(reckon_layout(r), name, NULL);
}

/* By hand: a request is 12,000 bits on the wire, a reply 800. A rack's uplinks carry 8 requests out and 8
 * replies to those that come in, 102,400 bits a request/s: full at 97,656.25. The flow inside then has half
 * of each NIC, 5 x 10^9 / 12,800 = 390,625. With two uplinks the NICs fill first: 5 requests and 5 replies
 * are 64,000 bits, 156,250. */
static void before_and_after_a_change(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT(!scratch_layout(&scratch, seed_floor));
    struct reckon_sink *sink = all_to_all(r);
    struct reckon_comparison *now = reckon_expect(r, "test", sink);
    CU_ASSERT_FATAL(now != NULL);
    CU_ASSERT(expects(now, 390625, 97656.25));
    CU_ASSERT_STRING_EQUAL(reckon_run_source(now), "test");
    CU_ASSERT(reckon_blank(reckon_flow_achieved(now, 0)));
    reckon_override(r, element(r, "A"), "uplinks", "2");
    struct reckon_comparison *then = reckon_expect(r, "test", sink);
    reckon_override_end(r);
    CU_ASSERT_FATAL(then != NULL);
    CU_ASSERT(expects(then, 156250, 156250));
    CU_ASSERT(expects(now, 390625, 97656.25)); /* what was made before keeps its figures */
    CU_ASSERT(!reckon_expect_again(then));
    CU_ASSERT(expects(then, 390625, 97656.25)); /* and the layout is what it was */
    reckon_expect_free(then);
    reckon_expect_free(now);
    reckon_sink_free(sink);
    scratch_end(&scratch);
}

static void overrides_nest_and_end(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT(!scratch_layout(
        &scratch, "dc T\n rack r1 uplinks=2\n  node a nic_gbps=10 +x\n  node b nic_gbps=10 +x\n"));
    const struct reckon_layout *l = reckon_layout(r);
    uint32_t a = element(r, "a"), b = element(r, "b");
    reckon_override(r, a, "nic_gbps", "25");
    reckon_override(r, a, "mtu", "9000");
    reckon_override(r, a, "nic_gbps", "40");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, a, "nic_gbps"), "40");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, a, "mtu"), "9000");
    CU_ASSERT(reckon_element_tagged(l, a, "x"));
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, b, "nic_gbps"), "10"); /* its twin shared the attributes */
    reckon_override_end(r);
    reckon_override_end(r);
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, a, "nic_gbps"), "10");
    CU_ASSERT(reckon_element_own(l, a, "mtu") == NULL);
    CU_ASSERT_STRING_EQUAL(reckon_element_get(l, a, "uplinks", NULL), "2");
    scratch_end(&scratch);
}

/* ---- loads of links ---- */

static uint64_t state;

static double draw(double least, double most) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return least + (most - least) * (double)(state >> 33) / 2147483648.0;
}

/* A fabric of two tiers, random speeds, some of them unknown, two layers, some flows paced, all measured but
 * a few. */
static struct reckon_comparison *random_problem(struct reckon *r, enum reckon_workload workload) {
    static char names[12][8];
    struct reckon_comparison *c = fabric_new(r, workload, RECKON_SHARE_LAYER);
    for (uint32_t g = 0; g < 6; g++)
        fabric_group(c, g >= 4, (const char *const[]){"p/1", "p/2", "q/3", "q/4", "p", "q"}[g],
                     draw(0, 1) < 0.2 ? BLANK : 1 + floor(draw(0, 4)), draw(5, 40));
    for (uint32_t h = 0; h < 12; h++) {
        snprintf(names[h], sizeof names[h], "h%02u", h);
        fabric_host(c, names[h], draw(0, 1) < 0.1 ? BLANK : draw(1, 30),
                    draw(0, 1) < 0.5 ? BLANK : draw(0.1, 3), h / 3, 4 + h / 6);
    }
    for (size_t s = 0; s < 3; s++)
        fabric_shape(c, floor(draw(64, 1500)), floor(draw(0, 1500)));
    fabric_layer(c, "one");
    fabric_layer(c, "two");
    for (uint32_t a = 0; a < 12; a++)
        for (uint32_t b = 0; b < 12; b++)
            if (a != b && draw(0, 1) < 0.6)
                fabric_flow(c, a, b, 1 + (a + b) % 2, (uint32_t)draw(0, 3),
                            draw(0, 1) < 0.5 ? BLANK : draw(10, 1e6),
                            draw(0, 1) < 0.1 ? BLANK : draw(0, 1e6));
    fabric_ready(c);
    return c;
}

/* What the flows of one layer put on the link, by what they expect or got, blank where none has the figure;
 * through what a module sees. */
static double sum(const struct reckon_comparison *c, uint32_t link, const char *layer,
                  double (*rate)(const struct reckon_comparison *, uint32_t), uint32_t *flows) {
    long double total = 0;
    size_t known = 0;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        uint32_t links[RECKON_FLOW_LINKS];
        double coefficients[RECKON_FLOW_LINKS];
        size_t n = strcmp(reckon_flow_layer(c, f), layer) ? 0 : reckon_flow_links(c, f, links, coefficients);
        for (size_t i = 0; i < n; i++)
            if (links[i] == link) {
                ++*flows;
                known += !reckon_blank(rate(c, f));
                total += reckon_blank(rate(c, f)) ? 0 : (long double)coefficients[i] * rate(c, f);
            }
    }
    return known ? (double)total : BLANK;
}

static bool same(double a, double b) {
    return reckon_blank(a) ? reckon_blank(b) : near(a, b);
}

static uint32_t limited(const struct reckon_comparison *c, uint32_t link) {
    uint32_t n = 0;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        n += reckon_flow_limit_link(c, f) == link;
    return n;
}

static void loads_are_sums_over_flows(void) {
    struct reckon *r = scratch_start(&scratch);
    state = 7;
    for (int problem = 0; problem < 100; problem++) {
        struct reckon_comparison *c = random_problem(r, problem % 2 ? RECKON_REQUEST_REPLY : RECKON_UDP);
        size_t wrong = 0;
        model_solve(c, false);
        evidence_gather(c, 90);
        for (uint32_t l = 0; l < reckon_link_count(c); l++) {
            uint32_t flows = 0, again = 0;
            double expected = fmax(sum(c, l, "one", reckon_flow_expected, &flows),
                                   sum(c, l, "two", reckon_flow_expected, &flows));
            double achieved = fmax(sum(c, l, "one", reckon_flow_achieved, &again),
                                   sum(c, l, "two", reckon_flow_achieved, &again));
            expected = flows ? expected : 0;
            wrong +=
                !(same(reckon_link_expected_load(c, l), expected) && same(reckon_link_load(c, l), achieved) &&
                  reckon_link_flows(c, l) == flows && reckon_link_limited(c, l) == limited(c, l));
        }
        CU_ASSERT_EQUAL(wrong, 0);
        fabric_free(c);
    }
    scratch_end(&scratch);
}

/* By hand, as above: each uplink out carries 8 x 12,000 x 97,656.25 of requests and 8 x 800 x 97,656.25 of
 * replies, 10 Gb/s; a NIC out 4 x 97,656.25 x 12,800 to and from other racks and 390,625 x 12,800 inside, 10
 * Gb/s. */
static void loads_of_three_racks(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT(!scratch_layout(&scratch, seed_floor));
    struct reckon_sink *sink = all_to_all(r);
    struct reckon_comparison *c = reckon_expect(r, "test", sink);
    CU_ASSERT_FATAL(c != NULL);
    for (uint32_t l = 0; l < reckon_link_count(c); l++) {
        bool uplink = reckon_link_kind(c, l) == RECKON_LINK_UPLINK;
        if (reckon_link_kind(c, l) == RECKON_LINK_PPS)
            continue;
        CU_ASSERT(near(reckon_link_expected_load(c, l), 10e9));
        CU_ASSERT(reckon_blank(reckon_link_load(c, l)));
        CU_ASSERT(reckon_blank(reckon_link_utilisation(c, l)));
        CU_ASSERT_EQUAL(reckon_link_flows(c, l), uplink ? 16u : 10u);
        CU_ASSERT_EQUAL(reckon_link_limited(c, l), !reckon_link_out(c, l) ? 0u : uplink ? 8u : 1u);
    }
    reckon_expect_free(c);
    reckon_sink_free(sink);
    scratch_end(&scratch);
}

void suite_expect(void) {
    CU_pSuite s = CU_add_suite("expectations and loads", NULL, NULL);
    CU_add_test(s, "before and after a change", before_and_after_a_change);
    CU_add_test(s, "overrides nest and end", overrides_nest_and_end);
    CU_add_test(s, "loads of three racks of two", loads_of_three_racks);
    CU_add_test(s, "loads are sums over flows, on 100 random problems", loads_are_sums_over_flows);
}
