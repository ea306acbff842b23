/* SPDX-License-Identifier: Apache-2.0
 *
 * What context readers hand over, kept: names (measured -> layout), link speeds, and the idle floor. Every
 * name is taken through --names once, when it comes in, so that all figures are under the layout's names.
 */
#include <stdlib.h>
#include <string.h>

#include "model.h"

/* ---- names ---- */

struct reckon_names {
    struct reckon *r;
    struct names measured;
    const char **layout; /* by number */
    size_t cap;
};

struct reckon_names *names_map_new(struct reckon *r) {
    struct reckon_names *n = reckon_alloc(r, sizeof *n);
    n->r = r;
    return n;
}

void names_map_free(struct reckon_names *n) {
    if (!n)
        return;
    names_free(&n->measured);
    free(n->layout);
}

const char *reckon_names_add(struct reckon_names *n, const char *measured, const char *layout) {
    uint32_t before = n->measured.count, number = names_add(&n->measured, measured, strlen(measured));
    n->layout = reckon_grow(n->layout, before, &n->cap, sizeof *n->layout);
    const char *other = number < before && strcmp(n->layout[number], layout) ? n->layout[number] : NULL;
    n->layout[number] = reckon_strdup(n->r, layout);
    return other;
}

const char *reckon_layout_name(struct reckon *r, const char *measured) {
    const struct reckon_names *n = r->names;
    uint32_t number = n ? names_find(&n->measured, measured, strlen(measured)) : RECKON_NONE;
    return number == RECKON_NONE ? measured : n->layout[number];
}

/* ---- speeds ---- */

struct speed {
    double mbps; /* blank: the link reports none */
    const char *raw;
};

struct reckon_speeds {
    struct reckon *r;
    struct names hosts;
    struct speed *of; /* by number */
    size_t cap;
};

struct reckon_speeds *speeds_new(struct reckon *r) {
    struct reckon_speeds *s = reckon_alloc(r, sizeof *s);
    s->r = r;
    return s;
}

void speeds_free(struct reckon_speeds *s) {
    if (!s)
        return;
    names_free(&s->hosts);
    free(s->of);
}

void reckon_speeds_add(struct reckon_speeds *s, const char *host, double mbps, const char *raw) {
    host = reckon_layout_name(s->r, host);
    uint32_t before = s->hosts.count, number = names_add(&s->hosts, host, strlen(host));
    s->of = reckon_grow(s->of, before, &s->cap, sizeof *s->of);
    s->of[number] =
        (struct speed){mbps > 0 && isfinite(mbps) ? mbps : RECKON_BLANK, reckon_strdup(s->r, raw ? raw : "")};
}

bool speeds_find(const struct reckon_speeds *s, const char *host, double *mbps, const char **raw) {
    uint32_t number = names_find(&s->hosts, host, strlen(host));
    if (number == RECKON_NONE)
        return false;
    *mbps = s->of[number].mbps;
    *raw = s->of[number].raw;
    return true;
}

/* "zz", "zz and 2 more". */
static const char *some_names(struct reckon *r, const struct names *names) {
    const char *first = reckon_strdup(r, names->text[0]);
    return names->count > 1 ? reckon_text(r, "%s and %u more", first, names->count - 1) : first;
}

void speeds_note_strangers(const struct reckon_speeds *s, const struct reckon_comparison *c) {
    for (uint32_t h = 0; h < c->nhosts; h++)
        if (c->hosts[h].measured_raw)
            return;
    if (!s->hosts.count)
        reckon_note(c->r, "--speeds names no host: no link is judged by it");
    else
        reckon_note(c->r, "--speeds names no host of this run (but %s): no link is judged by it",
                    some_names(c->r, &s->hosts));
}

/* ---- the idle floor ---- */

#define MTU_LEAST 68.0
#define MTU_MOST 65535.0

struct idle_row {
    uint32_t host, peer; /* numbers of names; then hosts of the run */
    double ts, rtt_p50, mtu;
};

/* What the rows of one directed pair of hosts come to. */
struct idle_pair {
    uint32_t host, peer;
    double rtt_p50, mtu; /* blank: none */
};

struct reckon_idle {
    struct reckon *r;
    const char *source;
    struct names hosts;
    struct idle_row *rows;
    size_t nrows, cap;
    struct idle_pair *pairs; /* sorted, once the run is known */
    size_t npairs;
};

struct reckon_idle *idle_new(struct reckon *r, const char *source) {
    struct reckon_idle *idle = reckon_alloc(r, sizeof *idle);
    idle->r = r;
    idle->source = source;
    return idle;
}

static uint32_t idle_host(struct reckon_idle *idle, const char *name) {
    name = reckon_layout_name(idle->r, name);
    return names_add(&idle->hosts, name, strlen(name));
}

void reckon_idle_add(struct reckon_idle *idle, double ts, const char *host, const char *peer,
                     double rtt_p50_us, double path_mtu) {
    double mtu = trunc(path_mtu);
    idle->rows = reckon_grow(idle->rows, idle->nrows, &idle->cap, sizeof *idle->rows);
    idle->rows[idle->nrows++] = (struct idle_row){
        .host = idle_host(idle, host),
        .peer = idle_host(idle, peer),
        .ts = ts,
        .rtt_p50 = rtt_p50_us >= 0 ? rtt_p50_us : RECKON_BLANK,
        .mtu = mtu >= MTU_LEAST && mtu <= MTU_MOST ? mtu : RECKON_BLANK,
    };
}

