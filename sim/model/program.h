/* SPDX-License-Identifier: MIT
 *
 * program.h: a program, as the explorer and the enumerator see it: a few threads that,
 * resumed with the value of their last read, return their next step. A litmus test is
 * such a program (litmus/program.c); others can be made from anything that can run in
 * steps. Its state is only seen through the interface below.
 *
 *     start:    next = start(thread)
 *     a step:   READ, UPDATE         next = resume(thread, value read, it wrote)
 *               WRITE, FENCE, BLIND, ENTER
 *                                    next = resume(thread, 0, false)
 *     the end:  END, or the reason why the thread stops
 *
 * A thread is a function of the values that it reads: with the same values it takes the
 * same steps. Its state is a sequence of bytes that the explorer keeps, copies and
 * passes back.
 *
 * BLIND: an atomic read-modify-write that always writes, whose result the thread does
 * not use, and which commutes with all others of its location. The order of such
 * updates makes no difference, so it is not explored. They acquire nothing. All other
 * accesses to the location must be reads and writes that happens-before orders with
 * each BLIND. Otherwise there is a race, at which the execution ends, or the program
 * must make these steps UPDATEs; see @ordered.
 *
 * SPIN: the thread is back at the head of a loop in an unchanged state; reading the
 * same values again would repeat the iteration. It stops there. Its steps after reading
 * other values are part of other executions, in which it reads those values at once.
 * The program must make sure that leaving out such an iteration hides no race; see
 * docs/exploration.md. */
#ifndef WEIRI_PROGRAM_H
#define WEIRI_PROGRAM_H

#include "weir-kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weiri_step_kind {
    WEIRI_STEP_READ,
    WEIRI_STEP_WRITE,
    WEIRI_STEP_UPDATE, /* a read-modify-write; writes if the value read permits it */
    WEIRI_STEP_BLIND,  /* one whose result is not used, see above */
    WEIRI_STEP_FENCE,
    WEIRI_STEP_ENTER, /* arrives at a barrier of its group; continues when all have
                         arrived */
    WEIRI_STEP_END,
    WEIRI_STEP_SPIN,  /* waits in a loop for another value, see above */
    WEIRI_STEP_BOUND, /* a loop has reached its bound of iterations */
    WEIRI_STEP_FAULT, /* has done something that has no meaning */
};

/* A scope between the work-group and the device: a cluster of PTX, a queue family of
 * Vulkan. The others are of enum memory_scope. */
enum { WEIRI_SCOPE_CLUSTER = memory_scope_system + 1 };

/* The paths by which PTX accesses memory. An ALIAS fence is between virtual addresses
 * of one location. */
enum weiri_proxy {
    WEIRI_PROXY_GENERIC,
    WEIRI_PROXY_SURFACE,
    WEIRI_PROXY_TEXTURE,
    WEIRI_PROXY_CONSTANT,
    WEIRI_PROXY_ASYNC,
    WEIRI_PROXY_ALIAS,
};

/* What an operation of PTX or Vulkan is, beyond its order. */
enum weiri_trait {
    WEIRI_TRAIT_STATED = 1 << 0,        /* the operation has traits */
    WEIRI_TRAIT_PROXY_FENCE = 1 << 1,   /* a fence of a proxy alone */
    WEIRI_TRAIT_RESULT_UNUSED = 1 << 2, /* `red` of PTX */
    WEIRI_TRAIT_ARRIVES = 1 << 3,       /* arrives at a barrier, and does not wait */
    /* For plain accesses of Vulkan; an atomic operation always has all three. */
    WEIRI_TRAIT_NONPRIVATE = 1 << 4,
    WEIRI_TRAIT_AVAILABLE = 1 << 5,     /* a write that makes itself available */
    WEIRI_TRAIT_VISIBLE = 1 << 6,       /* a read that makes itself visible */
    WEIRI_TRAIT_SEM_AVAILABLE = 1 << 7, /* semav */
    WEIRI_TRAIT_SEM_VISIBLE = 1 << 8,   /* semvis */
    WEIRI_TRAIT_AV_DEVICE = 1 << 9,     /* avdevice */
    WEIRI_TRAIT_VIS_DEVICE = 1 << 10,   /* visdevice */
    WEIRI_TRAIT_NUMBERED = 1 << 11,     /* a barrier with a stated number */
    WEIRI_TRAIT_AWAITS = 1 << 12,       /* waits at a barrier without an arrival */
    WEIRI_TRAIT_LATE = 1 << 13,         /* an entry that completes no barrier: others
                                           leave without it; set by an enumeration */
};

/**
 * weiri_traits: what PTX and Vulkan say of an operation, zeros for all others
 * @flags: of enum weiri_trait
 * @proxy: PTX: of enum weiri_proxy
 * @storage: Vulkan: the storage class of an access, bit n for class n
 * @semantics: Vulkan: the storage classes that it orders
 * @meets: of a barrier: the scope whose threads meet there
 * @reference: of an access: a number for the name by which the location is accessed;
 *             equal numbers are one virtual address (PTX) or one reference (Vulkan)
 */
struct weiri_traits {
    uint16_t flags;
    uint8_t proxy;
    uint8_t storage;
    uint8_t semantics;
    uint8_t meets;
    uint32_t reference;
};

/**
 * weiri_step: the next step of a thread
 * @atomic: otherwise a plain access
 * @weak: UPDATE: may fail although the value permits it to write
 * @order: if it writes, @failure: of an UPDATE that does not write
 * @spaces: FENCE, ENTER: the address spaces that it orders, of enum weir_space
 * @scope: ENTER: sub_group: the threads of the sub-group meet; otherwise the group's
 * @location: an index of the program's locations
 * @label: ENTER: the name of the barrier
 * @value: WRITE: the value written; SPIN: the number of events of the iteration that
 *         changed nothing, the thread's latest ones: reads, fences, and
 *         read-modify-writes that write the value they read; ENTER with traits: the
 *         number of the barrier, 0 without one
 * @quorum: ENTER with traits: how many must arrive, 0: all that name the barrier
 * @place: the program's reference to the operation
 */
