/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading modules: every file KIND_NAME in the search folders is opened and judged by its description. What
 * cannot be used is kept with the reason, so that `reckon plugins` can show it; nothing here knows any module
 * by name.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "module_file.h"
#include "modules.h"

#define MODULE_SUFFIX LT_MODULE_EXT

static const char *const kinds[] = {"?", "layout", "run", "context", "rule", "output", "verb", "transport"};
#define KINDS (sizeof kinds / sizeof *kinds)

const char *kind_word(enum reckon_kind kind) {
    return (size_t)kind < KINDS ? kinds[kind] : kinds[0];
}

static enum reckon_kind kind_of_stem(const char *stem) {
    for (size_t k = 1; k < KINDS; k++) {
        size_t n = strlen(kinds[k]);
        if (!strncmp(stem, kinds[k], n) && stem[n] == '_' && stem[n + 1])
            return (enum reckon_kind)k;
    }
    return 0;
}

static bool holds(const char *list, const char *word, size_t length) {
    for (const char *p = list; p && *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n == length && !memcmp(p, word, n))
            return true;
        p += n;
    }
    return false;
}

bool has_word(const char *list, const char *word) {
    return holds(list, word, strlen(word));
}

bool share_words(const char *a, const char *b) {
    for (const char *p = a; p && *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n && holds(b, p, n))
            return true;
        p += n;
    }
    return false;
}

/* ---- judging one module ---- */

static void refuse(struct reckon *r, struct module *m, const char *fmt, ...) RECKON_PRINTF(3, 4);
static void refuse(struct reckon *r, struct module *m, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    m->state = MODULE_REFUSED;
    m->why = reckon_vtext(r, fmt, ap);
    va_end(ap);
}

/* Whether the file's NAME part is the module's name in lower case, '-' and '.' as '_'. */
static bool name_fits(const char *stem, const char *name) {
    for (; *stem && *name; stem++, name++) {
        char c = *name;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c == '-' || c == '.')
            c = '_';
        if (*stem != c)
            return false;
    }
    return !*stem && !*name;
}

static void judge(struct reckon *r, struct module *m, const struct reckon_module *d) {
    enum reckon_kind by_name = kind_of_stem(m->stem);
    if (d->size < sizeof *d || d->abi != RECKON_ABI) {
        m->abi = d->size >= offsetof(struct reckon_module, kind) ? d->abi : 0;
        refuse(r, m, "built for plugin ABI %u, this reckon has ABI %u; rebuild it against these headers",
               m->abi, RECKON_ABI);
        return;
    }
    m->abi = d->abi;
    m->kind = d->kind;
    if ((size_t)d->kind >= KINDS || !d->kind || d->kind != by_name) {
        refuse(r, m, "describes a %s, but its file name says %s; name the file KIND_NAME", kind_word(d->kind),
               kind_word(by_name));
        return;
    }
    if (d->plugin_size > sizeof(struct reckon_plugin) || !d->plugin) {
        refuse(r, m,
               "its description is larger than this reckon knows; build it against these headers, or update "
               "reckon");
        return;
    }
    struct reckon_plugin *p = reckon_alloc(r, sizeof *p); /* an older, smaller one is filled up with zeros */
    memcpy(p, d->plugin, d->plugin_size);
    const char *lacks = module_lacks(d->kind, p, NULL);
    if (lacks)
        refuse(r, m, "its description has no %s; fill it in and rebuild", lacks);
    else if (!name_fits(m->stem + strlen(kind_word(d->kind)) + 1, p->name))
        refuse(r, m, "is named %s, which does not fit its file name; name the file %s_NAME in lower case",
               p->name, kind_word(d->kind));
    m->plugin = p;
}

/* Opening runs code of the module already: what its constructors do. */
static const struct reckon_module *object_in(struct reckon *r, const struct module *m, const char **why) {
    const struct module *before = module_enter(m);
    const struct reckon_module *d = module_object(r, m->file, why);
    module_leave(before);
    return d;
}

