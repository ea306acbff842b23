/* SPDX-License-Identifier: Apache-2.0
 *
 * TRIAGE_VERDICT: the closing sentence of a triage. That the network is innocent, when it is; else the first
 * fault; else what is there that does not touch the job; else that nothing is wrong.
 */
#include <reckon/plugin.h>
#include <reckon/triage.h>

#include <string.h>

static const struct reckon_finding *first_of(const struct reckon *r, const char *rule,
                                             enum reckon_severity least) {
    for (size_t i = 0; i < reckon_finding_count(r); i++) {
        const struct reckon_finding *f = reckon_finding_at(r, i);
        if (reckon_finding_severity(f) >= least && !reckon_finding_known(f) &&
            (!rule || !strcmp(reckon_finding_rule(f), rule)))
            return f;
    }
    return NULL;
}

static bool blames_network(const struct reckon_triage *t) {
    for (size_t i = 0; i < t->nproblems; i++)
        if (t->problems[i]->impact >= RECKON_IMPACT_P1)
            return true;
    return false;
}

/* The first finding about a problem of the network, however little it matters. */
static const struct reckon_finding *first_of_network(const struct reckon *r) {
    static const char *const rules[] = {"RNIC_PROBLEM", "SWITCH_PROBLEM"};
    for (size_t i = 0; i < reckon_finding_count(r); i++)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            if (!strcmp(reckon_finding_rule(reckon_finding_at(r, i)), rules[k]))
                return reckon_finding_at(r, i);
    return NULL;
}

static void say_nothing_urgent(struct reckon *r, const struct reckon_triage *t) {
    const struct reckon_finding *f = first_of_network(r);
    if (f && t->job_placed)
        reckon_set_verdict(r, reckon_finding_rule(f), RECKON_INFO,
                           "Nothing touches the job. Off its paths: %s.", reckon_finding_detail(f));
    else if (f)
        reckon_set_verdict(r, reckon_finding_rule(f), RECKON_INFO, "%s: %s.", reckon_finding_lead(f),
                           reckon_finding_detail(f));
    else
        reckon_set_verdict(
            r, NULL, RECKON_INFO,
            "No fault: %llu of %llu probes timed out in %s, and nothing makes them the network's.",
            (unsigned long long)t->timeouts, (unsigned long long)t->probes,
            reckon_count(r, t->nperiods, "period"));
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_triage *t = subject;
    const struct reckon_finding *innocent = first_of(r, "NETWORK_INNOCENT", RECKON_INFO);
    const struct reckon_finding *fault = first_of(r, NULL, RECKON_WARN);
    const struct reckon_finding *f = innocent && !blames_network(t) ? innocent : fault;
    if (!t->nperiods)
        reckon_set_verdict(r, NULL, RECKON_INFO, "Nothing could be judged: there is no usable probe record.");
    else if (f)
        reckon_set_verdict(r, reckon_finding_rule(f), reckon_finding_severity(f), "%s: %s.",
                           reckon_finding_lead(f), reckon_finding_detail(f));
    else
        say_nothing_urgent(r, t);
    return 0;
}

RECKON_PLUGIN(rule, triage_verdict) = {
    .name = "TRIAGE_VERDICT",
    .summary = "the closing sentence of a triage",
    .verbs = "triage",
    .rule =
        {
            .title = "verdict",
            .why = "One sentence: that the network is innocent of the job's slowness, when it is; else the "
                   "first critical "
                   "or warning finding, opened by what its rule makes of it; else the first problem that "
                   "does not touch the job; else that "
                   "nothing is wrong. It is never a finding itself.",
            .lead = "",
            .rank = 10000,
            .on = "triage",
            .evaluate = evaluate,
        },
};
