/* SPDX-License-Identifier: Apache-2.0
 *
 * What each step gave every host and the fleet, and the model fitted to it.
 */
#include <stdlib.h>

#include "ramp_state.h"

#define CPU_AGENT 75.0 /* percent, the measuring program's own lines */
#define CPU_CORE 85.0

uint32_t ramp_first_flow(const struct reckon_comparison *c, uint32_t src) {
    uint32_t low = 0, high = c->nflows;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (c->flows[mid].src < src)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool ramp_sends(const struct reckon_comparison *c, uint32_t h) {
    uint32_t f = h == RECKON_NONE ? c->nflows : ramp_first_flow(c, h);
    return f < c->nflows && c->flows[f].src == h;
}

/* ---- points ---- */

struct own { /* a host's own measured flows in one step */
    double asked, delivered, *p99;
    size_t flows, np99, layers;
    bool unpaced;
};

static size_t distinct(uint32_t *v, size_t n) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        size_t j = 0;
        while (j < k && v[j] != v[i])
            j++;
        if (j == k)
            v[k++] = v[i];
    }
    return k;
}

static struct own sum_own(const struct reckon_comparison *c, uint32_t h, double *p99, uint32_t *layers) {
    struct own o = {.p99 = p99};
    for (uint32_t f = ramp_first_flow(c, h); f < c->nflows && c->flows[f].src == h; f++) {
        const struct flow *flow = &c->flows[f];
        if (reckon_blank(flow->achieved))
            continue;
        layers[o.flows++] = flow->layer;
        o.delivered += flow->achieved;
        o.asked += flow->demand;
        o.unpaced = o.unpaced || reckon_blank(flow->demand);
        if (!reckon_blank(flow->rtt_p99))
            p99[o.np99++] = flow->rtt_p99;
    }
    o.layers = o.flows ? distinct(layers, o.flows) : 1;
    return o;
}

static struct ramp_point host_point(const struct reckon_comparison *c, uint32_t h, double *p99,
                                    uint32_t *layers) {
    struct own o = sum_own(c, h, p99, layers);
    if (!o.flows)
        return (struct ramp_point){0};
    double k = (double)o.layers;
    return (struct ramp_point){
        .exists = true,
        .x = o.unpaced ? RECKON_BLANK : o.asked / k,
        .y = o.delivered / k,
        .p99 = reckon_median(o.p99, o.np99),
        .flows = (double)o.flows / k,
        .cpu_agent = c->hosts[h].cpu_agent,
        .cpu_core = c->hosts[h].cpu_core,
    };
}

static void host_points(struct reckon_ramp *ramp, size_t s) {
    const struct reckon_comparison *c = ramp->steps[s].run;
    double *p99 = reckon_resize(NULL, c->nflows, sizeof *p99);
    uint32_t *layers = reckon_resize(NULL, c->nflows, sizeof *layers);
    for (uint32_t h = 0; h < c->nhosts; h++) {
        uint32_t at = reckon_host_named(ramp->hardware, c->hosts[h].name);
        ramp->points[(size_t)at * ramp->nsteps + s] = host_point(c, h, p99, layers);
    }
    free(p99);
    free(layers);
}

/* The fleet is the median host, per flow. */
static struct ramp_point fleet_point(const struct reckon_ramp *ramp, size_t s, double *v) {
    struct ramp_point p = {.cpu_agent = RECKON_BLANK, .cpu_core = RECKON_BLANK, .flows = 1};
    size_t n = 0, np99 = 0;
    uint32_t hosts = ramp->hardware->nhosts;
    double *asked = v, *delivered = v + hosts, *p99 = v + 2 * (size_t)hosts;
    bool unpaced = false;
    for (uint32_t h = 0; h < hosts; h++) {
        const struct ramp_point *q = &ramp->points[(size_t)h * ramp->nsteps + s];
        if (!q->exists)
            continue;
        unpaced = unpaced || reckon_blank(q->x);
        asked[n] = q->x / q->flows;
        delivered[n++] = q->y / q->flows;
        if (!reckon_blank(q->p99))
            p99[np99++] = q->p99;
    }
    p.exists = n > 0;
    p.x = unpaced ? RECKON_BLANK : reckon_median(asked, n);
    p.y = reckon_median(delivered, n);
    p.p99 = reckon_median(p99, np99);
    return p;
}

void ramp_make_points(struct reckon_ramp *ramp) {
    uint32_t hosts = ramp->hardware->nhosts;
    ramp->points = reckon_alloc(ramp->r, (size_t)hosts * ramp->nsteps * sizeof *ramp->points);
    ramp->fleet_points = reckon_alloc(ramp->r, ramp->nsteps * sizeof *ramp->fleet_points);
    double *v = reckon_resize(NULL, 3 * (size_t)hosts, sizeof *v);
    for (size_t s = 0; s < ramp->nsteps; s++) {
        host_points(ramp, s);
        ramp->fleet_points[s] = fleet_point(ramp, s, v);
    }
    free(v);
}

