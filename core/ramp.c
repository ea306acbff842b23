/* SPDX-License-Identifier: Apache-2.0
 *
 * The ramp's way: histories into steps, steps into runs and points, points into fits; then rules and outputs.
 */
#include <stdlib.h>
#include <string.h>

#include "findings.h"
#include "modules.h"
#include "options.h"
#include "paths.h"
#include "ramp.h"
#include "ramp_cut.h"
#include "ramp_state.h"
#include "readers.h"

#define CPU_AGENT 75.0 /* percent, the measuring program's own lines */
#define CPU_CORE 85.0

/* ---- reading: the series reader that knows the first file reads them all ---- */

static const struct module *series_reader(struct reckon *r, const char *path) {
    struct strings files = {0}, suffixes = {0};
    const struct module *m, *best = NULL, *any = NULL;
    struct reckon_head head;
    int most = 0;
    for (size_t i = 0; (m = module_of_kind(r, RECKON_KIND_run, i)); i++)
        if (m->plugin->run.series) {
            any = any ? any : m;
            if (m->plugin->run.suffix)
                strings_add(&suffixes, m->plugin->run.suffix);
        }
    struct reckon_input *in = NULL;
    if (!any)
        reckon_error(r, NULL, 0, "--ramp: no loaded run reader gives timestamps that can be cut into steps");
    else if (path_files(r, path, &suffixes, &files) || !(in = reckon_open(r, files.at[0])) || input_head(in, &head))
        any = NULL;
    for (size_t i = 0; any && (m = module_of_kind(r, RECKON_KIND_run, i)); i++) {
        int s = m->plugin->run.series ? m->plugin->run.recognise(&head) : 0;
        if (s > most) {
            most = s;
            best = m;
        }
    }
    reckon_close(in);
    free(files.at);
    free(suffixes.at);
    return any ? (best ? best : any) : NULL;
}

/* ---- steps of all paths ---- */

static const char *last_component(struct reckon *r, const char *path) {
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from && path[from - 1] != '/')
        from--;
    return reckon_strndup(r, path + from, n - from);
}

struct kept {
    const struct ramp_cut *cut;
    size_t step;
};

static bool keep_step(void *user, size_t i, const struct record *record) {
    const struct kept *k = user;
    (void)i;
    return ramp_cut_step(k->cut, record) == k->step;
}

static void add_step(struct reckon_ramp *ramp, struct reckon_comparison *run, const char *label) {
    ramp->steps = reckon_grow(ramp->steps, ramp->nsteps, &ramp->steps_cap, sizeof *ramp->steps);
    ramp->steps[ramp->nsteps++] = (struct ramp_step){.run = run, .label = label};
}

/* The steps of one path; steps without a flow are dropped. */
static void cut_path(struct reckon_ramp *ramp, const struct module *reader, struct reckon_sink **sinks, size_t n,
                     const char *prefix, struct ramp_cut **cut) {
    struct reckon *r = ramp->r;
    *cut = ramp_cut(r, sinks, n);
    for (size_t s = 0; s < ramp_cut_steps(*cut); s++) {
        struct kept k = {*cut, s};
        struct reckon_comparison *run = run_assemble_kept(r, reader->plugin, sinks, n, keep_step, &k);
        const char *label = ramp_cut_label(r, *cut, s);
        if (run->nflows)
            add_step(ramp, run, prefix ? reckon_text(r, "%s %s", prefix, label) : label);
        else
            run_free(run);
    }
}

/* Repeated labels get #2, #3… so that each names one step. */
static void number_labels(struct reckon_ramp *ramp) {
    for (size_t i = ramp->nsteps; i-- > 0;) {
        size_t before = 0;
        for (size_t k = 0; k < i; k++)
            before += !strcmp(ramp->steps[k].label, ramp->steps[i].label);
        if (before)
            ramp->steps[i].label = reckon_text(ramp->r, "%s #%zu", ramp->steps[i].label, before + 1);
    }
}

struct all_cuts {
    struct ramp_cut **cut;       /* per path */
    struct reckon_sink **sinks;
};

static bool keep_any(void *user, size_t i, const struct record *record) {
    const struct all_cuts *all = user;
    return ramp_cut_step(all->cut[all->sinks[i]->argument], record) != NO_STEP;
}

