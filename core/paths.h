/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of inputs: directories become their files. Not installed.
 */
#ifndef RECKON_CORE_PATHS_H
#define RECKON_CORE_PATHS_H

#include "session.h"

/* Adds what a path stands for: itself, or, for a directory, its files of one of the suffixes in byte order of their
 * names (without suffixes: the directory itself). A missing path and a directory without such files are errors. */
int path_files(struct reckon *r, const char *path, const struct strings *suffixes, struct strings *files);

#endif
