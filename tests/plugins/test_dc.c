/* SPDX-License-Identifier: Apache-2.0
 *
 * The `dc` layout grammar (formats.md "Layout: dc"): id specs, placeholders, words and nesting, and what is
 * refused before it could cost anything.
 */
#include <CUnit/CUnit.h>
#include <string.h>

#include "../scratch.h"

void suite_dc(void);

static struct scratch scratch;

/* The ids of all elements in order, separated by blanks, or "!" and the error. */
static const char *ids(const char *text) {
    struct reckon *r = scratch_start(&scratch);
    if (scratch_layout(&scratch, text))
        return reckon_text(r, "!%s", session_error(r));
    const char *all = "";
    for (uint32_t e = 0; e < reckon_element_count(r->layout); e++)
        all = reckon_text(r, "%s%s%s", all, e ? " " : "", reckon_element_id(r->layout, e));
    return all;
}

static bool gives(const char *text, const char *expected) {
    const char *found = ids(text);
    bool ok = !strcmp(found, expected);
    if (!ok)
        fprintf(stderr, "'%s' gives '%s', not '%s'\n", text, found, expected);
    scratch_end(&scratch);
    return ok;
}

/* Whether the text is refused on that line, with that in the sentence. */
static bool refused(const char *text, unsigned line, const char *piece) {
    const char *found = ids(text);
    char where[32];
    snprintf(where, sizeof where, ":%u: ", line);
    bool ok = *found == '!' && strstr(found, where) && strstr(found, piece);
    if (!ok)
        fprintf(stderr, "'%s' gives '%s', not an error%s%s\n", text, found, where, piece);
    scratch_end(&scratch);
    return ok;
}

static void ranges(void) {
    CU_ASSERT(gives("n u[1..4]", "u1 u2 u3 u4"));
    CU_ASSERT(gives("n u[01..03]x", "u01x u02x u03x"));
    CU_ASSERT(gives("n u[09..11]", "u09 u10 u11"));
    CU_ASSERT(gives("n u[99..101]", "u99 u100 u101"));
    CU_ASSERT(gives("n u[08..010]", "u008 u009 u010"));
    CU_ASSERT(gives("n u[3..1]", "u3 u2 u1"));
    CU_ASSERT(gives("n u[10..08]", "u10 u09 u08"));
    CU_ASSERT(gives("n u[1..40x20]", "u1 u21"));
    CU_ASSERT(gives("n u[5..1x2]", "u5 u3 u1"));
    CU_ASSERT(gives("n u[4..4]", "u4"));
    CU_ASSERT(gives("n [A..D]", "A B C D"));
    CU_ASSERT(gives("n [c..ax2]", "c a"));
    CU_ASSERT(gives("n [a..x]", "a b c d e f g h i j k l m n o p q r s t u v w x"));
    CU_ASSERT(gives("n [Y..b]", "Y Z [ \\ ] ^ _ ` a b")); /* code order */
    CU_ASSERT(gives("n [α..γ]", "α β γ"));
    CU_ASSERT(gives("n A..C", "A B C"));
    CU_ASSERT(gives("n 8..10", "8 9 10"));
    CU_ASSERT(gives("n 999999999999999998..999999999999999999", "999999999999999998 999999999999999999"));
}

static void alternatives_and_segments(void) {
    CU_ASSERT(gives("n s-[web|db]", "s-web s-db"));
    CU_ASSERT(gives("n [a..c|1,2]", "a..c 1,2")); /* taken literally */
    CU_ASSERT(gives("n R[1..2,7..8]", "R1 R2 R7 R8"));
    CU_ASSERT(gives("n [7..9x2,25..29x2]", "7 9 25 27 29"));
    CU_ASSERT(gives("n r[1..2,05..06,x]", "r1 r2 r05 r06 rx"));
    CU_ASSERT(gives("n [a|b][1..2]-[x|y]", "a1-x a1-y a2-x a2-y b1-x b1-y b2-x b2-y"));
    CU_ASSERT(gives("n", "n1"));
    CU_ASSERT(gives("n plain", "plain"));
    CU_ASSERT(gives("n a|b", "a|b")); /* no bracket, no range */
}

static void bad_specs(void) {
    CU_ASSERT(refused("dc D\n n r[aa..zz]\n", 2, "'aa..zz' is no range"));
    CU_ASSERT(refused("n r[1..3x0]", 1, "step of 0"));
    CU_ASSERT(refused("n r[1..]", 1, "no range"));
    CU_ASSERT(refused("n r[..3]", 1, "no range"));
    CU_ASSERT(refused("n r[1...3]", 1, "no range"));
    CU_ASSERT(refused("n r[a..12]", 1, "no range"));
    CU_ASSERT(refused("n r1..r4", 1, "no range"));
    CU_ASSERT(refused("n r[1..9999999999999999999]", 1, "no range")); /* more than 18 digits */
    CU_ASSERT(refused("n r[1..3", 1, "not closed"));
    CU_ASSERT(refused("n r[]", 1, "expands to nothing"));
    CU_ASSERT(refused("n r[1,,2]", 1, "expands to nothing"));
    CU_ASSERT(refused("n 1..3,", 1, "expands to nothing"));
    CU_ASSERT(refused("n [|a]", 1, "empty id"));
    CU_ASSERT(refused("n r[a[1..2]]", 1, "bracket in a bracket"));
}

