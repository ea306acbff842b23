/* SPDX-License-Identifier: Apache-2.0
 *
 * What context readers hand over: names applied once, the last speed of a host, and what the rows of an idle
 * floor come to beside a run.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../fabric.h"
#include "../scratch.h"

void suite_context(void);

static struct scratch scratch;

static struct reckon *start_with_names(void) {
    struct reckon *r = scratch_start(&scratch);
    r->names = names_map_new(r);
    return r;
}

static void names_apply_once(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT_STRING_EQUAL(reckon_layout_name(r, "a"), "a"); /* without --names */
    scratch_end(&scratch);
    r = start_with_names();
    reckon_names_add(r->names, "a", "b");
    reckon_names_add(r->names, "b", "c");
    CU_ASSERT_STRING_EQUAL(reckon_names_add(r->names, "b", "d"), "c"); /* the last line counts */
    CU_ASSERT_PTR_NULL(reckon_names_add(r->names, "b", "d"));
    CU_ASSERT_STRING_EQUAL(reckon_layout_name(r, "a"), "b"); /* not on to d */
    CU_ASSERT_STRING_EQUAL(reckon_layout_name(r, "b"), "d");
    CU_ASSERT_STRING_EQUAL(reckon_layout_name(r, "other"), "other");
    scratch_end(&scratch);
}

static void the_last_speed_counts(void) {
    struct reckon *r = start_with_names();
    struct reckon_speeds *s = speeds_new(r);
    double mbps = 0;
    const char *raw = NULL;
    reckon_names_add(r->names, "m-a", "a");
    reckon_speeds_add(s, "a", 100, "100");
    reckon_speeds_add(s, "m-a", 25000, "25000");
    reckon_speeds_add(s, "b", -1, "-1");
    reckon_speeds_add(s, "c", RECKON_BLANK, "unknown");
    reckon_speeds_add(s, "d", 0, NULL);
    CU_ASSERT(speeds_find(s, "a", &mbps, &raw));
    CU_ASSERT_EQUAL(mbps, 25000);
    CU_ASSERT_STRING_EQUAL(raw, "25000");
    CU_ASSERT_FALSE(speeds_find(s, "m-a", &mbps, &raw));
    for (const char *host = "b"; *host <= 'd'; host = *host == 'b' ? "c" : *host == 'c' ? "d" : "e") {
        CU_ASSERT(speeds_find(s, host, &mbps, &raw));
        CU_ASSERT(reckon_blank(mbps));
    }
    CU_ASSERT_STRING_EQUAL(raw, "");
    speeds_free(s);
    scratch_end(&scratch);
}

/* ---- the idle floor ---- */

static struct reckon_comparison *run(struct reckon *r, double first, double last) {
    struct reckon_comparison *c = fabric_new(r, RECKON_REQUEST_REPLY, RECKON_SHARE_LAYER);
    c->first_ts = first;
    c->last_ts = last;
    for (const char *const *h = (const char *const[]){"a", "b", "c", NULL}; *h; h++)
        fabric_host(c, *h, 10, BLANK, NONE, NONE);
    fabric_all_to_all(c, fabric_shape(c, 64, 64), BLANK, BLANK); /* ab ac ba bc ca cb */
    return c;
}

