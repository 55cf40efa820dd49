/* SPDX-License-Identifier: MIT
 *
 * icd-object.c: calls, objects and answers; see icd.h. A set has all live objects, so
 * that any pointer can be tested without reading it. The memory of freed objects is
 * kept in a queue for a while, so that a stale handle is recognised and reported as
 * released before. Callbacks wait in a list of the call, and run when the lock is
 * free. */
#include "config.h"

#include "opencl/platform/icd.h"

#include "base/statics.h"
#include "host/commands.h"

#include <stdarg.h>
#include <string.h>

/* Freed objects whose memory is kept: a wrong use of a handle comes soon, mostly. */
enum { MOST_FREED = 1024 };

const cl_icd_dispatch *weiri_icd_entries;

static GMutex lock;
static GCond changed;
static GHashTable *objects; /* those that live: a set */
static uint64_t n_objects;  /* that there were */
static GQueue freed = G_QUEUE_INIT;
static unsigned n_waiting; /* threads in weiri_icd_await() */
static _Thread_local struct weiri_icd_call *current;

struct later {
    void (*callback)(void *data);
    void *data;
};

/* ---- Calls ------------------------------------------------------------------ */

void weiri_icd_enter(struct weiri_icd_call *call, const char *function, const void *pc)
{
    *call = (struct weiri_icd_call){ function, pc, current, NULL };
    current = call;
    g_mutex_lock(&lock);
}

/* Calls what waits in @call, without the lock. */
static void call_later(struct weiri_icd_call *call)
{
    GArray *later = g_steal_pointer(&call->later);
    for (guint i = 0; later != NULL && i < later->len; i++) {
        const struct later *one = &g_array_index(later, struct later, i);
        one->callback(one->data);
    }
    g_clear_pointer(&later, g_array_unref);
}

void weiri_icd_leave(struct weiri_icd_call *call)
{
    g_mutex_unlock(&lock);
    current = call->outer;
    call_later(call);
}

void weiri_icd_later(void (*callback)(void *data), void *data)
{
    if (current->later == NULL) {
        current->later = g_array_new(FALSE, FALSE, sizeof(struct later));
    }
    const struct later one = { callback, data };
    g_array_append_val(current->later, one);
}

void weiri_icd_lock(void)
{
    g_mutex_lock(&lock);
}

void weiri_icd_unlock(void)
{
    g_mutex_unlock(&lock);
}

void weiri_icd_await(void)
{
    if (current->later != NULL) { /* it may be what is waited for */
        struct weiri_icd_call *call = current;
        g_mutex_unlock(&lock);
        call_later(call);
        g_mutex_lock(&lock);
        return;
    }
    n_waiting++;
    g_cond_wait(&changed, &lock);
    n_waiting--;
}

bool weiri_icd_all_wait(void)
{
    GDir *tasks
        = current->later == NULL ? g_dir_open("/proc/self/task", 0, NULL) : NULL;
    const char *task;
    unsigned n = 0;
    while (tasks != NULL && (task = g_dir_read_name(tasks)) != NULL) {
        g_autofree char *path = g_build_filename("/proc/self/task", task, "comm", NULL);
        g_autofree char *name = NULL;
        bool known = g_file_get_contents(path, &name, NULL, NULL);
        n += !known || !g_str_has_prefix(name, WEIRI_THREAD_NAME);
    }
    g_clear_pointer(&tasks, g_dir_close);
    return n == n_waiting + 1;
}

void weiri_icd_changed(void)
{
    g_cond_broadcast(&changed);
}

const struct weir_site *weiri_icd_site(const struct weiri_icd_call *call)
{
    return weiri_host_commands_site(call->pc);
}

/* ---- Failures --------------------------------------------------------------- */

