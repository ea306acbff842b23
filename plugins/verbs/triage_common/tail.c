/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing files of records (tail.h). Lines are split in place; a quote works within its line, since these
 * records have no line breaks in cells.
 */
#include "tail.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_LINE 65536u
#define MOST_CELLS 64

void tail_init(struct tail *t, const char *path, enum record_kind kind) {
    *t = (struct tail){.path = path, .kind = kind, .fd = -1};
    if (!strcmp(path, "-"))
        t->fd = STDIN_FILENO;
}

void tail_close(struct tail *t) {
    if (t->fd > STDIN_FILENO)
        close(t->fd);
    free(t->buf);
}

/* ---- lines ---- */

/* Takes the quotes off a cell that begins with one; returns where it ends. */
static char *unquote(char *cell) {
    char *out = cell, *s = cell + 1;
    for (; *s && !(*s == '"' && s[1] != '"'); s++) {
        s += *s == '"';
        *out++ = *s;
    }
    if (*s)
        s++;
    *out = '\0';
    return s;
}

static size_t split(char *line, char **cell) {
    size_t n = 0;
    for (char *s = line; n < MOST_CELLS; s++) {
        cell[n++] = s;
        char *end = *s == '"' ? unquote(s) : s + strcspn(s, ",");
        if (*end != ',')
            return n;
        *end = '\0';
        s = end;
    }
    return n;
}

static void read_header(struct tail *t, char **cell, size_t n) {
    const char *const *columns = record_columns(t->kind);
    for (size_t c = 0; columns[c]; c++) {
        t->column[c] = -1;
        for (size_t i = 0; i < n && t->column[c] < 0; i++)
            if (!strcmp(cell[i], columns[c]))
                t->column[c] = (int)i;
    }
    t->headed = true;
}

static void deliver(struct tail *t, struct reckon_records *records, enum record_kind kind,
                    const char *const *row) {
    record_at(records, t->path, t->line);
    record_deliver(records, kind, row);
}

/* A line of a file: its header, or a row in the header's order. */
static void file_line(struct tail *t, struct reckon_records *records, char **cell, size_t n) {
    const char *row[RECORD_MOST_COLUMNS];
    if (!t->headed) {
        read_header(t, cell, n);
        return;
    }
    for (size_t c = 0; record_columns(t->kind)[c]; c++) {
        if (t->column[c] >= (int)n) {
            t->odd++;
            return;
        }
        row[c] = t->column[c] < 0 ? "" : cell[t->column[c]];
    }
    deliver(t, records, t->kind, row);
}

/* A line of standard input: its kind, then all columns in order. */
static void led_line(struct tail *t, struct reckon_records *records, char **cell, size_t n) {
    const char *row[RECORD_MOST_COLUMNS] = {0};
    enum record_kind kind = record_kind_named(cell[0]);
    size_t c = 0;
    while (kind < RECORD_KINDS && record_columns(kind)[c] && c + 1 < n) {
        row[c] = cell[c + 1];
        c++;
    }
    if (kind == RECORD_KINDS || record_columns(kind)[c])
        t->odd++;
    else if (c && strcmp(row[0], record_columns(kind)[0])) /* a header line among them is no record */
        deliver(t, records, kind, row);
}

static void take_line(struct tail *t, struct reckon_records *records, char *line, size_t length) {
    char *cell[MOST_CELLS];
    t->line++;
    if (length && line[length - 1] == '\r')
        line[--length] = '\0';
    if (!length)
        return;
    if (t->line == 1 && !strncmp(line, "\xEF\xBB\xBF", 3))
        line += 3; /* a byte-order mark */
    size_t n = split(line, cell);
    if (strcmp(t->path, "-"))
        file_line(t, records, cell, n);
    else
        led_line(t, records, cell, n);
}

/* ---- how far a tail has come ---- */

/* Where the whole line that begins at `at` ends; NULL when there is none. */
static const char *line_end(const struct tail *t, size_t at) {
    return t->length > at ? memchr(t->buf + at, '\n', t->length - at) : NULL;
}

/* Where the cell that begins at s ends, a quoted one as unquote() has it. */
static const char *cell_end(const char *s, const char *end) {
    bool quoted = false;
    for (; s < end && (quoted || *s != ','); s++)
        quoted ^= *s == '"';
    return s;
}

/* The cell that holds the ts of a line; -1 for none. */
static int ts_cell(const struct tail *t, const char *line, const char *end) {
    char word[16] = "";
    enum record_kind kind = t->kind;
    if (!strcmp(t->path, "-")) {
        size_t n = (size_t)(cell_end(line, end) - line);
        if (n < sizeof word)
            memcpy(word, line, n);
        kind = record_kind_named(word);
        return kind == RECORD_KINDS || strcmp(record_columns(kind)[0], "ts") != 0 ? -1 : 1;
    }
    return t->headed && !strcmp(record_columns(kind)[0], "ts") ? t->column[0] : -1;
}

