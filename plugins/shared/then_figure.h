/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures of an earlier reckoning, as the baseline's readers take them.
 */
#ifndef SHARED_THEN_FIGURE_H
#define SHARED_THEN_FIGURE_H

#include <reckon/plugin.h>

/* A figure that was written as text: blank when the text is; anything but a number that is not negative is
 * counted as unreadable, and blank. */
double then_figure_text(struct reckon_baseline *b, const char *text);
/* The same of a number. */
double then_figure(struct reckon_baseline *b, double x);

#endif
