/* SPDX-License-Identifier: Apache-2.0
 *
 * From addresses to interfaces (interface.h).
 */
#include "interface.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>

#include "tuple.h"

socklen_t address_length(const struct sockaddr_storage *a) {
    return a->ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

void bind_to_interface(int fd, const struct sockaddr_storage *address) {
    struct ifaddrs *all;
    if (getifaddrs(&all))
        return;
    for (struct ifaddrs *i = all; i; i = i->ifa_next) {
        struct sockaddr_storage has = {0};
        if (!i->ifa_addr || i->ifa_addr->sa_family != address->ss_family || (i->ifa_flags & IFF_LOOPBACK))
            continue;
        memcpy(&has, i->ifa_addr, address_length(address));
        if (address_same(&has, address))
            (void)setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, i->ifa_name, (socklen_t)strlen(i->ifa_name));
    }
    freeifaddrs(all);
}