static void nesting(void) {
    CU_ASSERT(gives("dc D\n  rack r[1..2]\n    n u[1..2]\n  rack s\n", "D r1 u1 u2 r2 u1 u2 s"));
    CU_ASSERT(gives("dc D\r\n\track r\r\n\t  n u\r\n", "D r u")); /* a tab counts 4 */
    struct reckon *r = scratch_start(&scratch);
    /* b is indented 4 as the tab is: a sibling of a; c is below b; d is indented less than a: below dc; f is
     * below e */
    CU_ASSERT_EQUAL(
        scratch_layout(&scratch, "dc D\n\tn a\n    n b\n     n c\n  n d\n\tn e\n     n f\ndc E\n"), 0);
    static const uint32_t parent[] = {RECKON_NONE, 0, 0, 2, 0, 4, 5, RECKON_NONE};
    CU_ASSERT_EQUAL_FATAL(reckon_element_count(r->layout), 8);
    for (uint32_t e = 0; e < 8; e++)
        CU_ASSERT_EQUAL(reckon_element_parent(r->layout, e), parent[e]);
    scratch_end(&scratch);
}

static bool has(const struct reckon *r, uint32_t e, const char *key, const char *value) {
    const char *found = reckon_element_get(r->layout, e, key, NULL);
    bool ok = found && !strcmp(found, value);
    if (!ok)
        fprintf(stderr, "%s of element %u is '%s', not '%s'\n", key, e, found ? found : "(none)", value);
    return ok;
}

static void words(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT_EQUAL(scratch_layout(&scratch,
                                   "# a comment\n"
                                   "net data label=\"Data\" color=#4fa3ff\n"
                                   "dc M name=\"Big \\ hall\" +Prod,Old Region='us east' c=#fff # trailing\n"
                                   "link data role=server +x\n"
                                   "  node u=4 n1 a=x=y k='a\"b'c\"d'e\" bare 'whole=in quotes' \"+t\" +  \n"
                                   "  node empty=\n"),
                    0);
    CU_ASSERT_EQUAL_FATAL(reckon_element_count(r->layout), 3);
    CU_ASSERT(has(r, 0, "name", "Big \\ hall"));
    CU_ASSERT(has(r, 0, "region", "us east"));
    CU_ASSERT(has(r, 0, "c", "#fff"));
    CU_ASSERT(reckon_element_tagged(r->layout, 0, "prod") && reckon_element_tagged(r->layout, 0, "old"));
    CU_ASSERT_STRING_EQUAL(reckon_element_id(r->layout, 1), "n1");
    CU_ASSERT(has(r, 1, "u", "4"));
    CU_ASSERT(has(r, 1, "a", "x=y"));
    CU_ASSERT(has(r, 1, "k", "a\"bcd'e"));
    CU_ASSERT(has(r, 1, "whole", "in quotes")); /* the quotes are gone before the word is looked at */
    CU_ASSERT(reckon_element_tagged(r->layout, 1, "bare") && reckon_element_tagged(r->layout, 1, "t"));
    CU_ASSERT_STRING_EQUAL(reckon_element_id(r->layout, 2), "node1");
    CU_ASSERT(has(r, 2, "empty", ""));
    CU_ASSERT_EQUAL(reckon_element_line(r->layout, 1), 5);
    scratch_end(&scratch);
    CU_ASSERT(refused("dc D\n node n name=\"x\n", 2, "quote is not closed"));
    CU_ASSERT(refused("dc D\n name=x\n", 2, "no kind of element"));
}

static void placeholders(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT_EQUAL(
        scratch_layout(&scratch, "room W[1..2]\n"
                                 "  rack r[09..10]\n"
                                 "    node u[5..1x2] name={room}{rack}{id} k={kind}-{i}-{i0}-{n} x={none}{} "
                                 "p={parent} o={node} b={{id}\n"
                                 "      port {rack}.{parent}\n"),
        0);
    const struct reckon_layout *l = r->layout;
    CU_ASSERT_EQUAL_FATAL(reckon_element_count(l), 2 * (1 + 2 * (1 + 3 * 2)));
    /* 0 W1, 1 r09, 2 u5, 3 port, 4 u3, 5 port, 6 u1 … 8 r10 */
    CU_ASSERT_STRING_EQUAL(reckon_element_name(l, 4), "W1r09u3");
    CU_ASSERT(has(r, 4, "k", "node-2-1-3"));
    CU_ASSERT(has(r, 4, "x", "{none}{}"));
    CU_ASSERT(has(r, 4, "p", "r09"));
    CU_ASSERT(has(r, 4, "o", "{node}")); /* no node encloses it */
    CU_ASSERT(has(r, 4, "b", "{u3"));
    CU_ASSERT_STRING_EQUAL(reckon_element_id(l, 5), "r09.u3");
    CU_ASSERT_STRING_EQUAL(reckon_element_path(l, 5), "W1/r09/u3/r09.u3");
    scratch_end(&scratch);
    CU_ASSERT(gives("a [1..3]\n b x[1..{a}]", "1 x1 2 x1 x2 3 x1 x2 x3")); /* filled before it expands */
    CU_ASSERT(gives("a {parent}{id}", "{parent}{id}"));          /* unknown in an id spec at the top */
    CU_ASSERT(refused("a [|b|c..d]x\n b [{a}]", 2, "no range")); /* filled in, it must still be one */
}

