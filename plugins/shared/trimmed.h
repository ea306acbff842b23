/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures as people write them: "10", "2.5", not "10.000".
 */
#ifndef RECKON_TRIMMED_H
#define RECKON_TRIMMED_H

#include <reckon/base.h>

/* x with up to `decimals` decimals and no zeros at their end; "" when blank. Arena text. */
const char *trimmed(struct reckon *r, double x, int decimals);

#endif
