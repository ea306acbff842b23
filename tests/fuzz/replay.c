/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the program over files in one process, as the fuzzer did: replay TARGET|- EVERY < LIST-OF-FILES. Leaks
 * are looked for after every EVERY-th. Says how many; a finding ends it with the sanitizer's report and the
 * file's name.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sanitizer/common_interface_defs.h>

#include "harness.h"

#define LONGEST 4096

static int report = -1; /* the real standard error */
static char name[LONGEST];

static void on_death(void) {
    dprintf(report, "replay: the input was %s\n", name);
    fuzz_end();
}

/* The program's own words are of no interest; those of the sanitizers are. */
static void silence(void) {
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    report = dup(STDERR_FILENO);
    if (nothing < 0 || report < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
        abort();
    __sanitizer_set_report_fd((void *)(intptr_t)report);
    __sanitizer_set_death_callback(on_death);
}

static unsigned char *read_input(size_t *size) {
    FILE *f = fopen(name, "r");
    size_t room = 4096, n = 0, got;
    unsigned char *data = malloc(room);
    while (f && data && (got = fread(data + n, 1, room - n, f)) > 0)
        if ((n += got) == room)
            data = realloc(data, room *= 2);
    if (!f || !data || fclose(f)) {
        dprintf(report, "replay: %s cannot be read\n", name);
        exit(2);
    }
    *size = n;
    return data;
}

int main(int argc, char **argv) {
    size_t n = 0, size;
    char *list = NULL;
    long every = argc == 3 ? atol(argv[2]) : 0;
    if (every < 1) {
        fputs("usage: replay TARGET|- EVERY < LIST-OF-FILES\n", stderr);
        return 2;
    }
    FILE *in = fdopen(dup(STDIN_FILENO), "r");
    silence();
    fuzz_begin(strcmp(argv[1], "-") ? argv[1] : NULL);
    for (size_t room = 0; in && getline(&list, &room, in) > 0; n++) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(list, "\n"), list);
        unsigned char *data = read_input(&size);
        fuzz_once(data, size, n % (size_t)every == 0);
        free(data);
    }
    free(list);
    fuzz_end();
    dprintf(report, "%zu inputs\n", n);
    return 0;
}
