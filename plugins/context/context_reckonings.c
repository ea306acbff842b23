/* SPDX-License-Identifier: Apache-2.0
 *
 * History from earlier reckonings: the files that --json wrote. One test per host, one for the fleet (the
 * median), with
 * --per flow one per flow. A host without a value in a run is missing in it.
 */
#include <reckon/trend.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../shared/json_memory.h"
#include "../shared/json_walk.h"

#define LIMIT ((size_t)4 << 30) /* bytes of one file */

struct metric {
    const char *name, *key, *unit; /* unit NULL: the run's own */
    bool lower_is_better;
};
static const struct metric metrics[] = {
    {"efficiency", "efficiency_pct", "%", false},
    {"achieved", "achieved", NULL, false},
    {"expected", "expected", NULL, false},
    {"added_rtt", "added_rtt_us", "us", true},
};

struct reading {
    struct reckon *r;
    struct reckon_history *h;
    const char *path, *text;
    const struct metric *metric;
    const char *unit;
    uint32_t run;
    double *values; /* of hosts, for the median */
    size_t count, cap;
};

static int recognise(const struct reckon_head *head) {
    const char *meta = strstr(head->data, "\"meta\"");
    const char *tool = meta ? strstr(meta, "\"tool\"") : NULL;
    return *head->data == '{' && tool && strstr(tool, "\"reckon\"") ? 95 : 0;
}

static const struct metric *chosen(const struct reckon *r) {
    const char *name = reckon_option_text(r, "metric");
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (!strcmp(metrics[i].name, name))
            return &metrics[i];
    return metrics;
}

/* ---- records ---- */

static const char *text_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static double number_of(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : RECKON_BLANK;
}

static void add(struct reading *in, const char *name, double value) {
    struct reckon_history_test test = {
        .size = sizeof test, .name = name, .unit = in->unit, .lower_is_better = in->metric->lower_is_better};
    if (value >= 0) /* neither blank nor negative: else it is missing here */
        reckon_history_trial(in->h, reckon_history_test(in->h, &test), in->run, value, NULL);
}

static char *name_of(const char *kind, const char *a, const char *arrow, const char *b, const char *layer) {
    size_t n = strlen(kind) + strlen(a) + strlen(arrow) + strlen(b) + strlen(layer) + 4;
    char *name = reckon_resize(NULL, n, 1);
    snprintf(name, n, "%s/%s%s%s%s%s", kind, a, arrow, b, *layer ? " " : "", layer);
    return name;
}

static void host(struct reading *in, const cJSON *record) {
    const char *name = text_of(record, "host");
    double value = number_of(record, in->metric->key);
    if (!name)
        return;
    char *full = name_of("host", name, "", "", "");
    add(in, full, value);
    free(full);
    if (value >= 0) {
        in->values = reckon_grow(in->values, in->count, &in->cap, sizeof *in->values);
        in->values[in->count++] = value;
    }
}

static void flow(struct reading *in, const cJSON *record) {
    const char *src = text_of(record, "src"), *dst = text_of(record, "dst"),
               *layer = text_of(record, "layer");
    if (!src || !dst)
        return;
    char *full = name_of("flow", src, "->", dst, layer ? layer : "");
    add(in, full, number_of(record, in->metric->key));
    free(full);
}

/* Where the text is no complete reckoning; with the line. */
static int broken(const struct reading *in, const char *at) {
    unsigned long line = 1;
    for (const char *c = in->text; c < at; c++)
        line += *c == '\n';
    return reckon_error(in->r, in->path, line, "the reckoning breaks off or is damaged here");
}

/* One value of the document; NULL after an error. Its own files hold plain JSON and nothing else. */
static cJSON *parse(const struct reading *in, struct json_span value) {
    cJSON *json = cJSON_ParseWithLength(value.at, value.length);
    if (!json)
        broken(in, value.at);
    return json;
}

/* Hands every record of an array over. */
static int records(struct reading *in, struct json_span array,
                   void (*take)(struct reading *, const cJSON *)) {
    struct json_walk w;
    struct json_span value;
    int more;
    if (!json_walk_into(&w, array, '['))
        return 0;
    while ((more = json_walk_next(&w, NULL, &value)) > 0) {
        cJSON *record = parse(in, value);
        if (!record)
            return -1;
        take(in, record);
        cJSON_Delete(record);
    }
    return more < 0 ? broken(in, w.at) : 0;
}

