/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for people on standard output. Not installed.
 */
#ifndef RECKON_CORE_HELP_H
#define RECKON_CORE_HELP_H

#include "options.h"

/* The headings options stand under, in order; ended by NULL. */
extern const char *const option_groups[];
/* Which of them an option belongs to, and how it is written: "--short PCT". */
const char *option_group(const struct setting *o);
const char *option_heading(struct reckon *r, const struct setting *o);
/* Prints the verb's help. */
void print_help(struct reckon *r);
/* Prints a paragraph that begins at `column`, wrapped at 78 columns, its other lines indented; and a line end. */
void print_wrapped(const char *text, size_t column, size_t indent);

#endif
