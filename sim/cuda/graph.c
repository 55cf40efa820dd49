/* SPDX-License-Identifier: MIT
 *
 * graph.c: graphs that are captured from streams. The commands of a capture are kept in
 * the order in which they were submitted, and a launch of the graph submits them to one
 * stream in this order. So branches of a graph do not run at the same time here: that
 * is one of the orders that CUDA allows, and races between branches are not found. */
#include "config.h"

#include "cuda/runtime.h"

struct CUgraph_st {
    struct weiri_cuda_group *group;
};

struct CUgraphExec_st {
    struct weiri_cuda_group *group;
};

/* ---- Capture --------------------------------------------------------------- */

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
    weiri_cuda_set_captured(found, weiri_cuda_group_new(found));
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
    if (weiri_cuda_group_origin(group) != found) {
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

/* ---- Graphs ---------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags)
{
    (void)flags;
    *graph = g_new(struct CUgraph_st, 1);
    (*graph)->group = weiri_cuda_group_new(NULL);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (graph != NULL) {
        weiri_cuda_group_unref(graph->group);
        g_free(graph);
    }
    return weiri_cuda_return(graph != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n)
{
    for (size_t i = 0;
         nodes != NULL && i < MIN(*n, weiri_cuda_group_size(graph->group)); i++) {
        nodes[i] = (cudaGraphNode_t)(uintptr_t)weiri_cuda_group_node(graph->group, i);
    }
    *n = weiri_cuda_group_size(graph->group);
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
    (*exec)->group = weiri_cuda_group_ref(graph->group);
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
        weiri_cuda_group_unref(exec->group);
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
    weiri_cuda_group_unref(running->group);
    g_free(running);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (exec == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue, "no graph is given");
    }
    for (size_t i = 0; i < weiri_cuda_group_size(exec->group) && error == cudaSuccess;
         i++) {
        const struct weiri_cuda_request *node = weiri_cuda_group_node(exec->group, i);
        const struct running running = { weiri_cuda_group_ref(exec->group), node };
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