/* ---- the document ---- */

struct document {
    struct json_span meta, hosts, flows;
};

static int find_parts(struct reading *in, size_t length, struct document *doc) {
    struct json_walk w;
    struct json_span key, value;
    int more;
    if (!json_walk_into(&w, (struct json_span){in->text, length}, '{'))
        return broken(in, in->text);
    while ((more = json_walk_next(&w, &key, &value)) > 0) {
        struct json_span *part = json_span_is(key, "meta")    ? &doc->meta
                                 : json_span_is(key, "hosts") ? &doc->hosts
                                 : json_span_is(key, "flows") ? &doc->flows
                                                              : NULL;
        if (part)
            *part = value;
    }
    return more < 0 ? broken(in, w.at) : 0;
}

/* Runs of one fabric and tool belong together: a host that some of them name is missing in the others. */
static void begin_run(struct reading *in, const cJSON *meta) {
    const char *source = text_of(meta, "source"), *unit = text_of(meta, "unit"),
               *layout = text_of(meta, "layout");
    const char *slash = layout ? strrchr(layout, '/') : NULL;
    char *family = name_of(source ? source : "?", unit ? unit : "?", " ",
                           slash    ? slash + 1
                           : layout ? layout
                                    : "",
                           "");
    in->unit = in->metric->unit ? in->metric->unit : unit;
    in->run =
        reckon_history_run(in->h, &(struct reckon_history_run){.size = sizeof(struct reckon_history_run),
                                                               .ts = number_of(meta, "ts"),
                                                               .label = text_of(meta, "label"),
                                                               .family = family});
    free(family);
}

static int read_document(struct reading *in, size_t length) {
    struct document doc = {0};
    if (find_parts(in, length, &doc))
        return -1;
    if (!doc.meta.at) {
        reckon_history_leave_out(in->h, "does not say what it is");
        return 0;
    }
    cJSON *meta = parse(in, doc.meta);
    if (!meta)
        return -1;
    int rc = 0;
    if (!doc.hosts.at)
        reckon_history_leave_out(in->h, "is not the reckoning of one run");
    else if (reckon_blank(number_of(meta, "ts")))
        reckon_history_leave_out(in->h, "does not say when its run was");
    else {
        begin_run(in, meta);
        rc = records(in, doc.hosts, host);
        if (!rc && in->count > 0)
            add(in, "fleet", reckon_median(in->values, in->count));
        if (!rc && !strcmp(reckon_option_text(in->r, "per"), "flow"))
            rc = records(in, doc.flows, flow);
    }
    cJSON_Delete(meta);
    return rc;
}

static int read(struct reckon *r, struct reckon_input *in, void *into) {
    struct reading reading = {
        .r = r, .h = into, .path = reckon_input_path(in), .metric = chosen(r), .run = RECKON_NONE};
    size_t length;
    if (reckon_history_known(
            into, reckon_text(r, "reckonings %s %s", reading.metric->name, reckon_option_text(r, "per"))))
        return 0;
    char *text = reckon_read_all(in, LIMIT, &length);
    reading.text = text;
    int rc = text ? read_document(&reading, length) : -1;
    free(text);
    free(reading.values);
    return rc;
}

RECKON_PLUGIN(context, reckonings) = {
    .name = "reckonings",
    .summary = "history from earlier --json files: a test per host, one for the fleet",
    .verbs = "trend compare",
    .options =
        (const struct reckon_option[]){
            {.name = "metric",
             .type = RECKON_CHOICE,
             .value_name = "WHAT",
             .initial = "efficiency",
             .group = "inputs",
             .choices = (const char *const[]){"efficiency", "achieved", "expected", "added_rtt", NULL},
             .help = "the value of a host that reckonings give"},
            {.name = "per",
             .type = RECKON_CHOICE,
             .value_name = "WHAT",
             .initial = "host",
             .group = "inputs",
             .choices = (const char *const[]){"host", "flow", NULL},
             .help = "with flow, a test for each flow of a reckoning as well"},
            {.type = RECKON_OPTION_END},
        },
    .context = {.role = "history",
                .many = true,
                .positional = true,
                .suffix = ".json",
                .recognise = recognise,
                .read = read},
};
