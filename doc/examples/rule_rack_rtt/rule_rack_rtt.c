/* SPDX-License-Identifier: Apache-2.0
 *
 * RACK_RTT: a rule of one site, kept outside reckon. Our racks are alike inside, so a host to which the load
 * adds more than twice the round-trip time it adds to the rack's median host has a queue of its own: a full
 * receive ring, a port that pauses, a neighbour's backup. It warns, and leaves judging bandwidth to reckon's
 * own rules.
 */
#include <stdlib.h>

#include <reckon/plugin.h>

#define FEWEST 3 /* hosts with a figure: the median of two is no better than a coin */

/* The median added RTT of the rack's hosts, us; blank when too few have one. */
static double rack_median(const struct reckon_comparison *c, uint32_t rack) {
    uint32_t hosts = reckon_group_size(c, rack);
    double *added = reckon_resize(NULL, hosts + (size_t)1, sizeof *added), median = RECKON_BLANK;
    size_t n = 0;
    for (uint32_t i = 0; i < hosts; i++) {
        double x = reckon_host_added_rtt(c, reckon_group_host(c, rack, i));
        if (!reckon_blank(x)) /* not measured is not zero */
            added[n++] = x;
    }
    if (n >= FEWEST)
        median = reckon_median(added, n);
    free(added);
    return median;
}

/* Warns of the rack's hosts that stand out, unless a rule before this one has explained them. */
static void judge_rack(struct reckon *r, const struct reckon_comparison *c, uint32_t rack) {
    double times = reckon_option_number(r, "rack-rtt-times"),
           least = reckon_option_number(r, "rack-rtt-least");
    double median = rack_median(c, rack);
    for (uint32_t i = 0; i < reckon_group_size(c, rack) && !reckon_blank(median); i++) {
        uint32_t h = reckon_group_host(c, rack, i);
        double added = reckon_host_added_rtt(c, h); /* a blank is greater than nothing */
        if (!(added > times * median) || !(added >= least) || reckon_host_explained(c, h))
            continue;
        const char *name = reckon_host_name(c, h);
        struct reckon_finding *f =
            reckon_find(r, RECKON_WARN, name,
                        "the load adds %s to the round trips of %s, but %s to the median host of %s",
                        reckon_time(r, added), name, reckon_time(r, median), reckon_group_label(c, rack));
        reckon_fix(
            r, f,
            "Look at %s itself: `ethtool -S` for pause frames and drops in its rings, interrupt coalescing "
            "(`ethtool -c`) unlike that of its neighbours, and what else ran there.",
            name);
    }
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    if (!reckon_has_idle(c)) {
        reckon_skip(r, "no --idle was given");
        return 0;
    }
    for (uint32_t g = 0; g < reckon_group_count(c); g++)
        if (reckon_group_tier(c, g) == 0) /* the innermost kind: racks */
            judge_rack(r, c, g);
    return 0;
}

static const struct reckon_option options[] = {
    {.name = "rack-rtt-times",
     .type = RECKON_NUMBER,
     .value_name = "F",
     .initial = "2",
     .max = HUGE_VAL,
     .help = "RACK_RTT warns above this many times the rack's median added round trip",
     .group = "judgement"},
    {.name = "rack-rtt-least",
     .type = RECKON_NUMBER,
     .value_name = "US",
     .initial = "50",
     .unit = "us",
     .max = HUGE_VAL,
     .help = "and from this much added round trip on",
     .group = "judgement"},
    {.type = RECKON_OPTION_END},
};

RECKON_PLUGIN(rule, rack_rtt) = {
    .name = "RACK_RTT",
    .version = "1.0",
    .summary = "a host whose round trips grow more under load than its rack's",
    .options = options,
    .rule =
        {
            .title = "rack latency",
            .why = "The hosts of a rack share their switch and its uplinks, so the load adds much the same "
                   "to their round "
                   "trips. A host to which it adds more than --rack-rtt-times what it adds to the rack's "
                   "median host queues "
                   "somewhere the others do not: on itself, its cable or its port. Racks with fewer than "
                   "three measured hosts "
                   "have no median worth the name, and below --rack-rtt-least microseconds it is noise. It "
                   "speaks after the "
                   "rules that look for short hosts, so a host that is short and slow is reported once.",
            .lead = "One host answers later than the rest of its rack",
            .rank = 850, /* behind HOST_SHORT, 800, and before GROUP_SHORT, 900 */
            .on = "run",
            .evaluate = evaluate,
        },
};
