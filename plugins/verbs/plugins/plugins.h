/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of `reckon plugins` call each other.
 */
#ifndef RECKON_VERB_PLUGINS_H
#define RECKON_VERB_PLUGINS_H

#include <reckon/modules.h>
#include <reckon/plugin.h>

/* Writes the table of all modules, as text or JSON. */
void plugins_table(struct reckon *r, struct reckon_writer *w);
void plugins_json(struct reckon *r, struct reckon_writer *w);
/* Writes every option of a verb (NULL: of all, each line led by its verb), tab-separated, for manuals and
 * completions. */
void plugins_options(struct reckon *r, const char *verb, struct reckon_writer *w);
/* `new KIND NAME [DIR]`: writes a skeleton. 0, or -1 after an error. */
int plugins_new(struct reckon *r, const char *kind, const char *name, const char *dir);

#endif
