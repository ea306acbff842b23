/* SPDX-License-Identifier: Apache-2.0
 *
 * The idle floor in netmesh's columns, DIR/HOST.csv, for `reckon --idle DIR`: a row for each pair and
 * interval of a ping on a fabric that carries nothing else.
 */
#include "bench.h"
#include "files.h"

static const char header[] = "ts,host,dir,peer,probe,size,target_pps,sent,recv,loss_pct,rtt_min_us,rtt_avg_"
                             "us,rtt_p50_us,rtt_p99_us,rtt_max_us,"
                             "jitter_us,path_mtu,mtu_state,agent_cpu_pct,note,rx_usecs,flow\n";

struct idle {
    struct reckon_writer **files; /* of each node that is a client */
    uint32_t *rows;               /* written of each */
};

static int begin(struct bench *b, void **own) {
    struct idle *x = reckon_alloc(b->r, sizeof *x);
    if (make_folder(b->r, b->idle_out))
        return -1;
    x->files = reckon_alloc(b->r, b->nnodes * sizeof *x->files);
    x->rows = reckon_alloc(b->r, b->nnodes * sizeof *x->rows);
    *own = x;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        if (b->nodes[i].lost || !b->nodes[i].client)
            continue;
        x->files[i] = reckon_create(b->r, reckon_text(b->r, "%s/%s.csv", b->idle_out, b->nodes[i].name));
        if (!x->files[i])
            return -1;
        reckon_put(x->files[i], header);
    }
    return 0;
}

static void cell(struct reckon_writer *w, double x) {
    reckon_put(w, ",");
    reckon_put_fixed(w, x, 3);
}

static void write_row(const struct bench *b, struct reckon_writer *w, double ts, const struct bench_node *n,
                      uint32_t k, const struct tally *t, const struct sample *s, double p50, double p99) {
    bool any = s->count;
    reckon_put_fixed(w, ts, 3);
    reckon_put(w, ",");
    reckon_put_cell(w, n->name);
    reckon_put(w, ",tx,");
    reckon_put_cell(w, duo_peer(b, n, k)->name);
    reckon_printf(w, ",udp,%u", b->plan.size);
    cell(w, (double)b->plan.rate / 1000);
    reckon_printf(w, ",%llu,%llu", (unsigned long long)t->total, (unsigned long long)t->arrived);
    cell(w, t->failed + t->arrived > 0 ? 100 * (double)t->failed / (double)(t->failed + t->arrived)
                                       : RECKON_BLANK);
    cell(w, any ? bench_us((double)s->min) : RECKON_BLANK);
    cell(w, bench_us(sample_mean(s)));
    cell(w, any ? bench_us(p50) : RECKON_BLANK);
    cell(w, any ? bench_us(p99) : RECKON_BLANK);
    cell(w, any ? bench_us((double)s->max) : RECKON_BLANK);
    cell(w, bench_us(sample_deviation(s)));
    reckon_put(w, ",,");
    cell(w, n->now.busiest_worker);
    reckon_put(w, ",,,\n");
}

static int interval(struct bench *b, void *own, uint32_t i, double ts, double seconds) {
    struct idle *x = own;
    const struct bench_node *n = &b->nodes[i];
    if (!x->files[i] || seconds < (double)b->interval / 2e9)
        return 0;
    for (uint32_t k = 0; k < n->npairs; k++) {
        struct tally t;
        const struct pair_report *p = &n->now.pairs[k];
        if (!duo_is_client(b, n, k) || !duo_heard(b, &b->duos[n->duos[k]]) || !pair_since(n, k, &t))
            continue;
        write_row(b, x->files[i], ts, n, k, &t, &p->recent, p->recent_p50, p->recent_p99);
        x->rows[i]++;
    }
    return 0;
}

static int end(struct bench *b, void *own) {
    struct idle *x = own;
    int rc = 0;
    for (uint32_t i = 0; i < b->nnodes; i++) {
        const struct bench_node *n = &b->nodes[i];
        if (!x->files[i])
            continue;
        for (uint32_t k = 0; !x->rows[i] && n->now.pairs && k < n->npairs; k++) {
            const struct pair_report *p = &n->now.pairs[k];
            if (duo_is_client(b, n, k) && !b->duos[n->duos[k]].lost)
                write_row(b, x->files[i], b->started, n, k, &p->tally, &p->rtt, p->p50, p->p99);
        }
        rc |= reckon_commit(x->files[i]);
    }
    return rc;
}

const struct result result_idle = {.begin = begin, .interval = interval, .end = end};
