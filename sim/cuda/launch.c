/* SPDX-License-Identifier: MIT
 *
 * launch.c: kernels. A launch that asks for more than the device has is refused: CUDA
 * says so by the last error alone, so a program that looks at no error goes on without
 * the kernel's results. The others are commands of their streams. */
#include "config.h"

#include "weir-kernel.h"

#include "cuda/device/head.h"
#include "cuda/heap.h"
#include "cuda/runtime.h"

#include <stdio.h>
#include <string.h>

/* Defined where kernels call malloc(). */
#pragma weak weiri_cuda_heap_begin

/* The sizes of a launch. */
struct size {
    dim3 grid, block, cluster; /* of the latter all 0: the kernel says */
    size_t shared_bytes;       /* dynamic */
    cudaStream_t stream;
    bool cooperative;
};

/* What <<<>>> says, until the stub that follows asks for it. */
static _Thread_local struct {
    struct size size;
    const void *pc; /* of <<<>>> */
    bool is_pushed;
    bool is_popped; /* the stub is about to launch */
} configured;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                         struct CUstream_st *stream)
{
    configured.size
        = (struct size){ grid, block, { 0, 0, 0 }, shared_bytes, stream, false };
    configured.pc = __builtin_return_address(0);
    configured.is_pushed = true;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                       void *stream)
{
    if (!configured.is_pushed) {
        return weiri_cuda_return(cudaErrorMissingConfiguration);
    }
    *grid = configured.size.grid;
    *block = configured.size.block;
    *shared_bytes = configured.size.shared_bytes;
    *(cudaStream_t *)stream = configured.size.stream;
    configured.is_pushed = false;
    configured.is_popped = true;
    return cudaSuccess;
}

/* ---- Refusals -------------------------------------------------------------- */

/* Why a launch is refused. */
struct refusal {
    cudaError_t error;
    char *why; /* owned */
};

static struct refusal refuse(cudaError_t error, char *why)
{
    return (struct refusal){ error, why };
}

static uint64_t product(dim3 size)
{
    return (uint64_t)size.x * size.y * size.z;
}

static struct refusal check_block(const struct weiri_cuda_function *function,
                                  const struct size *size)
{
    dim3 b = size->block;
    uint64_t most = (uint64_t)weiri_cuda_attribute(cudaDevAttrMaxThreadsPerBlock);
    unsigned most_z = (unsigned)weiri_cuda_attribute(cudaDevAttrMaxBlockDimZ);
    if (product(b) == 0) {
        return refuse(
            cudaErrorInvalidConfiguration,
            g_strdup_printf("a block of %u x %u x %u threads", b.x, b.y, b.z));
    }
    if (b.x > most || b.y > most || product(b) > most) {
        return refuse(cudaErrorInvalidConfiguration,
                      g_strdup_printf("a block of %u x %u x %u threads, and the device "
                                      "has at most %" G_GUINT64_FORMAT,
                                      b.x, b.y, b.z, most));
    }
    if (b.z > most_z) {
        return refuse(cudaErrorInvalidConfiguration,
                      g_strdup_printf("a block of %u threads in z, and the device has "
                                      "at most %u",
                                      b.z, most_z));
    }
    size_t bound = function->kernel->max_threads;
    if (bound != 0 && product(b) > bound) {
        return refuse(cudaErrorLaunchOutOfResources,
                      g_strdup_printf("a block of %u x %u x %u threads, and "
                                      "__launch_bounds__ of the kernel is %zu",
                                      b.x, b.y, b.z, bound));
    }
    return refuse(cudaSuccess, NULL);
}

static struct refusal check_grid(const struct size *size)
{
    dim3 g = size->grid;
    unsigned most_x = (unsigned)weiri_cuda_attribute(cudaDevAttrMaxGridDimX);
    unsigned most = (unsigned)weiri_cuda_attribute(cudaDevAttrMaxGridDimY);
    if (product(g) == 0) {
        return refuse(cudaErrorInvalidConfiguration,
                      g_strdup_printf("a grid of %u x %u x %u blocks", g.x, g.y, g.z));
    }
    if (g.x > most_x || g.y > most || g.z > most) {
        return refuse(cudaErrorInvalidConfiguration,
                      g_strdup_printf("a grid of %u x %u x %u blocks, and the device "
                                      "has at most %u x %u x %u",
                                      g.x, g.y, g.z, most_x, most, most));
    }
    return refuse(cudaSuccess, NULL);
}

