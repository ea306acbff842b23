/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparisons put together by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "../core/wire.h"
#include "fabric.h"

/* Room for one more at p[n]; the arrays double, so that their sizes need not be kept. */
static void *more(void *p, uint32_t n, size_t size) {
    if (n & (n - 1))
        return p;
    return reckon_resize(p, n ? 2 * (size_t)n : 1, size);
}

struct reckon_comparison *fabric_new(struct reckon *r, enum reckon_workload workload,
                                     enum reckon_sharing sharing) {
    struct reckon_comparison *c = calloc(1, sizeof *c);
    if (!c)
        abort();
    c->r = r;
    c->workload = workload;
    c->sharing = sharing;
    c->unit = workload == RECKON_REQUEST_REPLY ? "pps" : "Mb/s";
    c->source = workload == RECKON_REQUEST_REPLY ? "mx" : "iperf";
    c->first_ts = c->last_ts = c->window = BLANK;
    fabric_layer(c, NULL);
    return c;
}

uint32_t fabric_group(struct reckon_comparison *c, uint32_t tier, const char *path, double uplinks,
                      double gbps) {
    c->groups = more(c->groups, c->ngroups, sizeof *c->groups);
    const char *slash = strrchr(path, '/');
    c->groups[c->ngroups] = (struct group){.tier = tier,
                                           .element = NONE,
                                           .path = path,
                                           .label = slash ? slash + 1 : path,
                                           .uplinks = uplinks,
                                           .uplink_gbps = gbps};
    if (tier >= c->ntiers) {
        c->tier_kind[tier] = tier ? "pod" : "rack";
        c->ntiers = tier + 1;
    }
    return c->ngroups++;
}

uint32_t fabric_host(struct reckon_comparison *c, const char *name, double gbps, double mpps, uint32_t inner,
                     uint32_t outer) {
    c->hosts = more(c->hosts, c->nhosts, sizeof *c->hosts);
    struct host *h = &c->hosts[c->nhosts];
    *h = (struct host){.name = name,
                       .reported = true,
                       .element = NONE,
                       .layout_gbps = gbps,
                       .flag_gbps = BLANK,
                       .measured_gbps = BLANK,
                       .nic_gbps = gbps,
                       .nic_mpps = mpps,
                       .mtu = BLANK,
                       .nic_source = reckon_blank(gbps) ? NULL : "layout",
                       .then = BLANK,
                       .nic_then = BLANK};
    for (uint32_t t = 0; t < MAX_TIERS; t++)
        h->group[t] = NONE;
    h->group[0] = inner;
    h->group[1] = outer;
    return c->nhosts++;
}

uint32_t fabric_shape(struct reckon_comparison *c, double size, double reply) {
    c->shapes = more(c->shapes, c->nshapes, sizeof *c->shapes);
    struct shape *s = &c->shapes[c->nshapes];
    *s = (struct shape){.size = size, .reply = reply, .mtu = BLANK};
    if (c->workload == RECKON_TCP)
        *s = (struct shape){.size = BLANK, .reply = BLANK, .mtu = size};
    shape_fill(s, c->workload);
    return c->nshapes++;
}

uint32_t fabric_layer(struct reckon_comparison *c, const char *name) {
    c->layers = more(c->layers, c->nlayers, sizeof *c->layers);
    c->layers[c->nlayers] = name;
    return c->nlayers++;
}

struct flow *fabric_flow(struct reckon_comparison *c, uint32_t src, uint32_t dst, uint32_t layer,
                         uint32_t shape, double demand, double achieved) {
    c->flows = more(c->flows, c->nflows, sizeof *c->flows);
    struct flow *f = &c->flows[c->nflows++];
    *f = (struct flow){.src = src,
                       .dst = dst,
                       .layer = layer,
                       .shape = shape,
                       .limit_link = NONE,
                       .samples = 1,
                       .demand = demand,
                       .achieved = achieved,
                       .sent = achieved,
                       .expected = BLANK,
                       .loss = BLANK,
                       .rtt_p50 = BLANK,
                       .rtt_p99 = BLANK};
    return f;
}

void fabric_all_to_all(struct reckon_comparison *c, uint32_t shape, double demand, double achieved) {
    for (uint32_t a = 0; a < c->nhosts; a++)
        for (uint32_t b = 0; b < c->nhosts; b++)
            if (a != b)
                fabric_flow(c, a, b, 0, shape, demand, achieved);
}

static int by_ends(const void *pa, const void *pb) {
    const struct flow *a = pa, *b = pb;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    if (a->dst != b->dst)
        return a->dst < b->dst ? -1 : 1;
    return a->layer < b->layer ? -1 : a->layer > b->layer;
}

static bool in_order(const struct reckon_comparison *c) {
    for (uint32_t i = 1; i < c->nflows; i++)
        if (by_ends(&c->flows[i - 1], &c->flows[i]) > 0)
            return false;
    return true;
}

static void rank_groups(struct reckon_comparison *c) {
    for (uint32_t a = 0; a < c->ngroups; a++) {
        c->groups[a].rank = 0;
        for (uint32_t b = 0; b < c->ngroups; b++)
            c->groups[a].rank += strcmp(c->groups[b].path, c->groups[a].path) < 0;
    }
}

static void fill_groups(struct reckon_comparison *c) {
    for (uint32_t h = 0; h < c->nhosts; h++)
        for (uint32_t t = 0; t < c->ntiers; t++) {
            if (c->hosts[h].group[t] == NONE)
                continue;
            struct group *g = &c->groups[c->hosts[h].group[t]];
            g->hosts = more(g->hosts, g->size, sizeof *g->hosts);
            g->hosts[g->size++] = h;
        }
}

void fabric_ready(struct reckon_comparison *c) {
    if (!in_order(c))
        qsort(c->flows, c->nflows, sizeof *c->flows, by_ends);
    rank_groups(c);
    fill_groups(c);
    c->nlinks = HOST_LINKS * c->nhosts + GROUP_LINKS * c->ngroups;
    c->links = calloc(c->nlinks ? c->nlinks : 1, sizeof *c->links);
    if (!c->links)
        abort();
    for (uint32_t l = 0; l < c->nlinks; l++) {
        uint32_t h = link_host(c, l), g = link_group(c, l);
        if (g != NONE)
            c->links[l].capacity = c->groups[g].uplinks * c->groups[g].uplink_gbps * 1e9;
        else
            c->links[l].capacity =
                l % HOST_LINKS < PPS_OUT ? c->hosts[h].nic_gbps * 1e9 : c->hosts[h].nic_mpps * 1e6;
    }
}

void fabric_free(struct reckon_comparison *c) {
    for (uint32_t g = 0; g < c->ngroups; g++)
        free(c->groups[g].hosts);
    free(c->hosts);
    free(c->groups);
    free(c->links);
    free(c->flows);
    free(c->layers);
    free(c->shapes);
    free(c->idle_p50);
    free(c->flow_then);
    free(c);
}
