/* SPDX-License-Identifier: Apache-2.0
 *
 * <reckon/modules.h>: telling about the modules that were found, and about the options of every verb.
 */
#include <string.h>

#include <reckon/modules.h>

#include "build.h"
#include "help.h"
#include "module_file.h"
#include "modules.h"
#include "options.h"

void module_tell(const struct module *m, struct reckon_module_info *info) {
    static const char *const states[] = {"loaded", "shadowed", "refused"};
    struct reckon_module_info full = {
        .size = info->size < sizeof full ? info->size : sizeof full,
        .kind = kind_word(m->kind),
        .name = m->plugin && m->plugin->name ? m->plugin->name : m->stem,
        .version = m->plugin ? (m->plugin->version ? m->plugin->version : reckon_version()) : NULL,
        .summary = m->plugin ? m->plugin->summary : NULL,
        .abi = m->abi,
        .file = m->file,
        .state = states[m->state],
        .why = m->why,
    };
    memcpy(info, &full, full.size);
}

/* The options of a verb, without a word about modules that are refused for theirs. */
static const struct options *options_of(struct reckon *r, const char *verb) {
    struct options *outer = r->options;
    bool silent = r->modules->silent;
    if (r->modules->told && !strcmp(r->modules->told->verb, verb))
        return r->modules->told;
    r->modules->silent = true;
    options_collect(r, reckon_strdup(r, verb));
    r->modules->told = r->options;
    r->options = outer;
    r->modules->silent = silent;
    return r->modules->told;
}

/* Whether a module can be used may turn out only where a verb's options are put together. */
static void settle(struct reckon *r) {
    const struct module *verb;
    if (r->modules->told)
        return;
    options_of(r, "run");
    for (size_t i = 0; (verb = module_of_kind(r, RECKON_KIND_verb, i)); i++)
        options_of(r, verb->plugin->name);
}

bool reckon_module_at(struct reckon *r, size_t i, struct reckon_module_info *info) {
    settle(r);
    for (int used = 1; used >= 0; used--)
        for (size_t k = 0; k < r->modules->count; k++) {
            const struct module *m = &r->modules->at[k];
            if ((m->state == MODULE_LOADED) != used || i--)
                continue;
            module_tell(m, info);
            return true;
        }
    return false;
}

bool reckon_verb_option_at(struct reckon *r, const char *verb, size_t i, struct reckon_option_info *info) {
    settle(r);
    const struct options *all = options_of(r, verb);
    for (size_t g = 0; option_groups[g]; g++)
        for (size_t k = 0; k < all->count; k++) {
            const struct setting *o = &all->at[k];
            if (strcmp(option_group(o), option_groups[g]) || i--)
                continue;
            struct reckon_option_info full = {
                .size = info->size < sizeof full ? info->size : sizeof full,
                .option = &o->spec,
                .heading = option_heading(r, o),
                .group = option_group(o),
                .owner = o->owner,
            };
            memcpy(info, &full, full.size);
            return true;
        }
    return false;
}

const char *reckon_pkgconfig_folder(struct reckon *r) {
    const char *dir = marked_folder(r, "pkgconfig", 0);
    return dir ? dir : installed_folder(r, PKGCONFIG_FROM_BIN, PKGCONFIGDIR);
}
