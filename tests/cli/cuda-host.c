/* SPDX-License-Identifier: MIT
 *
 * cuda-host.c: a program of CUDA's runtime API, as weir-nvcc would make it: the tables
 * of a module and the stubs are written by hand. The first argument names what it does.
 * Lines that a test looks for are marked by comments. */
#include <weir-kernel.h>

#include <cuda/device/head.h>
#include <cuda/module.h>

#include <cuda_runtime_api.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int weiri_cuda_printf(const char *format, ...);
void weiri_cuda___assert_fail(const char *text, const char *file, unsigned line,
                              const char *function);

#define OK(call)                                                                       \
    do {                                                                               \
        cudaError_t error_ = (call);                                                   \
        if (error_ != cudaSuccess) {                                                   \
            printf("error: %s: %s\n", #call, cudaGetErrorName(error_));                \
            exit(2);                                                                   \
        }                                                                              \
    } while (0)

/* ---- The device ------------------------------------------------------------ */

typedef struct {
    struct weiri_cuda_head head;
    int32_t *a;
    const int32_t *b;
    int32_t n;
} block;

static int32_t table[16]; /* a variable of the device */

/* a[i] = b[i] + 1 */
WEIR_KERNEL(plus, block)
{
    size_t i = weir_global_id(item, 0);
    if (i < (size_t)args->n) {
        args->a[i] = args->b[i] + 1; // kernel plus
    }
}

/* a[i] = n */
WEIR_KERNEL(fill, block)
{
    args->a[weir_global_id(item, 0)] = args->n; // kernel fill
}

WEIR_KERNEL(from_table, block)
{
    size_t i = weir_global_id(item, 0);
    args->a[i] = table[i % 16];
}

/* The grid and the block, x first. */
WEIR_KERNEL(shape, block)
{
    if (weir_global_linear_id(item) == 0) {
        for (int d = 0; d < 3; d++) {
            args->a[d] = (int32_t)args->head.grid[d];
            args->a[3 + d] = (int32_t)args->head.block[d];
        }
        args->a[6] = (int32_t)weir_work_dim(item);
        args->a[7] = (int32_t)args->head.dynamic_bytes;
        args->a[8] = (int32_t)weir_sub_group_size(item);
    }
}

/* Waits until b[0] is 1, then a[0] = b[32]. */
WEIR_KERNEL(wait_for, block)
{
    int32_t *flag = (int32_t *)(uintptr_t)args->b;
    const memory_scope all = memory_scope_system;
    for (int32_t seen = 0; seen == 0;) {
        seen = weir_atomic_load_explicit(flag, memory_order_acquire, all); // wait_for
    }
    args->a[0] = args->b[32];
}

/* The same at device scope. */
WEIR_KERNEL(wait_device, block)
{
    int32_t *flag = (int32_t *)(uintptr_t)args->b;
    while (weir_atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)
           == 0) {}
    args->a[0] = args->b[32]; // kernel wait_device
}

/* a[32] = 5 is published to the host by a[0] = 1; then waits for a[0] = 2. */
WEIR_KERNEL(ping, block)
{
    args->a[32] = 5;
    weir_atomic_store_explicit(args->a, 1, memory_order_release, memory_scope_system);
    while (weir_atomic_load_explicit(args->a, memory_order_acquire, memory_scope_system)
           != 2) {}
    args->a[33] = args->a[32] + 1;
}

WEIR_KERNEL(speak, block)
{
    weiri_cuda_printf("item %d of %s\n", (int)weir_global_id(item, 0), "speak");
}

WEIR_KERNEL(fails, block)
{
    if (weir_global_id(item, 0) == 3) {
        weiri_cuda___assert_fail("i != 3", __FILE__, __LINE__, __func__);
    }
}

static const struct weiri_cuda_parameter parameters[] = {
    { offsetof(block, a), sizeof(int32_t *) },
    { offsetof(block, b), sizeof(const int32_t *) },
    { offsetof(block, n), sizeof(int32_t) },
};

#define ROW(name)                                                                      \
    {                                                                                  \
        "_" #name, &name, sizeof(block), 3, parameters, 0, 0                           \
    }
