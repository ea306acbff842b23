/* SPDX-License-Identifier: Apache-2.0
 *
 * Ramps: cutting a history into steps, fitting the model, judging and writing it. Not installed.
 */
#ifndef RECKON_CORE_RAMP_H
#define RECKON_CORE_RAMP_H

#include "model.h"

/* Reckons a ramp of runs. The exit status; -1 after an error. */
int ramp_main(struct reckon *r, const char *const *paths, size_t count, const struct reckon_speeds *speeds,
              struct reckon_known *known);

#endif
