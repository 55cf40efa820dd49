/* SPDX-License-Identifier: MIT
 *
 * path-step.c: see path-step.h. A result that does not follow from the known parts of
 * the operands becomes a new unknown value.
 *
 * Invariant: when more values become known, outcomes can become impossible, but none
 * becomes possible. */
#include "config.h"

#include "litmus/path-step.h"

typedef const struct weiri_litmus_instruction instruction;
typedef struct weiri_symbolic symbolic;

/* ---- Values that may be known ---------------------------------------------------- */

static symbolic operand(const struct weiri_path_values *values,
                        const struct weiri_litmus_operand *operand)
{
    return operand->slot == WEIRI_LITMUS_NO_SLOT ? weiri_symbolic_known(operand->value)
                                                 : values->slots[operand->slot];
}

static bool is_known(symbolic a)
{
    return a.unknown == 0;
}

static bool is(symbolic a, int64_t value)
{
    return is_known(a) && a.value == value;
}

static symbolic convert(struct weiri_path_values *values, enum weiri_litmus_type type,
                        symbolic a)
{
    if (is_known(a)) {
        return weiri_symbolic_known(weiri_litmus_convert(type, a.value));
    }
    bool same
        = a.type == type || a.type == WEIRI_LITMUS_BOOL || type == WEIRI_LITMUS_LONG;
    return same ? a : (symbolic){ .unknown = ++values->fresh, .type = type };
}

static bool is_same(symbolic a, symbolic b)
{
    return a.unknown == b.unknown && (!is_known(a) || a.value == b.value);
}

/* Returns: 1 if the values are equal, 0 if they differ, -1 if that is not known */
static int compare(const struct weiri_path_values *values, symbolic a, symbolic b)
{
    if (is_same(a, b) || (is_known(a) && is_known(b))) {
        return is_same(a, b);
    }
    for (guint i = 0; values->pairs != NULL && i < values->pairs->len; i++) {
        const struct weiri_path_pair *pair
            = &g_array_index(values->pairs, struct weiri_path_pair, i);
        if (pair->kind != WEIRI_PATH_READ
            && ((is_same(pair->one, a) && is_same(pair->other, b))
                || (is_same(pair->one, b) && is_same(pair->other, a)))) {
            return pair->kind == WEIRI_PATH_EQUAL;
        }
    }
    return -1;
}

/* The values that the location has, but for those which differ from @a: the only one,
 * if there is one. */
static symbolic only_value(const struct weiri_path_values *values, symbolic a,
                           const struct weiri_litmus_domain *domain)
{
    symbolic only = a;
    uint32_t n = 0;
    for (uint32_t i = 0; i < domain->n; i++) {
        symbolic value = weiri_symbolic_known(domain->values[i]);
        if (compare(values, a, value) != 0) {
            only = value;
            n++;
        }
    }
    return n == 1 ? only : a;
}

/* What the path has learned of a value: the constant that it equals, if it is known. */
static symbolic learned(const struct weiri_path_values *values, symbolic a)
{
    for (guint i = 0; values->pairs != NULL && !is_known(a) && i < values->pairs->len;
         i++) {
        const struct weiri_path_pair *pair
            = &g_array_index(values->pairs, struct weiri_path_pair, i);
        if (is_same(pair->one, a) && pair->kind == WEIRI_PATH_EQUAL
            && is_known(pair->other)) {
            return pair->other;
        }
        if (is_same(pair->one, a) && pair->kind == WEIRI_PATH_READ) {
            a = only_value(values, a, &values->domains[pair->other.value]);
        }
    }
    return a;
}

/* Applies the function to two equal but unknown values. Returns: whether @result is
 * known */
static bool apply_to_equals(enum weiri_litmus_function function, int64_t *result)
{
    switch (function) {
    case WEIRI_LITMUS_XOR:
    case WEIRI_LITMUS_SUBTRACT:
    case WEIRI_LITMUS_UNEQUAL:
    case WEIRI_LITMUS_LESS:
    case WEIRI_LITMUS_GREATER:
        *result = 0;
        return true;
    case WEIRI_LITMUS_EQUAL:
    case WEIRI_LITMUS_AT_MOST:
    case WEIRI_LITMUS_AT_LEAST:
        *result = 1;
        return true;
    default:
        return false;
    }
}

