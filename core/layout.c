/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of layout elements, small enough for 20 million of them: texts are interned, and elements with the
 * same own attributes and tags share one set of them. Look-ups by name and the numbering of paths that occur
 * twice are made at the first question for them, which must not come from two threads at once.
 */
#include <stdlib.h>
#include <string.h>

#include <reckon/plan.h>

#include "layout.h"

#define TAG RECKON_NONE /* stands as the key of a tag */

struct element {
    uint32_t parent, kind, id;
    uint32_t name; /* the `name` attribute; RECKON_NONE: its id is its name */
    uint32_t line, set;
    uint32_t nth; /* of the elements with this path */
};

struct pair {
    uint32_t key, value;
};

/* Attributes and tags that elements share: a piece of the pool of pairs. */
struct set {
    size_t first;
    uint32_t count;
};

/* The set an element had before an override: sets are shared and never change, so that this is all there is
 * to undo. */
struct override {
    uint32_t element, set;
};

/* What is worked out when it is first asked for. */
struct lookup {
    uint32_t named, numbered;  /* for how many elements that was */
    uint32_t texts;            /* and texts */
    uint32_t *first, *several; /* by text: the first element of that name, and how many have it */
};

struct reckon_layout {
    struct reckon *r;
    const char *path;
    struct names texts;
    struct element *elements;
    size_t count, cap;
    struct pair *pairs;
    size_t npairs, pairs_cap;
    struct set *sets; /* [0] is empty */
    size_t nsets, sets_cap;
    uint32_t *slot; /* finds equal sets: open addressing, number + 1 */
    size_t slots;
    uint32_t open; /* the element whose pairs still are in `draft` */
    struct pair *draft;
    size_t ndraft, draft_cap;
    uint32_t name_key;
    struct lookup *lookup;
    struct override *overrides; /* in order of their making */
    size_t noverrides, overrides_cap;
};

static uint32_t intern(struct reckon_layout *l, const char *s) {
    return names_add(&l->texts, s, strlen(s));
}

static uint32_t intern_lower(struct reckon_layout *l, const char *s) {
    char small[64] = "", *lower = small;
    size_t n = strlen(s);
    if (n > sizeof small)
        lower = reckon_resize(NULL, n, 1);
    for (size_t i = 0; i < n; i++)
        lower[i] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] - 'A' + 'a') : s[i];
    uint32_t number = names_add(&l->texts, lower, n);
    if (lower != small)
        free(lower);
    return number;
}

struct reckon_layout *layout_new(struct reckon *r, const char *path) {
    struct reckon_layout *l = reckon_alloc(r, sizeof *l);
    l->r = r;
    l->path = reckon_strdup(r, path);
    l->sets = reckon_grow(NULL, 0, &l->sets_cap, sizeof *l->sets);
    l->sets[l->nsets++] = (struct set){0, 0};
    l->open = RECKON_NONE;
    l->name_key = intern(l, "name");
    l->lookup = reckon_alloc(r, sizeof *l->lookup);
    return l;
}

void layout_free(struct reckon_layout *l) {
    if (!l)
        return;
    names_free(&l->texts);
    free(l->elements);
    free(l->pairs);
    free(l->sets);
    free(l->slot);
    free(l->draft);
    free(l->lookup->first);
    free(l->lookup->several);
    free(l->overrides);
}

/* ---- sets of pairs, shared ---- */

static uint64_t hash_pairs(const struct pair *p, size_t n) {
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t h = n;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ ((uint64_t)p[i].key << 32 | p[i].value)) * odd;
        h ^= h >> 29;
    }
    return h;
}

static size_t set_slot(const struct reckon_layout *l, const struct pair *p, size_t n) {
    size_t i = hash_pairs(p, n) & (l->slots - 1);
    for (; l->slot[i]; i = (i + 1) & (l->slots - 1)) {
        const struct set *s = &l->sets[l->slot[i] - 1];
        if (s->count == n && !memcmp(l->pairs + s->first, p, n * sizeof *p))
            break;
    }
    return i;
}

static void set_slots_double(struct reckon_layout *l) {
    l->slots = l->slots ? l->slots * 2 : 64;
    free(l->slot);
    l->slot = reckon_resize(NULL, l->slots, sizeof *l->slot);
    memset(l->slot, 0, l->slots * sizeof *l->slot);
    for (size_t s = 1; s < l->nsets; s++)
        l->slot[set_slot(l, l->pairs + l->sets[s].first, l->sets[s].count)] = (uint32_t)s + 1;
}

