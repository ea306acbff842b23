/* SPDX-License-Identifier: Apache-2.0
 *
 * Input: plain files, gzip-compressed ones (known by their first bytes) and standard input, read by blocks. A
 * file that shrinks while it is read just ends; one that is damaged or cannot be read is one clear error.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io.h"

#define BLOCK ((size_t)256 * 1024)
#define HEAD ((size_t)64 * 1024)
#define LONGEST_LINE ((size_t)64 * 1024 * 1024)
#define AUTO_GZIP (15 + 16) /* zlib: the largest window, gzip framing */

struct gzip {
    z_stream z;
    unsigned char *packed; /* BLOCK bytes as read */
    bool between;          /* a member is complete: the end of the file may come, or another member */
};

struct reckon_input {
    struct reckon *r;
    char *path;
    int fd;
    char *data; /* what was read and not yet taken is data[at…have) */
    size_t at, have, room;
    bool ended, failed;
    struct gzip *gzip; /* NULL: plain */
    char *head;        /* copy for `recognise` */
    unsigned long line;
};

/* ---- bytes of the file ---- */

static ptrdiff_t read_file(struct reckon_input *in, void *buf, size_t n) {
    ssize_t got;
    do
        got = read(in->fd, buf, n);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        in->failed = true;
        return reckon_error(in->r, in->path, 0, "%s", strerror(errno));
    }
    progress_count(in->r, (size_t)got);
    return got;
}

static int damaged(struct reckon_input *in, const char *why) {
    in->failed = true;
    return reckon_error(in->r, in->path, 0, "damaged gzip data: %s", why);
}

/* Gives zlib more to work on: 1, 0 at the end of the file, -1 after an error. */
static int refill_packed(struct reckon_input *in) {
    struct gzip *g = in->gzip;
    ptrdiff_t got = read_file(in, g->packed, BLOCK);
    if (got <= 0)
        return (int)got;
    g->z.next_in = g->packed;
    g->z.avail_in = (uInt)got;
    return 1;
}

/* After a member: another one, the end, or padding, which gzip itself ignores too. 1, 0 or -1. */
static int next_member(struct reckon_input *in) {
    struct gzip *g = in->gzip;
    int more = g->z.avail_in ? 1 : refill_packed(in);
    if (more <= 0)
        return more;
    if (*g->z.next_in != 0x1f)
        return 0;
    g->between = false;
    return inflateReset(&g->z) == Z_OK ? 1 : damaged(in, "no further member");
}

/* The next decompressed bytes. */
static ptrdiff_t read_gzip(struct reckon_input *in, void *buf, size_t n) {
    struct gzip *g = in->gzip;
    size_t room = n < BLOCK ? n : BLOCK;
    g->z.next_out = buf;
    g->z.avail_out = (uInt)room;
    while (g->z.avail_out == room) {
        int more = g->between ? next_member(in) : g->z.avail_in ? 1 : refill_packed(in);
        if (more < 0)
            return -1;
        if (!more)
            return g->between ? 0 : damaged(in, "it ends too early");
        int status = inflate(&g->z, Z_NO_FLUSH);
        if (status == Z_MEM_ERROR)
            out_of_memory();
        if (status == Z_STREAM_END)
            g->between = true;
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return damaged(in, g->z.msg ? g->z.msg : "not understood");
    }
    return (ptrdiff_t)(room - g->z.avail_out);
}

/* The next bytes of the content: 0 at the end, -1 after an error. */
static ptrdiff_t read_content(struct reckon_input *in, void *buf, size_t n) {
    if (in->failed)
        return -1;
    if (in->ended)
        return 0;
    ptrdiff_t got = in->gzip ? read_gzip(in, buf, n) : read_file(in, buf, n);
    in->ended = got == 0;
    return got;
}

/* ---- the buffer ---- */

/* Reads more behind what is buffered, making room first: 1, 0 at the end, -1 after an error. One byte is
 * always left free for a NUL. */
static int fill(struct reckon_input *in) {
    if (in->at) {
        memmove(in->data, in->data + in->at, in->have - in->at);
        in->have -= in->at;
        in->at = 0;
    }
    if (in->have + 1 >= in->room) {
        in->room *= 2;
        in->data = reckon_resize(in->data, in->room, 1);
    }
    ptrdiff_t got = read_content(in, in->data + in->have, in->room - 1 - in->have);
    if (got <= 0)
        return (int)got;
    in->have += (size_t)got;
    return 1;
}

