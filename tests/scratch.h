/* SPDX-License-Identifier: Apache-2.0
 *
 * A session for tests that read: the options of hardware, files from text, and readers linked into the test
 * program.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "../core/layout.h"
#include "../core/model.h"
#include "../core/modules.h"
#include "../core/options.h"

struct scratch {
    struct reckon session;
    struct options options;
    struct modules modules; /* none */
    struct setting settings[3];
    const char *group_kind;
    char path[64];
};

/* --group-kind rack, no --nic-gbps, --mtu 1500. */
struct reckon *scratch_start(struct scratch *s);
void scratch_group_kind(struct scratch *s, const char *kinds);
void scratch_nic_gbps(struct scratch *s, double gbps);
/* Frees the layout, the names and the memory of the session. */
void scratch_end(struct scratch *s);

/* Writes the text into a file, which is the caller's to unlink: its path, until the next one is written. */
const char *scratch_file(struct scratch *s, const char *text);
/* Lets the module's reader read the text, from a scratch_file(); its return value. */
int scratch_read(struct scratch *s, const struct reckon_module *m, const char *text, void *into);
/* How sure the module is that the text is its own. */
int scratch_recognise(const struct reckon_module *m, const char *text);
/* Reads a `dc` layout and makes it the session's. */
int scratch_layout(struct scratch *s, const char *text);
/* True when the error is there and holds the piece of text. Forgets it. */
bool scratch_error(struct scratch *s, const char *piece);

extern const struct reckon_module layout_dc_LTX_reckon_plugin, context_netmesh_LTX_reckon_plugin,
    context_speeds_LTX_reckon_plugin, context_names_LTX_reckon_plugin, context_known_LTX_reckon_plugin;

#endif
