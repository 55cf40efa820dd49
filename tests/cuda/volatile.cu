/* SPDX-License-Identifier: MIT
 *
 * volatile.cu: code for warps whose threads advance together, which orders nothing where
 * one thread reads what another has written. A plain run gives what a GPU's mostly does;
 * a check finds the races. The same with __syncwarp() between the steps is right. */
#include <cstdio>
#include <cstring>

#define N 64

/* Between two steps of a warp. */
template <bool RIGHT>
__device__ void step()
{
    if (RIGHT)
        __syncwarp();
}

/* Each step is for all threads of the warp, and the upper ones' sums are not used. */
template <bool RIGHT>
__global__ void sum(const int *in, int *out)
{
    __shared__ int s[N];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        volatile int *v = s;
        for (unsigned k = 32; k > 0; k >>= 1) {
            int mine = v[t] + v[t + k];
            step<RIGHT>();
            v[t] = mine;
            step<RIGHT>();
        }
        if (t == 0)
            out[0] = s[0];
    }
}

/* Fewer threads in each step: the sum of all numbers up to a thread's own. */
template <bool RIGHT>
__global__ void scan(const int *in, int *out)
{
    __shared__ volatile int s[N];
    unsigned t = threadIdx.x, lane = t % 32;
    s[t] = in[t];
    step<RIGHT>();
    for (unsigned k = 1; k < 32; k *= 2) {
        int other = 0;
        if (lane >= k)
            other = s[t - k];
        step<RIGHT>();
        if (lane >= k)
            s[t] += other;
        step<RIGHT>();
    }
    out[t] = s[t];
}

/* No thread is in the block but one: its own variables are nobody else's. */
__global__ void alone(int *out)
{
    volatile int n = 0;
    for (int i = 0; i < 100; i++)
        n = n + i;
    out[0] = n;
}

template <bool RIGHT>
static int run(const int *in, int *out, const int *numbers)
{
    int got[N], bad = 0, total = 0;
    sum<RIGHT><<<1, N>>>(in, out);
    cudaMemcpy(got, out, sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        total += numbers[i];
    if (got[0] != total)
        bad++, printf("sum %d of %d\n", got[0], total);
    scan<RIGHT><<<1, N>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < N; i++) {
        sum = (i % 32 == 0 ? 0 : sum) + numbers[i];
        if (got[i] != sum)
            bad++, printf("scan[%d] %d of %d\n", i, got[i], sum);
    }
    alone<<<1, 1>>>(out);
    cudaMemcpy(got, out, sizeof(int), cudaMemcpyDeviceToHost);
    if (got[0] != 4950)
        bad++, printf("alone %d\n", got[0]);
    return bad;
}

int main(int argc, char **argv)
{
    int numbers[N], *in, *out, bad = 0;
    for (int i = 0; i < N; i++)
        numbers[i] = i * i % 37;
    cudaMalloc(&in, sizeof numbers);
    cudaMalloc(&out, sizeof numbers);
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    if (argc < 2 || strcmp(argv[1], "wrong"))
        bad += run<true>(in, out, numbers);
    if (argc < 2 || strcmp(argv[1], "right"))
        bad += run<false>(in, out, numbers);
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0;
}
