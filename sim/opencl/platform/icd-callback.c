/* SPDX-License-Identifier: MIT
 *
 * icd-callback.c: callbacks of events, which run after the call in which the event
 * reaches their status; and the end of events. */
#include "config.h"

#include "opencl/platform/icd-command.h"

typedef void(CL_CALLBACK *notify)(cl_event event, cl_int status, void *user);

/* A callback that has not been called. */
struct callback {
    cl_event event;
    cl_int at; /* the status that it is called at */
    cl_int status;
    notify call;
    void *user;
};

void weiri_icd_clear_event(void *object)
{
    struct _cl_event *event = object;
    g_clear_pointer(&event->after, g_ptr_array_unref);
    g_clear_pointer(&event->callbacks, g_array_unref);
    weiri_icd_unuse(event->queue);
    weiri_icd_unuse(event->context);
}

static void call_one(void *data)
{
    struct callback *one = data;
    if (one->status <= CL_COMPLETE) {
        weiri_host_commands_wait(one->event->number, NULL);
    }
    one->call(one->event, one->status, one->user);
    struct weiri_icd_call call;
    weiri_icd_enter(&call, "clSetEventCallback", NULL);
    weiri_icd_unuse(one->event);
    weiri_icd_leave(&call);
    g_free(one);
}

void weiri_icd_call_back(cl_event event)
{
    for (guint i = 0; event->callbacks != NULL && i < event->callbacks->len;) {
        struct callback *one = &g_array_index(event->callbacks, struct callback, i);
        if (event->status > one->at) {
            i++;
            continue;
        }
        one->status = event->status < CL_COMPLETE ? event->status : one->at;
        one->event = weiri_icd_use(event);
        weiri_icd_later(call_one, g_memdup2(one, sizeof(*one)));
        g_array_remove_index(event->callbacks, i);
    }
}

CL_API_ENTRY cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int at,
                                                   notify callback, void *user)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, event, WEIRI_ICD_EVENT);
    if (code == CL_SUCCESS
        && (callback == NULL
            || (at != CL_SUBMITTED && at != CL_RUNNING && at != CL_COMPLETE))) {
        code = weiri_icd_fail(
            &call, CL_INVALID_VALUE,
            "the callback is %s, and the status %d; it is called at CL_SUBMITTED, "
            "CL_RUNNING or CL_COMPLETE",
            callback == NULL ? "NULL" : "not NULL", at);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    if (event->callbacks == NULL) {
        event->callbacks = g_array_new(FALSE, FALSE, sizeof(struct callback));
    }
    const struct callback one = { .at = at, .call = callback, .user = user };
    g_array_append_val(event->callbacks, one);
    weiri_icd_call_back(event);
    return CL_SUCCESS;
}
