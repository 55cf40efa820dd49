/* SPDX-License-Identifier: MIT
 *
 * clock.c: clock(), clock64() and the global timer of kernels. Where a schedule decides
 * who runs, time must not depend on the processor: there each look at the clock is 1000
 * ticks after the one before. */
#include "config.h"

#include "cuda/device/clock.h"

#include <stdatomic.h>
#include <time.h>

#include "weir-kernel.h"

static uint64_t looks(void)
{
    static atomic_uint_fast64_t n;
    return 1000 * (atomic_fetch_add_explicit(&n, 1, memory_order_relaxed) + 1);
}

static uint64_t passed(clockid_t clock)
{
    if (weiri_self.watch != NULL) {
        return looks();
    }
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* A tick is a nanosecond. */
uint64_t weiri_cuda_clock(void)
{
    return passed(CLOCK_MONOTONIC);
}

uint64_t weiri_cuda_nanoseconds(void)
{
    return passed(CLOCK_REALTIME);
}
