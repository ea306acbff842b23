/* SPDX-License-Identifier: Apache-2.0
 *
 * Which module's code runs on this thread, so that a crash or a call of exit() in there is blamed on it by name.
 */
#include "modules.h"

static _Thread_local const struct module *running;

const struct module *module_enter(const struct module *m) {
    const struct module *before = running;
    running = m;
    return before;
}

void module_leave(const struct module *before) {
    running = before;
}
