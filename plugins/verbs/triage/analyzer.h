/* SPDX-License-Identifier: Apache-2.0
 *
 * The Analyzer's own state, shared by the files of this folder. Records come in (records.c), lie in the
 * period they belong to (periods.c), and each period is judged once it is over (judge.c):
 *
 *   tally      what the period's probes counted up to        (tally.c)
 *   classify   why each timeout: host, QPN, busy, RNIC       (judge.c, busy.c, charge.c)
 *   vote       which cables the rest have in common          (vote.c)
 *   slow       what stands out by time                       (slow.c)
 *   problems   consecutive periods of one trouble, graded    (problems.c, impact.c)
 *
 * Nothing depends on the order of records within a period.
 */
#ifndef TRIAGE_ANALYZER_H
#define TRIAGE_ANALYZER_H

#include <reckon/plugin.h>
#include <reckon/triage.h>

#include "../triage_common/topology.h"
#include "cables.h"

#define UNMEASURED UINT32_MAX    /* a figure nobody measured */
#define LONGEST (UNMEASURED - 1) /* ns: longer times count as that */
#define UPLOAD_EVERY 5.0         /* seconds, of every agent */
#define MOST_PERIODS 100000u

enum list { TOR_MESH, INTER_TOR, SERVICE, LISTS };

/* What the options say. */
struct settings {
    double period, silent, busy_factor, rnic_loss, charge, job_threshold, rtt_factor, grace;
    uint32_t min_votes, max_suspects; /* max_suspects 0: no limit */
    bool busy_check;
};

/* One probe, kept until its period is judged. */
struct probe {
    union {
        uint64_t tuple; /* the hash of its text, while nobody has traced it */
        uint32_t route; /* its route, once it is traced */
    };
    uint32_t at; /* us since the period began */
    uint32_t prober, target, qpn;
    uint32_t network, responder,
        delay; /* ns: network RTT, responder's and prober's processing delay; UNMEASURED */
    uint8_t list;
    bool failed, traced;
};

/* A period whose probes are still coming in. */
struct period {
    int64_t index; /* it begins at index × length */
    struct probe *probes;
    size_t nprobes, cap;
    uint64_t *seen; /* hashes of its records, to know copies: open addressing, 0 free */
    size_t nseen, seen_slots;
};

/* A probe that is periods ahead of the rest: kept, since all may be after a pause, until that shows. */
struct ahead {
    struct probe probe;
    int64_t period;
    uint64_t record; /* its hash */
};

enum cause { CAUSE_NONE, CAUSE_DOWN, CAUSE_STALE, CAUSE_BUSY, CAUSE_RNIC, CAUSE_SWITCH, CAUSES };

/* A failing (or slow) probe while it is judged. */
struct event {
    uint32_t prober, target, route; /* route: RECKON_NONE when nobody traced it */
    uint32_t at, qpn, whose;        /* whose: the busy host */
    uint8_t list, cause;
    bool job; /* one of the job's own */
};

/* Something found in one period. */
struct found {
    enum reckon_trouble kind;
    uint32_t subject; /* a host, RNIC or cable; for RTT_HIGH cables come after the RNICs */
    uint64_t timeouts, probes, votes;
    double loss;       /* percent; blank */
    double p99, limit; /* us; blank */
    const char *measure, *tied;
    bool on_job, provisional;
};
struct founds {
    struct found *at;
    size_t count, cap;
};

/* A host that may have been too busy in a period. */
struct suspect {
    uint32_t host;
    uint32_t first, last; /* us: its timeouts lie between */
    bool busy;            /* as things stand */
    bool settled;         /* the next period has had its say */
};

