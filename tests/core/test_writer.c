/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing: files whole or not at all, whatever stands at the target; what each kind of text is written as;
 * and the ends a write can come to.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <CUnit/CUnit.h>

#include "sandbox.h"

static char folder[64];

static int begin(void) {
    return folder_begin(folder) ? 0 : -1;
}

static int end(void) {
    folder_end(folder);
    return 0;
}

static bool holds(const char *path, const char *want) {
    char *text = file_read(path);
    bool same = !strcmp(text, want);
    if (!same)
        printf("%s\n", text);
    free(text);
    return same;
}

static mode_t mode_of(const char *path) {
    struct stat about;
    return stat(path, &about) ? 0 : about.st_mode & 07777;
}

static void test_new_file(void) {
    struct reckon *r = session_begin(0);
    char path[512];
    strcpy(path, in_folder(folder, "new"));
    mode_t mask = umask(027);
    struct reckon_writer *w = reckon_create(r, path);
    reckon_put(w, "one\n");
    CU_ASSERT(access(path, F_OK) != 0); /* not there before it is whole */
    CU_ASSERT(folder_count(folder) == 1);
    CU_ASSERT(!reckon_to_terminal(w) && !reckon_wants_colour(w) && reckon_terminal_width(w) == 80);
    CU_ASSERT(reckon_commit(w) == 0);
    umask(mask);
    CU_ASSERT(holds(path, "one\n"));
    CU_ASSERT(mode_of(path) == 0640);
    CU_ASSERT(folder_count(folder) == 1);
    remove(path);
    session_end(r);
}

static void test_old_file(void) {
    struct reckon *r = session_begin(0);
    char path[512];
    strcpy(path, in_folder(folder, "old"));
    file_write(path, "old\n", 4);
    chmod(path, 0604);
    struct reckon_writer *w = reckon_create(r, path);
    reckon_put(w, "new\n");
    CU_ASSERT(holds(path, "old\n"));
    reckon_abandon(w);
    CU_ASSERT(holds(path, "old\n"));
    CU_ASSERT(folder_count(folder) == 1);
    w = reckon_create(r, path);
    reckon_put(w, "new\n");
    CU_ASSERT(reckon_commit(w) == 0);
    CU_ASSERT(holds(path, "new\n"));
    CU_ASSERT(mode_of(path) == 0604);
    reckon_abandon(NULL);
    remove(path);
    session_end(r);
}

static void write_word(struct reckon *r, const char *path) {
    struct reckon_writer *w = reckon_create(r, path);
    CU_ASSERT_FATAL(w != NULL);
    reckon_put(w, "word");
    CU_ASSERT(reckon_commit(w) == 0);
}

static void test_symlinks(void) {
    struct reckon *r = session_begin(0);
    char target[512], link[512], there[512];
    strcpy(target, in_folder(folder, "target"));
    strcpy(link, in_folder(folder, "link"));
    strcpy(there, in_folder(folder, "there"));
    CU_ASSERT(symlink("target", link) == 0); /* relative to where the link is, and nothing there yet */
    CU_ASSERT(symlink(link, there) == 0);
    write_word(r, there);
    CU_ASSERT(holds(target, "word"));
    file_write(target, "old", 3);
    write_word(r, there);
    CU_ASSERT(holds(target, "word"));
    struct stat about;
    CU_ASSERT(lstat(link, &about) == 0 && S_ISLNK(about.st_mode));
    remove(target);
    remove(link);
    CU_ASSERT(symlink(there, link) == 0); /* a loop */
    CU_ASSERT_PTR_NULL(reckon_create(r, link));
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "/link: cannot be written: "));
    remove(link);
    remove(there);
    session_end(r);
}

static void expect_refusal(const char *path, const char *why) {
    struct reckon *r = session_begin(0);
    CU_ASSERT_PTR_NULL(reckon_create(r, path));
    char want[1024];
    snprintf(want, sizeof want, "%s: cannot be written: %s", path, why);
    CU_ASSERT_STRING_EQUAL(session_error(r), want);
    session_end(r);
}

static void test_refusals(void) {
    expect_refusal(folder, "Is a directory");
    char path[512];
    strcpy(path, in_folder(folder, "none/file"));
    expect_refusal(path, "No such file or directory");
    file_write(in_folder(folder, "file"), "", 0);
    strcpy(path, in_folder(folder, "file/x"));
    expect_refusal(path, "Not a directory");
    remove(in_folder(folder, "file"));
}

/* A FIFO stands for all that is no regular file: a writer that is broken must not be let loose on a real
 * device, which root would lose to its rename. */
