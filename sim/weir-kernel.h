/* SPDX-License-Identifier: MIT
 *
 * weir-kernel.h: the device side of Weir: all that a kernel may call.
 *
 * A kernel is one C function that every work-item of an ND-range runs. WEIR_KERNEL()
 * opens it, and its body sees two names: `item`, which is the work-item, and `args`,
 * the arguments of the launch. This one adds up an array:
 *
 *     #include <weir-kernel.h>
 *
 *     typedef struct { const int32_t *in; int32_t *sum; size_t n; } sum_args;
 *
 *     WEIR_KERNEL(sum, sum_args)
 *     {
 *         size_t i = weir_global_id(item, 0);
 *         int32_t mine = i < args->n ? args->in[i] : 0;
 *         int32_t of_group = weir_group_reduce_add(item, mine);
 *         if (weir_local_id(item, 0) == 0) {
 *             weir_atomic_fetch_add_explicit(args->sum, of_group, memory_order_relaxed,
 *                                            memory_scope_device);
 *         }
 *     }
 *
 * From the top: kernels, ids, local memory, assertions. Then follow, in headers that
 * this one includes, barriers and group algorithms (weir-collective.h), and atomics and
 * fences (weir-atomic.h). These macros expand to code of weir-machinery.h,
 * weir-machinery-atomic.h and weir-machinery-split.h, which are not part of the
 * interface.
 *
 * Plain C11 with GNU statement expressions; no GLib. The host side, which launches
 * kernels, is weir.h. Names follow SYCL 2020 and OpenCL C 3.0; docs/sources.md has the
 * keys of sources. Everything here is called from inside a kernel only, by the
 * work-item that it is given. */
#ifndef WEIR_KERNEL_H
#define WEIR_KERNEL_H

#ifdef __cplusplus
#error "kernels are C11: compile this file with weir-cc, declare its kernels in C++ \
as extern \"C\" const struct weir_kernel NAME, and launch them through weir.h"
#include "kernels-are-C11" /* this file does not exist: so the compiler stops here */
#else

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Kernels ------------------------------------------------------------- */

/**
 * WEIR_KERNEL:
 * @name: of the kernel; defines `const struct weir_kernel name`
 * @args_type: of the arguments: a complete type, which every launch copies
 *
 * Opens a kernel; its body follows in braces. The body sees `struct weir_item *item`
 * and `const args_type *args`, returns nothing, and runs once for every work-item.
 * weir_launch() takes the address `&name`.
 *
 * Source: [SYCL20] 4.9.4.2.2
 */
#define WEIR_KERNEL(name, args_type) WEIRI_KERNEL(name, args_type)

/**
 * WEIR_GROUP_KERNEL:
 * @name: of the kernel; defines `const struct weir_kernel name`
 * @args_type: as for WEIR_KERNEL()
 *
 * Opens a kernel in hierarchical form. Its body sees `struct weir_group *group` and
 * `const args_type *args`. It runs once for every work-group, and the loops in it that
 * weir_for_each_item() opens run once for every item of the group.
 *
 * Source: [SYCL20] 4.9.4.2.3
 */
#define WEIR_GROUP_KERNEL(name, args_type) WEIRI_GROUP_KERNEL(name, args_type)

/**
 * weir_for_each_item:
 * @item: the name of a `struct weir_item *` that the statement sees
 * @group: the group of a WEIR_GROUP_KERNEL()
 *
 * Runs the statement that follows once for every item of @group, and ends in an implied
 * work-group barrier. `continue` ends the item's turn; `break` has no meaning here.
 *
 * Findings: barrier-divergence, for a barrier or a group algorithm in the statement
 */
#define weir_for_each_item(item, group) WEIRI_FOR_EACH_ITEM(item, group)

/** Declares a kernel that another file defines; a semicolon follows. */
#define WEIR_DECLARE_KERNEL(name) extern const struct weir_kernel name

enum weir_language {
    WEIR_LANGUAGE_C,
    WEIR_LANGUAGE_SYCL,
    WEIR_LANGUAGE_OPENCL,
    WEIR_LANGUAGE_CUDA,
};

/**
 * weir_kernel:
 * @name: as in WEIR_KERNEL()
 * @file: of the definition, as the compiler was given it
 * @line: of the definition, from 1
 * @hierarchical: 1 for WEIR_GROUP_KERNEL()
 * @language: of the source, in whose words reports speak
 * @args_bytes: the size of the arguments
 * @fast: the compiled kernel
 * @checked: the same body with a hook at every access to memory; %NULL where the file
 *           was compiled without -fsanitize=thread
 * @stackless: the same body split at its barriers, so that items need no stacks; %NULL
 *             where the compiler cannot do that, or where no item waits. weir-cc makes
 *             it; see weir-cc(1)
 */
struct weir_group;
struct weir_kernel {
    const char *name;
    const char *file;
    uint32_t line;
    uint32_t hierarchical;
    enum weir_language language;
    size_t args_bytes;
    void (*fast)(struct weir_group *group, size_t first);
    void (*checked)(struct weir_group *group, size_t first);
    const struct weiri_split *stackless;
};

