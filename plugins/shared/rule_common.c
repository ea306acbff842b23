/* SPDX-License-Identifier: Apache-2.0
 *
 * What the built-in rules share: see rule_common.h. Everything is linear in hosts and flows but for one sort
 * of the hosts by figure.
 */
#include "rule_common.h"

#include <stdlib.h>
#include <string.h>

struct reckon_comparison *rule_hardware(const struct reckon *r, void *subject) {
    return strcmp(reckon_subject(r), "ramp") == 0 ? reckon_ramp_hardware(subject) : subject;
}

/* ---- the field ---- */

struct ranked {
    double figure;
    uint32_t host;
};

static int by_figure(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->figure != y->figure)
        return x->figure < y->figure ? -1 : 1;
    return x->host < y->host ? -1 : x->host > y->host;
}

/* Counting sort of the places by group, every tier at once: each group has one tier. */
static void sort_members(struct reckon *r, struct rule_field *f) {
    uint32_t groups = reckon_group_count(f->c), tiers = reckon_tier_count(f->c);
    f->first = reckon_alloc(r, (groups + 2u) * sizeof *f->first);
    f->member = reckon_alloc(r, ((size_t)f->count * tiers + 1) * sizeof *f->member);
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t t = 0, g; t < tiers; t++)
            if ((g = reckon_host_group(f->c, f->host[i], t)) != RECKON_NONE)
                f->first[g + 2]++;
    for (uint32_t g = 1; g <= groups; g++)
        f->first[g + 1] += f->first[g];
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t t = 0, g; t < tiers; t++)
            if ((g = reckon_host_group(f->c, f->host[i], t)) != RECKON_NONE)
                f->member[f->first[g + 1]++] = i;
}

struct rule_field *rule_field(struct reckon *r, const struct reckon_comparison *c, rule_host_figure *figure) {
    double *of = reckon_alloc(r, (reckon_host_count(c) + 1u) * sizeof *of);
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        of[h] = figure(c, h);
    return rule_field_of(r, c, of);
}

struct rule_field *rule_field_of(struct reckon *r, const struct reckon_comparison *c, const double *figure) {
    uint32_t hosts = reckon_host_count(c);
    struct rule_field *f = reckon_alloc(r, sizeof *f);
    struct ranked *ranked = reckon_alloc(r, (hosts + (size_t)1) * sizeof *ranked);
    f->c = c;
    f->place = reckon_alloc(r, (hosts + (size_t)1) * sizeof *f->place);
    for (uint32_t h = 0; h < hosts; h++) {
        f->place[h] = RECKON_NONE;
        if (!reckon_blank(figure[h]) && !reckon_host_explained(c, h))
            ranked[f->count++] = (struct ranked){figure[h], h};
    }
    qsort(ranked, f->count, sizeof *ranked, by_figure);
    f->host = reckon_alloc(r, (f->count + (size_t)1) * sizeof *f->host);
    f->figure = reckon_alloc(r, (f->count + (size_t)1) * sizeof *f->figure);
    for (uint32_t i = 0; i < f->count; i++) {
        f->host[i] = ranked[i].host;
        f->figure[i] = ranked[i].figure;
        f->place[ranked[i].host] = i;
    }
    sort_members(r, f);
    return f;
}

double rule_field_median(const struct rule_field *f) {
    if (f->count == 0)
        return RECKON_BLANK;
    return (f->figure[(f->count - 1) / 2] + f->figure[f->count / 2]) / 2;
}

/* The i-th place of a list (NULL: of all places) without `skip`. */
static uint32_t place_without(const uint32_t *list, uint32_t i, uint32_t skip) {
    if (!list)
        return i + (i >= skip);
    return list[i] >= skip ? list[i + 1] : list[i];
}

double rule_reference(const struct rule_field *f, uint32_t h, uint32_t *group) {
    const uint32_t *list = NULL;
    uint32_t n = f->count, skip = f->place[h];
    *group = RECKON_NONE;
    for (uint32_t t = 0; t < reckon_tier_count(f->c); t++) {
        uint32_t g = reckon_host_group(f->c, h, t);
        if (g == RECKON_NONE || f->first[g + 1] - f->first[g] < 2)
            continue;
        list = f->member + f->first[g];
        n = f->first[g + 1] - f->first[g];
        *group = g;
        break;
    }
    if (n < 2)
        return RECKON_BLANK;
    n--; /* without h itself */
    return (f->figure[place_without(list, (n - 1) / 2, skip)] + f->figure[place_without(list, n / 2, skip)]) /
           2;
}

/* The i-th place that is none of the n ascending ones of the list. */
static uint32_t place_outside(const uint32_t *list, uint32_t n, uint32_t i) {
    for (uint32_t k = 0; k < n && list[k] <= i; k++)
        i++;
    return i;
}

