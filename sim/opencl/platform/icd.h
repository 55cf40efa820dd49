/* SPDX-License-Identifier: MIT
 *
 * icd.h: shared by the entry points of OpenCL (icd-*.c): a call of the program, and the
 * objects that it has handles of.
 *
 * One lock guards all objects. An entry point begins with WEIRI_ICD_ENTER(), which
 * takes it, and gives it back at its return; callbacks of the program run after that. A
 * command runs without the lock (icd-command.h).
 *
 * An object lives as long as the program has references to it or other objects use it.
 * A handle is looked up before it is used, so that a wrong one is OpenCL's error and no
 * crash; the memory of a freed object is kept for a while, since the loader reads the
 * first word of a handle.
 *
 * A call that fails by the program's fault is a finding under `weir check`,
 * %WEIR_FINDING_API_ERROR: weiri_icd_fail(). Where programs probe, a code is returned
 * without it. */
#ifndef WEIRI_ICD_H
#define WEIRI_ICD_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>
#include <glib.h>
#include <stdbool.h>

#include "weir.h"

struct weir_site;

/* ---- Calls ------------------------------------------------------------------ */

/* A call of an entry point, from its beginning to its end. */
struct weiri_icd_call {
    const char *function; /* "clFinish" */
    const void *pc;       /* to which it returns */
    struct weiri_icd_call *outer;
    GArray *later; /* callbacks that wait for its end; or NULL */
};

void weiri_icd_enter(struct weiri_icd_call *call, const char *function, const void *pc);
void weiri_icd_leave(struct weiri_icd_call *call);

/* Begins an entry point: declares `call`. */
#define WEIRI_ICD_ENTER()                                                              \
    struct weiri_icd_call call __attribute__((cleanup(weiri_icd_leave)));              \
    weiri_icd_enter(&call, __func__, __builtin_return_address(0))

/** The place in the program that made the call; or %NULL where nothing is checked. */
const struct weir_site *weiri_icd_site(const struct weiri_icd_call *call);

