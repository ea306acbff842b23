/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the cores were, from /proc/stat.
 */
#include <stdio.h>

#include <reckon/base.h>

#include "cpu.h"

/* "cpu3 user nice system idle iowait irq softirq steal …", in ticks: the core's number, or -1 for other
 * lines. */
static int read_line(const char *line, struct cpu_core *core) {
    unsigned number;
    unsigned long long t[8] = {0};
    if (sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", &number, &t[0], &t[1], &t[2], &t[3],
               &t[4], &t[5], &t[6], &t[7]) < 8 ||
        number >= CPU_MOST)
        return -1;
    *core = (struct cpu_core){.softirq = t[6]};
    for (size_t i = 0; i < 8; i++) {
        core->all += t[i];
        core->busy += i == 3 || i == 4 ? 0 : t[i];
    }
    return (int)number;
}

static double share(uint64_t part, uint64_t before, uint64_t all) {
    return part > before ? 100 * (double)(part - before) / (double)all : 0;
}

void cpu_ask(struct cpu *c, double *busiest, double *softirq) {
    char line[512];
    struct cpu_core now;
    FILE *f = fopen("/proc/stat", "re");
    *busiest = *softirq = RECKON_BLANK;
    while (f && fgets(line, sizeof line, f)) {
        int i = read_line(line, &now);
        if (i < 0)
            continue;
        struct cpu_core then = c->cores[i];
        c->cores[i] = now;
        if (!then.all || now.all <= then.all)
            continue;
        double busy = share(now.busy, then.busy, now.all - then.all);
        double soft = share(now.softirq, then.softirq, now.all - then.all);
        *busiest = reckon_blank(*busiest) || busy > *busiest ? busy : *busiest;
        *softirq = reckon_blank(*softirq) || soft > *softirq ? soft : *softirq;
    }
    if (f)
        fclose(f);
}
