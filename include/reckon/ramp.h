/* SPDX-License-Identifier: Apache-2.0
 *
 * A ramp: one matrix run at rising rates, and the model fitted to it. The subject "ramp" of rules and outputs.
 * The arithmetic is that of doc/model.md, "Ramps". Rates are requests/s, times us.
 */
#ifndef RECKON_RAMP_H
#define RECKON_RAMP_H

#include <reckon/comparison.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reckon_ramp;

enum reckon_check { RECKON_UNCHECKED = 0, RECKON_VALIDATED, RECKON_CHECK_FAILED };
/* "unchecked", "validated", "failed". */
const char *reckon_check_word(enum reckon_check check);
/* Why a check is `unchecked`. */
enum reckon_unchecked { RECKON_CHECKED = 0, RECKON_NO_CEILING, RECKON_FEW_STEPS, RECKON_ONE_SHORT_STEP };

/* ---- the hardware, and the declaration's problems: over the whole ramp ---- */

/* A comparison of the whole ramp's hosts and groups against the hardware (its flows are those of the widest step,
 * unpaced): hardware, groups, explained hosts and problems are read and marked there. A host has reported when it
 * reported in every step it should have sent in. */
struct reckon_comparison *reckon_ramp_hardware(struct reckon_ramp *ramp);
const struct reckon_comparison *reckon_ramp_hardware_of(const struct reckon_ramp *ramp);

/* ---- steps ---- */

size_t reckon_step_count(const struct reckon_ramp *ramp);
const char *reckon_step_label(const struct reckon_ramp *ramp, size_t i);
double reckon_step_first_ts(const struct reckon_ramp *ramp, size_t i);
double reckon_step_last_ts(const struct reckon_ramp *ramp, size_t i);
uint32_t reckon_step_flows(const struct reckon_ramp *ramp, size_t i);
double reckon_step_asked(const struct reckon_ramp *ramp, size_t i);     /* per flow; blank: unpaced */
double reckon_step_delivered(const struct reckon_ramp *ramp, size_t i); /* per flow */
double reckon_step_p99(const struct reckon_ramp *ramp, size_t i);
/* The step as a comparison of its own (expectations with its own demands). */
const struct reckon_comparison *reckon_step_comparison(const struct reckon_ramp *ramp, size_t i);
/* The packet sizes of the ramp, bytes. */
double reckon_ramp_size(const struct reckon_ramp *ramp);
double reckon_ramp_reply_size(const struct reckon_ramp *ramp);

/* ---- fits ---- */

/* Which fit: the fleet's (RECKON_NONE) or a host's of the hardware comparison. Per-flow figures of the fleet, totals of
 * a host. Set .size before the call. False when that host has no model. */
struct reckon_fit {
    size_t size;
    size_t steps;          /* how many it has points in */
    bool reached;          /* some point fell short */
    double ceiling;        /* the largest delivered rate */
    const char *ceiling_step;
    double sustained, first_short; /* blank: none */
    double r0_us, b_us, rms_us;    /* blank: no curve; rms from three points up */
    size_t curve_points;
    double knee, p99_base_us;
    enum reckon_check check, check_delivered, check_p99;
    enum reckon_unchecked unchecked_why;
    double loo_delivered_pct, loo_p99_pct;
    size_t loo_steps;
    double kept_max;       /* the largest rate any step asked; blank: all unpaced */
    size_t at_ceiling;
    size_t erratic_count, beyond_count;
    /* a host's alone (fleet: flows 1, ceiling_per_flow = ceiling) */
    double flows, ceiling_per_flow;
    bool cpu_bound;        /* over a CPU line at its ceiling step */
    double cpu_agent, cpu_core; /* there; blank: unknown */
    double hardware;       /* what the hardware allows: a host's total, the fleet's per flow; blank: unknown */
};
bool reckon_fit(const struct reckon_ramp *ramp, uint32_t host, struct reckon_fit *out);
/* Labels of the erratic steps; NULL past the end. */
const char *reckon_fit_erratic(const struct reckon_ramp *ramp, uint32_t host, size_t i);
/* Short steps beyond the ceiling's, by rate delivered: label (NULL past the end) and what they delivered. */
const char *reckon_fit_beyond(const struct reckon_ramp *ramp, uint32_t host, size_t i, double *delivered);
/* One point of a fit: step i, what was asked (blank: unpaced), delivered, p99. False when it has no point there. */
bool reckon_fit_point(const struct reckon_ramp *ramp, uint32_t host, size_t i, double *asked, double *delivered,
                      double *p99);

/* ---- prediction ---- */

/* Whether --predict asked for one, and at which rate per flow. */
bool reckon_has_prediction(const struct reckon_ramp *ramp, double *pps_per_flow);
/* The predicted rate and p99 at that rate (blank: not predicted) of the fleet or a host's total. */
bool reckon_predicted(const struct reckon_ramp *ramp, uint32_t host, double *delivered, double *p99_us);

#ifdef __cplusplus
}
#endif
#endif
