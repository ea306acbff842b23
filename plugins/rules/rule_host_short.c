/* SPDX-License-Identifier: Apache-2.0
 *
 * HOST_SHORT: a host below --short while its mates are not, and whose flows are short more often than chance
 * allows. Linear in flows: each host's tally is taken once and kept up to date as hosts become explained.
 */
#include "../shared/rule_common.h"

struct rule {
    struct reckon *r;
    struct reckon_comparison *c;
    double shorts, fail;
    const struct rule_field *field;
    struct rule_index touching;
    struct reckon_tally *of; /* per host: the live flows it is an end of */
    struct reckon_tally all; /* all live flows */
};

/* A host that may be to blame, and what it was held against. */
struct suspect {
    uint32_t host, group;
    double efficiency, reference;
};

static void gather(struct rule *u) {
    struct reckon_comparison *c = u->c;
    u->of = reckon_alloc(u->r, (reckon_host_count(c) + (size_t)1) * sizeof *u->of);
    u->touching = rule_index_hosts(c);
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        uint32_t src = reckon_flow_src(c, f), dst = reckon_flow_dst(c, f);
        double eff = reckon_flow_efficiency(c, f);
        if (!rule_live(c, f))
            continue;
        rule_tally(&u->all, eff, u->shorts);
        rule_tally(&u->of[src], eff, u->shorts);
        if (dst != src)
            rule_tally(&u->of[dst], eff, u->shorts);
    }
}

/* Marks the host explained and takes its flows out of every tally. */
static void explain(struct rule *u, uint32_t h) {
    for (uint32_t i = u->touching.first[h]; i < u->touching.first[h + 1]; i++) {
        uint32_t f = u->touching.flow[i], src = reckon_flow_src(u->c, f), dst = reckon_flow_dst(u->c, f);
        if (!rule_live(u->c, f))
            continue;
        bool is_short = reckon_flow_efficiency(u->c, f) < u->shorts;
        struct reckon_tally *far = &u->of[src == h ? dst : src];
        far->compared--;
        far->shorts -= is_short;
        u->all.compared--;
        u->all.shorts -= is_short;
    }
    reckon_explain_host(u->c, h);
}

static bool stands_out(const struct rule *u, uint32_t h) {
    struct reckon_tally set = u->of[h];
    struct reckon_tally rest = {u->all.compared - set.compared, u->all.shorts - set.shorts};
    return reckon_stands_out(set, rest, u->field->count);
}

/* Whether all its short flows expect more than one uplink carries. */
static bool over_one_uplink(const struct rule *u, uint32_t h) {
    size_t shorts = 0;
    for (uint32_t i = u->touching.first[h]; i < u->touching.first[h + 1]; i++) {
        uint32_t f = u->touching.flow[i];
        if (!rule_live(u->c, f) || !(reckon_flow_efficiency(u->c, f) < u->shorts))
            continue;
        if (reckon_flow_over_uplink(u->c, f) == RECKON_NONE)
            return false;
        shorts++;
    }
    return shorts > 0;
}

/* "b2 reaches 45% of what its hardware allows (median of its flows; limit r02 uplinks out) while the rest of
 * r02 is at 98%; it was 97% in run tue". */
static const char *say(const struct rule *u, const struct suspect *s) {
    const struct reckon_comparison *c = u->c;
    return reckon_text(
        u->r, "%s reaches %s of what its hardware allows (median of its flows; limit %s) while %s %s at %s%s",
        reckon_host_name(c, s->host), reckon_percent(u->r, s->efficiency),
        reckon_limit_text(u->r, c, reckon_host_limit(c, s->host), reckon_host_limit_link(c, s->host)),
        rule_others(u->r, c, s->group), s->group == RECKON_NONE ? "are" : "is",
        reckon_percent(u->r, s->reference), rule_then(u->r, c, &s->host, 1));
}

