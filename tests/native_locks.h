/* SPDX-License-Identifier: MIT
 *
 * native_locks.h: locks and algorithms without locks, whose orders and scopes are
 * arguments: a variant is a row of a table; see check_native_locks.c. */
#ifndef WEIR_TESTS_NATIVE_LOCKS_H
#define WEIR_TESTS_NATIVE_LOCKS_H

#include <weir-kernel.h>

enum { MOST_OPERATIONS = 8 };

/* By operation; each kernel numbers its own. */
struct ways {
    memory_order order[MOST_OPERATIONS];
    memory_scope scope[MOST_OPERATIONS];
};

typedef struct {
    uint32_t *x, *y, *out;
    struct ways ways;
} locks_args;

enum { CAS_LOCK, CAS_UNLOCK };
WEIR_DECLARE_KERNEL(cas_lock_by);

enum { TICKET_TAKE, TICKET_WAIT, TICKET_SERVE };
WEIR_DECLARE_KERNEL(ticket_lock_by);

enum {
    PETERSON_FLAG,
    PETERSON_TURN,
    PETERSON_SEE_FLAG,
    PETERSON_SEE_TURN,
    PETERSON_LEAVE
};
WEIR_DECLARE_KERNEL(peterson_by);

enum { STEAL_PUBLISH, STEAL_LOOK, STEAL_TAKE };
WEIR_DECLARE_KERNEL(steal_by);
WEIR_DECLARE_KERNEL(steal_unseen_by);

enum {
    SEQ_ODD,
    SEQ_FENCE,
    SEQ_STORE,
    SEQ_EVEN,
    SEQ_BEGIN,
    SEQ_LOAD,
    SEQ_READ_FENCE,
    SEQ_END
};
WEIR_DECLARE_KERNEL(seqlock_by);

enum { LOOK_TICKET, LOOK_AGGREGATE, LOOK_PREFIX, LOOK_BACK };
WEIR_DECLARE_KERNEL(look_back_by);

enum { STACK_PEEK, STACK_NEXT, STACK_POP, STACK_LINK, STACK_PUSH };
WEIR_DECLARE_KERNEL(stack_by);
WEIR_DECLARE_KERNEL(stack_counted_by);
WEIR_DECLARE_KERNEL(hand_over_by);

#endif
