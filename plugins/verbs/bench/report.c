/* SPDX-License-Identifier: Apache-2.0
 *
 * What the console says at the end, on standard output: both sides' totals, the RTTs, what was lost; and the
 * line that scripts read.
 */
#include <stdio.h>

#include "bench.h"

#define MOST_LINES 10u /* of pairs that lost something */

static unsigned long long count(uint64_t x) {
    return x;
}

static void print_tally(const char *who, const struct tally *t, bool server) {
    printf("  %-8s total %llu  failed %llu  bad %llu  arrived %llu", who, count(t->total), count(t->failed),
           count(t->bad), count(t->arrived));
    if (server && t->shortened)
        printf("  (%llu never came)", count(t->shortened));
    if (t->late)
        printf("  late %llu", count(t->late));
    putchar('\n');
}

static void print_rtt(const struct bench *b, const struct sample *s) {
    if (!s->count)
        return;
    printf("  RTT      min %.1f  mean %.1f  stdev %.1f  p50 %.1f  p99 %.1f  max %.1f us\n",
           bench_us((double)s->min), bench_us(sample_mean(s)),
           s->count > 1 ? bench_us(sample_deviation(s)) : 0, bench_us(histogram_within(&b->all, s, 0.5)),
           bench_us(histogram_within(&b->all, s, 0.99)), bench_us((double)s->max));
}

static void print_losses(const struct bench *b) {
    uint32_t lossy = 0;
    for (uint32_t i = 0; i < b->nduos; i++) {
        const struct duo *d = &b->duos[i];
        const struct pair_report *c = duo_client(b, d);
        bool failed = c && (c->tally.failed || c->tally.bad);
        if (!d->lost && !failed)
            continue;
        if (lossy++ >= MOST_LINES)
            continue;
        printf("  %s -> %s: ", b->nodes[d->client].name, b->nodes[d->server].name);
        if (failed)
            printf("%llu of %llu failed%s", count(c->tally.failed), count(c->tally.total),
                   d->lost ? "; " : "\n");
        if (d->lost)
            printf("lost: %s\n", d->lost);
    }
    if (lossy > MOST_LINES)
        printf("  and %u more pairs that lost something\n", lossy - MOST_LINES);
}

/* Sums over pairs of what only a pair has. */
struct rates {
    double rate, there, back, best_trial;
};

static double or_zero(double x) {
    return reckon_blank(x) ? 0 : x;
}

static void add_rates(const struct bench *b, struct rates *r) {
    *r = (struct rates){.best_trial = 0};
    for (uint32_t i = 0; i < b->nduos; i++) {
        r->rate += or_zero(duo_rate(b, &b->duos[i]));
        r->there += or_zero(duo_mbps(b, &b->duos[i], true));
        r->back += or_zero(duo_mbps(b, &b->duos[i], false));
    }
    for (uint32_t k = 0; b->plan.drill == DRILL_MRR && k < b->plan.trials; k++) {
        double sum = 0;
        uint64_t sent, arrived;
        for (uint32_t i = 0; i < b->nduos; i++)
            sum += or_zero(duo_trial(b, &b->duos[i], k, &sent, &arrived));
        r->best_trial = sum > r->best_trial ? sum : r->best_trial;
    }
}

void bench_report(const struct bench *b) {
    struct totals t;
    struct rates r;
    bench_totals(b, &t);
    add_rates(b, &r);
    printf("reckon bench -- %s over %s, %u nodes, %u pairs, %u B", drill_name(b->plan.drill),
           b->plan.transport, b->nnodes, b->nduos, b->plan.size);
    if (b->plan.drill == DRILL_PING)
        printf(" and %u B replies", b->plan.reply);
    printf("\n\n");
    print_tally("clients", &t.clients, false);
    print_tally("servers", &t.servers, true);
    print_rtt(b, &t.rtt);
    if (b->plan.drill == DRILL_MRR)
        printf("  rate     %.0f frames/s arrived in the best of %u trials\n", r.best_trial, b->plan.trials);
    else if (b->plan.drill == DRILL_PING)
        printf("  rate     %.0f answered/s, all pairs\n", r.rate);
    printf("  goodput  %.2f Mb/s to servers, %.2f Mb/s to clients\n", r.there, r.back);
    print_losses(b);
}

static void parsable(const char *key, double x, int decimals) {
    if (reckon_blank(x))
        printf(" %s=", key);
    else
        printf(" %s=%.*f", key, decimals, x);
}

void bench_parsable(const struct bench *b) {
    struct totals t;
    struct rates r;
    bench_totals(b, &t);
    add_rates(b, &r);
    bool rtt = t.rtt.count;
    printf("reckon-bench test=%s transport=%s nodes=%u nodes_lost=%u pairs=%u pairs_lost=%u",
           drill_name(b->plan.drill), b->plan.transport, b->nnodes, t.nodes_lost, b->nduos, t.pairs_lost);
    printf(" total=%llu failed=%llu bad=%llu arrived=%llu", count(t.clients.total), count(t.clients.failed),
           count(t.clients.bad), count(t.clients.arrived));
    printf(" server_total=%llu server_failed=%llu server_bad=%llu server_arrived=%llu",
           count(t.servers.total), count(t.servers.failed), count(t.servers.bad), count(t.servers.arrived));
    parsable("rtt_min_us", rtt ? bench_us((double)t.rtt.min) : RECKON_BLANK, 3);
    parsable("rtt_mean_us", bench_us(sample_mean(&t.rtt)), 3);
    parsable("rtt_stdev_us", bench_us(sample_deviation(&t.rtt)), 3);
    parsable("rtt_p50_us", bench_us(histogram_within(&b->all, &t.rtt, 0.5)), 3);
    parsable("rtt_p99_us", bench_us(histogram_within(&b->all, &t.rtt, 0.99)), 3);
    parsable("rtt_max_us", rtt ? bench_us((double)t.rtt.max) : RECKON_BLANK, 3);
    parsable("rate", b->plan.drill == DRILL_MRR ? r.best_trial : r.rate, 3);
    parsable("mbps_to_servers", r.there, 3);
    parsable("mbps_to_clients", r.back, 3);
    putchar('\n');
}
