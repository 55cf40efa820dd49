/* SPDX-License-Identifier: MIT
 *
 * stream.c: streams and events, as the program sees them. An event holds the command
 * that its latest record was; a stream that waits for it waits for that one. */
#include "config.h"

#include "cuda/runtime.h"

struct CUevent_st {
    unsigned flags;
    struct weiri_cuda_command *recorded; /* a reference; NULL: never */
    struct weiri_cuda_group *captured;   /* or recorded in these, a reference; NULL: not
                                            so */
    int node;                            /* there, as this one */
};

/* ---- Streams --------------------------------------------------------------- */

static cudaError_t no_stream(const struct weiri_cuda_call *call)
{
    return weiri_cuda_misuse(call, cudaErrorInvalidResourceHandle,
                             "the stream does not exist, or was destroyed");
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags,
                                         int priority)
{
    cudaError_t error = weiri_cuda_ready();
    if (error == cudaSuccess && (stream == NULL || flags > cudaStreamNonBlocking)) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        *stream = weiri_cuda_stream_new(flags, CLAMP(priority, -5, 0));
    }
    return weiri_cuda_return(error);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL || stream == NULL || stream == cudaStreamLegacy
        || stream == cudaStreamPerThread) {
        return no_stream(&call);
    }
    weiri_cuda_stream_end(found);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return no_stream(&call);
    }
    if (weiri_cuda_captured(found) != NULL) {
        return weiri_cuda_misuse(&call, cudaErrorStreamCaptureUnsupported,
                                 "the stream is captured");
    }
    weiri_cuda_wait_stream(found, call.pc);
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return no_stream(&call);
    }
    if (!weiri_cuda_poll_stream(found, NULL)) {
        return cudaErrorNotReady;
    }
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
    WEIRI_CUDA_CALL();
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return no_stream(&call);
    }
    *priority = weiri_cuda_stream_priority(found);
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags)
{
    WEIRI_CUDA_CALL();
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return no_stream(&call);
    }
    *flags = weiri_cuda_stream_flags(found);
    return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
    WEIRI_CUDA_CALL();
    struct CUstream_st *found = weiri_cuda_stream(stream);
    if (found == NULL) {
        return no_stream(&call);
    }
    *id = weiri_cuda_stream_id(found);
    return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
    (void)stream;
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                   enum cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value)
{
    (void)stream;
    (void)attribute;
    (void)value;
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                   enum cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value)
{
    (void)stream;
    (void)attribute;
    *value = (cudaLaunchAttributeValue){ .pad = { 0 } };
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
    (void)to;
    (void)from;
    return weiri_cuda_return(weiri_cuda_ready());
}

/* ---- Functions of the host ------------------------------------------------- */

struct host_call {
    cudaHostFn_t function;
    cudaStreamCallback_t callback; /* in its place */
    cudaStream_t stream;
    void *user;
};

static cudaError_t run_host_call(void *data)
{
    const struct host_call *call = data;
    if (call->function != NULL) {
        call->function(call->user);
    } else {
        call->callback(call->stream, cudaSuccess, call->user);
    }
    return cudaSuccess;
}

static cudaError_t submit_host_call(const struct weiri_cuda_call *call,
                                    const struct host_call *host)
{
    const struct weiri_cuda_request request
        = { .call = call,
            .stream = host->stream,
            .kind = WEIRI_COMMAND_TASK,
            .what
            = host->function != NULL ? "cudaLaunchHostFunc" : "cudaStreamAddCallback",
            .run = run_host_call,
            .free_data = g_free,
            .data = g_memdup2(host, sizeof(*host)),
            .is_call = true };
    return weiri_cuda_return(weiri_cuda_submit(&request, NULL));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                  void *user, unsigned int flags)
{
    WEIRI_CUDA_CALL();
    if (callback == NULL || flags != 0) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue,
                                 "no function is given, or flags that are not 0");
    }
    const struct host_call host = { NULL, callback, stream, user };
    return submit_host_call(&call, &host);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
    WEIRI_CUDA_CALL();
    if (function == NULL) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidValue, "no function is given");
    }
    const struct host_call host = { function, NULL, stream, user };
    return submit_host_call(&call, &host);
}

/* ---- Events ---------------------------------------------------------------- */

static GMutex mutex;       /* guards: */
static GHashTable *events; /* those that exist: struct CUevent_st, owned */

static bool exists(cudaEvent_t event)
{
    g_mutex_lock(&mutex);
    bool found = events != NULL && g_hash_table_contains(events, event);
    g_mutex_unlock(&mutex);
    return found;
}

static cudaError_t no_event(const struct weiri_cuda_call *call)
{
    return weiri_cuda_misuse(call, cudaErrorInvalidResourceHandle,
                             "the event does not exist, or was destroyed");
}

