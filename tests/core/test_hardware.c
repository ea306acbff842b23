/* SPDX-License-Identifier: Apache-2.0
 *
 * What the layout, --nic-gbps, --speeds and the idle floor say of a run's hosts: speeds and their sources,
 * groups of one and of several kinds, labels, problems of the declaration, capacities, MTUs.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../fabric.h"
#include "../scratch.h"

void suite_hardware(void);

static struct scratch scratch;

/* A run of these hosts, which must be in order, on the layout. */
static struct reckon_comparison *run(enum reckon_workload workload, const char *layout,
                                     const char *const *hosts) {
    struct reckon *r = scratch_start(&scratch);
    if (layout && scratch_layout(&scratch, layout))
        fprintf(stderr, "%s\n", session_error(r));
    struct reckon_comparison *c = fabric_new(r, workload, RECKON_SHARE_LAYER);
    for (; *hosts; hosts++)
        fabric_host(c, *hosts, BLANK, BLANK, NONE, NONE);
    return c;
}

static void end(struct reckon_comparison *c) {
    free(c->hosts);
    free(c->flows);
    free(c->layers);
    free(c);
    scratch_end(&scratch);
}

static bool same(const char *a, const char *b) {
    bool ok = a && b ? !strcmp(a, b) : a == b;
    if (!ok)
        fprintf(stderr, "'%s' is not '%s'\n", a ? a : "(null)", b ? b : "(null)");
    return ok;
}

static void speeds_and_their_sources(void) {
    static const char *const hosts[] = {"a", "b", "c", "d", "stranger", NULL};
    static const struct {
        double declared, measured, used;
        const char *source, *raw;
    } expected[] = {
        {10, 25, 25, "measured", "25000"},                                    /* what the link says */
        {10, BLANK, 10, "layout", "-1"},                                      /* it says nothing usable */
        {40, BLANK, 40, "layout", NULL},   {BLANK, BLANK, 2.5, "flag", NULL}, /* the gaps of a layout */
        {BLANK, 1, 1, "measured", "1000"},
    };
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY,
            "dc D\n row A nic_gbps=10 nic_mpps=1.5\n  node a\n  node b\n  node c nic_gbps=40\n"
            " node d mtu=9000.9\n",
            hosts);
    struct reckon_speeds *speeds = speeds_new(c->r);
    scratch_nic_gbps(&scratch, 2.5);
    reckon_speeds_add(speeds, "a", 25000, "25000");
    reckon_speeds_add(speeds, "b", -1, "-1");
    reckon_speeds_add(speeds, "stranger", 1000, "1000");
    CU_ASSERT_EQUAL(hardware_build(c, speeds, NULL), 0);
    for (uint32_t i = 0; i < 5; i++) {
        const struct host *h = &c->hosts[i];
        CU_ASSERT(h->layout_gbps == expected[i].declared ||
                  (reckon_blank(h->layout_gbps) && reckon_blank(expected[i].declared)));
        CU_ASSERT(h->measured_gbps == expected[i].measured ||
                  (reckon_blank(h->measured_gbps) && reckon_blank(expected[i].measured)));
        CU_ASSERT_EQUAL(h->nic_gbps, expected[i].used);
        CU_ASSERT_EQUAL(h->flag_gbps, 2.5);
        CU_ASSERT(same(h->nic_source, expected[i].source));
        CU_ASSERT(same(h->measured_raw, expected[i].raw));
        CU_ASSERT_EQUAL(h->in_layout, i < 4);
    }
    CU_ASSERT_EQUAL(c->hosts[3].mtu, 9000);
    CU_ASSERT(c->has_speeds);
    CU_ASSERT_EQUAL(c->nlinks, 20);
    CU_ASSERT_EQUAL(c->links[0].capacity, 25e9); /* a's NIC out, in, packet rate out, in */
    CU_ASSERT_EQUAL(c->links[1].capacity, 25e9);
    CU_ASSERT_EQUAL(c->links[2].capacity, 1.5e6);
    CU_ASSERT_EQUAL(c->links[3].capacity, 1.5e6);
    CU_ASSERT(reckon_blank(c->links[4 * 3 + 2].capacity)); /* d declares no packet rate */
    speeds_free(speeds);
    end(c);
}

