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
    struct pinglist *list;
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

static int row(void *user, const struct reckon_row *row) {
    struct reading *x = user;
    struct ping p = {.list = list_named(reckon_cell(row, 0)), .rate = reckon_cell_number(row, 4)};
    if (p.list == PING_LISTS || !tuple_parse(&p.tuple, reckon_cell(row, 3)) ||
        !(p.rate > 0 || (p.list == PING_SERVICE && reckon_blank(p.rate)))) {
        x->list->odd++;
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
    struct reading x = {list};
    struct reckon_table table = {.size = sizeof table, .columns = columns, .row = row, .user = &x};
    list->owned = true;
    struct reckon_input *in = reckon_open(r, path);
    int rc = in ? reckon_read_table(r, in, &table, NULL) : -1;
    reckon_close(in);
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
