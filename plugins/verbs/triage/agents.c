/* SPDX-License-Identifier: Apache-2.0
 *
 * What the agents said of themselves: when each host uploaded, which queue pair number each RNIC had when;
 * and what that tells of agents that vanished and of clocks that are apart.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer.h"

#define CLOCKS_APART 2.0 /* seconds; uploads every 5 s cannot tell less */
#define MOST_NAMED 5     /* names in one note */
#define RESTART 5.0      /* seconds an agent may take from its death to its new number */

static int upload_order(const void *a, const void *b) {
    const struct upload *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return (x->agent > y->agent) - (x->agent < y->agent);
}

static int registration_order(const void *a, const void *b) {
    const struct registration *x = a, *y = b;
    if (x->ts != y->ts)
        return x->ts < y->ts ? -1 : 1;
    return (x->qpn > y->qpn) - (x->qpn < y->qpn);
}

void agents_upload(struct analyzer *a, uint32_t host, uint64_t agent, double ts) {
    struct uploads *u = &a->hosts[host].uploads;
    u->sorted = u->count == 0 || (u->sorted && u->at[u->count - 1].ts < ts);
    u->at = reckon_grow(u->at, u->count, &u->cap, sizeof *u->at);
    u->at[u->count++] = (struct upload){ts, agent};
}

void agents_register(struct analyzer *a, uint32_t rnic, double ts, uint32_t qpn) {
    struct registrations *g = &a->rnics[rnic].registered;
    g->sorted = false;
    g->at = reckon_grow(g->at, g->count, &g->cap, sizeof *g->at);
    g->at[g->count++] = (struct registration){ts, qpn};
}

static void settle_uploads(struct analyzer *a, uint32_t host) {
    struct uploads *u = &a->hosts[host].uploads;
    size_t n = 0;
    if (u->sorted)
        return;
    if (u->count)
        qsort(u->at, u->count, sizeof *u->at, upload_order);
    for (size_t i = 0; i < u->count; i++) {
        if (n && !upload_order(&u->at[n - 1], &u->at[i]))
            count_odd(a, ODD_COPY, 1, "an upload of %s at %.6f", a->topo.hosts[host].name, u->at[i].ts);
        else
            u->at[n++] = u->at[i];
    }
    u->count = n;
    u->sorted = true;
}

static void settle_registrations(struct analyzer *a, uint32_t rnic) {
    struct registrations *g = &a->rnics[rnic].registered;
    size_t n = 0;
    if (g->sorted)
        return;
    if (g->count)
        qsort(g->at, g->count, sizeof *g->at, registration_order);
    for (size_t i = 0; i < g->count; i++) {
        if (n && !registration_order(&g->at[n - 1], &g->at[i]))
            count_odd(a, ODD_COPY, 1, "%s registered at %.6f", a->topo.rnics[rnic].name, g->at[i].ts);
        else
            g->at[n++] = g->at[i];
    }
    g->count = n;
    g->sorted = true;
}

void agents_settle(struct analyzer *a) {
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        settle_uploads(a, h);
    for (uint32_t n = 0; n < a->topo.nrnics; n++)
        settle_registrations(a, n);
}

