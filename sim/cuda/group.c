/* SPDX-License-Identifier: MIT
 *
 * group.c: commands of captured streams, in the order in which they were submitted, and
 * what each waits for. */
#include "config.h"

#include "cuda/runtime.h"

/* Commands that were captured. */
struct weiri_cuda_group {
    int refs;           /* atomic: of graphs, events, and commands that run */
    GPtrArray *nodes;   /* of struct weiri_cuda_node, owned with their data */
    GPtrArray *streams; /* of each lane, while the capture goes on */
    bool over;
};

struct weiri_cuda_group *weiri_cuda_group_ref(struct weiri_cuda_group *group)
{
    if (group != NULL) {
        __atomic_fetch_add(&group->refs, 1, __ATOMIC_RELAXED);
    }
    return group;
}

static void free_node(void *data)
{
    struct weiri_cuda_node *node = data;
    if (node->request.free_data != NULL) {
        node->request.free_data(node->request.data);
    }
    g_free(node);
}

void weiri_cuda_group_unref(struct weiri_cuda_group *group)
{
    /* acq_rel: the last holder sees what the others did with it */
    if (group != NULL && __atomic_fetch_sub(&group->refs, 1, __ATOMIC_ACQ_REL) == 1) {
        g_ptr_array_unref(group->nodes);
        g_ptr_array_unref(group->streams);
        g_free(group);
    }
}

struct weiri_cuda_group *weiri_cuda_group_new(struct CUstream_st *origin)
{
    struct weiri_cuda_group *group = g_new0(struct weiri_cuda_group, 1);
    group->refs = 1;
    group->nodes = g_ptr_array_new_with_free_func(free_node);
    group->streams = g_ptr_array_new();
    g_ptr_array_add(group->streams, origin);
    return group;
}

static unsigned lane_of(struct weiri_cuda_group *group, struct CUstream_st *stream)
{
    guint lane;
    if (!g_ptr_array_find(group->streams, stream, &lane)) {
        lane = group->streams->len;
        g_ptr_array_add(group->streams, stream);
    }
    return lane;
}

void weiri_cuda_group_add(struct weiri_cuda_group *group, struct CUstream_st *stream,
                          const struct weiri_cuda_request *request, int after)
{
    struct weiri_cuda_node *node = g_new(struct weiri_cuda_node, 1);
    *node = (struct weiri_cuda_node){ *request, lane_of(group, stream), after };
    node->request.call = NULL;
    node->request.after = NULL;
    node->request.waits = false;
    g_ptr_array_add(group->nodes, node);
}

size_t weiri_cuda_group_size(const struct weiri_cuda_group *group)
{
    return group->nodes->len;
}

unsigned weiri_cuda_group_lanes(const struct weiri_cuda_group *group)
{
    return group->streams->len;
}

const struct weiri_cuda_node *weiri_cuda_group_node(
    const struct weiri_cuda_group *group, size_t i)
{
    return g_ptr_array_index(group->nodes, i);
}

struct CUstream_st *weiri_cuda_group_origin(const struct weiri_cuda_group *group)
{
    return g_ptr_array_index(group->streams, 0);
}

bool weiri_cuda_group_is_over(const struct weiri_cuda_group *group)
{
    return group->over;
}

void weiri_cuda_group_end(struct weiri_cuda_group *group)
{
    group->over = true;
}
