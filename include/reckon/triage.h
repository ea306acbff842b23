/* SPDX-License-Identifier: Apache-2.0
 *
 * Triage of a probed fabric: the subject "triage" of rules and outputs, and what readers of its records hand
 * over to (roles probes, agents, paths, job, job-metric). The method is that of doc/triage.md.
 *
 * The subject carries a version of its own. Structs are reached through pointers and begin with their size,
 * so that members added at their ends break nobody. Times are microseconds, timestamps seconds since 1970,
 * shares percent.
 */
#ifndef RECKON_TRIAGE_H
#define RECKON_TRIAGE_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RECKON_TRIAGE_VERSION 1u

/* ---- what was found ---- */

enum reckon_trouble {
    RECKON_HOST_DOWN,      /* a host that uploaded nothing: name is the host */
    RECKON_STALE_QPN,      /* probes that carried an old queue pair number: name is the RNIC they went to */
    RECKON_HOST_BUSY,      /* a host too busy to answer in time: name is the host */
    RECKON_RNIC_PROBLEM,   /* an RNIC, its cable or its ToR port: name is the RNIC */
    RECKON_SWITCH_PROBLEM, /* the most voted cable: name is the cable */
    RECKON_RTT_HIGH,       /* an RNIC or a cable whose network RTT stands out */
    RECKON_HOST_SLOW,      /* a host whose processing delay stands out */
    RECKON_TROUBLES
};

/* How much it matters to the job; ordered. */
enum reckon_impact {
    RECKON_IMPACT_NONE, /* not the network's, so it has no class */
    RECKON_IMPACT_P2,   /* off the job's paths */
    RECKON_IMPACT_P1,   /* on them, the job's metric held */
    RECKON_IMPACT_P0,   /* on them, and the metric fell past the threshold */
};
static inline const char *reckon_impact_word(enum reckon_impact impact) {
    return impact == RECKON_IMPACT_P0   ? "P0"
           : impact == RECKON_IMPACT_P1 ? "P1"
           : impact == RECKON_IMPACT_P2 ? "P2"
                                        : "";
}

/* One trouble over consecutive periods. */
struct reckon_triage_problem {
    size_t size;
    enum reckon_trouble kind;
    enum reckon_impact impact; /* the worst of its periods */
    const char *name;          /* the host, the RNIC ("h1/0") or the cable ("A-S3") */
    const char *tied; /* others named with it that the records cannot tell from it, "B-S3, C-S3"; NULL */
    const char
        *measure; /* RTT_HIGH, HOST_SLOW: what stands out ("network RTT", "responder delay"); else NULL */
    double start, end; /* of its first and last period */
    uint32_t periods;
    bool ongoing;     /* still there in the last period judged */
    bool provisional; /* HOST_BUSY: no later period has confirmed yet that it went away */
    bool on_job;
    uint64_t timeouts; /* charged to it (HOST_SLOW, RTT_HIGH: slow probes) */
    uint64_t probes;   /* those of its probes among which they were: to the RNIC or host, over the cable */
    uint64_t votes;    /* of its best period; 0 where nothing voted */
    double loss;       /* percent of the probes that decided (tor-mesh to the RNIC, all over the cable), worst
                          period */
    double p99, limit; /* us; RTT_HIGH, HOST_SLOW: the worst P99, and the line it crossed */
    double metric_before,
        metric_during; /* the job's, before it began and in its worst period; blank: unknown */
};

/* Percentiles of a set of figures in us, blank when there are none. */
struct reckon_percentiles {
    double p50, p90, p99, p999;
    uint64_t count;
};

/* What one set of probes saw in a period: the cluster's, or the job's own. */
struct reckon_triage_view {
    uint64_t probes, timeouts;
    double rnic_pct, switch_pct, other_pct; /* drop rates: an RNIC's, a switch's, not the network's */
    struct reckon_percentiles network, responder, prober;
};

struct reckon_triage_period {
    size_t size;
    double start, end;
    struct reckon_triage_view cluster, job;
    uint64_t untraced;        /* failing probes whose path nobody had traced */
    double metric;            /* the job's metric in the period, its median; blank: none */
    double metric_before;     /* and what it was before */
    bool slow;                /* the job's metric fell past the threshold */
    bool innocent;            /* slow, and no P0 or P1 in the period */
    enum reckon_impact worst; /* of the problems in it */
};

/* The subject. */
struct reckon_triage {
    size_t size;
    unsigned version; /* RECKON_TRIAGE_VERSION */
    const char *layout;
    uint32_t hosts, rnics, tors, spines;
    double period;      /* seconds */
    double first, last; /* start of the first period judged, end of the last */
    uint64_t probes, timeouts, untraced;
    bool has_job, has_metric; /* the job's connections, its metric are known */
    double job_threshold;     /* percent */
    uint32_t slow_periods, innocent_periods;
    const struct reckon_triage_problem *const *problems; /* by start, kind, name */
    size_t nproblems;
    const struct reckon_triage_period *const *periods; /* in order of time */
    size_t nperiods;
    uint64_t job_tuples, job_untraced; /* the job's tuples, and those of them without a traced path */
    bool job_placed; /* where the job's paths are is known: a tuple is traced, or service probes go there */
};

/* ---- for readers of records ---- */

/* One probe as its agent wrote it down. Texts are copied; times are ns, blank when not known. */
struct reckon_probe {
    size_t size; /* sizeof(struct reckon_probe) */
    double ts;
    const char *list;            /* "tor-mesh", "inter-tor", "service" */
    const char *prober, *target; /* RNICs: "h1/0" */
    const char *tuple;           /* "src:port>dst:port" */
    double qpn;                  /* blank: unknown */
    const char *status;          /* "ok", "timeout" */
    double app_rtt_ns, nic_rtt_ns, responder_ns;
};

/* The target of every role of triage. */
struct reckon_records {
    size_t size;
    unsigned version;
    /* Each takes one record; what cannot be used is counted by the receiver, which then says so. */
    void (*probe)(struct reckon_records *records, const struct reckon_probe *probe);
    void (*agent)(struct reckon_records *records, double ts, const char *host, const char *rnic, double qpn,
                  const char *event);
    void (*path)(struct reckon_records *records, const char *tuple, const char *leg, const char *links);
    void (*job)(struct reckon_records *records, const char *tuple);
    void (*metric)(struct reckon_records *records, double ts, double value);
    /* Where the records that follow come from, for what is said about them. Both may be unknown (NULL, 0). */
    void (*at)(struct reckon_records *records, const char *file, unsigned long line);
};

#ifdef __cplusplus
}
#endif
#endif