static void no_layout_at_all(void) {
    static const char *const hosts[] = {"a", "b", NULL};
    struct reckon_comparison *c = run(RECKON_REQUEST_REPLY, NULL, hosts);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT(reckon_blank(c->hosts[0].nic_gbps));
    CU_ASSERT_PTR_NULL(c->hosts[0].nic_source);
    CU_ASSERT_FALSE(c->hosts[0].in_layout);
    CU_ASSERT_EQUAL(c->ngroups, 0);
    CU_ASSERT_EQUAL(c->ntiers, 1);
    CU_ASSERT_EQUAL(c->hosts[0].group[0], NONE);
    CU_ASSERT(reckon_blank(c->links[0].capacity));
    end(c);
}

/* A declaration beyond all numbers is used, and limits nothing. */
static void capacities_that_overflow(void) {
    static const char *const hosts[] = {"a", NULL};
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY, "rack r uplinks=1e300 uplink_gbps=1e300\n node a nic_gbps=1e300\n", hosts);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL(c->nproblems, 0);
    CU_ASSERT_EQUAL(c->hosts[0].nic_gbps, 1e300);
    CU_ASSERT(reckon_blank(c->links[0].capacity));
    CU_ASSERT(reckon_blank(c->links[4].capacity));
    end(c);
}

/* ---- problems ---- */

static const char *const words[] = {
    [RECKON_BAD_VALUE] = "bad", [RECKON_UPLINKS_NO_SPEED] = "no-speed", [RECKON_NAME_SHARED] = "shared"};

static void every_kind_of_problem(void) {
    static const char *const hosts[] = {"a1", "a2", "b1", "c1", "d1", "e1", "f1", NULL};
    static const struct {
        const char *kind, *name, *path, *key, *value;
        unsigned long line;
    } expected[] = {
        /* those of one name in the order found: NIC, packet rate, MTU */
        {"bad", "a1", "D/A/r1/a1", "nic_gbps", "25g", 4},
        {"bad", "a1", "D/A/r1/a1", "nic_mpps", "-1", 4},
        {"bad", "a1", "D/A/r1/a1", "mtu", "40", 4},
        {"bad", "a2", "D/A/r1/a2", "nic_gbps", "", 5},
        {"bad", "d1", "D/A/r4/d1", "mtu", "65536", 11},
        {"shared", "f1", "D/A/r6/f1", NULL, NULL, 15},
        {"bad", "r1", "D/A/r1", "uplinks", "eight", 3}, /* declares nothing even with a good speed */
        {"no-speed", "r2", "D/A/r2", "uplinks", "2", 6},
        {"bad", "r3", "D/A/r3", "uplink_gbps", "-4", 8}, /* a bad speed beside a good count gives both */
        {"no-speed", "r3", "D/A/r3", "uplinks", "3", 8},
        {"bad", "r4", "D/A/r4", "uplink_gbps", "nan", 10},
        {"bad", "r4", "D/A/r4", "uplinks", "0", 10},
        {"bad", "r5", "D/A/r5", "uplinks", "0x2", 12}, /* a bad count without a speed only its own */
    };
    struct reckon_comparison *c = run(RECKON_TCP,
                                      "dc D\n"
                                      " row A nic_gbps=10\n"
                                      "  rack r1 uplinks=eight uplink_gbps=10\n"
                                      "   node a1 nic_gbps=25g mtu=40 nic_mpps=-1\n"
                                      "   node a2 nic_gbps=\n"
                                      "  rack r2 uplinks=2\n"
                                      "   node b1 mtu=68\n"
                                      "  rack r3 uplinks=3 uplink_gbps=-4\n"
                                      "   node c1 mtu=65535\n"
                                      "  rack r4 uplinks=0 uplink_gbps=nan\n"
                                      "   node d1 mtu=65536\n"
                                      "  rack r5 uplinks=0x2\n"
                                      "   node e1\n"
                                      "  rack r6 uplink_gbps=40 uplinks=2.5\n"
                                      "   node f1\n"
                                      "  rack r7 uplinks=none\n" /* none of its hosts is in the run */
                                      "   node g1 nic_gbps=none\n"
                                      "   node h1 name=f1\n",
                                      hosts);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(c->nproblems, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < c->nproblems; i++) {
        const struct reckon_problem *p = &c->problems[i];
        CU_ASSERT_EQUAL(p->size, sizeof *p);
        CU_ASSERT(same(words[p->kind], expected[i].kind));
        CU_ASSERT(same(p->name, expected[i].name));
        CU_ASSERT(same(p->path, expected[i].path));
        CU_ASSERT(same(p->key, expected[i].key));
        CU_ASSERT(same(p->value, expected[i].value));
        CU_ASSERT_EQUAL(p->line, expected[i].line);
        CU_ASSERT_EQUAL(p->count, p->kind == RECKON_NAME_SHARED ? 2 : 0);
    }
    CU_ASSERT(reckon_blank(c->hosts[0].nic_gbps)); /* not read as 25, nor as the row's 10 */
    CU_ASSERT_EQUAL(c->hosts[2].mtu, 68);
    CU_ASSERT_EQUAL(c->hosts[3].mtu, 65535);
    CU_ASSERT(reckon_blank(c->hosts[4].mtu));
    CU_ASSERT_EQUAL_FATAL(c->ngroups, 6);
    for (uint32_t g = 0; g < 5; g++) {
        CU_ASSERT(reckon_blank(c->groups[g].uplinks) && reckon_blank(c->groups[g].uplink_gbps));
        CU_ASSERT(reckon_blank(c->links[4 * 7 + 2 * g].capacity));
    }
    CU_ASSERT_EQUAL(c->groups[5].uplinks, 2.5);
    CU_ASSERT_EQUAL(c->links[4 * 7 + 2 * 5].capacity, 100e9);
    CU_ASSERT_EQUAL(c->links[4 * 7 + 2 * 5 + 1].capacity, 100e9);
    end(c);
}

