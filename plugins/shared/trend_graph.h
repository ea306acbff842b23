/* SPDX-License-Identifier: Apache-2.0
 *
 * A test's graph as SVG: a dot a run, the group means as a line, a circle where a regression or progression
 * starts. And what the pages around graphs share: escaping, file names, the directory.
 */
#ifndef SHARED_TREND_GRAPH_H
#define SHARED_TREND_GRAPH_H

#include "trend_text.h"

/* Text for XML and HTML, in content or a quoted attribute; control bytes and bytes that are not UTF-8 as
 * \xNN. */
void trend_put_escaped(struct reckon *r, struct reckon_writer *w, const char *text);
/* The colours as CSS variables, light and dark, and the rules of the graph. */
void trend_put_style(struct reckon_writer *w);
/* The <svg> element. Alone it carries its own style, and its labels are <title>s; within a page (`page`)
 * every dot has its label as aria-label and can be focused. */
void trend_put_graph(struct reckon *r, struct reckon_writer *w, const struct reckon_trend *t, size_t test,
                     bool page);

/* Makes the output's directory if it is not there. NULL after an error, and when --OPTION has no path. */
const char *trend_directory(struct reckon *r, const char *option);
/* A file name for each test, without its ending: its letters, digits, dots and dashes; different ones also
 * for file systems that ignore case. Arena array. */
const char **trend_file_names(struct reckon *r, const struct reckon_trend *t);

#endif
