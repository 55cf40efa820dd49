/* SPDX-License-Identifier: MIT
 *
 * opencl-run.c: runs the kernels that opencl-draw.c prints, on a platform of OpenCL.
 *
 *   opencl-run FILE PLATFORM [OPTIONS]
 *
 * PLATFORM is a part of its name; OPTIONS are clBuildProgram()'s. Prints a line for
 * each kernel: its name, and a hash of all that it wrote. Status 2: a call failed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLATFORMS = 16, LOG_BYTES = 1 << 16, TEXT_BYTES = 1 << 24 };

/* The buffers of a kernel, in the order of its parameters: in, out, counters, slices,
 * everyone. */
enum { BUFFERS = 5 };
static const size_t buffer_bytes[BUFFERS]
    = { 8192, 512 * 8, 8 * 4 + 2 * 8, 512 * 4 * 128, 512 * 128 };

/* A word for each item of the largest group. */
enum { LOCAL_BYTES = 32 * 8 };

static uint64_t contents[1 << 15]; /* of one buffer */

static void check(cl_int error, const char *call)
{
    if (error != CL_SUCCESS) {
        fprintf(stderr, "opencl-run: %s fails: %d\n", call, error);
        exit(2);
    }
}

static uint64_t hash_in(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = malloc(TEXT_BYTES);
    if (file == NULL || text == NULL) {
        fprintf(stderr, "opencl-run: cannot read %s\n", path);
        exit(2);
    }
    text[fread(text, 1, TEXT_BYTES - 1, file)] = '\0';
    fclose(file);
    return text;
}

static cl_device_id find_device(const char *wanted)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint n = 0;
    check(clGetPlatformIDs(MOST_PLATFORMS, platforms, &n), "clGetPlatformIDs");
    for (cl_uint i = 0; i < n; i++) {
        char name[256] = "";
        cl_device_id device;
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
        if (strstr(name, wanted) != NULL
            && clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL)
                == 0) {
            return device;
        }
    }
    fprintf(stderr, "opencl-run: no platform %s\n", wanted);
    exit(2);
}

/* What each buffer begins with: `in` is any bytes, and counters differ. */
static void fill(unsigned which)
{
    memset(contents, 0, sizeof(contents));
    for (size_t i = 0; which == 0 && i < buffer_bytes[0] / 8; i++) {
        contents[i] = hash_in(i, i * 77);
    }
    for (size_t i = 0; which == 2 && i < buffer_bytes[2] / 8; i++) {
        contents[i] = 0x8000000100000063u * (i + 1);
    }
}

static void run(cl_context context, cl_command_queue queue, cl_program program,
                const char *line)
{
    char name[16];
    unsigned dim;
    size_t global[3], local[3], offset[3];
    if (sscanf(line, "%15s %u %zu %zu %zu %zu %zu %zu %zu %zu %zu", name, &dim,
               &global[0], &local[0], &offset[0], &global[1], &local[1], &offset[1],
               &global[2], &local[2], &offset[2])
        != 11) {
        fprintf(stderr, "opencl-run: a line that has no launch\n");
        exit(2);
    }
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    check(error, "clCreateKernel");
    cl_mem buffers[BUFFERS];
    for (unsigned i = 0; i < BUFFERS; i++) {
        fill(i);
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                    buffer_bytes[i], contents, &error);
        check(error, "clCreateBuffer");
        check(clSetKernelArg(kernel, i, sizeof(cl_mem), &buffers[i]), "clSetKernelArg");
    }
    const cl_uint u = 0xdeadbeef;
    const cl_long2 w = { { -3, 0x123456789abcdef } };
    check(clSetKernelArg(kernel, BUFFERS, sizeof(u), &u), "clSetKernelArg");
    check(clSetKernelArg(kernel, BUFFERS + 1, sizeof(w), &w), "clSetKernelArg");
    check(clSetKernelArg(kernel, BUFFERS + 2, LOCAL_BYTES, NULL), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(queue, kernel, dim, offset, global, local, 0, NULL,
                                 NULL),
          "clEnqueueNDRangeKernel");
    uint64_t hash = 0;
    for (unsigned i = 0; i < BUFFERS; i++) {
        check(clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, buffer_bytes[i],
                                  contents, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        /* The last is a scratch space of groups. */
        for (size_t j = 0; i < BUFFERS - 1 && j < buffer_bytes[i] / 8; j++) {
            hash = hash_in(hash, contents[j]);
        }
        clReleaseMemObject(buffers[i]);
    }
    clReleaseKernel(kernel);
    printf("%s %016llx\n", name, (unsigned long long)hash);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: opencl-run FILE PLATFORM [OPTIONS]\n");
        return 2;
    }
    char *text = read_text(argv[1]);
    cl_device_id device = find_device(argv[2]);
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program
        = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &error);
    check(error, "clCreateProgramWithSource");
    const char *options = argc > 3 ? argv[3] : "";
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
        static char log[LOG_BYTES];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1,
                              log, NULL);
        fprintf(stderr, "opencl-run: the program is not built:\n%.*s\n", 3000, log);
        return 2;
    }
    static const char launch[] = "// launch ";
    for (char *at = text; (at = strstr(at, launch)) != NULL; at++) {
        run(context, queue, program, at + strlen(launch));
    }
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(text);
    return 0;
}
