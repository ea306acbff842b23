/* SPDX-License-Identifier: Apache-2.0
 *
 * --overlay for a run: its figures as samples the datacenter viewer paints on the floor plan; a later run's
 * --baseline too. Samples by host, then by flow.
 */
#include <reckon/plugin.h>

#include <string.h>

#include "../shared/overlay_text.h"
#include "../shared/trimmed.h"

struct run_overlay {
    struct overlay o;
    const struct reckon_comparison *c;
    int decimals;                /* of a rate */
    bool rtt, change;            /* whether there is an idle floor for the flows, and a baseline */
    const char **target, **peer; /* names of hosts as targets and as key values */
    const char **limits; /* texts of links met so far, quoted; after the links, those of limits without one */
};

#define PERCENT "unit=%\thigher=good\tpalette=rdbu\tmin=0\tmax=200\tagg=median\tdecimals=0\tshort=EFF"
#define MICROSECONDS "unit=us\thigher=bad\tagg=max\tdecimals=0\tshort=+RTT"
#define POINTS "unit=points\thigher=good\tpalette=rdbu\tmin=-50\tmax=50\tagg=median\tdecimals=0\tshort=CHG"

static void display_keys(const struct run_overlay *v) {
    struct reckon *r = v->o.r;
    const char *rate =
        reckon_text(r, "unit=%s\thigher=good\tdecimals=%d", reckon_run_unit(v->c), v->decimals);
    const struct {
        bool shown;
        struct overlay_test test;
    } tests[] = {
        {true, {"expected", reckon_text(r, "%s\tshort=EXP", rate), "Expected from the hardware"}},
        {true, {"achieved", reckon_text(r, "%s\tshort=ACH", rate), "Achieved"}},
        {true, {"efficiency", PERCENT, "Achieved against what the hardware allows"}},
        {true, {"limit", "short=LIM", "What the hardware limits it to"}},
        {true, {"verdict", "short=VERD", "Against the hardware"}},
        {true,
         {"nic_gbps", "unit=Gb/s\thigher=good\tagg=min\tdecimals=0\tshort=NIC", "NIC speed the model used"}},
        {v->rtt, {"added_rtt", MICROSECONDS, "Round trip above the idle one, worst peer"}},
        {v->change, {"change", POINTS, "Efficiency since the baseline"}},
        {true, {"peer_efficiency", PERCENT, "Flow against what the hardware allows"}},
        {v->rtt, {"peer_added_rtt", MICROSECONDS, "Flow's round trip above the idle one"}},
        {v->change, {"peer_change", POINTS, "Flow's efficiency since the baseline"}},
    };
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (tests[i].shown)
            overlay_test(&v->o, &tests[i].test);
}

static uint32_t compared(const struct reckon_comparison *c) {
    uint32_t n = 0;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        n += !reckon_blank(reckon_flow_efficiency(c, f));
    return n;
}

static void header(const struct run_overlay *v) {
    struct reckon *r = v->o.r;
    overlay_signature(&v->o);
    overlay_comment(&v->o, reckon_text(r, "%s; %s, %s, %u compared", reckon_run_describe(v->c),
                                       reckon_count(r, reckon_host_count(v->c), "host"),
                                       reckon_count(r, reckon_flow_count(v->c), "flow"), compared(v->c)));
    overlay_context(&v->o);
    display_keys(v);
}

/* What limits it, in words and quoted; the same text serves every flow of a link, and all those without one.
 */
static const char *limit_text(const struct run_overlay *v, enum reckon_limit limit, uint32_t l) {
    const char **text = &v->limits[l == RECKON_NONE ? reckon_link_count(v->c) + (uint32_t)limit : l];
    if (!*text)
        *text = overlay_quote(v->o.r, reckon_limit_text(v->o.r, v->c, limit, l));
    return *text;
}

/* ---- per host ---- */

static void host_rates(const struct run_overlay *v, uint32_t h) {
    const struct reckon_comparison *c = v->c;
    double expected = reckon_host_expected(c, h), achieved = reckon_host_achieved(c, h);
    enum reckon_limit limit = reckon_host_limit(c, h);
    if (reckon_blank(expected))
        return;
    overlay_sample(&v->o, "expected", v->target[h]);
    reckon_put_fixed(v->o.w, expected, v->decimals);
    if (limit != RECKON_LIMIT_NONE && limit != RECKON_LIMIT_TARGET)
        overlay_key_quoted(&v->o, "limit", limit_text(v, limit, reckon_host_limit_link(c, h)));
    overlay_end(&v->o);
    if (reckon_blank(achieved))
        return;
    overlay_sample(&v->o, "achieved", v->target[h]);
    reckon_put_fixed(v->o.w, achieved, v->decimals);
    overlay_end(&v->o);
}

static void host_efficiency(const struct run_overlay *v, uint32_t h) {
    double efficiency = reckon_host_efficiency(v->c, h);
    if (reckon_blank(efficiency))
        return;
    overlay_sample(&v->o, "efficiency", v->target[h]);
    reckon_put_fixed(v->o.w, efficiency, 1);
    overlay_key_figure(&v->o, "flows", reckon_host_compared(v->c, h), 0);
    overlay_key_figure(&v->o, "short_flows", reckon_host_short(v->c, h), 0);
    overlay_end(&v->o);
}

