/* SPDX-License-Identifier: Apache-2.0
 *
 * The modules themselves: what was found, what became of it, and what is wrong with one. For verbs that list or judge
 * modules.
 */
#ifndef RECKON_MODULES_H
#define RECKON_MODULES_H

#include <reckon/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reckon_module_info {
    size_t size;         /* set to sizeof(struct reckon_module_info) before the call */
    const char *kind;    /* "rule"; "?" when the file's name does not say */
    const char *name;    /* as the module names itself, else the file's stem */
    const char *version; /* NULL when unknown */
    const char *summary; /* NULL when unknown */
    unsigned abi;        /* 0 when unknown */
    const char *file;    /* "(built in)" for one linked into the program */
    const char *state;   /* "loaded", "shadowed", "refused" */
    const char *why;     /* why it is shadowed or refused; NULL when loaded */
};

/* The i-th module that was found: loaded ones first, by kind, rules by rank, then by name. False past the end. */
bool reckon_module_at(struct reckon *r, size_t i, struct reckon_module_info *info);

/* An option of a verb as users see it, for manuals and completions. */
struct reckon_option_info {
    size_t size;         /* set to sizeof(struct reckon_option_info) before the call */
    const struct reckon_option *option;
    const char *heading; /* "--short PCT" */
    const char *group;   /* the heading it stands under in --help */
    const char *owner;   /* who declared it: "reckon", "rule HOST_SHORT" */
};

/* The i-th option of the verb ("run": the main command), in the order of --help. False past the end. */
bool reckon_verb_option_at(struct reckon *r, const char *verb, size_t i, struct reckon_option_info *info);

/* The folder that pkg-config finds reckon.pc in: this reckon's own, installed or in a build tree. */
const char *reckon_pkgconfig_folder(struct reckon *r);

/* Opens one module file and calls `problem` for everything wrong with it: safety, symbol, ABI, fields, options in
 * conflict with loaded modules', a rule without reasoning, a reader that claims another's file (held against the samples
 * that come with reckon). `grave`: it would be refused, or cannot work. *info is what it says of itself. */
void reckon_module_check(struct reckon *r, const char *file, struct reckon_module_info *info,
                         void (*problem)(void *user, bool grave, const char *text), void *user);

#ifdef __cplusplus
}
#endif
#endif
