/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of inputs: a directory means its files of the reader's suffix, in byte order of their names. A file
 * counts once, by whatever names it is given.
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

/* A compressed file counts by the name it has without .gz; hidden ones are what editors and copies leave
 * behind. */
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

/* "*.json or *.csv": what would have been read, each once. */
static const char *suffixes_text(struct reckon *r, const struct strings *suffixes) {
    const char *text = "";
    for (size_t i = 0; i < suffixes->count; i++) {
        size_t k = 0;
        while (strcmp(suffixes->at[k], suffixes->at[i]))
            k++;
        if (k == i)
            text = reckon_text(r, "%s%s*%s", text, *text ? " or " : "", suffixes->at[i]);
    }
    return text;
}

/* `gzip -k` leaves NAME beside NAME.gz, which says the same once more. The files from `first` on are in
 * order, so that NAME is among those that were kept. */
static void drop_packed_copies(struct reckon *r, struct strings *files, size_t first) {
    size_t kept = first, left = 0;
    const char *one = NULL;
    for (size_t i = first; i < files->count; i++) {
        const char *file = files->at[i];
        const char *plain = ends_with(file, ".gz") ? reckon_strndup(r, file, strlen(file) - 3) : NULL;
        if (!plain || !bsearch(&plain, files->at + first, kept - first, sizeof *files->at, by_bytes))
            files->at[kept++] = file;
        else if (!left++)
            one = file;
    }
    if (left)
        reckon_note(r, "%s is left out%s: the same file is there uncompressed", reckon_printable(r, one),
                    left > 1 ? reckon_text(r, " with %zu more", left - 1) : "");
    files->count = kept;
}

static int directory_files(struct reckon *r, const char *path, const struct strings *suffixes,
                           struct strings *files) {
    DIR *d = opendir(path);
    if (!d)
        return reckon_error(r, path, 0, "cannot be read: %s", strerror(errno));
    size_t first = files->count, n = strlen(path);
    struct stat st;
    const char *slash = n && path[n - 1] == '/' ? "" : "/";
    for (struct dirent *e; (e = readdir(d));)
        if (wanted(e->d_name, suffixes)) {
            const char *file = reckon_text(r, "%s%s%s", path, slash, e->d_name);
            if (!stat(file, &st) ? S_ISREG(st.st_mode)
                                 : true) /* one that cannot be looked at is an error later */
                strings_add(files, file);
        }
    closedir(d);
    if (files->count == first)
        return reckon_error(r, path, 0, "the directory holds no %s file", suffixes_text(r, suffixes));
    qsort(files->at + first, files->count - first, sizeof *files->at, by_bytes);
    drop_packed_copies(r, files, first);
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

/* ---- a file that comes twice counts once: what it says would be added up ---- */

struct place {
    dev_t dev;
    ino_t ino;
    size_t at; /* in the list of files */
};

static int by_place(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->dev != y->dev)
        return x->dev < y->dev ? -1 : 1;
    if (x->ino != y->ino)
        return x->ino < y->ino ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Where the regular files are, in order; what else there is (a pipe, standard input) gives other bytes each
 * time. */
static size_t places_of(const struct strings *files, struct place *places) {
    struct stat st;
    size_t n = 0;
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->at[i], "-") && !stat(files->at[i], &st) && S_ISREG(st.st_mode))
            places[n++] = (struct place){st.st_dev, st.st_ino, i};
    qsort(places, n, sizeof *places, by_place);
    return n;
}

static void note_twice(struct reckon *r, const char *path, size_t twice) {
    if (twice == 1)
        reckon_note(r, "%s is given twice: it counts once", reckon_printable(r, path));
    else
        reckon_note(r, "%zu files are given twice (%s is the first): each counts once", twice,
                    reckon_printable(r, path));
}

/* Takes repeats out of the list, keeping its order. */
static void drop_repeats(struct reckon *r, struct strings *files, uint32_t *from) {
    struct place *places = reckon_resize(NULL, files->count + 1, sizeof *places);
    bool *repeat = reckon_alloc(r, files->count + 1);
    size_t n = places_of(files, places), kept = 0;
    const char *first = NULL;
    for (size_t i = 1; i < n; i++)
        repeat[places[i].at] = places[i].dev == places[i - 1].dev && places[i].ino == places[i - 1].ino;
    for (size_t i = 0; i < files->count; i++) {
        if (repeat[i]) {
            first = first ? first : files->at[i];
            continue;
        }
        from[kept] = from[i];
        files->at[kept++] = files->at[i];
    }
    if (first)
        note_twice(r, first, files->count - kept);
    files->count = kept;
    free(places);
}

int paths_files(struct reckon *r, const char *const *paths, size_t count, const struct strings *suffixes,
                struct strings *files, uint32_t **from) {
    uint32_t *path_of = reckon_resize(NULL, 1, sizeof *path_of);
    for (size_t i = 0, n = 0; i < count; i++) {
        if (path_files(r, paths[i], suffixes, files)) {
            free(path_of);
            return -1;
        }
        path_of = reckon_resize(path_of, files->count + 1, sizeof *path_of);
        for (; n < files->count; n++)
            path_of[n] = (uint32_t)i;
    }
    if (files->count > 1)
        drop_repeats(r, files, path_of);
    if (from)
        *from = path_of;
    else
        free(path_of);
    return 0;
}
