/* SPDX-License-Identifier: Apache-2.0
 *
 * The connections a process has, from /proc: its sockets' inodes, found again in the tables of TCP and UDP.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent.h"

#define ESTABLISHED 1 /* of TCP; UDP has it once it is connected */

static int inode_order(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Inodes of the process's sockets, sorted. */
static size_t socket_inodes(double pid, uint64_t **out) {
    char path[64], target[64];
    size_t n = 0, cap = 0;
    snprintf(path, sizeof path, "/proc/%.0f/fd", pid);
    DIR *d = opendir(path);
    for (struct dirent *e; d && (e = readdir(d));) {
        ssize_t length = readlinkat(dirfd(d), e->d_name, target, sizeof target - 1);
        uint64_t inode;
        target[length > 0 ? length : 0] = '\0';
        if (sscanf(target, "socket:[%" SCNu64, &inode) != 1)
            continue;
        *out = reckon_grow(*out, n, &cap, sizeof **out);
        (*out)[n++] = inode;
    }
    if (d)
        closedir(d);
    if (n)
        qsort(*out, n, sizeof **out, inode_order);
    return n;
}

/* "0100007F:1F90" or the 32 digits of IPv6, in words of host order, to text and port. */
static bool end_of(const char *hex, char *address, uint16_t *port) {
    uint32_t word[4];
    unsigned p;
    const char *colon = strchr(hex, ':');
    size_t digits = colon ? (size_t)(colon - hex) : 0;
    if ((digits != 8 && digits != 32) || sscanf(colon + 1, "%4x", &p) != 1)
        return false;
    for (size_t i = 0; i < digits / 8; i++)
        if (sscanf(hex + 8 * i, "%8" SCNx32, &word[i]) != 1)
            return false;
    *port = (uint16_t)p;
    if (digits == 32 && word[0] == 0 && word[1] == 0 && word[2] == htonl(0xFFFF))
        return inet_ntop(AF_INET, &word[3], address, TUPLE_END) != NULL; /* IPv4 on an IPv6 socket */
    return inet_ntop(digits == 8 ? AF_INET : AF_INET6, word, address, TUPLE_END) != NULL;
}

static bool loops_back(const char *address) {
    return !strncmp(address, "127.", 4) || !strcmp(address, "::1");
}

static void add_connection(const char *line, const uint64_t *inodes, size_t ninodes, struct pinglist *out) {
    char local[48], remote[48];
    unsigned state;
    uint64_t inode;
    struct ping x = {.list = PING_SERVICE, .prober = "", .target = "", .rate = RECKON_BLANK};
    if (sscanf(line, " %*[^:]: %47s %47s %x %*s %*s %*s %*s %*s %" SCNu64, local, remote, &state, &inode) !=
            4 ||
        state != ESTABLISHED || !bsearch(&inode, inodes, ninodes, sizeof *inodes, inode_order) ||
        !end_of(local, x.tuple.src, &x.tuple.sport) || !end_of(remote, x.tuple.dst, &x.tuple.dport) ||
        loops_back(x.tuple.dst))
        return;
    out->at = reckon_grow(out->at, out->count, &out->cap, sizeof *out->at);
    out->at[out->count++] = x;
}

int service_of_process(double pid, struct pinglist *out) {
    static const char *const tables[] = {"tcp", "tcp6", "udp", "udp6"};
    char path[64], line[512];
    uint64_t *inodes = NULL;
    size_t n = socket_inodes(pid, &inodes);
    for (size_t t = 0; n && t < sizeof tables / sizeof *tables; t++) {
        snprintf(path, sizeof path, "/proc/%.0f/net/%s", pid, tables[t]);
        FILE *f = fopen(path, "r");
        while (f && fgets(line, sizeof line, f))
            add_connection(line, inodes, n, out);
        if (f)
            fclose(f);
    }
    free(inodes);
    return n ? 0 : -1;
}
