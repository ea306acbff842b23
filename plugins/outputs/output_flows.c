/* SPDX-License-Identifier: Apache-2.0
 *
 * --flows: every flow of a run, one a row, by source, destination and layer. A blank cell was not measured.
 */
#include <reckon/plugin.h>

struct flows {
    struct reckon *r;
    const struct reckon_comparison *c;
    struct reckon_writer *w;
    const char **links; /* names of links met so far */
};

static void text(const struct flows *all, const char *s) {
    if (s)
        reckon_put_cell(all->w, s);
    reckon_put(all->w, ",");
}

static void figure(const struct flows *all, double x, int decimals) {
    reckon_put_fixed(all->w, x, decimals);
    reckon_put(all->w, ",");
}

static const char *link_name(const struct flows *all, uint32_t l) {
    if (l == RECKON_NONE)
        return NULL;
    if (!all->links[l])
        all->links[l] = reckon_link_name(all->r, all->c, l);
    return all->links[l];
}

static void row(const struct flows *all, uint32_t f) {
    const struct reckon_comparison *c = all->c;
    text(all, reckon_host_name(c, reckon_flow_src(c, f)));
    text(all, reckon_host_name(c, reckon_flow_dst(c, f)));
    text(all, reckon_flow_layer(c, f));
    text(all, reckon_run_unit(c));
    figure(all, reckon_flow_demand(c, f), 3);
    figure(all, reckon_flow_expected(c, f), 3);
    figure(all, reckon_flow_achieved(c, f), 3);
    figure(all, reckon_flow_sent(c, f), 3);
    figure(all, reckon_flow_efficiency(c, f), 3);
    text(all, reckon_limit_word(reckon_flow_limit(c, f)));
    text(all, link_name(all, reckon_flow_limit_link(c, f)));
    figure(all, reckon_flow_loss(c, f), 3);
    figure(all, reckon_flow_rtt_p50(c, f), 3);
    figure(all, reckon_flow_idle_p50(c, f), 3);
    figure(all, reckon_flow_added_rtt(c, f), 3);
    figure(all, reckon_flow_mtu(c, f), 0);
    text(all, reckon_flow_mtu_from(c, f));
    figure(all, reckon_flow_samples(c, f), 0);
    figure(all, reckon_flow_then(c, f), 3);
    reckon_put_fixed(all->w, reckon_flow_change(c, f), 3);
    reckon_put(all->w, "\n");
}

static int write_flows(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_comparison *c = subject;
    struct flows all = {r, c, w, reckon_alloc(r, (reckon_link_count(c) + 1u) * sizeof *all.links)};
    reckon_put(
        w,
        "src,dst,layer,unit,demand,expected,achieved,sent,efficiency_pct,limit,limit_on,loss_pct,rtt_p50_us,"
        "idle_rtt_p50_us,added_rtt_us,mtu,mtu_from,samples,baseline_efficiency_pct,change_pts\n");
    for (uint32_t f = 0; f < reckon_flow_count(c) && !reckon_write_failed(w); f++) {
        reckon_progress(r, "writing --flows", (double)f / (double)reckon_flow_count(c));
        row(&all, f);
    }
    return 0;
}

RECKON_PLUGIN(output, flows) = {
    .name = "flows",
    .summary = "every flow as CSV: expected, achieved, what limits it",
    .output = {.on = "run", .write = write_flows},
};
