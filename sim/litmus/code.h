/* SPDX-License-Identifier: MIT
 *
 * code.h: the code of a thread of a litmus test: flat instructions over an array of
 * slots, which hold registers, intermediate values and counts of iterations. The state
 * of a run is a place in the code and the array, so that an explorer can copy, compare
 * and hash runs as bytes.
 *
 *     struct weiri_litmus_run run = { .slots = slots };
 *     weiri_litmus_start(code, &run, NULL);
 *     while (weiri_litmus_next(code, &run, 8, NULL) == WEIRI_LITMUS_EVENT) {
 *         const struct weiri_litmus_instruction *event = &code->instructions[run.at];
 *         ... perform the event on memory ...
 *         weiri_litmus_resume(code, &run, value, NULL);
 *     }
 *
 * A thread stops before each memory access, fence and barrier, and is resumed with the
 * value that was read. It depends on no memory and no model.
 *
 * A compare-exchange whose `expected` is in memory is three events: a plain read of
 * `expected`, the compare-exchange, and, if it fails, a plain write of the value read.
 * All three have the same place in the text.
 *
 * A struct weiri_litmus_flow follows dependencies through registers, if the caller
 * wants that: at each event, the set of earlier reads of the thread on which its
 * address, its data, and its being reached depend. Dependencies are syntactic (`r & 0`
 * depends on r). Events depend on a branch up to the point where its two ways join; in
 * a loop, events of later iterations depend on it, too.
 *
 * Arithmetic is done in the type that C prescribes, and wraps around. Division by 0, a
 * shift by a negative count or by the width of the type or more, and an address outside
 * of its location are faults, which end the run. */
#ifndef WEIRI_LITMUS_CODE_H
#define WEIRI_LITMUS_CODE_H

#include "litmus/litmus.h"
#include "model/program.h"

/* Iterations of a loop, unless the caller asks for another number: enough for the
 * counted loops of tests, and few enough for executions to stay small. */
enum { WEIRI_LITMUS_ROUNDS = 8 };

/* Added to a number of iterations: a thread also stops after an iteration that has
 * changed nothing, since the next one would repeat it. See litmus/spin.c. */
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
    /* Between events. */
    WEIRI_LITMUS_OP_COMPUTE, /* result = a FUNCTION b */
    WEIRI_LITMUS_OP_BRANCH,  /* to @target if a is 0, or if a is not 0, as @when says */
    WEIRI_LITMUS_OP_JUMP,
    WEIRI_LITMUS_OP_ENTER, /* before a loop: result, which counts its iterations, = 0 */
    WEIRI_LITMUS_OP_HEAD,  /* of a loop: each iteration begins here, including the
                              first */
    WEIRI_LITMUS_OP_ROUND, /* of a loop: result + 1, unless the bound is reached */
    WEIRI_LITMUS_OP_END,
};

#define WEIRI_LITMUS_NO_SLOT UINT32_MAX

/* The value of a slot or, without a slot, @value. */
struct weiri_litmus_operand {
    uint32_t slot;
    int64_t value;
};

/**
 * weiri_litmus_instruction:
 * @type: COMPUTE: the type of the arithmetic; an event: the type of the location
 * @result: a slot, or none if the result is not used
 * @address: the offset of the address; without one a constant 0
 * @depth: the number of branches and loops around the instruction
 * @join: BRANCH: where the two ways join
 * @inner: BRANCH, ENTER: the depth of the instructions that it controls
 * @part: the event is the read or write of `expected` of a compare-exchange
 * @compares: an UPDATE that always writes: @a if the value read is @b, otherwise the
 *            value read; `atom.cas` of PTX
 * @traits: of an instruction of a table
 * @a, @b: BARRIER of a table: the number of the barrier; its quorum, a constant or 0
 * @may_go: an event that reads: an iteration with this read may be left out
 * @may_keep: an UPDATE: an iteration in which it writes the value that it reads may be
 *            left out
 * @since: ENTER, HEAD: a slot, or none if iterations are not checked for changes. It is
 *         0, or 1 plus the number of events when the thread was last at the head
 * @live: HEAD: the @n_live slots whose values can matter later; their values when the
 *        thread was last at the head are in the slots after @since
 */
struct weiri_litmus_instruction {
    enum weiri_litmus_op op;
    enum weiri_litmus_function function;
    enum weiri_litmus_type type;
    bool atomic; /* an event; else plain */
    bool weak;
    bool part;
    bool compares;
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
    struct weiri_traits traits;
};

struct weiri_litmus_code {
    uint32_t n_instructions;
    uint32_t n_registers; /* the first slots, in the order of the thread's registers */
    uint32_t n_slots;
    uint32_t n_depths; /* the depths of all instructions are below it */
    const struct weiri_litmus_instruction *instructions;
    const int64_t *initial; /* of the registers */
    uint32_t n_done;  /* a slot: the number of events so far; none if no iteration is */
    uint32_t changed; /* checked; and a slot: that number after the latest event that
                         changed something */
};

struct weiri_litmus_run {
    uint32_t at;    /* the next instruction */
    int64_t *slots; /* code->n_slots; the caller's */
};

