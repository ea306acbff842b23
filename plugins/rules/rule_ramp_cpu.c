/* SPDX-License-Identifier: Apache-2.0
 *
 * RAMP_CPU: hosts whose CPU was full at their ceiling. The ceiling is the test's, not the network's.
 */
#include "../shared/ramp_common.h"
#include "../shared/rule_common.h"

static const char *cpu(struct reckon *r, const struct reckon_fit *f) {
    return reckon_text(r, "agent %s of a core, busiest core %s", reckon_percent(r, f->cpu_agent),
                       reckon_percent(r, f->cpu_core));
}

static void one_host(struct reckon *r, const char *name, const struct reckon_fit *f) {
    struct reckon_finding *found =
        reckon_find(r, RECKON_WARN, name, "%s saturates at %s per flow with its CPU full: %s", name,
                    ramp_rate(r, f->ceiling_per_flow), cpu(r, f));
    reckon_fix(r, found, "Give the test on %s more workers or cores and run the ramp again: its ceiling says nothing of "
                         "the network.", name);
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_ramp *ramp = subject;
    struct reckon_comparison *c = reckon_ramp_hardware(ramp);
    uint32_t hosts = reckon_host_count(c), n = 0, bound, reached = ramp_reached(ramp, &bound);
    uint32_t *which = reckon_alloc(r, (hosts + 1u) * sizeof *which);
    struct reckon_fit fit;
    if (!reached) {
        reckon_skip(r, "no host reached a ceiling");
        return 0;
    }
    for (uint32_t h = 0; h < hosts; h++) {
        if (!ramp_host(ramp, h, &fit) || !fit.cpu_bound)
            continue;
        which[n++] = h;
        reckon_explain_host(c, h);
        if (!ramp_cpu_is_the_ceiling(ramp))
            one_host(r, reckon_host_name(c, h), &fit);
    }
    if (!n || !ramp_cpu_is_the_ceiling(ramp))
        return 0;
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, "*", "%u of %u hosts that saturated had their CPU full: %s; the ceiling is theirs", n,
                    reached, rule_names(r, c, which, n));
    reckon_fix(r, f, "Give the test more workers or cores, or larger packets, and run the ramp again: this ceiling is "
                     "that of the test hosts, not of the network.");
    return 0;
}

RECKON_PLUGIN(rule, ramp_cpu) = {
    .name = "RAMP_CPU",
    .summary = "a ceiling reached with the test host's CPU full",
    .rule =
        {
            .title = "test host CPU",
            .why = "A host that saturates while its busiest worker is at 75% of a core or more, or its busiest core at 85%, ran "
                   "out of CPU, not of network: those are the measuring program's own lines. Such a host is explained "
                   "and later rules leave it out. When at least half of the hosts that saturated did so, the "
                   "fleet's ceiling is the test hosts' and FLEET_CEILING stays quiet.",
            .lead = "The test hosts ran out of CPU before the network did",
            .rank = 1800,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