/* A period under judgement: what must be kept until the next is there. */
struct tally {
    int64_t index;
    double start, end;
    struct event *timeouts;
    size_t ntimeouts, cap;
    double *charged_before; /* per RNIC: until when it was charged before this period was judged */
    uint32_t *mesh_to;      /* per RNIC: tor-mesh probes to it */
    uint32_t *probes_from;  /* per RNIC: all probes of it */
    uint32_t *probes_to;    /* per RNIC: all probes to it */
    uint32_t *answers_from; /* per RNIC: those it answered */
    uint32_t *inter_at;     /* per RNIC: inter-ToR probes it is an end of */
    uint32_t *over;         /* per cable: probes over it */
    uint32_t *answers_over; /* per cable: answers with a known network RTT, ToR-mesh aside */
    uint32_t ncables;       /* how many of them there were then */
    struct suspect *suspects;
    size_t nsuspects;
    struct founds found;
    struct founds slow; /* RTT_HIGH, HOST_SLOW: not judged again */
    struct reckon_triage_period *figures;
};

/* When a host uploaded, an RNIC registered; in order of time once sorted. */
struct upload {
    double ts;
    uint64_t agent; /* a hash of which of the host's agents: copies have the same */
};
struct uploads {
    struct upload *at;
    size_t count, cap;
    bool sorted;
};
struct registration {
    double ts;
    uint32_t qpn;
};
struct registrations {
    struct registration *at;
    size_t count, cap;
    bool sorted;
};

struct host_state {
    struct uploads uploads;
    double first_seen, last_seen; /* ts of its records; blank: none */
    bool probed;                  /* by anybody */
    double quiet[9];              /* medians of its responder delay in its latest quiet periods, ns */
    uint32_t nquiet;              /* how many there ever were */
};

struct rnic_state {
    struct registrations registered;
    double charged_until; /* blank: never */
    double newest;        /* ts of its newest probe; blank */
    double newest_event;  /* ts of its agent's newest record; blank */
    bool on_job;
};

/* The job's metric. */
struct sample {
    double ts, value;
    bool slow; /* in a period that was found slow */
};
struct metric {
    struct sample *at;
    size_t count, cap;
    bool sorted;
};

/* What could not be used, by why; each is said once with its first example. */
enum odd {
    ODD_MALFORMED,  /* a cell that makes no sense */
    ODD_STRANGER,   /* a name the layout does not have */
    ODD_COPY,       /* a record that was there before */
    ODD_REORDERED,  /* older than its agent's newest by over a second */
    ODD_LATE,       /* after its period was judged */
    ODD_AHEAD,      /* far ahead of the rest */
    ODD_LONG,       /* a time longer than is kept */
    ODD_FUTURE_QPN, /* a probe that carried a number registered only later */
    ODDS
};
struct oddity {
    uint64_t count;
    const char *example;
};

struct tracker; /* problems.c */

struct analyzer {
    struct reckon_records records; /* must be first: what readers see */
    struct reckon *r;
    struct settings set;
    struct topology topo;
    struct cables cables;
    struct routes routes;
    struct host_state *hosts;
    struct rnic_state *rnics;
    struct metric metric;
    uint64_t njob, njob_traced; /* tuples of the job, and those with a traced path */
    bool job_changed;
    /* periods */
    struct period **open; /* by index, ascending */
    size_t nopen, open_cap;
    int64_t last_judged;  /* INT64_MIN: none */
    struct period *spare; /* one to use again */
    bool follow;
    size_t most_open;    /* while following: further periods are ahead */
    struct ahead *ahead; /* while following; those admitted later are no oddity any more */
    size_t nahead, ahead_cap;
    struct tally *pending; /* judged, and waiting for the next */
    struct tally *resting; /* one to use again */
    struct tracker *tracker;
    struct strmap texts; /* kept once each */
    /* for the outputs */
    const struct reckon_triage_period **figures;
    size_t nfigures, figures_cap;
    uint64_t nprobes, nservice, ntimeouts, nuntraced;
    /* oddities */
    struct oddity odd[ODDS];
    const char *file;
    unsigned long line;
    /* scratch, grown as needed */
    uint32_t *values, *keys, *offsets;
    size_t values_cap, keys_cap, offsets_cap;
};

