/* SPDX-License-Identifier: Apache-2.0
 *
 * Layout reader `dc`: the datacenter viewer's layouts, one element a line, nested by indentation, with id
 * specs that multiply. The lines are read first and their product is counted, so that a layout too large is
 * refused before any of it is made; what placeholders still add to it is bounded while it is made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <reckon/plugin.h>

#include "dc_spec.h"

#define NONE RECKON_NONE
#define ABSENT SIZE_MAX

/* What a stranger's layout may make of its lines: far more than any real one does. */
#define DEEPEST 256                          /* nesting */
#define WORDS_MAX 500                        /* attributes and tags of one line */
#define COST_MAX (16ull * RECKON_LAYOUT_MAX) /* attributes and tags of all elements, long ones more */
#define TEXT_MAX (64u << 10)                 /* bytes of one text once filled */
#define TEXT_ALL (1ull << 30)                /* and of all ids and filled values */

struct word {
    size_t key, value; /* places in the pool; the key of a tag is ABSENT */
};

struct line {
    size_t kind, id, own_id; /* places in the pool; own_id is `id=`, or ABSENT */
    size_t words;            /* its first */
    uint32_t nwords, number, indent, depth;
    uint32_t parent, child, last_child, next;
    uint64_t cost;        /* of what every element of it takes over */
    uint64_t times;       /* how many elements, as far as is known before */
    struct dc_spec *spec; /* NULL: the id stands as it is */
    bool fill;            /* the spec holds placeholders, and is parsed anew below every parent */
};

struct dc {
    struct reckon *r;
    struct reckon_layout *layout;
    const char *path;
    struct dc_text pool; /* kinds, ids, keys, values and tags of all lines */
    struct word *words;
    size_t nwords, words_cap;
    struct line *lines;
    size_t nlines, lines_cap;
    struct dc_text id, own_id, value; /* as filled: the expanded id, `id=`, any other */
    uint64_t cost, text;              /* spent so far */
};

#define FAIL(d, line, ...) reckon_error((d)->r, (d)->path, line, __VA_ARGS__)

static size_t pool(struct dc *d, const char *s, size_t n) {
    size_t at = d->pool.n;
    dc_put(&d->pool, s, n);
    d->pool.n++; /* the next one begins behind the NUL */
    return at;
}

static const char *pooled(const struct dc *d, size_t at) {
    return d->pool.s + at;
}

/* Text of the file as it may be shown in an error. */
static const char *shown(const struct dc *d, const char *s, size_t n) {
    return reckon_printable(d->r, reckon_strndup(d->r, s, n < 80 ? n : 80));
}

/* ---- lines: reading ---- */

static bool blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* A word of a line, quotes removed. */
struct token {
    char *s;
    size_t n, equals; /* where its first '=' is; 0 for none */
};

/* Takes the next word off *p, in place: 1, 0 at the end of the line or a comment, -1 when a quote stays open.
 */
static int next_token(char **p, struct token *t) {
    char *from = *p, *to, quote = 0;
    while (blank(*from))
        from++;
    *t = (struct token){.s = to = from};
    if (!*from || *from == '#')
        return 0;
    for (; *from && (quote || !blank(*from)); from++) {
        if (quote ? *from == quote : *from == '"' || *from == '\'') {
            quote = quote ? 0 : *from;
            continue;
        }
        if (*from == '=' && !t->equals)
            t->equals = (size_t)(to - t->s);
        *to++ = *from;
    }
    t->n = (size_t)(to - t->s);
    *p = from;
    return quote ? -1 : 1;
}

static void add_word(struct dc *d, struct line *l, size_t key, const char *value, size_t n) {
    d->words = reckon_grow(d->words, d->nwords, &d->words_cap, sizeof *d->words);
    d->words[d->nwords++] = (struct word){key, pool(d, value, n)};
    l->nwords++;
    l->cost += 1 + n / 16;
}

static void add_tags(struct dc *d, struct line *l, const char *s, size_t n) {
    for (size_t i = 0, k; i < n; i += k + 1) {
        k = strcspn(s + i, ",");
        k = k < n - i ? k : n - i;
        if (k)
            add_word(d, l, ABSENT, s + i, k);
    }
}

