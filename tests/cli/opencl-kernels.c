/* SPDX-License-Identifier: MIT
 *
 * opencl-kernels.c: a host program of OpenCL with the kernels of opencl-kernels.cl, for
 * opencl-kernels.sh: each case is a right use, which asserts what it must give, or a
 * wrong one beside it. All are one program, which is compiled once, with one set of
 * helpers: hence its length. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 256, BYTES = N * sizeof(int) };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static int a[N], b[N], out[N];

#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #what);           \
            exit(3);                                                                   \
        }                                                                              \
    } while (0)
#define OK(call)                                                                       \
    do {                                                                               \
        cl_int ok_ = (call);                                                           \
        if (ok_ != CL_SUCCESS) {                                                       \
            fprintf(stderr, "line %d: %s is %d\n", __LINE__, #call, ok_);              \
            exit(3);                                                                   \
        }                                                                              \
    } while (0)

static cl_mem buffer_of(int *from)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, from != NULL ? CL_MEM_COPY_HOST_PTR : 0,
                                   BYTES, from, &code);
    OK(code);
    return buffer;
}

static cl_program source(void)
{
    static char text[8192];
    FILE *file = fopen("opencl-kernels.cl", "r");
    CHECK(file != NULL);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    const char *texts[] = { text };
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, texts, NULL, &code);
    OK(code);
    return program;
}

static cl_program program_of(const char *options)
{
    cl_program program = source();
    cl_int code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[8192];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                              NULL);
        fputs(log, stderr);
    }
    OK(code);
    return program;
}

static cl_kernel kernel_of(const char *name)
{
    cl_program program = program_of("-DSCALE=3");
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    OK(code);
    OK(clReleaseProgram(program)); /* the kernel keeps it */
    return kernel;
}

static void set(cl_kernel kernel, cl_uint index, size_t bytes, const void *value)
{
    OK(clSetKernelArg(kernel, index, bytes, value));
}

static void run(cl_kernel kernel, size_t global, size_t local)
{
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global,
                              local != 0 ? &local : NULL, 0, NULL, NULL));
}

static void fetch(cl_mem buffer)
{
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, out, 0, NULL, NULL));
}

static cl_kernel prepare_add(cl_mem *result)
{
    const int n = N - 1;
    cl_kernel kernel = kernel_of("add");
    cl_mem x = buffer_of(a), y = buffer_of(b);
    *result = buffer_of(b);
    set(kernel, 0, sizeof(x), &x);
    set(kernel, 1, sizeof(y), &y);
    set(kernel, 2, sizeof(*result), result);
    set(kernel, 3, sizeof(n), &n);
    return kernel;
}

/* ---- Right uses ------------------------------------------------------------------ */

static void add(void)
{
    cl_mem result;
    cl_kernel kernel = prepare_add(&result);
    run(kernel, N, 0);
    fetch(result);
    CHECK(out[0] == a[0] + b[0] && out[N - 2] == a[N - 2] + b[N - 2]
          && out[N - 1] == b[N - 1]);
    cl_int code;
    cl_kernel copy = clCloneKernel(kernel, &code);
    OK(code);
    run(copy, N, 32);
    fetch(result);
    CHECK(out[5] == a[5] + b[5]);
    OK(clReleaseKernel(copy));
    OK(clReleaseKernel(kernel));
}

/* A local size that does not divide the global one. */
static void uneven(void)
{
    cl_program program = program_of("-DSCALE=3 -cl-std=CL2.0");
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, "scale", &code);
    OK(code);
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    run(kernel, N, 100);
    fetch(result);
    for (int i = 0; i < N; i++) {
        CHECK(out[i] == 3 * b[i]);
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* The memory of an address, at run time: 1 and a fence of 2 for global memory, 2 and 1
 * for local memory, 4 and no fence for an item's own. */
static void spaces(void)
{
    cl_program program = program_of("-DSCALE=3 -cl-std=CL3.0");
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, "spaces", &code);
    OK(code);
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    set(kernel, 1, sizeof(int), NULL);
    run(kernel, 16, 16);
    fetch(result);
    static const int expected[] = { 21, 12, 12, 4 };
    for (int i = 0; i < 16; i++) {
        CHECK(out[i] == expected[i % 4]);
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

static void reduce(void)
{
    cl_kernel kernel = kernel_of("reduce");
    cl_mem in = buffer_of(a), sums = buffer_of(b);
    set(kernel, 0, sizeof(in), &in);
    set(kernel, 1, sizeof(sums), &sums);
    set(kernel, 2, 64 * sizeof(int), NULL);
    cl_ulong local;
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(local),
                                &local, NULL));
    CHECK(local == 256);
    run(kernel, N, 64);
    fetch(sums);
    int sum = 0;
    for (int i = 64; i < 128; i++) {
        sum += a[i];
    }
    CHECK(out[1] == sum);
}

