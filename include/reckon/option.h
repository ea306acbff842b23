/* SPDX-License-Identifier: Apache-2.0
 *
 * Options: a module declares the ones it needs; the core parses, checks and documents them.
 *
 * An option belongs to a verb. The same name and type declared twice within a verb is one option (the first
 * default and help count); another type is a conflict that is refused naming both modules.
 */
#ifndef RECKON_OPTION_H
#define RECKON_OPTION_H

#include <reckon/base.h>

#ifdef __cplusplus
extern "C" {
#endif

enum reckon_option_type {
    RECKON_OPTION_END = 0, /* ends the array */
    RECKON_FLAG,           /* --all */
    RECKON_NUMBER,         /* --short 90: a finite decimal number */
    RECKON_WHOLE,          /* --top 10: a whole number */
    RECKON_TEXT,           /* --run tue: any text that is not empty */
    RECKON_CHOICE,         /* --min-severity warn: one of .choices */
    RECKON_PATH,           /* --speeds FILE; "-" is standard input */
    RECKON_PATHS,          /* --mx PATH...: every word up to the next option */
    RECKON_OPTIONAL_PATH,  /* --json [PATH]; without PATH, or "-": standard output */
    RECKON_LIST,           /* --only RULE: may be given again; every value counts */
};

struct reckon_option {
    const char *name; /* without the dashes */
    enum reckon_option_type type;
    const char *value_name;     /* what --help calls the value: "PCT" */
    const char *initial;        /* default as text, NULL for none */
    const char *unit;           /* for the manual: "percent", NULL for none */
    const char *help;           /* one line, no full stop */
    const char *group;          /* heading in --help: "inputs", "judgement", "output", "about" */
    const char *env;            /* RECKON_<env> sets the default; NULL for none */
    const char *const *choices; /* RECKON_CHOICE: NULL-terminated */
    double min, max;            /* bounds of a number, ends included; both 0: any finite number */
    bool above;                 /* the lower bound itself is refused */
};

/* The value in force. Asking for a name that no loaded module declared for this verb is a programming error
 * and ends the program. A number without value is blank; a text NULL. */
bool reckon_flag(const struct reckon *r, const char *name);
double reckon_option_number(const struct reckon *r, const char *name);
const char *reckon_option_text(const struct reckon *r, const char *name);
/* How many values a PATHS or LIST option has, and each of them. */
size_t reckon_option_count(const struct reckon *r, const char *name);
const char *reckon_option_at(const struct reckon *r, const char *name, size_t i);
/* By what its value came, for messages: "--short", or "RECKON_SHORT" when its environment variable gave it.
 */
const char *reckon_option_from(struct reckon *r, const char *name);
/* True when the option was given on the command line or by its environment variable. False for unknown names.
 */
bool reckon_option_given(const struct reckon *r, const char *name);

#ifdef __cplusplus
}
#endif
#endif
