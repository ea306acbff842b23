/* SPDX-License-Identifier: Apache-2.0
 *
 * The main command. Not installed.
 */
#ifndef RECKON_CORE_MAIN_RUN_H
#define RECKON_CORE_MAIN_RUN_H

#include "session.h"

/* Reckons one run or a ramp as the options say. The exit status; -1 after an error. */
int main_run(struct reckon *r);

#endif
