// SPDX-License-Identifier: MIT
//
// cuda-clusters.cu: clusters of blocks. Each kernel is right; a second word makes it wrong.

#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/barrier>

namespace cg = cooperative_groups;

static int bad;
static const char *broken = "";

static bool is(const char *word)
{
    return strcmp(broken, word) == 0;
}

static void check(bool holds, const char *what)
{
    if (!holds && !bad)
        printf("%s\n", what);
    bad |= !holds;
}

static void ok(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorName(error));
        exit(2);
    }
}

template <class T> static T *device(size_t n)
{
    T *p;
    ok(cudaMalloc(&p, n * sizeof(T)));
    ok(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

// ---- Blocks that read each other's memory; the size is the kernel's ----

__global__ void __cluster_dims__(2) swaps(int *out, bool early, bool narrow)
{
    __shared__ int s[32];
    cg::cluster_group cluster = cg::this_cluster();
    unsigned rank = cluster.block_rank();
    s[threadIdx.x] = 100 * rank + threadIdx.x; // put
    if (narrow)
        __syncthreads();
    else
        cluster.sync();
    const int *other = cluster.map_shared_rank(s, 1 - rank); // map
    out[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x]; // get
    if (!early)
        cluster.sync();
}

static void swap()
{
    int *out = device<int>(4 * 32), h[4 * 32];
    swaps<<<4, 32>>>(out, is("early"), is("narrow"));
    ok(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4 * 32; i++)
        check(h[i] == 100 * (1 - i / 32 % 2) + 31 - i % 32, "swap");
    cudaFree(out);
}

// ---- Bins that are spread over the cluster; the size is the launch's ----

__global__ void bins(const int *in, int n, int *out, int per_block, bool narrow)
{
    extern __shared__ int s[];
    cg::cluster_group cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        s[i] = 0;
    cluster.sync();
    for (int i = cg::this_grid().thread_rank(); i < n; i += gridDim.x * blockDim.x) {
        int bin = in[i], *there = cluster.map_shared_rank(s, bin / per_block);
        if (narrow)
            atomicAdd_block(there + bin % per_block, 1); // narrow
        else
            atomicAdd(there + bin % per_block, 1);
    }
    cluster.sync();
    for (int i = threadIdx.x; i < per_block; i += blockDim.x)
        atomicAdd(out + cluster.block_rank() * per_block + i, s[i]);
}

static void histogram()
{
    const int n = 500, blocks = 4, per_block = 8;
    int h[n], count[blocks * per_block] = {}, result[blocks * per_block];
    for (int i = 0; i < n; i++) {
        h[i] = i * 7 % 31;
        count[h[i]]++;
    }
    int *in = device<int>(n), *out = device<int>(blocks * per_block);
    ok(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = 2 * blocks;
    config.blockDim = 16;
    config.dynamicSmemBytes = per_block * sizeof(int);
    config.attrs = &attribute;
    config.numAttrs = 1;
    ok(cudaLaunchKernelEx(&config, bins, (const int *)in, n, out, per_block,
                          is("scope")));
    ok(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks * per_block; i++)
        check(result[i] == count[i], "histogram");
    // The size must divide the grid.
    config.gridDim = 2 * blocks - 1;
    if (is("size"))
        check(cudaLaunchKernelEx(&config, bins, (const int *)in, n, out, per_block, false)
                  == cudaErrorInvalidClusterSize, "size"); // size
    cudaFree(in);
    cudaFree(out);
}

// ---- Both halves of the barrier, and places, in two dimensions ----

struct place {
    unsigned rank, blocks, thread, threads, x, y, width, height, cluster, clusters, of;
};

__global__ void __cluster_dims__(2, 3) halves(place *out, int *sums, bool hasty, bool twice)
{
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
    if (threadIdx.x == 0)
        s = 1 + cluster.block_rank(); // one
    auto token = cluster.barrier_arrive();
    if (twice)
        (void)cluster.barrier_arrive(); // twice
    if (threadIdx.x == 1) {
        dim3 at = cluster.block_index(), size = cluster.dim_blocks();
        out[block] = { cluster.block_rank(), cluster.num_blocks(), cluster.thread_rank(),
                       cluster.num_threads(), at.x, at.y, size.x, size.y,
                       (unsigned)cg::this_grid().cluster_rank(),
                       (unsigned)cg::this_grid().num_clusters(),
                       cluster.query_shared_rank(cluster.map_shared_rank(&s, 4)) };
    }
    if (!hasty)
        cluster.barrier_wait(std::move(token));
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++)
        sum += *cluster.map_shared_rank(&s, rank); // all
    if (hasty)
        cluster.barrier_wait(std::move(token));
    if (threadIdx.x == 0)
        sums[block] = sum;
    cluster.sync();
}

static void two()
{
    const int w = 4, h = 6;
    place *out = device<place>(w * h), p[w * h];
    int *sums = device<int>(w * h), sum[w * h];
    halves<<<dim3(w, h), 4>>>(out, sums, is("hasty"), is("twice"));
    ok(cudaMemcpy(p, out, sizeof p, cudaMemcpyDeviceToHost));
    ok(cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost));
    for (unsigned y = 0; y < h; y++)
        for (unsigned x = 0; x < w; x++) {
            unsigned rank = y % 3 * 2 + x % 2;
            place is = p[y * w + x],
                  be = { rank, 6, rank * 4 + 1, 24, x % 2, y % 3, 2, 3, y / 3 * 2 + x / 2, 4, 4 };
            check(memcmp(&is, &be, sizeof is) == 0, "place");
            check(sum[y * w + x] == 21, "sum");
        }
    cudaFree(out);
    cudaFree(sums);
}

// ---- Threads that have returned are not waited for ----

__global__ void __cluster_dims__(2) leaves(int *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    if (cluster.block_rank() == 1 && threadIdx.x > 3)
        return;
    cluster.sync(); // stay
    if (threadIdx.x == 0)
        out[blockIdx.x] = 1;
}

static void leave()
{
    int *out = device<int>(2), h[2];
    leaves<<<2, 32>>>(out);
    ok(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    check(h[0] == 1 && h[1] == 1, "leave");
    cudaFree(out);
}

// ---- Threads that wait elsewhere have not returned ----

__global__ void __cluster_dims__(2) parts(int *out)
{
    if (threadIdx.x < 16)
        __syncthreads(); // block
    else
        cg::this_cluster().sync(); // cluster
    out[blockIdx.x] = 1;
}

static void part()
{
    parts<<<2, 32>>>(device<int>(2));
    ok(cudaDeviceSynchronize());
}

// ---- The same in PTX ----

__global__ void __cluster_dims__(2) assembly(int *out, bool relaxed)
{
    __shared__ int s;
    unsigned rank, n, there;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(n));
    if (threadIdx.x == 0)
        s = 10 + rank; // ten
    if (relaxed)
        asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    else
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    unsigned here = (unsigned)__cvta_generic_to_shared(&s);
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(there)
                 : "r"(here), "r"((rank + 1) % n));
    int value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there) : "memory"); // load
    if (threadIdx.x == 0)
        out[blockIdx.x] = value;
    asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