/* Blocks of a cluster that the launch and the kernel agree on: no more than the one or
 * the other has. */
static dim3 cluster_of(const struct weiri_cuda_function *function, dim3 asked)
{
    const size_t *own = function->kernel->cluster;
    bool says = asked.x != 0 || asked.y != 0 || asked.z != 0;
    return says       ? asked
        : own[0] != 0 ? (dim3){ (unsigned)own[0], (unsigned)own[1], (unsigned)own[2] }
                      : (dim3){ 1, 1, 1 };
}

static struct refusal check_cluster(const struct weiri_cuda_function *function,
                                    const struct size *size)
{
    dim3 c = size->cluster, g = size->grid;
    const size_t *own = function->kernel->cluster;
    if (own[0] != 0 && (own[0] != c.x || own[1] != c.y || own[2] != c.z)) {
        return refuse(cudaErrorInvalidClusterSize,
                      g_strdup_printf("clusters of %u x %u x %u blocks, and "
                                      "__cluster_dims__ of the kernel are %zu x %zu x "
                                      "%zu",
                                      c.x, c.y, c.z, own[0], own[1], own[2]));
    }
    if (product(c) == 0 || g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0
        || product(c) > 16) {
        return refuse(cudaErrorInvalidClusterSize,
                      g_strdup_printf("clusters of %u x %u x %u blocks in a grid of %u "
                                      "x %u x %u: they must divide it, and have 16 "
                                      "blocks at most",
                                      c.x, c.y, c.z, g.x, g.y, g.z));
    }
    return refuse(cudaSuccess, NULL);
}

static struct refusal check_shared(const struct weiri_cuda_function *function,
                                   const struct size *size)
{
    size_t own = function->kernel->shared_bytes;
    size_t usual = (size_t)weiri_cuda_attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    size_t most = function->dynamic_most != SIZE_MAX ? function->dynamic_most
        : usual > own                                ? usual - own
                                                     : 0;
    if (size->shared_bytes > most) {
        return refuse(
            cudaErrorInvalidValue,
            g_strdup_printf("%zu bytes of dynamic shared memory, and the "
                            "kernel may have %zu: cudaFuncSetAttribute() "
                            "with cudaFuncAttributeMaxDynamicSharedMemorySize "
                            "allows more",
                            size->shared_bytes, most));
    }
    return refuse(cudaSuccess, NULL);
}

static struct refusal check_cooperative(const struct weiri_cuda_function *function,
                                        const struct size *size)
{
    if (!size->cooperative) {
        return refuse(cudaSuccess, NULL);
    }
    int n = weiri_cuda_blocks(function, (int)product(size->block), size->shared_bytes);
    uint64_t most
        = (uint64_t)n * (uint64_t)weiri_cuda_attribute(cudaDevAttrMultiProcessorCount);
    if (product(size->grid) > most) {
        return refuse(cudaErrorCooperativeLaunchTooLarge,
                      g_strdup_printf("a cooperative launch of %" G_GUINT64_FORMAT
                                      " blocks, and %" G_GUINT64_FORMAT
                                      " of these fit on the device together",
                                      product(size->grid), most));
    }
    return refuse(cudaSuccess, NULL);
}

static struct refusal check(const struct weiri_cuda_function *function,
                            const struct size *size)
{
    struct refusal refusal = check_block(function, size);
    if (refusal.error == cudaSuccess) {
        refusal = check_grid(size);
    }
    if (refusal.error == cudaSuccess) {
        refusal = check_cluster(function, size);
    }
    if (refusal.error == cudaSuccess) {
        refusal = check_shared(function, size);
    }
    if (refusal.error == cudaSuccess) {
        refusal = check_cooperative(function, size);
    }
    return refusal;
}

/* ---- Running --------------------------------------------------------------- */

struct launch {
    const struct weiri_cuda_kernel *kernel;
    struct weir_nd_range range;
    char *args; /* the block; owned */
};

static void free_launch(void *data)
{
    struct launch *launch = data;
    g_free(launch->args);
    g_free(launch);
}

