/* SPDX-License-Identifier: MIT
 *
 * icd-device.c: the device of the platform: one of Weir's, of the profile that
 * WEIR_OPENCL_DEVICE names. It is a GPU, or the type that WEIR_OPENCL_TYPE names;
 * icd-facts.c has the answers to questions about it. */
#include "config.h"

#include "opencl/platform/icd-facts.h"
#include "opencl/platform/icd.h"

#include "host/commands.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct _cl_device_id *the_device;

static cl_device_type type_of(const char *word)
{
    return g_strcmp0(word, "cpu") == 0        ? CL_DEVICE_TYPE_CPU
        : g_strcmp0(word, "accelerator") == 0 ? CL_DEVICE_TYPE_ACCELERATOR
                                              : CL_DEVICE_TYPE_GPU;
}

cl_device_id weiri_icd_device(void)
{
    if (the_device != NULL) {
        return the_device;
    }
    g_autoptr(GError) error = NULL;
    const char *profile = g_getenv("WEIR_OPENCL_DEVICE");
    struct weir_device *device
        = weir_device_new(profile != NULL ? profile : "default", &error);
    if (device == NULL) {
        g_printerr("weir: %s\n", error->message);
        return NULL;
    }
    the_device = weiri_icd_new(sizeof(*the_device), WEIRI_ICD_DEVICE, NULL);
    the_device->device = device;
    the_device->type = type_of(g_getenv("WEIR_OPENCL_TYPE"));
    the_device->is_1_2
        = (weir_device_get(device, WEIR_DEVICE_ATOMIC_MEMORY_SCOPES) & 1u << 3) == 0;
    atexit(weiri_host_commands_close);
    return the_device;
}

cl_int weiri_icd_need_devices(struct weiri_icd_call *call, cl_uint n,
                              const cl_device_id *devices)
{
    if (n == 0 || devices == NULL) {
        return weiri_icd_fail(call, CL_INVALID_VALUE, "no devices are given");
    }
    for (cl_uint i = 0; i < n; i++) {
        cl_int code = weiri_icd_need(call, devices[i], WEIRI_ICD_DEVICE);
        if (code != CL_SUCCESS) {
            return code;
        }
    }
    return CL_SUCCESS;
}

cl_int weiri_icd_need_type(struct weiri_icd_call *call, cl_device_type type)
{
    const cl_device_type known = CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU
        | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
    return type == CL_DEVICE_TYPE_ALL || ((type & ~known) == 0 && type != 0)
        ? CL_SUCCESS
        : weiri_icd_fail(call, CL_INVALID_DEVICE_TYPE, "the type is 0x%llx",
                         (unsigned long long)type);
}

bool weiri_icd_has_type(cl_device_type type)
{
    cl_device_id device = weiri_icd_device();
    return device != NULL && (type & (device->type | CL_DEVICE_TYPE_DEFAULT)) != 0;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform,
                                               cl_device_type type, cl_uint n,
                                               cl_device_id *devices, cl_uint *n_ret)
{
    WEIRI_ICD_ENTER();
    cl_int code = platform != NULL ? weiri_icd_need(&call, platform, WEIRI_ICD_PLATFORM)
                                   : CL_SUCCESS;
    if (code == CL_SUCCESS) {
        code = weiri_icd_need_type(&call, type);
    }
    if (code != CL_SUCCESS) {
        return code;
    }
    if ((n == 0 && devices != NULL) || (devices == NULL && n_ret == NULL)) {
        return weiri_icd_fail(&call, CL_INVALID_VALUE, "no room for a device");
    }
    bool is_one = weiri_icd_has_type(type);
    if (is_one && devices != NULL) {
        devices[0] = weiri_icd_device();
    }
    if (n_ret != NULL) {
        *n_ret = is_one ? 1 : 0;
    }
    return is_one ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device,
                                                cl_device_info name, size_t room,
                                                void *value, size_t *bytes_ret)
{
    WEIRI_ICD_ENTER();
    const struct weiri_icd_answer answer = { &call, room, value, bytes_ret };
    cl_int code = weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
    return code != CL_SUCCESS ? code : weiri_icd_fact(&answer, device, name);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainDevice(cl_device_id device)
{
    WEIRI_ICD_ENTER();
    return weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseDevice(cl_device_id device)
{
    WEIRI_ICD_ENTER();
    return weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
}

/* CL_DEVICE_PARTITION_MAX_SUB_DEVICES is 0. */
CL_API_ENTRY cl_int CL_API_CALL
clCreateSubDevices(cl_device_id device, const cl_device_partition_property *properties,
                   cl_uint n, cl_device_id *devices, cl_uint *n_ret)
{
    WEIRI_ICD_ENTER();
    (void)properties;
    (void)n;
    (void)devices;
    cl_int code = weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
    if (code == CL_SUCCESS && n_ret != NULL) {
        *n_ret = 0;
    }
    return code != CL_SUCCESS
        ? code
        : weiri_icd_fail(&call, CL_INVALID_VALUE, "the device cannot be partitioned");
}

static cl_ulong now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (cl_ulong)now.tv_sec * 1000000000u + (cl_ulong)now.tv_nsec;
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceAndHostTimer(cl_device_id device,
                                                        cl_ulong *device_time,
                                                        cl_ulong *host_time)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
    if (code == CL_SUCCESS && (device_time == NULL || host_time == NULL)) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "a pointer is NULL");
    }
    if (code == CL_SUCCESS) {
        *device_time = *host_time = now_ns();
    }
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clGetHostTimer(cl_device_id device, cl_ulong *host_time)
{
    WEIRI_ICD_ENTER();
    cl_int code = weiri_icd_need(&call, device, WEIRI_ICD_DEVICE);
    if (code == CL_SUCCESS && host_time == NULL) {
        code = weiri_icd_fail(&call, CL_INVALID_VALUE, "the pointer is NULL");
    }
    if (code == CL_SUCCESS) {
        *host_time = now_ns();
    }
    return code;
}

CL_API_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context,
                                                               cl_device_id device,
                                                               cl_command_queue queue)
{
    WEIRI_ICD_ENTER();
    (void)context;
    (void)device;
    (void)queue;
    return weiri_icd_fail(&call, CL_INVALID_OPERATION,
                          "the device has no queues of its own");
}