/* ---- analyzer.c ---- */
/* An Analyzer of the session's layout, ready for records. 0, or -1 after an error; finish it in either case.
 */
int analyzer_start(struct analyzer *a, struct reckon *r, const struct settings *set, bool follow);
void analyzer_finish(struct analyzer *a);

/* ---- records.c ---- */
void records_init(struct analyzer *a);
void count_odd(struct analyzer *a, enum odd kind, uint64_t n, const char *fmt, ...) RECKON_PRINTF(4, 5);
/* Takes in what was ahead of the rest and is no more. */
void ahead_admit(struct analyzer *a);
/* Says what was odd, as notes. */
void say_odd(struct analyzer *a);

/* ---- agents.c ---- */
void agents_upload(struct analyzer *a, uint32_t host, uint64_t agent, double ts);
void agents_register(struct analyzer *a, uint32_t rnic, double ts, uint32_t qpn);
/* Sorts what came since and leaves copies out, before a period is judged. */
void agents_settle(struct analyzer *a);
/* Forgets what no period from `ts` on can ask for. */
void agents_forget(struct analyzer *a, double ts);
/* Whether the host uploaded in [from, to). */
bool agents_uploaded(const struct analyzer *a, uint32_t host, double from, double to);
/* How long the host was silent around ts, from its upload before to the next, or to `now` when there is none
 * until then; 0 when it never uploaded before. */
double agents_silence(const struct analyzer *a, uint32_t host, double ts, double now);
/* The longest time between two uploads of the host that touches [from, to]. */
double agents_longest_gap(const struct analyzer *a, uint32_t host, double from, double to);
/* Whether the RNIC's agent had another number by `ts`, or got one while it restarted around then. */
bool agents_stale(struct analyzer *a, uint32_t rnic, double ts, uint32_t qpn);
/* How far the records have come, by what most hosts wrote; blank: there is none. */
double agents_time(const struct analyzer *a);
/* Says which hosts took no part, which agents fell silent and whose clocks are apart. */
void agents_say(struct analyzer *a);

/* ---- periods.c ---- */
/* The open period of that number; NULL when it cannot take records any more (or yet), which is counted. */
struct period *period_at(struct analyzer *a, int64_t index);
/* Adds the probe unless the record was there before. */
bool period_add(struct period *p, const struct probe *probe, uint64_t record);
/* Takes the oldest open period out; NULL for none. Give it back with period_done(). */
struct period *period_take(struct analyzer *a);
void period_done(struct analyzer *a, struct period *p);
void periods_free(struct analyzer *a);

/* ---- tally.c ---- */
/* Counts the period up; every probe knows its route afterwards, or has RECKON_NONE. */
struct tally *tally_take(struct analyzer *a, struct period *p);
/* Room for cables that were traced since. */
void tally_widen(const struct analyzer *a, struct tally *t);
void tally_done(struct analyzer *a, struct tally *t);
void tally_free(struct tally *t);

/* ---- figures.c, percentile.c ---- */
/* Fills the period's percentiles. */
void figures_fill(struct analyzer *a, const struct period *p, struct tally *t);
/* The k-th smallest (from 0) of n values; reorders v. */
uint32_t select_nth(uint32_t *v, size_t n, size_t k);
/* The place of the percentile of n sorted values: the smallest that permille/1000 of them do not exceed. */
size_t percentile_rank(size_t n, uint32_t permille);
/* Values by key: afterwards those of key k are a->values[a->offsets[k]…a->offsets[k+1]-1]. Pairs come from
 * the parallel scratch arrays a->keys and `in`. */
void group_values(struct analyzer *a, const uint32_t *in, size_t n, uint32_t nkeys);
/* Room for n values in the scratch arrays. */
void scratch_reserve(struct analyzer *a, size_t n, size_t nkeys);

