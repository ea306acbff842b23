/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports on the wire.
 */
#include <stdlib.h>
#include <string.h>

#include <reckon/base.h>

#include "command.h"

static uint64_t *field(struct tally *t, size_t i) {
    uint64_t *const fields[] = {&t->total,      &t->failed,         &t->bad,      &t->arrived, &t->late,
                                &t->sent_bytes, &t->received_bytes, &t->shortened};
    return i < sizeof fields / sizeof *fields ? fields[i] : NULL;
}

void tally_merge(struct tally *into, const struct tally *other) {
    struct tally copy = *other;
    for (size_t i = 0; field(into, i); i++)
        *field(into, i) += *field(&copy, i);
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): field() gives NULL behind the last, not for want of a
     * tally */
    if (other->first && (!into->first || other->first < into->first))
        into->first = other->first;
    if (other->last > into->last)
        into->last = other->last;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
}

/* ---- figures: a double travels as its bits, a blank as all ones ---- */

static void put_figure(struct bytes *to, double x) {
    uint64_t bits = UINT64_MAX;
    if (!reckon_blank(x))
        memcpy(&bits, &x, sizeof bits);
    put_number(to, bits, 8);
}

static double get_figure(struct reader *from) {
    double x;
    uint64_t bits = get_number(from, 8);
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : RECKON_BLANK;
}

static void put_sample(struct bytes *to, const struct sample *s) {
    put_varint(to, s->count);
    if (!s->count)
        return;
    put_varint(to, s->min);
    put_varint(to, s->max);
    put_number(to, (uint64_t)s->sum, 8);
    put_number(to, (uint64_t)(s->sum >> 64), 8);
    put_number(to, (uint64_t)s->squares, 8);
    put_number(to, (uint64_t)(s->squares >> 64), 8);
}

static unsigned __int128 get_wide(struct reader *from) {
    uint64_t low = get_number(from, 8), high = get_number(from, 8);
    return (unsigned __int128)high << 64 | low;
}

static void get_sample(struct reader *from, struct sample *s) {
    *s = (struct sample){.count = get_varint(from)};
    if (!s->count)
        return;
    s->min = get_varint(from);
    s->max = get_varint(from);
    s->sum = get_wide(from);
    s->squares = get_wide(from);
}

/* ---- pairs ---- */

static void put_pair(struct bytes *to, const struct pair_report *p) {
    struct tally t = p->tally;
    for (size_t i = 0; field(&t, i); i++)
        put_varint(to, *field(&t, i));
    put_varint(to, t.first);
    put_varint(to, t.last);
    put_varint(to, p->lost ? (uint64_t)p->error + 1 : 0);
    put_sample(to, &p->rtt);
    put_sample(to, &p->recent);
    if (p->rtt.count) {
        put_figure(to, p->p50);
        put_figure(to, p->p99);
    }
    if (p->recent.count) {
        put_figure(to, p->recent_p50);
        put_figure(to, p->recent_p99);
    }
}

static void get_pair(struct reader *from, struct pair_report *p) {
    *p = (struct pair_report){
        .p50 = RECKON_BLANK, .p99 = RECKON_BLANK, .recent_p50 = RECKON_BLANK, .recent_p99 = RECKON_BLANK};
    for (size_t i = 0; field(&p->tally, i); i++)
        *field(&p->tally, i) = get_varint(from);
    p->tally.first = get_varint(from);
    p->tally.last = get_varint(from);
    uint64_t lost = get_varint(from);
    p->lost = lost;
    p->error = lost ? (uint32_t)(lost - 1) : 0;
    get_sample(from, &p->rtt);
    get_sample(from, &p->recent);
    if (p->rtt.count) {
        p->p50 = get_figure(from);
        p->p99 = get_figure(from);
    }
    if (p->recent.count) {
        p->recent_p50 = get_figure(from);
        p->recent_p99 = get_figure(from);
    }
}

/* ---- reports ---- */

void report_free(struct report *r) {
    free(r->pairs);
    free(r->trials);
    r->pairs = NULL;
    r->trials = NULL;
}

void put_report(struct bytes *to, const struct report *r) {
    put_number(to, r->state, 1);
    put_number(to, (uint64_t)(r->sending | r->drained << 1), 1);
    put_varint(to, r->active);
    put_varint(to, r->strangers);
    put_figure(to, r->busiest_worker);
    put_figure(to, r->busiest_core);
    put_figure(to, r->busiest_softirq);
    histogram_put(to, &r->recent);
    put_varint(to, r->npairs);
    for (uint32_t i = 0; i < r->npairs; i++)
        put_pair(to, &r->pairs[i]);
    put_varint(to, r->trials ? r->ntrials : 0);
    for (size_t i = 0; r->trials && i < (size_t)r->npairs * r->ntrials; i++) {
        put_varint(to, r->trials[i].count);
        put_varint(to, r->trials[i].span);
    }
}

static void get_trials(struct reader *from, struct report *r) {
    uint64_t n = get_varint(from);
    if (!n || n > PLAN_MOST_TRIALS || n * r->npairs > from->left / 2) {
        from->bad |= n != 0;
        return;
    }
    r->ntrials = (uint32_t)n;
    r->trials = reckon_resize(NULL, n * r->npairs + 1, sizeof *r->trials);
    for (size_t i = 0; i < n * r->npairs; i++) {
        r->trials[i].count = get_varint(from);
        r->trials[i].span = get_varint(from);
    }
}

bool get_report(struct reader *from, struct report *r, uint32_t pairs) {
    *r = (struct report){.state = (uint32_t)get_number(from, 1)};
    uint64_t flags = get_number(from, 1);
    r->sending = flags & 1;
    r->drained = flags >> 1 & 1;
    r->active = get_varint(from);
    r->strangers = get_varint(from);
    r->busiest_worker = get_figure(from);
    r->busiest_core = get_figure(from);
    r->busiest_softirq = get_figure(from);
    histogram_get(from, &r->recent);
    if (get_varint(from) != pairs || from->bad)
        return false;
    r->npairs = pairs;
    r->pairs = reckon_resize(NULL, (size_t)pairs + 1, sizeof *r->pairs);
    for (uint32_t i = 0; i < pairs; i++)
        get_pair(from, &r->pairs[i]);
    get_trials(from, r);
    if (reader_done(from))
        return true;
    report_free(r);
    return false;
}
