/* SPDX-License-Identifier: Apache-2.0
 *
 * csv_pass FILE... -- the yardstick for reading: a bare libcsv pass over the files with one thread and
 * callbacks that only count. Prints seconds, bytes, rows and cells.
 */
#include <csv.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static char block[256 * 1024];

struct counts {
    size_t bytes, rows, cells;
};

static void count_cell(void *data, size_t n, void *counts) {
    (void)data;
    (void)n;
    ((struct counts *)counts)->cells++;
}

static void count_row(int c, void *counts) {
    (void)c;
    ((struct counts *)counts)->rows++;
}

static int pass(const char *path, struct counts *counts) {
    int fd = open(path, O_RDONLY);
    if (fd < 0) {
        perror(path);
        return -1;
    }
    struct csv_parser csv;
    csv_init(&csv, 0);
    ssize_t n;
    while ((n = read(fd, block, sizeof block)) > 0) {
        csv_parse(&csv, block, (size_t)n, count_cell, count_row, counts);
        counts->bytes += (size_t)n;
    }
    csv_fini(&csv, count_cell, count_row, counts);
    csv_free(&csv);
    close(fd);
    return 0;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    struct counts counts = {0, 0, 0};
    double began = now();
    for (int i = 1; i < argc; i++)
        if (pass(argv[i], &counts) < 0)
            return 1;
    printf("%.3f s, %zu bytes, %zu rows, %zu cells\n", now() - began, counts.bytes, counts.rows,
           counts.cells);
    return 0;
}
