/* SPDX-License-Identifier: MIT
 *
 * peers-kernels.c: Weir's side of peers.cl, and the hierarchical forms of its kernels.
 *
 * The words of peers.cl are macros here, as they are in OPENCL_WORDS of
 * peers-opencl.c. */
#include "peers.h"

#include <string.h>

typedef unsigned int uint;

/* ---- The words of peers.cl ------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))
#define KERNEL(name) WEIR_KERNEL(name, peers_args)
#define IN (args->in)
#define OUT (args->out)
#define TMP (args->tmp)
#define N (args->n)
#define P (args->p)

#define EACH PEERS_EACH
#define GLOBAL_ID ((uint)weir_global_id(item, 0))
#define GLOBAL_SIZE ((uint)weir_global_size(item, 0))
#define LOCAL_ID ((uint)weir_local_id(item, 0))
#define LOCAL_SIZE ((uint)weir_local_size(item, 0))
#define GROUP_ID ((uint)weir_group_id(item, 0))
#define GROUPS ((uint)weir_num_groups(item, 0))

#define ITEM_PARAMETER struct weir_item *item,
#define ITEM item,
#define LOCAL
#define SHARED
#define LOCAL_ARRAY(type, name, count) type *name = weir_local_array(item, type, count)
#define LOCAL_WORD(name) LOCAL_ARRAY(uint, name, 1)

#define BARRIER weir_barrier(item, WEIR_LOCAL)
#define BARRIER_BOTH weir_barrier(item, WEIR_LOCAL | WEIR_GLOBAL)
#define ADD_LOCAL(pointer, value)                                                      \
    weir_atomic_add(weir_atomic_ref_space((pointer), memory_order_relaxed,             \
                                          memory_scope_work_group, WEIR_LOCAL),        \
                    (uint)(value))
#define ADD_GLOBAL(pointer, value)                                                     \
    weir_atomic_add(weir_atomic_ref_space((pointer), memory_order_relaxed,             \
                                          memory_scope_device, WEIR_GLOBAL),           \
                    (uint)(value))
#define COUNT_GROUP(pointer)                                                           \
    weir_atomic_fetch_add(weir_atomic_ref_space((pointer), memory_order_acq_rel,       \
                                                memory_scope_device, WEIR_GLOBAL),     \
                          1U)

typedef uint word8 __attribute__((vector_size(32)));
typedef uint unaligned_word8 __attribute__((vector_size(32), aligned(4), may_alias));
#define NO_WORDS ((word8){ 0 })
#define LOAD8(pointer) (*(const unaligned_word8 *)(pointer))

#include "peers.cl"

/* ---- Hierarchical forms ---------------------------------------------------------- */

INLINE uint32_t group_sum(struct weir_group *group, uint32_t *scratch)
{
    for (uint stride = (uint)weir_group_size(group, 0) / 2; stride > 0; stride /= 2) {
        weir_for_each_item(item, group) {
            if (LOCAL_ID < stride) {
                scratch[LOCAL_ID] += scratch[LOCAL_ID + stride];
            }
        }
    }
    return scratch[0];
}

WEIR_GROUP_KERNEL(reduce_single_group_hierarchical, peers_args)
{
    uint size = (uint)weir_group_size(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        scratch[LOCAL_ID] = 0;
    }
    for (uint first = 0; first < args->n; first += size) {
        const uint32_t *in = args->in + first;
        uint left = args->n - first;
        weir_for_each_item(item, group) {
            if (LOCAL_ID < left) {
                scratch[LOCAL_ID] += in[LOCAL_ID];
            }
        }
    }
    args->out[0] = group_sum(group, scratch);
}

