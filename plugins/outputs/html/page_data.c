/* SPDX-License-Identifier: Apache-2.0
 *
 * The hosts, groups, links and flows of a comparison as a page's rows (page.h). The scripts know the columns
 * by their place: base.js names them.
 */
#include <stdlib.h>
#include <string.h>

#include "../../shared/links.h"
#include "../../shared/worst.h"
#include "page.h"

static void push_text(struct reckon *r, cJSON *row, const char *s) {
    cJSON_AddItemToArray(row, s ? cJSON_CreateString(reckon_utf8(r, s)) : cJSON_CreateNull());
}

double page_flow_share(const struct page_view *v, uint32_t f) {
    double x = reckon_flow_expected(v->c, f);
    if (v->before)
        return x / reckon_flow_expected(v->before, f) * 100;
    return reckon_blank(v->highest) ? reckon_flow_efficiency(v->c, f) : x / v->highest * 100;
}

/* ---- hosts and groups ---- */

/* How full the fuller way of each host's NIC is expected to be, blank where that is not known. Memory of the
 * session. */
static double *nic_shares(struct reckon *r, const struct reckon_comparison *c) {
    double *pct = reckon_alloc(r, (reckon_host_count(c) + (size_t)1) * sizeof *pct);
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        pct[h] = RECKON_BLANK;
    for (uint32_t l = 0; l < reckon_link_count(c); l++)
        if (reckon_link_kind(c, l) == RECKON_LINK_NIC) {
            uint32_t h = reckon_link_host(c, l);
            pct[h] = fmax(pct[h], link_expected_pct(c, l));
        }
    return pct;
}

/* What a host is coloured by, like page_flow_share(); without a change how full its NIC is. */
static double host_share(const struct page_view *v, const double *nic, uint32_t h) {
    if (v->before)
        return reckon_host_expected(v->c, h) / reckon_host_expected(v->before, h) * 100;
    return nic ? nic[h] : reckon_host_efficiency(v->c, h);
}

static cJSON *host_groups(const struct reckon_comparison *c, uint32_t h) {
    cJSON *groups = cJSON_CreateArray();
    for (uint32_t t = 0; t < reckon_tier_count(c); t++)
        page_push_index(groups, reckon_host_group(c, h, t));
    return groups;
}

static cJSON *host(struct reckon *r, const struct page_view *v, const double *nic, uint32_t h) {
    const struct reckon_comparison *c = v->c;
    double got = v->before ? reckon_host_expected(v->before, h) : reckon_host_achieved(c, h);
    const double figures[] = {reckon_host_expected(c, h), got,
                              host_share(v, nic, h),      reckon_host_compared(c, h),
                              reckon_host_short(c, h),    reckon_host_added_rtt(c, h),
                              reckon_host_then(c, h),     reckon_host_change(c, h),
                              reckon_host_nic_gbps(c, h), reckon_host_nic_mpps(c, h)};
    cJSON *row = cJSON_CreateArray();
    push_text(r, row, reckon_host_name(c, h));
    cJSON_AddItemToArray(row, host_groups(c, h));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        page_push(row, figures[i]);
    push_text(r, row, reckon_limit_word(reckon_host_limit(c, h)));
    page_push_index(row, reckon_host_limit_link(c, h));
    push_text(r, row, reckon_verdict_word(reckon_host_verdict(c, h)));
    push_text(r, row, reckon_host_nic_source(c, h));
    return row;
}

static cJSON *group(struct reckon *r, const struct reckon_comparison *c, uint32_t g) {
    cJSON *row = cJSON_CreateArray();
    page_push_index(row, reckon_group_tier(c, g));
    push_text(r, row, reckon_group_path(c, g));
    push_text(r, row, reckon_group_label(c, g));
    page_push(row, reckon_group_uplinks(c, g));
    page_push(row, reckon_group_uplink_gbps(c, g));
    return row;
}

/* ---- links ---- */

