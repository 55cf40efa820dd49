// SPDX-License-Identifier: MIT
//
// cuda-source.cu: what weir-nvcc makes of sources: parameters, variables, functions and
// ways of launching. Each case compares with what the host works out. The words of the
// command line name the case.
#include <cstdio>
#include <cstring>

struct empty {
};
struct two {
    double a, b;
};
struct mixed {
    float x;
    int y;
    char z;
};
struct large {
    int of[20];
};
struct alignas(16) wide {
    float of[4];
};

// ---- Parameters -------------------------------------------------------------------

__global__ void parameters(double *out, char c, empty, short s, two t, bool b, mixed m,
                           large l, float2 f, empty, wide w, long long n,
                           unsigned char u)
{
    l.of[0] += threadIdx.x; // each thread has its own
    double sum = c + 10. * s + 100 * t.a + 1000 * t.b + b + m.x + m.y + m.z + l.of[0]
        + l.of[19] + f.x * f.y + w.of[3] + n + u;
    out[threadIdx.x] = sum;
}

// ---- Variables ----------------------------------------------------------------------

__device__ int counter = 5;
static __device__ float table[4] = { 1, 2, 3, 4 };
__constant__ int factors[3] = { 2, 3, 5 };
__managed__ int shared_with_host = 1;
__device__ __managed__ int of_both = 4;
static __managed__ __device__ int two_of_both[2] = { 5, 6 };

__global__ void variables(int *out)
{
    __shared__ int square[2][32];
    extern __shared__ int dynamic[];
    int t = threadIdx.x;
    square[t % 2][t] = t * factors[t % 3];
    dynamic[t] = square[t % 2][t] + (int)table[t % 4];
    __syncthreads();
    out[t] = dynamic[31 - t];
    if (t == 0) {
        counter += 1;
        shared_with_host += 1;
        of_both += two_of_both[1];
    }
}

// ---- Functions ------------------------------------------------------------------------

template <int N, class T> __device__ T power(T x)
{
    if constexpr (N == 0) {
        return 1;
    } else {
        return x * power<N - 1>(x);
    }
}

typedef int operation(int);
__device__ int twice(int x)
{
    return 2 * x + (int)threadIdx.x;
}
__device__ int next(int x)
{
    return x + 1;
}
__device__ operation *const operations[2] = { twice, next };

struct shape {
    __device__ virtual int area() const = 0;
};
struct square : shape {
    int side;
    __device__ square(int s) : side(s)
    {
    }
    __device__ int area() const override
    {
        return side * side;
    }
};

__device__ __noinline__ int deep(int n)
{
    return n <= 1 ? (int)blockIdx.x + 1 : n * deep(n - 1);
}

// Threads meet in a function that is not inlined.
__device__ __noinline__ int meets(int *s, int v)
{
    s[threadIdx.x] = v;
    __syncthreads();
    return s[blockDim.x - 1 - threadIdx.x];
}

template <class F> __global__ void apply(int *out, F f)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = f(threadIdx.x);
}

__global__ void functions(int *out)
{
    __shared__ int s[8];
    square q(3);
    const shape *p = &q;
    int t = threadIdx.x;
    out[blockIdx.x * 8 + t] = power<3>(t) + operations[t % 2](t) + p->area() + deep(4)
        + meets(s, t);
}

// ---- Ids --------------------------------------------------------------------------------

__global__ void ids(int *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    out[(z * h + y) * w + x] = x + 100 * y + 10000 * z;
}

// ---- Races --------------------------------------------------------------------------------

__device__ int flag, data;

__global__ void polls()
{
    if (blockIdx.x == 0) {
        data = 7;
        __threadfence();
        *(volatile int *)&flag = 1;
    } else {
        while (*(volatile int *)&flag == 0)
            ;
        __threadfence();
        data += 1;
    }
}

