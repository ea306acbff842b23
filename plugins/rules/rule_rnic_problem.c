/* SPDX-License-Identifier: Apache-2.0
 *
 * RNIC_PROBLEM: an RNIC, its cable or its ToR port. The Analyzer found it; here it becomes a finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_RNIC_PROBLEM, triage_by_impact,
                "Read the counters of the RNIC and of its ToR port, reseat or swap the cable, and drain "
                "the host if it is on the job.");
    return 0;
}

RECKON_PLUGIN(rule, rnic_problem) = {
    .name = "RNIC_PROBLEM",
    .summary = "an RNIC, its cable or its ToR port",
    .verbs = "triage",
    .rule =
        {
            .title = "RNIC problem",
            .why = "ToR-mesh probes cross nothing but two host links and the ToR. When more than --rnic- "
                   "loss percent of those to one RNIC time out, the fault is that RNIC, its cable or its "
                   "ToR port. A dead RNIC's own probes are lost at its neighbours too, so the worst RNIC "
                   "is charged first, what it had a part in is taken away, and the rest is judged again. "
                   "For --charge seconds its timeouts take no part in the vote over cables. Critical on "
                   "the job's paths when its metric fell, a warning when it held, for information off "
                   "them.",
            .lead = "An RNIC, its cable or its ToR port is at fault",
            .rank = 3300,
            .on = "triage",
            .evaluate = evaluate,
        },
};
