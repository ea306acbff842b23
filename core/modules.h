/* SPDX-License-Identifier: Apache-2.0
 *
 * The loaded modules: found by name in folders, judged, and kept in a fixed order. Not installed.
 */
#ifndef RECKON_CORE_MODULES_H
#define RECKON_CORE_MODULES_H

#include <sys/types.h>

#include "session.h"

enum module_state { MODULE_LOADED, MODULE_SHADOWED, MODULE_REFUSED };

struct module {
    const char *file; /* full path; "(built in)" for a preloaded one */
    const char *stem; /* KIND_NAME, from the file's name */
    enum module_state state;
    const char *why; /* refused: reason and remedy; shadowed: by which file */
    unsigned abi;    /* 0: unknown */
    enum reckon_kind kind;
    const struct reckon_plugin *plugin; /* NULL when refused before it was read */
    bool built_in;                      /* it came with reckon */
};

/* Modules linked into the program: a table ended by a NULL stem. */
struct preloaded {
    const char *stem;
    const struct reckon_module *module;
};

/* The program's own; NULL when it has none. (preloaded.c) */
const struct preloaded *preloaded_modules(void);

/* A folder that was searched, so that none is twice. */
struct searched {
    dev_t dev;
    ino_t ino;
};

struct modules {
    struct module *at;
    size_t count, cap;
    struct searched *folders;
    size_t folder_count, folder_cap;
    bool strict; /* a refusal is an error */
    bool silent; /* refusals are kept without a word, for those that list them */
    /* The last ones told of; once there are any, those of every verb were put together. */
    struct options *told;
};

/* Where to look, and how strict to be, as the command line says before it is parsed in full. */
struct module_search {
    struct strings dirs;               /* --plugin-dir, in order */
    struct strings replace;            /* --replace KIND:NAME */
    bool strict;                       /* --strict-plugins: a refusal is an error */
    bool built_in;                     /* what is being searched came with reckon */
    const struct preloaded *preloaded; /* NULL for none */
};

/* Loads what is found: the given folders, RECKON_PLUGIN_PATH, then the built-in ones. Refusals and shadowing
 * are said on stderr. -1 after an error (strict, or a folder given by hand that is no folder). */
int modules_load(struct reckon *r, const struct module_search *search);
/* Opens and judges one file, without keeping it among the modules; `unsafe` is what speaks against its
 * folder. */
void module_open(struct reckon *r, struct module *m, const char *file, const char *stem, const char *unsafe);
/* Takes a loaded module out again and says why on stderr. -1 when that is an error (--strict-plugins). */
int module_refuse(struct reckon *r, struct module *m, const char *why);

/* The first needed field after `after` (NULL: the first) that the description lacks, ".rule.why"; NULL when
 * there is none. (module_fields.c) */
const char *module_lacks(enum reckon_kind kind, const struct reckon_plugin *p, const char *after);

/* The i-th loaded module of the kind, in order of name (rules: of rank); NULL past the end. */
const struct module *module_of_kind(const struct reckon *r, enum reckon_kind kind, size_t i);
const struct module *module_named(const struct reckon *r, enum reckon_kind kind, const char *name);
struct module *module_loaded(const struct reckon *r, enum reckon_kind kind, const char *name); /* the same */
/* "rule", "output"…; "?" for a number that is no kind. */
const char *kind_word(enum reckon_kind kind);

/* Fills in what may be told of a module, as far as info->size reaches. (module_tell.c) */
struct reckon_module_info;
void module_tell(const struct module *m, struct reckon_module_info *info);

/* The option whose reader recognises the file best ("--idle"), for an error message; NULL for none. The
 * option by which `but` (NULL: nobody) was given it is left out. */
const char *modules_who_reads(struct reckon *r, const char *path, const struct module *but);

/* Marks the module whose code runs on this thread, for the report of a crash; returns the one before.
 * (guard.c) */
const struct module *module_enter(const struct module *m);
void module_leave(const struct module *before);
const struct module *module_running(void);
/* What a module (NULL: none that was loaded) returned: a failure that it did not explain by reckon_error()
 * becomes an error that names it. */
int module_answer(struct reckon *r, const struct module *m, int rc);

/* True when `word` is one of the blank-separated words of `list`. */
bool has_word(const char *list, const char *word);
/* True when two lists have a word in common; NULL has none. */
bool share_words(const char *a, const char *b);

#endif
