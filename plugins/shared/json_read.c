/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading JSON that other programs wrote: cJSON, after a pass that makes the numbers it does not know into strings.
 */
#include <stdlib.h>
#include <string.h>

#include "json_memory.h"
#include "json_read.h"

/* The marker with its quotes is as short as the shortest word it stands for. */
#define MARKER "\"" JSON_NOT_FINITE "\""

/* How long a word that is no JSON number begins here; 0 for none. */
static size_t not_finite(const char *at, size_t left) {
    static const char *const words[] = {"-Infinity", "Infinity", "NaN", "-NaN"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (n <= left && !memcmp(at, words[i], n))
            return n;
    }
    return 0;
}

static void mark_not_finite(char *text, size_t length) {
    bool in_string = false;
    for (size_t i = 0; i < length; i++) {
        if (in_string && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            in_string = !in_string;
        else if (!in_string && (text[i] == 'N' || text[i] == 'I' || text[i] == '-')) {
            size_t n = not_finite(text + i, length - i);
            if (!n)
                continue;
            memset(text + i, ' ', n);
            memcpy(text + i, MARKER, sizeof MARKER - 1);
            i += n - 1;
        }
    }
}

static unsigned long line_of(const char *text, const char *at) {
    unsigned long line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

cJSON *json_read(struct reckon *r, const char *path, const char *text, size_t length) {
    char *copy = reckon_resize(NULL, length + 1, 1);
    const char *end = copy;
    memcpy(copy, text, length);
    copy[length] = '\0';
    mark_not_finite(copy, length);
    cJSON *json = cJSON_ParseWithLengthOpts(copy, length + 1, &end, false);
    size_t rest = json ? strspn(end, " \t\r\n") : 0;
    if (!json || end + rest < copy + length) {
        reckon_error(r, path, line_of(copy, end + rest), "this is no JSON, or it ends too early");
        cJSON_Delete(json);
        json = NULL;
    }
    free(copy);
    return json;
}
