/* SPDX-License-Identifier: Apache-2.0
 *
 * The fair share: the numbers of doc/model.md and others worked by hand, and a thousand random problems
 * against plain progressive filling.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/wire.h"
#include "reference.h"

#define Q 12000.0 /* bits of a 1434-byte request */
#define P 800.0   /* and of its 34-byte reply */

static const char *const racks[] = {"T/h1/r01", "T/h1/r02", "T/h1/r03"};

static const struct flow *flow_between(const struct reckon_comparison *c, uint32_t src, uint32_t dst) {
    for (uint32_t i = 0; i < c->nflows; i++)
        if (c->flows[i].src == src && c->flows[i].dst == dst)
            return &c->flows[i];
    abort();
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Whether the flow is expected at `rate` and stopped by that link. */
static bool gets(const struct reckon_comparison *c, uint32_t src, uint32_t dst, double rate,
                 enum reckon_limit limit, uint32_t link) {
    const struct flow *f = flow_between(c, src, dst);
    return near(f->expected, rate) && f->limit == limit && f->limit_link == link;
}

/* Three racks of two 10 Gb/s hosts, one 10 Gb/s uplink each. A rack's uplinks out carry 8 requests and 8
 * replies per unit of rate, 102,400 bits: full at 97,656.25. Then half of each NIC is left for the flow
 * inside: 5e9 / 12,800. */
static void three_racks(void) {
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_LAYER);
    for (int g = 0; g < 3; g++)
        fabric_group(c, 0, racks[g], 1, 10);
    for (uint32_t h = 0; h < 6; h++)
        fabric_host(c, (const char *const[]){"a1", "a2", "b1", "b2", "c1", "c2"}[h], 10, BLANK, h / 2, NONE);
    fabric_all_to_all(c, fabric_shape(c, 1434, 34), BLANK, BLANK);
    fabric_ready(c);
    model_solve(c, false);
    for (uint32_t a = 0; a < 6; a++)
        for (uint32_t b = 0; b < 6; b++) {
            if (a / 2 == b / 2 && a != b)
                CU_ASSERT(gets(c, a, b, 390625, RECKON_LIMIT_NIC, host_link(a, NIC_OUT)));
            if (a / 2 != b / 2)
                CU_ASSERT(gets(c, a, b, 97656.25, RECKON_LIMIT_UPLINK, group_link(c, a / 2, UPLINK_OUT)));
        }
    fabric_free(c);
}

/* Four hosts of one rack, one peer each per layer: a NIC carries a request and a reply each way, 10e9 /
 * 12,800. Were the layers concurrent, it would be half of that. */
static void layers(void) {
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_LAYER);
    fabric_layer(c, "1");
    fabric_layer(c, "2");
    for (uint32_t h = 0; h < 4; h++)
        fabric_host(c, (const char *const[]){"a", "b", "c", "d"}[h], 10, BLANK, NONE, NONE);
    fabric_shape(c, 1434, 34);
    for (uint32_t h = 0; h < 4; h++)
        for (uint32_t layer = 1; layer <= 2; layer++)
            fabric_flow(c, h, (h + layer) % 4, layer, 0, BLANK, BLANK);
    fabric_ready(c);
    model_solve(c, false);
    for (uint32_t i = 0; i < c->nflows; i++)
        CU_ASSERT(gets(c, c->flows[i].src, c->flows[i].dst, 781250, RECKON_LIMIT_NIC,
                       host_link(c->flows[i].src, NIC_OUT)));
    c->sharing = RECKON_SHARE_ALL;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 390625, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    /* one sender at a time: two requests out of its NIC, 24,000 bits; a receiver's NIC would allow twice that
     */
    c->sharing = RECKON_SHARE_SOURCE;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10e9 / (2 * Q), RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    /* one flow at a time: its request fills the NIC */
    c->sharing = RECKON_SHARE_NONE;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10e9 / Q, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    fabric_free(c);
}

