/* SPDX-License-Identifier: MIT
 *
 * path-step.c: see path-step.h. Each function of C is asked what it can say of values
 * that are unsure; what it cannot say becomes an unknown value of its own.
 *
 * Invariant: the more is known, the fewer outcomes are possible, and those that are
 * left were possible before. */
#include "config.h"

#include "model/path-step.h"

typedef const struct weiri_litmus_instruction instruction;
typedef struct weiri_unsure unsure;

/* ---- Values that may be known ---------------------------------------------------- */

static unsure operand(const struct weiri_path_values *values,
                      const struct weiri_litmus_operand *operand)
{
    return operand->slot == WEIRI_LITMUS_NO_SLOT ? weiri_unsure_known(operand->value)
                                                 : values->slots[operand->slot];
}

static bool is_known(unsure a)
{
    return a.unknown == 0;
}

static bool is(unsure a, int64_t value)
{
    return is_known(a) && a.value == value;
}

static unsure convert(struct weiri_path_values *values, enum weiri_litmus_type type,
                      unsure a)
{
    if (is_known(a)) {
        return weiri_unsure_known(weiri_litmus_convert(type, a.value));
    }
    bool same
        = a.type == type || a.type == WEIRI_LITMUS_BOOL || type == WEIRI_LITMUS_LONG;
    return same ? a : (unsure){ .unknown = ++values->fresh, .type = type };
}

/* Of two that are equal, whatever they are. Returns: whether @result is known */
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

/* a FUNCTION b, which is no fault, where one of them is not known. */
static unsure apply_unsure(struct weiri_path_values *values,
                           enum weiri_litmus_function function,
                           enum weiri_litmus_type type, unsure a, unsure b)
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
            return weiri_unsure_known(0);
        }
        break;
    default:
        break;
    }
    if (a.unknown == b.unknown && apply_to_equals(function, &result)) {
        return weiri_unsure_known(result);
    }
    return (unsure){ .unknown = ++values->fresh, .type = type };
}

static unsure apply(struct weiri_path_values *values,
                    enum weiri_litmus_function function, enum weiri_litmus_type type,
                    unsure a, unsure b)
{
    int64_t result;
    if (is_known(a) && is_known(b)
        && weiri_litmus_apply(function, type, a.value, b.value, &result)
            == WEIRI_LITMUS_EVENT) {
        return weiri_unsure_known(result);
    }
    return apply_unsure(values, function, type, a, b);
}

/* ---- Outcomes -------------------------------------------------------------------- */

static unsigned outcomes_of_function(const struct weiri_path_values *values,
                                     instruction *at)
{
    unsure b = operand(values, &at->b);
    int64_t result;
    if (at->function != WEIRI_LITMUS_DIVIDE && at->function != WEIRI_LITMUS_MODULO
        && at->function != WEIRI_LITMUS_SHIFT_LEFT
        && at->function != WEIRI_LITMUS_SHIFT_RIGHT) {
        return weiri_outcome_set(WEIRI_GOES_ON);
    }
    if (!is_known(b)) {
        return weiri_outcome_set(WEIRI_GOES_ON) | weiri_outcome_set(WEIRI_FAULTS);
    }
    return weiri_litmus_apply(at->function, at->type, 0, b.value, &result)
            == WEIRI_LITMUS_EVENT
        ? weiri_outcome_set(WEIRI_GOES_ON)
        : weiri_outcome_set(WEIRI_FAULTS);
}

/* Of a compare-exchange that has read @read. */
static unsigned outcomes_of_compare(struct weiri_path_values *values, instruction *at,
                                    unsure read)
{
    unsure expected = convert(values, at->type, operand(values, &at->b));
    unsigned equal = weiri_outcome_set(WEIRI_SUCCEEDS)
        | (at->weak ? weiri_outcome_set(WEIRI_FAILS_SPURIOUSLY) : 0);
    if (is_known(read) && is_known(expected)) {
        return read.value == expected.value ? equal : weiri_outcome_set(WEIRI_GOES_ON);
    }
    return read.unknown == expected.unknown ? equal
                                            : equal | weiri_outcome_set(WEIRI_GOES_ON);
}

