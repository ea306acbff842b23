/* SPDX-License-Identifier: Apache-2.0
 *
 * IDLE_OVERLAP: idle measurements taken while the run was on are no floor, and were left out.
 */
#include "../shared/rule_common.h"

#include <inttypes.h>

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    if (!reckon_has_idle(c)) {
        reckon_skip(r, "no --idle was given");
        return 0;
    }
    uint64_t rows = reckon_idle_overlap(c);
    if (rows == 0)
        return 0;
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, NULL,
                    "%" PRIu64 " %s of the idle measurement %s taken while this run was on, and left out",
                    rows, rows == 1 ? "row" : "rows", rows == 1 ? "was" : "were");
    reckon_fix(r, f,
               "Measure the idle floor before the load (`netmesh check --reports idle/ ...`), with nothing "
               "else on the fabric, and give those reports to `--idle`.");
    return 0;
}

RECKON_PLUGIN(rule, idle_overlap) = {
    .name = "IDLE_OVERLAP",
    .summary = "idle measurements from inside the run were left out",
    .rule =
        {
            .title = "baseline busy",
            .why = "The idle round trip is the floor that the loaded one is measured against. Rows that "
                   "fall inside the run's own time span, ends included, were taken under its load: "
                   "averaging them in would raise the floor and hide the very queues it is there to show. "
                   "They are left out and counted. It is a warning, because pairs that have no other row "
                   "now have no floor at all.",
            .lead = "The idle measurement was not idle",
            .rank = 600,
            .on = "run",
            .evaluate = evaluate,
        },
};
