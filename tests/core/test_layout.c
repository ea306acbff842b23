/* SPDX-License-Identifier: Apache-2.0
 *
 * The element tree: what is inherited, how paths are numbered, how names are found, and that sharing sets of
 * attributes mixes nothing up.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "../scratch.h"

void suite_layout(void);

static struct scratch scratch;

static struct reckon_layout *start(void) {
    struct reckon *r = scratch_start(&scratch);
    return r->layout = layout_new(r, "floor.dc");
}

static bool same(const char *a, const char *b) {
    return a && b ? !strcmp(a, b) : a == b;
}

static void inherits_all_but_the_own_keys(void) {
    static const char *const own[] = {"id",  "name", "at",    "u",   "cols",
                                      "dir", "gap",  "label", "size"}; /* formats.md */
    struct reckon_layout *l = start();
    uint32_t row = reckon_element_add(l, RECKON_NONE, "row", "A", 3), from = 0;
    reckon_element_set(l, row, "Nic_Gbps", "25");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        reckon_element_set(l, row, own[i], "x");
    uint32_t node = reckon_element_add(l, reckon_element_add(l, row, "rack", "r", 4), "node", "n", 5);
    CU_ASSERT(same(reckon_element_get(l, node, "nic_gbps", &from), "25"));
    CU_ASSERT_EQUAL(from, row);
    CU_ASSERT_PTR_NULL(reckon_element_own(l, node, "nic_gbps"));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        CU_ASSERT_PTR_NULL(reckon_element_get(l, node, own[i], NULL));
        CU_ASSERT(same(reckon_element_get(l, row, own[i], NULL), "x"));
    }
    reckon_element_set(l, node, "nic_gbps", "100");
    reckon_element_set(l, node, "NIC_GBPS", "40"); /* the later one replaces */
    CU_ASSERT(same(reckon_element_get(l, node, "nic_gbps", &from), "40"));
    CU_ASSERT_EQUAL(from, node);
    CU_ASSERT_EQUAL(reckon_element_line(l, node), 5);
    scratch_end(&scratch);
}

static void tags_are_lower_case_and_inherited(void) {
    struct reckon_layout *l = start();
    uint32_t row = reckon_element_add(l, RECKON_NONE, "row", "A", 1);
    reckon_element_tag(l, row, "GPU");
    uint32_t node = reckon_element_add(l, row, "node", "n", 2);
    reckon_element_tag(l, node, "x86");
    CU_ASSERT(reckon_element_tagged(l, node, "gpu"));
    CU_ASSERT(reckon_element_tagged(l, node, "x86"));
    CU_ASSERT_FALSE(reckon_element_tagged(l, row, "x86"));
    CU_ASSERT_FALSE(reckon_element_tagged(l, row, "unheard"));
    CU_ASSERT_PTR_NULL(reckon_element_own(l, node, "x86")); /* a tag is no attribute */
    scratch_end(&scratch);
}

static void lists_own_attributes(void) {
    struct reckon_layout *l = start();
    const char *value;
    uint32_t e = reckon_element_add(l, RECKON_NONE, "node", "n", 1);
    reckon_element_tag(l, e, "t");
    reckon_element_set(l, e, "a", "1");
    reckon_element_set(l, e, "b", "2");
    reckon_element_set(l, e, "name", "host");
    reckon_element_add(l, RECKON_NONE, "node", "m", 2); /* e is settled now */
    CU_ASSERT(same(reckon_element_attribute(l, e, 0, &value), "name") && same(value, "host"));
    CU_ASSERT(same(reckon_element_attribute(l, e, 1, &value), "a") && same(value, "1"));
    CU_ASSERT(same(reckon_element_attribute(l, e, 2, &value), "b") && same(value, "2"));
    CU_ASSERT_PTR_NULL(reckon_element_attribute(l, e, 3, &value));
    CU_ASSERT_PTR_NULL(reckon_element_attribute(l, 1, 0, &value));
    CU_ASSERT_PTR_NULL(reckon_element_own(l, 1, "a"));
    scratch_end(&scratch);
}

static void shared_sets_stay_apart(void) {
    struct reckon_layout *l = start();
    char id[16], value[16];
    for (unsigned i = 0; i < 1000; i++) { /* ten different sets, a hundred elements each */
        snprintf(id, sizeof id, "n%u", i);
        uint32_t e = reckon_element_add(l, RECKON_NONE, "node", id, i);
        snprintf(value, sizeof value, "%u", i % 10);
        reckon_element_set(l, e, "rate", value);
        reckon_element_set(l, e, "u", "1");
    }
    reckon_element_set(l, 500, "rate", "changed");
    unsigned wrong = 0;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(value, sizeof value, "%u", i % 10);
        const char *expected = i == 500 ? "changed" : value;
        wrong +=
            !same(reckon_element_own(l, i, "rate"), expected) || !same(reckon_element_own(l, i, "u"), "1");
    }
    CU_ASSERT_EQUAL(wrong, 0);
    scratch_end(&scratch);
}

