/* SPDX-License-Identifier: MIT
 *
 * icd-command.c: see icd-command.h. A queue has the list of its commands that have not
 * begun. weiri_icd_run_ready() runs the first command that may run, of any busy queue,
 * until none may; each call that could change that calls it. The lock is free while a
 * command runs, so callbacks and other threads can use the queue. */
#include "config.h"

#include "opencl/platform/icd-command.h"

#include <time.h>

static uint64_t n_writers; /* commands that may write */

/* Queues that have commands that have not begun, in the order of the first of these. */
static GPtrArray *busy;

static const struct weiri_command_words words = {
    .one_queue
    = "the two commands are not ordered: their queue is out of order, and no event of "
      "a wait list, barrier or clFinish() orders them",
    .two_queues = "the two commands are not ordered: they are in two queues, and no "
                  "event of a wait list or clFinish() orders them",
    .host = "the host does not wait for the command: there is no clFinish() of its "
            "queue or clWaitForEvents() of its event between the two",
};

/* The time of the monotonic clock, in nanoseconds. */
static cl_ulong now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (cl_ulong)now.tv_sec * 1000000000u + (cl_ulong)now.tv_nsec;
}

cl_event weiri_icd_event(cl_context context, cl_command_queue queue,
                         cl_command_type type)
{
    cl_event event
        = weiri_icd_new(sizeof(*event), WEIRI_ICD_EVENT, weiri_icd_clear_event);
    event->context = weiri_icd_use(context);
    event->queue = weiri_icd_use(queue);
    event->type = type;
    event->status = queue != NULL ? CL_QUEUED : CL_SUBMITTED;
    event->times[WEIRI_ICD_QUEUED] = now_ns();
    return event;
}

/* ---- Which may run ---------------------------------------------------------- */

static bool has_all(const struct _cl_event *event)
{
    for (guint i = 0; i < event->after->len; i++) {
        const struct _cl_event *before = g_ptr_array_index(event->after, i);
        if (before->status > CL_COMPLETE) {
            return false;
        }
    }
    return true;
}

static bool in_order(const struct _cl_command_queue *queue)
{
    return (queue->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) == 0;
}

/* The first command of the queue that may run, or NULL. */
static cl_event ready_of(const struct _cl_command_queue *queue)
{
    for (guint i = 0; i < queue->pending->len; i++) {
        cl_event event = g_ptr_array_index(queue->pending, i);
        bool first = i == 0 && queue->running == 0;
        if (has_all(event) && (first || (!in_order(queue) && !event->all))) {
            return event;
        }
        if (in_order(queue) || event->holds) {
            return NULL;
        }
    }
    return NULL;
}

/* ---- Running ---------------------------------------------------------------- */

/* The numbers of the events that it waits for. For a command that waits for all earlier
 * ones and holds nothing up, also their numbers. */
static GArray *numbers_before(const struct _cl_event *event)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    for (guint i = 0; i < event->after->len; i++) {
        const struct _cl_event *before = g_ptr_array_index(event->after, i);
        g_array_append_val(numbers, before->number);
    }
    if (event->all && !event->holds && event->queue->since->len > 0) {
        g_array_append_vals(numbers, event->queue->since->data,
                            event->queue->since->len);
    }
    return numbers;
}

/* Whether an event that it waited for has failed. */
static bool has_failed(const struct _cl_event *event)
{
    for (guint i = 0; i < event->after->len; i++) {
        if (((cl_event)g_ptr_array_index(event->after, i))->status < CL_COMPLETE) {
            return true;
        }
    }
    return false;
}

static const char *command_name(cl_command_type type)
{
    switch (type) {
    case CL_COMMAND_READ_BUFFER:
        return "clEnqueueReadBuffer";
    case CL_COMMAND_WRITE_BUFFER:
        return "clEnqueueWriteBuffer";
    case CL_COMMAND_COPY_BUFFER:
        return "clEnqueueCopyBuffer";
    case CL_COMMAND_READ_BUFFER_RECT:
        return "clEnqueueReadBufferRect";
    case CL_COMMAND_WRITE_BUFFER_RECT:
        return "clEnqueueWriteBufferRect";
    case CL_COMMAND_COPY_BUFFER_RECT:
        return "clEnqueueCopyBufferRect";
    case CL_COMMAND_FILL_BUFFER:
        return "clEnqueueFillBuffer";
    case CL_COMMAND_MAP_BUFFER:
        return "clEnqueueMapBuffer";
    case CL_COMMAND_MAP_IMAGE:
        return "clEnqueueMapImage";
    case CL_COMMAND_UNMAP_MEM_OBJECT:
        return "clEnqueueUnmapMemObject";
    case CL_COMMAND_READ_IMAGE:
        return "clEnqueueReadImage";
    case CL_COMMAND_WRITE_IMAGE:
        return "clEnqueueWriteImage";
    case CL_COMMAND_COPY_IMAGE:
        return "clEnqueueCopyImage";
    case CL_COMMAND_FILL_IMAGE:
        return "clEnqueueFillImage";
    case CL_COMMAND_COPY_IMAGE_TO_BUFFER:
        return "clEnqueueCopyImageToBuffer";
    case CL_COMMAND_COPY_BUFFER_TO_IMAGE:
        return "clEnqueueCopyBufferToImage";
    case CL_COMMAND_NATIVE_KERNEL:
        return "clEnqueueNativeKernel";
    case CL_COMMAND_SVM_MEMCPY:
        return "clEnqueueSVMMemcpy";
    case CL_COMMAND_SVM_MEMFILL:
        return "clEnqueueSVMMemFill";
    case CL_COMMAND_SVM_MAP:
        return "clEnqueueSVMMap";
    case CL_COMMAND_SVM_UNMAP:
        return "clEnqueueSVMUnmap";
    default:
        return "a command";
    }
}

