/* SPDX-License-Identifier: MIT
 *
 * native_litmus_write.c: writes C to standard output: a kernel for each litmus test
 * that the arguments name, and the table of struct native_litmus_test. A thread's code
 * is written instruction by instruction: slots are variables, branches gotos.
 *
 * Barriers meet at the same place in the source, or not at all; those of one label are
 * one function. A barrier with a wide fence is a fence, a barrier and a fence, as in
 * sim/litmus/program.c.
 *
 * Local memory gets its initial values once, from code without memory hooks. */
#include "config.h"

#include "litmus/code.h"
#include "litmus/parser.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct writer {
    GString *c;
    const struct weiri_litmus *test;
    unsigned number;    /* of the test */
    const char *reason; /* why there cannot be a kernel, or NULL */
    uint32_t n_items, n_groups;
    bool devices;      /* more than one */
    uint32_t *item_of; /* by thread: its global id */
};

static const char *type_of(enum weiri_litmus_type type)
{
    return type == WEIRI_LITMUS_LONG ? "int64_t"
        : type == WEIRI_LITMUS_UINT  ? "uint32_t"
                                     : "int32_t";
}

/* ---- What a launch cannot be ----------------------------------------------------- */

static void refuse(struct writer *w, const char *reason)
{
    w->reason = w->reason != NULL ? w->reason : reason;
}

static bool has_barrier(const struct weiri_litmus_code *code)
{
    bool has = false;
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        has |= code->instructions[i].op == WEIRI_LITMUS_OP_BARRIER;
    }
    return has;
}

/* Sets the items' ids: those of a group are consecutive. All groups have as many items,
 * some of which may do nothing; but then their group can have no barriers. */
static void place_items(struct writer *w)
{
    const struct weiri_litmus *test = w->test;
    w->item_of = g_new0(uint32_t, test->n_threads);
    g_autofree uint64_t *groups = g_new(uint64_t, test->n_threads);
    g_autofree uint32_t *members = g_new0(uint32_t, test->n_threads);
    g_autofree bool *barriers = g_new0(bool, test->n_threads);
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_thread *thread = &test->threads[t];
        uint64_t group
            = test->placed ? (uint64_t)thread->device << 32 | thread->group : t;
        uint32_t at = 0;
        w->devices |= test->placed && thread->device != test->threads[0].device;
        while (at < w->n_groups && groups[at] != group) {
            at++;
        }
        if (at == w->n_groups) {
            groups[w->n_groups++] = group;
        }
        w->item_of[t] = at << 16 | members[at]++;
        w->n_items = MAX(w->n_items, members[at]);
        barriers[at] |= has_barrier(thread->code);
    }
    for (uint32_t g = 0; g < w->n_groups; g++) {
        if (members[g] != w->n_items && barriers[g]) {
            refuse(w, "groups of different sizes, with barriers");
        }
    }
    for (uint32_t t = 0; t < test->n_threads; t++) {
        w->item_of[t] = (w->item_of[t] >> 16) * w->n_items + (w->item_of[t] & 0xffff);
    }
}

static bool has_operation(const struct weiri_litmus_instruction *at)
{
    switch (at->function) {
    case WEIRI_LITMUS_ADD:
    case WEIRI_LITMUS_SUBTRACT:
    case WEIRI_LITMUS_AND:
    case WEIRI_LITMUS_OR:
    case WEIRI_LITMUS_XOR:
    case WEIRI_LITMUS_MIN:
    case WEIRI_LITMUS_MAX:
    case WEIRI_LITMUS_EXCHANGE:
        return at->type != WEIRI_LITMUS_BOOL;
    default:
        return false;
    }
}

static void check_event(struct writer *w, const struct weiri_litmus_instruction *at,
                        unsigned *label_spaces)
{
    if (at->op == WEIRI_LITMUS_OP_UPDATE && !has_operation(at)) {
        refuse(w, "a read-modify-write that kernels do not have");
    }
    if (at->op >= WEIRI_LITMUS_OP_UPDATE && at->op <= WEIRI_LITMUS_OP_COMPARE
        && !at->atomic) {
        refuse(w, "a plain read-modify-write");
    }
    if ((at->atomic || at->op == WEIRI_LITMUS_OP_FENCE) && w->n_items > 1
        && at->scope == memory_scope_sub_group) {
        refuse(w, "sub-group scope: litmus tests have no sub-groups");
    }
    if (at->op == WEIRI_LITMUS_OP_BARRIER) {
        unsigned *spaces = &label_spaces[at->label];
        if (*spaces != 0 && *spaces != at->spaces + 1) {
            refuse(w, "barriers of one name with different flags");
        }
        *spaces = at->spaces + 1;
    }
}

