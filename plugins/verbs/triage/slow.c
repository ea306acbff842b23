/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands out by time rather than by loss (doc/triage.md, "Times"): hosts by processing delay, RNICs and
 * cables by network RTT. The P99 of each is held against the median of its kind's P99s; slow probes are then
 * charged and voted on like lost ones.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

#define FEWEST 20u  /* answers a P99 needs to say anything */
#define BUCKETS 256 /* of a cable's histogram: eight an octave */

/* The P99 of every key's values among the scratch pairs; UNMEASURED where there are too few. */
static uint32_t *p99s(struct analyzer *a, const uint32_t *values, size_t n, uint32_t nkeys) {
    uint32_t *p99 = reckon_resize(NULL, nkeys + (size_t)1, sizeof *p99);
    group_values(a, values, n, nkeys);
    for (uint32_t k = 0; k < nkeys; k++) {
        size_t count = a->offsets[k + 1] - a->offsets[k];
        p99[k] = count < FEWEST ? UNMEASURED
                                : select_nth(a->values + a->offsets[k], count, percentile_rank(count, 990));
    }
    return p99;
}

/* So many times the median of the known ones, ns; endless when none is known. */
static double line_of(const struct analyzer *a, const uint32_t *p99, uint32_t nkeys) {
    double *v = reckon_resize(NULL, nkeys + (size_t)1, sizeof *v);
    size_t n = 0;
    for (uint32_t k = 0; k < nkeys; k++)
        if (p99[k] != UNMEASURED)
            v[n++] = p99[k];
    double line = n ? a->set.rtt_factor * reckon_median(v, n) : (double)INFINITY;
    free(v);
    return line;
}

static struct found *add_slow(struct tally *t, enum reckon_trouble kind, uint32_t subject,
                              const char *measure, double p99, double line) {
    struct found *f = found_add(&t->slow, kind, subject);
    f->measure = measure;
    f->p99 = p99 / 1e3;
    f->limit = line / 1e3;
    return f;
}

/* ---- hosts ---- */

static uint32_t host_of(const struct analyzer *a, uint32_t rnic) {
    return a->topo.rnics[rnic].host;
}

static bool suspected(const struct tally *t, uint32_t host) {
    for (size_t i = 0; i < t->nsuspects; i++)
        if (t->suspects[i].host == host)
            return true;
    return false;
}

static void name_hosts(struct analyzer *a, struct tally *t, const uint32_t *p99, const char *measure) {
    double line = line_of(a, p99, a->topo.nhosts);
    for (uint32_t h = 0; h < a->topo.nhosts; h++) {
        size_t n = a->offsets[h + 1] - a->offsets[h], over = 0;
        if (p99[h] == UNMEASURED || !(p99[h] > line) || suspected(t, h))
            continue;
        for (size_t i = a->offsets[h]; i < a->offsets[h + 1]; i++)
            over += a->values[i] > line;
        if (over < a->set.min_votes)
            continue;
        struct found *f = add_slow(t, RECKON_HOST_SLOW, h, measure, p99[h], line);
        f->timeouts = over;
        f->probes = n;
    }
}

/* Hosts without a timeout in the period set what is usual for them. */
static void learn_quiet(struct analyzer *a, const struct tally *t) {
    bool *loud = reckon_resize(NULL, a->topo.nhosts + (size_t)1, sizeof *loud);
    memset(loud, 0, a->topo.nhosts + (size_t)1);
    for (size_t i = 0; i < t->ntimeouts; i++)
        loud[host_of(a, t->timeouts[i].target)] = true;
    for (uint32_t h = 0; h < a->topo.nhosts; h++) {
        size_t n = a->offsets[h + 1] - a->offsets[h];
        if (n && !loud[h])
            busy_quiet(a, h, select_nth(a->values + a->offsets[h], n, percentile_rank(n, 500)));
    }
    free(loud);
}

static void slow_hosts(struct analyzer *a, const struct period *p, struct tally *t, bool responder) {
    uint32_t *values = reckon_resize(NULL, p->nprobes + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < p->nprobes; i++) {
        const struct probe *x = &p->probes[i];
        uint32_t time = responder ? x->responder : x->delay;
        if (x->failed || time == UNMEASURED)
            continue;
        a->keys[n] = host_of(a, responder ? x->target : x->prober);
        values[n++] = time;
    }
    uint32_t *p99 = p99s(a, values, n, a->topo.nhosts);
    name_hosts(a, t, p99, responder ? "responder delay" : "prober delay");
    if (responder)
        learn_quiet(a, t);
    free(p99);
    free(values);
}

