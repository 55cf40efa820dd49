/* SPDX-License-Identifier: MIT
 *
 * uninit.h: an observer that knows which bytes of device, local and private memory are
 * unwritten, and keeps the places in the code that read such bytes. Such a read is not
 * yet a mistake: padding is copied, and the value may not matter. poison-rerun.h finds
 * out whether it does; for that this observer can restore memory to an earlier state,
 * and give chosen reads another poison.
 *
 * Memory of weir_new() is unwritten where it holds its poison when the launch first
 * touches it; see weiri_memory_poison(). Memory of a device that does not poison is
 * written. A local array is unwritten at the start of every group, and a private
 * variable where it begins.
 *
 * It is the last observer: an access that it sees is going to happen. */
#ifndef WEIRI_UNINIT_H
#define WEIRI_UNINIT_H

#include "base/call-tree.h"
#include "exec/event.h"
#include "exec/finding.h"
#include "exec/memory.h"

/* The first effect of a read's poison that is seen. */
enum weiri_change {
    WEIRI_CHANGES_NOTHING,
    WEIRI_CHANGES_COMPARISON, /* operands at @pc */
    WEIRI_CHANGES_COURSE,     /* what the launch does from @site or @pc on */
    WEIRI_CHANGES_MEMORY,     /* the final contents of memory at @address */
};

struct weiri_changed {
    enum weiri_change kind;
    const struct weir_site *site; /* or NULL, and */
    const void *pc;               /* or NULL: not known */
    const char *address;          /* of the device's memory */
    enum weiri_poison poison;     /* that made the difference */
};

/* A place in the code that read unwritten bytes of one object. */
struct weiri_uninit_read {
    const struct weir_site *site; /* or NULL, and */
    const void *pc;
    uint32_t calls;
    unsigned access; /* of enum weiri_access_bit; 0: @atomic, */
    enum weiri_atomic atomic;
    memory_order order;
    memory_scope scope;
    struct weiri_object object; /* as it was then */
    const char *address;        /* the first unwritten byte */
    size_t group; /* of the reader: the first item of the first group that read it */
    uint32_t item;
    uint64_t count;
    bool whole; /* one of them read an element whose part in the read was all unwritten,
                   so that it is not padding */
    bool raced; /* see weiri_uninit_mark_raced() */
    enum weiri_poison poison; /* in a rerun: that it gets */
    struct weiri_changed changed;
};

struct weiri_uninit;

/** @poisons: the device poisons its memory. */
struct weiri_uninit *weiri_uninit_new(bool poisons);
void weiri_uninit_free(struct weiri_uninit *uninit);

/** Observer functions, one for each frequent kind of event; @self is the struct
 *  weiri_uninit. */
enum weiri_verdict weiri_uninit_access(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_uninit_atomic(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_uninit_array(void *self, const struct weiri_event *event);
enum weiri_verdict weiri_uninit_private(void *self, const struct weiri_event *event);

/* The observers of all these kinds but ACCESS and ATOMIC. */
#define WEIRI_UNINIT_OTHERS(self)                                                      \
    { weiri_uninit_array, (self), WEIRI_EVENT_BIT(LOCAL_ARRAY) },                      \
    {                                                                                  \
        weiri_uninit_private, (self),                                                  \
            WEIRI_EVENT_BIT(PRIVATE) | WEIRI_EVENT_BIT(PRIVATE_ACCESS)                 \
    }

#define WEIRI_UNINIT_OBSERVERS(self)                                                   \
    { weiri_uninit_access, (self), WEIRI_EVENT_BIT(ACCESS) },                          \
        { weiri_uninit_atomic, (self), WEIRI_EVENT_BIT(ATOMIC) },                      \
        WEIRI_UNINIT_OTHERS(self)

/* Memory is divided into chunks of a page: the copy costs little beside the first
 * fault. */
enum { WEIRI_UNINIT_CHUNK_BYTES = 4096 };

enum weiri_uninit_state {
    WEIRI_UNINIT_UNTOUCHED,
    WEIRI_UNINIT_MIXED,   /* some bytes are unwritten, or were */
    WEIRI_UNINIT_WRITTEN, /* all of it */
};

/* The data that weiri_uninit_is_written() reads, in an object's shadow. */
struct weiri_uninit_chunks {
    uint8_t *states; /* of enum weiri_uninit_state, by chunk */
};

/** Takes note of a write to a chunk that is MIXED. */
void weiri_uninit_write(struct weiri_uninit_chunks *chunks, size_t offset,
                        size_t bytes);

/** Whether the chunk of an object at @offset is known to be written. */
static inline bool weiri_uninit_is_written(const struct weiri_object *object,
                                           size_t offset)
{
    const struct weiri_uninit_chunks *chunks
        = object->shadow[WEIRI_SHADOW_UNINIT].cells;
    return chunks != NULL
        && chunks->states[offset / WEIRI_UNINIT_CHUNK_BYTES] == WEIRI_UNINIT_WRITTEN;
}

/** Does the work of weiri_uninit_access() for an aligned access of up to 8 bytes at
 *  @offset of an object of the device or a local array, if the access is a write, or if
 *  there is nothing to do: most are. Returns: false for others */
static inline bool weiri_uninit_takes(const struct weiri_object *object, size_t offset,
                                      size_t bytes, unsigned access)
{
    struct weiri_uninit_chunks *chunks = object->shadow[WEIRI_SHADOW_UNINIT].cells;
    if (chunks == NULL) {
        return false;
    }
    uint8_t state = chunks->states[offset / WEIRI_UNINIT_CHUNK_BYTES];
    if (state == WEIRI_UNINIT_MIXED && (access & WEIRI_ACCESS_BIT_READ) == 0) {
        weiri_uninit_write(chunks, offset, bytes);
        return true;
    }
    return state == WEIRI_UNINIT_WRITTEN;
}

/** The reads, in the order in which they were first made. */
size_t weiri_uninit_n_reads(const struct weiri_uninit *uninit);
struct weiri_uninit_read *weiri_uninit_read(struct weiri_uninit *uninit, size_t index);

/** The read at that place of @object races with the write that it came before: the race
 *  is reported, and this read is not. */
void weiri_uninit_mark_raced(struct weiri_uninit *uninit, const struct weir_site *site,
                             const void *pc, uint32_t calls,
                             const struct weiri_object *object);

/** Bytes of device memory that may have been touched. */
size_t weiri_uninit_touched(const struct weiri_uninit *uninit);

/**
 * weiri_uninit_rewind:
 *
 * Restores all memory that the run has written, and prepares for a rerun over other
 * objects: in it, reads get their @poison, and no other reads are
 * noted. For a process that ends after the rerun.
 */
void weiri_uninit_rewind(struct weiri_uninit *uninit);

/* A piece of device memory that a run has touched. */
struct weiri_uninit_piece {
    const char *start;
    size_t bytes;
    const uint64_t *unwritten; /* a bit a byte */
    size_t memory, chunk;      /* for weiri_uninit_next_piece() */
};

/** Advances @piece, which is zeroed for the first. Runs that are the same have the same
 *  order of pieces. Returns: false after the last */
bool weiri_uninit_next_piece(const struct weiri_uninit *uninit,
                             struct weiri_uninit_piece *piece);

#endif
