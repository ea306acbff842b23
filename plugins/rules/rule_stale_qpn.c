/* SPDX-License-Identifier: Apache-2.0
 *
 * STALE_QPN: probes that met the restart of an agent. The Analyzer found it; here it becomes a finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static enum reckon_severity severity(const struct reckon_triage_problem *p) {
    (void)p;
    return RECKON_INFO;
}

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_STALE_QPN, severity, NULL);
    return 0;
}

RECKON_PLUGIN(rule, stale_qpn) = {
    .name = "STALE_QPN",
    .summary = "probes that met the restart of an agent",
    .verbs = "triage",
    .rule =
        {
            .title = "stale QPN",
            .why = "A restarted agent has a new queue pair number; probes that still carry the old one, or "
                   "that fell into the restart, are lost without any fault. They are noise and are left "
                   "out of everything that follows.",
            .lead = "Probes went to an agent that had restarted",
            .rank = 3100,
            .on = "triage",
            .evaluate = evaluate,
        },
};
