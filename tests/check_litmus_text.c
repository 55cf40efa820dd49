/* SPDX-License-Identifier: MIT
 *
 * check_litmus_text.c: the text of litmus tests: what is read, what it is as a value,
 * and that it is written as it was read. */
#include "litmus_ask.h"
#include "litmus_support.h"

/* A whole test around one statement, or several, of P0, which begin at column 1 of
 * line 4. */
static char *around(const char *head, const char *abbreviated)
{
    g_autofree char *body = litmus_expand(abbreviated);
    return g_strdup_printf("%s t\n{ [x] = 1; [y] = 2; [e] = 3; }\n"
                           "P0 (atomic_int* x, int* y, int* e, atomic_long* l) {\n"
                           "%s\n}\n",
                           head, body);
}

static struct weiri_litmus *read_body(const char *head, const char *body)
{
    g_autofree char *text = around(head, body);
    return litmus_read(text, body);
}

/* ---- The frame ------------------------------------------------------------------- */

CASE("form");

TEST(a_test_has_what_its_text_states)
{
    g_autoptr(weiri_litmus) test = litmus_read(litmus_message, "message");
    ck_assert_str_eq(test->name, "MP@wg+example");
    ck_assert(test->scoped && test->placed);
    ck_assert_uint_eq(test->n_notes, 2);
    ck_assert_str_eq(test->notes[0], "\"a text\"");
    ck_assert_str_eq(test->notes[1], "Com=Rf Fr");
    ck_assert_uint_eq(test->n_locations, 3);
    ck_assert_str_eq(test->locations[1].name, "y");
    ck_assert(test->locations[1].atomic && test->locations[1].is_volatile);
    ck_assert_int_eq(test->locations[1].space, WEIR_LOCAL);
    ck_assert_int_eq(test->locations[1].initial, 2);
    ck_assert(!test->locations[0].atomic && !test->locations[0].is_volatile);
    ck_assert_int_eq(test->locations[0].space, WEIR_GLOBAL);
    ck_assert_int_eq(test->locations[2].type, WEIRI_LITMUS_LONG);
    ck_assert_int_eq(test->locations[2].initial, -3);
    ck_assert_uint_eq(test->n_threads, 2);
    const struct weiri_litmus_thread *reader = &test->threads[1];
    ck_assert_uint_eq(reader->group, 1);
    ck_assert_uint_eq(reader->device, 2);
    ck_assert_uint_eq(reader->n_parameters, 2);
    ck_assert_uint_eq(reader->n_registers, 3);
    ck_assert_str_eq(reader->registers[0].name, "r9");
    ck_assert_int_eq(reader->registers[0].initial, 4);
    ck_assert_str_eq(reader->registers[2].name, "r1");
    ck_assert_int_eq(test->quantifier, WEIRI_LITMUS_NOT_EXISTS);
    ck_assert_ptr_nonnull(test->filter);
    ck_assert_uint_eq(test->n_listed, 2);
    const struct weiri_litmus_statement *first = reader->body->first;
    ck_assert_uint_eq(first->expression->place.line, 11);
    ck_assert_uint_eq(first->expression->place.column, 12);
    litmus_expect_round_trip(test, "message");
}

TEST(omitted_parts_have_defaults)
{
    g_autoptr(weiri_litmus) test = litmus_read("C t\n{}\nP0 (int* x) {}", "t");
    ck_assert(!test->scoped && !test->placed);
    ck_assert_int_eq(test->locations[0].initial, 0);
    ck_assert_int_eq(test->locations[0].space, WEIR_GLOBAL);
    ck_assert_int_eq(test->quantifier, WEIRI_LITMUS_FORALL);
    ck_assert_int_eq(test->condition->kind, WEIRI_LITMUS_TRUE);
    ck_assert_ptr_null(test->filter);
    ck_assert_uint_eq(test->n_observed, 0);
    litmus_expect_round_trip(test, "t");
}

