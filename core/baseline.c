/* SPDX-License-Identifier: Apache-2.0
 *
 * The baseline: an earlier reckoning's efficiencies, matched by name to this run's hosts and flows.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "compare.h"

struct then_host {
    double efficiency, nic_gbps;
};

struct then_flow {
    uint32_t src, dst, layer; /* numbers in names and layers; after matching: of the run */
    double efficiency;
};

struct reckon_baseline {
    struct reckon *r;
    const char *path, *label, *unit, *describe, *since;
    double ts;
    struct names names, layers; /* layers: "" for none */
    struct then_host *hosts;    /* by number in names */
    size_t nhosts, hosts_cap;
    struct then_flow *flows;
    size_t nflows, flows_cap;
    uint64_t unreadable;
};

struct reckon_baseline *baseline_new(struct reckon *r, const char *path) {
    struct reckon_baseline *b = reckon_alloc(r, sizeof *b);
    b->r = r;
    b->path = path;
    b->ts = RECKON_BLANK;
    return b;
}

void baseline_free(struct reckon_baseline *b) {
    if (!b)
        return;
    names_free(&b->names);
    names_free(&b->layers);
    free(b->hosts);
    free(b->flows);
}

/* ---- what the readers hand over ---- */

static const char *copy(struct reckon *r, const char *text) {
    return text ? reckon_strdup(r, text) : NULL;
}

void reckon_baseline_about(struct reckon_baseline *b, const char *label, double ts, const char *unit,
                           const char *describe) {
    b->label = copy(b->r, label);
    b->unit = copy(b->r, unit);
    b->describe = copy(b->r, describe);
    b->ts = ts;
}

static uint32_t number_of(struct reckon_baseline *b, const char *name) {
    uint32_t n = names_add(&b->names, name, strlen(name));
    while (b->nhosts <= n) {
        b->hosts = reckon_grow(b->hosts, b->nhosts, &b->hosts_cap, sizeof *b->hosts);
        b->hosts[b->nhosts++] = (struct then_host){RECKON_BLANK, RECKON_BLANK};
    }
    return n;
}

void reckon_baseline_host(struct reckon_baseline *b, const char *host, double efficiency_pct) {
    uint32_t n = number_of(b, host); /* may move the array */
    b->hosts[n].efficiency = efficiency_pct;
}

void reckon_baseline_nic(struct reckon_baseline *b, const char *host, double nic_gbps) {
    uint32_t n = number_of(b, host);
    b->hosts[n].nic_gbps = nic_gbps;
}

void reckon_baseline_flow(struct reckon_baseline *b, const char *src, const char *dst, const char *layer,
                          double efficiency_pct) {
    if (reckon_blank(efficiency_pct))
        return;
    if (!layer)
        layer = "";
    uint32_t s = number_of(b, src), d = number_of(b, dst);
    b->flows = reckon_grow(b->flows, b->nflows, &b->flows_cap, sizeof *b->flows);
    b->flows[b->nflows++] =
        (struct then_flow){s, d, names_add(&b->layers, layer, strlen(layer)), efficiency_pct};
}

void reckon_baseline_unreadable(struct reckon_baseline *b) {
    b->unreadable++;
}

/* ---- refusals ---- */

int baseline_check(struct reckon *r, const struct reckon_baseline *b, const char *unit) {
    size_t compared = 0;
    for (size_t i = 0; i < b->nhosts; i++)
        compared += !reckon_blank(b->hosts[i].efficiency);
    if (!compared)
        return reckon_error(r, b->path, 0, "the baseline compared no host");
    if (b->unit && strcmp(b->unit, unit))
        return reckon_error(r, b->path, 0,
                            "the baseline counts %s and this run %s: they grade different things",
                            reckon_printable(r, b->unit), unit);
    return 0;
}

/* ---- matching hosts ---- */

/* A host of the run under the name an output wrote for it, where that is not its own: outputs escape the
 * bytes they cannot hold. */
struct alias {
    const char *written;
    uint32_t host;
};

struct aliases {
    struct alias *at;
    size_t count, cap;
};

