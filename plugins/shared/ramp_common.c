/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules about a ramp share.
 */
#include "ramp_common.h"

struct reckon_fit ramp_fleet(const struct reckon_ramp *ramp) {
    struct reckon_fit fit = {.size = sizeof fit};
    reckon_fit(ramp, RECKON_NONE, &fit);
    return fit;
}

bool ramp_host(const struct reckon_ramp *ramp, uint32_t h, struct reckon_fit *fit) {
    fit->size = sizeof *fit;
    return reckon_fit(ramp, h, fit);
}

double *ramp_ceilings(struct reckon *r, const struct reckon_ramp *ramp) {
    uint32_t hosts = reckon_host_count(reckon_ramp_hardware_of(ramp));
    double *ceiling = reckon_alloc(r, (hosts + 1u) * sizeof *ceiling);
    struct reckon_fit fit;
    for (uint32_t h = 0; h < hosts; h++)
        ceiling[h] = ramp_host(ramp, h, &fit) ? fit.ceiling_per_flow : RECKON_BLANK;
    return ceiling;
}

const char *ramp_rate(struct reckon *r, double pps) {
    return reckon_rate(r, pps, "pps");
}

bool ramp_has_ceiling(struct reckon *r, const struct reckon_ramp *ramp) {
    bool reached = ramp_fleet(ramp).reached;
    if (!reached)
        reckon_skip(r, "the fleet kept up in every step, so no ceiling was reached");
    return reached;
}

uint32_t ramp_reached(const struct reckon_ramp *ramp, uint32_t *cpu_bound) {
    uint32_t reached = 0;
    struct reckon_fit fit;
    *cpu_bound = 0;
    for (uint32_t h = 0; h < reckon_host_count(reckon_ramp_hardware_of(ramp)); h++) {
        if (!ramp_host(ramp, h, &fit) || !fit.reached)
            continue;
        reached++;
        *cpu_bound += fit.cpu_bound;
    }
    return reached;
}

bool ramp_cpu_is_the_ceiling(const struct reckon_ramp *ramp) {
    uint32_t bound, reached = ramp_reached(ramp, &bound);
    return bound && 2 * bound >= reached;
}
