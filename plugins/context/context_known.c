/* SPDX-License-Identifier: Apache-2.0
 *
 * Known faults: `RULE HOST [YYYY-MM-DD]` a line, words between blanks or commas, or in double quotes; a host
 * of * is any. Up to the end of its day (UTC), or for ever without one, such a finding is shown as known.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <reckon/plugin.h>

#include "../shared/words.h"

#define SEPARATORS " \t,"
#define DAY 86400
#define UNCLOSED ((size_t)-1)

/* The last second of the day; -1 for no date. */
static double end_of_day(const char *s) {
    struct tm day = {0}, same;
    int end = 0;
    if (strlen(s) != 10 || strspn(s, "0123456789-") != 10 ||
        sscanf(s, "%4d-%2d-%2d%n", &day.tm_year, &day.tm_mon, &day.tm_mday, &end) != 3 || end != 10)
        return -1;
    day.tm_year -= 1900;
    day.tm_mon -= 1;
    same = day;
    time_t t = timegm(&day); /* turns 31 February into a day of March */
    return day.tm_mon == same.tm_mon && day.tm_mday == same.tm_mday ? (double)t + DAY - 1 : -1;
}

/* Takes the quotes off the word that begins at `from`, in place; two of them are one. Where the line goes on;
 * NULL when the word has no end. */
static char *unquote(char *from) {
    char *to = from;
    for (const char *c = from + 1; *c; c++) {
        if (*c == '"' && *++c != '"') {
            char *rest = from + (c - from);
            bool more = *rest;
            *to = 0;
            return rest + (more && strchr(SEPARATORS, *rest));
        }
        *to++ = *c;
    }
    return NULL;
}

/* Splits a line, in place, at separators, up to a comment. How many words there are, of which at most `max`
 * in `word`; UNCLOSED when a quote is. */
static size_t split(char *line, char **word, size_t max) {
    size_t n = 0;
    for (;; n++) {
        line += strspn(line, SEPARATORS);
        if (!*line || *line == '#')
            return n;
        if (n < max)
            word[n] = line;
        if (*line == '"') {
            line = unquote(line);
            if (!line)
                return UNCLOSED;
            continue;
        }
        line += strcspn(line, SEPARATORS);
        if (*line)
            *line++ = 0;
    }
}

/* A rule that nobody has would be known in vain. */
static void check_rule(struct reckon *r, struct reckon_input *in, unsigned long number, const char *rule) {
    const char *best = NULL, *there;
    size_t least = 63;
    for (size_t i = 0; (there = reckon_rule_at(r, NULL, i, NULL)); i++) {
        size_t d = reckon_distance(rule, there);
        if (!d)
            return;
        if (d < least || !best) {
            least = d;
            best = there;
        }
    }
    if (!best)
        return;
    const char *name = reckon_printable(r, rule);
    if (least < 4)
        reckon_note(r, "%s:%lu: there is no rule %s; did you mean %s?", reckon_input_path(in), number, name,
                    best);
    else
        reckon_note(r, "%s:%lu: there is no rule %s; --rules lists them", reckon_input_path(in), number,
                    name);
}

static int read_line(struct reckon *r, struct reckon_input *in, char *line, unsigned long number,
                     void *into) {
    char *word[3];
    size_t n = split(line, word, 3);
    double until = RECKON_BLANK;
    if (!n)
        return 0;
    if (n == UNCLOSED)
        return reckon_error(r, reckon_input_path(in), number, "a double quote has no end");
    if (n < 2 || n > 3)
        return reckon_error(r, reckon_input_path(in), number,
                            "expected a rule, a host and perhaps a date, but found %zu word%s", n,
                            n > 1 ? "s; a name with blanks goes into double quotes" : "");
    if (n == 3 && (until = end_of_day(word[2])) < 0)
        return reckon_error(r, reckon_input_path(in), number, "'%s' is no date of the form YYYY-MM-DD",
                            reckon_printable(r, word[2]));
    check_rule(r, in, number, word[0]);
    reckon_known_add(into, word[0], word[1], until);
    return 0;
}

static int read_known(struct reckon *r, struct reckon_input *in, void *into) {
    char *line;
    size_t length;
    unsigned long number;
    int rc;
    while ((rc = reckon_read_line(in, &line, &length, &number)) > 0)
        if (read_line(r, in, line, number, into))
            return -1;
    return rc;
}

static bool rule_name(const char *s) {
    return !s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", *s);
}

/* A rule and a host on every line. */
static int recognise(const struct reckon_head *head) {
    char line[WORDS_LINE], *word[3];
    size_t at = 0, lines = 0;
    for (; words_line(head, &at, line); lines++) {
        size_t n = split(line, word, 3);
        if (n < 2 || n > 3 || !rule_name(word[0]) || (n == 3 && end_of_day(word[2]) < 0))
            return 0;
    }
    return lines ? 25 : 0;
}

RECKON_PLUGIN(context, known) = {
    .name = "known",
    .summary = "known faults: rule, host and perhaps an end date",
    .verbs = "run trend",
    .context = {.role = "known",
                .help = "faults that are known: shown and marked, but not in the exit status",
                .fallback = true,
                .recognise = recognise,
                .read = read_known},
};
