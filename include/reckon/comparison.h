/* SPDX-License-Identifier: Apache-2.0
 *
 * The comparison: what a rule or an output of the subject "run" reads. Hosts, groups, links, flows, what each could
 * have had, what it got, and the evidence. Everything is read through these functions.
 *
 * Hosts are numbered by name (as bytes), groups by tier (innermost first) then path, flows by source, destination, layer.
 */
#ifndef RECKON_COMPARISON_H
#define RECKON_COMPARISON_H

#include <reckon/base.h>
#include <reckon/run.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reckon_comparison;

enum reckon_limit {
    RECKON_LIMIT_NONE = 0, /* no flow, or nothing that has an expectation */
    RECKON_LIMIT_TARGET,   /* the flow's own demand */
    RECKON_LIMIT_NIC,
    RECKON_LIMIT_NIC_PPS,
    RECKON_LIMIT_UPLINK,
    RECKON_LIMIT_UNBOUNDED, /* no known capacity and no demand stops it */
    RECKON_LIMIT_UNMODELLED,/* an end has no NIC speed */
};
/* "TARGET", "NIC"…; "" for NONE. */
const char *reckon_limit_word(enum reckon_limit limit);

enum reckon_verdict {
    RECKON_VERDICT_NONE = 0, /* it has no flow */
    RECKON_VERDICT_OK,
    RECKON_VERDICT_WARN,
    RECKON_VERDICT_FAIL,
    RECKON_VERDICT_NO_DATA,
    RECKON_VERDICT_UNMODELLED,
};
/* "OK", "WARN", "FAIL", "NO-DATA", "UNMODELLED"; "" for NONE. */
const char *reckon_verdict_word(enum reckon_verdict verdict);

/* ---- the run ---- */

const char *reckon_run_source(const struct reckon_comparison *c);   /* the reader's name: "mx" */
const char *reckon_run_unit(const struct reckon_comparison *c);     /* "pps" or "Mb/s" */
enum reckon_workload reckon_run_workload(const struct reckon_comparison *c);
const char *reckon_run_describe(const struct reckon_comparison *c); /* "mx run, 1434 B requests, 34 B replies, last 60s" */
const char *reckon_run_mode(const struct reckon_comparison *c);     /* "parallel"; NULL for none */
enum reckon_sharing reckon_run_sharing(const struct reckon_comparison *c);
const char *reckon_run_id(const struct reckon_comparison *c);       /* NULL for none */
double reckon_run_first_ts(const struct reckon_comparison *c);      /* blank when the run has no time */
double reckon_run_last_ts(const struct reckon_comparison *c);
double reckon_run_window(const struct reckon_comparison *c);        /* seconds; blank when the run has no time */
bool reckon_run_loose_times(const struct reckon_comparison *c);
bool reckon_run_has(const struct reckon_comparison *c, enum reckon_figure host_figure); /* any host has the CPU figure */
/* How many flows were left out because their packet size is unknown is a note. Failed tests, sorted, distinct: */
size_t reckon_failed_count(const struct reckon_comparison *c);
/* i-th failed test; any out pointer may be NULL; *error may come back NULL. */
void reckon_failed_at(const struct reckon_comparison *c, size_t i, const char **source, const char **target,
                      const char **status, const char **error);

/* ---- hosts ---- */

