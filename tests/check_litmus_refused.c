/* SPDX-License-Identifier: MIT
 *
 * check_litmus_refused.c: texts that are not litmus tests: each is refused in one line,
 * with line and column; and any bytes, however many, are answered at once. */
#include "litmus_support.h"

/* ---- With line and column -------------------------------------------------------- */

#define HEAD "C t\n{}\n"
#define BODY "C t\n{}\nP0 (int* x) { int r0; "
#define SCOPED "OPENCL t\n{}\nP0@wg 0, dev 0 (local int* x) { "
#define CLAIM "C t\n{}\nP0 (int* x) { int r0; }\n"

static const struct {
    const char *text, *message;
} malformed[] = {
    /* The head. */
    { "", "1:1: the file is empty: expected C, OPENCL, PTX or VULKAN, and a name" },
    { " (* only *)\n",
      "2:1: the file is empty: expected C, OPENCL, PTX or VULKAN, and a name" },
    { "AArch64 MP\n{}\n",
      "1:1: found 'AArch64', expected C, OPENCL, PTX or VULKAN, and a name: other "
      "forms of litmus tests are not read" },
    { "C\n{}", "1:2: expected the name of the test" },
    { "C t", "1:4: found the end of the file, expected '{' and the initial values" },
    { "C t\nwhat is this\n{}",
      "2:1: found 'what is this', expected '{' and the initial values" },
    { "C t\n\"no end\n{}", "2:1: this quotation mark is not closed" },
    { "C t\n{ (* no end }", "2:3: the comment that begins here with (* has no *)" },
    { "C t\n\xff{}", "2:1: byte 0xff: the file is not text in UTF-8" },
    /* Initial values. */
    { "C t\n{ x=1; x=2; }", "2:8: 'x' has an initial value already, at 2:3" },
    { "C t\n{ 0:r=1; P0:r=2; }", "2:10: 'r' has an initial value already, at 2:3" },
    { "C t\n{ int x[2]; }", "2:8: found '[': arrays are not supported" },
    { "C t\n{ int* x; }", "2:6: found '*': pointers as values are not supported" },
    { "C t\n{ x=y; }",
      "2:5: found 'y', expected a number: addresses as values are not supported" },
    { "C t\n{ 0:r0=&x; }",
      "2:8: found '&', expected a number: addresses as values are not supported" },
    { "C t\n{ x=1 y=1; }",
      "2:7: found 'y', expected ';' or '}' after the initial value" },
    { "C t\n{ x=; }", "2:5: found ';', expected a number" },
    { "C t\n{ 1; }", "2:4: found ';', expected ':' and a register" },
    { "C t\n{ [1]; }", "2:4: found '1', expected a location (x) or a register (0:r0)" },
    { "C t\n{ x=99999999999999999999; }",
      "2:5: number '99999999999999999999' is too large: at most 9223372036854775807" },
    { "C t\n{ x=9223372036854775808; }",
      "2:5: number '9223372036854775808' is too large: at most 9223372036854775807" },
    { "C t\n{ x=2147483648; }\nP0 () {}",
      "2:3: 2147483648 is not a value that x can have: it is of type int" },
    { "C t\n{ unsigned 0:r=-1; }\nP0 () {}",
      "2:12: -1 is not a value that r can have: it is of type unsigned" },
    { "C t\n{ 5:r1=1; }\nP0 (int* x) {}", "2:3: the test has no thread P5" },
    { "C t\n{ 64:r1=1; }", "2:3: thread '64': a test has at most 64 threads" },
    { "C t\n{ atomic_int 0:r; }", "2:14: a register is not atomic" },
    { "C t\n{ volatile int x; }",
      "2:16: address spaces, volatile and const belong to the parameters of "
      "threads, not to initial values" },
    { "C t\n{ const int x; }",
      "2:13: address spaces, volatile and const belong to the parameters of "
      "threads, not to initial values" },
    { "C t\n{ __int128 x; }",
      "2:3: type '__int128' is not supported here: int, unsigned, long, bool and their "
      "atomic types are" },
    /* Threads and parameters. */
    { HEAD, "3:1: found the end of the file, expected a thread: P0" },
    { HEAD "P1 () {}",
      "3:1: found 'P1', expected P0: threads are numbered from P0 without gaps" },
    { HEAD "P0 () {}\nP2 () {}",
      "4:1: found 'P2', expected P1: threads are numbered from P0 without gaps" },
    { HEAD "P0 () {}\nP0 () {}", "4:1: thread P0 is defined already, at 3:1" },
    { HEAD "P0 () {} P99999999999 () {}",
      "3:10: thread 'P99999999999' is too many: a test has at most 64" },
    { HEAD "P0 {}", "3:4: found '{', expected '(' and the parameters of the thread" },
    { HEAD "P0 (int x) {}",
      "3:9: found 'x', expected '*' after the type: a parameter is a pointer" },
    { HEAD "P0 (x) {}", "3:5: found 'x', expected a type, such as int or atomic_int" },
    { HEAD "P0 (int** x) {}",
      "3:9: found '*', expected the name of a parameter: "
      "pointers to pointers are not supported" },
    { HEAD "P0 (int *const *x) {}",
      "3:16: found '*', expected the name of a parameter: "
      "pointers to pointers are not supported" },
    { HEAD "P0 (int *const) {}", "3:15: found ')', expected the name of a parameter" },
    { HEAD "P0 (char* x) {}",
      "3:5: type 'char' is not supported here: int, unsigned, long, bool and their "
      "atomic types are" },
    { HEAD "P0 (int long* x) {}",
      "3:9: type 'long' is not supported here: int, unsigned, long, bool and their "
      "atomic types are" },
    { HEAD "P0 (int* x, long* x) {}", "3:19: parameter 'x' is given twice" },
    { HEAD "P0 (int* x,) {}",
      "3:12: found ')', expected a type, such as int or atomic_int" },
    { HEAD "P0 (int* x) {}\nP1 (atomic_long* x) {}",
      "4:18: x is of type long here, and int before" },
    { "C t\n{ 0:x=1; }\nP0 (int* x) {}",
      "3:10: 'x' is a register of P0, which has an initial value" },
    { HEAD "P0@wg 0, dev 0 () {}",
      "3:3: found '@', expected '(': placements are of the form that begins with "
      "OPENCL" },
    { HEAD "P0 (global int* x) {}",
      "3:5: found 'global', expected a type: address "
      "spaces are of the form that begins with OPENCL" },
    { "OPENCL t\n{}\nP0@wg 0 () {} P1 () {}",
      "3:18: found '(', expected '@wg 0, dev 0': the threads before have a placement" },
    { "OPENCL t\n{}\nP0 () {} P1@wg 0 () {}",
      "3:12: found '@', expected '(': the threads before have no placement" },
    { "OPENCL t\n{}\nP0@sg 0, wg 0 () {}",
      "3:4: found 'sg', expected 'wg' and the number of the group" },
    { "OPENCL t\n{}\nP0@wg x () {}",
      "3:7: found 'x', expected a number of up to 2147483647" },
    { "OPENCL t\n{}\nP0@wg 0 (local int* x) {} P1@wg 1 (local int* x) {}",
      "3:47: x is local, and P1 is of another group than P0: give each group a "
      "location of its own" },
    { "OPENCL t\n{}\nP0@wg 0, dev 0 (local int* x) {} P1@wg 0, dev 1 (local int* x) {}",
      "3:61: x is local, and P1 is of another group than P0: give each group a "
      "location of its own" },
    { "OPENCL t\n{}\nP0 (local int* x) {} P1 (local int* x) {}",
      "3:37: x is local, and P1 is of another group than P0: give each group a "
      "location of its own" },
    { "OPENCL t\n{}\nP0@wg 0 (local int* x) {} P1@wg 0 (global int* x) {}",
      "3:48: x is global here, and local before" },
    { "OPENCL t\n{}\nP0 (local global int* x) {}",
      "3:11: found 'global', expected one address space only" },
    /* Statements. */
    { BODY "*x = 1 }", "3:30: found '}', expected ';' after the statement" },
    { BODY, "3:23: found the end of the file, expected '}' after the statements" },
    { BODY "int r0; }",
      "3:27: 'r0' is declared already, at 3:19: a register has one declaration" },
    { BODY "{ int r0; } }",
      "3:29: 'r0' is declared already, at 3:19: a register has one declaration" },
    { BODY "{ long r1; } int r1; }",
      "3:40: 'r1' is of type int here, and long before" },
    { BODY "int x; }", "3:27: 'x' is a parameter already" },
    { BODY "int *p; }",
      "3:27: found '*', expected the name of a register: pointers as "
      "values are not supported" },
    { BODY "int while; }", "3:27: found 'while', expected the name of a register" },
    { BODY "int a[2]; }", "3:28: found '[', expected ';': arrays are not supported" },
    { BODY "atomic_int a; }",
      "3:23: a register is of a plain type, such as int: memory "
      "is what parameters point to" },
    { BODY "for (;;) break; }",
      "3:32: found 'break', expected a statement: jumps are not supported" },
    { BODY "else ; }",
      "3:23: found 'else', expected a statement: there is no if before it" },
    { BODY "if (1) }",
      "3:30: found '}', expected a value: a number, a register, *x or "
      "an atomic operation" },
    { BODY "if 1; }", "3:26: found '1', expected '(' and a condition" },
    { BODY "do ; until (1); }",
      "3:28: found 'until', expected 'while' after the body of "
      "do" },
    { BODY "/* no end }", "3:23: the comment that begins here with /* has no */" },
    { BODY "r0 = $1; }", "3:28: '$' has no meaning here" },
    { BODY "r0 = \x01; }", "3:28: the character U+0001 has no meaning here" },
    { BODY "/* \xc3\xa4 */ r0 = \xc3\xa4; }", "3:36: '\xc3\xa4' has no meaning here" },
    { BODY "barrier(0); }",
      "3:23: barriers are of the form that begins with OPENCL: "
      "threads of this one have no groups" },
    { BODY "atomic_work_item_fence(0, memory_order_acquire); }",
      "3:23: found 'atomic_work_item_fence', expected atomic_thread_fence(order), "
      "which is the fence of this form" },
    { SCOPED "atomic_thread_fence(memory_order_acquire); }",
      "3:33: found 'atomic_thread_fence', expected atomic_work_item_fence(flags, "
      "order, scope), which is the fence of this form" },
    { SCOPED "barrier(CLK_IMAGE_MEM_FENCE); }",
      "3:41: found 'CLK_IMAGE_MEM_FENCE', expected CLK_LOCAL_MEM_FENCE, "
      "CLK_GLOBAL_MEM_FENCE, both joined by '|', or 0" },
    { SCOPED "L: *x = 1; }", "3:36: found '*', expected a barrier after the label" },
    { SCOPED "atomic_load_explicit(x, memory_order_relaxed, memory_scope_galaxy); }",
      "3:79: found 'memory_scope_galaxy', expected a memory scope, memory_scope_: "
      "work_item, sub_group, work_group, device or all_svm_devices" },
    /* Expressions. */
    { BODY "*y = 1; }",
      "3:24: unknown name 'y': it is neither a parameter of P0 nor a register that is "
      "declared before" },
    { BODY "r1 = 1; }",
      "3:23: unknown name 'r1': it is neither a parameter of P0 nor a register that is "
      "declared before" },
    { BODY "r0 = x; }", "3:28: 'x' is the address of a location, whose value is *x" },
    { BODY "x = 1; }", "3:23: 'x' is the address of a location, whose value is *x" },
    { BODY "*r0 = 1; }",
      "3:24: found 'r0', expected an address: a parameter, or one plus an offset" },
    { BODY "*1 = 1; }",
      "3:24: found '1', expected an address: the name of a parameter" },
    { BODY "*(x + 128) = 1; }",
      "3:29: a location is one object: nothing lies beyond it" },
    { BODY "1 = 2; }",
      "3:25: the left side of '=' must be a register or a location (*x)" },
    { BODY "r0 + 1 += 2; }",
      "3:30: the left side of '+=' must be a register or a location (*x)" },
    { BODY "atomic_load(x) = 2; }",
      "3:38: the left side of '=' must be a register or a location (*x)" },
    { BODY "*(x + r0) += 2; }",
      "3:23: only a register or a location (*x) can be changed" },
    { BODY "5++; }", "3:24: only a register or a location (*x) can be changed" },
    { BODY "r0 = (1 + 2; }", "3:34: found ';', expected ')' after the expression" },
    { BODY "r0 = 1 ? 2; }", "3:33: found ';', expected ':' between the two values" },
    { BODY "r0 = 12ab; }", "3:28: '12ab' is not a number" },
    { BODY "r0 = 08; }", "3:28: '08' is not a number" },
    { BODY "r0 = 1ul; }",
      "3:28: number '1ul' needs an unsigned type of 64 bits, which is not supported: "
      "int, unsigned and long are" },
    { BODY "r0 = 9223372036854775808; }",
      "3:28: number '9223372036854775808' is too large: at most 9223372036854775807" },
    { "C t\n{}\nP0 (const int* x) { *x = 1; }",
      "3:21: this writes a location that is const in P0: remove const, or only read "
      "it" },
    { "C t\n{}\nP0 () {}\nP1 (int* y, const int* x) { int r = ++*x; }",
      "4:37: this writes a location that is const in P1: remove const, or only read "
      "it" },
    { "C t\n{}\nP0 (const atomic_int* x) { atomic_fetch_add(x, 1); }",
      "3:28: this writes a location that is const in P0: remove const, or only read "
      "it" },
    { "C t\n{}\nP0 (atomic_int* x, const int* e) {\n"
      "atomic_compare_exchange_strong(x, e, 1); }",
      "4:1: this writes a location that is const in P0: remove const, or only read "
      "it" },
    { BODY "const int r1 = 0; }",
      "3:23: a register is of a plain type, such as int: memory is what parameters "
      "point to" },
    { BODY "r0 = (const int)1; }", "3:28: a cast is to a plain type, such as int" },
    { BODY "r0 = (volatile int)1; }", "3:28: a cast is to a plain type, such as int" },
    { BODY "r0 = (int*)1; }", "3:32: found '*', expected ')' after the type" },
    { BODY "r0 = atomic_store(x, 1); }", "3:28: an atomic store has no value" },
    { BODY "r0 = 1 + (atomic_store(x, 1)); }", "3:33: an atomic store has no value" },
    { BODY "if (atomic_store(x, 1)) ; }", "3:27: an atomic store has no value" },
    { BODY "mystery(x); }", "3:23: an expression cannot call a function 'mystery'" },
    { BODY "*x = READ_ONCE(*x); }",
      "3:28: an expression cannot call a function 'READ_ONCE': the nearest operation "
      "is atomic_load_explicit(x, memory_order_relaxed)" },
    { BODY "WRITE_ONCE(*x, 1); }",
      "3:23: an expression cannot call a function 'WRITE_ONCE': the nearest operation "
      "is atomic_store_explicit(x, value, memory_order_relaxed)" },
    { BODY "smp_mb(); }",
      "3:23: an expression cannot call a function 'smp_mb': the nearest operation is "
      "atomic_thread_fence(memory_order_seq_cst)" },
    { BODY "x.store(1); }",
      "3:24: 'x' has no members: write atomic_store(x, ...), or "
      "atomic_store_explicit(x, ..., order)" },
    { BODY "r0 = x->load(memory_order_relaxed); }",
      "3:29: 'x' has no members: write atomic_load(x), or "
      "atomic_load_explicit(x, order)" },
    { BODY "x->value = 1; }",
      "3:24: 'x' has no members: operations are functions, such as atomic_load(x)" },
    { BODY "atomic_load(1); }",
      "3:35: found '1', expected an address: the name of a parameter" },
    { BODY "atomic_load_explicit(x, memory_order_release); }",
      "3:47: 'atomic_load_explicit' cannot have order 'memory_order_release', but "
      "relaxed, acquire or seq_cst" },
    { BODY "atomic_store_explicit(x, 1, memory_order_acq_rel); }",
      "3:51: 'atomic_store_explicit' cannot have order 'memory_order_acq_rel', but "
      "relaxed, release or seq_cst" },
    { BODY "atomic_exchange_explicit(x, 1, memory_order_consume); }",
      "3:54: 'atomic_exchange_explicit' cannot have order 'memory_order_consume', but "
      "relaxed, acquire, release, acq_rel or seq_cst" },
    { BODY "atomic_compare_exchange_weak_explicit(x, &r0, 1, memory_order_acq_rel, "
           "memory_order_release); }",
      "3:94: a failed one cannot have order 'memory_order_release', but relaxed, "
      "acquire or seq_cst" },
    { BODY "atomic_load_explicit(x); }",
      "3:45: found ')', expected ',' and the memory order" },
    { BODY "atomic_load_explicit(x, relaxed); }",
      "3:47: found 'relaxed', expected a memory order, memory_order_: relaxed, acquire "
      "or seq_cst" },
    { BODY "atomic_load_explicit(x, memory_order_relaxed, memory_scope_device); }",
      "3:67: found ',', expected ')' after the order: scopes are of the form that "
      "begins with OPENCL" },
    { BODY "atomic_compare_exchange_weak(x, r0, 1); }",
      "3:55: found 'r0', expected the place of the expected value: a parameter (e) or "
      "the address of a register (&r0)" },
    { BODY "atomic_compare_exchange_weak(x, &x, 1); }",
      "3:56: found 'x', expected a register, whose address this is" },
    { BODY "long l; atomic_compare_exchange_weak(x, &l, 1); }",
      "3:64: 'l' is of type long, and compared with a value of type int" },
    /* The claim. */
    { CLAIM "exist (x=1)",
      "4:1: found 'exist', expected another thread, locations, "
      "filter, exists, ~exists or forall" },
    { CLAIM "exists (1:r0=1)", "4:9: the test has no thread P1" },
    { CLAIM "exists (0:r1=1)", "4:11: P0 has no register 'r1'" },
    { CLAIM "exists (0:x=1)", "4:11: P0 has no register 'x'" },
    { CLAIM "exists (r0=1)",
      "4:9: unknown location 'r0': a register is written with its thread, as 0:r0" },
    { CLAIM "exists (x=r0)",
      "4:11: found 'r0', expected a number: a name is an address "
      "here, and [x] is what x holds" },
    { CLAIM "exists (x=4294967296)",
      "4:11: 4294967296 is not a value that [x] can have: it is of type int" },
    { CLAIM "exists (x>1)", "4:10: found '>', expected '=' or '!='" },
    { CLAIM "exists (x=1",
      "4:12: found the end of the file, expected ')' after the "
      "proposition" },
    { CLAIM "exists (x=1 /\\ )",
      "4:16: found ')', expected a location (x) or a register (0:r0)" },
    { CLAIM "exists (x=1) more", "4:14: found 'more', expected the end of the file" },
    { CLAIM "~(x=1)", "4:2: found '(', expected 'exists' after the negation" },
    { CLAIM "locations [x y]", "4:14: found 'y', expected ';' or ']' after it" },
    { CLAIM "locations [0:]", "4:14: found ']', expected the name of a register" },
    { CLAIM "filter exists x=1",
      "4:8: unknown location 'exists': a register is written with its thread, as "
      "0:r0" },
};

