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

#endif
