/* SPDX-License-Identifier: Apache-2.0
 *
 * The Agent's records between two uploads, and the uploads: whole lines, appended in one write each, so that
 * several agents may share a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent.h"

#define ROOM (1u << 20) /* bytes between two uploads: ten thousand records */

static int open_book(struct reckon *r, const char *path, const char *header) {
    struct stat st;
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return reckon_error(r, path, 0, "%s", strerror(errno));
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size == 0 &&
        write(fd, header, strlen(header)) != (ssize_t)strlen(header)) {
        close(fd);
        return reckon_error(r, path, 0, "%s", strerror(errno));
    }
    return fd;
}

int book_open(struct book *b, struct reckon *r, const char *records, const char *agents) {
    b->agents_fd = -1;
    b->records_path = records;
    b->agents_path = agents;
    b->records_fd =
        open_book(r, records, "ts,list,prober,target,tuple,qpn,status,app_rtt_ns,nic_rtt_ns,responder_ns\n");
    if (b->records_fd < 0)
        return -1;
    b->agents_fd = open_book(r, agents, "ts,host,rnic,qpn,event\n");
    b->text = reckon_resize(NULL, ROOM, 1);
    pthread_mutex_init(&b->lock, NULL);
    return b->agents_fd < 0 ? -1 : 0;
}

void book_add(struct book *b, const char *line, size_t length) {
    pthread_mutex_lock(&b->lock);
    if (b->length + length <= ROOM) {
        memcpy(b->text + b->length, line, length);
        b->length += length;
        b->records++;
    } else
        b->lost++;
    pthread_mutex_unlock(&b->lock);
}

static int not_written(struct book *b, const char *path) {
    b->failed = path;
    b->why = errno;
    return -1;
}

/* What cannot be written stays for the next upload, while there is room. */
static int write_records(struct book *b) {
    ssize_t n = b->length ? write(b->records_fd, b->text, b->length) : 0;
    if (n < 0)
        return not_written(b, b->records_path);
    memmove(b->text, b->text + n, b->length - (size_t)n);
    b->length -= (size_t)n;
    return 0;
}

int book_upload(struct book *b, const char *event) {
    char line[1024];
    int64_t now = realtime_ns();
    pthread_mutex_lock(&b->lock);
    int rc = write_records(b);
    pthread_mutex_unlock(&b->lock);
    int n = snprintf(line, sizeof line, "%lld.%06lld,%s,%s,%u,%s\n", (long long)(now / 1000000000),
                     (long long)(now % 1000000000 / 1000), b->host, b->rnic, b->qpn, event);
    if (n > 0 && (size_t)n < sizeof line && write(b->agents_fd, line, (size_t)n) == n)
        return rc;
    b->lost++;
    return not_written(b, b->agents_path);
}

void book_close(struct book *b) {
    for (size_t i = 0; i < b->length; i++)
        b->lost += b->text[i] == '\n';
    b->length = 0;
    if (b->records_fd > 0)
        close(b->records_fd);
    if (b->agents_fd > 0)
        close(b->agents_fd);
    b->records_fd = b->agents_fd = -1;
    free(b->text);
}
