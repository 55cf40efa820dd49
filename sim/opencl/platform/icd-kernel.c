/* SPDX-License-Identifier: MIT
 *
 * icd-kernel.c: kernels are created, and given arguments. An argument is checked when
 * it is set; whether all are set, and still there, when the kernel is enqueued. */
#include "config.h"

#include "opencl/platform/icd-kernel.h"

#include "opencl/platform/icd-image.h"
#include "opencl/platform/icd-memory.h"
#include "opencl/platform/icd-sampler.h"

#include <string.h>

static void clear_kernel(void *object)
{
    struct _cl_kernel *kernel = object;
    g_free(kernel->arguments);
    g_free(kernel->args);
    kernel->program->n_kernels--;
    weiri_icd_unuse(kernel->program);
}

static cl_kernel new_kernel(cl_program program, const struct weiri_cl_kernel *info)
{
    cl_kernel kernel = weiri_icd_new(sizeof(*kernel), WEIRI_ICD_KERNEL, clear_kernel);
    kernel->program = weiri_icd_use(program);
    kernel->program->n_kernels++;
    kernel->info = info;
    kernel->args = g_malloc0(info->args_bytes);
    kernel->arguments = g_new0(struct weiri_icd_argument, info->n_parameters);
    return kernel;
}

static cl_int need_built(struct weiri_icd_call *call, cl_program program)
{
    cl_int code = weiri_icd_need(call, program, WEIRI_ICD_PROGRAM);
    return code != CL_SUCCESS || program->module != NULL
        ? code
        : weiri_icd_fail(call, CL_INVALID_PROGRAM_EXECUTABLE,
                         program->status == CL_BUILD_ERROR
                             ? "the program could not be built"
                             : "the program was not built");
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name,
                                                  cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_int code = need_built(&call, program);
    if (code == CL_SUCCESS && name == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "the name is NULL");
    }
    const struct weiri_cl_kernel *info
        = code == CL_SUCCESS ? weiri_cl_module_kernel(program->module, name) : NULL;
    if (code == CL_SUCCESS && info == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_KERNEL_NAME,
                              "the program has no kernel '%s'", name);
    }
    (void)weiri_icd_result(result, code);
    return info != NULL ? new_kernel(program, info) : NULL;
}

CL_API_ENTRY cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint n,
                                                         cl_kernel *kernels,
                                                         cl_uint *n_ret)
{
    WEIRI_ICD_ENTER();
    cl_int code = need_built(&call, program);
    if (code != CL_SUCCESS) {
        return code;
    }
    size_t there;
    const struct weiri_cl_kernel *infos
        = weiri_cl_module_kernels(program->module, &there);
    if (kernels != NULL && n < there) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "the program has %zu kernels, and there is room for %u",
                              there, n);
    }
    for (size_t i = 0; kernels != NULL && i < there; i++) {
        kernels[i] = new_kernel(program, &infos[i]);
    }
    if (n_ret != NULL) {
        *n_ret = (cl_uint)there;
    }
    return CL_SUCCESS;
}

CL_API_ENTRY cl_kernel CL_API_CALL clCloneKernel(cl_kernel kernel, cl_int *result)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, kernel, WEIRI_ICD_KERNEL);
    if (!weiri_icd_result(result, code)) {
        return NULL;
    }
    cl_kernel copy = new_kernel(kernel->program, kernel->info);
    memcpy(copy->args, kernel->args, kernel->info->args_bytes);
    memcpy(copy->arguments, kernel->arguments,
           kernel->info->n_parameters * sizeof(*kernel->arguments));
    return copy;
}

WEIRI_ICD_COUNTED(clRetainKernel, clReleaseKernel, cl_kernel, WEIRI_ICD_KERNEL)

/* ---- Arguments ------------------------------------------------------------------- */

/* An argument as it is given. */
struct given {
    struct weiri_icd_call *call;
    cl_kernel kernel;
    cl_uint index;
    const struct weiri_cl_parameter *parameter;
    size_t bytes;
    const void *value; /* or NULL */
};

static void set(const struct given *given, const void *value, size_t bytes,
                void *object)
{
    const struct weiri_icd_object *head = object;
    memcpy(given->kernel->args + given->parameter->offset, value, bytes);
    given->kernel->arguments[given->index] = (struct weiri_icd_argument){
        .set = true, .object = object, .number = head != NULL ? head->number : 0
    };
}

static cl_int check_size(const struct given *given, size_t bytes)
{
    return given->bytes == bytes
        ? CL_SUCCESS
        : weiri_icd_fail(given->call, CL_INVALID_ARG_SIZE,
                         "argument %u of kernel '%s', %s %s, has %zu bytes, not %zu",
                         given->index, given->kernel->info->name,
                         given->parameter->type_name, given->parameter->name, bytes,
                         given->bytes);
}

