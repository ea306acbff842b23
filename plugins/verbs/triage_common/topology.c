/* SPDX-License-Identifier: Apache-2.0
 *
 * From the layout to hosts, RNICs, ToRs, spines and addresses (topology.h).
 */
#include "topology.h"

#include <stdlib.h>
#include <string.h>

#include <reckon/layout.h>

#include "tuple.h"

#define MOST_RNICS 1024 /* of one host */

/* Elements of each role, in order of the file. */
struct roles {
    uint32_t *servers, *tors, *spines;
    size_t nservers, ntors, nspines;
};

/* Its own role, or a kind that says as much. */
static const char *role_of(const struct reckon_layout *l, uint32_t e) {
    const char *role = reckon_element_own(l, e, "role");
    return role ? role : reckon_element_kind(l, e);
}

static struct roles find_roles(const struct reckon_layout *l) {
    struct roles f = {0};
    size_t caps[3] = {0};
    struct {
        const char *role;
        uint32_t **list;
        size_t *count, *cap;
    } kinds[] = {{"server", &f.servers, &f.nservers, &caps[0]},
                 {"tor", &f.tors, &f.ntors, &caps[1]},
                 {"spine", &f.spines, &f.nspines, &caps[2]}};
    for (uint32_t e = 0; e < reckon_element_count(l); e++)
        for (size_t k = 0; k < 3; k++)
            if (!strcmp(role_of(l, e), kinds[k].role)) {
                *kinds[k].list =
                    reckon_grow(*kinds[k].list, *kinds[k].count, kinds[k].cap, sizeof **kinds[k].list);
                (*kinds[k].list)[(*kinds[k].count)++] = e;
            }
    return f;
}

static void free_roles(struct roles *f) {
    free(f->servers);
    free(f->tors);
    free(f->spines);
}

/* ---- addresses ---- */

static void own_address(struct topology *t, const char *text, const char *owner) {
    char usual[TUPLE_END];
    text = address_usual(text, usual);
    uint32_t before = t->nowners;
    if (strmap_add(&t->by_address, text, strlen(text), before, NULL) == before) {
        t->owners = reckon_resize(t->owners, before + (size_t)1, sizeof *t->owners);
        t->owners[t->nowners++] = owner;
    } else if (strcmp(t->owners[strmap_get(&t->by_address, text, strlen(text))], owner))
        reckon_note(t->r, "the layout gives the address %s to %s and to %s; the first keeps it", text,
                    t->owners[strmap_get(&t->by_address, text, strlen(text))], owner);
}

/* The i-th entry of a comma list, in the arena; NULL past the end or when it is empty. */
static const char *entry(struct reckon *r, const char *list, uint32_t i) {
    for (; list; i--) {
        size_t n = strcspn(list, ",");
        if (i == 0)
            return n ? reckon_strndup(r, list, n) : NULL;
        list = list[n] ? list + n + 1 : NULL;
    }
    return NULL;
}

static uint32_t entries(const char *list) {
    uint32_t n = list != NULL;
    for (; list && *list; list++)
        n += *list == ',';
    return n;
}

static void switch_addresses(struct topology *t, const struct reckon_layout *l, uint32_t e) {
    const char *list = reckon_element_own(l, e, "addr");
    for (uint32_t i = 0; i < entries(list); i++) {
        const char *address = entry(t->r, list, i);
        if (address)
            own_address(t, address, reckon_element_name(l, e));
    }
}

/* ---- hosts ---- */

static uint32_t rnics_of(struct topology *t, const struct reckon_layout *l, uint32_t e) {
    const char *text = reckon_element_get(l, e, "rnics", NULL);
    double n = text ? reckon_number(text, strlen(text)) : 1;
    if (n >= 1 && n <= MOST_RNICS && n == (double)(uint32_t)n)
        return (uint32_t)n;
    reckon_note(t->r, "%s: rnics=%s is no number of RNICs (1 to %d); it is taken to have one",
                reckon_element_name(l, e), text, MOST_RNICS);
    return 1;
}

/* The ToR of every element that has one below it, so that no host needs a search: the first in file order. */
static uint32_t *tors_below(const struct reckon_layout *l, const struct roles *f) {
    uint32_t count = reckon_element_count(l);
    uint32_t *below = reckon_resize(NULL, count + (size_t)1, sizeof *below);
    for (uint32_t e = 0; e < count; e++)
        below[e] = RECKON_NONE;
    for (size_t i = 0; i < f->ntors; i++)
        for (uint32_t p = f->tors[i]; p != RECKON_NONE && below[p] == RECKON_NONE;
             p = reckon_element_parent(l, p))
            below[p] = (uint32_t)i;
    return below;
}

/* That of its rack; without a rack, of the nearest element above that has one. */
static uint32_t tor_of(const struct reckon_layout *l, const uint32_t *below, uint32_t host) {
    uint32_t rack = reckon_element_above(l, host, "rack");
    if (rack != RECKON_NONE)
        return below[rack];
    for (uint32_t p = reckon_element_parent(l, host); p != RECKON_NONE; p = reckon_element_parent(l, p))
        if (below[p] != RECKON_NONE)
            return below[p];
    return RECKON_NONE;
}

