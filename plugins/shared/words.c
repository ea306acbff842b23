/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain text files of words.
 */
#include <string.h>

#include "words.h"

size_t words_split(char *line, const char *separators, char **word, size_t max) {
    size_t n = 0;
    for (;;) {
        line += strspn(line, separators);
        if (!*line || *line == '#')
            return n;
        if (n < max)
            word[n] = line;
        n++;
        line += strcspn(line, separators);
        if (*line)
            *line++ = 0;
    }
}

bool words_line(const struct reckon_head *head, size_t *at, char line[WORDS_LINE]) {
    while (*at < head->length) {
        const char *from = head->data + *at, *end = memchr(from, '\n', head->length - *at);
        size_t n = end ? (size_t)(end - from) : head->length - *at;
        if (!end && !head->whole)
            return false;
        *at += n + 1;
        if (n && from[n - 1] == '\r')
            n--;
        n = n < WORDS_LINE ? n : WORDS_LINE - 1;
        memcpy(line, from, n);
        line[n] = 0;
        const char *first = line + strspn(line, " \t");
        if (*first && *first != '#')
            return true;
    }
    return false;
}
