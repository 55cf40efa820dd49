/* SPDX-License-Identifier: MIT
 *
 * native_locks.c: see native_locks.h. */
#include "native_locks.h"

#define LOAD(word, by)                                                                 \
    weir_atomic_load_explicit((word), args->ways.order[by], args->ways.scope[by])
#define STORE(word, value, by)                                                         \
    weir_atomic_store_explicit((word), (value), args->ways.order[by],                  \
                               args->ways.scope[by])
#define ADD(word, value, by)                                                           \
    weir_atomic_fetch_add_explicit((word), (value), args->ways.order[by],              \
                                   args->ways.scope[by])
#define REPLACE(word, expected, value, by)                                             \
    weir_atomic_compare_exchange_strong_explicit(                                      \
        (word), (expected), (value), args->ways.order[by], memory_order_relaxed,       \
        args->ways.scope[by])
#define FENCE(by) weir_atomic_fence(args->ways.order[by], args->ways.scope[by])

/* A read and a write: clang reports those of one statement as one access. */
#define INCREASE(word, by)                                                             \
    do {                                                                               \
        uint32_t before_ = *(word);                                                    \
        __asm__ volatile("" ::: "memory");                                             \
        *(word) = before_ + (by);                                                      \
    } while (0)

/* ---- Locks: each item adds 1 to y[0] under the lock ----------------------------- */

WEIR_KERNEL(cas_lock_by, locks_args)
{
    uint32_t expected = 0;
    while (!REPLACE(&args->x[0], &expected, 1u, CAS_LOCK)) {
        expected = 0;
    }
    INCREASE(&args->y[0], 1);
    STORE(&args->x[0], 0, CAS_UNLOCK);
}

WEIR_KERNEL(ticket_lock_by, locks_args)
{
    uint32_t ticket = ADD(&args->x[0], 1, TICKET_TAKE);
    while (LOAD(&args->x[1], TICKET_WAIT) != ticket) {}
    INCREASE(&args->y[0], 1);
    STORE(&args->x[1], ticket + 1, TICKET_SERVE);
}

/* Two items; their flags are x[0] and x[1]; x[2] is the item that waits. */
WEIR_KERNEL(peterson_by, locks_args)
{
    uint32_t i = (uint32_t)weir_global_id(item, 0);
    STORE(&args->x[i], 1, PETERSON_FLAG);
    STORE(&args->x[2], i, PETERSON_TURN);
    while (LOAD(&args->x[1 - i], PETERSON_SEE_FLAG) == 1
           && LOAD(&args->x[2], PETERSON_SEE_TURN) == i) {}
    INCREASE(&args->y[0], 1);
    STORE(&args->x[i], 0, PETERSON_LEAVE);
}

/* ---- A counter of tasks, from which others steal --------------------------------- */

enum { OWN_TASKS = 2 };

/* Item i publishes its tasks, y[2i] and y[2i + 1], whose number is x[2 + i]. Each takes
 * its own, and then those of the other item, by the counters x[0] and x[1]. */
#define STEAL(name, may_be_unseen)                                                     \
    WEIR_KERNEL(name, locks_args)                                                      \
    {                                                                                  \
        uint32_t own = (uint32_t)weir_global_id(item, 0), other = 1 - own, task;       \
        args->y[OWN_TASKS * own] = 10 + own;                                           \
        args->y[OWN_TASKS * own + 1] = 20 + own;                                       \
        STORE(&args->x[2 + own], OWN_TASKS, STEAL_PUBLISH);                            \
        while ((task = ADD(&args->x[own], 1, STEAL_TAKE)) < OWN_TASKS) {               \
            args->out[OWN_TASKS * own + task] = args->y[OWN_TASKS * own + task];       \
        }                                                                              \
        uint32_t published = LOAD(&args->x[2 + other], STEAL_LOOK);                    \
        if ((may_be_unseen) || published > 0) {                                        \
            while ((task = ADD(&args->x[other], 1, STEAL_TAKE)) < published) {         \
                args->out[OWN_TASKS * other + task]                                    \
                    = args->y[OWN_TASKS * other + task];                               \
            }                                                                          \
        }                                                                              \
    }
STEAL(steal_by, false)
STEAL(steal_unseen_by, true) /* takes a task that it has not seen, and does nothing */

/* ---- A sequence lock ------------------------------------------------------------- */

/* Item 0 writes y[0] and y[1]; the others read both, again until they belong
 * together. */
