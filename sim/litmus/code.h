/* SPDX-License-Identifier: MIT
 *
 * code.h: a thread of a litmus test as something that runs: flat code over an
 * array of slots, which hold registers, intermediate values and rounds of loops. A run
 * is a place in the code and such an array, and nothing else: an explorer copies,
 * compares and hashes runs as bytes.
 *
 *     struct weiri_litmus_run run = { .slots = slots };
 *     weiri_litmus_start(code, &run, NULL);
 *     while (weiri_litmus_next(code, &run, 8, NULL) == WEIRI_LITMUS_EVENT) {
 *         const struct weiri_litmus_instruction *event = &code->instructions[run.at];
 *         ... memory does what it says ...
 *         weiri_litmus_resume(code, &run, value, NULL);
 *     }
 *
 * A thread stops at each operation on memory, fence and barrier, before it is done, and
 * goes on with the value that was read. It knows no memory and no model.
 *
 * A compare-exchange with `expected` in memory is three events: a plain read of it, the
 * compare-exchange, and, on failure, a plain write of what was read. They have the same
 * place in the text.
 *
 * Dependencies through registers are followed on demand, in a struct weiri_litmus_flow:
 * at each event, which earlier reads of the thread its address, its data and its being
 * reached depend on. They are syntactic (`r & 0` depends on r). A branch holds for the
 * events up to where its two ways join, and in a loop for those of later rounds.
 *
 * Values: arithmetic is done in the type that C gives it and wraps round. Division by
 * 0, a shift by a negative number or by all bits and more, and an address beyond its
 * location end a run: what C leaves undefined and a machine notices. */
#ifndef WEIRI_LITMUS_CODE_H
#define WEIRI_LITMUS_CODE_H

#include "litmus/litmus.h"

/* Rounds of a loop that run unless somebody says otherwise: enough for the counted
 * loops of tests, and few enough for each to be an event or two. */
enum { WEIRI_LITMUS_ROUNDS = 8 };

/* Added to a number of rounds: a thread stops after a round that has changed nothing,
 * as the next one would be like it. See litmus/spin.c. */
#define WEIRI_LITMUS_STOP_SPINS (UINT32_C(1) << 31)

enum weiri_litmus_op {
    /* Events. */
    WEIRI_LITMUS_OP_READ,    /* result = [location] */
    WEIRI_LITMUS_OP_WRITE,   /* [location] = a */
    WEIRI_LITMUS_OP_UPDATE,  /* result = [location]; [location] = result FUNCTION a */
    WEIRI_LITMUS_OP_COMPARE, /* old = [location]; if old is b, [location] = a;
                                result = whether it was */
    WEIRI_LITMUS_OP_FENCE,
    WEIRI_LITMUS_OP_BARRIER,
    /* What happens between them. */
    WEIRI_LITMUS_OP_COMPUTE, /* result = a FUNCTION b */
    WEIRI_LITMUS_OP_BRANCH,  /* to @target where a is 0, or is not 0: @when */
    WEIRI_LITMUS_OP_JUMP,
    WEIRI_LITMUS_OP_ENTER, /* a loop: result, its rounds, = 0 */
    WEIRI_LITMUS_OP_HEAD,  /* of a loop: each round begins here, the first one, too */
    WEIRI_LITMUS_OP_ROUND, /* of a loop: result + 1, unless that is too many */
    WEIRI_LITMUS_OP_END,
};

#define WEIRI_LITMUS_NO_SLOT UINT32_MAX

/* A slot's value, or, without a slot, @value. */
struct weiri_litmus_operand {
    uint32_t slot;
    int64_t value;
};

/**
 * weiri_litmus_instruction:
 * @type: COMPUTE: in which it is done; an event: of the location
 * @result: a slot, or none where nobody uses it
 * @address: the offset of the address; none is a constant 0
 * @depth: in how many branches and loops it stands
 * @join: BRANCH: where the two ways are one again
 * @inner: BRANCH, ENTER: the depth of what it decides about
 * @part: of a compare-exchange's read or write of `expected`
 * @may_go: an event that reads: a round may be left out though it has this read,
 * @may_keep: or though it has this UPDATE, where that writes what it reads
 * @since: ENTER, HEAD: a slot: 0, or 1 and how many events the thread had when it came
 *         to the head last; none: rounds of the loop are not looked at
 * @live: HEAD: slots whose values matter to what comes, @n_live of them; what they were
 *        when it came there last is in the slots behind @since
 */
struct weiri_litmus_instruction {
    enum weiri_litmus_op op;
    enum weiri_litmus_function function;
    enum weiri_litmus_type type;
    bool atomic; /* an event; else plain */
    bool weak;
    bool part;
    bool when;
    bool may_go, may_keep;
    memory_order order, failure;
    memory_scope scope;
    unsigned spaces; /* FENCE, BARRIER */
    uint32_t location;
    uint32_t label; /* BARRIER */
    uint32_t result, old;
    struct weiri_litmus_operand a, b, address;
    uint32_t target, join, depth, inner;
    uint32_t since, n_live;
    const uint32_t *live;
    struct weiri_litmus_place place;
};