void module_open(struct reckon *r, struct module *m, const char *file, const char *stem, const char *unsafe) {
    *m = (struct module){.file = file, .stem = stem, .kind = kind_of_stem(stem)};
    const char *why = unsafe;
    const struct reckon_module *d = NULL;
    if (!why && !m->kind)
        why = "its name says no kind of module; name the file KIND_NAME, like rule_mine" MODULE_SUFFIX;
    if (!why)
        why = unsafe_file(r, file);
    if (!why)
        d = object_in(r, m, &why);
    if (d)
        judge(r, m, d);
    else
        refuse(r, m, "%s", why);
}

/* ---- the list ---- */

struct module *module_loaded(const struct reckon *r, enum reckon_kind kind, const char *name) {
    for (size_t i = 0; i < r->modules->count; i++) {
        struct module *m = &r->modules->at[i];
        if (m->state == MODULE_LOADED && m->kind == kind && !strcmp(m->plugin->name, name))
            return m;
    }
    return NULL;
}

/* Whether the word of --replace, KIND:NAME, means the module. */
static bool means(const char *word, const struct module *m) {
    size_t n = strlen(kind_word(m->kind));
    return !strncmp(word, kind_word(m->kind), n) && word[n] == ':' && m->plugin &&
           !strcmp(word + n + 1, m->plugin->name);
}

static bool replaced_on_purpose(const struct module_search *search, const struct module *m) {
    for (size_t i = 0; i < search->replace.count; i++)
        if (means(search->replace.at[i], m))
            return true;
    return false;
}

static bool names_kind(const char *word) {
    size_t n = strcspn(word, ":");
    bool found = false;
    for (size_t k = 1; k < KINDS && word[n] && word[n + 1]; k++)
        found = found || (strlen(kinds[k]) == n && !strncmp(word, kinds[k], n));
    return found;
}

static bool hides_another(const struct modules *all, const char *word) {
    for (size_t i = 0; i < all->count; i++)
        if (all->at[i].state == MODULE_SHADOWED && means(word, &all->at[i]))
            return true;
    return false;
}

/* A --replace that replaces nothing was mistyped, or its module was not found. */
static int check_replace(struct reckon *r, const struct module_search *search) {
    for (size_t i = 0; i < search->replace.count; i++) {
        const char *word = search->replace.at[i], *shown = reckon_printable(r, word);
        if (!names_kind(word))
            return reckon_error(r, NULL, 0, "--replace %s: say KIND:NAME, like rule:HOST_SHORT", shown);
        if (hides_another(r->modules, word))
            continue;
        if (search->strict)
            return reckon_error(r, NULL, 0, "--replace %s: no module of that kind and name hides another",
                                shown);
        fprintf(stderr, "reckon: --replace %s: no module of that kind and name hides another\n", shown);
    }
    return 0;
}

int module_refuse(struct reckon *r, struct module *m, const char *why) {
    m->state = MODULE_REFUSED;
    m->why = why;
    if (r->modules->silent)
        return 0;
    if (r->modules->strict)
        return reckon_error(r, m->file, 0, "module refused: %s", why);
    fprintf(stderr, "reckon: %s: module refused: %s\n", reckon_printable(r, m->file), why);
    return 0;
}

/* Adds a judged module: says what was refused, and what an earlier one of the same kind and name hides. */
static int keep(struct reckon *r, struct module m, const struct module_search *search) {
    struct modules *all = r->modules;
    if (m.state == MODULE_REFUSED) {
        if (module_refuse(r, &m, m.why))
            return -1;
    } else {
        struct module *first = module_loaded(r, m.kind, m.plugin->name);
        if (first) {
            m.state = MODULE_SHADOWED;
            m.why = reckon_text(r, "hidden by %s", first->file);
            if (!replaced_on_purpose(search, &m))
                fprintf(stderr,
                        "reckon: %s: hides the %s %s of %s (--replace %s:%s says that this is meant)\n",
                        reckon_printable(r, first->file), kind_word(m.kind), m.plugin->name,
                        reckon_printable(r, m.file), kind_word(m.kind), m.plugin->name);
        }
    }
    all->at = reckon_grow(all->at, all->count, &all->cap, sizeof *all->at);
    all->at[all->count++] = m;
    return 0;
}