static void check(struct writer *w)
{
    const struct weiri_litmus *test = w->test;
    g_autofree unsigned *label_spaces = g_new0(unsigned, test->n_labels + 1);
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            if (code->instructions[i].op < WEIRI_LITMUS_OP_COMPUTE) {
                check_event(w, &code->instructions[i], label_spaces);
            }
        }
    }
}

/* ---- Instructions ---------------------------------------------------------------- */

static const char *operand(const struct weiri_litmus_operand *of, char text[32])
{
    if (of->slot == WEIRI_LITMUS_NO_SLOT) {
        g_snprintf(text, 32, "INT64_C(%" PRId64 ")", of->value);
    } else {
        g_snprintf(text, 32, "s%u", of->slot);
    }
    return text;
}

/* The expression of @address. */
static char *address_of(const struct writer *w,
                        const struct weiri_litmus_instruction *at)
{
    const struct weiri_litmus_location *location = &w->test->locations[at->location];
    return g_strdup_printf("((%s *)&%s[%u])", type_of(at->type),
                           location->space == WEIR_LOCAL ? "local" : "memory",
                           at->location);
}

/* A value as the location's type has it. */
static char *converted(enum weiri_litmus_type type, const char *value)
{
    return type == WEIRI_LITMUS_BOOL ? g_strdup_printf("(int32_t)(%s != 0)", value)
                                     : g_strdup_printf("(%s)%s", type_of(type), value);
}

static const char *update_name(enum weiri_litmus_function function)
{
    switch (function) {
    case WEIRI_LITMUS_ADD:
        return "fetch_add";
    case WEIRI_LITMUS_SUBTRACT:
        return "fetch_sub";
    case WEIRI_LITMUS_AND:
        return "fetch_and";
    case WEIRI_LITMUS_OR:
        return "fetch_or";
    case WEIRI_LITMUS_XOR:
        return "fetch_xor";
    case WEIRI_LITMUS_MIN:
        return "fetch_min";
    case WEIRI_LITMUS_MAX:
        return "fetch_max";
    default:
        return "exchange";
    }
}

static const char *scope_of(const struct weiri_litmus_instruction *at)
{
    return at->scope == memory_scope_system ? "memory_scope_system"
                                            : weiri_litmus_scopes[at->scope];
}

static void write_access(struct writer *w, const struct weiri_litmus_instruction *at)
{
    GString *c = w->c;
    char text[32];
    g_autofree char *address = address_of(w, at);
    g_autofree char *a = converted(at->type, operand(&at->a, text));
    g_autofree char *b = converted(at->type, operand(&at->b, text));
    const char *order = weiri_litmus_orders[at->order], *scope = scope_of(at);
    if (at->op != WEIRI_LITMUS_OP_WRITE && at->op != WEIRI_LITMUS_OP_COMPARE
        && at->result != WEIRI_LITMUS_NO_SLOT) {
        g_string_append_printf(c, "s%u = ", at->result);
    }
    switch (at->op) {
    case WEIRI_LITMUS_OP_READ:
        if (at->atomic) {
            g_string_append_printf(c, "weir_atomic_load_explicit(%s, %s, %s);", address,
                                   order, scope);
        } else {
            g_string_append_printf(c, "PLAIN_READ(%s);", address);
        }
        break;
    case WEIRI_LITMUS_OP_WRITE:
        if (at->atomic) {
            g_string_append_printf(c, "weir_atomic_store_explicit(%s, %s, %s, %s);",
                                   address, a, order, scope);
        } else {
            g_string_append_printf(c, "*%s = %s;", address, a);
        }
        break;
    case WEIRI_LITMUS_OP_UPDATE:
        g_string_append_printf(c, "weir_atomic_%s_explicit(%s, %s, %s, %s);",
                               update_name(at->function), address, a, order, scope);
        break;
    default:
        g_string_append_printf(
            c,
            "{ %s expected = %s; s%u = "
            "weir_atomic_compare_exchange_%s_explicit(%s, &expected, %s, %s, %s, "
            "%s); s%u = expected; }",
            type_of(at->type), b, at->result, at->weak ? "weak" : "strong", address, a,
            order, weiri_litmus_orders[at->failure], scope, at->old);
        break;
    }
}

