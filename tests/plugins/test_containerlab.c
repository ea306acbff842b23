/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout reader containerlab: which nodes are hosts, which switch is their rack, its uplinks, and where
 * labels come from.
 */
#include <string.h>

#include <CUnit/CUnit.h>

#include "../scratch.h"

extern const struct reckon_module layout_containerlab_LTX_reckon_plugin;

/* Two leaves of two servers each, two spines; leaf1 has a second cable to spine2. */
static const char lab[] =
    "# a Clos of two\nname: clos\ntopology:\n"
    "  defaults: {kind: nokia_srlinux, labels: {uplink_gbps: 100}}\n"
    "  kinds:\n    linux:\n      image: alpine\n      labels: &fast\n        nic_gbps: 25\n"
    "  groups:\n    slow:\n      labels:\n        nic_gbps: 10\n"
    "  nodes:\n"
    "    spine1:\n    spine2: {}\n    leaf1: {labels: {uplink_gbps: \"40\"}}\n    leaf2: {}\n"
    "    b1: {kind: linux, group: slow}\n    a1: {kind: linux}\n"
    "    a2: {kind: linux, labels: {<<: *fast, mtu: 9000}}\n    b2: {kind: linux, labels: {nic_gbps: 5, "
    "nic_mpps: 2}}\n"
    "    router: {kind: linux}\n    dual: {kind: linux, labels: {role: host}}\n    tap: {kind: linux, "
    "labels: {role: probe}}\n"
    "  links:\n"
    "    - endpoints: [\"leaf1:e1-49\", \"spine1:e1-1\"]\n"
    "    - endpoints: [\"leaf1:e1-50\", \"spine2:e1-1\"]\n"
    "    - endpoints: [\"leaf1:e1-51\", \"spine2:e1-2\"]\n"
    "    - endpoints: [\"leaf2:e1-49\", \"spine1:e1-3\"]\n"
    "    - endpoints: [\"a1:eth1\", \"leaf1:e1-1\"]\n      mtu: 1400\n"
    "    - endpoints: [\"leaf1:e1-2\", \"a2:eth1\"]\n"
    "    - type: veth\n      endpoints:\n        - {node: b1, interface: eth1}\n        - {node: leaf2, "
    "interface: e1-1}\n"
    "    - endpoints: [\"b2:eth1\", \"leaf2:e1-2\"]\n    - endpoints: [\"b2:eth2\", \"leaf2:e1-3\"]\n"
    "    - endpoints: [\"router:eth1\", \"leaf2:e1-4\"]\n    - endpoints: [\"router:eth2\", "
    "\"spine1:e1-9\"]\n"
    "    - endpoints: [\"dual:eth1\", \"leaf2:e1-5\"]\n    - endpoints: [\"dual:eth2\", \"leaf1:e1-5\"]\n"
    "    - endpoints: [\"tap:eth1\", \"leaf2:e1-6\"]\n    - endpoints: [\"mgmt-net:x\", \"leaf2:e1-7\"]\n"
    "    - endpoints: [\"host:veth1\", \"a1:eth2\"]\n";

static const struct reckon_layout *read_lab(struct scratch *s, const char *text) {
    layout_free(s->session.layout);
    s->session.layout = layout_new(&s->session, "lab.clab.yml");
    return scratch_read(s, &layout_containerlab_LTX_reckon_plugin, text, s->session.layout)
               ? NULL
               : s->session.layout;
}

static const char *own(const struct reckon_layout *l, const char *name, const char *key) {
    const char *value = reckon_element_own(l, reckon_element_named(l, name, NULL), key);
    return value ? value : "";
}

