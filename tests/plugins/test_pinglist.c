/* SPDX-License-Identifier: Apache-2.0
 *
 * The Controller's lists for a fabric of 1,000 RNICs (doc/triage.md, "The Controller"): who is in them, the
 * rates, that every cable above the ToRs gets more than 10 probes/s each way under hashing, and rotation.
 *
 * 25 ToRs of 5 hosts of 8 RNICs; 16 spines, so k = 115: 25 × 40 × 39 = 39,000 ToR-mesh rows and 25 × 24 × 115
 * = 69,000 inter-ToR ones.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

#include "../../plugins/verbs/pinglist/draw.h"
#include "../scratch.h"

void suite_pinglist(void);

#define TORS 25
#define SPINES 16
#define RNICS 1000

static const char layout[] = "node s[01..16] role=spine\n"
                             "rack t[01..25] rnics=8\n"
                             "  node tor role=tor name={rack}tor\n"
                             "  node h[1..5] role=server name={rack}{id}\n";

static struct scratch scratch;
static struct topology topo;
static struct plan plan;
static struct pinglist all; /* the rows of all hosts, one after the other */

static void begin(uint64_t seed) {
    scratch_start(&scratch);
    CU_ASSERT_EQUAL_FATAL(scratch_layout(&scratch, layout), 0);
    CU_ASSERT_EQUAL_FATAL(topology_build(&scratch.session, &topo), 0);
    plan = (struct plan){.topo = &topo, .coverage = 0.99, .seed = seed, .port = PING_PORT};
    plan_fill(&plan, 0);
}

static void end(void) {
    plan_free(&plan);
    topology_free(&topo);
    scratch_end(&scratch);
}

/* Draws every host; `old` is what was drawn before (rows of all hosts), or NULL. */
static struct pinglist draw_all(const struct pinglist *old) {
    struct pinglist sum = {0}, one = {0};
    size_t at = 0;
    for (uint32_t h = 0; h < topo.nhosts; h++) {
        struct pinglist before = {0};
        if (old) {
            size_t from = at;
            while (at < old->count &&
                   !strncmp(old->at[at].prober, topo.hosts[h].name, strlen(topo.hosts[h].name)))
                at++;
            before = (struct pinglist){.at = old->at + from, .count = at - from};
        }
        draw_host(&plan, h, old ? &before : NULL, &one);
        for (size_t i = 0; i < one.count; i++) {
            sum.at = reckon_grow(sum.at, sum.count, &sum.cap, sizeof *sum.at);
            sum.at[sum.count++] = one.at[i];
        }
    }
    pinglist_free(&one);
    return sum;
}

static uint32_t rnic_of(const char *name) {
    return topology_rnic(&topo, name, strlen(name));
}
static uint32_t tor_of(const char *name) {
    return topo.hosts[topo.rnics[rnic_of(name)].host].tor;
}

static void complete(void) {
    static bool mesh[RNICS][RNICS], inter[RNICS][RNICS];
    static uint32_t pairs[TORS][TORS];
    size_t nmesh = 0, ninter = 0;
    begin(1);
    all = draw_all(NULL);
    memset(mesh, 0, sizeof mesh), memset(inter, 0, sizeof inter), memset(pairs, 0, sizeof pairs);
    for (size_t i = 0; i < all.count; i++) {
        const struct ping *x = &all.at[i];
        uint32_t a = rnic_of(x->prober), b = rnic_of(x->target);
        if (x->list == PING_TOR_MESH)
            nmesh += !mesh[a][b], mesh[a][b] = true;
        else
            ninter++, inter[a][b] = true, pairs[tor_of(x->prober)][tor_of(x->target)]++;
    }
    CU_ASSERT_EQUAL(nmesh, 39000);
    CU_ASSERT_EQUAL(ninter, 69000);
    CU_ASSERT_EQUAL(all.count, 39000 + 69000);
    size_t wrong = 0;
    for (uint32_t a = 0; a < RNICS; a++)
        for (uint32_t b = 0; b < RNICS; b++) {
            bool same = topo.hosts[topo.rnics[a].host].tor == topo.hosts[topo.rnics[b].host].tor;
            wrong += mesh[a][b] != (same && a != b);
            wrong += inter[a][b] != inter[b][a]; /* who probes me is whom I probe */
        }
    for (uint32_t a = 0; a < TORS; a++)
        for (uint32_t b = 0; b < TORS; b++)
            wrong += pairs[a][b] != (a == b ? 0 : 115);
    CU_ASSERT_EQUAL(wrong, 0);
    pinglist_free(&all);
    end();
}

/* 10 probes/s of every RNIC in its ToR-mesh; as many inter-ToR tuples from each RNIC, within one a pair of
 * ToRs. */
static void rates(void) {
    static double mesh[RNICS];
    static uint32_t inter[RNICS];
    memset(mesh, 0, sizeof mesh), memset(inter, 0, sizeof inter);
    begin(1);
    all = draw_all(NULL);
    for (size_t i = 0; i < all.count; i++) {
        uint32_t a = rnic_of(all.at[i].prober);
        if (all.at[i].list == PING_TOR_MESH)
            mesh[a] += all.at[i].rate;
        else
            inter[a]++;
    }
    for (uint32_t a = 0; a < RNICS; a++) {
        CU_ASSERT_DOUBLE_EQUAL(mesh[a], 10, 1e-9);
        CU_ASSERT(inter[a] >= 24 * 115 / 40 && inter[a] <= 24 * 115 / 40 + 24);
        CU_ASSERT(10 + inter[a] * plan.inter_rate < 150 - 100); /* leaves the service its 100 a second */
    }
    pinglist_free(&all);
    end();
}

