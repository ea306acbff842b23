/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading a module's file. A name that does not resolve fails at once, not in the middle of a run. A program
 * without dynamic linker (make static-all) has nothing to load files with, and says so.
 */
#include "module_file.h"

#ifdef RECKON_ALL_STATIC

bool modules_loadable(void) {
    return false;
}

const struct reckon_module *module_object(struct reckon *r, const char *file, const char **why) {
    (void)r;
    (void)file;
    *why = "this reckon is fully static and loads no modules; use one made by `make` or `make static`";
    return NULL;
}

#else

#include <dlfcn.h>
#include <errno.h>

#include <ltdl.h>

bool modules_loadable(void) {
    return true;
}

/* A module that is left out changes what a run says: memory running out must not pass for a bad module. */
static bool done(bool right) {
    if (!right && errno == ENOMEM)
        out_of_memory();
    return right;
}

const struct reckon_module *module_object(struct reckon *r, const char *file, const char **why) {
    errno = 0;
    if (!done(!lt_dlinit())) {
        *why = reckon_text(r, "cannot be loaded: %s", lt_dlerror());
        return NULL;
    }
    /* libltdl binds lazily; this binds all names now and leaves the object open for it */
    if (!done(dlopen(file, RTLD_NOW | RTLD_LOCAL))) {
        const char *said = dlerror();
        *why = reckon_text(r, "cannot be loaded: %s; build it against this reckon's headers",
                           said ? said : "no reason");
        return NULL;
    }
    lt_dlhandle handle = lt_dlopen(file);
    const struct reckon_module *found = handle ? lt_dlsym(handle, "reckon_plugin") : NULL;
    if (!done(found))
        *why = "has no symbol reckon_plugin; it is no reckon module, or does not use RECKON_PLUGIN";
    return found;
}

#endif
