/* SPDX-License-Identifier: Apache-2.0
 *
 * QUEUEING: round trips under load against the idle floor. A queue at a full link is expected; one where the
 * hardware has room is not.
 */
#include "../shared/rule_common.h"

#define LEAST_ADDED_US 50.0

static bool has_loaded_rtt(const struct reckon_comparison *c) {
    if (reckon_run_workload(c) == RECKON_REQUEST_REPLY)
        return true;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        if (!reckon_blank(reckon_flow_rtt_p50(c, f)))
            return true;
    return false;
}

static bool has_idle_rtt(const struct reckon_comparison *c) {
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        if (!reckon_blank(reckon_flow_idle_p50(c, f)))
            return true;
    return false;
}

static bool queues(const struct reckon_comparison *c, uint32_t f, double bloat) {
    double idle = reckon_flow_idle_p50(c, f);
    return idle > 0 && reckon_flow_rtt_p50(c, f) >= bloat * idle &&
           reckon_flow_added_rtt(c, f) >= LEAST_ADDED_US;
}

struct worst {
    size_t count;
    uint32_t flow; /* the one with the most added */
};

static void add(struct worst *w, const struct reckon_comparison *c, uint32_t f) {
    if (w->count++ == 0 || reckon_flow_added_rtt(c, f) > reckon_flow_added_rtt(c, w->flow))
        w->flow = f;
}

static void report(struct reckon *r, const struct reckon_comparison *c, const struct worst *w, bool room) {
    uint32_t f = w->flow;
    const char *src = reckon_host_name(c, reckon_flow_src(c, f));
    struct reckon_finding *finding =
        reckon_find(r, room ? RECKON_WARN : RECKON_INFO, src,
                    "%s queue%s %s; worst %s: %s idle, %s under load, %s added (limit %s)",
                    reckon_count(r, w->count, "flow"), w->count == 1 ? "s" : "",
                    room ? "where the declared hardware has room"
                         : "at full links, none where the declared hardware has room",
                    rule_flow(r, c, f), reckon_time(r, reckon_flow_idle_p50(c, f)),
                    reckon_time(r, reckon_flow_rtt_p50(c, f)), reckon_time(r, reckon_flow_added_rtt(c, f)),
                    rule_limit(r, c, f));
    if (room)
        reckon_fix(
            r, finding,
            "Look for traffic this test did not send, or a bottleneck the layout does not declare, on the "
            "path of %s: `netmesh` between its ends while the load is on, and the switches' queue counters.",
            rule_flow(r, c, f));
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = subject;
    double bloat = reckon_option_number(r, "bloat");
    struct worst room = {0, RECKON_NONE}, all = {0, RECKON_NONE};
    if (!reckon_has_idle(c)) {
        reckon_skip(r, "no --idle was given");
        return 0;
    }
    if (!has_loaded_rtt(c)) {
        reckon_skip(r, "this run does not measure round trips");
        return 0;
    }
    if (!has_idle_rtt(c) && !reckon_idle_overlap(c)) { /* IDLE_OVERLAP tells of a floor that was left out */
        reckon_skip(r, "--idle gives no round trip of a pair of this run");
        return 0;
    }
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        if (!queues(c, f, bloat))
            continue;
        add(&all, c, f);
        if (reckon_flow_limit(c, f) == RECKON_LIMIT_TARGET)
            add(&room, c, f);
    }
    if (room.count)
        report(r, c, &room, true);
    else if (all.count)
        report(r, c, &all, false);
    return 0;
}

RECKON_PLUGIN(rule, queueing) = {
    .name = "QUEUEING",
    .summary = "loaded round trips far above the idle ones",
    .uses = (const char *const[]){"bloat", NULL},
    .rule =
        {
            .title = "queues building",
            .why = "A round trip under load that is --bloat times the idle one, and at least 50 us more, "
                   "spent its time in a queue; the 50 us keep a path whose floor is a few microseconds from "
                   "counting as bloated for nothing. A queue where the model says that a link is full "
                   "belongs there: the flows are told about as information. A queue on a flow whose limit "
                   "is its own target, on a path the declared hardware has room for, is traffic this test "
                   "did not send or a bottleneck the layout does not declare: a warning about those.",
            .lead = "Something queues where the hardware has room",
            .rank = 1600,
            .on = "run",
            .evaluate = evaluate,
        },
};
