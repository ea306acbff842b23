/* SPDX-License-Identifier: Apache-2.0
 *
 * The model of a ramp: what is fitted to one host's, or the fleet's, points. Pure arithmetic. Not installed.
 */
#ifndef RECKON_CORE_RAMP_FIT_H
#define RECKON_CORE_RAMP_FIT_H

#include <reckon/ramp.h>

/* What one step gave: asked x (blank: unpaced), delivered y, p99. */
struct ramp_point {
    bool exists;
    double x, y, p99, flows, cpu_agent, cpu_core;
};

struct ramp_fit {
    struct reckon_fit is;
    size_t *erratic; /* steps, by label as text */
    size_t *beyond;  /* steps, by rate delivered, then label */
    size_t ceiling_at;
};

/* Fits `n` points (one per step, some missing) labelled by step; `keep_up` a share (0.98), `bloat` the knee's factor.
 * The arrays are allocated from the session. The check is part of it. Fields of hosts alone are the caller's. */
void ramp_fit(struct reckon *r, const struct ramp_point *points, const char *const *labels, size_t n, double keep_up,
              double bloat, struct ramp_fit *fit);

/* What the fit predicts at x: delivered and p99, blank where it says nothing. */
void ramp_predict(const struct reckon_fit *fit, double x, double *delivered, double *p99);

#endif