/* ---- busy.c ---- */
/* Finds the hosts that were busy as far as this period can tell. */
void busy_suspect(struct analyzer *a, const struct period *p, struct tally *t);
/* Charges what is not explained yet to the busy hosts. */
void busy_charge(const struct analyzer *a, struct tally *t);
/* Settles the period's suspects with what the next saw. True when it must be judged again. */
bool busy_settle(struct analyzer *a, struct tally *t, struct tally *next);
/* The median responder delay of a host in a period without a timeout to it, ns. */
void busy_quiet(struct analyzer *a, uint32_t host, uint32_t median);

/* ---- charge.c ---- */
struct charge {
    const struct topology *topo;
    struct event *events; /* failing or slow ones; those charged get .cause = cause */
    size_t nevents;
    uint8_t cause;
    const uint32_t *mesh_to, *inter_at;
    double limit; /* percent */
    void (*report)(void *user, uint32_t rnic, uint64_t bad, uint64_t of, uint64_t charged, bool job);
    void *user;
};
/* Charges RNICs until none has more than the limit of the tor-mesh probes to it among the events. */
void charge_rnics(const struct charge *c);

/* ---- vote.c ---- */
struct vote {
    const struct routes *routes;
    const struct cables *cables;
    const struct event *events; /* those with .cause == cause and a route vote */
    size_t nevents;
    uint8_t cause;
    const uint32_t *over; /* per cable: all probes over it */
    uint32_t min_votes, max_suspects;
    /* One call a round: the cable named, or several that nothing tells apart. */
    void (*report)(void *user, const uint32_t *cables, size_t count, uint64_t votes, bool job);
    void *user;
};
void vote_cables(const struct vote *v);

/* ---- judge.c ---- */
/* Judges the oldest open period, and settles the one before it. False when none is open. */
bool judge_next(struct analyzer *a);
/* Settles what is pending at the end of the records. */
void judge_end(struct analyzer *a);
struct found *found_add(struct founds *list, enum reckon_trouble kind, uint32_t subject);
const char *found_name(const struct analyzer *a, const struct found *f);

/* ---- slow.c ---- */
void slow_find(struct analyzer *a, const struct period *p, struct tally *t);
/* Whether the probe tells of the network RTT over its cables. */
bool slow_over_cables(const struct probe *p);

/* ---- impact.c ---- */
void metric_add(struct analyzer *a, double ts, double value);
/* The metric's median in the period, and before `start` (periods found slow left out). */
double metric_within(struct analyzer *a, double start, double end);
double metric_before(struct analyzer *a, double start);
void metric_mark_slow(struct analyzer *a, double start, double end);
/* Whether it fell past the threshold. */
bool metric_fell(const struct analyzer *a, double before, double now);
/* Marks RNICs and cables on the job's paths. */
void job_mark(struct analyzer *a);
/* Whether anything tells where the job's paths are, so that a problem off them can be told from one on them.
 */
bool job_placed(const struct analyzer *a);
/* Says how many of the job's tuples have no traced path. */
void job_say(struct analyzer *a);

/* ---- problems.c ---- */
void tracker_init(struct analyzer *a);
void tracker_free(struct analyzer *a);
/* Enters a settled period. */
void tracker_enter(struct analyzer *a, struct tally *t);
/* The class a trouble of this period has, given what is known of it before. */
enum reckon_impact tracker_class(struct analyzer *a, const struct tally *t, const struct found *f);
/* Whether the trouble was not there in the period entered last. */
bool tracker_is_new(const struct analyzer *a, const struct tally *t, const struct found *f);
/* One call for each trouble of the period entered last that this one does not have. */
void tracker_ended(const struct analyzer *a, const struct tally *t,
                   void (*say)(void *user, const struct tally *t, const struct found *f), void *user);
/* The subject as rules and outputs read it. */
const struct reckon_triage *tracker_subject(struct analyzer *a);

/* ---- say.c: one line a change, while following ---- */
void say_period(struct analyzer *a, const struct tally *t);
void say_withdrawn(struct analyzer *a, const struct tally *t, const struct founds *old);

/* ---- follow.c ---- */
int follow(struct analyzer *a);

#endif
