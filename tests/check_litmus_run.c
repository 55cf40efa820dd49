/* SPDX-License-Identifier: MIT
 *
 * check_litmus_run.c: threads of litmus tests as they run: values are those of C,
 * dependencies go where the text has them, and all that threads can do under sequential
 * consistency is what the samples claim. Where the environment variable WEIR_LITMUS_DIR
 * names a folder with litmus tests in c11/ and scoped/ and herd's answers in
 * verdicts.tsv, all of that is checked, too. */
#include "litmus_support.h"

#include <stdio.h>

/* ---- One thread ------------------------------------------------------------------ */

/* A thread alone with its memory. */
struct alone {
    struct weiri_litmus *test;
    struct weiri_litmus_run run;
    int64_t memory[8];
};

/* P0 with @body, over locations x, y, e and l, a long, that hold 1, 2, 3 and 4. */
static struct alone begin(const char *body)
{
    struct alone alone;
    g_autofree char *text = g_strdup_printf(
        "C t\n{ [x] = 1; [y] = 2; [e] = 3; [l] = 4; }\n"
        "P0 (atomic_int* x, int* y, int* e, atomic_long* l) {\n%s\n}\n",
        body);
    alone.test = litmus_read(text, body);
    litmus_expect_round_trip(alone.test, body);
    for (uint32_t i = 0; i < alone.test->n_locations; i++) {
        alone.memory[i] = alone.test->locations[i].initial;
    }
    const struct weiri_litmus_code *code = alone.test->threads[0].code;
    alone.run.slots = g_new(int64_t, MAX(code->n_slots, 1));
    weiri_litmus_start(code, &alone.run, NULL);
    return alone;
}

static void end(struct alone *alone)
{
    g_free(alone->run.slots);
    weiri_litmus_free(alone->test);
}

/* Does the event that the thread is at. */
static void perform(struct alone *alone)
{
    const struct weiri_litmus_code *code = alone->test->threads[0].code;
    const struct weiri_litmus_instruction *event = &code->instructions[alone->run.at];
    int64_t *cell = &alone->memory[event->location], was = *cell;
    int64_t value = weiri_litmus_value(&alone->run, &event->a);
    switch (event->op) {
    case WEIRI_LITMUS_OP_COMPARE: {
        bool equal = was == weiri_litmus_value(&alone->run, &event->b);
        *cell = equal ? value : was;
        weiri_litmus_resume_compare(code, &alone->run, was, equal, NULL);
        return;
    }
    case WEIRI_LITMUS_OP_WRITE:
        *cell = value;
        break;
    case WEIRI_LITMUS_OP_UPDATE:
        ck_assert(weiri_litmus_apply(event->function, event->type, was, value, cell)
                  == WEIRI_LITMUS_EVENT);
        break;
    default:
        break;
    }
    weiri_litmus_resume(code, &alone->run, was, NULL);
}

static enum weiri_litmus_stop run_on(struct alone *alone, uint32_t rounds)
{
    enum weiri_litmus_stop stop;
    while ((stop = weiri_litmus_next(alone->test->threads[0].code, &alone->run, rounds,
                                     NULL))
           == WEIRI_LITMUS_EVENT) {
        perform(alone);
    }
    return stop;
}

static int64_t register_value(const struct alone *alone, const char *name)
{
    const struct weiri_litmus_thread *thread = &alone->test->threads[0];
    for (uint32_t i = 0; i < thread->n_registers; i++) {
        if (strcmp(thread->registers[i].name, name) == 0) {
            return alone->run.slots[i];
        }
    }
    ck_abort_msg("no register %s", name);
}

/* ---- Values ---------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"

/* The results of this compiler for the same text. */
#define AS_IN_C(e)                                                                     \
    {                                                                                  \
#e, (long long)(e)                                                             \
    }

