// SPDX-License-Identifier: MIT
#include "judge.cuh"

#include "cuda-last-block.h"

static void judged(judge &judge)
{
    int *in = judge.memory<int>(judge.n), *sums = judge.memory<int>(judge.blocks);
    int *counter = judge.memory<int>(1), *total = judge.memory<int>(1), expected = 0;
    for (int i = 0; i < judge.n; i++) {
        in[i] = 1 + judge.random(1000);
        expected += in[i];
    }
    *counter = 0;
    *total = 0;
    add_all<<<judge.blocks, judge.threads>>>(in, sums, counter, total);
    judge.wait();
    judge.expect("total", 0, *total, expected);
}