static void expect_refused(const char *text, size_t bytes, const char *expected)
{
    g_autoptr(GError) error = NULL;
    struct weiri_litmus *test = weiri_litmus_parse(text, bytes, "f.litmus", &error);
    ck_assert_msg(test == NULL, "not refused: %s", text);
    ck_assert(g_error_matches(error, WEIRI_LITMUS_ERROR, WEIRI_LITMUS_ERROR_TEXT));
    g_autofree char *whole = g_strdup_printf("f.litmus:%s", expected);
    ck_assert_msg(strcmp(error->message, whole) == 0, "%s\nis, not %s\nof: %s",
                  error->message, whole, text);
}

CASE("refused");

TEST(malformed_text_is_refused_with_its_place)
{
    for (size_t i = 0; i < G_N_ELEMENTS(malformed); i++) {
        expect_refused(malformed[i].text, strlen(malformed[i].text),
                       malformed[i].message);
    }
}

TEST(a_zero_byte_is_refused)
{
    static const char text[] = "C t\n{}\0";
    expect_refused(text, sizeof(text) - 1,
                   "2:3: byte 0x00: the file is not text in "
                   "UTF-8");
}

TEST(a_long_word_is_shortened)
{
    g_autofree char *word = g_strnfill(1000, 'a');
    g_autofree char *text = g_strdup_printf(BODY "%s = 1; }", word);
    g_autofree char *message = g_strdup_printf(
        "3:23: unknown name '%.40s...': it is neither a parameter of P0 nor a register "
        "that is declared before",
        word);
    expect_refused(text, strlen(text), message);
}

