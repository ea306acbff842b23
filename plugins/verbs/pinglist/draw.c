/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing probe lists (draw.h). Every port is drawn by hashing what it is for with the seed, so that a list
 * can be made again, and a host that is added changes nobody else's.
 */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../triage_common/coverage.h"
#include "../triage_common/hash.h"

#define MESH_RATE 10.0  /* probes/s of every RNIC under its ToR, in all */
#define CABLE_RATE 10.5 /* probes/s that every cable above the ToRs gets each way: more than 10 */
#define ROTATED 0.2     /* share of the tuples that --rotate replaces */

/* M tuples leave every ToR and M arrive, over N paths. The rate is such that with the chance `coverage` not
 * one of the cables gets less than CABLE_RATE either way: with 1 - (1 - coverage) / (2 N T) each of them gets
 * so many tuples. */
void plan_fill(struct plan *p, uint32_t npaths) {
    const struct topology *topo = p->topo;
    p->tors = reckon_resize(NULL, topo->ntors + (size_t)1, sizeof *p->tors);
    for (uint32_t i = 0; i < topo->ntors; i++)
        if (topo->tors[i].count)
            p->tors[p->ntors++] = i;
    p->npaths = npaths ? npaths : topo->nspines;
    if (!p->npaths || p->ntors < 2)
        return;
    p->ntuples = coverage_tuples(p->npaths, p->coverage);
    uint64_t leaving = (uint64_t)p->ntuples * (p->ntors - 1);
    uint32_t counted = leaving < 1000000 ? (uint32_t)leaving : 1000000;
    double each = 1 - (1 - p->coverage) / (2.0 * p->npaths * p->ntors);
    p->inter_rate = CABLE_RATE / (coverage_fewest(p->npaths, counted, each) * ((double)leaving / counted));
}

void plan_free(struct plan *p) {
    free(p->tors);
}

/* ---- ports ---- */

/* A number drawn for one purpose: the n-th of a pair of RNICs on a list. */
static uint64_t draw(const struct plan *p, const struct ping *x, uint64_t n, uint64_t round) {
    uint64_t h = hash_mix(p->seed + 0x9E3779B97F4A7C15u, n + 1);
    h = hash_bytes(x->prober, strlen(x->prober), h ^ (uint64_t)x->list);
    h = hash_bytes(x->target, strlen(x->target), h);
    return hash_mix(h ^ round, 0xBF58476D1CE4E5B9u);
}

/* Whether the port is taken by an earlier row of the same pair and list, or is the one to be replaced. */
static bool taken(const struct pinglist *out, size_t first, const struct ping *x, uint16_t port,
                  uint16_t not ) {
    if (port == not )
        return true;
    for (size_t i = first; i < out->count; i++)
        if (out->at[i].list == x->list && out->at[i].tuple.sport == port &&
            !strcmp(out->at[i].prober, x->prober) && !strcmp(out->at[i].target, x->target))
            return true;
    return false;
}

static uint16_t draw_port(const struct plan *p, const struct pinglist *out, size_t first,
                          const struct ping *x, uint64_t n, uint64_t round, uint16_t not ) {
    uint16_t port;
    do
        port = (uint16_t)(PING_FIRST_SOURCE + draw(p, x, n, round++) % PING_SOURCES);
    while (taken(out, first, x, port, not ));
    return port;
}

/* ---- old lists ---- */

/* The rows of an old list by list, prober and target, taken one after the other. */
struct kept {
    struct strmap map; /* to an index into next */
    const struct pinglist *old;
    size_t *next;  /* per key: the next row to take; SIZE_MAX: none */
    size_t *chain; /* per row: the next of its key */
    uint32_t nkeys;
};

static size_t key_of(const struct ping *x, char *buf, size_t size) {
    int n = snprintf(buf, size, "%d %s %s", (int)x->list, x->prober, x->target);
    return (size_t)n < size ? (size_t)n : size - 1;
}

static void kept_init(struct kept *k, struct reckon *r, const struct pinglist *old) {
    char key[1024];
    *k = (struct kept){.old = old};
    strmap_init(&k->map, r);
    k->next = reckon_resize(NULL, old->count + 1, sizeof *k->next);
    k->chain = reckon_resize(NULL, old->count + 1, sizeof *k->chain);
    for (size_t i = old->count; i-- > 0;) {
        uint32_t at = strmap_add(&k->map, key, key_of(&old->at[i], key, sizeof key), k->nkeys, NULL);
        k->chain[i] = at == k->nkeys ? SIZE_MAX : k->next[at];
        k->nkeys += at == k->nkeys;
        k->next[at] = i;
    }
}

static void kept_free(struct kept *k) {
    strmap_free(&k->map);
    free(k->next);
    free(k->chain);
}

/* The next source port the old list has for the pair; 0: none. */
static uint16_t kept_port(struct kept *k, const struct ping *x) {
    char key[1024];
    uint32_t at = k->old ? strmap_get(&k->map, key, key_of(x, key, sizeof key)) : RECKON_NONE;
    if (at == RECKON_NONE || k->next[at] == SIZE_MAX)
        return 0;
    size_t row = k->next[at];
    k->next[at] = k->chain[row];
    return k->old->at[row].tuple.sport;
}

/* ---- rows ---- */

struct drawing {
    struct plan *plan;
    struct kept kept;
    struct pinglist *out;
};

static void set_address(char *buf, const struct topology *topo, uint32_t rnic) {
    const struct topology_rnic *n = &topo->rnics[rnic];
    const struct topology_host *h = &topo->hosts[n->host];
    const char *text = n->address ? n->address : h->count == 1 ? h->name : n->name;
    snprintf(buf, TUPLE_END, "%s", text);
}