/* Two pods of two racks of one 40 Gb/s host; racks have 20 Gb/s of uplinks, pods 10. A pod's uplinks out
 * carry 4 requests and 4 replies per unit, 51,200 bits: full at 195,312.5. A rack's then have 20e9 - 2 ×
 * 12,800 × 195,312.5 = 15e9 left for the flow to the other rack of the pod: 1,171,875. */
static void two_tiers(void) {
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    for (int g = 0; g < 4; g++)
        fabric_group(c, 0, (const char *const[]){"p1/r1", "p1/r2", "p2/r3", "p2/r4"}[g], 2, 10);
    fabric_group(c, 1, "p1", 1, 10);
    fabric_group(c, 1, "p2", 1, 10);
    for (uint32_t h = 0; h < 4; h++)
        fabric_host(c, (const char *const[]){"a", "b", "c", "d"}[h], 40, BLANK, h, 4 + h / 2);
    fabric_all_to_all(c, fabric_shape(c, 1434, 34), BLANK, BLANK);
    fabric_ready(c);
    model_solve(c, false);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = 0; b < 4; b++) {
            if (a / 2 == b / 2 && a != b)
                CU_ASSERT(gets(c, a, b, 1171875, RECKON_LIMIT_UPLINK, group_link(c, a, UPLINK_OUT)));
            if (a / 2 != b / 2)
                CU_ASSERT(gets(c, a, b, 195312.5, RECKON_LIMIT_UPLINK, group_link(c, 4 + a / 2, UPLINK_OUT)));
        }
    fabric_free(c);
}

/* a -> b alone, with requests of `size` bytes and replies of `reply`. */
static struct reckon_comparison *pair(double size, double reply, double demand) {
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    fabric_host(c, "a", 10, BLANK, NONE, NONE);
    fabric_host(c, "b", 10, BLANK, NONE, NONE);
    fabric_flow(c, 0, 1, 0, fabric_shape(c, size, reply), demand, BLANK);
    fabric_ready(c);
    model_solve(c, false);
    return c;
}

/* Requests of 934 bytes are 8,000 bits: a NIC is full at 1,250,000. A target within 1e-9 of that is a target
 * met. */
