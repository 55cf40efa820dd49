/* SPDX-License-Identifier: MIT
 *
 * run.c: runs the code of a thread from event to event; C's arithmetic; and
 * dependencies. See litmus/code.h.
 *
 * Dependencies are sets of reads, one for each slot and one for each depth of the code.
 * The set of a depth contains the reads that decided that the instructions there run:
 * the reads of its branch and of all outer branches. A branch sets the set of the depth
 * that it controls. Nothing is done where two ways join, since the code after it is at
 * a smaller depth. The branch of a loop is at the depth that it controls, so that its
 * set grows from iteration to iteration; entering the loop resets it. */
#include "config.h"

#include "litmus/code.h"

#include "base/assert.h"

#include <string.h>

/* Instructions between two events: more than any sensible loop without events needs,
 * and a short time. */
enum { MOST_STEPS = 1 << 16 };

/* ---- Values ---------------------------------------------------------------------- */

int64_t weiri_litmus_convert(enum weiri_litmus_type type, int64_t value)
{
    switch (type) {
    case WEIRI_LITMUS_BOOL:
        return value != 0;
    case WEIRI_LITMUS_INT:
        return (int32_t)(uint32_t)(uint64_t)value;
    case WEIRI_LITMUS_UINT:
        return (uint32_t)(uint64_t)value;
    case WEIRI_LITMUS_VOID:
    case WEIRI_LITMUS_LONG:
        break;
    }
    return value;
}

/* @a / @b or @a % @b, where @b is not 0. */
static int64_t divide(bool modulo, int64_t a, int64_t b)
{
    if (b == -1) { /* the quotient of the least value does not fit */
        return modulo ? 0 : (int64_t)(0 - (uint64_t)a);
    }
    return modulo ? a % b : a / b;
}

static bool shift(bool left, enum weiri_litmus_type type, int64_t a, int64_t by,
                  int64_t *result)
{
    int64_t bits = type == WEIRI_LITMUS_LONG ? 64 : 32;
    if (by < 0 || by >= bits) {
        return false;
    }
    *result = left ? (int64_t)((uint64_t)a << by) : a >> by;
    return true;
}

enum weiri_litmus_stop weiri_litmus_apply(enum weiri_litmus_function function,
                                          enum weiri_litmus_type type, int64_t a,
                                          int64_t b, int64_t *result)
{
    int64_t count = b, value = 0;
    a = weiri_litmus_convert(type, a);
    b = weiri_litmus_convert(type, b);
    uint64_t left = (uint64_t)a, right = (uint64_t)b;
    switch (function) {
    case WEIRI_LITMUS_LOGICAL_OR:
        value = a != 0 || b != 0;
        break;
    case WEIRI_LITMUS_LOGICAL_AND:
        value = a != 0 && b != 0;
        break;
    case WEIRI_LITMUS_OR:
        value = a | b;
        break;
    case WEIRI_LITMUS_XOR:
        value = a ^ b;
        break;
    case WEIRI_LITMUS_AND:
        value = a & b;
        break;
    case WEIRI_LITMUS_EQUAL:
        value = a == b;
        break;
    case WEIRI_LITMUS_UNEQUAL:
        value = a != b;
        break;
    case WEIRI_LITMUS_LESS:
        value = a < b;
        break;
    case WEIRI_LITMUS_GREATER:
        value = a > b;
        break;
    case WEIRI_LITMUS_AT_MOST:
        value = a <= b;
        break;
    case WEIRI_LITMUS_AT_LEAST:
        value = a >= b;
        break;
    case WEIRI_LITMUS_SHIFT_LEFT:
    case WEIRI_LITMUS_SHIFT_RIGHT:
        if (!shift(function == WEIRI_LITMUS_SHIFT_LEFT, type, a, count, &value)) {
            return WEIRI_LITMUS_SHIFT;
        }
        break;
    case WEIRI_LITMUS_ADD:
        value = (int64_t)(left + right);
        break;
    case WEIRI_LITMUS_SUBTRACT:
        value = (int64_t)(left - right);
        break;
    case WEIRI_LITMUS_MULTIPLY:
        value = (int64_t)(left * right);
        break;
    case WEIRI_LITMUS_DIVIDE:
    case WEIRI_LITMUS_MODULO:
        if (b == 0) {
            return WEIRI_LITMUS_DIVISION;
        }
        value = divide(function == WEIRI_LITMUS_MODULO, a, b);
        break;
    case WEIRI_LITMUS_EXCHANGE:
        value = b;
        break;
    case WEIRI_LITMUS_MIN:
        value = a < b ? a : b;
        break;
    case WEIRI_LITMUS_MAX:
        value = a > b ? a : b;
        break;
    case WEIRI_LITMUS_FIRST:
        value = a;
        break;
    }
    *result = weiri_litmus_convert(type, value);
    return WEIRI_LITMUS_EVENT;
}

