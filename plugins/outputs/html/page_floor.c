/* SPDX-License-Identifier: Apache-2.0
 *
 * The floor: the elements of the layout that lead to the run's hosts, and beside them the racks that have
 * none, in order of the file (page.h).
 */
#include <stdlib.h>
#include <string.h>

#include "page.h"

/* Racks without a host of the run are drawn as long as there are no more of them. */
#define EMPTY 2000

struct plan_view {
    const struct reckon_layout *l;
    uint32_t *host;   /* per element: the host that it is; RECKON_NONE */
    uint32_t *others; /* leaves in it that are not in the run */
    bool *parent;     /* has children */
    bool *leads;      /* is a host of the run or has one in it */
    bool *shown;
};

static void mark(struct plan_view *v, const struct reckon_comparison *c) {
    uint32_t n = reckon_element_count(v->l);
    for (uint32_t e = 0; e < n; e++) {
        uint32_t parent = reckon_element_parent(v->l, e);
        v->host[e] = RECKON_NONE;
        if (parent != RECKON_NONE)
            v->parent[parent] = true;
    }
    for (uint32_t h = 0; h < reckon_host_count(c); h++) {
        uint32_t e = reckon_host_element(c, h);
        if (e == RECKON_NONE)
            continue;
        v->host[e] = h;
        for (; e != RECKON_NONE && !v->leads[e]; e = reckon_element_parent(v->l, e))
            v->leads[e] = v->shown[e] = true;
    }
}

static void mark_empty(struct plan_view *v) {
    uint32_t empty = 0;
    for (uint32_t e = 0; e < reckon_element_count(v->l); e++) {
        uint32_t parent = reckon_element_parent(v->l, e);
        bool beside = parent == RECKON_NONE || v->leads[parent];
        if (!v->parent[e] && !v->leads[e] && parent != RECKON_NONE)
            v->others[parent]++;
        if (v->parent[e] && !v->leads[e] && beside && empty < EMPTY)
            v->shown[e] = ++empty;
    }
}

/* [parent, kind, name, host, cols, others, group]: -1 for none; `cols` 0 when the layout says nothing. */
static cJSON *element(struct json_document *d, const struct plan_view *v, uint32_t e, uint32_t parent,
                      uint32_t group) {
    const char *cols = reckon_element_own(v->l, e, "cols"), *id = reckon_element_id(v->l, e);
    double n = cols ? reckon_number(cols, strlen(cols)) : 0;
    cJSON *row = cJSON_CreateArray();
    page_push_index(row, parent);
    cJSON_AddItemToArray(row, cJSON_CreateString(reckon_utf8(d->r, reckon_element_kind(v->l, e))));
    cJSON_AddItemToArray(row, cJSON_CreateString(reckon_utf8(d->r, id)));
    page_push_index(row, v->host[e]);
    page_push_index(row, n >= 1 && n <= 64 ? (uint32_t)n : 0);
    page_push_index(row, v->others[e]);
    page_push_index(row, group);
    return row;
}

/* The group that each element is; RECKON_NONE. */
static uint32_t *groups_by_element(const struct reckon_layout *l, const struct reckon_comparison *c) {
    uint32_t n = reckon_element_count(l), *group = reckon_resize(NULL, n, sizeof *group);
    for (uint32_t e = 0; e < n; e++)
        group[e] = RECKON_NONE;
    for (uint32_t g = 0; g < reckon_group_count(c); g++)
        group[reckon_group_element(c, g)] = g;
    return group;
}

static void put(struct json_document *d, const struct plan_view *v, const struct reckon_comparison *c) {
    uint32_t n = reckon_element_count(v->l), next = 0, *number = reckon_resize(NULL, n, sizeof *number);
    uint32_t *group = groups_by_element(v->l, c);
    json_open(d, "floor", '[');
    for (uint32_t e = 0; e < n; e++) {
        uint32_t parent = reckon_element_parent(v->l, e);
        if (!v->shown[e])
            continue;
        number[e] = next++;
        json_value(d, NULL, element(d, v, e, parent == RECKON_NONE ? RECKON_NONE : number[parent], group[e]));
    }
    json_close(d, ']');
    free(group);
    free(number);
}

void page_floor(struct json_document *d, const struct reckon_comparison *c) {
    struct plan_view v = {.l = reckon_layout(d->r)};
    if (!v.l) {
        json_value(d, "floor", cJSON_CreateArray());
        return;
    }
    size_t n = reckon_element_count(v.l);
    v.host = reckon_resize(NULL, n, sizeof *v.host);
    v.others = reckon_resize(NULL, n, sizeof *v.others);
    v.parent = reckon_resize(NULL, 3 * n, sizeof *v.parent);
    v.leads = v.parent + n;
    v.shown = v.leads + n;
    memset(v.others, 0, n * sizeof *v.others);
    memset(v.parent, 0, 3 * n * sizeof *v.parent);
    mark(&v, c);
    mark_empty(&v);
    put(d, &v, c);
    free(v.host);
    free(v.others);
    free(v.parent);
}