static const char *spaces_of(unsigned spaces)
{
    return spaces == (WEIR_LOCAL | WEIR_GLOBAL) ? "WEIR_LOCAL | WEIR_GLOBAL"
        : spaces == WEIR_LOCAL                  ? "WEIR_LOCAL"
        : spaces == WEIR_GLOBAL                 ? "WEIR_GLOBAL"
                                                : "0";
}

static void write_barrier(struct writer *w, const struct weiri_litmus_instruction *at)
{
    g_autofree char *fence = at->scope > memory_scope_work_group
        ? g_strdup_printf("weir_work_item_fence(%s, memory_order_acq_rel, %s);",
                          spaces_of(at->spaces), scope_of(at))
        : g_strdup("");
    g_string_append_printf(w->c, "%s barrier%u_%u(item); %s", fence, w->number,
                           at->label, fence);
}

static void write_event(struct writer *w, const struct weiri_litmus_instruction *at)
{
    char address[32];
    if (at->address.slot != WEIRI_LITMUS_NO_SLOT || at->address.value != 0) {
        g_string_append_printf(w->c, "weir_assert(item, %s == 0); ",
                               operand(&at->address, address));
    }
    switch (at->op) {
    case WEIRI_LITMUS_OP_FENCE:
        g_string_append_printf(w->c, "weir_work_item_fence(%s, %s, %s);",
                               spaces_of(at->spaces), weiri_litmus_orders[at->order],
                               scope_of(at));
        break;
    case WEIRI_LITMUS_OP_BARRIER:
        write_barrier(w, at);
        break;
    default:
        write_access(w, at);
        break;
    }
    g_string_append(w->c, " HERE;\n");
}

static void write_compute(struct writer *w, const struct weiri_litmus_instruction *at)
{
    static const char *const logical[]
        = { [WEIRI_LITMUS_LOGICAL_OR] = "||", [WEIRI_LITMUS_LOGICAL_AND] = "&&" };
    char left[32], right[32];
    const char *raw_b = operand(&at->b, right);
    g_autofree char *a = converted(at->type, operand(&at->a, left));
    g_autofree char *b = converted(at->type, raw_b);
    g_autofree char *value = NULL;
    unsigned bits = at->type == WEIRI_LITMUS_LONG ? 64 : 32;
    switch (at->function) {
    case WEIRI_LITMUS_LOGICAL_OR:
    case WEIRI_LITMUS_LOGICAL_AND:
        value = g_strdup_printf("%s %s %s", a, logical[at->function], b);
        break;
    case WEIRI_LITMUS_SHIFT_LEFT:
    case WEIRI_LITMUS_SHIFT_RIGHT:
        g_string_append_printf(w->c, "weir_assert(item, %s >= 0 && %s < %u); ", raw_b,
                               raw_b, bits);
        value = g_strdup_printf(at->function == WEIRI_LITMUS_SHIFT_LEFT
                                    ? "(int64_t)((uint64_t)%s << %s)"
                                    : "%s >> %s",
                                a, raw_b);
        break;
    case WEIRI_LITMUS_ADD:
    case WEIRI_LITMUS_SUBTRACT:
    case WEIRI_LITMUS_MULTIPLY:
        value = g_strdup_printf("(int64_t)((uint64_t)%s %s (uint64_t)%s)", a,
                                weiri_litmus_function_text(at->function), b);
        break;
    case WEIRI_LITMUS_DIVIDE:
    case WEIRI_LITMUS_MODULO:
        g_string_append_printf(w->c, "weir_assert(item, %s != 0); ", b);
        value = at->function == WEIRI_LITMUS_DIVIDE
            ? g_strdup_printf("%s == -1 ? (int64_t)(0 - (uint64_t)%s) : %s / %s", b, a,
                              a, b)
            : g_strdup_printf("%s == -1 ? 0 : %s %% %s", b, a, b);
        break;
    case WEIRI_LITMUS_EXCHANGE:
        value = g_strdup(b);
        break;
    case WEIRI_LITMUS_FIRST:
        value = g_strdup(a);
        break;
    case WEIRI_LITMUS_MIN:
    case WEIRI_LITMUS_MAX:
        value = g_strdup_printf("%s %s %s ? %s : %s", a,
                                at->function == WEIRI_LITMUS_MIN ? "<" : ">", b, a, b);
        break;
    default:
        value = g_strdup_printf("(int64_t)%s %s (int64_t)%s", a,
                                weiri_litmus_function_text(at->function), b);
        break;
    }
    g_autofree char *bracketed = g_strdup_printf("(%s)", value);
    g_autofree char *result = converted(at->type, bracketed);
    g_string_append_printf(w->c, "s%u = %s;\n", at->result, result);
}