static void reads_a_lab(void) {
    struct scratch s;
    scratch_start(&s);
    const struct reckon_layout *l = read_lab(&s, lab);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l);
    CU_ASSERT_EQUAL(reckon_element_count(l), 8); /* the lab, 2 racks, 5 hosts */
    static const char *const path[][2] = {{"a1", "clos/leaf1/a1"},
                                          {"a2", "clos/leaf1/a2"},
                                          {"b1", "clos/leaf2/b1"},
                                          {"b2", "clos/leaf2/b2"},
                                          {"dual", "clos/leaf2/dual"}};
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_STRING_EQUAL(reckon_element_path(l, reckon_element_named(l, path[i][0], NULL)), path[i][1]);
    CU_ASSERT_EQUAL(reckon_element_named(l, "router", NULL), RECKON_NONE);
    CU_ASSERT_STRING_EQUAL(own(l, "a1", "nic_gbps"), "25"); /* its kind's */
    CU_ASSERT_STRING_EQUAL(own(l, "a1", "mtu"), "1400");    /* its link's */
    CU_ASSERT_STRING_EQUAL(own(l, "a2", "nic_gbps"), "25"); /* merged in */
    CU_ASSERT_STRING_EQUAL(own(l, "a2", "mtu"), "9000");
    CU_ASSERT_STRING_EQUAL(own(l, "b1", "nic_gbps"), "10"); /* its group's before its kind's */
    CU_ASSERT_STRING_EQUAL(own(l, "b2", "nic_gbps"), "5");
    CU_ASSERT_STRING_EQUAL(own(l, "b2", "nic_mpps"), "2");
    CU_ASSERT_STRING_EQUAL(own(l, "leaf1", "uplinks"), "3");
    CU_ASSERT_STRING_EQUAL(own(l, "leaf1", "uplink_gbps"), "40");
    CU_ASSERT_STRING_EQUAL(own(l, "leaf2", "uplinks"), "3"); /* spine1, the router and the tap */
    CU_ASSERT_STRING_EQUAL(own(l, "leaf2", "uplink_gbps"), "100");
    scratch_end(&s);
}

static void refuses(void) {
    static const struct {
        const char *text, *piece;
    } cases[] = {
        {"name: x\n", "no `topology`"},
        {"- a\n", "no `topology`"},
        {"", "no `topology`"},
        {"topology:\n  nodes: [a, b]\n", "no nodes"},
        {"topology:\n  nodes:\n    a: {kind: linux}\n", "no node is a host"},
        {"topology:\n  nodes: {a\n", ":3: this is no YAML"},
        {"topology:\n\tnodes:\n", "this is no YAML"},
    };
    struct scratch s;
    scratch_start(&s);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_PTR_NULL(read_lab(&s, cases[i].text));
        CU_ASSERT(scratch_error(&s, cases[i].piece));
    }
    char many[2048 * 5 + 16] = "";
    for (size_t i = 0; i < 2048; i++)
        memcpy(many + 5 * i, "- &x\n", 6);
    CU_ASSERT_PTR_NULL(read_lab(&s, many));
    CU_ASSERT(scratch_error(&s, "more than 1000 anchors"));
    memset(many, '[', 60);
    many[60] = '\0';
    CU_ASSERT_PTR_NULL(read_lab(&s, many));
    CU_ASSERT(scratch_error(&s, "nested deeper than 50"));
    scratch_end(&s);
}

/* Members of the wrong kind, a mapping merged into itself, and two hosts that hang on each other. */
static void survives_oddities(void) {
    struct scratch s;
    scratch_start(&s);
    const struct reckon_layout *l = read_lab(&s, "topology:\n  kinds: 5\n  groups: [1]\n  nodes: &n\n    <<: "
                                                 "*n\n    a: {kind: linux, group: {}, labels: x}\n"
                                                 "    b: {kind: linux}\n    [1]: 2\n    c: 7\n  links:\n    "
                                                 "- endpoints: [\"a:1\", \"b:1\"]\n    - 3\n    - "
                                                 "endpoints: \"a\"\n    - endpoints: [\"a:1\", \"a:2\"]\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(l);
    CU_ASSERT_EQUAL(reckon_element_count(l), 3);
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, reckon_element_named(l, "b", NULL)), "lab/b");
    scratch_end(&s);
}