/* ---- Much ------------------------------------------------------------------------ */

/* @head, @n times @part, @tail. */
static GString *repeat(const char *head, const char *part, size_t n, const char *tail)
{
    GString *text = g_string_new(head);
    for (size_t i = 0; i < n; i++) {
        g_string_append(text, part);
    }
    g_string_append(text, tail);
    return text;
}

static void expect_parsed(GString *text, const char *refusal)
{
    GError *error = NULL;
    struct weiri_litmus *test
        = weiri_litmus_parse(text->str, text->len, "f.litmus", &error);
    if (refusal != NULL) {
        ck_assert_ptr_null(test);
        ck_assert_msg(strstr(error->message, refusal) != NULL, "%s", error->message);
        g_error_free(error);
    } else {
        ck_assert_msg(test != NULL, "%s", error != NULL ? error->message : "");
        g_autofree char *printed = weiri_litmus_print(test);
        /* Loosely: what is implied is printed, and is some 40 times a statement. */
        ck_assert_uint_lt(strlen(printed), 64 * text->len + 1000);
        weiri_litmus_free(test);
    }
    g_string_free(text, TRUE);
}

static const char too_deep[] = "nested more than 256 deep: that is too much";

CASE("much");

TEST(depth_is_bounded)
{
    static const struct {
        const char *head, *part, *tail, *refusal;
    } deep[] = {
        { BODY "r0 = ", "(", "1", too_deep },
        { BODY "r0 = ", "-", "1; }", too_deep },
        { BODY "r0 = ", "- ", "1; }", too_deep },
        { BODY "r0 = ", "(int)", "1; }", too_deep },
        { BODY "r0 = ", "1 ? 1 : ", "1; }", too_deep },
        { BODY "r0 = ", "1 ? ", "1; }", too_deep },
        { BODY, "r0 = ", "1; }", too_deep },
        { BODY "*", "(", "x", too_deep },
        { BODY "r0 = 1", " + 1", "; }", "more than 256 operations in each other" },
        { BODY "r0 = ", "atomic_fetch_add(x, ", "1", too_deep },
        { BODY "r0 = ", "*(x + ", "1", too_deep },
        { BODY, "{", "}", too_deep },
        { BODY, "if (1) ", ";}", too_deep },
        { BODY, "if (1) ; else ", ";}", too_deep },
        { BODY, "while (1) ", ";}", too_deep },
        { BODY, "do ", ";}", too_deep },
        { CLAIM "exists ", "(", "x=1", too_deep },
        { CLAIM "exists ", "~", "x=1", too_deep },
        { CLAIM "exists ", "x=1 => ", "x=1", too_deep },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(deep); i++) {
        bool decrements = deep[i].refusal == NULL;
        expect_parsed(repeat(deep[i].head, deep[i].part, 100000, deep[i].tail),
                      decrements ? "must be a register or a location"
                                 : deep[i].refusal);
    }
    /* A tree that is just not too deep is walked over, too. */
    expect_parsed(repeat(BODY "r0 = 1", " + r0", 200, "; }"), NULL);
    expect_parsed(repeat(BODY, "if (r0) ; else ", 200, "; }"), NULL);
    expect_parsed(repeat(BODY, "if (r0) ", 200, "; }"), NULL);
    expect_parsed(repeat(CLAIM "exists ", "x=1 => ", 200, "x=1"), NULL);
}

