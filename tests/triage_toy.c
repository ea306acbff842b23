/* SPDX-License-Identifier: Apache-2.0
 *
 * The toy fabric (triage_toy.h).
 */
#include <stdlib.h>

#include "triage_toy.h"

#include <stdio.h>
#include <string.h>

static const char layout[] = "dc toy\n"
                             "  spine S[1..4] role=spine\n"
                             "  rack A\n"
                             "    node A role=tor\n"
                             "    node H[1..2] role=server rnics=2\n"
                             "  rack B\n"
                             "    node B role=tor\n"
                             "    node H[3..4] role=server rnics=2\n"
                             "  rack C\n"
                             "    node C role=tor\n"
                             "    node H[5..6] role=server rnics=2\n";

static const char *const lists[] = {"tor-mesh", "inter-tor", "service"};

const char *toy_rnic(int rnic) {
    static const char *const names[] = {"H1/0", "H1/1", "H2/0", "H2/1", "H3/0", "H3/1",
                                        "H4/0", "H4/1", "H5/0", "H5/1", "H6/0", "H6/1"};
    return names[rnic];
}

int toy_host(int rnic) {
    return rnic / 2 + 1;
}

char toy_tor(int rnic) {
    return (char)('A' + rnic / 4);
}

bool toy_over(const struct toy_probe *p, char tor, int spine) {
    return p->spine == spine && (toy_tor(p->prober) == tor || toy_tor(p->target) == tor);
}

const char *toy_tuple(const struct toy_probe *p, char *buf) {
    int port = 50000 + 1000 * p->list + 100 * p->spine + (p->list == TOR_MESH ? 0 : p->prober);
    snprintf(buf, 64, "%s:%d>%s:4791", toy_rnic(p->prober), port, toy_rnic(p->target));
    return buf;
}

/* ---- every probe of a period, or every tuple once ---- */

static void mesh(struct toy *t, int period, int tuples,
                 void (*fn)(struct toy *t, int period, const struct toy_probe *p)) {
    for (int prober = 0; prober < 12; prober++)
        for (int i = 0; i < (tuples ? 3 : 200); i++) {
            int base = prober / 4 * 4, other = (prober - base + 1 + i % 3) % 4;
            fn(t, period, &(struct toy_probe){TOR_MESH, prober, base + other, 0, i / 10.0, i});
        }
}

static void inter(struct toy *t, int period, int tuples,
                  void (*fn)(struct toy *t, int period, const struct toy_probe *p)) {
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++)
            for (int k = 0; from != to && k < 8; k++) /* two a switch: RNICs k mod 4 */
                for (int i = 0; i < (tuples ? 1 : 20); i++)
                    fn(t, period,
                       &(struct toy_probe){INTER_TOR, 4 * from + k % 4, 4 * to + k % 4, k / 2 + 1,
                                           i + k / 10.0, i});
}

static void service(struct toy *t, int period, int tuples,
                    void (*fn)(struct toy *t, int period, const struct toy_probe *p)) {
    for (int flow = 0; flow < 2; flow++)
        for (int i = 0; i < (tuples ? 1 : 100); i++)
            fn(t, period, &(struct toy_probe){SERVICE, flow, 4 + flow, flow ? 3 : 1, i / 5.0, i});
}

/* ---- records ---- */

static void trace(struct toy *t, int period, const struct toy_probe *p) {
    char tuple[64], links[2][128];
    (void)period;
    for (int back = 0; back < 2; back++) {
        const char *from = toy_rnic(back ? p->target : p->prober),
                   *to = toy_rnic(back ? p->prober : p->target);
        char a = toy_tor(back ? p->target : p->prober), b = toy_tor(back ? p->prober : p->target);
        if (p->spine)
            snprintf(links[back], sizeof *links, "%s>%c %c>S%d S%d>%c %c>%s", from, a, a, p->spine, p->spine,
                     b, b, to);
        else
            snprintf(links[back], sizeof *links, "%s>%c %c>%s", from, a, a, to);
    }
    t->a.records.path(&t->a.records, toy_tuple(p, tuple), "probe", links[0]);
    t->a.records.path(&t->a.records, tuple, "ack", links[1]);
}

static bool is_away(const struct toy *t, int rnic, double at) {
    bool away = toy_host(rnic) == t->part && (at < t->from || at >= t->to);
    return away || (t->skipped >> (toy_host(rnic) - 1) & 1);
}

