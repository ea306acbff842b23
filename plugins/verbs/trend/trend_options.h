/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that trend and compare declare alike: how samples are encoded, and which direction is good.
 */
#ifndef RECKON_TREND_OPTIONS_H
#define RECKON_TREND_OPTIONS_H

#define TREND_CODING_OPTIONS                                                                                 \
    {.name = "bits",                                                                                         \
     .type = RECKON_WHOLE,                                                                                   \
     .value_name = "N",                                                                                      \
     .initial = "12",                                                                                        \
     .min = 1,                                                                                               \
     .max = 50,                                                                                              \
     .group = "judgement",                                                                                   \
     .help = "significant bits of a sample: fewer see larger changes only"},                                 \
        {.name = "unit",                                                                                     \
         .type = RECKON_NUMBER,                                                                              \
         .value_name = "U",                                                                                  \
         .max = HUGE_VAL,                                                                                    \
         .above = true,                                                                                      \
         .group = "judgement",                                                                               \
         .help = "smallest difference that counts, in the unit of the samples (default: from --bits)"},      \
    {                                                                                                        \
        .name = "lower-is-better", .type = RECKON_FLAG, .group = "judgement",                                \
        .help = "a smaller value is a better one"                                                            \
    }

#endif
