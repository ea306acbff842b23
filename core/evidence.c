/* SPDX-License-Identifier: Apache-2.0
 *
 * Evidence: what the links carried, who took whose share, and whether a set of flows stands out from the
 * rest. Worked out once per run; blame rests on it.
 */
#include <stdlib.h>

#include "compare.h"
#include "problems.h"
#include "sum.h"

/* ---- loads and surplus ---- */

/* What the flows of one problem put on a link. */
struct load {
    struct sum expected, achieved;
    struct sum surplus; /* by flows above their expectation */
    bool touched, expects, measured; /* by a flow; by one with an expectation; by one with a measured rate */
};

struct account {
    struct reckon_comparison *c;
    struct load *load;
    uint32_t *touched, ntouched;
    double short_pct;
};

static void add_flow(struct account *a, const struct flow *f) {
    uint32_t link[RECKON_FLOW_LINKS];
    double coefficient[RECKON_FLOW_LINKS];
    size_t n = flow_links(a->c, f, link, coefficient);
    for (size_t i = 0; i < n; i++) {
        struct load *l = &a->load[link[i]];
        if (!l->touched) {
            l->touched = true;
            a->touched[a->ntouched++] = link[i];
        }
        a->c->links[link[i]].flows++;
        if (!reckon_blank(f->expected)) {
            l->expects = true;
            sum_add(&l->expected, coefficient[i] * f->expected);
        }
        if (!reckon_blank(f->achieved)) {
            l->measured = true;
            sum_add(&l->achieved, coefficient[i] * f->achieved);
        }
        if (f->achieved > f->expected)
            sum_add(&l->surplus, coefficient[i] * (f->achieved - f->expected));
    }
    if (f->limit_link != RECKON_NONE)
        a->c->links[f->limit_link].limited++;
}

/* Others took what the flow misses: their surplus on the link that limits it is at least as much. */
static bool outcompeted(const struct account *a, const struct flow *f) {
    uint32_t link[RECKON_FLOW_LINKS];
    double coefficient[RECKON_FLOW_LINKS];
    size_t n = flow_links(a->c, f, link, coefficient);
    for (size_t i = 0; i < n; i++)
        if (link[i] == f->limit_link)
            return sum_value(a->load[link[i]].surplus) >= coefficient[i] * (f->expected - f->achieved);
    return false;
}

static void account_problem(struct account *a, const uint32_t *order, uint32_t count) {
    bool any_short = false;
    a->ntouched = 0;
    for (uint32_t k = 0; k < count; k++) {
        struct flow *f = &a->c->flows[order[k]];
        f->flags &= (uint8_t)~FLOW_OUTCOMPETED;
        add_flow(a, f);
        any_short = any_short || flow_efficiency(f) < a->short_pct;
    }
    for (uint32_t k = 0; any_short && k < count; k++) {
        struct flow *f = &a->c->flows[order[k]];
        if (flow_efficiency(f) < a->short_pct && outcompeted(a, f))
            f->flags |= FLOW_OUTCOMPETED;
    }
    for (uint32_t k = 0; k < a->ntouched; k++) {
        struct load *l = &a->load[a->touched[k]];
        struct link *link = &a->c->links[a->touched[k]];
        if (l->expects) /* fmax() takes the figure there is where the other is blank */
            link->expected_load = fmax(link->expected_load, sum_value(l->expected));
        if (l->measured)
            link->load = fmax(link->load, sum_value(l->achieved));
        *l = (struct load){0};
    }
}

void evidence_gather(struct reckon_comparison *c, double short_pct) {
    struct account a = {.c = c, .short_pct = short_pct};
    a.load = calloc(c->nlinks ? c->nlinks : 1, sizeof *a.load);
    a.touched = calloc(c->nlinks ? c->nlinks : 1, sizeof *a.touched);
    if (!a.load || !a.touched)
        out_of_memory();
    for (uint32_t l = 0; l < c->nlinks; l++) {
        c->links[l].expected_load = c->links[l].load = RECKON_BLANK;
        c->links[l].flows = c->links[l].limited = 0;
    }
    uint32_t *order = problems_order(c);
    for (uint32_t from = 0, end; from < c->nflows; from = end) {
        end = problem_end(c, order, from);
        account_problem(&a, order + from, end - from);
    }
    for (uint32_t l = 0; l < c->nlinks; l++)
        if (!c->links[l].flows)
            c->links[l].expected_load = 0;
    free(order);
    free(a.load);
    free(a.touched);
}