/* ---- folders ---- */

/* A module's file: its shared object, or a libtool archive, whose shared object may lie in .libs. */
struct entry {
    const char *stem;
    bool archive;
};

static int by_stem(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    int c = strcmp(x->stem, y->stem);
    return c ? c : x->archive - y->archive;
}

/* Whether a file of that name is meant to be a module: not a library that lies beside one. */
static bool is_module(const char *name, const char *dot) {
    if (!dot || !strncmp(name, "lib", 3) || *name == '.')
        return false;
    return !strcmp(dot, MODULE_SUFFIX) || (!strcmp(dot, ".la") && kind_of_stem(name));
}

static size_t list_modules(struct reckon *r, DIR *d, struct entry **entries) {
    size_t n = 0, cap = 0;
    for (struct dirent *e; (e = readdir(d));) {
        const char *name = e->d_name, *dot = strrchr(name, '.');
        if (!is_module(name, dot))
            continue;
        *entries = reckon_grow(*entries, n, &cap, sizeof **entries);
        (*entries)[n++] = (struct entry){reckon_strndup(r, name, (size_t)(dot - name)), !strcmp(dot, ".la")};
    }
    if (n)
        qsort(*entries, n, sizeof **entries, by_stem);
    return n;
}

static bool searched_before(struct modules *all, DIR *d) {
    struct stat st;
    if (fstat(dirfd(d), &st))
        return false;
    for (size_t i = 0; i < all->folder_count; i++)
        if (all->folders[i].dev == st.st_dev && all->folders[i].ino == st.st_ino)
            return true;
    all->folders = reckon_grow(all->folders, all->folder_count, &all->folder_cap, sizeof *all->folders);
    all->folders[all->folder_count++] = (struct searched){st.st_dev, st.st_ino};
    return false;
}

/* What is linked into the program need not be looked for among the files that came with it. */
static bool linked_in(const struct module_search *search, const char *stem) {
    for (const struct preloaded *p = search->built_in ? search->preloaded : NULL; p && p->stem; p++)
        if (!strcmp(p->stem, stem))
            return true;
    return false;
}

/* Loads the entries whose objects lie in one folder. One that is unsafe is said once, not for each of its
 * modules. */
static int load_entries(struct reckon *r, const char *dir, const struct entry *entries, size_t n,
                        bool archives, const struct module_search *search) {
    const char *unsafe = NULL;
    bool looked = false, outer = r->modules->silent;
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        struct module m;
        bool twice = archives && i && !strcmp(entries[i].stem, entries[i - 1].stem);
        if (entries[i].archive != archives || twice || linked_in(search, entries[i].stem))
            continue;
        if (!looked)
            unsafe = unsafe_folder(r, dir);
        looked = true;
        module_open(r, &m, reckon_text(r, "%s/%s" MODULE_SUFFIX, dir, entries[i].stem), entries[i].stem,
                    unsafe);
        m.built_in = search->built_in;
        rc = keep(r, m, search);
        r->modules->silent = outer || unsafe;
    }
    r->modules->silent = outer;
    return rc;
}

enum missing { MISSING_FINE, MISSING_SAID, MISSING_ERROR };

static int no_folder(struct reckon *r, const char *dir, enum missing missing, bool strict) {
    const char *why = strerror(errno);
    if (errno == ENOMEM)
        out_of_memory();
    if (missing == MISSING_ERROR || (missing == MISSING_SAID && strict))
        return reckon_error(r, dir, 0, "the plugin folder cannot be read: %s", why);
    if (missing == MISSING_SAID)
        fprintf(stderr, "reckon: %s: the plugin folder cannot be read: %s\n", reckon_printable(r, dir), why);
    return 0;
}

