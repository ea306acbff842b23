/* SPDX-License-Identifier: Apache-2.0
 *
 * Walking over the text of a JSON document (json_walk.h): quotes and brackets are all it knows. No recursion.
 */
#include "json_walk.h"

#include <string.h>

static const char *blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'))
        at++;
    return at;
}

/* Past the string whose opening quote is at `at`; NULL when it has no end. */
static const char *past_string(const char *at, const char *end) {
    for (at++; at < end; at++) {
        if (*at == '"')
            return at + 1;
        if (*at == '\\')
            at++;
    }
    return NULL;
}

/* Past an object or array. */
static const char *past_brackets(const char *at, const char *end) {
    size_t depth = 0;
    while (at && at < end) {
        switch (*at) {
        case '"':
            at = past_string(at, end);
            continue;
        case '{':
        case '[':
            depth++;
            break;
        case '}':
        case ']':
            if (--depth == 0)
                return at + 1;
            break;
        default:
            break;
        }
        at++;
    }
    return NULL;
}

static const char *past_value(const char *at, const char *end) {
    if (at == end)
        return NULL;
    if (*at == '"')
        return past_string(at, end);
    if (*at == '{' || *at == '[')
        return past_brackets(at, end);
    const char *from = at;
    while (at < end && !memchr(",]} \t\r\n", *at, 7))
        at++;
    return at > from ? at : NULL;
}

bool json_walk_into(struct json_walk *w, struct json_span span, char bracket) {
    if (!span.at)
        return false;
    const char *end = span.at + span.length, *at = blanks(span.at, end);
    *w = (struct json_walk){.at = at + 1, .end = end, .close = bracket == '{' ? '}' : ']', .first = true};
    return at < end && *at == bracket;
}

/* Takes the key and its colon. */
static bool take_key(struct json_walk *w, struct json_span *key) {
    const char *past = w->at < w->end && *w->at == '"' ? past_string(w->at, w->end) : NULL;
    if (!past)
        return false;
    *key = (struct json_span){w->at + 1, (size_t)(past - w->at) - 2};
    w->at = blanks(past, w->end);
    if (w->at == w->end || *w->at != ':')
        return false;
    w->at = blanks(w->at + 1, w->end);
    return true;
}

int json_walk_next(struct json_walk *w, struct json_span *key, struct json_span *value) {
    w->at = blanks(w->at, w->end);
    if (w->at < w->end && *w->at == w->close)
        return 0;
    if (!w->first) {
        if (w->at == w->end || *w->at != ',')
            return -1;
        w->at = blanks(w->at + 1, w->end);
    }
    w->first = false;
    if (w->close == '}' && !take_key(w, key))
        return -1;
    const char *past = past_value(w->at, w->end);
    if (!past)
        return -1;
    *value = (struct json_span){w->at, (size_t)(past - w->at)};
    w->at = past;
    return 1;
}

bool json_span_is(struct json_span span, const char *word) {
    return strlen(word) == span.length && !memcmp(span.at, word, span.length);
}

struct json_span json_walk_member(struct json_span object, const char *word) {
    struct json_walk w;
    struct json_span key, value;
    if (json_walk_into(&w, object, '{'))
        while (json_walk_next(&w, &key, &value) > 0)
            if (json_span_is(key, word))
                return value;
    return (struct json_span){NULL, 0};
}
