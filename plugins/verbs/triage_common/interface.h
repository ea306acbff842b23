/* SPDX-License-Identifier: Apache-2.0
 *
 * Sockets that leave where their address is.
 */
#ifndef TRIAGE_INTERFACE_H
#define TRIAGE_INTERFACE_H

#include <sys/socket.h>

/* Length of a socket address of its family. */
socklen_t address_length(const struct sockaddr_storage *a);
/* Binds the socket to the interface that has the address, the loopback aside, so that its packets leave there
 * whatever the routes of other interfaces say. Where that is not allowed, routes decide. */
void bind_to_interface(int fd, const struct sockaddr_storage *address);

#endif