/* Whether an UPDATE changes the value: by what is known of it. */
static unsigned outcomes_of_update(struct weiri_path_values *values, instruction *at,
                                   unsure read)
{
    unsure a = operand(values, &at->a);
    int64_t written;
    if (!values->tells_spins || !at->may_keep) {
        return weiri_outcome_set(WEIRI_GOES_ON);
    }
    if (is_known(a) && is_known(read)
        && weiri_litmus_apply(at->function, at->type, read.value, a.value, &written)
            == WEIRI_LITMUS_EVENT) {
        return weiri_outcome_set(written == read.value ? WEIRI_KEEPS : WEIRI_GOES_ON);
    }
    bool adds = at->type != WEIRI_LITMUS_BOOL
        && (at->function == WEIRI_LITMUS_ADD || at->function == WEIRI_LITMUS_SUBTRACT);
    if (adds && is_known(a) && weiri_litmus_convert(at->type, a.value) != 0) {
        return weiri_outcome_set(WEIRI_GOES_ON);
    }
    return weiri_outcome_set(WEIRI_GOES_ON) | weiri_outcome_set(WEIRI_KEEPS);
}

static bool is_same(unsure a, unsure b)
{
    return a.unknown == b.unknown && (!is_known(a) || a.value == b.value);
}

/* Whether two values are equal: 1, are not: 0, or may be: -1. */
static int compare(const struct weiri_path_values *values, unsure a, unsure b)
{
    if (is_same(a, b) || (is_known(a) && is_known(b))) {
        return is_same(a, b);
    }
    for (guint i = 0; values->pairs != NULL && i < values->pairs->len; i++) {
        const struct weiri_path_pair *pair
            = &g_array_index(values->pairs, struct weiri_path_pair, i);
        if ((is_same(pair->one, a) && is_same(pair->other, b))
            || (is_same(pair->one, b) && is_same(pair->other, a))) {
            return pair->are_equal;
        }
    }
    return -1;
}

/* Whether the round that ends at the head has changed nothing: as is_idle() of
 * litmus/run.c, by what is known. */
static unsigned outcomes_of_head(const struct weiri_path_values *values,
                                 instruction *at)
{
    const unsure *was = &values->slots[at->since];
    bool sure = true;
    if (is(was[0], 0) || values->slots[values->code->changed].value >= was[0].value) {
        return weiri_outcome_set(WEIRI_GOES_ON);
    }
    for (uint32_t i = 0; i < at->n_live; i++) {
        int equal = compare(values, values->slots[at->live[i]], was[1 + i]);
        if (equal == 0) {
            return weiri_outcome_set(WEIRI_GOES_ON);
        }
        sure = sure && equal == 1;
    }
    return weiri_outcome_set(WEIRI_SPINS)
        | (sure ? 0 : weiri_outcome_set(WEIRI_GOES_ON));
}

unsigned weiri_path_outcomes(struct weiri_path_values *values, instruction *at,
                             unsure read)
{
    unsure a = operand(values, &at->a), address = operand(values, &at->address);
    if (at->op < WEIRI_LITMUS_OP_COMPUTE && is_known(address) && address.value != 0) {
        return weiri_outcome_set(WEIRI_FAULTS);
    }
    unsigned beyond = is_known(address) ? 0 : weiri_outcome_set(WEIRI_FAULTS);
    switch (at->op) {
    case WEIRI_LITMUS_OP_COMPUTE:
        return outcomes_of_function(values, at);
    case WEIRI_LITMUS_OP_BRANCH:
        if (!is_known(a)) {
            return weiri_outcome_set(WEIRI_GOES_ON) | weiri_outcome_set(WEIRI_JUMPS);
        }
        return weiri_outcome_set((a.value != 0) == at->when ? WEIRI_JUMPS
                                                            : WEIRI_GOES_ON);
    case WEIRI_LITMUS_OP_UPDATE:
        return outcomes_of_update(values, at, read) | beyond;
    case WEIRI_LITMUS_OP_COMPARE:
        return outcomes_of_compare(values, at, read) | beyond;
    case WEIRI_LITMUS_OP_HEAD:
        return outcomes_of_head(values, at);
    case WEIRI_LITMUS_OP_BARRIER:
        return weiri_outcome_set(WEIRI_GOES_ON) | weiri_outcome_set(WEIRI_WAITS);
    default:
        return weiri_outcome_set(WEIRI_GOES_ON) | beyond;
    }
}

