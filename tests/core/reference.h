/* SPDX-License-Identifier: Apache-2.0
 *
 * The fair share by plain progressive filling: every link and flow looked at in every step, in long doubles.
 * Slow, and written from doc/model.md alone; what the solver is held against.
 */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "../fabric.h"

struct reference {
    long double *expected; /* per flow; NaN for none */
    enum reckon_limit *limit;
    uint32_t *link;
};

struct reference reference_solve(const struct reckon_comparison *c, bool unpaced);
void reference_free(struct reference *x);

#endif