TEST(a_megabyte_is_read_or_refused)
{
    size_t n = UNDER_ASAN ? 1 << 17 : scaled(1 << 20, 1 << 14);
    static const struct {
        const char *head, *part, *tail, *refusal;
    } large[] = {
        { BODY, ";", "}", NULL },
        { BODY, "*x=r0;", "}", NULL },
        { BODY, "r0=!r0+~1*(r0-2);", "}", NULL },
        { BODY, "atomic_fetch_add(x,1);", "}", NULL },
        { BODY, "while(r0)r0=1;", "}", NULL },
        { BODY, "if(1);else;", "}", NULL },
        { BODY, "{int a;}", "}", NULL },
        { BODY, "/**/", "}", NULL },
        { HEAD, "(*", "", "has no *)" },
        { HEAD, "(**)", "P0(){}", NULL },
        { "C t\n", "a=b\n", "{}P0(){}", NULL },
        { "C t\n{", "x=1;", "", "already" },
        { "C t\n{", ";", "}P0(){}", NULL },
        { CLAIM "exists x=1", "/\\x=1", "", NULL },
        { CLAIM "exists x=1", "\\/0:r0=1", "", NULL },
        { CLAIM "locations [", "x;", "]", NULL },
        { CLAIM "locations [", "x", "]", "unknown location" },
        { "C ", "a", "\n{}P0(){}", NULL },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(large); i++) {
        expect_parsed(repeat(large[i].head, large[i].part, n / strlen(large[i].part),
                             large[i].tail),
                      large[i].refusal);
    }
    /* Many names. */
    GString *text = g_string_new("C t\n{");
    for (size_t i = 0; i < n / 16; i++) {
        g_string_append_printf(text, "x%zu;0:r%zu;", i, i);
    }
    g_string_append(text, "}P0(int*x1){}locations[");
    for (size_t i = 0; i < n / 16; i++) {
        g_string_append_printf(text, "x%zu;0:r%zu;", i, i);
    }
    g_string_append(text, "]");
    expect_parsed(text, NULL);
}