/* Structs by value, a required size, an offset, and what a kernel says of itself. */
/* `settings` of the kernels. */
static const struct {
    cl_int first;
    cl_float4 rest;
} given = { 1000, { { 0, 0, 0, 7 } } };

static void place(void)
{
    cl_kernel kernel = kernel_of("place");
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    set(kernel, 1, sizeof(given), &given);
    const size_t global[] = { 16, 4 }, local[] = { 8, 2 };
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    fetch(result);
    CHECK(out[3 * 16 + 9] == 900 + 3 + 1007);
    const size_t offset[] = { 0, 1 };
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, offset, global, local, 0, NULL, NULL));
    fetch(result);
    CHECK(out[4 * 16 + 9] == 900 + 4 + 1007);
    char text[64];
    OK(clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(text), text, NULL));
    CHECK(strcmp(text, "place") == 0);
    size_t required[3];
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                sizeof(required), required, NULL));
    CHECK(required[0] == 8 && required[1] == 2 && required[2] == 1);
    OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL));
    CHECK(strcmp(text, "given") == 0);
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof(text), text,
                          NULL));
    CHECK(strcmp(text, "int*") == 0);
    cl_kernel_arg_address_qualifier space;
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(space),
                          &space, NULL));
    CHECK(space == CL_KERNEL_ARG_ADDRESS_GLOBAL);
}

/* Structs that are copied whole. */
static void move(void)
{
    cl_kernel kernel = kernel_of("move");
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    run(kernel, 2, 2);
    fetch(result);
    CHECK(out[0] == b[64] && out[63] == b[127] && out[64] == b[0]
          && out[128] == b[128]);
}

