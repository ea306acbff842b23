/* SPDX-License-Identifier: Apache-2.0
 *
 * The loaded modules: found by name in folders, judged, and kept in a fixed order. Not installed.
 */
#ifndef RECKON_CORE_MODULES_H
#define RECKON_CORE_MODULES_H

#include <ltdl.h>

#include "session.h"

enum module_state { MODULE_LOADED, MODULE_SHADOWED, MODULE_REFUSED };

struct module {
    const char *file; /* full path; "(built in)" for a preloaded one */
    const char *stem; /* KIND_NAME, from the file's name */
    enum module_state state;
    const char *why;    /* refused: reason and remedy; shadowed: by which file */
    unsigned abi;       /* 0: unknown */
    enum reckon_kind kind;
    const struct reckon_plugin *plugin; /* NULL when refused before it was read */
};

struct modules {
    struct module *at;
    size_t count, cap;
};

/* Where to look and how strict to be, as the command line says before it is parsed in full. */
struct module_search {
    struct strings dirs;    /* --plugin-dir, in order */
    struct strings replace; /* --replace KIND:NAME */
    bool strict;            /* --strict-plugins: a refusal is an error */
    const lt_dlsymlist *preloaded; /* modules linked into the program; NULL for none */
};

/* Loads what is found: the given folders, RECKON_PLUGIN_PATH, then the built-in ones. Refusals and shadowing are said on
 * stderr. -1 after an error (strict, or a folder given by hand that is no folder). */
int modules_load(struct reckon *r, const struct module_search *search);
/* Opens and judges one file, without keeping it among the modules. */
void module_open(struct reckon *r, struct module *m, const char *file, const char *stem);

/* The first needed field after `after` (NULL: the first) that the description lacks, ".rule.why"; NULL when there is
 * none. (module_fields.c) */
const char *module_lacks(enum reckon_kind kind, const struct reckon_plugin *p, const char *after);

/* The i-th loaded module of the kind, in order of name (rules: of rank); NULL past the end. */
const struct module *module_of_kind(const struct reckon *r, enum reckon_kind kind, size_t i);
const struct module *module_named(const struct reckon *r, enum reckon_kind kind, const char *name);
/* "rule", "output"…; "?" for a number that is no kind. */
const char *kind_word(enum reckon_kind kind);

/* The option whose reader recognises the file best ("--idle"), for an error message; NULL for none. Modules of
 * `but` are left out. */
const char *modules_who_reads(struct reckon *r, const char *path, const char *but);

/* Marks the module whose code runs on this thread, for the report of a crash; returns the one before. (guard.c) */
const struct module *module_enter(const struct module *m);
void module_leave(const struct module *before);
const struct module *module_running(void);

/* True when `word` is one of the blank-separated words of `list`. */
bool has_word(const char *list, const char *word);

#endif