uint32_t reckon_host_count(const struct reckon_comparison *c);
const char *reckon_host_name(const struct reckon_comparison *c, uint32_t h);
uint32_t reckon_host_named(const struct reckon_comparison *c, const char *name); /* RECKON_NONE */
bool reckon_host_reported(const struct reckon_comparison *c, uint32_t h);
/* Hardware: speeds in Gb/s, packet rate in Mpps, mtu in bytes; blank when not declared. */
double reckon_host_nic_gbps(const struct reckon_comparison *c, uint32_t h); /* what the model uses */
const char *reckon_host_nic_source(const struct reckon_comparison *c, uint32_t h); /* "measured","layout","flag"; NULL */
double reckon_host_layout_gbps(const struct reckon_comparison *c, uint32_t h);
double reckon_host_declared_gbps(const struct reckon_comparison *c, uint32_t h); /* layout's, else the flag's */
double reckon_host_measured_gbps(const struct reckon_comparison *c, uint32_t h);
const char *reckon_host_measured_raw(const struct reckon_comparison *c, uint32_t h); /* NULL: not in the speeds file */
double reckon_host_nic_mpps(const struct reckon_comparison *c, uint32_t h);
double reckon_host_mtu(const struct reckon_comparison *c, uint32_t h);
bool reckon_host_in_layout(const struct reckon_comparison *c, uint32_t h);
uint32_t reckon_host_element(const struct reckon_comparison *c, uint32_t h); /* its layout element; RECKON_NONE */
uint32_t reckon_host_group(const struct reckon_comparison *c, uint32_t h, uint32_t tier); /* RECKON_NONE */
/* Comparison (model.md "Comparing"). */
double reckon_host_expected(const struct reckon_comparison *c, uint32_t h);
double reckon_host_achieved(const struct reckon_comparison *c, uint32_t h);
double reckon_host_efficiency(const struct reckon_comparison *c, uint32_t h); /* percent */
uint32_t reckon_host_compared(const struct reckon_comparison *c, uint32_t h); /* touching compared flows */
uint32_t reckon_host_short(const struct reckon_comparison *c, uint32_t h);    /* of them below --short */
double reckon_host_added_rtt(const struct reckon_comparison *c, uint32_t h);  /* us */
enum reckon_limit reckon_host_limit(const struct reckon_comparison *c, uint32_t h);
uint32_t reckon_host_limit_link(const struct reckon_comparison *c, uint32_t h); /* RECKON_NONE */
enum reckon_verdict reckon_host_verdict(const struct reckon_comparison *c, uint32_t h);
double reckon_host_figure(const struct reckon_comparison *c, uint32_t h, enum reckon_figure cpu_figure); /* percent */
/* Whether the host sends or receives any flow. */
bool reckon_host_has_flow(const struct reckon_comparison *c, uint32_t h);
/* Explained by an earlier rule; and how a rule says so. */
bool reckon_host_explained(const struct reckon_comparison *c, uint32_t h);
void reckon_explain_host(struct reckon_comparison *c, uint32_t h);

/* ---- groups ---- */

uint32_t reckon_tier_count(const struct reckon_comparison *c);                 /* group kinds, innermost first */
const char *reckon_tier_kind(const struct reckon_comparison *c, uint32_t tier); /* "rack" */
uint32_t reckon_group_count(const struct reckon_comparison *c);                /* of all tiers */
uint32_t reckon_group_tier(const struct reckon_comparison *c, uint32_t g);
const char *reckon_group_path(const struct reckon_comparison *c, uint32_t g);
const char *reckon_group_label(const struct reckon_comparison *c, uint32_t g); /* shortest tail no other group shares */
double reckon_group_uplinks(const struct reckon_comparison *c, uint32_t g);     /* blank: none declared */
double reckon_group_uplink_gbps(const struct reckon_comparison *c, uint32_t g); /* of one; blank: none declared */
uint32_t reckon_group_element(const struct reckon_comparison *c, uint32_t g);
/* Its hosts, in order: how many, and each. */
uint32_t reckon_group_size(const struct reckon_comparison *c, uint32_t g);
uint32_t reckon_group_host(const struct reckon_comparison *c, uint32_t g, uint32_t i);

/* Problems of the declaration, in order of the element's name. */
enum reckon_problem_kind {
    RECKON_BAD_VALUE = 1,      /* key=value is no usable number */
    RECKON_UPLINKS_NO_SPEED,   /* uplinks=value without uplink_gbps */
    RECKON_NAME_SHARED,        /* `count` elements have this name; the one at `path` is used */
};
struct reckon_problem {
    size_t size; /* set to sizeof(struct reckon_problem) before the call */
    enum reckon_problem_kind kind;
    const char *name, *path, *key, *value; /* value as written */
    uint32_t count;
    unsigned long line; /* of the layout file, 0 if unknown */
};
size_t reckon_problem_count(const struct reckon_comparison *c);
void reckon_problem_at(const struct reckon_comparison *c, size_t i, struct reckon_problem *out);

