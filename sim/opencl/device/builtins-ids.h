/* SPDX-License-Identifier: MIT
 *
 * builtins-ids.h: ids and sizes. A part of builtins.c: [CL30C] 6.15.1.
 *
 * Dimension 0 is the fastest in OpenCL, and the last in Weir. Checked entries have
 * Weir's order; the others see OpenCL's: entries.c. Loops over items become vectors
 * only if ids are values that the compiler follows: so it knows every index of an array
 * of ids. Numbers that do not change during a launch come from a function that, as far
 * as the compiler knows, reads no memory. */

HELPER const struct weiri_cl_launch *launch_of(const struct weir_item *item)
{
    return item->group->args;
}

/* A number of the launch. No store can change it, which the compiler is told by the
 * attribute of the function. */
__attribute__((const, nothrow)) size_t weiri_cl_fixed(const size_t *number);
HELPER size_t of_launch(const size_t *number)
{
#if WEIRI_FAT == 2
    return WEIRI_UNSEEN(*number);
#else
    return weiri_cl_fixed(number);
#endif
}

#if WEIRI_FAT == 2
#define SEEN_PLACE(item, dim) (weir_work_dim(item) - 1 - (dim))
#define SEEN_OFFSET(item, dim) weiri_cl_global_offset(item, dim)
#else
#define SEEN_PLACE(item, dim) (dim)
#define SEEN_OFFSET(item, dim) 0
#endif

/* The number of dimension @dim of OpenCL, or @other for a dimension that does not
 * exist. All numbers are read, and one value is chosen. From a choice between reads
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

OWN uint32_t weiri_cl_work_dim(void *item)
{
    return weir_work_dim(item);
}

OWN size_t weiri_cl_global_size(void *item, uint32_t dim)
{
    return TURNED(item, dim, weir_global_size, 1);
}

OWN size_t weiri_cl_global_offset(void *item, uint32_t dim)
{
    const struct weiri_cl_launch *launch = launch_of(item);
    return dim < 3 ? of_launch(&launch->offset[dim]) : 0;
}

/* In the order of the shape. This group may be smaller than those before it. */
HELPER size_t global_id(const struct weir_item *item, uint32_t dim)
{
    return WEIRI_UNSEEN(item->shape->first[dim]) + weir_local_id(item, dim);
}

OWN size_t weiri_cl_global_id(void *item, uint32_t dim)
{
    return TURNED(item, dim, global_id, 0) + SEEN_OFFSET(item, dim);
}

OWN size_t weiri_cl_local_size(void *item, uint32_t dim)
{
    return TURNED(item, dim, weir_local_size, 1);
}

/* As the program gave it: a group at the end of the range may have fewer. */
OWN size_t weiri_cl_enqueued_local_size(void *item, uint32_t dim)
{
    const struct weiri_cl_launch *launch = launch_of(item);
    return dim < weir_work_dim(item) ? of_launch(&launch->local[dim]) : 1;
}

OWN size_t weiri_cl_local_id(void *item, uint32_t dim)
{
    return TURNED(item, dim, weir_local_id, 0);
}

OWN size_t weiri_cl_num_groups(void *item, uint32_t dim)
{
    return TURNED(item, dim, weir_num_groups, 1);
}

OWN size_t weiri_cl_group_id(void *item, uint32_t dim)
{
    return TURNED(item, dim, weir_group_id, 0);
}

/* Without the offset, in OpenCL too. */
HELPER size_t range_id(void *item, uint32_t dim)
{
    return weiri_cl_global_id(item, dim) - weiri_cl_global_offset(item, dim);
}

OWN size_t weiri_cl_global_linear_id(void *item)
{
    size_t row = range_id(item, 2) * weiri_cl_global_size(item, 1) + range_id(item, 1);
    return row * weiri_cl_global_size(item, 0) + range_id(item, 0);
}

OWN size_t weiri_cl_local_linear_id(void *item)
{
    return weir_local_linear_id(item);
}

/* ---- Sub-groups ------------------------------------------------------------ */

OWN uint32_t weiri_cl_sub_group_size(void *item)
{
    return weir_sub_group_size(item);
}

HELPER uint32_t enqueued_items(void *item)
{
    return (uint32_t)(weiri_cl_enqueued_local_size(item, 0)
                      * weiri_cl_enqueued_local_size(item, 1)
                      * weiri_cl_enqueued_local_size(item, 2));
}

/* The greatest size of any sub-group of the launch. */
OWN uint32_t weiri_cl_max_sub_group_size(void *item)
{
    const struct weir_item *self = item;
    uint32_t size = WEIRI_UNSEEN(self->shape->sub_group_size);
    uint32_t items = enqueued_items(item);
    return items < size ? items : size;
}

OWN uint32_t weiri_cl_num_sub_groups(void *item)
{
    return weir_num_sub_groups(item);
}

OWN uint32_t weiri_cl_enqueued_num_sub_groups(void *item)
{
    const struct weir_item *self = item;
    uint32_t size = WEIRI_UNSEEN(self->shape->sub_group_size);
    return (enqueued_items(item) + size - 1) / size;
}

OWN uint32_t weiri_cl_sub_group_id(void *item)
{
    return weir_sub_group_id(item);
}

OWN uint32_t weiri_cl_sub_group_local_id(void *item)
{
    return weir_sub_group_local_id(item);
}

/* ---- Spaces -----------------------------------------------------------------
 * [CL30C] 6.15.9: of an address that may be in any memory. */

OWN void *weiri_cl_to_global(void *address)
{
    return weiri_space_of(address) == WEIR_GLOBAL ? address : 0;
}

OWN void *weiri_cl_to_local(void *address)
{
    return weiri_space_of(address) == WEIR_LOCAL ? address : 0;
}

OWN void *weiri_cl_to_private(void *address)
{
    return weiri_space_of(address) == 0 ? address : 0;
}

/* The flags of a fence that orders the memory: WEIR_LOCAL and WEIR_GLOBAL have OpenCL's
 * values. */
OWN uint32_t weiri_cl_get_fence(void *address)
{
    return weiri_space_of(address);
}
