/* SPDX-License-Identifier: Apache-2.0
 *
 * What every plugin needs first: the session handle, memory, errors and notes, and text.
 *
 * Conventions of the whole interface:
 *  - A double that was not measured is NaN ("blank"); it is never 0. Test with reckon_blank().
 *  - Rates are in the run's own unit (requests/s or Mb/s of goodput), capacities in bits/s or packets/s,
 * times in microseconds, timestamps in seconds since 1970.
 *  - Strings the core hands out belong to the session and live until the program ends.
 *  - Functions that return int return 0, or -1 after reckon_error() has said why; pass the -1 on.
 *  - Memory never runs out from a plugin's view: an allocation that fails ends the program with one line,
 * status 2.
 */
#ifndef RECKON_BASE_H
#define RECKON_BASE_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An index that names nothing. */
#define RECKON_NONE UINT32_MAX
/* A figure that was not measured. */
#define RECKON_BLANK ((double)NAN)

#define RECKON_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

/* The session: options, memory, notes, findings. One per program run. */
struct reckon;

/* True when x was not measured. */
static inline bool reckon_blank(double x) {
    return x != x; /* NaN alone differs from itself */
}

/* ---- memory ---- */

/* `size` zeroed bytes from the session's arena, freed with the session. Safe from any thread. Never NULL. */
void *reckon_alloc(struct reckon *r, size_t size);
/* A copy of the first `n` bytes of `s` (or all of it) in the arena, NUL-terminated. */
char *reckon_strndup(struct reckon *r, const char *s, size_t n);
char *reckon_strdup(struct reckon *r, const char *s);
/* printf into the arena. */
char *reckon_text(struct reckon *r, const char *fmt, ...) RECKON_PRINTF(2, 3);
char *reckon_vtext(struct reckon *r, const char *fmt, va_list ap) RECKON_PRINTF(2, 0);
/* realloc to n × size bytes; never NULL, overflow ends the program like a failed allocation. Free with
 * free(). */
void *reckon_resize(void *p, size_t n, size_t size);
/* Makes room for one more element in the growable array *p of *cap elements holding n; doubles. Returns the
 * array. */
void *reckon_grow(void *p, size_t n, size_t *cap, size_t size);

/* ---- errors and notes ---- */

/* Says why the program must end with status 2: "reckon: FILE:LINE: why" (FILE may be NULL, LINE 0 for none).
 * The first error counts. Always returns -1. From a thread that reads a file it is kept with that file, so
 * that the error of the first file in order wins. */
int reckon_error(struct reckon *r, const char *file, unsigned long line, const char *fmt, ...)
    RECKON_PRINTF(4, 5);
/* The same for a file that is not of the reader's format at all: the core then asks the other readers whether
 * they recognise it and adds the option that would have read it. */
int reckon_wrong_format(struct reckon *r, const char *file, const char *fmt, ...) RECKON_PRINTF(3, 4);
/* Adds a sentence to the NOTE lines of every output: something left out, or read in a way worth knowing. */
void reckon_note(struct reckon *r, const char *fmt, ...) RECKON_PRINTF(2, 3);
/* Adds a sentence to ASSUMED: what the model takes for granted about this run. */
void reckon_assume(struct reckon *r, const char *fmt, ...) RECKON_PRINTF(2, 3);
/* The notes and assumptions so far, in order; NULL past the end. */
const char *reckon_note_at(const struct reckon *r, size_t i);
const char *reckon_assumption_at(const struct reckon *r, size_t i);
/* The release of reckon, "1.0.0". */
const char *reckon_version(void);

/* ---- numbers ---- */

/* Reads a whole cell as a finite decimal number: blanks around, a leading +, "5." and ".5", exponents.
 * Anything else (hex, nan, inf, trailing letters, an overflow) is blank. Correctly rounded, and independent
 * of the locale. */
double reckon_number(const char *s, size_t n);
/* The shortest decimal text that reads back as exactly x ("0.1", "1e+300", "12"); `buf` of RECKON_NUMBER_SIZE
 * bytes. x must be finite. Returns buf. */
#define RECKON_NUMBER_SIZE 32
char *reckon_number_text(double x, char *buf);
/* x with a fixed number of decimals, correctly rounded, with a point in every locale; "" when blank or
 * infinite. Arena text. */
const char *reckon_fixed(struct reckon *r, double x, int decimals);
/* The median of n values, the mean of the middle two for an even n; reorders v; blank for n = 0. */
double reckon_median(double *v, size_t n);
/* Runs fn(user, i) for i in 0..n-1 on the threads of --jobs; returns when all are done. Errors and notes made
 * in fn are kept apart for each i and taken in order of i. Returns -1 when one failed. */
int reckon_parallel(struct reckon *r, size_t n, int (*fn)(void *user, size_t i), void *user);

/* ---- names from other people's files ---- */

/* `s` as a terminal may show it: control bytes and bytes that are not UTF-8 as \xNN, whatever the locale.
 * Arena text, or s itself. */
const char *reckon_printable(struct reckon *r, const char *s);
/* `s` as JSON may hold it: bytes that are not UTF-8 as \xNN text. Arena text, or s itself. */
const char *reckon_utf8(struct reckon *r, const char *s);
/* How many terminal columns `s` takes (wide characters two, combining ones none). */
size_t reckon_columns(const char *s);

/* How many letters must be added, dropped or changed to turn one name into the other (Levenshtein); 63 for
 * names too long to compare. */
size_t reckon_distance(const char *a, const char *b);

/* ---- rates and times as people read them; arena text ---- */

/* `unit` "pps": "2.00 Mpps", "97.66 kpps", "640 pps"; "Mb/s": "1.25 Gb/s", "640 Mb/s"; "-" when blank or
 * infinite. */
const char *reckon_rate(struct reckon *r, double rate, const char *unit);
/* "44 us", "12.30 ms"; "-" likewise. */
const char *reckon_time(struct reckon *r, double us);
/* What a time that should be in seconds since 1970 is more likely in, by its size: "milliseconds",
 * "microseconds" or "nanoseconds", with how many of them are a second in *per_second (NULL: not wanted); NULL
 * for seconds and blank. */
const char *reckon_time_unit(double ts, double *per_second);
/* "98%" rounded to whole percent; "-" likewise. */
const char *reckon_percent(struct reckon *r, double pct);
/* "2 racks", "1 rack": the count with the noun, its plural by adding s (x, s and h: es). */
const char *reckon_count(struct reckon *r, size_t n, const char *noun);

/* Progress of work that may take over a second; shown on a terminal alone. `share` 0…1. Cheap to call often.
 */
void reckon_progress(struct reckon *r, const char *stage, double share);

#ifdef __cplusplus
}
#endif
#endif