static void add_alias(struct aliases *a, const char *name, const char *written, uint32_t host) {
    if (!strcmp(name, written))
        return;
    a->at = reckon_grow(a->at, a->count, &a->cap, sizeof *a->at);
    a->at[a->count++] = (struct alias){written, host};
}

static uint32_t host_written(const struct reckon_comparison *c, const struct aliases *a,
                             const char *written) {
    uint32_t host = reckon_host_named(c, written);
    for (size_t i = 0; host == RECKON_NONE && i < a->count; i++)
        if (!strcmp(a->at[i].written, written))
            host = a->at[i].host;
    return host;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool was_compared(const struct reckon_baseline *b, uint32_t i) {
    return !reckon_blank(b->hosts[i].efficiency);
}

/* The hosts it compared that are not in this run, by name. */
static void list_missing(struct reckon_comparison *c, const struct reckon_baseline *b, const uint32_t *host) {
    size_t n = 0;
    for (uint32_t i = 0; i < b->nhosts; i++)
        n += host[i] == RECKON_NONE && was_compared(b, i);
    c->missing = reckon_alloc(c->r, (n + 1) * sizeof *c->missing);
    for (uint32_t i = 0; i < b->nhosts; i++)
        if (host[i] == RECKON_NONE && was_compared(b, i))
            c->missing[c->nmissing++] = b->names.text[i];
    qsort(c->missing, n, sizeof *c->missing, by_name);
}

static void match_hosts(struct reckon_comparison *c, const struct reckon_baseline *b, uint32_t *host) {
    struct aliases aliases = {0};
    for (uint32_t h = 0; h < c->nhosts; h++) {
        const char *name = c->hosts[h].name;
        c->hosts[h].then = c->hosts[h].nic_then = RECKON_BLANK;
        add_alias(&aliases, name, reckon_utf8(c->r, name), h);
        add_alias(&aliases, name, reckon_printable(c->r, name), h);
    }
    for (uint32_t i = 0; i < b->nhosts; i++) {
        host[i] = host_written(c, &aliases, b->names.text[i]);
        if (host[i] == RECKON_NONE)
            continue;
        c->hosts[host[i]].then = b->hosts[i].efficiency;
        c->hosts[host[i]].nic_then = b->hosts[i].nic_gbps;
    }
    free(aliases.at);
    list_missing(c, b, host);
}

/* ---- matching flows ---- */

/* By ends and layer; of several for one flow the lowest figure comes first and counts. */
static int flow_order(const void *a, const void *b) {
    const struct then_flow *x = a, *y = b;
    if (x->src != y->src)
        return x->src < y->src ? -1 : 1;
    if (x->dst != y->dst)
        return x->dst < y->dst ? -1 : 1;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return (x->efficiency > y->efficiency) - (x->efficiency < y->efficiency);
}

/* The run's layer of that name, "" for none; RECKON_NONE when it has no such layer. */
static uint32_t layer_named(const struct reckon_comparison *c, const char *name) {
    if (!*name)
        return 0;
    const char **found = bsearch(&name, c->layers + 1, c->nlayers - 1, sizeof *c->layers, by_name);
    return found ? (uint32_t)(found - c->layers) : RECKON_NONE;
}

/* Renumbers the flows to the run's hosts and layers, leaving out those it does not have; sorted. */
static void renumber_flows(struct reckon_baseline *b, const struct reckon_comparison *c,
                           const uint32_t *host) {
    uint32_t *layer = reckon_resize(NULL, b->layers.count, sizeof *layer);
    size_t n = 0;
    for (uint32_t i = 0; i < b->layers.count; i++)
        layer[i] = layer_named(c, b->layers.text[i]);
    for (size_t i = 0; i < b->nflows; i++) {
        struct then_flow f = b->flows[i];
        f.src = host[f.src];
        f.dst = host[f.dst];
        f.layer = layer[f.layer];
        if (f.src != RECKON_NONE && f.dst != RECKON_NONE && f.layer != RECKON_NONE)
            b->flows[n++] = f;
    }
    b->nflows = n;
    free(layer);
    if (n)
        qsort(b->flows, n, sizeof *b->flows, flow_order);
}

static bool same_flow(const struct then_flow *then, const struct flow *now) {
    return then->src == now->src && then->dst == now->dst && then->layer == now->layer;
}

static void match_flows(struct reckon_comparison *c, const struct reckon_baseline *b) {
    size_t i = 0;
    c->flow_then = reckon_alloc(c->r, (c->nflows + (size_t)1) * sizeof *c->flow_then);
    for (uint32_t f = 0; f < c->nflows; f++) {
        struct then_flow key = {c->flows[f].src, c->flows[f].dst, c->flows[f].layer,
                                -1}; /* before any figure */
        while (i < b->nflows && flow_order(&b->flows[i], &key) < 0)
            i++;
        bool found = i < b->nflows && same_flow(&b->flows[i], &c->flows[f]);
        c->flow_then[f] = found ? b->flows[i].efficiency : RECKON_BLANK;
    }
}

/* ---- the whole ---- */

static const char *since(const struct reckon_baseline *b) {
    char when[64];
    struct tm tm;
    if (b->label)
        return reckon_text(b->r, "run %s", b->label);
    time_t t = fabs(b->ts) < 1e11 ? (time_t)b->ts : 0;
    if (fabs(b->ts) < 1e11 && gmtime_r(&t, &tm) && strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm))
        return reckon_text(b->r, "the run of %s UTC", when);
    if (!strcmp(b->path, "-"))
        return "standard input";
    const char *slash = strrchr(b->path, '/');
    return slash && slash[1] ? slash + 1 : b->path;
}