/* ---- links ---- */

enum reckon_link_kind { RECKON_LINK_NIC, RECKON_LINK_PPS, RECKON_LINK_UPLINK };
/* Links are numbered; only those with an owner in the run exist. Links without a capacity exist and limit nothing. */
uint32_t reckon_link_count(const struct reckon_comparison *c);
enum reckon_link_kind reckon_link_kind(const struct reckon_comparison *c, uint32_t l);
bool reckon_link_out(const struct reckon_comparison *c, uint32_t l); /* way: out of the owner, else in */
uint32_t reckon_link_host(const struct reckon_comparison *c, uint32_t l);  /* RECKON_NONE for an uplink */
uint32_t reckon_link_group(const struct reckon_comparison *c, uint32_t l); /* RECKON_NONE for a host's link */
/* "nic:b2:out", "uplink:T/h1/A/r02:in": arena text, as outputs name it. "" for RECKON_NONE. */
const char *reckon_link_name(struct reckon *r, const struct reckon_comparison *c, uint32_t l);
/* "b2 NIC 10 Gb/s out", "b2 NIC packet rate out", "r02 uplinks out"; for a limit without link "its target",
 * "nothing declared", "not modelled". */
const char *reckon_limit_text(struct reckon *r, const struct reckon_comparison *c, enum reckon_limit limit, uint32_t l);
double reckon_link_capacity(const struct reckon_comparison *c, uint32_t l); /* bits/s or packets/s; blank: none */
/* The largest load of its sharing problems: what the expected rates of the flows put on it, bits/s or packets/s. 0 without
 * flows; blank where flows cross it and none has an expectation. */
double reckon_link_expected_load(const struct reckon_comparison *c, uint32_t l);
/* The same of the rates they achieved; blank where none that crosses it was measured. */
double reckon_link_load(const struct reckon_comparison *c, uint32_t l);
/* Measured load in percent of capacity; blank without either. */
double reckon_link_utilisation(const struct reckon_comparison *c, uint32_t l);
/* How many flows cross it, and how many have it as their limit. */
uint32_t reckon_link_flows(const struct reckon_comparison *c, uint32_t l);
uint32_t reckon_link_limited(const struct reckon_comparison *c, uint32_t l);

/* ---- flows ---- */

uint32_t reckon_flow_count(const struct reckon_comparison *c);
uint32_t reckon_flow_src(const struct reckon_comparison *c, uint32_t f);
uint32_t reckon_flow_dst(const struct reckon_comparison *c, uint32_t f);
const char *reckon_flow_layer(const struct reckon_comparison *c, uint32_t f); /* NULL for none */
double reckon_flow_demand(const struct reckon_comparison *c, uint32_t f);   /* blank: unpaced */
double reckon_flow_expected(const struct reckon_comparison *c, uint32_t f); /* blank: no expectation */
double reckon_flow_achieved(const struct reckon_comparison *c, uint32_t f);
double reckon_flow_sent(const struct reckon_comparison *c, uint32_t f);
/* Percent, blank unless the flow is compared (has both an expectation and a measurement). */
double reckon_flow_efficiency(const struct reckon_comparison *c, uint32_t f);
enum reckon_limit reckon_flow_limit(const struct reckon_comparison *c, uint32_t f);
uint32_t reckon_flow_limit_link(const struct reckon_comparison *c, uint32_t f); /* RECKON_NONE */
double reckon_flow_loss(const struct reckon_comparison *c, uint32_t f);     /* percent */
double reckon_flow_rtt_p50(const struct reckon_comparison *c, uint32_t f);  /* us, loaded */
double reckon_flow_rtt_p99(const struct reckon_comparison *c, uint32_t f);
double reckon_flow_idle_p50(const struct reckon_comparison *c, uint32_t f); /* blank without idle floor */
double reckon_flow_added_rtt(const struct reckon_comparison *c, uint32_t f);
double reckon_flow_size(const struct reckon_comparison *c, uint32_t f);     /* bytes; blank for TCP */
double reckon_flow_reply_size(const struct reckon_comparison *c, uint32_t f);
double reckon_flow_mtu(const struct reckon_comparison *c, uint32_t f);      /* TCP alone, else blank */
const char *reckon_flow_mtu_from(const struct reckon_comparison *c, uint32_t f); /* "layout","netmesh","default"; NULL */
uint32_t reckon_flow_samples(const struct reckon_comparison *c, uint32_t f);
/* The links it crosses with the coefficient of each (bits, or packets, per unit of its rate), terms on one link
 * added; at most RECKON_FLOW_LINKS. Returns how many. */
