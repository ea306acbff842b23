/* SPDX-License-Identifier: Apache-2.0
 *
 * The modes of stream tests (iperf_mode.h).
 */
#include "iperf_mode.h"

#include <string.h>

static const struct iperf_mode modes[] = {
    {"parallel", RECKON_SHARE_ALL},
    {"sequential-host", RECKON_SHARE_SOURCE},
    {"sequential-pair", RECKON_SHARE_NONE},
};
#define MODES (sizeof modes / sizeof *modes)

const struct iperf_mode *iperf_mode_named(struct reckon *r, const char *path, unsigned long line,
                                          const char *name) {
    for (size_t m = 0; m < MODES; m++)
        if (!strcmp(name, modes[m].name))
            return &modes[m];
    if (!strcmp(name, "rolling"))
        reckon_error(
            r, path, line,
            "a rolling run cannot be reckoned: its probes overlap at random, so that which tests met is not "
            "recorded and no fair share can be worked out");
    else
        reckon_error(r, path, line, "the mode '%s' is unknown: it is " IPERF_MODES,
                     reckon_printable(r, name));
    return NULL;
}

const struct iperf_mode *iperf_mode_sharing(enum reckon_sharing sharing) {
    size_t m = 0;
    while (modes[m].sharing != sharing)
        m++;
    return &modes[m];
}

int iperf_mode_check(struct reckon *r) {
    const char *asked = reckon_option_text(r, "iperf-mode");
    return asked && !iperf_mode_named(r, reckon_option_from(r, "iperf-mode"), 0, asked) ? -1 : 0;
}
