/* SPDX-License-Identifier: Apache-2.0
 *
 * Baselines from an earlier `--json`: the efficiencies of its hosts and flows, and the NIC speeds its model
 * used. The records are parsed one at a time; what else is in the document costs a glance.
 */
#include <stdlib.h>
#include <string.h>

#include <reckon/plugin.h>

#include "../shared/json_read.h"
#include "../shared/json_walk.h"
#include "../shared/then_figure.h"

#define LIMIT ((size_t)4 << 30) /* bytes of one file */

struct reading {
    struct reckon *r;
    struct reckon_baseline *b;
    const char *path;
};

/* The first of the document's keys, if there is nothing between the brace and it but blanks. */
static const char *first_key(const char *text) {
    text += strspn(text, " \t\r\n");
    if (*text++ != '{')
        return NULL;
    text += strspn(text, " \t\r\n");
    return *text == '"' ? text + 1 : "";
}

/* Sure when it says so; documents of before 1.0 begin with their assumptions and say so too far down. */
static int recognise(const struct reckon_head *head) {
    const char *key = first_key(head->data), *tool = strstr(head->data, "\"tool\"");
    if (!key)
        return 0;
    if (tool && !strncmp(key, "meta\"", 5)) {
        tool += strlen("\"tool\"") + strspn(tool + strlen("\"tool\""), " \t\r\n:");
        return strncmp(tool, "\"reckon\"", 8) ? 0 : 95;
    }
    return strncmp(key, "assumptions\"", 12) ? 0 : 80;
}

/* ---- values ---- */

