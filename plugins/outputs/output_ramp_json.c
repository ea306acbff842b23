/* SPDX-License-Identifier: Apache-2.0
 *
 * --json for a ramp: its steps, the fits of the fleet and of every host, and the prediction.
 */
#include <reckon/plugin.h>

#include "../shared/json_common.h"
#include "../shared/ramp_text.h"

static void meta(struct json_document *d, const struct reckon_ramp *ramp) {
    struct reckon *r = d->r;
    const struct reckon_layout *layout = reckon_layout(r);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "bloat", reckon_option_number(r, "bloat"));
    json_number(o, "keep_up_pct", reckon_option_number(r, "keep-up"));
    json_text(r, o, "label", reckon_option_text(r, "run"));
    json_text(r, o, "layout", layout ? reckon_layout_path(layout) : NULL);
    json_text(r, o, "mode", "ramp");
    json_number(o, "short_pct", reckon_option_number(r, "short"));
    json_text(r, o, "tool", "reckon");
    json_whole(o, "ts", ramp_last_ts(ramp));
    json_text(r, o, "unit", reckon_run_unit(reckon_ramp_hardware_of(ramp)));
    json_text(r, o, "version", reckon_version());
    json_value(d, "meta", o);
}

/* ---- fits ---- */

static cJSON *beyond(struct reckon *r, const struct reckon_ramp *ramp, uint32_t host) {
    cJSON *all = cJSON_CreateArray();
    const char *label;
    double delivered;
    for (size_t i = 0; (label = reckon_fit_beyond(ramp, host, i, &delivered)); i++) {
        cJSON *o = cJSON_CreateObject();
        json_number(o, "delivered", delivered);
        json_text(r, o, "step", label);
        cJSON_AddItemToArray(all, o);
    }
    return all;
}

static cJSON *erratic(struct reckon *r, const struct reckon_ramp *ramp, uint32_t host) {
    cJSON *all = cJSON_CreateArray();
    const char *label;
    for (size_t i = 0; (label = reckon_fit_erratic(ramp, host, i)); i++)
        json_push_text(r, all, label);
    return all;
}

static const char *group(const struct reckon_comparison *hardware, uint32_t host) {
    uint32_t g = reckon_tier_count(hardware) ? reckon_host_group(hardware, host, 0) : RECKON_NONE;
    return g == RECKON_NONE ? NULL : reckon_group_path(hardware, g);
}

/* The fleet's fit (RECKON_NONE, figures per flow) or a host's (totals). */
static cJSON *fit(struct reckon *r, const struct reckon_ramp *ramp, uint32_t host,
                  const struct reckon_fit *f) {
    bool fleet = host == RECKON_NONE;
    cJSON *o = cJSON_CreateObject();
    json_number(o, "at_ceiling", (double)f->at_ceiling);
    json_number(o, "b_us", f->b_us);
    cJSON_AddItemToObjectCS(o, "beyond", beyond(r, ramp, host));
    json_number(o, "ceiling", f->ceiling);
    if (!fleet)
        json_number(o, "ceiling_per_flow", f->ceiling_per_flow);
    json_text(r, o, "ceiling_step", f->ceiling_step);
    json_text(r, o, "check", reckon_check_word(f->check));
    json_text(r, o, "check_delivered", reckon_check_word(f->check_delivered));
    json_text(r, o, "check_p99", reckon_check_word(f->check_p99));
    if (!fleet)
        json_bool(o, "cpu_bound", f->cpu_bound);
    json_number(o, "curve_points", (double)f->curve_points);
    cJSON_AddItemToObjectCS(o, "erratic", erratic(r, ramp, host));
    json_number(o, "first_short", f->first_short);
    if (!fleet) {
        json_number(o, "flows", f->flows);
        json_text(r, o, "group", group(reckon_ramp_hardware_of(ramp), host));
    }
    json_number(o, fleet ? "hardware_per_flow" : "hardware_total", f->hardware);
    json_number(o, "kept_max", f->kept_max);
    json_number(o, "knee", f->knee);
    json_number(o, "loo_delivered_pct", f->loo_delivered_pct);
    json_number(o, "loo_p99_pct", f->loo_p99_pct);
    json_number(o, "loo_steps", (double)f->loo_steps);
    json_number(o, "p99_base_us", f->p99_base_us);
    json_number(o, "r0_us", f->r0_us);
    json_bool(o, "reached", f->reached);
    json_number(o, "rms_us", f->rms_us);
    json_number(o, "steps", (double)f->steps);
    json_number(o, "sustained", f->sustained);
    return o;
}