/* A bad value on a container is found once for every host of the run below it, under the host's name. */
static void an_inherited_bad_value(void) {
    static const char *const hosts[] = {"a", "b", NULL};
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY, "row A nic_gbps=fast\n rack r\n  node a\n  node b\n  node c\n", hosts);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(c->nproblems, 2);
    CU_ASSERT(same(c->problems[0].name, "a") && same(c->problems[1].name, "b"));
    CU_ASSERT_EQUAL(c->problems[1].line, 1); /* where it is written */
    end(c);
}

/* ---- groups ---- */

static void groups_are_the_nearest_of_their_kind(void) {
    static const char *const hosts[] = {"a", "b", "lone", "x", NULL};
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY,
            "dc D uplink_gbps=5\n rack out uplinks=3\n  rack in\n   node b\n   node a\n"
            "  node x\n node lone\n rack other\n  node unheard\n",
            hosts);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(c->ngroups, 2); /* D/out and D/out/in: `other` has no host in the run */
    CU_ASSERT(same(c->groups[0].path, "D/out") && same(c->groups[1].path, "D/out/in"));
    CU_ASSERT_EQUAL(c->hosts[0].group[0], 1);
    CU_ASSERT_EQUAL(c->hosts[1].group[0], 1);
    CU_ASSERT_EQUAL(c->hosts[2].group[0], NONE);
    CU_ASSERT_EQUAL(c->hosts[3].group[0], 0);
    CU_ASSERT_EQUAL(c->groups[1].size, 2);
    CU_ASSERT_EQUAL(c->groups[1].hosts[0], 0);
    CU_ASSERT_EQUAL(c->groups[1].hosts[1], 1);
    CU_ASSERT_EQUAL(c->groups[1].uplinks, 3); /* inherited, one kind being named */
    CU_ASSERT_EQUAL(c->groups[1].uplink_gbps, 5);
    end(c);
}

/* formats.md: with several kinds, uplinks on an element of a named kind are its own only, others the
 * innermost's. */
static void uplinks_of_one_kind_and_of_several(void) {
    static const char *const hosts[] = {"a", NULL};
    static const struct {
        const char *kinds;
        const char *path[2];
        double uplinks[2], gbps[2];
    } expected[] = {
        {"rack", {"D/p/A/r"}, {2}, {100}}, /* the row's count, the pod's speed */
        {"pod", {"D/p"}, {4}, {100}},      /* its own */
        {" rack , pod ",
         {"D/p/A/r", "D/p"},
         {2, 4},
         {40, 100}}, /* the row's count, the dc's speed; the pod's own */
        {"pod,rack", {"D/p", "D/p/A/r"}, {4, BLANK}, {100, BLANK}}, /* the rack sets none of its own */
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct reckon_comparison *c =
            run(RECKON_REQUEST_REPLY,
                "dc D uplink_gbps=40\n pod p uplinks=4 uplink_gbps=100\n  row A uplinks=2\n"
                "   rack r\n    node a\n",
                hosts);
        scratch_group_kind(&scratch, expected[i].kinds);
        CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(c->ngroups, expected[i].path[1] ? 2 : 1);
        for (uint32_t g = 0; g < c->ngroups; g++) {
            CU_ASSERT(same(c->groups[g].path, expected[i].path[g]));
            CU_ASSERT_EQUAL(c->groups[g].tier, g);
            CU_ASSERT_EQUAL(c->hosts[0].group[g], g);
            CU_ASSERT(c->groups[g].uplinks == expected[i].uplinks[g] ||
                      (reckon_blank(c->groups[g].uplinks) && reckon_blank(expected[i].uplinks[g])));
            CU_ASSERT(c->groups[g].uplink_gbps == expected[i].gbps[g] ||
                      (reckon_blank(c->groups[g].uplink_gbps) && reckon_blank(expected[i].gbps[g])));
        }
        CU_ASSERT_EQUAL(c->nproblems, 0);
        end(c);
    }
}

