/* SPDX-License-Identifier: MIT
 *
 * icd-queue.c: command queues, and the commands that do nothing but order others:
 * markers and barriers. Both wait for the events that they are given, or for all
 * earlier commands; a barrier also holds up later ones. */
#include "config.h"

#include "opencl/platform/icd-command.h"

#include <string.h>

static void clear_queue(void *object)
{
    struct _cl_command_queue *queue = object;
    g_ptr_array_unref(queue->pending);
    g_array_unref(queue->since);
    g_free(queue->properties);
    weiri_icd_unuse(queue->context);
}

static cl_command_queue create(struct weiri_icd_call *call, cl_context context,
                               cl_device_id device, cl_command_queue_properties flags,
                               cl_int *result)
{
    const cl_command_queue_properties known
        = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    cl_int code = weiri_icd_need(call, context, WEIRI_ICD_CONTEXT);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need(call, device, WEIRI_ICD_DEVICE);
    }
    if (code == CL_SUCCESS && (flags & ~known) != 0) {
        const cl_command_queue_properties on_device
            = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
        code = weiri_icd_fail(call,
                              (flags & ~known & ~on_device) == 0
                                  ? CL_INVALID_QUEUE_PROPERTIES
                                  : CL_INVALID_VALUE,
                              "properties 0x%llx: the device has no such queues",
                              (unsigned long long)flags);
    }
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    cl_command_queue queue
        = weiri_icd_new(sizeof(*queue), WEIRI_ICD_QUEUE, clear_queue);
    queue->context = weiri_icd_use(context);
    queue->flags = flags;
    queue->pending = g_ptr_array_new();
    queue->since = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    queue->number = weiri_host_commands_queue(
        (flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0, 0);
    return queue;
}

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties flags, cl_int *result)
{
    WEIRI_ICD_ENTER();
    return create(&call, context, device, flags, result);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties,
    cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_command_queue_properties flags = 0;
    size_t n = 0;
    for (; properties != NULL && properties[n] != 0; n += 2) {
        switch (properties[n]) {
        case CL_QUEUE_PROPERTIES:
            flags = properties[n + 1];
            break;
        case CL_QUEUE_SIZE:
            return weiri_icd_refuse(&call, result, CL_INVALID_QUEUE_PROPERTIES,
                                    "CL_QUEUE_SIZE is for queues of the device, and "
                                    "this device has none");
        default:
            return weiri_icd_refuse(&call, result, CL_INVALID_VALUE, "property 0x%llx",
                                    (unsigned long long)properties[n]);
        }
    }
    cl_command_queue queue = create(&call, context, device, flags, result);
    if (queue != NULL && properties != NULL) {
        queue->n_properties = n + 1;
        queue->properties = g_memdup2(properties, (n + 1) * sizeof(*properties));
    }
    return queue;
}

WEIRI_ICD_COUNTED(clRetainCommandQueue, clReleaseCommandQueue, cl_command_queue,
                  WEIRI_ICD_QUEUE)

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue,
                                                      cl_command_queue_info name,
                                                      size_t room, void *value,
                                                      size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(queue, WEIRI_ICD_QUEUE);
    switch (name) {
    case CL_QUEUE_CONTEXT:
        return weiri_icd_give_pointer(&answer, queue->context);
    case CL_QUEUE_DEVICE:
        return weiri_icd_give_pointer(&answer, weiri_icd_device());
    case CL_QUEUE_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, queue->object.references);
    case CL_QUEUE_PROPERTIES:
        return weiri_icd_give_ulong(&answer, queue->flags);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return weiri_icd_give(&answer, queue->properties,
                              queue->n_properties * sizeof(*queue->properties));
    case CL_QUEUE_DEVICE_DEFAULT:
        return weiri_icd_give_pointer(&answer, NULL);
    case CL_QUEUE_SIZE:
        return weiri_icd_fail(&call, CL_INVALID_COMMAND_QUEUE,
                              "CL_QUEUE_SIZE is for queues of the device");
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

CL_API_ENTRY cl_int CL_API_CALL
clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties flags,
                          cl_bool enable, cl_command_queue_properties *before)
{
    WEIRI_ICD_ENTER();
    (void)flags;
    (void)enable;
    cl_int code = weiri_icd_need(&call, queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS && before != NULL) {
        *before = queue->flags;
    }
    return code != CL_SUCCESS
        ? code
        : weiri_icd_fail(&call, CL_INVALID_OPERATION,
                         "properties of a queue are set when it is created");
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS) {
        weiri_icd_run_ready();
    }
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS) {
        weiri_icd_wait_queue(&call, queue);
    }
    return code;
}

/* ---- Markers and barriers --------------------------------------------------- */

/* One that waits for nothing given waits for all earlier commands. */
static cl_int order(struct weiri_icd_call *call, cl_command_queue queue,
                    cl_command_type type, cl_uint n_after, const cl_event *after,
                    cl_event *event)
{
    struct weiri_icd_request request
        = weiri_icd_request_of(call, queue, type, n_after, after, event);
    request.kind = WEIRI_COMMAND_COPY;
    request.holds = type == CL_COMMAND_BARRIER;
    request.all = n_after == 0;
    return weiri_icd_enqueue(&request);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue,
                                                            cl_uint n_after,
                                                            const cl_event *after,
                                                            cl_event *event)
{
    WEIRI_ICD_ENTER();
    return order(&call, queue, CL_COMMAND_MARKER, n_after, after, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue,
                                                             cl_uint n_after,
                                                             const cl_event *after,
                                                             cl_event *event)
{
    WEIRI_ICD_ENTER();
    return order(&call, queue, CL_COMMAND_BARRIER, n_after, after, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event)
{
    WEIRI_ICD_ENTER();
    if (event == NULL) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "no place for the event is given");
    }
    return order(&call, queue, CL_COMMAND_MARKER, 0, NULL, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue)
{
    WEIRI_ICD_ENTER();
    return order(&call, queue, CL_COMMAND_BARRIER, 0, NULL, NULL);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue,
                                                       cl_uint n_after,
                                                       const cl_event *after)
{
    WEIRI_ICD_ENTER();
    if (n_after == 0) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "no events are given");
    }
    return order(&call, queue, CL_COMMAND_BARRIER, n_after, after, NULL);
}
