/* SPDX-License-Identifier: MIT
 *
 * opencl-api.c: a host program of OpenCL without kernels, for opencl-api.sh: each case
 * is a right use of the API, which asserts what it must give, or a wrong one beside it.
 * Lines that a finding must name end in a comment. */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 256, BYTES = N * sizeof(int) };

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static int in[N], out[N];

#define CHECK(what)                                                                    \
    do {                                                                               \
        if (!(what)) {                                                                 \
            fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #what);           \
            exit(3);                                                                   \
        }                                                                              \
    } while (0)
#define OK(call) CHECK((call) == CL_SUCCESS)

static cl_command_queue queue_of(cl_queue_properties flags)
{
    const cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES, flags, 0 };
    cl_int code;
    cl_command_queue queue
        = clCreateCommandQueueWithProperties(context, device, properties, &code);
    OK(code);
    return queue;
}

static cl_mem buffer_of(cl_mem_flags flags, void *host)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, flags, BYTES, host, &code);
    OK(code);
    return buffer;
}

/* ---- Right uses ------------------------------------------------------------------ */

/* Loaders jump through the slots of the table that each object begins with: none is
 * null, whichever functions of which extension this program calls. */
static void slots(void)
{
    void **const table = *(void ***)platform;
    for (size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof(void *); i++) {
        if (table[i] == NULL) {
            fprintf(stderr, "slot %zu of the dispatch table is null\n", i);
            exit(3);
        }
    }
    CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clGoneKHR") == NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(platform, "clIcdGetPlatformIDsKHR")
          != NULL);
    CHECK(clGetExtensionFunctionAddressForPlatform(platform, NULL) == NULL);
}

static void rows(void)
{
    cl_command_queue queue = queue_of(0);
    cl_mem a = buffer_of(CL_MEM_READ_WRITE, NULL);
    cl_mem b = buffer_of(CL_MEM_COPY_HOST_PTR, in);
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, BYTES, out, 0, NULL, NULL));
    CHECK(memcmp(in, out, BYTES) == 0);
    OK(clEnqueueWriteBuffer(queue, a, CL_FALSE, 4, 8, in + 5, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, a, b, 4, 16, 8, 0, NULL, NULL));
    const int seven = 7;
    OK(clEnqueueFillBuffer(queue, b, &seven, 4, 24, 12, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, BYTES, out, 0, NULL, NULL));
    OK(clFinish(queue));
    CHECK(out[3] == in[3] && out[4] == in[5] && out[5] == in[6]);
    CHECK(out[6] == 7 && out[8] == 7 && out[9] == in[9]);
    /* Since OpenCL 2.1 these may have no bytes, also at the end of a buffer. */
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, BYTES, 0, out, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, b, CL_FALSE, 0, 0, in, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, b, b, 4, 4, 0, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, b, &seven, 4, BYTES, 0, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseCommandQueue(queue));
}

