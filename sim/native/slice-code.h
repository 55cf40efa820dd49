/* SPDX-License-Identifier: MIT
 *
 * slice-code.h: a litmus test that is being written. slice.c finds out which memory
 * matters, and writes the parts of the test around the threads' code; slice-code.c
 * writes that code. */
#ifndef WEIRI_NATIVE_SLICE_CODE_H
#define WEIRI_NATIVE_SLICE_CODE_H

#include "native/history.h"
#include "native/slice.h"

/* A location of the program. */
struct weiri_slice_place {
    bool kept;
    bool shared, written, atomic, unsigned_type;
    uint32_t thread; /* the thread that accesses it, from 1; 0: none */
    GArray *values;  /* int64_t: the values that it may have */
    char *name;      /* owned */
};

/* A loop that waits. */
struct weiri_slice_loop {
    GArray *heads; /* uint32_t: nodes */
    uint32_t number;
};

struct weiri_slice {
    const struct weiri_native *native;
    struct weiri_slice_place *places; /* by location */
    GString *out;                     /* the thread's code */
    GPtrArray *memory;                /* of values of members; owned */
    GArray *loops;                    /* struct weiri_slice_loop: the open ones */
    GArray *types;     /* uint32_t: by register: the bytes of its location; 0: it says
                        * whether a compare-exchange has succeeded */
    GArray *origins;   /* uint32_t: by register: its location, or UINT32_MAX */
    GPtrArray *unseen; /* by register: the condition that it has a value which the item
                        * was not seen to read; NULL: it cannot have one */
    bool *heads;       /* by node: it is the head of a loop that waits */
    bool *used;        /* by location: the thread's code uses it */
    bool has_unseen;   /* the thread's code sets `unseen` */
    bool fails;        /* the thread's code has an assertion that fails */
    uint32_t n_loops, n_statements, depth;
    char *why; /* why the test cannot be made; owned */
};

/** Writes the code of the item to @out. Sets what it has to declare: @n_loops,
 *  @has_unseen, @fails, and @used. */
void weiri_slice_code(struct weiri_slice *s, uint32_t thread);

/** Notes that the test cannot be made. The first reason counts. */
void weiri_slice_refuse(struct weiri_slice *s, const char *why);

static inline const struct weiri_native_cell *weiri_slice_cell(
    const struct weiri_slice *s, uint32_t location)
{
    const struct weiri_cells *cells = &s->native->machine.cells;
    return weiri_cell_at(cells, g_array_index(cells->cell_of, uint32_t, location));
}

static inline bool weiri_slice_is_access(const struct weiri_step *step)
{
    return step->kind <= WEIRI_STEP_UPDATE;
}

/* A value as the test has it. */
static inline int64_t weiri_slice_value(const struct weiri_slice *s, uint32_t location,
                                        int64_t value)
{
    const struct weiri_native_cell *cell = weiri_slice_cell(s, location);
    if (cell->bytes == sizeof(uint32_t) && s->places[location].unsigned_type) {
        return (uint32_t)value;
    }
    return cell->bytes == sizeof(uint32_t) ? (int32_t)value : value;
}

/* Whether the step from its parent to the node wrote. */
static inline bool weiri_slice_wrote(const struct weiri_slice *s,
                                     const struct weiri_native_node *node)
{
    const struct weiri_request *request
        = weiri_history_request(s->native, node->parent);
    return !node->fails
        && (request->atomic.kind != WEIRI_ATOMIC_COMPARE_EXCHANGE
            || (uint64_t)node->answer == request->atomic.expected);
}

/* The type of the location in the test. */
static inline const char *weiri_slice_type(const struct weiri_slice *s,
                                           uint32_t location)
{
    return weiri_slice_cell(s, location)->bytes > sizeof(uint32_t) ? "long"
        : s->places[location].unsigned_type                        ? "unsigned"
                                                                   : "int";
}

#endif
