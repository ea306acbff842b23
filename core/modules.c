/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading modules: every file KIND_NAME in the search folders is opened and judged by its description. What cannot be
 * used is kept with the reason, so that `reckon plugins` can show it; nothing here knows any module by name.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <ltdl.h>

#include "build.h"
#include "module_file.h"
#include "modules.h"

#define MODULE_SUFFIX LT_MODULE_EXT
#define MODULE_SYMBOL "reckon_plugin"

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

bool has_word(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *p = list; p && (p = strstr(p, word)); p += n)
        if ((p == list || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
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
        refuse(r, m, "built for plugin ABI %u, this reckon has ABI %u; rebuild it against these headers", m->abi,
               RECKON_ABI);
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
        refuse(r, m, "its description is larger than this reckon knows; build it against these headers, or update reckon");
        return;
    }
    struct reckon_plugin *p = reckon_alloc(r, sizeof *p); /* an older, smaller one is filled up with zeros */
    memcpy(p, d->plugin, d->plugin_size);
    const char *lacks = module_lacks(d->kind, p, NULL);
    if (lacks)
        refuse(r, m, "its description has no %s; fill it in and rebuild", lacks);
    else if (!name_fits(m->stem + strlen(kind_word(d->kind)) + 1, p->name))
        refuse(r, m, "is named %s, which does not fit its file name; name the file %s_NAME in lower case", p->name,
               kind_word(d->kind));
    m->plugin = p;
}

void module_open(struct reckon *r, struct module *m, const char *file, const char *stem) {
    *m = (struct module){.file = file, .stem = stem, .kind = kind_of_stem(stem)};
    const char *unsafe = unsafe_file(r, file);
    if (unsafe) {
        refuse(r, m, "%s", unsafe);
        return;
    }
    const char *unresolved = unresolved_names(r, file);
    if (unresolved) {
        refuse(r, m, "%s", unresolved);
        return;
    }
    lt_dlhandle handle = lt_dlopen(file);
    if (!handle) {
        refuse(r, m, "cannot be loaded: %s", lt_dlerror());
        return;
    }
    const struct reckon_module *d = lt_dlsym(handle, MODULE_SYMBOL);
    if (!d) {
        refuse(r, m, "has no symbol " MODULE_SYMBOL "; it is no reckon module, or does not use RECKON_PLUGIN");
        lt_dlclose(handle);
        return;
    }
    judge(r, m, d);
}

/* ---- the list ---- */

static struct module *first_of(struct modules *all, enum reckon_kind kind, const char *name) {
    for (size_t i = 0; i < all->count; i++) {
        struct module *m = &all->at[i];
        if (m->state == MODULE_LOADED && m->kind == kind && !strcmp(m->plugin->name, name))
            return m;
    }
    return NULL;
}

static bool replaced_on_purpose(const struct module_search *search, const struct module *m) {
    size_t n = strlen(kind_word(m->kind));
    for (size_t i = 0; i < search->replace.count; i++) {
        const char *w = search->replace.at[i];
        if (!strncmp(w, kind_word(m->kind), n) && w[n] == ':' && !strcmp(w + n + 1, m->plugin->name))
            return true;
    }
    return false;
}

/* Adds a judged module: says what was refused, and what an earlier one of the same kind and name hides. */
static int keep(struct reckon *r, struct module m, const struct module_search *search) {
    struct modules *all = r->modules;
    if (m.state == MODULE_REFUSED) {
        if (search->strict)
            return reckon_error(r, m.file, 0, "module refused: %s", m.why);
        fprintf(stderr, "reckon: %s: module refused: %s\n", reckon_printable(r, m.file), m.why);
    } else {
        struct module *first = first_of(all, m.kind, m.plugin->name);
        if (first) {
            m.state = MODULE_SHADOWED;
            m.why = reckon_text(r, "hidden by %s", first->file);
            if (!replaced_on_purpose(search, &m))
                fprintf(stderr, "reckon: %s: hides the %s %s of %s (--replace %s:%s says that this is meant)\n",
                        reckon_printable(r, first->file), kind_word(m.kind), m.plugin->name,
                        reckon_printable(r, m.file), kind_word(m.kind), m.plugin->name);
        }
    }
    all->at = reckon_grow(all->at, all->count, &all->cap, sizeof *all->at);
    all->at[all->count++] = m;
    return 0;
}