TEST(threads_are_bounded)
{
    g_autoptr(GString) text = g_string_new("C t\n{}\n");
    for (int i = 0; i < 64; i++) {
        g_string_append_printf(text, "P%d (int* x) { *x = %d; }\n", i, i);
    }
    expect_parsed(g_string_new(text->str), NULL);
    g_string_append(text, "P64 (int* x) {}\n");
    expect_refused(text->str, text->len,
                   "67:1: thread 'P64' is too many: a test has at most 64");
}

TEST(any_bytes_are_a_test_or_an_error)
{
    uint64_t seed = 1;
    for (size_t i = 0; i < scaled(20000, 400); i++) {
        char text[sizeof(litmus_message)];
        memcpy(text, litmus_message, sizeof(litmus_message));
        for (size_t k = random_between(&seed, 1, 4); k > 0; k--) {
            static const char marks[] = "(){}[];:,*=/\\-+&|<>~!\"01xyrP \n";
            text[random_between(&seed, 0, sizeof(text) - 2)] = i % 4 == 0
                ? (char)random_next(&seed)
                : marks[random_between(&seed, 0, sizeof(marks) - 2)];
        }
        size_t bytes = random_between(&seed, 0, 1) == 0
            ? sizeof(text) - 1
            : random_between(&seed, 0, sizeof(text) - 1);
        GError *error = NULL;
        g_autoptr(weiri_litmus) test = weiri_litmus_parse(text, bytes, "f", &error);
        ck_assert((test != NULL) == (error == NULL));
        if (test != NULL) {
            litmus_expect_round_trip(test, "mutated");
        } else {
            ck_assert_ptr_null(strchr(error->message, '\n'));
            ck_assert(g_utf8_validate(error->message, -1, NULL));
        }
        g_clear_error(&error);
    }
}

MAIN("litmus-refused")