static bool only_reads(cl_command_type type)
{
    switch (type) {
    case CL_COMMAND_READ_BUFFER:
    case CL_COMMAND_READ_BUFFER_RECT:
    case CL_COMMAND_READ_IMAGE:
    case CL_COMMAND_MAP_BUFFER:
    case CL_COMMAND_MAP_IMAGE:
    case CL_COMMAND_UNMAP_MEM_OBJECT:
    case CL_COMMAND_MARKER:
    case CL_COMMAND_BARRIER:
        return true;
    default:
        return false;
    }
}

uint64_t weiri_icd_n_writers(void)
{
    return n_writers;
}

void weiri_icd_add_writer(void)
{
    n_writers++;
}

/* Runs what the command does, without the lock. */
static cl_int run_alone(cl_event event)
{
    n_writers += !only_reads(event->type);
    g_autoptr(GArray) numbers = numbers_before(event);
    const struct weiri_command_start start
        = { .queue = event->queue->number,
            .after = (const uint32_t *)(void *)numbers->data,
            .n_after = numbers->len,
            .barrier = event->holds };
    weiri_icd_unlock();
    event->number = weiri_host_commands_begin(&start, event->kind,
                                              command_name(event->type), &words);
    cl_int status = event->run != NULL ? event->run(event, event->data) : CL_COMPLETE;
    weiri_host_commands_end(event->number);
    weiri_icd_lock();
    return status;
}

/* Keeps the numbers of commands that a later one may have to wait for. */
static void note(struct _cl_command_queue *queue, const struct _cl_event *event)
{
    if (event->holds || in_order(queue)) {
        g_array_set_size(queue->since, 0);
    }
    if (event->number != 0) {
        g_array_append_val(queue->since, event->number);
    }
}

static void run_one(cl_event event)
{
    struct _cl_command_queue *queue = weiri_icd_use(event->queue);
    g_ptr_array_remove(queue->pending, event);
    if (queue->pending->len == 0) {
        g_ptr_array_remove(busy, queue);
    }
    event->times[WEIRI_ICD_STARTED] = now_ns();
    cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    if (!has_failed(event)) {
        event->status = CL_RUNNING;
        weiri_icd_call_back(event);
        queue->running++;
        status = run_alone(event);
        queue->running--;
        note(queue, event);
    }
    event->times[WEIRI_ICD_ENDED] = MAX(now_ns(), event->times[WEIRI_ICD_STARTED] + 1);
    weiri_icd_end_event(event, status);
    weiri_icd_unuse(event);
    weiri_icd_unuse(queue);
}

void weiri_icd_end_event(cl_event event, cl_int status)
{
    event->status = status;
    g_clear_pointer(&event->after, g_ptr_array_unref);
    if (event->free_data != NULL) {
        event->free_data(event->data);
        event->free_data = NULL;
    }
    weiri_icd_call_back(event);
    weiri_icd_changed();
}

void weiri_icd_run_ready(void)
{
    bool again = true;
    while (again) {
        again = false;
        for (guint i = 0; busy != NULL && i < busy->len && !again; i++) {
            cl_event event = ready_of(g_ptr_array_index(busy, i));
            if (event != NULL) {
                run_one(event);
                again = true;
            }
        }
    }
}

/* ---- Enqueueing ------------------------------------------------------------- */