static void labels(void) {
    static const char *const hosts[] = {"a", "b", "c", "d", "e", "f", "g", "h", NULL};
    /* host by host: its group's label, worked by hand from the paths */
    static const char *const label[] = {"p/r1", "q/r1", "r2", "D/t", "t", "-t", "xr2", "q/s/u"};
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY,
            "dc D\n"
            " pod p\n  rack r1\n   node a\n"
            " pod q\n  rack r1\n   node b\n  rack r2\n   node c\n  row s\n   rack u\n    node h\n"
            " rack t\n  node d\n"
            "rack t\n node e\n" /* its whole path is the tail of D/t */
            "rack -t\n node f\n"
            "rack xr2\n node g\n"
            "dc E\n row s\n  rack u\n   node i\n",
            hosts);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL(c->ngroups, 8);
    for (uint32_t i = 0; i < 7; i++)
        CU_ASSERT(same(c->groups[c->hosts[i].group[0]].label, label[i]));
    CU_ASSERT(same(c->groups[c->hosts[7].group[0]].label, "u")); /* E/s/u has no host in the run */
    end(c);
    static const char *const more[] = {"h", "i", NULL};
    c = run(RECKON_REQUEST_REPLY,
            "dc D\n pod q\n  row s\n   rack u\n    node h\ndc E\n row s\n  rack u\n   node i\n", more);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT(same(c->groups[0].label, label[7]));
    CU_ASSERT(same(c->groups[1].label, "E/s/u"));
    end(c);
}

static void groups_are_sorted_by_tier_and_ranked_by_path(void) {
    static const char *const hosts[] = {"a", "b", NULL};
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY, "pod z\n rack w\n  node b\npod x\n rack y\n  node a\n", hosts);
    static const struct {
        const char *path;
        uint32_t tier, rank;
    } expected[] = {{"x/y", 0, 1}, {"z/w", 0, 3}, {"x", 1, 0}, {"z", 1, 2}};
    scratch_group_kind(&scratch, "rack,pod");
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(c->ngroups, 4);
    for (uint32_t g = 0; g < 4; g++) {
        CU_ASSERT(same(c->groups[g].path, expected[g].path));
        CU_ASSERT_EQUAL(c->groups[g].tier, expected[g].tier);
        CU_ASSERT_EQUAL(c->groups[g].rank, expected[g].rank);
    }
    end(c);
}

static void too_many_kinds(void) {
    static const char *const hosts[] = {"a", NULL};
    struct reckon_comparison *c = run(RECKON_REQUEST_REPLY, "rack r\n node a\n", hosts);
    scratch_group_kind(&scratch, "a,b,c,d,e,f,g,h,i");
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), -1);
    CU_ASSERT(scratch_error(&scratch, "at most 8"));
    end(c);
}

/* Two pods of two racks of one host each; NICs of 100, every rack's and every pod's one uplink of 10 Gb/s;
 * unpaced all-to-all of 12,000 bits a request and 800 a reply. A pod's uplink out carries the requests of its
 * 4 flows across and the replies to the 4 coming in: 51,200 bits, full at 195,312.5; a rack's carries 3 of
 * each: 38,400, which would be full at 260,416.7. So the flows across pods stop at 195,312.5, and leave half
 * of each rack's uplink (2 × 12,800 × 195,312.5 = 5 Gb/s) to the one flow each way within the pod: 5 × 10⁹ /
 * 12,800 = 390,625. */
