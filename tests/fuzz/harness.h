/* SPDX-License-Identifier: Apache-2.0
 *
 * The program as a function of a few files, run again and again in one process: for libFuzzer and for
 * replaying what it found.
 */
#ifndef TESTS_FUZZ_HARNESS_H
#define TESTS_FUZZ_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Moves into a folder of its own, and reads the target: a case (README) whose last file is what is tried;
 * NULL when a whole case is. Ends the process when there is no such target. */
void fuzz_begin(const char *target);
/* Runs the program once; with `leaks`, what it lost is reported and ends the process. False when the input is
 * no case. */
bool fuzz_once(const uint8_t *data, size_t size, bool leaks);
/* Removes the folder. */
void fuzz_end(void);

#endif