int64_t weiri_litmus_written(const struct weiri_litmus_instruction *update,
                             int64_t read, int64_t a, int64_t b)
{
    int64_t written = read;
    if (update->compares) {
        return read == b ? a : read;
    }
    /* No update divides by 0, and no update shifts. */
    (void)weiri_litmus_apply(update->function, update->type, read, a, &written);
    return written;
}

/* ---- Dependencies ---------------------------------------------------------------- */

static uint64_t reads_of(const struct weiri_litmus_flow *flow,
                         const struct weiri_litmus_operand *operand)
{
    return operand->slot == WEIRI_LITMUS_NO_SLOT ? 0 : flow->slots[operand->slot];
}

static void follow_event(struct weiri_litmus_flow *flow,
                         const struct weiri_litmus_instruction *event)
{
    flow->address = reads_of(flow, &event->address);
    flow->data = reads_of(flow, &event->a);
    flow->expected = reads_of(flow, &event->b);
    if (event->compares) { /* it writes in any case, and its value depends on both */
        flow->data |= flow->expected;
        flow->expected = 0;
    }
    flow->control = flow->depths[event->depth];
}

/* Follows the dependencies of an instruction between events. */
static void follow(struct weiri_litmus_flow *flow,
                   const struct weiri_litmus_instruction *done)
{
    switch (done->op) {
    case WEIRI_LITMUS_OP_COMPUTE:
        flow->slots[done->result] = reads_of(flow, &done->a) | reads_of(flow, &done->b);
        break;
    case WEIRI_LITMUS_OP_BRANCH:
    case WEIRI_LITMUS_OP_ENTER:
        flow->depths[done->inner]
            = flow->depths[done->depth] | reads_of(flow, &done->a);
        break;
    default:
        break;
    }
}

/* Counts a read that has been performed. Returns: the set with its number */
static uint64_t count_read(struct weiri_litmus_flow *flow)
{
    uint32_t read = flow->n_reads++;
    return read < WEIRI_LITMUS_FLOW_READS ? UINT64_C(1) << read : 0;
}

/* ---- Running --------------------------------------------------------------------- */

void weiri_litmus_start(const struct weiri_litmus_code *code,
                        struct weiri_litmus_run *run, struct weiri_litmus_flow *flow)
{
    run->at = 0;
    for (uint32_t i = 0; i < code->n_slots; i++) {
        run->slots[i] = i < code->n_registers ? code->initial[i] : 0;
    }
    if (flow != NULL) {
        flow->n_reads = 0;
        memset(flow->slots, 0, code->n_slots * sizeof(*flow->slots));
        memset(flow->depths, 0, code->n_depths * sizeof(*flow->depths));
    }
}

/* Whether the iteration that ends at the head has changed nothing. */
static bool is_idle(const struct weiri_litmus_code *code,
                    const struct weiri_litmus_instruction *head,
                    const struct weiri_litmus_run *run)
{
    const int64_t *was = &run->slots[head->since];
    if (was[0] == 0 || run->slots[code->changed] >= was[0]) {
        return false;
    }
    for (uint32_t i = 0; i < head->n_live; i++) {
        if (run->slots[head->live[i]] != was[1 + i]) {
            return false;
        }
    }
    return true;
}

