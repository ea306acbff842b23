/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST_BUSY: a host too busy to answer in time. The Analyzer found it; here it becomes a finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static enum reckon_severity severity(const struct reckon_triage_problem *p) {
    (void)p;
    return RECKON_WARN;
}

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_HOST_BUSY, severity,
                "Give the agent a core of its own, or find what took its host's CPU at that time.");
    return 0;
}

RECKON_PLUGIN(rule, host_busy) = {
    .name = "HOST_BUSY",
    .summary = "a host too busy to answer in time",
    .verbs = "triage",
    .rule =
        {
            .title = "host busy",
            .why = "When a job keeps the agent's CPU busy, answers leave late and probes to several RNICs "
                   "of one host time out together and briefly, which real RNIC faults hardly ever do. "
                   "Timeouts to two or more RNICs of one host that are gone by the next period, while the "
                   "host's other answers come --busy-factor times later than in its quiet periods (or, "
                   "with an RNIC that answers nothing, its upload is late), are the host's and not the "
                   "network's. --no-busy-check turns this off.",
            .lead = "A host was too busy to answer in time, which is not the network's doing",
            .rank = 3200,
            .on = "triage",
            .evaluate = evaluate,
        },
};
