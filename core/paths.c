/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of inputs: a directory means its files of the reader's suffix, in byte order of their names.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "paths.h"

static bool ends_with(const char *name, const char *suffix) {
    size_t n = strlen(name), k = strlen(suffix);
    return n > k && !strcmp(name + n - k, suffix);
}

/* A compressed file counts by the name it has without .gz; hidden ones are what editors and copies leave behind. */
static bool wanted(const char *name, const struct strings *suffixes) {
    char plain[256];
    size_t n = strlen(name);
    if (n >= sizeof plain || *name == '.')
        return false;
    memcpy(plain, name, n + 1);
    if (ends_with(plain, ".gz"))
        plain[n - 3] = '\0';
    for (size_t i = 0; i < suffixes->count; i++)
        if (ends_with(plain, suffixes->at[i]))
            return true;
    return false;
}

static int by_bytes(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int directory_files(struct reckon *r, const char *path, const struct strings *suffixes, struct strings *files) {
    DIR *d = opendir(path);
    if (!d)
        return reckon_error(r, path, 0, "cannot be read: %s", strerror(errno));
    size_t first = files->count, n = strlen(path);
    struct stat st;
    const char *slash = n && path[n - 1] == '/' ? "" : "/";
    for (struct dirent *e; (e = readdir(d));)
        if (wanted(e->d_name, suffixes)) {
            const char *file = reckon_text(r, "%s%s%s", path, slash, e->d_name);
            if (!stat(file, &st) ? S_ISREG(st.st_mode) : true) /* one that cannot be looked at is an error later */
                strings_add(files, file);
        }
    closedir(d);
    if (files->count == first)
        return reckon_error(r, path, 0, "the directory holds no *%s file", suffixes->at[0]);
    qsort(files->at + first, files->count - first, sizeof *files->at, by_bytes);
    return 0;
}

int path_files(struct reckon *r, const char *path, const struct strings *suffixes, struct strings *files) {
    struct stat st;
    if (!strcmp(path, "-")) {
        strings_add(files, path);
        return 0;
    }
    if (stat(path, &st))
        return reckon_error(r, path, 0, "cannot be read: %s", strerror(errno));
    if (S_ISDIR(st.st_mode) && suffixes->count)
        return directory_files(r, path, suffixes, files);
    strings_add(files, path);
    return 0;
}