static void turn(void)
{
    cl_kernel kernel = kernel_of("turn");
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    set(kernel, 1, 8 * sizeof(cl_int), NULL);
    set(kernel, 2, sizeof(given), &given);
    run(kernel, 16, 8);
    fetch(result);
    for (int i = 0; i < 16; i++) {
        CHECK(out[i] == (i % 4 == 1 || i % 4 == 2 ? 1007 : 7) + (i + 4) % 8);
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    CHECK(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A link needs no file that a compiled source has included: one is gone by then, one
 * has changed. */
static void include_by(const char *options)
{
    const char *text = "#include <parts/factor.h>\n"
                       "kernel void k(global int *out) { out[get_global_id(0)] = "
                       "FACTOR + OTHER; }\n";
    (void)mkdir("include", 0700);
    (void)mkdir("include/parts", 0700);
    write_file("include/parts/factor.h", "#include \"other.h\"\n#define FACTOR 21\n");
    write_file("include/parts/other.h", "#define OTHER 3\n");
    cl_int code;
    cl_program part = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    OK(code);
    OK(clCompileProgram(part, 1, &device, options, 0, NULL, NULL, NULL, NULL));
    CHECK(unlink("include/parts/factor.h") == 0);
    write_file("include/parts/other.h", "#define OTHER 4\n");
    cl_program whole
        = clLinkProgram(context, 1, &device, "", 1, &part, NULL, NULL, &code);
    OK(code);
    cl_kernel kernel = clCreateKernel(whole, "k", &code);
    OK(code);
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    run(kernel, 8, 8);
    fetch(result);
    CHECK(out[0] == 24 && out[7] == 24);
}

static void include_it(void)
{
    include_by("-I include");
    include_by("-I include/");
    include_by("-Iinclude//");
}

/* A program that was compiled and linked, with a header; and its binary. */
static void link_it(void)
{
    const char *parts[] = { "#include \"factor.h\"\n"
                            "int twice(int x);\n"
                            "kernel void k(global int *out) { out[get_global_id(0)] = "
                            "twice(FACTOR); }\n",
                            "int twice(int x);\nint twice(int x) { return 2 * x; }\n",
                            "#define FACTOR 21\n" };
    const char *name = "factor.h";
    cl_program programs[3];
    cl_int code;
    for (int i = 0; i < 3; i++) {
        programs[i] = clCreateProgramWithSource(context, 1, &parts[i], NULL, &code);
        OK(code);
    }
    OK(clCompileProgram(programs[0], 1, &device, "", 1, &programs[2], &name, NULL,
                        NULL));
    OK(clCompileProgram(programs[1], 1, &device, "", 0, NULL, NULL, NULL, NULL));
    cl_program whole
        = clLinkProgram(context, 1, &device, "", 2, programs, NULL, NULL, &code);
    OK(code);
    size_t bytes;
    OK(clGetProgramInfo(whole, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    OK(clGetProgramInfo(whole, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL));
    cl_program again = clCreateProgramWithBinary(
        context, 1, &device, &bytes, (const unsigned char **)&binary, NULL, &code);
    OK(code);
    OK(clBuildProgram(again, 1, &device, NULL, NULL, NULL));
    cl_program both[] = { whole, again };
    for (int i = 0; i < 2; i++) {
        cl_kernel kernel = clCreateKernel(both[i], "k", &code);
        OK(code);
        cl_mem result = buffer_of(b);
        set(kernel, 0, sizeof(result), &result);
        run(kernel, 8, 8);
        fetch(result);
        CHECK(out[7] == 42 && out[8] == b[8]);
    }
    free(binary);
}

/* Programs of a source each, built or compiled. */
static void make(cl_program *programs, const char *first, const char *second, bool all)
{
    const char *texts[] = { first, second };
    cl_int code;
    for (int i = 0; i < 2; i++) {
        programs[i] = clCreateProgramWithSource(context, 1, &texts[i], NULL, &code);
        OK(code);
        const char *options = "-cl-std=CL2.0";
        OK(all ? clBuildProgram(programs[i], 1, &device, options, NULL, NULL)
               : clCompileProgram(programs[i], 1, &device, options, 0, NULL, NULL, NULL,
                                  NULL));
    }
}

/* Prints the code of the link and its log. */
static cl_program linked(const char *first, const char *second)
{
    static char log[4096];
    cl_program programs[2];
    cl_int code;
    make(programs, first, second, false);
    cl_program whole
        = clLinkProgram(context, 1, &device, "", 2, programs, NULL, NULL, &code);
    OK(clGetProgramBuildInfo(whole, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                             NULL));
    printf("%d %s\n", code, log);
    return whole;
}

static int first_of(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    OK(code);
    cl_mem result = buffer_of(b);
    set(kernel, 0, sizeof(result), &result);
    run(kernel, 1, 1);
    fetch(result);
    return out[0];
}

/* One name may be defined by one source, and by others if it is static there. */
#define KERNEL(name, value)                                                            \
    "kernel void " name "(global int *out) { *out = " value "; }"
#define CHOSEN(kind, value) kind " int chosen(void) { return " value "; }\n"
static void twice(void)
{
    const char *one = "int chosen(void);\n" CHOSEN("", "1") KERNEL("k", "chosen()"),
               *two = "int chosen(void);\n" CHOSEN("", "2") KERNEL("l", "chosen()"),
               *hidden = CHOSEN("static", "4") KERNEL("l", "chosen()");
    linked(one, two);
    linked(one, KERNEL("k", "3"));
    cl_program whole = linked(one, hidden);
    CHECK(first_of(whole, "k") == 1 && first_of(whole, "l") == 4);
    whole = linked(hidden, one);
    CHECK(first_of(whole, "k") == 1 && first_of(whole, "l") == 4);
    linked(CHOSEN("inline", "5"), CHOSEN("inline", "5"));
    const char *own = "global int n = 5;\n" KERNEL("k", "++n"),
               *same = "global int n = 7;\n" KERNEL("l", "++n"),
               *other = "static global int n = 7;\n" KERNEL("l", "++n"),
               *shared = "extern global int n;\n" KERNEL("l", "++n");
    linked(own, same);
    whole = linked(own, other);
    CHECK(first_of(whole, "k") == 6 && first_of(whole, "l") == 8);
    whole = linked(own, shared);
    CHECK(first_of(whole, "k") == 6 && first_of(whole, "l") == 7);
}

/* Programs of one source have variables of their own. */
static void variables(void)
{
    const char *text = "global int n = 5;\n" KERNEL("k", "++n");
    cl_program programs[2];
    make(programs, text, text, true);
    CHECK(first_of(programs[0], "k") == 6 && first_of(programs[0], "k") == 7);
    CHECK(first_of(programs[1], "k") == 6 && first_of(programs[0], "k") == 8);
}

/* An image is read by a sampler and another one is written. */
static void images(void)
{
    float in[4 * 4 * 4], got[4 * 4 * 4];
    for (int i = 0; i < 64; i++) {
        in[i] = (float)i;
    }
    const cl_image_format format = { CL_RGBA, CL_FLOAT };
    const cl_image_desc desc
        = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4 };
    cl_int code;
    cl_mem from = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                &format, &desc, in, &code);
    OK(code);
    cl_mem to = clCreateImage(context, CL_MEM_WRITE_ONLY, &format, &desc, NULL, &code);
    OK(code);
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                         CL_FILTER_NEAREST, &code);
    OK(code);
    const float one[] = { 1, 2, 3, 4 };
    const size_t zero[3] = { 0 }, all[] = { 4, 4, 1 }, line[] = { 4, 1, 1 },
                 last[] = { 0, 3, 0 };
    OK(clEnqueueFillImage(queue, to, one, zero, all, 0, NULL, NULL));
    cl_kernel kernel = kernel_of("copy");
    set(kernel, 0, sizeof(from), &from);
    set(kernel, 1, sizeof(to), &to);
    set(kernel, 2, sizeof(sampler), &sampler);
    const size_t global[] = { 4, 3 };
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, to, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
    CHECK(got[0] == 0 && got[1] == 2 && got[2 * 16 + 5] == 2 * (2 * 16 + 5));
    CHECK(got[3 * 16] == 1 && got[3 * 16 + 3] == 4);
    OK(clEnqueueCopyImage(queue, from, to, zero, last, line, 0, NULL, NULL));
    size_t row;
    float *at = clEnqueueMapImage(queue, to, CL_TRUE, CL_MAP_READ, last, line, &row,
                                  NULL, 0, NULL, NULL, &code);
    OK(code);
    CHECK(row == 64 && at[5] == 5);
    OK(clEnqueueUnmapMemObject(queue, to, at, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, to, CL_TRUE, zero, all, 0, 0, got, 0, NULL, NULL));
    CHECK(got[3 * 16 + 5] == 5 && got[5] == 10);
}

static void shared(void)
{
    int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    CHECK(memory != NULL);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, memory, BYTES, 0, NULL, NULL));
    memcpy(memory, a, BYTES);
    OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
    cl_kernel kernel = kernel_of("scale");
    OK(clSetKernelArgSVMPointer(kernel, 0, memory));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof(memory),
                           &memory));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    run(kernel, N, 64);
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, BYTES, 0, NULL, NULL));
    CHECK(memory[9] == 3 * a[9]);
    OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
    /* A buffer of this memory is this memory. */
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, memory, &code);
    OK(code);
    cl_bool uses;
    OK(clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof(uses), &uses, NULL));
    CHECK(uses);
    set(kernel, 0, sizeof(buffer), &buffer);
    run(kernel, N, 64);
    OK(clFinish(queue));
    OK(clReleaseMemObject(buffer));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, memory, BYTES, 0, NULL, NULL));
    CHECK(memory[9] == 9 * a[9]);
    OK(clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, memory);
}

