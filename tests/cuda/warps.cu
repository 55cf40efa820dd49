/* SPDX-License-Identifier: MIT
 *
 * warps.cu: functions of lanes against a model on the host. The third warp has 8 lanes. */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
const int threads = 72, n_ops = 64;
struct Results {
    long long v[threads][n_ops];
    int n;
};
__device__ long long in64(int t)
{
    return 0x100000001ll * (t * 37 % 11) - 5;
}
template <class T> __device__ void shuffles(long long *v, int &n, T x)
{
    v[n++] = (long long)__shfl_sync(~0u, x, 5);
    v[n++] = (long long)__shfl_sync(~0u, x, 33 + threadIdx.x % 3, 8);
    v[n++] = (long long)__shfl_up_sync(~0u, x, 3);
    v[n++] = (long long)__shfl_up_sync(~0u, x, 1, 4);
    v[n++] = (long long)__shfl_down_sync(~0u, x, 3);
    v[n++] = (long long)__shfl_down_sync(~0u, x, 1, 4);
    v[n++] = (long long)__shfl_xor_sync(~0u, x, 5);
    v[n++] = (long long)__shfl_xor_sync(~0u, x, 1, 2);
}
__global__ void k(Results *r)
{
    int t = threadIdx.x, n = 0;
    long long *v = r->v[t];
    int key = t * 37 % 11;
    shuffles<int>(v, n, key * 3 - 7);
    shuffles<long long>(v, n, in64(t));
    shuffles<double>(v, n, key * 2.0);
    shuffles<__half>(v, n, __half(key));
    v[n++] = __any_sync(~0u, key == 4);
    v[n++] = __all_sync(~0u, key < 20);
    v[n++] = __all_sync(~0u, key < 9);
    v[n++] = __uni_sync(~0u, key == 77);
    v[n++] = __uni_sync(~0u, key == 4);
    v[n++] = __ballot_sync(~0u, key & 2);
    v[n++] = __match_any_sync(~0u, key % 4);
    v[n++] = __match_any_sync(~0u, in64(t));
    int p;
    v[n++] = __match_all_sync(~0u, 7, &p);
    v[n++] = p;
    v[n++] = __match_all_sync(~0u, t, &p);
    v[n++] = p;
    v[n++] = __reduce_add_sync(~0u, key - 5);
    v[n++] = __reduce_min_sync(~0u, key - 5);
    v[n++] = __reduce_max_sync(~0u, (unsigned)key);
    v[n++] = __reduce_and_sync(~0u, key | 8u);
    v[n++] = __reduce_or_sync(~0u, 1u << key);
    v[n++] = __reduce_xor_sync(~0u, key * 3u);
    unsigned half = t % 2 ? 0xaaaaaaaau : 0x55555555u;
    if (t % 2) {
        v[n] = __reduce_add_sync(half, key) + 1000;
    } else {
        v[n] = __reduce_add_sync(half, key);
    }
    n++;
    v[n++] = __ballot_sync(half, key & 1);
    v[n++] = __activemask();
    __syncwarp(half);
    v[n++] = warpSize;
    if (t == 0)
        r->n = n;
}
static int bad;
static int key(int t)
{
    return t * 37 % 11;
}
static Results r;
static void is(int t, int n, long long e, const char *what)
{
    if (r.v[t][n] != e && bad++ < 20)
        printf("thread %d: %s (%d) is %lld, not %lld\n", t, what, n, r.v[t][n], e);
}
int main()
{
    Results *d;
    cudaMalloc(&d, sizeof r);
    k<<<1, threads>>>(d);
    cudaError_t e = cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost);
    if (e) {
        printf("%s\n", cudaGetErrorString(e));
        return 2;
    }
    for (int t = 0; t < threads; t++) {
        int base = t / 32 * 32, lane = t % 32,
            lanes = threads - base < 32 ? threads - base : 32, n = 0;
        for (int type = 0; type < 4; type++) {
            auto f = [&](int l) -> long long {
                int q = key(base + l);
                return type == 0 ? q * 3 - 7
                    : type == 1  ? 0x100000001ll * q - 5
                    : type == 2  ? q * 2
                                 : q;
            };
            int src[8] = { 5,
                           lane / 8 * 8 + (33 + t % 3) % 8,
                           lane >= 3 ? lane - 3 : lane,
                           lane % 4 >= 1 ? lane - 1 : lane,
                           lane + 3 < 32 ? lane + 3 : lane,
                           lane % 4 < 3 ? lane + 1 : lane,
                           lane ^ 5,
                           lane ^ 1 };
            for (int i = 0; i < 8; i++, n++)
                if (src[i] < lanes)
                    is(t, n, f(src[i]), "shuffle");
        }
        unsigned any = 0, b2 = 0, m4 = 0, m64 = 0;
        int all9 = 1, uni4 = 1, sum = 0, mn = 99, mx = 0;
        unsigned an = ~0u, orr = 0, x = 0;
        int hs = 0;
        unsigned hb = 0, act = 0;
        for (int l = 0; l < lanes; l++) {
            int q = key(base + l);
            any |= q == 4;
            b2 |= (q & 2 ? 1u : 0) << l;
            m4 |= (q % 4 == key(t) % 4) << l;
            m64 |= (unsigned)(q == key(t)) << l;
            all9 &= q < 9;
            uni4 &= (q == 4) == (key(base) == 4);
            sum += q - 5;
            if (q - 5 < mn)
                mn = q - 5;
            if (q > mx)
                mx = q;
            an &= q | 8;
            orr |= 1u << q;
            x ^= q * 3;
            if (l % 2 == t % 2) {
                hs += q;
                hb |= (unsigned)(q & 1) << l;
                act |= 1u << l;
            }
        }
        unsigned whole = lanes == 32 ? ~0u : (1u << lanes) - 1;
        is(t, n++, any, "any");
        is(t, n++, 1, "all");
        is(t, n++, all9, "all");
        is(t, n++, 1, "uni");
        is(t, n++, uni4, "uni");
        is(t, n++, b2, "ballot");
        is(t, n++, m4, "match");
        is(t, n++, m64, "match 64");
        is(t, n++, whole, "match_all");
        is(t, n++, 1, "pred");
        is(t, n++, 0, "match_all");
        is(t, n++, 0, "pred");
        is(t, n++, sum, "add");
        is(t, n++, mn, "min");
        is(t, n++, mx, "max");
        is(t, n++, an, "and");
        is(t, n++, orr, "or");
        is(t, n++, x, "xor");
        is(t, n++, hs + (t % 2 ? 1000 : 0), "add half");
        is(t, n++, hb, "ballot half");
        n++;
        is(t, n++, 32, "warpSize");
        if (n != r.n)
            bad++, printf("n\n");
    }
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0;
}
