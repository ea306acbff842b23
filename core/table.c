/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV tables by header name, on libcsv: only the wanted cells are kept, so memory depends neither on the
 * number of columns nor on the length of a row. Blanks belong to the cell. Rows shorter than the header, and
 * those with a NUL byte in a wanted cell, are left out and counted.
 */
#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

/* The longest cell, kept or not; past it a quote was most likely left open. */
#define LONGEST_CELL ((size_t)1024 * 1024)
#define CELL_STEP 4096u

struct cell {
    size_t at, length; /* in the row's text */
};

struct reckon_row {
    char *text; /* an empty cell, for columns that are missing, then those wanted, each with its NUL */
    struct cell *cells; /* by place in .columns */
    unsigned long line;
};

/* A wanted column the file has; in order of position, ended by one that is never reached. */
struct wanted {
    size_t position, column;
};

struct reader {
    struct reckon *r;
    struct reckon_input *in;
    const struct reckon_table *table;
    struct csv_parser csv;
    size_t ncolumns; /* of .columns */
    struct wanted *wanted;
    size_t nwanted, next;   /* next: the first not yet met in this row */
    size_t stop;            /* its position */
    size_t width, position; /* cells of the header, and of this row so far */
    struct reckon_row row;
    size_t used, room;             /* of row.text */
    unsigned long line, cell_line; /* being read; where the cell being read began */
    bool in_row, in_body, failed;
    bool named;     /* the header holds more than blanks */
    bool nuls, cut; /* the file holds NUL bytes; so does a cell of this row that is wanted */
    size_t rows, short_rows, cut_rows;
};

/* ---- libcsv's callbacks ---- */

static int no_blank(unsigned char c) {
    (void)c;
    return 0;
}

static void *limited_realloc(void *p, size_t n) {
    if (n > LONGEST_CELL)
        return NULL;
    return reckon_resize(p, n, 1);
}

/* memcpy for what is mostly a few bytes: a call would cost more than the copy. */
static void copy_bytes(char *to, const char *s, size_t n) {
    if (n > 16) {
        memcpy(to, s, n);
    } else if (n >= 8) {
        memcpy(to, s, 8);
        memcpy(to + n - 8, s + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, s, 4);
        memcpy(to + n - 4, s + n - 4, 4);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = s[i];
    }
}

static void keep_cell(struct reader *t, const char *s, size_t n, size_t column) {
    if (t->room - t->used <= n) {
        t->room = (t->used + n + 1) * 2;
        t->row.text = reckon_resize(t->row.text, t->room, 1);
    }
    char *to = t->row.text + t->used;
    t->cut = t->cut || (t->nuls && memchr(s, '\0', n));
    copy_bytes(to, s, n);
    to[n] = '\0';
    t->row.cells[column] = (struct cell){t->used, n};
    t->used += n + 1;
}

/* A cell of the body that is wanted, maybe more than once; then looks out for the next one. */
static void body_cell(struct reader *t, const char *s, size_t n) {
    do
        keep_cell(t, s, n, t->wanted[t->next++].column);
    while (t->wanted[t->next].position == t->position);
    t->stop = t->wanted[t->next].position;
}

static bool is_found(const struct reader *t, size_t column) {
    for (size_t i = 0; i < t->nwanted; i++)
        if (t->wanted[i].column == column)
            return true;
    return false;
}

/* Of two columns with one name the first counts. */
static void header_cell(struct reader *t, const char *s, size_t n) {
    for (size_t i = 0; i < t->ncolumns; i++) {
        const char *name = t->table->columns[i];
        if (strlen(name) == n && !memcmp(name, s, n) && !is_found(t, i))
            t->wanted[t->nwanted++] = (struct wanted){t->position, i};
    }
    for (size_t i = 0; i < n && !t->named; i++)
        t->named = s[i] != ' ' && s[i] != '\t';
}

/* Called for every cell of the file, so most of the time spent here is spent on not doing anything. */
static void take_cell(void *data, size_t n, void *reader) {
    struct reader *t = reader;
    if (t->position == t->stop)
        body_cell(t, data, n);
    else if (!t->in_body)
        header_cell(t, data, n);
    t->position++;
}

static void header_done(struct reader *t) {
    if (!t->named && t->position == 1)
        return; /* a line of blanks: the header is still to come */
    t->width = t->position;
    t->in_body = true;
    t->wanted[t->nwanted].position = SIZE_MAX;
    if (!t->table->header)
        return;
    bool *present = reckon_alloc(t->r, t->ncolumns + 1);
    for (size_t i = 0; i < t->nwanted; i++)
        present[t->wanted[i].column] = true;
    t->failed = t->table->header(t->table->user, present) != 0;
}

static void body_row(struct reader *t) {
    if (t->position < t->width) {
        t->short_rows++;
        return;
    }
    if (t->cut) { /* it would end the cell, and what is left may be another host's name */
        t->cut_rows++;
        return;
    }
    t->rows++;
    t->failed = t->table->row(t->table->user, &t->row) != 0;
}

