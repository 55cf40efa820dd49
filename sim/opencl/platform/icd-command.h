/* SPDX-License-Identifier: MIT
 *
 * icd-command.h: commands and events. Each command is an event, whether or not the
 * program asked for it.
 *
 * A command runs on the thread that enqueues it, before its clEnqueue…() returns,
 * unless it waits for a user event or for a command that does. Such a command runs on
 * the thread that sets the event, or that waits for the command. So a correct program
 * cannot observe when commands run. Commands that are not ordered are found by
 * host/commands.h, to which each command is reported. */
#ifndef WEIRI_ICD_COMMAND_H
#define WEIRI_ICD_COMMAND_H

#include "opencl/platform/icd.h"

#include "host/commands.h"

/* Does what a command does, without the lock. Returns: its status in the end, not
 * positive */
typedef cl_int (*weiri_icd_run)(cl_event event, void *data);

enum { WEIRI_ICD_QUEUED, WEIRI_ICD_SUBMITTED, WEIRI_ICD_STARTED, WEIRI_ICD_ENDED };

struct _cl_event {
    struct weiri_icd_object object;
    cl_context context;
    cl_command_queue queue; /* NULL of a user event */
    cl_command_type type;
    cl_int status;
    GPtrArray *after; /* events that it waits for; used. NULL where it waits no more */
    bool holds;       /* later commands of the queue wait for it */
    bool all;         /* it waits for all earlier ones */
    enum weiri_command_kind kind;
    weiri_icd_run run; /* or NULL: it does nothing */
    void *data;        /* owned */
    GDestroyNotify free_data;
    const struct weir_site *site; /* of the call that made it; or NULL */
    cl_ulong times[4];
    GArray *callbacks; /* or NULL */
    uint32_t number;   /* in host/commands.h */
};

/* The request of a call. */
struct weiri_icd_request {
    struct weiri_icd_call *call;
    cl_command_queue queue;
    cl_command_type type;
    enum weiri_command_kind kind;
    cl_uint n_after; /* the wait list */
    const cl_event *after;
    cl_event *event; /* (out): or NULL */
    bool blocking;
    bool holds, all; /* as of the event */
    weiri_icd_run run;
    void *data; /* taken, also by a request that fails */
    GDestroyNotify free_data;
};

/** A request with the arguments that all calls which enqueue a command have. */
static inline struct weiri_icd_request weiri_icd_request_of(
    struct weiri_icd_call *call, cl_command_queue queue, cl_command_type type,
    cl_uint n_after, const cl_event *after, cl_event *event)
{
    return (struct weiri_icd_request){ .call = call,
                                       .queue = queue,
                                       .type = type,
                                       .n_after = n_after,
                                       .after = after,
                                       .event = event };
}

/** Enqueues a command; an invalid queue is refused. */
cl_int weiri_icd_enqueue(struct weiri_icd_request *request);

/** A new event of the context; of a command where @queue is not %NULL. */
cl_event weiri_icd_event(cl_context context, cl_command_queue queue,
                         cl_command_type type);

/** Sets the status of an event that ends, and runs what has waited for it. */
void weiri_icd_end_event(cl_event event, cl_int status);

/** How many commands have begun that may write memory, or let the host write it. A map
 *  and an unmap add themselves, with the lock held. */
uint64_t weiri_icd_n_writers(void);
void weiri_icd_add_writer(void);

/** Runs all commands that can run. */
void weiri_icd_run_ready(void);

/** Waits for the end of an event; for all of a queue. In a check, user events that no
 *  thread is left to set are a wrong @call, and fail. */
void weiri_icd_wait(struct weiri_icd_call *call, cl_event event);
void weiri_icd_wait_queue(struct weiri_icd_call *call, cl_command_queue queue);

/** In icd-callback.c: has the callbacks of the event called for the status that it has.
 *  */
void weiri_icd_call_back(cl_event event);
void weiri_icd_clear_event(void *object);

#endif
