/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV tables: what RFC 4180 and the formats' general rules want of them, half-written files, and bounded
 * memory.
 */
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

/* What a table was read as: "a=1|b=2@LINE;" for each row, with the columns that are present in front. */
struct seen {
    const char *const *columns;
    char text[1024];
    size_t rows, headers, stop_after;
};

static int take_header(void *user, const bool *present) {
    struct seen *seen = user;
    seen->headers++;
    for (size_t i = 0; seen->columns[i]; i++)
        strcat(seen->text, present[i] ? "+" : "-");
    strcat(seen->text, ":");
    return 0;
}

static int take_row(void *user, const struct reckon_row *row) {
    struct seen *seen = user;
    char line[32];
    for (size_t i = 0; seen->columns[i] && strlen(seen->text) < 900; i++) {
        CU_ASSERT(reckon_cell_length(row, i) >= strlen(reckon_cell(row, i)));
        snprintf(seen->text + strlen(seen->text), 100, "%s%s", i ? "|" : "", reckon_cell(row, i));
    }
    snprintf(line, sizeof line, "@%lu;", reckon_row_line(row));
    if (strlen(seen->text) < 900)
        strcat(seen->text, line);
    return ++seen->rows == seen->stop_after ? -1 : 0;
}

static const char *const abc[] = {"a", "b", "c", NULL};

/* Reads the file at in_folder("t"). */
static int read_file(struct reckon *r, struct seen *seen, char delimiter) {
    struct reckon_table table = {.size = sizeof table,
                                 .columns = seen->columns,
                                 .delimiter = delimiter,
                                 .header = take_header,
                                 .row = take_row,
                                 .user = seen};
    struct reckon_input *in = reckon_open(r, in_folder(folder, "t"));
    size_t rows = 99;
    int status = reckon_read_table(r, in, &table, &rows);
    CU_ASSERT(rows == seen->rows);
    reckon_close(in);
    return status;
}

static int read_bytes(struct reckon *r, struct seen *seen, const char *data, size_t n) {
    file_write(in_folder(folder, "t"), data, n);
    return read_file(r, seen, 0);
}

static void expect(const char *csv, const char *want, const char *note) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc};
    int status = read_bytes(r, &seen, csv, strlen(csv));
    const char *said = reckon_note_at(r, 0);
    if (status || strcmp(seen.text, want) || (note ? !said || !strstr(said, note) : said != NULL)) {
        printf("%s\n  gave %d %s\n  want   %s\n  note %s\n", csv, status, seen.text, want,
               said ? said : "none");
        CU_FAIL("not as expected");
    }
    session_end(r);
}

static void expect_error(const char *csv, const char *why) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc};
    CU_ASSERT(read_bytes(r, &seen, csv, strlen(csv)) == -1);
    const char *error = session_error(r);
    if (!error || !strstr(error, why)) {
        puts(error ? error : "no error");
        CU_FAIL("another error was expected");
    }
    session_end(r);
}

static void test_cells(void) {
    expect("a,b,c\n1,2,3\n", "+++:1|2|3@2;", NULL);
    expect("c,x,a,b\r\n3,9,1,2\r\n", "+++:1|2|3@2;", NULL); /* by name; unknown columns ignored */
    expect("b,a\n2,1\n4,3\n", "++-:1|2|@2;3|4|@3;", NULL);  /* a missing column is blanks */
    expect("a,b,c\n1,2,3", "+++:1|2|3@2;", NULL);           /* no newline at the end, but whole */
    expect("a,b,c\n1,2,3,4,5\n", "+++:1|2|3@2;", NULL);     /* too many are no harm */
    expect("a,b,c\n,,\n", "+++:||@2;", NULL);
    expect("\xef\xbb\xbf"
           "a,b,c\n1,2,3\n",
           "+++:1|2|3@2;", NULL);
    expect("a,b,c,a\n1,2,3,4\n", "+++:1|2|3@2;", NULL); /* of two columns of one name the first */
    expect("A,b,c\n1,2,3\n", "-++:|2|3@2;", NULL);      /* names are exact */
    expect(" a,b,c\n1,2,3\n", "-++:|2|3@2;", NULL);
}

static void test_blanks(void) {
    expect("a,b,c\n 1 ,\t2\t, \n", "+++: 1 |\t2\t| @2;", NULL);
    expect("a,b,c\n\" 1 \",2 3,  \"4\"\n", "+++: 1 |2 3|  \"4\"@2;", NULL);
    expect("a,b,c\n1,2,3\n 4,5 ,6\n", "+++:1|2|3@2; 4|5 |6@3;", NULL);
}

