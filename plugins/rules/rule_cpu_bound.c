/* SPDX-License-Identifier: Apache-2.0
 *
 * CPU_BOUND: a short host whose CPU ran out first. The test host is the limit there, not the network, and the
 * host is explained by it.
 */
#include "../shared/rule_common.h"

/* The measuring programs' own lines, so that no host is called CPU-bound which they call fine. */
static const struct line {
    enum reckon_figure figure;
    double percent;
    const char *name;
} lines[] = {
    {RECKON_CPU_CORE, 85, "busiest core"},
    {RECKON_CPU_AGENT, 75, "busiest worker"},
    {RECKON_CPU_SOFTIRQ, 90, "softirq"},
    {RECKON_CPU_PEAK, 85, "peak CPU"},
};
#define LINES (sizeof lines / sizeof lines[0])

/* "busiest core at 97% (line 85%)" for each figure over its line; "" when none is. */
static const char *over(struct reckon *r, const struct reckon_comparison *c, uint32_t h) {
    const char *text = "";
    for (size_t i = 0; i < LINES; i++) {
        double x = reckon_host_figure(c, h, lines[i].figure);
        if (x >= lines[i].percent)
            text = reckon_text(r, "%s%s%s at %.0f%% (line %.0f%%)", text, *text ? ", " : "", lines[i].name, x,
                               lines[i].percent);
    }
    return text;
}

static bool measured(const struct reckon_comparison *c) {
    for (size_t i = 0; i < LINES; i++)
        if (reckon_run_has(c, lines[i].figure))
            return true;
    return false;
}

static int evaluate(struct reckon *r, void *subject) {
    struct reckon_comparison *c = subject;
    double shorts = reckon_option_number(r, "short"), fail = reckon_option_number(r, "fail");
    if (!measured(c)) {
        reckon_skip(r, "the run holds no CPU figure of any host");
        return 0;
    }
    for (uint32_t h = 0; h < reckon_host_count(c); h++) {
        double eff = reckon_host_efficiency(c, h);
        if (!(eff < shorts) || reckon_host_explained(c, h))
            continue;
        const char *text = over(r, c, h), *name = reckon_host_name(c, h);
        if (!*text)
            continue;
        struct reckon_finding *f =
            reckon_find(r, eff < fail ? RECKON_CRITICAL : RECKON_WARN, name,
                        "%s reaches %s of what its hardware allows and ran out of CPU: %s", name,
                        reckon_percent(r, eff), text);
        reckon_fix(
            r, f,
            "Give the test on %s more CPU before blaming the network: more workers or streams over more "
            "cores, receive queues spread over cores (`ethtool -L`, RSS), larger packets; `during` around a "
            "rerun shows which core is full.",
            name);
        reckon_explain_host(c, h);
    }
    return 0;
}

RECKON_PLUGIN(rule, cpu_bound) = {
    .name = "CPU_BOUND",
    .summary = "a short host whose CPU ran out first",
    .uses = (const char *const[]){"short", "fail", NULL},
    .rule =
        {
            .title = "test host CPU",
            .why =
                "A host below --short whose CPU was full measured itself, not the network. The lines are "
                "those of the programs that measured: busiest core at 85% and busiest worker at 75% of a "
                "core for a request and reply test, 90% softirq on one core and 85% peak CPU for a stream "
                "test, so this never calls a host CPU-bound that its own tool called fine. A full CPU on a "
                "host that is not short is no finding. It is critical below --fail, else a warning, and "
                "later rules leave the host out: the CPU is the cause and its shortfall the symptom.",
            .lead = "A test host ran out of CPU before the network did",
            .rank = 700,
            .on = "run",
            .evaluate = evaluate,
        },
};