/* A failure that tells the argument. */
static cl_int wrong(const struct given *given, cl_int code, const char *why)
{
    return weiri_icd_fail(given->call, code, "argument %u of kernel '%s', %s %s: %s",
                          given->index, given->kernel->info->name,
                          given->parameter->type_name, given->parameter->name, why);
}

/* The object of a handle. @code: (in, out) */
static void *object_of(const struct given *given, enum weiri_icd_kind kind,
                       cl_int error, const char *why, cl_int *code)
{
    void *handle = NULL;
    *code = check_size(given, sizeof(handle));
    if (*code == CL_SUCCESS && given->value != NULL) {
        memcpy(&handle, given->value, sizeof(handle));
    }
    if (*code == CL_SUCCESS && handle != NULL && !weiri_icd_is(handle, kind)) {
        *code = wrong(given, error, why);
    }
    return *code == CL_SUCCESS ? handle : NULL;
}

static cl_int set_buffer(const struct given *given)
{
    cl_int code;
    cl_mem buffer = object_of(given, WEIRI_ICD_MEMORY, CL_INVALID_MEM_OBJECT,
                              "the value is not a buffer, or it was released", &code);
    if (code == CL_SUCCESS && buffer != NULL && buffer->type != CL_MEM_OBJECT_BUFFER) {
        code = wrong(given, CL_INVALID_ARG_VALUE, "an image is given for a pointer");
    }
    if (code == CL_SUCCESS && buffer != NULL
        && buffer->context != given->kernel->program->context) {
        code = wrong(given, CL_INVALID_MEM_OBJECT,
                     "the buffer belongs to another "
                     "context");
    }
    if (code == CL_SUCCESS) {
        void *start = buffer != NULL ? buffer->start : NULL;
        set(given, &start, sizeof(start), buffer);
    }
    return code;
}

static cl_int set_local(const struct given *given)
{
    if (given->value != NULL) {
        return wrong(given, CL_INVALID_ARG_VALUE,
                     "the value of local memory must be NULL");
    }
    if (given->bytes == 0) {
        return wrong(given, CL_INVALID_ARG_SIZE, "the size of local memory is 0");
    }
    set(given, &given->bytes, sizeof(given->bytes), NULL);
    return CL_SUCCESS;
}

/* The type of a parameter that an image is for: "image2d_array_depth_t". */
static char *image_type(const struct weiri_image *texels)
{
    static const char *const forms[] = {
        [WEIRI_IMAGE_1D] = "1d",
        [WEIRI_IMAGE_1D_BUFFER] = "1d_buffer",
        [WEIRI_IMAGE_1D_ARRAY] = "1d_array",
        [WEIRI_IMAGE_2D] = "2d",
        [WEIRI_IMAGE_2D_ARRAY] = "2d_array",
        [WEIRI_IMAGE_3D] = "3d",
    };
    return g_strdup_printf("image%s%s_t", forms[texels->form],
                           texels->order == CL_DEPTH ? "_depth" : "");
}

static cl_int set_image(const struct given *given)
{
    cl_int code;
    cl_mem image = object_of(given, WEIRI_ICD_MEMORY, CL_INVALID_MEM_OBJECT,
                             "the value is not an image, or it was released", &code);
    if (code == CL_SUCCESS && (image == NULL || image->image == NULL)) {
        code = wrong(given, CL_INVALID_MEM_OBJECT, "the value is not an image");
    }
    g_autofree char *type
        = code == CL_SUCCESS ? image_type(&image->image->texels) : NULL;
    if (code == CL_SUCCESS && strcmp(type, given->parameter->base_type_name) != 0) {
        g_autofree char *why = g_strdup_printf("the image is for an %s", type);
        code = wrong(given, CL_INVALID_MEM_OBJECT, why);
    }
    const char *access = given->parameter->access;
    if (code == CL_SUCCESS
        && (((image->flags & CL_MEM_READ_ONLY) != 0 && strcmp(access, "read_only") != 0)
            || ((image->flags & CL_MEM_WRITE_ONLY) != 0
                && strcmp(access, "write_only") != 0))) {
        code = wrong(given, CL_INVALID_ARG_VALUE,
                     "the flags of the image exclude the access of the parameter");
    }
    if (code == CL_SUCCESS) {
        void *place = image->image;
        set(given, &place, sizeof(place), image);
    }
    return code;
}

