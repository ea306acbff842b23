/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading probe lists (pinglist.h).
 */
#include "pinglist.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[PING_LISTS] = {"tor-mesh", "inter-tor", "service"};

const char *ping_list_word(enum ping_list list) {
    return words[list];
}

struct reading {
    struct reckon *r;
    const char *path;
    struct pinglist *list;
    size_t odd;          /* rows that make no sense */
    unsigned long where; /* the line of the first of them */
};

/* A missing list column means the job's own tuples. */
static enum ping_list list_named(const char *word) {
    enum ping_list k = PING_TOR_MESH;
    if (!*word)
        return PING_SERVICE;
    while (k < PING_LISTS && strcmp(word, words[k]))
        k++;
    return k;
}

static const char *own(const char *text) {
    size_t n = strlen(text) + 1;
    return memcpy(reckon_resize(NULL, n, 1), text, n);
}

static int header(void *user, const bool *present) {
    const struct reading *x = user;
    return present[3] ? 0
                      : reckon_error(x->r, x->path, 1, "it is no probe list: the header has no column tuple");
}

static int row(void *user, const struct reckon_row *row) {
    struct reading *x = user;
    struct ping p = {.list = list_named(reckon_cell(row, 0)), .rate = reckon_cell_number(row, 4)};
    if (p.list == PING_LISTS || !tuple_parse(&p.tuple, reckon_cell(row, 3)) ||
        !(p.rate > 0 || (p.list == PING_SERVICE && reckon_blank(p.rate)))) {
        x->where = x->odd++ ? x->where : reckon_row_line(row);
        return 0;
    }
    p.prober = own(reckon_cell(row, 1));
    p.target = own(reckon_cell(row, 2));
    x->list->at = reckon_grow(x->list->at, x->list->count, &x->list->cap, sizeof *x->list->at);
    x->list->at[x->list->count++] = p;
    return 0;
}

int pinglist_read(struct reckon *r, const char *path, struct pinglist *list) {
    static const char *const columns[] = {"list", "prober", "target", "tuple", "rate_pps", NULL};
    struct reading x = {.r = r, .path = path, .list = list};
    struct reckon_table table = {
        .size = sizeof table, .columns = columns, .header = header, .row = row, .user = &x};
    size_t before = list->count;
    list->owned = true;
    struct reckon_input *in = reckon_open(r, path);
    int rc = in ? reckon_read_table(r, in, &table, NULL) : -1;
    reckon_close(in);
    if (!rc && x.odd && list->count == before)
        rc =
            reckon_error(r, path, x.where, "no row of it is a probe (list, prober, target, tuple, rate_pps)");
    else if (!rc && x.odd)
        reckon_note(r, "%s: %s left out as malformed (the first: line %lu)", path,
                    reckon_count(r, x.odd, "row"), x.where);
    return rc;
}

void pinglist_free(struct pinglist *list) {
    for (size_t i = 0; list->owned && i < list->count; i++) {
        free((void *)(uintptr_t)list->at[i].prober);
        free((void *)(uintptr_t)list->at[i].target);
    }
    free(list->at);
    *list = (struct pinglist){0};
}
