/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout reader `csv`: a table with a row per host, for sites that have an inventory but no layout. Column
 * `host`; then the kinds of groups it is in, innermost first, up to the first column of figures; then
 * attributes:
 *
 *     host,rack,pod,nic_gbps,uplinks,uplink_gbps,pod_uplinks,pod_uplink_gbps
 *     a1,r01,P1,25,2,100,4,400
 *
 * `uplinks` and `uplink_gbps` belong to the rack (or the innermost group), KIND_uplinks and KIND_uplink_gbps to
 * that kind's groups. Rows of one group must not contradict each other.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include <reckon/plugin.h>

#define COLUMNS_MAX 256

static const char *const figures[] = {"nic_gbps", "nic_mpps", "mtu", "uplinks", "uplink_gbps"};
static const char *const group_figures[] = {"uplinks", "uplink_gbps"};
#define FIGURES (sizeof figures / sizeof *figures)
#define GROUP_FIGURES (sizeof group_figures / sizeof *group_figures)

enum role { HOST, GROUP, OF_HOST, OF_GROUP, IGNORED };

struct column {
    enum role role;
    const char *key; /* the attribute it sets */
    size_t group;    /* OF_GROUP: whose */
};

/* One group, found by what holds it, its kind's column and its id. */
struct group {
    uint32_t parent, element;
    size_t column;
    const char *id;
};

struct csv {
    struct reckon *r;
    struct reckon_layout *layout;
    const char *path;
    const char *name[COLUMNS_MAX + 1]; /* NULL-terminated */
    struct column column[COLUMNS_MAX];
    size_t count, groups; /* columns, and those of them that are groups: they follow each other in order */
    void *known;          /* a tree of struct group */
    uint32_t of[COLUMNS_MAX]; /* the row's element of each group column */
    size_t nameless;
};

/* ---- the header ---- */

static size_t place_in(const char *const *names, size_t n, const char *name) {
    size_t i = 0;
    while (i < n && strcmp(names[i], name))
        i++;
    return i;
}

/* Splits the first line into names, quotes removed. How many there are; more than COLUMNS_MAX count as one
 * more. */
static size_t split_header(struct reckon *r, const char *line, const char **name) {
    size_t n = 0;
    for (;;) {
        size_t length = strcspn(line, ",\r\n"),
               quoted = length > 1 && line[0] == '"' && line[length - 1] == '"';
        if (n == COLUMNS_MAX)
            return n + 1;
        name[n++] = reckon_strndup(r, line + quoted, length - 2 * quoted);
        line += length;
        if (*line++ != ',')
            return n;
    }
}

/* The group column whose name begins `name`, which goes on with '_' and a group's figure; x->count: none. */
static size_t group_of(const struct csv *x, const char *name, const char **figure) {
    for (size_t i = 0; i < x->count; i++) {
        size_t n = strlen(x->name[i]);
        if (x->column[i].role != GROUP || strncmp(name, x->name[i], n) || name[n] != '_')
            continue;
        size_t f = place_in(group_figures, GROUP_FIGURES, name + n + 1);
        if (f == GROUP_FIGURES)
            continue;
        *figure = group_figures[f];
        return i;
    }
    return x->count;
}

/* Groups are the columns before the first figure. */
static void find_groups(struct csv *x) {
    bool before = true;
    for (size_t i = 0; i < x->count; i++) {
        before = before && place_in(figures, FIGURES, x->name[i]) == FIGURES;
        bool host = !strcmp(x->name[i], "host"), group = before && !host && *x->name[i];
        x->column[i] = (struct column){host ? HOST : group ? GROUP : IGNORED, x->name[i], 0};
        x->groups += group;
    }
}

/* Whose `uplinks` are that say no more: the rack's, or the innermost group's where there is none. */
static size_t usual_group(const struct csv *x) {
    size_t first = x->count;
    for (size_t i = x->count; i-- > 0;)
        if (x->column[i].role == GROUP) {
            first = i;
            if (!strcmp(x->name[i], "rack"))
                break;
        }
    return first;
}

/* What the other columns are about. An attribute `name` or `id` would take the host's name away. */
static void find_attributes(struct csv *x) {
    size_t usual = usual_group(x);
    for (size_t i = 0; i < x->count; i++) {
        struct column *c = &x->column[i];
        if (c->role != IGNORED || !*c->key || !strcmp(c->key, "name") || !strcmp(c->key, "id"))
            continue;
        c->group = place_in(group_figures, GROUP_FIGURES, c->key) < GROUP_FIGURES
                       ? usual
                       : group_of(x, c->key, &c->key);
        c->role = c->group < x->count ? OF_GROUP : OF_HOST;
    }
}

static int read_header(struct csv *x, struct reckon_input *in) {
    struct reckon_head head;
    if (reckon_peek(in, &head))
        return -1;
    const char *line = head.data + strspn(head.data, "\r\n");
    x->count = split_header(x->r, line, x->name);
    if (x->count > COLUMNS_MAX || (!head.whole && !line[strcspn(line, "\r\n")]))
        return reckon_error(x->r, x->path, 1, "more than %d columns, or a header that does not end",
                            COLUMNS_MAX);
    x->name[x->count] = NULL;
    find_groups(x);
    find_attributes(x);
    if (place_in(x->name, x->count, "host") == x->count)
        return reckon_wrong_format(x->r, x->path, "not a table of hosts: it has no host column");
    return 0;
}