/* ---- RNICs ---- */

struct slow_rnics {
    struct analyzer *a;
    struct tally *t;
    const uint32_t *p99;
    double line;
};

static void name_rnic(void *user, uint32_t rnic, uint64_t bad, uint64_t of, uint64_t charged, bool job) {
    struct slow_rnics *s = user;
    (void)charged;
    if (bad < s->a->set.min_votes || s->p99[rnic] == UNMEASURED)
        return;
    struct found *f = add_slow(s->t, RECKON_RTT_HIGH, rnic, "network RTT", s->p99[rnic], s->line);
    f->timeouts = bad;
    f->probes = of;
    f->on_job = job || s->a->rnics[rnic].on_job;
}

static struct event event_of(const struct analyzer *a, const struct probe *x) {
    bool job = x->list == SERVICE || (x->route != RECKON_NONE && a->routes.at[x->route].job);
    return (struct event){
        .prober = x->prober, .target = x->target, .route = x->route, .list = x->list, .job = job};
}

/* Slow probes of the period: ToR-mesh ones above one line, the others above another. */
static struct event *slow_events(const struct analyzer *a, const struct period *p, double mesh, double other,
                                 size_t *n) {
    struct event *events = NULL;
    size_t cap = 0;
    for (size_t i = 0; i < p->nprobes; i++) {
        const struct probe *x = &p->probes[i];
        if (x->failed || x->network == UNMEASURED || !(x->network > (x->list == TOR_MESH ? mesh : other)))
            continue;
        events = reckon_grow(events, *n, &cap, sizeof *events);
        events[(*n)++] = event_of(a, x);
    }
    return events;
}

/* The ToR-mesh P99 of every RNIC as target, and how many answers each rests on. */
static uint32_t *mesh_p99(struct analyzer *a, const struct period *p, uint32_t *answers) {
    uint32_t *values = reckon_resize(NULL, p->nprobes + 1, sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < p->nprobes; i++) {
        const struct probe *x = &p->probes[i];
        if (x->failed || x->network == UNMEASURED || x->list != TOR_MESH)
            continue;
        a->keys[n] = x->target;
        values[n++] = x->network;
    }
    uint32_t *p99 = p99s(a, values, n, a->topo.nrnics);
    for (uint32_t i = 0; i < a->topo.nrnics; i++)
        answers[i] = a->offsets[i + 1] - a->offsets[i];
    free(values);
    return p99;
}

/* ---- cables ---- */

/* Eight buckets an octave. */
static uint32_t bucket_of(uint32_t x) {
    uint32_t octave = x < 8 ? 0 : 28u - (uint32_t)__builtin_clz(x);
    return x < 8 ? x : 8 * octave + (x >> octave);
}

/* The largest value of a bucket. */
static uint32_t bucket_end(uint32_t b) {
    return b < 16 ? b : (uint32_t)((((uint64_t)(b % 8) + 9) << (b / 8 - 1)) - 1);
}

bool slow_over_cables(const struct probe *x) {
    return !x->failed && x->network != UNMEASURED && x->list != TOR_MESH && x->route != RECKON_NONE;
}

/* Histograms of the RTT over the cables with enough answers; *place: where each cable's is, RECKON_NONE for
 * none. */
static uint32_t *histograms(const struct analyzer *a, const struct period *p, const uint32_t *answers,
                            uint32_t *place) {
    uint32_t cables[2 * LONGEST_ROUTE];
    size_t used = 0;
    for (uint32_t c = 0; c < a->cables.count; c++)
        place[c] = answers[c] < FEWEST ? RECKON_NONE : (uint32_t)used++;
    uint32_t *h = reckon_resize(NULL, used + 1, BUCKETS * sizeof *h);
    memset(h, 0, (used + 1) * BUCKETS * sizeof *h);
    for (size_t i = 0; i < p->nprobes; i++) {
        uint32_t n =
            slow_over_cables(&p->probes[i]) ? routes_cables(&a->routes, p->probes[i].route, cables) : 0;
        for (uint32_t k = 0; k < n; k++)
            if (place[cables[k]] != RECKON_NONE)
                h[(size_t)place[cables[k]] * BUCKETS + bucket_of(p->probes[i].network)]++;
    }
    return h;
}

