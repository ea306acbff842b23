/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of before (before.h).
 */
#include "before.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../triage_common/record.h"
#include "../triage_common/tuple.h"

static size_t key_of(char *key, size_t size, const char *tuple, bool back) {
    int n = snprintf(key, size, "%s %s", back ? "ack" : "probe", tuple);
    return (size_t)n < size ? (size_t)n : size - 1;
}

/* Of several rows of a leg the last counts. */
static int row(void *user, const struct reckon_row *row) {
    struct before *b = user;
    char key[TUPLE_TEXT + 8];
    bool back = !strcmp(reckon_cell(row, 1), "ack");
    if ((!back && strcmp(reckon_cell(row, 1), "probe")) || !*reckon_cell(row, 2))
        return 0;
    size_t length = key_of(key, sizeof key, reckon_cell(row, 0), back);
    uint32_t at = strmap_add(&b->legs, key, length, (uint32_t)b->count, NULL);
    if (at == b->count) {
        b->links = reckon_grow(b->links, b->count, &b->cap, sizeof *b->links);
        b->count++;
    }
    b->links[at] = reckon_strdup(b->r, reckon_cell(row, 2));
    return 0;
}

int before_read(struct before *b, struct reckon *r, const char *path) {
    struct stat st;
    struct reckon_table table = {
        .size = sizeof table, .columns = record_columns(RECORD_PATH), .row = row, .user = b};
    *b = (struct before){.r = r};
    strmap_init(&b->legs, r);
    if (!path || stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
        return 0;
    struct reckon_input *in = reckon_open(r, path);
    int rc = in ? reckon_read_table(r, in, &table, NULL) : -1;
    reckon_close(in);
    return rc;
}

const char *before_links(const struct before *b, const char *tuple, bool back) {
    char key[TUPLE_TEXT + 8];
    uint32_t at = strmap_get(&b->legs, key, key_of(key, sizeof key, tuple, back));
    return at == RECKON_NONE ? NULL : b->links[at];
}

void before_free(struct before *b) {
    strmap_free(&b->legs);
    free(b->links);
}
