/* SPDX-License-Identifier: Apache-2.0
 *
 * A run summed up (run_totals.h).
 */
#include "run_totals.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

static bool share(const struct reckon_comparison *c, uint32_t a, uint32_t b) {
    switch (reckon_run_sharing(c)) {
    case RECKON_SHARE_LAYER:
        return same_text(reckon_flow_layer(c, a), reckon_flow_layer(c, b));
    case RECKON_SHARE_SOURCE:
        return reckon_flow_src(c, a) == reckon_flow_src(c, b);
    case RECKON_SHARE_NONE:
        return a == b;
    case RECKON_SHARE_ALL:
        break;
    }
    return true;
}

struct run_totals run_totals(const struct reckon_comparison *c) {
    struct run_totals t = {.together = true};
    for (uint32_t f = 0; f < reckon_flow_count(c); f++) {
        if (reckon_blank(reckon_flow_efficiency(c, f)))
            continue;
        if (!t.compared++)
            t.first = f;
        t.expected += reckon_flow_expected(c, f);
        t.achieved += reckon_flow_achieved(c, f);
        t.together &= share(c, t.first, f);
    }
    return t;
}

double run_median_host(const struct reckon_comparison *c) {
    uint32_t n = reckon_host_count(c), known = 0;
    double *efficiency = reckon_resize(NULL, n + 1u, sizeof *efficiency);
    for (uint32_t h = 0; h < n; h++)
        if (!reckon_blank(reckon_host_efficiency(c, h)))
            efficiency[known++] = reckon_host_efficiency(c, h);
    double median = reckon_median(efficiency, known);
    free(efficiency);
    return median;
}
