/* SPDX-License-Identifier: Apache-2.0
 *
 * What a reader of the report must know of how the samples became a run: clocks that are wrong, files and
 * flows left out, timestamps of the wrong unit, hosts that report twice, change their packet size or differ
 * in case alone.
 */
#include <stdlib.h>
#include <string.h>

#include "assemble.h"

#define NOTES_MOST 20 /* of one sort; the rest is one more */
#define NAMES_MOST 6  /* in one note */

/* ---- a list of names: "a1, b2 and 3 more" ---- */

struct list {
    struct reckon *r;
    const char *text;
    size_t count;
};

static void list_add(struct list *l, const char *name) {
    if (l->count++ < NAMES_MOST)
        l->text = l->text ? reckon_text(l->r, "%s, %s", l->text, name) : name;
}

static const char *list_text(const struct list *l) {
    if (l->count <= NAMES_MOST)
        return l->text ? l->text : "nobody";
    return reckon_text(l->r, "%s and %zu more", l->text, l->count - NAMES_MOST);
}

/* ---- files ---- */

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The hosts that report in a file. */
static const char *hosts_of(const struct assembly *a, size_t file) {
    uint32_t names = a->names->hosts.count;
    bool *seen = reckon_resize(NULL, names + 1u, sizeof *seen);
    const char **host = reckon_resize(NULL, names + 1u, sizeof *host);
    struct list list = {.r = a->r};
    struct sample_cursor c;
    size_t n = 0;
    memset(seen, 0, (names + 1u) * sizeof *seen);
    for (cursor_start(&c, a->sinks[file]); cursor_next(&c);)
        if (c.record.kind != RECKON_SAMPLE_PEER && !seen[c.record.host]) {
            seen[c.record.host] = true;
            host[n++] = a->names->hosts.text[c.record.host];
        }
    qsort(host, n, sizeof *host, by_text);
    for (size_t i = 0; i < n; i++)
        list_add(&list, i < NAMES_MOST ? reckon_strdup(a->r, host[i]) : "");
    free(seen);
    free(host);
    return list_text(&list);
}

static const char *seconds_text(struct reckon *r, double s) {
    return reckon_fixed(r, s, s < 10 ? 1 : 0);
}

static void note_ahead(const struct assembly *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->nsinks; i++)
        if (a->files[i].ahead > 0 && ++n <= NOTES_MOST)
            reckon_note(a->r,
                        "the clock of %s is %s s ahead of the others (%s): it does not set the end of the "
                        "run, and its "
                        "own window ends with its own newest row",
                        hosts_of(a, i), seconds_text(a->r, a->files[i].ahead), a->sinks[i]->path);
    if (n > NOTES_MOST)
        reckon_note(a->r, "the clocks of %zu more files are ahead as well", n - NOTES_MOST);
}

static void note_left_out(const struct assembly *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->nsinks; i++)
        if (a->sinks[i]->count && !a->files[i].kept && ++n <= NOTES_MOST)
            reckon_note(a->r, "%s is left out: its report stopped %s s before the end (%s)", hosts_of(a, i),
                        seconds_text(a->r, a->c->window_end - a->sinks[i]->newest), a->sinks[i]->path);
    if (n > NOTES_MOST)
        reckon_note(a->r, "%zu more files without a row in the window are left out", n - NOTES_MOST);
}

static void note_unit(const struct assembly *a) {
    const struct reckon_sink *worst = NULL;
    double per_second;
    size_t n = 0;
    for (size_t i = 0; i < a->nsinks; i++)
        if (reckon_time_unit(a->sinks[i]->newest, NULL)) {
            n++;
            if (!worst || a->sinks[i]->newest > worst->newest)
                worst = a->sinks[i];
        }
    if (!n)
        return;
    const char *unit = reckon_time_unit(worst->newest, &per_second);
    reckon_note(a->r,
                "the timestamps of %s look like %s (%.0f in %s): they are read as seconds, so that every "
                "span of time, "
                "the window included, is taken %.0f times too short",
                reckon_count(a->r, n, "file"), unit, worst->newest, worst->path, per_second);
}

void note_files(struct assembly *a) {
    note_ahead(a);
    note_left_out(a);
    note_unit(a);
}

/* ---- hosts ---- */

static void note_reports(const struct assembly *a) {
    struct list l = {.r = a->r};
    for (uint32_t h = 0; h < a->c->nhosts; h++)
        if (a->reports[h] > 1)
            list_add(&l, reckon_text(a->r, "%s in %u", a->c->hosts[h].name, a->reports[h]));
    if (l.count)
        reckon_note(a->r, "%s reported in more than one file: their rows are taken together (%s)",
                    reckon_count(a->r, l.count, "host"), list_text(&l));
}

static void note_resized(const struct assembly *a) {
    struct list l = {.r = a->r};
    for (uint32_t h = 0; h < a->c->nhosts; h++)
        if (a->resized[h])
            list_add(&l, a->c->hosts[h].name);
    if (l.count)
        reckon_note(
            a->r,
            "%s changed the packet size within the window, whose rates are averaged over both: the last "
            "size counts (%s)",
            reckon_count(a->r, l.count, "host"), list_text(&l));
}

static void fold_case(char *name) {
    for (; *name; name++)
        if (*name >= 'A' && *name <= 'Z')
            *name = (char)(*name - 'A' + 'a');
}

/* Names that differ in case alone are two hosts to reckon, and most likely one to whoever wrote them. */
static void note_alike(const struct assembly *a) {
    const struct reckon_comparison *c = a->c;
    struct names folded = {0};
    uint32_t *first = reckon_resize(NULL, c->nhosts + 1u, sizeof *first);
    struct list l = {.r = a->r};
    for (uint32_t h = 0; h < c->nhosts; h++) {
        size_t length = strlen(c->hosts[h].name);
        char *name = reckon_resize(NULL, length + 1, 1);
        memcpy(name, c->hosts[h].name, length + 1);
        fold_case(name);
        uint32_t known = folded.count, number = names_add(&folded, name, length);
        free(name);
        if (number == known)
            first[number] = h;
        else
            list_add(&l, reckon_text(a->r, "%s and %s", c->hosts[first[number]].name, c->hosts[h].name));
    }
    names_free(&folded);
    free(first);
    if (l.count)
        reckon_note(a->r, "hosts whose names differ in case alone are taken as different ones: %s",
                    list_text(&l));
}

void note_hosts(struct assembly *a) {
    if (a->sizeless)
        reckon_note(a->r, "%s left out: the packet size is unknown", reckon_count(a->r, a->sizeless, "flow"));
    note_resized(a);
    note_reports(a);
    note_alike(a);
}