/* A matrix of 16 x 16; a box of 3 x 2 at column 4, row 5 goes to column 1, row 2. */
static void boxes(void)
{
    cl_command_queue queue = queue_of(0);
    cl_mem buffer = buffer_of(CL_MEM_COPY_HOST_PTR, in);
    const size_t from[] = { 16, 5, 0 }, to[] = { 4, 2, 0 }, box[] = { 12, 2, 1 };
    memset(out, 0, BYTES);
    OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, from, to, box, 64, 0, 64, 0, out,
                               0, NULL, NULL));
    CHECK(out[2 * 16 + 1] == in[5 * 16 + 4] && out[3 * 16 + 3] == in[6 * 16 + 6]);
    CHECK(out[2 * 16] == 0 && out[2 * 16 + 4] == 0 && out[4 * 16 + 1] == 0);
    OK(clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, box, 64, 0, 64, 0, 0,
                               NULL, NULL));
    OK(clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, to, from, box, 64, 1024, 64,
                                1024, out, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, out, 0, NULL, NULL));
    CHECK(out[2 * 16 + 1] == 0 && out[2 * 16 + 4] == in[2 * 16 + 4]);
    /* Between two columns, and between two rows of a slice, lies what is copied. */
    const size_t left[] = { 0, 0, 0 }, right[] = { 32, 1, 0 }, half[] = { 32, 8, 1 };
    OK(clEnqueueCopyBufferRect(queue, buffer, buffer, left, right, half, 64, 0, 64, 0,
                               0, NULL, NULL));
    const size_t lower[] = { 4, 2, 0 }, pair[] = { 32, 2, 4 };
    OK(clEnqueueCopyBufferRect(queue, buffer, buffer, left, lower, pair, 64, 256, 64,
                               256, 0, NULL, NULL));
    /* 4 slices of 4 rows of 16: two rows of 2 in each of the slices 1 and 2. */
    const size_t deep[] = { 8, 1, 1 }, none[] = { 0, 0, 0 }, two[] = { 8, 2, 2 };
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, BYTES, in, 0, NULL, NULL));
    OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, deep, none, two, 64, 256, 0, 0,
                               out, 0, NULL, NULL));
    CHECK(out[0] == in[64 + 16 + 2] && out[3] == in[64 + 32 + 3]
          && out[7] == in[128 + 32 + 3]);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

static int ended;

static void CL_CALLBACK end(cl_mem memory, void *user)
{
    (void)memory;
    CHECK(ended == *(int *)user);
    ended++;
}

/* Parts share memory with the whole, which lives as long as they do. */
static void parts(void)
{
    static int first = 1, second = 0;
    cl_command_queue queue = queue_of(0);
    cl_mem whole = buffer_of(CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_READ_ONLY, in);
    OK(clSetMemObjectDestructorCallback(whole, end, &first));
    OK(clSetMemObjectDestructorCallback(whole, end, &second));
    const cl_buffer_region region = { 128, 64 };
    cl_int code;
    cl_mem part
        = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    OK(code);
    OK(clReleaseMemObject(whole));
    CHECK(ended == 0);
    OK(clEnqueueReadBuffer(queue, part, CL_TRUE, 8, 4, out, 0, NULL, NULL));
    CHECK(out[0] == in[34]);
    cl_mem_flags flags;
    cl_mem parent;
    OK(clGetMemObjectInfo(part, CL_MEM_FLAGS, sizeof(flags), &flags, NULL));
    OK(clGetMemObjectInfo(part, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent,
                          NULL));
    CHECK((flags & CL_MEM_HOST_READ_ONLY) != 0 && parent == whole);
    OK(clReleaseMemObject(part));
    CHECK(ended == 2);
    OK(clReleaseCommandQueue(queue));
}

static void maps(void)
{
    cl_command_queue queue = queue_of(0);
    for (int k = 0; k < 2; k++) {
        memcpy(out, in, BYTES);
        cl_mem buffer = buffer_of(k == 0 ? CL_MEM_COPY_HOST_PTR : CL_MEM_USE_HOST_PTR,
                                  k == 0 ? in : out);
        cl_int code;
        int *at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                     16, 32, 0, NULL, NULL, &code);
        OK(code);
        CHECK(k == 0 || at == out + 4);
        CHECK(at[0] == in[4] && at[7] == in[11]);
        cl_uint count;
        OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL));
        CHECK(count == 1);
        at[2] = -1;
        OK(clEnqueueUnmapMemObject(queue, buffer, at, 0, NULL, NULL));
        int there;
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 24, 4, &there, 0, NULL, NULL));
        CHECK(there == -1);
        OK(clReleaseMemObject(buffer));
    }
    OK(clReleaseCommandQueue(queue));
}

static char order[8];

static void CL_CALLBACK note(cl_event event, cl_int status, void *user)
{
    (void)event;
    CHECK(status == CL_COMPLETE || status == -42
          || status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    strcat(order, user);
}

static cl_int status_of(cl_event event)
{
    cl_int status;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                      NULL));
    return status;
}

