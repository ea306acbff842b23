/* SPDX-License-Identifier: Apache-2.0
 *
 * Names: `measured-name layout-name` a line, for a fleet whose test names are not its hostnames.
 */
#include <string.h>

#include <reckon/plugin.h>

#include "../shared/words.h"

#define BLANKS " \t"

static int read_names(struct reckon *r, struct reckon_input *in, void *into) {
    char *line, *word[2];
    size_t length;
    unsigned long number;
    int rc;
    while ((rc = reckon_read_line(in, &line, &length, &number)) > 0) {
        size_t n = words_split(line, BLANKS, word, 2);
        if (n && n != 2)
            return reckon_error(
                r, reckon_input_path(in), number,
                "expected two words, a measured name and its name in the layout, but found %zu", n);
        const char *other = n ? reckon_names_add(into, word[0], word[1]) : NULL;
        if (other)
            return reckon_error(r, reckon_input_path(in), number, "%s is %s here, but %s on a line before",
                                reckon_printable(r, word[0]), reckon_printable(r, word[1]),
                                reckon_printable(r, other));
    }
    return rc;
}

/* Two words on every line, no JSON, the second no number. Other tables of pairs look alike: this is never
 * sure. */
static int recognise(const struct reckon_head *head) {
    char line[WORDS_LINE], *word[2];
    size_t at = 0, lines = 0;
    for (; words_line(head, &at, line); lines++)
        if (words_split(line, BLANKS, word, 2) != 2 || strchr("{[<", *word[0]) ||
            !reckon_blank(reckon_number(word[1], strlen(word[1]))))
            return 0;
    return lines ? 15 : 0;
}

RECKON_PLUGIN(context, names) = {
    .name = "names",
    .summary = "pairs of measured name and layout name",
    .context = {.role = "names",
                .help = "the layout's names for those the run was measured under",
                .fallback = true,
                .recognise = recognise,
                .read = read_names},
};