/* a FUNCTION b, which does not fault, where at least one of them is unknown. */
static symbolic apply_symbolic(struct weiri_path_values *values,
                               enum weiri_litmus_function function,
                               enum weiri_litmus_type type, symbolic a, symbolic b)
{
    int64_t result;
    switch (function) {
    case WEIRI_LITMUS_EXCHANGE:
        return convert(values, type, b);
    case WEIRI_LITMUS_FIRST:
        return convert(values, type, a);
    case WEIRI_LITMUS_AND:
    case WEIRI_LITMUS_MULTIPLY:
    case WEIRI_LITMUS_LOGICAL_AND:
        if (is(a, 0) || is(b, 0)) {
            return weiri_symbolic_known(0);
        }
        break;
    default:
        break;
    }
    if (a.unknown == b.unknown && apply_to_equals(function, &result)) {
        return weiri_symbolic_known(result);
    }
    bool whole = (is_known(a) || a.type == type || type == WEIRI_LITMUS_LONG)
        && (is_known(b) || b.type == type || type == WEIRI_LITMUS_LONG);
    if ((function == WEIRI_LITMUS_EQUAL || function == WEIRI_LITMUS_UNEQUAL) && whole
        && compare(values, a, b) == 0) {
        return weiri_symbolic_known(function == WEIRI_LITMUS_UNEQUAL);
    }
    return (symbolic){ .unknown = ++values->fresh, .type = type };
}

static symbolic apply(struct weiri_path_values *values,
                      enum weiri_litmus_function function, enum weiri_litmus_type type,
                      symbolic a, symbolic b)
{
    int64_t result;
    a = learned(values, a);
    b = learned(values, b);
    if (is_known(a) && is_known(b)
        && weiri_litmus_apply(function, type, a.value, b.value, &result)
            == WEIRI_LITMUS_EVENT) {
        return weiri_symbolic_known(result);
    }
    return apply_symbolic(values, function, type, a, b);
}

/* ---- Outcomes -------------------------------------------------------------------- */

static unsigned outcomes_of_function(const struct weiri_path_values *values,
                                     instruction *at)
{
    symbolic b = operand(values, &at->b);
    int64_t result;
    if (at->function != WEIRI_LITMUS_DIVIDE && at->function != WEIRI_LITMUS_MODULO
        && at->function != WEIRI_LITMUS_SHIFT_LEFT
        && at->function != WEIRI_LITMUS_SHIFT_RIGHT) {
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
    }
    if (!is_known(b)) {
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT)
            | weiri_path_outcome_set(WEIRI_OUTCOME_FAULT);
    }
    return weiri_litmus_apply(at->function, at->type, 0, b.value, &result)
            == WEIRI_LITMUS_EVENT
        ? weiri_path_outcome_set(WEIRI_OUTCOME_NEXT)
        : weiri_path_outcome_set(WEIRI_OUTCOME_FAULT);
}

/* @read: the value that the compare-exchange has read. */
static unsigned outcomes_of_compare(struct weiri_path_values *values, instruction *at,
                                    symbolic read)
{
    symbolic expected = convert(values, at->type, operand(values, &at->b));
    unsigned equal = weiri_path_outcome_set(WEIRI_OUTCOME_SUCCESS)
        | (at->weak ? weiri_path_outcome_set(WEIRI_OUTCOME_SPURIOUS) : 0);
    if (is_known(read) && is_known(expected)) {
        return read.value == expected.value
            ? equal
            : weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
    }
    return read.unknown == expected.unknown
        ? equal
        : equal | weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
}

/* Whether an UPDATE changes the value of its location, as far as that is known. */
static unsigned outcomes_of_update(struct weiri_path_values *values, instruction *at,
                                   symbolic read)
{
    symbolic a = operand(values, &at->a), b = operand(values, &at->b);
    if (!values->notices_spins || !at->may_keep) {
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
    }
    if (is_known(a) && is_known(b) && is_known(read)) {
        bool keeps
            = weiri_litmus_written(at, read.value, a.value, b.value) == read.value;
        return weiri_path_outcome_set(keeps ? WEIRI_OUTCOME_KEEP : WEIRI_OUTCOME_NEXT);
    }
    bool adds = at->type != WEIRI_LITMUS_BOOL
        && (at->function == WEIRI_LITMUS_ADD || at->function == WEIRI_LITMUS_SUBTRACT);
    if (adds && is_known(a) && weiri_litmus_convert(at->type, a.value) != 0) {
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
    }
    return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT)
        | weiri_path_outcome_set(WEIRI_OUTCOME_KEEP);
}

