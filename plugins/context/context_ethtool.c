/* SPDX-License-Identifier: Apache-2.0
 *
 * Link speeds as `ethtool IFACE` prints them: a file HOST.ethtool per host, or one file of many hosts' output
 * with "HOST: " before each line, as pdsh and clush write it. What comes last about a host counts.
 */
#include <string.h>

#include <reckon/plugin.h>

#define SUFFIX ".ethtool"

struct span {
    const char *s;
    size_t n;
};

static bool ends_with(struct span x, const char *end) {
    size_t n = strlen(end);
    return x.n > n && !memcmp(x.s + x.n - n, end, n);
}

/* The host a file is named after; empty for standard input. */
static struct span host_of_file(const char *path) {
    static const char *const endings[] = {".gz", SUFFIX, ".txt"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct span host = {name, strcmp(path, "-") ? strlen(name) : 0};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_with(host, endings[i]))
            host.n -= strlen(endings[i]);
    return host;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* What follows the key in the line; *host is the name before it, left alone without one. NULL when the line
 * is none of the key's. */
static const char *value_of(const char *line, const char *key, struct span *host) {
    const char *at = strstr(line, key), *end = at;
    if (!at)
        return NULL;
    while (end > line && is_blank(end[-1]))
        end--;
    if (end > line && end[-1] != ':')
        return NULL;
    if (end > line)
        *host = (struct span){line, (size_t)(end - line - 1)};
    return at + strlen(key);
}

/* "25000Mb/s" in Mb/s; blank for "Unknown!". */
static double speed_of(struct span text) {
    static const char unit[] = "Mb/s";
    return ends_with(text, unit) ? reckon_number(text.s, text.n - strlen(unit)) : RECKON_BLANK;
}

static struct span trimmed(const char *s) {
    struct span x = {s + strspn(s, " \t"), 0};
    x.n = strlen(x.s);
    while (x.n && is_blank(x.s[x.n - 1]))
        x.n--;
    return x;
}

/* Takes a line: 1 when it says something about a speed, 0, or -1 after an error. */
static int take_line(struct reckon *r, struct reckon_input *in, const char *line, unsigned long number,
                     void *into) {
    const char *path = reckon_input_path(in);
    struct span host = host_of_file(path), raw = {"none", 4};
    const char *speed = value_of(line, "Speed:", &host);
    if (!speed && !value_of(line, "Settings for ", &host))
        return 0;
    if (!host.n)
        return reckon_error(r, path, number,
                            "the output of ethtool does not say whose it is: keep it in a file HOST" SUFFIX
                            ", or put 'HOST: ' before each line");
    if (speed)
        raw = trimmed(speed);
    reckon_speeds_add(into, reckon_strndup(r, host.s, host.n), speed_of(raw),
                      reckon_strndup(r, raw.s, raw.n));
    return 1;
}

static int read_ethtool(struct reckon *r, struct reckon_input *in, void *into) {
    bool any = false;
    char *line;
    size_t length;
    unsigned long number;
    int rc;
    while ((rc = reckon_read_line(in, &line, &length, &number)) > 0) {
        int took = take_line(r, in, line, number, into);
        if (took < 0)
            return -1;
        any = any || took;
    }
    if (!rc && !any)
        reckon_note(r, "%s says nothing about a link", reckon_printable(r, reckon_input_path(in)));
    return rc;
}

/* By its content, or by its name: the file of a host that could not be asked is empty. */
static int recognise(const struct reckon_head *head) {
    struct span name = {head->path, strlen(head->path)};
    if (ends_with(name, ".gz"))
        name.n -= strlen(".gz");
    return strstr(head->data, "Settings for ") ? 90 : ends_with(name, SUFFIX) ? 60 : 0;
}

RECKON_PLUGIN(context, ethtool) = {
    .name = "ethtool",
    .summary = "link speeds as ethtool prints them: HOST" SUFFIX " files, or lines with 'HOST: ' before them",
    .context = {.role = "speeds",
                .suffix = SUFFIX,
                .help = "what the links negotiated, used instead of the layout's speeds",
                .recognise = recognise,
                .read = read_ethtool},
};
