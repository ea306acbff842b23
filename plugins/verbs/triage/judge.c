/* SPDX-License-Identifier: Apache-2.0
 *
 * One period: why each timeout, in the order of doc/triage.md (host down, stale QPN, host busy, RNIC, cable),
 * and what was found. A period is settled when the next has been counted, since only that tells a busy host
 * from a broken one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

#define FORGET_ROUNDS 360u /* periods after which an unused tuple is forgotten */
#define CLOCKS 2.0         /* seconds by which the clocks of a prober and of its target may differ here */

struct found *found_add(struct founds *list, enum reckon_trouble kind, uint32_t subject) {
    list->at = reckon_grow(list->at, list->count, &list->cap, sizeof *list->at);
    struct found *f = &list->at[list->count++];
    *f = (struct found){
        .kind = kind, .subject = subject, .loss = RECKON_BLANK, .p99 = RECKON_BLANK, .limit = RECKON_BLANK};
    return f;
}

const char *found_name(const struct analyzer *a, const struct found *f) {
    switch (f->kind) {
    case RECKON_HOST_DOWN:
    case RECKON_HOST_BUSY:
    case RECKON_HOST_SLOW:
        return a->topo.hosts[f->subject].name;
    case RECKON_STALE_QPN:
    case RECKON_RNIC_PROBLEM:
        return a->topo.rnics[f->subject].name;
    case RECKON_SWITCH_PROBLEM:
        return a->cables.at[f->subject].name;
    default: /* RTT_HIGH: RNICs first, then cables */
        return f->subject < a->topo.nrnics ? a->topo.rnics[f->subject].name
                                           : a->cables.at[f->subject - a->topo.nrnics].name;
    }
}

/* ---- what is not the network's ---- */

/* The period's end; where the records end well before it, theirs: nobody uploads after that. */
static double known_end(const struct analyzer *a, const struct tally *t) {
    double time = agents_time(a);
    return time < t->end - UPLOAD_EVERY ? time : t->end;
}

/* Whether the host was silent around ts for so long that it must have been down, as far as is known at `now`.
 * Clocks of a prober and of its target may differ a little. */
static bool silent_around(const struct analyzer *a, uint32_t host, double ts, double now) {
    double most = a->set.silent + UPLOAD_EVERY;
    return agents_silence(a, host, ts - CLOCKS, now) > most ||
           agents_silence(a, host, ts + CLOCKS, now) > most;
}

static uint32_t host_of(const struct analyzer *a, uint32_t rnic) {
    return a->topo.rnics[rnic].host;
}

static void clear_down_and_stale(struct analyzer *a, struct tally *t) {
    bool *down = reckon_resize(NULL, a->topo.nhosts + (size_t)1, sizeof *down);
    double end = known_end(a, t);
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        down[h] = !agents_uploaded(a, h, end - a->set.silent, t->end);
    for (size_t i = 0; i < t->ntimeouts; i++) {
        struct event *e = &t->timeouts[i];
        double ts = t->start + e->at / 1e6;
        if (down[host_of(a, e->target)] || silent_around(a, host_of(a, e->target), ts, end))
            e->cause = CAUSE_DOWN;
        else if (agents_stale(a, e->target, ts, e->qpn))
            e->cause = CAUSE_STALE;
    }
    free(down);
}

static bool provisional(const struct tally *t, uint32_t host) {
    for (size_t i = 0; i < t->nsuspects; i++)
        if (t->suspects[i].host == host && t->suspects[i].busy && !t->suspects[i].settled)
            return true;
    return false;
}

static uint64_t probes_to_host(const struct analyzer *a, const struct tally *t, uint32_t host) {
    const struct topology_host *h = &a->topo.hosts[host];
    uint64_t n = 0;
    for (uint32_t i = h->first; i < h->first + h->count; i++)
        n += t->probes_to[i];
    return n;
}

/* One trouble a host or RNIC that timeouts of the cause are about. */
static void report_cause(struct analyzer *a, struct tally *t, enum cause cause, enum reckon_trouble kind) {
    bool by_rnic = kind == RECKON_STALE_QPN;
    uint32_t n = by_rnic ? a->topo.nrnics : a->topo.nhosts;
    uint64_t *timeouts = reckon_resize(NULL, n + (size_t)1, sizeof *timeouts);
    memset(timeouts, 0, (n + (size_t)1) * sizeof *timeouts);
    for (size_t i = 0; i < t->ntimeouts; i++) {
        const struct event *e = &t->timeouts[i];
        if (e->cause == cause)
            timeouts[by_rnic ? e->target : cause == CAUSE_BUSY ? e->whose : host_of(a, e->target)]++;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!timeouts[i])
            continue;
        struct found *f = found_add(&t->found, kind, i);
        f->timeouts = timeouts[i];
        f->probes = by_rnic ? t->probes_to[i] : probes_to_host(a, t, i);
        f->provisional = cause == CAUSE_BUSY && provisional(t, i);
    }
    free(timeouts);
}