/* Whether the iteration that ends at the head has changed nothing, as far as that is
 * known: is_idle() of litmus/run.c on symbolic values. */
static unsigned outcomes_of_head(const struct weiri_path_values *values,
                                 instruction *at)
{
    const symbolic *was = &values->slots[at->since];
    bool is_certain = true;
    if (is(was[0], 0) || values->slots[values->code->changed].value >= was[0].value) {
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
    }
    for (uint32_t i = 0; i < at->n_live; i++) {
        int equal = compare(values, values->slots[at->live[i]], was[1 + i]);
        if (equal == 0) {
            return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
        }
        is_certain = is_certain && equal == 1;
    }
    return weiri_path_outcome_set(WEIRI_OUTCOME_SPIN)
        | (is_certain ? 0 : weiri_path_outcome_set(WEIRI_OUTCOME_NEXT));
}

unsigned weiri_path_outcomes(struct weiri_path_values *values, instruction *at,
                             symbolic read)
{
    symbolic a = operand(values, &at->a), address = operand(values, &at->address);
    if (at->op < WEIRI_LITMUS_OP_COMPUTE && is_known(address) && address.value != 0) {
        return weiri_path_outcome_set(WEIRI_OUTCOME_FAULT);
    }
    unsigned beyond
        = is_known(address) ? 0 : weiri_path_outcome_set(WEIRI_OUTCOME_FAULT);
    switch (at->op) {
    case WEIRI_LITMUS_OP_COMPUTE:
        return outcomes_of_function(values, at);
    case WEIRI_LITMUS_OP_BRANCH:
        a = learned(values, a);
        if (compare(values, a, weiri_symbolic_known(0)) == 0) {
            a = weiri_symbolic_known(1);
        }
        if (!is_known(a)) {
            return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT)
                | weiri_path_outcome_set(WEIRI_OUTCOME_JUMP);
        }
        return weiri_path_outcome_set((a.value != 0) == at->when ? WEIRI_OUTCOME_JUMP
                                                                 : WEIRI_OUTCOME_NEXT);
    case WEIRI_LITMUS_OP_UPDATE:
        return outcomes_of_update(values, at, read) | beyond;
    case WEIRI_LITMUS_OP_COMPARE:
        return outcomes_of_compare(values, at, read) | beyond;
    case WEIRI_LITMUS_OP_HEAD:
        return outcomes_of_head(values, at);
    case WEIRI_LITMUS_OP_BARRIER:
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT)
            | weiri_path_outcome_set(WEIRI_OUTCOME_WAIT);
    default:
        return weiri_path_outcome_set(WEIRI_OUTCOME_NEXT) | beyond;
    }
}

/* The value that an UPDATE writes that has read @read. */
static symbolic written(struct weiri_path_values *values, instruction *at,
                        symbolic read)
{
    symbolic a = operand(values, &at->a), b = operand(values, &at->b);
    if (!at->compares) {
        return apply(values, at->function, at->type, read, a);
    }
    if (is_known(read) && is_known(b)) {
        return read.value == b.value ? a : read;
    }
    return is_same(a, read)
        ? read
        : (symbolic){ .unknown = ++values->fresh, .type = at->type };
}

/* Whether the step of `atom.cas` has found the value that it compares with. If steps
 * that change nothing are told from others, the others have: they read that value. */
static bool has_matched(const struct weiri_path_values *values,
                        struct weiri_path_step step)
{
    return step.instruction->compares && values->notices_spins
        && step.instruction->may_keep && step.outcome == WEIRI_OUTCOME_NEXT;
}

static void set_slot(struct weiri_path_values *values, uint32_t slot, symbolic value)
{
    if (slot != WEIRI_LITMUS_NO_SLOT) {
        values->slots[slot] = value;
    }
}

/* Counts the events of the step and notes whether they change anything, as
 * litmus/run.c does. */
static void count(struct weiri_path_values *values, struct weiri_path_step step)
{
    instruction *at = step.instruction;
    const struct weiri_litmus_code *code = values->code;
    bool writes
        = step.outcome == WEIRI_OUTCOME_SUCCESS || at->op == WEIRI_LITMUS_OP_UPDATE;
    bool keeps = step.outcome == WEIRI_OUTCOME_KEEP || at->op == WEIRI_LITMUS_OP_FENCE
        || (!writes && at->may_go);
    if (at->op < WEIRI_LITMUS_OP_COMPUTE && code->n_done != WEIRI_LITMUS_NO_SLOT) {
        values->slots[code->n_done].value += writes ? 2 : 1;
        if (!keeps) {
            values->slots[code->changed] = values->slots[code->n_done];
        }
    }
}

