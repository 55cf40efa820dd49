/* SPDX-License-Identifier: MIT
 *
 * lanes.cu: shuffles and votes where the threads of a block are not in step: in branches,
 * with masks of some lanes, by two calls in two branches, in functions that are not
 * inlined, in loops of different lengths, beside threads that wait with a stack, and in
 * warps that are not full. The host computes each result from the definitions. */
#include <cstdint>
#include <cstdio>
#include <cstring>

const int most = 96, n_results = 24;
struct Results {
    unsigned v[most][n_results];
};

__host__ __device__ unsigned value_of(int t, int round)
{
    return (unsigned)t * 2654435761u ^ (unsigned)round * 40503u;
}

__device__ unsigned sum_of_warp(unsigned v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_xor_sync(~0u, v, offset);
    return v;
}

/* It waits with a stack. */
__device__ __noinline__ unsigned from_next(unsigned v)
{
    return __shfl_down_sync(~0u, v, 1);
}

/* Blocks of full warps. */
__global__ void full(Results *results)
{
    __shared__ unsigned part[most];
    int t = (int)(threadIdx.x + blockDim.x * threadIdx.y), lane = t % 32, warp = t / 32;
    unsigned *out = results[blockIdx.x].v[t], v = value_of(t, blockIdx.x), n = 0;
    out[n++] = sum_of_warp(v); /* all in step */
    /* One warp of them */
    out[n] = 0;
    if (warp == 1)
        out[n] = sum_of_warp(v + 1);
    n++;
    __syncthreads();
    part[t] = v;
    __syncthreads();
    /* Some lanes of each warp, by a mask that differs between warps */
    unsigned mask = 0x0f0f0f0fu << (warp % 2 * 4);
    out[n] = 7;
    if ((mask >> lane & 1) != 0)
        out[n] = __reduce_add_sync(mask, part[t] % 1000);
    n++;
    /* Two calls for the lanes of one warp */
    if (lane % 2 == 0)
        out[n++] = __shfl_sync(~0u, v, lane + 1);
    else
        out[n++] = __shfl_sync(~0u, v, lane - 1) + 1;
    out[n++] = from_next(v);
    /* Each warp loops for itself */
    unsigned found = 0;
    for (unsigned round = 0; found == 0; round++)
        found = __any_sync(~0u, value_of(t, (int)round) % 61 == 0) ? round + 1 : 0;
    out[n++] = found;
    /* Lanes leave a loop, and those that stay go on by fewer lanes */
    unsigned left = ~0u, rounds = 0;
    for (unsigned k = 0; k <= (unsigned)lane; k++) {
        rounds += __popc(__ballot_sync(left, 1));
        left = __ballot_sync(left, k < (unsigned)lane);
    }
    out[n++] = rounds;
    /* Threads between two barriers: warps, halves of warps and none */
    __syncthreads();
    unsigned half = lane < 16 ? 0xffffu : 0xffff0000u;
    out[n] = 3;
    if (warp == 0)
        out[n] = __shfl_up_sync(half, v, 3, 16);
    else if (warp == 1 && lane >= 16)
        out[n] = __match_any_sync(half, v % 3);
    n++;
    __syncthreads();
    out[n++] = __syncthreads_count(__all_sync(~0u, v % 64 != 5));
    part[t] = v + 9;
    __syncwarp();
    out[n++] = part[t ^ 1];
    unsigned long long wide = (unsigned long long)v << 32 | (unsigned)t;
    wide = __shfl_sync(~0u, wide, 3, 8);
    out[n++] = (unsigned)(wide >> 32) + (unsigned)wide;
    out[n++] = (unsigned)(int)__shfl_xor_sync(~0u, (double)t, 9);
    out[n++] = (unsigned)__reduce_min_sync(~0u, 5 - (int)(v % 100));
}

/* The last warp has 5 lanes; threads of the first return before the others are done. */
__global__ void ragged(Results *results)
{
    int t = threadIdx.x, lane = t % 32;
    unsigned *out = results[blockIdx.x].v[t], v = value_of(t, 5);
    out[0] = __ballot_sync(~0u, v & 1);
    out[1] = __shfl_up_sync(~0u, v, 2);
    if (t >= 32 || lane < 16)
        out[2] = __popc(__ballot_sync(t >= 32 ? ~0u : 0xffffu, lane & 1));
    if (t < 16)
        return;
    out[3] = __reduce_max_sync(t < 32 ? 0xffff0000u : ~0u, v);
}