/* Why a call that names the event cannot be made; it has been reported. */
static cudaError_t find_event(const struct weiri_cuda_call *call, cudaEvent_t event)
{
    cudaError_t error = weiri_cuda_ready();
    return error != cudaSuccess ? weiri_cuda_return(error)
        : exists(event)         ? cudaSuccess
                                : no_event(call);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    cudaError_t error = weiri_cuda_ready();
    if (error == cudaSuccess && event == NULL) {
        error = cudaErrorInvalidValue;
    }
    if (error == cudaSuccess) {
        struct CUevent_st *made = g_new0(struct CUevent_st, 1);
        made->flags = flags;
        g_mutex_lock(&mutex);
        if (events == NULL) {
            events = g_hash_table_new(NULL, NULL);
        }
        g_hash_table_add(events, made);
        g_mutex_unlock(&mutex);
        *event = made;
    }
    return weiri_cuda_return(error);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = find_event(&call, event);
    if (error != cudaSuccess) {
        return error;
    }
    g_mutex_lock(&mutex);
    g_hash_table_remove(events, event);
    g_mutex_unlock(&mutex);
    weiri_cuda_command_unref(event->recorded);
    event->recorded = NULL; /* its address is not used again */
    weiri_cuda_group_unref(event->captured);
    event->captured = NULL;
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned int flags)
{
    WEIRI_CUDA_CALL();
    (void)flags;
    cudaError_t error = find_event(&call, event);
    if (error != cudaSuccess) {
        return error;
    }
    const struct weiri_cuda_request request = { .call = &call,
                                                .stream = stream,
                                                .kind = WEIRI_COMMAND_COPY,
                                                .what = "cudaEventRecord" };
    struct weiri_cuda_command *recorded;
    struct CUstream_st *found = weiri_cuda_stream(stream);
    weiri_cuda_group_unref(event->captured);
    event->captured
        = weiri_cuda_group_ref(found != NULL ? weiri_cuda_captured(found) : NULL);
    error = weiri_cuda_submit(&request, &recorded);
    if (event->captured != NULL) {
        event->node = (int)weiri_cuda_group_size(event->captured) - 1;
    }
    if (recorded != NULL) {
        g_mutex_lock(&mutex);
        struct weiri_cuda_command *before = event->recorded;
        event->recorded = recorded;
        g_mutex_unlock(&mutex);
        weiri_cuda_command_unref(before);
    }
    return weiri_cuda_return(error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
}

/* Returns: a reference, or NULL */
static struct weiri_cuda_command *recorded_of(cudaEvent_t event)
{
    g_mutex_lock(&mutex);
    struct weiri_cuda_command *command = weiri_cuda_command_ref(event->recorded);
    g_mutex_unlock(&mutex);
    return command;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned int flags)
{
    WEIRI_CUDA_CALL();
    (void)flags;
    cudaError_t error = find_event(&call, event);
    if (error != cudaSuccess) {
        return error;
    }
    if (event->captured != NULL) {
        return weiri_cuda_return(
            weiri_cuda_join(&call, stream, event->captured, event->node));
    }
    struct weiri_cuda_command *command = recorded_of(event);
    if (command != NULL) {
        const struct weiri_cuda_request request = { .call = &call,
                                                    .stream = stream,
                                                    .kind = WEIRI_COMMAND_COPY,
                                                    .what = "cudaStreamWaitEvent",
                                                    .after = command };
        error = weiri_cuda_submit(&request, NULL);
        weiri_cuda_command_unref(command);
    }
    return weiri_cuda_return(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = find_event(&call, event);
    if (error != cudaSuccess) {
        return error;
    }
    struct weiri_cuda_command *command = recorded_of(event);
    if (command != NULL) {
        weiri_cuda_wait(command, call.pc);
        weiri_cuda_command_unref(command);
    }
    return weiri_cuda_return(weiri_cuda_ready());
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = find_event(&call, event);
    if (error != cudaSuccess) {
        return error;
    }
    struct weiri_cuda_command *command = recorded_of(event);
    bool ended = command == NULL || weiri_cuda_poll(command, NULL);
    weiri_cuda_command_unref(command);
    return ended ? weiri_cuda_return(weiri_cuda_ready()) : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
    WEIRI_CUDA_CALL();
    cudaError_t error = weiri_cuda_ready();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    if (!exists(begin) || !exists(end)) {
        return no_event(&call);
    }
    if (((begin->flags | end->flags) & cudaEventDisableTiming) != 0) {
        return weiri_cuda_misuse(&call, cudaErrorInvalidResourceHandle,
                                 "an event was created with cudaEventDisableTiming");
    }
    struct weiri_cuda_command *first = recorded_of(begin), *last = recorded_of(end);
    if (first == NULL || last == NULL) {
        error = weiri_cuda_misuse(&call, cudaErrorInvalidResourceHandle,
                                  "an event was never recorded");
    } else if (!weiri_cuda_command_is_done(first)
               || !weiri_cuda_command_is_done(last)) {
        error = cudaErrorNotReady;
    } else {
        *ms = (float)(weiri_cuda_command_time(last) - weiri_cuda_command_time(first))
            / 1e6f;
    }
    weiri_cuda_command_unref(first);
    weiri_cuda_command_unref(last);
    return error;
}
