/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON as every output writes it: values made with cJSON, numbers in the shortest text that reads back
 * exactly, blank as null, strings as valid UTF-8; documents streamed member by member and never held whole in
 * memory.
 */
#ifndef RECKON_JSON_WRITE_H
#define RECKON_JSON_WRITE_H

#include <cjson/cJSON.h>
#include <reckon/plugin.h>

/* ---- members of a cJSON object; keys are literals ---- */

void json_number(cJSON *object, const char *key, double x); /* blank: null */
void json_whole(cJSON *object, const char *key, double x);  /* without its fraction; blank: null */
void json_bool(cJSON *object, const char *key, bool x);
void json_text(struct reckon *r, cJSON *object, const char *key, const char *s); /* NULL: null */
/* The same, but "" is null as well. */
void json_word(struct reckon *r, cJSON *object, const char *key, const char *s);
/* One more string in an array. */
void json_push_text(struct reckon *r, cJSON *array, const char *s);

/* ---- a document, as it is written ---- */

struct json_document {
    struct reckon *r;
    struct reckon_writer *w;
    bool first; /* nothing stands before the next value on its level */
    bool page;  /* it stands in a page's <script>: no '<' may, so that it cannot end there (set after
                   json_begin) */
};

/* Opens and closes the outermost object. */
void json_begin(struct json_document *d, struct reckon *r, struct reckon_writer *w);
void json_end(struct json_document *d);
/* Opens an array or object: a member named `key`, or an element of an array with NULL. */
void json_open(struct json_document *d, const char *key, char bracket);
void json_close(struct json_document *d, char bracket);
/* Writes a value (and deletes it) as the next member or, with key NULL, element. The key is a stranger's text
 * too. */
void json_value(struct json_document *d, const char *key, cJSON *value);
/* Room for the next element, written by the caller with json_put(). */
void json_next(struct json_document *d);
/* JSON's own text, as it is. */
void json_put(struct json_document *d, const char *text);

/* ---- records: objects of one shape, many of them, without an allocation for each ---- */

struct json_record;

/* The texts of `keys`, NULL-terminated, outlive the record. Free with json_record_free(). */
struct json_record *json_record_new(const char *const *keys);
void json_record_free(struct json_record *record);
/* Sets the i-th member. A text is UTF-8 already (reckon_utf8) and stays the caller's until the record is
 * written. */
void json_record_number(struct json_record *record, size_t i, double x);
void json_record_text(struct json_record *record, size_t i, const char *utf8); /* NULL: null */
/* Writes it as the next element. */
void json_record_put(struct json_document *d, struct json_record *record);

#endif
