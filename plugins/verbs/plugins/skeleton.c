/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon plugins new KIND NAME [DIR]`: a module that builds, passes its own test and does something small,
 * to be changed into what is wanted. Its texts are the files in skeleton/, with @words@ filled in; nothing
 * that is there is overwritten.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plugins.h"
#include "skeletons.h"

static const struct kind {
    const char *name, *source, *test;
} kinds[] = {
    {"layout", skeleton_layout_c, skeleton_layout_test},
    {"run", skeleton_run_c, skeleton_run_test},
    {"context", skeleton_context_c, skeleton_context_test},
    {"rule", skeleton_rule_c, skeleton_rule_test},
    {"output", skeleton_output_c, skeleton_output_test},
    {"verb", skeleton_verb_c, skeleton_verb_test},
    {"transport", skeleton_transport_c, skeleton_transport_test},
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* What a template's @words@ stand for. */
struct names {
    const char *kind;
    const char *name;   /* as users write it: SLOW_RACK, acme */
    const char *ident;  /* in C and in the file's name: slow_rack */
    const char *option; /* in options: slow-rack */
    const char *words;  /* in text: slow rack */
    const char *stem;   /* rule_slow_rack */
    const char *pkgconfig;
};

/* ---- names ---- */

/* The name with every letter made small or capital, and everything between words replaced. */
static const char *spelt(struct reckon *r, const char *name, bool capital, char between) {
    char *copy = reckon_strdup(r, name);
    for (char *p = copy; *p; p++) {
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *p))
            *p = between;
        else if (capital && *p >= 'a' && *p <= 'z')
            *p = (char)(*p - 'a' + 'A');
        else if (!capital && *p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
    }
    return copy;
}

static bool is_name(const char *name) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return *name && strchr(letters, *name) && strlen(name) <= 40 &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

static struct names names_of(struct reckon *r, const char *kind, const char *name) {
    bool rule = !strcmp(kind, "rule");
    struct names n = {.kind = kind,
                      .name = spelt(r, name, rule, rule ? '_' : '-'),
                      .ident = spelt(r, name, false, '_'),
                      .option = spelt(r, name, false, '-'),
                      .words = spelt(r, name, false, ' '),
                      .pkgconfig = reckon_pkgconfig_folder(r)};
    n.stem = reckon_text(r, "%s_%s", kind, n.ident);
    return n;
}

static int refuse_taken(struct reckon *r, const struct names *n) {
    struct reckon_module_info m = {.size = sizeof m};
    for (size_t i = 0; reckon_module_at(r, i, &m); i++)
        if (!strcmp(m.kind, n->kind) && !strcmp(m.name, n->name))
            return reckon_error(r, NULL, 0, "plugins new: there is a %s %s already (%s); choose another name",
                                m.kind, m.name, reckon_printable(r, m.file));
    return 0;
}

/* ---- writing ---- */

static const char *value_of(const struct names *n, const char *word, size_t length) {
    const struct {
        const char *word, *value;
    } known[] = {{"name", n->name},   {"ident", n->ident}, {"option", n->option},
                 {"words", n->words}, {"stem", n->stem},   {"pkgconfig", n->pkgconfig}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].word) == length && !memcmp(known[i].word, word, length))
            return known[i].value;
    return NULL;
}

/* An @ that begins no known word stands for itself, as in a Makefile's $@. */
static void fill_in(struct reckon_writer *w, const char *text, const struct names *n) {
    for (const char *at; (at = strchr(text, '@')); text = at + 1) {
        const char *end = strchr(at + 1, '@');
        const char *value = end ? value_of(n, at + 1, (size_t)(end - at - 1)) : NULL;
        reckon_put_bytes(w, text, (size_t)(at - text));
        reckon_put(w, value ? value : "@");
        if (value)
            at = end;
    }
    reckon_put(w, text);
}

static int write_file(struct reckon *r, const char *dir, const char *file, const char *text,
                      const struct names *n) {
    const char *path = reckon_text(r, "%s/%s", dir, file);
    struct reckon_writer *w = reckon_create(r, path);
    if (!w)
        return -1;
    fill_in(w, text, n);
    if (reckon_commit(w))
        return -1;
    printf("%s\n", reckon_printable(r, path));
    return 0;
}

/* Makes the folder, writable by its owner alone as the loader wants it, or takes one that is empty. */
static int prepare(struct reckon *r, const char *dir) {
    if (!mkdir(dir, 0755))
        return 0;
    if (errno != EEXIST)
        return reckon_error(r, dir, 0, "the folder cannot be made: %s", strerror(errno));
    DIR *d = opendir(dir);
    if (!d)
        return reckon_error(r, dir, 0, "cannot be read: %s", strerror(errno));
    bool empty = true;
    for (struct dirent *e; empty && (e = readdir(d));)
        empty = !strcmp(e->d_name, ".") || !strcmp(e->d_name, "..");
    closedir(d);
    return empty ? 0 : reckon_error(r, dir, 0, "is not empty; name a folder that is, or a new one");
}

int plugins_new(struct reckon *r, const char *kind, const char *name, const char *dir) {
    const struct kind *k = kinds;
    while (k < kinds + KINDS && strcmp(k->name, kind))
        k++;
    if (k == kinds + KINDS)
        return reckon_error(
            r, NULL, 0,
            "plugins new: '%s' is no kind of module: layout, run, context, rule, output, verb, transport",
            reckon_printable(r, kind));
    if (!is_name(name))
        return reckon_error(
            r, NULL, 0,
            "plugins new: '%s' is no name: a letter, then letters, digits, '_' and '-', at most 40",
            reckon_printable(r, name));
    struct names n = names_of(r, kind, name);
    if (!dir)
        dir = n.stem;
    if (refuse_taken(r, &n) || prepare(r, dir))
        return -1;
    if (write_file(r, dir, reckon_text(r, "%s.c", n.stem), k->source, &n) ||
        write_file(r, dir, "Makefile", skeleton_module_mk, &n) || write_file(r, dir, "test", k->test, &n))
        return -1;
    printf("next: cd %s && make check\n", reckon_printable(r, dir));
    return 0;
}
