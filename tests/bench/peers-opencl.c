/* SPDX-License-Identifier: MIT
 *
 * peers-opencl.c: see peers-opencl.h. One platform, one program, one kernel at a time;
 * the host's memory is the buffers'. */
#define CL_TARGET_OPENCL_VERSION 120
#include "config.h"

#include "peers-opencl.h"

#include "peers.h"

#include <CL/cl.h>
#include <glib.h>
#include <stdlib.h>

/* The words of peers.cl, as peers-kernels.c has them for C. */
static const char OPENCL_WORDS[]
    = "#define INLINE static inline\n"
      "#define KERNEL(name) kernel void name(global const uint *in, \\\n"
      "    global uint *out, \\\n"
      "    global uint *tmp, uint n, uint p, local uint *memory)\n"
      "#define IN in\n"
      "#define OUT out\n"
      "#define TMP tmp\n"
      "#define N n\n"
      "#define P p\n"
      "#define GLOBAL_ID ((uint)get_global_id(0))\n"
      "#define GLOBAL_SIZE ((uint)get_global_size(0))\n"
      "#define LOCAL_ID ((uint)get_local_id(0))\n"
      "#define LOCAL_SIZE ((uint)get_local_size(0))\n"
      "#define GROUP_ID ((uint)get_group_id(0))\n"
      "#define GROUPS ((uint)get_num_groups(0))\n"
      "#define ITEM_PARAMETER\n"
      "#define ITEM\n"
      "#define LOCAL local\n"
      "#define SHARED volatile global\n"
      "#define LOCAL_ARRAY(type, name, count) local type *name = (local type *)memory\n"
      "#define LOCAL_WORD(name) local uint name[1]\n"
      "#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)\n"
      "#define BARRIER_BOTH barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
      "#define ADD_LOCAL(pointer, value) atomic_add((pointer), (uint)(value))\n"
      "#define ADD_GLOBAL(pointer, value) atomic_add((pointer), (uint)(value))\n"
      "static uint count_group(volatile global uint *counter)\n"
      "{\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
      "    uint before = atomic_inc(counter);\n"
      "    mem_fence(CLK_GLOBAL_MEM_FENCE);\n"
      "    return before;\n"
      "}\n"
      "#define COUNT_GROUP(pointer) count_group(pointer)\n"
      "typedef uint8 word8;\n"
      "#define NO_WORDS ((word8)(0))\n"
      "#define LOAD8(pointer) vload8(0, (pointer))\n";

static char platform_name[128];
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static const char *chosen; /* the kernel's name */
static cl_kernel kernel;
static struct peers_words host[PEERS_BUFFERS];
static cl_mem buffers[PEERS_BUFFERS]; /* the same memory */
static void *mapped[PEERS_BUFFERS];   /* the same again, while the host has it */
static size_t scratch_bytes;          /* of local memory */
static bool copies;                   /* see peers_opencl_open() */

static void must(cl_int status, const char *what)
{
    if (status != CL_SUCCESS) {
        g_printerr("bench-peers: %s: %s: OpenCL error %d\n", platform_name, what,
                   status);
        exit(2);
    }
}

/* Returns: false where there is no platform with a device */
static bool find_platform(cl_device_id *found)
{
    cl_platform_id platform;
    cl_uint n = 0;
    if (clGetPlatformIDs(1, &platform, &n) != CL_SUCCESS || n == 0
        || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, found, &n) != CL_SUCCESS
        || n == 0) {
        return false;
    }
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(platform_name), platform_name,
                      NULL);
    return true;
}

static cl_mem share(const struct peers_words *memory)
{
    cl_int status;
    cl_mem buffer
        = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                         memory->n * sizeof(uint32_t), memory->words, &status);
    must(status, "a buffer");
    return buffer;
}

/* Where the compiler of the platform fails, its words are printed. */
static void build(cl_device_id id)
{
    g_autofree char *text = NULL;
    GError *error = NULL;
    if (!g_file_get_contents(PEERS_TEXT, &text, NULL, &error)) {
        g_printerr("bench-peers: %s\n", error->message);
        exit(2);
    }
    cl_int status;
    program = clCreateProgramWithSource(
        context, 2, (const char *[]){ OPENCL_WORDS, text }, NULL, &status);
    must(status, "a program");
    g_autofree char *options = g_strdup_printf("-DEACH=%uu", PEERS_EACH);
    status = clBuildProgram(program, 1, &id, options, NULL, NULL);
    if (status != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, id, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                              NULL);
        g_printerr("%s\n", log);
    }
    must(status, PEERS_TEXT);
}

const char *peers_opencl_open(const struct peers_words memory[PEERS_BUFFERS],
                              size_t local_bytes, bool copying)
{
    cl_device_id id;
    if (!find_platform(&id)) {
        return NULL;
    }
    cl_int status;
    context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    must(status, "a context");
    queue = clCreateCommandQueue(context, id, 0, &status);
    must(status, "a queue");
    build(id);
    for (size_t i = 0; i < PEERS_BUFFERS; i++) {
        host[i] = memory[i];
        buffers[i] = share(&memory[i]);
    }
    scratch_bytes = local_bytes;
    copies = copying;
    return platform_name;
}

void peers_opencl_choose(const char *name)
{
    cl_int status;
    chosen = name;
    kernel = clCreateKernel(program, name, &status);
    must(status, name);
    peers_opencl_take();
}

void peers_opencl_release(void)
{
    clReleaseKernel(kernel);
}

void peers_opencl_take(void)
{
    for (size_t i = PEERS_OUT; i < PEERS_BUFFERS; i++) { /* kernels write none before */
        cl_int status;
        mapped[i] = clEnqueueMapBuffer(
            queue, buffers[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
            host[i].n * sizeof(uint32_t), 0, NULL, NULL, &status);
        must(status, "mapping a buffer");
    }
}

void peers_opencl_give(void)
{
    for (size_t i = PEERS_OUT; i < PEERS_BUFFERS; i++) {
        must(clEnqueueUnmapMemObject(queue, buffers[i], mapped[i], 0, NULL, NULL),
             "unmapping a buffer");
    }
    for (size_t i = 0; copies && i < PEERS_BUFFERS; i++) {
        size_t bytes = host[i].n * sizeof(uint32_t);
        g_autofree void *copy = g_memdup2(host[i].words, bytes);
        must(clEnqueueWriteBuffer(queue, buffers[i], CL_TRUE, 0, bytes, copy, 0, NULL,
                                  NULL),
             "writing a buffer");
    }
    peers_opencl_wait();
}

static const cl_mem *buffer_of(const uint32_t *memory)
{
    size_t i = PEERS_IN;
    while (host[i].words != memory) {
        i++;
    }
    return &buffers[i];
}

void peers_opencl_launch(const uint32_t *from, uint32_t *to, uint32_t n, uint32_t p,
                         size_t items, size_t local_size)
{
    clSetKernelArg(kernel, 0, sizeof(cl_mem), buffer_of(from));
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &buffers[PEERS_OUT]);
    clSetKernelArg(kernel, 2, sizeof(cl_mem), buffer_of(to));
    clSetKernelArg(kernel, 3, sizeof(n), &n);
    clSetKernelArg(kernel, 4, sizeof(p), &p);
    clSetKernelArg(kernel, 5, scratch_bytes, NULL);
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local_size, 0, NULL,
                                NULL),
         chosen);
}

void peers_opencl_wait(void)
{
    must(clFinish(queue), "the end of a launch");
}