struct weiri_litmus_code {
    uint32_t n_instructions;
    uint32_t n_registers; /* the first slots, in the order of the thread's registers */
    uint32_t n_slots;
    uint32_t n_depths; /* depths of the instructions are below it */
    const struct weiri_litmus_instruction *instructions;
    const int64_t *initial; /* of the registers */
    uint32_t n_done;  /* a slot: how many events there have been; or none, where */
    uint32_t changed; /* no round is looked at; and how many up to the latest one
                         that changed something */
};

struct weiri_litmus_run {
    uint32_t at;    /* the next instruction */
    int64_t *slots; /* code->n_slots; the caller's */
};

/* Reads are numbered from 0 in the order in which a thread performs them, those of
 * updates and of compare-exchanges included. Bit n is read n. */
enum { WEIRI_LITMUS_FLOW_READS = 64 };

/**
 * weiri_litmus_flow:
 * @slots: code->n_slots sets: the reads that each value depends on; the caller's
 * @depths: code->n_depths sets: those that decided on what is at that depth; likewise
 * @n_reads: so far; those from the 64th on are not followed
 * @address: of the event at which the thread has stopped: what its address depends on,
 * @data: what is written, a WRITE's, UPDATE's or COMPARE's,
 * @expected: what is compared with, a COMPARE's,
 * @control: and whether it is reached
 */
struct weiri_litmus_flow {
    uint64_t *slots;
    uint64_t *depths;
    uint32_t n_reads;
    uint64_t address, data, expected, control;
};

enum weiri_litmus_stop {
    WEIRI_LITMUS_EVENT,    /* at an event, which is the next instruction */
    WEIRI_LITMUS_DONE,     /* at the end */
    WEIRI_LITMUS_BOUND,    /* a loop has had its rounds and wants another one */
    WEIRI_LITMUS_SPIN,     /* a round has changed nothing; at the loop's head */
    WEIRI_LITMUS_DIVISION, /* by 0 */
    WEIRI_LITMUS_SHIFT,    /* by a count that is none */
    WEIRI_LITMUS_BEYOND,   /* an address outside of its location */
};

/** To the beginning, and @flow, which may be %NULL, to nothing. */
void weiri_litmus_start(const struct weiri_litmus_code *code,
                        struct weiri_litmus_run *run, struct weiri_litmus_flow *flow);

/**
 * weiri_litmus_next:
 * @rounds: that each loop may have each time that it is entered, and, or not,
 *          %WEIRI_LITMUS_STOP_SPINS
 * @flow: or %NULL; has followed the run from its start
 *
 * Runs to the next event. A run that stops anywhere else is over. It ends, too, as
 * %WEIRI_LITMUS_BOUND, where loops in loops without events take too long to wait for.
 */
enum weiri_litmus_stop weiri_litmus_next(const struct weiri_litmus_code *code,
                                         struct weiri_litmus_run *run, uint32_t rounds,
                                         struct weiri_litmus_flow *flow);

/** Past an event, where @value is what a READ or an UPDATE has read. */
void weiri_litmus_resume(const struct weiri_litmus_code *code,
                         struct weiri_litmus_run *run, int64_t value,
                         struct weiri_litmus_flow *flow);

/** Past a COMPARE that has read @value. */
void weiri_litmus_resume_compare(const struct weiri_litmus_code *code,
                                 struct weiri_litmus_run *run, int64_t value,
                                 bool succeeded, struct weiri_litmus_flow *flow);

static inline int64_t weiri_litmus_value(const struct weiri_litmus_run *run,
                                         const struct weiri_litmus_operand *operand)
{
    return operand->slot == WEIRI_LITMUS_NO_SLOT ? operand->value
                                                 : run->slots[operand->slot];
}

/** Of a run that has stopped as %WEIRI_LITMUS_SPIN: how many events the round has that
 *  changed nothing, its latest ones. An UPDATE that has written is two. */
uint32_t weiri_litmus_round(const struct weiri_litmus_code *code,
                            const struct weiri_litmus_run *run);

/** @value as a value of that type: C's conversion, which wraps round. */
int64_t weiri_litmus_convert(enum weiri_litmus_type type, int64_t value);

/**
 * weiri_litmus_apply:
 *
 * @a FUNCTION @b in @type. With UPDATE's function and type, what it writes.
 *
 * Returns: %WEIRI_LITMUS_EVENT with *@result, or what is wrong
 */
enum weiri_litmus_stop weiri_litmus_apply(enum weiri_litmus_function function,
                                          enum weiri_litmus_type type, int64_t a,
                                          int64_t b, int64_t *result);

#endif
