/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting a ramp: delivered = min(asked, ceiling), and p99 = r0 + b·u/(1−u) with u = delivered/ceiling, the queue of a
 * single server; then each step left out in turn and predicted from the others.
 */
#include <stdlib.h>
#include <string.h>

#include "ramp_fit.h"

#define CURVE_END 0.98         /* nearer to the ceiling the curve runs off to infinity */
#define ERRATIC_POINTS 2.0     /* a step this much above a short one at a lower rate */
#define DELIVERED_WITHIN 15.0  /* percent, of a step left out */
#define P99_WITHIN 30.0

/* The points of one fit, without the step that is left out. */
struct points {
    const struct ramp_point *at;
    const char *const *labels;
    size_t n, without; /* without: SIZE_MAX for none */
    double keep_up, bloat;
};

static bool has(const struct points *p, size_t i) {
    return p->at[i].exists && i != p->without;
}

static bool kept_up(const struct points *p, size_t i) {
    const struct ramp_point *q = &p->at[i];
    return !reckon_blank(q->x) && !reckon_blank(q->y) && q->y >= p->keep_up * q->x;
}

static bool fell_short(const struct points *p, size_t i) {
    return has(p, i) && !kept_up(p, i);
}

/* ---- ceiling, and where it stops keeping up ---- */

static void find_ceiling(const struct points *p, struct reckon_fit *f, size_t *at) {
    *at = SIZE_MAX;
    for (size_t i = 0; i < p->n; i++) {
        if (!has(p, i))
            continue;
        f->steps++;
        f->reached = f->reached || fell_short(p, i);
        double y = p->at[i].y;
        if (reckon_blank(y))
            continue;
        bool more = *at == SIZE_MAX || y > f->ceiling;
        bool tie = *at != SIZE_MAX && y == f->ceiling && strcmp(p->labels[i], p->labels[*at]) > 0;
        if (more || tie) {
            f->ceiling = y;
            *at = i;
        }
    }
    f->ceiling_step = *at == SIZE_MAX ? NULL : p->labels[*at];
}

static void find_sustained(const struct points *p, struct reckon_fit *f) {
    f->sustained = f->first_short = f->kept_max = RECKON_BLANK;
    for (size_t i = 0; i < p->n; i++) {
        if (!has(p, i) || reckon_blank(p->at[i].x))
            continue;
        f->kept_max = fmax(f->kept_max, p->at[i].x);
        if (fell_short(p, i))
            f->first_short = fmin(f->first_short, p->at[i].x);
    }
    for (size_t i = 0; i < p->n; i++)
        if (has(p, i) && kept_up(p, i) && !(p->at[i].x >= f->first_short))
            f->sustained = fmax(f->sustained, p->at[i].x);
    for (size_t i = 0; i < p->n; i++)
        f->at_ceiling += fell_short(p, i) && p->at[i].y >= p->keep_up * f->ceiling;
}

/* ---- steps out of order ---- */

/* Kept up at a rate above one that fell short, by more than noise on the line. */
static bool is_erratic(const struct points *p, const struct reckon_fit *f, size_t i) {
    if (!has(p, i) || !kept_up(p, i) || !(p->at[i].x >= f->first_short))
        return false;
    double share = p->at[i].y / p->at[i].x * 100;
    for (size_t s = 0; s < p->n; s++)
        if (fell_short(p, s) && p->at[s].x < p->at[i].x && share > p->at[s].y / p->at[s].x * 100 + ERRATIC_POINTS)
            return true;
    return false;
}

static bool is_beyond(const struct points *p, size_t ceiling, size_t i) {
    if (!fell_short(p, i) || i == ceiling || reckon_blank(p->at[i].y))
        return false;
    return reckon_blank(p->at[i].x) || p->at[i].x > p->at[ceiling].x;
}

/* ---- the curve ---- */

static double queue_at(double u) {
    return u / (1 - u);
}

/* Points the curve is fitted to: kept up, with a p99, below the ceiling. Compensated by two passes over few points. */
static bool on_curve(const struct points *p, const struct reckon_fit *f, size_t i) {
    return has(p, i) && kept_up(p, i) && !reckon_blank(p->at[i].p99) && p->at[i].y / f->ceiling < CURVE_END;
}

