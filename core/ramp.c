/* SPDX-License-Identifier: Apache-2.0
 *
 * The ramp's way: histories into steps, steps into runs and points, points into fits; then rules and outputs.
 */
#include <string.h>

#include "findings.h"
#include "ramp.h"
#include "ramp_state.h"

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

static int flow_names_order(const struct reckon_comparison *a, const struct flow *x,
                            const struct reckon_comparison *b, const struct flow *y) {
    const char *la = a->layers[x->layer], *lb = b->layers[y->layer];
    int c = strcmp(a->hosts[x->src].name, b->hosts[y->src].name);
    c = c ? c : strcmp(a->hosts[x->dst].name, b->hosts[y->dst].name);
    return c ? c : strcmp(la ? la : "", lb ? lb : "");
}

/* Leaves the hardware's comparison with the flows of the widest step, unmeasured. Both are in the same order.
 */
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
    if (speeds)
        speeds_note_strangers(speeds, all);
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
    if (ramp_read_steps(ramp, paths, count) || ramp_check_steps(ramp) || reckon_hardware(ramp, speeds))
        return -1;
    stage_done(r, "solving");
    ramp_make_points(ramp);
    ramp_fit_all(ramp);
    stage_done(r, "fitting");
    known_use(r, known, last_ts(ramp));
    if (reckon_evaluate(r, "ramp", ramp) || reckon_write_outputs(r, "ramp", ramp))
        return -1;
    stage_done(r, "writing");
    return reckon_exit_status(r, true);
}