/* Whether the content begins with the mark: reads on only while it still may. 1, 0 or -1. */
static int begins_with(struct reckon_input *in, const char *mark, size_t length) {
    for (;;) {
        size_t have = in->have < length ? in->have : length;
        if (memcmp(in->data, mark, have) != 0)
            return 0;
        if (have == length)
            return 1;
        int more = fill(in);
        if (more <= 0)
            return more;
    }
}

/* From here on the content is what the bytes read so far decompress to. */
static void begin_gzip(struct reckon_input *in) {
    struct gzip *g = in->gzip = reckon_resize(NULL, 1, sizeof *g);
    *g = (struct gzip){.packed = reckon_resize(NULL, BLOCK, 1)};
    if (inflateInit2(&g->z, AUTO_GZIP) != Z_OK)
        out_of_memory();
    memcpy(g->packed, in->data, in->have); /* at most BLOCK: the buffer has not grown */
    g->z.next_in = g->packed;
    g->z.avail_in = (uInt)in->have;
    in->have = 0;
    in->ended = false;
}

/* UTF-16 by its mark and an ASCII character behind it, of which one byte is NUL: some programs export tables
 * so. */
static bool is_utf16(const struct reckon_input *in) {
    const char *s = in->data;
    if (in->have < 4)
        return false;
    return (!memcmp(s, "\xff\xfe", 2) && s[2] && !s[3]) || (!memcmp(s, "\xfe\xff", 2) && !s[2] && s[3]);
}

static int skip_mark(struct reckon_input *in) {
    static const char bom[] = {(char)0xef, (char)0xbb, (char)0xbf};
    int marked = begins_with(in, bom, sizeof bom);
    if (marked > 0)
        in->at = sizeof bom;
    if (marked == 0 && is_utf16(in)) {
        in->failed = true;
        return reckon_error(in->r, in->path, 0,
                            "it is text in UTF-16; UTF-8 is read (iconv -f UTF-16 -t UTF-8)");
    }
    return marked < 0 ? -1 : 0;
}

static int begin(struct reckon_input *in) {
    int packed = begins_with(in, "\x1f\x8b", 2);
    if (packed < 0)
        return -1;
    if (packed)
        begin_gzip(in);
    return skip_mark(in);
}