/* The values that the test looks at. */
static void write_end(struct writer *w, uint32_t thread)
{
    for (uint32_t i = 0; i < w->test->n_observed; i++) {
        struct weiri_litmus_term term = w->test->observed[i];
        if (term.thread == thread) {
            g_string_append_printf(w->c, "out[%u] = s%u; ", i, term.index);
        }
    }
    g_string_append(w->c, "return;\n");
}

static void write_instruction(struct writer *w, uint32_t thread,
                              const struct weiri_litmus_instruction *at)
{
    char text[32];
    switch (at->op) {
    case WEIRI_LITMUS_OP_COMPUTE:
        write_compute(w, at);
        break;
    case WEIRI_LITMUS_OP_BRANCH:
        g_string_append_printf(w->c, "if (%s %s 0) goto L%u;\n", operand(&at->a, text),
                               at->when ? "!=" : "==", at->target);
        break;
    case WEIRI_LITMUS_OP_JUMP:
        g_string_append_printf(w->c, "goto L%u;\n", at->target);
        break;
    case WEIRI_LITMUS_OP_END:
        write_end(w, thread);
        break;
    case WEIRI_LITMUS_OP_ENTER:
    case WEIRI_LITMUS_OP_HEAD:
    case WEIRI_LITMUS_OP_ROUND:
        g_string_append(w->c, ";\n"); /* the explorer finds out what loops do */
        break;
    default:
        write_event(w, at);
        break;
    }
}

/* ---- Kernels --------------------------------------------------------------------- */

static void write_thread(struct writer *w, uint32_t thread)
{
    const struct weiri_litmus_code *code = w->test->threads[thread].code;
    g_string_append_printf(w->c,
                           "static void thread%u_%u(struct weir_item *item, int64_t "
                           "*memory, int64_t *out, int64_t *local)\n{\n",
                           w->number, thread);
    for (uint32_t s = 0; s < code->n_slots; s++) {
        g_string_append_printf(w->c, "    int64_t s%u = INT64_C(%" PRId64 ");\n", s,
                               s < code->n_registers ? code->initial[s] : 0);
    }
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        g_string_append_printf(w->c, "L%u: ", i);
        write_instruction(w, thread, &code->instructions[i]);
    }
    g_string_append(w->c, "}\n\n");
}

static void write_barriers(struct writer *w)
{
    g_autofree bool *seen = g_new0(bool, w->test->n_labels + 1);
    for (uint32_t t = 0; t < w->test->n_threads; t++) {
        const struct weiri_litmus_code *code = w->test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            const struct weiri_litmus_instruction *at = &code->instructions[i];
            if (at->op == WEIRI_LITMUS_OP_BARRIER && !seen[at->label]) {
                seen[at->label] = true;
                g_string_append_printf(w->c,
                                       "static void barrier%u_%u(struct weir_item "
                                       "*item)\n{\n    weir_barrier(item, %s);\n}\n\n",
                                       w->number, at->label, spaces_of(at->spaces));
            }
        }
    }
}

/* Local memory: an element for each location, local or not. Returns: whether any is */
static bool write_local(struct writer *w)
{
    bool any = false;
    for (uint32_t i = 0; i < w->test->n_locations; i++) {
        any |= w->test->locations[i].space == WEIR_LOCAL;
    }
    if (!any) {
        return false;
    }
    g_string_append_printf(
        w->c,
        "NO_HOOKS static void fill%u(volatile int64_t *local, int64_t "
        "stamp)\n{\n"
        "    if (local[%u] == stamp) return;\n"
        "    local[%u] = stamp;\n",
        w->number, w->test->n_locations, w->test->n_locations);
    for (uint32_t i = 0; i < w->test->n_locations; i++) {
        const struct weiri_litmus_location *location = &w->test->locations[i];
        g_string_append_printf(w->c, "    local[%u] = INT64_C(%" PRId64 ");\n", i,
                               weiri_litmus_convert(location->type, location->initial));
    }
    g_string_append(w->c, "}\n\n");
    return true;
}