/* ---- rows ---- */

static int by_place(const void *a, const void *b) {
    const struct group *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return strcmp(x->id, y->id);
}

/* The element of a group, new or known; RECKON_NONE after an error. */
static uint32_t group_element(struct csv *x, uint32_t parent, size_t column, const char *id,
                              unsigned long line) {
    struct group wanted = {.parent = parent, .column = column, .id = id};
    struct group *const *found = tfind(&wanted, &x->known, by_place);
    if (found)
        return (*found)->element;
    struct group *g = reckon_alloc(x->r, sizeof *g);
    *g = wanted;
    g->id = reckon_strdup(x->r, id);
    g->element = reckon_element_add(x->layout, parent, x->name[column], id, line);
    tsearch(g, &x->known, by_place);
    return g->element;
}

/* Finds the groups of a row, outermost first; *parent: the innermost that is named. */
static int take_groups(struct csv *x, const struct reckon_row *row, uint32_t *parent) {
    *parent = RECKON_NONE;
    for (size_t i = x->count; i-- > 0;) {
        x->of[i] = RECKON_NONE;
        if (x->column[i].role != GROUP || !*reckon_cell(row, i))
            continue;
        *parent = x->of[i] = group_element(x, *parent, i, reckon_cell(row, i), reckon_row_line(row));
        if (*parent == RECKON_NONE)
            return -1;
    }
    return 0;
}

static bool contradict(const char *a, const char *b) {
    return strcmp(a, b) && reckon_number(a, strlen(a)) != reckon_number(b, strlen(b));
}

static int set_of_group(struct csv *x, const struct reckon_row *row, size_t i) {
    const struct column *c = &x->column[i];
    uint32_t e = x->of[c->group];
    const char *value = reckon_cell(row, i), *before;
    if (e == RECKON_NONE)
        return 0;
    before = reckon_element_own(x->layout, e, c->key);
    if (before && contradict(before, value))
        return reckon_error(x->r, x->path, reckon_row_line(row),
                            "%s %s has %s %s here, but %s in a row above", x->name[c->group],
                            reckon_printable(x->r, reckon_element_id(x->layout, e)), c->key,
                            reckon_printable(x->r, value), reckon_printable(x->r, before));
    if (!before)
        reckon_element_set(x->layout, e, c->key, value);
    return 0;
}

static int take_row(void *user, const struct reckon_row *row) {
    struct csv *x = user;
    uint32_t parent, host;
    const char *name = reckon_cell(row, place_in(x->name, x->count, "host"));
    if (!*name) {
        x->nameless++;
        return 0;
    }
    if (take_groups(x, row, &parent))
        return -1;
    host = reckon_element_add(x->layout, parent, "host", name, reckon_row_line(row));
    if (host == RECKON_NONE)
        return -1;
    for (size_t i = 0; i < x->count; i++) {
        if (!*reckon_cell(row, i))
            continue;
        if (x->column[i].role == OF_HOST)
            reckon_element_set(x->layout, host, x->column[i].key, reckon_cell(row, i));
        else if (x->column[i].role == OF_GROUP && set_of_group(x, row, i))
            return -1;
    }
    return 0;
}

static void keep(void *group) {
    (void)group; /* the arena's */
}

static int read_layout(struct reckon *r, struct reckon_input *in, struct reckon_layout *layout) {
    struct csv *x = reckon_alloc(r, sizeof *x);
    x->r = r;
    x->layout = layout;
    x->path = reckon_input_path(in);
    if (read_header(x, in))
        return -1;
    struct reckon_table table = {.size = sizeof table, .columns = x->name, .row = take_row, .user = x};
    int rc = reckon_read_table(r, in, &table, NULL);
    tdestroy(x->known, keep);
    if (!rc && x->nameless)
        reckon_note(r, "%s of %s without a host left out", reckon_count(r, x->nameless, "row"),
                    reckon_printable(r, x->path));
    return rc;
}

/* A header with host and something only a layout has. Reports have hosts and racks as well, but peers or
 * times, too. */
static int recognise(const struct reckon_head *head) {
    static const char *const host[] = {"host", NULL},
                             *const marks[][2] = {{"rack", NULL}, {"nic_gbps", NULL}, {"uplink_gbps", NULL}},
                             *const others[][2] = {{"peer", NULL}, {"ts", NULL}};
    if (!reckon_head_has_columns(head, host))
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (reckon_head_has_columns(head, others[i]))
            return 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (reckon_head_has_columns(head, marks[i]))
            return 80;
    return 30;
}

RECKON_PLUGIN(layout, csv) = {
    .name = "csv",
    .summary = "a table with a row per host: host, its groups from the inside out, nic_gbps, uplinks...",
    .layout = {.recognise = recognise, .read = read_layout},
};