static void test_quotes(void) {
    expect("a,b,c\n\"1,1\",\"2\"\"2\",\"\"\n", "+++:1,1|2\"2|@2;", NULL);
    expect("\"a\",\"b\",\"c\"\n1,2,3\n", "+++:1|2|3@2;", NULL);
    expect("a,b,c\n\"1\n1\r\n1\",2,3\n4,5,6\n", "+++:1\n1\r\n1|2|3@2;4|5|6@5;", NULL);
    expect("a,b,c\n1,5\" disk,3\n", "+++:1|5\" disk|3@2;", NULL);
}

static void test_empty(void) {
    expect("", "", NULL);
    expect("\n\r\n\n", "", NULL);
    expect("a,b,c", "+++:", NULL);
    expect("\n\n  \na,b,c\n\n1,2,3\n\n\n4,5,6\n", "+++:1|2|3@6;4|5|6@9;", NULL); /* empty lines are no rows */
    expect("a,b,c\r\n\r\n1,2,3\r\n", "+++:1|2|3@3;", NULL);
}

static void test_short(void) {
    expect("a,b,c\n1,2\n4,5,6\n7\n", "+++:4|5|6@3;", "t: 2 rows with fewer cells than the header left out");
    expect("a,b,c\n1,2,3\n4,5", "+++:1|2|3@2;", "t: 1 row with fewer");
    expect("a,b,c\n1,2,3\n   \n", "+++:1|2|3@2;", "1 row");
    expect("a\n1\n\n2\n", "+--:1||@2;2||@4;", NULL);
    expect("x,y,a\n1,2,3\n4,5\n", "+--:3||@2;", "1 row"); /* short by what is not wanted counts too */
}

static void test_open_quote(void) {
    expect_error("a,b,c\n1,2,3\n4,\"5,6\n7,8,9\n", "t:3: the quote opened on this line is not closed");
    expect_error("a,b,c\n\"1\n\n", "t:2: the quote");
    expect_error("a,b,c\n1,\"x\ny\",\"z\n\n",
                 "t:3: the quote"); /* the second quote of the row, on its second line */
    expect_error("\"a,b,c\n", "t:1: the quote");
}

/* A block may end anywhere in a table. Empty lines in front, no rows but counted, move its end to where we
 * want it. */
static void test_splits(void) {
    const char *csv = "a,b,c\r\n\"1\r\n\"\"1\", 2,3\r\n\r\n4,5,6 \r\n";
    expect(csv, "+++:1\r\n\"1| 2|3@2;4|5|6 @5;", NULL);
    size_t n = strlen(csv);
    for (size_t first = 1; first < n; first++) {
        size_t lines = 256 * 1024 - first;
        char *data = malloc(lines + n), text[128];
        memset(data, '\n', lines);
        memcpy(data + lines, csv, n);
        struct reckon *r = session_begin(0);
        struct seen seen = {.columns = abc};
        CU_ASSERT(read_bytes(r, &seen, data, lines + n) == 0);
        snprintf(text, sizeof text, "+++:1\r\n\"1| 2|3@%zu;4|5|6 @%zu;", lines + 2, lines + 5);
        CU_ASSERT_STRING_EQUAL(seen.text, text);
        session_end(r);
        free(data);
    }
}

static void test_delimiter(void) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc};
    const char *tsv = "a\tb\tc\n1, 1\t\t 3\n";
    file_write(in_folder(folder, "t"), tsv, strlen(tsv));
    CU_ASSERT(read_file(r, &seen, '\t') == 0);
    CU_ASSERT_STRING_EQUAL(seen.text, "+++:1, 1|| 3@2;");
    session_end(r);
}

static void test_stop(void) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc, .stop_after = 2};
    const char *csv = "a,b,c\n1,2,3\n4,5,6\n7,8,9\n";
    CU_ASSERT(read_bytes(r, &seen, csv, strlen(csv)) == -1);
    CU_ASSERT(seen.rows == 2);
    session_end(r);
}

static void test_same_column_twice(void) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = (const char *const[]){"b", "a", "b", NULL}};
    CU_ASSERT(read_bytes(r, &seen, "a,b\n1,2\n", 8) == 0);
    CU_ASSERT_STRING_EQUAL(seen.text, "+++:2|1|2@2;");
    session_end(r);
}

/* A row with a NUL byte in a wanted cell is left out and counted, also when the byte is in another block than
 * the end of its cell; what is not wanted may hold anything. */