/* How many of the sorted uploads lie before ts. */
static size_t before(const struct uploads *u, double ts) {
    size_t low = 0, high = u->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (u->at[middle].ts < ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool agents_uploaded(const struct analyzer *a, uint32_t host, double from, double to) {
    const struct uploads *u = &a->hosts[host].uploads;
    return before(u, to) > before(u, from);
}

double agents_silence(const struct analyzer *a, uint32_t host, double ts, double now) {
    const struct uploads *u = &a->hosts[host].uploads;
    size_t n = before(u, ts);
    if (!n)
        return 0;
    return (n < u->count && u->at[n].ts < now ? u->at[n].ts : now) - u->at[n - 1].ts;
}

double agents_longest_gap(const struct analyzer *a, uint32_t host, double from, double to) {
    const struct uploads *u = &a->hosts[host].uploads;
    size_t first = before(u, from), last = before(u, to);
    double longest = 0;
    for (size_t i = first ? first : 1; i <= last && i < u->count; i++)
        longest = fmax(longest, u->at[i].ts - u->at[i - 1].ts);
    return longest;
}

/* How many of the RNIC's registrations lie at or before ts. */
static size_t registered_by(const struct registrations *g, double ts) {
    size_t low = 0, high = g->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (g->at[middle].ts <= ts)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool agents_stale(struct analyzer *a, uint32_t rnic, double ts, uint32_t qpn) {
    const struct registrations *g = &a->rnics[rnic].registered;
    size_t by = registered_by(g, ts), soon = registered_by(g, ts + RESTART);
    if (qpn == UNMEASURED || soon == 0)
        return soon > by; /* it was starting, and its number not known yet */
    if (by && g->at[by - 1].qpn == qpn)
        return soon > by && g->at[soon - 1].qpn != qpn; /* it was restarting */
    for (size_t i = by; i < g->count; i++)
        if (g->at[i].qpn == qpn) {
            count_odd(a, ODD_FUTURE_QPN, 1, "to %s at %.3f, registered at %.3f", a->topo.rnics[rnic].name, ts,
                      g->at[i].ts);
            return false;
        }
    return true;
}

void agents_forget(struct analyzer *a, double ts) {
    for (uint32_t h = 0; h < a->topo.nhosts; h++) {
        struct uploads *u = &a->hosts[h].uploads;
        size_t earlier = before(u, ts),
               old = earlier == u->count && earlier ? earlier - 1 : earlier; /* the last stays */
        if (old)
            memmove(u->at, u->at + old, (u->count - old) * sizeof *u->at);
        u->count -= old;
    }
    for (uint32_t n = 0; n < a->topo.nrnics; n++) {
        struct registrations *g = &a->rnics[n].registered;
        size_t by = registered_by(g, ts), old = by ? by - 1 : 0; /* the last number stays */
        if (old)
            memmove(g->at, g->at + old, (g->count - old) * sizeof *g->at);
        g->count -= old;
    }
}

/* ---- time by the records ---- */

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* What an eighth of the hosts, and at least two, have reached: no single clock that is ahead counts for
 * everybody, and hosts that died do not hold it back. */
double agents_time(const struct analyzer *a) {
    double *seen = reckon_resize(NULL, a->topo.nhosts + (size_t)1, sizeof *seen), time = RECKON_BLANK;
    size_t n = 0;
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        if (!reckon_blank(a->hosts[h].last_seen))
            seen[n++] = a->hosts[h].last_seen;
    if (n) {
        qsort(seen, n, sizeof *seen, descending);
        time = seen[n / 8 ? n / 8 : n > 2];
    }
    free(seen);
    return time;
}

/* ---- what is said of them in the end ---- */

/* Medians over hosts of when each was first and last heard of. */
static void middle(const struct analyzer *a, double *first, double *last) {
    double *v = reckon_resize(NULL, a->topo.nhosts + (size_t)1, sizeof *v);
    size_t n = 0, k = 0;
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        if (!reckon_blank(a->hosts[h].first_seen))
            v[n++] = a->hosts[h].first_seen;
    *first = reckon_median(v, n);
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        if (!reckon_blank(a->hosts[h].last_seen))
            v[k++] = a->hosts[h].last_seen;
    *last = reckon_median(v, k);
    free(v);
}

/* How far the host's clock is from the others': ahead of them at the end, or off by the same at both ends; 0
 * else. */
static double clock_offset(const struct host_state *h, double first, double last) {
    double begin = h->first_seen - first, end = h->last_seen - last;
    bool same = fabs(begin - end) < CLOCKS_APART / 2;
    return (end >= CLOCKS_APART || (same && end <= -CLOCKS_APART)) ? end : 0;
}

/* Hosts of the layout that no record tells of: nothing can be said of them. */
static void say_absent(struct analyzer *a) {
    const char *names = "";
    size_t absent = 0;
    for (uint32_t h = 0; h < a->topo.nhosts; h++)
        if (reckon_blank(a->hosts[h].first_seen) && !a->hosts[h].probed && absent++ < MOST_NAMED)
            names = reckon_text(a->r, "%s%s%s", names, absent > 1 ? ", " : "", a->topo.hosts[h].name);
    if (absent)
        reckon_note(a->r, "%s of the layout took no part, neither probing nor probed nor uploading: %s%s",
                    reckon_count(a->r, absent, "host"), names,
                    absent > MOST_NAMED ? reckon_text(a->r, " and %zu more", absent - MOST_NAMED) : "");
}

void agents_say(struct analyzer *a) {
    double first, last, last_end = fmin((double)(a->last_judged + 1) * a->set.period, agents_time(a));
    const char *apart = NULL, *silent = NULL;
    size_t napart = 0, nsilent = 0;
    say_absent(a);
    middle(a, &first, &last);
    for (uint32_t h = 0; h < a->topo.nhosts; h++) {
        const struct host_state *s = &a->hosts[h];
        double offset = clock_offset(s, first, last);
        size_t uploads = s->uploads.count;
        if (offset != 0 && !napart++)
            apart = reckon_text(a->r, "%s by about %+.1f s", a->topo.hosts[h].name, offset);
        if (uploads && s->uploads.at[uploads - 1].ts < last_end - a->set.silent && !nsilent++)
            silent =
                reckon_text(a->r, "%s, last at %.3f", a->topo.hosts[h].name, s->uploads.at[uploads - 1].ts);
    }
    if (napart)
        reckon_note(
            a->r,
            "the clocks of %s are apart from the others' (the first: %s); each difference of times is "
            "taken on one clock, so only the period a record falls into can be wrong",
            reckon_count(a->r, napart, "host"), apart);
    if (nsilent)
        reckon_note(a->r, "the agents of %s uploaded before and then no more (the first: %s)",
                    reckon_count(a->r, nsilent, "host"), silent);
}
