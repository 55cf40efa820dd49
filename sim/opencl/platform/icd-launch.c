/* SPDX-License-Identifier: MIT
 *
 * icd-launch.c: kernels are enqueued. Sizes and arguments are checked first, so that a
 * wrong one is OpenCL's error; then the arguments are copied, and the launch is a
 * command like others. */
#include "config.h"

#include "opencl/platform/icd-kernel.h"

#include "opencl/platform/icd-image.h"
#include "opencl/platform/icd-map.h"
#include "opencl/platform/icd-memory.h"

#include <string.h>

/* The work of the command. */
struct work {
    cl_kernel kernel; /* used */
    struct weiri_cl_launch launch;
    char *args;
    GPtrArray *objects; /* used */
};

static void free_work(void *data)
{
    struct work *work = data;
    g_ptr_array_unref(work->objects);
    weiri_icd_unuse(work->kernel);
    g_free(work->args);
    g_free(work);
}

static cl_mem memory_of(const struct work *work, guint i)
{
    struct weiri_icd_object *object = g_ptr_array_index(work->objects, i);
    return object->kind == WEIRI_ICD_MEMORY ? (cl_mem)(void *)object : NULL;
}

/* The buffer that has the memory of a sub-buffer, or of an image of a buffer. */
static cl_mem owner_of(cl_mem memory)
{
    while (memory->parent != NULL) {
        memory = memory->parent;
    }
    return memory;
}

/* The part of a memory object's bytes that an argument gives a kernel. */
static struct weiri_window window_of(cl_mem memory)
{
    return (struct weiri_window){ .offset
                                  = (size_t)(memory->start - owner_of(memory)->start),
                                  .bytes = memory->bytes,
                                  .read_only = (memory->flags & CL_MEM_READ_ONLY) != 0,
                                  .write_only
                                  = (memory->flags & CL_MEM_WRITE_ONLY) != 0 };
}

/* For the launch a kernel may use the memory of its arguments as their flags say, and
 * of a buffer of which it is given sub-buffers those. Shared memory it may use by other
 * pointers, too. */
static void limit_memory(const struct work *work, bool lift)
{
    struct weir_device *device = weiri_icd_device()->device;
    g_autoptr(GArray) windows = g_array_new(FALSE, FALSE, sizeof(struct weiri_window));
    for (guint i = 0; i < work->objects->len; i++) {
        cl_mem memory = memory_of(work, i);
        if (memory == NULL || owner_of(memory)->shared) {
            continue;
        }
        g_array_set_size(windows, 0);
        for (guint k = 0; k < work->objects->len && !lift; k++) {
            cl_mem other = memory_of(work, k);
            if (other != NULL && owner_of(other) == owner_of(memory)) {
                const struct weiri_window window = window_of(other);
                g_array_append_val(windows, window);
            }
        }
        weiri_host_commands_limit(device, owner_of(memory)->start,
                                  (const void *)windows->data, windows->len);
    }
}

/* Kernels of OpenCL are judged by its rules: what a fence orders is its address space,
 * and scopes that are equal include each other. Findings are reported already. */
static cl_int run(cl_event event, void *data)
{
    (void)event;
    struct work *work = data;
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.spaces = WEIR_SPACES_OPENCL;
    options.scope_rule = WEIR_SCOPE_RULE_SAME;
    g_autoptr(GError) error = NULL;
    bool judged = weiri_host_commands_wanted();
    if (judged) {
        limit_memory(work, false);
    }
    bool done
        = weiri_cl_launch(weiri_icd_device()->device, work->kernel->info, &work->launch,
                          work->args, judged ? &options : NULL, NULL, &error);
    if (judged) {
        limit_memory(work, true);
    }
    if (done) {
        return CL_COMPLETE;
    }
    if (!g_error_matches(error, WEIR_ERROR, WEIR_ERROR_FINDINGS)) {
        g_printerr("weir: kernel '%s': %s\n", work->kernel->info->name, error->message);
    }
    return CL_OUT_OF_RESOURCES;
}

/* ---- Arguments ------------------------------------------------------------------- */