static void two_tiers_by_hand(void) {
    static const char *const hosts[] = {"p1r1", "p1r2", "p2r1", "p2r2", NULL};
    struct reckon_comparison *c =
        run(RECKON_REQUEST_REPLY,
            "dc T nic_gbps=100\n pod p[1..2] uplink_gbps=10\n  row A uplink_gbps=10\n"
            "   rack r[1..2]\n    node n name={pod}{rack}\n",
            hosts);
    struct shape *shapes;
    scratch_group_kind(&scratch, "rack,pod");
    fabric_all_to_all(c, fabric_shape(c, 1434, 34), BLANK, BLANK);
    shapes = c->shapes;
    CU_ASSERT_EQUAL(hardware_build(c, NULL, NULL), 0);
    CU_ASSERT_EQUAL(c->nlinks, 4 * 4 + 2 * 6);
    model_solve(c, false);
    for (uint32_t f = 0; f < c->nflows; f++) {
        const struct flow *flow = &c->flows[f];
        bool across = flow->src / 2 != flow->dst / 2;
        const char *from = reckon_text(c->r, across ? "uplink:T/p%u:out" : "uplink:T/p%u/A/r%u:out",
                                       flow->src / 2 + 1, flow->src % 2 + 1);
        CU_ASSERT_DOUBLE_EQUAL(flow->expected, across ? 195312.5 : 390625.0, 1e-4);
        CU_ASSERT_EQUAL(flow->limit, RECKON_LIMIT_UPLINK);
        CU_ASSERT(same(reckon_link_name(c->r, c, flow->limit_link), from));
    }
    free(shapes);
    end(c);
}

/* ---- MTUs ---- */

static void mtus_of_tcp(void) {
    static const char *const hosts[] = {"a", "b", "c", "d", NULL};
    static const struct {
        uint32_t src, dst;
        double mtu;
        uint8_t flag;
    } expected[] = {
        {0, 1, 1400, FLOW_MTU_LAYOUT}, /* the smaller of both ends' */
        {0, 2, 9000, FLOW_MTU_LAYOUT}, /* of the one that has it, whatever the floor says */
        {2, 3, 8000, FLOW_MTU_IDLE},   /* the floor's, for that direction */
        {3, 2, 1500, FLOW_MTU_DEFAULT},
    };
    struct reckon_comparison *c =
        run(RECKON_TCP, "node a mtu=9000\nnode b mtu=1400\nnode c\nnode d\n", hosts);
    for (size_t i = 0; i < 4; i++)
        fabric_flow(c, expected[i].src, expected[i].dst, 0, 0, BLANK, BLANK);
    struct reckon_idle *idle = idle_new(c->r, "netmesh");
    reckon_idle_add(idle, 1, "c", "d", 40, 8000);
    reckon_idle_add(idle, 1, "a", "c", 40, 1500);
    idle_apply(idle, c);
    CU_ASSERT_EQUAL(hardware_build(c, NULL, idle), 0);
    for (size_t i = 0; i < 4; i++) {
        const struct shape *s = &c->shapes[c->flows[i].shape];
        CU_ASSERT_EQUAL(s->mtu, expected[i].mtu);
        CU_ASSERT_EQUAL(c->flows[i].flags, expected[i].flag);
        CU_ASSERT_DOUBLE_EQUAL(s->forward, 1e6 * (s->mtu + 38) / (s->mtu - 52), 1e-6); /* model.md */
    }
    CU_ASSERT_EQUAL(c->nshapes, 4);
    end(c);
}

void suite_hardware(void) {
    CU_pSuite s = CU_add_suite("hardware", NULL, NULL);
    CU_ADD_TEST(s, speeds_and_their_sources);
    CU_ADD_TEST(s, no_layout_at_all);
    CU_ADD_TEST(s, capacities_that_overflow);
    CU_ADD_TEST(s, every_kind_of_problem);
    CU_ADD_TEST(s, an_inherited_bad_value);
    CU_ADD_TEST(s, groups_are_the_nearest_of_their_kind);
    CU_ADD_TEST(s, uplinks_of_one_kind_and_of_several);
    CU_ADD_TEST(s, labels);
    CU_ADD_TEST(s, groups_are_sorted_by_tier_and_ranked_by_path);
    CU_ADD_TEST(s, too_many_kinds);
    CU_ADD_TEST(s, two_tiers_by_hand);
    CU_ADD_TEST(s, mtus_of_tcp);
}
