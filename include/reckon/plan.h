/* SPDX-License-Identifier: Apache-2.0
 *
 * Expectations without a run: what flows that nobody has sent yet could have on the session's layout, and on
 * one that is changed for a moment. And the subject "plan", which the verb of that name hands to its outputs.
 *
 * The subject carries a version of its own. Its structs are reached through pointers and begin with their
 * size, so that members added at their ends break nobody.
 */
#ifndef RECKON_PLAN_H
#define RECKON_PLAN_H

#include <reckon/comparison.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- expectations; for verbs ---- */

/* A sink of the verb's own, filled like a run reader's (<reckon/run.h>); its samples need no time and no
 * figure but the sizes and, where a flow is paced, its demand. Free it with reckon_sink_free(). */
struct reckon_sink *reckon_sink_new(struct reckon *r);
void reckon_sink_free(struct reckon_sink *sink);
/* Assembles the sink's flows, builds the hardware they run over and solves: a comparison without any
 * measurement. The sink is kept and may be asked again. `source` becomes reckon_run_source(). Reads the
 * options nic-gbps, group-kind and mtu. NULL after an error. Free it with reckon_expect_free(). */
struct reckon_comparison *reckon_expect(struct reckon *r, const char *source, struct reckon_sink *sink);
/* The same flows over the layout as it is now; every figure of the comparison is new. 0, or -1 after an
 * error. */
int reckon_expect_again(struct reckon_comparison *c);
void reckon_expect_free(struct reckon_comparison *c);
/* Says under ASSUMED what the model takes for granted about it. */
void reckon_expect_assume(struct reckon_comparison *c);

/* Until reckon_override_end(), the element of the session's layout has this own attribute (key lower-case,
 * not `name`). Comparisons made before keep their figures. */
void reckon_override(struct reckon *r, uint32_t element, const char *key, const char *value);
/* The layout is again what was read. */
void reckon_override_end(struct reckon *r);

/* ---- the subject "plan" ---- */

#define RECKON_PLAN_VERSION 1u

/* One change that would add something. */
struct reckon_upgrade {
    size_t size;
    const char *change;  /* as --what-if takes it, where it can: "rack=r02 uplinks=2"; arena text */
    uint32_t elements;   /* how many racks or hosts it changes */
    double total, worst; /* the sum of the rates, and the lowest, after it; in the run's unit */
    double added_total, added_worst;
};

struct reckon_plan {
    size_t size;
    unsigned version;                    /* RECKON_PLAN_VERSION */
    const char *pattern;                 /* as asked: "all-to-all" */
    const char *describe;                /* "all-to-all, 1434 B requests, 34 B replies, unpaced" */
    double target;                       /* per flow, in the run's unit; blank: unpaced */
    const struct reckon_comparison *now; /* on the layout as it is */
    /* with every --what-if, NULL without one; its flows are those of `now` */
    const struct reckon_comparison *then;
    const char *const *changes; /* the --what-if, as given */
    size_t nchanges;
    bool asked_upgrades;
    /* those that add something, what adds most to the total first */
    const struct reckon_upgrade *const *upgrades;
    size_t nupgrades;
};

#ifdef __cplusplus
}
#endif
#endif
