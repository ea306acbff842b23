/* SPDX-License-Identifier: Apache-2.0
 *
 * Link speeds as hosts report them: `host Mb/s` a line, or a table with a header, such as dredge appends to.
 * Cells are split at tabs, else commas, else blanks; the last row of a host wins.
 */
#include <string.h>
#include <strings.h>

#include <reckon/plugin.h>

#include "../shared/words.h"

#define ABSENT SIZE_MAX

/* Columns that hold a speed, the earlier ones being preferred, and what one of theirs is in Mb/s. */
static const struct {
    const char *name;
    double mbps;
} speed_columns[] = {{"speed_mbps", 1}, {"mbps", 1}, {"speed", 1}, {"speed_gbps", 1000}, {"gbps", 1000}};
#define SPEED_COLUMNS (sizeof speed_columns / sizeof *speed_columns)

/* Which cells are read. */
struct columns {
    bool header;
    size_t host, speed; /* ABSENT as the speed: the last cell */
    double mbps;        /* of one unit of the speed column */
};

/* ---- cells ---- */

struct cell {
    const char *s;
    size_t n;
};

struct cells {
    const char *next; /* NULL at the end */
    char separator;
};

static struct cells cells_of(const char *line) {
    return (struct cells){line, strchr(line, '\t') ? '\t' : strchr(line, ',') ? ',' : ' '};
}

static bool next_cell(struct cells *x, struct cell *c) {
    const char separator[] = {x->separator, 0};
    if (x->next && x->separator == ' ')
        x->next += strspn(x->next, " ");
    if (!x->next || (x->separator == ' ' && !*x->next))
        return false;
    size_t n = strcspn(x->next, separator);
    *c = (struct cell){x->next, n};
    x->next = x->next[n] ? x->next + n + 1 : NULL;
    for (; c->n && *c->s == ' '; c->n--)
        c->s++;
    while (c->n && c->s[c->n - 1] == ' ')
        c->n--;
    return true;
}

static bool is(const struct cell *c, const char *name) {
    return strlen(name) == c->n && !strncasecmp(c->s, name, c->n);
}

/* ---- columns ---- */

/* The columns a first line names; without a `host` it is no header, and the first and last cell count. */
static struct columns columns_of(const char *line) {
    struct columns found = {.host = ABSENT, .speed = ABSENT, .mbps = 1};
    struct cells cells = cells_of(line);
    struct cell c;
    size_t best = SPEED_COLUMNS;
    for (size_t i = 0; next_cell(&cells, &c); i++) {
        if (found.host == ABSENT && is(&c, "host"))
            found.host = i;
        for (size_t k = 0; k < best; k++)
            if (is(&c, speed_columns[k].name)) {
                best = k;
                found.speed = i;
                found.mbps = speed_columns[k].mbps;
            }
    }
    if (found.host == ABSENT)
        return (struct columns){.host = 0, .speed = ABSENT, .mbps = 1};
    found.header = true;
    return found;
}

static void read_row(struct reckon *r, const struct columns *x, const char *line,
                     struct reckon_speeds *into) {
    struct cells cells = cells_of(line);
    struct cell c, host = {NULL, 0}, speed = {NULL, 0};
    for (size_t i = 0; next_cell(&cells, &c); i++) {
        if (i == x->host)
            host = c;
        else if (i == x->speed || x->speed == ABSENT)
            speed = c;
    }
    if (host.n && speed.s)
        reckon_speeds_add(into, reckon_strndup(r, host.s, host.n), reckon_number(speed.s, speed.n) * x->mbps,
                          reckon_strndup(r, speed.s, speed.n));
}

/* ---- the module ---- */

static int read_speeds(struct reckon *r, struct reckon_input *in, void *into) {
    struct columns columns = {0};
    bool begun = false;
    char *line;
    size_t length;
    unsigned long number;
    int rc;
    while ((rc = reckon_read_line(in, &line, &length, &number)) > 0) {
        const char *first = line + strspn(line, " \t");
        if (!*first || *first == '#')
            continue;
        if (begun) {
            read_row(r, &columns, line, into);
            continue;
        }
        begun = true;
        columns = columns_of(line);
        if (!columns.header)
            read_row(r, &columns, line, into);
        else if (columns.speed == ABSENT)
            return reckon_wrong_format(
                r, reckon_input_path(in),
                "not a table of speeds: beside host it has no column speed_mbps, mbps, speed, "
                "speed_gbps or gbps");
    }
    if (!rc && !begun)
        return reckon_error(r, reckon_input_path(in), 0, "no speed in it: every line is empty or a comment");
    return rc;
}

/* The columns of other reports that have a host and a speed as well. */
static bool is_report(const struct reckon_head *head) {
    static const char *const marks[][2] = {{"rep_size", NULL}, {"probe", NULL}, {"peer", NULL}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (reckon_head_has_columns(head, marks[i]))
            return true;
    return false;
}

/* A header with host and speed, or a number at the end of every line: many a table has that, so this is never
 * sure. */
static int recognise(const struct reckon_head *head) {
    char line[WORDS_LINE];
    size_t at = 0, lines = 0;
    if (is_report(head))
        return 0;
    for (; words_line(head, &at, line); lines++) {
        char *word[2];
        struct columns columns = columns_of(line);
        if (!lines && columns.header)
            return columns.speed == ABSENT ? 0 : 30;
        if (words_split(line, " \t,", word, 2) != 2 || reckon_blank(reckon_number(word[1], strlen(word[1]))))
            return 0;
    }
    return lines ? 20 : 0;
}

RECKON_PLUGIN(context, speeds) = {
    .name = "speeds",
    .summary = "link speeds hosts report: host and Mb/s, or a table with a header",
    .context = {.role = "speeds",
                .help = "what the links negotiated, used instead of the layout's speeds",
                .fallback = true,
                .recognise = recognise,
                .read = read_speeds},
};
