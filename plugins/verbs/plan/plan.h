/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of `reckon plan`: which hosts a layout has, who sends to whom, what --what-if changes, and which
 * single changes would add something. Not installed.
 */
#ifndef RECKON_PLAN_PARTS_H
#define RECKON_PLAN_PARTS_H

#include <reckon/plan.h>
#include <reckon/plugin.h>

/* The most flows a plan may have: about 2 GB of them. */
#define PLAN_FLOWS 20000000u

/* ---- hosts.c ---- */

struct plan_hosts {
    const char **names; /* in order of the file */
    uint32_t count;
};

/* The layout's hosts: its leaves of role (or kind) server; when it names no role, those without one, as far
 * as any of them has a NIC speed those that have. Elements that share a name with an earlier one are left
 * out, with a note. 0, or -1 after an error: it has none. */
int plan_hosts(struct reckon *r, struct plan_hosts *hosts);

/* ---- pattern.c, matrix.c ---- */

/* What every flow is like. */
struct plan_traffic {
    bool tcp;
    double size, reply, target;   /* bytes; the target blank: unpaced */
    bool size_given, reply_given; /* so that a matrix does not change them */
};

/* Fills the sink with the flows of --pattern. *describe: "all-to-all", "incast to b1", in the arena. 0, or -1
 * after an error. */
int plan_pattern(struct reckon *r, const char *text, const struct plan_hosts *hosts,
                 struct plan_traffic *traffic, struct reckon_sink *sink, const char **describe);
/* One flow; a blank target: unpaced. */
void plan_flow(struct reckon_sink *sink, const struct plan_traffic *traffic, const char *src, const char *dst,
               double target);
/* The flows of mx's matrix.csv. */
int plan_matrix(struct reckon *r, const char *path, struct plan_traffic *traffic, struct reckon_sink *sink);

/* ---- what_if.c ---- */

/* Overrides what the text says on the session's layout: "rack=r02 uplinks=4". 0, or -1 after an error. */
int plan_what_if(struct reckon *r, const char *text);

/* ---- upgrade.c ---- */

/* Tries single changes of what limits a flow of plan->now, and puts those that add something into
 * plan->upgrades. */
int plan_upgrades(struct reckon *r, struct reckon_sink *sink, struct reckon_plan *plan);

#endif
