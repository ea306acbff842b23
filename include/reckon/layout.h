/* SPDX-License-Identifier: Apache-2.0
 *
 * Layouts: the tree of elements (rooms, racks, hosts…) with attributes and tags that was built.
 *
 * A layout reader adds elements in file order, parents first; everybody else reads them. Inheritance is the core's:
 * an attribute is an element's own or its nearest ancestor's, except `id name at u cols dir gap label size`.
 */
#ifndef RECKON_LAYOUT_H
#define RECKON_LAYOUT_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

struct reckon_layout;

/* The most elements a layout may have (a fuzz target has less patience). */
#ifndef RECKON_LAYOUT_MAX
#define RECKON_LAYOUT_MAX 20000000u
#endif

/* ---- for layout readers ---- */

/* Adds an element below `parent` (RECKON_NONE: at the top). `line` is the line of the file it came from. The strings
 * are copied (interned). Returns its index; RECKON_NONE after an error when there are too many. */
uint32_t reckon_element_add(struct reckon_layout *l, uint32_t parent, const char *kind, const char *id,
                            unsigned long line);
/* Sets an own attribute of the element (key lower-cased, a later value replaces); `name` sets the element's name. */
void reckon_element_set(struct reckon_layout *l, uint32_t e, const char *key, const char *value);
/* Adds an own tag, lower-cased. */
void reckon_element_tag(struct reckon_layout *l, uint32_t e, const char *tag);

/* ---- for everybody ---- */

/* The layout of this run, NULL when there is none; and what the user called its file. */
const struct reckon_layout *reckon_layout(const struct reckon *r);
const char *reckon_layout_path(const struct reckon_layout *l);

/* Elements are numbered 0…count-1 in file order. */
uint32_t reckon_element_count(const struct reckon_layout *l);
uint32_t reckon_element_parent(const struct reckon_layout *l, uint32_t e); /* RECKON_NONE at the top */
const char *reckon_element_kind(const struct reckon_layout *l, uint32_t e);
const char *reckon_element_id(const struct reckon_layout *l, uint32_t e);
/* Its `name` attribute, else its id. */
const char *reckon_element_name(const struct reckon_layout *l, uint32_t e);
/* The path of its parent and its id joined by '/', with #2, #3… when that path occurred before. Arena text. */
const char *reckon_element_path(const struct reckon_layout *l, uint32_t e);
unsigned long reckon_element_line(const struct reckon_layout *l, uint32_t e);
/* An attribute (lower-case key): own or inherited; NULL when nobody sets it. *from (may be NULL): who set it. */
const char *reckon_element_get(const struct reckon_layout *l, uint32_t e, const char *key, uint32_t *from);
/* An own attribute only. */
const char *reckon_element_own(const struct reckon_layout *l, uint32_t e, const char *key);
/* The i-th own attribute: its key (NULL past the end) and value. */
const char *reckon_element_attribute(const struct reckon_layout *l, uint32_t e, size_t i, const char **value);
/* Whether it or an ancestor carries the tag (lower-case). */
bool reckon_element_tagged(const struct reckon_layout *l, uint32_t e, const char *tag);
/* The nearest ancestor of that kind, not the element itself; RECKON_NONE for none. */
uint32_t reckon_element_above(const struct reckon_layout *l, uint32_t e, const char *kind);
/* The first element in file order of that name; RECKON_NONE for none. *several (may be NULL): how many have it. */
uint32_t reckon_element_named(const struct reckon_layout *l, const char *name, uint32_t *several);

#ifdef __cplusplus
}
#endif
#endif