/* Standard input, for the first who asks: a second would find it empty. */
static int open_stdin(struct reckon *r) {
    pthread_mutex_lock(&r->lock);
    bool taken = r->stdin_taken;
    r->stdin_taken = true;
    pthread_mutex_unlock(&r->lock);
    if (taken)
        return reckon_error(r, "-", 0, "only one input can be read from it");
    return fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

static int open_file(struct reckon *r, const char *path) {
    int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : open_stdin(r);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) < 0) {
        reckon_error(r, path, 0, "%s", strerror(errno));
    } else if (S_ISDIR(about.st_mode)) {
        reckon_error(r, path, 0, "is a directory");
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

struct reckon_input *reckon_open(struct reckon *r, const char *path) {
    int fd = open_file(r, path);
    if (fd < 0)
        return NULL;
    struct reckon_input *in = reckon_resize(NULL, 1, sizeof *in);
    *in = (struct reckon_input){.r = r, .path = reckon_strdup(r, path), .fd = fd, .room = BLOCK + 1};
    in->data = reckon_resize(NULL, in->room, 1);
    if (begin(in) < 0) {
        reckon_close(in);
        return NULL;
    }
    return in;
}

void reckon_close(struct reckon_input *in) {
    if (!in)
        return;
    if (in->gzip) {
        inflateEnd(&in->gzip->z);
        free(in->gzip->packed);
        free(in->gzip);
    }
    close(in->fd);
    free(in->head);
    free(in->data);
    free(in);
}

const char *reckon_input_path(const struct reckon_input *in) {
    return in->path;
}

struct reckon *input_session(const struct reckon_input *in) {
    return in->r;
}

/* ---- reading ---- */

ptrdiff_t input_block(struct reckon_input *in, const char **data) {
    if (in->at == in->have) {
        int more = fill(in);
        if (more <= 0)
            return more;
    }
    size_t n = in->have - in->at;
    *data = in->data + in->at;
    in->at = in->have;
    return (ptrdiff_t)n;
}

ptrdiff_t reckon_read(struct reckon_input *in, void *buf, size_t n) {
    size_t have = in->have - in->at;
    if (!have)
        return n ? read_content(in, buf, n) : 0;
    if (n > have)
        n = have;
    memcpy(buf, in->data + in->at, n);
    in->at += n;
    return (ptrdiff_t)n;
}

/* Takes `length` bytes as a line, ends it with a NUL and drops the CR of a CRLF. One within it would end it
 * for whoever reads it, and what is cut off there may read as a name or a figure that nobody wrote. */
static int take_line(struct reckon_input *in, size_t length, size_t end, char **line, size_t *n,
                     unsigned long *number) {
    char *s = in->data + in->at;
    if (memchr(s, '\0', length))
        return reckon_error(in->r, in->path, in->line + 1, "a NUL byte: this is no text in UTF-8");
    in->at += length + end;
    if (length && s[length - 1] == '\r')
        length--;
    s[length] = '\0';
    in->line++;
    *line = s;
    if (n)
        *n = length;
    if (number)
        *number = in->line;
    return 1;
}

int reckon_read_line(struct reckon_input *in, char **line, size_t *length, unsigned long *number) {
    size_t seen = 0; /* of what is buffered, known to hold no line end */
    for (;;) {
        size_t have = in->have - in->at;
        const char *start = in->data + in->at, *end = memchr(start + seen, '\n', have - seen);
        if (end)
            return take_line(in, (size_t)(end - start), 1, line, length, number);
        if (have > LONGEST_LINE)
            return reckon_error(in->r, in->path, in->line + 1, "a line of more than 64 MiB");
        seen = have;
        int more = fill(in);
        if (more < 0)
            return -1;
        if (!more)
            return have ? take_line(in, have, 0, line, length, number) : 0;
    }
}

char *reckon_read_all(struct reckon_input *in, size_t limit, size_t *length) {
    size_t n = in->have - in->at, room = n + BLOCK;
    char *all = reckon_resize(NULL, room, 1);
    memcpy(all, in->data + in->at, n);
    in->at = in->have;
    ptrdiff_t got;
    while ((got = read_content(in, all + n, room - 1 - n)) > 0) {
        n += (size_t)got;
        if (n > limit)
            break;
        if (room - 1 - n < BLOCK / 2)
            all = reckon_resize(all, room *= 2, 1);
    }
    if (n > limit)
        reckon_error(in->r, in->path, 0, "larger than %zu bytes", limit);
    if (n > limit || got < 0) {
        free(all);
        return NULL;
    }
    all[n] = '\0';
    if (length)
        *length = n;
    return all;
}

/* ---- the head ---- */

int input_head(struct reckon_input *in, struct reckon_head *head) {
    int more = 1;
    while (in->have - in->at <= HEAD && more > 0)
        more = fill(in);
    if (more < 0)
        return -1;
    size_t have = in->have - in->at, n = have < HEAD ? have : HEAD;
    if (!in->head)
        in->head = reckon_resize(NULL, HEAD + 1, 1);
    memcpy(in->head, in->data + in->at, n);
    in->head[n] = '\0';
    *head = (struct reckon_head){sizeof *head, in->path, in->head, n, have <= HEAD};
    return 0;
}

/* The first line with anything but blanks on it: its start, and where it ends. */
static const char *first_line(const struct reckon_head *head, const char **end) {
    const char *s = head->data, *stop = s + head->length;
    while (s < stop && strchr(" \t\r\n", *s) && *s)
        s++;
    while (s > head->data && (s[-1] == ' ' || s[-1] == '\t'))
        s--; /* the blanks that open it belong to its first cell */
    *end = s;
    while (*end < stop && **end != '\n' && **end != '\r')
        ++*end;
    return s;
}

static bool cell_is(const char *s, const char *end, const char *name) {
    if (end - s >= 2 && *s == '"' && end[-1] == '"') {
        s++;
        end--;
    }
    size_t n = strlen(name);
    return (size_t)(end - s) == n && !memcmp(s, name, n);
}

static bool has_column(const char *s, const char *end, const char *name) {
    for (;;) {
        const char *comma = memchr(s, ',', (size_t)(end - s));
        if (cell_is(s, comma ? comma : end, name))
            return true;
        if (!comma)
            return false;
        s = comma + 1;
    }
}

bool reckon_head_has_columns(const struct reckon_head *head, const char *const *columns) {
    const char *end, *line = first_line(head, &end);
    for (; *columns; columns++)
        if (!has_column(line, end, *columns))
            return false;
    return true;
}
