/* SPDX-License-Identifier: Apache-2.0
 *
 * What configure found out, for the core's own files.
 */
#ifndef RECKON_CORE_BUILD_H
#define RECKON_CORE_BUILD_H

#include "config.h"

#define RECKON_VERSION PACKAGE_VERSION
/* In a build tree this file stands beside the program and names the folders of its modules and samples. */
#define BUILD_MARKER ".reckon-build"

#endif