TEST(a_location_is_atomic_or_volatile_where_a_thread_says_so)
{
    g_autoptr(weiri_litmus) test
        = litmus_read("C t\n{ int w; }\nP0 (atomic_int* x, int* y, int* z) {}\n"
                      "P1 (int* x, volatile atomic_int* y, int* w) {}",
                      "t");
    static const struct {
        const char *name;
        bool atomic, is_volatile;
    } locations[] = { { "w", false, false },
                      { "x", true, false },
                      { "y", true, true },
                      { "z", false, false } };
    ck_assert_uint_eq(test->n_locations, G_N_ELEMENTS(locations));
    for (size_t i = 0; i < G_N_ELEMENTS(locations); i++) {
        ck_assert_str_eq(test->locations[i].name, locations[i].name);
        ck_assert(test->locations[i].atomic == locations[i].atomic);
        ck_assert(test->locations[i].is_volatile == locations[i].is_volatile);
    }
    litmus_expect_round_trip(test, "t");
}

TEST(frames_have_many_forms)
{
    static const char *const texts[] = {
        "\xef\xbb\xbf(* first *)\n\nC  a b \r\nKey=a { b\r\n{}\r\nP0 () {}\r\n",
        "C t\n{ ; x=1;; y = -2 }\nP0 (void) { ; }\nexists true;",
        "C t\n{ int x = 0x1f; atomic_int y; _Atomic int z = 1; int [w] = 010 }\n"
        "P0 () {}",
        "C t\n{ long l = -9223372036854775808; int 0:a; P0:b = +1; int i = "
        "ATOMIC_INIT(3); }\nP0 () { int a; *i; }"
        "\nexists (0:a=0)",
        "C t\n{ unsigned u = 4294967295; bool b = 1; }\nP0 (unsigned int* u, "
        "_Bool *b, long long int* l, signed* s, unsigned* v) {}",
        "C t\n{}\nP0 (_Atomic(int)* x, int volatile* y, _Atomic(long) *z) {}",
        "C t\n{}\nP0 (int *const x, int *restrict y, int *volatile restrict z) {\n"
        "  *x = *y + *z;\n}",
        "C t\n{}\nP0 (const int* x, int const volatile* y, const atomic_int* z) {\n"
        "int r0 = *x + *y + atomic_load(z); }\nP1 (int* x) { *x = 1; }",
        "OpenCL t\n{}\nP0 (global int* x) {} P1 (volatile global atomic_uint* y) {}",
        "OPENCL t\n{}\nP0@wg 7 (local int* x) {}\nP1@wg 7, dev 0 (local int* x) {}",
        "OPENCL t\n{}\nP0@wg 0, dev 0 (local int* x) {}\nP1@wg 0, dev 1 (local int* y)"
        "{}",
        "C t\n{}\nP0 (int* x) {} // one\n/* two */ P1 (atomic_int* x) {} (* 3 *)\n"
        "locations [] exists (x=0) (* end *)",
        "C t\n{ global = 1; }\nP0 (int* global) { int local = *global; }",
        "C t\n{}\nP0 (int* i) { (*i) = (*i) + 1; /* (* /* */ }\nexists(i=1)",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *text = g_strdup(texts[i]);
        if (i == 3) {
            char *at = strstr(text, "*i;");
            memcpy(at, "   ", 3); /* no thread names i: its type is set by the text */
        }
        g_autoptr(weiri_litmus) test = litmus_read(text, texts[i]);
        litmus_expect_round_trip(test, texts[i]);
    }
}

/* ---- Operations ------------------------------------------------------------------ */

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define AR memory_order_acq_rel
#define SC memory_order_seq_cst
#define READ WEIRI_LITMUS_OP_READ
#define WRITE WEIRI_LITMUS_OP_WRITE
#define UPDATE WEIRI_LITMUS_OP_UPDATE
#define COMPARE WEIRI_LITMUS_OP_COMPARE
#define FENCE WEIRI_LITMUS_OP_FENCE
#define BARRIER WEIRI_LITMUS_OP_BARRIER

