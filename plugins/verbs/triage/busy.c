/* SPDX-License-Identifier: Apache-2.0
 *
 * Hosts too busy to answer in time (doc/triage.md, "Busy hosts"): timeouts to several RNICs of one host, gone
 * soon, while what it does answer comes late. Thirty of the paper's fifty RNIC reports were such hosts.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

#define AROUND 1000000u /* us around the timeouts in which answers are looked at */
#define LATE_SHARE 20u  /* one answer in so many must be late */
#define LATE_UPLOAD 1.0 /* seconds an upload may be late */
#define QUIET (sizeof((struct host_state *)0)->quiet / sizeof(double))

/* The timeouts to one host, and the answers from it around them. */
struct look {
    bool any, mesh;       /* whether there is any; whether the times are of the ToR-mesh */
    uint32_t rnics;       /* how many of its RNICs have some, of several probers */
    uint32_t first, last; /* us */
    uint64_t answered, late;
    double line; /* ns: an answer above it is late */
};

static uint32_t host_of(const struct analyzer *a, uint32_t rnic) {
    return a->topo.rnics[rnic].host;
}

void busy_quiet(struct analyzer *a, uint32_t host, uint32_t median) {
    struct host_state *h = &a->hosts[host];
    h->quiet[h->nquiet++ % QUIET] = median;
}

/* What the host's responder delay usually is, ns; before it ever was quiet, what the cluster's is now. */
static double usual_delay(const struct analyzer *a, const struct tally *t, uint32_t host) {
    const struct host_state *h = &a->hosts[host];
    double v[QUIET];
    size_t n = h->nquiet < QUIET ? h->nquiet : QUIET;
    if (!n)
        return t->figures->cluster.responder.p50 * 1e3;
    memcpy(v, h->quiet, n * sizeof *v);
    return reckon_median(v, n);
}

/* RNICs that lose most of what they send: at their neighbours nothing need be wrong. */
static bool *mostly_lost(const struct analyzer *a, const struct tally *t) {
    uint32_t *lost = reckon_resize(NULL, a->topo.nrnics + (size_t)1, sizeof *lost);
    bool *mostly = reckon_resize(NULL, a->topo.nrnics + (size_t)1, sizeof *mostly);
    memset(lost, 0, (a->topo.nrnics + (size_t)1) * sizeof *lost);
    for (size_t i = 0; i < t->ntimeouts; i++)
        lost[t->timeouts[i].prober]++;
    for (uint32_t n = 0; n < a->topo.nrnics; n++)
        mostly[n] = 2 * (uint64_t)lost[n] > t->probes_from[n];
    free(lost);
    return mostly;
}

/* When they were: by the ToR-mesh where it has any, since cables above the ToRs may go on losing others. */
static void note_time(struct look *l, const struct event *e) {
    bool mesh = e->list == TOR_MESH;
    if (l->mesh && !mesh)
        return;
    l->first = l->any && l->mesh == mesh ? l->first : e->at; /* they come in order of time */
    l->last = e->at;
    l->any = true;
    l->mesh = mesh;
}

/* Looks at the timeouts nobody explains yet. An RNIC counts once two probers have lost probes to it: a single
 * bad prober is no fault of the host's. */
static struct look *look_at_timeouts(const struct analyzer *a, const struct tally *t) {
    struct look *look = reckon_resize(NULL, a->topo.nhosts + (size_t)1, sizeof *look);
    uint32_t *from =
        reckon_resize(NULL, a->topo.nrnics + (size_t)1, sizeof *from); /* NONE: nobody; counted: nrnics */
    bool *mostly = mostly_lost(a, t);
    memset(look, 0, (a->topo.nhosts + (size_t)1) * sizeof *look);
    for (uint32_t n = 0; n < a->topo.nrnics; n++)
        from[n] = RECKON_NONE;
    for (size_t i = 0; i < t->ntimeouts; i++) {
        const struct event *e = &t->timeouts[i];
        if (e->cause != CAUSE_NONE || mostly[e->prober])
            continue;
        struct look *l = &look[host_of(a, e->target)];
        note_time(l, e);
        if (from[e->target] != RECKON_NONE && from[e->target] != a->topo.nrnics &&
            from[e->target] != e->prober) {
            l->rnics++;
            from[e->target] = a->topo.nrnics;
        } else if (from[e->target] == RECKON_NONE)
            from[e->target] = e->prober;
    }
    free(mostly);
    free(from);
    return look;
}

static void look_at_answers(const struct analyzer *a, const struct period *p, struct look *look) {
    for (size_t i = 0; i < p->nprobes; i++) {
        const struct probe *x = &p->probes[i];
        struct look *l = &look[host_of(a, x->target)];
        bool around = x->at + AROUND >= l->first && x->at <= l->last + AROUND;
        if (l->rnics < 2 || x->failed || x->responder == UNMEASURED || !around)
            continue;
        l->answered++;
        l->late += x->responder > l->line;
    }
}

/* Whether some RNIC of the host was probed and answered nothing. */
static bool mute_rnic(const struct analyzer *a, const struct tally *t, uint32_t host) {
    const struct topology_host *h = &a->topo.hosts[host];
    for (uint32_t i = h->first; i < h->first + h->count; i++)
        if (t->probes_to[i] && !t->answers_from[i])
            return true;
    return false;
}

static bool late_answers(const struct look *l) {
    return l->late && l->late * LATE_SHARE >= l->answered;
}