static cJSON *link_row(const struct reckon_comparison *c, uint32_t l) {
    uint32_t h = reckon_link_host(c, l);
    cJSON *row = cJSON_CreateArray();
    page_push_index(row, (uint32_t)reckon_link_kind(c, l));
    page_push_index(row, h == RECKON_NONE ? reckon_link_group(c, l) : h);
    page_push_index(row, reckon_link_out(c, l));
    page_push(row, reckon_link_capacity(c, l));
    page_push(row, reckon_link_expected_load(c, l));
    page_push(row, reckon_link_load(c, l));
    page_push_index(row, reckon_link_flows(c, l));
    page_push_index(row, reckon_link_limited(c, l));
    page_push_index(row, l);
    return row;
}

void page_hardware(struct json_document *d, const struct page_view *v) {
    const struct reckon_comparison *c = v->c;
    struct link_list links = link_list(d->r, c);
    const double *nic = reckon_blank(v->highest) ? NULL : nic_shares(d->r, c);
    cJSON *tiers = cJSON_CreateArray();
    for (uint32_t t = 0; t < reckon_tier_count(c); t++)
        push_text(d->r, tiers, reckon_tier_kind(c, t));
    json_value(d, "tiers", tiers);
    json_open(d, "hosts", '[');
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        json_value(d, NULL, host(d->r, v, nic, h));
    json_close(d, ']');
    json_open(d, "groups", '[');
    for (uint32_t g = 0; g < reckon_group_count(c); g++)
        json_value(d, NULL, group(d->r, c, g));
    json_close(d, ']');
    json_open(d, "links", '[');
    for (uint32_t i = 0; i < links.count; i++)
        json_value(d, NULL, link_row(c, links.at[i]));
    json_close(d, ']');
}

/* ---- flows ---- */

/* Layers by the number they get here; a run has few, so that a search does. */
struct layers {
    const char **name;
    size_t count, cap;
};

static uint32_t layer_number(struct layers *all, const char *name) {
    if (!name)
        return RECKON_NONE;
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->name[i], name))
            return (uint32_t)i;
    all->name = reckon_grow(all->name, all->count, &all->cap, sizeof *all->name);
    all->name[all->count] = name;
    return (uint32_t)all->count++;
}

/* The different rates that flows expect or ask for, sorted: they are few, and flows name them by their place.
 */
struct rates {
    double *at;
    size_t count;
};