/* Commands wait for a user event, and those after them in the queue for them. */
static void events(void)
{
    cl_command_queue queue = queue_of(CL_QUEUE_PROFILING_ENABLE);
    cl_mem buffer = buffer_of(CL_MEM_COPY_HOST_PTR, in);
    cl_int code;
    cl_event go = clCreateUserEvent(context, &code), written, read;
    OK(code);
    const int one = 1;
    out[0] = 5;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &one, 1, &go, &written));
    OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4, out, 0, NULL, &read));
    OK(clSetEventCallback(read, CL_COMPLETE, note, "r"));
    OK(clSetEventCallback(written, CL_COMPLETE, note, "w"));
    CHECK(status_of(read) > CL_COMPLETE && out[0] == 5 && order[0] == '\0');
    OK(clSetUserEventStatus(go, CL_COMPLETE));
    OK(clWaitForEvents(1, &read));
    CHECK(out[0] == 1 && strcmp(order, "wr") == 0);
    cl_ulong times[4];
    for (cl_uint i = 0; i < 4; i++) {
        OK(clGetEventProfilingInfo(read, CL_PROFILING_COMMAND_QUEUED + i,
                                   sizeof(times[i]), &times[i], NULL));
        CHECK(i == 0 || times[i] >= times[i - 1]);
    }
    CHECK(times[3] > times[2]);
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(written));
    OK(clReleaseEvent(read));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

/* The failure of a user event goes to what waits for it. */
static void failures(void)
{
    cl_command_queue queue = queue_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_int code;
    cl_event go = clCreateUserEvent(context, &code), marker, other;
    OK(code);
    OK(clEnqueueMarkerWithWaitList(queue, 1, &go, &marker));
    OK(clEnqueueMarkerWithWaitList(queue, 1, &marker, &other));
    OK(clSetEventCallback(other, CL_COMPLETE, note, "o"));
    OK(clSetUserEventStatus(go, -42));
    CHECK(status_of(go) == -42 && status_of(other) < 0 && strcmp(order, "o") == 0);
    /* A marker waits for what is before it, also where the queue is out of order. */
    cl_event wait = clCreateUserEvent(context, &code), late;
    OK(code);
    OK(clEnqueueMarkerWithWaitList(queue, 1, &wait, NULL));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &late));
    CHECK(status_of(late) > CL_COMPLETE);
    OK(clSetUserEventStatus(wait, CL_COMPLETE));
    CHECK(status_of(late) == CL_COMPLETE);
    OK(clReleaseEvent(wait));
    OK(clReleaseEvent(late));
    CHECK(clWaitForEvents(1, &other) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(marker));
    OK(clReleaseEvent(other));
    OK(clReleaseCommandQueue(queue));
}

static void *set_it(void *event)
{
    usleep(20000);
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    return NULL;
}

/* One thread waits for what another one sets; and many use one context. */
static void *use_it(void *number)
{
    cl_command_queue queue = queue_of(0);
    cl_mem buffer = buffer_of(CL_MEM_READ_WRITE, NULL);
    for (int i = 0; i < 50; i++) {
        int there = -1, value = i * 8 + (int)(intptr_t)number;
        OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &there, 0, NULL, NULL));
        CHECK(there == value);
    }
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    return NULL;
}

static void threads(void)
{
    cl_command_queue queue = queue_of(0);
    cl_int code;
    cl_event go = clCreateUserEvent(context, &code);
    OK(code);
    pthread_t other[4];
    CHECK(pthread_create(&other[0], NULL, set_it, go) == 0);
    OK(clEnqueueMarkerWithWaitList(queue, 1, &go, NULL));
    OK(clFinish(queue));
    CHECK(status_of(go) == CL_COMPLETE && pthread_join(other[0], NULL) == 0);
    for (intptr_t i = 0; i < 4; i++) {
        CHECK(pthread_create(&other[i], NULL, use_it, (void *)i) == 0);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_join(other[i], NULL) == 0);
    }
    OK(clReleaseEvent(go));
    OK(clReleaseCommandQueue(queue));
}

/* A region that is mapped to be read: the host writes to it, or a command does; or it
 * is mapped to be written, too. */
