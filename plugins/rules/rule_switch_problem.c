/* SPDX-License-Identifier: Apache-2.0
 *
 * SWITCH_PROBLEM: the cable most failing probes have in common. The Analyzer found it; here it becomes a
 * finding.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../shared/triage_text.h"

static int evaluate(struct reckon *r, void *subject) {
    triage_find(r, subject, RECKON_SWITCH_PROBLEM, triage_by_impact,
                "Read the counters of both ports of the cable, clean or swap the optics, and take it "
                "out of ECMP until then.");
    return 0;
}

RECKON_PLUGIN(rule, switch_problem) = {
    .name = "SWITCH_PROBLEM",
    .summary = "the cable most failing probes have in common",
    .verbs = "triage",
    .rule =
        {
            .title = "switch problem",
            .why = "What no host and no RNIC explains is voted on: every cable on the traced path of a "
                   "failing probe and of its ack gets one vote, and the most voted is the suspect. Its "
                   "probes are taken away and the rest votes again while --min-votes remain, so that "
                   "several faults at once are told apart. Cables with as many votes, the same share of "
                   "failing probes and probes in common are named together. Critical on the job's paths "
                   "when its metric fell, a warning when it held, for information off them.",
            .lead = "A cable or a switch is at fault",
            .rank = 3400,
            .on = "triage",
            .evaluate = evaluate,
        },
};
