/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of one verb, put together from the core's own and those of the loaded modules. Not installed.
 */
#ifndef RECKON_CORE_OPTIONS_H
#define RECKON_CORE_OPTIONS_H

#include "modules.h"

enum option_role { OPTION_PLAIN, OPTION_RUN, OPTION_ROLE, OPTION_OUTPUT };

struct setting {
    struct reckon_option spec;
    const char *owner;         /* who declared it first: a module's name, or "reckon" */
    enum option_role role;     /* what it selects */
    const struct module *module; /* of OPTION_RUN, OPTION_OUTPUT */
    struct strings values;     /* as given; FLAG: none */
    bool given;                /* on the command line or by the environment */
    const char *from;          /* "--short" or "RECKON_SHORT", for messages */
    double number;             /* checked value of NUMBER and WHOLE; blank for none */
};

struct options {
    const char *verb;
    struct setting *at; /* in order of declaration */
    size_t count, cap;
    struct strings arguments; /* plain words */
};

/* Collects the options of the verb. A conflict (one name, two types) is an error naming both modules. */
int options_collect(struct reckon *r, const char *verb);
/* Parses the words after the verb, then the environment, and checks every number. */
int options_parse(struct reckon *r, int argc, char **argv);
struct setting *option_named(const struct reckon *r, const char *name);

/* Whether a module takes part in the verb at all. */
bool module_of_verb(struct reckon *r, const struct module *m, const char *verb);
/* Whether there is a verb both take part in. */
bool modules_share_verb(struct reckon *r, const struct module *a, const struct module *b);
/* The name of an output's option. */
const char *output_option(const struct module *output);

#endif
