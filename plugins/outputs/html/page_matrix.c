/* SPDX-License-Identifier: Apache-2.0
 *
 * The matrix: rows send, columns receive. By host while there are few enough to be drawn, else by group, else
 * by stretches of hosts in order of name (page.h).
 */
#include <stdio.h>
#include <stdlib.h>

#include "page.h"

#define MOST 300 /* blocks each way */

struct blocks {
    uint32_t *of; /* per host */
    uint32_t count;
    const char *by; /* a kind of groups; NULL: stretches of hosts */
    uint32_t tier, stretch;
};

/* The innermost tier that has few enough groups; RECKON_NONE. */
static uint32_t tier_for(const struct reckon_comparison *c) {
    for (uint32_t t = 0; t < reckon_tier_count(c); t++) {
        uint32_t n = 0;
        for (uint32_t g = 0; g < reckon_group_count(c); g++)
            n += reckon_group_tier(c, g) == t;
        if (n && n < MOST)
            return t;
    }
    return RECKON_NONE;
}

/* Groups are numbered by tier: the first of the tier is block 0; hosts without one share the last. */
static void by_group(struct blocks *b, const struct reckon_comparison *c) {
    uint32_t first = RECKON_NONE;
    for (uint32_t g = 0; g < reckon_group_count(c); g++)
        if (reckon_group_tier(c, g) == b->tier) {
            first = first == RECKON_NONE ? g : first;
            b->count++;
        }
    uint32_t none = b->count;
    for (uint32_t h = 0; h < reckon_host_count(c); h++) {
        uint32_t g = reckon_host_group(c, h, b->tier);
        b->of[h] = g == RECKON_NONE ? none : g - first;
        b->count += g == RECKON_NONE && b->count == none;
    }
}

static struct blocks make_blocks(struct reckon *r, const struct reckon_comparison *c) {
    uint32_t n = reckon_host_count(c);
    struct blocks b = {
        .of = reckon_alloc(r, (n + (size_t)1) * sizeof *b.of), .tier = tier_for(c), .stretch = 1};
    if (n > MOST && b.tier != RECKON_NONE) {
        b.by = reckon_tier_kind(c, b.tier);
        by_group(&b, c);
        return b;
    }
    b.stretch = (n + MOST - 1) / MOST;
    for (uint32_t h = 0; h < n; h++)
        b.of[h] = h / b.stretch;
    b.count = n ? b.of[n - 1] + 1 : 0;
    return b;
}

/* ---- cells ---- */

/* All shares side by side, cell by cell: where each cell's begin. */
struct cells {
    size_t *at; /* count² + 1 */
    double *value;
    uint32_t *flows; /* per cell: all, compared or not */
};

static size_t cell_of(const struct blocks *b, const struct reckon_comparison *c, uint32_t f) {
    return (size_t)b->of[reckon_flow_src(c, f)] * b->count + b->of[reckon_flow_dst(c, f)];
}

static struct cells gather(const struct blocks *b, const struct page_view *view) {
    const struct reckon_comparison *c = view->c;
    size_t n = (size_t)b->count * b->count, total = 0;
    struct cells x = {reckon_resize(NULL, n + 1, sizeof *x.at),
                      reckon_resize(NULL, reckon_flow_count(c) + (size_t)1, sizeof *x.value),
                      reckon_resize(NULL, n + 1, sizeof *x.flows)};
    for (size_t i = 0; i <= n; i++)
        x.at[i] = x.flows[i] = 0;
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        size_t i = cell_of(b, c, f);
        x.flows[i]++;
        x.at[i] += !reckon_blank(page_flow_share(view, f));
    }
    for (size_t i = 0; i <= n; i++) {
        size_t here = x.at[i];
        x.at[i] = total;
        total += here;
    }
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        double s = page_flow_share(view, f);
        if (!reckon_blank(s))
            x.value[x.at[cell_of(b, c, f)]++] = s;
    }
    return x;
}

/* Of the cells of gather(), whose beginnings have moved to their ends. */
static double *cell_values(const struct cells *x, size_t i, size_t *n) {
    size_t from = i ? x->at[i - 1] : 0;
    *n = x->at[i] - from;
    return x->value + from;
}

static double lowest(const double *v, size_t n) {
    double low = RECKON_BLANK;
    for (size_t i = 0; i < n; i++)
        low = fmin(low, v[i]);
    return low;
}

/* Tenths of a percent, rounded as they are shown. */
static double tenths(double x) {
    char text[RECKON_NUMBER_SIZE + 300];
    snprintf(text, sizeof text, "%.1f", x);
    return reckon_blank(x) ? x : nearbyint(strtod(text, NULL) * 10);
}

/* A row's cells one after another; -(k + 1): the next one is cell k. Without that, a matrix of few flows
 * would be long. */
static cJSON *row(const struct cells *x, size_t from, uint32_t count, bool median) {
    cJSON *out = cJSON_CreateArray();
    uint32_t next = 0;
    for (uint32_t k = 0; k < count; k++) {
        size_t n;
        double *v = cell_values(x, from + k, &n);
        if (!x->flows[from + k])
            continue;
        if (next != k)
            page_push(out, -(double)k - 1);
        next = k + 1;
        page_push(out, tenths(median ? reckon_median(v, n) : lowest(v, n)));
    }
    return out;
}

static void put_rows(struct json_document *d, const char *key, const struct cells *x, uint32_t count,
                     bool median) {
    json_open(d, key, '[');
    for (uint32_t i = 0; i < count; i++)
        json_value(d, NULL, row(x, (size_t)i * count, count, median));
    json_close(d, ']');
}

void page_matrix(struct json_document *d, const struct page_view *view) {
    const struct reckon_comparison *c = view->c;
    struct blocks b = make_blocks(d->r, c);
    struct cells x = gather(&b, view);
    bool hosts = reckon_host_count(c) <= MOST;
    cJSON *of = cJSON_CreateArray();
    for (uint32_t h = 0; !hosts && h < reckon_host_count(c); h++)
        page_push_index(of, b.of[h]);
    json_open(d, "matrix", '{');
    json_value(d, "by", b.by ? cJSON_CreateString(reckon_utf8(d->r, b.by)) : cJSON_CreateNull());
    json_value(d, "count", cJSON_CreateNumber(b.count));
    json_value(d, "hosts", cJSON_CreateBool(hosts));
    json_value(d, "of", of);
    put_rows(d, "lowest", &x, b.count, false); /* of a pair with several layers the worst one counts */
    if (!hosts)
        put_rows(d, "median", &x, b.count, true);
    json_close(d, '}');
    free(x.at);
    free(x.value);
    free(x.flows);
}
