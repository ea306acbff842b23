/* SPDX-License-Identifier: Apache-2.0
 *
 * The median by selection: linear in the number of values whatever their order, and for many equal ones.
 */
#include <reckon/base.h>

static void swap(double *a, double *b) {
    double t = *a;
    *a = *b;
    *b = t;
}

/* Drops what was not measured: how many are left, at the front. */
static size_t drop_blanks(double *v, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (!reckon_blank(v[i]))
            v[kept++] = v[i];
    return kept;
}

/* Moves the value of rank k to v[k], nothing larger before it (Hoare's FIND). The pivot is drawn by a fixed
 * rule (a linear congruence, Knuth's constants), so that no usual order of the input is a bad one. */
static void select_rank(double *v, ptrdiff_t n, ptrdiff_t k) {
    uint64_t draw = (uint64_t)n;
    ptrdiff_t low = 0, high = n - 1;
    while (low < high) {
        draw = draw * 6364136223846793005u + 1442695040888963407u;
        double pivot = v[low + (ptrdiff_t)((draw >> 33) % (uint64_t)(high - low + 1))];
        ptrdiff_t i = low, j = high;
        while (i <= j) {
            while (v[i] < pivot)
                i++;
            while (v[j] > pivot)
                j--;
            if (i <= j)
                swap(&v[i++], &v[j--]);
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            return; /* between the two parts, where all equal the pivot */
    }
}

double reckon_median(double *v, size_t n) {
    n = drop_blanks(v, n);
    if (!n)
        return RECKON_BLANK;
    size_t k = n / 2;
    select_rank(v, (ptrdiff_t)n, (ptrdiff_t)k);
    if (n % 2)
        return v[k];
    double below = v[0];
    for (size_t i = 1; i < k; i++)
        below = v[i] > below ? v[i] : below;
    double sum = below + v[k];
    return isfinite(sum) ? sum / 2 : below / 2 + v[k] / 2;
}