/* ---- standing out ---- */

#define STANDS_OUT 0.01 /* the chance of a false alarm, over all sets of a rule */

/* A product of many small factors, kept from underflow by its binary exponent: value × 2^exponent. */
struct product {
    double value;
    int64_t exponent;
};

static void multiply(struct product *x, double factor) {
    int exponent;
    x->value = frexp(x->value * factor, &exponent);
    x->exponent += exponent;
}

/* x to the n-th, by squaring. */
static void multiply_power(struct product *x, double base, uint64_t n) {
    struct product square = {1, 0};
    multiply(&square, base);
    for (; n; n >>= 1) {
        if (n & 1) {
            multiply(x, square.value);
            x->exponent += square.exponent;
        }
        square.exponent *= 2;
        multiply(&square, square.value);
    }
}

/* The chance of exactly k out of n, k > 0, each with chance p: C(n, k) p^k (1 - p)^(n - k). */
static struct product exactly(uint64_t n, uint64_t k, double p, double not_p) {
    struct product x = {1, 0};
    for (uint64_t j = 1; j <= k; j++)
        multiply(&x, (double)(n - k + j) / (double)j * p);
    multiply_power(&x, not_p, n - k);
    return x;
}

/* The sum of the binomial's terms from k on, its first term's own value taken out. Each is r_i times the one
 * before, r_i falling, so that once the rest cannot add to a double it is left. */
static double terms_from(uint64_t n, uint64_t k, double p, double not_p) {
    double sum = 1, term = 1;
    for (uint64_t i = k; i < n && term > sum * 1e-18; i++) {
        term *= (double)(n - i) / (double)(i + 1) * (p / not_p);
        sum += term;
    }
    return sum;
}

/* Sums the tail term by term, so that it is good to about n units of a double's last place (1e-10 for a
 * million flows) however small it is; the chance of k or more is at least one half where k is no more than
 * what is to be expected. */
bool reckon_stands_out(struct reckon_tally set, struct reckon_tally rest, uint64_t sets) {
    if (!set.shorts)
        return false;
    if (!rest.shorts) /* also when there is no rest */
        return true;
    double p = (double)rest.shorts / (double)rest.compared;
    double not_p = (double)(rest.compared - rest.shorts) / (double)rest.compared;
    if ((double)set.shorts <= floor((double)set.compared * p))
        return false;
    struct product first = exactly(set.compared, set.shorts, p, not_p);
    multiply(&first, terms_from(set.compared, set.shorts, p, not_p));
    if (first.exponent < -2000)
        return true;
    return ldexp(first.value, (int)first.exponent) <= STANDS_OUT / (double)(sets ? sets : 1);
}

/* ---- noise ---- */

#define NORMAL 1.4826 /* a normal distribution's standard deviation over its median absolute deviation */

double reckon_noise(const struct reckon_comparison *c, double *median) {
    double *value = reckon_resize(NULL, c->nflows, sizeof *value);
    size_t n = 0;
    for (uint32_t i = 0; i < c->nflows; i++) {
        const struct flow *f = &c->flows[i];
        double efficiency = flow_efficiency(f);
        if (!reckon_blank(efficiency) && !c->hosts[f->src].explained && !c->hosts[f->dst].explained)
            value[n++] = efficiency;
    }
    double middle = reckon_median(value, n);
    for (size_t i = 0; i < n; i++)
        value[i] = fabs(value[i] - middle);
    double noise = reckon_median(value, n) * NORMAL;
    free(value);
    if (median)
        *median = middle;
    return noise;
}
