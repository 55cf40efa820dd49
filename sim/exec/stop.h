/* SPDX-License-Identifier: MIT
 *
 * stop.h: a stop of an item, as a value: the item's next act, the place where it waits,
 * or how it ended. */
#ifndef WEIRI_STOP_H
#define WEIRI_STOP_H

#include "weir-kernel.h"

enum weiri_stop_kind {
    WEIRI_STOP_NONE, /* the item has not stopped yet */
    WEIRI_STOP_BEFORE_ATOMIC,
    WEIRI_STOP_BEFORE_FENCE,
    WEIRI_STOP_BEFORE_ACCESS,
    WEIRI_STOP_WAITS,     /* at a rendezvous that other items have yet to reach */
    WEIRI_STOP_COMPLETES, /* its arrival completed a rendezvous */
    WEIRI_STOP_AT_BLOCK,  /* it enters a block of its code, or compares: in-step.h */
    /* Ends: the item's stack is free. */
    WEIRI_STOP_RETURNED,    /* from its kernel */
    WEIRI_STOP_ABANDONED,   /* the item must not go on, and its group ends with it */
    WEIRI_STOP_OVERFLOWED,  /* the same: it has used up its stack */
    WEIRI_STOP_FAULTED,     /* the same: struct weiri_fault says what it did */
    WEIRI_STOP_INTERRUPTED, /* the time limit ended it */
};

/* The acts of an item besides the operations of enum weiri_atomic: the greatest values
 * of a byte, far above those operations. */
enum {
    WEIRI_OPERATION_READ = 253, /* a plain access */
    WEIRI_OPERATION_WRITE,      /* the same */
    WEIRI_OPERATION_MEET,       /* a rendezvous */
};

/* A stop that is the end of its item has the place and the operation of the one
 * before. */
struct weiri_stop {
    uint64_t ordinal;             /* which stop of its item this is, from 1 */
    const struct weir_site *site; /* of the operation; NULL: it has none, but @pc */
    const void *pc;               /* the latest place that instrumentation reported */
    union {
        const volatile void *address; /* of an atomic or an access; NULL: of a fence */
        uint64_t op;                  /* of a rendezvous: see WEIRI_OP() */
    };
    uint32_t bytes;    /* at @address */
    uint32_t path;     /* to a rendezvous: see history.h */
    uint32_t id;       /* of the item; see id-set.h */
    uint8_t kind;      /* of enum weiri_stop_kind */
    uint8_t operation; /* of enum weiri_atomic, or one of those above */
    bool aggregate;    /* an access: of an array or a struct, perhaps to copy it */
    bool is_volatile;  /* an access: to a volatile object */
};

static inline bool weiri_stop_is_end(const struct weiri_stop *stop)
{
    return stop->kind >= WEIRI_STOP_RETURNED;
}

#endif
