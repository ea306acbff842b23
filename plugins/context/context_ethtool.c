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

static bool drop_ending(struct span *x, const char *end) {
    bool there = ends_with(*x, end);
    if (there)
        x->n -= strlen(end);
    return there;
}

/* The host a file is named after; empty for standard input and names that are no host's. */
static struct span host_of_file(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct span host = {name, strlen(name)};
    drop_ending(&host, ".gz");
    if (!drop_ending(&host, SUFFIX) && !drop_ending(&host, ".txt"))
        host.n = 0;
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

struct reading {
    struct reckon *r;
    const char *path;
    struct reckon_speeds *into;
    bool prefixed; /* a line said whose it is: then those that do not are no host's */
};

/* Takes a line: 1 when it says something about a speed, 0, or -1 after an error. */
static int take_line(struct reading *x, const char *line, unsigned long number) {
    struct reckon *r = x->r;
    struct span of_file = host_of_file(x->path), host = {NULL, 0}, raw = {"none", 4};
    const char *speed = value_of(line, "Speed:", &host);
    if (!speed && !value_of(line, "Settings for ", &host))
        return 0;
    x->prefixed = x->prefixed || host.n;
    if (!x->prefixed)
        host = of_file;
    if (!host.n)
        return reckon_error(r, x->path, number,
                            "the output of ethtool does not say whose it is: keep it in a file HOST" SUFFIX
                            ", or put 'HOST: ' before each line");
    if (speed)
        raw = trimmed(speed);
    reckon_speeds_add(x->into, reckon_strndup(r, host.s, host.n), speed_of(raw),
                      reckon_strndup(r, raw.s, raw.n));
    return 1;
}

static int read_ethtool(struct reckon *r, struct reckon_input *in, void *into) {
    struct reading x = {.r = r, .path = reckon_input_path(in), .into = into};
    bool any = false;
    char *line;
    size_t length;
    unsigned long number;
    int rc;
    while ((rc = reckon_read_line(in, &line, &length, &number)) > 0) {
        int took = take_line(&x, line, number);
        if (took < 0)
            return -1;
        any = any || took;
    }
    if (!rc && !any)
        reckon_note(r, "%s says nothing about a link", reckon_printable(r, x.path));
    return rc;
}

/* Whether a line begins with the key, or has it behind "HOST: ". */
static bool has_key(const char *text, const char *key) {
    for (const char *at = text; (at = strstr(at, key)); at++) {
        const char *before = at;
        while (before > text && is_blank(before[-1]))
            before--;
        if (before == text || before[-1] == '\n' || before[-1] == ':')
            return true;
    }
    return false;
}

/* By its content, of which `grep Speed` may have left the one line that counts, or by its name: the file of a
 * host that could not be asked is empty. */
static int recognise(const struct reckon_head *head) {
    struct span name = {head->path, strlen(head->path)};
    if (ends_with(name, ".gz"))
        name.n -= strlen(".gz");
    if (strstr(head->data, "Settings for "))
        return 90;
    return has_key(head->data, "Speed:") ? 80 : ends_with(name, SUFFIX) ? 60 : 0;
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
