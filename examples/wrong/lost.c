/* SPDX-License-Identifier: MIT: a count that loses updates; see README.md. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int32_t *count;
} count_args;

WEIR_KERNEL(count_up, count_args)
{
    struct weir_atomic_i32 count
        = weir_atomic_ref(args->count, memory_order_relaxed, memory_scope_work_group);
    int32_t before = weir_atomic_load(count);
    weir_atomic_store(count, before + 1);
    weir_barrier(item, WEIR_GLOBAL);
    weir_assert(item, *args->count == 8);
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *count = weir_new(device, int32_t, 1, "count");
    *count = 0;
    if (!weir_launch(device, &count_up, weir_nd_range_1d(8, 8), &(count_args){ count },
                     &error)) {
        return 1;
    }
    weir_device_free(device);
    return 0;
}