#define CODES(X)                                                                       \
    X(CL_SUCCESS)                                                                      \
    X(CL_DEVICE_NOT_FOUND)                                                             \
    X(CL_DEVICE_NOT_AVAILABLE)                                                         \
    X(CL_COMPILER_NOT_AVAILABLE)                                                       \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                \
    X(CL_OUT_OF_RESOURCES)                                                             \
    X(CL_OUT_OF_HOST_MEMORY)                                                           \
    X(CL_PROFILING_INFO_NOT_AVAILABLE)                                                 \
    X(CL_MEM_COPY_OVERLAP)                                                             \
    X(CL_IMAGE_FORMAT_MISMATCH)                                                        \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                   \
    X(CL_BUILD_PROGRAM_FAILURE)                                                        \
    X(CL_MAP_FAILURE)                                                                  \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                 \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                    \
    X(CL_COMPILE_PROGRAM_FAILURE)                                                      \
    X(CL_LINKER_NOT_AVAILABLE)                                                         \
    X(CL_LINK_PROGRAM_FAILURE)                                                         \
    X(CL_DEVICE_PARTITION_FAILED)                                                      \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE)                                                \
    X(CL_INVALID_VALUE)                                                                \
    X(CL_INVALID_DEVICE_TYPE)                                                          \
    X(CL_INVALID_PLATFORM)                                                             \
    X(CL_INVALID_DEVICE)                                                               \
    X(CL_INVALID_CONTEXT)                                                              \
    X(CL_INVALID_QUEUE_PROPERTIES)                                                     \
    X(CL_INVALID_COMMAND_QUEUE)                                                        \
    X(CL_INVALID_HOST_PTR)                                                             \
    X(CL_INVALID_MEM_OBJECT)                                                           \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)                                              \
    X(CL_INVALID_IMAGE_SIZE)                                                           \
    X(CL_INVALID_SAMPLER)                                                              \
    X(CL_INVALID_BINARY)                                                               \
    X(CL_INVALID_BUILD_OPTIONS)                                                        \
    X(CL_INVALID_PROGRAM)                                                              \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                                                   \
    X(CL_INVALID_KERNEL_NAME)                                                          \
    X(CL_INVALID_KERNEL_DEFINITION)                                                    \
    X(CL_INVALID_KERNEL)                                                               \
    X(CL_INVALID_ARG_INDEX)                                                            \
    X(CL_INVALID_ARG_VALUE)                                                            \
    X(CL_INVALID_ARG_SIZE)                                                             \
    X(CL_INVALID_KERNEL_ARGS)                                                          \
    X(CL_INVALID_WORK_DIMENSION)                                                       \
    X(CL_INVALID_WORK_GROUP_SIZE)                                                      \
    X(CL_INVALID_WORK_ITEM_SIZE)                                                       \
    X(CL_INVALID_GLOBAL_OFFSET)                                                        \
    X(CL_INVALID_EVENT_WAIT_LIST)                                                      \
    X(CL_INVALID_EVENT)                                                                \
    X(CL_INVALID_OPERATION)                                                            \
    X(CL_INVALID_BUFFER_SIZE)                                                          \
    X(CL_INVALID_GLOBAL_WORK_SIZE)                                                     \
    X(CL_INVALID_PROPERTY)                                                             \
    X(CL_INVALID_IMAGE_DESCRIPTOR)                                                     \
    X(CL_INVALID_COMPILER_OPTIONS)                                                     \
    X(CL_INVALID_LINKER_OPTIONS)                                                       \
    X(CL_INVALID_DEVICE_PARTITION_COUNT)

/* "CL_INVALID_VALUE"; or the number. Static, or of the calling thread */
static const char *code_name(cl_int code)
{
    switch (code) {
#define X(name)                                                                        \
    case name:                                                                         \
        return #name;
        CODES(X)
#undef X
    default:
        return "an error";
    }
}

static void report(const struct weiri_icd_call *call, cl_int code, const char *format,
                   va_list values)
{
    if (weiri_host_commands_wanted()) {
        g_autofree char *why = g_strdup_vprintf(format, values);
        g_autofree char *message
            = g_strdup_printf("%s: %s: %s", call->function, code_name(code), why);
        weiri_host_commands_error(call->function, message, weiri_icd_site(call));
    }
}

cl_int weiri_icd_fail(struct weiri_icd_call *call, cl_int code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    report(call, code, format, values);
    va_end(values);
    return code;
}

void *weiri_icd_refuse(struct weiri_icd_call *call, cl_int *result, cl_int code,
                       const char *format, ...)
{
    va_list values;
    va_start(values, format);
    report(call, code, format, values);
    va_end(values);
    (void)weiri_icd_result(result, code);
    return NULL;
}

/* ---- Objects ---------------------------------------------------------------- */

/* By kind: a word for messages, and the error of an invalid handle. */
static const struct {
    const char *word;
    cl_int code;
} kinds[] = {
    [WEIRI_ICD_PLATFORM] = { "platform", CL_INVALID_PLATFORM },
    [WEIRI_ICD_DEVICE] = { "device", CL_INVALID_DEVICE },
    [WEIRI_ICD_CONTEXT] = { "context", CL_INVALID_CONTEXT },
    [WEIRI_ICD_QUEUE] = { "command queue", CL_INVALID_COMMAND_QUEUE },
    [WEIRI_ICD_MEMORY] = { "memory object", CL_INVALID_MEM_OBJECT },
    [WEIRI_ICD_SAMPLER] = { "sampler", CL_INVALID_SAMPLER },
    [WEIRI_ICD_PROGRAM] = { "program", CL_INVALID_PROGRAM },
    [WEIRI_ICD_KERNEL] = { "kernel", CL_INVALID_KERNEL },
    [WEIRI_ICD_EVENT] = { "event", CL_INVALID_EVENT },
};

