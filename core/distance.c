/* SPDX-License-Identifier: Apache-2.0
 *
 * How far apart two names are: the fewest letters added, dropped or changed (Levenshtein 1966), for "did you mean".
 */
#include <string.h>

#include <reckon/base.h>

#define LONGEST 63

size_t reckon_distance(const char *a, const char *b) {
    size_t n = strlen(b), row[LONGEST + 1];
    if (n >= LONGEST || strlen(a) >= LONGEST)
        return strcmp(a, b) ? LONGEST : 0;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t up = row[j], best = diagonal + (a[i - 1] != b[j - 1]);
            best = up + 1 < best ? up + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = up;
            row[j] = best;
        }
    }
    return row[n];
}
