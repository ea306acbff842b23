/* SPDX-License-Identifier: Apache-2.0
 *
 * What modules may read of flows: one function a figure.
 */
#include "compare.h"
#include "wire.h"

uint32_t reckon_flow_count(const struct reckon_comparison *c) {
    return c->nflows;
}

uint32_t reckon_flow_src(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].src;
}

uint32_t reckon_flow_dst(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].dst;
}

const char *reckon_flow_layer(const struct reckon_comparison *c, uint32_t f) {
    return c->layers[c->flows[f].layer];
}

double reckon_flow_demand(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].demand;
}

double reckon_flow_expected(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].expected;
}

double reckon_flow_achieved(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].achieved;
}

double reckon_flow_sent(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].sent;
}

double reckon_flow_efficiency(const struct reckon_comparison *c, uint32_t f) {
    return flow_efficiency(&c->flows[f]);
}

enum reckon_limit reckon_flow_limit(const struct reckon_comparison *c, uint32_t f) {
    return (enum reckon_limit)c->flows[f].limit;
}

uint32_t reckon_flow_limit_link(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].limit_link;
}

double reckon_flow_loss(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].loss;
}

double reckon_flow_rtt_p50(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].rtt_p50;
}

double reckon_flow_rtt_p99(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].rtt_p99;
}

/* An idle floor is held against flows that have a loaded p50; others have none. */
double reckon_flow_idle_p50(const struct reckon_comparison *c, uint32_t f) {
    return c->idle_p50 && !reckon_blank(c->flows[f].rtt_p50) ? c->idle_p50[f] : RECKON_BLANK;
}

double reckon_flow_added_rtt(const struct reckon_comparison *c, uint32_t f) {
    return flow_added_rtt(c, f);
}

double reckon_flow_size(const struct reckon_comparison *c, uint32_t f) {
    return c->shapes[c->flows[f].shape].size;
}

double reckon_flow_reply_size(const struct reckon_comparison *c, uint32_t f) {
    return c->shapes[c->flows[f].shape].reply;
}

double reckon_flow_mtu(const struct reckon_comparison *c, uint32_t f) {
    return c->shapes[c->flows[f].shape].mtu;
}

const char *reckon_flow_mtu_from(const struct reckon_comparison *c, uint32_t f) {
    uint8_t flags = c->flows[f].flags;
    if (flags & FLOW_MTU_LAYOUT)
        return "layout";
    if (flags & FLOW_MTU_IDLE)
        return c->idle_source;
    return flags & FLOW_MTU_DEFAULT ? "default" : NULL;
}

uint32_t reckon_flow_samples(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].samples;
}

size_t reckon_flow_links(const struct reckon_comparison *c, uint32_t f, uint32_t link[RECKON_FLOW_LINKS],
                         double coefficient[RECKON_FLOW_LINKS]) {
    return flow_links(c, &c->flows[f], link, coefficient);
}

uint32_t reckon_flow_over_uplink(const struct reckon_comparison *c, uint32_t f) {
    uint32_t link[RECKON_FLOW_LINKS];
    double coefficient[RECKON_FLOW_LINKS];
    size_t n = reckon_flow_links(c, f, link, coefficient);
    for (size_t i = 0; i < n; i++) {
        uint32_t g = link_group(c, link[i]);
        /* a little slack: what fills a single uplink exactly is not more than it carries */
        if (g != RECKON_NONE &&
            coefficient[i] * c->flows[f].expected > c->groups[g].uplink_gbps * 1e9 * (1 + 1e-9))
            return g;
    }
    return RECKON_NONE;
}

bool reckon_flow_outcompeted(const struct reckon_comparison *c, uint32_t f) {
    return c->flows[f].flags & FLOW_OUTCOMPETED;
}