static int cut_all(struct reckon_ramp *ramp, const char *const *paths, size_t count) {
    struct reckon *r = ramp->r;
    const struct module *reader = series_reader(r, paths[0]);
    struct reckon_sink **sinks;
    size_t n;
    if (!reader || run_read(r, reader->plugin, paths, count, &sinks, &n))
        return -1;
    stage_done(r, "reading");
    sinks_finish(sinks, n);
    struct all_cuts all = {reckon_alloc(r, count * sizeof *all.cut), sinks};
    for (size_t p = 0, first = 0, next; p < count; p++, first = next) {
        for (next = first; next < n && sinks[next]->argument == p; next++)
            ;
        cut_path(ramp, reader, sinks + first, next - first, count > 1 ? last_component(r, paths[p]) : NULL, &all.cut[p]);
    }
    number_labels(ramp);
    ramp->hardware = run_assemble_kept(r, reader->plugin, sinks, n, keep_any, &all);
    for (size_t p = 0; p < count; p++)
        ramp_cut_free(all.cut[p]);
    for (size_t i = 0; i < n; i++)
        sink_free(sinks[i]);
    free(sinks);
    stage_done(r, "cutting");
    return 0;
}

/* ---- what a ramp must be ---- */

static int check_sizes(const struct reckon_ramp *ramp) {
    const struct shape *first = NULL;
    for (size_t s = 0; s < ramp->nsteps; s++) {
        const struct reckon_comparison *c = ramp->steps[s].run;
        for (uint32_t f = 0; f < c->nflows; f++) {
            const struct shape *shape = &c->shapes[c->flows[f].shape];
            first = first ? first : shape;
            if (shape->size != first->size || shape->reply != first->reply)
                return reckon_error(ramp->r, NULL, 0,
                                    "--ramp: the packet size differs (%g B requests with %g B replies, then %g B with "
                                    "%g B in step %s); a ramp varies the rate alone",
                                    first->size, first->reply, shape->size, shape->reply, ramp->steps[s].label);
        }
    }
    return 0;
}