static void test_direct(void) {
    struct reckon *r = session_begin(0);
    char path[512], text[16] = "";
    strcpy(path, in_folder(folder, "fifo"));
    CU_ASSERT(mkfifo(path, 0600) == 0);
    int fd = open(path, O_RDONLY | O_NONBLOCK);
    write_word(r, path);
    CU_ASSERT(read(fd, text, sizeof text) == 4 && !strcmp(text, "word"));
    struct stat about;
    CU_ASSERT(stat(path, &about) == 0 && S_ISFIFO(about.st_mode)); /* still one */
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    struct reckon_writer *w = reckon_create(r, path);
    CU_ASSERT_FATAL(w != NULL);
    close(fd);
    reckon_put(w, "word");
    CU_ASSERT(!reckon_write_failed(w)); /* still in the buffer */
    CU_ASSERT(reckon_commit(w) == -1);
    signal(SIGPIPE, before);
    char want[1024];
    snprintf(want, sizeof want, "%s: cannot be written: Broken pipe", path);
    CU_ASSERT(session_error(r) && !strcmp(session_error(r), want));
    remove(path);
    session_end(r);
}

/* Runs fn in a child whose standard output is `out`, and returns its wait status. */
static int in_child(int out, int (*fn)(struct reckon *r)) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_IGN);
        dup2(out, STDOUT_FILENO);
        struct reckon *r = session_begin(0);
        int code = fn(r);
        session_end(r);
        _exit(code);
    }
    int status;
    CU_ASSERT(waitpid(child, &status, 0) == child);
    return status;
}

static int write_much(struct reckon *r) {
    struct reckon_writer *w = reckon_create(r, "-");
    for (int i = 0; i < 1000000 && !reckon_write_failed(w); i++)
        reckon_put(w, "a line\n");
    bool failed = reckon_write_failed(w);
    int status = reckon_commit(w);
    return (failed ? 1 : 0) + (status ? 2 : 0) + (session_error(r) ? 4 : 0);
}

static void test_stdout(void) {
    int ends[2], full = open("/dev/full", O_WRONLY);
    CU_ASSERT(pipe(ends) == 0);
    close(ends[0]);
    CU_ASSERT(in_child(ends[1], write_much) == (1) << 8); /* a closed pipe stops it, and nothing is said */
    CU_ASSERT(in_child(full, write_much) == (1 + 2 + 4) << 8);
    close(ends[1]);
    close(full);
    char path[512];
    strcpy(path, in_folder(folder, "out"));
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    CU_ASSERT(in_child(fd, write_much) == 0);
    struct stat about;
    CU_ASSERT(fstat(fd, &about) == 0 && about.st_size == 7000000);
    close(fd);
    remove(path);
}

/* The file may not grow to its end, as on a full disk. */
static int write_too_much(struct reckon *r) {
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){300000, 300000});
    struct reckon_writer *w = reckon_create(r, in_folder(folder, "full"));
    for (int i = 0; i < 100000; i++)
        reckon_put(w, "a line\n");
    bool failed = reckon_write_failed(w);
    bool told =
        reckon_commit(w) == -1 && strstr(session_error(r), "/full: cannot be written: File too large");
    return failed && told ? 0 : 1;
}

static void test_full(void) {
    file_write(in_folder(folder, "full"), "old", 3);
    CU_ASSERT(in_child(STDOUT_FILENO, write_too_much) == 0);
    CU_ASSERT(holds(in_folder(folder, "full"), "old"));
    CU_ASSERT(folder_count(folder) == 1);
    remove(in_folder(folder, "full"));
}

/* What a signal handler does, in the middle of writing many files; the last of them is "one". */
static int interrupted(struct reckon *r) {
    struct reckon_writer *w[200];
    for (int i = 0; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, i < 199 ? "file%d" : "one", i);
        w[i] = reckon_create(r, in_folder(folder, name));
        for (int k = 0; w[i] && k < 40000; k++)
            reckon_put(w[i], "a line\n");
    }
    size_t before = folder_count(folder);
    unlink_temporaries();
    size_t after = folder_count(folder);
    for (int i = 0; i < 200; i++)
        reckon_abandon(w[i]);
    return before == 201 && after == 1 ? 0 : 1;
}

/* The number in the next temporary's name: one more than that of the one before. */
static unsigned next_number(struct reckon *r) {
    struct reckon_writer *w = reckon_create(r, in_folder(folder, "one"));
    char name[64];
    unsigned n = 0;
    do
        snprintf(name, sizeof name, ".reckon-%ld-%u", (long)getpid(), n++);
    while (access(in_folder(folder, name), F_OK) && n < 1000000);
    reckon_abandon(w);
    return n;
}

static int killed(struct reckon *r) {
    reckon_put(reckon_create(r, in_folder(folder, "one")), "half");
    return raise(SIGKILL); /* leaves its temporary behind */
}

