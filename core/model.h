/* SPDX-License-Identifier: Apache-2.0
 *
 * The core's own view of a comparison: hosts, groups, links and flows as records. Modules see it through
 * <reckon/comparison.h>. Filled in this order, each by one call:
 *
 *   run_assemble()    hosts that took part and flows with their means      (assemble.c)
 *   hardware_build()  speeds, groups, capacities, problems                 (hardware.c)
 *   model_solve()     what each flow could have had, and what stopped it   (solve.c)
 *   compare()         efficiency, loads, evidence, baseline, verdicts      (compare.c)
 */
#ifndef RECKON_CORE_MODEL_H
#define RECKON_CORE_MODEL_H

#include "session.h"

#define MAX_TIERS 8

struct host {
    const char *name;
    bool reported, in_layout, explained;
    uint32_t element;          /* RECKON_NONE */
    uint32_t group[MAX_TIERS]; /* per tier, RECKON_NONE for none */
    double layout_gbps, flag_gbps, measured_gbps, nic_gbps, nic_mpps, mtu;
    const char *nic_source;   /* "measured", "layout", "flag", NULL */
    const char *measured_raw; /* NULL: not in the speeds file */
    double cpu_core, cpu_agent, cpu_peak, cpu_softirq;
    /* compared */
    double expected, achieved, efficiency, added_rtt;
    uint32_t compared, shorts, limit_link, touching; /* touching: flows it is an end of */
    enum reckon_limit limit;
    enum reckon_verdict verdict;
    double then, nic_then; /* baseline */
};

struct group {
    uint32_t tier, element;
    const char *path, *label;
    double uplinks, uplink_gbps; /* both blank unless capacity was declared */
    uint32_t *hosts;             /* sorted */
    uint32_t size;
    uint32_t rank; /* position by path among all groups, for ties */
};

enum flow_flag { FLOW_OUTCOMPETED = 1, FLOW_MTU_LAYOUT = 2, FLOW_MTU_IDLE = 4, FLOW_MTU_DEFAULT = 8 };

/* 88 bytes; a million of them is the memory budget, so nothing more goes in here. */
struct flow {
    uint32_t src, dst;
    uint32_t layer; /* index into layers; 0: none */
    uint32_t samples;
    uint32_t shape;      /* index into shapes */
    uint32_t limit_link; /* RECKON_NONE */
    uint8_t limit;       /* enum reckon_limit */
    uint8_t flags;
    double demand, sent, achieved, expected, loss, rtt_p50, rtt_p99; /* blank: not measured */
};

/* What distinguishes the wire coefficients of flows: sizes (request/reply, UDP) or the MTU (TCP). */
struct shape {
    double size, reply, mtu;  /* blank where it does not apply */
    double forward, backward; /* bits on the wire per unit of rate, each way (backward 0 for goodput runs) */
    /* Packets per unit of rate: request/reply 1 and 1; TCP segments, 0. */
    double packets_forward, packets_backward;
};

/* Links are numbered: 4h+0 nic out, 4h+1 nic in, 4h+2 pps out, 4h+3 pps in; then 4·nhosts + 2g out, +1 in. */
struct link {
    double capacity;            /* bits/s or packets/s; blank: limits nothing */
    double expected_load, load; /* blank: no flow across it has the figure */
    uint32_t flows, limited;
};

struct failed_test {
    const char *source, *target, *status, *error;
};

struct baseline_flow; /* baseline.c */

struct reckon_comparison {
    struct reckon *r;
    /* the run */
    const char *source, *unit, *describe, *mode, *run_id;
    enum reckon_workload workload;
    enum reckon_sharing sharing;
    bool loose_times;
    double first_ts, last_ts, window;
    double window_end; /* the newest ts that ends the window */
    struct failed_test *failed;
    size_t nfailed;
    /* hosts and flows; flows sorted by (src, dst, layer text) */
    uint32_t nhosts, ngroups, nlinks, nflows, nlayers, nshapes, ntiers;
    struct host *hosts;
    struct group *groups; /* sorted by (tier, path) */
    struct link *links;
    struct flow *flows;
    const char **layers; /* [0] is NULL; the rest sorted as bytes */
    struct shape *shapes;
    const char *tier_kind[MAX_TIERS];
    struct reckon_problem *problems; /* sorted by name, then as found */
    size_t nproblems;
    /* context; NULL when there is none */
    double *idle_p50;        /* per flow */
    const char *idle_source; /* the reader's name, for mtu_from */
    uint64_t idle_overlap;
    bool has_idle, has_speeds;
    struct reckon_baseline *baseline;
    double *flow_then;    /* per flow */
    const char **missing; /* hosts the baseline compared that are not in this run; sorted */
    size_t nmissing;
};

