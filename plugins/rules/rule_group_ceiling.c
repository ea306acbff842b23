/* SPDX-License-Identifier: Apache-2.0
 *
 * GROUP_CEILING: a rack that saturates before the other racks do.
 */
#include "../shared/ramp_common.h"
#include "../shared/rule_common.h"

/* The unexplained members' median ceiling; blank unless there are two and one reached its ceiling. */
static double group_ceiling(const struct reckon_ramp *ramp, const struct rule_field *field, uint32_t g) {
    uint32_t from = field->first[g], n = field->first[g + 1] - from;
    const uint32_t *member = field->member + from;
    struct reckon_fit fit;
    bool reached = false;
    for (uint32_t i = 0; i < n; i++)
        reached = reached || (ramp_host(ramp, field->host[member[i]], &fit) && fit.reached);
    if (n < 2 || !reached)
        return RECKON_BLANK;
    return (field->figure[member[(n - 1) / 2]] + field->figure[member[n / 2]]) / 2;
}

static void found(struct reckon *r, struct reckon_comparison *c, const struct rule_field *field, uint32_t g,
                  double own, double others) {
    const char *kind = reckon_tier_kind(c, reckon_group_tier(c, g));
    const char *label = reckon_printable(r, reckon_group_label(c, g));
    double share = own / others * 100;
    struct reckon_finding *f = reckon_find(
        r, share < reckon_option_number(r, "fail") ? RECKON_CRITICAL : RECKON_WARN, "*",
        "%s %s saturates at %s per flow while the hosts elsewhere reach %s (%s)", kind, label, ramp_rate(r, own),
        ramp_rate(r, others), reckon_percent(r, share));
    reckon_fix(r, f, "Look at what the hosts of %s share: its switch and its uplinks (a LAG member, an optic, ECMP).", label);
    for (uint32_t i = field->first[g]; i < field->first[g + 1]; i++)
        reckon_explain_host(c, field->host[field->member[i]]);
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_ramp *ramp = subject;
    struct reckon_comparison *c = reckon_ramp_hardware(ramp);
    if (!reckon_group_count(c)) {
        reckon_skip(r, "no host of the ramp is in a group of the layout");
        return 0;
    }
    double shorts = reckon_option_number(r, "short"), *ceilings = ramp_ceilings(r, ramp);
    for (uint32_t t = 0, g = 0; t < reckon_tier_count(c); t++) {
        struct rule_field *field = rule_field_of(r, c, ceilings); /* each tier sees what the one inside it explained */
        for (; g < reckon_group_count(c) && reckon_group_tier(c, g) == t; g++) {
            double own = group_ceiling(ramp, field, g), others = rule_outside(field, g);
            if (own < shorts / 100 * others)
                found(r, c, field, g, own, others);
        }
    }
    return 0;
}

RECKON_PLUGIN(rule, group_ceiling) = {
    .name = "GROUP_CEILING",
    .summary = "a rack saturates below --short of the other racks' ceiling",
    .uses = (const char *const[]){"short", "fail", "group-kind", NULL},
    .rule =
        {
            .title = "rack ceiling",
            .why = "When the hosts of one rack stop keeping up at a rate the other hosts still carry, it is something they "
                   "share: the switch, or the uplinks. The median ceiling per flow of the rack's hosts that nothing else "
                   "explains is held against the median of those elsewhere; below --short of it the rack is named once, not "
                   "its hosts one by one. It is critical below --fail. With several group kinds each is judged, innermost "
                   "first.",
            .lead = "One rack saturates before the others",
            .rank = 2200,
            .on = "ramp",
            .evaluate = evaluate,
        },
};
