/* SPDX-License-Identifier: Apache-2.0
 *
 * DIR/summary.json: what was asked for, and what each node and both sides of each pair counted.
 */
#include "bench.h"

/* ---- JSON: an object's members, one after the other ---- */

struct object {
    struct reckon_writer *w;
    bool more; /* a comma is due before the next member */
};

static void put_key(struct object *o, const char *key) {
    reckon_printf(o->w, "%s\"%s\": ", o->more ? ", " : "", key);
    o->more = true;
}

/* Opens an object that is the member `key` (NULL: an element of a list). */
static struct object open_object(struct object *o, const char *key) {
    if (key)
        put_key(o, key);
    reckon_put(o->w, "{");
    return (struct object){o->w, false};
}

/* A member that was not measured. */
static void put_null(struct object *in, const char *key) {
    put_key(in, key);
    reckon_put(in->w, "null");
}

static void put_string(struct object *o, const char *key, const char *text) {
    if (!text) {
        put_null(o, key);
        return;
    }
    put_key(o, key);
    reckon_put_json(o->w, text);
}

static void put_count(struct object *o, const char *key, uint64_t x) {
    put_key(o, key);
    reckon_printf(o->w, "%llu", (unsigned long long)x);
}

static void put_figure(struct object *o, const char *key, double x) {
    put_key(o, key);
    if (reckon_blank(x))
        reckon_put(o->w, "null");
    else
        reckon_put_number(o->w, x);
}

struct figure {
    const char *key;
    double value;
};

static void put_figures(struct object *o, const struct figure *figures, size_t n) {
    for (size_t i = 0; i < n; i++)
        put_figure(o, figures[i].key, figures[i].value);
}
#define FIGURES(o, ...)                                                                                      \
    put_figures(o, (const struct figure[]){__VA_ARGS__},                                                     \
                sizeof((const struct figure[]){__VA_ARGS__}) / sizeof(struct figure))

/* ---- what was counted ---- */

/* `t` NULL: not measured. */
static void put_tally(struct object *in, const char *key, const struct tally *t, bool server) {
    if (!t) {
        put_null(in, key);
        return;
    }
    struct object o = open_object(in, key);
    put_count(&o, "total", t->total);
    put_count(&o, "failed", t->failed);
    put_count(&o, "bad", t->bad);
    put_count(&o, "arrived", t->arrived);
    if (server)
        put_count(&o, "never_arrived", t->shortened);
    put_count(&o, "late", t->late);
    put_count(&o, "sent_bytes", t->sent_bytes);
    put_count(&o, "received_bytes", t->received_bytes);
    reckon_put(o.w, "}");
}

static void put_rtt(struct object *in, const struct sample *s, double p50, double p99) {
    struct object o = open_object(in, "rtt_us");
    put_count(&o, "count", s->count);
    FIGURES(&o, {"min", s->count ? bench_us((double)s->min) : RECKON_BLANK},
            {"max", s->count ? bench_us((double)s->max) : RECKON_BLANK}, {"mean", bench_us(sample_mean(s))},
            {"stdev", bench_us(sample_deviation(s))}, {"p50", bench_us(p50)}, {"p99", bench_us(p99)});
    reckon_put(o.w, "}");
}

/* ---- the parts of the file ---- */

static void put_meta(const struct bench *b, struct object *in) {
    const struct plan *p = &b->plan;
    bool ping = p->drill == DRILL_PING, mrr = p->drill == DRILL_MRR;
    struct object o = open_object(in, "meta");
    put_string(&o, "tool", "reckon bench");
    put_string(&o, "version", reckon_version());
    put_string(&o, "label", b->label ? reckon_utf8(b->r, b->label) : NULL);
    put_string(&o, "test", drill_name(p->drill));
    put_string(&o, "transport", p->transport);
    FIGURES(&o, {"started", b->started}, {"size", p->size}, {"reply_size", ping ? p->reply : RECKON_BLANK},
            {"concurrency", mrr ? RECKON_BLANK : p->concurrency},
            {"count", p->count ? (double)p->count : RECKON_BLANK},
            {"time", p->time ? (double)p->time / 1e9 : RECKON_BLANK},
            {"rate", p->rate ? (double)p->rate / 1000 : RECKON_BLANK}, {"timeout", (double)p->timeout / 1e9},
            {"trial", mrr ? (double)p->trial / 1e9 : RECKON_BLANK},
            {"trials", mrr ? p->trials : RECKON_BLANK}, {"workers", p->workers});
    reckon_put(o.w, "}");
}