WEIR_GROUP_KERNEL(reduce_tree_hierarchical, peers_args)
{
    uint size = (uint)weir_group_size(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    weir_for_each_item(item, group) {
        scratch[LOCAL_ID] = GLOBAL_ID < args->n ? args->in[GLOBAL_ID] : 0;
    }
    ADD_GLOBAL(args->out, group_sum(group, scratch));
}

/* The sums of the group's part of the input in @scratch, EACH elements an item. */
INLINE void sum_each(struct weir_group *group, const peers_args *args,
                     uint32_t *scratch)
{
    uint size = (uint)weir_group_size(group, 0);
    weir_for_each_item(item, group) {
        scratch[LOCAL_ID] = 0;
    }
    uint first = (uint)weir_group_index(group, 0) * size * EACH;
    for (uint k = 0; k < EACH && first < args->n; k++, first += size) {
        const uint32_t *in = args->in + first;
        uint left = args->n - first;
        weir_for_each_item(item, group) {
            if (LOCAL_ID < left) {
                scratch[LOCAL_ID] += in[LOCAL_ID];
            }
        }
    }
}

WEIR_GROUP_KERNEL(reduce_tree_256_hierarchical, peers_args)
{
    uint32_t *scratch
        = weir_group_local_array(group, uint32_t, weir_group_size(group, 0));
    sum_each(group, args, scratch);
    ADD_GLOBAL(args->out, group_sum(group, scratch));
}

WEIR_GROUP_KERNEL(reduce_multi_pass_hierarchical, peers_args)
{
    uint32_t *scratch
        = weir_group_local_array(group, uint32_t, weir_group_size(group, 0));
    weir_for_each_item(item, group) {
        uint low = GROUP_ID * LOCAL_SIZE * 2 + LOCAL_ID, high = low + LOCAL_SIZE;
        scratch[LOCAL_ID] = (low < args->n ? args->in[low] : 0)
            + (high < args->n ? args->in[high] : 0);
    }
    for (uint distance = 1; distance < weir_group_size(group, 0); distance *= 2) {
        weir_for_each_item(item, group) {
            uint left = 2 * distance * LOCAL_ID;
            if (left < LOCAL_SIZE) {
                scratch[left] += scratch[left + distance];
            }
        }
    }
    args->tmp[weir_group_index(group, 0)] = scratch[0];
}

WEIR_GROUP_KERNEL(reduce_multiblock_interleaved_hierarchical, peers_args)
{
    uint size = (uint)weir_group_size(group, 0);
    word8 *scratch = weir_group_local_array(group, word8, size);
    weir_for_each_item(item, group) {
        uint first = GLOBAL_ID / 16 * (16 * EACH) + GLOBAL_ID % 16 * 8;
        word8 sum = NO_WORDS;
        for (uint i = first; i < first + 16 * EACH; i += 16 * 8) {
            if (i < args->n) {
                sum += LOAD8(args->in + i);
            }
        }
        scratch[LOCAL_ID] = sum;
    }
    for (uint stride = size / 2; stride > 0; stride /= 2) {
        weir_for_each_item(item, group) {
            if (LOCAL_ID < stride) {
                scratch[LOCAL_ID] += scratch[LOCAL_ID + stride];
            }
        }
    }
    uint total = 0;
    for (uint k = 0; k < 8; k++) {
        total += scratch[0][k];
    }
    ADD_GLOBAL(args->out, total);
}

WEIR_GROUP_KERNEL(reduce_multiblock_interleaved_vector_hierarchical, peers_args)
{
    uint32_t *scratch = weir_group_local_array(group, uint32_t, 1);
    scratch[0] = 0;
    weir_for_each_item(item, group) {
        uint sum = 0;
        for (uint k = 0; k < 4; k++) {
            if (GLOBAL_ID * 4 + k < args->n) {
                sum += args->in[GLOBAL_ID * 4 + k];
            }
        }
        ADD_LOCAL(scratch, sum);
    }
    ADD_GLOBAL(args->out, scratch[0]);
}

WEIR_GROUP_KERNEL(reduce_last_group_hierarchical, peers_args)
{
    uint size = (uint)weir_group_size(group, 0);
    uint32_t *scratch = weir_group_local_array(group, uint32_t, size);
    uint32_t *sums = args->tmp + 1;
    sum_each(group, args, scratch);
    sums[weir_group_index(group, 0)] = group_sum(group, scratch);
    if (COUNT_GROUP(args->tmp) != weir_group_range(group, 0) - 1) {
        return;
    }
    weir_for_each_item(item, group) {
        uint sum = 0;
        for (uint other = LOCAL_ID; other < GROUPS; other += LOCAL_SIZE) {
            sum += sums[other];
        }
        scratch[LOCAL_ID] = sum;
    }
    args->out[0] = group_sum(group, scratch);
}

WEIR_GROUP_KERNEL(histogram_local_relaxed_hierarchical, peers_args)
{
    uint size = (uint)weir_group_size(group, 0), p = args->p;
    uint32_t *bins = weir_group_local_array(group, uint32_t, p);
    weir_for_each_item(item, group) {
        for (uint bin = LOCAL_ID; bin < p; bin += LOCAL_SIZE) {
            bins[bin] = 0;
        }
    }
    weir_for_each_item(item, group) {
        uint i = GROUP_ID * size * EACH + LOCAL_ID;
        for (uint k = 0; k < EACH; k++, i += size) {
            if (i < args->n) {
                ADD_LOCAL(bins + args->in[i] % p, 1);
            }
        }
    }
    weir_for_each_item(item, group) {
        for (uint bin = LOCAL_ID; bin < p; bin += LOCAL_SIZE) {
            ADD_GLOBAL(args->out + bin, bins[bin]);
        }
    }
}

/* ---- The list -------------------------------------------------------------------- */

#if WEIRI_FAT != 2
#define KERNELS(X)                                                                     \
    X(do_nothing)                                                                      \
    X(reduce_single_item)                                                              \
    X(reduce_atomics1)                                                                 \
    X(reduce_atomics2)                                                                 \
    X(reduce_atomics3)                                                                 \
    X(reduce_single_group)                                                             \
    X(reduce_single_group_hierarchical)                                                \
    X(reduce_tree)                                                                     \
    X(reduce_tree_hierarchical)                                                        \
    X(reduce_tree_by_function)                                                         \
    X(reduce_tree_256)                                                                 \
    X(reduce_tree_256_hierarchical)                                                    \
    X(reduce_multi_pass)                                                               \
    X(reduce_multi_pass_hierarchical)                                                  \
    X(reduce_multiblock_interleaved)                                                   \
    X(reduce_multiblock_interleaved_hierarchical)                                      \
    X(reduce_multiblock_interleaved_vector)                                            \
    X(reduce_multiblock_interleaved_vector_hierarchical)                               \
    X(reduce_last_group)                                                               \
    X(reduce_last_group_hierarchical)                                                  \
    X(histogram_atomic_relaxed)                                                        \
    X(histogram_local_relaxed)                                                         \
    X(histogram_local_relaxed_hierarchical)                                            \
    X(barrier_shift)                                                                   \
    X(barrier_shift_volatile)                                                          \
    X(barrier_only)

const struct weir_kernel *peers_find(const char *name)
{
#define X(kernel)                                                                      \
    if (strcmp(name, #kernel) == 0) {                                                  \
        return &kernel;                                                                \
    }
    KERNELS(X)
#undef X
    return NULL;
}

const char *peers_compiler(void)
{
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}
#endif