/* The ts of a line that was not taken apart yet, to the millisecond; blank when it has none. */
static double line_ts(const struct tail *t, const char *line, const char *end) {
    char text[32];
    int cell = ts_cell(t, line, end);
    for (; cell > 0 && line < end; cell--)
        line = cell_end(line, end) + 1;
    if (cell || line >= end)
        return RECKON_BLANK;
    line += *line == '"';
    size_t n = 0;
    while (n + 1 < sizeof text && line + n < end && !strchr(",\"\r", line[n])) {
        text[n] = line[n];
        n++;
    }
    text[n] = '\0';
    if (n > 15 && strspn(text, "0123456789.") == n)
        text[15] = '\0'; /* record_number() is fast up to there */
    return record_number(text);
}

/* The earlier ts of the next two lines: a single one may have it wrong. The second is not asked where the
 * first is early enough. */
static double next_of(const struct tail *t, const char *end, double enough) {
    double ts = line_ts(t, t->buf + t->at, end);
    if (reckon_blank(ts))
        return -(double)INFINITY;
    const char *second = ts > enough ? line_end(t, (size_t)(end + 1 - t->buf)) : NULL;
    return second ? fmin(ts, line_ts(t, end + 1, second)) : ts;
}

double tail_next(const struct tail *t) {
    return next_of(t, line_end(t, t->at), -(double)INFINITY);
}

size_t tail_take(struct tail *t, struct reckon_records *records, double upto) {
    size_t n = 0;
    for (const char *end; (end = line_end(t, t->at)); n++) {
        if (!t->skipping && upto < (double)INFINITY && next_of(t, end, upto) > upto)
            break;
        size_t length = (size_t)(end - t->buf) - t->at;
        t->buf[t->at + length] = '\0';
        if (!t->skipping)
            take_line(t, records, t->buf + t->at, length);
        t->skipping = false;
        t->at += length + 1;
    }
    return n;
}

/* ---- files ---- */

static void from_beginning(struct tail *t) {
    t->at = t->length = 0;
    t->line = 0;
    t->headed = t->skipping = false;
}

/* Opens it when it is there; opens it anew when another file has its name, or it got shorter than what was
 * read. */
static void look(struct tail *t) {
    struct stat st;
    if (!strcmp(t->path, "-") || stat(t->path, &st))
        return;
    off_t at = t->fd < 0 ? 0 : lseek(t->fd, 0, SEEK_CUR);
    bool other = t->fd >= 0 && (uint64_t)st.st_ino != t->inode;
    if (t->fd >= 0 && !other && !(S_ISREG(st.st_mode) && st.st_size < at))
        return;
    if (t->fd >= 0)
        close(t->fd);
    t->fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    t->inode = (uint64_t)st.st_ino;
    from_beginning(t);
}

static bool readable(const struct tail *t) {
    struct pollfd p = {.fd = t->fd, .events = POLLIN};
    return t->fd >= 0 && !t->ended && (t->fd != STDIN_FILENO || poll(&p, 1, 0) > 0);
}

/* Room for `most` bytes behind what is not handed over yet, and for the end of a last line. */
static void make_room(struct tail *t, size_t most) {
    if (t->at)
        memmove(t->buf, t->buf + t->at, t->length - t->at);
    t->length -= t->at;
    t->at = 0;
    if (t->length > LONGEST_LINE && !line_end(t, 0)) {
        t->odd += !t->skipping;
        t->skipping = true;
        t->length = 0;
    }
    if (t->length + most + 1 > t->cap)
        t->buf = reckon_resize(t->buf, t->cap = t->length + most + 1, 1);
}

size_t tail_fill(struct tail *t, size_t most) {
    const char *end = line_end(t, t->at);
    ssize_t n = 0;
    if (end && line_end(t, (size_t)(end + 1 - t->buf)))
        return 0;
    if (t->waiting || t->fd < 0)
        look(t);
    if (readable(t)) {
        make_room(t, most);
        n = read(t->fd, t->buf + t->length, most);
        t->ended = n == 0 && t->fd == STDIN_FILENO;
    }
    t->length += n > 0 ? (size_t)n : 0;
    if (t->ended && t->length > t->at && t->buf[t->length - 1] != '\n')
        t->buf[t->length++] = '\n'; /* the last line */
    t->waiting = n <= 0 && !line_end(t, t->at);
    return n > 0 ? (size_t)n : 0;
}

size_t tail_read(struct tail *t, struct reckon_records *records, size_t most) {
    size_t n = tail_fill(t, most);
    tail_take(t, records, (double)INFINITY);
    return n;
}