static void blame(struct rule *u, const struct suspect *s) {
    const char *name = reckon_host_name(u->c, s->host), *word = rule_word(name);
    if (over_one_uplink(u, s->host)) {
        reckon_find(u->r, RECKON_INFO, name, "%s" RULE_ONE_UPLINK, say(u, s));
        return;
    }
    enum reckon_severity severity = s->efficiency < u->fail ? RECKON_CRITICAL : RECKON_WARN;
    struct reckon_finding *f = reckon_find(u->r, severity, name, "%s", say(u, s));
    reckon_fix(
        u->r, f,
        "The fault is on %s or its link, not the fabric: `why-slow --ssh %s` for the box, `during` around a "
        "rerun for what limited it, and `ethtool -S` on its NIC for errors and drops -- then the cable or "
        "optic.",
        name, word);
    explain(u, s->host);
}

/* One finding about all hosts whose flows are not short more often than chance allows; the worst comes first.
 */
static void report_weak(const struct rule *u, const struct suspect *worst, const uint32_t *weak, size_t n) {
    if (n == 1)
        reckon_find(u->r, RECKON_INFO, NULL,
                    "%s; but its flows are short no more often than chance explains in this run",
                    say(u, worst));
    else if (n > 1)
        reckon_find(u->r, RECKON_INFO, NULL,
                    "%zu hosts are below %g%% while their neighbours are not (%s), but the flows of none of "
                    "them are short more often than chance explains in this run; the worst: %s%s",
                    n, u->shorts, rule_names(u->r, u->c, weak, n), say(u, worst),
                    rule_then(u->r, u->c, weak, n));
}

static void judge(struct rule *u) {
    const struct rule_field *field = u->field;
    uint32_t *weak = reckon_alloc(u->r, (field->count + (size_t)1) * sizeof *weak);
    struct suspect worst = {.host = RECKON_NONE};
    size_t n = 0;
    for (uint32_t i = 0; i < field->count && field->figure[i] < u->shorts; i++) {
        struct suspect s = {.host = field->host[i], .efficiency = field->figure[i]};
        s.reference = rule_reference(field, s.host, &s.group);
        if (!(s.reference >= u->shorts))
            continue;
        if (stands_out(u, s.host)) {
            blame(u, &s);
            continue;
        }
        if (n == 0)
            worst = s;
        weak[n++] = s.host;
    }
    report_weak(u, &worst, weak, n);
}

static int evaluate(struct reckon *r, void *subject) {
    struct rule u = {.r = r, .c = subject};
    u.shorts = reckon_option_number(r, "short");
    u.fail = reckon_option_number(r, "fail");
    u.field = rule_field(r, u.c, reckon_host_efficiency);
    if (u.field->count == 0 || !(u.field->figure[0] < u.shorts))
        return 0;
    gather(&u);
    judge(&u);
    rule_index_free(&u.touching);
    return 0;
}

RECKON_PLUGIN(rule, host_short) = {
    .name = "HOST_SHORT",
    .summary = "a host below --short while the rest of its rack is not",
    .uses = (const char *const[]){"short", "fail", NULL},
    .rule =
        {
            .title = "host short",
            .why = "A host's figure is the median of every flow it is an end of, in either direction: a "
                   "host that is itself slow has all of its flows slow, a host with one slow peer has one. "
                   "It is blamed only while the median of its rack-mates, or of all other hosts when it has "
                   "none, is not below --short; when they are short as well the cause is larger, and a "
                   "later rule has it. Its flows must also stand out from all others: the chance that as "
                   "many of them are short, at the rate of the rest of the run, is at most 1% shared among "
                   "the hosts tried. Real flows split a full link unevenly, so some hosts of a healthy run "
                   "have a poor median; those are told about together as information. A host that stands "
                   "out is critical below --fail, else a warning, and explained for the rules that follow. "
                   "When all its short flows expect more than one uplink of a bundle carries, it is "
                   "information, since a single flow stays on one.",
            .lead = "The shortfall is on a host, not the fabric",
            .rank = 800,
            .on = "run",
            .evaluate = evaluate,
        },
};