static int by_rate(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct rates gather_rates(const struct reckon_comparison *c, const struct worst *worst) {
    struct rates all = {reckon_resize(NULL, 2 * worst->count + 1, sizeof *all.at), 0};
    size_t n = 0;
    for (size_t i = 0; i < worst->count; i++) {
        const double both[] = {reckon_flow_expected(c, worst->at[i].index),
                               reckon_flow_demand(c, worst->at[i].index)};
        for (size_t k = 0; k < 2; k++)
            if (!reckon_blank(both[k]))
                all.at[n++] = both[k];
    }
    qsort(all.at, n, sizeof *all.at, by_rate);
    for (size_t i = 0; i < n; i++)
        if (!all.count || all.at[i] != all.at[all.count - 1])
            all.at[all.count++] = all.at[i];
    return all;
}

static uint32_t rate_number(const struct rates *all, double x) {
    const double *found = bsearch(&x, all->at, all->count, sizeof x, by_rate);
    return reckon_blank(x) || !found ? RECKON_NONE : (uint32_t)(found - all->at);
}

/* ---- a flow ---- */

struct flows {
    const struct page_view *v;
    struct layers layers;
    struct rates rates;
};

/* A link's number, or -1 - the limit. */
static void push_limit(cJSON *row, const struct reckon_comparison *c, uint32_t f) {
    uint32_t l = reckon_flow_limit_link(c, f);
    if (l == RECKON_NONE)
        page_push(row, -1 - (double)reckon_flow_limit(c, f));
    else
        page_push_index(row, l);
}

/* Blanks at the end of the row are left out; what can be worked out from the rest (efficiency, added RTT,
 * change) is not in it. */
static cJSON *flow(struct flows *all, uint32_t f) {
    const struct reckon_comparison *c = all->v->c, *before = all->v->before;
    uint32_t layer = layer_number(&all->layers, reckon_flow_layer(c, f));
    uint32_t demand = rate_number(&all->rates, reckon_flow_demand(c, f));
    const double figures[] = {reckon_flow_loss(c, f), reckon_flow_rtt_p50(c, f), reckon_flow_idle_p50(c, f),
                              reckon_flow_then(c, f)};
    size_t n = sizeof figures / sizeof *figures;
    cJSON *row = cJSON_CreateArray();
    page_push_index(row, reckon_flow_src(c, f));
    page_push_index(row, reckon_flow_dst(c, f));
    page_push_index(row, rate_number(&all->rates, reckon_flow_expected(c, f)));
    page_push_short(row, before ? reckon_flow_expected(before, f) : reckon_flow_achieved(c, f));
    push_limit(row, c, f);
    while (n && reckon_blank(figures[n - 1]))
        n--;
    if (n || demand != RECKON_NONE || layer != RECKON_NONE)
        page_push_index(row, layer);
    if (n || demand != RECKON_NONE)
        page_push_index(row, demand);
    for (size_t i = 0; i < n; i++)
        page_push_short(row, figures[i]);
    return row;
}

/* A flow that was not compared stands behind all that were. */
static double rank_of(const struct page_view *v, uint32_t f) {
    double x = page_flow_share(v, f);
    return reckon_blank(x) ? HUGE_VAL : x;
}

/* The flows that are not listed, summed up: how many, and of their shares the lowest, the median and the
 * highest. */
static void put_rest(struct json_document *d, const struct page_view *v, const struct worst *worst) {
    uint32_t n = reckon_flow_count(v->c), rest = 0, compared = 0;
    bool *listed = reckon_resize(NULL, n + (size_t)1, sizeof *listed);
    double *value = reckon_resize(NULL, n + (size_t)1, sizeof *value), low = RECKON_BLANK,
           high = RECKON_BLANK;
    memset(listed, 0, n * sizeof *listed);
    for (size_t i = 0; i < worst->count; i++)
        listed[worst->at[i].index] = true;
    for (uint32_t f = 0; f < n; f++) {
        double x = listed[f] ? RECKON_BLANK : page_flow_share(v, f);
        rest += !listed[f];
        low = fmin(low, x);
        high = fmax(high, x);
        if (!reckon_blank(x))
            value[compared++] = x;
    }
    cJSON *o = cJSON_CreateObject();
    json_number(o, "count", rest);
    json_number(o, "highest", high);
    json_number(o, "lowest", low);
    json_number(o, "median", reckon_median(value, compared));
    json_value(d, "rest", rest ? o : cJSON_CreateNull());
    if (!rest)
        cJSON_Delete(o);
    free(value);
    free(listed);
}

/* Counts by 5 percent, 0 to 200; the last one holds all above. */
#define BINS 41
#define BIN_PCT 5

static void put_histogram(struct json_document *d, const struct page_view *v) {
    uint32_t bins[BINS] = {0};
    for (uint32_t f = 0; f < reckon_flow_count(v->c); f++) {
        double x = page_flow_share(v, f) / BIN_PCT;
        if (x >= 0)
            bins[x < BINS - 1 ? (size_t)x : BINS - 1]++;
    }
    cJSON *all = cJSON_CreateArray();
    for (size_t i = 0; i < BINS; i++)
        page_push_index(all, bins[i]);
    json_value(d, "histogram", all);
}

void page_flows(struct json_document *d, const struct page_view *v) {
    struct worst worst = worst_new(d->r, PAGE_FLOWS, reckon_flow_count(v->c));
    for (uint32_t f = 0; f < reckon_flow_count(v->c); f++)
        worst_offer(&worst, rank_of(v, f), f);
    worst_sort(&worst);
    struct flows all = {.v = v, .rates = gather_rates(v->c, &worst)};
    json_open(d, "flows", '[');
    for (size_t i = 0; i < worst.count; i++)
        json_value(d, NULL, flow(&all, worst.at[i].index));
    json_close(d, ']');
    put_rest(d, v, &worst);
    put_histogram(d, v);
    cJSON *names = cJSON_CreateArray(), *rates = cJSON_CreateArray();
    for (size_t i = 0; i < all.layers.count; i++)
        push_text(d->r, names, all.layers.name[i]);
    for (size_t i = 0; i < all.rates.count; i++)
        page_push(rates, all.rates.at[i]);
    json_value(d, "layers", names);
    json_value(d, "rates", rates);
    free(all.layers.name);
    free(all.rates.at);
}
