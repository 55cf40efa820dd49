/* SPDX-License-Identifier: MIT
 *
 * brute_program.c: a program as the text of a litmus test, the way its author would
 * have written it: registers are declared at the top of their thread, then a line a
 * statement. All that a state can show is listed under `locations`, so that two
 * deciders that agree about the states agree about every register. */
#include "brute_program.h"

#include <string.h>

static const char names[] = "xyzwef";

const char *brute_location_name(unsigned location)
{
    static const char *const each[BRUTE_LOCATIONS] = { "x", "y", "z", "w", "e", "f" };
    return each[location];
}

/* ---- What a program names -------------------------------------------------------- */

static bool is_access(const struct brute_statement *statement)
{
    return statement->kind >= BRUTE_LOAD && statement->kind <= BRUTE_COMPARE;
}

static bool has_operand(const struct brute_statement *statement)
{
    enum brute_kind kind = statement->kind;
    return (is_access(statement) && kind != BRUTE_LOAD) || kind == BRUTE_SET
        || kind == BRUTE_IF || kind == BRUTE_WHILE;
}

/* Whether it sets the register. */
static bool sets(const struct brute_statement *statement, unsigned reg)
{
    switch (statement->kind) {
    case BRUTE_LOAD:
    case BRUTE_SET:
        return statement->result == reg;
    case BRUTE_EXCHANGE:
    case BRUTE_FETCH_ADD:
    case BRUTE_FETCH_OR:
        return !statement->drops && statement->result == reg;
    case BRUTE_COMPARE:
        return (!statement->drops && statement->result == reg)
            || (!statement->expects_location && statement->expected == reg);
    default:
        return false;
    }
}

bool brute_sets(const struct brute_program *program, unsigned thread, unsigned reg)
{
    const struct brute_statement *at = program->threads[thread].statements;
    for (; at->kind != BRUTE_END; at++) {
        if (sets(at, reg)) {
            return true;
        }
    }
    return false;
}

static bool reads(const struct brute_statement *statement, unsigned reg)
{
    return (has_operand(statement) && statement->operand.form != BRUTE_CONSTANT
            && statement->operand.reg == reg)
        || (is_access(statement) && statement->offset.form != BRUTE_CONSTANT
            && statement->offset.reg == reg)
        || ((statement->kind == BRUTE_IF || statement->kind == BRUTE_WHILE)
            && statement->reg == reg);
}

/* Whether the thread's text has to declare it. */
static bool names_register(const struct brute_program *program, unsigned thread,
                           unsigned reg)
{
    const struct brute_statement *at = program->threads[thread].statements;
    for (; at->kind != BRUTE_END; at++) {
        if (sets(at, reg) || reads(at, reg)) {
            return true;
        }
    }
    return false;
}

unsigned brute_uses(const struct brute_program *program, unsigned thread,
                    unsigned location)
{
    unsigned n = 0;
    const struct brute_statement *at = program->threads[thread].statements;
    for (; at->kind != BRUTE_END; at++) {
        n += is_access(at) && at->location == location;
        n += at->kind == BRUTE_COMPARE && at->expects_location
            && at->expected == location;
    }
    return n;
}

void brute_drop_unused(struct brute_program *program)
{
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        unsigned n = 0;
        for (unsigned t = 0; t < program->n_threads; t++) {
            n += brute_uses(program, t, i);
        }
        program->locations[i].used = n != 0;
    }
}

/* ---- Parts of a statement -------------------------------------------------------- */

static const char *const order_texts[] = {
    [memory_order_relaxed] = "memory_order_relaxed",
    [memory_order_acquire] = "memory_order_acquire",
    [memory_order_release] = "memory_order_release",
    [memory_order_acq_rel] = "memory_order_acq_rel",
    [memory_order_seq_cst] = "memory_order_seq_cst",
};

static const char *const scope_texts[] = {
    [memory_scope_work_item] = "memory_scope_work_item",
    [memory_scope_sub_group] = "memory_scope_sub_group",
    [memory_scope_work_group] = "memory_scope_work_group",
    [memory_scope_device] = "memory_scope_device",
    [memory_scope_system] = "memory_scope_all_svm_devices",
};

static const char *spaces_text(unsigned spaces)
{
    static const char *const each[]
        = { "0", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE",
            "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE" };
    return each[spaces & 3];
}

