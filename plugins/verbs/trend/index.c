/* SPDX-License-Identifier: Apache-2.0
 *
 * The file .reckon-index. Layout: a head (what wrote it, how long, a checksum), then one entry a file and
 * view: sizes and times that must still hold, the names, and the history that was read. It is written beside
 * itself and renamed.
 */
#include "index.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "index_body.h"

#define FORMAT 2u
#define LONGEST ((off_t)16 << 30)
#define NATIVE 0x01020304u /* reads otherwise on a machine of another byte order */

struct index_head {
    char magic[16];
    uint32_t format, native;
    char release[16];          /* readers of another release may take other things from a file */
    uint64_t length, checksum; /* of all that follows */
};

/* What must be the same for a file to be the one that was read. */
struct identity {
    int64_t size, written[2], changed[2]; /* seconds, nanoseconds */
    uint64_t inode;
};

struct index_entry {
    const char *name, *view;
    struct identity identity;
    const char *body;
    size_t length;
};

static struct identity identity_of(const struct stat *st) {
    return (struct identity){.size = st->st_size,
                             .written = {st->st_mtim.tv_sec, st->st_mtim.tv_nsec},
                             .changed = {st->st_ctim.tv_sec, st->st_ctim.tv_nsec},
                             .inode = st->st_ino};
}

static bool same_file(const struct identity *a, const struct identity *b) {
    return a->size == b->size && a->inode == b->inode && !memcmp(a->written, b->written, sizeof a->written) &&
           !memcmp(a->changed, b->changed, sizeof a->changed);
}

static uint64_t checksum(const char *bytes, size_t n) {
    uint64_t h = 1469598103934665603u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
    return h;
}

static struct index_head head_of(const char *bytes, size_t n) {
    struct index_head head = {.magic = "reckon-index", .format = FORMAT, .native = NATIVE};
    snprintf(head.release, sizeof head.release, "%s", reckon_version());
    head.length = n;
    head.checksum = checksum(bytes, n);
    return head;
}

/* ---- reading ---- */

/* The whole file, or NULL; its length in *n. Anything may stand there: a pipe is not waited for, and what no
 * index is so long as is not read. */
static char *slurp(const char *path, size_t *n) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct index_buffer b = {0};
    char block[65536];
    struct stat st;
    ssize_t got = -1;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= LONGEST)
        while ((got = read(fd, block, sizeof block)) > 0)
            index_put(&b, block, (size_t)got);
    if (got < 0)
        b.length = 0;
    close(fd);
    *n = b.length;
    if (b.length == 0)
        free(b.at);
    return b.length == 0 ? NULL : b.at;
}

/* By name, then view: an entry goes before `name`, `view` (negative), is it (0), or goes after. */
static int order(const struct index_entry *e, const char *name, const char *view) {
    int by = strcmp(e->name, name);
    return by ? by : strcmp(e->view, view);
}

static bool read_entries(struct trend_index *index, struct index_cursor *c) {
    while (c->at < c->end) {
        struct index_entry e;
        uint64_t length;
        index_get(c, &length, sizeof length);
        index_get(c, &e.identity, sizeof e.identity);
        e.name = index_get_text(c);
        e.view = index_get_text(c);
        if (c->bad || length > (uint64_t)(c->end - c->at))
            return false;
        e.body = c->at;
        e.length = (size_t)length;
        c->at += length;
        if (index->count > 0 && order(&index->entries[index->count - 1], e.name, e.view) >= 0)
            return false;
        index->entries = reckon_grow(index->entries, index->count, &index->cap, sizeof *index->entries);
        index->entries[index->count++] = e;
    }
    return true;
}

/* 1: usable, 0: of another release or machine, -1: damaged. */
static int read_index(struct trend_index *index, size_t n) {
    struct index_head head, mine = head_of(NULL, 0);
    if (n < sizeof head)
        return -1;
    memcpy(&head, index->bytes, sizeof head);
    if (memcmp(head.magic, mine.magic, sizeof head.magic))
        return -1;
    if (head.format != FORMAT || head.native != NATIVE ||
        memcmp(head.release, mine.release, sizeof head.release))
        return 0;
    const char *rest = index->bytes + sizeof head;
    if (head.length != n - sizeof head || head.checksum != checksum(rest, n - sizeof head))
        return -1;
    struct index_cursor c = {.at = rest, .end = index->bytes + n};
    return read_entries(index, &c) ? 1 : -1;
}