WEIR_KERNEL(seqlock_by, locks_args)
{
    uint32_t i = (uint32_t)weir_global_id(item, 0);
    if (i == 0) {
        STORE(&args->x[0], 1, SEQ_ODD);
        FENCE(SEQ_FENCE);
        STORE(&args->y[0], 7, SEQ_STORE);
        STORE(&args->y[1], 7, SEQ_STORE);
        STORE(&args->x[0], 2, SEQ_EVEN);
        return;
    }
    uint32_t begin, one, two;
    do {
        while (((begin = LOAD(&args->x[0], SEQ_BEGIN)) & 1) != 0) {}
        one = LOAD(&args->y[0], SEQ_LOAD);
        two = LOAD(&args->y[1], SEQ_LOAD);
        FENCE(SEQ_READ_FENCE);
    } while (LOAD(&args->x[0], SEQ_END) != begin);
    args->out[2 * i] = one;
    args->out[2 * i + 1] = two;
}

/* ---- A prefix sum by decoupled look-back ----------------------------------------- */

enum { AGGREGATE = 1, PREFIX = 2 };

/* x[0]: tickets; x[1 + g]: the state of group g; y[g]: its sum; y[8 + g]: the sum of
 * the groups up to it. The sum of group g is g + 1. */
WEIR_KERNEL(look_back_by, locks_args)
{
    uint32_t g = ADD(&args->x[0], 1, LOOK_TICKET), before = 0;
    if (g > 0) {
        args->y[g] = g + 1;
        STORE(&args->x[1 + g], AGGREGATE, LOOK_AGGREGATE);
    }
    for (uint32_t p = g; p-- > 0;) {
        uint32_t state;
        while ((state = LOAD(&args->x[1 + p], LOOK_BACK)) == 0) {}
        if (state == PREFIX) {
            before += args->y[8 + p];
            break;
        }
        before += args->y[p];
    }
    args->y[8 + g] = before + g + 1;
    STORE(&args->x[1 + g], PREFIX, LOOK_PREFIX);
    args->out[g] = before;
}

/* ---- A stack of cells ------------------------------------------------------------ */

/* x[0]: the top; x[n]: what is below cell n; 0 is none. With counted pointers each
 * change of the top adds 1 to its upper half. */
enum { COUNT = 0x10000, CELL = 0xffff };

static uint32_t pop(const locks_args *args, uint32_t count)
{
    uint32_t top = LOAD(&args->x[0], STACK_PEEK), below;
    do {
        if ((top & CELL) == 0) {
            return 0;
        }
        below = LOAD(&args->x[top & CELL], STACK_NEXT);
    } while (!weir_atomic_compare_exchange_strong_explicit(
        &args->x[0], &top, (below & CELL) | ((top + count) & ~CELL),
        args->ways.order[STACK_POP], args->ways.order[STACK_PEEK],
        args->ways.scope[STACK_POP]));
    return top & CELL;
}

static void push(const locks_args *args, uint32_t cell, uint32_t count)
{
    uint32_t top = LOAD(&args->x[0], STACK_LINK);
    do {
        STORE(&args->x[cell], top & CELL, STACK_LINK);
    } while (!REPLACE(&args->x[0], &top, cell | ((top + count) & ~CELL), STACK_PUSH));
}

/* From the cells 1, 2 and 3, from the top, item 0 keeps the first that it gets; item 1
 * takes two, and gives the first back. */
static void take(struct weir_item *item, const locks_args *args, uint32_t count)
{
    if (weir_global_id(item, 0) == 0) {
        args->out[0] = pop(args, count);
        return;
    }
    uint32_t one = pop(args, count);
    args->out[1] = pop(args, count);
    if (one != 0) {
        push(args, one, count);
    }
}

WEIR_KERNEL(stack_by, locks_args)
{
    take(item, args, 0);
}

WEIR_KERNEL(stack_counted_by, locks_args)
{
    take(item, args, COUNT);
}

/* Item 0 fills cells 4 and 5 and pushes them; item 1 empties the first that it gets. */
WEIR_KERNEL(hand_over_by, locks_args)
{
    if (weir_global_id(item, 0) == 0) {
        for (uint32_t cell = 4; cell <= 5; cell++) {
            args->y[cell] = 10 * cell;
            push(args, cell, COUNT);
        }
        return;
    }
    uint32_t cell = pop(args, COUNT);
    args->out[0] = cell;
    args->out[1] = cell > 3 ? args->y[cell] : 0;
}
