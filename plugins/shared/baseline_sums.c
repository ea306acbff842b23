/* SPDX-License-Identifier: Apache-2.0
 *
 * A run against its baseline in figures (baseline_sums.h).
 */
#include "baseline_sums.h"

#include <stdlib.h>

bool baseline_fell(const struct reckon_comparison *c, uint32_t h, double drop) {
    return reckon_host_change(c, h) <= -drop;
}

bool baseline_rose(const struct reckon_comparison *c, uint32_t h, double drop) {
    return reckon_host_change(c, h) >= drop;
}

struct baseline_sums baseline_sums(const struct reckon_comparison *c, double drop) {
    struct baseline_sums s = {0};
    uint32_t n = reckon_host_count(c);
    double *then = reckon_resize(NULL, n + 1u, sizeof *then), *now = reckon_resize(NULL, n + 1u, sizeof *now);
    for (uint32_t h = 0; h < n; h++) {
        s.nic_changed += reckon_host_nic_changed(c, h);
        if (reckon_blank(reckon_host_change(c, h)))
            continue;
        then[s.both] = reckon_host_then(c, h);
        now[s.both++] = reckon_host_efficiency(c, h);
        s.fell += baseline_fell(c, h, drop);
        s.rose += baseline_rose(c, h, drop);
    }
    s.then = reckon_median(then, s.both);
    s.now = reckon_median(now, s.both);
    while (reckon_baseline_missing(c, s.missing))
        s.missing++;
    free(then);
    free(now);
    return s;
}