/* ---- Ids -----------------------------------------------------------------
 * @dim counts from 0 to weir_work_dim() - 1; beyond that an id is 0 and a size 1. A
 * linear id counts along the last dimension first, as C lays out arrays.
 * [SYCL20] 3.11.1 */

struct weir_item;

/** Dimensions of the launch's range, 1 to 3. */
static inline uint32_t weir_work_dim(const struct weir_item *item);

/** The item's place in the range: from 0 to weir_global_size() - 1. */
static inline size_t weir_global_id(const struct weir_item *item, uint32_t dim);
static inline size_t weir_global_linear_id(const struct weir_item *item);

/** The item's place in its group: from 0 to weir_local_size() - 1. */
static inline size_t weir_local_id(const struct weir_item *item, uint32_t dim);
static inline size_t weir_local_linear_id(const struct weir_item *item);

/** The place of the item's group: from 0 to weir_num_groups() - 1. */
static inline size_t weir_group_id(const struct weir_item *item, uint32_t dim);
static inline size_t weir_group_linear_id(const struct weir_item *item);

/** Items of the range, items of a group, and groups of the range. */
static inline size_t weir_global_size(const struct weir_item *item, uint32_t dim);
static inline size_t weir_local_size(const struct weir_item *item, uint32_t dim);
static inline size_t weir_num_groups(const struct weir_item *item, uint32_t dim);

/** The item's sub-group, one of weir_num_sub_groups() in its group, and its place
 *  there. The items of a sub-group are consecutive in local linear id. */
static inline uint32_t weir_sub_group_id(const struct weir_item *item);
static inline uint32_t weir_sub_group_local_id(const struct weir_item *item);
static inline uint32_t weir_num_sub_groups(const struct weir_item *item);

/** Items of this item's own sub-group; the last sub-group of a group may be smaller. */
static inline uint32_t weir_sub_group_size(const struct weir_item *item);

/** For a WEIR_GROUP_KERNEL(), outside its loops: the place of the group, */
static inline size_t weir_group_index(const struct weir_group *group, uint32_t dim);
static inline size_t weir_group_index_linear(const struct weir_group *group);

/** the items of the group, in dimension @dim and in all, */
static inline size_t weir_group_size(const struct weir_group *group, uint32_t dim);
static inline size_t weir_group_size_linear(const struct weir_group *group);

/** and the groups of the range. */
static inline size_t weir_group_range(const struct weir_group *group, uint32_t dim);

/* ---- Local memory -------------------------------------------------------- */

/**
 * weir_local_array:
 * @item: the calling item
 * @type: of an element
 * @count: number of elements
 *
 * Local memory of the group, aligned to 64 bytes: the first call of every item gives
 * the same array, so does the second call, and so on. An array holds garbage until it
 * is written, in every group anew.
 *
 * Returns:  @type *, valid until the group ends
 * Context:  all items of a group make the same calls in the same order
 * Findings: local-memory, where the device has not enough of it, or where the calls of
 *           items differ; uninitialized-read, in a checked launch
 */
#define weir_local_array(item, type, count)                                            \
    ((type *)weiri_array((item), (count), sizeof(type), WEIRI_SITE()))

/** The same for a WEIR_GROUP_KERNEL(), outside its loops. */
#define weir_group_local_array(group, type, count)                                     \
    ((type *)weiri_group_local_array((group), (count), sizeof(type), WEIRI_SITE()))

/* ---- Memories and scopes ------------------------------------------------- */

/** Memories that a barrier or fence orders: flags, which may be joined by |. */
enum weir_space {
    WEIR_LOCAL = 1,
    WEIR_GLOBAL = 2,
};

/**
 * memory_scope:
 *
 * The items that an atomic operation or a fence is ordered with, narrowest scope first.
 * It stands beside the memory_order_* of C11.
 *
 * Source: [SYCL20] 3.8.3.2; [CL30] 3.3.5
 */
typedef enum memory_scope {
    memory_scope_work_item,
    memory_scope_sub_group,
    memory_scope_work_group,
    memory_scope_device,
    memory_scope_system,
} memory_scope;

/* ---- Assertions ---------------------------------------------------------- */

/**
 * weir_assert:
 * @item: the calling item
 * @condition: what must hold
 *
 * Where @condition is false the item goes no further, and its group ends; other groups
 * run on.
 *
 * Findings: assertion, with @condition as it is written and the item's place
 */
#define weir_assert(item, condition)                                                   \
    ((void)(item),                                                                     \
     WEIRI_UNLIKELY(!(condition)) ? weiri_assert_failed(#condition, WEIRI_SITE())      \
                                  : (void)0)

#include "weir-collective.h"
#include "weir-atomic.h"

#include "weir-machinery.h"
#include "weir-machinery-atomic.h"

#endif
#endif
