/* SPDX-License-Identifier: Apache-2.0
 *
 * --overlay for a ramp: every host's ceiling, how it stands to the hardware, and its knee, per flow.
 */
#include <reckon/plugin.h>

#include "../shared/overlay_text.h"
#include "../shared/ramp_text.h"

static const struct overlay_test tests[] = {
    {"ceiling", "unit=pps\thigher=good\tagg=min\tdecimals=0\tshort=CEIL", "The most it delivered per flow"},
    {"ceiling_efficiency",
     "unit=%\thigher=good\tpalette=rdbu\tmin=0\tmax=200\tagg=median\tdecimals=0\tshort=CEFF",
     "Ceiling against what the hardware allows"},
    {"knee", "unit=pps\thigher=good\tagg=min\tdecimals=0\tshort=KNEE",
     "Rate per flow where latency is mostly queue"},
};

static void header(const struct overlay *o, const struct reckon_ramp *ramp) {
    overlay_signature(o);
    overlay_comment(o, ramp_describe(o->r, ramp));
    overlay_context(o);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        overlay_test(o, &tests[i]);
}

static void host(const struct overlay *o, const struct reckon_ramp *ramp, uint32_t h,
                 const struct reckon_fit *fit) {
    const char *name = reckon_host_name(reckon_ramp_hardware_of(ramp), h);
    overlay_sample(o, "ceiling", name);
    reckon_put_fixed(o->w, fit->ceiling_per_flow, 0);
    overlay_key(o, "check", reckon_check_word(fit->check));
    overlay_key(o, "limit", ramp_limit_text(o->r, ramp, h, fit));
    overlay_key(o, "reached", fit->reached ? "yes" : "no");
    overlay_end(o);
    if (fit->reached && !reckon_blank(fit->hardware)) {
        overlay_sample(o, "ceiling_efficiency", name);
        reckon_put_fixed(o->w, fit->ceiling / fit->hardware * 100, 1);
        overlay_end(o);
    }
    if (!reckon_blank(fit->knee)) {
        overlay_sample(o, "knee", name);
        reckon_put_fixed(o->w, fit->knee / fit->flows, 0);
        overlay_end(o);
    }
}

static int write_overlay(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_ramp *ramp = subject;
    struct overlay o = overlay_new(r, w);
    struct reckon_fit fit = {.size = sizeof fit};
    header(&o, ramp);
    for (uint32_t h = 0; h < reckon_host_count(reckon_ramp_hardware_of(ramp)); h++)
        if (reckon_fit(ramp, h, &fit))
            host(&o, ramp, h, &fit);
    return 0;
}

RECKON_PLUGIN(output, ramp_overlay) = {
    .name = "ramp_overlay",
    .summary = "figures the datacenter viewer paints on the floor plan",
    .uses = (const char *const[]){"run", NULL},
    .options = (const struct reckon_option[]){OVERLAY_OPTIONS},
    .output = {.on = "ramp", .option = "overlay", .write = write_overlay},
};
