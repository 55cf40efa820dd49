/* SPDX-License-Identifier: MIT
 *
 * machine.h: the items of a launch, each of which runs alone, from one request to the
 * next. A request is an operation on a location of the explored program, a fence or a
 * rendezvous; other accesses are done at once, see cells.h. An answer is the value that
 * the item reads, or the result of the rendezvous. Items affect each other in no other
 * way than by these answers.
 *
 * The value of a plain store is known only at the item's next stop, so one stop may
 * consist of several requests. */
#ifndef WEIRI_MACHINE_H
#define WEIRI_MACHINE_H

#include "deterministic/hub.h"
#include "native/cells.h"
#include "native/unseen.h"

enum weiri_request_kind {
    WEIRI_REQUEST_READ,  /* a plain read of a location */
    WEIRI_REQUEST_WRITE, /* a plain write of a location */
    WEIRI_REQUEST_ATOMIC,
    WEIRI_REQUEST_FENCE,
    WEIRI_REQUEST_MEET,
    WEIRI_REQUEST_BOUND, /* it takes too many steps in memory of its own */
    WEIRI_REQUEST_END,   /* it has returned */
    WEIRI_REQUEST_FAULT, /* it must not go on: the launch's report says why */
};

/**
 * weiri_request:
 * @cell: of an access
 * @value: of a write
 * @site: of the operation; NULL: it has none, but a @pc
 * @is_volatile: of a read or a write of a volatile object
 * @op: of a rendezvous: see WEIRI_OP()
 * @argument: what the item contributes to it, and @source of a shuffle
 * @atomic: of an atomic operation or a fence
 * @print: a hash of the item's private state; 0 where it is not known
 * @stop: the number of the item's stop at which it makes the request, from 1, as a
 *        schedule counts them
 */
struct weiri_request {
    enum weiri_request_kind kind;
    bool is_volatile;
    uint32_t cell;
    int64_t value;
    const struct weir_site *site;
    const void *pc;
    uint64_t op;
    uint64_t argument;
    size_t source;
    struct weiri_atomic_op atomic;
    uint64_t print;
    uint64_t stop;
};

/* The actions of an item from one place on, stop by stop: they are recorded, or
 * compared with such a record. */
struct weiri_machine_trace {
    GArray *stops; /* of uint64_t: a hash of each */
    bool compares;
    guint at;     /* the number of stops that were compared */
    bool differs; /* the latest stop is not the recorded one; the item is still there */
};

struct weiri_machine_item {
    GArray *requests;      /* of struct weiri_request */
    uint32_t at;           /* the request that is to be answered */
    volatile char *stored; /* where it was about to store, or NULL */
    uint32_t stored_bytes;
    bool stored_volatile;
    const void *stored_pc;
    uint64_t stored_stop;
    GByteArray *before;     /* what was there */
    bool copying;           /* the store follows the latest stop */
    volatile char *suspect; /* where a store that was done, or it follows; or NULL */
    GArray *written;        /* uint32_t: cells that it alone writes, and has written */
    bool marked;            /* it has written such a cell since its latest request */
    uint64_t course;        /* a hash of its stops since its latest request */
    struct weiri_unseen_stop stops[2]; /* its last two stops, the latest first */
};

/* The treatment of reads of unwritten memory. */
enum weiri_unwritten_use {
    WEIRI_UNWRITTEN_IGNORED,
    WEIRI_UNWRITTEN_NOTED,
    WEIRI_UNWRITTEN_REPLACED, /* each gets its poison */
};

struct weiri_machine {
    struct weiri_hub hub;
    struct weiri_cells cells;
    uint32_t n_threads;
    uint32_t n_items; /* of a group */
    struct weiri_machine_item *items;
    GArray *pieces;
    bool learns;
    bool ends_at_races; /* executions do */
    bool orders;        /* not all that orders accesses is barriers, and relaxed atomic
                    operations of one location: */
    bool has_atomic;
    uintptr_t atomic_at; /* its place, in local memory relative to the group's */
    GHashTable *copies;  /* the places of stores that follow the next read; owned */
    bool interrupted;    /* the time limit was reached before an item's next stop */
    bool prints;         /* requests get a print */
    enum weiri_unwritten_use reads; /* of unwritten memory */
    GPtrArray *unwritten;           /* of struct weiri_unwritten_read; owned */
    GArray *pieces_read;            /* of struct weiri_unwritten_piece */
    struct weiri_unseen unseen;     /* what items write without a stop */
    uint64_t print;
    uint64_t *compared;                /* see weiri_native_compared() */
    struct weiri_machine_trace *trace; /* of the item that runs, or NULL */
};

/** Starts the launch's groups. @ends_at_races: executions end there. @compared: see
 *  weiri_native_compared(). Returns: false if they cannot all be resident */
bool weiri_machine_init(struct weiri_machine *machine, struct weiri_worker *worker,
                        bool all_locations, bool ends_at_races, uint64_t *compared);
void weiri_machine_clear(struct weiri_machine *machine);

/** Runs the whole launch until a run meets no new location. */
void weiri_machine_learn(struct weiri_machine *machine);

/** Begins an item anew, up to its first request. */
void weiri_machine_start(struct weiri_machine *machine, uint32_t thread);

/** Whether what the items do has no meaning: the launch is refused or interrupted, or
 *  its items must begin anew. */
bool weiri_machine_is_over(const struct weiri_machine *machine);

/** The bits of an argument or a result of a rendezvous that its type has. */
uint64_t weiri_value_bits(uint64_t op, union weiri_value value);

/** The item's request; borrowed until it is answered. */
const struct weiri_request *weiri_machine_request(const struct weiri_machine *machine,
                                                  uint32_t thread);

/** A hash of what the item has done since its latest request, the @depth-th. */
uint64_t weiri_machine_course(const struct weiri_machine *machine, uint32_t thread,
                              uint32_t depth);

/** Answers the request, and runs the item up to its next request. @value: the bits of
 *  the value that is read, or of the result of the rendezvous. @fails: a weak
 *  compare-exchange fails although it reads what it expects */
void weiri_machine_answer(struct weiri_machine *machine, uint32_t thread, int64_t value,
                          bool fails);

#endif