static void add_rnics(struct topology *t, struct topology_host *h, const char *addresses, size_t *cap) {
    uint32_t index = (uint32_t)(h - t->hosts);
    for (uint32_t i = 0; i < h->count; i++) {
        const char *name = reckon_text(t->r, "%s/%u", h->name, i);
        const char *address = entry(t->r, addresses, i);
        t->rnics = reckon_grow(t->rnics, t->nrnics, cap, sizeof *t->rnics);
        t->rnics[t->nrnics] = (struct topology_rnic){.name = name, .address = address, .host = index};
        strmap_add(&t->rnic_by_name, name, strlen(name), t->nrnics, NULL);
        if (address)
            own_address(t, address, name);
        t->nrnics++;
    }
    if (h->count == 1)
        strmap_add(&t->rnic_by_name, h->name, strlen(h->name), h->first, NULL);
}

static void add_hosts(struct topology *t, const struct reckon_layout *l, const struct roles *f) {
    uint32_t *below = tors_below(l, f);
    size_t cap = 0, homeless = 0;
    t->hosts = reckon_alloc(t->r, f->nservers * sizeof *t->hosts);
    for (size_t i = 0; i < f->nservers; i++) {
        uint32_t e = f->servers[i];
        const char *name = reckon_element_name(l, e);
        if (strmap_add(&t->host_by_name, name, strlen(name), t->nhosts, NULL) != t->nhosts) {
            reckon_note(t->r, "the layout has several hosts %s; the first is used", name);
            continue;
        }
        struct topology_host *h = &t->hosts[t->nhosts++];
        *h = (struct topology_host){name, t->nrnics, rnics_of(t, l, e), tor_of(l, below, e)};
        homeless += h->tor == RECKON_NONE;
        add_rnics(t, h, reckon_element_own(l, e, "addr"), &cap);
    }
    if (homeless)
        reckon_note(t->r, "no role=tor element in the rack of %s; their RNICs are in no ToR-mesh",
                    reckon_count(t->r, homeless, "host"));
    free(below);
}

static void fill_tors(struct topology *t) {
    for (uint32_t i = 0; i < t->nrnics; i++)
        if (t->hosts[t->rnics[i].host].tor != RECKON_NONE)
            t->tors[t->hosts[t->rnics[i].host].tor].count++;
    for (uint32_t i = 0; i < t->ntors; i++) {
        t->tors[i].rnics = reckon_alloc(t->r, (t->tors[i].count + (size_t)1) * sizeof *t->tors[i].rnics);
        t->tors[i].count = 0;
    }
    for (uint32_t i = 0; i < t->nrnics; i++) {
        uint32_t tor = t->hosts[t->rnics[i].host].tor;
        if (tor != RECKON_NONE)
            t->tors[tor].rnics[t->tors[tor].count++] = i;
    }
}

int topology_build(struct reckon *r, struct topology *t) {
    const struct reckon_layout *l = reckon_layout(r);
    *t = (struct topology){.r = r};
    strmap_init(&t->rnic_by_name, r);
    strmap_init(&t->host_by_name, r);
    strmap_init(&t->by_address, r);
    struct roles f = find_roles(l);
    t->ntors = (uint32_t)f.ntors;
    t->nspines = (uint32_t)f.nspines;
    t->tors = reckon_alloc(r, (f.ntors + 1) * sizeof *t->tors);
    t->spines = reckon_alloc(r, (f.nspines + 1) * sizeof *t->spines);
    for (size_t i = 0; i < f.ntors; i++) {
        t->tors[i].name = reckon_element_name(l, f.tors[i]);
        switch_addresses(t, l, f.tors[i]);
    }
    for (size_t i = 0; i < f.nspines; i++) {
        t->spines[i] = reckon_element_name(l, f.spines[i]);
        switch_addresses(t, l, f.spines[i]);
    }
    add_hosts(t, l, &f);
    fill_tors(t);
    free_roles(&f);
    if (!t->nhosts)
        return reckon_error(r, reckon_layout_path(l), 0,
                            "the layout has no host (an element with role=server)");
    return 0;
}

void topology_free(struct topology *t) {
    free(t->rnics);
    free(t->owners);
    strmap_free(&t->rnic_by_name);
    strmap_free(&t->host_by_name);
    strmap_free(&t->by_address);
}

uint32_t topology_rnic(const struct topology *t, const char *name, size_t length) {
    return strmap_get(&t->rnic_by_name, name, length);
}

uint32_t topology_host(const struct topology *t, const char *name) {
    return strmap_get(&t->host_by_name, name, strlen(name));
}

const char *topology_owner(const struct topology *t, const char *address) {
    char usual[TUPLE_END];
    address = address_usual(address, usual);
    uint32_t i = strmap_get(&t->by_address, address, strlen(address));
    return i == RECKON_NONE ? NULL : t->owners[i];
}

/* ---- cables ---- */

static int bytes_order(const char *a, size_t na, const char *b, size_t nb) {
    int c = memcmp(a, b, na < nb ? na : nb);
    return c ? c : (na > nb) - (na < nb);
}

bool topology_cable(const struct topology *t, const char *a, size_t na, const char *b, size_t nb, char *buf,
                    size_t size) {
    bool port_a = topology_rnic(t, a, na) != RECKON_NONE, port_b = topology_rnic(t, b, nb) != RECKON_NONE;
    if (na + nb + 2 > size)
        return false;
    bool swap = port_a == port_b ? bytes_order(a, na, b, nb) > 0 : port_b;
    const char *first = swap ? b : a, *second = swap ? a : b;
    size_t nfirst = swap ? nb : na, nsecond = swap ? na : nb;
    memcpy(buf, first, nfirst);
    buf[nfirst] = '-';
    memcpy(buf + nfirst + 1, second, nsecond);
    buf[nfirst + 1 + nsecond] = '\0';
    return true;
}