static const struct {
    const char *text;
    long long value;
} values[] = {
    AS_IN_C(1 + 2 * 3),
    AS_IN_C((1 + 2) * 3),
    AS_IN_C(10 - 4 - 3),
    AS_IN_C(100 / 10 / 2),
    AS_IN_C(7 / 2 * 2 + 7 % 2),
    AS_IN_C(-7 / 2),
    AS_IN_C(-7 % 3),
    AS_IN_C(7 % -3),
    AS_IN_C(1 << 2 + 3),
    AS_IN_C(256 >> 1 >> 2),
    AS_IN_C(-8 >> 1),
    AS_IN_C(1 << 3 < 9),
    AS_IN_C(3 < 4 == 1),
    AS_IN_C(1 | 2 ^ 3 & 6),
    AS_IN_C((1 | 2) ^ 3 & 6),
    AS_IN_C(5 & 4 == 4),
    AS_IN_C(1 || 0 && 0),
    AS_IN_C((1 || 0) && 0),
    AS_IN_C(!0 + !5),
    AS_IN_C(~0),
    AS_IN_C(-~5),
    AS_IN_C(- -5),
    AS_IN_C(0       ? 1
                : 0 ? 2
                    : 3),
    AS_IN_C((1 ? 0 : 1) ? 2 : 3),
    AS_IN_C(1 ? 2 : 3 + 10),
    AS_IN_C(3 >= 3),
    AS_IN_C(3 <= 2),
    AS_IN_C(3 != 4),
    AS_IN_C(3 > 4),
    AS_IN_C(1u - 2u),
    AS_IN_C((1u >= 0u) - 2),
    AS_IN_C((1u == 1u) - 2),
    AS_IN_C((1u && 1u) - 2),
    AS_IN_C(!1u - 2),
    AS_IN_C(-1 < 0u),
    AS_IN_C(-1l < 0u),
    AS_IN_C(0xffffffff + 1),
    AS_IN_C(0xffffffffl + 1),
    AS_IN_C(0x7fffffff),
    AS_IN_C(2147483648),
    AS_IN_C(017),
    AS_IN_C(1L << 40),
    AS_IN_C((int)4294967297L),
    AS_IN_C((unsigned)-1),
    AS_IN_C(-1 / 2u),
    AS_IN_C(1 ? -1 : 1u),
    AS_IN_C(~0u >> 4),
    AS_IN_C(9223372036854775807),
};
#pragma GCC diagnostic pop

CASE("running");

TEST(expressions_have_the_values_of_c)
{
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        g_autofree char *body = g_strdup_printf("long r = (%s);", values[i].text);
        struct alone alone = begin(body);
        ck_assert_int_eq(run_on(&alone, 8), WEIRI_LITMUS_DONE);
        EXPECT(register_value(&alone, "r") == values[i].value, "%s is %lld, not %lld",
               values[i].text, (long long)register_value(&alone, "r"), values[i].value);
        end(&alone);
    }
}