static const struct {
    const char *text;
    enum weiri_litmus_op op;
    bool atomic, weak;
    memory_order order, failure;
    enum weiri_litmus_function function;
} events[] = {
    { "*x;", READ, false, false, RLX, RLX, 0 },
    { "*y;", READ, false, false, RLX, RLX, 0 },
    { "*y = 1;", WRITE, false, false, RLX, RLX, 0 },
    { "y[0] = 1;", WRITE, false, false, RLX, RLX, 0 },
    { "atomic_load(x);", READ, true, false, SC, RLX, 0 },
    { "(void)atomic_load(y);", READ, true, false, SC, RLX, 0 },
    { "load(x, $acq);", READ, true, false, ACQ, RLX, 0 },
    { "atomic_store(x, 1);", WRITE, true, false, SC, RLX, 0 },
    { "store(x,1,$rel);", WRITE, true, false, REL, RLX, 0 },
    { "atomic_exchange(x, 1);", UPDATE, true, false, SC, RLX, WEIRI_LITMUS_EXCHANGE },
    { "exchange(x, 1, $acq_rel);", UPDATE, true, false, AR, RLX,
      WEIRI_LITMUS_EXCHANGE },
    { "atomic_fetch_add(x, 1);", UPDATE, true, false, SC, RLX, WEIRI_LITMUS_ADD },
    { "fetch_sub(x, 1, $rlx);", UPDATE, true, false, RLX, RLX, WEIRI_LITMUS_SUBTRACT },
    { "fetch_and(x, 1, $acq);", UPDATE, true, false, ACQ, RLX, WEIRI_LITMUS_AND },
    { "fetch_or(x, 1, $rel);", UPDATE, true, false, REL, RLX, WEIRI_LITMUS_OR },
    { "fetch_xor(x, 1, $sc);", UPDATE, true, false, SC, RLX, WEIRI_LITMUS_XOR },
    { "atomic_fetch_min(x, 1);", UPDATE, true, false, SC, RLX, WEIRI_LITMUS_MIN },
    { "atomic_fetch_max(x, 1);", UPDATE, true, false, SC, RLX, WEIRI_LITMUS_MAX },
    { "int r; atomic_compare_exchange_strong(x, &r, 1);", COMPARE, true, false, SC, SC,
      0 },
    { "int r; atomic_compare_exchange_weak(x, &r, 1);", COMPARE, true, true, SC, SC,
      0 },
    { "int r; compare_exchange_strong(x, &r, 1, $rlx, $sc);", COMPARE, true, false, RLX,
      SC, 0 },
    { "int r; compare_exchange_weak(x, &r, 1, $acq_rel, $acq);", COMPARE, true, true,
      AR, ACQ, 0 },
    { "atomic_thread_fence($acq_rel);", FENCE, true, false, AR, RLX, 0 },
    { "atomic_thread_fence($rlx);", FENCE, true, false, RLX, RLX, 0 },
};

TEST(each_operation_is_an_event_of_its_kind_and_orders)
{
    for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
        g_autoptr(weiri_litmus) test = read_body("C", events[i].text);
        const struct weiri_litmus_instruction *event
            = test->threads[0].code->instructions;
        memory_scope scope
            = events[i].atomic ? memory_scope_device : memory_scope_work_item;
        EXPECT(event->op == events[i].op && event->atomic == events[i].atomic
                   && event->weak == events[i].weak && event->order == events[i].order
                   && event->failure == events[i].failure
                   && event->function == events[i].function && event->scope == scope
                   && !event->part,
               "%s", events[i].text);
        ck_assert_uint_eq(event->place.line, 4);
        litmus_expect_round_trip(test, events[i].text);
    }
}

#define ITEM memory_scope_work_item
#define SUB_GROUP memory_scope_sub_group
#define GROUP memory_scope_work_group
#define DEVICE memory_scope_device
#define SYSTEM memory_scope_system

static const struct {
    const char *text;
    enum weiri_litmus_op op;
    memory_order order;
    memory_scope scope;
    unsigned spaces;
    const char *label;
} scoped_events[] = {
    { "load(x, $acq, memory_scope_work_item);", READ, ACQ, ITEM, 0, NULL },
    { "load(x, $acq, memory_scope_sub_group);", READ, ACQ, SUB_GROUP, 0, NULL },
    { "store(x, 1, $rel, $wg);", WRITE, REL, GROUP, 0, NULL },
    { "fetch_add(x, 1, $rlx, $dev);", UPDATE, RLX, DEVICE, 0, NULL },
    { "fetch_add(x, 1, $rlx, memory_scope_all_svm_devices);", UPDATE, RLX, SYSTEM, 0,
      NULL },
    { "load(x, $rlx, memory_scope_all_devices);", READ, RLX, SYSTEM, 0, NULL },
    { "load(x, $sc);", READ, SC, DEVICE, 0, NULL },
    { "int r; compare_exchange_weak(x, &r, 1, $acq_rel, $rlx, $wg);", COMPARE, AR,
      GROUP, 0, NULL },
    { "FENCE($GLOBAL | $LOCAL, $sc, $wg);", FENCE, SC, GROUP, WEIR_LOCAL | WEIR_GLOBAL,
      NULL },
    { "FENCE($LOCAL, $rel);", FENCE, REL, DEVICE, WEIR_LOCAL, NULL },
    { "B1: barrier($GLOBAL);", BARRIER, RLX, GROUP, WEIR_GLOBAL, "B1" },
    { "other: work_group_barrier(0, $dev);", BARRIER, RLX, DEVICE, 0, "other" },
    { "barrier($LOCAL|$LOCAL);", BARRIER, RLX, GROUP, WEIR_LOCAL, "" },
};