static void host_words(const struct run_overlay *v, uint32_t h) {
    const char *verdict = reckon_verdict_word(reckon_host_verdict(v->c, h));
    enum reckon_limit limit = reckon_host_limit(v->c, h);
    if (limit != RECKON_LIMIT_NONE) {
        overlay_sample(&v->o, "limit", v->target[h]);
        reckon_put(v->o.w, reckon_limit_word(limit));
        if (limit != RECKON_LIMIT_TARGET)
            overlay_key_quoted(&v->o, "on", limit_text(v, limit, reckon_host_limit_link(v->c, h)));
        overlay_end(&v->o);
    }
    if (*verdict) {
        overlay_sample(&v->o, "verdict", v->target[h]);
        reckon_put(v->o.w, verdict);
        overlay_end(&v->o);
    }
}

static void host_speed(const struct run_overlay *v, uint32_t h) {
    double gbps = reckon_host_nic_gbps(v->c, h);
    if (reckon_blank(gbps))
        return;
    overlay_sample(&v->o, "nic_gbps", v->target[h]);
    reckon_put(v->o.w, trimmed(v->o.r, gbps, 3));
    overlay_key(&v->o, "source", reckon_host_nic_source(v->c, h));
    overlay_end(&v->o);
}

static void host_since(const struct run_overlay *v, uint32_t h) {
    double added = reckon_host_added_rtt(v->c, h), change = reckon_host_change(v->c, h);
    if (v->rtt && !reckon_blank(added)) {
        overlay_sample(&v->o, "added_rtt", v->target[h]);
        reckon_put_fixed(v->o.w, added, 0);
        overlay_end(&v->o);
    }
    if (v->change && !reckon_blank(change)) {
        overlay_sample(&v->o, "change", v->target[h]);
        reckon_put_fixed(v->o.w, change, 1);
        overlay_key_figure(&v->o, "then", reckon_host_then(v->c, h), 1);
        overlay_end(&v->o);
    }
}

/* ---- per flow ---- */

/* A sample of the flow: its value, and what it was `then` (blank: no such key), and with its limit or not. */
static void flow_sample(const struct run_overlay *v, uint32_t f, const char *test, double x, int decimals,
                        const char *limit, double then) {
    if (reckon_blank(x))
        return;
    overlay_sample(&v->o, test, v->target[reckon_flow_src(v->c, f)]);
    reckon_put_fixed(v->o.w, x, decimals);
    overlay_key(&v->o, "layer", reckon_flow_layer(v->c, f));
    overlay_key_quoted(&v->o, "limit", limit);
    overlay_key_quoted(&v->o, "peer", v->peer[reckon_flow_dst(v->c, f)]);
    overlay_key_figure(&v->o, "then", then, 1);
    overlay_end(&v->o);
}

static void flow(const struct run_overlay *v, uint32_t f) {
    const struct reckon_comparison *c = v->c;
    double efficiency = reckon_flow_efficiency(c, f);
    if (reckon_blank(efficiency))
        return;
    flow_sample(v, f, "peer_efficiency", efficiency, 1,
                limit_text(v, reckon_flow_limit(c, f), reckon_flow_limit_link(c, f)), RECKON_BLANK);
    if (v->rtt)
        flow_sample(v, f, "peer_added_rtt", reckon_flow_added_rtt(c, f), 0, NULL, RECKON_BLANK);
    if (v->change)
        flow_sample(v, f, "peer_change", reckon_flow_change(c, f), 1, NULL, reckon_flow_then(c, f));
}

static struct run_overlay prepare(struct reckon *r, const struct reckon_comparison *c,
                                  struct reckon_writer *w) {
    uint32_t n = reckon_host_count(c);
    bool requests = reckon_run_workload(c) == RECKON_REQUEST_REPLY;
    struct run_overlay v = {.o = overlay_new(r, w),
                            .c = c,
                            .decimals = requests ? 0 : 1,
                            .rtt = requests && reckon_has_idle(c),
                            .change = reckon_has_baseline(c)};
    v.target = reckon_alloc(r, (n + 1u) * sizeof *v.target);
    v.peer = reckon_alloc(r, (n + 1u) * sizeof *v.peer);
    v.limits = reckon_alloc(r, (reckon_link_count(c) + 1u + RECKON_LIMIT_UNMODELLED) * sizeof *v.limits);
    for (uint32_t h = 0; h < n; h++) {
        v.target[h] = reckon_printable(r, reckon_host_name(c, h));
        v.peer[h] = overlay_quote(r, reckon_host_name(c, h));
    }
    return v;
}

static int write_overlay(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_comparison *c = subject;
    struct run_overlay v = prepare(r, c, w);
    header(&v);
    for (uint32_t h = 0; h < reckon_host_count(c); h++) {
        host_rates(&v, h);
        host_efficiency(&v, h);
        host_words(&v, h);
        host_speed(&v, h);
        host_since(&v, h);
    }
    for (uint32_t f = 0; f < reckon_flow_count(c) && !reckon_write_failed(w); f++) {
        reckon_progress(r, "writing --overlay", (double)f / (double)reckon_flow_count(c));
        flow(&v, f);
    }
    return 0;
}

RECKON_PLUGIN(output, overlay) = {
    .name = "overlay",
    .summary = "figures the datacenter viewer paints on the floor plan",
    .uses = (const char *const[]){"run", NULL},
    .options = (const struct reckon_option[]){OVERLAY_OPTIONS},
    .output = {.on = "run", .write = write_overlay},
};