/* The P99 over every cable, within an eighth; UNMEASURED where there are too few answers. */
static uint32_t *cable_p99(const struct analyzer *a, const struct period *p, const uint32_t *answers) {
    uint32_t *p99 = reckon_resize(NULL, a->cables.count + (size_t)1, sizeof *p99);
    uint32_t *h = histograms(a, p, answers, p99);
    for (uint32_t c = 0; c < a->cables.count; c++) {
        size_t left = percentile_rank(answers[c], 990), at = (size_t)p99[c] * BUCKETS;
        uint32_t b = 0;
        if (p99[c] == RECKON_NONE) {
            p99[c] = UNMEASURED;
            continue;
        }
        while (left >= h[at + b])
            left -= h[at + b++];
        p99[c] = bucket_end(b);
    }
    free(h);
    return p99;
}

struct slow_cables {
    struct analyzer *a;
    struct tally *t;
    const struct period *p;
    const uint32_t *answers;
    double line;
};

/* Exactly, for a cable that is going to be named. */
static double exact_p99(struct slow_cables *s, uint32_t cable) {
    uint32_t cables[2 * LONGEST_ROUTE];
    size_t m = 0;
    for (size_t i = 0; i < s->p->nprobes; i++) {
        uint32_t n = slow_over_cables(&s->p->probes[i])
                         ? routes_cables(&s->a->routes, s->p->probes[i].route, cables)
                         : 0;
        for (uint32_t k = 0; k < n; k++)
            if (cables[k] == cable)
                s->a->values[m++] = s->p->probes[i].network;
    }
    return m ? select_nth(s->a->values, m, percentile_rank(m, 990)) : RECKON_BLANK;
}

static void name_cables(void *user, const uint32_t *cables, size_t count, uint64_t votes, bool job) {
    struct slow_cables *s = user;
    for (size_t i = 0; i < count; i++) {
        uint32_t c = cables[i];
        if (votes * 100 <= s->answers[c] || s->answers[c] < FEWEST)
            continue;
        struct found *f =
            add_slow(s->t, RECKON_RTT_HIGH, s->a->topo.nrnics + c, "network RTT", exact_p99(s, c), s->line);
        f->timeouts = f->votes = votes;
        f->probes = s->answers[c];
        f->on_job = job || s->a->cables.at[c].on_job;
    }
}

/* RNICs first; what they had a part in takes no part in the cables' vote. */
static void slow_network(struct analyzer *a, const struct period *p, struct tally *t) {
    uint32_t ncables = a->cables.count;
    const uint32_t *answers = t->answers_over;
    uint32_t *mesh_answers = reckon_resize(NULL, a->topo.nrnics + (size_t)1, sizeof *mesh_answers);
    uint32_t *rnics = mesh_p99(a, p, mesh_answers);
    uint32_t *cables = cable_p99(a, p, answers);
    struct slow_rnics by_rnic = {a, t, rnics, line_of(a, rnics, a->topo.nrnics)};
    struct slow_cables by_cable = {a, t, p, answers, line_of(a, cables, ncables)};
    size_t n = 0;
    struct event *events = slow_events(a, p, by_rnic.line, by_cable.line, &n);
    charge_rnics(&(struct charge){.topo = &a->topo,
                                  .events = events,
                                  .nevents = n,
                                  .cause = CAUSE_RNIC,
                                  .mesh_to = mesh_answers,
                                  .inter_at = t->inter_at,
                                  .limit = 1,
                                  .report = name_rnic,
                                  .user = &by_rnic});
    for (size_t i = 0; i < n; i++) /* ToR-mesh times are of another kind */
        if (events[i].cause == CAUSE_NONE && events[i].list != TOR_MESH)
            events[i].cause = CAUSE_SWITCH;
    vote_cables(&(struct vote){.routes = &a->routes,
                               .cables = &a->cables,
                               .events = events,
                               .nevents = n,
                               .cause = CAUSE_SWITCH,
                               .over = answers,
                               .min_votes = a->set.min_votes,
                               .max_suspects = a->set.max_suspects,
                               .report = name_cables,
                               .user = &by_cable});
    free(events);
    free(cables);
    free(rnics);
    free(mesh_answers);
}

void slow_find(struct analyzer *a, const struct period *p, struct tally *t) {
    scratch_reserve(a, p->nprobes, a->topo.nhosts > a->topo.nrnics ? a->topo.nhosts : a->topo.nrnics);
    slow_hosts(a, p, t, true);
    slow_hosts(a, p, t, false);
    slow_network(a, p, t);
}
