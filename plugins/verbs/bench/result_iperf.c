/* SPDX-License-Identifier: Apache-2.0
 *
 * Results in iperf's terms, as export-overlay writes them: DIR/overlay.tsv holds a sample for each direction
 * of each pair over the whole test, for `reckon LAYOUT --iperf DIR/overlay.tsv`; DIR/intervals.tsv one an
 * interval, each interval a run of its own (samples of one parallel run would add up).
 */
#include <stdio.h>

#include "bench.h"
#include "files.h"

struct iperf {
    struct reckon_writer *intervals;
    unsigned interval;
    double ts; /* of the interval that is being written */
};

static const char tests[] =
    "!test\tiperf_mbps_out\tunit=Mb/s\thigher=good\tshort=OUT\tlabel=\"Outbound Mb/s\"\n"
    "!test\tiperf_mbps_in\tunit=Mb/s\thigher=good\tshort=IN\tlabel=\"Inbound Mb/s\"\n"
    "!test\tiperf_status\tshort=IPF\tlabel=\"Directed test outcome\"\n"
    "!test\tiperf_cpu_peak\tunit=%\thigher=bad\tshort=CPU\tlabel=\"Busiest core\"\n"
    "!test\tiperf_cpu_softirq\tunit=%\thigher=bad\tshort=SIRQ\tlabel=\"Busiest softirq (one core)\"\n";

#define RUN_TEXT 48
/* The run's name: when it began. Interval 0 is the whole test. */
static const char *run_of(const struct bench *b, unsigned interval, char text[RUN_TEXT]) {
    snprintf(text, RUN_TEXT, interval ? "%.0f-%u" : "%.0f", b->started, interval);
    return text;
}

/* What a paced pair asks for one way, in Mb/s; blank: unpaced, or more than one way at different rates. */
static double target_mbps(const struct bench *b) {
    bool even = b->plan.drill == DRILL_BULK || b->plan.reply == b->plan.size;
    return b->plan.rate && even ? (double)b->plan.rate / 1000 * b->plan.size * 8 / 1e6 : RECKON_BLANK;
}

static void open_run(const struct bench *b, struct reckon_writer *w, const char *run) {
    reckon_printf(w, "# run %s, mode parallel\n", run);
    if (!reckon_blank(target_mbps(b))) {
        reckon_put(w, "# -b target of every flow (");
        reckon_put_number(w, target_mbps(b));
        reckon_put(w, " Mb/s per flow)\n");
    }
}

static struct reckon_writer *create(struct bench *b, const char *name, const char *about) {
    struct reckon_writer *w = reckon_create(b->r, reckon_text(b->r, "%s/%s", b->out, name));
    if (!w)
        return NULL;
    reckon_printf(w, "# network benchmark: %s over %s, %s\n", drill_name(b->plan.drill), b->plan.transport,
                  about);
    reckon_put(w, tests);
    return w;
}

/* One direction: seen by who sent it and by who received it. */
static void write_flow(struct reckon_writer *w, const char *from, const char *to, double mbps,
                       const char *run) {
    if (reckon_blank(mbps))
        return;
    reckon_printf(w, "iperf_mbps_out\t%s\t", from);
    reckon_put_number(w, mbps);
    reckon_printf(w, "\tpeer=%s\trun=%s\niperf_mbps_in\t%s\t", to, run, to);
    reckon_put_number(w, mbps);
    reckon_printf(w, "\tpeer=%s\trun=%s\n", from, run);
}

static void write_cpu(struct reckon_writer *w, const char *test, const char *host, double percent,
                      const char *run) {
    if (reckon_blank(percent))
        return;
    reckon_printf(w, "%s\t%s\t", test, host);
    reckon_put_fixed(w, percent, 1);
    reckon_printf(w, "\trun=%s\n", run);
}

static int begin(struct bench *b, void **own) {
    struct iperf *x = reckon_alloc(b->r, sizeof *x);
    x->ts = RECKON_BLANK;
    *own = x;
    x->intervals = create(b, "intervals.tsv", "a sample an interval");
    return x->intervals ? 0 : -1;
}

/* What reached node n since the interval before: its clients' share came from servers, and the other way
 * round. */
static int interval(struct bench *b, void *own, uint32_t i, double ts, double seconds) {
    struct iperf *x = own;
    const struct bench_node *n = &b->nodes[i];
    if (seconds < (double)b->interval / 2e9)
        return 0;
    bool fresh = x->ts != ts;
    x->interval += fresh;
    x->ts = ts;
    char text[RUN_TEXT];
    const char *run = run_of(b, x->interval, text);
    if (fresh)
        open_run(b, x->intervals, run);
    for (uint32_t k = 0; k < n->npairs; k++) {
        struct tally t;
        if (duo_heard(b, &b->duos[n->duos[k]]) && pair_since(n, k, &t))
            write_flow(x->intervals, duo_peer(b, n, k)->name, n->name,
                       (double)t.received_bytes * 8 / 1e6 / seconds, run);
    }
    return 0;
}

/* Why a pair has no bandwidth. */
static const char *nothing_measured(const struct bench *b, const struct duo *d) {
    const struct pair_report *c = duo_client(b, d), *s = duo_server(b, d);
    if (d->lost)
        return reckon_printable(b->r, d->lost);
    return b->plan.drill != DRILL_BULK && ((c && c->tally.arrived == 1) || (s && s->tally.arrived == 1))
               ? "one message alone has no rate"
               : "nothing came through";
}

static void write_duo(const struct bench *b, struct reckon_writer *w, const struct duo *d, const char *run) {
    const char *client = b->nodes[d->client].name, *server = b->nodes[d->server].name;
    double there = duo_mbps(b, d, true), back = duo_mbps(b, d, false);
    bool works = !d->lost && there > 0 && (b->plan.drill == DRILL_MRR || back > 0);
    if (works) {
        write_flow(w, client, server, there, run);
        write_flow(w, server, client, back, run);
    }
    reckon_printf(w, "iperf_status\t%s\t%s\tpeer=%s\trun=%s", client, works ? "OK" : "FAIL", server, run);
    if (!works)
        reckon_printf(w, "\terror=\"%s\"", nothing_measured(b, d));
    reckon_put(w, "\n");
}

static int end(struct bench *b, void *own) {
    struct iperf *x = own;
    struct reckon_writer *w = create(b, "overlay.tsv", "a sample for the whole test");
    char text[RUN_TEXT];
    const char *run = run_of(b, 0, text);
    if (!w)
        return -1;
    open_run(b, w, run);
    for (uint32_t i = 0; i < b->nduos; i++)
        write_duo(b, w, &b->duos[i], run);
    for (uint32_t i = 0; i < b->nnodes; i++) {
        write_cpu(w, "iperf_cpu_peak", b->nodes[i].name, b->nodes[i].busiest_core, run);
        write_cpu(w, "iperf_cpu_softirq", b->nodes[i].name, b->nodes[i].busiest_softirq, run);
    }
    return reckon_commit(w) | reckon_commit(x->intervals);
}

const struct result result_iperf = {.begin = begin, .interval = interval, .end = end};
