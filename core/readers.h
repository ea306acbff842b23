/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing readers by content. Not installed.
 */
#ifndef RECKON_CORE_READERS_H
#define RECKON_CORE_READERS_H

#include "layout.h"
#include "modules.h"

/* The beginning of an opened file; what is shown there is still read later. 0, or -1 after an error. (input.c) */
int input_head(struct reckon_input *in, struct reckon_head *head);

/* How sure a reader module is of the head. */
int module_score(const struct module *m, const struct reckon_head *head);

/* The reader of that kind and role that is surest of the head; NULL after an error. */
const struct module *reader_for(struct reckon *r, enum reckon_kind kind, const char *role,
                                const struct reckon_head *head);

#endif
