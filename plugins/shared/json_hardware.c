/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware a comparison rests on, as JSON (json_hardware.h).
 */
#include "json_hardware.h"

#include <stdlib.h>
#include <string.h>

/* Keys are sorted: tiers are numbered from the innermost, and groups by tier first. */
struct named {
    const char *name;
    uint32_t index;
};

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static const char *group_path(const struct reckon_comparison *c, uint32_t g) {
    return g == RECKON_NONE ? NULL : reckon_group_path(c, g);
}

/* {kind: path} of every tier. */
static cJSON *groups_of(struct reckon *r, const struct reckon_comparison *c, uint32_t h) {
    uint32_t n = reckon_tier_count(c);
    struct named *order = reckon_resize(NULL, n, sizeof *order);
    for (uint32_t t = 0; t < n; t++)
        order[t] = (struct named){reckon_utf8(r, reckon_tier_kind(c, t)), t};
    qsort(order, n, sizeof *order, by_name);
    cJSON *o = cJSON_CreateObject();
    for (uint32_t i = 0; i < n; i++)
        json_text(r, o, order[i].name, group_path(c, reckon_host_group(c, h, order[i].index)));
    free(order);
    return o;
}

static void hardware_host(struct json_document *d, const struct reckon_comparison *c, uint32_t h) {
    struct reckon *r = d->r;
    uint32_t tiers = reckon_tier_count(c);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "declared_gbps", reckon_host_layout_gbps(c, h));
    json_text(r, o, "group", tiers ? group_path(c, reckon_host_group(c, h, 0)) : NULL);
    if (tiers > 1)
        cJSON_AddItemToObjectCS(o, "groups", groups_of(r, c, h));
    json_bool(o, "in_layout", reckon_host_in_layout(c, h));
    json_number(o, "measured_gbps", reckon_host_measured_gbps(c, h));
    json_text(r, o, "measured_raw", reckon_host_measured_raw(c, h));
    json_number(o, "mtu", reckon_host_mtu(c, h));
    json_number(o, "nic_gbps", reckon_host_nic_gbps(c, h));
    json_number(o, "nic_mpps", reckon_host_nic_mpps(c, h));
    json_text(r, o, "nic_source", reckon_host_nic_source(c, h));
    json_value(d, reckon_host_name(c, h), o);
}

static void hardware_group(struct json_document *d, const struct reckon_comparison *c, uint32_t g) {
    cJSON *o = cJSON_CreateObject(), *hosts = cJSON_AddArrayToObject(o, "hosts");
    for (uint32_t i = 0; i < reckon_group_size(c, g); i++)
        json_push_text(d->r, hosts, reckon_host_name(c, reckon_group_host(c, g, i)));
    json_text(d->r, o, "label", reckon_group_label(c, g));
    json_number(o, "uplink_gbps", reckon_group_uplink_gbps(c, g));
    json_number(o, "uplinks", reckon_group_uplinks(c, g));
    json_value(d, reckon_group_path(c, g), o);
}

static void groups(struct json_document *d, const struct reckon_comparison *c) {
    uint32_t n = reckon_group_count(c);
    struct named *order = reckon_resize(NULL, n + 1u, sizeof *order);
    for (uint32_t g = 0; g < n; g++)
        order[g] = (struct named){reckon_group_path(c, g), g};
    qsort(order, n, sizeof *order, by_name);
    json_open(d, "groups", '{');
    for (uint32_t i = 0; i < n; i++)
        hardware_group(d, c, order[i].index);
    json_close(d, '}');
    free(order);
}

void json_hardware(struct json_document *d, const struct reckon_comparison *c) {
    json_open(d, "hardware", '{');
    json_value(d, "group_kind",
               cJSON_CreateString(reckon_utf8(d->r, reckon_option_text(d->r, "group-kind"))));
    groups(d, c);
    json_open(d, "hosts", '{');
    for (uint32_t h = 0; h < reckon_host_count(c); h++)
        hardware_host(d, c, h);
    json_close(d, '}');
    json_close(d, '}');
}