// Several read what one has handed over, and also wait for it: no two reads race.
__global__ void readers(volatile int *ready, int *from, int *to)
{
    if (blockIdx.x == 0) {
        *from = 7;
        __threadfence();
        *ready = 1;
    } else {
        int seen = *ready; // the first look
        while (seen == 0) {
            seen = *ready;
        }
        while (*ready == 0)
            ;
        __threadfence();
        to[blockIdx.x] = *from + ((volatile char *)ready)[threadIdx.x];
    }
}

// A loop that counts waits for nothing, though some threads do no more than load in it.
__global__ void strides(volatile int *w)
{
    for (int off = 16; off > 0; off /= 2) {
        int other = w[(threadIdx.x + off) & 31]; // volatile stride
        if (threadIdx.x < off) {
            w[threadIdx.x] += other;
        }
    }
}

__global__ void volatile_data(volatile int *p)
{
    if (blockIdx.x == 0) {
        p[0] = 1;
    } else {
        p[1] = p[0]; // volatile race
    }
}

// A fence and a flag hand it over: what is read after the flag may be changed.
__device__ int handed;
__global__ void hands_over(volatile int *p)
{
    if (blockIdx.x == 0) {
        p[0] = 1;
        __threadfence();
        atomicExch(&handed, 1);
    } else {
        while (atomicAdd(&handed, 0) == 0)
            ;
        p[0] += 2;
    }
}

// The last block reads what the others have written; thread 0 alone has seen that it is
// there. All of it is volatile.
__device__ unsigned shares_taken;
__global__ void shares(volatile int *out, bool fenced)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = (int)blockIdx.x;
        if (fenced) {
            __threadfence();
        } else {
            __threadfence_block();
        }
        last = atomicInc(&shares_taken, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) {
        atomicAdd((int *)out, out[1 + threadIdx.x]); // volatile share
    }
}

// The last block to come puts the ticket back by a plain store.
__device__ unsigned ticket;
__device__ unsigned turns;
__global__ void last_block(int *out, bool wraps)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        out[1 + blockIdx.x] = (int)blockIdx.x;
        __threadfence();
        unsigned mine = wraps ? atomicInc(&turns, gridDim.x)
                              : atomicAdd(&ticket, 1);
        last = mine == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; b++) {
            sum += out[1 + b];
        }
        out[0] = sum;
        if (wraps) {
            turns = 0;
        } else {
            ticket = 0;
        }
    }
}

// A copy of a structure is a read and a write, as any other.
struct entry {
    float key;
    int id;
    int rest[5];
};
__global__ void moves(entry *from, entry *to, bool meet)
{
    __shared__ entry s[64];
    int t = threadIdx.x;
    s[t] = from[t]; // in
    if (meet) {
        __syncthreads();
    }
    to[t] = s[63 - t]; // out
}

// Blocks of the heap have ends, and end.
__global__ void heap(int *p, int n, int late, int twice)
{
    int *block = (int *)malloc(3 * sizeof(int)), *other = new int(5);
    for (int i = 0; i < n; i++) {
        block[i] = i; // heap
    }
    if (late < 2) {
        free(block);
    }
    p[threadIdx.x] = *other + (late != 0 ? block[2] : 2); // late
    delete other;
    if (twice != 0) {
        free(block);
    }
}

// Nine threads get the memory of others, which have freed it. A large block is made of
// small ones, and small ones of a large one.
__global__ void reuses(int *p)
{
    for (int n = 1 << 18; n >= 4; n /= 16) {
        int *block = (int *)malloc(n * sizeof(int));
        if (block == NULL) {
            continue; // others have all of it
        }
        block[0] = block[n - 1] = threadIdx.x;
        p[threadIdx.x] = block[0] + block[n - 1];
        free(block);
    }
    int *all = (int *)malloc(6 << 20);
    if (all != NULL) {
        all[0] = all[(6 << 18) - 1] = p[threadIdx.x];
        p[threadIdx.x] = all[(6 << 18) - 1];
        free(all);
    }
}

