/* SPDX-License-Identifier: MIT
 *
 * race_program.h: what happened in a launch, small enough to judge by brute force: the
 * operations of a few items on a few objects, in the one order in which they took
 * place. Tests of the race detector write such programs as text, draw them at random,
 * and print them where something is wrong, in the same words:
 *
 *   groups 2 items 2 sub-groups 2 scopes mutual spaces sycl
 *   object a global 16
 *   object b local 8 of 1
 *   meeting 0 group barrier global work_group of 0.0 0.1
 *   0.0 write a[0..3]
 *   0.0 store a[8..11] release device
 *   0.0 arrive 0
 *   0.1 arrive 0
 *   1.1 fetch_add a[8..11] acq_rel device
 *   1.1 compare_exchange a[8..11] acq_rel relaxed device failed
 *   1.1 fence acquire system both
 *   1.1 update b[4..7]
 *
 * Under "spaces ptx" there are volatile_read and volatile_write, too.
 *
 * 1.0 is item 0 of group 1. A plain `update` reads and then writes. Meetings are
 * numbered from 0; one is over right after the last of its items has arrived. Empty
 * lines and what follows a # mean nothing. Values do not matter: an atomic read reads
 * what was written last. */
#ifndef WEIR_TESTS_RACE_PROGRAM_H
#define WEIR_TESTS_RACE_PROGRAM_H

#include <weir-kernel.h>
#include <weir.h>

enum {
    MOST_GROUPS = 20,
    MOST_ITEMS = 32, /* of the launch */
    MOST_OBJECTS = 4,
    MOST_OBJECT_BYTES = 16,
    MOST_MEETINGS = 48,
    MOST_STEPS = 224,
};

enum step_kind { STEP_PLAIN, STEP_ATOMIC, STEP_FENCE, STEP_ARRIVE };

/* One operation of one item. */
struct step {
    enum step_kind kind;
    unsigned item;      /* group * n_items + local linear id */
    unsigned object;    /* PLAIN and ATOMIC: which, */
    unsigned offset;    /* from which byte on, */
    unsigned bytes;     /* how many, */
    bool reads, writes; /* and what it did; a compare-exchange that failed only reads */
    bool is_volatile;   /* PLAIN, under PTX: it reads or writes */
    enum weiri_atomic atomic;
    memory_order order;   /* ATOMIC and FENCE; of a compare-exchange on success */
    memory_order failure; /* of a compare-exchange; else the same */
    memory_scope scope;   /* ATOMIC and FENCE */
    unsigned space;       /* FENCE: of WEIR_LOCAL and WEIR_GLOBAL */
    unsigned meeting;     /* ARRIVE */
};

struct meeting {
    enum weiri_level level;
    enum weiri_collective kind;
    unsigned space;     /* what it orders: of WEIR_LOCAL and WEIR_GLOBAL, or neither */
    memory_scope scope; /* device and wider: fences of that scope around it */
    uint32_t members;   /* a bit an item */
};

struct object {
    bool local;
    unsigned group; /* whose, if local */
    unsigned bytes;
};

struct program {
    enum weir_scope_rule scopes;
    enum weir_spaces spaces;
    bool ptx; /* "spaces ptx": by the rules of PTX, and then the others are the first */
    unsigned n_groups;
    unsigned n_items; /* of a group */
    unsigned sub_group_size;
    unsigned n_objects;
    unsigned n_meetings;
    unsigned n_steps;
    struct object objects[MOST_OBJECTS];
    struct meeting meetings[MOST_MEETINGS];
    struct step steps[MOST_STEPS];
};

/** Reads what program_text() writes. Aborts where it is wrong: it is a test's own. */
void program_read(struct program *program, const char *text);

/** Returns: (transfer full) */
char *program_text(const struct program *program);

/** One step as a line of it, without the line's end. Returns: (transfer full) */
char *program_step_text(const struct program *program, unsigned step);

/** Takes a step out. For an arrival: all arrivals of its meeting. */
void program_remove(struct program *program, unsigned step);

/** After which step a meeting is over: the last arrival, or %UINT_MAX where an item
 *  never arrives. */
unsigned program_meeting_ends(const struct program *program, unsigned meeting);

/** The order that counts: of a compare-exchange by how it went. */
memory_order step_order(const struct step *step);

/** Whether both are accesses that have a byte in common. */
bool steps_overlap(const struct step *a, const struct step *b);

#endif
