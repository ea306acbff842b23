/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures of an earlier reckoning. What was edited by hand or written by another tool is counted, never read
 * as a fall.
 */
#include "then_figure.h"

#include <string.h>

double then_figure(struct reckon_baseline *b, double x) {
    if (x >= 0 && isfinite(x))
        return x;
    reckon_baseline_unreadable(b);
    return RECKON_BLANK;
}

double then_figure_text(struct reckon_baseline *b, const char *text) {
    if (!text[strspn(text, " \t")])
        return RECKON_BLANK;
    return then_figure(b, reckon_number(text, strlen(text)));
}
