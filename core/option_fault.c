/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wrong with an option as a module declares it, whatever else there is: such a module is not used.
 */
#include <string.h>

#include "options.h"

static bool is_name(const char *name) {
    return name && *name && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) &&
           *name != '-';
}

static bool default_fits(const struct reckon_option *o) {
    if (!o->initial)
        return true;
    if (o->type == RECKON_NUMBER || o->type == RECKON_WHOLE)
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
    if (!default_fits(o))
        return reckon_text(r, "the default of its option --%s, '%s', is no value of that option", o->name,
                           reckon_printable(r, o->initial));
    return NULL;
}