/* CUDA's error for a finding. */
static cudaError_t error_of(enum weir_finding_kind kind)
{
    switch (kind) {
    case WEIR_FINDING_ASSERTION:
        return cudaErrorAssert;
    case WEIR_FINDING_OUT_OF_BOUNDS:
    case WEIR_FINDING_USE_AFTER_FREE:
    case WEIR_FINDING_FAULT:
        return cudaErrorIllegalAddress;
    case WEIR_FINDING_MISALIGNED:
        return cudaErrorMisalignedAddress;
    case WEIR_FINDING_STACK_OVERFLOW:
        return cudaErrorHardwareStackError;
    case WEIR_FINDING_DEADLOCK:
    case WEIR_FINDING_LIVELOCK:
        return cudaErrorLaunchTimeout;
    default:
        return cudaErrorLaunchFailure;
    }
}

/* The first finding that is not a note breaks the device. */
static cudaError_t judge(const struct weir_report *report)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < weir_report_n_findings(report) && error == cudaSuccess;
         i++) {
        const struct weir_finding *finding = weir_report_finding(report, i);
        error = finding->note ? cudaSuccess : error_of(finding->kind);
    }
    if (error == cudaSuccess && weir_report_incomplete(report) != NULL) {
        error = cudaErrorLaunchTimeout;
    }
    return error;
}

/* In the dimensions of the range, of which x is the last; zeros if there is none. */
static void turn_cluster(const uint32_t *blocks, uint32_t dims, uint32_t *turned)
{
    bool is_one = blocks[0] * blocks[1] * blocks[2] == 1;
    for (uint32_t dim = 0; dim < 3; dim++) {
        turned[dim] = is_one ? 0 : dim < dims ? blocks[dims - 1 - dim] : 1;
    }
}

static cudaError_t run_launch(void *data)
{
    const struct launch *launch = data;
    const struct weiri_cuda_head *head = (const void *)launch->args;
    uint32_t cluster[3];
    turn_cluster(head->cluster, launch->range.dim, cluster);
    /* As on a GPU, threads that have returned are not waited for, but where that is to
     * be reported. */
    const struct weir_launch_options options
        = { .sub_group_size = 32,
            .exited = weiri_host_commands_wanted() ? WEIR_EXITED_STRICT
                                                   : WEIR_EXITED_ALIVE_ONLY,
            .all_resident = head->cooperative != 0,
            .cluster = { cluster[0], cluster[1], cluster[2] } };
    g_autoptr(GError) failure = NULL;
    struct weir_report *report = NULL;
    struct weir_device *device = weiri_cuda_device();
    if (device == NULL) {
        return cudaErrorCudartUnloading;
    }
    /* The command takes the report of a launch that it has given options. */
    bool own = g_getenv("WEIR_OPTIONS") == NULL;
    cudaError_t error = cudaSuccess;
    if (!weir_launch_sized_with(device, launch->kernel->kernel, launch->range,
                                launch->args, launch->kernel->args_bytes, &options,
                                own ? &report : NULL, &failure)) {
        g_printerr("weir: kernel '%s': %s\n", launch->kernel->kernel->name,
                   failure->message);
        error = failure->code == WEIR_ERROR_RESOURCE ? cudaErrorMemoryAllocation
                                                     : cudaErrorLaunchFailure;
    } else if (report != NULL) {
        error = judge(report);
        g_autofree char *text = weir_report_to_text(report);
        fputs(text, stderr);
        weir_report_free(report);
    }
    if (error != cudaSuccess) {
        weiri_cuda_break(error);
    }
    return error;
}

/* Weir's last dimension is x. */
static struct weir_nd_range range_of(const struct size *size)
{
    dim3 g = size->grid, b = size->block;
    bool three = g.z > 1 || b.z > 1, two = three || g.y > 1 || b.y > 1;
    if (three) {
        return weir_nd_range_3d((size_t)g.z * b.z, (size_t)g.y * b.y, (size_t)g.x * b.x,
                                b.z, b.y, b.x);
    }
    return two ? weir_nd_range_2d((size_t)g.y * b.y, (size_t)g.x * b.x, b.y, b.x)
               : weir_nd_range_1d((size_t)g.x * b.x, b.x);
}

