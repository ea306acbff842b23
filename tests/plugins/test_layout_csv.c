/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout reader csv: groups and their order, whose attribute is whose, rows that say nothing or contradict
 * others.
 */
#include <string.h>

#include <CUnit/CUnit.h>

#include "../scratch.h"

extern const struct reckon_module layout_csv_LTX_reckon_plugin;

static const struct reckon_layout *read_table(struct scratch *s, const char *text) {
    layout_free(s->session.layout);
    s->session.layout = layout_new(&s->session, "hosts.csv");
    return scratch_read(s, &layout_csv_LTX_reckon_plugin, text, s->session.layout) ? NULL : s->session.layout;
}

static uint32_t at(const struct reckon_layout *l, const char *name) {
    return reckon_element_named(l, name, NULL);
}

/* The attribute as a host sees it, "" for none. */
static const char *seen(const struct reckon_layout *l, const char *name, const char *key) {
    const char *value = reckon_element_get(l, at(l, name), key, NULL);
    return value ? value : "";
}

static void reads_groups(void) {
    struct scratch s;
    scratch_start(&s);
    const struct reckon_layout *l =
        read_table(&s, "host,rack,pod,nic_gbps,uplinks,uplink_gbps,pod_uplink_gbps,owner\n"
                       "a1,r01,P1,25,2,100,400,ops\r\n"
                       "b1,r01,P2,25,,,,\n"       /* another rack of the same name */
                       "a2,r01,P1,10,2.0,100,,\n" /* nothing new about the rack, but the host's own speed */
                       "c1,,P2,,,,800,\n"         /* in no rack */
                       "\"d,1\",,,40,,,,\n");     /* nowhere */
    CU_ASSERT_PTR_NOT_NULL_FATAL(l);
    CU_ASSERT_EQUAL(reckon_element_count(l), 9); /* 5 hosts, 2 pods, 2 racks */
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, at(l, "a2")), "P1/r01/a2");
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, at(l, "b1")), "P2/r01/b1");
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, at(l, "c1")), "P2/c1");
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, at(l, "d,1")), "d,1");
    CU_ASSERT_EQUAL(reckon_element_above(l, at(l, "a1"), "rack"),
                    reckon_element_above(l, at(l, "a2"), "rack"));
    CU_ASSERT_STRING_EQUAL(reckon_element_kind(l, at(l, "P1")), "pod");
    CU_ASSERT_STRING_EQUAL(reckon_element_kind(l, at(l, "a1")), "host");
    CU_ASSERT_EQUAL(reckon_element_line(l, at(l, "a2")), 4);
    CU_ASSERT_STRING_EQUAL(seen(l, "a1", "nic_gbps"), "25");
    CU_ASSERT_STRING_EQUAL(seen(l, "a2", "nic_gbps"), "10");
    CU_ASSERT_STRING_EQUAL(seen(l, "c1", "nic_gbps"), "");
    CU_ASSERT_STRING_EQUAL(seen(l, "a1", "owner"), "ops");
    uint32_t rack = reckon_element_above(l, at(l, "a1"), "rack");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, rack, "uplinks"), "2");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, rack, "uplink_gbps"), "100");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, at(l, "P1"), "uplink_gbps"), "400");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, at(l, "P2"), "uplink_gbps"), "800");
    CU_ASSERT_PTR_NULL(reckon_element_own(l, reckon_element_above(l, at(l, "b1"), "rack"), "uplinks"));
    scratch_end(&s);
}

/* `uplinks` are the rack's even where something else stands nearer to the host; without a rack, the innermost
 * group's. */
static void finds_whose_uplinks(void) {
    struct scratch s;
    scratch_start(&s);
    const struct reckon_layout *l = read_table(&s, "\"host\",chassis,rack,uplink_gbps\na1,c1,r1,100\n");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, at(l, "r1"), "uplink_gbps"), "100");
    CU_ASSERT_PTR_NULL(reckon_element_own(l, at(l, "c1"), "uplink_gbps"));
    l = read_table(&s, "leaf,host,uplink_gbps,name\nl1,a1,100,x\n");
    CU_ASSERT_STRING_EQUAL(reckon_element_own(l, at(l, "l1"), "uplink_gbps"), "100");
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, at(l, "a1")),
                           "l1/a1"); /* its `name` does not take its name away */
    scratch_end(&s);
}

static void counts_the_nameless(void) {
    struct scratch s;
    scratch_start(&s);
    CU_ASSERT_PTR_NOT_NULL(read_table(&s, "host,rack\n,r1\na1,r1\n,r2\n"));
    CU_ASSERT_STRING_EQUAL(reckon_note_at(&s.session, 0) ? reckon_note_at(&s.session, 0) : "",
                           reckon_text(&s.session, "2 rows of %s without a host left out", s.path));
    scratch_end(&s);
}

static void refuses(void) {
    struct scratch s;
    scratch_start(&s);
    CU_ASSERT_PTR_NULL(read_table(&s, "name,rack\na1,r1\n"));
    CU_ASSERT(scratch_error(&s, "no host column"));
    CU_ASSERT_PTR_NULL(read_table(&s, "host,rack,uplinks\na1,r1,2\na2,r1,4\n"));
    CU_ASSERT(scratch_error(&s, ":3: rack r1 has uplinks 4 here, but 2 in a row above"));
    char wide[2000] = "host";
    for (size_t i = 4; i + 2 < sizeof wide; i += 2)
        memcpy(wide + i, ",x", 3);
    CU_ASSERT_PTR_NULL(read_table(&s, wide));
    CU_ASSERT(scratch_error(&s, "more than 256 columns"));
    scratch_end(&s);
}

static void recognises(void) {
    CU_ASSERT_EQUAL(scratch_recognise(&layout_csv_LTX_reckon_plugin, "host,rack\n"), 80);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_csv_LTX_reckon_plugin, "\"nic_gbps\",host\n"), 80);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_csv_LTX_reckon_plugin, "host,leaf\n"), 30);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_csv_LTX_reckon_plugin, "ts,host,rack\n"), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_csv_LTX_reckon_plugin, "dc A\n  rack r\n"), 0);
    CU_ASSERT_EQUAL(scratch_recognise(&layout_csv_LTX_reckon_plugin, ""), 0);
}

void suite_layout_csv(void) {
    CU_pSuite s = CU_add_suite("layout csv", NULL, NULL);
    CU_add_test(s, "reads groups", reads_groups);
    CU_add_test(s, "finds whose uplinks", finds_whose_uplinks);
    CU_add_test(s, "counts the nameless", counts_the_nameless);
    CU_add_test(s, "refuses", refuses);
    CU_add_test(s, "recognises", recognises);
}
