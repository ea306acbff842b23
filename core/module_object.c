/* SPDX-License-Identifier: Apache-2.0
 *
 * Loading a module's file. A name that does not resolve fails at once, not in the middle of a run. A program
 * without dynamic linker (make static-all) has nothing to load files with, and says so.
 */
#include "module_file.h"

#ifdef RECKON_ALL_STATIC

bool modules_loadable(void) {
    return false;
}

const struct reckon_module *module_object(struct reckon *r, const char *file, const char **why) {
    (void)r;
    (void)file;
    *why = "this reckon is fully static and loads no modules; use one made by `make` or `make static`";
    return NULL;
}

#else

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>

#include <ltdl.h>

bool modules_loadable(void) {
    return true;
}

/* A module that is left out changes what a run says: memory running out must not pass for a bad module. */
static bool done(bool right) {
    if (!right && errno == ENOMEM)
        out_of_memory();
    return right;
}

/* The end of what the file must hold, as far as `end` did not say already. */
static uint64_t further(uint64_t end, uint64_t offset, uint64_t size) {
    uint64_t to = offset > UINT64_MAX - size ? UINT64_MAX : offset + size;
    return to > end ? to : end;
}

/* How long the object's headers say that its file is, by the file's first n bytes; 0 when it is none of this
 * machine's, which dlopen() says better. */
static uint64_t length_by_headers(const char *first, size_t n) {
    ElfW(Ehdr) head;
    const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (n < sizeof head)
        return 0;
    memcpy(&head, first, sizeof head);
    if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != class ||
        head.e_phentsize != sizeof(ElfW(Phdr)))
        return 0;
    uint64_t end = further(sizeof head, head.e_phoff, (uint64_t)head.e_phnum * head.e_phentsize);
    if (head.e_shoff)
        end = further(end, head.e_shoff, (uint64_t)head.e_shnum * head.e_shentsize);
    for (unsigned i = 0; i < head.e_phnum; i++) {
        ElfW(Phdr) part;
        if (head.e_phoff > n || (i + (size_t)1) * sizeof part > n - head.e_phoff)
            break;
        memcpy(&part, first + head.e_phoff + i * sizeof part, sizeof part);
        end = further(end, part.p_offset, part.p_filesz);
    }
    return end;
}

/* A copy that was broken off is mapped all the same, and its missing pages end the program when they are
 * touched. */
static bool is_cut_short(struct reckon *r, const char *file, const char **why) {
    struct stat st;
    char first[2048]; /* linkers put both headers there */
    FILE *f = fopen(file, "rbe");
    if (!f)
        return false; /* dlopen() says why */
    setvbuf(f, NULL, _IONBF, 0);
    uint64_t length = length_by_headers(first, fread(first, 1, sizeof first, f));
    uint64_t size = length && !fstat(fileno(f), &st) ? (uint64_t)st.st_size : UINT64_MAX;
    fclose(f);
    if (length > size)
        *why = reckon_text(
            r, "is cut short: it has %llu bytes, its headers speak of %llu; copy or build it again",
            (unsigned long long)size, (unsigned long long)length);
    return length > size;
}

const struct reckon_module *module_object(struct reckon *r, const char *file, const char **why) {
    if (is_cut_short(r, file, why))
        return NULL;
    errno = 0;
    if (!done(!lt_dlinit())) {
        *why = reckon_text(r, "cannot be loaded: %s", lt_dlerror());
        return NULL;
    }
    /* libltdl binds lazily; this binds all names now and leaves the object open for it */
    if (!done(dlopen(file, RTLD_NOW | RTLD_LOCAL))) {
        const char *said = dlerror();
        *why = reckon_text(r, "cannot be loaded: %s; build it against this reckon's headers",
                           said ? said : "no reason");
        return NULL;
    }
    lt_dlhandle handle = lt_dlopen(file);
    const struct reckon_module *found = handle ? lt_dlsym(handle, "reckon_plugin") : NULL;
    if (!done(found))
        *why = "has no symbol reckon_plugin; it is no reckon module, or does not use RECKON_PLUGIN";
    return found;
}

#endif
