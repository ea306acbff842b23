/* SPDX-License-Identifier: Apache-2.0
 *
 * --what-if 'rack=r02 uplinks=4': the first word selects, and so do later ones that are no attribute of the
 * hardware; the others are what the selected elements, and what is in them, shall have.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

#define WORDS 16

struct word {
    const char *key, *value;
};

struct what_if {
    struct reckon *r;
    const struct reckon_layout *l;
    const char *text;
    struct word select[WORDS], set[WORDS];
    size_t nselect, nset;
};

/* ---- words ---- */

static bool is_uplink(const char *key) {
    return !strcmp(key, "uplinks") || !strcmp(key, "uplink_gbps");
}

static bool is_hardware(const char *key) {
    return is_uplink(key) || !strcmp(key, "nic_gbps") || !strcmp(key, "nic_mpps") || !strcmp(key, "mtu");
}

static int refuse(const struct what_if *w, const char *why) {
    return reckon_error(w->r, NULL, 0, "--what-if '%s': %s", reckon_printable(w->r, w->text), why);
}

static int check_value(const struct what_if *w, const struct word *word) {
    double x = reckon_number(word->value, strlen(word->value));
    bool fits = !strcmp(word->key, "mtu") ? x >= 68 && x <= 65535 : x > 0;
    return fits ? 0
                : refuse(w, reckon_text(w->r, "%s=%s is no usable number", word->key,
                                        reckon_printable(w->r, word->value)));
}

static int add_word(struct what_if *w, char *text) {
    char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return refuse(w, reckon_text(w->r, "'%s' is no key=value", reckon_printable(w->r, text)));
    *equals = '\0';
    for (char *p = text; *p; p++)
        *p = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
    bool selects = !w->nselect || !is_hardware(text);
    if ((selects ? w->nselect : w->nset) == WORDS)
        return refuse(w, "it has too many words");
    struct word *word = selects ? &w->select[w->nselect++] : &w->set[w->nset++];
    *word = (struct word){text, equals + 1};
    return selects ? 0 : check_value(w, word);
}

/* The next word, with its quotes removed; NULL at the end. */
static char *next_word(char **at) {
    char *from = *at + strspn(*at, " \t"), *to = from, *word = from, quote = 0;
    if (!*from)
        return NULL;
    for (; *from && (quote || (*from != ' ' && *from != '\t')); from++)
        if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? '\0' : *from;
        else
            *to++ = *from;
    *at = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

static int read_words(struct what_if *w) {
    char *at = reckon_strdup(w->r, w->text), *word;
    while ((word = next_word(&at)))
        if (add_word(w, word))
            return -1;
    if (!w->nselect)
        return refuse(w, "it is empty");
    return w->nset
               ? 0
               : refuse(w, "it changes nothing; what can be changed is nic_gbps, nic_mpps, mtu, uplinks and "
                           "uplink_gbps");
}

/* ---- selecting ---- */

/* Whether the path is the tail, or ends in it as whole components. */
static bool ends_in(const char *path, const char *tail) {
    size_t n = strlen(path), k = strlen(tail);
    return k <= n && !strcmp(path + n - k, tail) && (k == n || path[n - k - 1] == '/');
}

static bool selected_by(const struct what_if *w, const struct word *word, uint32_t e) {
    const char *value = reckon_element_get(w->l, e, word->key, NULL);
    if (value && !strcmp(value, word->value))
        return true;
    if (strcmp(reckon_element_kind(w->l, e), word->key))
        return !strcmp(word->key, "name") && !strcmp(reckon_element_name(w->l, e), word->value);
    return !strcmp(reckon_element_id(w->l, e), word->value) ||
           !strcmp(reckon_element_name(w->l, e), word->value) ||
           (strchr(word->value, '/') && ends_in(reckon_element_path(w->l, e), word->value));
}

static bool selected(const struct what_if *w, uint32_t e) {
    for (size_t i = 0; i < w->nselect; i++)
        if (!selected_by(w, &w->select[i], e))
            return false;
    return true;
}

/* ---- changing ---- */

/* The tier of a kind of groups, innermost 0; -1 for another kind. */
static int tier_of(struct reckon *r, const char *kind) {
    size_t k = strlen(kind);
    int tier = 0;
    for (const char *p = reckon_option_text(r, "group-kind"); *p; tier++) {
        size_t n = strcspn(p, ","), lead = strspn(p, " ");
        if (n - lead == k && !strncmp(p + lead, kind, k))
            return tier;
        p += n + (p[n] == ',');
    }
    return -1;
}

/* Whether what is set on an element above reaches this one, which declares its own. */
static bool reaches(const struct what_if *w, uint32_t above, uint32_t e, const char *key) {
    if (!is_uplink(key))
        return true;
    return tier_of(w->r, reckon_element_kind(w->l, above)) < 0 &&
           tier_of(w->r, reckon_element_kind(w->l, e)) <= 0;
}

/* below[e]: the selected element that e is or lies in; RECKON_NONE for none. Parents come before their
 * children. */
static int change(const struct what_if *w, uint32_t *below) {
    uint32_t n = reckon_element_count(w->l), count = 0;
    for (uint32_t e = 0; e < n; e++) {
        uint32_t parent = reckon_element_parent(w->l, e);
        bool own = selected(w, e);
        below[e] = own ? e : parent == RECKON_NONE ? RECKON_NONE : below[parent];
        count += own;
    }
    for (uint32_t e = 0; count && e < n; e++)
        for (size_t i = 0; below[e] != RECKON_NONE && i < w->nset; i++) {
            const char *key = w->set[i].key;
            if (below[e] == e || (reckon_element_own(w->l, e, key) && reaches(w, below[e], e, key)))
                reckon_override(w->r, e, key, w->set[i].value);
        }
    return count ? 0 : refuse(w, "the layout has no such element");
}

int plan_what_if(struct reckon *r, const char *text) {
    struct what_if w = {.r = r, .l = reckon_layout(r), .text = text};
    if (read_words(&w))
        return -1;
    uint32_t *below = reckon_resize(NULL, reckon_element_count(w.l), sizeof *below);
    int rc = change(&w, below);
    free(below);
    return rc;
}