static void target_and_link(void) {
    static const struct {
        double demand, rate;
        enum reckon_limit limit;
    } cases[] = {
        {1000000, 1000000, RECKON_LIMIT_TARGET},
        {1250000, 1250000, RECKON_LIMIT_TARGET},
        {1250000 * (1 + 9e-10), 1250000, RECKON_LIMIT_TARGET},
        {1250000 * (1 + 2e-9), 1250000, RECKON_LIMIT_NIC},
        {BLANK, 1250000, RECKON_LIMIT_NIC},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct reckon_comparison *c = pair(934, 34, cases[i].demand);
        uint32_t link = cases[i].limit == RECKON_LIMIT_NIC ? host_link(0, NIC_OUT) : NONE;
        CU_ASSERT(gets(c, 0, 1, cases[i].rate, cases[i].limit, link));
        model_solve(c, true); /* unpaced: the demand is not looked at */
        CU_ASSERT(gets(c, 0, 1, 1250000, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
        fabric_free(c);
    }
}

/* Several full links: the largest coefficient, then out, then the name. */
static void ties(void) {
    struct reckon_comparison *c = pair(34, 934, BLANK); /* the reply is the larger: it fills b's NIC out */
    CU_ASSERT(gets(c, 0, 1, 1250000, RECKON_LIMIT_NIC, host_link(1, NIC_OUT)));
    fabric_free(c);
    c = pair(934, 934, BLANK); /* both NICs, both ways, alike: the first name */
    CU_ASSERT(gets(c, 0, 1, 1250000, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    c->flows->src = 1;
    c->flows->dst = 0;
    model_solve(c, false);
    CU_ASSERT(gets(c, 1, 0, 1250000, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    fabric_free(c);
    /* NIC and uplinks of 10 Gb/s each, at both ends: the kinds in the order nic, uplink */
    c = fabric_new(NULL, RECKON_TCP, RECKON_SHARE_ALL);
    fabric_group(c, 0, racks[0], 1, 10);
    fabric_group(c, 0, racks[1], 1, 10);
    fabric_host(c, "a", 10, BLANK, 0, NONE);
    fabric_host(c, "b", 10, BLANK, 1, NONE);
    fabric_flow(c, 0, 1, 0, fabric_shape(c, 1500, BLANK), BLANK, BLANK);
    fabric_ready(c);
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10000 * 1448 / 1538.0, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    /* the sender's NIC faster: its uplinks, an out, before the receiver's NIC in */
    c->links[host_link(0, NIC_OUT)].capacity = 25e9;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10000 * 1448 / 1538.0, RECKON_LIMIT_UPLINK, group_link(c, 0, UPLINK_OUT)));
    /* nearly full counts as full, and does not change the rate: b's NIC fills first, a's by less than 1e-9
     * later */
    c->links[host_link(0, NIC_OUT)].capacity = 10e9 * (1 + 5e-10);
    c->links[group_link(c, 0, UPLINK_OUT)].capacity = 25e9;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10000 * 1448 / 1538.0, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    fabric_free(c);
}

/* A card of 1 Mpps: a request out, a reply in. 10 Gb/s would carry 10e9 / 672. */
static void packet_rate(void) {
    struct reckon_comparison *c = pair(18, 18, BLANK);
    CU_ASSERT(gets(c, 0, 1, 10e9 / 672, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)));
    c->links[host_link(1, PPS_OUT)].capacity = c->links[host_link(1, PPS_IN)].capacity = 1e6;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 1e6, RECKON_LIMIT_NIC_PPS, host_link(1, PPS_OUT)));
    fabric_free(c);
}

/* b's NIC takes two requests; one of the senders has no speed: it takes part, but nothing is expected of it.
 */
static void unmodelled(void) {
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    fabric_host(c, "a", 10, BLANK, NONE, NONE);
    fabric_host(c, "b", 10, BLANK, NONE, NONE);
    fabric_host(c, "x", BLANK, BLANK, NONE, NONE);
    fabric_shape(c, 1434, 34);
    fabric_flow(c, 0, 1, 0, 0, BLANK, BLANK);
    fabric_flow(c, 2, 1, 0, 0, BLANK, BLANK);
    fabric_ready(c);
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10e9 / (2 * Q), RECKON_LIMIT_NIC, host_link(1, NIC_IN)));
    const struct flow *f = flow_between(c, 2, 1);
    CU_ASSERT(reckon_blank(f->expected) && f->limit == RECKON_LIMIT_UNMODELLED && f->limit_link == NONE);
    /* its target of 100,000 leaves the rest to the other */
    c->flows[1].demand = 100000;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 10e9 / Q - 100000, RECKON_LIMIT_NIC, host_link(1, NIC_IN)));
    CU_ASSERT(reckon_blank(f->expected) && f->limit == RECKON_LIMIT_UNMODELLED);
    fabric_free(c);
}

/* Nothing known limits it, and it asks for all it can get. */
static void unbounded(void) {
    struct reckon_comparison *c = pair(1434, 34, BLANK);
    for (uint32_t l = 0; l < c->nlinks; l++)
        c->links[l].capacity = BLANK;
    model_solve(c, false);
    const struct flow *f = flow_between(c, 0, 1);
    CU_ASSERT(reckon_blank(f->expected) && f->limit == RECKON_LIMIT_UNBOUNDED && f->limit_link == NONE);
    c->flows->demand = 5;
    model_solve(c, false);
    CU_ASSERT(gets(c, 0, 1, 5, RECKON_LIMIT_TARGET, NONE));
    fabric_free(c);
}