static void put_totals(const struct bench *b, struct object *in) {
    struct totals t;
    struct object o = open_object(in, "totals");
    bench_totals(b, &t);
    put_count(&o, "nodes", b->nnodes);
    put_count(&o, "nodes_lost", t.nodes_lost);
    put_count(&o, "pairs", b->nduos);
    put_count(&o, "pairs_lost", t.pairs_lost);
    put_tally(&o, "clients", t.pairs_whole ? &t.clients : NULL, false);
    put_tally(&o, "servers", t.pairs_whole ? &t.servers : NULL, true);
    put_rtt(&o, &t.rtt, histogram_within(&b->all, &t.rtt, 0.5), histogram_within(&b->all, &t.rtt, 0.99));
    reckon_put(o.w, "}");
}

static void put_node(const struct bench *b, struct object *in, const struct bench_node *n) {
    char text[ADDRESS_TEXT];
    struct tally clients = {0}, servers = {0};
    struct object o = open_object(in, NULL);
    for (uint32_t k = 0; n->now.pairs && k < n->npairs; k++)
        tally_merge(duo_is_client(b, n, k) ? &clients : &servers, &n->now.pairs[k].tally);
    put_string(&o, "name", n->name);
    put_string(&o, "address", bench_address_text(&n->at, text));
    put_string(&o, "lost", n->lost);
    if (n->now.pairs)
        put_count(&o, "strangers", n->now.strangers);
    else
        put_null(&o, "strangers");
    FIGURES(&o, {"busiest_core_pct", n->busiest_core}, {"busiest_softirq_pct", n->busiest_softirq},
            {"busiest_worker_pct", n->busiest_worker});
    put_tally(&o, "as_client", n->now.pairs ? &clients : NULL, false);
    put_tally(&o, "as_server", n->now.pairs ? &servers : NULL, true);
    reckon_put(o.w, "}");
}

static void put_trials(const struct bench *b, struct object *in, const struct duo *d) {
    put_key(in, "trials");
    reckon_put(in->w, "[");
    for (uint32_t k = 0; k < bench_trials(b); k++) {
        uint64_t sent, arrived;
        double rate = duo_trial(b, d, k, &sent, &arrived);
        bool known = !reckon_blank(rate);
        reckon_put(in->w, k ? ", " : "");
        struct object o = open_object(in, NULL);
        FIGURES(&o, {"sent", known ? (double)sent : RECKON_BLANK},
                {"arrived", known ? (double)arrived : RECKON_BLANK}, {"rate", rate});
        reckon_put(o.w, "}");
    }
    reckon_put(in->w, "]");
}

static void put_duo(const struct bench *b, struct object *in, const struct duo *d) {
    const struct pair_report *c = duo_client(b, d), *s = duo_server(b, d);
    struct object o = open_object(in, NULL);
    put_string(&o, "client", b->nodes[d->client].name);
    put_string(&o, "server", b->nodes[d->server].name);
    put_string(&o, "lost", d->lost);
    FIGURES(&o, {"seconds", c ? tally_seconds(&c->tally) : RECKON_BLANK}, {"rate", duo_rate(b, d)},
            {"mbps_to_server", duo_mbps(b, d, true)}, {"mbps_to_client", duo_mbps(b, d, false)});
    put_tally(&o, "client_side", c ? &c->tally : NULL, false);
    put_tally(&o, "server_side", s ? &s->tally : NULL, true);
    if (c)
        put_rtt(&o, &c->rtt, c->p50, c->p99);
    else
        put_null(&o, "rtt_us");
    if (b->plan.drill == DRILL_MRR)
        put_trials(b, &o, d);
    reckon_put(o.w, "}");
}

static int end(struct bench *b, void *own) {
    (void)own;
    struct object o = {reckon_create(b->r, reckon_text(b->r, "%s/summary.json", b->out)), false};
    if (!o.w)
        return -1;
    reckon_put(o.w, "{");
    put_meta(b, &o);
    put_totals(b, &o);
    put_key(&o, "nodes");
    for (uint32_t i = 0; i < b->nnodes; i++) {
        reckon_put(o.w, i ? ",\n  " : "[\n  ");
        put_node(b, &o, &b->nodes[i]);
    }
    reckon_put(o.w, "]");
    put_key(&o, "pairs");
    for (uint32_t i = 0; i < b->nduos; i++) {
        reckon_put(o.w, i ? ",\n  " : "[\n  ");
        put_duo(b, &o, &b->duos[i]);
    }
    reckon_put(o.w, "]}\n");
    return reckon_commit(o.w);
}

const struct result result_summary = {.end = end};
