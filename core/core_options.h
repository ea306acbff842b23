/* SPDX-License-Identifier: Apache-2.0
 *
 * The options the core declares, and which verbs have them. Not installed.
 */
#ifndef RECKON_CORE_CORE_OPTIONS_H
#define RECKON_CORE_CORE_OPTIONS_H

#include <reckon/option.h>

enum core_option_scope {
    OPTION_ALWAYS,   /* every verb */
    OPTION_JUDGING,  /* verbs whose subject a rule judges */
    OPTION_RUN_ONLY, /* the main command */
    OPTION_ON_USE,   /* the main command, and verbs a module of which names it in .uses */
};

struct core_option {
    struct reckon_option spec;
    enum core_option_scope scope;
};

/* The table, ended by RECKON_OPTION_END. */
const struct core_option *core_options(void);

#endif
