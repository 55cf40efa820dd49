/* SPDX-License-Identifier: MIT
 *
 * unwritten.h: reads of memory that was never written. Such a read is a mistake only if
 * its value matters, as uninit.h says of a checked launch. Here the launch is explored
 * again, with other garbage in the memory that was read: the read matters if items then
 * do something else, or leave something else.
 *
 * Memory is unwritten if it holds its poison before the launch; a local array always
 * does. See weiri_memory_poison(). */
#ifndef WEIRI_NATIVE_UNWRITTEN_H
#define WEIRI_NATIVE_UNWRITTEN_H

#include "exec/finding.h"
#include "exec/memory.h"
#include "native/machine.h"

/**
 * weiri_unwritten_read: a place in the code that reads unwritten bytes of an object
 * @request: the first of those reads that the first @thread makes which makes some
 * @cell: that it reads
 * @whole: one of them read an element whose part in the read was all unwritten, so that
 *         it is not padding
 * @cells: the numbers of all cells that were read
 * @poison: that it gets where reads are replaced
 * @changes: says what another value changes, owned; or %NULL
 */
struct weiri_unwritten_read {
    struct weiri_request request;
    uint32_t thread;
    uint32_t cell;
    bool whole;
    GHashTable *cells;
    enum weiri_poison poison;
    char *changes;
};

/* A cell that is read, and a bit for each of its bytes that is unwritten then. */
struct weiri_unwritten_piece {
    uint32_t cell;
    uint8_t unwritten;
};

void weiri_unwritten_read_free(void *read);

/** An exploration begins: no reads are noted yet, unless reads are replaced. */
void weiri_unwritten_begin(struct weiri_machine *machine);

/** The item reads @machine's pieces_read, in order of addresses. Where a piece is
 *  unwritten, this is noted, or it gets the poison of that read. */
void weiri_unwritten_read(struct weiri_machine *machine, uint32_t thread,
                          const struct weiri_request *request);

struct weiri_unwritten_states {
    uint64_t hash;
    char holds[4096]; /* see weiri_holds_write() */
};

/** The results of an exploration, in numbers, which are equal for two explorations that
 *  differ in nothing. */
struct weiri_unwritten_outcome {
    uint64_t counts[6];
    struct weiri_unwritten_states all;        /* the final states, */
    struct weiri_unwritten_states but_copies; /* and these without copied garbage */
    uint64_t course; /* a hash of what the items do; see struct weiri_native */
    bool renumbered; /* an item made an access that splits a cell: only garbage can lead
                        to it, or it was made before. The rest was not explored */
};

/** Explores the launch again, in a process that ends afterwards. Returns: false if it
 *  did not end */
typedef bool (*weiri_unwritten_again)(void *self,
                                      struct weiri_unwritten_outcome *outcome);

/**
 * weiri_unwritten_judge:
 * @native: what was explored, with the reads that were noted
 * @again: called in other processes
 *
 * Explores again with other garbage, to find out which reads matter.
 *
 * Returns: (transfer full): why that could not be found out, or %NULL
 */
char *weiri_unwritten_judge(struct weiri_machine *machine, weiri_unwritten_again again,
                            void *self);

/** Adds a finding for each read that matters. */
void weiri_unwritten_report(const struct weiri_machine *machine);

#endif
