/* SPDX-License-Identifier: Apache-2.0
 *
 * LINK_SPEED: what the hosts say about their own links against what was declared. A link that came up slower
 * than declared explains everything short on its host.
 */
#include "../shared/rule_common.h"

/* Says what is wrong with one host's link; quiet when nothing is. */
static void judge(struct reckon *r, struct reckon_comparison *c, uint32_t h) {
    const char *name = reckon_host_name(c, h), *word = rule_word(name), *raw = reckon_host_measured_raw(c, h);
    double measured = reckon_host_measured_gbps(c, h), declared = reckon_host_declared_gbps(c, h);
    const char *by = reckon_blank(reckon_host_layout_gbps(c, h)) ? "--nic-gbps" : "the layout";
    struct reckon_finding *f;

    if (reckon_blank(measured)) {
        const char *model =
            reckon_blank(declared) ? "and none is declared" : reckon_text(r, "%s says %g Gb/s", by, declared);
        f = reckon_find(r, RECKON_WARN, name, "%s reports no usable link speed (\"%s\"), %s", name, raw,
                        model);
        reckon_fix(r, f,
                   "See whether %s measured the right interface: a speed of -1 is a link that is down. `ip "
                   "link` and `ethtool` on %s tell which interface carries the traffic.",
                   name, word);
    } else if (measured < 0.99 * declared) {
        f = reckon_find(
            r, RECKON_CRITICAL, name,
            "%s's link came up at %g Gb/s (\"%s\") while %s declares %g Gb/s: everything through it is "
            "capped there",
            name, measured, raw, by, declared);
        reckon_fix(r, f,
                   "Bring %s's link up at its declared speed: `ethtool` on the interface shows what both "
                   "ends offer; then the cable or optic, and the switch port's speed and FEC settings.",
                   word);
        reckon_explain_host(c, h);
    } else if (measured > 1.01 * declared) {
        f = reckon_find(
            r, RECKON_WARN, name,
            "%s's link came up at %g Gb/s (\"%s\") while %s declares %g Gb/s: the declaration is stale", name,
            measured, raw, by, declared);
        reckon_fix(r, f, "Correct the declared speed of %s; the model used the measured one.", name);
    }
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_comparison *c = rule_hardware(r, subject);
    if (!reckon_has_speeds(c)) {
        reckon_skip(r, "no --speeds was given");
        return 0;
    }
    uint32_t named = 0;
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (reckon_host_measured_raw(c, h)) {
            judge(r, c, h);
            named++;
        }
    if (!named)
        reckon_skip(r, "--speeds names no host of this run");
    return 0;
}

RECKON_PLUGIN(rule, link_speed) = {
    .name = "LINK_SPEED",
    .summary = "the measured link speeds disagree with the declared ones",
    .rule =
        {
            .title = "link speed",
            .why = "A layout is what somebody wrote down; the speed a link negotiated is what the packets "
                   "met, so the model uses the measured one and the disagreement is said here. A link more "
                   "than 1% below its declared speed is critical: a 25 Gb/s port that came up at 10 caps "
                   "everything through it, and whatever else is short on that host is its symptom, so later "
                   "rules leave the host out. More than 1% above means that the declaration is stale, which "
                   "is a warning. So is a host whose link reports no usable speed: -1 is a link that is "
                   "down, or not the interface the traffic uses. One percent leaves room for rounding and "
                   "nothing else, since link speeds come in large steps.",
            .lead = "A link is not at its declared speed",
            .rank = 100,
            .on = "run ramp",
            .evaluate = evaluate,
        },
};
