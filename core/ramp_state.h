/* SPDX-License-Identifier: Apache-2.0
 *
 * The records behind <reckon/ramp.h>. Not installed.
 */
#ifndef RECKON_CORE_RAMP_STATE_H
#define RECKON_CORE_RAMP_STATE_H

#include "model.h"
#include "ramp_fit.h"

struct ramp_step {
    struct reckon_comparison *run;
    const char *label;
};

struct reckon_ramp {
    struct reckon *r;
    struct ramp_step *steps;
    size_t nsteps, steps_cap;
    struct reckon_comparison *hardware;
    struct ramp_point *points;       /* per host of `hardware`, per step */
    struct ramp_point *fleet_points; /* per step */
    struct ramp_fit *fits;           /* per host */
    struct ramp_fit fleet;
    double predict; /* per flow; blank: none was asked for */
};

/* Reads the paths and cuts them into steps; and the run of all steps, for the hardware. (ramp_steps.c) */
int ramp_read_steps(struct reckon_ramp *ramp, const char *const *paths, size_t count);
/* Refuses what is no ramp: too few steps, several packet sizes or matrices, no rate. (ramp_steps.c) */
int ramp_check_steps(const struct reckon_ramp *ramp);
/* The first flow of a sender, or where it would be. (ramp_points.c) */
uint32_t ramp_first_flow(const struct reckon_comparison *c, uint32_t src);
/* Whether the host (or RECKON_NONE) sends any flow. */
bool ramp_sends(const struct reckon_comparison *c, uint32_t h);
/* The points of every host and the fleet; then the fits, after the hardware was solved. (ramp_points.c) */
void ramp_make_points(struct reckon_ramp *ramp);
void ramp_fit_all(struct reckon_ramp *ramp);

#endif
