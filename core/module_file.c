/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a module's file may be loaded at all: code that somebody else can change must never run with the
 * user's rights. And the folders that a build tree's marker names.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build.h"
#include "module_file.h"

static const char *program_path(char *buf, size_t size) {
    ssize_t n = readlink("/proc/self/exe", buf, size - 1);
    if (n <= 0)
        return NULL;
    buf[n] = '\0';
    return buf;
}

static const char *program_folder(struct reckon *r) {
    char buf[PATH_MAX];
    const char *path = program_path(buf, sizeof buf);
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? reckon_strndup(r, path, (size_t)(slash - path)) : NULL;
}

/* Root, the user, and whoever owns the program itself are trusted. */
static bool trusted_owner(uid_t uid) {
    char buf[PATH_MAX];
    struct stat program;
    if (uid == 0 || uid == geteuid())
        return true;
    return program_path(buf, sizeof buf) && !stat(buf, &program) && program.st_uid == uid;
}

static const char *unsafe(struct reckon *r, const struct stat *st, const char *path, const char *what) {
    if (!trusted_owner(st->st_uid))
        return reckon_text(r, "%s belongs to user %lu, not to you, root or reckon's owner; chown it", what,
                           (unsigned long)st->st_uid);
    if (st->st_mode & (S_IWGRP | S_IWOTH))
        return reckon_text(r, "others than its owner may write to %s; chmod go-w %s", what,
                           reckon_printable(r, path));
    return NULL;
}

const char *unsafe_folder(struct reckon *r, const char *folder) {
    struct stat st;
    if (stat(folder, &st))
        return reckon_text(r, "its folder cannot be looked at: %s", strerror(errno));
    return unsafe(r, &st, folder, "its folder");
}

/* Where a link leads decides, not where it lies. */
static const char *unsafe_target(struct reckon *r, const char *file) {
    char real[PATH_MAX];
    struct stat st;
    if (!realpath(file, real) || stat(real, &st))
        return reckon_text(r, "cannot be opened: %s", strerror(errno));
    const char *why = unsafe(r, &st, real, "the file");
    if (why)
        return why;
    char *slash = strrchr(real, '/');
    *(slash == real ? slash + 1 : slash) = '\0';
    return unsafe_folder(r, real);
}

const char *unsafe_file(struct reckon *r, const char *file) {
    struct stat st;
    if (lstat(file, &st))
        return reckon_text(r, "cannot be opened: %s", strerror(errno));
    return S_ISLNK(st.st_mode) ? unsafe_target(r, file) : unsafe(r, &st, file, "the file");
}

/* A line of the marker: USE FOLDER, the folder relative to the program's or absolute. */
const char *marked_folder(struct reckon *r, const char *use, size_t i) {
    const char *dir = program_folder(r), *found = NULL;
    FILE *marker = dir ? fopen(reckon_text(r, "%s/" BUILD_MARKER, dir), "r") : NULL;
    char line[PATH_MAX + 32];
    size_t n = strlen(use);
    if (dir && !marker && errno == ENOMEM)
        out_of_memory();
    while (marker && !found && fgets(line, sizeof line, marker)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, use, n) || line[n] != ' ' || i--)
            continue;
        const char *folder = line + n + 1;
        found = *folder == '/' ? reckon_strdup(r, folder) : reckon_text(r, "%s/%s", dir, folder);
    }
    if (marker)
        fclose(marker);
    return found;
}

/* An installed tree may have been moved, or staged for a package. */
const char *installed_folder(struct reckon *r, const char *from_program, const char *otherwise) {
    char real[PATH_MAX];
    const char *dir = program_folder(r);
    if (!dir || !realpath(reckon_text(r, "%s/%s", dir, from_program), real))
        return otherwise;
    return reckon_strdup(r, real);
}

const char *samples_folder(struct reckon *r) {
    const char *dir = marked_folder(r, "samples", 0);
    return dir ? dir : installed_folder(r, SAMPLES_FROM_BIN, PKGDATADIR "/samples");
}