static const struct weiri_cuda_kernel kernels[] = {
    ROW(plus),
    ROW(fill),
    ROW(from_table),
    ROW(shape),
    ROW(wait_for),
    ROW(wait_device),
    ROW(ping),
    ROW(speak),
    ROW(fails),
    { "_bound", &fill, sizeof(block), 3, parameters, 1024, 64 },
    { NULL, NULL, 0, 0, NULL, 0, 0 },
};
static const struct weiri_cuda_variable variables[] = {
    { "table", table, sizeof(table), "table", __FILE__, 1 },
    { NULL, NULL, 0, NULL, NULL, 0 },
};
static const struct weiri_cuda_module module = { "unit", kernels, variables };

/* ---- The host's side, as clang makes it ------------------------------------ */

static char stubs[16];
static int32_t host_table[16];
enum {
    PLUS,
    FILL,
    FROM_TABLE,
    SHAPE,
    WAIT_FOR,
    WAIT_DEVICE,
    PING,
    SPEAK,
    FAILS,
    BOUND
};

__attribute__((constructor)) static void begin(void)
{
    static struct {
        int magic, version;
        const char *id;
        void *unused;
    } wrapper = { 0, 1, "unit", NULL };
    static char *symbols[]
        = { "_plus",        "_fill", "_from_table", "_shape", "_wait_for",
            "_wait_device", "_ping", "_speak",      "_fails", "_bound" };
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
        __cudaRegisterFunction(handle, &stubs[i], symbols[i], symbols[i], -1, NULL,
                               NULL, NULL, NULL, NULL);
    }
    __cudaRegisterVar(handle, (char *)host_table, "table", "table", 0,
                      sizeof(host_table), 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    weiri_cuda_add_module(&module);
}

static dim3 size(unsigned x, unsigned y, unsigned z)
{
    dim3 made = { x, y, z };
    return made;
}

/* <<<grid, block, 0, stream>>> */
#define LAUNCH(which, grid, block, stream, ...)                                        \
    (__cudaPushCallConfiguration(size(grid, 1, 1), size(block, 1, 1), 0, stream),      \
     stub(which, __VA_ARGS__))

static __attribute__((noinline)) void stub(int which, int32_t *a, const int32_t *b,
                                           int32_t n)
{
    dim3 grid, block;
    size_t bytes;
    cudaStream_t stream;
    void *list[] = { &a, (void *)&b, &n };
    __cudaPopCallConfiguration(&grid, &block, &bytes, &stream);
    cudaLaunchKernel(&stubs[which], grid, block, list, bytes, stream);
}

/* ---- What it does ---------------------------------------------------------- */

enum { N = 256, BYTES = N * sizeof(int32_t) };
static int32_t from[N], to[N];

static int expect(const char *what, int is, int wanted)
{
    if (is != wanted) {
        printf("%s is %d, not %d\n", what, is, wanted);
        return 1;
    }
    return 0;
}

static int all(int32_t wanted)
{
    for (int i = 0; i < N; i++) {
        if (to[i] != wanted + i) {
            return expect("an element", to[i], wanted + i);
        }
    }
    return 0;
}

static void *on_device(void)
{
    int32_t *a;
    OK(cudaMalloc((void **)&a, BYTES));
    return a;
}

/* Copies there and back, with a kernel between. */
static int basic(void)
{
    int32_t *a, *b;
    OK(cudaMalloc((void **)&a, BYTES));
    OK(cudaMalloc((void **)&b, BYTES));
    OK(cudaMemcpy(b, from, BYTES, cudaMemcpyHostToDevice));
    LAUNCH(PLUS, 4, 64, NULL, a, b, N);
    OK(cudaGetLastError());
    OK(cudaMemcpy(to, a, BYTES, cudaMemcpyDeviceToHost));
    OK(cudaFree(a));
    OK(cudaFree(b));
    return all(1);
}