static bool late_upload(const struct analyzer *a, const struct tally *t, uint32_t host) {
    return mute_rnic(a, t, host) &&
           agents_longest_gap(a, host, t->start, t->end) > UPLOAD_EVERY + LATE_UPLOAD;
}

static void add_suspect(struct tally *t, struct suspect s) {
    t->suspects = reckon_resize(t->suspects, t->nsuspects + 1, sizeof *t->suspects);
    t->suspects[t->nsuspects++] = s;
}

void busy_suspect(struct analyzer *a, const struct period *p, struct tally *t) {
    if (!a->set.busy_check)
        return;
    busy_charge(a, t); /* what is left over from a burst of the period before */
    struct look *look = look_at_timeouts(a, t);
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        if (look[h].rnics >= 2)
            look[h].line = a->set.busy_factor * usual_delay(a, t, h);
    look_at_answers(a, p, look);
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        if (look[h].rnics >= 2 && (late_answers(&look[h]) || late_upload(a, t, h)))
            add_suspect(
                t, (struct suspect){.host = h, .first = look[h].first, .last = look[h].last, .busy = true});
    free(look);
}

/* Probes to the host, and the host's own around that time: it notices answers as late as it gives them. */
static bool has_part(const struct analyzer *a, const struct suspect *s, const struct event *e) {
    bool around = e->at + AROUND >= s->first && e->at <= s->last + AROUND;
    return (host_of(a, e->target) == s->host && (!s->settled || e->at <= s->last)) ||
           (host_of(a, e->prober) == s->host && around);
}

/* The suspects of each host: the first, and after each the next; RECKON_NONE ends. */
struct by_host {
    uint32_t *first, *next;
};

static struct by_host suspects_by_host(const struct analyzer *a, const struct tally *t) {
    struct by_host by = {reckon_resize(NULL, a->topo.nhosts + (size_t)1, sizeof *by.first),
                         reckon_resize(NULL, t->nsuspects + 1, sizeof *by.next)};
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        by.first[h] = RECKON_NONE;
    for (uint32_t k = 0; k < t->nsuspects; k++) {
        by.next[k] = by.first[t->suspects[k].host];
        by.first[t->suspects[k].host] = k;
    }
    return by;
}

static void free_by_host(struct by_host *by) {
    free(by->first);
    free(by->next);
}

static void charge_to(const struct analyzer *a, const struct tally *t, const struct by_host *by,
                      uint32_t host, struct event *e) {
    for (uint32_t k = by->first[host]; k != RECKON_NONE && e->cause == CAUSE_NONE; k = by->next[k])
        if (t->suspects[k].busy && has_part(a, &t->suspects[k], e)) {
            e->cause = CAUSE_BUSY;
            e->whose = host;
        }
}

void busy_charge(const struct analyzer *a, struct tally *t) {
    struct by_host by = suspects_by_host(a, t);
    for (size_t i = 0; t->nsuspects && i < t->ntimeouts; i++) {
        charge_to(a, t, &by, host_of(a, t->timeouts[i].target), &t->timeouts[i]);
        charge_to(a, t, &by, host_of(a, t->timeouts[i].prober), &t->timeouts[i]);
    }
    free_by_host(&by);
}

/* Whether ToR-mesh probes went to the host: they tell best, since no cable above the ToRs has a part in them.
 */
static bool has_mesh(const struct analyzer *a, const struct tally *t, uint32_t host) {
    const struct topology_host *h = &a->topo.hosts[host];
    uint64_t n = 0;
    for (uint32_t i = h->first; i < h->first + h->count; i++)
        n += t->mesh_to[i];
    return n > 0;
}

/* Which suspects the next period still has timeouts of: to several RNICs of the host, a whole period or more
 * after the first. */
static bool *still_there(const struct analyzer *a, const struct tally *t, const struct tally *next) {
    struct by_host by = suspects_by_host(a, t);
    bool *still = reckon_resize(NULL, t->nsuspects + 1, sizeof *still);
    bool *mesh = reckon_resize(NULL, t->nsuspects + 1, sizeof *mesh);
    uint32_t *seen = reckon_resize(NULL, t->nsuspects + 1, sizeof *seen);
    for (size_t k = 0; k < t->nsuspects; k++) {
        still[k] = false;
        mesh[k] = has_mesh(a, next, t->suspects[k].host);
        seen[k] = RECKON_NONE;
    }
    for (size_t i = 0; i < next->ntimeouts; i++) {
        const struct event *e = &next->timeouts[i];
        for (uint32_t k = by.first[host_of(a, e->target)]; k != RECKON_NONE; k = by.next[k]) {
            if (e->cause != CAUSE_NONE || e->at < t->suspects[k].first || (mesh[k] && e->list != TOR_MESH))
                continue;
            still[k] |= seen[k] != RECKON_NONE && seen[k] != e->target;
            seen[k] = e->target;
        }
    }
    free(seen);
    free(mesh);
    free_by_host(&by);
    return still;
}

bool busy_settle(struct analyzer *a, struct tally *t, struct tally *next) {
    bool again = false, *still = still_there(a, t, next);
    for (size_t k = 0; k < t->nsuspects; k++) {
        struct suspect *s = &t->suspects[k];
        if (s->settled)
            continue;
        s->settled = true;
        s->busy = !still[k];
        again |= !s->busy;
        if (s->busy && s->first) /* a burst shorter than a period may reach into the next one */
            add_suspect(next, (struct suspect){s->host, 0, s->first - 1, true, true});
    }
    free(still);
    return again;
}