TEST(the_scoped_form_has_scopes_spaces_and_barriers)
{
    for (size_t i = 0; i < G_N_ELEMENTS(scoped_events); i++) {
        const char *text = scoped_events[i].text;
        g_autoptr(weiri_litmus) test = read_body("OPENCL", text);
        const struct weiri_litmus_instruction *event
            = test->threads[0].code->instructions;
        EXPECT(event->op == scoped_events[i].op
                   && event->order == scoped_events[i].order
                   && event->scope == scoped_events[i].scope
                   && event->spaces == scoped_events[i].spaces,
               "%s", text);
        if (scoped_events[i].label != NULL) {
            ck_assert_str_eq(test->labels[event->label], scoped_events[i].label);
        }
        litmus_expect_round_trip(test, text);
    }
}

/* ---- Statements ------------------------------------------------------------------ */

/* The written and the printed form: the body of a test around(). */
static const struct {
    const char *text, *printed;
} statements[] = {
    { "int r0 = 1, r1; long r2 = r1;", "int r0 = 1;\nint r1;\nlong r2 = r1;\n" },
    { "int r = 1; r += 2; r <<= 1; r++; --r; *y -= r; ++*x;",
      "int r = 1;\nr = r + 2;\nr = r << 1;\nr = r + 1;\nr = r - 1;\n*y = *y - r;\n"
      "*x = *x + 1;\n" },
    { "int r; int s = r++ + --r;", "int r;\nint s = (r = r + 1) - 1 + (r = r - 1);\n" },
    { "int r; int s; r = s = *y = 3;", "int r;\nint s;\nr = s = *y = 3;\n" },
    { "int r; r = -(-r) - -1 - ~(!r);", "int r;\nr = - -r - -1 - ~!r;\n" },
    { "int r; r = (1 + 2) * 3 + (4 * 5) - (6 - 7);",
      "int r;\nr = (1 + 2) * 3 + 4 * 5 - (6 - 7);\n" },
    { "int r; r = (r ? 1 : 2) ? (3, 4) : 5;", NULL },
    { "int r; r = (r ? 1 : 2) ? (r ? 3 : 4) : r ? 5 : 6;",
      "int r;\nr = (r ? 1 : 2) ? r ? 3 : 4 : r ? 5 : 6;\n" },
    { "int r; r = (long)(r + 1) + (int)2 + 3u + 0x10l;",
      "int r;\nr = (long)(r + 1) + 2 + 3u + 16l;\n" },
    { "int r; r = *(y + (r & 1)) + *(y - r) + y[r * 2] + *(y + r - 1 + 1 - r);", NULL },
    { "int r; r = *(y + (r & 1)) + *(y - r) + y[r * 2] + *((y) + r + r);",
      "int r;\nr = *(y + (r & 1)) + *(y + -r) + *(y + r * 2) + *(y + (r + r));\n" },
    { "int r; r = atomic_load((x + r)) && *y || r;",
      "int r;\nr = atomic_load_explicit(x + r, memory_order_seq_cst) && *y || r;\n" },
    { "if (*y) *x = 1; else if (*x) ; else { *y = 2; }",
      "if (*y) {\n*x = 1;\n} else if (*x) {\n} else {\n*y = 2;\n}\n" },
    { "if (1) { if (2) ; } else { if (3) {} }",
      "if (1) {\nif (2) {\n}\n} else {\nif (3) {\n}\n}\n" },
    { "if (1) if (2) ; else ;", "if (1) {\nif (2) {\n} else {\n}\n}\n" },
    { "while (*y) int r = 1; do *y = 1; while (*y);",
      "while (*y) {\nint r = 1;\n}\ndo {\n*y = 1;\n} while (*y);\n" },
    { "for (int i = 0, j = 1; i < j; i++, j) ;", NULL },
    { "for (int i = 0, j = 1; i < j; i++) ; for (;;) {} int k; for (k = 1;; k--) ;",
      "for (int i = 0, j = 1; i < j; i = i + 1) {\n}\nfor (;;) {\n}\nint k;\n"
      "for (k = 1;; k = k - 1) {\n}\n" },
    { "for (int i = 0;;) ; for (int i = 1;;) ;",
      "for (int i = 0;;) {\n}\nfor (int i = 1;;) {\n}\n" },
    { "{ int r; { int s; } } { int s; } int r;",
      "{\nint r;\n{\nint s;\n}\n}\n{\nint s;\n}\nint r;\n" },
    { ";;", "{\n}\n{\n}\n" },
    { "int r = true ? false : 010;", "int r = 1 ? 0 : 8;\n" },
    { "int r = atomic_compare_exchange_weak(x, e, *y + 1);",
      "int r = atomic_compare_exchange_weak_explicit(x, e, *y + 1, "
      "memory_order_seq_cst, memory_order_seq_cst);\n" },
    { "bool b = *y; b = b + b; unsigned u = b; u = -u;",
      "bool b = *y;\nb = b + b;\nunsigned u = b;\nu = -u;\n" },
};