static int symbols(void)
{
    int32_t *a = on_device();
    void *address;
    size_t bytes;
    OK(cudaMemcpyToSymbol(host_table, from, 16 * sizeof(int32_t), 0,
                          cudaMemcpyHostToDevice));
    OK(cudaGetSymbolAddress(&address, host_table));
    OK(cudaGetSymbolSize(&bytes, host_table));
    LAUNCH(FROM_TABLE, 4, 64, NULL, a, NULL, N);
    OK(cudaMemcpy(to, a, BYTES, cudaMemcpyDeviceToHost));
    return expect("its size", (int)bytes, 64)
        + expect("its address", address == (void *)table, 1)
        + expect("an element", to[21], 5);
}

static int shapes(void)
{
    int32_t *a, n = 0, bad = 0;
    const int32_t *b = NULL;
    void *list[] = { &a, (void *)&b, &n };
    static const unsigned sizes[][6] = { { 5, 1, 1, 64, 1, 1 },
                                         { 5, 3, 1, 8, 4, 1 },
                                         { 5, 3, 2, 4, 2, 3 },
                                         { 1, 1, 2, 32, 1, 1 } };
    static const int dims[] = { 1, 2, 3, 3 };
    OK(cudaMallocManaged((void **)&a, BYTES, cudaMemAttachGlobal));
    for (int i = 0; i < 4; i++) {
        const unsigned *s = sizes[i];
        OK(cudaLaunchKernel(&stubs[SHAPE], size(s[0], s[1], s[2]),
                            size(s[3], s[4], s[5]), list, 100, NULL));
        OK(cudaDeviceSynchronize());
        for (int d = 0; d < 6; d++) {
            bad |= expect("a size", a[d], (int)s[d]);
        }
        bad |= expect("the dimensions", a[6], dims[i]);
        bad |= expect("dynamic bytes", a[7], 100);
    }
    return bad;
}

/* Two streams, ordered by an event if @how is "event". */
static int streams(const char *how)
{
    int32_t *a = on_device(), *b = on_device();
    cudaStream_t s1, s2;
    cudaEvent_t done;
    unsigned flags = strcmp(how, "nonblocking") == 0 ? cudaStreamNonBlocking : 0;
    bool by_default = flags != 0 || strcmp(how, "legacy") == 0;
    OK(cudaStreamCreateWithFlags(&s1, flags));
    OK(cudaStreamCreate(&s2));
    OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    OK(cudaDeviceSynchronize());
    if (strcmp(how, "early") == 0) {
        OK(cudaEventRecord(done, s1));
    }
    LAUNCH(FILL, 4, 64, s1, b, NULL, 6);
    if (strcmp(how, "event") == 0) {
        OK(cudaEventRecord(done, s1));
    }
    if (strcmp(how, "none") != 0) {
        OK(cudaStreamWaitEvent(s2, done, 0));
    }
    LAUNCH(PLUS, 4, 64, by_default ? NULL : s2, a, b, N);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(to, a, BYTES, cudaMemcpyDeviceToHost));
    OK(cudaStreamDestroy(s1));
    OK(cudaEventDestroy(done));
    return expect("an element", to[200], 7);
}

/* The host reads managed memory, after a wait by @how. */
static int managed(const char *how)
{
    int32_t *a;
    cudaStream_t stream;
    cudaEvent_t event;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    OK(cudaMallocManaged((void **)&a, BYTES, cudaMemAttachGlobal));
    a[3] = 1;
    LAUNCH(FILL, 4, 64, stream, a, NULL, 9);
    OK(cudaEventRecord(event, stream));
    if (strcmp(how, "device") == 0) {
        OK(cudaDeviceSynchronize());
    } else if (strcmp(how, "stream") == 0) {
        OK(cudaStreamSynchronize(stream));
    } else if (strcmp(how, "event") == 0) {
        OK(cudaEventSynchronize(event));
    } else if (strcmp(how, "query") == 0) {
        while (cudaStreamQuery(stream) == cudaErrorNotReady) {}
    } else if (strcmp(how, "write") == 0) {
        a[5] = 0; // host writes
        OK(cudaDeviceSynchronize());
    }
    int32_t got = a[3]; // host reads
    OK(cudaDeviceSynchronize());
    OK(cudaFree(a));
    return strcmp(how, "none") == 0 ? 0 : expect("an element", got, 9);
}