/* A flow's links and coefficients from its ends and shape, terms on one link added. Returns how many; at most
 * RECKON_FLOW_LINKS. Links without capacity are included. (wire.c) */
size_t flow_links(const struct reckon_comparison *c, const struct flow *f, uint32_t *link,
                  double *coefficient);
/* Fills a shape's coefficients from its sizes or MTU. (wire.c) */
void shape_fill(struct shape *s, enum reckon_workload workload);
/* The order of links for ties: kind, then owner's name. (wire.c) */
int link_order(const struct reckon_comparison *c, uint32_t a, uint32_t b);

/* ---- samples: what run readers hand over (samples.c, assemble.c) ---- */

struct reckon_sink *sink_new(struct reckon *r, const char *path); /* one per file */
void sink_free(struct reckon_sink *s);

/* Reads every path of `reader` into sinks, one per file, in parallel; the sinks in order of the files. */
int run_read(struct reckon *r, const struct reckon_plugin *reader, const char *const *paths, size_t count,
             struct reckon_sink ***sinks, size_t *nsinks);
/* The same for a run whose window is known (seconds; 0: everything): what is too old for it is not kept while
 * reading. */
int run_read_window(struct reckon *r, const struct reckon_plugin *reader, const char *const *paths,
                    size_t count, double window, struct reckon_sink ***sinks, size_t *nsinks);
/* Builds hosts and flows from the samples within the window (seconds; 0: everything). Consumes (frees) the
 * sinks as it goes. NULL after an error: no row at all. */
struct reckon_comparison *run_assemble(struct reckon *r, const struct reckon_plugin *reader,
                                       struct reckon_sink **sinks, size_t nsinks, double window);
/* Frees what a comparison holds outside the session's memory: its flows. */
void run_free(struct reckon_comparison *c);

/* ---- context (context.c, baseline.c) ---- */

struct reckon_idle *idle_new(struct reckon *r, const char *source);
struct reckon_speeds *speeds_new(struct reckon *r);
struct reckon_names *names_map_new(struct reckon *r);
struct reckon_baseline *baseline_new(struct reckon *r, const char *path);
/* What they hold outside the session's memory. */
void speeds_free(struct reckon_speeds *s);
void baseline_free(struct reckon_baseline *b);
void names_map_free(struct reckon_names *n);
/* Speed of a host by its layout name: false when the file does not name it. */
bool speeds_find(const struct reckon_speeds *s, const char *host, double *mbps, const char **raw);
/* Once the hardware is built: a note when the speeds name no host of the run. */
void speeds_note_strangers(const struct reckon_speeds *s, const struct reckon_comparison *c);
/* Gives the flows their idle RTT and confirmed MTU (before hardware_build's shapes are filled), leaving out
 * and counting what lies within the run's span. */
void idle_apply(struct reckon_idle *idle, struct reckon_comparison *c);
/* Path MTU the idle floor confirmed for the directed pair of hosts of that run; blank for none. */
double idle_mtu(const struct reckon_idle *idle, uint32_t src, uint32_t dst);
/* Refusals that need the run: no host compared, another unit. Then fills `then` of hosts and flows, missing
 * hosts. */
int baseline_check(struct reckon *r, const struct reckon_baseline *b, const char *unit);
void baseline_apply(struct reckon_comparison *c, struct reckon_baseline *b);

/* ---- hardware.c ---- */

/* Speeds, groups, link capacities and problems of the hosts in c, from the session's layout, --nic-gbps,
 * --group-kind and the speeds. For TCP also every flow's MTU and its source (layout, else idle, else --mtu).
 * Fills shapes. */
int hardware_build(struct reckon_comparison *c, const struct reckon_speeds *speeds,
                   const struct reckon_idle *idle);

/* ---- solve.c ---- */

/* Max-min fair share of every flow: expected, limit, limit_link. With `unpaced` the demands are ignored. */
void model_solve(struct reckon_comparison *c, bool unpaced);

/* ---- compare.c ---- */

/* Everything else of the comparison: per flow, host and link. */
void compare(struct reckon_comparison *c);

/* Why nothing could be compared, for status 1: a line for stderr; NULL when something was compared. */
const char *nothing_compared(const struct reckon_comparison *c);
bool anything_compared(const struct reckon_comparison *c);
/* Says under ASSUMED what the model takes for granted. (assume.c) */
void assume_model(struct reckon_comparison *c);

#endif
