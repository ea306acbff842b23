/* SPDX-License-Identifier: Apache-2.0
 *
 * From the paths of --ramp to the steps of one matrix at rising rates, each a run of its own.
 */
#include <stdlib.h>
#include <string.h>

#include "modules.h"
#include "paths.h"
#include "ramp_cut.h"
#include "ramp_state.h"
#include "readers.h"

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
    else if (path_files(r, path, &suffixes, &files) || !(in = reckon_open(r, files.at[0])) ||
             input_head(in, &head))
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
static void cut_path(struct reckon_ramp *ramp, const struct module *reader, struct reckon_sink **sinks,
                     size_t n, const char *prefix, struct ramp_cut **cut) {
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
    struct ramp_cut **cut; /* per path */
    struct reckon_sink **sinks;
};

static bool keep_any(void *user, size_t i, const struct record *record) {
    const struct all_cuts *all = user;
    return ramp_cut_step(all->cut[all->sinks[i]->argument], record) != NO_STEP;
}

int ramp_read_steps(struct reckon_ramp *ramp, const char *const *paths, size_t count) {
    struct reckon *r = ramp->r;
    const struct module *reader = series_reader(r, paths[0]);
    struct reckon_sink **sinks;
    size_t n;
    if (!reader || run_read(r, reader->plugin, paths, count, &sinks, &n))
        return -1;
    stage_done(r, "reading");
    sinks_finish(sinks, n);
    struct all_cuts all = {reckon_alloc(r, count * sizeof(struct ramp_cut *)), sinks};
    for (size_t p = 0, first = 0, next; p < count; p++, first = next) {
        for (next = first; next < n && sinks[next]->argument == p; next++)
            ;
        cut_path(ramp, reader, sinks + first, next - first, count > 1 ? last_component(r, paths[p]) : NULL,
                 &all.cut[p]);
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
                return reckon_error(
                    ramp->r, NULL, 0,
                    "--ramp: the packet size differs (%g B requests with %g B replies, then %g B with "
                    "%g B in step %s); a ramp varies the rate alone",
                    first->size, first->reply, shape->size, shape->reply, ramp->steps[s].label);
        }
    }
    return 0;
}

/* Whether the host sends to the same peers in the same layers in both steps. */
static bool same_peers(const struct reckon_comparison *a, uint32_t ha, const struct reckon_comparison *b,
                       uint32_t hb) {
    uint32_t fa = ramp_first_flow(a, ha), fb = ramp_first_flow(b, hb);
    for (;; fa++, fb++) {
        bool ina = fa < a->nflows && a->flows[fa].src == ha, inb = fb < b->nflows && b->flows[fb].src == hb;
        if (!ina || !inb)
            return ina == inb;
        const char *la = a->layers[a->flows[fa].layer], *lb = b->layers[b->flows[fb].layer];
        if (strcmp(a->hosts[a->flows[fa].dst].name, b->hosts[b->flows[fb].dst].name) ||
            strcmp(la ? la : "", lb ? lb : ""))
            return false;
    }
}

static int check_matrix(const struct reckon_ramp *ramp) {
    for (uint32_t h = 0; h < ramp->hardware->nhosts; h++) {
        const char *name = ramp->hardware->hosts[h].name;
        size_t first = SIZE_MAX;
        for (size_t s = 0; s < ramp->nsteps; s++) {
            const struct reckon_comparison *c = ramp->steps[s].run;
            uint32_t here = reckon_host_named(c, name);
            if (!ramp_sends(c, here))
                continue;
            first = first == SIZE_MAX ? s : first;
            const struct reckon_comparison *a = ramp->steps[first].run;
            if (!same_peers(a, reckon_host_named(a, name), c, here))
                return reckon_error(
                    ramp->r, NULL, 0,
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

int ramp_check_steps(const struct reckon_ramp *ramp) {
    if (ramp->nsteps < 2)
        return reckon_error(ramp->r, NULL, 0,
                            "--ramp: found %zu step%s, and a model needs two; the rate must step up in the "
                            "history, or give one folder per step",
                            ramp->nsteps, ramp->nsteps == 1 ? "" : "s");
    if (check_sizes(ramp) || check_matrix(ramp))
        return -1;
    return any_rate(ramp) ? 0 : reckon_error(ramp->r, NULL, 0, "--ramp: no step has a measured rate");
}