/* A kernel waits for the host. */
static int flag(int which, const char *how)
{
    int32_t *p, *out = on_device(), r = 0;
    cudaStream_t other;
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    OK(cudaMallocHost((void **)&p, BYTES));
    p[0] = p[32] = 0;
    LAUNCH(which, 1, 1, NULL, out, p, 1);
    OK(cudaGetLastError());
    p[32] = 7; // host sets
    if (strcmp(how, "never") == 0) {
    } else if (strcmp(how, "copy") == 0) {
        static const int32_t one = 1;
        OK(cudaMemcpyAsync(p, &one, sizeof(one), cudaMemcpyHostToDevice, other));
    } else {
        __atomic_store_n(&p[0], 1, __ATOMIC_RELEASE);
    }
    OK(cudaMemcpy(&r, out, sizeof(r), cudaMemcpyDeviceToHost));
    return expect("the result", r, 7);
}

/* Host and kernel talk to each other without calls. */
static int talk(void)
{
    int32_t *p;
    OK(cudaMallocHost((void **)&p, BYTES));
    memset(p, 0, BYTES);
    LAUNCH(PING, 1, 1, NULL, p, NULL, 1);
    while (__atomic_load_n(&p[0], __ATOMIC_ACQUIRE) != 1) {}
    int32_t got = p[32];
    p[32] = 11;
    __atomic_store_n(&p[0], 2, __ATOMIC_RELEASE);
    OK(cudaDeviceSynchronize());
    return expect("what the kernel says", got, 5) + expect("the answer", p[33], 12);
}

static int hidden(void)
{
    int32_t *a = on_device();
    LAUNCH(FILL, 4, 64, NULL, a, NULL, 9);
    OK(cudaDeviceSynchronize());
    return expect("an element", a[3], 9); // host follows
}

/* Wrong copies: each is refused. */
static int copies(const char *how)
{
    int32_t *a = on_device();
    cudaError_t error = cudaSuccess;
    OK(cudaMemset(a, 0, BYTES));
    if (strcmp(how, "kind") == 0) {
        error = cudaMemcpy(to, a, BYTES, cudaMemcpyHostToDevice); // copy kind
    } else if (strcmp(how, "long") == 0) {
        error = cudaMemcpy(a, from, 4 * BYTES, cudaMemcpyHostToDevice); // copy long
    } else if (strcmp(how, "freed") == 0) {
        OK(cudaFree(a));
        error = cudaMemcpy(to, a, BYTES, cudaMemcpyDeviceToHost); // copy freed
    } else if (strcmp(how, "null") == 0) {
        error = cudaMemcpy(NULL, a, BYTES, cudaMemcpyDeviceToHost); // copy null
    } else if (strcmp(how, "unwritten") == 0) {
        int32_t *b;
        OK(cudaMalloc((void **)&b, BYTES));
        return (int)cudaMemcpy(to, b, BYTES, cudaMemcpyDeviceToHost); // copy unwritten
    } else if (strcmp(how, "fill") == 0) {
        error = cudaMemset(to, 0, BYTES); // copy fill
    }
    return expect("the error", (int)error, (int)cudaErrorInvalidValue)
        + expect("the last error", (int)cudaGetLastError(), (int)cudaErrorInvalidValue)
        + expect("the next one", (int)cudaGetLastError(), (int)cudaSuccess);
}

static int frees(const char *how)
{
    int32_t *a = on_device(), *p;
    OK(cudaMallocHost((void **)&p, BYTES));
    cudaError_t error = cudaSuccess;
    if (strcmp(how, "twice") == 0) {
        OK(cudaFree(a));
        error = cudaFree(a); // free twice
    } else if (strcmp(how, "inside") == 0) {
        error = cudaFree(a + 4); // free inside
    } else if (strcmp(how, "host") == 0) {
        error = cudaFree(p); // free host
    } else {
        OK(cudaFree(NULL));
        OK(cudaFree(a));
        OK(cudaFreeHost(p));
        return 0;
    }
    return expect("the error", (int)error, (int)cudaErrorInvalidValue);
}