static bool noted(const struct scratch *s, const char *piece) {
    const struct strings *notes = &s->session.task.notes;
    for (size_t i = 0; i < notes->count; i++)
        if (strstr(notes->at[i], piece))
            return true;
    return false;
}

/* Links that containerlab would refuse are told of by line and name; those that leave the lab are not. */
static void tells_of_links_at_fault(void) {
    struct scratch s;
    char text[4096] =
        "topology:\n  nodes: {leaf1: {}, a1: {kind: linux}, a2: {kind: linux}, br: {kind: bridge}}\n"
        "  links:\n"
        "    - endpoints: [\"a1:eth1\", \"laef1:e1-1\"]\n"
        "    - endpoints: [\"a1:eth1\", \"leaf1:e1-1\"]\n"
        "    - endpoints: [\"a2:eth1\", \"leaf1\"]\n"
        "    - endpoints: [\"a1:eth2\"]\n"
        "    - endpoints: [{node: b7, interface: x}, \"leaf1:e1-2\"]\n"
        "    - endpoints: [\"a1:eth3\", \"leaf1:e1-3\", \"a2:eth3\"]\n";
    static const char fine[] = "    - endpoints: [\"a1:e\", \"host:x\"]\n"
                               "    - endpoints: [\"mgmt-net:x\", \"leaf1:e\"]\n"
                               "    - endpoints: [\"leaf1:e\", \"macvlan:eth0\"]\n"
                               "    - endpoints: [\"leaf1:e\", \"vxlan:10.0.0.1/20/\"]\n"
                               "    - endpoints: [\"leaf1:e\", \"vxlan-stitch:x\"]\n"
                               "    - endpoints: [\"leaf1:e\", \"dummy:\"]\n"
                               "    - endpoints: [\"leaf1:e\", \"br:leaf1-e\"]\n"
                               "    - type: dummy\n      endpoint: {node: leaf1, interface: e}\n"
                               "    - endpoints: [\"leaf1:e8\", \"leaf1:e9\"]\n";
    scratch_start(&s);
    strcat(text, fine);
    const struct reckon_layout *l = read_lab(&s, text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l);
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, reckon_element_named(l, "a1", NULL)), "lab/leaf1/a1");
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, reckon_element_named(l, "a2", NULL)), "lab/leaf1/a2");
    CU_ASSERT_EQUAL(s.session.task.notes.count, 5);
    CU_ASSERT(noted(&s, ":4: the link to laef1 is left out: there is no such node"));
    CU_ASSERT(noted(&s, ":6: the link names no interface of leaf1"));
    CU_ASSERT(noted(&s, ":7: the link has not two endpoints"));
    CU_ASSERT(noted(&s, ":8: the link to b7 is left out"));
    CU_ASSERT(noted(&s, ":9: the link has not two endpoints"));
    for (int i = 0; i < 8; i++)
        strcat(text, "    - endpoints: [\"a1:e\", \"gone:e\"]\n");
    scratch_end(&s);
    scratch_start(&s);
    CU_ASSERT_PTR_NOT_NULL_FATAL(read_lab(&s, text));
    CU_ASSERT_EQUAL(s.session.task.notes.count, 11); /* 13 faults */
    CU_ASSERT(noted(&s, ": 3 more faults of links"));
    scratch_end(&s);
}

static void recognises(void) {
    CU_ASSERT_EQUAL(scratch_recognise(&layout_containerlab_LTX_reckon_plugin, lab), 85);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_containerlab_LTX_reckon_plugin, "dc A\n  rack r\n"), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_containerlab_LTX_reckon_plugin, "x: 1\ntopology:\n"), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_containerlab_LTX_reckon_plugin, ""), 0);
}

void suite_containerlab(void) {
    CU_pSuite s = CU_add_suite("containerlab", NULL, NULL);
    CU_add_test(s, "reads a lab", reads_a_lab);
    CU_add_test(s, "refuses", refuses);
    CU_add_test(s, "survives oddities", survives_oddities);
    CU_add_test(s, "tells of links at fault", tells_of_links_at_fault);
    CU_add_test(s, "recognises", recognises);
}