/* Reads of a thread, including the reads of read-modify-writes, are numbered from 0 in
 * the order in which they are performed. Bit n stands for read n. */
enum { WEIRI_LITMUS_FLOW_READS = 64 };

/**
 * weiri_litmus_flow:
 * @slots: by slot: the set of reads that its value depends on; code->n_slots, the
 *         caller's
 * @depths: by depth: the set of reads that decided what runs there; code->n_depths, the
 *          caller's
 * @n_reads: the number of reads so far; those from the 64th on are not followed
 * @address: the reads on which the address of the event depends at which the thread has
 *           stopped,
 * @data: the value written, of a WRITE, UPDATE or COMPARE,
 * @expected: the value compared with, of a COMPARE,
 * @control: and whether the event is reached
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
    WEIRI_LITMUS_BOUND,    /* a loop has reached its bound of iterations */
    WEIRI_LITMUS_SPIN,     /* at the head of a loop whose iteration has changed
                              nothing */
    WEIRI_LITMUS_DIVISION, /* by 0 */
    WEIRI_LITMUS_SHIFT,    /* by a count out of range */
    WEIRI_LITMUS_BEYOND,   /* an address outside of its location */
};

/** Goes to the beginning. @flow, which may be %NULL, is emptied. */
void weiri_litmus_start(const struct weiri_litmus_code *code,
                        struct weiri_litmus_run *run, struct weiri_litmus_flow *flow);

/**
 * weiri_litmus_next:
 * @rounds: the bound of iterations each time a loop is entered; plus
 *          %WEIRI_LITMUS_STOP_SPINS to stop at iterations that change nothing
 * @flow: %NULL, or one that has followed the run from its start
 *
 * Runs to the next event. Any other reason to stop ends the run. Loops that do too much
 * work without an event end it with %WEIRI_LITMUS_BOUND.
 */
enum weiri_litmus_stop weiri_litmus_next(const struct weiri_litmus_code *code,
                                         struct weiri_litmus_run *run, uint32_t rounds,
                                         struct weiri_litmus_flow *flow);

/** Passes an event. @value: of a READ or UPDATE, the value read. */
void weiri_litmus_resume(const struct weiri_litmus_code *code,
                         struct weiri_litmus_run *run, int64_t value,
                         struct weiri_litmus_flow *flow);

/** Passes a COMPARE that has read @value. */
void weiri_litmus_resume_compare(const struct weiri_litmus_code *code,
                                 struct weiri_litmus_run *run, int64_t value,
                                 bool succeeded, struct weiri_litmus_flow *flow);

static inline int64_t weiri_litmus_value(const struct weiri_litmus_run *run,
                                         const struct weiri_litmus_operand *operand)
{
    return operand->slot == WEIRI_LITMUS_NO_SLOT ? operand->value
                                                 : run->slots[operand->slot];
}

/** For a run that has stopped with %WEIRI_LITMUS_SPIN, the number of events of the
 *  iteration that has changed nothing. An UPDATE that writes counts as two. */
uint32_t weiri_litmus_round(const struct weiri_litmus_code *code,
                            const struct weiri_litmus_run *run);

/** Converts @value to the type, as C does; wraps around. */
int64_t weiri_litmus_convert(enum weiri_litmus_type type, int64_t value);

/**
 * weiri_litmus_apply:
 *
 * Computes @a FUNCTION @b in @type; with the function and type of an UPDATE, the value
 * that it writes.
 *
 * Returns: %WEIRI_LITMUS_EVENT with *@result, or the kind of fault
 */
enum weiri_litmus_stop weiri_litmus_apply(enum weiri_litmus_function function,
                                          enum weiri_litmus_type type, int64_t a,
                                          int64_t b, int64_t *result);

/** The value that an UPDATE writes that has read @read; @a and @b are the values of its
 *  operands. */
int64_t weiri_litmus_written(const struct weiri_litmus_instruction *update,
                             int64_t read, int64_t a, int64_t b);
/**
 * weiri_litmus_live_slots:
 * @words: (out): of a set of slots: slot n is bit n % 64 of word n / 64
 *
 * Returns: (transfer full): for each instruction a set, the slots whose values before
 *          it decide what the thread does later: what it accesses, what it writes, and
 *          where it goes. Registers that only the claim names are not part of it, nor
 *          are counts of iterations. %NULL if the code is too large
 */
uint64_t *weiri_litmus_live_slots(const struct weiri_litmus_code *code,
                                  uint32_t *words);

/**
 * weiri_litmus_is_endless:
 * @live: of the code
 *
 * Continues a run that weiri_litmus_next() has ended with %WEIRI_LITMUS_BOUND. Returns
 * true if it repeats a state, so that it goes on for ever without an event.
 */
bool weiri_litmus_is_endless(const struct weiri_litmus_code *code,
                             struct weiri_litmus_run *run, const uint64_t *live,
                             uint32_t words);

/** Finds out which accesses may be left out of an execution; to be called again after
 *  scopes of instructions have changed. See spin.c */
void weiri_litmus_judge_accesses(struct weiri_litmus *test);

#endif
