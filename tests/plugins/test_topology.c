/* SPDX-License-Identifier: Apache-2.0
 *
 * The fabric read off a layout (doc/triage.md, "Running it"), tuples and the names of cables.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "../../plugins/verbs/triage_common/topology.h"
#include "../../plugins/verbs/triage_common/tuple.h"
#include "../scratch.h"

void suite_topology(void);

static struct scratch scratch;
static struct topology topo;

static void begin(const char *layout) {
    scratch_start(&scratch);
    CU_ASSERT_EQUAL_FATAL(scratch_layout(&scratch, layout), 0);
    CU_ASSERT_EQUAL_FATAL(topology_build(&scratch.session, &topo), 0);
}

static void end(void) {
    topology_free(&topo);
    scratch_end(&scratch);
}

static const char two_racks[] = "dc X\n"
                                "  node s[1..2] role=spine addr=10.9.{i}.1,10.9.{i}.2\n"
                                "  row r1 rnics=2\n"
                                "    rack A\n"
                                "      node tA role=tor addr=10.0.1.254\n"
                                "      node h[1..2] role=server addr=10.0.1.{i}0,10.0.1.{i}1\n"
                                "    rack B\n"
                                "      node tB role=tor\n"
                                "      node g1 role=server rnics=1 addr=::0:1\n"
                                "      node shelf\n"
                                "    rack C\n"
                                "      server lone\n";

static void hosts_and_rnics(void) {
    begin(two_racks);
    CU_ASSERT_EQUAL(topo.nhosts, 4);
    CU_ASSERT_EQUAL(topo.nrnics, 2 + 2 + 1 + 2); /* the row's rnics=2 is inherited */
    CU_ASSERT_EQUAL(topo.ntors, 2);
    CU_ASSERT_EQUAL(topo.nspines, 2);
    uint32_t h1 = topology_rnic(&topo, "h1/1", 4);
    CU_ASSERT_NOT_EQUAL_FATAL(h1, RECKON_NONE);
    CU_ASSERT_STRING_EQUAL(topo.rnics[h1].address, "10.0.1.11");
    CU_ASSERT_STRING_EQUAL(topo.tors[topo.hosts[topo.rnics[h1].host].tor].name, "tA");
    CU_ASSERT_EQUAL(topo.tors[0].count, 4);
    CU_ASSERT_EQUAL(topo.tors[1].count, 1);
    CU_ASSERT_EQUAL(topo.hosts[topology_host(&topo, "lone")].tor, RECKON_NONE);      /* its rack has no ToR */
    CU_ASSERT_EQUAL(topology_rnic(&topo, "g1", 2), topology_rnic(&topo, "g1/0", 4)); /* the only one */
    CU_ASSERT_EQUAL(topology_rnic(&topo, "h1", 2), RECKON_NONE);
    CU_ASSERT_EQUAL(topology_rnic(&topo, "h1/2", 4), RECKON_NONE);
    end();
}

static void addresses(void) {
    begin(two_racks);
    CU_ASSERT_STRING_EQUAL(topology_owner(&topo, "10.0.1.20"), "h2/0");
    CU_ASSERT_STRING_EQUAL(topology_owner(&topo, "10.9.2.2"), "s2");
    CU_ASSERT_STRING_EQUAL(topology_owner(&topo, "10.0.1.254"), "tA");
    CU_ASSERT_STRING_EQUAL(topology_owner(&topo, "0:0::1"), "g1/0"); /* however it is written */
    CU_ASSERT_PTR_NULL(topology_owner(&topo, "10.0.9.9"));
    end();
}

static const char *cable(const char *a, const char *b) {
    static char name[64];
    return topology_cable(&topo, a, strlen(a), b, strlen(b), name, sizeof name) ? name : "?";
}

/* Ends sorted as bytes; a port is HOST/i-TOR. */
static void cables(void) {
    begin(two_racks);
    CU_ASSERT_STRING_EQUAL(cable("s1", "tA"), "s1-tA");
    CU_ASSERT_STRING_EQUAL(cable("tA", "s1"), "s1-tA");
    CU_ASSERT_STRING_EQUAL(cable("A", "h1/0"), "h1/0-A");
    CU_ASSERT_STRING_EQUAL(cable("h1/0", "A"), "h1/0-A");
    CU_ASSERT_STRING_EQUAL(cable("h9/0", "A"), "A-h9/0"); /* no RNIC of the layout */
    CU_ASSERT_STRING_EQUAL(cable("a very long name that does not fit in here", "and another one of those"),
                           "?");
    end();
}

static void no_host(void) {
    scratch_start(&scratch);
    CU_ASSERT_EQUAL_FATAL(scratch_layout(&scratch, "rack A\n node t role=tor\n"), 0);
    CU_ASSERT_EQUAL(topology_build(&scratch.session, &topo), -1);
    CU_ASSERT_TRUE(scratch_error(&scratch, "no host"));
    end();
}

static bool parses(const char *text, const char *src, unsigned sport, const char *dst, unsigned dport) {
    struct tuple t;
    return tuple_parse(&t, text) && !strcmp(t.src, src) && !strcmp(t.dst, dst) && t.sport == sport &&
           t.dport == dport;
}

static void tuples(void) {
    struct tuple t;
    char text[TUPLE_TEXT];
    CU_ASSERT(parses("10.0.0.1:5>10.0.0.2:65535", "10.0.0.1", 5, "10.0.0.2", 65535));
    CU_ASSERT(parses("[fe80::1]:5>[::2]:6", "fe80::1", 5, "::2", 6));
    CU_ASSERT(parses("h1/0:5>h2/0:6", "h1/0", 5, "h2/0", 6));
    static const char *const wrong[] = {"",       "a",           "a:1",      "a:1>",   "a:1>b",
                                        "a:1>b:", "a:1>b:65536", "a:1>b:1x", ":1>b:1", "a:-1>b:1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CU_ASSERT_FALSE(tuple_parse(&t, wrong[i]));
    CU_ASSERT_TRUE(tuple_parse(&t, "[fe80::1]:5>[::2]:6"));
    CU_ASSERT_STRING_EQUAL(tuple_text(&t, text), "[fe80::1]:5>[::2]:6");
    t = tuple_reversed(&t);
    CU_ASSERT_STRING_EQUAL(tuple_text(&t, text), "[::2]:6>[fe80::1]:5");
}

void suite_topology(void) {
    CU_pSuite s = CU_add_suite("topology", NULL, NULL);
    CU_add_test(s, "hosts and RNICs", hosts_and_rnics);
    CU_add_test(s, "addresses", addresses);
    CU_add_test(s, "cables", cables);
    CU_add_test(s, "no host", no_host);
    CU_add_test(s, "tuples", tuples);
}
