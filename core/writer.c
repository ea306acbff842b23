/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing: a file is put in place whole or not at all, by a temporary beside it and a rename; what is no
 * regular file is written directly. Buffered; the first failure is kept until the end. Temporaries go when
 * the program is interrupted.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io.h"

#define BUFFER ((size_t)256 * 1024)
#define MAX_ATTEMPTS 1000 /* leftovers of killed programs that had our process id */

struct reckon_writer {
    struct reckon *r;
    const char *path;      /* as the user gave it, for messages; NULL: standard output */
    const char *target;    /* what it leads to through symlinks */
    const char *temporary; /* NULL: written directly */
    int fd;
    bool terminal;
    int error; /* errno of the first failure, 0 for none */
    char *data;
    size_t used;
};

/* ---- temporaries: a signal handler must find them, so they belong to the program, not to a session ---- */

/* Room for their names; more is made when many are open at once, used again, and never freed. */
struct places {
    _Atomic(const char *) path[64];
    _Atomic(struct places *) next;
};
static struct places first_places;

void unlink_temporaries(void) {
    for (struct places *p = &first_places; p; p = atomic_load(&p->next))
        for (size_t i = 0; i < sizeof p->path / sizeof *p->path; i++) {
            const char *path = atomic_load(&p->path[i]);
            if (path)
                unlink(path);
        }
}

static bool exchange_temporary(const char *old, const char *new) {
    for (struct places *p = &first_places; p; p = atomic_load(&p->next))
        for (size_t i = 0; i < sizeof p->path / sizeof *p->path; i++) {
            const char *expected = old;
            if (atomic_compare_exchange_strong(&p->path[i], &expected, new))
                return true;
        }
    return false;
}

static bool note_temporary(const char *path) {
    while (!exchange_temporary(NULL, path)) {
        struct places *more = calloc(1, sizeof *more), *last = &first_places, *next;
        if (!more)
            return false;
        while ((next = atomic_load(&last->next)))
            last = next;
        if (!atomic_compare_exchange_strong(&last->next, &next, more))
            free(more); /* another thread made room first */
    }
    return true;
}

/* ---- opening ---- */

const char *write_target(struct reckon *r, const char *path) {
    char link[PATH_MAX];
    for (int depth = 0; depth < 40; depth++) {
        ssize_t n = readlink(path, link, sizeof link);
        if (n < 0)
            return path; /* no symlink, or not there */
        const char *slash = strrchr(path, '/');
        int folder = *link != '/' && slash ? (int)(slash + 1 - path) : 0;
        path = reckon_text(r, "%.*s%.*s", folder, path, (int)n, link);
    }
    errno = ELOOP;
    return NULL;
}