/* Launches that are refused. */
static int refused(const char *how)
{
    int32_t *a = on_device();
    cudaError_t wanted = cudaErrorInvalidConfiguration;
    int which = FILL;
    if (strcmp(how, "block") == 0 || strcmp(how, "unseen") == 0) {
        LAUNCH(which, 1, 1025, NULL, a, NULL, 1); // launch block
    } else if (strcmp(how, "empty") == 0) {
        LAUNCH(which, 0, 64, NULL, a, NULL, 1);
    } else if (strcmp(how, "bound") == 0) {
        wanted = cudaErrorLaunchOutOfResources;
        LAUNCH(BOUND, 1, 65, NULL, a, NULL, 1);
    }
    if (strcmp(how, "unseen") == 0) {
        OK(cudaDeviceSynchronize());
        return 0;
    }
    return expect("the error", (int)cudaGetLastError(), (int)wanted);
}

static int ends(const char *how)
{
    cudaError_t error;
    int32_t *a = on_device();
    if (strcmp(how, "assert") == 0) {
        LAUNCH(FAILS, 1, 64, NULL, a, NULL, 1);
    } else {
        LAUNCH(FILL, 1, 64, NULL, NULL, NULL, 1);
    }
    error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    printf("%s\n", cudaGetErrorName(cudaMalloc((void **)&a, 4)));
    return 0;
}

static int host_pointer(const char *how)
{
    int32_t *a = on_device();
    int32_t *own = strcmp(how, "static") == 0 ? from : malloc(BYTES);
    memset(own, 0, BYTES);
    if (strcmp(how, "registered") == 0) {
        OK(cudaHostRegister(own, BYTES, cudaHostRegisterDefault));
    }
    LAUNCH(PLUS, 4, 64, NULL, a, own, N);
    OK(cudaDeviceSynchronize());
    if (strcmp(how, "registered") == 0) {
        OK(cudaHostUnregister(own));
    }
    return 0;
}

/* Leaves a line in a file for each start of the program. */
static int started(void)
{
    FILE *file = fopen("starts", "a");
    fputs("start\n", file);
    fclose(file);
    return basic();
}

static int value_of_call;

static void host_function(void *user)
{
    value_of_call += *(int *)user;
}

static int host_calls(const char *how)
{
    int one = 1;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaLaunchHostFunc(stream, host_function, &one));
    OK(cudaLaunchHostFunc(stream, host_function, &one));
    if (strcmp(how, "none") != 0) {
        OK(cudaStreamSynchronize(stream));
    }
    return value_of_call == 2 ? 0 : 1; // host looks
}

/* The host does not wait for a copy. */
static int late(const char *how)
{
    int32_t *a = on_device(), *r;
    OK(cudaMallocHost((void **)&r, BYTES));
    OK(cudaMemset(a, 0, BYTES));
    OK(cudaMemcpyAsync(r, a, BYTES, cudaMemcpyDeviceToHost, NULL));
    if (strcmp(how, "none") != 0) {
        OK(cudaStreamSynchronize(NULL));
    }
    return r[7]; // host is early
}

static int graphs(const char *how)
{
    int32_t *a = on_device(), *b = on_device();
    cudaStream_t s1, s2;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    OK(cudaStreamCreate(&s1));
    OK(cudaStreamCreate(&s2));
    OK(cudaEventCreate(&fork));
    OK(cudaEventCreate(&join));
    OK(cudaMemset(b, 0, BYTES));
    OK(cudaDeviceSynchronize());
    OK(cudaStreamBeginCapture(s1, cudaStreamCaptureModeGlobal));
    LAUNCH(PLUS, 4, 64, s1, a, b, N);
    OK(cudaEventRecord(fork, s1));
    OK(cudaStreamWaitEvent(s2, fork, 0));
    OK(cudaMemcpyAsync(b, a, BYTES, cudaMemcpyDeviceToDevice, s2));
    if (strcmp(how, "beside") == 0) {
        LAUNCH(PLUS, 4, 64, s1, a, b, N);
    }
    OK(cudaEventRecord(join, s2));
    OK(cudaStreamWaitEvent(s1, join, 0));
    OK(cudaStreamEndCapture(s1, &graph));
    OK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 5; i++) {
        OK(cudaGraphLaunch(exec, s1));
    }
    if (strcmp(how, "captured") == 0) {
        OK(cudaStreamWaitEvent(s2, join, 0)); // captured event
    }
    OK(cudaStreamSynchronize(s1));
    OK(cudaGraphExecDestroy(exec));
    OK(cudaGraphDestroy(graph));
    OK(cudaMemcpy(to, b, BYTES, cudaMemcpyDeviceToHost));
    return expect("an element", to[17], 5);
}