/* The thread is at the head of a loop. */
static void arrive(struct weiri_path_values *values, instruction *head)
{
    symbolic *slots = values->slots;
    slots[head->since] = weiri_symbolic_known(slots[values->code->n_done].value + 1);
    for (uint32_t i = 0; i < head->n_live; i++) {
        slots[head->since + 1 + i] = slots[head->live[i]];
    }
}

void weiri_path_perform(struct weiri_path_values *values, struct weiri_path_step step,
                        symbolic *event)
{
    instruction *at = step.instruction;
    symbolic a = operand(values, &at->a);
    bool succeeds = step.outcome == WEIRI_OUTCOME_SUCCESS;
    if (at->op == WEIRI_LITMUS_OP_BARRIER && at->traits.flags != 0) {
        event[0] = a; /* the number of the barrier */
    }
    if (step.outcome == WEIRI_OUTCOME_FAULT || step.outcome == WEIRI_OUTCOME_WAIT
        || step.outcome == WEIRI_OUTCOME_SPIN) {
        return;
    }
    count(values, step);
    switch (at->op) {
    case WEIRI_LITMUS_OP_READ:
        set_slot(values, at->result, event[0]);
        break;
    case WEIRI_LITMUS_OP_WRITE:
        event[0] = convert(values, at->type, a);
        break;
    case WEIRI_LITMUS_OP_UPDATE: {
        symbolic read = has_matched(values, step) ? operand(values, &at->b) : event[0];
        event[1]
            = step.outcome == WEIRI_OUTCOME_KEEP ? event[0] : written(values, at, read);
        set_slot(values, at->result, read);
        break;
    }
    case WEIRI_LITMUS_OP_COMPARE:
        if (succeeds) {
            event[1] = convert(values, at->type, a);
        }
        set_slot(values, at->result, weiri_symbolic_known(succeeds));
        set_slot(values, at->old, event[0]);
        break;
    case WEIRI_LITMUS_OP_COMPUTE:
        set_slot(values, at->result,
                 apply(values, at->function, at->type, a, operand(values, &at->b)));
        break;
    case WEIRI_LITMUS_OP_ENTER:
        values->slots[at->result] = values->slots[at->since] = weiri_symbolic_known(0);
        break;
    case WEIRI_LITMUS_OP_HEAD:
        arrive(values, at);
        break;
    default:
        break;
    }
}

void weiri_path_start(struct weiri_path_values *values)
{
    for (uint32_t i = 0; i < values->code->n_slots; i++) {
        values->slots[i] = weiri_symbolic_known(
            i < values->code->n_registers ? values->code->initial[i] : 0);
    }
    values->fresh = WEIRI_PATH_NUMBERS;
}

static void note(struct weiri_path_values *values, symbolic one, symbolic other,
                 unsigned kind)
{
    const struct weiri_path_pair pair = { one, other, kind };
    g_array_append_val(values->pairs, pair);
}

void weiri_path_learn(struct weiri_path_values *values, instruction *at, symbolic read,
                      enum weiri_path_outcome outcome)
{
    bool compares = at->op == WEIRI_LITMUS_OP_COMPARE;
    bool updates = at->op == WEIRI_LITMUS_OP_UPDATE;
    bool exchanges = updates && !at->compares && at->may_keep && values->notices_spins
        && at->function == WEIRI_LITMUS_EXCHANGE;
    if ((compares || updates || at->op == WEIRI_LITMUS_OP_READ)
        && values->domains != NULL) {
        note(values, read, weiri_symbolic_known(at->location), WEIRI_PATH_READ);
    }
    if (compares || exchanges) {
        bool are_equal
            = compares ? outcome != WEIRI_OUTCOME_NEXT : outcome == WEIRI_OUTCOME_KEEP;
        symbolic with = operand(values, compares ? &at->b : &at->a);
        note(values, read, convert(values, at->type, with),
             are_equal ? WEIRI_PATH_EQUAL : WEIRI_PATH_DIFFER);
    }
}
