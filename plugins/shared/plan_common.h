/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan summed up, the same in the verb and in every output: totals, classes of flows, bottlenecks.
 */
#ifndef RECKON_PLAN_COMMON_H
#define RECKON_PLAN_COMMON_H

#include <reckon/plan.h>
#include <reckon/plugin.h>

struct plan_totals {
    uint32_t flows, expected, at_target; /* all; those with an expectation; those that reach their target */
    double total, lowest, highest;       /* of the expected rates; blank when there is none */
};
struct plan_totals plan_totals(const struct reckon_comparison *c);

/* Flows of one relation between their ends that one kind of limit stops. */
struct plan_class {
    const char *where; /* "inside a rack", "between racks"; "all flows" without groups */
    enum reckon_limit limit;
    uint32_t flows;
    double total, lowest, highest; /* blank when they have no expectation */
};
/* Those there are, inner relations first; *count of them. Memory of the session. */
const struct plan_class *plan_classes(struct reckon *r, const struct reckon_comparison *c, size_t *count);

/* A link that stops flows, and at which rate. All of one level are stopped there at the same moment. */
struct plan_bottleneck {
    uint32_t link;
    double level;
};
/* In the order in which they fill: by level, then what stops most flows, then as links are numbered. Memory
 * of the session. */
const struct plan_bottleneck *plan_bottlenecks(struct reckon *r, const struct reckon_comparison *c,
                                               size_t *count);
/* How many of them from `first` on fill at one level and are of one kind, way and capacity. */
size_t plan_like(const struct reckon_comparison *c, const struct plan_bottleneck *all, size_t count,
                 size_t first);

/* One sentence: what the fabric carries and what stops it. Arena text, no full stop. */
const char *plan_sentence(struct reckon *r, const struct reckon_comparison *c);
/* "+12%", "no change", "-3%"; "-" when one is blank. Arena text. */
const char *plan_change(struct reckon *r, double before, double after);

#endif