static uint32_t first_flow_of(const struct reckon_comparison *c, uint32_t src) {
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

/* Whether the host sends to the same peers in the same layers in both steps. */
static bool same_peers(const struct reckon_comparison *a, uint32_t ha, const struct reckon_comparison *b, uint32_t hb) {
    uint32_t fa = first_flow_of(a, ha), fb = first_flow_of(b, hb);
    for (;; fa++, fb++) {
        bool ina = fa < a->nflows && a->flows[fa].src == ha, inb = fb < b->nflows && b->flows[fb].src == hb;
        if (!ina || !inb)
            return ina == inb;
        const char *la = a->layers[a->flows[fa].layer], *lb = b->layers[b->flows[fb].layer];
        if (strcmp(a->hosts[a->flows[fa].dst].name, b->hosts[b->flows[fb].dst].name) || strcmp(la ? la : "", lb ? lb : ""))
            return false;
    }
}

static bool sends(const struct reckon_comparison *c, uint32_t h) {
    uint32_t f = h == RECKON_NONE ? c->nflows : first_flow_of(c, h);
    return f < c->nflows && c->flows[f].src == h;
}

static int check_matrix(const struct reckon_ramp *ramp) {
    for (uint32_t h = 0; h < ramp->hardware->nhosts; h++) {
        const char *name = ramp->hardware->hosts[h].name;
        size_t first = SIZE_MAX;
        for (size_t s = 0; s < ramp->nsteps; s++) {
            const struct reckon_comparison *c = ramp->steps[s].run;
            uint32_t here = reckon_host_named(c, name);
            if (!sends(c, here))
                continue;
            first = first == SIZE_MAX ? s : first;
            const struct reckon_comparison *a = ramp->steps[first].run;
            if (!same_peers(a, reckon_host_named(a, name), c, here))
                return reckon_error(ramp->r, NULL, 0,
                                    "--ramp: %s sends to other peers in step %s than in step %s; a ramp keeps one matrix "
                                    "(generate every step with the same seed)",
                                    reckon_printable(ramp->r, name), ramp->steps[s].label, ramp->steps[first].label);
        }
    }
    return 0;
}

static bool any_rate(const struct reckon_ramp *ramp) {
    for (size_t s = 0; s < ramp->nsteps; s++)
        for (uint32_t f = 0; f < ramp->steps[s].run->nflows; f++)
            if (!reckon_blank(ramp->steps[s].run->flows[f].achieved))
                return true;
    return false;
}

static int check_ramp(const struct reckon_ramp *ramp) {
    if (ramp->nsteps < 2)
        return reckon_error(ramp->r, NULL, 0, "--ramp: found %zu step%s, and a model needs two; the rate must step up in the "
                            "history, or give one folder per step", ramp->nsteps, ramp->nsteps == 1 ? "" : "s");
    if (check_sizes(ramp) || check_matrix(ramp))
        return -1;
    return any_rate(ramp) ? 0 : reckon_error(ramp->r, NULL, 0, "--ramp: no step has a measured rate");
}

/* ---- the hardware ---- */

static size_t widest_step(const struct reckon_ramp *ramp) {
    size_t best = 0;
    for (size_t s = 1; s < ramp->nsteps; s++) {
        uint32_t n = ramp->steps[s].run->nflows, most = ramp->steps[best].run->nflows;
        if (n > most || (n == most && strcmp(ramp->steps[s].label, ramp->steps[best].label) > 0))
            best = s;
    }
    return best;
}

static int flow_names_order(const struct reckon_comparison *a, const struct flow *x, const struct reckon_comparison *b,
                            const struct flow *y) {
    const char *la = a->layers[x->layer], *lb = b->layers[y->layer];
    int c = strcmp(a->hosts[x->src].name, b->hosts[y->src].name);
    c = c ? c : strcmp(a->hosts[x->dst].name, b->hosts[y->dst].name);
    return c ? c : strcmp(la ? la : "", lb ? lb : "");
}

/* Leaves the hardware's comparison with the flows of the widest step, unmeasured. Both are in the same order. */
static void take_widest(struct reckon_ramp *ramp) {
    struct reckon_comparison *all = ramp->hardware;
    const struct reckon_comparison *widest = ramp->steps[widest_step(ramp)].run;
    uint32_t n = 0, w = 0;
    for (uint32_t f = 0; f < all->nflows && w < widest->nflows; f++) {
        if (flow_names_order(all, &all->flows[f], widest, &widest->flows[w]))
            continue;
        w++;
        all->flows[n] = all->flows[f];
        all->flows[n++].achieved = RECKON_BLANK;
    }
    all->nflows = n;
}

static bool silent_in_a_step(const struct reckon_ramp *ramp, const char *name) {
    for (size_t s = 0; s < ramp->nsteps; s++) {
        const struct reckon_comparison *c = ramp->steps[s].run;
        uint32_t h = reckon_host_named(c, name);
        if (h == RECKON_NONE || !c->hosts[h].reported)
            return true;
    }
    return false;
}

static int reckon_hardware(struct reckon_ramp *ramp, const struct reckon_speeds *speeds) {
    struct reckon_comparison *all = ramp->hardware;
    for (uint32_t h = 0; h < all->nhosts; h++)
        all->hosts[h].reported = !silent_in_a_step(ramp, all->hosts[h].name);
    take_widest(ramp);
    if (hardware_build(all, speeds, NULL))
        return -1;
    model_solve(all, true);
    compare(all);
    for (size_t s = 0; s < ramp->nsteps; s++) {
        struct reckon_comparison *c = ramp->steps[s].run;
        if (hardware_build(c, speeds, NULL))
            return -1;
        model_solve(c, false);
        compare(c);
    }
    assume_model(all);
    return 0;
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
    for (uint32_t f = first_flow_of(c, h); f < c->nflows && c->flows[f].src == h; f++) {
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

static struct ramp_point host_point(const struct reckon_comparison *c, uint32_t h, double *p99, uint32_t *layers) {
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

static void make_points(struct reckon_ramp *ramp) {
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
    for (uint32_t f = first_flow_of(c, h); f < c->nflows && c->flows[f].src == h; f++)
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

static void fit_hosts(struct reckon_ramp *ramp) {
    struct reckon_comparison *all = ramp->hardware;
    double *v = reckon_resize(NULL, ramp->nsteps, sizeof *v);
    size_t alone = 0;
    const char *name = NULL;
    ramp->fits = reckon_alloc(ramp->r, all->nhosts * sizeof *ramp->fits);
    for (uint32_t h = 0; h < all->nhosts; h++) {
        fit_host(ramp, h, v);
        if (ramp->fits[h].is.steps == 1) {
            alone++;
            name = name ? name : all->hosts[h].name;
        }
    }
    if (alone)
        reckon_note(ramp->r, "%s sent in one step only and %s no model", alone == 1 ? reckon_printable(ramp->r, name)
                    : reckon_text(ramp->r, "%s and %zu more", reckon_printable(ramp->r, name), alone - 1),
                    alone == 1 ? "has" : "have");
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

/* ---- the whole way ---- */

static double last_ts(const struct reckon_ramp *ramp) {
    double ts = RECKON_BLANK;
    for (size_t s = 0; s < ramp->nsteps; s++)
        ts = fmax(ts, ramp->steps[s].run->last_ts);
    return ts;
}

int ramp_main(struct reckon *r, const char *const *paths, size_t count, const struct reckon_speeds *speeds,
              struct reckon_known *known) {
    struct reckon_ramp *ramp = reckon_alloc(r, sizeof *ramp);
    ramp->r = r;
    ramp->predict = reckon_option_number(r, "predict");
    if (cut_all(ramp, paths, count) || check_ramp(ramp) || reckon_hardware(ramp, speeds))
        return -1;
    stage_done(r, "solving");
    make_points(ramp);
    fit_hosts(ramp);
    fit_fleet(ramp);
    stage_done(r, "fitting");
    known_use(r, known, last_ts(ramp));
    if (reckon_evaluate(r, "ramp", ramp) || reckon_write_outputs(r, "ramp", ramp))
        return -1;
    stage_done(r, "writing");
    return reckon_exit_status(r, true);
}
