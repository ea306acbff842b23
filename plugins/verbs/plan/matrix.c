/* SPDX-License-Identifier: Apache-2.0
 *
 * mx's matrix.csv: comment lines with tx_size= and rx_size=, a header `src\dst,HOST[=ADDR[:PORT]],…`, and a
 * row a sender whose cells are the requests/s to each; blank or 0 is no flow, `max` an unpaced one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <csv.h>

#include "plan.h"

/* A host's row or column, and the line it stands in. */
struct place {
    const char *host;
    unsigned long line;
};

struct matrix {
    struct reckon *r;
    const char *path;
    unsigned long line;
    struct plan_traffic *traffic;
    struct reckon_sink *sink;
    char **cells; /* of this line */
    size_t ncells, cap;
    const char **receivers; /* NULL until the header */
    size_t nreceivers;
    struct place *rows;
    size_t nrows, rows_cap;
    uint64_t flows;
};

/* ---- cells of a line ---- */

static void cell(void *text, size_t length, void *user) {
    struct matrix *m = user;
    m->cells = reckon_grow(m->cells, m->ncells, &m->cap, sizeof *m->cells);
    m->cells[m->ncells] = reckon_resize(NULL, length + 1, 1);
    memcpy(m->cells[m->ncells], text ? text : "", length);
    m->cells[m->ncells++][length] = '\0';
}

static void end_of_row(int c, void *user) {
    (void)c;
    (void)user;
}

static void drop_cells(struct matrix *m) {
    while (m->ncells)
        free(m->cells[--m->ncells]);
}

static int split(struct matrix *m, const char *line, size_t length) {
    struct csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
        return reckon_error(m->r, m->path, m->line, "no memory");
    bool failed = csv_parse(&parser, line, length, cell, end_of_row, m) != length ||
                  csv_fini(&parser, cell, end_of_row, m);
    csv_free(&parser);
    return failed ? reckon_error(m->r, m->path, m->line, "a quote is open or out of place") : 0;
}

/* ---- lines ---- */

/* "# tx_size=1434 rx_size=34 port=7777": the sizes, unless the options give them. */
static int comment(struct matrix *m, char *line) {
    struct {
        const char *key;
        double *size, least;
        bool given;
    } sizes[] = {{"tx_size=", &m->traffic->size, 1, m->traffic->size_given},
                 {"rx_size=", &m->traffic->reply, 0, m->traffic->reply_given}};
    char *rest = NULL;
    for (char *word = strtok_r(line, "# \t,", &rest); word; word = strtok_r(NULL, "# \t,", &rest))
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            size_t n = strlen(sizes[i].key);
            if (strncmp(word, sizes[i].key, n))
                continue;
            double x = reckon_number(word + n, strlen(word + n));
            if (!(x >= sizes[i].least && x <= 65507))
                return reckon_error(m->r, m->path, m->line, "%s is no size of a packet",
                                    reckon_printable(m->r, word));
            if (!sizes[i].given)
                *sizes[i].size = x;
        }
    return 0;
}

/* The name of HOST[=ADDR[:PORT]], as the layout has it. */
static const char *host_name(const struct matrix *m, char *text) {
    text[strcspn(text, "=")] = '\0';
    return reckon_strdup(m->r, text);
}

static int by_host(const void *pa, const void *pb) {
    const struct place *a = pa, *b = pb;
    int order = strcmp(a->host, b->host);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Sorts the rows or columns; an error, at its line, for a host that has two. */
static int check_twice(const struct matrix *m, struct place *at, size_t n, const char *what) {
    if (n)
        qsort(at, n, sizeof *at, by_host);
    for (size_t i = 1; i < n; i++)
        if (*at[i].host && !strcmp(at[i - 1].host, at[i].host)) /* a spreadsheet leaves empty ones */
            return reckon_error(m->r, m->path, at[i].line, "%s has two %s",
                                reckon_printable(m->r, at[i].host), what);
    return 0;
}

static int header(struct matrix *m) {
    if (m->ncells < 2 || strcmp(m->cells[0], "src\\dst"))
        return reckon_error(m->r, m->path, m->line, "no matrix: it has no header `src\\dst,HOST,…`");
    m->receivers = reckon_alloc(m->r, m->ncells * sizeof *m->receivers);
    for (size_t i = 1; i < m->ncells; i++)
        m->receivers[m->nreceivers++] = host_name(m, m->cells[i]);
    struct place *columns = reckon_resize(NULL, m->nreceivers, sizeof *columns);
    for (size_t i = 0; i < m->nreceivers; i++)
        columns[i] = (struct place){m->receivers[i], m->line};
    int rc = check_twice(m, columns, m->nreceivers, "columns");
    free(columns);
    return rc;
}

static int flow(struct matrix *m, const char *sender, const char *receiver, const char *text) {
    size_t n = strlen(text), lead = strspn(text, " \t");
    double rate = reckon_number(text, n);
    bool unpaced = !strncmp(text + lead, "max", 3) && strspn(text + lead + 3, " \t") == n - lead - 3;
    if (lead == n || rate == 0)
        return 0;
    if (!unpaced && !(rate > 0))
        return reckon_error(m->r, m->path, m->line, "from %s to %s: '%s' is neither a rate nor max",
                            reckon_printable(m->r, sender), reckon_printable(m->r, receiver),
                            reckon_printable(m->r, text));
    if (!unpaced && m->traffic->tcp)
        return reckon_error(m->r, m->path, m->line,
                            "its rates are requests/s, but --tcp asks for TCP: only max can be");
    if (++m->flows > PLAN_FLOWS)
        return reckon_error(m->r, m->path, m->line, "it has more than %u flows", PLAN_FLOWS);
    plan_flow(m->sink, m->traffic, sender, receiver, unpaced ? RECKON_BLANK : rate);
    return 0;
}

static int sender(struct matrix *m) {
    const char *from = host_name(m, m->cells[0]);
    int rc = 0;
    m->rows = reckon_grow(m->rows, m->nrows, &m->rows_cap, sizeof *m->rows);
    m->rows[m->nrows++] = (struct place){from, m->line};
    if (m->ncells - 1 > m->nreceivers)
        return reckon_error(m->r, m->path, m->line, "%s has %zu cells, the header names %zu hosts",
                            reckon_printable(m->r, from), m->ncells - 1, m->nreceivers);
    for (size_t i = 1; i < m->ncells && !rc; i++)
        rc = flow(m, from, m->receivers[i - 1], m->cells[i]);
    return rc;
}

static int one_line(struct matrix *m, char *line, size_t length) {
    const char *first = line + strspn(line, " \t");
    if (!*first)
        return 0;
    if (*first == '#')
        return comment(m, line);
    int rc = split(m, line, length);
    if (!rc && m->ncells)
        rc = m->receivers ? sender(m) : header(m);
    drop_cells(m);
    return rc;
}

int plan_matrix(struct reckon *r, const char *path, struct plan_traffic *traffic, struct reckon_sink *sink) {
    struct matrix m = {.r = r, .path = path, .traffic = traffic, .sink = sink};
    struct reckon_input *in = reckon_open(r, path);
    char *line;
    size_t length;
    int more = in ? 1 : -1;
    while (more > 0 && (more = reckon_read_line(in, &line, &length, &m.line)) > 0)
        if (one_line(&m, line, length))
            more = -1;
    reckon_close(in);
    free(m.cells);
    if (!more && !m.flows)
        more = reckon_error(r, path, 0, "the matrix has no flow");
    if (!more)
        more = check_twice(&m, m.rows, m.nrows, "rows");
    free(m.rows);
    return more;
}
