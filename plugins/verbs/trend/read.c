/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a history: each file into a history of its own, in parallel, then joined in the order of the files.
 * What the index of a directory already knows is not read again.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "index.h"

/* How many files are held apart before they are joined. */
#define BATCH 64

struct source {
    const char *path;
    struct trend_indexed *indexed; /* NULL: not of a directory */
    struct trend_history history;
};

/* A directory and those of its files that can be indexed. */
struct folder {
    struct trend_index index;
    struct trend_indexed *files;
    size_t count;
};

/* Files that have nothing for a trend for the same reason. */
struct left_out {
    const char *first;
    size_t count;
};

struct reading {
    struct reckon *r;
    struct source *sources;
    struct folder *folders;
    size_t nsources, sources_cap, nfolders, folders_cap;
    size_t from; /* where the batch being read begins */
    struct trend_strings reasons;
    struct left_out *left_out; /* by number of the reason */
    size_t left_out_cap;
    /* files whose times are hardly in seconds, and the one with the latest of them */
    size_t finer;
    double latest;
    const char *latest_path;
};

static void add_source(struct reading *all, const char *path, struct trend_indexed *indexed) {
    all->sources = reckon_grow(all->sources, all->nsources, &all->sources_cap, sizeof *all->sources);
    all->sources[all->nsources++] = (struct source){.path = path, .indexed = indexed};
}

static bool is_directory(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static int add_path(struct reading *all, const char *path) {
    const char **files;
    size_t count;
    if (reckon_role_files(all->r, "history", path, &files, &count))
        return -1;
    if (!is_directory(path)) {
        add_source(all, path, NULL);
        return 0;
    }
    all->folders = reckon_grow(all->folders, all->nfolders, &all->folders_cap, sizeof *all->folders);
    struct folder *f = &all->folders[all->nfolders++];
    *f = (struct folder){.files = reckon_resize(NULL, count, sizeof *f->files)};
    trend_index_open(all->r, &f->index, path);
    for (size_t i = 0; i < count; i++) {
        bool usable = trend_index_file(&f->files[f->count], files[i]);
        add_source(all, files[i], usable ? &f->files[f->count++] : NULL);
    }
    return 0;
}

/* ---- one file, one time ---- */

struct place {
    dev_t device;
    ino_t inode;
    size_t source;
};

static int by_place(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    return a->source < b->source ? -1 : 1;
}

/* A file that comes twice counts once: latest.json may be a link to the newest one. */
static void drop_repeated(struct reading *all) {
    struct place *places = reckon_resize(NULL, all->nsources, sizeof *places);
    size_t n = 0, kept = 0;
    struct stat st;
    for (size_t i = 0; i < all->nsources; i++)
        if (stat(all->sources[i].path, &st) == 0 && S_ISREG(st.st_mode))
            places[n++] = (struct place){st.st_dev, st.st_ino, i};
    if (n > 0)
        qsort(places, n, sizeof *places, by_place);
    for (size_t i = 1; i < n; i++)
        if (places[i].device == places[i - 1].device && places[i].inode == places[i - 1].inode)
            all->sources[places[i].source].path = NULL;
    for (size_t i = 0; i < all->nsources; i++)
        if (all->sources[i].path)
            all->sources[kept++] = all->sources[i];
    all->nsources = kept;
    free(places);
}

/* ---- reading ---- */

static int read_one(void *user, size_t i) {
    const struct reading *all = user;
    struct source *s = &all->sources[all->from + i];
    trend_history_init(&s->history);
    s->history.indexed = s->indexed;
    if (reckon_read_role_file(all->r, "history", s->path, &s->history))
        return -1;
    if (s->indexed)
        trend_index_keep(s->indexed, &s->history);
    return 0;
}

static void count_left_out(struct reading *all, const struct source *s) {
    if (!s->history.left_out)
        return;
    uint32_t why = trend_strings_add(&all->reasons, trend_history_text(&s->history, s->history.left_out));
    while (why >= all->left_out_cap) {
        size_t old = all->left_out_cap;
        all->left_out = reckon_grow(all->left_out, old, &all->left_out_cap, sizeof *all->left_out);
        memset(all->left_out + old, 0, (all->left_out_cap - old) * sizeof *all->left_out);
    }
    if (all->left_out[why].count++ == 0)
        all->left_out[why].first = s->path;
}

/* One note for all files of the same reason. */
static void say_left_out(struct reading *all) {
    for (uint32_t i = 1; i < all->reasons.count; i++) {
        const struct left_out *these = &all->left_out[i];
        reckon_note(all->r, "%s %s and was left out%s", reckon_printable(all->r, these->first),
                    trend_strings_at(&all->reasons, i),
                    these->count > 1 ? reckon_text(all->r, ", like %s",
                                                   reckon_count(all->r, these->count - 1, "more file"))
                                     : "");
    }
}

static void look_at_times(struct reading *all, const struct source *s) {
    double latest = RECKON_BLANK;
    for (size_t i = 0; i < s->history.nruns; i++)
        if (reckon_blank(latest) || s->history.runs[i].ts > latest)
            latest = s->history.runs[i].ts;
    if (!reckon_time_unit(latest, NULL))
        return;
    if (!all->finer++ || latest > all->latest) {
        all->latest = latest;
        all->latest_path = s->path;
    }
}

static void say_times(const struct reading *all) {
    double per_second;
    if (!all->finer)
        return;
    const char *unit = reckon_time_unit(all->latest, &per_second);
    reckon_note(
        all->r,
        "the timestamps of %s look like %s (%.0f in %s): they are read as seconds, so that every date is "
        "wrong and every span of time is taken %.0f times too long",
        reckon_count(all->r, all->finer, "file"), unit, all->latest,
        reckon_printable(all->r, all->latest_path), per_second);
}

static int read_batch(struct reading *all, size_t n, struct trend_history *h) {
    int rc = reckon_parallel(all->r, n, read_one, all);
    for (size_t i = all->from; i < all->from + n; i++) {
        if (!rc) {
            count_left_out(all, &all->sources[i]);
            look_at_times(all, &all->sources[i]);
            trend_history_join(h, &all->sources[i].history);
        }
        trend_history_free(&all->sources[i].history);
    }
    return rc;
}

static int read_all(struct reading *all, struct trend_history *h) {
    for (size_t i = 0; i < all->nfolders; i++) /* the folders no longer move */
        for (size_t k = 0; k < all->folders[i].count; k++)
            all->folders[i].files[k].index = &all->folders[i].index;
    for (size_t n; all->from < all->nsources; all->from += n) {
        n = all->nsources - all->from < BATCH ? all->nsources - all->from : BATCH;
        reckon_progress(all->r, "reading", (double)all->from / (double)all->nsources);
        if (read_batch(all, n, h))
            return -1;
    }
    return 0;
}

int trend_read(struct reckon *r, const char *const *paths, size_t count, struct trend_history *h) {
    struct reading all = {.r = r};
    int rc = 0;
    for (size_t i = 0; i < count && !rc; i++)
        rc = add_path(&all, paths[i]);
    drop_repeated(&all);
    if (!rc)
        rc = read_all(&all, h);
    if (!rc) {
        say_left_out(&all);
        say_times(&all);
    }
    for (size_t i = 0; i < all.nfolders; i++) {
        struct folder *f = &all.folders[i];
        if (!rc)
            trend_index_write(r, &f->index, f->files, f->count);
        trend_index_free(&f->index, f->files, f->count);
        free(f->files);
    }
    trend_strings_free(&all.reasons);
    free(all.left_out);
    free(all.folders);
    free(all.sources);
    return rc;
}
