/* SPDX-License-Identifier: MIT
 *
 * groups.cu: cooperative groups against a model on the host. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
const int threads = 64, n_ops = 64;
struct Results {
    long long v[threads][n_ops];
    int n;
};
struct Big {
    int a[5];
};
__global__ void k(Results *r)
{
    auto block = cg::this_thread_block();
    int t = block.thread_rank(), n = 0;
    long long *v = r->v[t];
    int key = t * 37 % 11;
    auto tile = cg::tiled_partition<8>(block);
    auto warp = cg::tiled_partition<32>(block);
    auto four = cg::tiled_partition<4>(tile);
    cg::thread_group dyn = cg::tiled_partition(block, 16);
    v[n++] = block.size() + 1000 * block.group_index().x + block.thread_index().x;
    v[n++] = tile.size() * 100 + tile.thread_rank();
    v[n++] = tile.meta_group_size() * 100 + tile.meta_group_rank();
    v[n++] = four.meta_group_size() * 100 + four.meta_group_rank();
    v[n++] = dyn.size() * 100 + dyn.thread_rank();
    v[n++] = tile.shfl(key, 3);
    v[n++] = tile.shfl_xor(key, 2);
    v[n++] = tile.shfl_down(key, 2);
    v[n++] = tile.shfl_up(key, 2);
    v[n++] = tile.ballot(key & 1);
    v[n++] = tile.any(key == 4);
    v[n++] = tile.all(key < 9);
    v[n++] = tile.match_any(key % 3);
    Big b{ { t, t + 1, t + 2, t + 3, t + 4 } };
    b = tile.shfl(b, 5);
    v[n++] = b.a[0] * 100 + b.a[4];
    v[n++] = cg::reduce(tile, key, cg::plus<int>());
    v[n++] = cg::reduce(warp, key, cg::greater<int>());
    v[n++] = cg::reduce(tile, key, cg::less<int>());
    v[n++] = cg::reduce(warp, 1u << key, cg::bit_or<unsigned>());
    v[n++] = cg::inclusive_scan(tile, key);
    v[n++] = cg::exclusive_scan(warp, key, cg::plus<int>());
    dyn.sync();
    cg::sync(tile);
    warp.sync();
    auto odd = cg::binary_partition(warp, key & 1);
    v[n++] = odd.size() * 100 + odd.thread_rank();
    v[n++] = cg::reduce(odd, key, cg::plus<int>());
    v[n++] = cg::inclusive_scan(odd, key);
    v[n++] = odd.shfl(t, 0);
    v[n++] = odd.shfl_down(t, 1);
    v[n++] = odd.shfl_up(t, 1);
    v[n++] = odd.ballot(key & 2);
    auto lab = cg::labeled_partition(warp, key % 3);
    v[n++] = lab.size() * 100 + lab.thread_rank();
    lab.sync();
    auto part = cg::tiled_partition(lab, 4);
    v[n++] = part.size() * 100 + part.thread_rank();
    v[n++] = cg::this_thread().size();
    v[n++] = cg::this_grid().num_blocks() * 1000 + cg::this_grid().thread_rank();
    v[n++] = cg::invoke_one_broadcast(tile, [&] { return t; });
    if (t == 0)
        r->n = n;
}
static int bad;
static Results r;
static int key(int t)
{
    return t * 37 % 11;
}
static void is(int t, int n, long long e, int line)
{
    if (r.v[t][n] != e && bad++ < 20)
        printf("thread %d: line %d: %lld, not %lld\n", t, line, r.v[t][n], e);
}
#define IS(e) is(t, n++, (e), __LINE__)
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
        int n = 0, base8 = t / 8 * 8, l = t % 8, w = t / 32 * 32;
        IS(threads + t);
        IS(800 + l);
        IS(800 + t / 8);
        IS(200 + l / 4);
        IS(1600 + t % 16);
        IS(key(base8 + 3));
        IS(key(base8 + (l ^ 2)));
        IS(key(l < 6 ? t + 2 : t));
        IS(key(l >= 2 ? t - 2 : t));
        unsigned ballot = 0, match = 0, any = 0, all = 1;
        int sum = 0, mn = 99, incl = 0, mx = 0, excl = 0;
        unsigned orr = 0;
        for (int i = 0; i < 8; i++) {
            int q = key(base8 + i);
            ballot |= (q & 1) << i;
            match |= (q % 3 == key(t) % 3) << i;
            any |= q == 4;
            all &= q < 9;
            sum += q;
            mn = q < mn ? q : mn;
            if (i <= l)
                incl += q;
        }
        for (int i = 0; i < 32; i++) {
            int q = key(w + i);
            mx = q > mx ? q : mx;
            orr |= 1u << q;
            if (w + i < t)
                excl += q;
        }
        IS(ballot);
        IS(any);
        IS(all);
        IS(match);
        IS((base8 + 5) * 100 + base8 + 9);
        IS(sum);
        IS(mx);
        IS(mn);
        IS(orr);
        IS(incl);
        IS(excl);
        int same[32], m = 0, rank = 0, total = 0, pre = 0;
        unsigned b2 = 0;
        for (int i = 0; i < 32; i++)
            if ((key(w + i) & 1) == (key(t) & 1)) {
                if (w + i == t)
                    rank = m;
                if (w + i <= t)
                    pre += key(w + i);
                total += key(w + i);
                b2 |= (key(w + i) >> 1 & 1u) << m;
                same[m++] = w + i;
            }
        IS(m * 100 + rank);
        IS(total);
        IS(pre);
        IS(same[0]);
        IS(same[rank + 1 < m ? rank + 1 : rank]);
        IS(same[rank ? rank - 1 : 0]);
        IS(b2);
        int lm = 0, lr = 0;
        for (int i = 0; i < 32; i++)
            if (key(w + i) % 3 == key(t) % 3) {
                if (w + i < t)
                    lr++;
                lm++;
            }
        IS(lm * 100 + lr);
        int first = lr / 4 * 4;
        IS((lm - first < 4 ? lm - first : 4) * 100 + lr % 4);
        IS(1);
        IS(1000 + t);
        IS(base8);
        if (n != r.n) {
            printf("%d results, not %d\n", r.n, n);
            return 1;
        }
    }
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0;
}
