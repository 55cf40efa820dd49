/* SPDX-License-Identifier: MIT
 *
 * flow.h: an analysis of the function that LLVM has made of a coroutine,
 * K__split_item.resume(): its parts, and how the values in them differ between items.
 */
#ifndef WEIR_SPLIT_FLOW_H
#define WEIR_SPLIT_FLOW_H

#include "split/kernels.h"
#include "split/stride.h"

/* A member of the frame. */
struct weiri_flow_member {
    struct llvm_type *type;
    bool used;
    bool escapes;   /* its address does: a variable that is kept in memory */
    GArray *stores; /* (element-type uint32_t): values that store it */
    bool is_index;  /* the number of the part that comes next */
    uint32_t saves; /* the parameter of K__split_item() that it has; 0: none */
    int64_t stride; /* between items that have made the same stops */
    uint64_t bytes; /* in an item's frame */
    uint64_t offset;
};

/* A stop, by the number of the part that follows it. */
struct weiri_flow_stop {
    bool soft;
    bool known; /* of a stop that is not soft: site and op are constants */
    bool seen;
    struct llvm_value *site; /* in any function */
    struct llvm_value *op;
};

struct weiri_part {
    uint32_t start; /* a block */
    bool *in;       /* of each block: the part may run it, up to the next stop */
    bool *straight; /* of each block: each item runs it, before any branch */
    bool loops;
    bool together; /* it runs for all items at once */
};

struct weiri_flow {
    struct llvm_module *module;
    struct weiri_kernel *kernel;
    struct weiri_ir *ir;
    struct llvm_value *frame; /* the parameter */
    struct llvm_type *frame_type;
    uint32_t alignment; /* of a frame, in bytes */
    struct weiri_flow_member *fields;
    uint32_t n_fields;
    uint32_t index; /* the field of the number */
    uint64_t frame_bytes;
    struct weiri_part *parts;
    struct weiri_flow_stop *stops; /* of n_parts: 0 is the start */
    uint32_t n_parts;
    uint32_t choice;    /* the block that chooses the part */
    uint32_t *field_of; /* of each value: the field that it is the address of */
    uint32_t *stop_of;  /* of each block: the part with which it stops, or NONE */
    struct weiri_strides strides;
};

/**
 * weiri_flow_new:
 * @why: (out): if it is not what a coroutine looks like: what it lacks
 *
 * Returns: (nullable) (transfer full): what is known of the kernel's coroutine, which
 * LLVM has split
 */
struct weiri_flow *weiri_flow_new(struct llvm_module *module,
                                  struct weiri_kernel *kernel, const char **why);
void weiri_flow_free(struct weiri_flow *flow);

/** Whether the instruction loads or stores a member; sets @field. */
bool weiri_flow_field(const struct weiri_flow *flow, struct llvm_value *access,
                      uint32_t *field);
/** Whether the member that value @load loads has, in all items since before part @p,
 * one value or a stride. */
bool weiri_flow_is_shared(const struct weiri_flow *flow, uint32_t p, uint32_t load);
/** Finds what differs between items: flow-vary.c */
void weiri_flow_vary(struct weiri_flow *flow);

#endif
