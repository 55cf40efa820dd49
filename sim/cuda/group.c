/* SPDX-License-Identifier: MIT
 *
 * group.c: commands of captured streams, in the order in which they were submitted. */
#include "config.h"

#include "cuda/runtime.h"

/* Commands that were captured. */
struct weiri_cuda_group {
    int refs;         /* atomic: of graphs, and of commands that run */
    GPtrArray *nodes; /* of struct weiri_cuda_request, owned with their data */
    struct CUstream_st *origin;
};

struct weiri_cuda_group *weiri_cuda_group_ref(struct weiri_cuda_group *group)
{
    __atomic_fetch_add(&group->refs, 1, __ATOMIC_RELAXED);
    return group;
}

static void free_node(void *data)
{
    struct weiri_cuda_request *node = data;
    if (node->free_data != NULL) {
        node->free_data(node->data);
    }
    g_free(node);
}

void weiri_cuda_group_unref(struct weiri_cuda_group *group)
{
    /* acq_rel: the last holder sees what the others did with it */
    if (__atomic_fetch_sub(&group->refs, 1, __ATOMIC_ACQ_REL) == 1) {
        g_ptr_array_unref(group->nodes);
        g_free(group);
    }
}

struct weiri_cuda_group *weiri_cuda_group_new(struct CUstream_st *origin)
{
    struct weiri_cuda_group *group = g_new0(struct weiri_cuda_group, 1);
    group->refs = 1;
    group->nodes = g_ptr_array_new_with_free_func(free_node);
    group->origin = origin;
    return group;
}

void weiri_cuda_group_add(struct weiri_cuda_group *group,
                          const struct weiri_cuda_request *request)
{
    struct weiri_cuda_request *node = g_memdup2(request, sizeof(*request));
    node->call = NULL;
    node->after = NULL;
    node->waits = false;
    g_ptr_array_add(group->nodes, node);
}

size_t weiri_cuda_group_size(const struct weiri_cuda_group *group)
{
    return group->nodes->len;
}

const struct weiri_cuda_request *weiri_cuda_group_node(
    const struct weiri_cuda_group *group, size_t i)
{
    return g_ptr_array_index(group->nodes, i);
}

struct CUstream_st *weiri_cuda_group_origin(const struct weiri_cuda_group *group)
{
    return group->origin;
}
