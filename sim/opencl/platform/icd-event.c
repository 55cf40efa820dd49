/* SPDX-License-Identifier: MIT
 *
 * icd-event.c: calls of programs about events: they wait, ask, and set callbacks. */
#include "config.h"

#include "opencl/platform/icd-command.h"

/* ---- User events ------------------------------------------------------------ */

CL_API_ENTRY cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, context, WEIRI_ICD_CONTEXT);
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    cl_event event = weiri_icd_event(context, NULL, CL_COMMAND_USER);
    event->site = weiri_icd_site(&call);
    return event;
}

CL_API_ENTRY cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status)
{
    WEIRI_ICD_ENTER();
    WEIRI_ICD_NEED(event, WEIRI_ICD_EVENT);
    if (event->queue != NULL) {
        return weiri_icd_fail(&call, CL_INVALID_EVENT,
                              "the event belongs to a "
                              "command");
    }
    if (status > CL_COMPLETE) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "status %d is neither CL_COMPLETE nor negative", status);
    }
    if (event->status <= CL_COMPLETE) {
        return weiri_icd_fail(&call, CL_INVALID_OPERATION,
                              "the status of the event has been set before");
    }
    weiri_icd_use(event);
    weiri_icd_end_event(event, status);
    weiri_icd_run_ready();
    weiri_icd_unuse(event);
    return CL_SUCCESS;
}

/* ---- Waiting and asking ----------------------------------------------------- */

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint n, const cl_event *events)
{
    WEIRI_ICD_ENTER();
    if (n == 0 || events == NULL) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "no events are given");
    }
    for (cl_uint i = 0; i < n; i++) {
        cl_int code = weiri_icd_need(&call, events[i], WEIRI_ICD_EVENT);
        if (code == CL_SUCCESS && events[i]->context != events[0]->context) {
            code = weiri_icd_fail(&call, CL_INVALID_CONTEXT,
                                  "event %u belongs to another context than event "
                                  "0",
                                  i);
        }
        if (code != CL_SUCCESS) {
            return code;
        }
    }
    bool failed = false;
    for (cl_uint i = 0; i < n; i++) {
        weiri_icd_use(events[i]);
    }
    for (cl_uint i = 0; i < n; i++) {
        weiri_icd_wait(&call, events[i]);
        failed |= events[i]->status < CL_COMPLETE;
        weiri_icd_unuse(events[i]);
    }
    return failed ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

WEIRI_ICD_COUNTED(clRetainEvent, clReleaseEvent, cl_event, WEIRI_ICD_EVENT)

/* A host that sees that a command has ended goes on after it. */
static cl_int give_status(const struct weiri_icd_answer *answer, cl_event event)
{
    if (answer->value != NULL && event->status <= CL_COMPLETE) {
        weiri_host_commands_wait(event->number, NULL);
    }
    return weiri_icd_give_uint(answer, (cl_uint)event->status);
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info name,
                                               size_t room, void *value,
                                               size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(event, WEIRI_ICD_EVENT);
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE:
        return weiri_icd_give_pointer(&answer, event->queue);
    case CL_EVENT_COMMAND_TYPE:
        return weiri_icd_give_uint(&answer, event->type);
    case CL_EVENT_CONTEXT:
        return weiri_icd_give_pointer(&answer, event->context);
    case CL_EVENT_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, event->object.references);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        return give_status(&answer, event);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event,
                                                        cl_profiling_info name,
                                                        size_t room, void *value,
                                                        size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(event, WEIRI_ICD_EVENT);
    if (event->queue == NULL) {
        return weiri_icd_fail(&call, CL_PROFILING_INFO_NOT_AVAILABLE,
                              "the event is a user event");
    }
    if ((event->queue->flags & CL_QUEUE_PROFILING_ENABLE) == 0) {
        return weiri_icd_fail(&call, CL_PROFILING_INFO_NOT_AVAILABLE,
                              "the queue was not created with "
                              "CL_QUEUE_PROFILING_ENABLE");
    }
    if (event->status != CL_COMPLETE) {
        return weiri_icd_fail(&call, CL_PROFILING_INFO_NOT_AVAILABLE,
                              "the command has not ended: wait for it first");
    }
    switch (name) {
    case CL_PROFILING_COMMAND_QUEUED:
        return weiri_icd_give_ulong(&answer, event->times[WEIRI_ICD_QUEUED]);
    case CL_PROFILING_COMMAND_SUBMIT:
        return weiri_icd_give_ulong(&answer, event->times[WEIRI_ICD_SUBMITTED]);
    case CL_PROFILING_COMMAND_START:
        return weiri_icd_give_ulong(&answer, event->times[WEIRI_ICD_STARTED]);
    case CL_PROFILING_COMMAND_END:
    case CL_PROFILING_COMMAND_COMPLETE:
        return weiri_icd_give_ulong(&answer, event->times[WEIRI_ICD_ENDED]);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}
