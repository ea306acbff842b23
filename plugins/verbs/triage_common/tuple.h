/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuples as records write them: "src:port>dst:port", an IPv6 address in brackets or not.
 */
#ifndef TRIAGE_TUPLE_H
#define TRIAGE_TUPLE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define TUPLE_END 64                    /* longest text of an end's address, with its NUL */
#define TUPLE_TEXT (2 * TUPLE_END + 16) /* longest text of a tuple */

struct tuple {
    char src[TUPLE_END], dst[TUPLE_END]; /* addresses (or names) without brackets */
    uint16_t sport, dport;
};

/* False when the text is no tuple. */
bool tuple_parse(struct tuple *t, const char *text);
/* The text of a tuple; `buf` of TUPLE_TEXT bytes. Returns buf. */
char *tuple_text(const struct tuple *t, char *buf);
/* The tuple of the way back. */
struct tuple tuple_reversed(const struct tuple *t);

/* A numeric address with its port as a socket address; false when it is not numeric. */
bool address_parse(const char *text, uint16_t port, struct sockaddr_storage *out, socklen_t *length);
/* The usual text of a numeric address ("::1" for "0:0::1"), or the text itself; `buf` of TUPLE_END bytes. */
const char *address_usual(const char *text, char *buf);
/* The address of a socket address as text, without port; `buf` of TUPLE_END bytes. */
const char *address_text(const struct sockaddr_storage *a, char *buf);
uint16_t address_port(const struct sockaddr_storage *a);
/* Whether both have the same address; ports do not count. */
bool address_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

#endif
