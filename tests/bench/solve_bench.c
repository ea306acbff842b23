/* SPDX-License-Identifier: Apache-2.0
 *
 * How long the solver and the comparison take, and what they hold, on fabrics made in memory:
 *
 *     solve_bench uniform|random|layered|tiers RACKS HOSTS [PEERS [TIMES]]
 *     solve_bench reference
 *
 * Every host to PEERS others spread evenly, or (0) to all. uniform: 25 Gb/s NICs, two 100 Gb/s uplinks a
 * rack, unpaced. random: NICs of 10, 25 and 100 Gb/s, every flow with a demand of its own. layered: the flows
 * dealt out to 100 layers. tiers: racks of 4 to a pod, pods with uplinks too. Prints the best of TIMES (3). reference: small random problems, also
 * by plain progressive filling, which looks at every link in every step.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../../core/compare.h"
#include "../core/reference.h"
#include "../fabric.h"

struct kind {
    const char *name;
    uint32_t layers, pods; /* racks in a pod, 0 for none */
    bool mixed_speeds, demands;
};

static const struct kind kinds[] = {
    {"uniform", 0, 0, false, false},
    {"random", 0, 0, true, true},
    {"layered", 100, 0, true, true},
    {"tiers", 0, 4, true, true},
};

/* Knuth's linear congruence: the same numbers everywhere. */
static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static char *name_of(const char *format, uint32_t a, uint32_t b) {
    char text[64];
    snprintf(text, sizeof text, format, a, b);
    return strdup(text);
}

/* Whether a sends to b. */
static bool sends(uint32_t a, uint32_t b, uint32_t hosts, uint32_t peers) {
    return a != b && (!peers || (b + hosts - a) % hosts % (hosts / (peers + 1)) == 0);
}

static struct reckon_comparison *make(struct reckon *r, const struct kind *k, uint32_t racks, uint32_t size,
                                      uint32_t peers) {
    static const double speeds[] = {10, 25, 100};
    struct reckon_comparison *c =
        fabric_new(r, RECKON_REQUEST_REPLY, k->layers ? RECKON_SHARE_LAYER : RECKON_SHARE_ALL);
    uint64_t state = 1;
    uint32_t shape = fabric_shape(c, 1434, 34);
    for (uint32_t i = 0; i < racks; i++)
        fabric_group(c, 0, name_of("hall/r%03u", i, 0), 2, 100);
    for (uint32_t i = 0; k->pods && i < racks; i += k->pods)
        fabric_group(c, 1, name_of("pod/p%03u", i / k->pods, 0), 4, 100);
    for (uint32_t i = 0; i < racks; i++)
        for (uint32_t h = 0; h < size; h++)
            fabric_host(c, name_of("r%03uu%03u", i, h), k->mixed_speeds ? speeds[(i + h) % 3] : 25, BLANK, i,
                        k->pods ? racks + i / k->pods : NONE);
    for (uint32_t i = 0; i < k->layers; i++)
        fabric_layer(c, name_of("%03u", i, 0));
    for (uint32_t a = 0; a < c->nhosts; a++)
        for (uint32_t b = 0; b < c->nhosts; b++)
            if (sends(a, b, c->nhosts, peers))
                fabric_flow(c, a, b, k->layers ? 1 + (a + b) % k->layers : 0, shape,
                            k->demands ? 20 * (double)k->layers + 4000 * uniform(&state) : BLANK,
                            800 * uniform(&state));
    fabric_ready(c);
    return c;
}

/* Processor time, so that other programs on the machine count less. */
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_mb(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

/* How much faster than the plain way, and that both say the same. */
static int against_reference(void) {
    static const uint32_t racks[] = {2, 4, 8};
    for (size_t i = 0; i < sizeof racks / sizeof *racks; i++) {
        struct reckon *r = calloc(1, sizeof *r);
        struct reckon_comparison *c = make(r, &kinds[1], racks[i], 5, 0);
        double fast = INFINITY, begin, slow, worst = 0;
        for (int k = 0; k < 9; k++) {
            begin = seconds();
            model_solve(c, false);
            fast = fmin(fast, seconds() - begin);
        }
        begin = seconds();
        struct reference x = reference_solve(c, false);
        slow = seconds() - begin;
        for (uint32_t f = 0; f < c->nflows; f++)
            worst = fmax(worst, fabs(c->flows[f].expected / (double)x.expected[f] - 1));
        printf("%u flows, %.3g s, reference %.3g s, differ by %.1g at most\n", c->nflows, fast, slow, worst);
        reference_free(&x);
        fabric_free(c);
        free(r);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "reference"))
        return against_reference();
    const struct kind *k = NULL;
    for (size_t i = 0; argc > 3 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(argv[1], kinds[i].name))
            k = &kinds[i];
    if (!k) {
        fprintf(stderr, "usage: solve_bench uniform|random|layered|tiers RACKS HOSTS [PEERS [TIMES]]\n");
        return 2;
    }
    struct reckon *r = calloc(1, sizeof *r);
    struct reckon_comparison *c =
        make(r, k, (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]), argc > 4 ? (uint32_t)atoi(argv[4]) : 0);
    double before = peak_mb(), solve = INFINITY, comparing = INFINITY, solve_peak = 0;
    for (int i = argc > 5 ? atoi(argv[5]) : 3; i-- > 0;) {
        double begin = seconds();
        model_solve(c, false);
        double solved = seconds();
        solve = fmin(solve, solved - begin);
        solve_peak = solve_peak > 0 ? solve_peak : peak_mb();
        evidence_gather(c, 90);
        compare_hosts(c, 90, 50);
        comparing = fmin(comparing, seconds() - solved);
    }
    double sum = 0;
    for (uint32_t i = 0; i < c->nflows; i++)
        sum += reckon_blank(c->flows[i].expected) ? 0 : c->flows[i].expected;
    printf(
        "%s: %u flows, solve %.3f s, compare %.3f s; %.0f bytes a flow, solving %.0f more, comparing %.0f; "
        "expected in all %.17g\n",
        k->name, c->nflows, solve, comparing, before * 1048576 / c->nflows,
        (solve_peak - before) * 1048576 / c->nflows, (peak_mb() - before) * 1048576 / c->nflows, sum);
    fabric_free(c);
    free(r);
    return 0;
}
