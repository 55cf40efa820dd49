/* SPDX-License-Identifier: MIT
 *
 * clone.h: copies a part of K__split_item.resume() into a function. */
#ifndef WEIR_SPLIT_CLONE_H
#define WEIR_SPLIT_CLONE_H

#include "split/flow.h"

/* The copy's replacement for the frame. */
struct weiri_clone {
    const struct weiri_flow *flow;
    uint32_t part;
    bool together; /* in a loop over the items, of which no two touch one word */
    struct llvm_value *function;
    struct llvm_builder *builder;
    struct llvm_value *frames, *capacity;
    struct llvm_value *parameters[WEIRI_SPLIT_N_PARAMETERS];
    struct llvm_value *args_copy, *shape_copy;
    struct llvm_block *entry;   /* before the copy: it has no end yet */
    struct llvm_block *here;    /* that is being written */
    struct llvm_value *access;  /* the group of accesses of the loop; or NULL */
    struct llvm_value *tag;     /* of the frame's words: none holds data of a kernel */
    struct llvm_value **bases;  /* of each field: the words of all items */
    struct llvm_value **shared; /* of each field: item 0's, where it is shared */
    GHashTable *values;         /* what a value has become */
    GHashTable *copies;         /* the same, in the copies of arguments and shape */
    GHashTable *blocks;
    GPtrArray
        *arrays; /* (element-type llvm_value): calls that are done before the loop */
    GPtrArray *results; /* of them */
    /* Where the item goes when it has stopped. */
    struct llvm_block *stopped;
    struct llvm_value *place; /* (nullable): a phi there, of the part that comes next */
};

void weiri_clone_init(struct weiri_clone *clone, const struct weiri_flow *flow);
void weiri_clone_clear(struct weiri_clone *clone);
/** Sets the builder to the end of a block, with no place in the source. */
void weiri_clone_at(struct weiri_clone *clone, struct llvm_block *block);
/** Writes the addresses of the frame's words where the builder is. */
void weiri_clone_bases(struct weiri_clone *clone);
/** The address of member @f of item @item, there. */
struct llvm_value *weiri_clone_address(struct weiri_clone *clone, uint32_t f,
                                       struct llvm_value *item);
/** Marks a load or store of member @f of a frame, WEIRI_IR_NONE of none, or one of a
 * loop over items. */
void weiri_clone_note(const struct weiri_clone *clone, struct llvm_value *access,
                      uint32_t f);
/** Whether an instruction uses a variable on the stack, which all items of a loop would
 * share. */
bool weiri_clone_uses_stack(struct llvm_value *value);
/** Whether the arrays that the part asks for can be had before a loop over the items.
 *  @clone: NULL to find out; else they are asked for where the builder is */
bool weiri_clone_hoist(const struct weiri_flow *flow, uint32_t part,
                       struct weiri_clone *clone);
/** Copies the part. Returns: its first block */
struct llvm_block *weiri_clone_part(struct weiri_clone *clone);

#endif