static void look(const char *how)
{
    cl_command_queue queue = queue_of(0);
    cl_mem buffer = buffer_of(CL_MEM_COPY_HOST_PTR, in), other = buffer_of(0, NULL);
    cl_int code, seven = 7;
    cl_map_flags flags
        = CL_MAP_READ | (strcmp(how, "both") == 0 ? (cl_map_flags)CL_MAP_WRITE : 0);
    int *at = clEnqueueMapBuffer(queue, buffer, CL_TRUE, flags, 16, 32, 0, NULL, NULL,
                                 &code);
    OK(code);
    int *beside = clEnqueueMapBuffer(queue, other, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL,
                                     NULL, &code);
    OK(code);
    if (strcmp(how, "command") == 0) {
        OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 16, 4, &seven, 0, NULL, NULL));
    } else if (strcmp(how, "nothing") != 0) {
        at[7] = 7;
    }
    OK(clEnqueueUnmapMemObject(queue, other, beside, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, buffer, at, 0, NULL, NULL)); // unmapped
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(other));
    OK(clReleaseCommandQueue(queue));
}

/* Commands after a user event that nothing sets, unless @how is "set". */
static void stuck(const char *how)
{
    cl_command_queue queue = queue_of(0);
    cl_mem buffer = buffer_of(CL_MEM_READ_WRITE, NULL);
    int there = 0;
    cl_event go = clCreateUserEvent(context, NULL), marker; // never set
    OK(clEnqueueMarkerWithWaitList(queue, 1, &go, &marker));
    if (strcmp(how, "set") == 0) {
        OK(clSetUserEventStatus(go, CL_COMPLETE));
    }
    if (strcmp(how, "wait") == 0) {
        CHECK(clWaitForEvents(1, &marker)
              == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    } else if (strcmp(how, "write") == 0) {
        CHECK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, &there, 0, NULL, NULL)
              == CL_SUCCESS);
    } else {
        OK(clFinish(queue));
    }
    OK(clReleaseEvent(go));
    OK(clReleaseEvent(marker));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

static void CL_CALLBACK add(void *args)
{
    struct {
        int *numbers;
        int n;
    } *given = args;
    for (int i = 0; i < given->n; i++) {
        given->numbers[i]++;
    }
}

static void native(void)
{
    cl_command_queue queue = queue_of(0);
    cl_mem buffer = buffer_of(CL_MEM_COPY_HOST_PTR, in);
    struct {
        int *numbers;
        int n;
    } args = { NULL, 9 };
    const void *place = &args.numbers;
    OK(clEnqueueNativeKernel(queue, add, &args, sizeof(args), 1, &buffer, &place, 0,
                             NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, out, 0, NULL, NULL));
    CHECK(out[8] == in[8] + 1 && out[9] == in[9]);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

/* Queries of programs, and that a device of another type does not exist. */
/* A device that states OpenCL C 2.0 must have all of its parts: [CL30] 4.2 and [CL30C]
 * 6.2.1. It compiles each version that it states. */
static void languages(void)
{
    static const char *const parts[]
        = { "__opencl_c_pipes", "__opencl_c_device_enqueue" };
    cl_name_version languages[16], features[64];
    size_t n_languages, n_features, n_parts = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof(languages),
                       languages, &n_languages));
    OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof(features), features,
                       &n_features));
    for (size_t i = 0; i < n_features / sizeof(features[0]); i++) {
        for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
            n_parts += strcmp(features[i].name, parts[k]) == 0;
        }
    }
    bool first = false;
    for (size_t i = 0; i < n_languages / sizeof(languages[0]); i++) {
        CHECK(CL_VERSION_MAJOR(languages[i].version) != 2 || n_parts == 2);
        first |= languages[i].version == CL_MAKE_VERSION(1, 2, 0);
    }
    CHECK(first);
}

