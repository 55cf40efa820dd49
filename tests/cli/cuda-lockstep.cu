// SPDX-License-Identifier: MIT
//
// cuda-lockstep.cu: warps whose lanes run in step. Each name on the command line is a
// kernel of 64 threads, which sees 64 integers. The program ends with 1 if one is wrong.
#include <cstdio>
#include <cstring>

#define LANE (threadIdx.x & 31)

// Right in lockstep only. Each is what code for GPUs before Volta has.

__global__ void tree(int *v)
{
    volatile int *w = v + (threadIdx.x & 32);
    if (LANE < 16) {
        w[LANE] += w[LANE + 16]; // 16
        w[LANE] += w[LANE + 8]; // 8
        w[LANE] += w[LANE + 4];
        w[LANE] += w[LANE + 2];
        w[LANE] += w[LANE + 1];
    }
}

// Half of the lanes have nothing to do at the end of an iteration. They must not begin
// the next one before the others have written.
__global__ void late(int *v)
{
    int *w = v + (threadIdx.x & 32);
    for (int off = 16; off > 0; off /= 2) {
        int other = w[(LANE + off) & 31];
        if (LANE < off) {
            w[LANE] += other;
        }
    }
}

__device__ __noinline__ int before(volatile int *w, int off)
{
    return LANE >= off ? w[LANE - off] : 0;
}

__global__ void scan(int *v)
{
    volatile int *w = v + (threadIdx.x & 32);
    for (int off = 1; off < 32; off *= 2) {
        int other = before(w, off);
        if (LANE >= off) {
            w[LANE] += other;
        }
    }
}

// The lanes meet after the if.
__global__ void lead(int *v)
{
    __shared__ volatile int first[2];
    if (LANE == 0) {
        first[threadIdx.x / 32] = v[threadIdx.x] + 5; // lead
    }
    v[threadIdx.x] = first[threadIdx.x / 32]; // follow
}

// Shuffles are common steps, too, and do not order memory.
__global__ void shuffled(int *v)
{
    __shared__ int one[2];
    if (LANE == 3) {
        one[threadIdx.x / 32] = 7;
    }
    int seven = __shfl_sync(~0u, 7, 0);
    if (LANE == 4) {
        v[threadIdx.x] = one[threadIdx.x / 32] - seven;
    }
}

// Wrong in lockstep, too.

// Nothing says which side of the if comes first.
__global__ void sides(int *v)
{
    __shared__ volatile int word[2];
    if (LANE == 0) {
        word[threadIdx.x / 32] = 1; // then
    } else if (LANE == 1) {
        v[threadIdx.x] = word[threadIdx.x / 32] * 0; // else
    }
}

__global__ void cross(int *v)
{
    __shared__ volatile int all[64];
    all[threadIdx.x] = 1;
    v[threadIdx.x] = all[threadIdx.x ^ 32] * 0; // other warp
}

// One step has no order inside.
__global__ void one(int *v)
{
    *(volatile int *)v = LANE; // one
}

// Right everywhere.

__global__ void good(int *v)
{
    __shared__ int all[64];
    all[threadIdx.x] = v[threadIdx.x];
    for (int off = 16; off > 0; off /= 2) {
        __syncwarp();
        int sum = all[threadIdx.x] + all[threadIdx.x ^ off];
        __syncwarp();
        all[threadIdx.x] = sum;
    }
    v[threadIdx.x] = all[threadIdx.x];
}

__global__ void flag(int *v)
{
    __shared__ int ready;
    if (threadIdx.x == 0) {
        ready = 0;
    }
    __syncthreads();
    if (threadIdx.x == 40) {
        v[0] = 3;
        __threadfence_block();
        atomicExch(&ready, 1);
    } else if (threadIdx.x == 2) {
        while (atomicAdd(&ready, 0) == 0) {
        }
        __threadfence_block();
        v[1] = v[0];
    }
}

// Hangs in lockstep: the lane that has the lock waits for the others.
__global__ void lock(int *v)
{
    __shared__ int taken;
    if (threadIdx.x == 0) {
        taken = 0;
    }
    __syncthreads();
    if (LANE < 2) {
        while (atomicCAS(&taken, 0, 1) != 0) { // poll
        }
        __threadfence();
        v[0] += 1;
        __threadfence();
        atomicExch(&taken, 0); // unlock
    }
}

static const struct {
    const char *name;
    void (*kernel)(int *);
    int (*expected)(int i, int n); // n: what the word holds
} kernels[] = {
#define WARP(sum, other) [](int i, int n) { return (i & 31) == 0 ? (sum) : (other); }
    { "tree", tree, WARP(32, n) },
    { "late", late, WARP(32, n) },
    { "scan", scan, [](int i, int) { return (i & 31) + 1; } },
    { "lead", lead, WARP(6, 6) },
    { "shuffled", shuffled, [](int i, int) { return (i & 31) == 4 ? 0 : 1; } },
    { "sides", sides, [](int i, int) { return (i & 31) == 1 ? 0 : 1; } },
    { "cross", cross, [](int, int) { return 0; } },
    { "one", one, [](int, int n) { return n; } },
    { "good", good, WARP(32, 32) },
    { "flag", flag, [](int i, int) { return i < 2 ? 3 : 1; } },
    { "lock", lock, [](int i, int) { return i == 0 ? 5 : 1; } },
};

static bool run(const char *name)
{
    int held[64], *v;
    bool right = true;
    for (int &word : held) {
        word = 1;
    }
    cudaMalloc(&v, sizeof held);
    cudaMemcpy(v, held, sizeof held, cudaMemcpyHostToDevice);
    for (auto &one : kernels) {
        if (strcmp(one.name, name) != 0) {
            continue;
        }
        one.kernel<<<1, 64>>>(v);
        cudaMemcpy(held, v, sizeof held, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 64; i++) {
            right = right && held[i] == one.expected(i, held[i]);
        }
    }
    cudaFree(v);
    return right;
}

int main(int argc, char **argv)
{
    bool right = true;
    for (int i = 1; i < argc; i++) {
        right = run(argv[i]) && right;
    }
    puts(right ? "right" : "wrong");
    return !right;
}