/* The set that equals the draft, new or old. */
static uint32_t set_of_draft(struct reckon_layout *l) {
    if (!l->ndraft)
        return 0;
    if (l->nsets >= l->slots / 2)
        set_slots_double(l);
    size_t i = set_slot(l, l->draft, l->ndraft);
    if (l->slot[i])
        return l->slot[i] - 1;
    struct set s = {l->npairs, (uint32_t)l->ndraft};
    for (size_t k = 0; k < l->ndraft; k++) {
        l->pairs = reckon_grow(l->pairs, l->npairs, &l->pairs_cap, sizeof *l->pairs);
        l->pairs[l->npairs++] = l->draft[k];
    }
    l->sets = reckon_grow(l->sets, l->nsets, &l->sets_cap, sizeof *l->sets);
    l->sets[l->nsets++] = s;
    l->slot[i] = (uint32_t)l->nsets;
    return (uint32_t)l->nsets - 1;
}

/* Makes `e` the element whose pairs are in the draft; RECKON_NONE for none. */
static void open_draft(struct reckon_layout *l, uint32_t e) {
    if (l->open == e)
        return;
    if (l->open != RECKON_NONE)
        l->elements[l->open].set = set_of_draft(l);
    l->open = e;
    l->ndraft = 0;
    if (e == RECKON_NONE)
        return;
    struct set s = l->sets[l->elements[e].set];
    for (; l->ndraft < s.count; l->ndraft++) {
        l->draft = reckon_grow(l->draft, l->ndraft, &l->draft_cap, sizeof *l->draft);
        l->draft[l->ndraft] = l->pairs[s.first + l->ndraft];
    }
}

/* An element's own pairs. */
static const struct pair *pairs_of(const struct reckon_layout *l, uint32_t e, size_t *n) {
    if (e == l->open) {
        *n = l->ndraft;
        return l->draft;
    }
    const struct set *s = &l->sets[l->elements[e].set];
    *n = s->count;
    return s->count ? l->pairs + s->first : NULL;
}

/* ---- adding ---- */

uint32_t reckon_element_add(struct reckon_layout *l, uint32_t parent, const char *kind, const char *id,
                            unsigned long line) {
    if (l->count >= RECKON_LAYOUT_MAX) {
        reckon_error(l->r, l->path, line, "the layout has more than %u elements", RECKON_LAYOUT_MAX);
        return RECKON_NONE;
    }
    open_draft(l, RECKON_NONE);
    l->elements = reckon_grow(l->elements, l->count, &l->cap, sizeof *l->elements);
    uint32_t e = (uint32_t)l->count++;
    l->elements[e] = (struct element){.parent = parent < e ? parent : RECKON_NONE,
                                      .kind = intern(l, kind),
                                      .id = intern(l, id),
                                      .name = RECKON_NONE,
                                      .line = line < UINT32_MAX ? (uint32_t)line : 0};
    open_draft(l, e);
    return e;
}

static void add_pair(struct reckon_layout *l, uint32_t key, uint32_t value) {
    for (size_t i = 0; i < l->ndraft; i++) {
        struct pair *p = &l->draft[i];
        if (p->key != key || (key == TAG && p->value != value))
            continue;
        p->value = value;
        return;
    }
    l->draft = reckon_grow(l->draft, l->ndraft, &l->draft_cap, sizeof *l->draft);
    l->draft[l->ndraft++] = (struct pair){key, value};
}

void reckon_element_set(struct reckon_layout *l, uint32_t e, const char *key, const char *value) {
    uint32_t k = intern_lower(l, key), v = intern(l, value);
    if (k == l->name_key) { /* most names are unlike all others: kept out of the sets that are shared */
        l->elements[e].name = *value ? v : RECKON_NONE;
        l->lookup->named = 0;
        return;
    }
    open_draft(l, e);
    add_pair(l, k, v);
}

void reckon_element_tag(struct reckon_layout *l, uint32_t e, const char *tag) {
    uint32_t v = intern_lower(l, tag);
    open_draft(l, e);
    add_pair(l, TAG, v);
}

/* ---- changes for a moment ---- */

void reckon_override(struct reckon *r, uint32_t element, const char *key, const char *value) {
    struct reckon_layout *l = r->layout;
    open_draft(l, RECKON_NONE);
    l->overrides = reckon_grow(l->overrides, l->noverrides, &l->overrides_cap, sizeof *l->overrides);
    l->overrides[l->noverrides++] = (struct override){element, l->elements[element].set};
    reckon_element_set(l, element, key, value);
    open_draft(l, RECKON_NONE);
}