static void ptx()
{
    int *out = device<int>(2), h[2];
    assembly<<<2, 2>>>(out, is("relaxed"));
    ok(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    check(h[0] == 11 && h[1] == 10, "assembly");
    cudaFree(out);
}

// ---- A block arrives at the barrier of the other one ----

__global__ void __cluster_dims__(2) visits(int *out, bool hasty)
{
    __shared__ int s[32];
    __shared__ cuda::barrier<cuda::thread_scope_block> here;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        init(&here, 32);
    cluster.sync();
    unsigned other = 1 - cluster.block_rank();
    uint64_t *bar = cuda::device::barrier_native_handle(here);
    uint64_t *there = cluster.map_shared_rank(bar, other);
    cluster.map_shared_rank(s, other)[threadIdx.x] = 10 * other + threadIdx.x; // bring
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
                 ::"r"((unsigned)__cvta_generic_to_shared(there))
                 : "memory");
    unsigned over = hasty;
    while (!over)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(over)
                     : "r"((unsigned)__cvta_generic_to_shared(bar))
                     : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = s[31 - threadIdx.x]; // find
    cluster.sync();
}

static void visit()
{
    int *out = device<int>(64), h[64];
    visits<<<2, 32>>>(out, is("hasty"));
    ok(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        check(h[i] == i / 32 * 10 + 31 - i % 32, "visit");
    cudaFree(out);
}

// ---- More blocks than run at once, of which a cluster has no even share ----

__global__ void __cluster_dims__(3) follows(int *out)
{
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    const int *next = cluster.map_shared_rank(&s, (cluster.block_rank() + 1) % 3);
    if (threadIdx.x == 0)
        s = blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 1)
        out[blockIdx.x] = *next;
    cluster.sync();
}

static void many()
{
    static int h[3 * 200];
    int *out = device<int>(3 * 200);
    follows<<<3 * 200, 2>>>(out);
    ok(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 3 * 200; i++)
        check(h[i] == i / 3 * 3 + (i + 1) % 3, "many");
    cudaFree(out);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)();
    } all[] = { { "swap", swap }, { "histogram", histogram }, { "two", two }, { "ptx", ptx },
                { "visit", visit }, { "many", many }, { "leave", leave },
                { "part", part } };
    broken = argc > 2 ? argv[2] : "";
    for (auto &one : all)
        if (argc > 1 ? strcmp(argv[1], one.name) == 0 : one.run != leave && one.run != part)
            one.run();
    puts(bad ? "wrong" : "right");
    return bad;
}
