/* SPDX-License-Identifier: Apache-2.0
 *
 * Figures without trailing zeros (trimmed.h).
 */
#include "trimmed.h"

#include <string.h>

const char *trimmed(struct reckon *r, double x, int decimals) {
    const char *text = reckon_fixed(r, x, decimals);
    size_t n = strlen(text);
    if (!strchr(text, '.'))
        return text;
    while (text[n - 1] == '0')
        n--;
    return reckon_strndup(r, text, text[n - 1] == '.' ? n - 1 : n);
}
