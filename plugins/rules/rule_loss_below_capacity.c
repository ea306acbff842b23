/* SPDX-License-Identifier: Apache-2.0
 *
 * LOSS_BELOW_CAPACITY: packets lost on flows that the declared hardware has room for.
 */
#include "../shared/rule_common.h"

#define LOSS_PCT 1.0

static bool has_loss(const struct reckon_comparison *c) {
    if (reckon_run_workload(c) == RECKON_REQUEST_REPLY)
        return true;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        if (!reckon_blank(reckon_flow_loss(c, f)))
            return true;
    return false;
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    uint32_t worst = RECKON_NONE;
    size_t n = 0;
    if (!has_loss(c)) {
        reckon_skip(r, "this run does not measure loss");
        return 0;
    }
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        double loss = reckon_flow_loss(c, f);
        if (!(loss >= LOSS_PCT) || reckon_flow_limit(c, f) != RECKON_LIMIT_TARGET)
            continue;
        n++;
        if (worst == RECKON_NONE || loss > reckon_flow_loss(c, worst))
            worst = f;
    }
    if (n == 0)
        return 0;
    const char *src = reckon_host_name(c, reckon_flow_src(c, worst));
    struct reckon_finding *f =
        reckon_find(r, RECKON_WARN, src,
                    "%s lost %g%% or more of what was sent although the hardware has room for the "
                    "target; worst %s with %.1f%% lost",
                    reckon_count(r, n, "flow"), LOSS_PCT, rule_flow(r, c, worst), reckon_flow_loss(c, worst));
    reckon_fix(r, f,
               "No declared link is full on these paths: look for drops where the layout shows nothing "
               "(`ethtool -S` at both ends, the switch ports' discard and error counters), and for traffic "
               "this test did not send.");
    return 0;
}

RECKON_PLUGIN(rule, loss_below_capacity) = {
    .name = "LOSS_BELOW_CAPACITY",
    .summary = "packets lost on flows the hardware has room for",
    .rule =
        {
            .title = "loss with room",
            .why = "A flow whose limit is its own target crosses no link that the model calls full: "
                   "everything it sends should arrive. Losing 1% or more of it there is not the load of "
                   "this test. It is a bad cable or optic, a buffer that overflows in bursts, or traffic "
                   "that the test did not send, hence a warning. Loss where a link is full is expected and "
                   "says nothing, and below 1% a few packets of a short window would decide; both stay "
                   "quiet.",
            .lead = "Packets are lost where the hardware has room",
            .rank = 1500,
            .on = "run",
            .evaluate = evaluate,
        },
};
