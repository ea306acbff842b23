/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of inputs: directories become their files. Not installed.
 */
#ifndef RECKON_CORE_PATHS_H
#define RECKON_CORE_PATHS_H

#include "session.h"

/* Adds what a path stands for: itself, or, for a directory, its files of one of the suffixes in byte order of
 * their names (without suffixes: the directory itself). A missing path and a directory without such files are
 * errors. */
int path_files(struct reckon *r, const char *path, const struct strings *suffixes, struct strings *files);
/* The same for several paths into an empty list, in which a regular file counts once, by whatever names it
 * comes: repeats are left out with a note. *from (or NULL), to be freed: for each file the index of its path.
 * 0, or -1 after an error. */
int paths_files(struct reckon *r, const char *const *paths, size_t count, const struct strings *suffixes,
                struct strings *files, uint32_t **from);

#endif