static cl_int check_argument(struct weiri_icd_call *call, cl_kernel kernel, size_t i)
{
    const struct weiri_cl_parameter *parameter = &kernel->info->parameters[i];
    const struct weiri_icd_argument *argument = &kernel->arguments[i];
    const char *name = kernel->info->name;
    if (!argument->set) {
        return weiri_icd_fail(call, CL_INVALID_KERNEL_ARGS,
                              "argument %zu of kernel '%s', %s %s, was not set", i,
                              name, parameter->type_name, parameter->name);
    }
    const struct weiri_icd_object *object = argument->object;
    if (object == NULL) {
        return CL_SUCCESS;
    }
    if (!weiri_icd_is_held(object, argument->number)) {
        return weiri_icd_fail(call,
                              parameter->kind == WEIRI_CL_SAMPLER
                                  ? CL_INVALID_SAMPLER
                                  : CL_INVALID_MEM_OBJECT,
                              "argument %zu of kernel '%s', %s %s, was released after "
                              "it was set",
                              i, name, parameter->type_name, parameter->name);
    }
    if (object->kind == WEIRI_ICD_MEMORY
        && weiri_icd_is_mapped((cl_mem)argument->object)) {
        /* The standard neither makes this an error nor defines it. */
        (void)weiri_icd_fail(
            call, CL_INVALID_OPERATION,
            "argument %zu of kernel '%s', %s %s, is mapped by the host "
            "for writing: unmap it first",
            i, name, parameter->type_name, parameter->name);
    }
    return CL_SUCCESS;
}

/* Reports call memory by the name of the parameter. */
static void name_memory(cl_kernel kernel)
{
    for (size_t i = 0; i < kernel->info->n_parameters; i++) {
        const struct weiri_cl_parameter *parameter = &kernel->info->parameters[i];
        struct weiri_icd_object *object = kernel->arguments[i].object;
        if (object != NULL && object->kind == WEIRI_ICD_MEMORY) {
            cl_mem memory = (cl_mem)(void *)object;
            weiri_icd_name(memory, parameter->name,
                           memory->image != NULL ? memory->image->texel_bytes
                                                 : MAX(parameter->pointee_bytes, 1));
        }
    }
}

static cl_int check_arguments(struct weiri_icd_call *call, cl_kernel kernel)
{
    for (size_t i = 0; i < kernel->info->n_parameters; i++) {
        cl_int code = check_argument(call, kernel, i);
        if (code != CL_SUCCESS) {
            return code;
        }
    }
    size_t bytes = weiri_icd_local_bytes(kernel);
    size_t most
        = weir_device_get(weiri_icd_device()->device, WEIR_DEVICE_LOCAL_MEM_SIZE);
    return bytes <= most
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_OUT_OF_RESOURCES,
                         "kernel '%s' takes %zu bytes of local memory; the device has "
                         "%zu",
                         kernel->info->name, bytes, most);
}

/* ---- Sizes ----------------------------------------------------------------------- */

static cl_int check_local(struct weiri_icd_call *call, cl_kernel kernel,
                          const struct weiri_cl_launch *launch)
{
    const char *name = kernel->info->name;
    const size_t *required = kernel->info->required_local;
    size_t most
        = weir_device_get(weiri_icd_device()->device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
    size_t items = 1;
    for (cl_uint dim = 0; dim < launch->work_dim; dim++) {
        size_t local = launch->local[dim];
        if (required[0] != 0 && local != MAX(required[dim], 1)) {
            return weiri_icd_fail(call, CL_INVALID_WORK_GROUP_SIZE,
                                  "local size %zu in dimension %u: the attribute "
                                  "reqd_work_group_size of kernel '%s' says %zu",
                                  local, dim, name, required[dim]);
        }
        if (local == 0 || local > most) { /* 0 is not too great, and divides nothing */
            return weiri_icd_fail(
                call,
                local == 0 ? CL_INVALID_WORK_GROUP_SIZE : CL_INVALID_WORK_ITEM_SIZE,
                "local size %zu in dimension %u; the device has 1 to %zu", local, dim,
                most);
        }
        if (launch->global[dim] % local != 0 && !kernel->info->uneven) {
            return weiri_icd_fail(
                call, CL_INVALID_WORK_GROUP_SIZE,
                "local size %zu does not divide global size %zu in "
                "dimension %u, as it must before OpenCL C 2.0 and with "
                "-cl-uniform-work-group-size",
                local, launch->global[dim], dim);
        }
        items *= local;
    }
    return items <= most
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_INVALID_WORK_GROUP_SIZE,
                         "a group of %zu items; the device has groups of up to %zu",
                         items, most);
}

/* Without local sizes, those that a kernel requires have to divide. */
static cl_int check_required(struct weiri_icd_call *call, cl_kernel kernel,
                             struct weiri_cl_launch *launch)
{
    if (kernel->info->required_local[0] == 0) {
        return CL_SUCCESS;
    }
    for (cl_uint dim = 0; dim < launch->work_dim; dim++) {
        launch->local[dim] = MAX(kernel->info->required_local[dim], 1);
    }
    return check_local(call, kernel, launch);
}

