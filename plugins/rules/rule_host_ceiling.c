/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST_CEILING: a host that saturates before its mates do.
 */
#include "../shared/ramp_common.h"
#include "../shared/rule_common.h"

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_ramp *ramp = subject;
    struct reckon_comparison *c = reckon_ramp_hardware(ramp);
    double shorts = reckon_option_number(r, "short"), fail = reckon_option_number(r, "fail");
    struct rule_field *field = rule_field_of(r, c, ramp_ceilings(r, ramp));
    struct reckon_fit fit;
    for (uint32_t i = 0; i < field->count; i++) { /* the lowest ceiling first */
        uint32_t h = field->host[i], group;
        double mates = rule_reference(field, h, &group), share = field->figure[i] / mates * 100;
        if (!ramp_host(ramp, h, &fit) || !fit.reached || !(share < shorts))
            continue;
        const char *name = reckon_host_name(c, h);
        struct reckon_finding *f =
            reckon_find(r, share < fail ? RECKON_CRITICAL : RECKON_WARN, name,
                        "%s saturates at %s per flow while %s %s %s (%s)", name, ramp_rate(r, field->figure[i]),
                        rule_others(r, c, group), group == RECKON_NONE ? "reach" : "reaches", ramp_rate(r, mates),
                        reckon_percent(r, share));
        reckon_fix(r, f, "The ceiling is that of %s or its link, not of the fabric: `why-slow --ssh %s` for the box, "
                         "`ethtool -S` on its NIC for errors and drops -- then the cable or optic.", name, rule_word(name));
        reckon_explain_host(c, h);
    }
    return 0;
}

RECKON_PLUGIN(rule, host_ceiling) = {
    .name = "HOST_CEILING",
    .summary = "a host saturates below --short of its mates' ceiling",
    .uses = (const char *const[]){"short", "fail", NULL},
    .rule =
        {
            .title = "host ceiling",
            .why = "Under one rising rate hosts of one rack should stop keeping up together. A host whose ceiling per flow is "
                   "below --short of the median of its group-mates' (or, without mates, of everybody else's) saturates "
                   "first, so the fault is on it or its link. The mates count whether they saturated themselves or not. "
                   "It is critical below --fail.",
            .lead = "One host saturates before the rest",
            .rank = 2100,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