static void print_operand(GString *text, const struct brute_operand *operand)
{
    switch (operand->form) {
    case BRUTE_CONSTANT:
        g_string_append_printf(text, "%d", operand->value);
        return;
    case BRUTE_REGISTER:
        g_string_append_printf(text, "r%u", operand->reg);
        break;
    case BRUTE_XOR:
        g_string_append_printf(text, "(r%u ^ r%u)", operand->reg, operand->reg);
        break;
    case BRUTE_MASK:
        g_string_append_printf(text, "(r%u & 0)", operand->reg);
        break;
    }
    if (operand->value != 0) {
        g_string_append_printf(text, " %c %d", operand->value < 0 ? '-' : '+',
                               ABS(operand->value));
    }
}

/* `y`, or `(y + (r0 & 0))` */
static void print_address(GString *text, const struct brute_statement *access)
{
    if (access->offset.form == BRUTE_CONSTANT) {
        g_string_append_c(text, names[access->location]);
        return;
    }
    g_string_append_printf(text, "(%c + ", names[access->location]);
    print_operand(text, &access->offset);
    g_string_append_c(text, ')');
}

/* `, order, scope)` and what else closes an atomic operation. */
static void print_orders(GString *text, const struct brute_program *program,
                         const struct brute_statement *access)
{
    g_string_append_printf(text, ", %s", order_texts[access->order]);
    if (access->kind == BRUTE_COMPARE) {
        g_string_append_printf(text, ", %s", order_texts[access->failure]);
    }
    if (program->placed) {
        g_string_append_printf(text, ", %s", scope_texts[access->scope]);
    }
    g_string_append(text, ");\n");
}

static const char *operation_text(const struct brute_statement *access)
{
    static const char *const each[] = {
        [BRUTE_LOAD] = "load",         [BRUTE_STORE] = "store",
        [BRUTE_EXCHANGE] = "exchange", [BRUTE_FETCH_ADD] = "fetch_add",
        [BRUTE_FETCH_OR] = "fetch_or", [BRUTE_COMPARE] = "compare_exchange_strong"
    };
    return access->kind == BRUTE_COMPARE && access->weak ? "compare_exchange_weak"
                                                         : each[access->kind];
}

static void print_access(GString *text, const struct brute_program *program,
                         const struct brute_statement *access)
{
    if (access->kind != BRUTE_STORE && !access->drops) {
        g_string_append_printf(text, "r%u = ", access->result);
    }
    if (!access->atomic) {
        g_string_append_c(text, '*');
        print_address(text, access);
        if (access->kind == BRUTE_STORE) {
            g_string_append(text, " = ");
            print_operand(text, &access->operand);
        }
        g_string_append(text, ";\n");
        return;
    }
    g_string_append_printf(text, "atomic_%s_explicit(", operation_text(access));
    print_address(text, access);
    if (access->kind == BRUTE_COMPARE && access->expects_location) {
        g_string_append_printf(text, ", %c", names[access->expected]);
    } else if (access->kind == BRUTE_COMPARE) {
        g_string_append_printf(text, ", &r%u", access->expected);
    }
    if (access->kind != BRUTE_LOAD) {
        g_string_append(text, ", ");
        print_operand(text, &access->operand);
    }
    print_orders(text, program, access);
}

static void print_condition(GString *text, const char *word,
                            const struct brute_statement *statement)
{
    static const char *const each[]
        = { [BRUTE_EQUAL] = "==", [BRUTE_UNEQUAL] = "!=", [BRUTE_LESS] = "<" };
    g_string_append_printf(text, "%s (r%u %s ", word, statement->reg,
                           each[statement->comparison]);
    print_operand(text, &statement->operand);
    g_string_append(text, ") {\n");
}

/* ---- Statements and threads ------------------------------------------------------ */