void reckon_override_end(struct reckon *r) {
    struct reckon_layout *l = r->layout;
    while (l && l->noverrides) {
        struct override before = l->overrides[--l->noverrides];
        l->elements[before.element].set = before.set;
    }
}

/* ---- reading ---- */

const struct reckon_layout *reckon_layout(const struct reckon *r) {
    return r->layout;
}

const char *reckon_layout_path(const struct reckon_layout *l) {
    return l->path;
}

uint32_t reckon_element_count(const struct reckon_layout *l) {
    return (uint32_t)l->count;
}

uint32_t reckon_element_parent(const struct reckon_layout *l, uint32_t e) {
    return l->elements[e].parent;
}

const char *reckon_element_kind(const struct reckon_layout *l, uint32_t e) {
    return l->texts.text[l->elements[e].kind];
}

const char *reckon_element_id(const struct reckon_layout *l, uint32_t e) {
    return l->texts.text[l->elements[e].id];
}

static uint32_t name_of(const struct element *e) {
    return e->name == RECKON_NONE ? e->id : e->name;
}

const char *reckon_element_name(const struct reckon_layout *l, uint32_t e) {
    return l->texts.text[name_of(&l->elements[e])];
}

unsigned long reckon_element_line(const struct reckon_layout *l, uint32_t e) {
    return l->elements[e].line;
}

/* The number of an own attribute's value; RECKON_NONE for none. */
static uint32_t own(const struct reckon_layout *l, uint32_t e, uint32_t key) {
    if (key == l->name_key)
        return l->elements[e].name;
    size_t n;
    const struct pair *p = pairs_of(l, e, &n);
    for (size_t i = 0; i < n; i++)
        if (p[i].key == key)
            return p[i].value;
    return RECKON_NONE;
}

const char *reckon_element_own(const struct reckon_layout *l, uint32_t e, const char *key) {
    uint32_t k = names_find(&l->texts, key, strlen(key));
    uint32_t v = k == RECKON_NONE ? RECKON_NONE : own(l, e, k);
    return v == RECKON_NONE ? NULL : l->texts.text[v];
}

static bool inherits(const char *key) {
    static const char *const own_only[] = {"id", "name", "at", "u", "cols", "dir", "gap", "label", "size"};
    for (size_t i = 0; i < sizeof own_only / sizeof *own_only; i++)
        if (!strcmp(key, own_only[i]))
            return false;
    return true;
}

const char *reckon_element_get(const struct reckon_layout *l, uint32_t e, const char *key, uint32_t *from) {
    uint32_t k = names_find(&l->texts, key, strlen(key));
    if (k == RECKON_NONE)
        return NULL;
    bool up = inherits(key);
    for (; e != RECKON_NONE; e = up ? l->elements[e].parent : RECKON_NONE) {
        uint32_t v = own(l, e, k);
        if (v == RECKON_NONE)
            continue;
        if (from)
            *from = e;
        return l->texts.text[v];
    }
    return NULL;
}

const char *reckon_element_attribute(const struct reckon_layout *l, uint32_t e, size_t i,
                                     const char **value) {
    struct pair found = {l->name_key, l->elements[e].name};
    size_t n, next = found.value == RECKON_NONE ? 0 : 1;
    const struct pair *p = pairs_of(l, e, &n);
    if (i >= next) { /* the name comes first, then the rest, tags passed over */
        size_t k = 0;
        for (; k < n && (p[k].key == TAG || next++ < i); k++)
            ;
        if (k == n)
            return NULL;
        found = p[k];
    }
    *value = l->texts.text[found.value];
    return l->texts.text[found.key];
}

bool reckon_element_tagged(const struct reckon_layout *l, uint32_t e, const char *tag) {
    uint32_t t = names_find(&l->texts, tag, strlen(tag));
    for (; t != RECKON_NONE && e != RECKON_NONE; e = l->elements[e].parent) {
        size_t n;
        const struct pair *p = pairs_of(l, e, &n);
        for (size_t i = 0; i < n; i++)
            if (p[i].key == TAG && p[i].value == t)
                return true;
    }
    return false;
}

uint32_t reckon_element_above(const struct reckon_layout *l, uint32_t e, const char *kind) {
    uint32_t k = names_find(&l->texts, kind, strlen(kind));
    if (k == RECKON_NONE)
        return RECKON_NONE;
    for (e = l->elements[e].parent; e != RECKON_NONE && l->elements[e].kind != k; e = l->elements[e].parent)
        ;
    return e;
}