/* ---- RNICs ---- */

struct judging {
    struct analyzer *a;
    struct tally *t;
};

static void name_rnic(void *user, uint32_t rnic, uint64_t bad, uint64_t of, uint64_t charged, bool job) {
    struct judging *j = user;
    struct found *f = found_add(&j->t->found, RECKON_RNIC_PROBLEM, rnic);
    f->timeouts = charged;
    f->probes = of;
    f->loss = 100 * (double)bad / (double)of;
    f->on_job = job || j->a->rnics[rnic].on_job;
    double until = j->t->start + j->a->set.charge;
    if (!(j->a->rnics[rnic].charged_until >= until))
        j->a->rnics[rnic].charged_until = until;
}

/* The RNIC of the event that is charged since an earlier period; RECKON_NONE for none. */
static uint32_t still_charged(const struct analyzer *a, const struct tally *t, const struct event *e) {
    double ts = t->start + e->at / 1e6;
    if (ts < a->rnics[e->target].charged_until)
        return e->target;
    return ts < a->rnics[e->prober].charged_until ? e->prober : RECKON_NONE;
}

/* Where each RNIC's trouble is among those found; RECKON_NONE for none. */
static uint32_t *places(const struct analyzer *a, const struct tally *t) {
    uint32_t *place = reckon_resize(NULL, a->topo.nrnics + (size_t)1, sizeof *place);
    for (uint32_t i = 0; i < a->topo.nrnics; i++)
        place[i] = RECKON_NONE;
    for (uint32_t i = 0; i < t->found.count; i++)
        if (t->found.at[i].kind == RECKON_RNIC_PROBLEM)
            place[t->found.at[i].subject] = i;
    return place;
}

/* What an RNIC charged before had a part in stays with it. */
static void charge_on(struct analyzer *a, struct tally *t) {
    uint32_t *place = places(a, t);
    for (size_t i = 0; i < t->ntimeouts; i++) {
        struct event *e = &t->timeouts[i];
        uint32_t rnic = e->cause == CAUSE_NONE ? still_charged(a, t, e) : RECKON_NONE;
        if (rnic == RECKON_NONE)
            continue;
        if (place[rnic] == RECKON_NONE) {
            place[rnic] = (uint32_t)t->found.count;
            struct found *f = found_add(&t->found, RECKON_RNIC_PROBLEM, rnic);
            f->probes = t->mesh_to[rnic];
            f->on_job = a->rnics[rnic].on_job;
        }
        e->cause = CAUSE_RNIC;
        t->found.at[place[rnic]].timeouts++;
        t->found.at[place[rnic]].on_job |= e->job;
    }
    free(place);
}

/* ---- cables ---- */

/* The other cables' names, kept once. */
static const char *tied_names(struct analyzer *a, const uint32_t *cables, size_t count, size_t but) {
    char text[1024] = "";
    size_t n = 0, shown = 0;
    for (size_t i = 0; i < count; i++) {
        const char *name = a->cables.at[cables[i]].name;
        if (i == but || n + strlen(name) + 32 > sizeof text)
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", name);
        shown++;
    }
    if (count - 1 > shown)
        n += (size_t)snprintf(text + n, sizeof text - n, " and %zu more", count - 1 - shown);
    const char *kept;
    strmap_add(&a->texts, text, n, 0, &kept);
    return kept;
}

static void name_cables(void *user, const uint32_t *cables, size_t count, uint64_t votes, bool job) {
    struct judging *j = user;
    for (size_t i = 0; i < count; i++) {
        struct found *f = found_add(&j->t->found, RECKON_SWITCH_PROBLEM, cables[i]);
        f->timeouts = f->votes = votes;
        f->probes = j->t->over[cables[i]];
        f->loss = 100 * (double)votes / (double)f->probes;
        f->on_job = job || j->a->cables.at[cables[i]].on_job;
        f->tied = count > 1 ? tied_names(j->a, cables, count, i) : NULL;
    }
}

/* ---- the period ---- */

static void view_drops(const struct tally *t, bool job, struct reckon_triage_view *view) {
    uint64_t by[CAUSES] = {0};
    for (size_t i = 0; i < t->ntimeouts; i++)
        by[t->timeouts[i].cause] += !job || t->timeouts[i].job;
    double percent = view->probes ? 100 / (double)view->probes : RECKON_BLANK;
    view->rnic_pct = percent * (double)by[CAUSE_RNIC];
    view->switch_pct = percent * (double)by[CAUSE_SWITCH];
    view->other_pct = percent * (double)(by[CAUSE_DOWN] + by[CAUSE_STALE] + by[CAUSE_BUSY]);
}