static void id_attribute(void) {
    struct reckon *r = scratch_start(&scratch);
    CU_ASSERT_EQUAL(
        scratch_layout(&scratch,
                       "rack r\n node [7..9x2] at={id} ID=u{id} label={id}\n  port p name={node}\n"),
        0);
    CU_ASSERT_STRING_EQUAL(reckon_element_id(r->layout, 3), "u9");
    CU_ASSERT(has(r, 3, "at", "9") && has(r, 3, "label", "9")); /* the expanded id, even after the id= */
    CU_ASSERT_STRING_EQUAL(reckon_element_name(r->layout, 4), "u9");
    CU_ASSERT_PTR_NULL(reckon_element_own(r->layout, 3, "id"));
    scratch_end(&scratch);
    CU_ASSERT(refused("a\n b id=", 2, "empty id"));
}

/* Everything here must be said at once: nothing is made. */
static void bombs(void) {
    CU_ASSERT(refused("n [1..20000001]", 1, "more than 20000000 elements"));
    CU_ASSERT(refused("n [1..999999999999999999]", 1, "more than 20000000 elements"));
    CU_ASSERT(refused("a [1..5000]\n b [1..5000]", 2, "more than 20000000 elements"));
    CU_ASSERT(refused("a [1..99999][1..99999][1..99999][1..99999][1..99999]", 1, "more than"));
    CU_ASSERT(refused("a [1..9999]\n a [1..9999]\n  a [1..9999]\n   a [1..9999]", 2, "more than"));
    CU_ASSERT(
        refused("a [1..10000]\n b {a}-[1..10000]\n", 2, "more than")); /* a placeholder beside the bracket */
    CU_ASSERT(refused("a [999999999999]\n b [1..{a}]\n", 2, "more than")); /* and within */
    char deep[400 * 400] = "";
    for (size_t i = 0, at = 0; i < 300; i++) {
        memset(deep + at, ' ', i);
        strcpy(deep + at + i, "a\n");
        at += i + 2;
    }
    CU_ASSERT(refused(deep, 257, "nested deeper than 256"));
}

/* Ids that double at every level must end in an error, not in memory. */
static void texts_that_grow(void) {
    char text[4096] = "a 0123456789\n";
    for (int i = 1; i < 40; i++) {
        char line[96];
        snprintf(line, sizeof line, "%*sa {parent}{parent}\n", i, "");
        strcat(text, line);
    }
    CU_ASSERT(refused(text, 14, "more than 65536 bytes")); /* 10 × 2¹³ = 81920, on the 14th line */
}

static void recognises(void) {
    static const struct {
        const char *text;
        int score;
    } heads[] = {{"# x\n\ndc D name=x\n", 90},
                 {"room r\n  rack a\n", 45},
                 {"rack a nic_gbps=10\n", 45},
                 {"a1 10000\n", 10},
                 {"ts,host,dir,peer\n1,2,3\n", 0},
                 {"{\"meta\": 1}", 0},
                 {"", 0},
                 {"# nothing\n", 0}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        CU_ASSERT_EQUAL(scratch_recognise(&layout_dc_LTX_reckon_plugin, heads[i].text), heads[i].score);
    scratch_start(&scratch);
    CU_ASSERT_EQUAL(scratch_layout(&scratch, "ts,host,dir\n1,a,tx\n"), -1);
    CU_ASSERT_PTR_NOT_NULL(scratch.session.task.misfit); /* so that the option which reads it is named */
    CU_ASSERT(scratch_error(&scratch, "not a layout"));
    scratch_end(&scratch);
}

void suite_dc(void) {
    CU_pSuite s = CU_add_suite("dc", NULL, NULL);
    CU_ADD_TEST(s, ranges);
    CU_ADD_TEST(s, alternatives_and_segments);
    CU_ADD_TEST(s, bad_specs);
    CU_ADD_TEST(s, nesting);
    CU_ADD_TEST(s, words);
    CU_ADD_TEST(s, placeholders);
    CU_ADD_TEST(s, id_attribute);
    CU_ADD_TEST(s, bombs);
    CU_ADD_TEST(s, texts_that_grow);
    CU_ADD_TEST(s, recognises);
}
