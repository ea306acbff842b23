/* SPDX-License-Identifier: Apache-2.0
 *
 * --json for a trend: every test with its groups, runs and compliance figures. Streamed: one test's figures
 * at a time.
 */
#include "../shared/json_common.h"
#include "../shared/trend_text.h"

static void meta(struct json_document *d, const struct reckon_trend *t) {
    double first, last;
    size_t runs = reckon_trend_span(t, &first, &last);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "bits", reckon_option_number(d->r, "bits"));
    json_number(o, "days", reckon_option_number(d->r, "days"));
    json_number(o, "failed_days", reckon_option_number(d->r, "failed-days"));
    json_number(o, "first_ts", first);
    json_number(o, "last_ts", last);
    cJSON_AddItemToObjectCS(o, "notes", json_notes(d->r));
    json_number(o, "runs", (double)runs);
    json_text(d->r, o, "tool", "reckon");
    json_whole(o, "ts", last);
    json_number(o, "unit", reckon_option_number(d->r, "unit"));
    json_text(d->r, o, "version", reckon_version());
    json_number(o, "week_runs", reckon_option_number(d->r, "week-runs"));
    json_value(d, "meta", o);
}

static void attributes(struct json_document *d, const struct reckon_trend *t, size_t test) {
    cJSON *o = cJSON_CreateObject();
    const char *key, *value;
    for (size_t i = 0; reckon_trend_attribute(t, test, i, &key, &value); i++)
        json_text(d->r, o, reckon_utf8(d->r, key), value);
    json_value(d, "attributes", o);
}

static void groups(struct json_document *d, const struct reckon_trend *t, size_t test, size_t count) {
    json_open(d, "groups", '[');
    for (size_t i = 0; i < count; i++) {
        struct reckon_trend_group g;
        reckon_trend_group(t, test, i, &g);
        cJSON *o = cJSON_CreateObject();
        json_number(o, "bits", g.bits);
        json_text(d->r, o, "comment", reckon_trend_word(g.comment));
        json_number(o, "first_ts", g.first_ts);
        json_number(o, "mean", g.mean);
        json_number(o, "size", (double)g.count);
        json_number(o, "stdev", g.stdev);
        json_value(d, NULL, o);
    }
    json_close(d, ']');
}

static void number(struct reckon_writer *w, double x) {
    if (reckon_blank(x))
        reckon_put(w, "null");
    else
        reckon_put_number(w, x);
}

/* Written by hand: there are millions of them. */
static void sample(struct json_document *d, const struct reckon_trend *t, size_t test, size_t i) {
    struct reckon_trend_run run;
    struct reckon_writer *w = d->w;
    reckon_trend_run(t, test, i, &run);
    json_next(d);
    reckon_put(w, "{\"comment\":");
    reckon_put_json(w, run.state == RECKON_TREND_MEASURED ? reckon_trend_word(run.comment) : "failed");
    reckon_put(w, ",\"label\":");
    reckon_put_json(w, run.label);
    reckon_put(w, ",\"status\":");
    reckon_put_json(w, run.status);
    reckon_put(w, ",\"stdev\":");
    number(w, run.stdev);
    reckon_put(w, ",\"trials\":[");
    for (size_t k = 0; k < run.trials; k++) {
        reckon_put(w, k ? "," : "");
        reckon_put_number(w, reckon_trend_trial(t, test, i, k));
    }
    reckon_put(w, "],\"ts\":");
    number(w, run.ts);
    reckon_put(w, ",\"value\":");
    number(w, run.value);
    reckon_put(w, "}");
}

static void member(struct json_document *d, const char *key, double x) {
    char buffer[RECKON_NUMBER_SIZE];
    json_value(d, key, isfinite(x) ? cJSON_CreateRaw(reckon_number_text(x, buffer)) : cJSON_CreateNull());
}

static void text(struct json_document *d, const char *key, const char *s) {
    json_value(d, key, cJSON_CreateString(reckon_utf8(d->r, s)));
}

static void test(struct json_document *d, const struct reckon_trend *t, size_t i) {
    struct reckon_trend_test test;
    reckon_trend_test(t, i, &test);
    json_open(d, NULL, '{');
    attributes(d, t, i);
    member(d, "bits", test.bits);
    groups(d, t, i, test.groups);
    member(d, "long_term_change", test.long_term_change);
    json_value(d, "lower_is_better", cJSON_CreateBool(test.lower_is_better));
    member(d, "progressions", (double)test.progressions);
    text(d, "reason", trend_reason(test.result));
    member(d, "recent_failures", (double)test.recent_failures);
    member(d, "recent_progressions", (double)test.recent_progressions);
    member(d, "recent_regressions", (double)test.recent_regressions);
    member(d, "regressions", (double)test.regressions);
    text(d, "result", trend_result(test.result));
    member(d, "runs", (double)test.trend_runs);
    json_open(d, "samples", '[');
    for (size_t k = 0; k < test.runs; k++)
        sample(d, t, i, k);
    json_close(d, ']');
    text(d, "test", test.name);
    member(d, "trend", test.trend);
    text(d, "unit", test.unit);
    json_close(d, '}');
}

static int write_json(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_trend *t = subject;
    struct json_document d;
    json_begin(&d, r, w);
    meta(&d, t);
    json_verdict(&d);
    json_findings(&d);
    json_skipped(&d);
    json_open(&d, "tests", '[');
    for (size_t i = 0; i < reckon_trend_tests(t) && !reckon_write_failed(w); i++)
        test(&d, t, i);
    json_close(&d, ']');
    json_end(&d);
    return 0;
}

RECKON_PLUGIN(output, trend_json) = {
    .name = "trend_json",
    .summary = "the trend as JSON: every test with its groups and runs",
    .output = {.on = "trend", .option = "json", .write = write_json},
};
