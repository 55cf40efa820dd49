/* SPDX-License-Identifier: MIT
 *
 * weir-collective.h: barriers and group algorithms. Part of weir-kernel.h, which
 * includes it; not to be included alone.
 *
 * Every operation here is a rendezvous: an item that calls it goes on when all items of
 * its group (or sub-group) have called it. This kernel adds up the elements of each
 * group in a tree, one barrier a step, and then asks whether any item had a zero:
 *
 *     #include <weir-kernel.h>
 *
 *     typedef struct { const int32_t *in; int32_t *sums; bool *zeros; } tree_args;
 *
 *     WEIR_KERNEL(tree, tree_args)
 *     {
 *         size_t lid = weir_local_id(item, 0);
 *         size_t n = weir_local_size(item, 0);
 *         int32_t *part = weir_local_array(item, int32_t, n);
 *         int32_t mine = args->in[weir_global_id(item, 0)];
 *         part[lid] = mine;
 *         weir_barrier(item, WEIR_LOCAL);
 *         for (size_t stride = n / 2; stride > 0; stride /= 2) {
 *             if (lid < stride) {
 *                 part[lid] += part[lid + stride];
 *             }
 *             weir_barrier(item, WEIR_LOCAL);
 *         }
 *         bool any_zero = weir_group_any(item, mine == 0);
 *         if (lid == 0) {
 *             args->sums[weir_group_id(item, 0)] = part[0];
 *             args->zeros[weir_group_id(item, 0)] = any_zero;
 *         }
 *     }
 *
 * For all of them:
 *
 * Context:  every item of the group (or sub-group) calls it from the same place in the
 *           source, with equal arguments where an argument is marked as uniform, or
 *           none does
 * Findings: barrier-divergence, naming the items that returned or wait elsewhere. Not
 *           in weir_for_each_item(), where every call is such a finding
 *
 * weir-machinery.h has the expansion of the macros. */
#ifndef WEIR_COLLECTIVE_H
#define WEIR_COLLECTIVE_H

#ifndef WEIR_KERNEL_H
#error "include weir-kernel.h"
#endif

/* ---- Barriers ------------------------------------------------------------ */

/**
 * weir_barrier:
 * @item: the calling item
 * @flags: memories that the barrier orders (uniform): %WEIR_LOCAL, %WEIR_GLOBAL, both
 *         joined by |, or 0 for a rendezvous alone
 *
 * Holds the item until every item of its group has called weir_barrier() from the same
 * place with the same @flags: a release fence, a rendezvous, and an acquire fence.
 *
 * Orders: accesses before it, to the memories of @flags, before those after it, at
 *         work-group scope
 * Source: [CL30C] 6.15.8; [SYCL20] 4.17.3
 */
#define weir_barrier(item, flags)                                                      \
    weiri_meet((item),                                                                 \
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,             \
                        memory_scope_work_group, (flags), 0), WEIRI_SITE())

/** weir_barrier() for both memories: group_barrier() of SYCL 2020. */
#define weir_group_barrier(item) weir_barrier((item), WEIR_LOCAL | WEIR_GLOBAL)

/** The same with its two fences at @scope, which is uniform. [SYCL20] 4.17.3 */
#define weir_group_barrier_scope(item, scope)                                          \
    weiri_meet((item),                                                                 \
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, (scope),    \
                        WEIR_LOCAL | WEIR_GLOBAL, 0), WEIRI_SITE())

/** Holds only the items of the calling item's sub-group.
 *  Orders: both memories, at sub-group scope */
#define weir_sub_group_barrier(item)                                                   \
    weiri_meet((item),                                                                 \
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_SUB_GROUP,         \
                        memory_scope_sub_group, WEIR_LOCAL | WEIR_GLOBAL, 0),          \
               WEIRI_SITE())

/* ---- Group algorithms ----------------------------------------------------
 * Each takes a @value from every item of the group and returns a result to every item.
 * A value is an integer, a float or a double; integers narrower than int are promoted,
 * and the result has the promoted type.
 *
 * Orders: both memories, at work-group scope, as a barrier does
 * Source: [SYCL20] 4.17.4 */

/** The @value of the item whose local linear id is @source (uniform).
 *  Findings: unsupported, where the group has no such item; the result is a poison
 *  value then */
#define weir_group_broadcast(item, value, source)                                      \
    WEIRI_GROUP((item), WEIRI_BROADCAST, (source), (value))

/** Whether @condition holds for any item, for all items, for no item. */
#define weir_group_any(item, condition)                                                \
    ((bool)WEIRI_GROUP((item), WEIRI_ANY, 0, (int32_t)!!(condition)))
#define weir_group_all(item, condition)                                                \
    ((bool)WEIRI_GROUP((item), WEIRI_ALL, 0, (int32_t)!!(condition)))
#define weir_group_none(item, condition)                                               \
    ((bool)WEIRI_GROUP((item), WEIRI_NONE, 0, (int32_t)!!(condition)))

/** The sum, the least and the greatest of all values. Integer sums wrap; sums of floats
 *  are taken in the order of the local linear id. */
#define weir_group_reduce_add(item, value)                                             \
    WEIRI_GROUP((item), WEIRI_REDUCE_ADD, 0, (value))
#define weir_group_reduce_min(item, value)                                             \
    WEIRI_GROUP((item), WEIRI_REDUCE_MIN, 0, (value))