static void print_statement(GString *text, const struct brute_program *program,
                            const struct brute_statement *statement)
{
    switch (statement->kind) {
    case BRUTE_FENCE:
        if (program->placed) {
            g_string_append_printf(text, "atomic_work_item_fence(%s, %s, %s);\n",
                                   spaces_text(statement->spaces),
                                   order_texts[statement->order],
                                   scope_texts[statement->scope]);
        } else {
            g_string_append_printf(text, "atomic_thread_fence(%s);\n",
                                   order_texts[statement->order]);
        }
        break;
    case BRUTE_BARRIER:
        g_string_append_printf(text, "B%u: barrier(%s", statement->label,
                               spaces_text(statement->spaces));
        if (statement->scope != memory_scope_work_group) {
            g_string_append_printf(text, ", %s", scope_texts[statement->scope]);
        }
        g_string_append(text, ");\n");
        break;
    case BRUTE_SET:
        g_string_append_printf(text, "r%u = ", statement->result);
        print_operand(text, &statement->operand);
        g_string_append(text, ";\n");
        break;
    case BRUTE_IF:
        print_condition(text, "if", statement);
        break;
    case BRUTE_WHILE:
        print_condition(text, "while", statement);
        break;
    case BRUTE_ELSE:
        g_string_append(text, "} else {\n");
        break;
    case BRUTE_CLOSE:
        g_string_append(text, "}\n");
        break;
    default:
        print_access(text, program, statement);
    }
}

static void print_parameters(GString *text, const struct brute_program *program,
                             unsigned thread)
{
    bool first = true;
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        const struct brute_location *location = &program->locations[i];
        if (brute_uses(program, thread, i) == 0) {
            continue;
        }
        g_string_append(text, first ? "" : ", ");
        if (program->placed) {
            g_string_append(text, location->local ? "local " : "global ");
        }
        g_string_append_printf(text, "%sint* %c", location->atomic ? "atomic_" : "",
                               names[i]);
        first = false;
    }
}

static void print_thread(GString *text, const struct brute_program *program,
                         unsigned index)
{
    const struct brute_thread *thread = &program->threads[index];
    g_string_append_printf(text, "\nP%u", index);
    if (program->placed) {
        g_string_append_printf(text, "@wg %u, dev %u", thread->group, thread->device);
    }
    g_string_append(text, " (");
    print_parameters(text, program, index);
    g_string_append(text, ") {\n");
    for (unsigned i = 0; i < BRUTE_REGISTERS; i++) {
        if (names_register(program, index, i)) {
            g_string_append_printf(text, "  int r%u = %d;\n", i, thread->initial[i]);
        }
    }
    int depth = 1;
    const struct brute_statement *at = thread->statements;
    for (; at->kind != BRUTE_END; at++) {
        depth -= at->kind == BRUTE_ELSE || at->kind == BRUTE_CLOSE;
        g_string_append_printf(text, "%*s", 2 * depth, "");
        print_statement(text, program, at);
        depth += at->kind == BRUTE_IF || at->kind == BRUTE_ELSE
            || at->kind == BRUTE_WHILE;
    }
    g_string_append(text, "}\n");
}

/* ---- The whole ------------------------------------------------------------------- */

static void print_observed(GString *text, const struct brute_program *program)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        if (program->locations[i].used) {
            g_string_append_printf(list, "%c; ", names[i]);
        }
    }
    for (unsigned i = 0; i < program->n_threads; i++) {
        for (unsigned k = 0; k < BRUTE_REGISTERS; k++) {
            if (brute_sets(program, i, k)) {
                g_string_append_printf(list, "%u:r%u; ", i, k);
            }
        }
    }
    if (list->len != 0) {
        g_string_truncate(list, list->len - 1);
        g_string_append_printf(text, "\nlocations [%s]", list->str);
    }
    g_string_append_c(text, '\n');
}

char *brute_print(const struct brute_program *program)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "%s %s\n{", program->placed ? "OPENCL" : "C",
                           program->name);
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        if (program->locations[i].used) {
            g_string_append_printf(text, " [%c] = %d;", names[i],
                                   program->locations[i].initial);
        }
    }
    g_string_append(text, " }\n");
    for (unsigned i = 0; i < program->n_threads; i++) {
        print_thread(text, program, i);
    }
    print_observed(text, program);
    g_string_append(text, "exists (");
    for (unsigned i = 0; i < program->n_clauses; i++) {
        const struct brute_clause *clause = &program->clauses[i];
        g_string_append(text, i == 0 ? "" : program->any ? " \\/ " : " /\\ ");
        if (clause->thread == BRUTE_MEMORY) {
            g_string_append_printf(text, "%c=%d", names[clause->index], clause->value);
        } else {
            g_string_append_printf(text, "%u:r%u=%d", clause->thread, clause->index,
                                   clause->value);
        }
    }
    g_string_append(text, program->n_clauses == 0 ? "true)\n" : ")\n");
    return g_strdup(text->str);
}