static void nothing_at_all(void) {
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_LAYER);
    fabric_ready(c);
    model_solve(c, false);
    CU_ASSERT_EQUAL(c->nflows, 0);
    fabric_free(c);
}

/* 9,999 senders with targets 1, 2, 3… requests/s and an unpaced one share a receiver: what the targets leave
 * of its NIC, one part in five thousand, is the unpaced one's, exactly. */
static void many_targets(void) {
    enum { N = 10000 };
    static char names[N][16];
    struct reckon_comparison *c = fabric_new(NULL, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    fabric_shape(c, 1434, 34);
    uint32_t sink = fabric_host(c, "0", 1e6, BLANK, NONE, NONE);
    double targets = 0;
    for (uint32_t i = 1; i <= N; i++) {
        snprintf(names[i - 1], sizeof *names, "%05u", i);
        fabric_host(c, names[i - 1], 1e6, BLANK, NONE, NONE);
        fabric_flow(c, i, sink, 0, 0, i < N ? i : BLANK, BLANK);
        targets += i < N ? i : 0; /* whole numbers: exact */
    }
    fabric_ready(c);
    c->links[host_link(sink, NIC_IN)].capacity = Q * (targets + 10000.5);
    model_solve(c, false);
    CU_ASSERT(gets(c, 42, sink, 42, RECKON_LIMIT_TARGET, NONE));
    CU_ASSERT(gets(c, N, sink, 10000.5, RECKON_LIMIT_NIC, host_link(sink, NIC_IN)));
    fabric_free(c);
}

/* ---- random problems ---- */

static uint64_t draw(uint64_t *state) { /* xorshift64*, Vigna 2016 */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)((draw(state) >> 33) % n);
}

static double share(uint64_t *state) {
    return (double)(draw(state) >> 11) / 9007199254740992.0;
}

/* Speeds of a problem: all alike, of a few kinds, ten orders apart, or anything from 1e-280 to 1e280. */
static double speed(uint64_t *state, uint32_t kind) {
    static const double few[] = {10, 10, 25, 40, 100};
    switch (kind) {
    case 0:
        return 10;
    case 1:
        return few[below(state, 5)];
    case 2:
        return 10 * pow(10, 10 * share(state) - 5);
    default:
        return pow(10, 560 * share(state) - 280);
    }
}

/* Demands: none, one for all, of a few values, anything up to what a NIC carries, or what fills it exactly.
 */
static double demand(uint64_t *state, const struct reckon_comparison *c, uint32_t src, uint32_t shape,
                     uint32_t kind) {
    double whole = c->hosts[src].nic_gbps * 1e9 / c->shapes[shape].forward;
    switch (kind) {
    case 1:
        return 50000;
    case 2:
        return 1000 * (1 + below(state, 4));
    case 3:
        return whole * share(state);
    case 4:
        return whole / (1 + below(state, 8));
    default:
        return BLANK;
    }
}

#define MOST_HOSTS 160

