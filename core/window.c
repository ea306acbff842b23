/* SPDX-License-Identifier: Apache-2.0
 *
 * The window of a run: the last seconds before the newest record of any file. A file whose clock is ahead of
 * all others must not end everybody's window, and is cut by its own.
 */
#include <stdlib.h>

#include "assemble.h"

#define AHEAD_WITHOUT_WINDOW 60.0 /* seconds a clock may be ahead when the window is everything */

/* The median of the files' newest records; blank when no record has a time. */
static double usual_newest(const struct assembly *a) {
    double *newest = reckon_resize(NULL, a->nsinks, sizeof *newest);
    size_t n = 0;
    for (size_t i = 0; i < a->nsinks; i++)
        if (!reckon_blank(a->sinks[i]->newest))
            newest[n++] = a->sinks[i]->newest;
    double median = reckon_median(newest, n);
    free(newest);
    return median;
}

void assemble_window(struct assembly *a) {
    struct reckon_comparison *c = a->c;
    double usual = usual_newest(a), allowed = c->window > 0 ? c->window : AHEAD_WITHOUT_WINDOW;
    for (size_t i = 0; i < a->nsinks; i++) {
        double newest = a->sinks[i]->newest;
        if (newest - usual > allowed)
            a->files[i].ahead = newest - usual;
        else if (!reckon_blank(newest) && !(c->window_end >= newest))
            c->window_end = newest;
    }
    if (reckon_blank(usual))
        c->window = RECKON_BLANK;
    for (size_t i = 0; i < a->nsinks; i++) {
        struct file *f = &a->files[i];
        f->cut = c->window > 0 ? (f->ahead > 0 ? a->sinks[i]->newest : c->window_end) - c->window : -INFINITY;
    }
}
