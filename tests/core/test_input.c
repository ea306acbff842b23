/* SPDX-License-Identifier: Apache-2.0
 *
 * Input: plain, gzip and FIFO read alike; byte-order marks, lines, heads; and one clear error for everything
 * else.
 */
#include <fcntl.h>
#include <pthread.h>
#include <zlib.h>

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

static const char *made(const char *name, const void *data, size_t n) {
    const char *path = in_folder(folder, name);
    file_write(path, data, n);
    return path;
}

/* Compresses into a gzip member; returns its length. */
static size_t pack(const void *data, size_t n, unsigned char *to, size_t room) {
    z_stream z = {0};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (Bytef *)(uintptr_t)data;
    z.avail_in = (uInt)n;
    z.next_out = to;
    z.avail_out = (uInt)room;
    CU_ASSERT(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t length = room - z.avail_out;
    deflateEnd(&z);
    return length;
}

/* Whether the file reads as exactly the text. */
static bool reads_as(struct reckon *r, const char *path, const char *text, size_t n) {
    struct reckon_input *in = reckon_open(r, path);
    size_t length = 0;
    char *all = in ? reckon_read_all(in, 1 << 24, &length) : NULL;
    bool same = all && length == n && !memcmp(all, text, n) && !all[n];
    free(all);
    reckon_close(in);
    return same;
}

static void test_plain(void) {
    struct reckon *r = session_begin(0);
    CU_ASSERT(reads_as(r, made("a", "one\ntwo", 7), "one\ntwo", 7));
    CU_ASSERT(reads_as(r, made("a", "", 0), "", 0));
    CU_ASSERT(reads_as(r, made("a", "\0x\0", 3), "\0x\0", 3));
    CU_ASSERT(reads_as(r, made("a", "\x1f", 1), "\x1f", 1)); /* half a gzip mark */
    CU_ASSERT(!session_error(r));
    session_end(r);
}

static void test_mark(void) {
    struct reckon *r = session_begin(0);
    CU_ASSERT(reads_as(r, made("a", "\xef\xbb\xbfx", 4), "x", 1));
    CU_ASSERT(reads_as(r, made("a", "\xef\xbb\xbf", 3), "", 0));
    CU_ASSERT(reads_as(r, made("a", "\xef\xbb", 2), "\xef\xbb", 2));
    CU_ASSERT(reads_as(r, made("a", "x\xef\xbb\xbf", 4), "x\xef\xbb\xbf", 4)); /* only at the beginning */
    session_end(r);
}

static void test_gzip(void) {
    struct reckon *r = session_begin(0);
    size_t n = 3 << 20;
    char *text = malloc(n);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + (i * i >> 7) % 26);
    unsigned char *packed = malloc(n);
    size_t one = pack("\xef\xbb\xbfone\n", 7, packed, n);
    CU_ASSERT(reads_as(r, made("a.gz", packed, one), "one\n", 4)); /* its mark is skipped, too */
    size_t two = pack("two\n", 4, packed + one, n - one);
    CU_ASSERT(reads_as(r, made("a.gz", packed, one + two), "one\ntwo\n", 8)); /* members follow each other */
    memset(packed + one + two, 0, 100);
    CU_ASSERT(reads_as(r, made("a", packed, one + two + 100), "one\ntwo\n",
                       8)); /* tape padding; no name ends in .gz */
    size_t none = pack("", 0, packed, n);
    CU_ASSERT(reads_as(r, made("a.gz", packed, none), "", 0));
    size_t big = pack(text, n, packed, n);
    CU_ASSERT(reads_as(r, made("a.gz", packed, big), text, n));
    CU_ASSERT(!session_error(r));
    free(text);
    free(packed);
    session_end(r);
}

/* Whether reading the bytes fails naming the file and saying `why`. */
static bool fails(const void *data, size_t n, const char *why) {
    struct reckon *r = session_begin(0);
    const char *path = made("bad.gz", data, n);
    bool failed = !reads_as(r, path, "", 0);
    const char *error = session_error(r);
    bool said = error && strstr(error, path) == error && strstr(error, why);
    if (!said)
        puts(error ? error : "no error");
    session_end(r);
    return failed && said;
}

static void test_damaged(void) {
    unsigned char packed[4096], text[2000];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(i * 7919 >> 5);
    size_t n = pack(text, sizeof text, packed, sizeof packed);
    CU_ASSERT(fails(packed, n - 1, "damaged gzip data: it ends too early"));
    CU_ASSERT(fails(packed, n / 2, "damaged gzip data: it ends too early"));
    CU_ASSERT(fails("\x1f\x8b", 2, "damaged gzip data: it ends too early"));
    CU_ASSERT(fails("\x1f\x8b\x07zzzzzzzzzzzz", 15, "damaged gzip data"));
    packed[n - 6] ^= 1; /* the checksum */
    CU_ASSERT(fails(packed, n, "damaged gzip data"));
}

