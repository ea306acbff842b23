/* SPDX-License-Identifier: Apache-2.0
 *
 * Faults on demand, to be loaded before the C library: FAULT=WHAT:N:HOW makes the N-th call of WHAT go wrong.
 *
 *   WHAT  alloc, open, read, write, rename, close, chmod
 *   HOW   an errno by number, e.g. 28: it fails with that; "short": a read or write moves one byte, this time
 * and ever after; "signal:2": it succeeds, after the process was sent that signal
 *
 * The file named by FAULT_FIRED comes into being when it happened.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);

enum what { ALLOC, OPEN, READ, WRITE, RENAME, CLOSE, CHMOD, NOTHING };
static const char *const words[] = {"alloc", "open", "read", "write", "rename", "close", "chmod"};

static enum what what = NOTHING;
static long nth;
static int error, sig;
static bool shorten;
static atomic_long calls;

__attribute__((constructor)) static void set_up(void) {
    const char *fault = getenv("FAULT"), *at = fault ? strchr(fault, ':') : NULL;
    if (!at)
        return;
    nth = strtol(at + 1, NULL, 10);
    const char *how = strchr(at + 1, ':') + 1;
    shorten = !strcmp(how, "short");
    if (!strncmp(how, "signal:", 7))
        sig = atoi(how + 7);
    else
        error = atoi(how);
    for (int i = 0; i < NOTHING; i++)
        if (strlen(words[i]) == (size_t)(at - fault) && !strncmp(words[i], fault, (size_t)(at - fault)))
            what = (enum what)i;
}

static void say_fired(void) {
    const char *path = getenv("FAULT_FIRED");
    long fd = path ? syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, 0600) : -1;
    if (fd >= 0)
        syscall(SYS_close, fd);
}

/* Whether this call fails; errno is set. */
static bool fails(enum what call) {
    if (call != what || shorten)
        return false;
    if (atomic_fetch_add(&calls, 1) + 1 != nth)
        return false;
    say_fired();
    if (sig)
        kill(getpid(), sig);
    errno = error;
    return error != 0;
}

static size_t moved(enum what call, size_t n) {
    if (call != what || !shorten || atomic_fetch_add(&calls, 1) + 1 < nth)
        return n;
    say_fired();
    return n ? 1 : 0;
}

void *malloc(size_t n) {
    return fails(ALLOC) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size) {
    return fails(ALLOC) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n) {
    return fails(ALLOC) ? NULL : __libc_realloc(p, n);
}

int open(const char *path, int flags, ...) {
    va_list ap;
    va_start(ap, flags);
    mode_t mode = (flags & O_CREAT) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return fails(OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t read(int fd, void *buf, size_t n) {
    return fails(READ) ? -1 : syscall(SYS_read, fd, buf, moved(READ, n));
}

ssize_t write(int fd, const void *buf, size_t n) {
    return fails(WRITE) ? -1 : syscall(SYS_write, fd, buf, moved(WRITE, n));
}

int rename(const char *from, const char *to) {
    return fails(RENAME) ? -1 : (int)syscall(SYS_rename, from, to);
}

int close(int fd) {
    bool failed = fails(CLOSE);
    int reason = errno, rc = (int)syscall(SYS_close, fd); /* a descriptor is gone even when close fails */
    if (failed)
        errno = reason;
    return failed ? -1 : rc;
}

int fchmod(int fd, mode_t mode) {
    return fails(CHMOD) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}