static int ended;

static void CL_CALLBACK end(cl_mem memory, void *user)
{
    (void)memory;
    (void)user;
    ended++;
}

/* Memory that kernels were given ends with the last reference of the program; a command
 * that was enqueued keeps it. */
static void let_go(void)
{
    cl_mem result;
    cl_kernel kernel = prepare_add(&result);
    cl_int code;
    cl_kernel copy = clCloneKernel(kernel, &code);
    OK(code);
    cl_event go = clCreateUserEvent(context, &code);
    OK(code);
    const size_t global = N;
    OK(clSetMemObjectDestructorCallback(result, end, NULL));
    OK(clEnqueueNDRangeKernel(queue, copy, 1, NULL, &global, NULL, 1, &go, NULL));
    OK(clReleaseMemObject(result));
    CHECK(ended == 0);
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clFinish(queue));
    CHECK(ended == 1);
    OK(clReleaseKernel(copy));
    OK(clReleaseKernel(kernel));
}

/* The host waits for nothing until a kernel that waits for its event has run. */
static void later(void)
{
    cl_mem result;
    cl_kernel kernel = prepare_add(&result);
    cl_int code;
    cl_event go = clCreateUserEvent(context, &code), done;
    OK(code);
    const size_t global = N;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 1, &go, &done));
    const int none = 0; /* the command has its arguments */
    set(kernel, 3, sizeof(none), &none);
    OK(clReleaseKernel(kernel));
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clWaitForEvents(1, &done));
    fetch(result);
    CHECK(out[7] == a[7] + b[7]);
}

