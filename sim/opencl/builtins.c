/* SPDX-License-Identifier: MIT
 *
 * builtins.c: the machine's builtins of OpenCL C, as functions of C on weir-kernel.h.
 * The clang at hand compiles this file with each program's kernels, and inlines what
 * they call; so it is installed as a source. builtins.def has the table.
 *
 * Dimension 0 is the fastest in OpenCL, and the last in Weir. */
#include <weir-kernel.h>

#include "arguments.h"

/* What is inlined into kernels has the hooks of the caller, which are those of the
 * source; what this file reads itself is no access of the kernel. */
#define OWN WEIRI_UNINSTRUMENTED __attribute__((always_inline))

/* The flags of barriers in OpenCL C. */
enum {
    CLK_LOCAL_MEM_FENCE = 1,
    CLK_GLOBAL_MEM_FENCE = 2,
};

/* ---- Ids ------------------------------------------------------------------- */

static OWN const struct weiri_cl_launch *launch_of(const struct weir_item *item)
{
    return item->group->args;
}

/* The dimension of Weir that is @dim of OpenCL; 3 where it has none. */
static OWN uint32_t turned(const struct weir_item *item, uint32_t dim)
{
    uint32_t dims = weir_work_dim(item);
    return dim < dims ? dims - 1 - dim : 3;
}

OWN uint32_t weiri_cl_work_dim(struct weir_item *item)
{
    return weir_work_dim(item);
}

OWN size_t weiri_cl_global_size(struct weir_item *item, uint32_t dim)
{
    return weir_global_size(item, turned(item, dim));
}

OWN size_t weiri_cl_global_offset(struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(launch_of(item)->offset[dim]) : 0;
}

OWN size_t weiri_cl_global_id(struct weir_item *item, uint32_t dim)
{
    return weir_global_id(item, turned(item, dim)) + weiri_cl_global_offset(item, dim);
}

OWN size_t weiri_cl_local_size(struct weir_item *item, uint32_t dim)
{
    return weir_local_size(item, turned(item, dim));
}

OWN size_t weiri_cl_enqueued_local_size(struct weir_item *item, uint32_t dim)
{
    return dim < weir_work_dim(item) ? WEIRI_UNSEEN(launch_of(item)->local[dim]) : 1;
}

OWN size_t weiri_cl_local_id(struct weir_item *item, uint32_t dim)
{
    return weir_local_id(item, turned(item, dim));
}

OWN size_t weiri_cl_num_groups(struct weir_item *item, uint32_t dim)
{
    return weir_num_groups(item, turned(item, dim));
}

OWN size_t weiri_cl_group_id(struct weir_item *item, uint32_t dim)
{
    return weir_group_id(item, turned(item, dim));
}

/* ---- Local memory ------------------------------------------------------------- */

/* A variable or an argument of a kernel in local memory: its name is that of the site.
 * rewrite.c calls it at the start of the kernel; it is no builtin of OpenCL. */
OWN void *weiri_cl_local(struct weir_item *item, const struct weir_site *site,
                         size_t bytes)
{
    return weiri_array(item, bytes, 1, site);
}

/* ---- Barriers ----------------------------------------------------------------- */

OWN void weiri_cl_barrier(struct weir_item *item, const struct weir_site *site,
                          uint32_t flags)
{
    uint32_t spaces = (flags & CLK_LOCAL_MEM_FENCE ? WEIR_LOCAL : 0)
        | (flags & CLK_GLOBAL_MEM_FENCE ? WEIR_GLOBAL : 0);
    weiri_meet(item,
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                        memory_scope_work_group, spaces, 0),
               site);
}