static cl_int check_list(const struct weiri_icd_request *request)
{
    struct weiri_icd_call *call = request->call;
    if ((request->n_after == 0) != (request->after == NULL)) {
        return weiri_icd_fail(call, CL_INVALID_EVENT_WAIT_LIST,
                              "the wait list has %u events, and its address is %s",
                              request->n_after,
                              request->after == NULL ? "NULL" : "not NULL");
    }
    for (cl_uint i = 0; i < request->n_after; i++) {
        if (!weiri_icd_is(request->after[i], WEIRI_ICD_EVENT)) {
            return weiri_icd_fail(call, CL_INVALID_EVENT_WAIT_LIST,
                                  "event %u of the wait list is not an event", i);
        }
        if (request->after[i]->context != request->queue->context) {
            return weiri_icd_fail(call, CL_INVALID_CONTEXT,
                                  "event %u of the wait list is of another context", i);
        }
    }
    return CL_SUCCESS;
}

static cl_int check(const struct weiri_icd_request *request)
{
    cl_int code = weiri_icd_need(request->call, request->queue, WEIRI_ICD_QUEUE);
    return code != CL_SUCCESS ? code : check_list(request);
}

static void add_pending(cl_event event)
{
    struct _cl_command_queue *queue = event->queue;
    if (busy == NULL) {
        busy = g_ptr_array_new();
    }
    if (queue->pending->len == 0) {
        g_ptr_array_add(busy, queue);
    }
    g_ptr_array_add(queue->pending, weiri_icd_use(event));
}

cl_int weiri_icd_enqueue(struct weiri_icd_request *request)
{
    cl_int code = check(request);
    if (code != CL_SUCCESS) {
        if (request->free_data != NULL) {
            request->free_data(request->data);
        }
        return code;
    }
    cl_event event
        = weiri_icd_event(request->queue->context, request->queue, request->type);
    event->after = g_ptr_array_new_with_free_func(weiri_icd_unuse);
    for (cl_uint i = 0; i < request->n_after; i++) {
        g_ptr_array_add(event->after, weiri_icd_use(request->after[i]));
    }
    event->kind = request->kind;
    event->holds = request->holds;
    event->all = request->all;
    event->run = request->run;
    event->data = request->data;
    event->free_data = request->free_data;
    event->site = weiri_icd_site(request->call);
    event->times[WEIRI_ICD_SUBMITTED] = event->times[WEIRI_ICD_QUEUED];
    event->status = CL_SUBMITTED;
    add_pending(event);
    weiri_icd_run_ready();
    if (request->blocking) {
        weiri_icd_wait(request->call, event);
        code = event->status;
    }
    code = event->status < CL_COMPLETE ? event->status : CL_SUCCESS;
    if (request->event != NULL) {
        *request->event = event;
    } else {
        event->object.references = 0;
        weiri_icd_unuse(weiri_icd_use(event));
    }
    return code;
}

/* ---- Waiting ---------------------------------------------------------------- */

/* A user event that holds the event up, or NULL. */
static cl_event held_by(cl_event event)
{
    cl_event found = event->queue == NULL && event->status > CL_COMPLETE ? event : NULL;
    for (guint i = 0; found == NULL && event->after != NULL && i < event->after->len;
         i++) {
        found = held_by(g_ptr_array_index(event->after, i));
    }
    const GPtrArray *pending = event->queue != NULL ? event->queue->pending : NULL;
    for (guint i = 0; found == NULL && pending != NULL && i < pending->len
         && g_ptr_array_index(pending, i) != event;
         i++) {
        found = held_by(g_ptr_array_index(pending, i));
    }
    return found;
}

/* Waits for a change that lets the event end. In a check it must be possible. */
static void await(struct weiri_icd_call *call, cl_event event)
{
    cl_event user
        = weiri_host_commands_wanted() && weiri_icd_all_wait() ? held_by(event) : NULL;
    if (user == NULL) {
        weiri_icd_await();
        return;
    }
    const struct weir_site *site = user->site;
    (void)weiri_icd_fail(
        call, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        "it waits for ever: no remaining thread can set the user event of %s:%u",
        site != NULL ? site->file : "?", site != NULL ? site->line : 0);
    weiri_icd_use(user);
    weiri_icd_end_event(user, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    weiri_icd_unuse(user);
}

void weiri_icd_wait(struct weiri_icd_call *call, cl_event event)
{
    weiri_icd_use(event);
    weiri_icd_run_ready();
    while (event->status > CL_COMPLETE) {
        await(call, event);
        weiri_icd_run_ready();
    }
    weiri_host_commands_wait(event->number, NULL);
    weiri_icd_unuse(event);
}

void weiri_icd_wait_queue(struct weiri_icd_call *call, cl_command_queue queue)
{
    weiri_icd_use(queue);
    weiri_icd_run_ready();
    while (queue->pending->len > 0 || queue->running > 0) {
        if (queue->pending->len > 0) {
            await(call, g_ptr_array_index(queue->pending, 0));
        } else {
            weiri_icd_await();
        }
        weiri_icd_run_ready();
    }
    weiri_host_commands_wait_queue(queue->number, NULL);
    g_array_set_size(queue->since, 0);
    weiri_icd_unuse(queue);
}
