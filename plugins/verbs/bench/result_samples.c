/* SPDX-License-Identifier: Apache-2.0
 *
 * Results as samples for `reckon trend`: DIR/samples.csv of rates, where more is better, and of a ping also
 * DIR/samples-rtt.csv, for --lower-is-better. All rows of a test have one time, so that intervals and trials
 * are its trials.
 */
#include "bench.h"

struct samples {
    struct reckon_writer *rates, *rtts; /* rtts: NULL where none are measured */
    uint32_t *rows;                     /* of each pair, for intervals */
};

static struct reckon_writer *create(struct bench *b, const char *name) {
    struct reckon_writer *w = reckon_create(b->r, reckon_text(b->r, "%s/%s", b->out, name));
    if (w)
        reckon_put(w, "ts,test,value,status,label,unit\n");
    return w;
}

static int begin(struct bench *b, void **own) {
    struct samples *x = reckon_alloc(b->r, sizeof *x);
    x->rows = reckon_alloc(b->r, b->nduos * sizeof *x->rows);
    *own = x;
    x->rates = create(b, "samples.csv");
    if (b->plan.drill == DRILL_PING)
        x->rtts = create(b, "samples-rtt.csv");
    return x->rates && (x->rtts || b->plan.drill != DRILL_PING) ? 0 : -1;
}

/* `d` NULL: the sum of all pairs. Names hold nothing that a cell would have to quote. */
static void write_row(const struct bench *b, struct reckon_writer *w, const struct duo *d, const char *what,
                      double value, const char *unit) {
    reckon_put_fixed(w, b->started, 3);
    reckon_printf(w, ",%s/%s/%u/", drill_name(b->plan.drill), b->plan.transport, b->plan.size);
    if (d)
        reckon_printf(w, "%s->%s", b->nodes[d->client].name, b->nodes[d->server].name);
    reckon_printf(w, "%s,", what);
    reckon_put_fixed(w, value, 3);
    reckon_put(w, reckon_blank(value) ? ",FAIL," : ",OK,");
    reckon_put_cell(w, b->label ? b->label : "");
    reckon_printf(w, ",%s\n", unit);
}

static void write_interval(const struct bench *b, struct samples *x, const struct bench_node *n, uint32_t k,
                           const struct tally *t, double seconds) {
    const struct duo *d = &b->duos[n->duos[k]];
    double mbps = (double)t->received_bytes * 8 / 1e6 / seconds;
    const struct pair_report *p = &n->now.pairs[k];
    if (b->plan.drill == DRILL_BULK) {
        write_row(b, x->rates, d, duo_is_client(b, n, k) ? "/to-client" : "/to-server", mbps, "Mb/s");
    } else if (duo_is_client(b, n, k)) {
        write_row(b, x->rates, d, "", (double)t->arrived / seconds, "pps");
        if (p->recent.count)
            write_row(b, x->rtts, d, "/rtt_p50", bench_us(p->recent_p50), "us");
    }
}

static int interval(struct bench *b, void *own, uint32_t i, double ts, double seconds) {
    struct samples *x = own;
    const struct bench_node *n = &b->nodes[i];
    (void)ts;
    if (b->plan.drill == DRILL_MRR || seconds < (double)b->interval / 2e9)
        return 0;
    for (uint32_t k = 0; k < n->npairs; k++) {
        struct tally t;
        if (!duo_heard(b, &b->duos[n->duos[k]]))
            continue;
        pair_since(n, k, &t);
        write_interval(b, x, n, k, &t, seconds);
        x->rows[n->duos[k]]++;
    }
    return 0;
}

/* A test that was over before an interval was. */
static void write_whole(const struct bench *b, struct samples *x, const struct duo *d) {
    const struct pair_report *c = duo_client(b, d);
    if (b->plan.drill == DRILL_BULK) {
        write_row(b, x->rates, d, "/to-server", duo_mbps(b, d, true), "Mb/s");
        write_row(b, x->rates, d, "/to-client", duo_mbps(b, d, false), "Mb/s");
    } else {
        write_row(b, x->rates, d, "", duo_rate(b, d), "pps");
        if (c && c->rtt.count)
            write_row(b, x->rtts, d, "/rtt_p50", bench_us(c->p50), "us");
    }
}

/* The sum is that of all pairs, or blank: fewer pairs are another test. */
static void write_trials(const struct bench *b, struct samples *x) {
    for (uint32_t k = 0; k < bench_trials(b); k++) {
        double sum = 0;
        for (uint32_t i = 0; i < b->nduos; i++) {
            uint64_t sent, arrived;
            double rate = duo_trial(b, &b->duos[i], k, &sent, &arrived);
            sum += rate;
            write_row(b, x->rates, &b->duos[i], "", rate, "pps");
        }
        write_row(b, x->rates, NULL, "all", sum, "pps");
    }
}

/* A pair that was lost has failed, whatever its intervals were before. */
static void write_lost(const struct bench *b, struct samples *x, const struct duo *d) {
    bool bulk = b->plan.drill == DRILL_BULK;
    write_row(b, x->rates, d, bulk ? "/to-server" : "", RECKON_BLANK, bulk ? "Mb/s" : "pps");
    if (bulk)
        write_row(b, x->rates, d, "/to-client", RECKON_BLANK, "Mb/s");
    if (x->rtts)
        write_row(b, x->rtts, d, "/rtt_p50", RECKON_BLANK, "us");
}

static int end(struct bench *b, void *own) {
    struct samples *x = own;
    bool mrr = b->plan.drill == DRILL_MRR, trials = mrr && bench_trials(b);
    if (trials)
        write_trials(b, x);
    for (uint32_t i = 0; !trials && i < b->nduos; i++) {
        const struct duo *d = &b->duos[i];
        if (d->lost)
            write_lost(b, x, d);
        else if (!mrr && !x->rows[i])
            write_whole(b, x, d);
    }
    return reckon_commit(x->rates) | (x->rtts ? reckon_commit(x->rtts) : 0);
}

const struct result result_samples = {.begin = begin, .interval = interval, .end = end};
