/* SPDX-License-Identifier: Apache-2.0
 *
 * How the tests of a stream test were driven, which says which of them shared the fabric: the modes, and the
 * option by which they are named.
 */
#ifndef RECKON_IPERF_MODE_H
#define RECKON_IPERF_MODE_H

#include <reckon/plugin.h>

struct iperf_mode {
    const char *name;
    enum reckon_sharing sharing;
};

/* The three names, for messages. */
#define IPERF_MODES "parallel, sequential-host or sequential-pair"

/* --iperf-mode, shared by every reader of such runs. */
#define IPERF_MODE_OPTION                                                                                    \
    {                                                                                                        \
        .name = "iperf-mode", .type = RECKON_TEXT, .value_name = "MODE",                                     \
        .help = "how an iperf run's tests were driven, when it does not say: " IPERF_MODES,                  \
        .group = "inputs", .env = "IPERF_MODE"                                                               \
    }

/* The mode of this name; NULL after an error that says what is wrong with it, on the line of `path` (0: on
 * the whole). */
const struct iperf_mode *iperf_mode_named(struct reckon *r, const char *path, unsigned long line,
                                          const char *name);
const struct iperf_mode *iperf_mode_sharing(enum reckon_sharing sharing);
/* Checks the option's value, before anything is read: 0, or -1 after an error. */
int iperf_mode_check(struct reckon *r);

#endif