// The upper half is compared, and was never written.
__global__ void compares(int *p, int n)
{
    __shared__ int s[64];
    if (threadIdx.x < n) {
        s[threadIdx.x] = threadIdx.x;
    }
    __syncthreads();
    p[threadIdx.x] = max(s[threadIdx.x], 3); // compared
}

__global__ void leaves(int *p, int n)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    s[t] = p[t];
    __syncthreads(); // others have returned
    p[t] = s[n - 1 - t] + __shfl_xor_sync(0xffffffffu, 0, 1);
}

// What the host adds to an address that it frees: 1 until the last step.
__global__ void counts(int *offset, int n)
{
    for (int i = 0; i < 200; i++) {
        atomicExch(offset, 1);
    }
    atomicExch(offset, n);
}

// ---- The host -------------------------------------------------------------------------------

static int failures;
static int *memory;

static void expect(const char *what, int i, double have, double want)
{
    if (have != want) {
        printf("%s %d: %g, not %g\n", what, i, have, want);
        failures++;
    }
}

static int *get(int n)
{
    static int copy[4096];
    expect("error", 0, cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(copy, memory, n * sizeof(int), cudaMemcpyDeviceToHost);
    return copy;
}

static void try_parameters()
{
    two t = { 2, 3 };
    mixed m = { 1.5f, 4, 'b' };
    large l = {};
    l.of[0] = 6;
    l.of[19] = 7;
    wide w = { { 0, 0, 0, 9 } };
    double *out, copy[3];
    cudaMalloc(&out, sizeof copy);
    parameters<<<1, 3>>>(out, 'a', empty(), (short)-2, t, true, m, l,
                         make_float2(3, 0.5f), empty(), w, 1LL << 40,
                         (unsigned char)200);
    expect("error", 0, cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(copy, out, sizeof copy, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++) {
        double want = 97. - 20 + 200 + 3000 + 1 + 1.5 + 4 + 98 + 6 + i + 7 + 1.5 + 9
            + (double)(1LL << 40) + 200;
        expect("parameters", i, copy[i], want);
    }
}

static void try_variables()
{
    const int factor[] = { 2, 3, 5 };
    int value = 0;
    of_both += 10;
    variables<<<1, 32, 32 * sizeof(int)>>>(memory);
    const int *out = get(32);
    for (int i = 0; i < 32; i++) {
        int t = 31 - i;
        expect("variables", i, out[i], t * factor[t % 3] + t % 4 + 1);
    }
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    expect("counter", 0, value, 6);
    value = 40;
    cudaMemcpyToSymbol(counter, &value, sizeof value);
    const int others[] = { 1, 1, 1 };
    cudaMemcpyToSymbol(factors, others, sizeof others);
    variables<<<1, 32, 32 * sizeof(int)>>>(memory);
    expect("factors", 0, get(32)[0], 31 + 31 % 4 + 1);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    expect("counter", 1, value, 41);
    expect("managed", 0, shared_with_host, 3);
    expect("managed, of the device", 0, of_both, 26);
}

static void try_functions()
{
    functions<<<2, 8>>>(memory);
    const int *out = get(16);
    for (int i = 0; i < 16; i++) {
        int t = i % 8, b = i / 8;
        int called = t % 2 == 0 ? 3 * t : t + 1;
        expect("functions", i, out[i], t * t * t + called + 9 + 24 * (b + 1) + 7 - t);
    }
    int captured = 11;
    apply<<<2, 4>>>(memory, [=] __device__(int t) { return captured * t; });
    out = get(8);
    for (int i = 0; i < 8; i++) {
        expect("lambda", i, out[i], 11 * (i % 4));
    }
    void (*kernel)(int *) = functions;
    kernel<<<1, 8>>>(memory);
    expect("by a pointer", 0, get(8)[1], 1 + 2 + 9 + 24 + 6);
}

static void try_ids()
{
    ids<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(memory);
    const int *out = get(8 * 6 * 4);
    for (int i = 0; i < 8 * 6 * 4; i++) {
        expect("ids", i, out[i], i % 8 + 100 * (i / 8 % 6) + 10000 * (i / 48));
    }
    ids<<<dim3(3, 2), dim3(5, 3)>>>(memory);
    out = get(15 * 6);
    for (int i = 0; i < 15 * 6; i++) {
        expect("ids in 2", i, out[i], i % 15 + 100 * (i / 15));
    }
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    cudaMalloc(&memory, 4096 * sizeof(int));
    cudaMemset(memory, 0, 4096 * sizeof(int));
    if (strcmp(word, "polls") == 0) {
        int value = 0;
        polls<<<2, 1>>>();
        get(1);
        cudaMemcpyFromSymbol(&value, data, sizeof value);
        expect("data", 0, value, 8);
        readers<<<4, 1>>>(memory, memory + 1, memory + 2);
        for (int i = 1; i < 4; i++) {
            expect("readers", i, get(6)[2 + i], 8);
        }
    } else if (strcmp(word, "volatile") == 0) {
        volatile_data<<<2, 1>>>(memory);
        get(1);
    } else if (strcmp(word, "strides") == 0) {
        int ones[32];
        for (int &one : ones) {
            one = 1;
        }
        cudaMemcpy(memory, ones, sizeof ones, cudaMemcpyHostToDevice);
        strides<<<1, 32>>>(memory);
        expect("strides", 0, get(1)[0], 32);
    } else if (strcmp(word, "hands") == 0) {
        hands_over<<<2, 1>>>(memory);
        expect("handed over", 0, get(1)[0], 3);
    } else if (strncmp(word, "shares", 6) == 0) {
        cudaMemset(memory, 0, 16 * sizeof(int));
        shares<<<6, 8>>>(memory, strcmp(word, "shares") == 0);
        expect("shares", 0, get(1)[0], 15);
    } else if (strcmp(word, "last") == 0) {
        for (int i = 0; i < 2; i++) {
            last_block<<<6, 2>>>(memory, i % 2 == 1);
            expect("last block", i, get(1)[0], 15);
        }
    } else if (strncmp(word, "moves", 5) == 0) {
        entry *pinned, *from, *to;
        int n = strcmp(word, "moves outside") == 0 ? 63 : 64;
        size_t bytes = n * sizeof(entry);
        cudaMallocHost(&pinned, bytes), cudaMalloc(&from, bytes), cudaMalloc(&to, bytes);
        cudaMemset(from, 0, bytes);
        moves<<<1, 64>>>(from, n < 64 ? (entry *)memory : to,
                         strcmp(word, "moves early") != 0);
        get(1);
    } else if (strncmp(word, "counts", 6) == 0) {
        counts<<<1, 1>>>(memory, strcmp(word, "counts wrong") == 0);
        cudaFree(memory + get(1)[0]);
    } else if (strncmp(word, "heap", 4) == 0) {
        heap<<<1, 4>>>(memory, strcmp(word, "heap past") == 0 ? 4 : 3,
                       strcmp(word, "heap late") == 0 ? 1 : strcmp(word, "heap") ? 0 : 2,
                       strcmp(word, "heap") == 0 || strcmp(word, "heap twice") == 0);
        expect("heap", 0, get(1)[0], 7);
    } else if (strcmp(word, "reuses") == 0) {
        reuses<<<1, 16>>>(memory);
        expect("reuses", 15, get(16)[15], 30);
    } else if (strncmp(word, "compares", 8) == 0) {
        compares<<<1, 64>>>(memory, strcmp(word, "compares") == 0 ? 64 : 32);
        expect("compares", 2, get(64)[2], 3);
    } else if (strcmp(word, "leaves") == 0) {
        leaves<<<1, 64>>>(memory, 50);
        get(1);
    } else {
        try_parameters();
        try_variables();
        try_functions();
        try_ids();
    }
    puts(failures == 0 ? "right" : "wrong");
    return failures != 0;
}
