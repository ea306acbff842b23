/* SPDX-License-Identifier: Apache-2.0
 *
 * `reckon node`: a host's part in a network benchmark. It waits for a console, does what that says, and
 * reports.
 */
#include <reckon/plugin.h>

#include "node.h"

#define MIB (UINT64_C(1) << 20)
#define SECOND 1e9

static const struct reckon_option options[] = {
    {.name = "listen",
     .type = RECKON_TEXT,
     .value_name = "ADDR:PORT",
     .initial = "127.0.0.1:" BENCH_PORT,
     .help = "where consoles reach this node; test messages use the same address",
     .group = "inputs",
     .env = "LISTEN"},
    {.name = "key-file",
     .type = RECKON_PATH,
     .value_name = "FILE",
     .help = "32 bytes that console and nodes share; without it only loopback",
     .group = "inputs",
     .env = "KEY_FILE"},
    {.name = "data",
     .type = RECKON_TEXT,
     .value_name = "ADDR[:PORT]",
     .help = "where test messages come (default: --listen's address, a free port); the next ports for "
             "further workers",
     .group = "inputs",
     .env = "DATA"},
    {.name = "max-size",
     .type = RECKON_WHOLE,
     .value_name = "MIB",
     .initial = "64",
     .unit = "MiB",
     .min = 1,
     .max = 4095,
     .help = "largest message or buffer a console may ask for",
     .group = "limits"},
    {.name = "max-flows",
     .type = RECKON_WHOLE,
     .value_name = "N",
     .initial = "4096",
     .min = 1,
     .max = 100000,
     .help = "most flows of a test, those sent and those answered",
     .group = "limits"},
    {.name = "max-memory",
     .type = RECKON_WHOLE,
     .value_name = "MIB",
     .initial = "1024",
     .unit = "MiB",
     .min = 1,
     .max = 1 << 24,
     .help = "most memory of a test",
     .group = "limits"},
    {.name = "max-time",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "86400",
     .unit = "seconds",
     .min = 1,
     .max = 3e7,
     .help = "longest test",
     .group = "limits"},
    {.name = "once", .type = RECKON_FLAG, .help = "end after one test", .group = "inputs"},
    {.name = "wait",
     .type = RECKON_NUMBER,
     .value_name = "S",
     .initial = "0",
     .unit = "seconds",
     .max = 1e6,
     .help = "with --once: end when no console came for so long; 0: never",
     .group = "inputs"},
    {.type = RECKON_OPTION_END},
};

static int check(struct reckon *r) {
    if (reckon_argument(r, 0))
        return reckon_error(r, NULL, 0, "node takes no argument: '%s'",
                            reckon_printable(r, reckon_argument(r, 0)));
    return 0;
}

/* --data, with port 0 when it names none: then any that is free is taken. */
static int data_address(struct reckon *r, struct address *data) {
    const char *text = reckon_option_text(r, "data"), *why;
    if (!text)
        return 0;
    if (bench_address_parse(data, text, &why))
        return reckon_error(r, NULL, 0, "--data %s: %s", reckon_printable(r, text), why);
    if (!bench_address_is_one_host(data))
        return reckon_error(r, NULL, 0, "--data %s: it is no single host's address",
                            reckon_printable(r, text));
    if (!bench_address_has_port(text))
        bench_address_set_port(data, 0);
    return 0;
}

static int node(struct reckon *r) {
    struct key key;
    struct node_settings set = {
        .key = &key,
        .limits = {.size = (uint64_t)reckon_option_number(r, "max-size") * MIB,
                   .flows = (uint64_t)reckon_option_number(r, "max-flows"),
                   .memory = (uint64_t)reckon_option_number(r, "max-memory") * MIB,
                   .time = (uint64_t)(reckon_option_number(r, "max-time") * SECOND)},
        .once = reckon_flag(r, "once"),
        .wait = (uint64_t)(reckon_option_number(r, "wait") * SECOND),
        .quiet = reckon_flag(r, "quiet"),
    };
    const char *why, *listen = reckon_option_text(r, "listen"), *file = reckon_option_text(r, "key-file");
    if (seal_library())
        return reckon_error(r, NULL, 0, "libsodium does not work here");
    if (key_read(&key, file, &why))
        return reckon_error(r, file, 0, "%s", why);
    if (bench_address_parse(&set.listen, listen, &why))
        return reckon_error(r, NULL, 0, "--listen %s: %s", reckon_printable(r, listen), why);
    if (data_address(r, &set.data))
        return -1;
    if (!file && (!bench_address_is_loopback(&set.listen) ||
                  (set.data.length && !bench_address_is_loopback(&set.data))))
        return reckon_error(
            r, NULL, 0, "without --key-file anybody could command this node: it uses loopback only, not %s",
            reckon_printable(r, bench_address_is_loopback(&set.listen) ? reckon_option_text(r, "data")
                                                                       : listen));
    return node_run(r, &set);
}

RECKON_PLUGIN(verb, node) = {
    .name = "node",
    .summary = "a host's part in a network benchmark",
    .options = options,
    .check = check,
    .verb = {.usage = "reckon node --listen ADDR:PORT [options]", .arguments = true, .main = node},
};