static int bad;
static void is(const char *kernel, unsigned got, unsigned want, int t, int n)
{
    if (got != want && bad++ < 20)
        printf("%s, thread %d: result %d is %u, not %u\n", kernel, t, n, got, want);
}

template <class F> static unsigned sum(int from, int to, F f)
{
    unsigned s = 0;
    for (int i = from; i < to; i++)
        s += f(i);
    return s;
}

static void judge_full(const Results &r, int block)
{
    auto v = [&](int t) { return value_of(t, block); };
    for (int t = 0; t < most; t++) {
        int lane = t % 32, warp = t / 32, w = 32 * warp, n = 0;
        const unsigned *got = r.v[t];
        unsigned mask = 0x0f0f0f0fu << (warp % 2 * 4);
        is("full", got[n], sum(w, w + 32, v), t, n), n++;
        is("full", got[n], warp == 1 ? sum(w, w + 32, v) + 32 : 0, t, n), n++;
        is("full", got[n], (mask >> lane & 1) == 0 ? 7 : sum(w, w + 32, [&](int i) {
               return (mask >> (i - w) & 1) != 0 ? v(i) % 1000 : 0;
           }), t, n), n++;
        is("full", got[n], lane % 2 == 0 ? v(t + 1) : v(t - 1) + 1, t, n), n++;
        is("full", got[n], lane < 31 ? v(t + 1) : v(t), t, n), n++;
        unsigned found = 0;
        for (unsigned round = 0; found == 0; round++)
            for (int i = w; i < w + 32; i++)
                if (value_of(i, (int)round) % 61 == 0)
                    found = round + 1;
        is("full", got[n], found, t, n), n++;
        is("full", got[n], sum(0, lane + 1, [](int k) { return 32u - k; }), t, n), n++;
        unsigned want = 3;
        if (warp == 0)
            want = lane % 16 >= 3 ? v(t - 3) : v(t);
        if (warp == 1 && lane >= 16)
            want = sum(w + 16, w + 32, [&](int i) {
                return v(i) % 3 == v(t) % 3 ? 1u << (i - w) : 0;
            });
        is("full", got[n], want, t, n), n++;
        unsigned all = 0;
        for (int i = 0; i < most; i += 32)
            all += sum(i, i + 32, [&](int k) { return v(k) % 64 == 5; }) == 0 ? 32 : 0;
        is("full", got[n], all, t, n), n++;
        is("full", got[n], v(t ^ 1) + 9, t, n), n++;
        is("full", got[n], v(t / 8 * 8 + 3) + (unsigned)(t / 8 * 8 + 3), t, n), n++;
        is("full", got[n], (unsigned)(w + (lane ^ 9)), t, n), n++;
        int least = 5;
        for (int i = w; i < w + 32; i++)
            least = 5 - (int)(v(i) % 100) < least ? 5 - (int)(v(i) % 100) : least;
        is("full", got[n], (unsigned)least, t, n), n++;
    }
}

static void judge_ragged(const Results &r)
{
    auto v = [](int t) { return value_of(t, 5); };
    for (int t = 0; t < 37; t++) {
        int lane = t % 32, w = t - lane, end = w == 0 ? 32 : 37;
        is("ragged", r.v[t][0],
           sum(w, end, [&](int i) { return (v(i) & 1) << (i - w); }), t, 0);
        is("ragged", r.v[t][1], lane >= 2 ? v(t - 2) : v(t), t, 1);
        is("ragged", r.v[t][2], t >= 32 ? 2 : lane < 16 ? 8 : 0, t, 2);
        unsigned most_of = 0;
        for (int i = t < 32 ? 16 : 32; i < end; i++)
            most_of = v(i) > most_of ? v(i) : most_of;
        is("ragged", r.v[t][3], t < 16 ? 0 : most_of, t, 3);
    }
}

int main()
{
    const int blocks = 3;
    static Results r[blocks];
    Results *results;
    cudaMalloc(&results, sizeof r);
    for (int form = 0; form < 2; form++) {
        cudaMemset(results, 0, sizeof r);
        full<<<blocks, form == 0 ? dim3(96) : dim3(8, 12)>>>(results);
        cudaMemcpy(r, results, sizeof r, cudaMemcpyDeviceToHost);
        for (int i = 0; i < blocks; i++)
            judge_full(r[i], i);
    }
    cudaMemset(results, 0, sizeof r);
    ragged<<<1, 37>>>(results);
    cudaMemcpy(r, results, sizeof r, cudaMemcpyDeviceToHost);
    judge_ragged(r[0]);
    cudaFree(results);
    puts(bad == 0 && cudaGetLastError() == cudaSuccess ? "right" : "wrong");
    return bad != 0;
}
