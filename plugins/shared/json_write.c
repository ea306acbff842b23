/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON values on cJSON, and the stream that writes a document one value at a time (json_write.h).
 */
#include "json_write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_memory.h"

/* cJSON answers NULL when memory runs out, at any of its calls; an allocation that never fails spares every
 * check. */
static void *take(size_t n) {
    return reckon_resize(NULL, n ? n : 1, 1);
}

static void never_fail(void) {
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = take, .free_fn = free});
}

void json_number(cJSON *object, const char *key, double x) {
    char text[RECKON_NUMBER_SIZE];
    cJSON *item = isfinite(x) ? cJSON_CreateRaw(reckon_number_text(x, text)) : cJSON_CreateNull();
    cJSON_AddItemToObjectCS(object, key, item);
}

void json_whole(cJSON *object, const char *key, double x) {
    json_number(object, key, trunc(x));
}

void json_bool(cJSON *object, const char *key, bool x) {
    cJSON_AddItemToObjectCS(object, key, cJSON_CreateBool(x));
}

void json_text(struct reckon *r, cJSON *object, const char *key, const char *s) {
    cJSON_AddItemToObjectCS(object, key, s ? cJSON_CreateString(reckon_utf8(r, s)) : cJSON_CreateNull());
}

void json_word(struct reckon *r, cJSON *object, const char *key, const char *s) {
    json_text(r, object, key, s && *s ? s : NULL);
}

void json_push_text(struct reckon *r, cJSON *array, const char *s) {
    cJSON_AddItemToArray(array, cJSON_CreateString(reckon_utf8(r, s)));
}

/* ---- the stream ---- */

/* Outside of strings JSON has no '<', inside it may be written by its number. */
void json_put(struct json_document *d, const char *text) {
    for (const char *less; d->page && (less = strchr(text, '<')); text = less + 1) {
        reckon_put_bytes(d->w, text, (size_t)(less - text));
        reckon_put(d->w, "\\u003c");
    }
    reckon_put_json_value(d->w, text);
}

static void put_value(struct json_document *d, cJSON *value) {
    char *text = cJSON_PrintUnformatted(value);
    json_put(d, text);
    cJSON_free(text);
    cJSON_Delete(value);
}

void json_next(struct json_document *d) {
    reckon_put(d->w, d->first ? "\n" : ",\n");
    d->first = false;
}

static void name(struct json_document *d, const char *key) {
    json_next(d);
    if (!key)
        return;
    put_value(d, cJSON_CreateString(reckon_utf8(d->r, key)));
    reckon_put(d->w, ": ");
}

void json_begin(struct json_document *d, struct reckon *r, struct reckon_writer *w) {
    never_fail();
    *d = (struct json_document){.r = r, .w = w, .first = true};
    reckon_put(w, "{");
}

void json_end(struct json_document *d) {
    reckon_put(d->w, "\n}\n");
}

void json_open(struct json_document *d, const char *key, char bracket) {
    name(d, key);
    reckon_put_bytes(d->w, &bracket, 1);
    d->first = true;
}

void json_close(struct json_document *d, char bracket) {
    if (!d->first)
        reckon_put(d->w, "\n");
    reckon_put_bytes(d->w, &bracket, 1);
    d->first = false;
}

void json_value(struct json_document *d, const char *key, cJSON *value) {
    name(d, key);
    put_value(d, value);
}