/* ---- Findings in kernels, and between them --------------------------------------- */

static void beyond(bool right)
{
    cl_kernel kernel = kernel_of("beyond");
    cl_mem result = buffer_of(b);
    const int n = right ? N - 64 : N - 63;
    set(kernel, 0, sizeof(result), &result);
    set(kernel, 1, sizeof(n), &n);
    run(kernel, 64, 32);
    fetch(result);
}

/* Two kernels of an out-of-order queue: the second reads what the first one writes. */
static void chain(const char *how)
{
    cl_int code;
    const cl_queue_properties properties[]
        = { CL_QUEUE_PROPERTIES,
            strcmp(how, "in_order") == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
            0 };
    queue = clCreateCommandQueueWithProperties(context, device, properties, &code);
    OK(code);
    cl_mem result;
    cl_event event;
    cl_kernel first = prepare_add(&result), second = kernel_of("scale");
    set(second, 0, sizeof(result), &result);
    const size_t global = N;
    OK(clEnqueueNDRangeKernel(queue, first, 1, NULL, &global, NULL, 0, NULL, &event));
    bool listed = strcmp(how, "event") == 0;
    OK(clEnqueueNDRangeKernel(queue, second, 1, NULL, &global, NULL, listed,
                              listed ? &event : NULL, NULL));
    OK(clFinish(queue));
    fetch(result);
}

/* ---- Wrong uses ------------------------------------------------------------------ */

static cl_int build_wrong(const char *text, const char *options)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    OK(code);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    char log[4096];
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                             NULL));
    puts(log);
    return code;
}

static void wrong(const char *what)
{
    cl_mem result;
    cl_int code = CL_SUCCESS;
    const size_t global = N, three = 3, large = 2 * N;
    const char *text = "kernel void k(global int *a) { a[0] = b; }";
    if (strcmp(what, "text") == 0) {
        printf("%d\n", build_wrong(text, ""));
        return;
    }
    if (strcmp(what, "shared") == 0) {
        int *memory = clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
        clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, memory + 1, &code);
        printf("%d\n", code);
        return;
    }
    if (strcmp(what, "options") == 0) {
        printf("%d\n", build_wrong("kernel void k(void) {}", "-fno-such-option"));
        return;
    }
    cl_kernel kernel = prepare_add(&result);
    if (strcmp(what, "name") == 0) {
        cl_program program;
        OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL));
        clCreateKernel(program, "subtract", &code);
    } else if (strcmp(what, "index") == 0) {
        code = clSetKernelArg(kernel, 4, sizeof(int), &(int){ 1 });
    } else if (strcmp(what, "size") == 0) {
        code = clSetKernelArg(kernel, 3, sizeof(size_t), &global);
    } else if (strcmp(what, "local") == 0) {
        code = clSetKernelArg(kernel, 0, 64, NULL);
    } else if (strcmp(what, "unset") == 0) {
        kernel = kernel_of("scale");
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "released") == 0) {
        OK(clReleaseMemObject(result));
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "divide") == 0) {
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &three, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "nothing") == 0) {
        const size_t zero = 0;
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &zero, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "group") == 0) {
        const size_t huge = 8192;
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &huge, &huge, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "buffer") == 0) {
        kernel = kernel_of("copy");
        code = clSetKernelArg(kernel, 0, sizeof(result), &result);
    } else if (strcmp(what, "form") == 0) {
        const cl_image_format format = { CL_RGBA, CL_FLOAT };
        const cl_image_desc desc
            = { .image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4 };
        cl_mem image
            = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &code);
        OK(code);
        kernel = kernel_of("copy");
        code = clSetKernelArg(kernel, 0, sizeof(image), &image);
    } else if (strcmp(what, "dims") == 0) {
        code = clEnqueueNDRangeKernel(queue, kernel, 4, NULL, &global, NULL, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "required") == 0) {
        kernel = kernel_of("place");
        code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &large, &global, 0, NULL,
                                      NULL);
    } else if (strcmp(what, "mapped") == 0) {
        CHECK(clEnqueueMapBuffer(queue, result, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0,
                                 NULL, NULL, &code)
              != NULL);
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                                  NULL));
    } else if (strcmp(what, "rebuild") == 0) {
        cl_program program;
        OK(clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL));
        code = clBuildProgram(program, 1, &device, "", NULL, NULL);
    } else {
        CHECK(!"a case");
    }
    printf("%d\n", code);
}