/* Creates the temporary beside the target; on the list first, so that a signal never misses it. */
static int create_temporary(struct reckon_writer *w, mode_t mode) {
    static atomic_uint made;
    const char *slash = strrchr(w->target, '/');
    int folder = slash ? (int)(slash + 1 - w->target) : 0;
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
        const char *name = reckon_text(w->r, "%.*s.reckon-%ld-%u", folder, w->target, (long)getpid(),
                                       atomic_fetch_add(&made, 1));
        if (!note_temporary(name))
            return -1;
        w->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (w->fd >= 0) {
            w->temporary = name;
            return 0;
        }
        int error = errno;
        exchange_temporary(name, NULL);
        errno = error;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* Opens the target as its kind wants. 0, or -1 with errno. */
static int open_target(struct reckon_writer *w) {
    struct stat old;
    bool exists = stat(w->path, &old) == 0;
    if (!exists && errno != ENOENT)
        return -1;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (exists && !S_ISREG(old.st_mode)) {
        w->fd = open(w->path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
        return w->fd < 0 ? -1 : 0;
    }
    w->target = write_target(w->r, w->path);
    if (!w->target)
        return -1;
    if (!exists)
        return create_temporary(w, 0666); /* the umask does the rest */
    return create_temporary(w, 0600) < 0 ? -1 : fchmod(w->fd, old.st_mode & 0777);
}

static bool is_stdout(const struct reckon_writer *w) {
    return !w->path;
}

/* Lets go of everything; the temporary is removed unless it was put in place. */
static void release(struct reckon_writer *w) {
    if (w->temporary) {
        unlink(w->temporary);
        exchange_temporary(w->temporary, NULL);
    }
    if (w->fd >= 0 && !is_stdout(w))
        close(w->fd);
    free(w->data);
    free(w);
}

static int refuse(const struct reckon_writer *w, int error) {
    return reckon_error(w->r, is_stdout(w) ? "standard output" : w->path, 0, "cannot be written: %s",
                        strerror(error));
}

struct reckon_writer *reckon_create(struct reckon *r, const char *path) {
    struct reckon_writer *w = reckon_resize(NULL, 1, sizeof *w);
    *w = (struct reckon_writer){.r = r, .fd = STDOUT_FILENO};
    if (path && strcmp(path, "-") != 0) {
        w->fd = -1;
        w->path = reckon_strdup(r, path);
        if (open_target(w) < 0) {
            refuse(w, errno);
            release(w);
            return NULL;
        }
    }
    w->terminal = isatty(w->fd) == 1;
    w->data = reckon_resize(NULL, BUFFER, 1);
    return w;
}

/* ---- writing ---- */

static ssize_t write_some(int fd, const char *data, size_t n) {
    for (;;) {
        ssize_t put = write(fd, data, n);
        if (put >= 0 || (errno != EINTR && errno != EAGAIN))
            return put;
        if (errno == EAGAIN) /* somebody made our terminal or pipe non-blocking */
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
    }
}

static void write_all(struct reckon_writer *w, const char *data, size_t n) {
    while (n && !w->error) {
        ssize_t put = write_some(w->fd, data, n);
        if (put < 0) {
            w->error = errno;
        } else {
            data += put;
            n -= (size_t)put;
        }
    }
}

static void flush(struct reckon_writer *w) {
    write_all(w, w->data, w->used);
    w->used = 0;
}

/* Room for n more bytes (n <= BUFFER), to be filled and added to w->used. */
static char *room_for(struct reckon_writer *w, size_t n) {
    if (BUFFER - w->used < n)
        flush(w);
    return w->data + w->used;
}

int reckon_commit(struct reckon_writer *w) {
    flush(w);
    if (!is_stdout(w)) {
        int closed = close(w->fd); /* a quota may only speak up here */
        w->fd = -1;
        if (closed < 0 && !w->error)
            w->error = errno;
        if (!w->error && w->temporary && rename(w->temporary, w->target) < 0)
            w->error = errno;
    }
    /* A closed pipe is a reader that has had enough: nothing to say. */
    int status = w->error && !(is_stdout(w) && w->error == EPIPE) ? refuse(w, w->error) : 0;
    release(w);
    return status;
}

void reckon_abandon(struct reckon_writer *w) {
    if (w)
        release(w);
}

bool reckon_write_failed(const struct reckon_writer *w) {
    return w->error != 0;
}

void reckon_put_bytes(struct reckon_writer *w, const void *data, size_t n) {
    if (n <= BUFFER) {
        memcpy(room_for(w, n), data, n);
        w->used += n;
    } else {
        flush(w);
        write_all(w, data, n);
    }
}

void reckon_put(struct reckon_writer *w, const char *text) {
    reckon_put_bytes(w, text, strlen(text));
}

void reckon_printf(struct reckon_writer *w, const char *fmt, ...) {
    char text[512], *longer = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0) {
        w->error = w->error ? w->error : errno;
        return;
    }
    if ((size_t)n >= sizeof text) {
        longer = reckon_resize(NULL, (size_t)n + 1, 1);
        va_start(ap, fmt);
        vsnprintf(longer, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    reckon_put_bytes(w, longer ? longer : text, (size_t)n);
    free(longer);
}

void reckon_put_number(struct reckon_writer *w, double x) {
    if (isfinite(x))
        w->used += strlen(reckon_number_text(x, room_for(w, RECKON_NUMBER_SIZE)));
}

void reckon_put_fixed(struct reckon_writer *w, double x, int decimals) {
    if (isfinite(x))
        w->used += number_fixed(x, decimals, room_for(w, FIXED_SIZE));
}

void reckon_put_cell(struct reckon_writer *w, const char *text) {
    if (w->terminal)
        text = reckon_printable(w->r, text);
    if (!text[strcspn(text, ",\"\r\n")]) {
        reckon_put(w, text);
        return;
    }
    reckon_put(w, "\"");
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        reckon_put_bytes(w, text, (size_t)(quote - text));
        reckon_put(w, "\"\"");
    }
    reckon_put(w, text);
    reckon_put(w, "\"");
}

/* What JSON wants in the place of a control byte, quote or backslash. */
static const char *json_escape(unsigned char c, char *buf) {
    static const char hex[] = "0123456789abcdef", named[] = "\b\f\n\r\t\"\\", letters[] = "bfnrt\"\\";
    const char *at = memchr(named, c, sizeof named - 1);
    if (at)
        memcpy(buf, (char[]){'\\', letters[at - named], '\0'}, 3);
    else
        memcpy(buf, (char[]){'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15], '\0'}, 7);
    return buf;
}

/* How many bytes at s pass into a JSON string as they are. */
static size_t json_plain(const char *s) {
    size_t n = 0;
    for (;;) {
        unsigned char c = (unsigned char)s[n];
        if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
            return n;
        n++;
    }
}

/* Writes the first character of s, which is no plain one: as it is, or escaped. Its length. */
static size_t put_json_character(struct reckon_writer *w, const char *s) {
    char buf[8];
    uint32_t code;
    unsigned char byte = (unsigned char)*s;
    size_t n = byte < 0x80 ? 0 : utf8_next(s, &code);
    if (n && is_control(code))
        reckon_printf(w, "\\u%04x", code);
    else if (n)
        reckon_put_bytes(w, s, n);
    else if (byte < 0x80)
        reckon_put(w, json_escape(byte, buf));
    else
        reckon_printf(w, "\\\\x%02x", byte);
    return n ? n : 1;
}

void reckon_put_json(struct reckon_writer *w, const char *text) {
    reckon_put(w, "\"");
    while (*text) {
        size_t n = json_plain(text);
        if (n)
            reckon_put_bytes(w, text, n);
        else
            n = put_json_character(w, text);
        text += n;
    }
    reckon_put(w, "\"");
}

void reckon_put_json_value(struct reckon_writer *w, const char *json) {
    while (w->terminal && *json) {
        size_t plain = 0;
        while (json[plain] && (unsigned char)json[plain] < 0x7f)
            plain++;
        reckon_put_bytes(w, json, plain);
        json += plain;
        if (*json)
            json += put_json_character(w, json);
    }
    reckon_put(w, json);
}

/* ---- where it ends ---- */

const char *reckon_shown(const struct reckon_writer *w, const char *s) {
    return w->terminal ? reckon_printable(w->r, s) : reckon_utf8(w->r, s);
}

bool reckon_to_terminal(const struct reckon_writer *w) {
    return w->terminal;
}

bool reckon_wants_colour(const struct reckon_writer *w) {
    const char *refused = getenv("NO_COLOR"), *term = getenv("TERM");
    return reckon_to_terminal(w) && !(refused && *refused) && !(term && !strcmp(term, "dumb")) &&
           !reckon_option_given(w->r, "no-color");
}

size_t reckon_terminal_width(const struct reckon_writer *w) {
    struct winsize size;
    return ioctl(w->fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

bool reckon_wants_unicode(const struct reckon_writer *w) {
    (void)w;
    return !strcmp(nl_langinfo(CODESET), "UTF-8");
}
