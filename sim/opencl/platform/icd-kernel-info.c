/* SPDX-License-Identifier: MIT
 *
 * icd-kernel-info.c: answers programs' questions about kernels, from their description
 * (arguments.h) and from the device. */
#include "config.h"

#include "opencl/platform/icd-kernel.h"

#include <string.h>

CL_API_ENTRY cl_int CL_API_CALL clGetKernelInfo(cl_kernel kernel, cl_kernel_info name,
                                                size_t room, void *value,
                                                size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(kernel, WEIRI_ICD_KERNEL);
    switch (name) {
    case CL_KERNEL_FUNCTION_NAME:
        return weiri_icd_give_text(&answer, kernel->info->name);
    case CL_KERNEL_NUM_ARGS:
        return weiri_icd_give_uint(&answer, (cl_uint)kernel->info->n_parameters);
    case CL_KERNEL_REFERENCE_COUNT:
        return weiri_icd_give_uint(&answer, kernel->object.references);
    case CL_KERNEL_CONTEXT:
        return weiri_icd_give_pointer(&answer, kernel->program->context);
    case CL_KERNEL_PROGRAM:
        return weiri_icd_give_pointer(&answer, kernel->program);
    case CL_KERNEL_ATTRIBUTES:
        return weiri_icd_give_text(&answer, kernel->info->attributes);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

/* ---- Parameters ------------------------------------------------------------------ */

static cl_uint address_qualifier(const struct weiri_cl_parameter *parameter)
{
    switch (parameter->kind) {
    case WEIRI_CL_GLOBAL:
    case WEIRI_CL_IMAGE:
    case WEIRI_CL_PIPE:
        return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case WEIRI_CL_CONSTANT:
        return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case WEIRI_CL_LOCAL:
        return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default:
        return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

static cl_uint access_qualifier(const char *access)
{
    return strcmp(access, "read_only") == 0 ? CL_KERNEL_ARG_ACCESS_READ_ONLY
        : strcmp(access, "write_only") == 0 ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
        : strcmp(access, "read_write") == 0 ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                            : CL_KERNEL_ARG_ACCESS_NONE;
}

static cl_ulong type_qualifier(const char *qualifiers)
{
    static const struct {
        const char *word;
        cl_kernel_arg_type_qualifier bit;
    } rows[] = { { "const", CL_KERNEL_ARG_TYPE_CONST },
                 { "restrict", CL_KERNEL_ARG_TYPE_RESTRICT },
                 { "volatile", CL_KERNEL_ARG_TYPE_VOLATILE },
                 { "pipe", CL_KERNEL_ARG_TYPE_PIPE } };
    cl_kernel_arg_type_qualifier all = CL_KERNEL_ARG_TYPE_NONE;
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        all |= strstr(qualifiers, rows[i].word) != NULL ? rows[i].bit : 0;
    }
    return all;
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelArgInfo(cl_kernel kernel, cl_uint index,
                                                   cl_kernel_arg_info name, size_t room,
                                                   void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    WEIRI_ICD_NEED(kernel, WEIRI_ICD_KERNEL);
    if (index >= kernel->info->n_parameters) {
        return weiri_icd_fail(&call, CL_INVALID_ARG_INDEX,
                              "argument %u of kernel '%s', which has %zu", index,
                              kernel->info->name, kernel->info->n_parameters);
    }
    const struct weiri_cl_parameter *parameter = &kernel->info->parameters[index];
    switch (name) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return weiri_icd_give_uint(&answer, address_qualifier(parameter));
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return weiri_icd_give_uint(&answer, access_qualifier(parameter->access));
    case CL_KERNEL_ARG_TYPE_NAME:
        return weiri_icd_give_text(&answer, parameter->type_name);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return weiri_icd_give_ulong(&answer, type_qualifier(parameter->qualifiers));
    case CL_KERNEL_ARG_NAME:
        return weiri_icd_give_text(&answer, parameter->name);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

/* ---- Groups and sub-groups ---------------------------------------------- */

static size_t most_items(const struct _cl_kernel *kernel)
{
    const size_t *required = kernel->info->required_local;
    return required[0] != 0
        ? required[0] * MAX(required[1], 1) * MAX(required[2], 1)
        : weir_device_get(weiri_icd_device()->device, WEIR_DEVICE_MAX_WORK_GROUP_SIZE);
}

static size_t sub_group_size(void)
{
    return weir_device_get(weiri_icd_device()->device, WEIR_DEVICE_SUB_GROUP_SIZE);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel,
                                                         cl_device_id device,
                                                         cl_kernel_work_group_info name,
                                                         size_t room, void *value,
                                                         size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    cl_int code = weiri_icd_need(&call, kernel, WEIRI_ICD_KERNEL);
    if (code == CL_SUCCESS && device != NULL) {
        code = weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    switch (name) {
    case CL_KERNEL_WORK_GROUP_SIZE:
        return weiri_icd_give_size(&answer, most_items(kernel));
    case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
        return weiri_icd_give(&answer, kernel->info->required_local,
                              sizeof(kernel->info->required_local));
    case CL_KERNEL_LOCAL_MEM_SIZE:
        return weiri_icd_give_ulong(&answer, weiri_icd_local_bytes(kernel));
    case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
        return weiri_icd_give_size(&answer, sub_group_size());
    case CL_KERNEL_PRIVATE_MEM_SIZE:
        return weiri_icd_give_ulong(&answer, kernel->info->private_bytes);
    case CL_KERNEL_GLOBAL_WORK_SIZE:
        return weiri_icd_fail(&call, CL_INVALID_VALUE,
                              "CL_KERNEL_GLOBAL_WORK_SIZE is for built-in kernels");
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

/* The items of a group whose local sizes are the input of the question. */
static size_t items_of(size_t bytes, const void *input)
{
    const size_t *local = input;
    size_t items = bytes >= sizeof(size_t) && local != NULL ? 1 : 0;
    for (size_t i = 0; items > 0 && i < MIN(bytes / sizeof(size_t), 3); i++) {
        items *= local[i];
    }
    return items;
}

/* A group of that many sub-groups, all in dimension 0. */
static cl_int give_local_size(const struct weiri_icd_answer *answer,
                              const struct _cl_kernel *kernel, const void *input)
{
    size_t groups = input != NULL ? *(const size_t *)input : 0;
    size_t local[3] = { groups * sub_group_size(), 1, 1 };
    if (groups == 0 || local[0] > most_items(kernel)) {
        memset(local, 0, sizeof(local));
    }
    size_t bytes = answer->value != NULL
        ? MIN(answer->room / sizeof(size_t), 3) * sizeof(size_t)
        : sizeof(local);
    return weiri_icd_give(answer, local, bytes);
}

static cl_int sub_group_info(struct weiri_icd_call *call, cl_kernel kernel,
                             cl_device_id device, cl_kernel_sub_group_info name,
                             size_t input_bytes, const void *input,
                             const struct weiri_icd_answer *answer)
{
    size_t lanes = sub_group_size();
    cl_int code = weiri_icd_need(call, kernel, WEIRI_ICD_KERNEL);
    if (code == CL_SUCCESS && device != NULL) {
        code = weiri_icd_need(call, device, WEIRI_ICD_DEVICE);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    switch (name) {
    case CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE:
        return weiri_icd_give_size(answer,
                                   MIN(lanes, MAX(items_of(input_bytes, input), 1)));
    case CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE:
        return weiri_icd_give_size(answer,
                                   (items_of(input_bytes, input) + lanes - 1) / lanes);
    case CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT:
        return give_local_size(answer, kernel, input);
    case CL_KERNEL_MAX_NUM_SUB_GROUPS:
        return weiri_icd_give_size(answer, (most_items(kernel) + lanes - 1) / lanes);
    case CL_KERNEL_COMPILE_NUM_SUB_GROUPS:
        return weiri_icd_give_size(answer, 0);
    default:
        return WEIRI_ICD_UNKNOWN;
    }
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfo(
    cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
    size_t input_bytes, const void *input, size_t room, void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    return sub_group_info(&call, kernel, device, name, input_bytes, input, &answer);
}

CL_API_ENTRY cl_int CL_API_CALL clGetKernelSubGroupInfoKHR(
    cl_kernel kernel, cl_device_id device, cl_kernel_sub_group_info name,
    size_t input_bytes, const void *input, size_t room, void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    return sub_group_info(&call, kernel, device, name, input_bytes, input, &answer);
}