struct weiri_step {
    uint8_t kind;
    bool atomic;
    bool weak;
    uint8_t order;
    uint8_t failure;
    uint8_t scope;
    uint8_t spaces;
    uint32_t location;
    uint32_t label;
    int64_t value;
    uint32_t quorum;
    uint32_t place;
    struct weiri_traits traits;
};

/* Whether an operation of that order acquires, if it reads or is a fence. */
static inline bool weiri_step_acquires(memory_order order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}

/* Whether it releases, if it writes or is a fence. */
static inline bool weiri_step_releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel
        || order == memory_order_seq_cst;
}

/* Where a thread runs. Threads with equal numbers share the instance of that scope. If
 * a scope has no instances, as sub-groups in litmus tests, each thread has its own
 * number. */
struct weiri_program_thread {
    uint32_t sub_group, group, cluster, device;
};

struct weiri_program_location {
    const char *name;
    enum weir_space space;
    int64_t initial;
    bool atomic;   /* it is declared so */
    uint32_t type; /* of its values, numbered by the program */
};

/**
 * weiri_program_entry: a place where a thread enters a barrier of a table, reached or
 *                      not
 * @step: as it is there, with @place
 * @any_number: its number, @value, is known only when the thread is there
 */
struct weiri_program_entry {
    uint32_t thread;
    struct weiri_step step;
    bool any_number;
};

struct weiri_path_interface; /* see model/paths.h */
struct weiri_execution;      /* see model/execution.h */

/* Where an operation is in the source. @file: %NULL if all are in one file */
struct weiri_source_place {
    const char *file;
    uint32_t line, column;
};

/**
 * weiri_words: what drawings and messages call the parts of a program
 * @scoped: the scopes of events are shown
 * @label: the name of a barrier, or ""; borrowed
 * @thread: Returns: (transfer full): "P1"
 * @place: of the operation that a step of the thread refers to by @place
 * @scopes: the names of scopes; %NULL: those of SYCL
 */
struct weiri_words {
    bool scoped;
    const char *(*label)(const void *self, uint32_t label);
    char *(*thread)(const void *self, uint32_t thread);
    struct weiri_source_place (*place)(const void *self, uint32_t thread,
                                       uint32_t place);
    const char *const *scopes;
};

/* Whether threads meet at barriers as an execution has it. */
enum weiri_rendezvous {
    WEIRI_MEETING,
    WEIRI_OTHER_MEETING, /* not with this choice; there can be others */
    WEIRI_NO_MEETING,    /* there is no such choice, nor a later one */
};

/**
 * weiri_program:
 * @partial_barriers: there may be barriers that order only one address space
 * @state_bytes: the size of a thread's state
 * @start: sets the initial state of a thread
 * @resume: the thread has performed its last step
 * @update: returns whether the thread's UPDATE or BLIND writes if it reads @read, and
 *          what
 * @ordered: the location has an access, other than a BLIND, whose order with its BLINDs
 *           must be explored: these must be UPDATEs. The exploration is to end. May be
 *           %NULL if the program has no BLIND
 * @meet: returns what the thread gets at the barrier that it leaves. @states: by
 *        thread, the state of each thread that has met there, before it entered; %NULL
 *        for the others. @meet may be %NULL: all threads get 0
 * @entries: the @n_entries places where threads enter barriers of tables
 * @stopped: set by the program in @resume: the exploration is to end
 * @words: of its executions that are shown
 * @first_threads, @then_threads, @n_thens: Vulkan's ssw: all events of the one thread
 *             come before all of the other
 * @rendezvous: where barriers have traits: whether exactly those threads wait for ever
 *              whose barrier is not complete. @ends: by thread. A barrier with a quorum
 *              can be completed by several sets of threads: @choice counts them from 0.
 *              Sets @late, by event, for entries that complete nothing. %NULL where
 *              barriers have no traits
 * @fixed_barriers: the numbers of these barriers are constants
 * @constants, @n_constants: the values that the program and the claim name, for models
 *                           with values out of thin air
 * @paths: for weiri_enumerate(); %NULL if the program cannot be enumerated
 */
struct weiri_program {
    void *self;
    uint32_t n_threads;
    uint32_t n_locations;
    const struct weiri_program_thread *threads;
    const struct weiri_program_location *locations;
    bool partial_barriers;
    size_t state_bytes;
    void (*start)(void *self, uint32_t thread, void *state, struct weiri_step *next);
    void (*resume)(void *self, uint32_t thread, void *state, int64_t read, bool wrote,
                   struct weiri_step *next);
    bool (*update)(void *self, uint32_t thread, const void *state, int64_t read,
                   int64_t *written);
    void (*ordered)(void *self, uint32_t location);
    int64_t (*meet)(void *self, uint32_t thread, const void *const *states);
    const struct weiri_program_entry *entries;
    uint32_t n_entries;
    const uint32_t *first_threads, *then_threads;
    uint32_t n_thens;
    enum weiri_rendezvous (*rendezvous)(void *self,
                                        const struct weiri_execution *execution,
                                        const uint8_t *ends, uint64_t choice,
                                        bool *late);
    bool fixed_barriers;
    const int64_t *constants;
    uint32_t n_constants;
    const struct weiri_path_interface *paths;
    bool stopped;
    const struct weiri_words *words;
};

#endif