/* Bodies, and what r is in the end. */
static const struct {
    const char *body;
    long long value;
} bodies[] = {
    { "int r = 2147483647; r = r + 1;", INT32_MIN },
    { "int r = 2147483647; r += 1l;", INT32_MIN },
    { "int r = -2147483647 - 1; r = r / -1;", INT32_MIN },
    { "int r = -2147483647 - 1; r = r % -1;", 0 },
    { "long r = 9223372036854775807; r = r + 1;", INT64_MIN },
    { "long r = 9223372036854775807; r = -r - 1; r = r / -1;", INT64_MIN },
    { "long r = 9223372036854775807; r = r * 3;", 9223372036854775805 },
    { "unsigned r = 0; r = r - 1;", UINT32_MAX },
    { "unsigned u = -1; long r = u;", UINT32_MAX },
    { "int i = 4294967295l; long r = i;", -1 },
    { "bool r = 2; r = r + r;", 1 },
    { "bool b = 256; int r = b << 4;", 16 },
    { "int r = 1 << 31;", INT32_MIN },
    { "long r = (1 << 31l) - 1;", INT32_MAX },
    { "int r = *y; r = *y = r * 10; r = r + *y;", 40 },
    { "int r; *y = 1l << 32 | 5; r = *y;", 5 },
    { "int r = atomic_fetch_add(x, 2147483647); r = *x;", INT32_MIN },
    { "atomic_fetch_add(l, 2147483647); long r = *l;", 2147483651 },
    { "int r = atomic_fetch_sub(x, 3) * 10; r = r + *x;", 8 },
    { "atomic_exchange(x, 12); atomic_fetch_and(x, 10); int r = *x;", 8 },
    { "atomic_exchange(x, 12); atomic_fetch_or(x, 10); int r = *x;", 14 },
    { "atomic_exchange(x, 12); atomic_fetch_xor(x, 10); int r = *x;", 6 },
    { "atomic_fetch_min(x, -1); atomic_fetch_min(x, 5); int r = *x;", -1 },
    { "atomic_fetch_max(x, -1); atomic_fetch_max(x, 5); int r = *x;", 5 },
    { "int r = 0; if (*x) r = 1; else r = 2;", 1 },
    { "int r = 0; if (!*x) r = 1; else if (*y == 2) r = 2; else r = 3;", 2 },
    { "int r = 0; for (int i = 0; i < 4; i++) r += i;", 6 },
    { "int r = 0; while (r < 5) ++r;", 5 },
    { "int r = 0; do r++; while (r < 0);", 1 },
    { "int r = 0; for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) r++;", 9 },
    { "int r = 5; int s = r++; r = r * 10 + s;", 65 },
    { "int r = 5; int s = ++r; r = r * 10 + s;", 66 },
    { "int r = 5; int s = r-- - --r; r = r * 10 + s;", 32 },
    { "int r = 0; int s = 0 && (r = 1); s = 1 || (r = 2);", 0 },
    { "int r = 0; int s = 1 && (r = 7); r = r * 10 + s;", 71 },
    { "int r = 0; int s = 0 || (r = 7); r = r * 10 + s;", 71 },
    { "int s = 0; int r = *y ? 4 : (s = 1); r = r * 10 + s;", 40 },
    { "int r = 0 && 1 / 0;", 0 },
    /* Compare-exchanges: with a register, and with a location. */
    { "int e0 = 1; int r = atomic_compare_exchange_strong(x, &e0, 9); r = r * 100 + "
      "*x * 10 + e0;",
      191 },
    { "int e0 = 5; int r = atomic_compare_exchange_strong(x, &e0, 9); r = r * 100 + "
      "*x * 10 + e0;",
      11 },
    { "*e = 1; int r = atomic_compare_exchange_strong(x, e, 9); r = r * 100 + "
      "*x * 10 + *e;",
      191 },
    { "*e = 5; int r = atomic_compare_exchange_weak(x, e, 9); r = r * 100 + "
      "*x * 10 + *e;",
      11 },
    { "int r = 1; r = atomic_compare_exchange_strong(x, &r, 9);", 1 },
    { "int r = 5; r = atomic_compare_exchange_strong(x, &r, 9);", 0 },
    { "int r = 1; r = r + atomic_compare_exchange_strong(x, &r, r + *y) * 10 + "
      "*x * 100;",
      311 },
    { "int r = *(y + (*x & 2)) + y[*x - 1] + *(x - *x + (*x | 1));", 5 },
};

TEST(statements_do_what_they_do_in_c)
{
    for (size_t i = 0; i < G_N_ELEMENTS(bodies); i++) {
        struct alone alone = begin(bodies[i].body);
        EXPECT(run_on(&alone, 8) == WEIRI_LITMUS_DONE, "%s", bodies[i].body);
        EXPECT(register_value(&alone, "r") == bodies[i].value, "%s: %lld, not %lld",
               bodies[i].body, (long long)register_value(&alone, "r"), bodies[i].value);
        end(&alone);
    }
}

