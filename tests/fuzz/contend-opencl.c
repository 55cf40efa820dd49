/* SPDX-License-Identifier: MIT
 *
 * contend-opencl.c: launches of kernels in OpenCL C, for contend-run.c, on the first
 * platform. CONTEND_OPTIONS in the environment has clBuildProgram()'s options. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "contend-machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 22, LOG_BYTES = 1 << 14 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int error, const char *call)
{
    if (error != CL_SUCCESS) {
        printf("%s fails: %d\n", call, error);
        exit(2);
    }
}

void contend_open(const char *source)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    char *text = calloc(1, TEXT_BYTES);
    FILE *file = source == NULL ? NULL : fopen(source, "r");
    if (file == NULL || fread(text, 1, TEXT_BYTES - 1, file) == 0) {
        printf("no kernels: give --source FILE\n");
        exit(2);
    }
    fclose(file);
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    check(error, "clCreateProgramWithSource");
    const char *options = getenv("CONTEND_OPTIONS");
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[LOG_BYTES];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1,
                              log, NULL);
        printf("the program is not built:\n%s\n", log);
        exit(99);
    }
    free(text);
}

/* The platform chooses the entry. */
bool contend_is_stackless(const struct contend_case *c)
{
    (void)c;
    return false;
}

static cl_mem new_buffer(cl_kernel kernel, cl_uint i, size_t bytes, void *contents)
{
    cl_int error;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   bytes, contents, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(kernel, i, sizeof(buffer), &buffer), "clSetKernelArg");
    return buffer;
}

bool contend_launch(const struct contend_case *c, const struct contend_shape *shape,
                    bool stackful, const uint32_t *in, struct contend_part *parts)
{
    (void)stackful;
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, c->name, &error);
    check(error, "clCreateKernel");
    uint32_t in_here[C_IN];
    memcpy(in_here, in, sizeof(in_here));
    cl_mem in_buffer = new_buffer(kernel, 0, sizeof(in_here), in_here);
    cl_mem buffers[C_PARTS];
    for (cl_uint i = 0; i < C_PARTS; i++) {
        buffers[i]
            = new_buffer(kernel, i + 1, parts[i].n * parts[i].element, parts[i].memory);
    }
    size_t local = shape->local, global = local * shape->groups;
    check(
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
    for (cl_uint i = 0; i < C_PARTS; i++) {
        check(clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0,
                                  parts[i].n * parts[i].element, parts[i].memory, 0,
                                  NULL, NULL),
              "clEnqueueReadBuffer");
        clReleaseMemObject(buffers[i]);
    }
    clReleaseMemObject(in_buffer);
    clReleaseKernel(kernel);
    return true;
}
