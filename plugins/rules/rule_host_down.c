/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST_DOWN: a host whose agents uploaded nothing. The Analyzer found it; here it becomes a finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static enum reckon_severity severity(const struct reckon_triage_problem *p) {
    (void)p;
    return RECKON_WARN;
}

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_HOST_DOWN, severity,
                "Look at the host itself (power, kernel, its reckon probe service) before the network.");
    return 0;
}

RECKON_PLUGIN(rule, host_down) = {
    .name = "HOST_DOWN",
    .summary = "a host whose agents uploaded nothing",
    .verbs = "triage",
    .rule =
        {
            .title = "host down",
            .why = "Probes to a host time out when it is down as much as when the network is broken. A "
                   "host whose agents uploaded nothing for --silent seconds before the end of a period is "
                   "taken to be down, and timeouts to it say nothing about the network.",
            .lead = "A host does not answer, and it is down rather than cut off",
            .rank = 3000,
            .on = "triage",
            .evaluate = evaluate,
        },
};
