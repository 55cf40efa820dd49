/* SPDX-License-Identifier: MIT
 *
 * tiles.cu: tiles of several warps: ranks, barriers, values and votes, in a block of four
 * tiles that do not wait for each other. */
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

enum { TILE = 64, THREADS = 256 };

struct result {
    int rank, tile, tiles, sum, first, any, all, neighbour;
};

__global__ void tiles(result *out)
{
    __shared__ cg::block_tile_memory<THREADS> memory;
    __shared__ int value[THREADS];
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<TILE>(block);
    int t = threadIdx.x, first = t / TILE * TILE;
    result r;
    r.rank = tile.thread_rank();
    r.tile = tile.meta_group_rank();
    r.tiles = tile.meta_group_size();
    // Tiles go through it a different number of times.
    for (unsigned int i = 0; i <= tile.meta_group_rank(); i++) {
        value[t] = t + i;
        tile.sync();
        r.neighbour = value[first + (t + 33) % TILE] - (int)i;
        tile.sync();
    }
    r.sum = cg::reduce(tile, t, cg::plus<int>());
    r.first = tile.shfl(t, 40);
    r.any = tile.any(t == 70);
    r.all = tile.all(t != 70);
    out[t] = r;
}

int main()
{
    result *out;
    int bad = 0;
    cudaMallocManaged(&out, THREADS * sizeof *out);
    tiles<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    for (int t = 0; t < THREADS; t++) {
        int first = t / TILE * TILE;
        result want = { t % TILE, t / TILE, THREADS / TILE,
                        TILE * first + TILE * (TILE - 1) / 2, first + 40,
                        first == 64, first != 64, first + (t + 33) % TILE };
        const int *a = &out[t].rank, *b = &want.rank;
        for (int i = 0; i < 8; i++) {
            if (a[i] != b[i] && bad++ < 10) {
                printf("thread %d, value %d: %d, not %d\n", t, i, a[i], b[i]);
            }
        }
    }
    puts(bad ? "wrong" : "right");
    return bad != 0;
}