static void test_no_file(void) {
    struct reckon *r = session_begin(0);
    CU_ASSERT_PTR_NULL(reckon_open(r, folder));
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), ": is a directory"));
    session_end(r);
    r = session_begin(0);
    CU_ASSERT_PTR_NULL(reckon_open(r, in_folder(folder, "none")));
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "/none: No such file or directory"));
    session_end(r);
    r = session_begin(0);
    const char *loop = in_folder(folder, "loop");
    CU_ASSERT(symlink(loop, loop) == 0);
    CU_ASSERT_PTR_NULL(reckon_open(r, loop));
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "/loop: "));
    session_end(r);
    reckon_close(NULL);
}

static void *feed_fifo(void *path) {
    int fd = open(path, O_WRONLY);
    for (const char *s = "first\nsecond\n"; *s; s++)
        CU_ASSERT(write(fd, s, 1) == 1);
    close(fd);
    return NULL;
}

static void test_fifo(void) {
    struct reckon *r = session_begin(0);
    const char *path = in_folder(folder, "fifo");
    pthread_t writer;
    CU_ASSERT(mkfifo(path, 0600) == 0);
    pthread_create(&writer, NULL, feed_fifo, (void *)(uintptr_t)path);
    CU_ASSERT(reads_as(r, path, "first\nsecond\n", 13));
    pthread_join(writer, NULL);
    session_end(r);
}

static void test_stdin(void) {
    struct reckon *r = session_begin(0);
    int before = dup(STDIN_FILENO), fd = open(made("a", "in\n", 3), O_RDONLY);
    dup2(fd, STDIN_FILENO);
    close(fd);
    CU_ASSERT(reads_as(r, "-", "in\n", 3));
    CU_ASSERT(fcntl(STDIN_FILENO, F_GETFD) >= 0); /* still open */
    dup2(before, STDIN_FILENO);
    close(before);
    session_end(r);
}

static void expect_line(struct reckon_input *in, const char *text, unsigned long at) {
    char *line;
    size_t length;
    unsigned long number;
    CU_ASSERT_FATAL(reckon_read_line(in, &line, &length, &number) == 1);
    CU_ASSERT_STRING_EQUAL(line, text);
    CU_ASSERT(length == strlen(text) && number == at);
}

static void test_lines(void) {
    struct reckon *r = session_begin(0);
    char *line;
    struct reckon_input *in = reckon_open(r, made("a", "a\nb\r\n\n\r\nc\rd\ne", 13));
    expect_line(in, "a", 1);
    expect_line(in, "b", 2);
    expect_line(in, "", 3);
    expect_line(in, "", 4);
    expect_line(in, "c\rd", 5);
    expect_line(in, "e", 6);
    CU_ASSERT(reckon_read_line(in, &line, NULL, NULL) == 0);
    CU_ASSERT(reckon_read_line(in, &line, NULL, NULL) == 0);
    reckon_close(in);
    session_end(r);
}

/* One within a line would cut it for whoever reads it as text. */
static void test_nul_in_a_line(void) {
    struct reckon *r = session_begin(0);
    char *line;
    static const char text[] = "a1 1\na1 2\0000\nb 3\n";
    struct reckon_input *in = reckon_open(r, made("a", text, sizeof text - 1));
    expect_line(in, "a1 1", 1);
    CU_ASSERT(reckon_read_line(in, &line, NULL, NULL) == -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "a:2: a NUL byte: this is no text"));
    reckon_close(in);
    session_end(r);
}

/* Both byte orders of UTF-16 are told by their mark; the mark's bytes alone may begin a name. */
static void test_utf16(void) {
    static const char *const texts[] = {"\xff\xfeh\0o\0", "\xfe\xff\0h\0o"};
    for (size_t i = 0; i < 2; i++) {
        struct reckon *r = session_begin(0);
        CU_ASSERT_PTR_NULL(reckon_open(r, made("a", texts[i], 6)));
        CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "a: it is text in UTF-16; UTF-8 is read"));
        session_end(r);
    }
    struct reckon *r = session_begin(0);
    CU_ASSERT(reads_as(r, made("a", "\xff\xfehost", 6), "\xff\xfehost", 6));
    CU_ASSERT(reads_as(r, made("a", "\xff\xfe", 2), "\xff\xfe", 2));
    session_end(r);
}

/* Lines around the size of a block, and one of several blocks, come whole; what is left can still be read as
 * bytes. */