/* ECMP by a hash of the tuple's text: over three seeds no cable gets 10 probes/s or fewer, either way. */
static void every_cable(void) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        static double up[TORS][SPINES], down[TORS][SPINES];
        char text[TUPLE_TEXT];
        memset(up, 0, sizeof up), memset(down, 0, sizeof down);
        begin(seed);
        all = draw_all(NULL);
        for (size_t i = 0; i < all.count; i++) {
            uint32_t h = 2166136261u;
            for (const char *s = tuple_text(&all.at[i].tuple, text); *s; s++)
                h = (h ^ (unsigned char)*s) * 16777619u;
            if (all.at[i].list == PING_INTER_TOR) {
                up[tor_of(all.at[i].prober)][(h >> 16) % SPINES] += all.at[i].rate;
                down[tor_of(all.at[i].target)][(h >> 16) % SPINES] += all.at[i].rate;
            }
        }
        for (uint32_t t = 0; t < TORS; t++)
            for (uint32_t s = 0; s < SPINES; s++)
                CU_ASSERT(up[t][s] > 10 && down[t][s] > 10);
        pinglist_free(&all);
        end();
    }
}

static size_t differing(const struct pinglist *a, const struct pinglist *b, enum ping_list list) {
    size_t n = 0;
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i].list == list)
            n += a->at[i].tuple.sport != b->at[i].tuple.sport;
    return n;
}

/* A fifth of the tuples to the row: 7,800 and 13,800; the same again from the same list; others in another
 * hour. */
static void rotation(void) {
    begin(1);
    all = draw_all(NULL);
    struct pinglist kept = draw_all(&all);
    CU_ASSERT_EQUAL(differing(&all, &kept, PING_TOR_MESH) + differing(&all, &kept, PING_INTER_TOR), 0);
    plan.rotate = true;
    plan.hour = 7;
    struct pinglist once = draw_all(&all);
    memset(plan.slots, 0, sizeof plan.slots), memset(plan.replaced, 0, sizeof plan.replaced);
    struct pinglist again = draw_all(&all);
    CU_ASSERT_EQUAL_FATAL(once.count, all.count);
    CU_ASSERT_EQUAL(differing(&all, &once, PING_TOR_MESH), 7800);
    CU_ASSERT_EQUAL(differing(&all, &once, PING_INTER_TOR), 13800);
    CU_ASSERT_EQUAL(differing(&once, &again, PING_TOR_MESH) + differing(&once, &again, PING_INTER_TOR), 0);
    plan.hour = 8;
    memset(plan.slots, 0, sizeof plan.slots), memset(plan.replaced, 0, sizeof plan.replaced);
    struct pinglist other = draw_all(&all);
    /* alike only where neither hour replaced it: all but 0.8 × 0.8 */
    CU_ASSERT_DOUBLE_EQUAL((double)differing(&once, &other, PING_INTER_TOR), 0.36 * 69000, 700);
    pinglist_free(&all), pinglist_free(&kept), pinglist_free(&once), pinglist_free(&again),
        pinglist_free(&other);
    end();
}

/* No two rows of a pair of RNICs have the same source port, before and after. */
static int by_pair(const void *a, const void *b) {
    const struct ping *x = a, *y = b;
    int c = strcmp(x->prober, y->prober);
    c = c ? c : strcmp(x->target, y->target);
    return c ? c : (int)x->tuple.sport - (int)y->tuple.sport;
}

static void distinct(void) {
    begin(9);
    all = draw_all(NULL);
    plan.rotate = true;
    struct pinglist rotated = draw_all(&all);
    for (int round = 0; round < 2; round++) {
        struct pinglist *l = round ? &rotated : &all;
        size_t same = 0;
        qsort(l->at, l->count, sizeof *l->at, by_pair);
        for (size_t i = 1; i < l->count; i++)
            same += by_pair(&l->at[i - 1], &l->at[i]) == 0;
        CU_ASSERT_EQUAL(same, 0);
    }
    pinglist_free(&all), pinglist_free(&rotated);
    end();
}

/* 1,024 paths fit into the 16,384 source ports of a single pair of RNICs. */
static void many_paths(void) {
    begin(1);
    plan_free(&plan);
    plan = (struct plan){.topo = &topo, .coverage = 0.99, .port = PING_PORT};
    plan_fill(&plan, 1024);
    CU_ASSERT(plan.ntuples > 11000 && plan.ntuples < PING_SOURCES);
    end();
}

void suite_pinglist(void) {
    CU_pSuite s = CU_add_suite("pinglist", NULL, NULL);
    CU_add_test(s, "complete", complete);
    CU_add_test(s, "rates", rates);
    CU_add_test(s, "every cable", every_cable);
    CU_add_test(s, "rotation", rotation);
    CU_add_test(s, "distinct ports", distinct);
    CU_add_test(s, "1024 paths", many_paths);
}