static cl_int set_sampler(const struct given *given)
{
    cl_int code;
    cl_sampler sampler
        = object_of(given, WEIRI_ICD_SAMPLER, CL_INVALID_SAMPLER,
                    "the value is not a sampler, or it was released", &code);
    if (code == CL_SUCCESS && sampler == NULL) {
        code = wrong(given, CL_INVALID_SAMPLER, "the value is NULL");
    }
    if (code == CL_SUCCESS) {
        const uint64_t flags = sampler->flags;
        set(given, &flags, sizeof(flags), sampler);
    }
    return code;
}

static cl_int set_value(const struct given *given)
{
    cl_int code = check_size(given, given->parameter->bytes);
    if (code == CL_SUCCESS && given->value == NULL) {
        code = wrong(given, CL_INVALID_ARG_VALUE, "the value is NULL");
    }
    if (code == CL_SUCCESS) {
        set(given, given->value, given->bytes, NULL);
    }
    return code;
}

static cl_int need_index(struct weiri_icd_call *call, cl_kernel kernel, cl_uint index)
{
    cl_int code = weiri_icd_need(call, kernel, WEIRI_ICD_KERNEL);
    return code != CL_SUCCESS || index < kernel->info->n_parameters
        ? code
        : weiri_icd_fail(call, CL_INVALID_ARG_INDEX,
                         "argument %u of kernel '%s', which has %zu", index,
                         kernel->info->name, kernel->info->n_parameters);
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index,
                                               size_t bytes, const void *value)
{
    WEIRI_ICD_ENTER();
    cl_int code = need_index(&call, kernel, index);
    if (code != CL_SUCCESS) {
        return code;
    }
    const struct given given
        = { &call, kernel, index, &kernel->info->parameters[index], bytes, value };
    switch (given.parameter->kind) {
    case WEIRI_CL_GLOBAL:
    case WEIRI_CL_CONSTANT:
        return set_buffer(&given);
    case WEIRI_CL_LOCAL:
        return set_local(&given);
    case WEIRI_CL_IMAGE:
        return set_image(&given);
    case WEIRI_CL_SAMPLER:
        return set_sampler(&given);
    case WEIRI_CL_VALUE:
        return set_value(&given);
    default:
        return wrong(&given, CL_INVALID_ARG_VALUE,
                     "the device has neither pipes nor queues of its own");
    }
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel,
                                                         cl_uint index,
                                                         const void *pointer)
{
    WEIRI_ICD_ENTER();
    cl_int code = need_index(&call, kernel, index);
    if (code != CL_SUCCESS) {
        return code;
    }
    const struct given given
        = { &call,           kernel, index, &kernel->info->parameters[index],
            sizeof(pointer), NULL };
    if (given.parameter->kind != WEIRI_CL_GLOBAL
        && given.parameter->kind != WEIRI_CL_CONSTANT) {
        return wrong(&given, CL_INVALID_ARG_VALUE,
                     "a pointer is given for a parameter that is not a pointer to "
                     "global memory");
    }
    if (weiri_icd_shared_elsewhere(pointer, kernel->program->context)) {
        return wrong(&given, CL_INVALID_ARG_VALUE,
                     "the pointer is to memory in another context");
    }
    set(&given, &pointer, sizeof(pointer), NULL);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel,
                                                    cl_kernel_exec_info name,
                                                    size_t bytes, const void *value)
{
    WEIRI_ICD_ENTER();
    WEIRI_ICD_NEED(kernel, WEIRI_ICD_KERNEL);
    bool none = value == NULL && bytes == 0 && name == CL_KERNEL_EXEC_INFO_SVM_PTRS;
    if ((!none && (value == NULL || bytes == 0))
        || (name != CL_KERNEL_EXEC_INFO_SVM_PTRS
            && name != CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM)) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "0x%04x with %zu bytes", name,
                              value == NULL ? 0 : bytes);
    }
    if (name == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM
        && *(const cl_bool *)value != CL_FALSE) {
        return weiri_icd_fail(&call, CL_INVALID_OPERATION,
                              "the device has no fine-grained system memory");
    }
    return CL_SUCCESS; /* each kernel can use all memory of the device */
}

size_t weiri_icd_local_bytes(const struct _cl_kernel *kernel)
{
    size_t all = kernel->info->local_bytes;
    for (size_t i = 0; i < kernel->info->n_parameters; i++) {
        const struct weiri_cl_parameter *parameter = &kernel->info->parameters[i];
        size_t bytes = 0;
        if (parameter->kind == WEIRI_CL_LOCAL) {
            memcpy(&bytes, kernel->args + parameter->offset, sizeof(bytes));
        }
        all += bytes;
    }
    return all;
}
