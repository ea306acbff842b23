/* SPDX-License-Identifier: Apache-2.0
 *
 * Results in mx's columns, DIR/reports/HOST.csv, for `reckon LAYOUT --mx DIR/reports`: a row for each flow
 * and interval, of mrr for each flow and trial.
 */
#include <stdlib.h>

#include "bench.h"
#include "files.h"

static const char header[] = "ts,host,dir,peer,size,rep_size,target_pps,pps,mbps,rep_pps,rep_mbps,loss_pct,"
                             "rtt_avg_us,rtt_p50_us,rtt_p99_us,"
                             "rtt_max_us,cpu_pct,cpu_max_pct,agent_cpu_pct,workers,layer\n";

struct mx {
    struct reckon_writer **files; /* of each node */
    uint32_t *rows;               /* intervals written */
};

/* A row's figures, rates a second; blank: not known. */
struct row {
    const char *dir, *peer;
    double target, pps, rep_pps, loss;
    double rtt_mean, rtt_p50, rtt_p99, rtt_max; /* ns */
    double cpu_core, cpu_worker;
    uint32_t workers;
};

static struct row blank_row(const char *dir, const char *peer) {
    return (struct row){.dir = dir,
                        .peer = peer,
                        .target = RECKON_BLANK,
                        .pps = RECKON_BLANK,
                        .rep_pps = RECKON_BLANK,
                        .loss = RECKON_BLANK,
                        .rtt_mean = RECKON_BLANK,
                        .rtt_p50 = RECKON_BLANK,
                        .rtt_p99 = RECKON_BLANK,
                        .rtt_max = RECKON_BLANK,
                        .cpu_core = RECKON_BLANK,
                        .cpu_worker = RECKON_BLANK};
}

static void cell(struct reckon_writer *w, double x, int decimals) {
    reckon_put(w, ",");
    reckon_put_fixed(w, x, decimals);
}

static void write_row(const struct bench *b, struct reckon_writer *w, double ts, const char *host,
                      const struct row *row) {
    uint32_t size = b->plan.size, reply = b->plan.drill == DRILL_MRR ? 0 : b->plan.reply;
    reckon_put_fixed(w, ts, 3);
    reckon_put(w, ",");
    reckon_put_cell(w, host);
    reckon_printf(w, ",%s,", row->dir);
    reckon_put_cell(w, row->peer);
    reckon_printf(w, ",%u,%u", size, reply);
    cell(w, row->target, 3);
    cell(w, row->pps, 3);
    cell(w, row->pps * size * 8 / 1e6, 6);
    cell(w, row->rep_pps, 3);
    cell(w, row->rep_pps * reply * 8 / 1e6, 6);
    cell(w, row->loss, 4);
    cell(w, bench_us(row->rtt_mean), 3);
    cell(w, bench_us(row->rtt_p50), 3);
    cell(w, bench_us(row->rtt_p99), 3);
    cell(w, bench_us(row->rtt_max), 3);
    reckon_put(w, ",");
    cell(w, row->cpu_core, 1);
    cell(w, row->cpu_worker, 1);
    if (row->workers)
        reckon_printf(w, ",%u,\n", row->workers);
    else
        reckon_put(w, ",,\n");
}

static double target_of(const struct bench *b) {
    return b->plan.rate ? (double)b->plan.rate / 1000 : RECKON_BLANK;
}

static double percent(uint64_t part, uint64_t rest) {
    return part + rest > 0 ? 100 * (double)part / (double)(part + rest) : RECKON_BLANK;
}

static void add_rtt(struct row *row, const struct sample *s, double p50, double p99) {
    if (!s->count)
        return;
    row->rtt_mean = sample_mean(s);
    row->rtt_max = (double)s->max;
    row->rtt_p50 = p50;
    row->rtt_p99 = p99;
}

/* ---- rows of an interval, or of the whole test ---- */

struct sums {
    double target, pps, rep_pps;
    uint64_t failed, arrived;
    bool partial; /* a flow of it is not known: then the sums are not either */
};

static void write_flow(const struct bench *b, struct reckon_writer *w, double ts, const struct bench_node *n,
                       uint32_t k, const struct tally *t, double seconds, bool whole, struct sums *sums) {
    const struct pair_report *p = &n->now.pairs[k];
    bool client = duo_is_client(b, n, k);
    struct row row = blank_row(client ? "tx" : "rx", duo_peer(b, n, k)->name);
    row.pps = (double)(client ? t->total : t->arrived) / seconds;
    row.rep_pps = (double)t->arrived / seconds;
    if (client) {
        row.target = target_of(b);
        row.loss = percent(t->failed, t->arrived);
        if (whole)
            add_rtt(&row, &p->rtt, p->p50, p->p99);
        else
            add_rtt(&row, &p->recent, p->recent_p50, p->recent_p99);
        sums->target += row.target;
        sums->pps += row.pps;
        sums->rep_pps += row.rep_pps;
        sums->failed += t->failed;
        sums->arrived += t->arrived;
    }
    write_row(b, w, ts, n->name, &row);
}