/* ---- folders ---- */

static int by_bytes(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The stem of a module's file name: KIND_NAME of KIND_NAME.so or KIND_NAME.la; NULL for other files. */
static const char *stem_of(struct reckon *r, const char *file) {
    const char *dot = strrchr(file, '.');
    if (!dot || (strcmp(dot, MODULE_SUFFIX) && strcmp(dot, ".la")) || !kind_of_stem(file))
        return NULL;
    return reckon_strndup(r, file, (size_t)(dot - file));
}

/* The shared object of a stem in a folder: beside, or, in a libtool build folder, in .libs. */
static const char *object_of(struct reckon *r, const char *dir, const char *stem) {
    const char *beside = reckon_text(r, "%s/%s" MODULE_SUFFIX, dir, stem);
    const char *hidden = reckon_text(r, "%s/.libs/%s" MODULE_SUFFIX, dir, stem);
    return access(beside, F_OK) && !access(hidden, F_OK) ? hidden : beside;
}

static int load_folder(struct reckon *r, const char *dir, bool by_hand, const struct module_search *search) {
    DIR *d = opendir(dir);
    if (!d) {
        if (by_hand)
            return reckon_error(r, dir, 0, "the plugin folder cannot be read: %s", strerror(errno));
        return 0;
    }
    struct strings stems = {0};
    for (struct dirent *e; (e = readdir(d));) {
        const char *stem = stem_of(r, e->d_name);
        if (stem)
            strings_add(&stems, stem);
    }
    closedir(d);
    if (stems.count)
        qsort(stems.at, stems.count, sizeof *stems.at, by_bytes);
    int rc = 0;
    for (size_t i = 0; i < stems.count && !rc; i++) {
        if (i && !strcmp(stems.at[i], stems.at[i - 1])) /* .la and .so of one module */
            continue;
        struct module m;
        module_open(r, &m, object_of(r, dir, stems.at[i]), stems.at[i]);
        rc = keep(r, m, search);
    }
    free(stems.at);
    return rc;
}

/* ---- built-in modules ---- */

/* Modules linked into the program: libltdl's list holds their symbols. */
static int load_preloaded(struct reckon *r, const struct module_search *search) {
    static const char mark[] = "_LTX_" MODULE_SYMBOL;
    for (const lt_dlsymlist *s = search->preloaded; s && s->name; s++) {
        const char *at = strstr(s->name, mark);
        if (!at || at[sizeof mark - 1] || !s->address)
            continue;
        struct module m = {.file = "(built in)", .stem = reckon_strndup(r, s->name, (size_t)(at - s->name))};
        judge(r, &m, s->address);
        if (keep(r, m, search))
            return -1;
    }
    return 0;
}

/* In a build tree the marker beside the program names the folders; elsewhere the installed folder counts. */
static int load_built_in(struct reckon *r, const struct module_search *search) {
    const char *dir;
    bool in_tree = false;
    int rc = 0;
    for (size_t i = 0; !rc && (dir = marked_folder(r, "modules", i)); i++) {
        in_tree = true;
        rc = load_folder(r, dir, false, search);
    }
    return in_tree ? rc : load_folder(r, PKGLIBDIR, false, search);
}

static int load_search_path(struct reckon *r, const struct module_search *search) {
    const char *path = secure_getenv("RECKON_PLUGIN_PATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        if (n && load_folder(r, reckon_strndup(r, path, n), true, search))
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
    if (x->state == MODULE_LOADED && x->kind == RECKON_KIND_rule && x->plugin->rule.rank != y->plugin->rule.rank)
        return x->plugin->rule.rank < y->plugin->rule.rank ? -1 : 1;
    int c = strcmp(x->plugin ? x->plugin->name : x->stem, y->plugin ? y->plugin->name : y->stem);
    return c ? c : strcmp(x->file, y->file);
}

int modules_load(struct reckon *r, const struct module_search *search) {
    if (lt_dlinit())
        return reckon_error(r, NULL, 0, "libltdl: %s", lt_dlerror());
    r->modules = reckon_alloc(r, sizeof *r->modules);
    for (size_t i = 0; i < search->dirs.count; i++)
        if (load_folder(r, search->dirs.at[i], true, search))
            return -1;
    if (load_search_path(r, search) || load_preloaded(r, search) || load_built_in(r, search))
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
    return first_of(r->modules, kind, name);
}
