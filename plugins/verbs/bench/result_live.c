/* SPDX-License-Identifier: Apache-2.0
 *
 * --live S: a line on standard output every S seconds with the sums of all nodes since the line before.
 */
#include <stdio.h>

#include "bench.h"

struct live {
    double next; /* when the next line is due, seconds since the beginning */
    double last;
    struct totals then;
};

static int begin(struct bench *b, void **own) {
    struct live *x = reckon_alloc(b->r, sizeof *x);
    x->next = b->live;
    *own = x;
    return 0;
}

/* " rtt p50 9.9 us": nothing when none was measured. */
static void print_us(const char *what, const struct histogram *h, double share) {
    if (h->count)
        printf("  %s %.1f us", what, bench_us(histogram_percentile(h, share)));
}

static void print(struct bench *b, struct live *x, double at) {
    struct totals now;
    double seconds = at - x->last;
    bench_totals(b, &now);
    const struct tally *c = &now.clients, *s = &now.servers, *c0 = &x->then.clients, *s0 = &x->then.servers;
    printf("%7.1f s  %u nodes  sent %.0f/s  arrived %.0f/s  %.2f Mb/s out  %.2f Mb/s back  failed %llu  bad "
           "%llu",
           at, nodes_left(b), (double)(c->total - c0->total) / seconds,
           (double)(b->plan.drill == DRILL_MRR ? s->arrived - s0->arrived : c->arrived - c0->arrived) /
               seconds,
           (double)(s->received_bytes - s0->received_bytes) * 8 / 1e6 / seconds,
           (double)(c->received_bytes - c0->received_bytes) * 8 / 1e6 / seconds,
           (unsigned long long)c->failed, (unsigned long long)(c->bad + s->bad));
    print_us("rtt p50", &b->recent, 0.5);
    print_us("p99", &b->recent, 0.99);
    putchar('\n');
    fflush(stdout);
    x->then = now;
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
