// SPDX-License-Identifier: MIT
#include "judge.cuh"

#include "cuda-warp-sum.h"

static void judged(judge &judge)
{
    int *in = judge.memory<int>(judge.n), *out = judge.memory<int>(judge.blocks);
    std::vector<int> expected(judge.blocks);
    for (int i = 0; i < judge.n; i++) {
        in[i] = 1 + judge.random(1000);
        expected[i / judge.threads] += in[i];
    }
    add_up<<<judge.blocks, judge.threads>>>(in, out);
    judge.wait();
    for (int block = 0; block < judge.blocks; block++) {
        judge.expect("out", block, out[block], expected[block]);
    }
}
