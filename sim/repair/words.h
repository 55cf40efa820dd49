/* SPDX-License-Identifier: MIT
 *
 * words.h: the names that kernels in C, OpenCL C and CUDA have for the same things:
 * barriers and their flags, functions of groups, atomics. The generators of candidates
 * are one for all. SYCL has other things, not only other words: sycl-text.h. */
#ifndef WEIRI_WORDS_H
#define WEIRI_WORDS_H

#include "repair/suggest.h"

enum weiri_side {
    WEIRI_ACQUIRES = 1,
    WEIRI_RELEASES = 2,
    WEIRI_BOTH_SIDES = WEIRI_ACQUIRES | WEIRI_RELEASES
};

/* A call that has no such argument. */
#define WEIRI_NO_ARGUMENT SIZE_MAX

/* Calls that state an order, a scope, or both. */
struct weiri_atomic_words {
    const char *name;    /* with a final * for what it begins with */
    size_t order, scope; /* which arguments */
    size_t least, most;  /* how many arguments: without a scope fewer */
    enum weiri_side side;
    bool has_object; /* its first argument */
};

/* Calls that state which memory they order. */
struct weiri_flagged_words {
    const char *name, *what; /* "barrier" or "fence" */
    size_t flags;            /* which argument */
};

/**
 * weiri_kernel_words:
 * @prefix: of the functions memory_order_… is given to: "weir_" or ""
 * @qualifier: of names of orders and scopes: "cuda::" or ""
 * @local: and @global: flags of memory; %NULL where barriers have none
 * @flagged: and @atomics: end with a name that is %NULL
 * @barriers: statements that are a barrier and nothing else; ends with %NULL, as do
 * @of_group: at which all items of a group meet, and
 * @of_sub_group: at which all items of a sub-group meet; and
 * @touching: functions that access memory by a pointer
 * @scope: kind of the names of scopes, "memory_scope"
 * @scopes: the rest of them, narrowest first; ends with %NULL
 * @group: and @device: which of these have all items of a group, and of the device
 * @kernel: pattern of a kernel's header
 * @local_head: pattern of a word before a variable in local memory, or %NULL where that
 *              is made by calls
 * @item_id: an item's number in its group, and @group_size: the number of its items
 * @group_ids: pattern of ids and sizes that are the same for a group, or %NULL where
 *             that is known otherwise
 */
struct weiri_kernel_words {
    const char *prefix, *qualifier;
    const char *local, *global;
    const struct weiri_flagged_words *flagged;
    const struct weiri_atomic_words *atomics;
    const char *const *barriers, *const *of_group, *const *of_sub_group,
                                                       *const *touching;
    const char *scope;
    const char *const *scopes;
    int group, device;
    const char *local_head, *item_id, *group_size;
    const char *kernel, *group_ids;
};

/** Those of a source. In SYCL only its scopes have a meaning. */
const struct weiri_kernel_words *weiri_words_of(const struct weiri_source *source);

#endif
