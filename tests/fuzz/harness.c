/* SPDX-License-Identifier: Apache-2.0
 *
 * One run of the whole program in this process, over files in a folder that holds nothing else. What the
 * program leaves to the end of its process is freed here after every run; what it lost is a leak.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sanitizer/lsan_interface.h>

#include "findings_state.h"
#include "harness.h"
#include "program.h"

/* gcc has it, but not its header, <sanitizer/allocator_interface.h> */
int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
                                              void (*free_hook)(const volatile void *));

#define WORDS_MOST 64
#define FILES_MOST 64

#define CASE_MOST ((size_t)64 * 1024) /* bytes */

static char folder[PATH_MAX];
static const char *target; /* the case around the input; NULL: the input is the case */
static size_t target_size;
static char work[CASE_MOST + 1]; /* a case being taken apart */

/* ---- what a run leaves allocated ---- */

/* Pointers that are allocated, inverted so that they do not look like references; open addressing. */
#define SLOTS ((size_t)1 << 22)
#define GONE UINTPTR_MAX
static uintptr_t kept[SLOTS];
static uint32_t used[SLOTS / 2]; /* the slots that are not 0 */
static size_t nused;
static bool keeping;

static size_t slot_of(uintptr_t p) {
    return (size_t)((p >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 42);
}

static void on_malloc(const volatile void *p, size_t size) {
    (void)size;
    if (!keeping || !p)
        return;
    size_t i = slot_of((uintptr_t)p);
    while (kept[i] && kept[i] != GONE)
        i = (i + 1) % SLOTS;
    if (!kept[i]) {
        if (nused == SLOTS / 2)
            abort(); /* two million allocations: far too many for an input of this size */
        used[nused++] = (uint32_t)i;
    }
    kept[i] = ~(uintptr_t)p;
}

static void on_free(const volatile void *p) {
    if (!keeping || !p)
        return;
    for (size_t i = slot_of((uintptr_t)p); kept[i]; i = (i + 1) % SLOTS)
        if (kept[i] == ~(uintptr_t)p) {
            kept[i] = GONE;
            return;
        }
}

static void free_kept(void) {
    keeping = false;
    while (nused) {
        uintptr_t *slot = &kept[used[--nused]];
        if (*slot != GONE)
            free((void *)~*slot);
        *slot = 0;
    }
}

/* ---- files ---- */

static void empty_folder(void) {
    DIR *d = opendir(".");
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            unlink(e->d_name);
    if (d)
        closedir(d);
}

static void write_file(const char *name, const void *data, size_t size) {
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return; /* two names that differ, and one file: a folder in between, say */
    for (const char *at = data, *end = at + size; at < end;) {
        ssize_t n = write(fd, at, (size_t)(end - at));
        if (n < 0)
            abort();
        at += n;
    }
    close(fd);
}

/* ---- cases: "args: WORD..." on the first line, then files, each after a line "== NAME" ---- */

struct fuzz_case {
    char *words[WORDS_MOST];
    int count;
};

/* A name stays in the folder. */
static bool safe_name(const char *s) {
    return *s && strlen(s) < 64 && !strchr(s, '/') && strcmp(s, ".") && strcmp(s, "..");
}

/* Words that reach out of the folder, load code, wait for more, or open the network are not for fuzzing. */
static bool safe_words(const struct fuzz_case *c) {
    static const char *const never[] = {"--plugin-dir", "--replace", "--follow", "--jobs"};
    static const char *const verbs[] = {"trend", "triage", "compare", "pinglist", "plan"};
    for (int i = 0; i < c->count; i++) {
        if (strchr(c->words[i], '/') || !strcmp(c->words[i], ".") || strstr(c->words[i], ".."))
            return false;
        for (size_t k = 0; k < sizeof never / sizeof *never; k++)
            if (!strncmp(c->words[i], never[k], strlen(never[k])))
                return false;
    }
    const char *first = c->count ? c->words[0] : "-";
    if (*first == '-' || strchr(first, '.'))
        return true;
    for (size_t k = 0; k < sizeof verbs / sizeof *verbs; k++)
        if (!strcmp(first, verbs[k]))
            return true;
    return false;
}

/* Takes the case apart in place (it ends with a NUL) and writes its files; `input` (may be NULL) goes into
 * the last one. False when it is none. */
static bool take_case(struct fuzz_case *c, char *text, size_t size, const void *input, size_t input_size) {
    char *end = text + size, *line = memchr(text, '\n', size), *save;
    c->count = 0;
    if (!line || strncmp(text, "args: ", 6))
        return false;
    *line = '\0';
    for (char *w = strtok_r(text + 6, " ", &save); w && c->count < WORDS_MOST; w = strtok_r(NULL, " ", &save))
        c->words[c->count++] = w;
    if (!safe_words(c))
        return false;
    for (char *at = line + 1, *next; at < end; at = next) {
        char *name = at + 3, *body = memchr(at, '\n', (size_t)(end - at));
        if (strncmp(at, "== ", 3) || !body)
            return false;
        *body++ = '\0';
        next = memmem(body - 1, (size_t)(end - body) + 1, "\n== ", 4);
        next = next ? next + 1 : end;
        if (!safe_name(name))
            return false;
        bool tried = input && next == end;
        write_file(name, tried ? input : body, tried ? input_size : (size_t)(next - body));
    }
    return true;
}

/* ---- running ---- */

static struct findings findings;
static struct reckon session, loaded, ready; /* running; with modules alone; ready to run the target */

/* What begins anew with every run; the memory of the session it comes from stays as it is. */
static void start_from(const struct reckon *before) {
    session = *before;
    session.arena = (struct arena){0};
    findings = (struct findings){0};
}

static void prepare(const struct fuzz_case *c) {
    static char *argv[WORDS_MOST + 2];
    argv[0] = "reckon";
    memcpy(argv + 1, c->words, (size_t)c->count * sizeof *argv);
    argv[c->count + 1] = NULL;
    program_prepare(&session, c->count + 1, argv, preloaded_modules());
}

/* Frees what the run kept; with `leaks` looks first for what it lost. */
static void finish(bool leaks) {
    if (leaks && __lsan_do_recoverable_leak_check())
        abort();
    free_kept();
    empty_folder();
}

static bool run_target(const uint8_t *data, size_t size) {
    struct fuzz_case c;
    memcpy(work, target, target_size + 1);
    take_case(&c, work, target_size, data, size);
    start_from(&ready);
    keeping = true;
    program_run(&session);
    return true;
}

static bool run_case(const uint8_t *data, size_t size) {
    struct fuzz_case c;
    if (size > CASE_MOST)
        return false;
    memcpy(work, data, size);
    work[size] = '\0';
    if (!take_case(&c, work, size, NULL, 0))
        return false;
    start_from(&loaded);
    keeping = true;
    prepare(&c);
    program_run(&session);
    return true;
}

bool fuzz_once(const uint8_t *data, size_t size, bool leaks) {
    bool ran = target ? run_target(data, size) : run_case(data, size);
    finish(ran && leaks);
    return ran;
}

/* ---- beginning and end ---- */

static void read_target(const char *path) {
    static char text[CASE_MOST + 1];
    FILE *f = fopen(path, "r");
    target_size = f ? fread(text, 1, CASE_MOST, f) : 0;
    if (!target_size) {
        perror(path);
        exit(2);
    }
    fclose(f);
    target = text;
}

/* A single thread: what is found can be found again. */
static void use_one_processor(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* What the C library allocates once and keeps must not look like a run's. */
static void warm_up(void) {
    static char buffer[BUFSIZ];
    setlocale(LC_CTYPE, "C.UTF-8");
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    tzset();
}

static void load_modules(void) {
    session = (struct reckon){.lock = PTHREAD_MUTEX_INITIALIZER, .findings = &findings, .program = "reckon"};
    prepare(&(struct fuzz_case){.words = {"--help"}, .count = 1});
    loaded = session;
}

static void prepare_target(void) {
    static char text[CASE_MOST + 1]; /* the words stay in here */
    struct fuzz_case c;
    memcpy(text, target, target_size);
    start_from(&loaded);
    if (!take_case(&c, text, target_size, NULL, 0))
        abort();
    prepare(&c);
    if (session_error(&session)) {
        fprintf(stderr, "%s\n", session_error(&session));
        abort();
    }
    ready = session;
}

void fuzz_begin(const char *path) {
    const char *tmp = getenv("TMPDIR");
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (path)
        read_target(path);
    snprintf(folder, sizeof folder, "%s/reckon-fuzz.XXXXXX", tmp ? tmp : "/tmp");
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || !mkdtemp(folder) || chdir(folder))
        abort();
    close(nothing);
    use_one_processor();
    warm_up();
    load_modules();
    if (target)
        prepare_target();
    empty_folder();
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

void fuzz_end(void) {
    empty_folder();
    if (chdir("/") || rmdir(folder))
        perror(folder);
}
