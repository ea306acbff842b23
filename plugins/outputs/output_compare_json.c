/* SPDX-License-Identifier: Apache-2.0
 *
 * --json for two compared builds: every test with its trials, groups, bits and result.
 */
#include "../shared/json_common.h"
#include "../shared/trend_text.h"

static const char *const sides[] = {"parent", "current", "combined"};

static cJSON *side(const struct reckon_builds *b, size_t test, enum reckon_build which,
                   const struct reckon_build_test *t) {
    cJSON *o = cJSON_CreateObject();
    json_number(o, "bits", t->bits[which]);
    if (which != RECKON_COMBINED)
        json_number(o, "failed", (double)t->failed[which]);
    json_number(o, "mean", t->mean[which]);
    json_number(o, "size", (double)t->count[which]);
    json_number(o, "stdev", t->stdev[which]);
    if (which == RECKON_COMBINED)
        return o;
    char text[RECKON_NUMBER_SIZE];
    cJSON *values = cJSON_AddArrayToObject(o, "values");
    for (size_t i = 0; i < t->count[which]; i++)
        cJSON_AddItemToArray(
            values, cJSON_CreateRaw(reckon_number_text(reckon_build_trial(b, test, which, i), text)));
    return o;
}

static cJSON *test(struct reckon *r, const struct reckon_builds *b, size_t i) {
    struct reckon_build_test t;
    reckon_build_test(b, i, &t);
    cJSON *o = cJSON_CreateObject();
    json_number(o, "bits_saved", t.bits[RECKON_COMBINED] - t.bits[RECKON_PARENT] - t.bits[RECKON_CURRENT]);
    json_number(o, "change", t.change);
    cJSON_AddItemToObjectCS(o, sides[RECKON_COMBINED], side(b, i, RECKON_COMBINED, &t));
    cJSON_AddItemToObjectCS(o, sides[RECKON_CURRENT], side(b, i, RECKON_CURRENT, &t));
    json_bool(o, "lower_is_better", t.lower_is_better);
    cJSON_AddItemToObjectCS(o, sides[RECKON_PARENT], side(b, i, RECKON_PARENT, &t));
    json_text(r, o, "result", reckon_trend_word(t.result));
    json_text(r, o, "test", t.name);
    json_text(r, o, "unit", t.unit);
    return o;
}

static int write_json(struct reckon *r, const void *subject, struct reckon_writer *w) {
    const struct reckon_builds *b = subject;
    struct json_document d;
    json_begin(&d, r, w);
    cJSON *meta = cJSON_CreateObject();
    json_number(meta, "bits", reckon_option_number(r, "bits"));
    cJSON_AddItemToObjectCS(meta, "notes", json_notes(r));
    json_text(r, meta, "tool", "reckon");
    json_number(meta, "unit", reckon_option_number(r, "unit"));
    json_text(r, meta, "version", reckon_version());
    json_value(&d, "meta", meta);
    json_findings(&d);
    json_skipped(&d);
    json_open(&d, "tests", '[');
    for (size_t i = 0; i < reckon_builds_tests(b); i++)
        json_value(&d, NULL, test(r, b, i));
    json_close(&d, ']');
    json_end(&d);
    return 0;
}

RECKON_PLUGIN(output, compare_json) = {
    .name = "compare_json",
    .summary = "the comparison of two builds as JSON",
    .output = {.on = "compare", .option = "json", .write = write_json},
};
