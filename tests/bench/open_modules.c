/* SPDX-License-Identifier: Apache-2.0
 *
 * open_modules FILE... -- opens module files as the dynamic linker does, and nothing else: what starting reckon is measured
 * against.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!dlopen(argv[i], RTLD_NOW | RTLD_LOCAL)) {
            fprintf(stderr, "open_modules: %s\n", dlerror());
            return 1;
        }
    return 0;
}
