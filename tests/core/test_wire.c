/* SPDX-License-Identifier: Apache-2.0
 *
 * What flows put on links, and how links and limits are called. Figures worked by hand from doc/model.md.
 */
#include <CUnit/CUnit.h>

#include "../../core/wire.h"
#include "../fabric.h"
#include "sandbox.h"

static struct shape filled(enum reckon_workload workload, double size, double reply, double mtu) {
    struct shape s = {.size = size, .reply = reply, .mtu = mtu};
    shape_fill(&s, workload);
    return s;
}

/* (1434 + 66) × 8 = 12000, (34 + 66) × 8 = 800; a packet each way. An empty reply is 66 bytes still. */
static void request_and_reply(void) {
    struct shape s = filled(RECKON_REQUEST_REPLY, 1434, 34, BLANK);
    CU_ASSERT_EQUAL(s.forward, 12000);
    CU_ASSERT_EQUAL(s.backward, 800);
    CU_ASSERT_EQUAL(s.packets_forward, 1);
    CU_ASSERT_EQUAL(s.packets_backward, 1);
    CU_ASSERT_EQUAL(filled(RECKON_REQUEST_REPLY, 1434, 0, BLANK).backward, 528);
}

/* At an MTU of 1500, 1448 bytes of 1538 are goodput: 25 Gb/s carry 25000 × 1448 / 1538 = 23537.06 Mb/s. A
 * segment is 11584 bits: 10⁶ / 11584 a Mb. Acknowledgements are not counted. */
static void goodput(void) {
    struct shape s = filled(RECKON_TCP, BLANK, BLANK, 1500);
    CU_ASSERT_DOUBLE_EQUAL(25e9 / s.forward, 23537.06, 0.005);
    CU_ASSERT_DOUBLE_EQUAL(s.packets_forward * 11584, 1e6, 1e-6);
    CU_ASSERT_EQUAL(s.backward, 0);
    CU_ASSERT_EQUAL(s.packets_backward, 0);
}

