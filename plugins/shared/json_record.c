/* SPDX-License-Identifier: Apache-2.0
 *
 * Records of json_write.h: one cJSON object whose members are set anew for each record and printed into a
 * buffer of ours, so that a million of them cost no allocation.
 */
#include "json_write.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct json_record {
    cJSON *object;
    struct cell {
        cJSON *item; /* refers to text it does not own */
        char number[RECKON_NUMBER_SIZE];
    } * cells;
    char *buffer;
    size_t size;
};

struct json_record *json_record_new(const char *const *keys) {
    struct json_record *record = reckon_resize(NULL, 1, sizeof *record);
    size_t n = 0;
    while (keys[n])
        n++;
    *record = (struct json_record){.object = cJSON_CreateObject(), .size = 1024};
    record->cells = reckon_resize(NULL, n + 1, sizeof *record->cells);
    record->buffer = reckon_resize(NULL, record->size, 1);
    for (size_t i = 0; i < n; i++) {
        record->cells[i].item = cJSON_CreateNull();
        cJSON_AddItemToObjectCS(record->object, keys[i], record->cells[i].item);
    }
    return record;
}

void json_record_free(struct json_record *record) {
    cJSON_Delete(record->object);
    free(record->cells);
    free(record->buffer);
    free(record);
}

/* The key is a literal (its flag stays), and so is what the value refers to as far as cJSON may free it. */
static void set(cJSON *item, int type, char *text) {
    item->type = type | cJSON_StringIsConst | cJSON_IsReference;
    item->valuestring = text;
}

void json_record_number(struct json_record *record, size_t i, double x) {
    struct cell *cell = &record->cells[i];
    bool known = isfinite(x);
    set(cell->item, known ? cJSON_Raw : cJSON_NULL, known ? reckon_number_text(x, cell->number) : NULL);
}

void json_record_text(struct json_record *record, size_t i, const char *utf8) {
    /* cJSON only reads it: the cast drops a const its struct has no room for. */
    set(record->cells[i].item, utf8 ? cJSON_String : cJSON_NULL, (char *)(uintptr_t)utf8);
}

void json_record_put(struct json_document *d, struct json_record *record) {
    while (!cJSON_PrintPreallocated(record->object, record->buffer, (int)record->size, false)) {
        record->size =
            record->size <= INT_MAX / 2 ? 2 * record->size : SIZE_MAX; /* more than cJSON can print */
        record->buffer = reckon_resize(record->buffer, record->size, 1);
    }
    json_next(d);
    json_put(d, record->buffer);
}