static void add_attribute(struct dc *d, struct line *l, const struct token *t) {
    const char *value = t->s + t->equals + 1;
    size_t n = t->n - t->equals - 1;
    if (t->equals == 2 && !strncasecmp(t->s, "id", 2)) {
        l->own_id = pool(d, value, n);
        return;
    }
    l->cost += t->equals / 16;
    add_word(d, l, pool(d, t->s, t->equals), value, n);
}

/* Everything after the kind. The first bare word is the id, the others are tags. */
static int read_words(struct dc *d, struct line *l, char *p) {
    struct token t;
    bool has_id = false;
    int more;
    while ((more = next_token(&p, &t)) > 0) {
        if (t.n && *t.s == '+') {
            add_tags(d, l, t.s + 1, t.n - 1);
        } else if (t.equals) {
            add_attribute(d, l, &t);
        } else if (t.n && !has_id) {
            l->id = pool(d, t.s, t.n);
            has_id = true;
        } else {
            add_tags(d, l, t.s, t.n);
        }
        if (l->nwords > WORDS_MAX)
            return FAIL(d, l->number, "more than %d attributes and tags", WORDS_MAX);
    }
    if (more < 0)
        return FAIL(d, l->number, "a quote is not closed");
    if (!has_id) {
        dc_put(&d->value, pooled(d, l->kind), strlen(pooled(d, l->kind)));
        dc_put(&d->value, "1", 1);
        l->id = pool(d, d->value.s, d->value.n);
        d->value.n = 0;
    }
    return 0;
}

static bool is_kind(const char *s, size_t n) {
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < 0x80 && strchr(",;=+{}[]()<>|\"'/\\", s[i]))
            return false;
    return n > 0;
}

static bool is_cabling(const struct token *kind) {
    return (kind->n == 3 && !memcmp(kind->s, "net", 3)) || (kind->n == 4 && !memcmp(kind->s, "link", 4));
}

/* Hangs the new line below the nearest one above that is indented less. */
static int hang(struct dc *d, struct line *l) {
    uint32_t at = (uint32_t)d->nlines, above = at - 1; /* NONE for the first */
    while (above != NONE && d->lines[above].indent >= l->indent)
        above = d->lines[above].parent;
    l->parent = above;
    l->child = l->last_child = l->next = NONE;
    l->depth = above == NONE ? 0 : d->lines[above].depth + 1;
    if (l->depth >= DEEPEST)
        return FAIL(d, l->number, "nested deeper than %d", DEEPEST);
    d->lines = reckon_grow(d->lines, d->nlines, &d->lines_cap, sizeof *d->lines);
    d->lines[d->nlines++] = *l;
    if (above == NONE)
        return 0;
    struct line *p = &d->lines[above];
    if (p->child == NONE)
        p->child = at;
    else
        d->lines[p->last_child].next = at;
    p->last_child = at;
    return 0;
}

static int read_line(struct dc *d, char *p, unsigned long number) {
    struct line l = {.words = d->nwords, .own_id = ABSENT, .number = number < NONE ? (uint32_t)number : 0};
    for (; *p == ' ' || *p == '\t'; p++)
        l.indent += *p == '\t' ? 4 : 1;
    struct token kind;
    int more = next_token(&p, &kind);
    if (!more || is_cabling(&kind))
        return 0;
    if (more < 0 || !is_kind(kind.s, kind.n)) {
        const char *seen = shown(d, kind.s, kind.n);
        if (!d->nlines)
            return reckon_wrong_format(d->r, d->path,
                                       "not a layout: line %lu begins with '%s', not with a kind of element",
                                       number, seen);
        return FAIL(d, number, "'%s' is no kind of element", seen);
    }
    if (d->nlines >= RECKON_LAYOUT_MAX)
        return FAIL(d, number, "more than %u lines", RECKON_LAYOUT_MAX);
    l.kind = pool(d, kind.s, kind.n);
    l.cost = kind.n / 16;
    return read_words(d, &l, p) || hang(d, &l) ? -1 : 0;
}

/* ---- counting before anything is made ---- */

static int parse_spec(struct dc *d, const struct line *l, const char *text, bool filled) {
    struct dc_spec *s = l->spec;
    return dc_spec_parse(s, text, filled) ? FAIL(d, l->number, "'%s' %s", shown(d, s->bad, s->nbad), s->why)
                                          : 0;
}