/* Rows of a pitched array, there and back. */
static int pitched(void)
{
    enum { WIDTH = 12, HEIGHT = 5 };
    int32_t *a, bad = 0;
    size_t pitch;
    OK(cudaMallocPitch((void **)&a, &pitch, WIDTH * sizeof(int32_t), HEIGHT));
    OK(cudaMemset2D(a, pitch, 0xff, WIDTH * sizeof(int32_t), HEIGHT));
    OK(cudaMemcpy2D(a, pitch, from, 10 * sizeof(int32_t), 10 * sizeof(int32_t), HEIGHT,
                    cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(to, 16 * sizeof(int32_t), a, pitch, WIDTH * sizeof(int32_t), HEIGHT,
                    cudaMemcpyDeviceToHost));
    for (int r = 0; r < HEIGHT; r++) {
        bad |= expect("the first of a row", to[16 * r], 10 * r);
        bad |= expect("the last that was copied", to[16 * r + 9], 10 * r + 9);
        bad |= expect("one that was filled", to[16 * r + 11], -1);
    }
    struct cudaMemcpy3DParms copy = { .kind = cudaMemcpyDeviceToHost };
    copy.srcPtr = make_cudaPitchedPtr(a, pitch, WIDTH, 2);
    copy.dstPtr = make_cudaPitchedPtr(to, 16, 16, 1);
    copy.srcPos = make_cudaPos(4, 1, 0);
    copy.extent = make_cudaExtent(8, 1, 2);
    OK(cudaMemcpy3D(&copy));
    bad |= expect("of the first slice", to[0], 11) + expect("and", to[1], 12);
    bad |= expect("of the second slice", to[4], 31);
    LAUNCH(FILL, 1, 1, NULL, a, NULL, 1);
    OK(cudaDeviceSynchronize());
    return bad;
}

/* Memory of a stream. */
static int async(const char *how)
{
    int32_t *a;
    cudaStream_t s1, s2;
    cudaEvent_t done;
    OK(cudaStreamCreate(&s1));
    OK(cudaStreamCreate(&s2));
    OK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    OK(cudaMallocAsync((void **)&a, BYTES, s1));
    LAUNCH(FILL, 4, 64, s1, a, NULL, 6);
    OK(cudaMemcpyAsync(to, a, BYTES, cudaMemcpyDeviceToHost, s1));
    OK(cudaEventRecord(done, s1));
    if (strcmp(how, "race") != 0) {
        OK(cudaStreamWaitEvent(s2, done, 0));
    }
    OK(cudaFreeAsync(a, s2));
    OK(cudaDeviceSynchronize());
    return expect("an element", to[100], 6);
}

static int times(void)
{
    int32_t *a = on_device();
    cudaEvent_t begin, end, untimed;
    float ms = -1;
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    OK(cudaEventRecord(begin, NULL));
    LAUNCH(FILL, 4, 64, NULL, a, NULL, 6);
    OK(cudaEventRecord(end, NULL));
    OK(cudaEventSynchronize(end));
    OK(cudaEventQuery(end));
    OK(cudaEventElapsedTime(&ms, begin, end));
    return expect("the time is positive", ms >= 0, 1);
}

/* Two threads of the host, each with a stream. */
static void *one_thread(void *data)
{
    int32_t *a = on_device(), *own = data;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    LAUNCH(FILL, 4, 64, stream, a, NULL, own[0]);
    OK(cudaMemcpyAsync(own, a, BYTES, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(a));
    return NULL;
}

static int threads(void)
{
    static int32_t results[2][N] = { { 21 }, { 22 } };
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread[i], NULL, one_thread, results[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
    }
    return expect("of the first", results[0][77], 21)
        + expect("of the second", results[1][77], 22);
}

static int questions(void)
{
    int n, version, bad = 0, value;
    struct cudaDeviceProp p;
    struct cudaPointerAttributes at;
    struct cudaFuncAttributes f;
    int32_t *a = on_device(), *pinned;
    size_t bytes, total;
    OK(cudaMallocHost((void **)&pinned, BYTES));
    OK(cudaGetDeviceCount(&n));
    OK(cudaSetDevice(0));
    OK(cudaRuntimeGetVersion(&version));
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    bad |= expect("devices", n, 1) + expect("version", version, 12040);
    bad |= expect("the warp", p.warpSize, 32) + expect("major", p.major, 9);
    bad |= expect("processors", p.multiProcessorCount, value);
    bad |= expect("threads", p.maxThreadsPerBlock, 1024);
    OK(cudaPointerGetAttributes(&at, a + 5));
    bad |= expect("device memory", at.type, cudaMemoryTypeDevice);
    OK(cudaPointerGetAttributes(&at, pinned));
    bad |= expect("pinned memory", at.type, cudaMemoryTypeHost);
    OK(cudaPointerGetAttributes(&at, to));
    bad |= expect("other memory", at.type, cudaMemoryTypeUnregistered);
    OK(cudaFuncGetAttributes(&f, &stubs[BOUND]));
    bad |= expect("launch bounds", f.maxThreadsPerBlock, 64);
    bad |= expect("static shared memory", (int)f.sharedSizeBytes, 1024);
    /* 1024 threads of a processor are 4 blocks of 256, and 32 blocks of 32. */
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &stubs[FILL], 256, 0));
    bad |= expect("blocks of 256", n, 4);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &stubs[FILL], 32, 0));
    bad |= expect("blocks of 32", n, 32);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &stubs[FILL], 32, 100000));
    bad |= expect("blocks of 100 000 bytes", n, 2);
    OK(cudaFuncSetAttribute(&stubs[FILL], cudaFuncAttributeMaxDynamicSharedMemorySize,
                            200000));
    OK(cudaMemGetInfo(&bytes, &total));
    bad |= expect("memory", bytes > 0 && bytes <= total, 1);
    bad |= expect(
        "a name",
        strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"),
        0);
    return bad;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    for (int i = 0; i < N; i++) {
        from[i] = i;
    }
