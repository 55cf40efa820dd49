/* SPDX-License-Identifier: MIT
 *
 * compile.c: from the tree of a thread to its code; see litmus/code.h.
 *
 * One walk over the tree. Slots of intermediate values and of iteration counts are
 * allocated like a stack, so that a thread has as many as its deepest expression needs.
 * An expression is compiled with a slot in which its value is wanted, which avoids most
 * copies: `int r0 = atomic_load(x);` is one instruction.
 *
 *     while (c) s       ENTER rounds          if (c) s else t   BRANCH c, to 1
 *                    0: HEAD                                    s
 *                       BRANCH c, to 1                          JUMP 2
 *                       ROUND rounds                         1: t
 *                       s                                    2:
 *                       JUMP 0
 *                    1:
 *
 * Instructions at a greater depth are controlled by a branch. The branch of an `if` is
 * outside of the depth that it controls. That of a loop is inside, because earlier
 * iterations decide whether a later one begins. `a && b` and `c ? a : b` are branches,
 * too, so that no operand is evaluated that C does not evaluate; their values depend on
 * all operands that were evaluated. */
#include "config.h"

#include "litmus/parser.h"

#include <string.h>

/* In place of a wanted slot: */
enum { UNUSED = WEIRI_LITMUS_NO_SLOT };     /* the value is not used */
#define ANYWHERE (WEIRI_LITMUS_NO_SLOT - 1) /* the value may be in any slot */

typedef struct weiri_litmus_operand operand;

struct compiler {
    GArray *code; /* of struct weiri_litmus_instruction */
    const struct weiri_litmus_location *locations;
    const struct weiri_litmus_thread *thread;
    uint32_t top; /* slots below it are taken */
    uint32_t n_slots;
    uint32_t depth;
    uint32_t n_depths;
};

/* ---- Instructions ---------------------------------------------------------------- */

static operand slot_operand(uint32_t slot)
{
    return (operand){ .slot = slot };
}

static operand constant_operand(int64_t value)
{
    return (operand){ .slot = WEIRI_LITMUS_NO_SLOT, .value = value };
}

static uint32_t take_slot(struct compiler *compiler)
{
    uint32_t slot = compiler->top++;
    compiler->n_slots = MAX(compiler->n_slots, compiler->top);
    return slot;
}

/* Appends an instruction, which is valid until the next one is appended. */
static struct weiri_litmus_instruction *emit(struct compiler *compiler,
                                             enum weiri_litmus_op op,
                                             struct weiri_litmus_place place)
{
    const struct weiri_litmus_instruction instruction
        = { .op = op,
            .scope = memory_scope_work_item,
            .result = WEIRI_LITMUS_NO_SLOT,
            .old = WEIRI_LITMUS_NO_SLOT,
            .a = constant_operand(0),
            .b = constant_operand(0),
            .address = constant_operand(0),
            .depth = compiler->depth,
            .since = WEIRI_LITMUS_NO_SLOT,
            .place = place };
    g_array_append_val(compiler->code, instruction);
    return &g_array_index(compiler->code, struct weiri_litmus_instruction,
                          compiler->code->len - 1);
}

static uint32_t here(const struct compiler *compiler)
{
    return compiler->code->len;
}

static struct weiri_litmus_instruction *at(struct compiler *compiler, uint32_t index)
{
    return &g_array_index(compiler->code, struct weiri_litmus_instruction, index);
}

static void compute(struct compiler *compiler, uint32_t result,
                    enum weiri_litmus_function function, enum weiri_litmus_type type,
                    operand a, operand b, struct weiri_litmus_place place)
{
    struct weiri_litmus_instruction *instruction
        = emit(compiler, WEIRI_LITMUS_OP_COMPUTE, place);
    instruction->function = function;
    instruction->type = type;
    instruction->result = result;
    instruction->a = a;
    instruction->b = b;
}

/* Computes into any slot, or at compile time if the operands are constants and the
 * result is not a fault. */
static operand computed(struct compiler *compiler, uint32_t wanted,
                        enum weiri_litmus_function function,
                        enum weiri_litmus_type type, operand a, operand b,
                        struct weiri_litmus_place place)
{
    int64_t value;
    if (a.slot == WEIRI_LITMUS_NO_SLOT && b.slot == WEIRI_LITMUS_NO_SLOT
        && weiri_litmus_apply(function, type, a.value, b.value, &value)
            == WEIRI_LITMUS_EVENT) {
        return constant_operand(value);
    }
    uint32_t result
        = wanted == ANYWHERE || wanted == UNUSED ? take_slot(compiler) : wanted;
    compute(compiler, result, function, type, a, b, place);
    return slot_operand(result);
}