static int count_line(struct dc *d, struct line *l, uint64_t *all) {
    const char *id = pooled(d, l->id);
    l->times = l->parent == NONE ? 1 : d->lines[l->parent].times;
    l->fill = strchr(id, '{');
    if (l->fill || dc_is_spec(id)) {
        l->spec = reckon_resize(NULL, 1, sizeof *l->spec);
        *l->spec = (struct dc_spec){0};
        if (parse_spec(d, l, id, !l->fill))
            return -1;
        l->times *= l->spec->count; /* both at most 20 million and one */
    }
    *all += l->times;
    if (*all > RECKON_LAYOUT_MAX)
        return FAIL(d, l->number, "up to here the layout would expand to more than %u elements",
                    RECKON_LAYOUT_MAX);
    return 0;
}

static int count_lines(struct dc *d) {
    uint64_t all = 0;
    for (size_t i = 0; i < d->nlines; i++)
        if (count_line(d, &d->lines[i], &all))
            return -1;
    return 0;
}

/* ---- making elements ---- */

/* What placeholders stand for. Below the id spec `id` is NULL, and only the enclosing elements are known. */
struct scope {
    uint32_t parent;
    const char *id, *kind;
    uint64_t i, n;
};

/* What {name} stands for; NULL for an unknown one. */
static const char *placeholder(const struct dc *d, const struct scope *x, const char *name, size_t n,
                               char number[32]) {
    static const char *const own[] = {"id", "kind", "i", "i0", "n"};
    uint64_t figure[] = {0, 0, x->i + 1, x->i, x->n};
    for (size_t k = 0; x->id && k < sizeof own / sizeof *own; k++)
        if (strlen(own[k]) == n && !memcmp(own[k], name, n)) {
            snprintf(number, 32, "%llu", (unsigned long long)figure[k]);
            return k == 0 ? x->id : k == 1 ? x->kind : number;
        }
    if (n == 6 && !memcmp(name, "parent", 6))
        return x->parent == NONE ? NULL : reckon_element_id(d->layout, x->parent);
    for (uint32_t e = x->parent; e != NONE; e = reckon_element_parent(d->layout, e)) {
        const char *kind = reckon_element_kind(d->layout, e);
        if (!strncmp(kind, name, n) && !kind[n])
            return reckon_element_id(d->layout, e);
    }
    return NULL;
}

static int spend_text(struct dc *d, const struct line *l, size_t bytes) {
    d->text += bytes;
    return d->text > TEXT_ALL ? FAIL(d, l->number, "ids and filled values of more than a gigabyte") : 0;
}

/* Fills the placeholders of a template into `out`. */
static int fill(struct dc *d, const struct line *l, const struct scope *x, const char *s,
                struct dc_text *out) {
    out->n = 0;
    dc_put(out, "", 0);
    while (*s) {
        size_t plain = strcspn(s, "{"), n = s[plain] ? strcspn(s + plain + 1, "{}") : 0;
        char number[32];
        dc_put(out, s, plain);
        s += plain;
        if (!*s)
            break;
        const char *value = s[n + 1] == '}' ? placeholder(d, x, s + 1, n, number) : NULL;
        size_t taken = value ? n + 2 : n + 1;
        dc_put(out, value ? value : s, value ? strlen(value) : taken);
        s += taken;
        if (out->n > TEXT_MAX)
            break;
    }
    if (out->n > TEXT_MAX)
        return FAIL(d, l->number, "a text of more than %u bytes once its placeholders are filled", TEXT_MAX);
    return spend_text(d, l, out->n);
}

static int set_words(struct dc *d, const struct line *l, const struct scope *x, uint32_t e) {
    d->cost += l->cost;
    if (d->cost > COST_MAX)
        return FAIL(d, l->number, "the attributes and tags of the layout would be more than %llu", COST_MAX);
    for (uint32_t k = 0; k < l->nwords; k++) {
        const struct word *w = &d->words[l->words + k];
        const char *value = pooled(d, w->value);
        if (w->key == ABSENT) {
            reckon_element_tag(d->layout, e, value);
            continue;
        }
        if (strchr(value, '{')) {
            if (fill(d, l, x, value, &d->value))
                return -1;
            value = d->value.s;
        }
        reckon_element_set(d->layout, e, pooled(d, w->key), value);
    }
    return 0;
}