static void set_slot(struct weiri_path_values *values, uint32_t slot, unsure value)
{
    if (slot != WEIRI_LITMUS_NO_SLOT) {
        values->slots[slot] = value;
    }
}

/* Counts what an event is, and whether it changes anything: as litmus/run.c does. */
static void count(struct weiri_path_values *values, struct weiri_path_step step)
{
    instruction *at = step.instruction;
    const struct weiri_litmus_code *code = values->code;
    bool writes = step.outcome == WEIRI_SUCCEEDS || at->op == WEIRI_LITMUS_OP_UPDATE;
    bool keeps = step.outcome == WEIRI_KEEPS || at->op == WEIRI_LITMUS_OP_FENCE
        || (!writes && at->may_go);
    if (at->op < WEIRI_LITMUS_OP_COMPUTE && code->n_done != WEIRI_LITMUS_NO_SLOT) {
        values->slots[code->n_done].value += writes ? 2 : 1;
        if (!keeps) {
            values->slots[code->changed] = values->slots[code->n_done];
        }
    }
}

/* Comes to the head of a loop. */
static void arrive(struct weiri_path_values *values, instruction *head)
{
    unsure *slots = values->slots;
    slots[head->since] = weiri_unsure_known(slots[values->code->n_done].value + 1);
    for (uint32_t i = 0; i < head->n_live; i++) {
        slots[head->since + 1 + i] = slots[head->live[i]];
    }
}

void weiri_path_perform(struct weiri_path_values *values, struct weiri_path_step step,
                        unsure *event)
{
    instruction *at = step.instruction;
    unsure a = operand(values, &at->a);
    bool succeeds = step.outcome == WEIRI_SUCCEEDS;
    if (step.outcome == WEIRI_FAULTS || step.outcome == WEIRI_WAITS
        || step.outcome == WEIRI_SPINS) {
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
    case WEIRI_LITMUS_OP_UPDATE:
        event[1] = step.outcome == WEIRI_KEEPS
            ? event[0]
            : apply(values, at->function, at->type, event[0], a);
        set_slot(values, at->result, event[0]);
        break;
    case WEIRI_LITMUS_OP_COMPARE:
        if (succeeds) {
            event[1] = convert(values, at->type, a);
        }
        set_slot(values, at->result, weiri_unsure_known(succeeds));
        set_slot(values, at->old, event[0]);
        break;
    case WEIRI_LITMUS_OP_COMPUTE:
        set_slot(values, at->result,
                 apply(values, at->function, at->type, a, operand(values, &at->b)));
        break;
    case WEIRI_LITMUS_OP_ENTER:
        values->slots[at->result] = values->slots[at->since] = weiri_unsure_known(0);
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
        values->slots[i] = weiri_unsure_known(
            i < values->code->n_registers ? values->code->initial[i] : 0);
    }
    values->fresh = WEIRI_PATH_NUMBERS;
}

void weiri_path_learn(struct weiri_path_values *values, instruction *at, unsure read,
                      bool are_equal)
{
    const struct weiri_path_pair pair
        = { read, convert(values, at->type, operand(values, &at->b)), are_equal };
    g_array_append_val(values->pairs, pair);
}
