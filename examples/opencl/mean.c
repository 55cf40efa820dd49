/* SPDX-License-Identifier: MIT
 *
 * mean.c: the mean of the numbers 1 to N by OpenCL 1.2, as a tutorial has it: reads
 * mean.cl, builds it for the first device, adds up in groups, and adds up their sums.
 *
 *     cc -g mean.c -lOpenCL -o mean && weir check -- ./mean
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#define GROUP 16

static void check(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        fprintf(stderr, "%s failed: %d\n", what, status);
        exit(1);
    }
}

static char *read_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        exit(1);
    }
    char *text = calloc(1, 1 << 16);
    size_t length = fread(text, 1, (1 << 16) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    cl_int status;
    int n = argc > 1 ? atoi(argv[1]) : 128;
    size_t local = GROUP;
    size_t global = (n + local - 1) / local * local;
    size_t n_groups = global / local;

    int *numbers = malloc(n * sizeof(int));
    int *sums = malloc(n_groups * sizeof(int));
    for (int i = 0; i < n; i++) {
        numbers[i] = i + 1;
    }

    cl_platform_id platform;
    cl_device_id device;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");

    const char *source = read_file("mean.cl");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "group_sums", &status);
    check(status, "clCreateKernel");

    cl_mem numbers_buffer
        = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                         n * sizeof(int), numbers, &status);
    check(status, "clCreateBuffer");
    cl_mem sums_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY,
                                        n_groups * sizeof(int), NULL, &status);
    check(status, "clCreateBuffer");

    clSetKernelArg(kernel, 0, sizeof(cl_mem), &numbers_buffer);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &sums_buffer);
    clSetKernelArg(kernel, 2, local * sizeof(int), NULL);
    clSetKernelArg(kernel, 3, sizeof(int), &n);
    check(
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
        "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, sums_buffer, CL_TRUE, 0, n_groups * sizeof(int),
                              sums, 0, NULL, NULL),
          "clEnqueueReadBuffer");

    double sum = 0;
    for (size_t i = 0; i < n_groups; i++) {
        sum += sums[i];
    }
    printf("the mean of 1 to %d is %.2f, expected %.2f\n", n, sum / n, (n + 1) / 2.0);

    clReleaseMemObject(sums_buffer);
    clReleaseMemObject(numbers_buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free((void *)source);
    free(sums);
    free(numbers);
    return sum / n == (n + 1) / 2.0 ? 0 : 1;
}
