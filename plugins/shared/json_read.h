/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading JSON that other programs wrote. Linked into the modules that need it, not installed.
 */
#ifndef RECKON_JSON_READ_H
#define RECKON_JSON_READ_H

#include <cjson/cJSON.h>

#include <reckon/plugin.h>

/* Parses `length` bytes. NaN, Infinity and -Infinity, which are no JSON but are written all the same, come back as the
 * string JSON_NOT_FINITE. An error names the file and the line. cJSON_Delete() the result; NULL after an error. */
cJSON *json_read(struct reckon *r, const char *path, const char *text, size_t length);
#define JSON_NOT_FINITE "~"

#endif