static cl_int read_sizes(struct weiri_icd_call *call, cl_kernel kernel, cl_uint dims,
                         const size_t *offset, const size_t *global,
                         const size_t *local, struct weiri_cl_launch *launch)
{
    if (dims < 1 || dims > 3) {
        return weiri_icd_fail(call, CL_INVALID_WORK_DIMENSION,
                              "%u dimensions: there are 1 to 3", dims);
    }
    bool empty = global == NULL, too_many = false;
    size_t items = 1;
    *launch = (struct weiri_cl_launch){ .work_dim = dims };
    for (cl_uint dim = 0; dim < 3; dim++) {
        bool given = dim < dims && global != NULL;
        launch->global[dim] = given ? global[dim] : 1;
        launch->local[dim] = given && local != NULL ? local[dim] : 0;
        launch->offset[dim] = given && offset != NULL ? offset[dim] : 0;
        empty = empty || launch->global[dim] == 0;
        too_many |= __builtin_mul_overflow(items, launch->global[dim], &items);
        if (launch->offset[dim] > SIZE_MAX - launch->global[dim]) {
            return weiri_icd_fail(call, CL_INVALID_GLOBAL_OFFSET,
                                  "offset %zu and size %zu in dimension %u are more "
                                  "than a size_t holds",
                                  launch->offset[dim], launch->global[dim], dim);
        }
    }
    if (empty) { /* which newer versions allow */
        launch->global[0] = 0;
        return !weiri_icd_device()->is_1_2
            ? CL_SUCCESS
            : weiri_icd_fail(call, CL_INVALID_GLOBAL_WORK_SIZE,
                             "the global size is NULL, or 0 in a dimension");
    }
    if (too_many) {
        return weiri_icd_fail(call, CL_INVALID_GLOBAL_WORK_SIZE,
                              "%zu x %zu x %zu items are more than a size_t holds",
                              launch->global[0], launch->global[1], launch->global[2]);
    }
    return local != NULL ? check_local(call, kernel, launch)
                         : check_required(call, kernel, launch);
}

/* ---- The entry points ------------------------------------------------------------ */

static struct work *new_work(cl_kernel kernel, const struct weiri_cl_launch *launch)
{
    struct work *work = g_new0(struct work, 1);
    work->kernel = weiri_icd_use(kernel);
    work->launch = *launch;
    work->args = g_memdup2(kernel->args, kernel->info->args_bytes);
    work->objects = g_ptr_array_new_with_free_func(weiri_icd_unuse);
    for (size_t i = 0; i < kernel->info->n_parameters; i++) {
        if (kernel->arguments[i].object != NULL) {
            g_ptr_array_add(work->objects, weiri_icd_use(kernel->arguments[i].object));
        }
    }
    return work;
}

static cl_int enqueue(struct weiri_icd_request *request, cl_kernel kernel, cl_uint dims,
                      const size_t *offset, const size_t *global, const size_t *local)
{
    struct weiri_icd_call *call = request->call;
    struct weiri_cl_launch launch;
    cl_int code = weiri_icd_need(call, request->queue, WEIRI_ICD_QUEUE);
    if (code == CL_SUCCESS) {
        code = weiri_icd_need(call, kernel, WEIRI_ICD_KERNEL);
    }
    if (code == CL_SUCCESS && kernel->program->context != request->queue->context) {
        code = weiri_icd_fail(call, CL_INVALID_CONTEXT,
                              "the kernel belongs to another context than the queue");
    }
    if (code == CL_SUCCESS) {
        code = read_sizes(call, kernel, dims, offset, global, local, &launch);
    }
    if (code == CL_SUCCESS) {
        code = check_arguments(call, kernel);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    name_memory(kernel);
    request->kind = WEIRI_COMMAND_KERNEL;
    if (launch.global[0] != 0) {
        request->run = run;
        request->data = new_work(kernel, &launch);
        request->free_data = free_work;
    }
    return weiri_icd_enqueue(request);
}

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                       const size_t *offset, const size_t *global, const size_t *local,
                       cl_uint n_after, const cl_event *after, cl_event *event)
{
    WEIRI_ICD_ENTER();
    struct weiri_icd_request request = weiri_icd_request_of(
        &call, queue, CL_COMMAND_NDRANGE_KERNEL, n_after, after, event);
    return enqueue(&request, kernel, dims, offset, global, local);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel,
                                              cl_uint n_after, const cl_event *after,
                                              cl_event *event)
{
    WEIRI_ICD_ENTER();
    const size_t one = 1;
    struct weiri_icd_request request
        = weiri_icd_request_of(&call, queue, CL_COMMAND_TASK, n_after, after, event);
    return enqueue(&request, kernel, 1, NULL, &one, &one);
}