static int make_element(struct dc *d, const struct line *l, const struct scope *x, uint32_t *made) {
    const char *id = x->id;
    if (l->own_id != ABSENT) {
        if (fill(d, l, x, pooled(d, l->own_id), &d->own_id))
            return -1;
        id = d->own_id.s;
    }
    if (!*id)
        return FAIL(d, l->number, "an element with an empty id");
    if (spend_text(d, l, strlen(id)))
        return -1;
    *made = reckon_element_add(d->layout, x->parent, x->kind, id, l->number);
    return *made == NONE ? -1 : set_words(d, l, x, *made);
}

/* Makes the spec count from its first id; parsed anew where the parent's id has a part in it. */
static int start_spec(struct dc *d, const struct line *l, struct scope *x, struct dc_text *filled) {
    if (l->fill && (fill(d, l, x, pooled(d, l->id), filled) || parse_spec(d, l, filled->s, true)))
        return -1;
    x->n = l->spec->count;
    if (x->n > RECKON_LAYOUT_MAX - reckon_element_count(d->layout))
        return FAIL(d, l->number, "the layout would expand to more than %u elements", RECKON_LAYOUT_MAX);
    return 0;
}

/* Makes a line below one parent: each of its ids, and everything below each. */
static int expand(struct dc *d, uint32_t line, uint32_t parent) {
    const struct line *l = &d->lines[line];
    struct scope x = {.parent = parent, .kind = pooled(d, l->kind), .n = 1};
    struct dc_text filled = {0};
    int rc = l->spec ? start_spec(d, l, &x, &filled) : 0;
    for (x.i = 0; !rc && x.i < x.n; x.i++) {
        uint32_t e = NONE;
        x.id = pooled(d, l->id);
        if (l->spec) {
            dc_spec_next(l->spec, &d->id);
            x.id = d->id.s;
        }
        rc = make_element(d, l, &x, &e);
        for (uint32_t c = l->child; !rc && c != NONE; c = d->lines[c].next)
            rc = expand(d, c, e);
    }
    free(filled.s);
    return rc;
}

/* ---- the module ---- */

static void dc_free(struct dc *d) {
    for (size_t i = 0; i < d->nlines; i++)
        if (d->lines[i].spec) {
            dc_spec_free(d->lines[i].spec);
            free(d->lines[i].spec);
        }
    free(d->lines);
    free(d->words);
    free(d->pool.s);
    free(d->id.s);
    free(d->own_id.s);
    free(d->value.s);
}

static int read_layout(struct reckon *r, struct reckon_input *in, struct reckon_layout *layout) {
    struct dc d = {.r = r, .layout = layout, .path = reckon_input_path(in)};
    char *line;
    size_t length;
    unsigned long number;
    int rc;
    while ((rc = reckon_read_line(in, &line, &length, &number)) > 0)
        if (read_line(&d, line, number)) {
            rc = -1;
            break;
        }
    if (!rc)
        rc = count_lines(&d);
    for (uint32_t i = 0; !rc && i < d.nlines; i++)
        if (d.lines[i].parent == NONE)
            rc = expand(&d, i, NONE);
    dc_free(&d);
    return rc;
}

/* A first word that may be a kind, and then something that only a layout has: `dc`, nesting, or key=value. */
static int recognise(const struct reckon_head *head) {
    const char *p = head->data;
    while (*p && (blank(*p) || *p == '#'))
        p += *p == '#' ? strcspn(p, "\n") : 1;
    size_t kind = strcspn(p, " \t\r\n"), line = strcspn(p, "\n");
    if (!is_kind(p, kind))
        return 0;
    if (kind == 2 && !memcmp(p, "dc", 2))
        return 90;
    bool nested = p[line] && (p[line + 1] == ' ' || p[line + 1] == '\t');
    return nested || memchr(p, '=', line) ? 45 : 10;
}

RECKON_PLUGIN(layout, dc) = {
    .name = "dc",
    .summary = "the datacenter viewer's layout: one element a line, nested by indentation",
    .layout = {.recognise = recognise, .read = read_layout, .fallback = true},
};
