/* SPDX-License-Identifier: MIT
 *
 * The largest and the smallest element, of each group and of all. */
#include "program.h"

enum { LOCAL = 8, ITEMS = 16 };

typedef struct {
    const int32_t *in;
    int32_t *most, *least;
} extremes_args;

WEIR_KERNEL(extremes, extremes_args)
{
    int32_t *highest = weir_local_array(item, int32_t, 1);
    int32_t v = args->in[weir_global_id(item, 0)];
    if (weir_local_id(item, 0) == 0) {
        highest[0] = 0;
    }
    weir_barrier(item, WEIR_LOCAL);
    weir_atomic_fetch_max_explicit(&highest[0], v, memory_order_relaxed,
                                   memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL);
    if (weir_local_id(item, 0) == 0) {
        weir_atomic_fetch_max_explicit(args->most, highest[0], memory_order_relaxed,
                                       memory_scope_device);
    }
    weir_atomic_fetch_min_explicit(&args->least[0], v, memory_order_relaxed,
                                   memory_scope_device);
}

int main(void)
{
    struct weir_device *device = open_device();
    int32_t *in = weir_new(device, int32_t, ITEMS, "in");
    int32_t *most = weir_new(device, int32_t, 1, "most");
    int32_t *least = weir_new(device, int32_t, 1, "least");
    for (int32_t i = 0; i < ITEMS; i++) {
        in[i] = (i * 7 + 3) % ITEMS + 1;
    }
    *most = 0;
    *least = 100;
    LAUNCH(device, extremes, weir_nd_range_1d(ITEMS, LOCAL),
           &(extremes_args){ in, most, least });
    return *most != ITEMS || *least != 1;
}
