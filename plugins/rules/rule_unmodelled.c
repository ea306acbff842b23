/* SPDX-License-Identifier: Apache-2.0
 *
 * UNMODELLED: hosts without a NIC speed, and what the declaration says that is no usable number. A typo is
 * reported, never guessed at.
 */
#include "../shared/rule_common.h"

#include <inttypes.h>
#include <stdlib.h>

static void hosts_without_speed(struct reckon *r, const struct reckon_comparison *c) {
    uint32_t *none = reckon_resize(NULL, reckon_host_count(c) + (size_t)1, sizeof *none);
    size_t n = 0;
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (reckon_blank(reckon_host_nic_gbps(c, h)))
            none[n++] = h;
    if (n) {
        struct reckon_finding *f =
            reckon_find(r, RECKON_WARN, NULL, "%s %s no NIC speed, so that %s flows have no expectation: %s",
                        reckon_count(r, n, "host"), n == 1 ? "has" : "have", n == 1 ? "its" : "their",
                        rule_names(r, c, none, n));
        reckon_fix(
            r, f,
            "Declare `nic_gbps=` on %s or on a container above, give `--nic-gbps` for all hosts the layout "
            "leaves out, or measure with `--speeds`.",
            n == 1 ? "the host" : "these hosts");
    }
    free(none);
}

static const char *problem_text(struct reckon *r, const struct reckon_problem *p) {
    const char *where = p->line ? reckon_text(r, " (line %lu of the layout)", p->line) : "";
    switch (p->kind) {
    case RECKON_BAD_VALUE:
        return reckon_text(r, "%s declares %s=%s, which is no usable number: treated as not declared%s",
                           p->name, p->key, p->value, where);
    case RECKON_UPLINKS_NO_SPEED:
        return reckon_text(r, "%s declares uplinks=%s without uplink_gbps: treated as not declared%s",
                           p->name, p->value, where);
    case RECKON_NAME_SHARED:
        return reckon_text(r, "%" PRIu32 " elements of the layout are named %s: the one at %s is used",
                           p->count, p->name, p->path);
    }
    return reckon_text(r, "%s is declared in a way that cannot be used%s", p->name, where);
}

static int evaluate(struct reckon *r, void *subject) {
    const struct reckon_comparison *c = rule_hardware(r, subject);
    hosts_without_speed(r, c);
    for (size_t i = 0; i < reckon_problem_count(c); i++) {
        struct reckon_problem p = {.size = sizeof p};
        reckon_problem_at(c, i, &p);
        struct reckon_finding *f = reckon_find(r, RECKON_WARN, p.name, "%s", problem_text(r, &p));
        if (p.kind == RECKON_NAME_SHARED)
            reckon_fix(
                r, f,
                "Give each element a name of its own; the host may be in another place than taken here.");
        else
            reckon_fix(r, f, "Correct the declaration of %s: every flow there is graded against it.", p.name);
    }
    return 0;
}

RECKON_PLUGIN(rule, unmodelled) = {
    .name = "UNMODELLED",
    .summary = "a host has no NIC speed, or an attribute is not a number",
    .rule =
        {
            .title = "not modelled",
            .why = "A flow is graded against the hardware, so a host without a NIC speed leaves its flows "
                   "without an expectation. They are not judged, and the hosts are named here instead. A "
                   "declared value that is no usable number (25g, eight, nan, 0), an uplink count without "
                   "the speed of one, or a name that several elements share is reported for its element and "
                   "treated as not declared: a typo silently read as a number would be the figure every "
                   "flow on that host is graded against. Each is a warning, since the rest of the run is "
                   "judged all the same.",
            .lead = "Part of the hardware is not known",
            .rank = 300,
            .on = "run ramp",
            .evaluate = evaluate,
        },
};