struct sums {
    double n, g, t, gg, gt; /* of g = u/(1−u) and t = p99, about their means where squared */
    bool spread;            /* not all at one u */
};

static struct sums curve_sums(const struct points *p, const struct reckon_fit *f) {
    struct sums s = {0};
    double first = RECKON_BLANK;
    for (size_t i = 0; i < p->n; i++) {
        if (!on_curve(p, f, i))
            continue;
        double g = queue_at(p->at[i].y / f->ceiling);
        s.spread = s.spread || (!reckon_blank(first) && g != first);
        first = reckon_blank(first) ? g : first;
        s.n++;
        s.g += g;
        s.t += p->at[i].p99;
    }
    s.g /= s.n;
    s.t /= s.n;
    for (size_t i = 0; i < p->n; i++) {
        if (!on_curve(p, f, i))
            continue;
        double g = queue_at(p->at[i].y / f->ceiling) - s.g;
        s.gg += g * g;
        s.gt += g * (p->at[i].p99 - s.t);
    }
    return s;
}

/* Least squares through the origin, when the floor would be negative. */
static double slope_without_floor(const struct points *p, const struct reckon_fit *f) {
    double gp = 0, gg = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!on_curve(p, f, i))
            continue;
        double g = queue_at(p->at[i].y / f->ceiling);
        gp += g * p->at[i].p99;
        gg += g * g;
    }
    return gg > 0 ? gp / gg : 0;
}

static double rms_of(const struct points *p, const struct reckon_fit *f) {
    double sum = 0;
    for (size_t i = 0; i < p->n; i++) {
        if (!on_curve(p, f, i))
            continue;
        double off = p->at[i].p99 - (f->r0_us + f->b_us * queue_at(p->at[i].y / f->ceiling));
        sum += off * off;
    }
    return sqrt(sum / (double)f->curve_points);
}

static void fit_curve(const struct points *p, struct reckon_fit *f) {
    f->r0_us = f->b_us = f->rms_us = RECKON_BLANK;
    if (!f->reached || !(f->ceiling > 0))
        return;
    struct sums s = curve_sums(p, f);
    if (s.n < 2 || !s.spread)
        return;
    f->curve_points = (size_t)s.n;
    f->b_us = s.gt / s.gg;
    f->r0_us = s.t - f->b_us * s.g;
    if (f->b_us < 0) {
        f->b_us = 0;
        f->r0_us = s.t;
    } else if (f->r0_us < 0) {
        f->r0_us = 0;
        f->b_us = slope_without_floor(p, f);
    }
    if (f->curve_points >= 3)
        f->rms_us = rms_of(p, f);
}

/* The p99 of the lowest point that kept up. */
static double lowest_p99(const struct points *p) {
    double x = INFINITY, p99 = RECKON_BLANK;
    for (size_t i = 0; i < p->n; i++)
        if (has(p, i) && kept_up(p, i) && !reckon_blank(p->at[i].p99) && p->at[i].x < x) {
            x = p->at[i].x;
            p99 = p->at[i].p99;
        }
    return p99;
}

static void find_knee(const struct points *p, struct reckon_fit *f) {
    f->knee = f->p99_base_us = RECKON_BLANK;
    if (reckon_blank(f->r0_us))
        return;
    f->p99_base_us = f->r0_us != 0 ? f->r0_us : lowest_p99(p);
    if (!(f->b_us > 0) || !(f->p99_base_us > 0))
        return;
    double g = (p->bloat * f->p99_base_us - f->r0_us) / f->b_us;
    if (g > 0)
        f->knee = f->ceiling * g / (1 + g);
}

/* ---- fitting and checking ---- */

static size_t fit_once(const struct points *p, struct reckon_fit *f) {
    size_t ceiling;
    *f = (struct reckon_fit){.size = sizeof *f};
    f->ceiling = RECKON_BLANK;
    find_ceiling(p, f, &ceiling);
    find_sustained(p, f);
    fit_curve(p, f);
    find_knee(p, f);
    return ceiling;
}

void ramp_predict(const struct reckon_fit *f, double x, double *delivered, double *p99) {
    *delivered = *p99 = RECKON_BLANK;
    if (!f->reached) {
        if (x <= f->kept_max)
            *delivered = x;
        return;
    }
    *delivered = fmin(x, f->ceiling);
    double u = x / f->ceiling;
    if (!reckon_blank(f->r0_us) && u < CURVE_END)
        *p99 = f->r0_us + f->b_us * queue_at(u);
}