/* Enters the next depth, even if no instruction follows there. Returns: the depth */
static uint32_t deepen(struct compiler *compiler)
{
    compiler->depth++;
    compiler->n_depths = MAX(compiler->n_depths, compiler->depth + 1);
    return compiler->depth;
}

/* Appends a branch that controls what follows, at a greater depth. */
static uint32_t emit_branch(struct compiler *compiler, operand condition, bool when,
                            struct weiri_litmus_place place)
{
    struct weiri_litmus_instruction *branch
        = emit(compiler, WEIRI_LITMUS_OP_BRANCH, place);
    branch->a = condition;
    branch->when = when;
    branch->inner = deepen(compiler);
    return here(compiler) - 1;
}

/* Ends what the branch controls. */
static void join(struct compiler *compiler, uint32_t branch)
{
    at(compiler, branch)->target = here(compiler);
    at(compiler, branch)->join = here(compiler);
    compiler->depth--;
}

/* ---- Types ----------------------------------------------------------------------- */

/* Whether all values of @from are values of @to. */
static bool fits(enum weiri_litmus_type from, enum weiri_litmus_type to)
{
    return from == to || from == WEIRI_LITMUS_BOOL || to == WEIRI_LITMUS_LONG;
}

static operand convert(struct compiler *compiler, operand value,
                       enum weiri_litmus_type from, enum weiri_litmus_type to,
                       struct weiri_litmus_place place)
{
    return fits(from, to) ? value
                          : computed(compiler, ANYWHERE, WEIRI_LITMUS_FIRST, to, value,
                                     constant_operand(0), place);
}

/* ---- Expressions ----------------------------------------------------------------- */

typedef const struct weiri_litmus_expression expression;

static operand compile(struct compiler *compiler, expression *e, uint32_t wanted);

/* Compiles the value into that slot, and no other, as a value of @type. */
static void compile_into(struct compiler *compiler, uint32_t slot,
                         enum weiri_litmus_type type, expression *e)
{
    bool fitting = fits(e->type, type);
    operand value = compile(compiler, e, fitting ? slot : ANYWHERE);
    if (value.slot != slot || !fitting) {
        compute(compiler, slot, WEIRI_LITMUS_FIRST, type, value, constant_operand(0),
                e->place);
    }
}

/* `a && b` and `a || b`. */
static operand compile_logical(struct compiler *compiler, expression *e)
{
    uint32_t result = take_slot(compiler);
    operand a = compile(compiler, e->a, ANYWHERE);
    compute(compiler, result, WEIRI_LITMUS_UNEQUAL, e->a->type, a, constant_operand(0),
            e->place);
    uint32_t branch = emit_branch(compiler, slot_operand(result),
                                  e->function == WEIRI_LITMUS_LOGICAL_OR, e->place);
    operand b = compile(compiler, e->b, ANYWHERE);
    compute(compiler, result, e->function, WEIRI_LITMUS_LONG, slot_operand(result), b,
            e->place);
    join(compiler, branch);
    compiler->top = result + 1;
    return slot_operand(result);
}

static operand compile_ternary(struct compiler *compiler, expression *e)
{
    uint32_t result = take_slot(compiler);
    operand condition = compile(compiler, e->a, ANYWHERE);
    uint32_t branch = emit_branch(compiler, condition, false, e->place);
    compile_into(compiler, result, e->type, e->b);
    uint32_t jump = here(compiler);
    emit(compiler, WEIRI_LITMUS_OP_JUMP, e->place);
    uint32_t other = here(compiler);
    compile_into(compiler, result, e->type, e->c);
    join(compiler, branch);
    at(compiler, branch)->target = other;
    at(compiler, jump)->target = here(compiler);
    compute(compiler, result, WEIRI_LITMUS_FIRST, e->type, slot_operand(result),
            condition, e->place);
    compiler->top = result + 1;
    return slot_operand(result);
}

