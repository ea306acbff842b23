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
    const char *owner;           /* who declared it first: a module's name, or "reckon" */
    enum option_role role;       /* what it selects */
    const char *on;              /* of OPTION_OUTPUT: the subjects it writes */
    const struct module *module; /* of OPTION_RUN, OPTION_OUTPUT */
    struct strings values;       /* as given; FLAG: none */
    bool given;                  /* on the command line or by the environment */
    const char *from;            /* "--short" or "RECKON_SHORT", for messages */
    double number;               /* checked value of NUMBER and WHOLE; blank for none */
};

struct options {
    const char *verb;
    struct setting *at; /* in order of declaration */
    size_t count, cap;
    struct strings arguments; /* plain words */
};

/* Collects the options of the verb. A module with an option that does not go with another's (one name, two
 * meanings) is refused, naming both: among the given ones the later, and never one that came with reckon. -1
 * when that is an error. */
int options_collect(struct reckon *r, const char *verb);
/* Why a module that is not among the loaded ones could not join the verb; NULL when it could, or has no part
 * in it. */
const char *options_conflict(struct reckon *r, const struct module *m, const char *verb);
/* What is wrong with an option as it is declared; NULL for nothing. (option_fault.c) */
const char *option_fault(struct reckon *r, const struct reckon_option *o);
/* What its author should know of it, though it can be used; NULL for nothing. (option_fault.c) */
const char *option_oddity(struct reckon *r, const struct reckon_option *o);
/* Whether a number is within the option's bounds. (option_fault.c) */
bool option_takes(const struct reckon_option *o, double x);
/* The subjects a verb evaluates, blank-separated; NULL for none. */
const char *subjects_of(const struct reckon *r, const char *verb);
/* Parses the words after the verb, then the environment, and checks every number. */
int options_parse(struct reckon *r, int argc, char **argv);
struct setting *option_named(const struct reckon *r, const char *name);

/* Whether a module takes part in the verb at all. */
bool module_of_verb(const struct reckon *r, const struct module *m, const char *verb);
/* The name of an output's option. */
const char *output_option(const struct module *m);

#endif
