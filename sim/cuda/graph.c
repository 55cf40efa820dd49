/* SPDX-License-Identifier: MIT
 *
 * graph.c: graphs that are captured from streams. The commands of a capture are kept in
 * the order in which they were submitted. A launch of the graph submits them in this
 * order: those of the first captured stream to the stream of the launch, and those of
 * each other one to a stream of the graph's own. These begin after what the stream of
 * the launch has before, and it goes on after all of them. */
#include "config.h"

#include "cuda/runtime.h"

struct CUgraph_st {
    struct weiri_cuda_group *group;
};

struct CUgraphExec_st {
    struct weiri_cuda_group *group;
    struct CUstream_st **streams; /* by lane; NULL of the first */
};

/* ---- Capture --------------------------------------------------------------- */

cudaError_t weiri_cuda_join(const struct weiri_cuda_call *call, cudaStream_t stream,
                            struct weiri_cuda_group *group, int after)
{
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return weiri_cuda_misuse(call, cudaErrorInvalidResourceHandle,
                                 "the stream does not exist, or was destroyed");
    }
    if (weiri_cuda_group_is_over(group)) {
        return weiri_cuda_misuse(call, cudaErrorCapturedEvent,
                                 "the event was recorded in a capture that has ended: "
                                 "no other stream can wait for it");
    }
    const struct weiri_cuda_request request
        = { .kind = WEIRI_COMMAND_COPY, .what = "cudaStreamWaitEvent" };
    weiri_cuda_set_captured(found, group);
    weiri_cuda_group_add(group, found, &request, after);
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
    weiri_cuda_group_end(group);
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
    unsigned lanes = weiri_cuda_group_lanes(graph->group);
    (*exec)->streams = g_new0(struct CUstream_st *, lanes);
    for (unsigned lane = 1; lane < lanes; lane++) {
        (*exec)->streams[lane] = weiri_cuda_stream_new(cudaStreamNonBlocking, 0);
    }
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
        for (unsigned lane = 1; lane < weiri_cuda_group_lanes(exec->group); lane++) {
            weiri_cuda_stream_end(exec->streams[lane]);
        }
        weiri_cuda_group_unref(exec->group);
        g_free(exec->streams);
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

/* Submits nothing, for others to wait for or to wait with. Returns: a reference */
static cudaError_t submit_mark(const struct weiri_cuda_call *call, cudaStream_t stream,
                               struct weiri_cuda_command *after,
                               struct weiri_cuda_command **made)
{
    const struct weiri_cuda_request request = { .call = call,
                                                .stream = stream,
                                                .kind = WEIRI_COMMAND_COPY,
                                                .what = "cudaGraphLaunch",
                                                .after = after };
    return weiri_cuda_submit(&request, made);
}

static cudaError_t submit_node(const struct weiri_cuda_call *call,
                               const struct CUgraphExec_st *exec, size_t i,
                               cudaStream_t stream, struct weiri_cuda_command **made)
{
    struct weiri_cuda_group *group = exec->group;
    const struct weiri_cuda_node *node = weiri_cuda_group_node(group, i);
    const struct running running = { weiri_cuda_group_ref(group), &node->request };
    struct weiri_cuda_request request = node->request;
    request.call = call;
    request.stream = node->lane == 0 ? stream : exec->streams[node->lane];
    request.run = node->request.run != NULL ? run_node : NULL;
    request.free_data = free_running;
    request.data = g_memdup2(&running, sizeof(running));
    /* The first node is the mark of the beginning. */
    request.after = made[node->after == WEIRI_CUDA_NO_NODE ? 0 : 1 + node->after];
    return weiri_cuda_submit(&request, &made[1 + i]);
}

/* The stream of the launch goes on after the last node of each other lane. */
static cudaError_t join_lanes(const struct weiri_cuda_call *call,
                              const struct CUgraphExec_st *exec, cudaStream_t stream,
                              struct weiri_cuda_command **made)
{
    cudaError_t error = cudaSuccess;
    for (unsigned lane = 1;
         lane < weiri_cuda_group_lanes(exec->group) && error == cudaSuccess; lane++) {
        size_t last = weiri_cuda_group_size(exec->group);
        while (last > 0 && weiri_cuda_group_node(exec->group, last - 1)->lane != lane) {
            last--;
        }
        error = submit_mark(call, stream, made[last], NULL);
    }
    return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (exec == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue, "no graph is given");
    }
    size_t n = weiri_cuda_group_size(exec->group);
    /* The mark of the beginning, and the nodes. */
    struct weiri_cuda_command **made = g_new0(struct weiri_cuda_command *, 1 + n);
    if (error == cudaSuccess && weiri_cuda_group_lanes(exec->group) > 1) {
        error = submit_mark(&call, stream, NULL, &made[0]);
    }
    for (size_t i = 0; i < n && error == cudaSuccess; i++) {
        error = submit_node(&call, exec, i, stream, made);
    }
    if (error == cudaSuccess) {
        error = join_lanes(&call, exec, stream, made);
    }
    for (size_t i = 0; i <= n; i++) {
        weiri_cuda_command_unref(made[i]);
    }
    g_free(made);
    return weiri_cuda_return(error);
}
