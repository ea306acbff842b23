/* SPDX-License-Identifier: Apache-2.0
 *
 * --live S: a line on standard output every S seconds with the sums since the line before, over all pairs
 * whose both nodes answer.
 */
#include <stdio.h>

#include "bench.h"

struct live {
    double next; /* when the next line is due, seconds since the beginning */
    double last;
    struct seen {
        struct tally client, server;
    } * then; /* of each pair, at the line before */
};

static int begin(struct bench *b, void **own) {
    struct live *x = reckon_alloc(b->r, sizeof *x);
    x->next = b->live;
    x->then = reckon_alloc(b->r, b->nduos * sizeof *x->then);
    *own = x;
    return 0;
}

/* " rtt p50 9.9 us": nothing when none was measured. */
static void print_us(const char *what, const struct histogram *h, double share) {
    if (h->count)
        printf("  %s %.1f us", what, bench_us(histogram_percentile(h, share)));
}

/* The pairs that are heard of: what they did since the line before, and all in all. Their number. */
static uint32_t add_pairs(const struct bench *b, struct live *x, struct seen *since, struct seen *all) {
    uint32_t heard = 0;
    *since = *all = (struct seen){.client = {0}};
    for (uint32_t i = 0; i < b->nduos; i++) {
        const struct pair_report *c = duo_client(b, &b->duos[i]), *s = duo_server(b, &b->duos[i]);
        if (!duo_heard(b, &b->duos[i]) || !c || !s)
            continue;
        struct seen now = {c->tally, s->tally}, grown = {tally_since(&now.client, &x->then[i].client),
                                                         tally_since(&now.server, &x->then[i].server)};
        tally_merge(&since->client, &grown.client);
        tally_merge(&since->server, &grown.server);
        tally_merge(&all->client, &now.client);
        tally_merge(&all->server, &now.server);
        x->then[i] = now;
        heard++;
    }
    return heard;
}

static void print(struct bench *b, struct live *x, double at) {
    struct seen since, all;
    double seconds = at - x->last;
    const struct tally *c = &since.client, *s = &since.server;
    printf("%7.1f s  %u node%s", at, nodes_left(b), nodes_left(b) == 1 ? "" : "s");
    if (add_pairs(b, x, &since, &all))
        printf("  sent %.0f/s  arrived %.0f/s  %.2f Mb/s out  %.2f Mb/s back  failed %llu  bad %llu",
               (double)c->total / seconds,
               (double)(b->plan.drill == DRILL_MRR ? s->arrived : c->arrived) / seconds,
               (double)s->received_bytes * 8 / 1e6 / seconds, (double)c->received_bytes * 8 / 1e6 / seconds,
               (unsigned long long)all.client.failed, (unsigned long long)(all.client.bad + all.server.bad));
    else
        fputs("  sent -  arrived -  - Mb/s out  - Mb/s back  failed -  bad -", stdout);
    print_us("rtt p50", &b->recent, 0.5);
    print_us("p99", &b->recent, 0.99);
    putchar('\n');
    fflush(stdout);
    x->last = at;
    b->recent = (struct histogram){0};
}

static int interval(struct bench *b, void *own, uint32_t i, double ts, double seconds) {
    struct live *x = own;
    double at = (double)(bench_clock() - b->zero) / 1e9;
    (void)ts;
    /* once all nodes of the round have been noted: at the last that has reported */
    for (uint32_t k = i + 1; k < b->nnodes; k++)
        if (b->nodes[k].reported)
            return 0;
    if (seconds <= 0 || at + 0.05 < x->next)
        return 0;
    print(b, x, at);
    while (x->next <= at)
        x->next += b->live;
    return 0;
}

const struct result result_live = {.begin = begin, .interval = interval};
