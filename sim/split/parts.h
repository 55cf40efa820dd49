/* SPDX-License-Identifier: MIT
 *
 * parts.h: elements of a vector. Each is a memory location of its own, but clang's
 * front end assigns to one by a load and a store of the whole. Elements that another
 * item assigns to in between would be written back, and a race with its store would be
 * reported. So the elements alone are stored, in all entries, and in checked code they
 * alone are read, too. Vectors of a function's own variables stay whole: they become
 * registers. */
#ifndef WEIR_SPLIT_PARTS_H
#define WEIR_SPLIT_PARTS_H

#include "split/llvm.h"

/** An assignment to elements of a vector, or a read of some of them. */
struct weiri_parts {
    struct llvm_value *load, *store; /* NULL of a read */
    struct llvm_value *use;          /* of a read: what takes the elements */
    struct llvm_value *narrow;       /* of a read: three of the four are taken of it */
    unsigned n;                      /* elements of the vector */
    uint64_t elements;               /* that are accessed: a bit each */
    struct llvm_value *index;        /* of the one that is, if it is not known */
    bool all;                        /* all of them are */
};

/** Whether the load is the begin of an assignment, or it is a read of elements. */
bool weiri_parts_of_assignment(struct llvm_value *load, struct weiri_parts *parts);
bool weiri_parts_of_read(struct llvm_value *load, struct weiri_parts *parts);

/** Replaces the load and the store by accesses of elements. */
void weiri_parts_assign(struct llvm_builder *builder, const struct weiri_parts *parts,
                        bool is_volatile);
void weiri_parts_read(struct llvm_builder *builder, const struct weiri_parts *parts,
                      bool is_volatile);

/** Does so in a function as clang's front end has written it, where the memory is not
 *  the function's own. @reads: reads, too */
void weiri_parts_divide(struct llvm_value *function, bool reads);
/** Assignments in all functions of a module. */
void weiri_parts_divide_all(struct llvm_module *module);

#endif