double rule_outside(const struct rule_field *f, uint32_t g) {
    const uint32_t *list = f->member + f->first[g];
    uint32_t n = f->first[g + 1] - f->first[g], rest = f->count - n;
    if (rest == 0)
        return RECKON_BLANK;
    return (f->figure[place_outside(list, n, (rest - 1) / 2)] + f->figure[place_outside(list, n, rest / 2)]) /
           2;
}

double rule_median_of(const struct reckon_comparison *c, rule_host_figure *figure, const uint32_t *hosts,
                      size_t n) {
    double *v = reckon_resize(NULL, n + 1, sizeof *v);
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        double x = figure(c, hosts[i]);
        if (!reckon_blank(x))
            v[known++] = x;
    }
    double median = reckon_median(v, known);
    free(v);
    return median;
}

/* ---- flows ---- */

/* The owners of a flow's ends; *b is RECKON_NONE when both ends have the same. */
static void owners_of(const struct reckon_comparison *c, const uint32_t *owner, uint32_t f, uint32_t *a,
                      uint32_t *b) {
    *a = reckon_flow_src(c, f);
    *b = reckon_flow_dst(c, f);
    if (owner) {
        *a = owner[*a];
        *b = owner[*b];
    }
    if (*a == *b)
        *b = RECKON_NONE;
}

/* Counting sort of the compared flows by the owners of their ends; `owner` NULL: each host is its own. */
static struct rule_index index_by(const struct reckon_comparison *c, const uint32_t *owner, uint32_t owners) {
    struct rule_index index = {reckon_resize(NULL, owners + (size_t)2, sizeof *index.first), NULL};
    uint32_t flows = reckon_flow_count(c), a, b;
    memset(index.first, 0, (owners + (size_t)2) * sizeof *index.first);
    for (uint32_t f = 0; f < flows; f++) {
        if (reckon_blank(reckon_flow_efficiency(c, f)))
            continue;
        owners_of(c, owner, f, &a, &b);
        if (a != RECKON_NONE)
            index.first[a + 2]++;
        if (b != RECKON_NONE)
            index.first[b + 2]++;
    }
    for (uint32_t o = 1; o <= owners; o++)
        index.first[o + 1] += index.first[o];
    index.flow = reckon_resize(NULL, index.first[owners + 1] + (size_t)1, sizeof *index.flow);
    for (uint32_t f = 0; f < flows; f++) {
        if (reckon_blank(reckon_flow_efficiency(c, f)))
            continue;
        owners_of(c, owner, f, &a, &b);
        if (a != RECKON_NONE)
            index.flow[index.first[a + 1]++] = f;
        if (b != RECKON_NONE)
            index.flow[index.first[b + 1]++] = f;
    }
    return index;
}

struct rule_index rule_index_hosts(const struct reckon_comparison *c) {
    return index_by(c, NULL, reckon_host_count(c));
}

void rule_index_free(struct rule_index *index) {
    free(index->first);
    free(index->flow);
    *index = (struct rule_index){NULL, NULL};
}

/* The compared flows of each group of the tier that is wanted. */
static struct rule_index index_groups(struct reckon *r, const struct reckon_comparison *c,
                                      const bool *wanted) {
    uint32_t *owner = reckon_alloc(r, (reckon_host_count(c) + (size_t)1) * sizeof *owner);
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        owner[h] = RECKON_NONE;
    for (uint32_t g = 0; g < reckon_group_count(c); g++)
        for (uint32_t i = 0; wanted[g] && i < reckon_group_size(c, g); i++)
            owner[reckon_group_host(c, g, i)] = g;
    return index_by(c, owner, reckon_group_count(c));
}

void rule_each_group(struct reckon *r, const struct reckon_comparison *c,
                     bool (*suspect)(void *user, uint32_t g),
                     void (*judge)(void *user, uint32_t g, const struct rule_index *touching), void *user) {
    uint32_t groups = reckon_group_count(c);
    for (uint32_t tier = 0; tier < reckon_tier_count(c); tier++) {
        bool *suspects = reckon_alloc(r, groups + (size_t)1), any = false;
        for (uint32_t g = 0; g < groups; g++) {
            suspects[g] = reckon_group_tier(c, g) == tier && suspect(user, g);
            any = any || suspects[g];
        }
        if (!any)
            continue;
        struct rule_index touching = index_groups(r, c, suspects);
        for (uint32_t g = 0; g < groups; g++)
            if (suspects[g])
                judge(user, g, &touching);
        rule_index_free(&touching);
    }
}

bool rule_live(const struct reckon_comparison *c, uint32_t f) {
    return !reckon_blank(reckon_flow_efficiency(c, f)) && !reckon_host_explained(c, reckon_flow_src(c, f)) &&
           !reckon_host_explained(c, reckon_flow_dst(c, f));
}

