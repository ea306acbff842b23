/* SPDX-License-Identifier: Apache-2.0
 *
 * Links as outputs list them (links.h).
 */
#include "links.h"

#include <stdlib.h>

/* The owner's number among those of its kind: hosts are in order of name, groups of tier and path. */
static uint32_t owner_number(const struct reckon_comparison *c, uint32_t l) {
    uint32_t h = reckon_link_host(c, l);
    return h == RECKON_NONE ? reckon_link_group(c, l) : h;
}

static bool listed(const struct reckon_comparison *c, uint32_t l) {
    return reckon_link_kind(c, l) != RECKON_LINK_PPS || !reckon_blank(reckon_link_capacity(c, l));
}

/* Where each kind begins, and 2 × owner + way within it: that is the whole order, so nothing need be sorted.
 */
static uint32_t place(const struct reckon_comparison *c, uint32_t l, const uint32_t first[3]) {
    return first[reckon_link_kind(c, l)] + 2 * owner_number(c, l) + reckon_link_out(c, l);
}

struct link_list link_list(struct reckon *r, const struct reckon_comparison *c) {
    uint32_t n = reckon_link_count(c), hosts = reckon_host_count(c);
    const uint32_t first[] = {
        [RECKON_LINK_NIC] = 0, [RECKON_LINK_PPS] = 2 * hosts, [RECKON_LINK_UPLINK] = 4 * hosts};
    struct link_list all = {0, reckon_alloc(r, (n + (size_t)1) * sizeof *all.at)};
    for (uint32_t l = 0; l < n; l++)
        all.at[place(c, l, first)] = l;
    for (uint32_t i = 0; i < n; i++)
        if (listed(c, all.at[i]))
            all.at[all.count++] = all.at[i];
    return all;
}

/* ---- the fullest ---- */

struct fullness {
    double pct; /* -1: not known */
    uint32_t limited, place, link;
};

static int by_fullness(const void *a, const void *b) {
    const struct fullness *x = a, *y = b;
    if (x->pct != y->pct)
        return x->pct > y->pct ? -1 : 1;
    if (x->limited != y->limited)
        return x->limited > y->limited ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

struct link_list link_fullest(struct reckon *r, const struct reckon_comparison *c, bool expected,
                              double top) {
    struct link_list all = link_list(r, c), full = {0, all.at};
    struct fullness *order = reckon_resize(NULL, all.count + (size_t)1, sizeof *order);
    size_t n = 0;
    for (uint32_t i = 0; i < all.count; i++) {
        uint32_t l = all.at[i];
        double pct = expected ? link_expected_pct(c, l) : reckon_link_utilisation(c, l);
        pct = nearbyint(pct * 1e6) / 1e6; /* sums that differ by rounding alone are one */
        if (reckon_link_flows(c, l) && !reckon_blank(reckon_link_capacity(c, l)))
            order[n++] =
                (struct fullness){reckon_blank(pct) ? -1 : pct, reckon_link_limited(c, l), i, l};
    }
    qsort(order, n, sizeof *order, by_fullness);
    for (; full.count < n && (double)full.count < top; full.count++)
        full.at[full.count] = order[full.count].link;
    free(order);
    return full;
}

/* ---- words ---- */

static const struct {
    const char *word, *said, *unit;
} kinds[] = {[RECKON_LINK_NIC] = {"nic", "NIC", "bits/s"},
             [RECKON_LINK_PPS] = {"pps", "packet rate", "packets/s"},
             [RECKON_LINK_UPLINK] = {"uplink", "uplinks", "bits/s"}};

const char *link_kind_word(const struct reckon_comparison *c, uint32_t l) {
    return kinds[reckon_link_kind(c, l)].word;
}

const char *link_owner(const struct reckon_comparison *c, uint32_t l) {
    uint32_t h = reckon_link_host(c, l);
    return h == RECKON_NONE ? reckon_group_path(c, reckon_link_group(c, l)) : reckon_host_name(c, h);
}

static const char *way(const struct reckon_comparison *c, uint32_t l) {
    return reckon_link_out(c, l) ? "out" : "in";
}

const char *link_text(struct reckon *r, const struct reckon_comparison *c, uint32_t l) {
    uint32_t h = reckon_link_host(c, l);
    const char *owner =
        h == RECKON_NONE ? reckon_group_label(c, reckon_link_group(c, l)) : reckon_host_name(c, h);
    return reckon_text(r, "%s %s %s", owner, kinds[reckon_link_kind(c, l)].said, way(c, l));
}

const char *link_rate(struct reckon *r, const struct reckon_comparison *c, uint32_t l, double x) {
    if (reckon_link_kind(c, l) == RECKON_LINK_PPS)
        return reckon_rate(r, x, "pps");
    return reckon_rate(r, x / 1e6, "Mb/s");
}

double link_expected_pct(const struct reckon_comparison *c, uint32_t l) {
    return reckon_link_expected_load(c, l) / reckon_link_capacity(c, l) * 100;
}

/* ---- JSON ---- */

enum { ACHIEVED, ACHIEVED_PCT, CAPACITY, EXPECTED, EXPECTED_PCT, FLOWS, KIND, LIMITED, OWNER, UNIT, WAY };
static const char *const keys[] = {"achieved_load", "achieved_pct", "capacity", "expected_load",
                                   "expected_pct",  "flows",        "kind",     "limited_flows",
                                   "owner",         "unit",         "way",      NULL};

static void put(struct json_document *d, struct json_record *record, const struct reckon_comparison *c,
                uint32_t l) {
    json_record_number(record, ACHIEVED, reckon_link_load(c, l));
    json_record_number(record, ACHIEVED_PCT, reckon_link_utilisation(c, l));
    json_record_number(record, CAPACITY, reckon_link_capacity(c, l));
    json_record_number(record, EXPECTED, reckon_link_expected_load(c, l));
    json_record_number(record, EXPECTED_PCT, link_expected_pct(c, l));
    json_record_number(record, FLOWS, reckon_link_flows(c, l));
    json_record_text(record, KIND, link_kind_word(c, l));
    json_record_number(record, LIMITED, reckon_link_limited(c, l));
    json_record_text(record, OWNER, reckon_utf8(d->r, link_owner(c, l)));
    json_record_text(record, UNIT, kinds[reckon_link_kind(c, l)].unit);
    json_record_text(record, WAY, way(c, l));
    json_record_put(d, record);
}

void json_links(struct json_document *d, const struct reckon_comparison *c) {
    struct link_list all = link_list(d->r, c);
    struct json_record *record = json_record_new(keys);
    json_open(d, "links", '[');
    for (uint32_t i = 0; i < all.count && !reckon_write_failed(d->w); i++)
        put(d, record, c, all.at[i]);
    json_close(d, ']');
    json_record_free(record);
}