static const cJSON *member(const cJSON *object, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text_of(const cJSON *object, const char *key) {
    const cJSON *item = member(object, key);
    return cJSON_IsString(item) && strcmp(item->valuestring, JSON_NOT_FINITE) ? item->valuestring : NULL;
}

static double figure(const struct reading *in, const cJSON *item) {
    if (!item || cJSON_IsNull(item))
        return RECKON_BLANK;
    if (cJSON_IsString(item))
        return then_figure_text(in->b, item->valuestring);
    return then_figure(in->b, cJSON_IsNumber(item) ? item->valuedouble : RECKON_BLANK);
}

static double timestamp(const cJSON *meta) {
    const cJSON *ts = member(meta, "ts");
    if (cJSON_IsString(ts))
        return reckon_number(ts->valuestring, strlen(ts->valuestring));
    return cJSON_IsNumber(ts) ? ts->valuedouble : RECKON_BLANK;
}

/* ---- records ---- */

static void read_host(const struct reading *in, const cJSON *record) {
    const char *name = text_of(record, "host");
    if (name)
        reckon_baseline_host(in->b, name, figure(in, member(record, "efficiency_pct")));
    else
        reckon_baseline_unreadable(in->b);
}

static void read_flow(const struct reading *in, const cJSON *record) {
    const char *src = text_of(record, "src"), *dst = text_of(record, "dst"),
               *layer = text_of(record, "layer");
    const cJSON *item = member(record, "layer");
    char number[RECKON_NUMBER_SIZE];
    if (cJSON_IsNumber(item) && isfinite(item->valuedouble))
        layer = reckon_number_text(item->valuedouble, number);
    if (src && dst && (layer || !item || cJSON_IsNull(item)))
        reckon_baseline_flow(in->b, src, dst, layer, figure(in, member(record, "efficiency_pct")));
    else
        reckon_baseline_unreadable(in->b);
}

static int broken(const struct reading *in) {
    return reckon_error(in->r, in->path, 0, "is no complete reckoning: its JSON breaks off or is damaged");
}

/* Hands every record of the array over, if it is one. */
static int read_records(const struct reading *in, struct json_span array,
                        void (*take)(const struct reading *in, const cJSON *record)) {
    struct json_walk w;
    struct json_span value;
    int more = 0;
    if (!json_walk_into(&w, array, '['))
        return 0;
    while ((more = json_walk_next(&w, NULL, &value)) > 0) {
        cJSON *record = json_read(in->r, in->path, value.at, value.length);
        if (!record)
            return -1;
        take(in, record);
        cJSON_Delete(record);
    }
    return more < 0 ? broken(in) : 0;
}

/* The NIC speed of one entry of hardware.hosts, an object by host. */
static int read_nic(const struct reading *in, struct json_span key, struct json_span value) {
    cJSON *name = json_read(in->r, in->path, key.at - 1, key.length + 2); /* with its quotes */
    cJSON *record = name ? json_read(in->r, in->path, value.at, value.length) : NULL;
    if (record && cJSON_IsString(name) && cJSON_IsObject(record))
        reckon_baseline_nic(in->b, name->valuestring, figure(in, member(record, "nic_gbps")));
    cJSON_Delete(name);
    cJSON_Delete(record);
    return record ? 0 : -1;
}

static int read_nics(const struct reading *in, struct json_span hardware) {
    struct json_walk w;
    struct json_span key, value;
    int more = 0;
    if (!json_walk_into(&w, json_walk_member(hardware, "hosts"), '{'))
        return 0;
    while ((more = json_walk_next(&w, &key, &value)) > 0)
        if (read_nic(in, key, value))
            return -1;
    return more < 0 ? broken(in) : 0;
}

/* ---- the document ---- */

static int not_reckons(const struct reading *in) {
    return reckon_wrong_format(
        in->r, in->path,
        "is no baseline: neither what an earlier reckon wrote with --json nor with --overlay");
}

static int read_meta(const struct reading *in, struct json_span span) {
    cJSON *meta = span.at ? json_read(in->r, in->path, span.at, span.length) : NULL;
    if (span.at && !meta)
        return -1;
    const char *tool = text_of(meta, "tool"), *label = text_of(meta, "label");
    int rc = tool && !strcmp(tool, "reckon") ? 0 : not_reckons(in);
    if (!rc)
        reckon_baseline_about(in->b, label && *label ? label : text_of(meta, "run"), timestamp(meta),
                              text_of(meta, "unit"), text_of(meta, "describe"));
    cJSON_Delete(meta);
    return rc;
}

/* `text` is the document after its opening brace. */
static int read_document(const struct reading *in, const char *text, size_t length) {
    static const char *const names[] = {"meta", "hardware", "hosts", "flows"};
    struct json_span part[4] = {0}, key, value;
    struct json_walk w = {.at = text, .end = text + length, .close = '}', .first = true};
    int more;
    while ((more = json_walk_next(&w, &key, &value)) > 0)
        for (size_t i = 0; i < 4; i++)
            if (json_span_is(key, names[i]))
                part[i] = value;
    if (more < 0)
        return broken(in);
    bool failed = read_meta(in, part[0]) || read_nics(in, part[1]) || read_records(in, part[2], read_host) ||
                  read_records(in, part[3], read_flow);
    return failed ? -1 : 0;
}

static int read_baseline(struct reckon *r, struct reckon_input *input, void *into) {
    struct reading in = {.r = r, .b = into, .path = reckon_input_path(input)};
    char first = ' ';
    ptrdiff_t got = 1;
    while (got > 0 && strchr(" \t\r\n", first))
        got = reckon_read(input, &first, 1);
    if (got < 0)
        return -1;
    if (got == 0 || first != '{') /* said before gigabytes of something else are read */
        return not_reckons(&in);
    size_t length;
    char *text = reckon_read_all(input, LIMIT, &length);
    int rc = text ? read_document(&in, text, length) : -1;
    free(text);
    return rc;
}

RECKON_PLUGIN(context, reckon_json) = {
    .name = "reckon_json",
    .summary = "baselines: what an earlier reckon wrote with --json",
    .context = {.role = "baseline",
                .help = "an earlier --json or --overlay of reckon to hold this run against",
                .env = "BASELINE",
                .fallback = true,
                .recognise = recognise,
                .read = read_baseline},
};
