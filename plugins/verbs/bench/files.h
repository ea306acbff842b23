/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders of results.
 */
#ifndef RECKON_BENCH_FILES_H
#define RECKON_BENCH_FILES_H

#include <reckon/plugin.h>

/* Makes the folder unless it is there. -1 after an error. */
int make_folder(struct reckon *r, const char *path);
/* Refuses a folder that holds anything: results of two tests must not mix. */
int check_folder_empty(struct reckon *r, const char *option, const char *path);

#endif