static void numbers_paths_that_occur_again(void) {
    struct reckon_layout *l = start();
    uint32_t dc = reckon_element_add(l, RECKON_NONE, "dc", "D", 1),
             a = reckon_element_add(l, dc, "rack", "r", 2);
    uint32_t b = reckon_element_add(l, dc, "rack", "r", 3), c = reckon_element_add(l, dc, "rack", "r", 4);
    uint32_t in_a = reckon_element_add(l, a, "node", "n", 5), in_b = reckon_element_add(l, b, "node", "n", 6);
    uint32_t odd = reckon_element_add(l, dc, "rack", "r#2", 7); /* is called as b's path is */
    CU_ASSERT(same(reckon_element_path(l, dc), "D"));
    CU_ASSERT(same(reckon_element_path(l, a), "D/r"));
    CU_ASSERT(same(reckon_element_path(l, b), "D/r#2"));
    CU_ASSERT(same(reckon_element_path(l, c), "D/r#3"));
    CU_ASSERT(same(reckon_element_path(l, in_a), "D/r/n"));
    CU_ASSERT(same(reckon_element_path(l, in_b), "D/r#2/n"));
    CU_ASSERT(same(reckon_element_path(l, odd), "D/r#2#2"));
    uint32_t taken[] = {reckon_element_add(l, dc, "rack", "s", 8),
                        reckon_element_add(l, dc, "rack", "s#2", 9),
                        reckon_element_add(l, dc, "rack", "s", 10)};
    CU_ASSERT(same(reckon_element_path(l, taken[1]), "D/s#2"));
    CU_ASSERT(same(reckon_element_path(l, taken[2]), "D/s#3")); /* the second one's number is taken */
    uint32_t later = reckon_element_add(l, dc, "rack", "r", 8); /* added after paths were asked for */
    CU_ASSERT(same(reckon_element_path(l, later), "D/r#4"));
    scratch_end(&scratch);
}

static void finds_names(void) {
    struct reckon_layout *l = start();
    uint32_t several = 7;
    CU_ASSERT_EQUAL(reckon_element_named(l, "name", &several),
                    RECKON_NONE); /* empty, though the word is known */
    CU_ASSERT_EQUAL(several, 0);
    uint32_t a = reckon_element_add(l, RECKON_NONE, "node", "h1", 1),
             b = reckon_element_add(l, a, "node", "x", 2);
    reckon_element_set(l, b, "name", "h1");
    reckon_element_set(l, b, "addr", "10.0.0.1");
    CU_ASSERT_EQUAL(reckon_element_named(l, "h1", &several), a);
    CU_ASSERT_EQUAL(several, 2);
    CU_ASSERT_EQUAL(reckon_element_named(l, "x", NULL), RECKON_NONE); /* its name is h1 */
    CU_ASSERT_EQUAL(reckon_element_named(l, "10.0.0.1", NULL), RECKON_NONE);
    reckon_element_set(l, b, "name", "h2");
    reckon_element_set(l, b, "late", "never seen before");
    CU_ASSERT_EQUAL(reckon_element_named(l, "h2", NULL), b);
    CU_ASSERT_EQUAL(reckon_element_named(l, "never seen before", NULL), RECKON_NONE);
    reckon_element_set(l, b, "name", ""); /* an empty name is none */
    CU_ASSERT(same(reckon_element_name(l, b), "x"));
    scratch_end(&scratch);
}

static void finds_what_encloses(void) {
    struct reckon_layout *l = start();
    uint32_t pod = reckon_element_add(l, RECKON_NONE, "pod", "p", 1),
             outer = reckon_element_add(l, pod, "rack", "o", 2);
    uint32_t inner = reckon_element_add(l, outer, "rack", "i", 3),
             node = reckon_element_add(l, inner, "node", "n", 4);
    CU_ASSERT_EQUAL(reckon_element_above(l, node, "rack"), inner);
    CU_ASSERT_EQUAL(reckon_element_above(l, inner, "rack"), outer); /* never the element itself */
    CU_ASSERT_EQUAL(reckon_element_above(l, node, "pod"), pod);
    CU_ASSERT_EQUAL(reckon_element_above(l, node, "row"), RECKON_NONE);
    CU_ASSERT_EQUAL(reckon_element_above(l, pod, "pod"), RECKON_NONE);
    scratch_end(&scratch);
}

void suite_layout(void) {
    CU_pSuite s = CU_add_suite("layout", NULL, NULL);
    CU_ADD_TEST(s, inherits_all_but_the_own_keys);
    CU_ADD_TEST(s, tags_are_lower_case_and_inherited);
    CU_ADD_TEST(s, lists_own_attributes);
    CU_ADD_TEST(s, shared_sets_stay_apart);
    CU_ADD_TEST(s, numbers_paths_that_occur_again);
    CU_ADD_TEST(s, finds_names);
    CU_ADD_TEST(s, finds_what_encloses);
}
