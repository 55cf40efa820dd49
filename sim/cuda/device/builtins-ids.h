/* SPDX-License-Identifier: MIT
 *
 * builtins-ids.h: ids and sizes. A part of builtins.c.
 *
 * Dimension 0 is x, the fastest, which is the last of Weir's. Checked entries see
 * Weir's order; the others see CUDA's: entries.c. Loops over items become vectors only
 * if ids are values that the compiler follows: so it knows every index of an array of
 * ids. Numbers that do not change during a launch come from a function that, as far as
 * the compiler knows, reads no memory. */

#if WEIRI_FAT == 2
#define SEEN_PLACE(item, dim) (weir_work_dim(item) - 1 - (dim))
#else
#define SEEN_PLACE(item, dim) (dim)
#endif

/* The number of dimension @dim of CUDA, or @other for a dimension that the launch does
 * not have. All numbers are read, and one value is chosen. From a choice between reads
 * clang would make a read of a chosen address, and the item would have to lie in
 * memory. */
#define TURNED(item, dim, NUMBER, other)                                               \
    (__extension__({                                                                   \
        uint32_t weir_dim_ = SEEN_PLACE(item, dim);                                    \
        size_t weir_numbers_[]                                                         \
            = { NUMBER((item), 0), NUMBER((item), 1), NUMBER((item), 2) };             \
        weir_dim_ == 0       ? weir_numbers_[0]                                        \
            : weir_dim_ == 1 ? weir_numbers_[1]                                        \
            : weir_dim_ == 2 ? weir_numbers_[2]                                        \
                             : (other);                                                \
    }))

OWN uint32_t weiri_cu_thread(CALLER, uint32_t dim)
{
    return (uint32_t)TURNED(item, dim, weir_local_id, 0);
}

OWN uint32_t weiri_cu_block(CALLER, uint32_t dim)
{
    return (uint32_t)TURNED(item, dim, weir_group_id, 0);
}

OWN uint32_t weiri_cu_block_dim(CALLER, uint32_t dim)
{
    return (uint32_t)TURNED(item, dim, weir_local_size, 1);
}

OWN uint32_t weiri_cu_grid_dim(CALLER, uint32_t dim)
{
    return (uint32_t)TURNED(item, dim, weir_num_groups, 1);
}

OWN uint32_t weiri_cu_thread_rank(CALLER)
{
    return (uint32_t)weir_local_linear_id(item);
}

OWN uint32_t weiri_cu_block_threads(CALLER)
{
    const struct weir_item *self = item;
    return (uint32_t)WEIRI_UNSEEN(self->shape->items);
}

/* ---- The launch ------------------------------------------------------------ */

HELPER const struct weiri_cuda_head *head_of(const struct weir_item *item)
{
    return item->group->args;
}

/* A word of the head, out of sight: it is not memory of the program. */
HELPER uint32_t head_32(const uint32_t *word)
{
    return weiri_unseen_32(word);
}

HELPER uint64_t head_64(const uint64_t *word)
{
    return weiri_unseen_64((const size_t *)word);
}

OWN uint32_t weiri_cu_cluster_dim(CALLER, uint32_t dim)
{
    return dim < 3 ? head_32(&head_of(item)->cluster[dim]) : 1;
}

/* The cluster's place in the grid, and the block's in the cluster. */
OWN uint32_t weiri_cu_cluster_index(CALLER, uint32_t dim)
{
    return weiri_cu_block(item, site, dim) / weiri_cu_cluster_dim(item, site, dim);
}

OWN uint32_t weiri_cu_cluster_block(CALLER, uint32_t dim)
{
    return weiri_cu_block(item, site, dim) % weiri_cu_cluster_dim(item, site, dim);
}

OWN uint32_t weiri_cu_cluster_count(CALLER, uint32_t dim)
{
    return weiri_cu_grid_dim(item, site, dim) / weiri_cu_cluster_dim(item, site, dim);
}

OWN uint32_t weiri_cu_cluster_blocks(CALLER)
{
    return weiri_cu_cluster_dim(item, site, 0) * weiri_cu_cluster_dim(item, site, 1)
        * weiri_cu_cluster_dim(item, site, 2);
}

OWN uint32_t weiri_cu_cluster_rank(CALLER)
{
    return (weiri_cu_cluster_block(item, site, 2) * weiri_cu_cluster_dim(item, site, 1)
            + weiri_cu_cluster_block(item, site, 1))
        * weiri_cu_cluster_dim(item, site, 0)
        + weiri_cu_cluster_block(item, site, 0);
}

OWN uint32_t weiri_cu_is_cluster(CALLER)
{
    return weiri_cu_cluster_blocks(item, site) > 1;
}

OWN uint64_t weiri_cu_dynamic_bytes(CALLER)
{
    return weiri_unseen_64(&head_of(item)->dynamic_bytes);
}

OWN uint64_t weiri_cu_launch(CALLER)
{
    return head_64(&head_of(item)->launch);
}

OWN uint32_t weiri_cu_is_cooperative(CALLER)
{
    return head_64(&head_of(item)->cooperative) != 0;
}

/* ---- Warps ----------------------------------------------------------------- */

OWN uint32_t weiri_cu_lane(CALLER)
{
    return weir_sub_group_local_id(item);
}

OWN uint32_t weiri_cu_warp(CALLER)
{
    return weir_sub_group_id(item);
}

OWN uint32_t weiri_cu_warps(CALLER)
{
    return weir_num_sub_groups(item);
}

OWN uint32_t weiri_cu_warp_mask(CALLER)
{
    return (uint32_t)(UINT64_MAX >> (64 - weir_sub_group_size(item)));
}

/* ---- Memories -------------------------------------------------------------- */

OWN uint32_t weiri_cu_space(CALLER, const void *address)
{
    return weiri_space_of(address);
}

/* ---- Time ------------------------------------------------------------------ */

/* In the library: sim/cuda/device/clock.c. */
uint64_t weiri_cuda_clock(void);
uint64_t weiri_cuda_nanoseconds(void);

OWN uint64_t weiri_cu_clock(CALLER)
{
    return weiri_cuda_clock();
}

OWN uint64_t weiri_cu_nanoseconds(CALLER)
{
    return weiri_cuda_nanoseconds();
}

/* The item lets others run. */
OWN void weiri_cu_sleep(CALLER, uint32_t nanoseconds)
{
    (void)nanoseconds;
    weiri_give_way();
}

/* Before a volatile access: the other threads of the block make theirs. */
OWN void weiri_cu_turn(CALLER)
{
    weiri_take_turn();
}

OWN void weiri_cu_trap(CALLER)
{
    weiri_assert_failed("__trap()", site);
}