/* Datagrams of 934 bytes take 1000 on the wire: 10⁶ × 1000 / 934 bits a Mb, and 10⁶ / 7472 packets. */
static void datagrams(void) {
    struct shape s = filled(RECKON_UDP, 934, BLANK, BLANK);
    CU_ASSERT_DOUBLE_EQUAL(s.forward * 934, 1e9, 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(s.packets_forward * 7472, 1e6, 1e-6);
    CU_ASSERT_EQUAL(s.backward, 0);
}

/* Two racks r1 {a, b} and r2 {c}, all in pod p; d is in no rack. */
static struct reckon_comparison *two_racks(struct reckon *r, enum reckon_workload workload) {
    struct reckon_comparison *c = fabric_new(r, workload, RECKON_SHARE_ALL);
    fabric_group(c, 0, "T/h1/r1", 1, 10);
    fabric_group(c, 0, "T/h1/r2", 2, 10);
    fabric_host(c, "a", 10, BLANK, 0, NONE);
    fabric_host(c, "b", 2.5, 3, 0, NONE);
    fabric_host(c, "c", 10, BLANK, 1, NONE);
    fabric_host(c, "d", 10, BLANK, NONE, NONE);
    fabric_shape(c, 1434, 34);
    fabric_ready(c);
    return c;
}

/* The coefficient of a link in the flow from src to dst; 0 when it is not crossed. */
static double on(const struct reckon_comparison *c, uint32_t src, uint32_t dst, uint32_t link,
                 size_t *count) {
    struct flow f = {.src = src, .dst = dst};
    uint32_t links[RECKON_FLOW_LINKS];
    double coefficients[RECKON_FLOW_LINKS], found = 0;
    size_t n = flow_links(c, &f, links, coefficients);
    for (size_t i = 0; i < n; i++)
        if (links[i] == link)
            found += coefficients[i];
    if (count)
        *count = n;
    return found;
}

static void links_of_a_request(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = two_racks(r, RECKON_REQUEST_REPLY);
    size_t n;
    /* a -> c leaves r1 and enters r2: four at the NICs, four packet rates, four uplinks */
    CU_ASSERT_EQUAL(on(c, 0, 2, host_link(0, NIC_OUT), &n), 12000);
    CU_ASSERT_EQUAL(n, 12);
    CU_ASSERT_EQUAL(on(c, 0, 2, host_link(2, NIC_IN), NULL), 12000);
    CU_ASSERT_EQUAL(on(c, 0, 2, host_link(2, NIC_OUT), NULL), 800);
    CU_ASSERT_EQUAL(on(c, 0, 2, host_link(0, NIC_IN), NULL), 800);
    for (uint32_t which = PPS_OUT; which <= PPS_IN; which++) {
        CU_ASSERT_EQUAL(on(c, 0, 2, host_link(0, which), NULL), 1);
        CU_ASSERT_EQUAL(on(c, 0, 2, host_link(2, which), NULL), 1);
    }
    CU_ASSERT_EQUAL(on(c, 0, 2, group_link(c, 0, UPLINK_OUT), NULL), 12000);
    CU_ASSERT_EQUAL(on(c, 0, 2, group_link(c, 1, UPLINK_IN), NULL), 12000);
    CU_ASSERT_EQUAL(on(c, 0, 2, group_link(c, 1, UPLINK_OUT), NULL), 800);
    CU_ASSERT_EQUAL(on(c, 0, 2, group_link(c, 0, UPLINK_IN), NULL), 800);
    /* inside a rack, and to a host in none, there is no uplink */
    on(c, 0, 1, 0, &n);
    CU_ASSERT_EQUAL(n, 8);
    on(c, 0, 3, 0, &n);
    CU_ASSERT_EQUAL(n, 8);
    fabric_free(c);
    session_end(r);
}

/* A host that sends to itself loads its NIC with request and reply each way: terms on one link add. */
static void terms_on_one_link_add(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = two_racks(r, RECKON_REQUEST_REPLY);
    size_t n;
    CU_ASSERT_EQUAL(on(c, 0, 0, host_link(0, NIC_OUT), &n), 12800);
    CU_ASSERT_EQUAL(on(c, 0, 0, host_link(0, NIC_IN), NULL), 12800);
    CU_ASSERT_EQUAL(on(c, 0, 0, host_link(0, PPS_OUT), NULL), 2);
    CU_ASSERT_EQUAL(n, 4);
    fabric_free(c);
    session_end(r);
}

/* Goodput loads the way there alone. */
static void links_of_goodput(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = fabric_new(r, RECKON_TCP, RECKON_SHARE_ALL);
    fabric_group(c, 0, "r1", 1, 10);
    fabric_group(c, 0, "r2", 1, 10);
    fabric_host(c, "a", 10, BLANK, 0, NONE);
    fabric_host(c, "b", 10, BLANK, 1, NONE);
    fabric_shape(c, 1500, BLANK);
    fabric_ready(c);
    size_t n;
    CU_ASSERT_EQUAL(on(c, 0, 1, group_link(c, 0, UPLINK_OUT), &n), c->shapes[0].forward);
    CU_ASSERT_EQUAL(n, 6);
    CU_ASSERT_EQUAL(on(c, 0, 1, group_link(c, 1, UPLINK_IN), NULL), c->shapes[0].forward);
    CU_ASSERT_EQUAL(on(c, 0, 1, group_link(c, 0, UPLINK_IN), NULL), 0);
    CU_ASSERT_EQUAL(on(c, 0, 1, host_link(0, PPS_OUT), NULL), c->shapes[0].packets_forward);
    fabric_free(c);
    session_end(r);
}

/* Every tier a flow leaves and enters. */
static void links_of_two_tiers(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_ALL);
    for (int i = 0; i < 3; i++)
        fabric_group(c, 0, (const char *const[]){"p1/r1", "p1/r2", "p2/r3"}[i], 1, 10);
    fabric_group(c, 1, "p1", 1, 10);
    fabric_group(c, 1, "p2", 1, 10);
    fabric_host(c, "a", 10, BLANK, 0, 3);
    fabric_host(c, "b", 10, BLANK, 1, 3);
    fabric_host(c, "c", 10, BLANK, 2, 4);
    fabric_shape(c, 1434, 34);
    fabric_ready(c);
    size_t n;
    on(c, 0, 1, 0, &n); /* another rack of the pod: the racks' uplinks alone */
    CU_ASSERT_EQUAL(n, 12);
    CU_ASSERT_EQUAL(on(c, 0, 2, group_link(c, 3, UPLINK_OUT), &n), 12000);
    CU_ASSERT_EQUAL(n, 16);
    CU_ASSERT_EQUAL(on(c, 0, 2, group_link(c, 4, UPLINK_OUT), NULL), 800);
    fabric_free(c);
    session_end(r);
}