static void write_kernel(struct writer *w)
{
    write_barriers(w);
    bool local = write_local(w);
    for (uint32_t t = 0; t < w->test->n_threads; t++) {
        write_thread(w, t);
    }
    g_string_append_printf(w->c,
                           "WEIR_KERNEL(kernel%u, native_litmus_args)\n{\n"
                           "    int64_t *local = NULL;\n"
                           "    int64_t stamp = FILLED + args->stamp * 0x10000\n"
                           "        + (int64_t)weir_group_id(item, 0);\n",
                           w->number);
    if (local) {
        g_string_append_printf(
            w->c,
            "    local = weir_local_array(item, int64_t, %u);\n"
            "    void (*fill)(volatile int64_t *, int64_t) = fill%u;\n"
            "    __asm__(\"\" : \"+r\"(fill));\n"
            "    fill(local, stamp);\n",
            w->test->n_locations + 1, w->number);
    }
    g_string_append(w->c, "    switch (weir_global_id(item, 0)) {\n");
    for (uint32_t t = 0; t < w->test->n_threads; t++) {
        g_string_append_printf(
            w->c,
            "    case %u: thread%u_%u(item, args->memory, args->out, "
            "local); break;\n",
            w->item_of[t], w->number, t);
    }
    g_string_append(w->c, "    }\n}\n\n");
}

static bool write_test(const char *path, unsigned number, GString *c, GString *table)
{
    g_autofree char *text = NULL;
    gsize bytes = 0;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &text, &bytes, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return false;
    }
    struct weiri_litmus *test = weiri_litmus_parse(text, bytes, path, &error);
    if (test == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return false;
    }
    struct writer w = { .c = c, .test = test, .number = number };
    place_items(&w);
    check(&w);
    g_autofree char *shown = g_strescape(path, NULL);
    if (w.reason == NULL) {
        write_kernel(&w);
        g_string_append_printf(table, "    { \"%s\", &kernel%u, NULL, %u, %u, %d },\n",
                               shown, number, w.n_items, w.n_groups, w.devices);
    } else {
        g_string_append_printf(table, "    { \"%s\", NULL, \"%s\", 0, 0, 0 },\n", shown,
                               w.reason);
    }
    g_free(w.item_of);
    weiri_litmus_free(test);
    return true;
}

int main(int n_arguments, char **arguments)
{
    GString *c = g_string_new(
        "#include \"weir-kernel.h\"\n"
        "#include \"native_litmus.h\"\n\n"
        "/* Part of the last element of local memory that has its initial values. */\n"
        "#define FILLED INT64_C(0x5eed000000000000)\n"
        "#if defined(__clang__)\n"
        "#define NO_HOOKS "
        "__attribute__((noinline, disable_sanitizer_instrumentation))\n"
        "#else\n"
        "#define NO_HOOKS __attribute__((noinline, no_sanitize_thread))\n"
        "#endif\n"
        "/* Neither joined with others nor moved, where hooks watch. */\n"
        "#ifdef FAST\n"
        "#define HERE\n"
        "#define PLAIN_READ(from) (*(from))\n"
        "#else\n"
        "#define HERE __asm__ volatile(\"\" ::: \"memory\")\n"
        "#define PLAIN_READ(from) ({ __typeof__(*(from)) was = *(from); "
        "__asm__ volatile(\"\" : \"+r\"(was) :: \"memory\"); was; })\n"
        "#endif\n\n");
    GString *table = g_string_new("const struct native_litmus_test "
                                  "native_litmus_tests[] = {\n");
    bool written = true;
    for (int i = 1; i < n_arguments && written; i++) {
        written = write_test(arguments[i], (unsigned)i, c, table);
    }
    if (written) {
        printf("%s%s    { 0 }\n};\n", c->str, table->str);
    }
    g_string_free(c, TRUE);
    g_string_free(table, TRUE);
    return written ? 0 : 1;
}
