/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a module's file may be loaded at all. Not installed.
 */
#ifndef RECKON_CORE_MODULE_FILE_H
#define RECKON_CORE_MODULE_FILE_H

#include "session.h"

/* Why the file must not be loaded: who owns it or its folder, who may write there. NULL when it is safe. */
const char *unsafe_file(struct reckon *r, const char *file);
/* What the dynamic linker says when not every name in the file resolves; NULL when all do. */
const char *unresolved_names(struct reckon *r, const char *file);
/* In a build tree, where a marker stands beside the program: the i-th folder it names for that use ("modules",
 * "samples"); NULL past the end, and elsewhere. */
const char *marked_folder(struct reckon *r, const char *use, size_t i);
/* Where the samples are that readers are held against; NULL when unknown. */
const char *samples_folder(struct reckon *r);

#endif