#define weir_group_reduce_max(item, value)                                             \
    WEIRI_GROUP((item), WEIRI_REDUCE_MAX, 0, (value))

/** The sum of the values of all items up to this one in local linear id: with its own
 *  value (inclusive), or without it (exclusive; 0 for the first item). */
#define weir_group_inclusive_scan_add(item, value)                                     \
    WEIRI_GROUP((item), WEIRI_INCLUSIVE_SCAN_ADD, 0, (value))
#define weir_group_exclusive_scan_add(item, value)                                     \
    WEIRI_GROUP((item), WEIRI_EXCLUSIVE_SCAN_ADD, 0, (value))

/* ---- Sub-group algorithms ------------------------------------------------
 * The same for the items of the calling item's sub-group.
 *
 * Orders: both memories, at sub-group scope */

/** As the weir_group_ ones; @source is a sub-group local id. */
#define weir_sub_group_broadcast(item, value, source)                                  \
    WEIRI_SUB_GROUP((item), WEIRI_BROADCAST, (source), (value))
#define weir_sub_group_any(item, condition)                                            \
    ((bool)WEIRI_SUB_GROUP((item), WEIRI_ANY, 0, (int32_t)!!(condition)))
#define weir_sub_group_all(item, condition)                                            \
    ((bool)WEIRI_SUB_GROUP((item), WEIRI_ALL, 0, (int32_t)!!(condition)))
#define weir_sub_group_none(item, condition)                                           \
    ((bool)WEIRI_SUB_GROUP((item), WEIRI_NONE, 0, (int32_t)!!(condition)))
#define weir_sub_group_reduce_add(item, value)                                         \
    WEIRI_SUB_GROUP((item), WEIRI_REDUCE_ADD, 0, (value))
#define weir_sub_group_reduce_min(item, value)                                         \
    WEIRI_SUB_GROUP((item), WEIRI_REDUCE_MIN, 0, (value))
#define weir_sub_group_reduce_max(item, value)                                         \
    WEIRI_SUB_GROUP((item), WEIRI_REDUCE_MAX, 0, (value))
#define weir_sub_group_inclusive_scan_add(item, value)                                 \
    WEIRI_SUB_GROUP((item), WEIRI_INCLUSIVE_SCAN_ADD, 0, (value))
#define weir_sub_group_exclusive_scan_add(item, value)                                 \
    WEIRI_SUB_GROUP((item), WEIRI_EXCLUSIVE_SCAN_ADD, 0, (value))

/**
 * weir_sub_group_shuffle:
 * @value: what this item gives
 * @source: the sub-group local id of the item whose value this one receives; it may
 *          differ from item to item
 *
 * Findings: unsupported, where the sub-group has no item @source; the result is then
 *           a poison value
 */
#define weir_sub_group_shuffle(item, value, source)                                    \
    WEIRI_SHUFFLE_VALUE((item), (value), (source))

/** From the item whose sub-group local id is this item's xor @mask (uniform).
 *  Findings: as weir_sub_group_shuffle() */
#define weir_sub_group_shuffle_xor(item, value, mask)                                  \
    WEIRI_SUB_GROUP((item), WEIRI_SHUFFLE_XOR, (mask), (value))

/** From the item whose sub-group local id is greater (left) or less (right) by @delta
 *  (uniform). If that item does not exist, the result is unspecified.
 *  Findings: unsupported, where @delta is not less than the size of the sub-group, so
 *            that it exists for no item */
#define weir_sub_group_shift_left(item, value, delta)                                  \
    WEIRI_SUB_GROUP((item), WEIRI_SHIFT_LEFT, (delta), (value))
#define weir_sub_group_shift_right(item, value, delta)                                 \
    WEIRI_SUB_GROUP((item), WEIRI_SHIFT_RIGHT, (delta), (value))

/**
 * weir_sub_group_load:
 * @ptr: pointer to an element (uniform)
 * @count: elements for each item (uniform)
 * @out: an array of at least @count elements
 *
 * The block load of a sub-group: out[k] = ptr[k * n + lane], where n is
 * weir_sub_group_size() and lane the item's sub-group local id. Neighbouring items read
 * neighbouring elements.
 *
 * Orders: nothing
 */
#define weir_sub_group_load(item, ptr, count, out)                                     \
    (__extension__({                                                                   \
        const struct weir_item *weiri_load_item_ = (item);                             \
        const __typeof__(*(ptr)) *weiri_load_ =                                        \
            (ptr) + weir_sub_group_local_id(weiri_load_item_);                         \
        size_t weiri_load_step_ = weir_sub_group_size(weiri_load_item_);               \
        if (!WEIRI_SPLIT && WEIRI_UNLIKELY(weiri_self.watch != NULL)) {                \
            weiri_barrier(WEIRI_OP(WEIRI_LOAD, WEIRI_TYPE_none, WEIRI_LEVEL_SUB_GROUP, \
                                   memory_scope_sub_group, 0, (count)), WEIRI_SITE()); \
        }                                                                              \
        for (size_t weiri_k_ = 0; weiri_k_ < (size_t)(count); weiri_k_++) {            \
            (out)[weiri_k_] = weiri_load_[weiri_k_ * weiri_load_step_];                \
        }                                                                              \
    }))

#endif
