/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said to be taken for granted, and when.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../../core/compare.h"
#include "../fabric.h"
#include "../scratch.h"

static struct scratch scratch;

/* a and b in racks of their own, both of 100 Gb/s hosts and `uplinks` of 25 Gb/s; a -> b. */
static struct reckon_comparison *two_racks(enum reckon_workload workload, double uplinks) {
    struct reckon *r = scratch_start(&scratch);
    struct reckon_comparison *c = fabric_new(r, workload, RECKON_SHARE_ALL);
    scratch_layout(&scratch, "rack r1\n rack r2\n");
    fabric_group(c, 0, "r1", uplinks, reckon_blank(uplinks) ? BLANK : 25);
    fabric_group(c, 0, "r2", 4, 25);
    fabric_host(c, "a", 100, BLANK, 0, NONE);
    fabric_host(c, "b", 100, BLANK, 1, NONE);
    fabric_shape(c, 1500, 34);
    fabric_flow(c, 0, 1, 0, 0, BLANK, 1000);
    fabric_ready(c);
    model_solve(c, false);
    return c;
}

/* Whether some sentence holds the piece. */
static bool assumed(struct reckon_comparison *c, const char *piece) {
    bool found = false;
    c->r->assumptions.count = 0;
    assume_model(c);
    for (size_t i = 0; reckon_assumption_at(c->r, i); i++)
        found = found || strstr(reckon_assumption_at(c->r, i), piece);
    return found;
}

static void end(struct reckon_comparison *c) {
    free(c->r->assumptions.at);
    fabric_free(c);
    scratch_end(&scratch);
}

static void fabric(void) {
    struct reckon_comparison *c = two_racks(RECKON_REQUEST_REPLY, 4);
    CU_ASSERT(assumed(c, "layers above the rack"));
    CU_ASSERT(!assumed(c, "no layout"));
    CU_ASSERT(!assumed(c, "no uplinks"));
    c->tier_kind[1] = "pod";
    c->ntiers = 2; /* above the outermost */
    CU_ASSERT(assumed(c, "layers above the pod"));
    uint32_t groups = c->ngroups;
    c->ngroups = c->ntiers = 0;
    CU_ASSERT(assumed(c, "no host of the run is in a rack"));
    struct reckon_layout *layout = c->r->layout;
    c->r->layout = NULL;
    CU_ASSERT(assumed(c, "there is no layout"));
    c->r->layout = layout;
    c->ngroups = groups;
    end(c);
    c = two_racks(RECKON_REQUEST_REPLY, BLANK);
    CU_ASSERT(assumed(c, "1 rack declares no uplinks (r1)"));
    end(c);
}

/* One flow of 100 Gb/s through uplinks of 25 Gb/s each; not when a target keeps it below, nor when it was not
 * measured. */
static void members(void) {
    struct reckon_comparison *c = two_racks(RECKON_TCP, 4);
    CU_ASSERT(assumed(c, "a -> b: more than the 25 Gb/s of one of r1's"));
    c->flows->achieved = BLANK;
    CU_ASSERT(!assumed(c, "more than one uplink"));
    c->flows->achieved = 1000;
    c->flows->demand = 20000;
    model_solve(c, false);
    CU_ASSERT(!assumed(c, "more than one uplink"));
    end(c);
}

static void tests(void) {
    struct reckon_comparison *c = two_racks(RECKON_TCP, 4);
    c->flows->flags = FLOW_MTU_DEFAULT;
    c->mode = "parallel";
    CU_ASSERT(assumed(c, "the MTU of 1 flow is taken as 1500"));
    CU_ASSERT(assumed(c, "acknowledgements"));
    CU_ASSERT(assumed(c, "parallel: all tests"));
    c->flows->flags = FLOW_MTU_LAYOUT;
    CU_ASSERT(!assumed(c, "the MTU of"));
    c->sharing = RECKON_SHARE_NONE;
    c->mode = "sequential-pair";
    CU_ASSERT(assumed(c, "sequential-pair: every test had the fabric to itself"));
    c->sharing = RECKON_SHARE_LAYER;
    CU_ASSERT(!assumed(c, "one layer"));
    fabric_layer(c, "1");
    fabric_layer(c, "2");
    CU_ASSERT(assumed(c, "only one layer is on the wire at a time"));
    end(c);
}

void suite_assume(void);

void suite_assume(void) {
    CU_pSuite suite = CU_add_suite("assume", NULL, NULL);
    CU_add_test(suite, "the fabric", fabric);
    CU_add_test(suite, "one uplink of several", members);
    CU_add_test(suite, "how it was tested", tests);
}
