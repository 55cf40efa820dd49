/* SPDX-License-Identifier: MIT
 *
 * machine.h: the items of a launch, each of which runs alone, from one request to the
 * next, with the answers that it is given: values that it reads, and results of
 * rendezvous. Items affect each other in no other way. What an item asks for are
 * operations on locations of the explored program, fences and rendezvous; other
 * accesses are done at once; see cells.h.
 *
 * A store is known with its value only at the item's next stop, so one stop may consist
 * of several requests. */
#ifndef WEIRI_MACHINE_H
#define WEIRI_MACHINE_H

#include "deterministic/hub.h"
#include "native/cells.h"

enum weiri_request_kind {
    WEIRI_REQUEST_READ, /* a plain one of a location, as the next */
    WEIRI_REQUEST_WRITE,
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
 * @site: of the operation; NULL: it has none, but @pc
 * @op: of a rendezvous: see WEIRI_OP()
 * @argument: what the item contributes to it, and @source of a shuffle
 * @atomic: of an atomic operation or a fence
 * @print: a hash of the item's private state; 0 where it is not known
 */
struct weiri_request {
    enum weiri_request_kind kind;
    uint32_t cell;
    int64_t value;
    const struct weir_site *site;
    const void *pc;
    uint64_t op;
    uint64_t argument;
    size_t source;
    struct weiri_atomic_op atomic;
    uint64_t print;
};

/* What an item does from one place on, stop by stop: recorded, or held against such a
 * record. */
struct weiri_machine_trace {
    GArray *stops; /* of uint64_t: a hash of each */
    bool compares;
    guint at;     /* the number of stops that were compared, and */
    bool differs; /* whether the latest one was another; the item has not passed it */
};

struct weiri_machine_item {
    GArray *requests;      /* of struct weiri_request */
    uint32_t at;           /* the one that is to be answered */
    volatile char *stored; /* the plain store that it was about to do, or NULL */
    uint32_t stored_bytes;
    const void *stored_pc;
    GArray *written; /* uint32_t: cells that it alone writes, and has written */
    bool marked;     /* it has written such a cell since its latest request */
};

struct weiri_machine {
    struct weiri_hub hub;
    struct weiri_cells cells;
    uint32_t n_threads;
    uint32_t n_items; /* of a group */
    struct weiri_machine_item *items;
    GArray *pieces;
    bool learns;
    bool interrupted; /* an item has come to no stop until the limit of time */
    bool prints;      /* requests get a print */
    uint64_t print;
    uint64_t *compared;                /* see weiri_native_compared() */
    struct weiri_machine_trace *trace; /* of the item that runs, or NULL */
};

/** Starts the launch's groups. @compared: see weiri_native_compared(). Returns: false
 *  where they cannot all be resident */
bool weiri_machine_init(struct weiri_machine *machine, struct weiri_worker *worker,
                        bool all_locations, uint64_t *compared);
void weiri_machine_clear(struct weiri_machine *machine);

/** Runs the whole launch, as often as it takes to know its locations. */
void weiri_machine_learn(struct weiri_machine *machine);

/** Begins an item anew. Its first request is there. */
void weiri_machine_start(struct weiri_machine *machine, uint32_t thread);

/** Whether what the items do has lost its meaning: the launch is refused or is
 *  interrupted, or they are to begin anew. */
bool weiri_machine_is_over(const struct weiri_machine *machine);

/** The bits of an argument or a result of a rendezvous that its type has. */
uint64_t weiri_value_bits(uint64_t op, union weiri_value value);

/** The item's request; borrowed until it is answered. */
const struct weiri_request *weiri_machine_request(const struct weiri_machine *machine,
                                                  uint32_t thread);

/** Answers the request. The next one is there. @value: that is read, or got at the
 *  rendezvous; the bits of it. @fails: a weak compare-exchange fails, although it reads
 *  what it expects */
void weiri_machine_answer(struct weiri_machine *machine, uint32_t thread, int64_t value,
                          bool fails);

#endif
