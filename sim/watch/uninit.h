/* SPDX-License-Identifier: MIT
 *
 * uninit.h: an observer that knows which bytes of device and local memory are
 * unwritten, and keeps the places in the code that read such bytes. Such a read is not
 * yet a mistake: padding is copied, and the value may not matter. poison-rerun.h finds
 * out whether it does; for that this observer can restore memory to an earlier state,
 * and give chosen reads the opposite poison.
 *
 * Memory of weir_new() is unwritten where it holds its poison when the launch first
 * touches it; see weiri_memory_poison(). Memory of a device that does not poison is
 * written. A local array is unwritten at the start of every group.
 *
 * It is the last observer: an access that it sees is going to happen. */
#ifndef WEIRI_UNINIT_H
#define WEIRI_UNINIT_H

#include "exec/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"

/* What a read's garbage is seen to change first. */
enum weiri_change {
    WEIRI_CHANGES_NOTHING,
    WEIRI_CHANGES_COMPARISON, /* operands at @pc */
    WEIRI_CHANGES_COURSE,     /* what the launch does, from @site or @pc on */
    WEIRI_CHANGES_MEMORY,     /* what is at @address when the launch is over */
};

struct weiri_changed {
    enum weiri_change kind;
    const struct weir_site *site; /* or NULL, and */
    const void *pc;               /* or NULL: not known */
    const char *address;          /* of the device's memory */
};

/* A place in the code that read, in one object, what nobody had written. */
struct weiri_uninit_read {
    const struct weir_site *site; /* or NULL, and */
    const void *pc;
    uint32_t calls;
    unsigned access; /* of enum weiri_access; 0: @atomic, */
    enum weiri_atomic atomic;
    memory_order order;
    memory_scope scope;
    struct weiri_object object; /* as it was then */
    const char *address;        /* the first byte that nobody had written */
    size_t group; /* who read it: of all the first item of the first group */
    uint32_t item;
    uint64_t count;
    bool whole; /* in one of them nothing was written of what it took of an element: it
                     is no padding */
    bool excused; /* see weiri_uninit_excuse() */
    bool flips;   /* in a run again: it gets the opposite poison */
    struct weiri_changed changed;
};

struct weiri_uninit;

/** @poisons: the device does. */
struct weiri_uninit *weiri_uninit_new(bool poisons);
void weiri_uninit_free(struct weiri_uninit *init);

/** What it is told, as observers of a launch, one for each of the frequent events;
 *  @self is the struct weiri_uninit. */
enum weiri_verdict weiri_uninit_access(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_uninit_atomic(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_uninit_array(void *self, const struct weiri_event *event);

#define WEIRI_INIT_OBSERVERS(self)                                                     \
    { weiri_uninit_access, (self), WEIRI_TOLD(ACCESS) },                               \
        { weiri_uninit_atomic, (self), WEIRI_TOLD(ATOMIC) },                           \
    {                                                                                  \
        weiri_uninit_array, (self), WEIRI_TOLD(LOCAL_ARRAY)                            \
    }

/** The reads, in the order of the first of each. */
size_t weiri_uninit_n_reads(const struct weiri_uninit *init);
struct weiri_uninit_read *weiri_uninit_read(struct weiri_uninit *init, size_t index);

/** The read at that place of @object races: that it came before the write is what is
 *  wrong there, and told. */
void weiri_uninit_excuse(struct weiri_uninit *init, const struct weir_site *site,
                         const void *pc, uint32_t calls,
                         const struct weiri_object *object);

/** Bytes of device memory that may have been touched. */
size_t weiri_uninit_touched(const struct weiri_uninit *init);

/**
 * weiri_uninit_rewind:
 *
 * Puts all memory that the run has written back to what it was before, and expects
 * another run, over other objects: in it reads that flip get garbage that is opposite
 * in every bit, and no others are noted. For a process that ends after it.
 */
void weiri_uninit_rewind(struct weiri_uninit *init);

/* A piece of the device's memory that a run has touched. */
struct weiri_uninit_piece {
    const char *start;
    size_t bytes;
    const uint64_t *unwritten; /* a bit a byte */
    size_t memory, chunk;      /* for weiri_uninit_next_piece() */
};

/** The next one, in an order that is the same where runs are; first of all the one
 *  behind a zeroed one. Returns: whether there is one */
bool weiri_uninit_next_piece(const struct weiri_uninit *init,
                             struct weiri_uninit_piece *piece);

#endif