/* At the head of a loop. Returns: whether another iteration runs */
static bool arrive(const struct weiri_litmus_code *code,
                   const struct weiri_litmus_instruction *head,
                   struct weiri_litmus_run *run)
{
    if (head->since == WEIRI_LITMUS_NO_SLOT) {
        return true;
    }
    if (is_idle(code, head, run)) {
        return false;
    }
    run->slots[head->since] = run->slots[code->n_done] + 1;
    for (uint32_t i = 0; i < head->n_live; i++) {
        run->slots[head->since + 1 + i] = run->slots[head->live[i]];
    }
    return true;
}

uint32_t weiri_litmus_round(const struct weiri_litmus_code *code,
                            const struct weiri_litmus_run *run)
{
    const struct weiri_litmus_instruction *head = &code->instructions[run->at];
    return (uint32_t)(run->slots[code->n_done] + 1 - run->slots[head->since]);
}

/* Counts the event, and notes whether it changes anything. */
static void count(const struct weiri_litmus_code *code, struct weiri_litmus_run *run,
                  uint32_t n_events, bool changes)
{
    if (code->n_done != WEIRI_LITMUS_NO_SLOT) {
        run->slots[code->n_done] += n_events;
        if (changes) {
            run->slots[code->changed] = run->slots[code->n_done];
        }
    }
}

/* Executes an instruction that is not an event. Returns: %WEIRI_LITMUS_EVENT, or why
 * the run is over */
static enum weiri_litmus_stop step(const struct weiri_litmus_code *code,
                                   const struct weiri_litmus_instruction *instruction,
                                   struct weiri_litmus_run *run, uint32_t rounds)
{
    int64_t a = weiri_litmus_value(run, &instruction->a);
    switch (instruction->op) {
    case WEIRI_LITMUS_OP_COMPUTE: {
        enum weiri_litmus_stop stop = weiri_litmus_apply(
            instruction->function, instruction->type, a,
            weiri_litmus_value(run, &instruction->b), &run->slots[instruction->result]);
        if (stop != WEIRI_LITMUS_EVENT) {
            return stop;
        }
        break;
    }
    case WEIRI_LITMUS_OP_BRANCH:
        if ((a != 0) == instruction->when) {
            run->at = instruction->target;
            return WEIRI_LITMUS_EVENT;
        }
        break;
    case WEIRI_LITMUS_OP_JUMP:
        run->at = instruction->target;
        return WEIRI_LITMUS_EVENT;
    case WEIRI_LITMUS_OP_ENTER:
        run->slots[instruction->result] = 0;
        if (instruction->since != WEIRI_LITMUS_NO_SLOT) {
            run->slots[instruction->since] = 0;
        }
        break;
    case WEIRI_LITMUS_OP_HEAD:
        if ((rounds & WEIRI_LITMUS_STOP_SPINS) != 0
            && !arrive(code, instruction, run)) {
            return WEIRI_LITMUS_SPIN;
        }
        break;
    case WEIRI_LITMUS_OP_ROUND:
        if (run->slots[instruction->result] >= (rounds & ~WEIRI_LITMUS_STOP_SPINS)) {
            return WEIRI_LITMUS_BOUND;
        }
        run->slots[instruction->result]++;
        break;
    case WEIRI_LITMUS_OP_END:
        return WEIRI_LITMUS_DONE;
    default:
        weiri_assert(!"an event is no step");
    }
    run->at++;
    return WEIRI_LITMUS_EVENT;
}

enum weiri_litmus_stop weiri_litmus_next(const struct weiri_litmus_code *code,
                                         struct weiri_litmus_run *run, uint32_t rounds,
                                         struct weiri_litmus_flow *flow)
{
    for (uint32_t n = 0; n < MOST_STEPS; n++) {
        const struct weiri_litmus_instruction *instruction
            = &code->instructions[run->at];
        if (instruction->op < WEIRI_LITMUS_OP_COMPUTE) {
            if (flow != NULL) {
                follow_event(flow, instruction);
            }
            return weiri_litmus_value(run, &instruction->address) == 0
                ? WEIRI_LITMUS_EVENT
                : WEIRI_LITMUS_BEYOND;
        }
        enum weiri_litmus_stop stop = step(code, instruction, run, rounds);
        if (stop != WEIRI_LITMUS_EVENT) {
            return stop;
        }
        if (flow != NULL) {
            follow(flow, instruction);
        }
    }
    return WEIRI_LITMUS_BOUND;
}

