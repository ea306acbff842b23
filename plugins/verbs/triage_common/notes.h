/* SPDX-License-Identifier: Apache-2.0
 *
 * Notes of verbs that have no report.
 */
#ifndef TRIAGE_NOTES_H
#define TRIAGE_NOTES_H

#include <reckon/base.h>
#include <stdio.h>

/* Prints the notes from number *said on, to standard error; *said is how many there are then. */
static inline void notes_print(const struct reckon *r, size_t *said) {
    for (; reckon_note_at(r, *said); ++*said)
        fprintf(stderr, "reckon: NOTE %s\n", reckon_note_at(r, *said));
}

#endif
