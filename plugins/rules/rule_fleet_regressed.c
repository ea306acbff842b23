/* SPDX-License-Identifier: Apache-2.0
 *
 * FLEET_REGRESSED: the median host fell since the baseline and is still above --short. Every host at once is
 * the test's settings, a roll-out, or the switches.
 */
#include "../shared/baseline_sums.h"
#include "../shared/rule_common.h"

#include <inttypes.h>
#include <string.h>

/* What differs between the two runs besides their figures. */
static const char *differences(struct reckon *r, const struct reckon_comparison *c) {
    const char *then = reckon_baseline_describe(c), *text = "";
    uint32_t nics = baseline_sums(c, reckon_option_number(r, "drop")).nic_changed;
    if (then && strcmp(then, reckon_run_describe(c)) != 0)
        text = reckon_text(r, "; the runs were described differently (then: %s; now: %s)", then,
                           reckon_run_describe(c));
    if (nics)
        text = reckon_text(r, "%s; %s modelled at another NIC speed than then", text,
                           nics == 1 ? "1 host is" : reckon_text(r, "%" PRIu32 " hosts are", nics));
    return text;
}

static uint32_t count_fallen(const struct rule_field *field, double drop) {
    uint32_t n = 0;
    while (n < field->count && field->figure[n] <= -drop)
        n++;
    return n;
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    const char *none = rule_no_baseline(c);
    if (none) {
        reckon_skip(r, "%s", none);
        return 0;
    }
    double drop = reckon_option_number(r, "drop");
    struct rule_field *field = rule_field(r, c, reckon_host_change);
    if (field->count < 2) {
        reckon_skip(r, "fewer than two hosts were compared both times and are not explained yet");
        return 0;
    }
    double now = rule_median_of(c, reckon_host_efficiency, field->host, field->count);
    if (rule_field_median(field) > -drop || now < reckon_option_number(r, "short"))
        return 0;
    struct reckon_finding *f = reckon_find(
        r, RECKON_WARN, NULL,
        "the median host fell from %s to %s of what its hardware allows since %s (%+.0f points); %" PRIu32
        " of %" PRIu32 " hosts fell by %g points or more%s",
        reckon_percent(r, rule_median_of(c, reckon_host_then, field->host, field->count)),
        reckon_percent(r, now), reckon_baseline_since(c), rule_field_median(field), count_fallen(field, drop),
        field->count, drop, differences(r, c));
    reckon_fix(r, f,
               "Every host at once is the test's settings, a roll-out, or the switches: compare how the "
               "two runs were made (packet size, targets, window, workers), then what was rolled out "
               "between them.");
    return 0;
}

RECKON_PLUGIN(rule, fleet_regressed) = {
    .name = "FLEET_REGRESSED",
    .summary = "the median host fell --drop points, still above --short",
    .uses = (const char *const[]){"drop", "short", NULL},
    .rule =
        {
            .title = "fleet fell",
            .why = "When the median change of the hosts no earlier rule explained is a fall of --drop "
                   "points or more, every host moved at once: the settings of the test, a roll-out, or the "
                   "switches. It is a warning, and only while the median host is still at or above --short, "
                   "since below that the shortfall itself is the finding and carries the old figure. Two "
                   "runs that were described differently (another packet size, another window) or hosts "
                   "whose NIC is modelled at another speed are said, because then the change may be the "
                   "test's or the declaration's.",
            .lead = "The fleet fell as a whole",
            .rank = 1300,
            .on = "run",
            .evaluate = evaluate,
        },
};