TEST(undefined_behaviour_ends_a_run)
{
    static const struct {
        const char *body;
        enum weiri_litmus_stop stop;
    } faults[] = {
        { "int r = 1 / 0;", WEIRI_LITMUS_DIVISION },
        { "int r = *x; r = 1 % (r - 1);", WEIRI_LITMUS_DIVISION },
        { "int r = 1 << 32;", WEIRI_LITMUS_SHIFT },
        { "long r = 1l << 64;", WEIRI_LITMUS_SHIFT },
        { "int r = *x; r = r >> -1;", WEIRI_LITMUS_SHIFT },
        { "int r = *x; r = 1 << (r - (1l << 32));", WEIRI_LITMUS_SHIFT },
        { "int r = *(y + *x);", WEIRI_LITMUS_BEYOND },
        { "atomic_store(x - *x, 1);", WEIRI_LITMUS_BEYOND },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(faults); i++) {
        struct alone alone = begin(faults[i].body);
        EXPECT(run_on(&alone, 8) == faults[i].stop, "%s", faults[i].body);
        end(&alone);
    }
    struct alone alone = begin("long r = 1l << 63; r = r >> 63;");
    ck_assert_int_eq(run_on(&alone, 8), WEIRI_LITMUS_DONE);
    ck_assert_int_eq(register_value(&alone, "r"), -1);
    end(&alone);
}

TEST(loops_have_as_many_rounds_as_they_may)
{
    static const struct {
        const char *body;
        uint32_t rounds;
        enum weiri_litmus_stop stop;
        int64_t r;
    } loops[] = {
        { "int r = 0; while (r < 8) r++;", 8, WEIRI_LITMUS_DONE, 8 },
        { "int r = 0; while (r < 8) r++;", 7, WEIRI_LITMUS_BOUND, 7 },
        { "int r = 0; while (r < 8) r++;", 0, WEIRI_LITMUS_BOUND, 0 },
        { "int r = 0; while (0) r++;", 0, WEIRI_LITMUS_DONE, 0 },
        { "int r = 0; do r++; while (r < 8);", 8, WEIRI_LITMUS_DONE, 8 },
        { "int r = 0; do r++; while (r < 8);", 7, WEIRI_LITMUS_BOUND, 7 },
        { "int r = 0; for (;;) r++;", 3, WEIRI_LITMUS_BOUND, 3 },
        { "int r = 0; for (; *y;) r++;", 3, WEIRI_LITMUS_BOUND, 3 },
        { "int r = 0; for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) r++;", 3,
          WEIRI_LITMUS_DONE, 9 },
        { "int r = 0; for (int i = 0; i < 3; i++) for (int k = 0; k < 3; k++) r++;", 2,
          WEIRI_LITMUS_BOUND, 2 },
        /* Thousands of millions of rounds, and no event. */
        { "int r = 0; while (1) while (1) while (1) while (1) while (1) while (1) "
          "while (1) while (1) while (1) while (1) while (1) ;",
          8, WEIRI_LITMUS_BOUND, 0 },
    };
    for (size_t i = 0; i < G_N_ELEMENTS(loops); i++) {
        struct alone alone = begin(loops[i].body);
        EXPECT(run_on(&alone, loops[i].rounds) == loops[i].stop, "%s", loops[i].body);
        EXPECT(register_value(&alone, "r") == loops[i].r, "%s: %lld", loops[i].body,
               (long long)register_value(&alone, "r"));
        end(&alone);
    }
}

TEST(events_have_their_place_in_the_text)
{
    struct alone alone = begin("int r =\n  *y + atomic_load(x);\nif (r)\n  *y = 1;\n"
                               "atomic_compare_exchange_strong(x, e, *y);");
    static const struct {
        enum weiri_litmus_op op;
        uint32_t line, column;
        bool part;
    } places[] = {
        { WEIRI_LITMUS_OP_READ, 5, 3, false },
        { WEIRI_LITMUS_OP_READ, 5, 8, false },
        { WEIRI_LITMUS_OP_WRITE, 7, 3, false },
        { WEIRI_LITMUS_OP_READ, 8, 38, false },
        { WEIRI_LITMUS_OP_READ, 8, 1, true },
        { WEIRI_LITMUS_OP_COMPARE, 8, 1, false },
        { WEIRI_LITMUS_OP_WRITE, 8, 1, true },
    };
    const struct weiri_litmus_code *code = alone.test->threads[0].code;
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        ck_assert_int_eq(weiri_litmus_next(code, &alone.run, 8, NULL),
                         WEIRI_LITMUS_EVENT);
        const struct weiri_litmus_instruction *event
            = &code->instructions[alone.run.at];
        EXPECT(event->op == places[i].op && event->place.line == places[i].line
                   && event->place.column == places[i].column
                   && event->part == places[i].part,
               "event %zu at %u:%u", i, event->place.line, event->place.column);
        perform(&alone);
    }
    ck_assert_int_eq(run_on(&alone, 8), WEIRI_LITMUS_DONE);
    ck_assert_int_eq(alone.memory[2], 1);
    end(&alone);
}

