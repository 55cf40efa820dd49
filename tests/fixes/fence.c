/* SPDX-License-Identifier: MIT
 *
 * A message from group 0 to group 1, whose order two fences make. */
#include "program.h"

typedef struct {
    uint32_t *box, *flag, *out;
} fence_args;

WEIR_KERNEL(fence, fence_args)
{
    if (weir_group_id(item, 0) == 0) {
        *args->box = 7;
        weir_atomic_fence(memory_order_release, memory_scope_device);
        weir_atomic_store_explicit(args->flag, 1, memory_order_relaxed,
                                   memory_scope_device);
    } else {
        while (weir_atomic_load_explicit(args->flag, memory_order_relaxed,
                                         memory_scope_device)
               == 0) {}
        weir_atomic_fence(memory_order_acquire, memory_scope_device);
        *args->out = *args->box;
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *box = weir_new(device, uint32_t, 1, "box");
    uint32_t *flag = weir_new(device, uint32_t, 1, "flag");
    uint32_t *out = weir_new(device, uint32_t, 1, "out");
    *flag = 0;
    LAUNCH(device, fence, weir_nd_range_1d(2, 1), &(fence_args){ box, flag, out });
    return *out != 7;
}