static struct reckon_comparison *random_problem(uint64_t seed, uint32_t max_hosts) {
    static char names[MOST_HOSTS][16];
    static char *const paths[] = {"g0", "g1", "g2", "g3", "g4", "p0", "p1", "p2"};
    uint64_t state = seed * 2654435769u + 1;
    static const enum reckon_sharing sharings[] = {RECKON_SHARE_ALL, RECKON_SHARE_ALL, RECKON_SHARE_LAYER,
                                                   RECKON_SHARE_SOURCE, RECKON_SHARE_NONE};
    enum reckon_workload workload = (enum reckon_workload)(1 + below(&state, 3));
    struct reckon_comparison *c = fabric_new(NULL, workload, sharings[below(&state, 5)]);
    uint32_t inner = below(&state, 6), outer = inner ? below(&state, 4) : 0, speeds = below(&state, 4);
    uint32_t demands = below(&state, 6), hosts = 2 + below(&state, max_hosts - 1),
             shapes = 1 + below(&state, 3);
    double few_rates = below(&state, 3) ? 0 : 0.5, lost = below(&state, 4) ? 0 : 0.1;
    for (uint32_t g = 0; g < inner + outer; g++) {
        bool declared = below(&state, 5);
        double count = 1 + below(&state, 4), gbps = speed(&state, speeds);
        fabric_group(c, g >= inner, paths[g < inner ? g : 5 + g - inner], declared ? count : BLANK,
                     declared ? gbps : BLANK);
    }
    for (uint32_t h = 0; h < hosts; h++) {
        snprintf(names[h], sizeof *names, "h%03u", h);
        double gbps = share(&state) < lost ? BLANK : speed(&state, speeds);
        double mpps = share(&state) < few_rates ? speed(&state, speeds) / 10 : BLANK;
        uint32_t rack = inner && below(&state, 9) ? below(&state, inner) : NONE;
        uint32_t pod = outer && below(&state, 9) ? inner + below(&state, outer) : NONE;
        fabric_host(c, names[h], gbps, mpps, rack, pod);
    }
    for (uint32_t k = 0; k < shapes; k++) {
        double size = 1 + below(&state, 1500), reply = below(&state, 1500);
        fabric_shape(c, workload == RECKON_TCP ? 1500 + 3750 * k : size, reply);
    }
    fabric_layer(c, "1");
    fabric_layer(c, "2");
    double density = share(&state);
    for (uint32_t a = 0; a < hosts; a++)
        for (uint32_t b = 0; b < hosts; b++)
            for (uint32_t layer = 0; layer < 3; layer++) {
                uint32_t shape = below(&state, shapes);
                double wanted = demand(&state, c, a, shape, demands == 5 ? below(&state, 5) : demands);
                if (share(&state) < density / (layer ? 4 : 1) && (a != b || !below(&state, 4)))
                    fabric_flow(c, a, b, layer, shape, wanted > 0 ? wanted : BLANK, BLANK);
            }
    fabric_ready(c);
    return c;
}

/* The first flow that differs from the reference; RECKON_NONE when all agree. */
static uint32_t first_difference(struct reckon_comparison *c, bool unpaced) {
    struct reference x = reference_solve(c, unpaced);
    model_solve(c, unpaced);
    uint32_t i = 0;
    for (; i < c->nflows; i++) {
        const struct flow *f = &c->flows[i];
        bool same = isnan(x.expected[i]) ? reckon_blank(f->expected)
                                         : fabsl(f->expected - x.expected[i]) <= 1e-9L * fabsl(x.expected[i]);
        if (!same || f->limit != x.limit[i] || f->limit_link != x.link[i])
            break;
    }
    reference_free(&x);
    return i < c->nflows ? i : NONE;
}

static void random_problems(uint64_t first, uint64_t count, uint32_t max_hosts) {
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct reckon_comparison *c = random_problem(seed, max_hosts);
        uint32_t i = first_difference(c, seed % 10 == 0);
        if (i != NONE) {
            static char text[160];
            snprintf(text, sizeof text,
                     "problem %llu of at most %u hosts: flow %u of %u: %.17g, limit %u, link %u",
                     (unsigned long long)seed, max_hosts, i, c->nflows, c->flows[i].expected,
                     c->flows[i].limit, c->flows[i].limit_link);
            CU_FAIL(text);
            puts(text);
        }
        fabric_free(c);
    }
}

static void small_problems(void) {
    random_problems(1, 900, 9);
}

static void larger_problems(void) {
    random_problems(1, 100, 24);
}

/* ---- problems too large for the reference ---- */

/* Loads and highest rates of the links of one problem, from the rates alone. */
struct certificate {
    long double *load;
    double *highest;
};