void rule_tally(struct reckon_tally *t, double efficiency, double shorts_below) {
    t->compared++;
    t->shorts += efficiency < shorts_below;
}

struct reckon_tally rule_tally_all(const struct reckon_comparison *c, double shorts_below) {
    struct reckon_tally all = {0, 0};
    for (uint32_t f = 0; f < reckon_flow_count(c); f++)
        if (rule_live(c, f))
            rule_tally(&all, reckon_flow_efficiency(c, f), shorts_below);
    return all;
}

bool rule_crosses(const struct reckon_comparison *c, uint32_t f, uint32_t tier) {
    return reckon_host_group(c, reckon_flow_src(c, f), tier) !=
           reckon_host_group(c, reckon_flow_dst(c, f), tier);
}

struct rule_sides rule_sides(const struct reckon_comparison *c, const struct rule_index *index, uint32_t g,
                             double (*figure)(const struct reckon_comparison *c, uint32_t f)) {
    uint32_t from = index->first[g], to = index->first[g + 1], crossing = 0, inside = 0;
    double *v =
        reckon_resize(NULL, to - from + (size_t)1, sizeof *v); /* crossing from the front, inside the back */
    for (uint32_t i = from; i < to; i++) {
        uint32_t f = index->flow[i];
        double x = figure(c, f);
        if (reckon_blank(x) || !rule_live(c, f))
            continue;
        if (rule_crosses(c, f, reckon_group_tier(c, g)))
            v[crossing++] = x;
        else
            v[to - from - ++inside] = x;
    }
    struct rule_sides s = {reckon_median(v, crossing), reckon_median(v + (to - from - inside), inside)};
    free(v);
    return s;
}

const char *rule_sides_text(struct reckon *r, struct rule_sides s, bool points) {
    const char *format = points ? "moved by %+.0f points" : "are at %.0f%%";
    const char *crossing = reckon_blank(s.crossing) ? NULL : reckon_text(r, format, s.crossing);
    const char *inside = reckon_blank(s.inside) ? NULL : reckon_text(r, format, s.inside);
    if (crossing && inside)
        return reckon_text(r, "flows crossing its boundary %s, flows inside it %s", crossing, inside);
    if (crossing)
        return reckon_text(r, "flows crossing its boundary %s", crossing);
    return inside ? reckon_text(r, "flows inside it %s", inside) : "it has no flow to tell its boundary by";
}

/* ---- phrases ---- */

const char *rule_names(struct reckon *r, const struct reckon_comparison *c, const uint32_t *hosts, size_t n) {
    const char *text = "";
    for (size_t i = 0; i < n && i < RULE_NAMES; i++)
        text = reckon_text(r, "%s%s%s", text, i ? ", " : "", reckon_host_name(c, hosts[i]));
    return n > RULE_NAMES ? reckon_text(r, "%s and %zu more", text, n - RULE_NAMES) : text;
}

const char *rule_flow(struct reckon *r, const struct reckon_comparison *c, uint32_t f) {
    const char *layer = reckon_flow_layer(c, f);
    return reckon_text(r, "%s -> %s%s%s%s", reckon_host_name(c, reckon_flow_src(c, f)),
                       reckon_host_name(c, reckon_flow_dst(c, f)), layer ? " (layer " : "",
                       layer ? layer : "", layer ? ")" : "");
}

const char *rule_limit(struct reckon *r, const struct reckon_comparison *c, uint32_t f) {
    return reckon_limit_text(r, c, reckon_flow_limit(c, f), reckon_flow_limit_link(c, f));
}

const char *rule_others(struct reckon *r, const struct reckon_comparison *c, uint32_t group) {
    return group == RECKON_NONE ? "the other hosts"
                                : reckon_text(r, "the rest of %s", reckon_group_label(c, group));
}

const char *rule_then(struct reckon *r, const struct reckon_comparison *c, const uint32_t *hosts, size_t n) {
    if (!reckon_has_baseline(c))
        return "";
    double median = rule_median_of(c, reckon_host_then, hosts, n);
    if (reckon_blank(median))
        return "";
    return reckon_text(r, "; %s %s in %s", n == 1 ? "it was" : "their median was", reckon_percent(r, median),
                       reckon_baseline_since(c));
}

const char *rule_no_baseline(const struct reckon_comparison *c) {
    if (!reckon_has_baseline(c))
        return "no --baseline was given";
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        if (!reckon_blank(reckon_host_change(c, h)))
            return NULL;
    return "no host was compared both times";
}

const char *rule_word(const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-";
    return name[0] != '-' && name[0] != '\0' && name[strspn(name, plain)] == '\0' ? name : "HOST";
}