/* The body in what is printed, without indentation. */
static char *printed_body(const struct weiri_litmus *test)
{
    g_autofree char *text = weiri_litmus_print(test);
    char *at = strstr(text, ") {\n") + strlen(") {\n");
    *strstr(at, "\n}\n\nforall") = '\0';
    GString *body = g_string_new(NULL);
    for (char *line = strtok(at, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        g_string_append_printf(body, "%s\n", line + strspn(line, " "));
    }
    return g_string_free(body, FALSE);
}

TEST(statements_are_printed_as_they_are_understood)
{
    for (size_t i = 0; i < G_N_ELEMENTS(statements); i++) {
        if (statements[i].printed == NULL) {
            g_autofree char *text = around("C", statements[i].text);
            GError *error = NULL;
            ck_assert_msg(weiri_litmus_parse(text, strlen(text), "f", &error) == NULL,
                          "%s", text);
            g_error_free(error);
            continue;
        }
        g_autoptr(weiri_litmus) test = read_body("C", statements[i].text);
        g_autofree char *printed = printed_body(test);
        ck_assert_str_eq(printed, statements[i].printed);
        litmus_expect_round_trip(test, statements[i].text);
    }
}

/* ---- Conditions ------------------------------------------------------------------ */

/* Conditions of a test whose final state is x=1, y=2, 0:r0=1, 1:r0=-1. */
static const struct {
    const char *text, *printed;
    bool holds;
} conditions[] = {
    { "x=1", "[x]=1", true },
    { "[x]=2", "[x]=2", false },
    { "0:r0=1", "0:r0=1", true },
    { "P1:r0==-1", "1:r0=-1", true },
    { "1:r0=-0x1", "1:r0=-1", true },
    { "x!=1", "[x]!=1", false },
    { "x<>2", "[x]!=2", true },
    { "*x=1", "[x]=1", true },
    { "true", "true", true },
    { "not true", "~true", false },
    { "~~false", "~(~false)", false },
    { "x=1 /\\ y=2", "[x]=1 /\\ [y]=2", true },
    { "x=1 && y=1", "[x]=1 /\\ [y]=1", false },
    { "x=2 \\/ y=2", "[x]=2 \\/ [y]=2", true },
    { "x=2 || y=1", "[x]=2 \\/ [y]=1", false },
    { "x=2 /\\ y=1 \\/ 0:r0=1", "([x]=2 /\\ [y]=1) \\/ 0:r0=1", true },
    { "x=2 /\\ (y=1 \\/ 0:r0=1)", "[x]=2 /\\ ([y]=1 \\/ 0:r0=1)", false },
    { "~x=2 /\\ ~(y=2)", "[x]!=2 /\\ [y]!=2", false },
    { "x=2 => y=1", "[x]=2 => [y]=1", true },
    { "x=1 => y=1", "[x]=1 => [y]=1", false },
    { "x=2 => y=2 /\\ y=1", "([x]=2 => [y]=2) /\\ [y]=1", false },
    { "x=1 => y=2 => x=2", "[x]=1 => ([y]=2 => [x]=2)", false },
    { "[x]=[y]", "[x]=[y]", false },
    { "x=0:r0", "[x]=0:r0", true },
    { "0:r0!=P1:r0", "~0:r0=1:r0", true },
    { "~[x]=[y] /\\ x=1", "(~[x]=[y]) /\\ [x]=1", true },
    { "x=*y", "[x]=[y]", false },
    { "(x=1 /\\ y=2) /\\ x=1", "([x]=1 /\\ [y]=2) /\\ [x]=1", true },
};

static int64_t condition_value(struct weiri_litmus_term term, const void *user)
{
    ck_assert_ptr_null(user);
    if (term.thread == WEIRI_LITMUS_MEMORY) {
        return term.index + 1;
    }
    return term.thread == 0 ? 1 : -1;
}

CASE("claims");

TEST(conditions_hold_or_not)
{
    for (size_t i = 0; i < G_N_ELEMENTS(conditions); i++) {
        g_autofree char *text = g_strdup_printf(
            "C t\n{}\nP0 (int* x, int* y) { int r0; }\nP1 () { int r0; }\n"
            "filter %s forall ( %s )",
            conditions[i].text, conditions[i].text);
        g_autoptr(weiri_litmus) test = litmus_read(text, conditions[i].text);
        EXPECT(weiri_litmus_holds(test->condition, condition_value, NULL)
                   == conditions[i].holds,
               "%s", conditions[i].text);
        g_autofree char *printed = weiri_litmus_print(test);
        g_autofree char *claim = g_strdup_printf(
            "filter (%s)\nforall (%s)\n", conditions[i].printed, conditions[i].printed);
        expect_contains(printed, claim);
        litmus_expect_round_trip(test, conditions[i].text);
    }
}

TEST(quantifiers_are_distinguished)
{
    static const struct {
        const char *text;
        enum weiri_litmus_quantifier quantifier;
    } quantifiers[] = {
        { "exists (x=1)", WEIRI_LITMUS_EXISTS },
        { "exists x=1;", WEIRI_LITMUS_EXISTS },
        { "(x=1)", WEIRI_LITMUS_EXISTS },
        { "~exists (x=1)", WEIRI_LITMUS_NOT_EXISTS },
        { "~ exists x=1", WEIRI_LITMUS_NOT_EXISTS },
        { "not exists (x=1)", WEIRI_LITMUS_NOT_EXISTS },
        { "forall (x=1)", WEIRI_LITMUS_FORALL },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(quantifiers); i++) {
        g_autofree char *text
            = g_strdup_printf("C t\n{}\nP0 (int* x) {}\n%s", quantifiers[i].text);
        g_autoptr(weiri_litmus) test = litmus_read(text, text);
        ck_assert_msg(test->quantifier == quantifiers[i].quantifier, "%s", text);
    }
}

static int64_t index_value(struct weiri_litmus_term term, const void *user)
{
    return term.index + (user != NULL);
}

TEST(a_state_has_registers_before_locations_by_name)
{
    g_autoptr(weiri_litmus) test
        = litmus_read("C t\n{ b = 0; a = 0; B = 0; }\n"
                      "P0 () { int r1; int r0; int r10; } P1 () { int x; }\n"
                      "locations [b; 1:x; 0:r10; 0:r1; b;] filter 0:r0=1 "
                      "exists (a=1 /\\ B=[b])",
                      "t");
    g_autofree char *state = weiri_litmus_state(test, index_value, NULL);
    ck_assert_str_eq(state, "0:r1=0,0:r10=2,1:x=0,[B]=2,[a]=1,[b]=0");
    g_autofree char *other = weiri_litmus_state(test, index_value, test);
    ck_assert_str_eq(other, "0:r1=1,0:r10=3,1:x=1,[B]=3,[a]=2,[b]=1");
}

MAIN("litmus")