#define RECKON_FLOW_LINKS 40
size_t reckon_flow_links(const struct reckon_comparison *c, uint32_t f, uint32_t link[RECKON_FLOW_LINKS],
                         double coefficient[RECKON_FLOW_LINKS]);
/* A group whose uplinks it crosses and one of which alone could not carry what the flow expects: a single flow stays on one
 * of them. RECKON_NONE for none. */
uint32_t reckon_flow_over_uplink(const struct reckon_comparison *c, uint32_t f);
/* Whether the surplus others took on its limiting link is at least what it misses there. */
bool reckon_flow_outcompeted(const struct reckon_comparison *c, uint32_t f);

/* ---- evidence ---- */

/* How many flows of a set were compared, and how many of these are short. */
struct reckon_tally {
    uint64_t compared, shorts;
};
/* Whether `set` stands out from `rest`: the chance of as many short flows as in the set or more, binomial with the
 * rest's share of short ones (0 when there is no rest), is at most 0.01 / sets. Exact, without underflow. */
bool reckon_stands_out(struct reckon_tally set, struct reckon_tally rest, uint64_t sets);
/* Median absolute deviation × 1.4826 of the compared efficiencies of flows with both ends unexplained; *median (may be
 * NULL) their median. Blank when there is none. */
double reckon_noise(const struct reckon_comparison *c, double *median);

/* ---- against a baseline ---- */

bool reckon_has_baseline(const struct reckon_comparison *c);
const char *reckon_baseline_path(const struct reckon_comparison *c);
/* "run tue", "the run of 2026-01-05 10:00 UTC", or the file's name. */
const char *reckon_baseline_since(const struct reckon_comparison *c);
const char *reckon_baseline_label(const struct reckon_comparison *c); /* NULL */
double reckon_baseline_ts(const struct reckon_comparison *c);
const char *reckon_baseline_unit(const struct reckon_comparison *c);     /* NULL */
const char *reckon_baseline_describe(const struct reckon_comparison *c); /* NULL */
double reckon_host_then(const struct reckon_comparison *c, uint32_t h);   /* its efficiency in the baseline */
double reckon_host_change(const struct reckon_comparison *c, uint32_t h); /* points; blank unless both exist */
double reckon_flow_then(const struct reckon_comparison *c, uint32_t f);   /* only where it is compared now */
double reckon_flow_change(const struct reckon_comparison *c, uint32_t f);
bool reckon_host_nic_changed(const struct reckon_comparison *c, uint32_t h); /* by more than 1 percent, and than overlays round */
double reckon_host_nic_then(const struct reckon_comparison *c, uint32_t h);  /* Gb/s */
/* Hosts the baseline compared that are not in this run at all, by name; NULL past the end. */
const char *reckon_baseline_missing(const struct reckon_comparison *c, size_t i);
uint64_t reckon_baseline_unreadable_count(const struct reckon_comparison *c);

/* ---- idle floor ---- */

bool reckon_has_idle(const struct reckon_comparison *c);
uint64_t reckon_idle_overlap(const struct reckon_comparison *c); /* rows left out: taken inside the run */
bool reckon_has_speeds(const struct reckon_comparison *c);

#ifdef __cplusplus
}
#endif
#endif