static operand compile_binary(struct compiler *compiler, expression *e, uint32_t wanted)
{
    if (e->function == WEIRI_LITMUS_LOGICAL_AND
        || e->function == WEIRI_LITMUS_LOGICAL_OR) {
        return compile_logical(compiler, e);
    }
    uint32_t top = compiler->top;
    operand a = compile(compiler, e->a, ANYWHERE);
    operand b = compile(compiler, e->b, ANYWHERE);
    compiler->top = top;
    bool shifts = e->function == WEIRI_LITMUS_SHIFT_LEFT
        || e->function == WEIRI_LITMUS_SHIFT_RIGHT;
    enum weiri_litmus_type type
        = MAX(WEIRI_LITMUS_INT, shifts ? e->a->type : MAX(e->a->type, e->b->type));
    return computed(compiler, wanted, e->function, type, a, b, e->place);
}

/* -a, ~a, !a and (type)a, as functions of two values. */
static operand compile_unary(struct compiler *compiler, expression *e, uint32_t wanted)
{
    uint32_t top = compiler->top;
    operand a = compile(compiler, e->a, ANYWHERE);
    compiler->top = top;
    switch (e->kind) {
    case WEIRI_LITMUS_NEGATION:
        return computed(compiler, wanted, WEIRI_LITMUS_SUBTRACT, e->type,
                        constant_operand(0), a, e->place);
    case WEIRI_LITMUS_COMPLEMENT:
        return computed(compiler, wanted, WEIRI_LITMUS_XOR, e->type, a,
                        constant_operand(-1), e->place);
    case WEIRI_LITMUS_NOT:
        return computed(compiler, wanted, WEIRI_LITMUS_EQUAL, e->a->type, a,
                        constant_operand(0), e->place);
    default:
        return computed(compiler, wanted, WEIRI_LITMUS_FIRST, e->type, a,
                        constant_operand(0), e->place);
    }
}

/* ---- Accesses -------------------------------------------------------------------- */

static const enum weiri_litmus_op op_of[] = {
    [WEIRI_LITMUS_READ] = WEIRI_LITMUS_OP_READ,
    [WEIRI_LITMUS_WRITE] = WEIRI_LITMUS_OP_WRITE,
    [WEIRI_LITMUS_UPDATE] = WEIRI_LITMUS_OP_UPDATE,
    [WEIRI_LITMUS_COMPARE] = WEIRI_LITMUS_OP_COMPARE,
};

static struct weiri_litmus_instruction *emit_access(
    struct compiler *compiler, const struct weiri_litmus_access *access,
    operand address, operand value, struct weiri_litmus_place place)
{
    struct weiri_litmus_instruction *event = emit(compiler, op_of[access->kind], place);
    event->function = access->function;
    event->type = compiler->locations[access->location].type;
    event->atomic = access->atomic;
    event->weak = access->weak;
    event->order = access->order;
    event->failure = access->failure;
    event->scope = access->scope;
    event->location = access->location;
    event->address = address;
    event->a = value;
    return event;
}

/* A plain access to the location that a compare-exchange expects its value in. */
static struct weiri_litmus_instruction *emit_part(struct compiler *compiler,
                                                  enum weiri_litmus_op op,
                                                  uint32_t location,
                                                  struct weiri_litmus_place place)
{
    struct weiri_litmus_instruction *event = emit(compiler, op, place);
    event->type = compiler->locations[location].type;
    event->location = location;
    event->part = true;
    return event;
}

static operand compile_compare(struct compiler *compiler, expression *e,
                               operand address, operand desired, uint32_t wanted)
{
    const struct weiri_litmus_access *access = e->access;
    /* If the result went into the register with the expected value, the write of that
     * register on failure would overwrite it. */
    bool direct = wanted != UNUSED && wanted != ANYWHERE
        && !(access->expects_register && access->expected == wanted);
    uint32_t success = direct ? wanted : take_slot(compiler);
    uint32_t old = take_slot(compiler);
    operand expected = slot_operand(access->expected);
    if (!access->expects_register) {
        expected = slot_operand(take_slot(compiler));
        emit_part(compiler, WEIRI_LITMUS_OP_READ, access->expected, e->place)->result
            = expected.slot;
    }
    struct weiri_litmus_instruction *event
        = emit_access(compiler, access, address, desired, e->place);
    event->b = expected;
    event->result = success;
    event->old = old;
    uint32_t branch = emit_branch(compiler, slot_operand(success), true, e->place);
    if (access->expects_register) {
        compute(compiler, access->expected, WEIRI_LITMUS_FIRST,
                compiler->locations[access->location].type, slot_operand(old),
                constant_operand(0), e->place);
    } else {
        emit_part(compiler, WEIRI_LITMUS_OP_WRITE, access->expected, e->place)->a
            = slot_operand(old);
    }
    join(compiler, branch);
    return slot_operand(success);
}