static void test_temporaries(void) {
    char path[512];
    strcpy(path, in_folder(folder, "one"));
    file_write(path, "old", 3);
    CU_ASSERT(in_child(STDOUT_FILENO, interrupted) == 0);
    CU_ASSERT(holds(path, "old"));
    CU_ASSERT(in_child(STDOUT_FILENO, killed) == SIGKILL);
    CU_ASSERT(folder_count(folder) == 2);
    folder_end(folder);
    CU_ASSERT(mkdir(folder, 0700) == 0);
    struct reckon *r = session_begin(0);
    char own[64];
    snprintf(own, sizeof own, ".reckon-%ld-%u", (long)getpid(), next_number(r));
    char leftover[512];
    strcpy(leftover, in_folder(folder, own));
    file_write(leftover, "another program's", 17); /* that had our process id */
    write_word(r, path);
    CU_ASSERT(holds(path, "word"));
    CU_ASSERT(holds(leftover, "another program's"));
    remove(leftover);
    remove(path);
    session_end(r);
}

/* What the calls put, as a file reads. */
static void expect_text(void (*put)(struct reckon_writer *w), const char *want) {
    struct reckon *r = session_begin(0);
    char path[512];
    strcpy(path, in_folder(folder, "text"));
    struct reckon_writer *w = reckon_create(r, path);
    put(w);
    CU_ASSERT(reckon_commit(w) == 0);
    CU_ASSERT(holds(path, want));
    remove(path);
    session_end(r);
}

static void put_numbers(struct reckon_writer *w) {
    reckon_put_number(w, 97656.25);
    reckon_put(w, ",");
    reckon_put_number(w, RECKON_BLANK);
    reckon_put(w, ",");
    reckon_put_number(w, -12);
    reckon_put(w, ",");
    reckon_put_fixed(w, 0.1234, 3);
    reckon_put(w, ",");
    reckon_put_fixed(w, RECKON_BLANK, 3);
    reckon_put(w, ",");
    reckon_put_fixed(w, 1e300, 0);
    reckon_printf(w, " %d %s %0600d", 7, "x", 1);
}

static void test_numbers(void) {
    char want[1200];
    snprintf(want, sizeof want, "97656.25,,-12,0.123,,%.0f 7 x %0600d", 1e300, 1);
    expect_text(put_numbers, want);
}

static void put_cells(struct reckon_writer *w) {
    static const char *const cells[] = {"plain",  "a,b", "a \"b\" c", "\"",    "two\nlines",
                                        "cr\rlf", "",    " blank ",   "a;b\tc"};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        reckon_put_cell(w, cells[i]);
        reckon_put(w, "|");
    }
}

static void test_cells(void) {
    expect_text(put_cells,
                "plain|\"a,b\"|\"a \"\"b\"\" c\"|\"\"\"\"|\"two\nlines\"|\"cr\rlf\"|| blank |a;b\tc|");
}

static void put_strings(struct reckon_writer *w) {
    static const char *const strings[] = {
        "",         "plain",    "a\"b\\c",   "\b\f\n\r\t",  "\x01\x1b\x7f", "Grüße 東京",
        "caf\xe9!", "\xe2\x82", "</script>", "c\xc2\x9b;m", "evil\u202egnp"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        reckon_put_json(w, strings[i]);
}

static void test_json(void) {
    expect_text(put_strings,
                "\"\"\"plain\"\"a\\\"b\\\\c\"\"\\b\\f\\n\\r\\t\"\"\\u0001\\u001b\\u007f\"\"Grüße 東京\""
                "\"caf\\\\xe9!\"\"\\\\xe2\\\\x82\"\"</script>\"\"c\\u009b;m\"\"evil\\u202egnp\"");
}

/* Pieces of every size across the buffer's edge, and one larger than it. */
static void test_sizes(void) {
    struct reckon *r = session_begin(0);
    char path[512];
    strcpy(path, in_folder(folder, "text"));
    size_t n = 900000, at = 0;
    char *data = malloc(n);
    for (size_t i = 0; i < n; i++)
        data[i] = (char)('a' + i % 23);
    struct reckon_writer *w = reckon_create(r, path);
    for (; at < 300000; at++)
        reckon_put_bytes(w, data + at, 1);
    for (size_t piece = 1; at + piece < 800000; piece = piece * 3 % 70001) {
        reckon_put_bytes(w, data + at, piece);
        at += piece;
    }
    reckon_put_bytes(w, data + at, n - at);
    CU_ASSERT(reckon_commit(w) == 0);
    char *got = file_read(path);
    CU_ASSERT(!memcmp(got, data, n) && !got[n]);
    free(got);
    free(data);
    remove(path);
    session_end(r);
}

void suite_writer(void) {
    CU_pSuite s = CU_add_suite("writer", begin, end);
    CU_add_test(s, "a new file", test_new_file);
    CU_add_test(s, "an old file", test_old_file);
    CU_add_test(s, "symlinks", test_symlinks);
    CU_add_test(s, "what cannot be written", test_refusals);
    CU_add_test(s, "what is no regular file", test_direct);
    CU_add_test(s, "a full disk", test_full);
    CU_add_test(s, "standard output", test_stdout);
    CU_add_test(s, "temporaries", test_temporaries);
    CU_add_test(s, "numbers", test_numbers);
    CU_add_test(s, "CSV cells", test_cells);
    CU_add_test(s, "JSON strings", test_json);
    CU_add_test(s, "pieces of any size", test_sizes);
}
