/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of modules: whether one may be loaded at all, and loading it. Not installed.
 */
#ifndef RECKON_CORE_MODULE_FILE_H
#define RECKON_CORE_MODULE_FILE_H

#include "session.h"

/* Why nothing in the folder may be loaded: it is not there, who owns it, who may write there. NULL when it is safe. */
const char *unsafe_folder(struct reckon *r, const char *folder);
/* The same for a file in a safe folder; one that is a link must lead into a safe folder too. */
const char *unsafe_file(struct reckon *r, const char *file);

/* Loads the file and returns what it exports; NULL when it cannot be used, and *why says why. (module_object.c) */
const struct reckon_module *module_object(struct reckon *r, const char *file, const char **why);
/* Whether this program can load files at all: one without a dynamic linker cannot. */
bool modules_loadable(void);

/* In a build tree, where a marker stands beside the program: the i-th folder it names for that use ("modules",
 * "samples"); NULL past the end, and elsewhere. */
const char *marked_folder(struct reckon *r, const char *use, size_t i);
/* An installed folder: as it lies from the program, when it does, else where it was to be installed. */
const char *installed_folder(struct reckon *r, const char *from_program, const char *otherwise);
/* Where the samples are that readers are held against. */
const char *samples_folder(struct reckon *r);

#endif