static char *block_of(const struct weiri_cuda_kernel *kernel, const struct size *size,
                      void **args)
{
    static uint64_t n_launches; /* atomic, relaxed: a number alone */
    struct weiri_cuda_head head
        = { .grid = { size->grid.x, size->grid.y, size->grid.z },
            .block = { size->block.x, size->block.y, size->block.z },
            .cluster = { size->cluster.x, size->cluster.y, size->cluster.z },
            .dynamic_bytes = size->shared_bytes,
            .launch = __atomic_add_fetch(&n_launches, 1, __ATOMIC_RELAXED),
            .cooperative = size->cooperative };
    char *block = g_malloc0(kernel->args_bytes);
    memcpy(block, &head, sizeof(head));
    for (size_t i = 0; i < kernel->n_parameters; i++) {
        memcpy(block + kernel->parameters[i].offset, args[i],
               kernel->parameters[i].bytes);
    }
    return block;
}

/* ---- Launching ------------------------------------------------------------- */

/* "add<<<(4, 1, 1), (2000, 1, 1)>>>" */
static char *launch_text(const struct weiri_cuda_function *function,
                         const struct size *size)
{
    dim3 g = size->grid, b = size->block;
    return g_strdup_printf("%s<<<(%u, %u, %u), (%u, %u, %u)>>>",
                           function->kernel->kernel->name, g.x, g.y, g.z, b.x, b.y,
                           b.z);
}

/* The call whose place the user knows: that of <<<>>>, if the stub has made it. */
static struct weiri_cuda_call place_of(const char *function, const void *pc)
{
    struct weiri_cuda_call call = { function, pc };
    if (configured.is_popped) {
        call = (struct weiri_cuda_call){ "<<<>>>", configured.pc };
        configured.is_popped = false;
    }
    return call;
}

static cudaError_t launch(const struct weiri_cuda_call *call, const void *stub,
                          const struct size *asked, void **args)
{
    struct size whole = *asked, *size = &whole;
    cudaError_t error = weiri_cuda_ready();
    weiri_cuda_judge_launch();
    if (error != cudaSuccess) {
        return weiri_cuda_return(error);
    }
    struct weiri_cuda_function *function = weiri_cuda_function_of(stub);
    if (function == NULL) {
        return weiri_cuda_misuse(call, cudaErrorInvalidDeviceFunction,
                                 "%p is not a kernel of this program", stub);
    }
    size->cluster = cluster_of(function, size->cluster);
    struct refusal refusal = check(function, size);
    if (refusal.error != cudaSuccess) {
        g_autofree char *text = launch_text(function, size);
        g_autofree char *why = refusal.why;
        g_autofree char *message
            = g_strdup_printf("%s: %s: %s", text, why, cudaGetErrorName(refusal.error));
        weiri_cuda_refused(weiri_cuda_site(call), message);
        return weiri_cuda_return(refusal.error);
    }
    if (weiri_cuda_heap_begin != NULL) {
        weiri_cuda_heap_begin();
    }
    struct launch *made = g_new(struct launch, 1);
    *made = (struct launch){ function->kernel, range_of(size),
                             block_of(function->kernel, size, args) };
    const struct weiri_cuda_request request = { .call = call,
                                                .stream = size->stream,
                                                .kind = WEIRI_COMMAND_KERNEL,
                                                .run = run_launch,
                                                .free_data = free_launch,
                                                .data = made };
    return weiri_cuda_return(weiri_cuda_submit(&request, NULL));
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                             size_t shared_bytes, cudaStream_t stream)
{
    const struct weiri_cuda_call call = place_of(__func__, __builtin_return_address(0));
    const struct size size = { grid, block, { 0, 0, 0 }, shared_bytes, stream, false };
    return launch(&call, kernel, &size, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block,
                                        void **args, size_t shared_bytes,
                                        cudaStream_t stream)
{
    WEIRI_CUDA_CALL();
    const struct size size = { grid, block, { 0, 0, 0 }, shared_bytes, stream, true };
    return launch(&call, kernel, &size, args);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **args)
{
    WEIRI_CUDA_CALL();
    struct size size = { config->gridDim,          config->blockDim, { 0, 0, 0 },
                         config->dynamicSmemBytes, config->stream,   false };
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attribute = &config->attrs[i];
        if (attribute->id == cudaLaunchAttributeCooperative) {
            size.cooperative = attribute->val.cooperative != 0;
        } else if (attribute->id == cudaLaunchAttributeClusterDimension) {
            size.cluster.x = attribute->val.clusterDim.x;
            size.cluster.y = attribute->val.clusterDim.y;
            size.cluster.z = attribute->val.clusterDim.z;
        }
    }
    return launch(&call, kernel, &size, args);
}
