/* SPDX-License-Identifier: Apache-2.0
 *
 * The layout of a session: made before a layout reader fills it, freed with the session. Not installed.
 */
#ifndef RECKON_CORE_LAYOUT_H
#define RECKON_CORE_LAYOUT_H

#include "session.h"

/* An empty layout; `path` is what the user called its file. */
struct reckon_layout *layout_new(struct reckon *r, const char *path);
void layout_free(struct reckon_layout *l);

#endif