/* The host of the run behind every name the floor has. */
static uint32_t *idle_hosts(const struct reckon_idle *idle, const struct reckon_comparison *c) {
    uint32_t *host = reckon_resize(NULL, idle->hosts.count, sizeof *host);
    for (uint32_t i = 0; i < idle->hosts.count; i++)
        host[i] = RECKON_NONE;
    for (uint32_t h = 0; h < c->nhosts; h++) {
        uint32_t number = names_find(&idle->hosts, c->hosts[h].name, strlen(c->hosts[h].name));
        if (number != RECKON_NONE)
            host[number] = h;
    }
    return host;
}

/* Drops the rows taken inside the run, which are counted, and those of hosts that are not in it. */
static uint64_t keep_rows(struct reckon_idle *idle, const struct reckon_comparison *c) {
    uint32_t *host = idle_hosts(idle, c);
    uint64_t inside = 0;
    size_t kept = 0;
    for (size_t i = 0; i < idle->nrows; i++) {
        struct idle_row row = idle->rows[i];
        if (row.ts >= c->first_ts && row.ts <= c->last_ts) {
            inside++;
            continue;
        }
        row.host = host[row.host];
        row.peer = host[row.peer];
        if (row.host != RECKON_NONE && row.peer != RECKON_NONE)
            idle->rows[kept++] = row;
    }
    idle->nrows = kept;
    free(host);
    return inside;
}

/* By pair, so that the rows of one are together. */
static int by_pair(const void *a, const void *b) {
    const struct idle_row *x = a, *y = b;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return x->peer < y->peer ? -1 : x->peer > y->peer;
}

/* Whether row a has the later MTU: by ts, a blank one first, ties to the larger MTU. */
static bool later(const struct idle_row *a, const struct idle_row *b) {
    double x = reckon_blank(a->ts) ? -HUGE_VAL : a->ts, y = reckon_blank(b->ts) ? -HUGE_VAL : b->ts;
    return x > y || (x == y && a->mtu > b->mtu);
}

/* `values` has room for n. */
static struct idle_pair pair_of(const struct idle_row *rows, size_t n, double *values) {
    const struct idle_row *last = NULL;
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!reckon_blank(rows[i].rtt_p50))
            values[count++] = rows[i].rtt_p50;
        if (!reckon_blank(rows[i].mtu) && (!last || later(&rows[i], last)))
            last = &rows[i];
    }
    return (struct idle_pair){rows->host, rows->peer, reckon_median(values, count),
                              last ? last->mtu : RECKON_BLANK};
}

static void build_pairs(struct reckon_idle *idle) {
    double *values = reckon_resize(NULL, idle->nrows, sizeof *values);
    if (idle->nrows)
        qsort(idle->rows, idle->nrows, sizeof *idle->rows, by_pair);
    idle->pairs = reckon_alloc(idle->r, (idle->nrows + 1) * sizeof *idle->pairs);
    for (size_t i = 0, k; i < idle->nrows; i = k) {
        for (k = i + 1; k < idle->nrows && !by_pair(&idle->rows[i], &idle->rows[k]); k++)
            ;
        idle->pairs[idle->npairs++] = pair_of(idle->rows + i, k - i, values);
    }
    free(values);
}

static int find_pair(const void *key, const void *element) {
    const struct idle_pair *x = key, *y = element;
    if (x->host != y->host)
        return x->host < y->host ? -1 : 1;
    return x->peer < y->peer ? -1 : x->peer > y->peer;
}

static const struct idle_pair *pair_find(const struct reckon_idle *idle, uint32_t src, uint32_t dst) {
    struct idle_pair key = {.host = src, .peer = dst};
    return idle->npairs ? bsearch(&key, idle->pairs, idle->npairs, sizeof key, find_pair) : NULL;
}

/* A floor that concerns no flow of the run must not pass for one under which nothing queued. */
static void note_no_pair(const struct reckon_comparison *c, size_t rows, const char *pair) {
    if (!rows)
        reckon_note(c->r, "--idle holds no row that counts: there is no idle floor");
    else if (rows > c->idle_overlap)
        reckon_note(c->r, "--idle measured no pair of this run (but %s, for example): there is no idle floor",
                    pair);
}

void idle_apply(struct reckon_idle *idle, struct reckon_comparison *c) {
    size_t rows = idle->nrows, used = 0;
    const char *pair = rows ? reckon_text(c->r, "%s -> %s", idle->hosts.text[idle->rows->host],
                                          idle->hosts.text[idle->rows->peer])
                            : NULL;
    c->has_idle = true;
    c->idle_source = idle->source;
    c->idle_overlap = keep_rows(idle, c);
    build_pairs(idle);
    c->idle_p50 = reckon_alloc(c->r, (c->nflows + 1u) * sizeof *c->idle_p50);
    for (uint32_t f = 0; f < c->nflows; f++) {
        const struct idle_pair *p = pair_find(idle, c->flows[f].src, c->flows[f].dst);
        c->idle_p50[f] = p ? p->rtt_p50 : RECKON_BLANK;
        used += p != NULL;
    }
    if (!used)
        note_no_pair(c, rows, pair);
    free(idle->rows);
    idle->rows = NULL;
    idle->nrows = idle->cap = 0;
    names_free(&idle->hosts);
}

double idle_mtu(const struct reckon_idle *idle, uint32_t src, uint32_t dst) {
    const struct idle_pair *p = pair_find(idle, src, dst);
    return p ? p->mtu : RECKON_BLANK;
}