#define CASE(name, call)                                                               \
    if (strcmp(what, name) == 0) {                                                     \
        return call;                                                                   \
    }
    CASE("basic", basic())
    CASE("symbols", symbols())
    CASE("shapes", shapes())
    CASE("streams", streams(how))
    CASE("managed", managed(how))
    CASE("flag", flag(WAIT_FOR, how))
    CASE("device-flag", flag(WAIT_DEVICE, how))
    CASE("talk", talk())
    CASE("hidden", hidden())
    CASE("copies", copies(how))
    CASE("frees", frees(how))
    CASE("refused", refused(how))
    CASE("ends", ends(how))
    CASE("host-pointer", host_pointer(how))
    CASE("host-calls", host_calls(how))
    CASE("late", late(how))
    CASE("graphs", graphs(how))
    CASE("started", started())
    CASE("registered", host_pointer("registered"))
    CASE("pitched", pitched())
    CASE("async", async(how))
    CASE("times", times())
    CASE("threads", threads())
    CASE("questions", questions())
    if (strcmp(what, "speak") == 0) {
        LAUNCH(SPEAK, 1, 2, NULL, NULL, NULL, 1);
        printf("before the wait\n");
        OK(cudaDeviceSynchronize());
        return 0;
    }
    printf("no case %s\n", what);
    return 99;
}
