/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST_REGRESSED: a host that fell since the baseline while its mates held. At 91% it is not short, and
 * nothing else would name it.
 */
#include "../shared/rule_common.h"

static void report(struct reckon *r, struct reckon_comparison *c, uint32_t h, uint32_t group, double moved) {
    const char *name = reckon_host_name(c, h), *nic = "";
    double eff = reckon_host_efficiency(c, h);
    if (reckon_host_nic_changed(c, h))
        nic = reckon_text(r,
                          "; its NIC is modelled at %g Gb/s now and was at %g then, so part of the change is "
                          "the declaration",
                          reckon_host_nic_gbps(c, h), reckon_host_nic_then(c, h));
    struct reckon_finding *f = reckon_find(
        r, eff < reckon_option_number(r, "fail") ? RECKON_CRITICAL : RECKON_WARN, name,
        "%s fell from %s to %s of what its hardware allows since %s, while %s held (%+.0f points)%s", name,
        reckon_percent(r, reckon_host_then(c, h)), reckon_percent(r, eff), reckon_baseline_since(c),
        rule_others(r, c, group), moved, nic);
    reckon_fix(r, f,
               "Ask what changed on %s since then (kernel, driver, firmware, cable, neighbours on the box): "
               "`why-slow --ssh %s`, and `ethtool -S` on its NIC for errors that are new.",
               name, rule_word(name));
    reckon_explain_host(c, h);
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_comparison *c = subject;
    const char *none = rule_no_baseline(c);
    double drop = reckon_option_number(r, "drop");
    if (none) {
        reckon_skip(r, "%s", none);
        return 0;
    }
    struct rule_field *field = rule_field(r, c, reckon_host_change);
    for (uint32_t i = 0; i < field->count && field->figure[i] <= -drop; i++) {
        uint32_t group;
        double moved = rule_reference(field, field->host[i], &group);
        if (moved > -drop)
            report(r, c, field->host[i], group, moved);
    }
    return 0;
}

RECKON_PLUGIN(rule, host_regressed) = {
    .name = "HOST_REGRESSED",
    .summary = "a host fell --drop points since the baseline while its rack held",
    .uses = (const char *const[]){"drop", "fail", NULL},
    .rule =
        {
            .title = "host fell",
            .why = "Raw rates do not compare across runs, efficiencies do, because each run is graded "
                   "against its own expectation. A host at 91% is not short, but one that was at 99% last "
                   "week has started to go wrong. It is named when it fell by --drop points or more while "
                   "the median change of its rack-mates, or of all other hosts when it has none, did not; "
                   "when they fell too, the cause is larger. The usual 5 points are less than the distance "
                   "to --short, since a healthy host that fell further is short and reported as that. It is "
                   "critical when the host is now below --fail, else a warning. A NIC that is modelled at "
                   "another speed than then is said, because part of the change is then the declaration.",
            .lead = "One host has started to go wrong",
            .rank = 1100,
            .on = "run",
            .evaluate = evaluate,
        },
};