static cl_mem part_of(cl_mem whole, cl_mem_flags flags, size_t first, size_t n)
{
    const cl_buffer_region region = { first * sizeof(int), n * sizeof(int) };
    cl_int code;
    cl_mem part
        = clCreateSubBuffer(whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    return part;
}

/* Kernel `scale`, which reads and writes, of a buffer that permits or is large enough
 * for that, or not; `given`: what `add` takes, as its parameters are used. */
static void limits(const char *what)
{
    cl_int code;
    cl_kernel kernel = kernel_of("scale");
    cl_mem_flags flags = strcmp(what, "read_only") == 0 ? CL_MEM_READ_ONLY
        : strcmp(what, "write_only") == 0               ? CL_MEM_WRITE_ONLY
                                                        : CL_MEM_READ_WRITE;
    cl_mem whole
        = clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, BYTES, a, &code);
    OK(code);
    cl_mem first = part_of(whole, 0, 0, N / 2), last = part_of(whole, 0, N / 2, N / 2);
    if (strcmp(what, "part") == 0) {
        set(kernel, 0, sizeof(last), &last);
        run(kernel, N / 2, 0);
    } else if (strcmp(what, "behind") == 0) {
        set(kernel, 0, sizeof(first), &first);
        run(kernel, N / 2 + 1, N / 2 + 1);
    } else if (strcmp(what, "before") == 0) {
        const size_t from = 3, n = 8;
        set(kernel, 0, sizeof(first), &first);
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, &from, &n, NULL, 0, NULL, NULL));
        set(kernel, 0, sizeof(whole), &whole); /* the limits of one launch */
        run(kernel, N, 0);
    } else if (strcmp(what, "given") == 0) {
        const int n = N / 2;
        cl_mem read = part_of(whole, CL_MEM_READ_ONLY, 0, N / 2);
        cl_mem written = part_of(whole, CL_MEM_WRITE_ONLY, N / 2, N / 2);
        kernel = kernel_of("add");
        set(kernel, 0, sizeof(read), &read);
        set(kernel, 1, sizeof(first), &first);
        set(kernel, 2, sizeof(written), &written);
        set(kernel, 3, sizeof(n), &n);
        run(kernel, N / 2, 0);
        fetch(whole);
        CHECK(out[N / 2 + 5] == 10);
    } else {
        set(kernel, 0, sizeof(whole), &whole);
        run(kernel, N, 0);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        { "add", add },
        { "reduce", reduce },
        { "place", place },
        { "link", link_it },
        { "include", include_it },
        { "twice", twice },
        { "variables", variables },
        { "images", images },
        { "shared", shared },
        { "later", later },
        { "uneven", uneven },
        { "move", move },
        { "let_go", let_go },
        { "spaces", spaces },
        { "turn", turn },
    };
    cl_int code;
    CHECK(argc >= 2);
    OK(clGetDeviceIDs(NULL, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    queue = clCreateCommandQueue(context, device, 0, &code);
    OK(code);
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 1000 * i;
    }
    bool known = false;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(argv[1], cases[i].name) == 0) {
            known = true;
            cases[i].run();
        }
    }
    if (strcmp(argv[1], "beyond") == 0) {
        beyond(argc > 2);
    } else if (strcmp(argv[1], "limits") == 0) {
        limits(argv[2]);
    } else if (strcmp(argv[1], "chain") == 0) {
        chain(argv[2]);
    } else if (strcmp(argv[1], "wrong") == 0) {
        wrong(argv[2]);
    } else {
        CHECK(known);
    }
    return 0;
}