static void send(struct toy *t, int period, const struct toy_probe *p) {
    char tuple[64];
    bool lost = t->lost && t->lost(p);
    double responder = t->responder_ns ? t->responder_ns(p) : 10000,
           network = t->network_ns ? t->network_ns(p) : 20000;
    struct reckon_probe x = {.size = sizeof x,
                             .ts = TOY_BEGIN + period * TOY_PERIOD + p->at + t->clock[toy_host(p->prober)],
                             .list = lists[p->list],
                             .prober = toy_rnic(p->prober),
                             .target = toy_rnic(p->target),
                             .tuple = toy_tuple(p, tuple),
                             .qpn = t->qpn[p->target],
                             .status = lost ? "timeout" : "ok",
                             .app_rtt_ns = lost ? RECKON_BLANK : network + responder + 5000,
                             .nic_rtt_ns = lost ? RECKON_BLANK : network + responder,
                             .responder_ns = lost ? RECKON_BLANK : responder};
    if (!is_away(t, p->prober, p->at))
        t->a.records.probe(&t->a.records, &x);
}

static void upload(struct toy *t, int period) {
    for (int rnic = 0; rnic < 12; rnic++)
        for (int i = 0; i < 4; i++) {
            char host[16];
            if (is_away(t, rnic, 5 * i))
                continue;
            snprintf(host, sizeof host, "H%d", toy_host(rnic));
            t->a.records.agent(&t->a.records,
                               TOY_BEGIN + period * TOY_PERIOD + 5 * i + t->clock[toy_host(rnic)], host,
                               toy_rnic(rnic), RECKON_BLANK, "upload");
        }
}

void toy_period(struct toy *t, int period) {
    upload(t, period);
    mesh(t, period, 0, send);
    inter(t, period, 0, send);
    if (t->service)
        service(t, period, 0, send);
}

void toy_period_uploads(struct toy *t, int period, int host, double from, double to) {
    t->part = host;
    t->from = from;
    t->to = to;
    toy_period(t, period);
    t->part = 0;
}

void toy_job(struct toy *t) {
    char tuple[64];
    for (int flow = 0; flow < 2; flow++)
        t->a.records.job(&t->a.records,
                         toy_tuple(&(struct toy_probe){SERVICE, flow, 4 + flow, flow ? 3 : 1, 0, 0}, tuple));
}

void toy_metric(struct toy *t, int period, double value) {
    for (int i = 0; i < 4; i++)
        t->a.records.metric(&t->a.records, TOY_BEGIN + period * TOY_PERIOD + 5 * i, value);
}

void toy_start(struct toy *t) {
    toy_start_with(t, &(const struct toy){0});
}

void toy_start_with(struct toy *t, const struct toy *like) {
    memset(t, 0, sizeof *t);
    memcpy(t->clock, like->clock, sizeof t->clock);
    struct reckon *r = scratch_start(&t->scratch);
    t->set = (struct settings){.period = TOY_PERIOD,
                               .silent = 20,
                               .busy_factor = 10,
                               .rnic_loss = 10,
                               .charge = 60,
                               .job_threshold = 10,
                               .rtt_factor = 10,
                               .grace = 6,
                               .min_votes = 3,
                               .busy_check = true};
    if (scratch_layout(&t->scratch, layout) || analyzer_start(&t->a, r, &t->set, false))
        abort();
    mesh(t, 0, 1, trace);
    inter(t, 0, 1, trace);
    service(t, 0, 1, trace);
    for (int rnic = 0; rnic < 12; rnic++) {
        char host[16];
        snprintf(host, sizeof host, "H%d", toy_host(rnic));
        t->qpn[rnic] = 100u + (uint32_t)rnic;
        t->a.records.agent(&t->a.records, TOY_BEGIN - 1000 + t->clock[toy_host(rnic)], host, toy_rnic(rnic),
                           t->qpn[rnic], "register");
    }
}

void toy_judge(struct toy *t) {
    while (judge_next(&t->a))
        continue;
    judge_end(&t->a);
    t->subject = *tracker_subject(&t->a);
}

void toy_end(struct toy *t) {
    analyzer_finish(&t->a);
    scratch_end(&t->scratch);
}

const struct reckon_triage_problem *toy_problem(const struct toy *t, enum reckon_trouble kind,
                                                const char *name) {
    for (size_t i = 0; i < t->subject.nproblems; i++)
        if (t->subject.problems[i]->kind == kind && !strcmp(t->subject.problems[i]->name, name))
            return t->subject.problems[i];
    return NULL;
}
