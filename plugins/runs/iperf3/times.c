/* SPDX-License-Identifier: Apache-2.0
 *
 * When tests ran beside each other: what that says about how they were driven, and what each got while all of
 * them ran. iperf3 dates the start of a test in whole seconds, so that a moment in common proves nothing.
 */
#include "iperf3.h"

#define SHARED_SECONDS 1.5
#define SHARED_PART 0.25

/* ---- how they were driven ---- */

static double length(const struct iperf3_test *t) {
    return t->end - t->begun;
}

static bool overlap(const struct iperf3_test *a, const struct iperf3_test *b) {
    double shared = fmin(a->end, b->end) - fmax(a->begun, b->begun);
    return shared > fmax(SHARED_SECONDS, SHARED_PART * fmin(length(a), length(b)));
}

/* Examples of pairs: [whether their sender is the same][whether they ran together]. */
struct pairs {
    const struct iperf3_test *of[2][2][2];
};

static void note_pair(struct pairs *p, const struct iperf3_test *a, const struct iperf3_test *b) {
    bool same = a->sender == b->sender && a->sender != RECKON_NONE;
    const struct iperf3_test **of = p->of[same][overlap(a, b)];
    if (!of[0]) {
        of[0] = a;
        of[1] = b;
    }
}

static bool all_kinds(const struct pairs *p) {
    return p->of[0][0][0] && p->of[0][1][0] && p->of[1][0][0] && p->of[1][1][0];
}

/* True when the tests have so much in common that no pair need be looked at. */
static bool all_together(const struct iperf3_test *const *tests, size_t n) {
    double from, to, longest = 0;
    iperf3_window(tests, n, &from, &to);
    for (size_t i = 0; i < n; i++)
        longest = fmax(longest, length(tests[i]));
    return to - from > fmax(SHARED_SECONDS, SHARED_PART * longest);
}

static void look_at_pairs(const struct iperf3_test *const *tests, size_t n, struct pairs *p) {
    for (size_t i = 0; i < n && !all_kinds(p); i++)
        for (size_t k = i + 1; k < n; k++)
            note_pair(p, tests[i], tests[k]);
}

static void take_pair(const struct iperf3_test **to, const struct iperf3_test *const *pair) {
    to[0] = pair[0];
    to[1] = pair[1];
}

void iperf3_judge_times(const struct iperf3_test *const *tests, size_t n, struct iperf3_times *times) {
    struct pairs p = {0};
    if (!all_together(tests, n))
        look_at_pairs(tests, n, &p);
    bool crosses = p.of[0][1][0], misses = p.of[1][0][0]; /* what sequential-host has not */
    take_pair(times->together, p.of[!crosses][1]);
    take_pair(times->apart, p.of[misses][0]);
    if (!times->apart[0])
        times->sharing = RECKON_SHARE_ALL;
    else if (!times->together[0])
        times->sharing = RECKON_SHARE_NONE;
    else
        times->sharing = crosses || misses ? 0 : RECKON_SHARE_SOURCE;
}

/* ---- while all of them ran ---- */

double iperf3_window(const struct iperf3_test *const *tests, size_t n, double *from, double *to) {
    double shortest = HUGE_VAL;
    *from = -HUGE_VAL;
    *to = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        *from = fmax(*from, tests[i]->start);
        *to = fmin(*to, tests[i]->end);
        shortest = fmin(shortest, tests[i]->end - tests[i]->start);
    }
    return shortest;
}

double iperf3_rate_in(const struct iperf3_test *t, const struct iperf3_leg *leg, double from, double to,
                      double *sent_mbps) {
    double bytes = 0, seconds = 0;
    for (size_t i = 0; i < leg->nintervals; i++) {
        const struct iperf3_interval *x = &leg->intervals[i];
        double part = fmin(t->start + x->end, to) - fmax(t->start + x->start, from);
        if (part <= 0)
            continue;
        bytes += x->bytes * part / (x->end - x->start);
        seconds += part;
    }
    double arrived = leg->back ? 1 : leg->arrived, mbps = bytes * 8 / seconds / 1e6;
    *sent_mbps = leg->sent_mbps;
    if (!(seconds > 0) || !isfinite(arrived))
        return leg->mbps;
    *sent_mbps = leg->back ? mbps / leg->arrived : mbps;
    return mbps * arrived;
}