static void test_long_lines(void) {
    struct reckon *r = session_begin(0);
    size_t n = 256 * 1024, total = 0;
    char *text = malloc(6 * n), *line;
    for (size_t i = 0; i < 7; i++) {
        size_t length = i == 6 ? 2 * n : n / 2 - 3 + i;
        memset(text + total, 'a' + (int)i, length);
        text[total + length] = '\n';
        total += length + 1;
    }
    strcpy(text + total, "rest\nx");
    struct reckon_input *in = reckon_open(r, made("a", text, total + 6));
    for (size_t i = 0; i < 7; i++) {
        size_t length, want = i == 6 ? 2 * n : n / 2 - 3 + i;
        unsigned long number;
        CU_ASSERT(reckon_read_line(in, &line, &length, &number) == 1);
        CU_ASSERT(number == i + 1 && length == want && strlen(line) == want &&
                  line[want - 1] == 'a' + (int)i);
    }
    char rest[8] = "";
    ptrdiff_t got = reckon_read(in, rest, 3);
    CU_ASSERT(got == 3 && !strcmp(rest, "res"));
    char *all = reckon_read_all(in, 3, NULL);
    CU_ASSERT(all && !strcmp(all, "t\nx"));
    free(all);
    reckon_close(in);
    in = reckon_open(r, in_folder(folder, "a"));
    CU_ASSERT_PTR_NULL(reckon_read_all(in, total + 5, NULL));
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "larger than"));
    reckon_close(in);
    free(text);
    session_end(r);
}

static void test_endless_line(void) {
    struct reckon *r = session_begin(0);
    const char *path = made("a", "short\n", 6);
    CU_ASSERT(truncate(path, 70 << 20) == 0); /* a hole of zeros, on no disk */
    struct reckon_input *in = reckon_open(r, path);
    char *line;
    CU_ASSERT(reckon_read_line(in, &line, NULL, NULL) == 1);
    CU_ASSERT(reckon_read_line(in, &line, NULL, NULL) == -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "a:2: a line of more than 64 MiB"));
    reckon_close(in);
    session_end(r);
}

static void test_shrinking(void) {
    struct reckon *r = session_begin(0);
    size_t n = 1 << 20, got = 0;
    char *text = calloc(1, n);
    const char *path = made("a", text, n);
    struct reckon_input *in = reckon_open(r, path);
    CU_ASSERT(truncate(path, 0) == 0);
    for (ptrdiff_t more; (more = reckon_read(in, text, n)) > 0;)
        got += (size_t)more;
    CU_ASSERT(got > 0 && got < n && !session_error(r)); /* what was read before, and then the end */
    reckon_close(in);
    free(text);
    session_end(r);
}

static void test_head(void) {
    struct reckon *r = session_begin(0);
    static char text[70000];
    memset(text, 'x', sizeof text);
    struct reckon_head head;
    struct reckon_input *in = reckon_open(r, made("a", "\xef\xbb\xbf\n  \n a,b c,\"d\"\r\n1,2\n", 23));
    CU_ASSERT(input_head(in, &head) == 0);
    CU_ASSERT(head.whole && head.length == 20 && strlen(head.data) == 20 &&
              !strcmp(head.path, in_folder(folder, "a")));
    CU_ASSERT(reckon_head_has_columns(&head, (const char *const[]){"b c", "d", NULL}));
    CU_ASSERT(reckon_head_has_columns(&head, (const char *const[]){" a", NULL}));
    CU_ASSERT(!reckon_head_has_columns(&head, (const char *const[]){"b c", "b", NULL}));
    CU_ASSERT(!reckon_head_has_columns(&head, (const char *const[]){"1", NULL}));
    CU_ASSERT(reckon_head_has_columns(&head, (const char *const[]){NULL}));
    expect_line(in, "", 1); /* nothing was consumed */
    reckon_close(in);
    for (size_t n = 65535; n <= 65537; n++) {
        in = reckon_open(r, made("a", text, n));
        CU_ASSERT(input_head(in, &head) == 0);
        CU_ASSERT(head.length == (n < 65536 ? n : 65536) && head.whole == (n <= 65536));
        size_t length;
        char *all = reckon_read_all(in, n, &length);
        CU_ASSERT(all && length == n);
        free(all);
        reckon_close(in);
    }
    in = reckon_open(r, made("a", "", 0));
    CU_ASSERT(input_head(in, &head) == 0 && head.whole && !head.length);
    CU_ASSERT(!reckon_head_has_columns(&head, (const char *const[]){"a", NULL}));
    reckon_close(in);
    session_end(r);
}

void suite_input(void) {
    CU_pSuite s = CU_add_suite("input", begin, end);
    CU_add_test(s, "plain files", test_plain);
    CU_add_test(s, "byte-order marks", test_mark);
    CU_add_test(s, "gzip", test_gzip);
    CU_add_test(s, "damaged gzip", test_damaged);
    CU_add_test(s, "no file at all", test_no_file);
    CU_add_test(s, "a FIFO", test_fifo);
    CU_add_test(s, "standard input", test_stdin);
    CU_add_test(s, "lines", test_lines);
    CU_add_test(s, "a NUL in a line", test_nul_in_a_line);
    CU_add_test(s, "UTF-16", test_utf16);
    CU_add_test(s, "long lines", test_long_lines);
    CU_add_test(s, "a line without end", test_endless_line);
    CU_add_test(s, "a file that shrinks", test_shrinking);
    CU_add_test(s, "heads", test_head);
}
