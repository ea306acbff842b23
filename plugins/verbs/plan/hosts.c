/* SPDX-License-Identifier: Apache-2.0
 *
 * Which elements of a layout are its hosts (plan.h).
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

static bool is_server(const struct reckon_layout *l, uint32_t e) {
    const char *role = reckon_element_get(l, e, "role", NULL);
    return !strcmp(role ? role : reckon_element_kind(l, e), "server");
}

static bool has_no_role(const struct reckon_layout *l, uint32_t e) {
    return !reckon_element_get(l, e, "role", NULL);
}

static bool has_speed(const struct reckon_layout *l, uint32_t e) {
    return has_no_role(l, e) && reckon_element_get(l, e, "nic_gbps", NULL);
}

/* Keeps the marked elements for which `is` holds, when there is any. */
static bool narrow(const struct reckon_layout *l, bool *marked,
                   bool (*is)(const struct reckon_layout *, uint32_t)) {
    bool any = false;
    for (uint32_t e = 0; e < reckon_element_count(l) && !any; e++)
        any = marked[e] && is(l, e);
    for (uint32_t e = 0; any && e < reckon_element_count(l); e++)
        marked[e] = marked[e] && is(l, e);
    return any;
}

static void take(struct reckon *r, const struct reckon_layout *l, const bool *marked,
                 struct plan_hosts *hosts) {
    uint32_t shared = 0, first = RECKON_NONE;
    for (uint32_t e = 0; e < reckon_element_count(l); e++) {
        const char *name = reckon_element_name(l, e);
        if (!marked[e])
            continue;
        if (reckon_element_named(l, name, NULL) == e) {
            hosts->names[hosts->count++] = name;
        } else if (!shared++)
            first = e;
    }
    if (shared)
        reckon_note(
            r,
            "%s out, because an earlier element has the same name (%s at %s): give hosts a name= of their "
            "own",
            reckon_text(r, shared == 1 ? "%s is left" : "%s are left", reckon_count(r, shared, "host")),
            reckon_element_name(l, first), reckon_element_path(l, first));
}

int plan_hosts(struct reckon *r, struct plan_hosts *hosts) {
    const struct reckon_layout *l = reckon_layout(r);
    uint32_t n = reckon_element_count(l);
    bool *leaf = reckon_resize(NULL, n, sizeof *leaf);
    memset(leaf, true, n * sizeof *leaf);
    for (uint32_t e = 0; e < n; e++)
        if (reckon_element_parent(l, e) != RECKON_NONE)
            leaf[reckon_element_parent(l, e)] = false;
    *hosts = (struct plan_hosts){.names = reckon_alloc(r, (n + (size_t)1) * sizeof *hosts->names)};
    if (narrow(l, leaf, is_server) || narrow(l, leaf, has_speed) || narrow(l, leaf, has_no_role))
        take(r, l, leaf, hosts);
    free(leaf);
    if (hosts->count)
        return 0;
    return reckon_error(r, reckon_layout_path(l), 0,
                        "the layout has no host: a leaf of role server, or one without a role");
}