/* ---- Dependencies ---------------------------------------------------------------- */

static void say_reads(GString *text, const char *what, uint64_t reads)
{
    for (unsigned i = 0; i < 64; i++) {
        if ((reads >> i & 1) != 0) {
            g_string_append_printf(text, " %s%u", what, i);
        }
    }
}

/* The events of P0 with @body, where the n-th read has the n-th of @values: a letter
 * each, and which reads its address, data, expected value and control depend on. */
static char *flow_of(const char *body, const char *read)
{
    struct alone alone = begin(body);
    const struct weiri_litmus_code *code = alone.test->threads[0].code;
    g_autofree uint64_t *slots = g_new(uint64_t, MAX(code->n_slots, 1));
    g_autofree uint64_t *depths = g_new(uint64_t, code->n_depths);
    struct weiri_litmus_flow flow = { .slots = slots, .depths = depths };
    GString *text = g_string_new(NULL);
    weiri_litmus_start(code, &alone.run, &flow);
    while (weiri_litmus_next(code, &alone.run, 8, &flow) == WEIRI_LITMUS_EVENT) {
        const struct weiri_litmus_instruction *event
            = &code->instructions[alone.run.at];
        g_string_append_printf(text, "%s%c", text->len > 0 ? "; " : "",
                               "RWUCFB"[event->op]);
        say_reads(text, "a", flow.address);
        say_reads(text, "d", flow.data);
        say_reads(text, "e", flow.expected);
        say_reads(text, "c", flow.control);
        bool reads
            = event->op != WEIRI_LITMUS_OP_WRITE && event->op != WEIRI_LITMUS_OP_FENCE;
        int64_t value = reads && *read != '\0' ? *read++ - '0' : 0;
        if (event->op == WEIRI_LITMUS_OP_COMPARE) {
            weiri_litmus_resume_compare(
                code, &alone.run, value,
                value == weiri_litmus_value(&alone.run, &event->b), &flow);
        } else {
            weiri_litmus_resume(code, &alone.run, value, &flow);
        }
    }
    end(&alone);
    return g_string_free(text, FALSE);
}

