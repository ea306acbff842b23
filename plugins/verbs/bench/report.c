/* SPDX-License-Identifier: Apache-2.0
 *
 * What the console says at the end, on standard output: both sides' totals, the RTTs, what was lost; and the
 * line that scripts read. What was not measured is - here, and nothing there.
 */
#include <stdio.h>

#include "bench.h"

#define MOST_LINES 10u /* of pairs that lost something */

static unsigned long long count(uint64_t x) {
    return x;
}

/* A figure, or - for one that is not known. */
static void print_figure(const char *before, double x, int decimals, const char *after) {
    if (reckon_blank(x))
        printf("%s-%s", before, after);
    else
        printf("%s%.*f%s", before, decimals, x, after);
}

/* `t` NULL: not measured. */
static void print_tally(const char *who, const struct tally *t, bool server) {
    if (!t) {
        printf("  %-8s total -  failed -  bad -  arrived -\n", who);
        return;
    }
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
    printf("  RTT      min %.1f  mean %.1f", bench_us((double)s->min), bench_us(sample_mean(s)));
    print_figure("  stdev ", bench_us(sample_deviation(s)), 1, "");
    printf("  p50 %.1f  p99 %.1f  max %.1f us\n", bench_us(histogram_within(&b->all, s, 0.5)),
           bench_us(histogram_within(&b->all, s, 0.99)), bench_us((double)s->max));
}

static void print_losses(const struct bench *b) {
    uint32_t lossy = 0;
    for (uint32_t i = 0; i < b->nduos; i++) {
        const struct duo *d = &b->duos[i];
        const struct pair_report *c = duo_client(b, d);
        bool failed = c && (c->tally.failed || c->tally.bad || d->lost);
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

/* Sums, over the pairs measured to the end, of what only a pair has. Blank: none of them has it. */
struct rates {
    double rate, there, back, best_trial;
};

/* Adds what is known: a pair that had all its chances and let nothing through counts, as 0. */
static void add(double *sum, double x, const struct tally *t) {
    if (reckon_blank(x) && (!t || !t->total || t->arrived))
        return;
    *sum = (reckon_blank(*sum) ? 0 : *sum) + (reckon_blank(x) ? 0 : x);
}

static double best_trial(const struct bench *b) {
    double best = RECKON_BLANK;
    for (uint32_t k = 0; k < bench_trials(b); k++) {
        double sum = RECKON_BLANK;
        uint64_t sent, arrived;
        for (uint32_t i = 0; i < b->nduos; i++)
            add(&sum, duo_trial(b, &b->duos[i], k, &sent, &arrived), NULL);
        best = reckon_blank(best) || sum > best ? sum : best;
    }
    return best;
}

static void add_rates(const struct bench *b, struct rates *r) {
    *r = (struct rates){RECKON_BLANK, RECKON_BLANK, RECKON_BLANK, RECKON_BLANK};
    for (uint32_t i = 0; i < b->nduos; i++) {
        const struct duo *d = &b->duos[i];
        const struct pair_report *c = duo_client(b, d), *s = duo_server(b, d);
        if (d->lost || !c || !s)
            continue;
        add(&r->rate, duo_rate(b, d), &c->tally);
        add(&r->there, duo_mbps(b, d, true), &s->tally);
        add(&r->back, duo_mbps(b, d, false), &c->tally);
    }
    if (b->plan.drill == DRILL_MRR)
        r->best_trial = best_trial(b);
}

void bench_report(const struct bench *b) {
    struct totals t;
    struct rates r;
    bench_totals(b, &t);
    add_rates(b, &r);
    printf("reckon bench -- %s over %s, %s, %s, %u B", drill_name(b->plan.drill), b->plan.transport,
           reckon_count(b->r, b->nnodes, "node"), reckon_count(b->r, b->nduos, "pair"), b->plan.size);
    if (b->plan.drill == DRILL_PING)
        printf(" and %u B replies", b->plan.reply);
    printf("\n\n");
    if (t.pairs_lost)
        printf("  %s %s lost; sums are of the %u measured to the end\n",
               reckon_count(b->r, t.pairs_lost, "pair"), t.pairs_lost == 1 ? "was" : "were", t.pairs_whole);
    print_tally("clients", t.pairs_whole ? &t.clients : NULL, false);
    print_tally("servers", t.pairs_whole ? &t.servers : NULL, true);
    print_rtt(b, &t.rtt);
    if (b->plan.drill == DRILL_MRR) {
        print_figure("  rate     ", r.best_trial, 0, " frames/s arrived in the best of ");
        fputs(reckon_count(b->r, bench_trials(b), "trial"), stdout);
        if (bench_trials(b) < b->plan.trials)
            printf(", of %u that were asked for", b->plan.trials);
        putchar('\n');
    } else if (b->plan.drill == DRILL_PING) {
        print_figure("  rate     ", r.rate, 0, " answered/s, all pairs\n");
    }
    print_figure("  goodput  ", r.there, 2, " Mb/s to servers, ");
    print_figure("", r.back, 2, " Mb/s to clients\n");
    print_losses(b);
}

static void parsable(const char *key, double x, int decimals) {
    if (reckon_blank(x))
        printf(" %s=", key);
    else
        printf(" %s=%.*f", key, decimals, x);
}

static void parsable_tally(const char *side, const struct tally *t, bool known) {
    if (known)
        printf(" %stotal=%llu %sfailed=%llu %sbad=%llu %sarrived=%llu", side, count(t->total), side,
               count(t->failed), side, count(t->bad), side, count(t->arrived));
    else
        printf(" %stotal= %sfailed= %sbad= %sarrived=", side, side, side, side);
}

void bench_parsable(const struct bench *b) {
    struct totals t;
    struct rates r;
    bench_totals(b, &t);
    add_rates(b, &r);
    bool rtt = t.rtt.count;
    printf("reckon-bench test=%s transport=%s nodes=%u nodes_lost=%u pairs=%u pairs_lost=%u",
           drill_name(b->plan.drill), b->plan.transport, b->nnodes, t.nodes_lost, b->nduos, t.pairs_lost);
    parsable_tally("", &t.clients, t.pairs_whole);
    parsable_tally("server_", &t.servers, t.pairs_whole);
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
