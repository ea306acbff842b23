/* SPDX-License-Identifier: Apache-2.0
 *
 * The accessors of <reckon/ramp.h>.
 */
#include "ramp_state.h"

const char *reckon_check_word(enum reckon_check check) {
    static const char *const words[] = {"unchecked", "validated", "failed"};
    return words[check];
}

struct reckon_comparison *reckon_ramp_hardware(struct reckon_ramp *ramp) {
    return ramp->hardware;
}

const struct reckon_comparison *reckon_ramp_hardware_of(const struct reckon_ramp *ramp) {
    return ramp->hardware;
}

/* ---- steps ---- */

size_t reckon_step_count(const struct reckon_ramp *ramp) {
    return ramp->nsteps;
}

const char *reckon_step_label(const struct reckon_ramp *ramp, size_t i) {
    return ramp->steps[i].label;
}

double reckon_step_first_ts(const struct reckon_ramp *ramp, size_t i) {
    return ramp->steps[i].run->first_ts;
}

double reckon_step_last_ts(const struct reckon_ramp *ramp, size_t i) {
    return ramp->steps[i].run->last_ts;
}

uint32_t reckon_step_flows(const struct reckon_ramp *ramp, size_t i) {
    return ramp->steps[i].run->nflows;
}

double reckon_step_asked(const struct reckon_ramp *ramp, size_t i) {
    return ramp->fleet_points[i].exists ? ramp->fleet_points[i].x : RECKON_BLANK;
}

double reckon_step_delivered(const struct reckon_ramp *ramp, size_t i) {
    return ramp->fleet_points[i].exists ? ramp->fleet_points[i].y : RECKON_BLANK;
}

double reckon_step_p99(const struct reckon_ramp *ramp, size_t i) {
    return ramp->fleet_points[i].exists ? ramp->fleet_points[i].p99 : RECKON_BLANK;
}

const struct reckon_comparison *reckon_step_comparison(const struct reckon_ramp *ramp, size_t i) {
    return ramp->steps[i].run;
}

static const struct shape *first_shape(const struct reckon_ramp *ramp) {
    const struct reckon_comparison *c = ramp->steps[0].run;
    return &c->shapes[c->flows[0].shape];
}

double reckon_ramp_size(const struct reckon_ramp *ramp) {
    return first_shape(ramp)->size;
}

double reckon_ramp_reply_size(const struct reckon_ramp *ramp) {
    return first_shape(ramp)->reply;
}

/* ---- fits ---- */

/* A host that sent in fewer than two steps has no model. */
static const struct ramp_fit *fit_of(const struct reckon_ramp *ramp, uint32_t host) {
    if (host == RECKON_NONE)
        return &ramp->fleet;
    return host < ramp->hardware->nhosts && ramp->fits[host].is.steps >= 2 ? &ramp->fits[host] : NULL;
}

bool reckon_fit(const struct reckon_ramp *ramp, uint32_t host, struct reckon_fit *out) {
    const struct ramp_fit *f = fit_of(ramp, host);
    if (!f)
        return false;
    size_t size = out->size < sizeof f->is ? out->size : sizeof f->is;
    __builtin_memcpy(out, &f->is, size);
    out->size = size;
    return true;
}

const char *reckon_fit_erratic(const struct reckon_ramp *ramp, uint32_t host, size_t i) {
    const struct ramp_fit *f = fit_of(ramp, host);
    return f && i < f->is.erratic_count ? ramp->steps[f->erratic[i]].label : NULL;
}

const char *reckon_fit_beyond(const struct reckon_ramp *ramp, uint32_t host, size_t i, double *delivered) {
    const struct ramp_fit *f = fit_of(ramp, host);
    if (!f || i >= f->is.beyond_count)
        return NULL;
    const struct ramp_point *points = host == RECKON_NONE ? ramp->fleet_points : ramp->points + (size_t)host * ramp->nsteps;
    *delivered = points[f->beyond[i]].y;
    return ramp->steps[f->beyond[i]].label;
}

bool reckon_fit_point(const struct reckon_ramp *ramp, uint32_t host, size_t i, double *asked, double *delivered,
                      double *p99) {
    const struct ramp_point *points = host == RECKON_NONE ? ramp->fleet_points : ramp->points + (size_t)host * ramp->nsteps;
    if (!points[i].exists)
        return false;
    *asked = points[i].x;
    *delivered = points[i].y;
    *p99 = points[i].p99;
    return true;
}

/* ---- prediction ---- */

bool reckon_has_prediction(const struct reckon_ramp *ramp, double *pps_per_flow) {
    *pps_per_flow = ramp->predict;
    return !reckon_blank(ramp->predict);
}

bool reckon_predicted(const struct reckon_ramp *ramp, uint32_t host, double *delivered, double *p99_us) {
    const struct ramp_fit *f = fit_of(ramp, host);
    if (!f)
        return false;
    ramp_predict(&f->is, ramp->predict * f->is.flows, delivered, p99_us);
    return true;
}
