/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with an option as a module declares it, whatever else there is: such a module is not used.
 */
#include <math.h>
#include <string.h>

#include "options.h"

static bool is_name(const char *name) {
    return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) &&
           *name != '-';
}

bool option_takes(const struct reckon_option *o, double x) {
    bool bounded = o->min != 0 || o->max != 0 || o->above;
    return !bounded || (x >= o->min && x <= o->max && !(o->above && x <= o->min));
}

static bool is_number(const struct reckon_option *o) {
    return o->type == RECKON_NUMBER || o->type == RECKON_WHOLE;
}

static bool default_fits(const struct reckon_option *o) {
    if (!o->initial)
        return true;
    if (is_number(o))
        return !reckon_blank(reckon_number(o->initial, strlen(o->initial)));
    if (o->type != RECKON_CHOICE)
        return true;
    for (const char *const *c = o->choices; *c; c++)
        if (!strcmp(*c, o->initial))
            return true;
    return false;
}

const char *option_fault(struct reckon *r, const struct reckon_option *o) {
    if (!is_name(o->name))
        return reckon_text(r, "its option '%s' has no name of small letters, digits and dashes in .name",
                           o->name ? reckon_printable(r, o->name) : "");
    if (o->type <= RECKON_OPTION_END || o->type > RECKON_LIST)
        return reckon_text(r, "its option --%s has no known .type", o->name);
    if (o->type == RECKON_CHOICE && (!o->choices || !*o->choices))
        return reckon_text(r, "its option --%s is a choice without .choices", o->name);
    if (is_number(o) && !option_takes(o, o->max)) /* the largest there is, when there is any */
        return reckon_text(r, "its option --%s can have no value: its .min is %g, its .max %g%s", o->name,
                           o->min, o->max, o->above ? ", and the lower bound itself is refused" : "");
    if (!default_fits(o))
        return reckon_text(r, "the default of its option --%s, '%s', is no value of that option", o->name,
                           reckon_printable(r, o->initial));
    return NULL;
}

const char *option_oddity(struct reckon *r, const struct reckon_option *o) {
    if (!o->help || !*o->help)
        return reckon_text(r, "the option --%s has no .help; users read it in --help and the manual",
                           o->name);
    double x = is_number(o) && o->initial ? reckon_number(o->initial, strlen(o->initial)) : RECKON_BLANK;
    if (!reckon_blank(x) && (!option_takes(o, x) || (o->type == RECKON_WHOLE && x != floor(x))))
        return reckon_text(r, "the default of the option --%s, %s, is no value that users may give", o->name,
                           reckon_printable(r, o->initial));
    return NULL;
}
