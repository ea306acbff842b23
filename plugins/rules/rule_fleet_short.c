/* SPDX-License-Identifier: Apache-2.0
 *
 * FLEET_SHORT: the median host below --short. When everyone is short together no part can be blamed, and what
 * limits most flows is where to look.
 */
#include "../shared/rule_common.h"

#include <inttypes.h>

#define SMALL_PACKET 512.0 /* bytes: below it a NIC usually runs out of packets per second first */
#define LIMITS (RECKON_LIMIT_UNMODELLED + 1)

/* What all compared flows, of explained hosts too, say together. */
struct evidence {
    uint64_t compared, small, shorts, outcompeted; /* the last: of the short ones */
    bool narrow; /* some short flow expects no more than one uplink carries */
    uint64_t limited[LIMITS];
};

static struct evidence gather(const struct reckon_comparison *c, double shorts) {
    struct evidence e = {0};
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        double eff = reckon_flow_efficiency(c, f);
        if (reckon_blank(eff))
            continue;
        e.compared++;
        e.limited[reckon_flow_limit(c, f)]++;
        e.small += reckon_flow_size(c, f) < SMALL_PACKET;
        if (!(eff < shorts))
            continue;
        e.shorts++;
        e.outcompeted += reckon_flow_outcompeted(c, f);
        e.narrow = e.narrow || reckon_flow_over_uplink(c, f) == RECKON_NONE;
    }
    return e;
}

static enum reckon_limit most_common(const struct evidence *e) {
    enum reckon_limit most = RECKON_LIMIT_NONE;
    for (int i = 0; i < LIMITS; i++)
        if (e->limited[i] > e->limited[most])
            most = (enum reckon_limit)i;
    return most;
}

/* "24 of 30 flows are limited by uplinks". */
static const char *limited_text(struct reckon *r, const struct evidence *e, enum reckon_limit limit) {
    static const char *const by[LIMITS] = {
        [RECKON_LIMIT_TARGET] = "their own targets",
        [RECKON_LIMIT_NIC] = "NICs",
        [RECKON_LIMIT_NIC_PPS] = "the packet rates of NICs",
        [RECKON_LIMIT_UPLINK] = "uplinks",
    };
    const char *what = by[limit] ? by[limit] : "nothing known";
    return e->limited[limit] == e->compared
               ? reckon_text(r, "all %" PRIu64 " flows are limited by %s", e->compared, what)
               : reckon_text(r, "most flows (%" PRIu64 " of %" PRIu64 ") are limited by %s",
                             e->limited[limit], e->compared, what);
}

static bool packet_rate_declared(const struct reckon_comparison *c) {
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (!reckon_blank(reckon_host_nic_mpps(c, h)))
            return true;
    return false;
}

static const char *next_step(const struct reckon_comparison *c, const struct evidence *e,
                             enum reckon_limit limit) {
    if (limit == RECKON_LIMIT_NIC && 2 * e->small > e->compared && !packet_rate_declared(c))
        return "Most packets are smaller than 512 B, where a NIC runs out of packets per second before "
               "bandwidth: declare what it can do as `nic_mpps=`, or run with larger packets to measure "
               "bandwidth.";
    if (limit == RECKON_LIMIT_NIC || limit == RECKON_LIMIT_NIC_PPS)
        return "Most flows are limited by NICs that they do not fill: check the speeds the links negotiated "
               "(`--speeds`), then what all hosts share -- the test's workers and CPU, driver and firmware, "
               "PCIe width, MTU, "
               "interrupt settings.";
    if (limit == RECKON_LIMIT_UPLINK)
        return "Most flows are limited by uplinks: check that as many are up as the layout declares and "
               "that ECMP spreads flows over them; then the layers above, which the model takes as "
               "non-blocking.";
    return "Most flows asked for less than the hardware has room for and did not get it: look at the test "
           "hosts first (CPU, pacing, socket buffers), then for a bottleneck that the layout does not "
           "declare.";
}

static uint32_t count_below(const struct rule_field *field, double line) {
    uint32_t n = 0;
    while (n < field->count && field->figure[n] < line)
        n++;
    return n;
}

static void report(struct reckon *r, const struct reckon_comparison *c, const struct rule_field *field,
                   const struct evidence *e, double shorts, double fail) {
    double median = rule_field_median(field);
    enum reckon_limit limit = most_common(e);
    enum reckon_severity severity = median < fail ? RECKON_CRITICAL : RECKON_WARN;
    const char *but = "";
    if (2 * e->outcompeted > e->shorts)
        but = reckon_text(r,
                          "; but of %" PRIu64 " short flows %" PRIu64
                          " were outcompeted: others took what they miss, and the links carried it",
                          e->shorts, e->outcompeted);
    else if (e->shorts && !e->narrow)
        but = RULE_ONE_UPLINK;
    if (*but)
        severity = RECKON_INFO;
    struct reckon_finding *f =
        reckon_find(r, severity, NULL,
                    "the median host reaches %s of what its hardware allows; %" PRIu32 " of %" PRIu32
                    " hosts are below %g%%, and %s%s%s",
                    reckon_percent(r, median), count_below(field, shorts), field->count, shorts,
                    limited_text(r, e, limit), rule_then(r, c, field->host, field->count), but);
    if (severity != RECKON_INFO)
        reckon_fix(r, f, "%s", next_step(c, e, limit));
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    double shorts = reckon_option_number(r, "short");
    struct rule_field *field = rule_field(r, c, reckon_host_efficiency);
    if (field->count < 2) {
        reckon_skip(r, "fewer than two hosts are compared and not explained yet");
        return 0;
    }
    if (rule_field_median(field) < shorts) {
        struct evidence e = gather(c, shorts);
        report(r, c, field, &e, shorts, reckon_option_number(r, "fail"));
    }
    return 0;
}

RECKON_PLUGIN(rule, fleet_short) = {
    .name = "FLEET_SHORT",
    .summary = "the median host below --short",
    .uses = (const char *const[]){"short", "fail", NULL},
    .rule =
        {
            .title = "fleet short",
            .why = "Relative figures cannot see a fleet that is slow as a whole: when every host runs at "
                   "half its NIC, each is at 100% of the median. Held against the hardware, the median of "
                   "the hosts no earlier rule explained is below --short (critical below --fail, else a "
                   "warning), and one finding says so once with the limit that most compared flows have, "
                   "which is where to look. When more than half of the short flows were outcompeted, that "
                   "is others took on their limiting link at least what they miss, the links carried what "
                   "they should and only the split was uneven; then, as when each short flow expects more "
                   "than one uplink carries, it is information.",
            .lead = "The whole fleet falls short, not one part of it",
            .rank = 1000,
            .on = "run",
            .evaluate = evaluate,
        },
};
