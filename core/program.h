/* SPDX-License-Identifier: Apache-2.0
 *
 * The program in one session. Not installed.
 */
#ifndef RECKON_CORE_PROGRAM_H
#define RECKON_CORE_PROGRAM_H

#include "modules.h"

/* Loads the modules, unless the session has some (`preloaded`: those that are linked into the program; NULL
 * for none), and reads the command line. -1 after an error. */
int program_prepare(struct reckon *r, int argc, char **argv, const struct preloaded *preloaded);
/* Does what the command line said, or says on stderr why it could not be prepared: the exit status. */
int program_run(struct reckon *r);
/* --version: the exit status. */
int print_version(void);

#endif
