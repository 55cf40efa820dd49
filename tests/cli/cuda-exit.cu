// SPDX-License-Identifier: MIT
//
// cuda-exit.cu: PTX's exit ends the thread, from any depth of calls. Each name on the
// command line is a kernel of 64 threads, which sees 64 integers that are 1. The program
// ends with 1 if one is wrong.
#include <cstdio>
#include <cstring>

__device__ void leave()
{
    asm volatile("exit;"); // exit
}

__device__ __noinline__ int deep(int x)
{
    if (x > 40) {
        leave();
    }
    return x + 100;
}

__device__ __noinline__ int deeper(int *v, int x)
{
    v[x] += 1;
    int y = deep(x);
    v[x] += 10;
    return y;
}

__global__ void calls(int *v)
{
    v[threadIdx.x] += deeper(v, threadIdx.x);
}

__global__ void guarded(int *v)
{
    int i = threadIdx.x;
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 40; @p exit; }" ::"r"(i));
    v[i] += 100;
}

__global__ void negated(int *v)
{
    int i = threadIdx.x, twice;
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 40; @!p exit; add.s32 %0, %1, %1; }"
                 : "=r"(twice)
                 : "r"(i));
    v[i] = twice;
}

// What follows exit is never reached.
__global__ void always(int *v)
{
    v[threadIdx.x] += 2;
    leave();
    v[threadIdx.x] += 100;
}

struct owner {
    int *place;
    __device__ ~owner()
    {
        *place = -1;
    }
};

// Nothing unwinds.
__global__ void objects(int *v)
{
    owner own{ v + threadIdx.x };
    if ((threadIdx.x & 1) != 0) {
        leave();
    }
}

// After a barrier of all; then the warp that is left meets.
__global__ void late(int *v)
{
    __shared__ int all[64];
    int i = threadIdx.x;
    all[i] = i;
    __syncthreads();
    v[i] = all[63 - i];
    if (i >= 32) {
        leave();
    }
    __syncwarp();
    v[i] += 1000;
}

// In a loop with a barrier: all threads leave in one round.
__global__ void rounds(int *v)
{
    __shared__ int turn;
    for (int round = 0;; round++) {
        if (threadIdx.x == 0) {
            turn = round;
        }
        __syncthreads();
        if (turn == 3) {
            leave();
        }
        v[threadIdx.x] += 1;
        __syncthreads();
    }
}

// The others wait for those that have exited.
__global__ void missed(int *v)
{
    if (threadIdx.x > 40) {
        leave();
    }
    __syncthreads(); // missed
    v[threadIdx.x] += 100;
}

static const struct {
    const char *name;
    void (*kernel)(int *);
    int (*expected)(int i);
} kernels[] = {
    { "calls", calls, [](int i) { return i > 40 ? 2 : 1 + 11 + i + 100; } },
    { "guarded", guarded, [](int i) { return i > 40 ? 1 : 101; } },
    { "negated", negated, [](int i) { return i > 40 ? 2 * i : 1; } },
    { "always", always, [](int) { return 3; } },
    { "objects", objects, [](int i) { return (i & 1) != 0 ? 1 : -1; } },
    { "late", late, [](int i) { return 63 - i + (i < 32 ? 1000 : 0); } },
    { "rounds", rounds, [](int) { return 4; } },
    { "missed", missed, [](int i) { return i > 40 ? 1 : 101; } },
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
            if (held[i] != one.expected(i)) {
                printf("%s: thread %d: %d\n", name, i, held[i]);
                right = false;
                break;
            }
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