static void row_begin(struct reader *t) {
    t->in_row = t->cut = false;
    t->next = t->position = 0;
    t->stop = t->in_body ? t->wanted->position : SIZE_MAX;
    t->used = 1;
}

static void row_end(int c, void *reader) {
    struct reader *t = reader;
    (void)c;
    if (!t->failed) { /* libcsv cannot be stopped within a line */
        if (t->in_body)
            body_row(t);
        else
            header_done(t);
    }
    row_begin(t);
}

/* ---- feeding it ---- */

static bool is_line_end(const char *s, const char *end) {
    return *s == '\n' || (*s == '\r' && (end - s == 1 || s[1] == '\n'));
}

/* One line, or the part of one that a block holds. */
static int feed(struct reader *t, const char *s, const char *end) {
    if (!t->in_row) {
        if (is_line_end(s, end))
            return 0;
        t->in_row = true;
        t->row.line = t->cell_line = t->line;
    }
    size_t n = (size_t)(end - s), before = t->position;
    if (csv_parse(&t->csv, s, n, take_cell, row_end, t) < n)
        return reckon_error(t->r, reckon_input_path(t->in), t->cell_line,
                            "a cell of more than 1 MiB (is a quote left open?)");
    if (t->position != before)
        t->cell_line = t->line;
    return t->failed ? -1 : 0;
}

static int feed_block(struct reader *t, const char *s, size_t n) {
    /* Blanks belong to the cell, but to say so costs a call for every byte: only where there are any. */
    bool blanks = memchr(s, ' ', n) || memchr(s, '\t', n);
    csv_set_space_func(&t->csv, blanks ? no_blank : NULL);
    t->nuls = t->nuls || memchr(s, '\0', n);
    for (const char *end = s + n, *next; s < end; s = next) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        next = newline ? newline + 1 : end;
        if (feed(t, s, next) < 0)
            return -1;
        t->line += newline != NULL;
    }
    return 0;
}

static int feed_end(struct reader *t) {
    csv_set_opts(&t->csv, CSV_STRICT | CSV_STRICT_FINI); /* only now: elsewhere a stray quote is text */
    if (csv_fini(&t->csv, take_cell, row_end, t) != 0)
        return reckon_error(t->r, reckon_input_path(t->in), t->cell_line,
                            "the quote opened on this line is not closed by the end of the file");
    return t->failed ? -1 : 0;
}

static int read_rows(struct reader *t) {
    const char *data;
    ptrdiff_t n;
    while ((n = input_block(t->in, &data)) > 0)
        if (feed_block(t, data, (size_t)n) < 0)
            return -1;
    return n < 0 ? -1 : feed_end(t);
}

static void reader_begin(struct reader *t) {
    csv_init(&t->csv, 0);
    csv_set_delim(&t->csv, (unsigned char)(t->table->delimiter ? t->table->delimiter : ','));
    csv_set_realloc_func(&t->csv, limited_realloc);
    csv_set_blk_size(&t->csv, CELL_STEP);
    while (t->table->columns[t->ncolumns])
        t->ncolumns++;
    t->wanted = reckon_resize(NULL, t->ncolumns + 1, sizeof *t->wanted);
    t->row.cells = reckon_resize(NULL, t->ncolumns, sizeof *t->row.cells);
    for (size_t i = 0; i < t->ncolumns; i++)
        t->row.cells[i] = (struct cell){0, 0};
    t->row.text = reckon_resize(NULL, t->room = CELL_STEP, 1);
    *t->row.text = '\0';
    t->line = 1;
    row_begin(t);
}

static void reader_end(struct reader *t) {
    csv_free(&t->csv);
    free(t->wanted);
    free(t->row.cells);
    free(t->row.text);
}

int reckon_read_table(struct reckon *r, struct reckon_input *in, const struct reckon_table *table,
                      size_t *rows) {
    struct reader t = {.r = r, .in = in, .table = table};
    reader_begin(&t);
    int status = read_rows(&t);
    reader_end(&t);
    if (rows)
        *rows = t.rows;
    if (!status && t.short_rows)
        reckon_note(r, "%s: %s with fewer cells than the header left out",
                    reckon_printable(r, reckon_input_path(in)), reckon_count(r, t.short_rows, "row"));
    if (!status && t.cut_rows)
        reckon_note(r, "%s: %s with a NUL byte left out", reckon_printable(r, reckon_input_path(in)),
                    reckon_count(r, t.cut_rows, "row"));
    return status;
}

const char *reckon_cell(const struct reckon_row *row, size_t column) {
    return row->text + row->cells[column].at;
}

size_t reckon_cell_length(const struct reckon_row *row, size_t column) {
    return row->cells[column].length;
}

double reckon_cell_number(const struct reckon_row *row, size_t column) {
    return reckon_number(reckon_cell(row, column), reckon_cell_length(row, column));
}

unsigned long reckon_row_line(const struct reckon_row *row) {
    return row->line;
}