static void idle_is_a_median_outside_the_run(void) {
    struct reckon *r = start_with_names();
    struct reckon_comparison *c = run(r, 1000, 1060);
    struct reckon_idle *idle = idle_new(r, "netmesh");
    reckon_names_add(r->names, "m-b", "b");
    reckon_idle_add(idle, 999, "a", "m-b", 50, BLANK);
    reckon_idle_add(idle, 1000, "a", "b", 9000, BLANK); /* inside, both ends included */
    reckon_idle_add(idle, 1030, "a", "b", 9000, BLANK);
    reckon_idle_add(idle, 1060, "a", "b", 9000, BLANK);
    reckon_idle_add(idle, 1030, "x", "y", 9000, BLANK); /* counted as well */
    reckon_idle_add(idle, 1061, "a", "b", 30, BLANK);
    reckon_idle_add(idle, BLANK, "a", "b", 40, BLANK); /* a row without ts is kept */
    reckon_idle_add(idle, 10, "a", "b", BLANK, BLANK);
    reckon_idle_add(idle, 10, "a", "b", -5, BLANK);
    reckon_idle_add(idle, 10, "b", "a", 60, BLANK);
    reckon_idle_add(idle, 11, "b", "a", 70, BLANK);
    reckon_idle_add(idle, 10, "a", "stranger", 1, BLANK);
    idle_apply(idle, c);
    CU_ASSERT_EQUAL(c->idle_overlap, 4);
    CU_ASSERT(c->has_idle);
    CU_ASSERT_STRING_EQUAL(c->idle_source, "netmesh");
    CU_ASSERT_EQUAL(c->idle_p50[0], 40);     /* of 30, 40, 50 */
    CU_ASSERT_EQUAL(c->idle_p50[2], 65);     /* of 60, 70 */
    CU_ASSERT(reckon_blank(c->idle_p50[1])); /* no row */
    c->idle_p50 = NULL;                      /* the session's */
    fabric_free(c);
    scratch_end(&scratch);
}

static void idle_mtu_is_the_last(void) {
    struct reckon *r = scratch_start(&scratch);
    struct reckon_comparison *c = run(r, BLANK, BLANK); /* a run without times: nothing lies inside */
    struct reckon_idle *idle = idle_new(r, "netmesh");
    reckon_idle_add(idle, 3, "a", "b", 40, 1500.9); /* truncated */
    reckon_idle_add(idle, 2, "a", "b", 40, 9000);
    reckon_idle_add(idle, 4, "a", "b", 40, BLANK);
    reckon_idle_add(idle, BLANK, "a", "b", 40, 4000);
    reckon_idle_add(idle, 5, "a", "c", 40, 1400); /* ties to the larger */
    reckon_idle_add(idle, 5, "a", "c", 40, 1600);
    reckon_idle_add(idle, 5, "a", "c", 40, 1500);
    reckon_idle_add(idle, 1, "b", "a", 40, 67.9); /* outside 68…65535 */
    reckon_idle_add(idle, 1, "b", "a", 40, 65536);
    reckon_idle_add(idle, 1, "b", "c", 40, 68);
    reckon_idle_add(idle, 1, "c", "b", 40, 65535.5);
    idle_apply(idle, c);
    CU_ASSERT_EQUAL(c->idle_overlap, 0);
    CU_ASSERT_EQUAL(idle_mtu(idle, 0, 1), 1500);
    CU_ASSERT_EQUAL(idle_mtu(idle, 0, 2), 1600);
    CU_ASSERT(reckon_blank(idle_mtu(idle, 1, 0)));
    CU_ASSERT_EQUAL(idle_mtu(idle, 1, 2), 68);
    CU_ASSERT_EQUAL(idle_mtu(idle, 2, 1), 65535);
    CU_ASSERT(reckon_blank(idle_mtu(idle, 2, 0))); /* no row */
    c->idle_p50 = NULL;                            /* the session's */
    fabric_free(c);
    scratch_end(&scratch);
}

static void an_empty_floor(void) {
    struct reckon *r = scratch_start(&scratch);
    struct reckon_comparison *c = run(r, 1, 2);
    struct reckon_idle *idle = idle_new(r, "netmesh");
    idle_apply(idle, c);
    CU_ASSERT(reckon_blank(c->idle_p50[0]));
    CU_ASSERT(reckon_blank(idle_mtu(idle, 0, 1)));
    c->idle_p50 = NULL; /* the session's */
    fabric_free(c);
    scratch_end(&scratch);
}

void suite_context(void) {
    CU_pSuite s = CU_add_suite("context", NULL, NULL);
    CU_ADD_TEST(s, names_apply_once);
    CU_ADD_TEST(s, the_last_speed_counts);
    CU_ADD_TEST(s, idle_is_a_median_outside_the_run);
    CU_ADD_TEST(s, idle_mtu_is_the_last);
    CU_ADD_TEST(s, an_empty_floor);
}