static int family(const struct topology *topo, uint32_t rnic) {
    struct sockaddr_storage a;
    socklen_t length;
    const char *text = topo->rnics[rnic].address;
    return text && address_parse(text, 0, &a, &length) ? a.ss_family : AF_UNSPEC;
}

/* Whether a packet can go from one to the other: not between IPv4 and IPv6. A name may have either. */
static bool reaches(const struct topology *topo, uint32_t a, uint32_t b) {
    int x = family(topo, a), y = family(topo, b);
    return x == AF_UNSPEC || y == AF_UNSPEC || x == y;
}

/* One row; `first` is the first that may have the same pair and list, n its number among them. */
static void add_row(struct drawing *d, enum ping_list list, uint32_t prober, uint32_t target, double rate,
                    size_t first, uint64_t n) {
    const struct topology *topo = d->plan->topo;
    if (!reaches(topo, prober, target)) {
        if (!d->plan->apart++) {
            d->plan->apart_a = topo->rnics[prober].name;
            d->plan->apart_b = topo->rnics[target].name;
        }
        return;
    }
    struct ping x = {
        .list = list, .prober = topo->rnics[prober].name, .target = topo->rnics[target].name, .rate = rate};
    set_address(x.tuple.src, topo, prober);
    set_address(x.tuple.dst, topo, target);
    x.tuple.dport = d->plan->port;
    x.tuple.sport = kept_port(&d->kept, &x);
    if (!x.tuple.sport)
        x.tuple.sport = draw_port(d->plan, d->out, first, &x, n, 0, 0);
    d->out->at = reckon_grow(d->out->at, d->out->count, &d->out->cap, sizeof *d->out->at);
    d->out->at[d->out->count++] = x;
}

static void mesh_rows(struct drawing *d, uint32_t rnic) {
    const struct topology *topo = d->plan->topo;
    uint32_t tor = topo->hosts[topo->rnics[rnic].host].tor;
    if (tor == RECKON_NONE)
        return;
    const struct topology_tor *t = &topo->tors[tor];
    uint32_t peers = 0;
    for (uint32_t i = 0; i < t->count; i++)
        peers += t->rnics[i] != rnic && reaches(topo, rnic, t->rnics[i]);
    for (uint32_t i = 0; i < t->count; i++)
        if (t->rnics[i] != rnic)
            add_row(d, PING_TOR_MESH, rnic, t->rnics[i], MESH_RATE / peers, d->out->count, 0);
}

/* Tuple i between two ToRs leaves from RNIC (j k + i) of one and arrives at RNIC (j' k + i) of the other, j
 * and j' being each other's place among their ToR's peers: every RNIC gets as many, and who probes whom is
 * the same both ways, so that an agent can answer exactly those it probes. */
static void pair_rows(struct drawing *d, uint32_t rnic, uint32_t mine, uint32_t other) {
    const struct plan *p = d->plan;
    const struct topology_tor *a = &p->topo->tors[p->tors[mine]], *b = &p->topo->tors[p->tors[other]];
    uint64_t ja = other - (other > mine), jb = mine - (mine > other);
    size_t first = d->out->count;
    for (uint64_t i = 0; i < p->ntuples; i++)
        if (a->rnics[(ja * p->ntuples + i) % a->count] == rnic)
            add_row(d, PING_INTER_TOR, rnic, b->rnics[(jb * p->ntuples + i) % b->count], p->inter_rate, first,
                    i);
}

static void inter_rows(struct drawing *d, uint32_t rnic) {
    const struct plan *p = d->plan;
    uint32_t tor = p->topo->hosts[p->topo->rnics[rnic].host].tor;
    for (uint32_t mine = 0; p->ntuples && mine < p->ntors; mine++)
        for (uint32_t other = 0; p->tors[mine] == tor && other < p->ntors; other++)
            if (other != mine)
                pair_rows(d, rnic, mine, other);
}

/* ---- rotation ---- */

struct lot {
    uint64_t number;
    size_t row;
};

static int lot_order(const void *a, const void *b) {
    const struct lot *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Replaces a fifth of a list's tuples in the rows; over all hosts it is a fifth to the row. */
static void rotate(struct plan *p, struct pinglist *out, enum ping_list list) {
    struct lot *lots = reckon_resize(NULL, out->count + 1, sizeof *lots);
    uint64_t round = hash_mix((uint64_t)p->hour + 1, 0x94D049BB133111EBu) | 1;
    size_t n = 0;
    for (size_t i = 0; i < out->count; i++)
        if (out->at[i].list == list)
            lots[n++] = (struct lot){draw(p, &out->at[i], out->at[i].tuple.sport, round), i};
    qsort(lots, n, sizeof *lots, lot_order);
    p->slots[list] += n;
    uint64_t due = (uint64_t)floor(ROTATED * (double)p->slots[list] + 0.5) - p->replaced[list];
    for (size_t i = 0; i < due && i < n; i++) {
        struct ping *x = &out->at[lots[i].row];
        x->tuple.sport = draw_port(p, out, 0, x, x->tuple.sport, round, x->tuple.sport);
        p->replaced[list]++;
    }
    free(lots);
}

void draw_host(struct plan *p, uint32_t host, const struct pinglist *old, struct pinglist *out) {
    struct drawing d = {.plan = p, .out = out};
    const struct topology_host *h = &p->topo->hosts[host];
    out->count = 0;
    if (old)
        kept_init(&d.kept, p->topo->r, old);
    for (uint32_t rnic = h->first; rnic < h->first + h->count; rnic++) {
        mesh_rows(&d, rnic);
        inter_rows(&d, rnic);
    }
    if (p->rotate) {
        rotate(p, out, PING_TOR_MESH);
        rotate(p, out, PING_INTER_TOR);
    }
    if (old)
        kept_free(&d.kept);
}