static bool is_equal(const struct weiri_litmus_code *code, const int64_t *one,
                     const int64_t *other, const uint64_t *set)
{
    for (uint32_t slot = 0; slot < code->n_slots; slot++) {
        if ((set[slot / 64] >> slot % 64 & 1) != 0 && one[slot] != other[slot]) {
            return false;
        }
    }
    return true;
}

/* Compares with a state that is replaced after 1, 2, 4... instructions, so that a cycle
 * of any length is found soon after its second round. */
bool weiri_litmus_is_endless(const struct weiri_litmus_code *code,
                             struct weiri_litmus_run *run, const uint64_t *live,
                             uint32_t words)
{
    g_autofree int64_t *was = g_new(int64_t, MAX(code->n_slots, 1));
    uint32_t at = UINT32_MAX;
    for (uint32_t n = 0; n < MOST_STEPS; n++) {
        if (run->at == at
            && is_equal(code, run->slots, was, live + (size_t)at * words)) {
            return true;
        }
        if ((n & (n - 1)) == 0) {
            at = run->at;
            memcpy(was, run->slots, code->n_slots * sizeof(*was));
        }
        const struct weiri_litmus_instruction *instruction
            = &code->instructions[run->at];
        if (instruction->op < WEIRI_LITMUS_OP_COMPUTE
            || step(code, instruction, run, ~WEIRI_LITMUS_STOP_SPINS)
                != WEIRI_LITMUS_EVENT) {
            return false;
        }
    }
    return false;
}

/* Whether the UPDATE writes the value that it has read, and this may be left out. */
static bool keeps(const struct weiri_litmus_instruction *event,
                  const struct weiri_litmus_run *run, int64_t value)
{
    return event->may_keep
        && weiri_litmus_written(event, value, weiri_litmus_value(run, &event->a),
                                weiri_litmus_value(run, &event->b))
        == value;
}

void weiri_litmus_resume(const struct weiri_litmus_code *code,
                         struct weiri_litmus_run *run, int64_t value,
                         struct weiri_litmus_flow *flow)
{
    const struct weiri_litmus_instruction *event = &code->instructions[run->at++];
    bool reads
        = event->op == WEIRI_LITMUS_OP_READ || event->op == WEIRI_LITMUS_OP_UPDATE;
    weiri_assert_slow(event->op < WEIRI_LITMUS_OP_COMPUTE
                      && event->op != WEIRI_LITMUS_OP_COMPARE);
    uint64_t read = reads && flow != NULL ? count_read(flow) : 0;
    bool changes = !event->may_go && event->op != WEIRI_LITMUS_OP_FENCE;
    if (event->op == WEIRI_LITMUS_OP_UPDATE) {
        changes = !keeps(event, run, value);
    }
    count(code, run, event->op == WEIRI_LITMUS_OP_UPDATE ? 2 : 1, changes);
    if (reads && event->result != WEIRI_LITMUS_NO_SLOT) {
        run->slots[event->result] = value;
        if (flow != NULL) {
            flow->slots[event->result] = read;
        }
    }
}

void weiri_litmus_resume_compare(const struct weiri_litmus_code *code,
                                 struct weiri_litmus_run *run, int64_t value,
                                 bool succeeded, struct weiri_litmus_flow *flow)
{
    const struct weiri_litmus_instruction *event = &code->instructions[run->at++];
    weiri_assert_slow(event->op == WEIRI_LITMUS_OP_COMPARE);
    count(code, run, succeeded ? 2 : 1, succeeded || !event->may_go);
    run->slots[event->result] = succeeded;
    run->slots[event->old] = value;
    if (flow != NULL) {
        uint64_t read = count_read(flow);
        flow->slots[event->result] = read | flow->expected;
        flow->slots[event->old] = read;
    }
}