static struct certificate certify(const struct reckon_comparison *c) {
    struct certificate x = {calloc(c->nlinks, sizeof *x.load), calloc(c->nlinks, sizeof *x.highest)};
    uint32_t link[RECKON_FLOW_LINKS];
    double coefficient[RECKON_FLOW_LINKS];
    for (uint32_t i = 0; i < c->nflows; i++) {
        size_t n = flow_links(c, &c->flows[i], link, coefficient);
        for (size_t k = 0; k < n; k++) {
            x.load[link[k]] += (long double)coefficient[k] * c->flows[i].expected;
            x.highest[link[k]] = fmax(x.highest[link[k]], c->flows[i].expected);
        }
    }
    return x;
}

/* Whether the link that a flow is charged to is full, with no flow on it faster (Bertsekas and Gallager:
 * rates are max-min fair exactly when every flow has such a bottleneck, or all it asks for). */
static bool has_bottleneck(const struct reckon_comparison *c, const struct certificate *x,
                           const struct flow *f) {
    if (f->limit == RECKON_LIMIT_TARGET)
        return fabs(f->expected - f->demand) <= 1e-9 * fmax(f->demand, 1); /* as the model says */
    uint32_t l = f->limit_link;
    return l != NONE && fabsl(x->load[l] / c->links[l].capacity - 1) <= 1e-9L &&
           f->expected >= x->highest[l] * (1 - 1e-9);
}

static void bottlenecks(void) {
    uint32_t solved = 0, flows = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct reckon_comparison *c = random_problem(seed, MOST_HOSTS);
        bool modelled = true;
        for (uint32_t h = 0; h < c->nhosts; h++)
            modelled = modelled && !reckon_blank(c->hosts[h].nic_gbps);
        if (modelled) {
            c->sharing = RECKON_SHARE_ALL;
            model_solve(c, false);
            struct certificate x = certify(c);
            uint32_t wrong = 0, overfull = 0;
            for (uint32_t i = 0; i < c->nflows; i++)
                wrong += !has_bottleneck(c, &x, &c->flows[i]);
            for (uint32_t l = 0; l < c->nlinks; l++)
                overfull += x.load[l] > c->links[l].capacity * (1 + 1e-9L);
            CU_ASSERT_EQUAL(wrong, 0);
            CU_ASSERT_EQUAL(overfull, 0);
            solved++;
            flows += c->nflows;
            free(x.load);
            free(x.highest);
        }
        fabric_free(c);
    }
    CU_ASSERT(solved > 20 && flows > 100000);
}

/* Twice the same bits, whatever was solved before. */
static void deterministic(void) {
    struct reckon_comparison *a = random_problem(77, 24), *b = random_problem(77, 24);
    model_solve(a, false);
    model_solve(b, true);
    model_solve(b, false);
    for (uint32_t i = 0; i < a->nflows; i++)
        CU_ASSERT(!memcmp(&a->flows[i].expected, &b->flows[i].expected, sizeof(double)) &&
                  a->flows[i].limit_link == b->flows[i].limit_link);
    fabric_free(a);
    fabric_free(b);
}

void suite_solve(void);

void suite_solve(void) {
    CU_pSuite suite = CU_add_suite("solve", NULL, NULL);
    CU_add_test(suite, "three racks: 97,656.25 and 390,625", three_racks);
    CU_add_test(suite, "layers: 781,250, and what shares the fabric", layers);
    CU_add_test(suite, "two tiers", two_tiers);
    CU_add_test(suite, "target and link", target_and_link);
    CU_add_test(suite, "ties", ties);
    CU_add_test(suite, "packet rate", packet_rate);
    CU_add_test(suite, "unmodelled", unmodelled);
    CU_add_test(suite, "unbounded", unbounded);
    CU_add_test(suite, "nothing at all", nothing_at_all);
    CU_add_test(suite, "many targets", many_targets);
    CU_add_test(suite, "900 random problems against the reference", small_problems);
    CU_add_test(suite, "100 larger ones", larger_problems);
    CU_add_test(suite, "large problems: every flow has a bottleneck", bottlenecks);
    CU_add_test(suite, "deterministic", deterministic);
}
