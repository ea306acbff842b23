/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences about troubles of a probed fabric (triage_text.h).
 */
#include "triage_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *triage_rule(enum reckon_trouble kind) {
    static const char *const ids[RECKON_TROUBLES] = {
        "HOST_DOWN", "STALE_QPN", "HOST_BUSY", "RNIC_PROBLEM", "SWITCH_PROBLEM", "RTT_HIGH", "HOST_SLOW"};
    return ids[kind];
}

const char *triage_words(enum reckon_trouble kind) {
    static const char *const words[RECKON_TROUBLES] = {
        "host down", "stale QPN", "host busy", "RNIC problem", "switch problem", "RTT high", "host slow"};
    return words[kind];
}

char *triage_when(double ts, char *buf) {
    time_t seconds = (time_t)ts;
    struct tm tm;
    if (reckon_blank(ts) || !gmtime_r(&seconds, &tm) ||
        !strftime(buf, TRIAGE_WHEN, "%Y-%m-%dT%H:%M:%SZ", &tm))
        snprintf(buf, TRIAGE_WHEN, "%.0f", ts);
    return buf;
}

/* "190 of 200 probes (95.0%)". */
static void counted(const struct reckon_triage_problem *p, const char *what, char *buf, size_t size) {
    if (!p->probes)
        snprintf(buf, size, "%" PRIu64 " %s", p->timeouts, what);
    else
        snprintf(buf, size, "%" PRIu64 " of %" PRIu64 " %s", p->timeouts, p->probes, what);
}

static void seen_rnic(const struct reckon_triage_problem *p, char *buf) {
    if (reckon_blank(p->loss))
        snprintf(buf, TRIAGE_SENTENCE, "%" PRIu64 " timeouts charged to it since an earlier period",
                 p->timeouts);
    else
        snprintf(buf, TRIAGE_SENTENCE,
                 "%.1f%% of the ToR-mesh probes to it timed out; %" PRIu64
                 " timeouts charged to it in all: the RNIC, its "
                 "cable or its ToR port",
                 p->loss, p->timeouts);
}

static void seen_cable(const struct reckon_triage_problem *p, char *buf) {
    int n = snprintf(buf, TRIAGE_SENTENCE, "%" PRIu64 " votes; %.1f%% of the probes over it timed out",
                     p->votes, p->loss);
    if (p->tied)
        snprintf(buf + n, TRIAGE_SENTENCE - (size_t)n, "; the records cannot tell it from %s", p->tied);
}

char *triage_seen(const struct reckon_triage_problem *p, char *buf) {
    char count[160];
    buf[0] = '\0';
    switch (p->kind) {
    case RECKON_HOST_DOWN:
        counted(p, "probes to it timed out", count, sizeof count);
        snprintf(buf, TRIAGE_SENTENCE, "its agents uploaded nothing; %s; not the network", count);
        break;
    case RECKON_STALE_QPN:
        counted(p, "probes to it", count, sizeof count);
        snprintf(buf, TRIAGE_SENTENCE,
                 "%s carried a queue pair number its agent had given up, or met its restart; noise", count);
        break;
    case RECKON_HOST_BUSY:
        snprintf(
            buf, TRIAGE_SENTENCE,
            "%" PRIu64
            " timeouts at several of its RNICs together, and briefly, while it answered or uploaded late; "
            "not the network%s",
            p->timeouts, p->provisional ? " (provisional: the next period has not confirmed it)" : "");
        break;
    case RECKON_RNIC_PROBLEM:
        seen_rnic(p, buf);
        break;
    case RECKON_SWITCH_PROBLEM:
        seen_cable(p, buf);
        break;
    default:
        counted(p, "answers were beyond that", count, sizeof count);
        snprintf(buf, TRIAGE_SENTENCE, "P99 %s %.0f us, beyond the %.0f us that stand out among its kind; %s",
                 p->measure, p->p99, p->limit, count);
    }
    return buf;
}

static const char *meaning(struct reckon *r, const struct reckon_triage_problem *p) {
    switch (p->impact) {
    case RECKON_IMPACT_P0:
        return reckon_text(r, "; P0: on the job's paths, and its metric fell from %g to %g", p->metric_before,
                           p->metric_during);
    case RECKON_IMPACT_P1:
        return reckon_blank(p->metric_before) || reckon_blank(p->metric_during)
                   ? "; P1: on the job's paths, and nothing tells what its metric did"
                   : "; P1: on the job's paths, and its metric held";
    case RECKON_IMPACT_P2:
        return "; P2: off the job's paths";
    case RECKON_IMPACT_NONE:
        break;
    }
    return "";
}

const char *triage_sentence(struct reckon *r, const struct reckon_triage_problem *p) {
    char start[TRIAGE_WHEN], end[TRIAGE_WHEN], seen[TRIAGE_SENTENCE];
    return reckon_text(r, "%s: %s, %s to %s (%s)%s", p->name, triage_seen(p, seen),
                       triage_when(p->start, start), p->ongoing ? "now" : triage_when(p->end, end),
                       reckon_count(r, p->periods, "period"), meaning(r, p));
}

enum reckon_severity triage_by_impact(const struct reckon_triage_problem *p) {
    return p->impact == RECKON_IMPACT_P0   ? RECKON_CRITICAL
           : p->impact == RECKON_IMPACT_P1 ? RECKON_WARN
                                           : RECKON_INFO;
}

void triage_find(struct reckon *r, const struct reckon_triage *t, enum reckon_trouble kind,
                 enum reckon_severity (*severity)(const struct reckon_triage_problem *p), const char *fix) {
    for (size_t i = 0; i < t->nproblems; i++) {
        const struct reckon_triage_problem *p = t->problems[i];
        if (p->kind != kind)
            continue;
        struct reckon_finding *f = reckon_find(r, severity(p), p->name, "%s", triage_sentence(r, p));
        if (fix)
            reckon_fix(r, f, "%s", fix);
    }
}