static void count_untraced(const struct analyzer *a, struct tally *t) {
    t->figures->untraced = 0;
    for (size_t i = 0; i < t->ntimeouts; i++)
        t->figures->untraced +=
            t->timeouts[i].cause == CAUSE_SWITCH && !routes_traced(&a->routes, t->timeouts[i].route);
}

/* Steps 3 to 5; busy hosts as they stand. */
static void judge(struct analyzer *a, struct tally *t) {
    struct judging j = {a, t};
    t->found.count = 0;
    for (size_t i = 0; i < t->ntimeouts; i++)
        if (t->timeouts[i].cause > CAUSE_STALE)
            t->timeouts[i].cause = CAUSE_NONE;
    busy_charge(a, t);
    report_cause(a, t, CAUSE_DOWN, RECKON_HOST_DOWN);
    report_cause(a, t, CAUSE_STALE, RECKON_STALE_QPN);
    report_cause(a, t, CAUSE_BUSY, RECKON_HOST_BUSY);
    charge_rnics(&(struct charge){.topo = &a->topo,
                                  .events = t->timeouts,
                                  .nevents = t->ntimeouts,
                                  .cause = CAUSE_RNIC,
                                  .mesh_to = t->mesh_to,
                                  .inter_at = t->inter_at,
                                  .limit = a->set.rnic_loss,
                                  .report = name_rnic,
                                  .user = &j});
    charge_on(a, t);
    for (size_t i = 0; i < t->ntimeouts; i++)
        if (t->timeouts[i].cause == CAUSE_NONE)
            t->timeouts[i].cause = CAUSE_SWITCH;
    count_untraced(a, t);
    vote_cables(&(struct vote){.routes = &a->routes,
                               .cables = &a->cables,
                               .events = t->timeouts,
                               .nevents = t->ntimeouts,
                               .cause = CAUSE_SWITCH,
                               .over = t->over,
                               .min_votes = a->set.min_votes,
                               .max_suspects = a->set.max_suspects,
                               .report = name_cables,
                               .user = &j});
    view_drops(t, false, &t->figures->cluster);
    view_drops(t, true, &t->figures->job);
}

/* A host that fell silent in the period is known to be down only in the next: what timed out after its last
 * upload is no RNIC's. True when there was any. */
static bool settle_down(const struct analyzer *a, struct tally *t, const struct tally *next) {
    bool any = false;
    double end = known_end(a, next);
    for (size_t i = 0; i < t->ntimeouts; i++) {
        struct event *e = &t->timeouts[i];
        uint32_t host = host_of(a, e->target);
        double ts = t->start + e->at / 1e6;
        bool down = !agents_uploaded(a, host, end - a->set.silent, next->end) &&
                    !agents_uploaded(a, host, ts + CLOCKS, next->end);
        if (e->cause > CAUSE_STALE && (down || silent_around(a, host, ts, end))) {
            e->cause = CAUSE_DOWN;
            any = true;
        }
    }
    return any;
}

/* The period before `next` (NULL: none came right after it) has its last word. */
static void settle(struct analyzer *a, struct tally *next) {
    struct tally *t = a->pending;
    a->pending = NULL;
    if (!t)
        return;
    bool follows = next && next->index == t->index + 1;
    bool fell = follows && settle_down(a, t, next);
    if ((follows && busy_settle(a, t, next)) || fell) {
        struct founds old = t->found;
        t->found = (struct founds){0};
        for (uint32_t n = 0; n < a->topo.nrnics; n++)
            a->rnics[n].charged_until = t->charged_before[n];
        tally_widen(a, t);
        judge(a, t);
        if (a->follow)
            say_withdrawn(a, t, &old);
        free(old.at);
    }
    for (size_t i = 0; i < t->found.count; i++)
        t->found.at[i].provisional &= !follows;
    tracker_enter(a, t);
    tally_done(a, t);
}

bool judge_next(struct analyzer *a) {
    struct period *p = period_take(a);
    if (!p)
        return false;
    agents_settle(a);
    job_mark(a);
    struct tally *t = tally_take(a, p);
    figures_fill(a, p, t);
    clear_down_and_stale(a, t);
    settle(a, t);
    busy_suspect(a, p, t);
    slow_find(a, p, t);
    for (uint32_t n = 0; n < a->topo.nrnics; n++)
        t->charged_before[n] = a->rnics[n].charged_until;
    judge(a, t);
    a->pending = t;
    a->last_judged = p->index;
    if (a->follow) {
        say_period(a, t);
        agents_forget(a, t->start - 2 * a->set.period - a->set.silent);
        if (a->routes.round % 16 == 0)
            routes_forget(&a->routes, FORGET_ROUNDS);
    }
    period_done(a, p);
    return true;
}

void judge_end(struct analyzer *a) {
    settle(a, NULL);
}
