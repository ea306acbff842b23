/* SPDX-License-Identifier: Apache-2.0
 *
 * What modules may read of a run, its hardware and its links: one function a figure, so that the records
 * behind them can change. Flows are in flows.c, the baseline's figures in baseline.c.
 */
#include <string.h>

#include "wire.h"

/* ---- the run ---- */

const char *reckon_run_source(const struct reckon_comparison *c) {
    return c->source;
}

const char *reckon_run_unit(const struct reckon_comparison *c) {
    return c->unit;
}

enum reckon_workload reckon_run_workload(const struct reckon_comparison *c) {
    return c->workload;
}

const char *reckon_run_describe(const struct reckon_comparison *c) {
    return c->describe;
}

const char *reckon_run_mode(const struct reckon_comparison *c) {
    return c->mode;
}

enum reckon_sharing reckon_run_sharing(const struct reckon_comparison *c) {
    return c->sharing;
}

const char *reckon_run_id(const struct reckon_comparison *c) {
    return c->run_id;
}

double reckon_run_first_ts(const struct reckon_comparison *c) {
    return c->first_ts;
}

double reckon_run_last_ts(const struct reckon_comparison *c) {
    return c->last_ts;
}

double reckon_run_window(const struct reckon_comparison *c) {
    return c->window;
}

bool reckon_run_loose_times(const struct reckon_comparison *c) {
    return c->loose_times;
}

bool reckon_run_has(const struct reckon_comparison *c, enum reckon_figure host_figure) {
    for (uint32_t h = 0; h < c->nhosts; h++)
        if (!reckon_blank(reckon_host_figure(c, h, host_figure)))
            return true;
    return false;
}

size_t reckon_failed_count(const struct reckon_comparison *c) {
    return c->nfailed;
}

void reckon_failed_at(const struct reckon_comparison *c, size_t i, const char **source, const char **target,
                      const char **status, const char **error) {
    const struct failed_test *t = &c->failed[i];
    if (source)
        *source = t->source;
    if (target)
        *target = t->target;
    if (status)
        *status = t->status;
    if (error)
        *error = t->error;
}

bool reckon_has_idle(const struct reckon_comparison *c) {
    return c->has_idle;
}

uint64_t reckon_idle_overlap(const struct reckon_comparison *c) {
    return c->idle_overlap;
}

bool reckon_has_speeds(const struct reckon_comparison *c) {
    return c->has_speeds;
}

/* ---- hosts ---- */

uint32_t reckon_host_count(const struct reckon_comparison *c) {
    return c->nhosts;
}

const char *reckon_host_name(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].name;
}

uint32_t reckon_host_named(const struct reckon_comparison *c, const char *name) {
    uint32_t low = 0, high = c->nhosts;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(c->hosts[middle].name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return RECKON_NONE;
}

bool reckon_host_reported(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].reported;
}

double reckon_host_nic_gbps(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].nic_gbps;
}

const char *reckon_host_nic_source(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].nic_source;
}

double reckon_host_layout_gbps(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].layout_gbps;
}

double reckon_host_declared_gbps(const struct reckon_comparison *c, uint32_t h) {
    const struct host *host = &c->hosts[h];
    return reckon_blank(host->layout_gbps) ? host->flag_gbps : host->layout_gbps;
}

double reckon_host_measured_gbps(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].measured_gbps;
}

const char *reckon_host_measured_raw(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].measured_raw;
}

double reckon_host_nic_mpps(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].nic_mpps;
}

double reckon_host_mtu(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].mtu;
}

bool reckon_host_in_layout(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].in_layout;
}

uint32_t reckon_host_element(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].element;
}

uint32_t reckon_host_group(const struct reckon_comparison *c, uint32_t h, uint32_t tier) {
    return tier < c->ntiers ? c->hosts[h].group[tier] : RECKON_NONE;
}

double reckon_host_expected(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].expected;
}

double reckon_host_achieved(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].achieved;
}

double reckon_host_efficiency(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].efficiency;
}

uint32_t reckon_host_compared(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].compared;
}

uint32_t reckon_host_short(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].shorts;
}

double reckon_host_added_rtt(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].added_rtt;
}

enum reckon_limit reckon_host_limit(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].limit;
}

uint32_t reckon_host_limit_link(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].limit_link;
}

enum reckon_verdict reckon_host_verdict(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].verdict;
}

double reckon_host_figure(const struct reckon_comparison *c, uint32_t h, enum reckon_figure cpu_figure) {
    const struct host *host = &c->hosts[h];
    switch (cpu_figure) {
    case RECKON_CPU_CORE:
        return host->cpu_core;
    case RECKON_CPU_AGENT:
        return host->cpu_agent;
    case RECKON_CPU_PEAK:
        return host->cpu_peak;
    case RECKON_CPU_SOFTIRQ:
        return host->cpu_softirq;
    default:
        return RECKON_BLANK;
    }
}

bool reckon_host_has_flow(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].touching > 0;
}

bool reckon_host_explained(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].explained;
}

void reckon_explain_host(struct reckon_comparison *c, uint32_t h) {
    c->hosts[h].explained = true;
}

/* ---- groups ---- */

uint32_t reckon_tier_count(const struct reckon_comparison *c) {
    return c->ntiers;
}

const char *reckon_tier_kind(const struct reckon_comparison *c, uint32_t tier) {
    return c->tier_kind[tier];
}

uint32_t reckon_group_count(const struct reckon_comparison *c) {
    return c->ngroups;
}

uint32_t reckon_group_tier(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].tier;
}

const char *reckon_group_path(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].path;
}

const char *reckon_group_label(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].label;
}

double reckon_group_uplinks(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].uplinks;
}

double reckon_group_uplink_gbps(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].uplink_gbps;
}

uint32_t reckon_group_element(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].element;
}

uint32_t reckon_group_size(const struct reckon_comparison *c, uint32_t g) {
    return c->groups[g].size;
}

uint32_t reckon_group_host(const struct reckon_comparison *c, uint32_t g, uint32_t i) {
    return c->groups[g].hosts[i];
}

size_t reckon_problem_count(const struct reckon_comparison *c) {
    return c->nproblems;
}

void reckon_problem_at(const struct reckon_comparison *c, size_t i, struct reckon_problem *out) {
    size_t size = out->size < sizeof *out ? out->size : sizeof *out;
    memcpy(out, &c->problems[i], size);
    out->size = size;
}

/* ---- links ---- */

uint32_t reckon_link_count(const struct reckon_comparison *c) {
    return c->nlinks;
}

bool reckon_link_out(const struct reckon_comparison *c, uint32_t l) {
    (void)c;
    return link_out(l);
}

uint32_t reckon_link_host(const struct reckon_comparison *c, uint32_t l) {
    return link_host(c, l);
}

uint32_t reckon_link_group(const struct reckon_comparison *c, uint32_t l) {
    return link_group(c, l);
}

double reckon_link_capacity(const struct reckon_comparison *c, uint32_t l) {
    return c->links[l].capacity;
}

double reckon_link_expected_load(const struct reckon_comparison *c, uint32_t l) {
    return c->links[l].expected_load;
}

double reckon_link_load(const struct reckon_comparison *c, uint32_t l) {
    return c->links[l].load;
}

double reckon_link_utilisation(const struct reckon_comparison *c, uint32_t l) {
    return c->links[l].load / c->links[l].capacity * 100; /* blank when the capacity is */
}

uint32_t reckon_link_flows(const struct reckon_comparison *c, uint32_t l) {
    return c->links[l].flows;
}

uint32_t reckon_link_limited(const struct reckon_comparison *c, uint32_t l) {
    return c->links[l].limited;
}
