/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking over the text of a JSON document without building it: where the members of an object or the
 * elements of an array begin and end. What is wanted is then parsed on its own, record by record; the rest
 * costs a glance.
 */
#ifndef SHARED_JSON_WALK_H
#define SHARED_JSON_WALK_H

#include <stdbool.h>
#include <stddef.h>

/* A value's text, or a key's between its quotes (as written, escapes and all). */
struct json_span {
    const char *at;
    size_t length;
};

struct json_walk {
    const char *at, *end;
    char close;
    bool first;
};

/* Enters the object ('{') or array ('[') that the span is; false when it is none. */
bool json_walk_into(struct json_walk *w, struct json_span span, char bracket);
/* The next value, and in an object its key (NULL otherwise): 1, 0 after the last, -1 where the text is not
 * JSON. Values are only told apart, not checked: parsing does that. */
int json_walk_next(struct json_walk *w, struct json_span *key, struct json_span *value);
/* Whether a key is this word. */
bool json_span_is(struct json_span span, const char *word);
/* The value of a member of the object; a span with at NULL when there is none. */
struct json_span json_walk_member(struct json_span object, const char *word);

#endif
