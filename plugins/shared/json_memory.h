/* SPDX-License-Identifier: Apache-2.0
 *
 * cJSON takes memory that runs out for JSON that is wrong, or leaves things out; here it ends the program as
 * it does everywhere else. To be included once by every part that calls cJSON.
 */
#ifndef RECKON_JSON_MEMORY_H
#define RECKON_JSON_MEMORY_H

#include <stdlib.h>

#include <cjson/cJSON.h>

#include <reckon/base.h>

static void *json_allocate(size_t n) {
    return reckon_resize(NULL, n, 1);
}

__attribute__((constructor)) static void json_check_memory(void) {
    cJSON_InitHooks(&(cJSON_Hooks){json_allocate, free});
}

#endif