void trend_index_open(struct reckon *r, struct trend_index *index, const char *directory) {
    size_t n = strlen(directory), length;
    *index = (struct trend_index){
        .path = reckon_text(r, "%s%s.reckon-index", directory, n > 0 && directory[n - 1] == '/' ? "" : "/")};
    index->bytes = slurp(index->path, &length);
    int usable = index->bytes ? read_index(index, length) : 0;
    if (usable < 0)
        reckon_note(r, "%s is damaged: every file was read anew and it is written again",
                    reckon_printable(r, index->path));
    if (usable <= 0)
        index->count = 0;
}

static const struct index_entry *find(const struct trend_index *index, const char *name, const char *view) {
    size_t from = 0, to = index->count;
    while (from < to) {
        size_t mid = from + (to - from) / 2;
        int by = order(&index->entries[mid], name, view);
        if (by == 0)
            return &index->entries[mid];
        if (by < 0)
            from = mid + 1;
        else
            to = mid;
    }
    return NULL;
}

bool trend_index_file(struct trend_indexed *file, const char *path) {
    const char *slash = strrchr(path, '/');
    *file = (struct trend_indexed){.name = slash ? slash + 1 : path};
    return stat(path, &file->stat) == 0 && S_ISREG(file->stat.st_mode);
}

bool trend_index_take(struct trend_indexed *file, const char *view, struct trend_history *h) {
    const struct index_entry *e = find(file->index, file->name, view);
    struct identity now = identity_of(&file->stat);
    free(file->view);
    file->view = strdup(view);
    if (!e || !same_file(&e->identity, &now))
        return false;
    struct index_cursor c = {.at = e->body, .end = e->body + e->length};
    file->taken = index_get_history(&c, h);
    if (!file->taken)
        trend_history_free(h);
    return file->taken;
}

/* ---- writing ---- */

void trend_index_keep(struct trend_indexed *file, const struct trend_history *h) {
    struct index_buffer b = {0};
    if (!file->view || file->taken)
        return;
    index_put_history(&b, h);
    file->body = b.at;
    file->length = b.length;
}

static void put_entry(struct index_buffer *b, const struct index_entry *e) {
    uint64_t length = e->length;
    index_put(b, &length, sizeof length);
    index_put(b, &e->identity, sizeof e->identity);
    index_put(b, e->name, strlen(e->name) + 1);
    index_put(b, e->view, strlen(e->view) + 1);
    index_put(b, e->body, e->length);
}

/* Puts what the next index holds of one file: its old entries that are still right, and the new one in its
 * place. Returns how many old ones were kept. */
static size_t put_file(struct index_buffer *b, const struct trend_index *index, size_t *at,
                       const struct trend_indexed *file) {
    struct index_entry new = {file->name, file->view, identity_of(&file->stat), file->body, file->length};
    bool pending = file->body != NULL;
    size_t kept = 0;
    while (*at < index->count && strcmp(index->entries[*at].name, file->name) < 0)
        (*at)++; /* of files that are gone */
    for (; *at < index->count && !strcmp(index->entries[*at].name, file->name); (*at)++) {
        const struct index_entry *old = &index->entries[*at];
        int by = pending ? strcmp(old->view, new.view) : -1;
        if (by >= 0) {
            put_entry(b, &new);
            pending = false;
        }
        if (by == 0 || !same_file(&old->identity, &new.identity))
            continue;
        put_entry(b, old);
        kept++;
    }
    if (pending)
        put_entry(b, &new);
    return kept;
}

static bool write_bytes(int fd, const void *bytes, size_t n) {
    for (ssize_t got; n > 0; n -= (size_t)got, bytes = (const char *)bytes + got)
        if ((got = write(fd, bytes, n)) <= 0)
            return false;
    return true;
}

/* Writes head and rest to a temporary and renames it; nothing happens where that cannot be done. The signals
 * that end the program wait meanwhile, so that no temporary stays. */
static void write_file(struct reckon *r, const char *path, const struct index_buffer *b) {
    struct index_head head = head_of(b->at, b->length);
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now); /* in containers every process may have the same number */
    const char *temporary = reckon_text(r, "%s.%ld.%ld", path, (long)getpid(), now.tv_nsec);
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        bool whole = write_bytes(fd, &head, sizeof head) && write_bytes(fd, b->at, b->length);
        if (close(fd) || !whole || rename(temporary, path))
            unlink(temporary);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void trend_index_write(struct reckon *r, const struct trend_index *index, const struct trend_indexed *files,
                       size_t count) {
    struct index_buffer b = {0};
    size_t at = 0, kept = 0;
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        changed = changed || files[i].body;
        kept += put_file(&b, index, &at, &files[i]);
    }
    if (changed || kept < index->count)
        write_file(r, index->path, &b);
    free(b.at);
}

void trend_index_free(struct trend_index *index, struct trend_indexed *files, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(files[i].view);
        free(files[i].body);
    }
    free(index->entries);
    free(index->bytes);
}