static const struct {
    const char *body, *read, *flow;
} flows[] = {
    /* Data and addresses, through registers, for all values. */
    { "int r = *y; *x = r;", "", "R; W d0" },
    { "int r = *y; *x = r & 0;", "", "R; W d0" },
    { "int r = *y; int s = r + 1; *x = s - r;", "", "R; W d0" },
    { "int r = *y; int s = *e; *x = r + s * 0;", "", "R; R; W d0 d1" },
    { "int r = *y; r = 1; *x = r;", "", "R; W" },
    { "*x = *y + *e;", "", "R; R; W d0 d1" },
    { "int r = *y; *(x + (r ^ r)) = 1;", "", "R; W a0" },
    { "int r = *y; int s = *(e + r); *x = s;", "", "R; R a0; W d1" },
    { "int r = *y; atomic_fetch_add(x, r); *e = 1;", "", "R; U d0; W" },
    { "int r = atomic_fetch_add(x, 1); *e = r;", "", "U; W d0" },
    { "int r = *y; bool b = r; *x = (long)b;", "", "R; W d0" },
    { "int r = *y; *x = !r + ~0 - -0;", "", "R; W d0" },
    /* Control: what is chosen, up to the join. */
    { "int r = *y; if (r) *x = 1; *e = 1;", "1", "R; W c0; W" },
    { "int r = *y; if (r) *x = 1; *e = 1;", "0", "R; W" },
    { "if (*y) ; *x = 1;", "1", "R; W" },
    { "while (*y) ; *x = 1;", "", "R; W" },
    { "int r = *y; if (r) ; else *x = 1; *e = 1;", "0", "R; W c0; W" },
    { "if (*y) { if (*e) *x = 1; *x = 2; } *x = 3;", "11",
      "R; R c0; W c0 c1; W c0; W" },
    { "if (*y) if (*e) *x = 1; else *x = 2;", "10", "R; R c0; W c0 c1" },
    { "int r = 0; if (*y) r = 1; *x = r;", "1", "R; W" },
    { "int r = *e; if (*y) *x = r;", "01", "R; R; W d0 c1" },
    { "int r = *y; if (r == r) atomic_thread_fence(memory_order_seq_cst);", "",
      "R; F c0" },
    /* Loops: the body and later rounds. */
    { "while (*y == 0) *e = 1; *x = 1;", "001", "R; W c0; R c0; W c0 c1; R c0 c1; W" },
    { "do *e = 1; while (*y == 0); *x = 1;", "01", "W; R; W c0; R c0; W" },
    { "for (int i = *e; i < 2; i++) *x = i;", "", "R; W d0 c0; W d0 c0" },
    { "for (int i = 0; i < 2; i++) if (*y) *x = i; *e = 1;", "11",
      "R; W c0; R; W c1; W" },
    { "for (int i = 0; i < 2; i++) while (*y) ; *x = 1;", "100", "R; R c0; R; W" },
    /* Operators that branch: of what was evaluated. */
    { "*x = *y && *e;", "11", "R; R c0; W d0 d1" },
    { "*x = *y && *e;", "0", "R; W d0" },
    { "*x = *y || *e;", "1", "R; W d0" },
    { "if (*y && *e) *x = 1;", "11", "R; R c0; W c0 c1" },
    { "*x = *y ? *e : 5;", "1", "R; R c0; W d0 d1" },
    { "*x = *y ? *e : 5;", "0", "R; W d0" },
    /* Compare-exchanges. */
    { "int r = *y; int s = *l; int q = atomic_compare_exchange_strong(x, &r, s); "
      "*e = q;",
      "120", "R; R; C d1 e0; W d0 d2" },
    { "int r = *y; atomic_compare_exchange_strong(x, &r, 1); *e = r;", "12",
      "R; C e0; W d1" },
    { "int r = *y; atomic_compare_exchange_strong(x, &r, 1); *e = r;", "11",
      "R; C e0; W d0" },
    { "atomic_compare_exchange_strong(x, e, 1); *y = 1;", "11", "R; C e0; W" },
    { "atomic_compare_exchange_strong(x, e, 1); *y = 1;", "12",
      "R; C e0; W d1 c0 c1; W" },
};

CASE("flow");

TEST(dependencies_follow_the_text)
{
    for (size_t i = 0; i < G_N_ELEMENTS(flows); i++) {
        g_autofree char *flow = flow_of(flows[i].body, flows[i].read);
        EXPECT(strcmp(flow, flows[i].flow) == 0, "%s\nis %s, not %s", flows[i].body,
               flow, flows[i].flow);
    }
}

TEST(more_reads_than_bits_are_not_followed)
{
    g_autofree char *flow = flow_of(
        "for (int i = 0; i < 8; i++) for (int k = 0; k < 8; k++) *x = *y; *x = "
        "*y;",
        "");
    ck_assert(g_str_has_suffix(flow, "; R; W d63; R; W"));
}

/* ---- All interleavings ----------------------------------------------------------- */

CASE("interleavings");

/* Interleavings, too, decide what the tests of the library say of sc. */
TEST(the_library_is_as_it_says)
{
    g_autoptr(GPtrArray) paths = litmus_list(SAMPLES);
    ck_assert_uint_gt(paths->len, 0);
    for (guint i = 0; i < paths->len; i++) {
        const char *path = g_ptr_array_index(paths, i);
        g_autofree char *file = g_path_get_basename(path);
        g_autoptr(weiri_litmus) test = litmus_read_file(path);
        litmus_expect_round_trip(test, path);
        g_autofree char *named = g_strdup_printf("%s.litmus", test->name);
        ck_assert_str_eq(named, file);
        g_auto(litmus_sc) sc = litmus_sc_run(test, 4);
        g_autofree char *found = g_strdup_printf("sc %s", litmus_sc_observation(&sc));
        g_auto(GStrv) said = litmus_file_says(path, "expect");
        EXPECT(g_strv_contains((const char *const *)said, found), "%s: %s", path,
               found);
        ck_assert_uint_eq(sc.n_faults, 0);
    }
}

