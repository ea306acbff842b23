/* SPDX-License-Identifier: Apache-2.0
 *
 * Timestamping UDP sockets (socket.h), with SO_TIMESTAMPING and the error queue.
 */
#include "socket.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../triage_common/interface.h"

#define CONTROL 512 /* bytes of control messages: stamps and an error with its sender */
#define FRAME 256   /* of a packet that comes back: headers and 50 bytes */

int64_t stamp_between(const struct stamp *earlier, const struct stamp *later) {
    if (earlier->nic && later->nic)
        return later->nic - earlier->nic;
    return earlier->kernel && later->kernel ? later->kernel - earlier->kernel : -1;
}

int udp_open(const struct sockaddr_storage *address, socklen_t length) {
    int on = 1, flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_RX_HARDWARE |
                        SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
    bool v4 = address->ss_family == AF_INET;
    int fd = socket(address->ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    bind_to_interface(fd, address);
    if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) ||
        setsockopt(fd, v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_RECVERR : IPV6_RECVERR, &on, sizeof on) ||
        bind(fd, (const struct sockaddr *)address, length)) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

/* ---- sending ---- */

static void add_control(struct msghdr *m, int level, int type, int value) {
    struct cmsghdr *c = (struct cmsghdr *)((char *)m->msg_control + m->msg_controllen);
    c->cmsg_level = level;
    c->cmsg_type = type;
    c->cmsg_len = CMSG_LEN(sizeof value);
    memcpy(CMSG_DATA(c), &value, sizeof value);
    m->msg_controllen += CMSG_SPACE(sizeof value);
}

bool udp_send(int fd, const struct sockaddr_storage *to, const struct wire *w, uint8_t ttl, bool stamped) {
    unsigned char buf[WIRE_SIZE];
    _Alignas(struct cmsghdr) char control[2 * CMSG_SPACE(sizeof(int))] = {0};
    struct iovec iov = {buf, sizeof buf};
    struct msghdr m = {.msg_name = (void *)(uintptr_t)to,
                       .msg_namelen = address_length(to),
                       .msg_iov = &iov,
                       .msg_iovlen = 1,
                       .msg_control = control};
    bool v4 = to->ss_family == AF_INET;
    wire_put(w, buf);
    if (ttl)
        add_control(&m, v4 ? IPPROTO_IP : IPPROTO_IPV6, v4 ? IP_TTL : IPV6_HOPLIMIT, ttl);
    if (stamped)
        add_control(&m, SOL_SOCKET, SO_TIMESTAMPING,
                    SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_TX_HARDWARE);
    if (!m.msg_controllen)
        m.msg_control = NULL;
    ssize_t n = sendmsg(fd, &m, 0);
    if (n < 0 && errno != EAGAIN) /* perhaps the error of an earlier packet, which is reported but once */
        n = sendmsg(fd, &m, 0);
    return n == (ssize_t)sizeof buf;
}

/* ---- receiving ---- */

static int64_t nanoseconds(const struct timespec *t) {
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

static void read_stamps(struct packet *p, const struct cmsghdr *c) {
    struct scm_timestamping s;
    memcpy(&s, CMSG_DATA(c), sizeof s);
    p->stamp.kernel = nanoseconds(&s.ts[0]);
    p->stamp.nic = nanoseconds(&s.ts[2]);
}

static void read_error(struct packet *p, const struct cmsghdr *c) {
    struct sock_extended_err e;
    memcpy(&e, CMSG_DATA(c), sizeof e);
    if (e.ee_origin != SO_EE_ORIGIN_ICMP && e.ee_origin != SO_EE_ORIGIN_ICMP6)
        return;
    size_t length =
        e.ee_origin == SO_EE_ORIGIN_ICMP ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    p->died = true;
    if (c->cmsg_len >= CMSG_LEN(sizeof e + length))
        memcpy(&p->where, CMSG_DATA(c) + sizeof e, length); /* SO_EE_OFFENDER() */
}

/* One message off the socket; -1 when there is none. */
static ssize_t take(int fd, int flags, struct packet *p, unsigned char *buf, size_t size) {
    _Alignas(struct cmsghdr) char control[CONTROL];
    struct iovec iov = {buf, size};
    struct msghdr m = {.msg_name = &p->from,
                       .msg_namelen = sizeof p->from,
                       .msg_iov = &iov,
                       .msg_iovlen = 1,
                       .msg_control = control,
                       .msg_controllen = sizeof control};
    memset(p, 0, sizeof *p);
    ssize_t n = recvmsg(fd, &m, flags | MSG_DONTWAIT);
    for (struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPING)
            read_stamps(p, c);
        else if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
                 (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR))
            read_error(p, c);
    }
    return n;
}

bool udp_receive(int fd, struct packet *p) {
    unsigned char buf[FRAME];
    for (int others = 0; others < 64;
         others++) { /* errors of earlier packets are reported here too, one at a time */
        ssize_t n = take(fd, 0, p, buf, sizeof buf);
        if (n < 0 && errno == EAGAIN)
            return false;
        if (n == WIRE_SIZE && wire_get(&p->wire, buf, (size_t)n))
            return true;
    }
    return false;
}

bool udp_error(int fd, struct packet *p) {
    unsigned char buf[FRAME];
    ssize_t n = take(fd, MSG_ERRQUEUE, p, buf, sizeof buf);
    if (n < 0)
        return false;
    /* an ICMP message quotes the packet from its payload on, a timestamp gives the whole frame */
    bool ours = p->died ? wire_get(&p->wire, buf, (size_t)n)
                        : n >= WIRE_SIZE && wire_get(&p->wire, buf + n - WIRE_SIZE, WIRE_SIZE);
    if (!ours)
        p->wire = (struct wire){0};
    return true;
}