static void test_nul(void) {
    static const char text[] = "a,x,b,c\n1,2,h\0x,3\n4,\0,5,6\n\0,7,8,9\n10,11,12,13\n14,15,16,\"1\0\"\n";
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc};
    CU_ASSERT(read_bytes(r, &seen, text, sizeof text - 1) == 0);
    CU_ASSERT_STRING_EQUAL(seen.text, "+++:4|5|6@3;10|12|13@5;");
    CU_ASSERT_PTR_NOT_NULL_FATAL(reckon_note_at(r, 0));
    CU_ASSERT_PTR_NOT_NULL(strstr(reckon_note_at(r, 0), "t: 3 rows with a NUL byte left out"));
    CU_ASSERT_PTR_NULL(reckon_note_at(r, 1));
    session_end(r);
    r = session_begin(0);
    seen = (struct seen){.columns = abc};
    size_t n = 600000; /* blocks are of 256 KiB */
    char *data = malloc(n);
    memset(data, 'x', n);
    memcpy(data, "a,b,c\n\0", 7);
    memcpy(data + n - 11, ",2,3\n4,5,6\n", 11);
    CU_ASSERT(read_bytes(r, &seen, data, n) == 0);
    CU_ASSERT_STRING_EQUAL(seen.text, "+++:4|5|6@3;");
    CU_ASSERT(reckon_note_at(r, 0) && strstr(reckon_note_at(r, 0), "1 row with a NUL byte"));
    free(data);
    session_end(r);
}

/* The most memory this process ever held, bytes. */
static size_t peak(void) {
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (size_t)use.ru_maxrss * 1024;
}

/* A million cells, all of them `cell` but the first, a middle one and the last. */
static void put_wide_row(FILE *f, const char *first, const char *cell, const char *middle, const char *last) {
    fputs(first, f);
    for (int i = 1; i < 999999; i++)
        fprintf(f, ",%s", i == 500000 ? middle : cell);
    fprintf(f, ",%s\n", last);
}

static bool reads_wide(void) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc};
    size_t before = peak();
    bool right = read_file(r, &seen, 0) == 0 && !strcmp(seen.text, "+++:1|2|3@2;") &&
                 strstr(reckon_note_at(r, 0), "1 row") && peak() - before < 4 << 20;
    session_end(r);
    return right;
}

/* A line of 100 MB, and a million columns of which three count; read by a child, whose peak is its own. */
static void test_huge(void) {
    char cell[101];
    memset(cell, 'y', 100);
    cell[100] = '\0';
    FILE *f = fopen(in_folder(folder, "t"), "w");
    put_wide_row(f, "a", "x", "b", "c");
    put_wide_row(f, "1", cell, "2", "3");
    fputs("1,2,3\n", f);
    fclose(f);
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(reads_wide() ? 0 : 1);
    CU_ASSERT(waitpid(child, &status, 0) == child && status == 0);
    unlink(in_folder(folder, "t"));
}

static void test_long_cell(void) {
    struct reckon *r = session_begin(0);
    struct seen seen = {.columns = abc};
    size_t n = 3 << 20;
    char *data = malloc(n);
    memset(data, 'x', n);
    memcpy(data, "a,b,c\n1,2,3\n4,\"", 15);
    CU_ASSERT(read_bytes(r, &seen, data, n) == -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(session_error(r), "t:3: a cell of more than 1 MiB"));
    session_end(r);
    r = session_begin(0);
    seen = (struct seen){.columns = abc};
    size_t whole = 1000000; /* below the limit: kept */
    memcpy(data + 12 + whole, ",5,6\n", 5);
    memset(data + 12, 'x', whole);
    CU_ASSERT(read_bytes(r, &seen, data, 12 + whole + 5) == 0);
    CU_ASSERT(seen.rows == 2);
    free(data);
    session_end(r);
}

void suite_table(void) {
    CU_pSuite s = CU_add_suite("table", begin, end);
    CU_add_test(s, "cells by name", test_cells);
    CU_add_test(s, "blanks belong to the cell", test_blanks);
    CU_add_test(s, "quotes", test_quotes);
    CU_add_test(s, "empty files and lines", test_empty);
    CU_add_test(s, "short rows", test_short);
    CU_add_test(s, "an open quote", test_open_quote);
    CU_add_test(s, "wherever a block ends", test_splits);
    CU_add_test(s, "another delimiter", test_delimiter);
    CU_add_test(s, "a reader that stops", test_stop);
    CU_add_test(s, "one column wanted twice", test_same_column_twice);
    CU_add_test(s, "a NUL in a cell", test_nul);
    CU_add_test(s, "a million columns, 100 MB", test_huge);
    CU_add_test(s, "a cell without end", test_long_cell);
}
