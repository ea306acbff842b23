/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing files of records (tail.h). Lines are split in place; a quote works within its line, since these
 * records have no line breaks in cells.
 */
#include "tail.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_LINE 65536u
#define MOST_CELLS 64

void tail_init(struct tail *t, const char *path, enum record_kind kind) {
    *t = (struct tail){.path = path, .kind = kind, .fd = -1, .newest = RECKON_BLANK};
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
    double ts = record_deliver(records, kind, row);
    if (!(t->newest >= ts) && !reckon_blank(ts))
        t->newest = ts;
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
    else if (strcmp(row[0], record_columns(kind)[0])) /* a header line among them is no record */
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

/* Hands over every whole line; the rest moves to the front. */
static void take_lines(struct tail *t, struct reckon_records *records) {
    size_t at = 0;
    for (char *end; (end = memchr(t->buf + at, '\n', t->length - at));) {
        *end = '\0';
        if (!t->skipping)
            take_line(t, records, t->buf + at, (size_t)(end - t->buf) - at);
        t->skipping = false;
        at = (size_t)(end - t->buf) + 1;
    }
    memmove(t->buf, t->buf + at, t->length - at);
    t->length -= at;
    if (t->length > LONGEST_LINE) {
        t->odd += !t->skipping;
        t->skipping = true;
        t->length = 0;
    }
}

/* ---- files ---- */

static void from_beginning(struct tail *t) {
    t->length = 0;
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

size_t tail_read(struct tail *t, struct reckon_records *records, size_t most) {
    if (t->waiting || t->fd < 0)
        look(t);
    if (t->fd < 0 || t->ended) {
        t->waiting = true;
        return 0;
    }
    if (t->length + most + 1 > t->cap)
        t->buf = reckon_resize(t->buf, t->cap = t->length + most + 1, 1);
    ssize_t n = read(t->fd, t->buf + t->length, most);
    t->waiting = n <= 0;
    t->ended = n == 0 && t->fd == STDIN_FILENO;
    if (n <= 0)
        return 0;
    t->length += (size_t)n;
    take_lines(t, records);
    return (size_t)n;
}
