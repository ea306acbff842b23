/* SPDX-License-Identifier: Apache-2.0
 *
 * RTT_HIGH: an RNIC or cable whose network RTT stands out. The Analyzer found it; here it becomes a finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static enum reckon_severity severity(const struct reckon_triage_problem *p) {
    (void)p;
    return RECKON_WARN;
}

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_RTT_HIGH, severity,
                "Look for pauses and queues there: PFC counters, PCIe width and speed of the RNIC, ECMP "
                "collisions of the job.");
    return 0;
}

RECKON_PLUGIN(rule, rtt_high) = {
    .name = "RTT_HIGH",
    .summary = "an RNIC or cable whose network RTT stands out",
    .verbs = "triage",
    .rule =
        {
            .title = "RTT high",
            .why = "From times rather than losses: the P99 network RTT (without the time either host took) "
                   "of the ToR-mesh probes to an RNIC, or of the probes over a cable, beyond --rtt-factor "
                   "times the median of all RNICs' (cables') P99s. Slow probes are charged to RNICs and "
                   "voted on like lost ones. A host that cannot take its packets in, and whose pauses "
                   "spread, shows so.",
            .lead = "Something on the network is slow without losing probes",
            .rank = 3500,
            .on = "triage",
            .evaluate = evaluate,
        },
};
