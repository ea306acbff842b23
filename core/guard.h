/* SPDX-License-Identifier: Apache-2.0
 *
 * Blaming a crash or an exit() on the module whose code it was. Not installed.
 */
#ifndef RECKON_CORE_GUARD_H
#define RECKON_CORE_GUARD_H

#include "modules.h"

/* Catches SEGV, BUS, FPE, ILL and ABRT, and exit() called by a module. Once, by main. */
void guard_begin(void);
/* An alternate stack for the calling thread, so that a crash by a used-up stack is reported too; given back at the end
 * of the thread. */
void *guard_thread(void);
void guard_thread_end(void *stack);

#endif
