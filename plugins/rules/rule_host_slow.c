/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST_SLOW: a host whose processing delay stands out. The Analyzer found it; here it becomes a finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static enum reckon_severity severity(const struct reckon_triage_problem *p) {
    (void)p;
    return RECKON_INFO;
}

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_HOST_SLOW, severity, NULL);
    return 0;
}

RECKON_PLUGIN(rule, host_slow) = {
    .name = "HOST_SLOW",
    .summary = "a host whose processing delay stands out",
    .verbs = "triage",
    .rule =
        {
            .title = "host slow",
            .why = "The P99 of a host's processing delay, answering or asking, beyond --rtt-factor times "
                   "the median of all hosts' P99s. It is the host's CPU, not the network.",
            .lead = "A host handles packets slowly",
            .rank = 3600,
            .on = "triage",
            .evaluate = evaluate,
        },
};
