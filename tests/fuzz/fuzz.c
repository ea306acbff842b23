/* SPDX-License-Identifier: Apache-2.0
 *
 * A fuzz target for libFuzzer: RECKON_FUZZ_TARGET names the case around the input; without it whole cases are
 * tried.
 */
#include <stdlib.h>

#include "harness.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    fuzz_begin(getenv("RECKON_FUZZ_TARGET"));
    atexit(fuzz_end);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned runs;
    return fuzz_once(data, size, ++runs % 1024 == 0) ? 0 : -1;
}
