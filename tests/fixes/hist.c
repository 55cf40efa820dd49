/* SPDX-License-Identifier: MIT
 *
 * Each group counts in local memory, and adds its counts to those of all groups. */
#include "program.h"

enum { LOCAL = 32, GROUPS = 2, BINS = 8 };

typedef struct {
    const uint32_t *in;
    uint32_t *bins;
} hist_args;

WEIR_KERNEL(hist, hist_args)
{
    uint32_t *h = weir_local_array(item, uint32_t, BINS);
    size_t l = weir_local_id(item, 0);
    if (l < BINS) {
        h[l] = 0;
    }
    weir_barrier(item, WEIR_LOCAL); /* zero */
    uint32_t bin = args->in[weir_global_id(item, 0)];
    weir_atomic_fetch_add_explicit(&h[bin], 1, memory_order_relaxed,
                                   memory_scope_work_group);
    weir_barrier(item, WEIR_LOCAL); /* counted */
    if (l < BINS) {
        weir_atomic_fetch_add_explicit(&args->bins[l], h[l], memory_order_relaxed,
                                       memory_scope_device);
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *in = weir_new(device, uint32_t, GROUPS * LOCAL, "in");
    uint32_t *bins = weir_new(device, uint32_t, BINS, "bins");
    uint32_t want[BINS] = { 0 };
    for (uint32_t i = 0; i < GROUPS * LOCAL; i++) {
        in[i] = i * i % 7 % BINS;
        want[in[i]]++;
    }
    memset(bins, 0, BINS * sizeof *bins);
    LAUNCH(device, hist, weir_nd_range_1d(GROUPS * LOCAL, LOCAL),
           &(hist_args){ in, bins });
    return memcmp(bins, want, sizeof want) != 0;
}