static operand compile_access(struct compiler *compiler, expression *e, uint32_t wanted)
{
    const struct weiri_litmus_access *access = e->access;
    enum weiri_litmus_type type = compiler->locations[access->location].type;
    uint32_t top = compiler->top;
    operand address = access->offset != NULL
        ? compile(compiler, access->offset, ANYWHERE)
        : constant_operand(0);
    operand value = constant_operand(0);
    if (access->operand != NULL) {
        value = compile(compiler, access->operand, ANYWHERE);
        value = convert(compiler, value, access->operand->type, type, e->place);
    }
    if (access->kind == WEIRI_LITMUS_COMPARE) {
        /* The result is below the operands, so that their slots can be released. */
        operand result = compile_compare(compiler, e, address, value, wanted);
        if (result.slot != wanted) {
            compiler->top = MAX(top, result.slot + 1);
        } else {
            compiler->top = top;
        }
        return result;
    }
    if (access->kind == WEIRI_LITMUS_WRITE) {
        emit_access(compiler, access, address, value, e->place);
        return value;
    }
    compiler->top = top;
    uint32_t result = wanted == ANYWHERE ? take_slot(compiler) : wanted;
    emit_access(compiler, access, address, value, e->place)->result = result;
    return slot_operand(result);
}

static operand compile(struct compiler *compiler, expression *e, uint32_t wanted)
{
    switch (e->kind) {
    case WEIRI_LITMUS_CONSTANT:
        return constant_operand(e->value);
    case WEIRI_LITMUS_REGISTER:
        return slot_operand(e->reg);
    case WEIRI_LITMUS_NEGATION:
    case WEIRI_LITMUS_COMPLEMENT:
    case WEIRI_LITMUS_NOT:
    case WEIRI_LITMUS_CAST:
        return compile_unary(compiler, e, wanted);
    case WEIRI_LITMUS_BINARY:
        return compile_binary(compiler, e, wanted);
    case WEIRI_LITMUS_TERNARY:
        return compile_ternary(compiler, e);
    case WEIRI_LITMUS_ASSIGNMENT:
        compile_into(compiler, e->reg, e->type, e->a);
        return slot_operand(e->reg);
    case WEIRI_LITMUS_ACCESS:
        return compile_access(compiler, e, wanted);
    }
    g_assert_not_reached();
}

/* ---- Statements ------------------------------------------------------------------ */

typedef const struct weiri_litmus_statement statement;

static void compile_statement(struct compiler *compiler, statement *s);

static void compile_list(struct compiler *compiler, statement *first)
{
    for (statement *s = first; s != NULL; s = s->next) {
        compile_statement(compiler, s);
    }
}

static void compile_if(struct compiler *compiler, statement *s)
{
    uint32_t top = compiler->top;
    operand condition = compile(compiler, s->expression, ANYWHERE);
    compiler->top = top;
    uint32_t branch = emit_branch(compiler, condition, false, s->place);
    compile_statement(compiler, s->body);
    if (s->other == NULL) {
        join(compiler, branch);
        return;
    }
    uint32_t jump = here(compiler), other = jump + 1;
    emit(compiler, WEIRI_LITMUS_OP_JUMP, s->place);
    compile_statement(compiler, s->other);
    join(compiler, branch);
    at(compiler, branch)->target = other;
    at(compiler, jump)->target = here(compiler);
}

/* Compiles the condition of a loop, inside the loop. Returns: the branch */
static uint32_t compile_condition(struct compiler *compiler, statement *s, bool when)
{
    uint32_t top = compiler->top;
    operand condition = compile(compiler, s->expression, ANYWHERE);
    compiler->top = top;
    struct weiri_litmus_instruction *branch
        = emit(compiler, WEIRI_LITMUS_OP_BRANCH, s->place);
    branch->a = condition;
    branch->when = when;
    branch->inner = compiler->depth;
    return here(compiler) - 1;
}

static void compile_round(struct compiler *compiler, statement *s, uint32_t rounds)
{
    emit(compiler, WEIRI_LITMUS_OP_ROUND, s->place)->result = rounds;
    compile_statement(compiler, s->body);
    if (s->step != NULL) {
        uint32_t top = compiler->top;
        compile(compiler, s->step, UNUSED);
        compiler->top = top;
    }
}