static void expect_states(const char *text, const char *expected)
{
    g_autoptr(weiri_litmus) test = litmus_read(text, text);
    g_auto(litmus_sc) sc = litmus_sc_run(test, 8);
    g_auto(GStrv) states = g_strsplit(expected, ";", 0);
    for (size_t i = 0; states[i] != NULL; i++) {
        EXPECT(g_hash_table_contains(sc.states, states[i]), "%s: no %s", text,
               states[i]);
    }
    ck_assert_uint_eq(g_hash_table_size(sc.states), g_strv_length(states));
}

TEST(interleavings_are_all_there)
{
    expect_states("C sb\n{}\nP0 (int* x, int* y) { *x = 1; int r = *y; }\n"
                  "P1 (int* x, int* y) { *y = 1; int r = *x; }\nlocations [0:r; 1:r;]",
                  "0:r=0,1:r=1;0:r=1,1:r=0;0:r=1,1:r=1");
    expect_states("C lost\n{}\nP0 (int* x) { ++*x; }\nP1 (int* x) { ++*x; }\n"
                  "locations [x;]",
                  "[x]=1;[x]=2");
    expect_states("C kept\n{}\nP0 (int* x) { atomic_fetch_add(x, 1); }\n"
                  "P1 (int* x) { atomic_fetch_add(x, 1); }\nlocations [x;]",
                  "[x]=2");
    expect_states("C weak\n{}\nP0 (int* x) { int e = 0; int r = "
                  "atomic_compare_exchange_weak(x, &e, 1); }\nlocations [x; 0:r; 0:e;]",
                  "0:e=0,0:r=0,[x]=0;0:e=0,0:r=1,[x]=1");
    expect_states("OPENCL met\n{}\nP0@wg 0 (int* x) { *x = 1; barrier(0); }\n"
                  "P1@wg 0 (int* x) { barrier(0); int r = *x; }\n"
                  "P2@wg 1 (int* x) { barrier(0); int r = *x; }\nlocations [1:r; 2:r;]",
                  "1:r=1,2:r=0;1:r=1,2:r=1");
}

/* ---- A folder of tests ----------------------------------------------------------- */

TEST(every_test_of_the_folder_is_read_and_printed)
{
    const char *folder = getenv("WEIR_LITMUS_DIR");
    if (folder == NULL) {
        return;
    }
    size_t n = 0;
    static const char *const parts[] = { "c11", "scoped" };
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *part = g_build_filename(folder, parts[i], NULL);
        g_autoptr(GPtrArray) names = litmus_list(part);
        for (guint k = 0; k < names->len; k++, n++) {
            const char *name = g_ptr_array_index(names, k);
            g_autoptr(weiri_litmus) test = litmus_read_file(name);
            ck_assert(test->scoped == (i == 1));
            litmus_expect_round_trip(test, name);
        }
    }
    printf("%zu litmus tests read and printed\n", n);
    ck_assert_uint_gt(n, 0);
}

static void expect_verdict(const struct weiri_litmus *test,
                           const struct litmus_verdict *verdict, void *user)
{
    g_auto(litmus_sc) sc = litmus_sc_run(test, 8);
    size_t *n_states = user;
    *n_states += g_hash_table_size(sc.states);
    litmus_expect_states(verdict, sc.states);
    EXPECT(strcmp(litmus_sc_observation(&sc), verdict->observation) == 0,
           "%s: %s, not %s", verdict->file, litmus_sc_observation(&sc),
           verdict->observation);
    EXPECT(sc.n_bounded == 0 && sc.n_faults == 0, "%s", verdict->file);
}

TEST(sequential_consistency_is_as_herd_says)
{
    size_t n_states = 0;
    size_t n = litmus_each_verdict("sc", 1, expect_verdict, &n_states);
    if (n > 0) {
        printf("%zu tests, %zu final states as herd has them\n", n, n_states);
    }
}

MAIN("litmus-run")