/* By kind (nic, pps, uplink), then the owner's name, then in before out. */
static void order_of_links(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = two_racks(r, RECKON_REQUEST_REPLY);
    const uint32_t sorted[] = {host_link(0, NIC_IN),         host_link(0, NIC_OUT),
                               host_link(3, NIC_IN),         host_link(0, PPS_IN),
                               host_link(2, PPS_OUT),        group_link(c, 0, UPLINK_IN),
                               group_link(c, 0, UPLINK_OUT), group_link(c, 1, UPLINK_IN)};
    for (size_t a = 0; a < sizeof sorted / sizeof *sorted; a++)
        for (size_t b = 0; b < sizeof sorted / sizeof *sorted; b++) {
            int order = link_order(c, sorted[a], sorted[b]);
            CU_ASSERT(a < b ? order < 0 : a > b ? order > 0 : order == 0);
        }
    fabric_free(c);
    session_end(r);
}

static void names(void) {
    struct reckon *r = session_begin(0);
    struct reckon_comparison *c = two_racks(r, RECKON_REQUEST_REPLY);
    CU_ASSERT_STRING_EQUAL(reckon_link_name(r, c, host_link(1, NIC_OUT)), "nic:b:out");
    CU_ASSERT_STRING_EQUAL(reckon_link_name(r, c, host_link(1, PPS_IN)), "pps:b:in");
    CU_ASSERT_STRING_EQUAL(reckon_link_name(r, c, group_link(c, 1, UPLINK_IN)), "uplink:T/h1/r2:in");
    CU_ASSERT_STRING_EQUAL(reckon_link_name(r, c, RECKON_NONE), "");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_NIC, host_link(0, NIC_OUT)),
                           "a NIC 10 Gb/s out");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_NIC, host_link(1, NIC_IN)),
                           "b NIC 2.5 Gb/s in");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_NIC_PPS, host_link(1, PPS_OUT)),
                           "b NIC packet rate out");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_UPLINK, group_link(c, 1, UPLINK_OUT)),
                           "r2 uplinks out");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_TARGET, RECKON_NONE), "its target");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_UNBOUNDED, RECKON_NONE), "nothing declared");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_UNMODELLED, RECKON_NONE), "not modelled");
    CU_ASSERT_STRING_EQUAL(reckon_limit_text(r, c, RECKON_LIMIT_NONE, RECKON_NONE), "");
    CU_ASSERT_STRING_EQUAL(reckon_limit_word(RECKON_LIMIT_NIC_PPS), "NIC_PPS");
    CU_ASSERT_STRING_EQUAL(reckon_verdict_word(RECKON_VERDICT_NO_DATA), "NO-DATA");
    fabric_free(c);
    session_end(r);
}

void suite_wire(void);

void suite_wire(void) {
    CU_pSuite suite = CU_add_suite("wire", NULL, NULL);
    CU_add_test(suite, "request and reply", request_and_reply);
    CU_add_test(suite, "goodput", goodput);
    CU_add_test(suite, "datagrams", datagrams);
    CU_add_test(suite, "links of a request", links_of_a_request);
    CU_add_test(suite, "terms on one link add", terms_on_one_link_add);
    CU_add_test(suite, "links of goodput", links_of_goodput);
    CU_add_test(suite, "links of two tiers", links_of_two_tiers);
    CU_add_test(suite, "order of links", order_of_links);
    CU_add_test(suite, "names", names);
}
