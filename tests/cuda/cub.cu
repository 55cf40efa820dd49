/* SPDX-License-Identifier: MIT
 *
 * cub.cu: CUB's functions of blocks and warps against a model on the host. */
#include <cstdio>
#include <cub/cub.cuh>
const int threads = 96, n_items = 3, n_ops = 24;
struct Results {
    int v[threads][n_ops];
    int n;
};
/* It is associative, and not commutative. */
struct Last {
    __host__ __device__ int operator()(int a, int b) const
    {
        return (void)a, b;
    }
};
__host__ __device__ int key(int t)
{
    return t * 37 % 11;
}
__global__ void k(Results *r, const int *in, int *sorted)
{
    typedef cub::BlockReduce<int, threads> Reduce;
    typedef cub::BlockScan<int, threads> Scan;
    typedef cub::BlockRadixSort<int, threads, n_items, int> Sort;
    typedef cub::BlockLoad<int, threads, n_items, cub::BLOCK_LOAD_TRANSPOSE> Load;
    typedef cub::BlockStore<int, threads, n_items, cub::BLOCK_STORE_STRIPED> Store;
    typedef cub::WarpReduce<int> WarpReduce;
    typedef cub::WarpScan<int, 8> WarpScan;
    __shared__ union {
        Reduce::TempStorage reduce;
        Scan::TempStorage scan;
        Sort::TempStorage sort;
        Load::TempStorage load;
        Store::TempStorage store;
    } s;
    __shared__ WarpReduce::TempStorage warps[threads / 32];
    __shared__ WarpScan::TempStorage parts[threads / 8];
    int t = threadIdx.x, n = 0, *v = r->v[t], out, all;
    v[n++] = Reduce(s.reduce).Sum(key(t));
    __syncthreads();
    v[n++] = Reduce(s.reduce).Reduce(key(t), cub::Max());
    __syncthreads();
    v[n++] = Reduce(s.reduce).Reduce(t, Last());
    __syncthreads();
    v[n++] = Reduce(s.reduce).Sum(key(t), 50);
    __syncthreads();
    Scan(s.scan).InclusiveSum(key(t), out);
    v[n++] = out;
    __syncthreads();
    Scan(s.scan).ExclusiveSum(key(t), out, all);
    v[n++] = out;
    v[n++] = all;
    __syncthreads();
    Scan(s.scan).ExclusiveScan(key(t), out, 7, cub::Max());
    v[n++] = out;
    __syncthreads();
    int items[n_items], sums[n_items], places[n_items];
    Load(s.load).Load(in, items);
    __syncthreads();
    Scan(s.scan).ExclusiveSum(items, sums);
    v[n++] = sums[0];
    v[n++] = sums[2];
    __syncthreads();
    for (int i = 0; i < n_items; i++) {
        places[i] = t * n_items + i;
    }
    Sort(s.sort).SortBlockedToStriped(items, places);
    __syncthreads();
    Store(s.store).Store(sorted, items);
    Store(s.store).Store(sorted + threads * n_items, places);
    v[n++] = WarpReduce(warps[t / 32]).Sum(key(t));
    v[n++] = WarpReduce(warps[t / 32]).Reduce(key(t), cub::Min(), 5);
    WarpScan(parts[t / 8]).InclusiveSum(key(t), out, all);
    v[n++] = out;
    v[n++] = all;
    WarpScan(parts[t / 8]).ExclusiveSum(key(t), out);
    v[n++] = out;
    if (t == 0) {
        r->n = n;
    }
}
static int bad;
static Results r;
static void is(int t, int n, int expected, int line)
{
    if (r.v[t][n] != expected && bad++ < 20) {
        printf("thread %d: line %d: %d, not %d\n", t, line, r.v[t][n], expected);
    }
}
#define IS(t, e) is((t), n++, (e), __LINE__)
int main()
{
    Results *d;
    int *in, *sorted, values[threads * n_items], out[2 * threads * n_items];
    for (int i = 0; i < threads * n_items; i++) {
        values[i] = (i * 71 + 5) % 53 - 20;
    }
    cudaMalloc(&d, sizeof r);
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&sorted, sizeof out);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    k<<<1, threads>>>(d, in, sorted);
    cudaMemcpy(out, sorted, sizeof out, cudaMemcpyDeviceToHost);
    cudaError_t e = cudaMemcpy(&r, d, sizeof r, cudaMemcpyDeviceToHost);
    if (e) {
        printf("%s\n", cudaGetErrorString(e));
        return 2;
    }
    int sum = 0, first50 = 0;
    for (int t = 0; t < threads; t++) {
        sum += key(t);
        first50 += t < 50 ? key(t) : 0;
    }
    for (int t = 0, before = 0, greatest = 7, run = 0; t < threads; t++) {
        int n = 0, part = 0, whole = 0, warp = 0, least = 99;
        for (int i = 0; i < 8; i++) {
            whole += key(t / 8 * 8 + i);
            part += t / 8 * 8 + i <= t ? key(t / 8 * 8 + i) : 0;
        }
        for (int i = 0; i < 32; i++) {
            int q = key(t / 32 * 32 + i);
            warp += q;
            least = i < 5 && q < least ? q : least;
        }
        if (t == 0) {
            IS(t, sum);
            IS(t, 10);
            IS(t, threads - 1);
            IS(t, first50);
        } else {
            n += 4;
        }
        IS(t, before + key(t));
        IS(t, before);
        IS(t, sum);
        IS(t, greatest);
        IS(t, run);
        IS(t, run + values[3 * t] + values[3 * t + 1]);
        if (t % 32 == 0) {
            IS(t, warp);
            IS(t, least);
        } else {
            n += 2;
        }
        IS(t, part);
        IS(t, whole);
        IS(t, part - key(t));
        if (n != r.n) {
            printf("%d results, not %d\n", r.n, n);
            return 1;
        }
        before += key(t);
        greatest = key(t) > greatest ? key(t) : greatest;
        run += values[3 * t] + values[3 * t + 1] + values[3 * t + 2];
    }
    for (int i = 0; i < threads * n_items; i++) {
        int place = out[threads * n_items + i];
        bool is_right = place >= 0 && place < threads * n_items
            && out[i] == values[place]
            && (i == 0 || out[i - 1] < out[i]
                || (out[i - 1] == out[i] && out[threads * n_items + i - 1] < place));
        if (!is_right && bad++ < 20) {
            printf("sorted[%d] is %d from %d\n", i, out[i], place);
        }
    }
    printf(bad ? "%d wrong\n" : "right\n", bad);
    return bad != 0;
}
