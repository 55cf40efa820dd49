// SPDX-License-Identifier: MIT
#include "judge.cuh"

#include "cuda-narrow-flag.h"

static void judged(judge &judge)
{
    int n = judge.blocks, *in = judge.memory<int>(n), expected = 0;
    int *totals = judge.memory<int>(n), *ready = judge.memory<int>(n);
    for (int i = 0; i < n; i++) {
        in[i] = 1 + judge.random(1000);
        ready[i] = 0;
    }
    chain<<<n, judge.threads>>>(in, totals, ready);
    judge.wait();
    for (int i = 0; i < n; i++) {
        expected += in[i];
        judge.expect("totals", i, totals[i], expected);
    }
}
