/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for people on standard output. Not installed.
 */
#ifndef RECKON_CORE_HELP_H
#define RECKON_CORE_HELP_H

#include "options.h"

/* Prints the verb's help. */
void print_help(struct reckon *r);
/* Prints a paragraph that begins at `column`, wrapped at 78 columns, its other lines indented; and a line end. */
void print_wrapped(const char *text, size_t column, size_t indent);

#endif
