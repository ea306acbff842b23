/* SPDX-License-Identifier: Apache-2.0
 *
 * Baselines from an earlier `--overlay`: the file kept for the viewer. Its tests are those whose names begin
 * as the
 * `...expected` one does; several runs kept in one file are refused, for nobody could tell which is meant.
 */
#include <string.h>

#include <reckon/plugin.h>

#include "../shared/then_figure.h"

#define SIGNATURE "# reckon "
#define EXPECTED "expected"
#define CELLS 32 /* the most of a line that are looked at */

struct reading {
    struct reckon *r;
    struct reckon_baseline *b;
    const char *path, *prefix, *unit, *describe, *run; /* NULL: not seen yet */
    unsigned long line;
};

static int recognise(const struct reckon_head *head) {
    return strncmp(head->data, SIGNATURE, strlen(SIGNATURE)) ? 0 : 95;
}

/* ---- cells ---- */

/* Splits a line at its tabs, in place. Returns how many cells there are. */
static size_t split(char *line, char *cell[CELLS]) {
    size_t n = 0;
    for (char *next = line; next && n < CELLS; n++) {
        cell[n] = next;
        next = strchr(next, '\t');
        if (next)
            *next++ = '\0';
    }
    return n;
}

/* A value without the quotes it was written in. */
static char *unquote(char *value) {
    size_t n = strlen(value);
    if (n < 2 || value[0] != '"' || value[n - 1] != '"')
        return value;
    value[n - 1] = '\0';
    return value + 1;
}

/* The value of `key=`; NULL when the line has none. */
static const char *value_of(char *const *cell, size_t n, const char *key) {
    size_t length = strlen(key);
    for (size_t i = 0; i < n; i++)
        if (!strncmp(cell[i], key, length) && cell[i][length] == '=')
            return unquote(cell[i] + length + 1);
    return NULL;
}

/* ---- lines ---- */

/* The second line is how the run was described, then how much there was of it. */
static void read_description(struct reading *in, const char *line) {
    const char *text = line + 1 + strspn(line + 1, " "), *end = NULL;
    for (const char *at = text; (at = strstr(at, "; ")); at++)
        end = at;
    if (end && end > text)
        in->describe = reckon_strndup(in->r, text, (size_t)(end - text));
}

/* The first test whose name ends in `expected` tells how all of them begin. */
static void find_prefix(struct reading *in, const char *test) {
    size_t n = strlen(test), tail = strlen(EXPECTED);
    if (!in->prefix && n >= tail && !strcmp(test + n - tail, EXPECTED))
        in->prefix = reckon_strndup(in->r, test, n - tail);
}

/* The test's name after the prefix; NULL when it is not ours. */
static const char *test_of(const struct reading *in, const char *test) {
    size_t n = in->prefix ? strlen(in->prefix) : 0;
    return in->prefix && !strncmp(test, in->prefix, n) ? test + n : NULL;
}

static void read_declaration(struct reading *in, char *const *cell, size_t n) {
    if (n < 2)
        return;
    find_prefix(in, cell[1]);
    const char *test = test_of(in, cell[1]), *unit = value_of(cell + 2, n - 2, "unit");
    if (test && !strcmp(test, EXPECTED) && unit && *unit && !in->unit)
        in->unit = reckon_strdup(in->r, unit);
}

static int check_run(struct reading *in, const char *run) {
    if (!run)
        return 0;
    if (!in->run)
        in->run = reckon_strdup(in->r, run);
    if (!strcmp(in->run, run))
        return 0;
    return reckon_error(in->r, in->path, in->line,
                        "holds samples of more than one run, %s and %s; keep one of them",
                        reckon_printable(in->r, in->run), reckon_printable(in->r, run));
}

static int read_sample(struct reading *in, char **cell, size_t n) {
    find_prefix(in, cell[0]);
    const char *test = test_of(in, cell[0]);
    if (!test || n < 3)
        return 0;
    if (check_run(in, value_of(cell + 3, n - 3, "run")))
        return -1;
    const char *target = unquote(cell[1]), *peer = value_of(cell + 3, n - 3, "peer");
    if (!strcmp(test, "efficiency"))
        reckon_baseline_host(in->b, target, then_figure_text(in->b, cell[2]));
    else if (!strcmp(test, "nic_gbps"))
        reckon_baseline_nic(in->b, target, then_figure_text(in->b, cell[2]));
    else if (!strcmp(test, "peer_efficiency") && peer)
        reckon_baseline_flow(in->b, target, peer, value_of(cell + 3, n - 3, "layer"),
                             then_figure_text(in->b, cell[2]));
    else if (!strcmp(test, "peer_efficiency"))
        reckon_baseline_unreadable(in->b);
    return 0;
}

static int read_one_line(struct reading *in, char *line) {
    char *cell[CELLS];
    if (in->line == 1 && strncmp(line, SIGNATURE, strlen(SIGNATURE)))
        return reckon_wrong_format(in->r, in->path, "is no overlay of reckon: it does not begin with '%s'",
                                   SIGNATURE);
    if (*line == '#') {
        if (in->line == 2)
            read_description(in, line);
        return 0;
    }
    size_t n = split(line, cell);
    if (strcmp(cell[0], "!test"))
        return read_sample(in, cell, n);
    read_declaration(in, cell, n);
    return 0;
}

static int read_baseline(struct reckon *r, struct reckon_input *input, void *into) {
    struct reading in = {.r = r, .b = into, .path = reckon_input_path(input)};
    char *line;
    size_t length;
    int more;
    while ((more = reckon_read_line(input, &line, &length, &in.line)) > 0)
        if (read_one_line(&in, line))
            return -1;
    if (more < 0)
        return -1;
    if (!in.prefix)
        return reckon_error(r, in.path, 0, "is no overlay of a run: it has no test named ...%s", EXPECTED);
    reckon_baseline_about(in.b, in.run, RECKON_BLANK, in.unit, in.describe);
    return 0;
}

RECKON_PLUGIN(context, reckon_overlay) = {
    .name = "reckon_overlay",
    .summary = "baselines: what an earlier reckon wrote with --overlay",
    .context = {.role = "baseline", .recognise = recognise, .read = read_baseline},
};
