/* SPDX-License-Identifier: Apache-2.0
 *
 * The long-term change of a trend.
 */
#include "compliance.h"

#include <reckon/base.h>

#define THREE_MONTHS_DAYS 180
#define THREE_MONTHS_RUNS 180
#define DAY 86400.0

double trend_reference(const double *ts, const double *trend, size_t n, size_t week, bool lower) {
    size_t last = n - 1;
    size_t to = last > week ? last - week : 0;
    size_t from = last > THREE_MONTHS_RUNS ? last - THREE_MONTHS_RUNS : 0;
    while (from < to && ts[from] < ts[last] - THREE_MONTHS_DAYS * DAY)
        from++;
    double best = trend[to];
    for (size_t i = from; i < to; i++)
        if (lower ? trend[i] < best : trend[i] > best)
            best = trend[i];
    return best;
}

double trend_long_term_change(const double *ts, const double *trend, size_t n, size_t week, bool lower) {
    double reference = trend_reference(ts, trend, n, week, lower), last = trend[n - 1];
    if (last == reference)
        return 0;
    return reference > 0 ? (last - reference) / reference : RECKON_BLANK;
}