void baseline_apply(struct reckon_comparison *c, struct reckon_baseline *b) {
    uint32_t *host = reckon_resize(NULL, b->nhosts, sizeof *host);
    match_hosts(c, b, host);
    renumber_flows(b, c, host);
    match_flows(c, b);
    free(host);
    b->since = since(b);
    c->baseline = b;
}

/* ---- reading it back ---- */

bool reckon_has_baseline(const struct reckon_comparison *c) {
    return c->baseline != NULL;
}

const char *reckon_baseline_path(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->path : NULL;
}

const char *reckon_baseline_since(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->since : NULL;
}

const char *reckon_baseline_label(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->label : NULL;
}

double reckon_baseline_ts(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->ts : RECKON_BLANK;
}

const char *reckon_baseline_unit(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->unit : NULL;
}

const char *reckon_baseline_describe(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->describe : NULL;
}

double reckon_host_then(const struct reckon_comparison *c, uint32_t h) {
    return c->baseline ? c->hosts[h].then : RECKON_BLANK;
}

double reckon_host_change(const struct reckon_comparison *c, uint32_t h) {
    return c->hosts[h].efficiency - reckon_host_then(c, h);
}

double reckon_flow_then(const struct reckon_comparison *c, uint32_t f) {
    return c->flow_then && !reckon_blank(flow_efficiency(&c->flows[f])) ? c->flow_then[f] : RECKON_BLANK;
}

double reckon_flow_change(const struct reckon_comparison *c, uint32_t f) {
    return flow_efficiency(&c->flows[f]) - reckon_flow_then(c, f);
}

double reckon_host_nic_then(const struct reckon_comparison *c, uint32_t h) {
    return c->baseline ? c->hosts[h].nic_then : RECKON_BLANK;
}

/* An overlay has speeds with three decimals, which for slow links are more than a percent from what the model
 * used. */
static bool rounds_to(double now, double then) {
    double thousandths = then * 1000;
    return fabs(thousandths - nearbyint(thousandths)) < 1e-6 && fabs(now * 1000 - thousandths) < 0.5 + 1e-6;
}

bool reckon_host_nic_changed(const struct reckon_comparison *c, uint32_t h) {
    double now = c->hosts[h].nic_gbps, then = reckon_host_nic_then(c, h);
    return fabs(now - then) > 0.01 * then && !rounds_to(now, then);
}

const char *reckon_baseline_missing(const struct reckon_comparison *c, size_t i) {
    return i < c->nmissing ? c->missing[i] : NULL;
}

uint64_t reckon_baseline_unreadable_count(const struct reckon_comparison *c) {
    return c->baseline ? c->baseline->unreadable : 0;
}