static void questions(void)
{
    char text[256];
    cl_uint number;
    cl_device_id none;
    CHECK(clGetDeviceIDs(NULL, CL_DEVICE_TYPE_CPU, 1, &none, &number)
          == CL_DEVICE_NOT_FOUND);
    CHECK(clGetDeviceInfo(device, 0x4000, sizeof(text), text, NULL)
          == CL_INVALID_VALUE);
    OK(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof(text), text, NULL));
    puts(text);
    OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_VERSION, sizeof(text), text, NULL));
    puts(text);
    OK(clGetDeviceInfo(device, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
                       sizeof(text), text, NULL));
    /* A date and a number: the months are 01 to 12, the days 01 to 31. */
    int year, month, day, count;
    CHECK(strlen(text) == 14
          && sscanf(text, "v%4d-%2d-%2d-%2d", &year, &month, &day, &count) == 4);
    CHECK(year == 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31);
    languages();
    cl_device_atomic_capabilities atomics;
    OK(clGetDeviceInfo(device, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, sizeof(atomics),
                       &atomics, NULL));
    printf("%s\n",
           (atomics & CL_DEVICE_ATOMIC_SCOPE_DEVICE) != 0 ? "device scope"
                                                          : "group scope");
    size_t bytes;
    for (cl_device_info name = CL_DEVICE_TYPE;
         name <= CL_DEVICE_ATOMIC_FENCE_CAPABILITIES; name++) {
        if (clGetDeviceInfo(device, name, 0, NULL, &bytes) == CL_SUCCESS && bytes > 0) {
            void *value = malloc(bytes);
            OK(clGetDeviceInfo(device, name, bytes, value, NULL));
            free(value);
        }
    }
}

/* Depth is of images of two dimensions; one of a buffer has its flags. */
static void formats(void)
{
    cl_image_format all[128];
    static const struct {
        cl_mem_object_type type;
        bool depth;
    } rows[] = { { CL_MEM_OBJECT_IMAGE2D, true },
                 { CL_MEM_OBJECT_IMAGE2D_ARRAY, true },
                 { CL_MEM_OBJECT_IMAGE3D, false },
                 { CL_MEM_OBJECT_IMAGE1D, false } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cl_uint n;
        OK(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, rows[i].type, 128,
                                      all, &n));
        bool depth = false;
        for (cl_uint k = 0; k < n; k++) {
            depth |= all[k].image_channel_order == CL_DEPTH;
        }
        CHECK(n > 10 && n <= 128 && depth == rows[i].depth);
    }
    char extensions[1024];
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(extensions), extensions,
                       NULL));
    CHECK(strstr(extensions, "cl_khr_depth_images") != NULL);
    const cl_mem_properties none[] = { 0 };
    const cl_image_format floats = { CL_R, CL_FLOAT };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                 .image_width = N,
                                 .buffer = buffer_of(CL_MEM_HOST_READ_ONLY, NULL) };
    cl_int code;
    cl_mem image = clCreateImageWithProperties(context, none, CL_MEM_READ_ONLY, &floats,
                                               &desc, NULL, &code);
    OK(code);
    cl_mem_flags flags;
    size_t bytes;
    OK(clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL));
    CHECK(flags == (CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY));
    OK(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, NULL, &bytes));
    CHECK(bytes == sizeof(none));
    OK(clReleaseMemObject(desc.buffer));
    OK(clReleaseMemObject(image));
}

/* ---- Commands that nothing orders, and those that something does ----------------- */

static cl_mem shared;

/* Two fills of the same numbers on an out-of-order queue, ordered as @how says. */
static void fills(const char *how)
{
    cl_command_queue queue = queue_of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), second;
    const int one = 1, two = 2;
    cl_event event, marker;
    bool same = strcmp(how, "queues") != 0 && strcmp(how, "queues_event") != 0;
    second = same ? queue : queue_of(0);
    shared = buffer_of(CL_MEM_READ_WRITE, NULL);
    OK(clEnqueueFillBuffer(queue, shared, &one, 4, 0, 64, 0, NULL, &event)); // first
    if (strcmp(how, "barrier") == 0) {
        OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    } else if (strcmp(how, "finish") == 0) {
        OK(clFinish(queue));
    } else if (strcmp(how, "wait") == 0) {
        OK(clWaitForEvents(1, &event));
    } else if (strcmp(how, "marker") == 0) {
        OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker));
        event = marker;
    }
    bool listed = strstr("event queues_event marker", how) != NULL;
    listed = listed && strcmp(how, "queues") != 0;
    size_t offset = strcmp(how, "apart") == 0 ? 64 : 32;
    OK(clEnqueueFillBuffer(second, shared, &two, 4, offset, 64, listed, // second
                           listed ? &event : NULL, NULL));
    OK(clFinish(queue));
    OK(clFinish(second));
}