/** The program is wrong: a finding under `weir check`. Returns: @code */
cl_int weiri_icd_fail(struct weiri_icd_call *call, cl_int code, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/** The same for calls that return an object. @result: where the code goes, or %NULL.
 *  Returns: %NULL */
void *weiri_icd_refuse(struct weiri_icd_call *call, cl_int *result, cl_int code,
                       const char *format, ...) G_GNUC_PRINTF(4, 5);

/** Hands the code of such a call over. @result: may be %NULL. Returns: whether it is
 *  %CL_SUCCESS */
static inline bool weiri_icd_result(cl_int *result, cl_int code)
{
    if (result != NULL) {
        *result = code;
    }
    return code == CL_SUCCESS;
}

/** Runs a callback of the program after the call that runs on this thread. */
void weiri_icd_later(void (*callback)(void *data), void *data);

/** Waits until something may have changed. The lock is given back for so long. */
void weiri_icd_await(void);

/** Whether all threads of the program are in weiri_icd_await() but for the calling one,
 *  which is about to be: nothing will change. */
bool weiri_icd_all_wait(void);

/** Something has changed that others may wait for. */
void weiri_icd_changed(void);
/** Gives the lock back for what takes long or calls the program. */
void weiri_icd_unlock(void);
void weiri_icd_lock(void);

/* ---- Objects ---------------------------------------------------------------- */

enum weiri_icd_kind {
    WEIRI_ICD_PLATFORM,
    WEIRI_ICD_DEVICE,
    WEIRI_ICD_CONTEXT,
    WEIRI_ICD_QUEUE,
    WEIRI_ICD_MEMORY,
    WEIRI_ICD_SAMPLER,
    WEIRI_ICD_PROGRAM,
    WEIRI_ICD_KERNEL,
    WEIRI_ICD_EVENT,
};

/* The head of each object. */
struct weiri_icd_object {
    const cl_icd_dispatch *dispatch; /* first, for loaders */
    enum weiri_icd_kind kind;
    cl_uint references; /* of the program */
    cl_uint uses;       /* by other objects */
    uint64_t number;    /* that no other object has, also after the end of this one */
    void (*clear)(void *object);
};

/** A new object of @bytes, all 0 but for its head, with one reference. @clear: frees
 *  what it has when it ends, or %NULL */
void *weiri_icd_new(size_t bytes, enum weiri_icd_kind kind, void (*clear)(void *));

/** Whether that is an object of the kind that lives. */
bool weiri_icd_is(const void *handle, enum weiri_icd_kind kind);

/** The same for a handle that a call was given: %CL_SUCCESS, or the failure. */
cl_int weiri_icd_need(struct weiri_icd_call *call, const void *handle,
                      enum weiri_icd_kind kind);

/* In an entry point that returns a code: returns the failure, if it is none. */
#define WEIRI_ICD_NEED(handle, kind)                                                   \
    do {                                                                               \
        cl_int needed = weiri_icd_need(&call, (handle), (kind));                       \
        if (needed != CL_SUCCESS) {                                                    \
            return needed;                                                             \
        }                                                                              \
    } while (0)

/** Whether the program has references to the object of that number, which the handle
 *  was once. */
bool weiri_icd_is_held(const void *handle, uint64_t number);

/** Another object uses this one, or no longer does so. %NULL is allowed.
 *  Returns: @object */
void *weiri_icd_use(void *object);
void weiri_icd_unuse(void *object);

/** clRetain…(), clRelease…() */
cl_int weiri_icd_retain(struct weiri_icd_call *call, void *handle,
                        enum weiri_icd_kind kind);
cl_int weiri_icd_release(struct weiri_icd_call *call, void *handle,
                         enum weiri_icd_kind kind);

/* Defines both. */
#define WEIRI_ICD_COUNTED(retain, release, type, kind)                                 \
    CL_API_ENTRY cl_int CL_API_CALL retain(type handle)                                \
    {                                                                                  \
        WEIRI_ICD_ENTER();                                                             \
        return weiri_icd_retain(&call, handle, kind);                                  \
    }                                                                                  \
    CL_API_ENTRY cl_int CL_API_CALL release(type handle)                               \
    {                                                                                  \
        WEIRI_ICD_ENTER();                                                             \
        return weiri_icd_release(&call, handle, kind);                                 \
    }

/* ---- Answers ---------------------------------------------------------------------
 * What clGet…Info() returns. */

struct weiri_icd_answer {
    struct weiri_icd_call *call;
    size_t room;       /* at */
    void *value;       /* or NULL */
    size_t *bytes_ret; /* or NULL */
};

cl_int weiri_icd_give(const struct weiri_icd_answer *answer, const void *value,
                      size_t bytes);
cl_int weiri_icd_give_text(const struct weiri_icd_answer *answer, const char *text);
cl_int weiri_icd_give_uint(const struct weiri_icd_answer *answer, cl_uint value);
cl_int weiri_icd_give_ulong(const struct weiri_icd_answer *answer, cl_ulong value);
cl_int weiri_icd_give_size(const struct weiri_icd_answer *answer, size_t value);
cl_int weiri_icd_give_pointer(const struct weiri_icd_answer *answer, const void *value);

/* To a question that is not known: no fault, since programs ask what extensions have.
 * */
#define WEIRI_ICD_UNKNOWN CL_INVALID_VALUE

/* ---- Objects of more than one file ------------------------------------------- */

/** For loaders; set by icd-dispatch.c. */
extern const cl_icd_dispatch *weiri_icd_entries;

struct _cl_platform_id {
    struct weiri_icd_object object;
};

struct _cl_device_id {
    struct weiri_icd_object object;
    struct weir_device *device;
    cl_device_type type;
    bool is_1_2; /* what the profile has is less than OpenCL 3.0 asks for */
};

struct _cl_context {
    struct weiri_icd_object object;
    cl_context_properties *properties; /* or NULL */
    size_t n_properties;               /* with the 0 at the end */
    GArray *ended;                     /* callbacks, or NULL */
};

struct _cl_command_queue {
    struct weiri_icd_object object;
    cl_context context;
    cl_command_queue_properties flags;
    cl_queue_properties *properties; /* or NULL */
    size_t n_properties;
    uint32_t number;    /* for host/commands.h */
    GPtrArray *pending; /* commands that have not begun, in order; used */
    GArray *since;   /* numbers of commands that ran since the last that all wait for */
    cl_uint running; /* commands */
};

cl_platform_id weiri_icd_platform(void);
/** The only device; %NULL where its profile is wrong, which has been printed. */
cl_device_id weiri_icd_device(void);
const char *weiri_icd_extensions(void);

/** Checks that a type of devices is one of OpenCL's. */
cl_int weiri_icd_need_type(struct weiri_icd_call *call, cl_device_type type);
/** Whether the device is of that type. */
bool weiri_icd_has_type(cl_device_type type);

/** Checks a list of devices: that it has the one. */
cl_int weiri_icd_need_devices(struct weiri_icd_call *call, cl_uint n,
                              const cl_device_id *devices);

#endif