static void write_host(const struct bench *b, struct reckon_writer *w, double ts, const struct bench_node *n,
                       const struct sums *sums, double core, double worker) {
    struct row row = blank_row("host", "*");
    sums = sums && !sums->partial ? sums : NULL;
    row.target = b->plan.rate && sums ? sums->target : RECKON_BLANK;
    row.pps = sums ? sums->pps : RECKON_BLANK;
    row.rep_pps = sums ? sums->rep_pps : RECKON_BLANK;
    row.loss = sums ? percent(sums->failed, sums->arrived) : RECKON_BLANK;
    row.cpu_core = core;
    row.cpu_worker = worker;
    row.workers = b->plan.workers;
    write_row(b, w, ts, n->name, &row);
}

static int interval(struct bench *b, void *own, uint32_t i, double ts, double seconds) {
    struct mx *mx = own;
    const struct bench_node *n = &b->nodes[i];
    struct sums sums = {0};
    if (b->plan.drill == DRILL_MRR || seconds < (double)b->interval / 2e9)
        return 0; /* a rest of an interval would count as much as a whole one */
    for (uint32_t k = 0; k < n->npairs; k++) {
        struct tally t;
        if (!duo_heard(b, &b->duos[n->duos[k]])) {
            sums.partial |= duo_is_client(b, n, k);
            continue;
        }
        pair_since(n, k, &t);
        write_flow(b, mx->files[i], ts, n, k, &t, seconds, false, &sums);
    }
    write_host(b, mx->files[i], ts, n, &sums, n->now.busiest_core, n->now.busiest_worker);
    mx->rows[i]++;
    return 0;
}

/* A test that was over before an interval was. */
static void write_whole(const struct bench *b, struct reckon_writer *w, const struct bench_node *n) {
    struct sums sums = {0};
    for (uint32_t k = 0; k < n->npairs; k++) {
        struct tally t = n->now.pairs[k].tally;
        double seconds = t.arrived > 1 ? tally_seconds(&t) : RECKON_BLANK;
        t.total -= t.shortened;
        if (b->duos[n->duos[k]].lost)
            sums.partial |= duo_is_client(b, n, k);
        else if (t.arrived)
            write_flow(b, w, b->started, n, k, &t, seconds, true, &sums);
    }
    write_host(b, w, b->started, n, &sums, n->busiest_core, n->busiest_worker);
}

/* ---- rows of trials ---- */

static void write_trials(const struct bench *b, struct mx *mx, const struct duo *d) {
    double trial = (double)b->plan.trial / 1e9, every = trial + (double)b->plan.pause / 1e9;
    const struct bench_node *c = &b->nodes[d->client], *s = &b->nodes[d->server];
    for (uint32_t k = 0; k < bench_trials(b); k++) {
        uint64_t sent, arrived;
        double rate = duo_trial(b, d, k, &sent, &arrived), ts = b->started + every * k + trial;
        if (reckon_blank(rate))
            continue;
        struct row row = blank_row("tx", s->name);
        row.target = target_of(b);
        row.pps = (double)sent / trial;
        row.rep_pps = rate;
        row.loss = percent(sent > arrived ? sent - arrived : 0, arrived);
        write_row(b, mx->files[d->client], ts, c->name, &row);
        row = blank_row("rx", c->name);
        row.pps = row.rep_pps = rate;
        write_row(b, mx->files[d->server], ts, s->name, &row);
    }
}

/* ---- begin and end ---- */

static int begin(struct bench *b, void **own) {
    const char *dir = reckon_text(b->r, "%s/reports", b->out);
    if (make_folder(b->r, dir))
        return -1;
    struct mx *mx = reckon_alloc(b->r, sizeof *mx);
    mx->files = reckon_alloc(b->r, b->nnodes * sizeof *mx->files);
    mx->rows = reckon_alloc(b->r, b->nnodes * sizeof *mx->rows);
    *own = mx;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        if (b->nodes[i].lost)
            continue;
        mx->files[i] = reckon_create(b->r, reckon_text(b->r, "%s/%s.csv", dir, b->nodes[i].name));
        if (!mx->files[i])
            return -1;
        reckon_put(mx->files[i], header);
    }
    return 0;
}

static int end(struct bench *b, void *own) {
    struct mx *mx = own;
    int rc = 0;
    for (uint32_t i = 0; b->plan.drill == DRILL_MRR && i < b->nduos; i++)
        write_trials(b, mx, &b->duos[i]);
    for (uint32_t i = 0; i < b->nnodes; i++) {
        const struct bench_node *n = &b->nodes[i];
        if (!mx->files[i])
            continue;
        if (b->plan.drill == DRILL_MRR && n->now.pairs)
            write_host(b, mx->files[i], b->started, n, NULL, n->busiest_core, n->busiest_worker);
        else if (!mx->rows[i] && n->now.pairs)
            write_whole(b, mx->files[i], n);
        rc |= reckon_commit(mx->files[i]);
    }
    return rc;
}

const struct result result_mx = {.begin = begin, .interval = interval, .end = end};