static void model(struct json_document *d, const struct reckon_ramp *ramp) {
    struct reckon *r = d->r;
    struct reckon_fit f = {.size = sizeof f};
    cJSON *form = cJSON_CreateObject();
    json_text(r, form, "delivered", "min(asked, ceiling)");
    json_text(r, form, "p99_us", "r0 + b * u / (1 - u), u = delivered / ceiling");
    json_open(d, "model", '{');
    json_value(d, "fleet",
               reckon_fit(ramp, RECKON_NONE, &f) ? fit(r, ramp, RECKON_NONE, &f) : cJSON_CreateNull());
    json_value(d, "form", form);
    json_open(d, "hosts", '{');
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    for (uint32_t h = 0; h < reckon_host_count(hardware); h++)
        if (reckon_fit(ramp, h, &f))
            json_value(d, reckon_host_name(hardware, h), fit(r, ramp, h, &f));
    json_close(d, '}');
    json_close(d, '}');
}

/* ---- prediction and steps ---- */

static void predicted_hosts(struct json_document *d, const struct reckon_ramp *ramp) {
    const struct reckon_comparison *hardware = reckon_ramp_hardware_of(ramp);
    double delivered, p99;
    json_open(d, "hosts", '{');
    for (uint32_t h = 0; h < reckon_host_count(hardware); h++) {
        if (!reckon_predicted(ramp, h, &delivered, &p99))
            continue;
        cJSON *o = cJSON_CreateObject();
        json_number(o, "delivered_total", delivered);
        json_number(o, "p99_us", p99);
        json_value(d, reckon_host_name(hardware, h), o);
    }
    json_close(d, '}');
}

static cJSON *number(double x) {
    char text[RECKON_NUMBER_SIZE];
    return reckon_blank(x) ? cJSON_CreateNull() : cJSON_CreateRaw(reckon_number_text(x, text));
}

static void prediction(struct json_document *d, const struct reckon_ramp *ramp) {
    double rate, delivered = RECKON_BLANK, p99 = RECKON_BLANK;
    struct reckon_fit f = {.size = sizeof f};
    if (!reckon_has_prediction(ramp, &rate)) {
        json_value(d, "prediction", cJSON_CreateNull());
        return;
    }
    reckon_fit(ramp, RECKON_NONE, &f);
    reckon_predicted(ramp, RECKON_NONE, &delivered, &p99);
    json_open(d, "prediction", '{');
    json_value(d, "delivered_check", cJSON_CreateString(reckon_check_word(f.check_delivered)));
    json_value(d, "delivered_per_flow", number(delivered));
    predicted_hosts(d, ramp);
    json_value(d, "model_check", cJSON_CreateString(reckon_check_word(f.check)));
    json_value(d, "p99_check", cJSON_CreateString(reckon_check_word(f.check_p99)));
    json_value(d, "p99_us", number(p99));
    json_value(d, "pps_per_flow", number(rate));
    json_close(d, '}');
}

static void steps(struct json_document *d, const struct reckon_ramp *ramp) {
    json_open(d, "steps", '[');
    for (size_t i = 0; i < reckon_step_count(ramp); i++) {
        cJSON *o = cJSON_CreateObject();
        json_number(o, "asked_per_flow", reckon_step_asked(ramp, i));
        json_number(o, "delivered_per_flow", reckon_step_delivered(ramp, i));
        json_number(o, "first_ts", reckon_step_first_ts(ramp, i));
        json_number(o, "flows", reckon_step_flows(ramp, i));
        json_text(d->r, o, "label", reckon_step_label(ramp, i));
        json_number(o, "last_ts", reckon_step_last_ts(ramp, i));
        json_number(o, "p99_us", reckon_step_p99(ramp, i));
        json_value(d, NULL, o);
    }
    json_close(d, ']');
}

static int write_json(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_ramp *ramp = subject;
    struct json_document d;
    json_begin(&d, r, w);
    meta(&d, ramp);
    json_verdict(&d);
    json_findings(&d);
    model(&d, ramp);
    json_value(&d, "notes", json_notes(r));
    prediction(&d, ramp);
    json_skipped(&d);
    steps(&d, ramp);
    json_end(&d);
    return 0;
}

RECKON_PLUGIN(output, ramp_json) = {
    .name = "ramp_json",
    .summary = "everything as JSON: hosts, flows, hardware, findings (a later run's --baseline)",
    .uses = (const char *const[]){"short", "bloat", "keep-up", "run", NULL},
    .output = {.on = "ramp", .option = "json", .write = write_json},
};
