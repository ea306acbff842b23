/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain text files of words: lines, comments from a '#' that begins a word, and nothing else.
 */
#ifndef RECKON_WORDS_H
#define RECKON_WORDS_H

#include <reckon/input.h>

/* Splits a line, in place, at runs of the separators, up to a comment. How many words there are; at most
 * `max` of them in `word`. */
size_t words_split(char *line, const char *separators, char **word, size_t max);

/* For `recognise`: copies the next line of the head that is no comment and not blank, from *at (0 at first)
 * on. What is longer than the buffer is cut off; a last line that may go on behind the head is left out.
 * False at the end. */
#define WORDS_LINE 1024
bool words_line(const struct reckon_head *head, size_t *at, char line[WORDS_LINE]);

#endif