/* ---- fits ---- */

static void fit(struct reckon_ramp *ramp, const struct ramp_point *points, struct ramp_fit *out) {
    const char **labels = reckon_alloc(ramp->r, ramp->nsteps * sizeof *labels);
    for (size_t s = 0; s < ramp->nsteps; s++)
        labels[s] = ramp->steps[s].label;
    ramp_fit(ramp->r, points, labels, ramp->nsteps, reckon_option_number(ramp->r, "keep-up") / 100,
             reckon_option_number(ramp->r, "bloat"), out);
}

static double median_flows(const struct ramp_point *points, size_t n, double *v) {
    size_t k = 0;
    for (size_t s = 0; s < n; s++)
        if (points[s].exists)
            v[k++] = points[s].flows;
    return reckon_median(v, k);
}

/* How many flows with an expectation the host has in the widest step, per layer. */
static double expected_flows(const struct reckon_comparison *c, uint32_t h, uint32_t *layers) {
    size_t n = 0;
    for (uint32_t f = ramp_first_flow(c, h); f < c->nflows && c->flows[f].src == h; f++)
        if (!reckon_blank(c->flows[f].expected))
            layers[n++] = c->flows[f].layer;
    double all = (double)n;
    return n ? all / (double)distinct(layers, n) : RECKON_BLANK;
}

static void fit_host(struct reckon_ramp *ramp, uint32_t h, double *v) {
    const struct ramp_point *points = ramp->points + (size_t)h * ramp->nsteps;
    struct ramp_fit *out = &ramp->fits[h];
    fit(ramp, points, out);
    struct reckon_fit *f = &out->is;
    f->flows = median_flows(points, ramp->nsteps, v);
    f->ceiling_per_flow = f->ceiling / f->flows;
    f->hardware = ramp->hardware->hosts[h].expected;
    const struct ramp_point *top = out->ceiling_at == SIZE_MAX ? NULL : &points[out->ceiling_at];
    f->cpu_agent = top ? top->cpu_agent : RECKON_BLANK;
    f->cpu_core = top ? top->cpu_core : RECKON_BLANK;
    f->cpu_bound = f->reached && (f->cpu_agent >= CPU_AGENT || f->cpu_core >= CPU_CORE);
}

static bool sends_at_all(const struct reckon_ramp *ramp, const char *name) {
    for (size_t s = 0; s < ramp->nsteps; s++)
        if (ramp_sends(ramp->steps[s].run, reckon_host_named(ramp->steps[s].run, name)))
            return true;
    return false;
}

/* Hosts that send and were measured in `steps` steps (0 or 1), too few for a model. */
static void note_without_model(const struct reckon_ramp *ramp, size_t steps, const char *where) {
    const struct reckon_comparison *all = ramp->hardware;
    const char *name = NULL;
    size_t n = 0;
    for (uint32_t h = 0; h < all->nhosts; h++)
        if (ramp->fits[h].is.steps == steps && sends_at_all(ramp, all->hosts[h].name)) {
            name = name ? name : reckon_printable(ramp->r, all->hosts[h].name);
            n++;
        }
    if (n)
        reckon_note(ramp->r, "%s %s measured in %s and %s no model",
                    n == 1 ? name : reckon_text(ramp->r, "%s and %zu more", name, n - 1),
                    n == 1 ? "was" : "were", where, n == 1 ? "has" : "have");
}

static void fit_hosts(struct reckon_ramp *ramp) {
    struct reckon_comparison *all = ramp->hardware;
    double *v = reckon_resize(NULL, ramp->nsteps, sizeof *v);
    ramp->fits = reckon_alloc(ramp->r, all->nhosts * sizeof *ramp->fits);
    for (uint32_t h = 0; h < all->nhosts; h++)
        fit_host(ramp, h, v);
    note_without_model(ramp, 1, "one step only");
    note_without_model(ramp, 0, "no step");
    free(v);
}

static void fit_fleet(struct reckon_ramp *ramp) {
    struct reckon_comparison *all = ramp->hardware;
    fit(ramp, ramp->fleet_points, &ramp->fleet);
    struct reckon_fit *f = &ramp->fleet.is;
    double *v = reckon_resize(NULL, all->nhosts, sizeof *v);
    uint32_t *layers = reckon_resize(NULL, all->nflows, sizeof *layers);
    size_t n = 0;
    for (uint32_t h = 0; h < all->nhosts; h++) {
        double share = all->hosts[h].expected / expected_flows(all, h, layers);
        if (!reckon_blank(share))
            v[n++] = share;
    }
    f->flows = 1;
    f->ceiling_per_flow = f->ceiling;
    f->hardware = reckon_median(v, n);
    f->cpu_agent = f->cpu_core = RECKON_BLANK;
    free(v);
    free(layers);
}

void ramp_fit_all(struct reckon_ramp *ramp) {
    fit_hosts(ramp);
    fit_fleet(ramp);
}
