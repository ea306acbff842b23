/* SPDX-License-Identifier: Apache-2.0
 *
 * The hardware a comparison rests on, as JSON, the same for a run and for a plan.
 */
#ifndef RECKON_JSON_HARDWARE_H
#define RECKON_JSON_HARDWARE_H

#include "json_write.h"

/* "hardware": {group_kind, groups{path: …}, hosts{name: …}} as the next member of a document. Reads the
 * option group-kind. */
void json_hardware(struct json_document *d, const struct reckon_comparison *c);

#endif