static int load_folder(struct reckon *r, const char *dir, enum missing missing,
                       const struct module_search *search) {
    DIR *d = opendir(dir);
    if (!d)
        return no_folder(r, dir, missing, search->strict);
    struct entry *entries = NULL;
    size_t n = searched_before(r->modules, d) ? 0 : list_modules(r, d, &entries);
    closedir(d);
    int rc = load_entries(r, dir, entries, n, false, search) ||
             load_entries(r, reckon_text(r, "%s/.libs", dir), entries, n, true, search);
    free(entries);
    return rc ? -1 : 0;
}

/* ---- where modules are ---- */

static int load_preloaded(struct reckon *r, const struct module_search *search) {
    for (const struct preloaded *p = search->preloaded; p && p->stem; p++) {
        struct module m = {.file = "(built in)", .stem = p->stem, .built_in = true};
        judge(r, &m, p->module);
        if (keep(r, m, search))
            return -1;
    }
    return 0;
}

/* In a build tree the marker beside the program names the folders; elsewhere the installed folder counts. */
static int load_built_in(struct reckon *r, const struct module_search *search) {
    struct module_search built_in = *search;
    const char *dir;
    bool in_tree = false;
    int rc = 0;
    built_in.built_in = true;
    for (size_t i = 0; !rc && (dir = marked_folder(r, "modules", i)); i++) {
        in_tree = true;
        rc = load_folder(r, dir, MISSING_FINE, &built_in);
    }
    return in_tree
               ? rc
               : load_folder(r, installed_folder(r, MODULES_FROM_BIN, PKGLIBDIR), MISSING_FINE, &built_in);
}

static int load_search_path(struct reckon *r, const struct module_search *search) {
    const char *path = secure_getenv("RECKON_PLUGIN_PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        if (n && load_folder(r, reckon_strndup(r, path, n), MISSING_SAID, search))
            return -1;
        path += n + (path[n] == ':');
    }
    return 0;
}

static int module_order(const void *a, const void *b) {
    const struct module *x = a, *y = b;
    if ((x->state == MODULE_LOADED) != (y->state == MODULE_LOADED))
        return x->state == MODULE_LOADED ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->state == MODULE_LOADED && x->kind == RECKON_KIND_rule &&
        x->plugin->rule.rank != y->plugin->rule.rank)
        return x->plugin->rule.rank < y->plugin->rule.rank ? -1 : 1;
    int c = strcmp(x->plugin ? x->plugin->name : x->stem, y->plugin ? y->plugin->name : y->stem);
    return c ? c : strcmp(x->file, y->file);
}

static int load_files(struct reckon *r, const struct module_search *search) {
    for (size_t i = 0; i < search->dirs.count; i++)
        if (load_folder(r, search->dirs.at[i], MISSING_ERROR, search))
            return -1;
    return load_search_path(r, search);
}

int modules_load(struct reckon *r, const struct module_search *search) {
    r->modules = reckon_alloc(r, sizeof *r->modules);
    r->modules->strict = search->strict;
    if (load_files(r, search) || load_preloaded(r, search) ||
        (modules_loadable() && load_built_in(r, search)) || check_replace(r, search))
        return -1;
    if (r->modules->count)
        qsort(r->modules->at, r->modules->count, sizeof *r->modules->at, module_order);
    return 0;
}

/* ---- look-ups ---- */

const struct module *module_of_kind(const struct reckon *r, enum reckon_kind kind, size_t i) {
    for (size_t k = 0; k < r->modules->count; k++) {
        const struct module *m = &r->modules->at[k];
        if (m->state == MODULE_LOADED && m->kind == kind && i-- == 0)
            return m;
    }
    return NULL;
}

const struct module *module_named(const struct reckon *r, enum reckon_kind kind, const char *name) {
    return module_loaded(r, kind, name);
}