/* Two reads to the same memory of the host. */
static void reads(bool ordered)
{
    cl_command_queue queue
        = queue_of(ordered ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_mem a = buffer_of(CL_MEM_COPY_HOST_PTR, in);
    OK(clEnqueueReadBuffer(queue, a, CL_FALSE, 0, 64, out, 0, NULL, NULL));  // first
    OK(clEnqueueReadBuffer(queue, a, CL_FALSE, 64, 64, out, 0, NULL, NULL)); // second
    OK(clFinish(queue));
}

/* ---- Wrong uses ------------------------------------------------------------------ */

static void wrong(const char *what)
{
    cl_command_queue queue = queue_of(0);
    cl_mem a = buffer_of(CL_MEM_READ_WRITE, NULL);
    cl_mem b = buffer_of(CL_MEM_HOST_NO_ACCESS, NULL);
    cl_event event;
    cl_int code = CL_SUCCESS;
    const cl_buffer_region crooked = { 4, 64 };
    const cl_buffer_region parts[] = { { 0, 512 }, { 128, 512 } };
    const size_t at[] = { 0, 0, 0 }, at_next[] = { 4, 2, 0 }, part[] = { 8, 3, 1 };
    const int three[3] = { 0 };
    cl_ulong time;
    if (strcmp(what, "released") == 0) {
        OK(clReleaseMemObject(a));
        code = clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 4, out, 0, NULL, NULL);
    } else if (strcmp(what, "twice") == 0) {
        OK(clReleaseMemObject(a));
        code = clReleaseMemObject(a);
    } else if (strcmp(what, "kind") == 0) {
        code = clEnqueueReadBuffer(queue, (cl_mem)queue, CL_TRUE, 0, 4, out, 0, NULL,
                                   NULL);
    } else if (strcmp(what, "beyond") == 0) {
        code = clEnqueueWriteBuffer(queue, a, CL_TRUE, 4, BYTES, in, 0, NULL, NULL);
    } else if (strcmp(what, "overlap") == 0) {
        code = clEnqueueCopyBuffer(queue, a, a, 0, 32, 64, 0, NULL, NULL);
    } else if (strcmp(what, "overlap_box") == 0) {
        code = clEnqueueCopyBufferRect(queue, a, a, at, at_next, part, 64, 0, 64, 0, 0,
                                       NULL, NULL);
    } else if (strcmp(what, "overlap_parts") == 0) {
        cl_mem first
            = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[0], &code);
        cl_mem second
            = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[1], &code);
        code = clEnqueueCopyBufferRect(queue, first, second, at_next, at, part, 64, 0,
                                       64, 0, 0, NULL, NULL);
    } else if (strcmp(what, "pitches") == 0) {
        code = clEnqueueCopyBufferRect(queue, a, a, at, at_next, part, 64, 0, 32, 0, 0,
                                       NULL, NULL);
    } else if (strncmp(what, "shared", 6) == 0) {
        cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
        bool elsewhere = strcmp(what, "shared_elsewhere") == 0;
        cl_context of = elsewhere ? other : context;
        int *words = clSVMAlloc(of, CL_MEM_READ_WRITE, BYTES, 0);
        code = clEnqueueSVMMemFill(queue, words, three, 4, 24, 0, NULL, NULL);
        OK(clFinish(queue));
        clSVMFree(of, words);
        OK(clReleaseContext(other));
    } else if (strcmp(what, "no_bytes") == 0) {
        clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, 0, 0, NULL, NULL, &code);
    } else if (strcmp(what, "crooked") == 0) {
        clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &crooked, &code);
    } else if (strcmp(what, "empty") == 0) {
        clCreateBuffer(context, 0, 0, NULL, &code);
    } else if (strcmp(what, "no_pointer") == 0) {
        clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &code);
    } else if (strcmp(what, "flags") == 0) {
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &code);
    } else if (strcmp(what, "no_access") == 0) {
        code = clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, out, 0, NULL, NULL);
    } else if (strcmp(what, "pattern") == 0) {
        code = clEnqueueFillBuffer(queue, a, three, 12, 0, 24, 0, NULL, NULL);
    } else if (strcmp(what, "list") == 0) {
        code = clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL);
    } else if (strcmp(what, "unmap") == 0) {
        code = clEnqueueUnmapMemObject(queue, a, out, 0, NULL, NULL);
    } else if (strcmp(what, "profile") == 0) {
        OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
        code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(time),
                                       &time, NULL);
    } else if (strcmp(what, "room") == 0) {
        code = clGetMemObjectInfo(a, CL_MEM_SIZE, 1, &time, NULL);
    } else if (strcmp(what, "status") == 0) {
        event = clCreateUserEvent(context, NULL);
        OK(clSetUserEventStatus(event, CL_COMPLETE));
        code = clSetUserEventStatus(event, CL_COMPLETE);
    } else if (strcmp(what, "property_twice") == 0) {
        const cl_context_properties twice[]
            = { CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, CL_CONTEXT_INTEROP_USER_SYNC,
                CL_FALSE, 0 };
        clCreateContext(twice, 1, &device, NULL, NULL, &code);
    } else if (strcmp(what, "property_value") == 0) {
        const cl_context_properties two[] = { CL_CONTEXT_INTEROP_USER_SYNC, 2, 0 };
        clCreateContext(two, 1, &device, NULL, NULL, &code);
    } else if (strcmp(what, "square") == 0) {
        const cl_image_format texels = { CL_RGBA, CL_UNORM_INT8 };
        const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
                                     .image_width = 2,
                                     .image_height = 2,
                                     .buffer = a };
        clCreateImage(context, CL_MEM_READ_ONLY, &texels, &desc, NULL, &code);
    } else if (strcmp(what, "type") == 0) {
        clCreateContextFromType(NULL, 0, NULL, NULL, &code);
    } else if (strcmp(what, "language") == 0) {
        void *queue = queue_of(0);
        CHECK(clCreateProgramWithIL(queue, in, BYTES, &code) == NULL);
        CHECK(code == CL_INVALID_CONTEXT);
        clCreateProgramWithIL(context, in, BYTES, &code);
    }
    printf("%d\n", code);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {
        { "rows", rows },       { "boxes", boxes },   { "parts", parts },
        { "maps", maps },       { "events", events }, { "failures", failures },
        { "threads", threads }, { "native", native }, { "questions", questions },
        { "formats", formats }, { "slots", slots },
    };
    cl_uint n;
    CHECK(argc >= 2);
    OK(clGetPlatformIDs(1, &platform, &n));
    CHECK(n == 1);
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, &n));
    cl_int code;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    OK(code);
    for (int i = 0; i < N; i++) {
        in[i] = 1000 + i;
    }
    bool known = false;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (strcmp(argv[1], cases[i].name) == 0) {
            known = true;
            cases[i].run();
        }
    }
    if (strcmp(argv[1], "fills") == 0) {
        fills(argv[2]);
    } else if (strcmp(argv[1], "reads") == 0) {
        reads(strcmp(argv[2], "ordered") == 0);
    } else if (strcmp(argv[1], "look") == 0) {
        look(argv[2]);
    } else if (strcmp(argv[1], "stuck") == 0) {
        stuck(argv[2]);
    } else if (strcmp(argv[1], "wrong") == 0) {
        wrong(argv[2]);
    } else {
        CHECK(known);
    }
    OK(clReleaseContext(context));
    return 0;
}