static void compile_loop(struct compiler *compiler, statement *s)
{
    compile_list(compiler, s->first);
    uint32_t rounds = take_slot(compiler);
    struct weiri_litmus_instruction *enter
        = emit(compiler, WEIRI_LITMUS_OP_ENTER, s->place);
    enter->result = rounds;
    enter->inner = deepen(compiler);
    uint32_t start = here(compiler), branch = UINT32_MAX;
    emit(compiler, WEIRI_LITMUS_OP_HEAD, s->place);
    if (s->kind == WEIRI_LITMUS_DO) {
        compile_round(compiler, s, rounds);
        branch = compile_condition(compiler, s, true);
        at(compiler, branch)->target = start;
    } else {
        if (s->expression != NULL) {
            branch = compile_condition(compiler, s, false);
        }
        compile_round(compiler, s, rounds);
        emit(compiler, WEIRI_LITMUS_OP_JUMP, s->place)->target = start;
        if (branch != UINT32_MAX) {
            at(compiler, branch)->target = here(compiler);
        }
    }
    if (branch != UINT32_MAX) {
        at(compiler, branch)->join = here(compiler);
    }
    compiler->depth--;
    compiler->top = rounds;
}

static void compile_statement(struct compiler *compiler, statement *s)
{
    uint32_t top = compiler->top;
    struct weiri_litmus_instruction *event;
    switch (s->kind) {
    case WEIRI_LITMUS_EVALUATE:
        compile(compiler, s->expression, UNUSED);
        break;
    case WEIRI_LITMUS_DECLARE:
        if (s->expression != NULL) {
            compile_into(compiler, s->reg, compiler->thread->registers[s->reg].type,
                         s->expression);
        }
        break;
    case WEIRI_LITMUS_BLOCK:
        compile_list(compiler, s->first);
        break;
    case WEIRI_LITMUS_IF:
        compile_if(compiler, s);
        break;
    case WEIRI_LITMUS_WHILE:
    case WEIRI_LITMUS_DO:
    case WEIRI_LITMUS_FOR:
        compile_loop(compiler, s);
        break;
    case WEIRI_LITMUS_FENCE:
    case WEIRI_LITMUS_BARRIER:
        event = emit(compiler,
                     s->kind == WEIRI_LITMUS_FENCE ? WEIRI_LITMUS_OP_FENCE
                                                   : WEIRI_LITMUS_OP_BARRIER,
                     s->place);
        event->atomic = s->kind == WEIRI_LITMUS_FENCE;
        event->order = s->order;
        event->scope = s->scope;
        event->spaces = s->spaces;
        event->label = s->label;
        break;
    }
    compiler->top = top;
}

static const struct weiri_litmus_code *compile_thread(
    struct weiri_litmus_memory *memory, const struct weiri_litmus_location *locations,
    const struct weiri_litmus_thread *thread)
{
    struct compiler compiler = {
        .code = g_array_new(FALSE, FALSE, sizeof(struct weiri_litmus_instruction)),
        .locations = locations,
        .thread = thread,
        .top = thread->n_registers,
        .n_slots = thread->n_registers,
        .n_depths = 1,
    };
    compile_statement(&compiler, thread->body);
    emit(&compiler, WEIRI_LITMUS_OP_END, thread->body->place);

    struct weiri_litmus_code *code = weiri_litmus_memory_take(memory, sizeof(*code));
    int64_t *initial
        = weiri_litmus_memory_take(memory, thread->n_registers * sizeof(*initial));
    for (uint32_t i = 0; i < thread->n_registers; i++) {
        initial[i] = thread->registers[i].initial;
    }
    *code = (struct weiri_litmus_code){
        .n_instructions = compiler.code->len,
        .n_registers = thread->n_registers,
        .n_slots = compiler.n_slots,
        .n_depths = compiler.n_depths,
        .initial = initial,
        .n_done = WEIRI_LITMUS_NO_SLOT,
        .changed = WEIRI_LITMUS_NO_SLOT,
    };
    code->instructions = weiri_litmus_memory_keep(memory, compiler.code);
    g_array_unref(compiler.code);
    return code;
}

void weiri_litmus_compile(struct weiri_litmus *test)
{
    /* The threads are const to users of the test. This is part of making it. */
    struct weiri_litmus_thread *threads = (struct weiri_litmus_thread *)test->threads;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        if (threads[t].code != NULL) {
            continue; /* a column of a table */
        }
        threads[t].code = compile_thread(test->memory, test->locations, &threads[t]);
    }
}
