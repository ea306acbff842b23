/* SPDX-License-Identifier: Apache-2.0
 *
 * Transports, as verbs find them: by name, and one after the other for a list of them.
 */
#include <reckon/transport.h>

#include "modules.h"

const struct reckon_transport *reckon_transport_named(const struct reckon *r, const char *name) {
    const struct module *m = module_named(r, RECKON_KIND_transport, name);
    return m && m->plugin->transport->size >= sizeof(struct reckon_transport) ? m->plugin->transport : NULL;
}

const char *reckon_transport_at(const struct reckon *r, size_t i) {
    const struct module *m = module_of_kind(r, RECKON_KIND_transport, i);
    return m ? m->plugin->name : NULL;
}
