/* SPDX-License-Identifier: Apache-2.0
 *
 * The modules linked into the program: the Makefile lists what it builds in preloaded.h, one
 * MODULE(KIND_NAME) a line.
 */
#include "modules.h"

#ifdef RECKON_PRELOADED

#define MODULE(stem) extern const struct reckon_module stem##_LTX_reckon_plugin;
#include "preloaded.h"
#undef MODULE

static const struct preloaded table[] = {
#define MODULE(stem) {#stem, &stem##_LTX_reckon_plugin},
#include "preloaded.h"
#undef MODULE
    {NULL, NULL},
};

const struct preloaded *preloaded_modules(void) {
    return table;
}

#else

const struct preloaded *preloaded_modules(void) {
    return NULL;
}

#endif
