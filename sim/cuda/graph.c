/* SPDX-License-Identifier: MIT
 *
 * graph.c: graphs that are captured from streams. The commands of a capture are kept in
 * the order in which they were submitted, and a launch of the graph submits them to one
 * stream in this order. So branches of a graph do not run at the same time here: that
 * is one of the orders that CUDA allows, and races between branches are not found. */
#include "config.h"

#include "cuda/runtime.h"

/* Commands that were captured. */
struct weiri_cuda_group {
    int refs;         /* atomic: of graphs, and of commands that run */
    GPtrArray *nodes; /* of struct weiri_cuda_request, owned with their data */
    struct CUstream_st *origin;
};

struct CUgraph_st {
    struct weiri_cuda_group *group;
};

struct CUgraphExec_st {
    struct weiri_cuda_group *group;
};

static struct weiri_cuda_group *ref(struct weiri_cuda_group *group)
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

static void unref(struct weiri_cuda_group *group)
{
    /* acq_rel: the last holder sees what the others did with it */
    if (__atomic_fetch_sub(&group->refs, 1, __ATOMIC_ACQ_REL) == 1) {
        g_ptr_array_unref(group->nodes);
        g_free(group);
    }
}

static struct weiri_cuda_group *group_new(struct CUstream_st *origin)
{
    struct weiri_cuda_group *group = g_new0(struct weiri_cuda_group, 1);
    group->refs = 1;
    group->nodes = g_ptr_array_new_with_free_func(free_node);
    group->origin = origin;
    return group;
}

/* ---- Capture --------------------------------------------------------------------------- */

void weiri_cuda_capture(struct weiri_cuda_group *group,
                        const struct weiri_cuda_request *request)
{
    struct weiri_cuda_request *node = g_memdup2(request, sizeof(*request));
    node->call = NULL;
    node->after = NULL;
    node->waits = false;
    g_ptr_array_add(group->nodes, node);
}

cudaError_t weiri_cuda_join(const struct weiri_cuda_call *call, cudaStream_t stream,
                            struct weiri_cuda_group *group)
{
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return weiri_cuda_misuse(call, cudaErrorInvalidResourceHandle,
                                 "the stream does not exist, or was destroyed");
    }
    weiri_cuda_set_captured(found, group);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
    WEIRI_CUDA_CALL();
    (void)mode;
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidResourceHandle,
                                 "the stream does not exist, or was destroyed");
    }
    if (stream == NULL || stream == cudaStreamLegacy) {
        return weiri_cuda_misuse(&call, cudaErrorStreamCaptureUnsupported,
                                 "the legacy default stream cannot be captured");
    }
    if (weiri_cuda_captured(found) != NULL) {
        return weiri_cuda_misuse(&call, cudaErrorIllegalState,
                                 "the stream is captured already");
    }
    weiri_cuda_set_captured(found, group_new(found));
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    WEIRI_CUDA_CALL();
    struct CUstream_st *found = weiri_cuda_stream(stream);
    struct weiri_cuda_group *group = found != NULL ? weiri_cuda_captured(found) : NULL;
    if (group == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorIllegalState,
                                 "the stream is not captured");
    }
    if (group->origin != found) {
        return weiri_cuda_misuse(&call, cudaErrorStreamCaptureUnmatched,
                                 "the capture began in another stream");
    }
    weiri_cuda_release_captured(group);
    *graph = g_new(struct CUgraph_st, 1);
    (*graph)->group = group;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  enum cudaStreamCaptureStatus *status)
{
    struct CUstream_st *found = weiri_cuda_stream(stream);
    *status = found != NULL && weiri_cuda_captured(found) != NULL
        ? cudaStreamCaptureStatusActive
        : cudaStreamCaptureStatusNone;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
    static _Thread_local enum cudaStreamCaptureMode own = cudaStreamCaptureModeGlobal;
    enum cudaStreamCaptureMode before = own;
    own = *mode;
    *mode = before;
    return cudaSuccess;
}

/* ---- Graphs ---------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    (void)flags;
    *graph = g_new(struct CUgraph_st, 1);
    (*graph)->group = group_new(NULL);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph != NULL) {
        unref(graph->group);
        g_free(graph);
    }
    return weiri_cuda_return(graph != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n)
{
    for (size_t i = 0; nodes != NULL && i < MIN(*n, graph->group->nodes->len); i++) {
        nodes[i] = g_ptr_array_index(graph->group->nodes, i);
    }
    *n = graph->group->nodes->len;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                 unsigned long long flags)
{
    (void)flags;
    if (graph == NULL || exec == NULL) {
        return weiri_cuda_return(cudaErrorInvalidValue);
    }
    *exec = g_new(struct CUgraphExec_st, 1);
    (*exec)->group = ref(graph->group);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream)
{
    (void)exec;
    (void)stream;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    if (exec != NULL) {
        unref(exec->group);
        g_free(exec);
    }
    return weiri_cuda_return(exec != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

/* A node as a command: it keeps the node's data. */
struct running {
    struct weiri_cuda_group *group; /* a reference */
    const struct weiri_cuda_request *node;
};

static cudaError_t run_node(void *data)
{
    const struct running *running = data;
    return running->node->run(running->node->data);
}

static void free_running(void *data)
{
    struct running *running = data;
    unref(running->group);
    g_free(running);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (exec == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue, "no graph is given");
    }
    for (guint i = 0; i < exec->group->nodes->len && error == cudaSuccess; i++) {
        const struct weiri_cuda_request *node
            = g_ptr_array_index(exec->group->nodes, i);
        const struct running running = { ref(exec->group), node };
        struct weiri_cuda_request request = *node;
        request.call = &call;
        request.stream = stream;
        request.run = node->run != NULL ? run_node : NULL;
        request.free_data = free_running;
        request.data = g_memdup2(&running, sizeof(running));
        error = weiri_cuda_submit(&request, NULL);
    }
    return weiri_cuda_return(error);
}
