/* SPDX-License-Identifier: Apache-2.0
 *
 * A toy fabric: three ToRs A, B, C; four switches S1 to S4 above them; six hosts H1 to
 * H6 of two RNICs, two hosts a ToR. In every period of 20 s:
 *
 * ToR-mesh: every RNIC sends 10 probes a second to its three neighbours in turn: 200 to every RNIC.
 *
 * inter-ToR: per ordered pair of ToRs eight tuples, two over each switch, the ack over the same one; 20
 * probes each.
 *
 * service: the job's two flows, H1/1 to H3/1 over S3 and H1/0 to H3/0 over S1; 100 probes each.
 */
#ifndef TESTS_TRIAGE_TOY_H
#define TESTS_TRIAGE_TOY_H

#include "../plugins/verbs/triage/analyzer.h"
#include "scratch.h"

#define TOY_BEGIN 1700000000.0 /* a multiple of 20 */
#define TOY_PERIOD 20.0

struct toy_probe {
    int list;
    int prober, target; /* 0…11: H1/0, H1/1, H2/0… */
    int spine;          /* 1…4; 0: none */
    double at;          /* seconds since the period began */
    int number;         /* of this tuple's probes in the period, or of this RNIC's ToR-mesh probes */
};

struct toy {
    struct scratch scratch;
    struct analyzer a;
    struct settings set;
    bool service;     /* whether the service probes run */
    uint32_t skipped; /* bits of hosts (H1: 1, H2: 2, H3: 4…) whose agents neither probe nor upload */
    bool (*lost)(const struct toy_probe *p);
    double (*responder_ns)(const struct toy_probe *p); /* NULL: 10 us */
    double (*network_ns)(const struct toy_probe *p);   /* NULL: 20 us */
    uint32_t qpn[12];
    int part; /* a host that is there only from `from` to `to` s of the period; 0: none */
    double from, to;
    double clock[7]; /* per host (H1: 1): seconds it is ahead */
    struct reckon_triage subject;
};

/* A fresh Analyzer with the usual options, all paths traced, every agent registered long ago; nothing is
 * lost. */
void toy_start(struct toy *t);
/* The same, with `like`'s clocks. */
void toy_start_with(struct toy *t, const struct toy *like);
void toy_end(struct toy *t);
/* The job's two tuples; and its metric, four values in the period. */
void toy_job(struct toy *t);
void toy_metric(struct toy *t, int period, double value);
/* Puts the period's records in, with what is lost and late as set now. */
void toy_period(struct toy *t, int period);
/* The same, but the host (H1: 1) uploads and probes only from one second of the period to another. */
void toy_period_uploads(struct toy *t, int period, int host, double from, double to);
/* Judges everything that is there and settles it. */
void toy_judge(struct toy *t);

/* The tuple of a probe; `buf` of 64 bytes. */
const char *toy_tuple(const struct toy_probe *p, char *buf);
const char *toy_rnic(int rnic);
int toy_host(int rnic); /* 1…6 */
char toy_tor(int rnic); /* 'A'… */
/* Whether the probe goes over the cable between the ToR and the switch, either way. */
bool toy_over(const struct toy_probe *p, char tor, int spine);

/* The problem of that kind and name; NULL. */
const struct reckon_triage_problem *toy_problem(const struct toy *t, enum reckon_trouble kind,
                                                const char *name);

#endif