void *weiri_icd_new(size_t bytes, enum weiri_icd_kind kind, void (*clear)(void *))
{
    struct weiri_icd_object *object = g_malloc0(bytes);
    object->dispatch = weiri_icd_entries;
    object->kind = kind;
    object->references = 1;
    object->clear = clear;
    object->number = ++n_objects;
    if (objects == NULL) {
        objects = g_hash_table_new(NULL, NULL);
    }
    g_hash_table_add(objects, object);
    return object;
}

static bool lives(const void *handle)
{
    return objects != NULL && g_hash_table_contains(objects, handle);
}

bool weiri_icd_is(const void *handle, enum weiri_icd_kind kind)
{
    return lives(handle) && ((const struct weiri_icd_object *)handle)->kind == kind;
}

bool weiri_icd_is_held(const void *handle, uint64_t number)
{
    const struct weiri_icd_object *object = handle;
    return lives(handle) && object->number == number && object->references > 0;
}

static bool was_freed(const void *handle)
{
    return g_queue_find(&freed, handle) != NULL;
}

cl_int weiri_icd_need(struct weiri_icd_call *call, const void *handle,
                      enum weiri_icd_kind kind)
{
    if (weiri_icd_is(handle, kind)) {
        return CL_SUCCESS;
    }
    const char *word = kinds[kind].word;
    cl_int code = kinds[kind].code;
    if (handle == NULL) {
        return weiri_icd_fail(call, code, "the %s is NULL", word);
    }
    if (lives(handle)) {
        const struct weiri_icd_object *object = handle;
        return weiri_icd_fail(call, code, "a %s is given where a %s is needed",
                              kinds[object->kind].word, word);
    }
    return weiri_icd_fail(call, code,
                          was_freed(handle) ? "the %s was released before"
                                            : "the handle does not belong to a %s",
                          word);
}

static void end_unused(struct weiri_icd_object *object)
{
    if (object->references > 0 || object->uses > 0) {
        return;
    }
    object->uses = 1; /* while it is cleared */
    if (object->clear != NULL) {
        object->clear(object);
    }
    g_hash_table_remove(objects, object);
    g_queue_push_tail(&freed, object);
    if (freed.length > MOST_FREED) {
        g_free(g_queue_pop_head(&freed));
    }
}

void *weiri_icd_use(void *object)
{
    if (object != NULL) {
        ((struct weiri_icd_object *)object)->uses++;
    }
    return object;
}

void weiri_icd_unuse(void *object)
{
    if (object != NULL) {
        ((struct weiri_icd_object *)object)->uses--;
        end_unused(object);
    }
}

cl_int weiri_icd_retain(struct weiri_icd_call *call, void *handle,
                        enum weiri_icd_kind kind)
{
    cl_int code = weiri_icd_need(call, handle, kind);
    if (code == CL_SUCCESS) {
        ((struct weiri_icd_object *)handle)->references++;
    }
    return code;
}

cl_int weiri_icd_release(struct weiri_icd_call *call, void *handle,
                         enum weiri_icd_kind kind)
{
    cl_int code = weiri_icd_need(call, handle, kind);
    if (code != CL_SUCCESS) {
        return code;
    }
    struct weiri_icd_object *object = handle;
    if (object->references == 0) {
        return weiri_icd_fail(call, kinds[kind].code,
                              "the %s was released as often as it was created and "
                              "retained",
                              kinds[kind].word);
    }
    object->references--;
    end_unused(object);
    return CL_SUCCESS;
}

/* ---- Answers ---------------------------------------------------------------- */

cl_int weiri_icd_give(const struct weiri_icd_answer *answer, const void *value,
                      size_t bytes)
{
    if (answer->value != NULL) {
        if (answer->room < bytes) {
            return weiri_icd_fail(answer->call, CL_INVALID_VALUE,
                                  "the answer has %zu bytes, and there is room for %zu",
                                  bytes, answer->room);
        }
        if (bytes > 0) {
            memcpy(answer->value, value, bytes);
        }
    }
    if (answer->bytes_ret != NULL) {
        *answer->bytes_ret = bytes;
    }
    return CL_SUCCESS;
}

cl_int weiri_icd_give_text(const struct weiri_icd_answer *answer, const char *text)
{
    return weiri_icd_give(answer, text, strlen(text) + 1);
}

cl_int weiri_icd_give_uint(const struct weiri_icd_answer *answer, cl_uint value)
{
    return weiri_icd_give(answer, &value, sizeof(value));
}

cl_int weiri_icd_give_ulong(const struct weiri_icd_answer *answer, cl_ulong value)
{
    return weiri_icd_give(answer, &value, sizeof(value));
}

cl_int weiri_icd_give_size(const struct weiri_icd_answer *answer, size_t value)
{
    return weiri_icd_give(answer, &value, sizeof(value));
}

cl_int weiri_icd_give_pointer(const struct weiri_icd_answer *answer, const void *value)
{
    return weiri_icd_give(answer, &value, sizeof(value));
}