static double off_percent(double predicted, double measured) {
    return measured > 0 ? fabs(predicted - measured) / measured * 100 : RECKON_BLANK;
}

/* Predicts step i from the fit of the rest and keeps the worst errors. */
static void leave_out(struct points p, size_t i, struct reckon_fit *f) {
    struct reckon_fit rest;
    double delivered, p99 = RECKON_BLANK;
    p.without = i;
    fit_once(&p, &rest);
    if (rest.steps < 2)
        return;
    if (reckon_blank(p.at[i].x))
        delivered = rest.reached ? rest.ceiling : RECKON_BLANK;
    else
        ramp_predict(&rest, p.at[i].x, &delivered, &p99);
    double off = off_percent(delivered, p.at[i].y);
    if (!reckon_blank(off)) {
        f->loo_steps++;
        f->loo_delivered_pct = fmax(f->loo_delivered_pct, off);
    }
    f->loo_p99_pct = fmax(f->loo_p99_pct, off_percent(p99, p.at[i].p99));
}

static enum reckon_unchecked why_unchecked(const struct points *p, const struct reckon_fit *f) {
    size_t shorts = 0;
    for (size_t i = 0; i < p->n; i++)
        shorts += fell_short(p, i);
    return !f->reached                            ? RECKON_NO_CEILING
           : f->steps < 3 || f->loo_steps < 2     ? RECKON_FEW_STEPS
           : shorts == 1                          ? RECKON_ONE_SHORT_STEP
                                                  : RECKON_CHECKED;
}

static void check(const struct points *p, struct reckon_fit *f) {
    f->loo_delivered_pct = f->loo_p99_pct = RECKON_BLANK;
    for (size_t i = 0; i < p->n; i++)
        if (has(p, i))
            leave_out(*p, i, f);
    f->unchecked_why = why_unchecked(p, f);
    if (f->unchecked_why != RECKON_CHECKED)
        return;
    f->check_delivered = f->loo_delivered_pct <= DELIVERED_WITHIN ? RECKON_VALIDATED : RECKON_CHECK_FAILED;
    if (!reckon_blank(f->loo_p99_pct))
        f->check_p99 = f->loo_p99_pct <= P99_WITHIN ? RECKON_VALIDATED : RECKON_CHECK_FAILED;
    f->check = f->check_p99 == RECKON_CHECK_FAILED ? RECKON_CHECK_FAILED : f->check_delivered;
}

/* ---- lists of steps ---- */

struct order {
    const struct points *p;
    bool by_rate;
};

static int step_order(const void *a, const void *b, void *user) {
    const struct order *o = user;
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    double x = o->p->at[i].y, y = o->p->at[k].y;
    if (o->by_rate && x != y)
        return x < y ? -1 : 1;
    return strcmp(o->p->labels[i], o->p->labels[k]);
}

static void list_steps(struct reckon *r, const struct points *p, struct ramp_fit *fit) {
    fit->erratic = reckon_alloc(r, p->n * sizeof *fit->erratic);
    fit->beyond = reckon_alloc(r, p->n * sizeof *fit->beyond);
    for (size_t i = 0; i < p->n; i++) {
        if (is_erratic(p, &fit->is, i))
            fit->erratic[fit->is.erratic_count++] = i;
        if (fit->ceiling_at != SIZE_MAX && is_beyond(p, fit->ceiling_at, i))
            fit->beyond[fit->is.beyond_count++] = i;
    }
    qsort_r(fit->erratic, fit->is.erratic_count, sizeof *fit->erratic, step_order, &(struct order){p, false});
    qsort_r(fit->beyond, fit->is.beyond_count, sizeof *fit->beyond, step_order, &(struct order){p, true});
}

void ramp_fit(struct reckon *r, const struct ramp_point *points, const char *const *labels, size_t n, double keep_up,
              double bloat, struct ramp_fit *fit) {
    struct points p = {points, labels, n, SIZE_MAX, keep_up, bloat};
    fit->ceiling_at = fit_once(&p, &fit->is);
    check(&p, &fit->is);
    list_steps(r, &p, fit);
}