/* ---- by name ---- */

static void index_names(const struct reckon_layout *l) {
    struct lookup *x = l->lookup;
    if (x->named == l->count)
        return;
    x->first = reckon_resize(x->first, l->texts.count, sizeof *x->first);
    x->several = reckon_resize(x->several, l->texts.count, sizeof *x->several);
    memset(x->several, 0, l->texts.count * sizeof *x->several);
    for (uint32_t e = 0; e < l->count; e++) {
        uint32_t name = name_of(&l->elements[e]);
        if (!x->several[name]++)
            x->first[name] = e;
    }
    x->named = (uint32_t)l->count;
    x->texts = l->texts.count;
}

uint32_t reckon_element_named(const struct reckon_layout *l, const char *name, uint32_t *several) {
    uint32_t text = names_find(&l->texts, name, strlen(name)), count = 0;
    index_names(l);
    if (text < l->lookup->texts)
        count = l->lookup->several[text];
    if (several)
        *several = count;
    return count ? l->lookup->first[text] : RECKON_NONE;
}

/* ---- paths ---- */

/* FNV-1a, 64 bits: a path's hash goes on from its parent's. Two paths of one hash would merely be numbered
 * apart. */
static uint64_t fold(uint64_t h, const char *s) {
    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 0x100000001b3u;
    return h;
}

/* "#2" and so on; "" for the first. Returns its length. */
static size_t repeat_mark(const struct element *e, char mark[16]) {
    return e->nth > 1 ? (size_t)snprintf(mark, 16, "#%u", e->nth) : 0;
}

struct numbering {
    const struct reckon_layout *l;
    uint64_t *hash; /* of each element's path */
    uint32_t *last; /* the number its path was last given */
    uint32_t *slot; /* element + 1 */
    size_t mask;
};

/* The slot of the element whose path has that hash, or a free one. */
static size_t path_slot(const struct numbering *n, uint64_t hash) {
    size_t i = (hash ^ hash >> 32) & n->mask;
    while (n->slot[i] && n->hash[n->slot[i] - 1] != hash)
        i = (i + 1) & n->mask;
    return i;
}

static void number_path(struct numbering *n, uint32_t e) {
    struct element *el = &n->l->elements[e];
    uint64_t above = el->parent == RECKON_NONE ? 0xcbf29ce484222325u : fold(n->hash[el->parent], "/");
    uint64_t plain = fold(above, n->l->texts.text[el->id]), hash = plain;
    uint32_t first = n->slot[path_slot(n, plain)];
    el->nth = 1;
    while (n->slot[path_slot(n, hash)]) {
        char mark[16] = "";
        el->nth = ++n->last[first - 1];
        repeat_mark(el, mark);
        hash = fold(plain, mark);
    }
    n->hash[e] = hash;
    n->last[e] = 1;
    n->slot[path_slot(n, hash)] = e + 1;
}

static void number_paths(const struct reckon_layout *l) {
    if (l->lookup->numbered == l->count)
        return;
    struct numbering n = {.l = l, .mask = 63};
    while (n.mask / 2 < l->count)
        n.mask = n.mask * 2 + 1;
    n.hash = reckon_resize(NULL, l->count, sizeof *n.hash);
    n.last = reckon_resize(NULL, l->count, sizeof *n.last);
    n.slot = reckon_resize(NULL, n.mask + 1, sizeof *n.slot);
    memset(n.slot, 0, (n.mask + 1) * sizeof *n.slot);
    for (uint32_t e = 0; e < l->count; e++)
        number_path(&n, e);
    free(n.hash);
    free(n.last);
    free(n.slot);
    l->lookup->numbered = (uint32_t)l->count;
}

const char *reckon_element_path(const struct reckon_layout *l, uint32_t e) {
    char mark[16];
    size_t length = 0;
    number_paths(l);
    for (uint32_t a = e; a != RECKON_NONE; a = l->elements[a].parent)
        length += strlen(reckon_element_id(l, a)) + repeat_mark(&l->elements[a], mark) + 1;
    char *path = reckon_alloc(l->r, length), *p = path + length - 1;
    for (uint32_t a = e; a != RECKON_NONE; a = l->elements[a].parent) {
        size_t n = repeat_mark(&l->elements[a], mark), k = strlen(reckon_element_id(l, a));
        if (a != e)
            *--p = '/';
        p -= n + k;
        memcpy(p, reckon_element_id(l, a), k);
        memcpy(p + k, mark, n);
    }
    return path;
}
