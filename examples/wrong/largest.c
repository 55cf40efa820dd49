/* SPDX-License-Identifier: MIT: a counter of all groups in the scope of one; see
 * docs/tutorial/05-scopes.md. */
#include <stdio.h>
#include <weir-kernel.h>
#include <weir.h>

enum { GROUP = 8, GROUPS = 4 };

typedef struct {
    const int32_t *in; /* one an item */
    int32_t *best;     /* one a group */
    int32_t *arrived;  /* groups; 0 at first */
    int32_t *out;
} largest_args;

WEIR_KERNEL(largest, largest_args)
{
    size_t i = weir_global_id(item, 0), group = weir_group_id(item, 0);
    int32_t best = weir_group_reduce_max(item, args->in[i]);
    if (weir_local_id(item, 0) != 0) {
        return;
    }
    struct weir_atomic_i32 arrived
        = weir_atomic_ref(args->arrived, memory_order_acq_rel, memory_scope_work_group);
    args->best[group] = best;
    int32_t before = weir_atomic_fetch_add(arrived, 1);
    if (before == GROUPS - 1) {
        for (size_t g = 0; g < GROUPS; g++) {
            best = best > args->best[g] ? best : args->best[g];
        }
        *args->out = best;
    }
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    int32_t *in = weir_new(device, int32_t, GROUPS * GROUP, "in");
    largest_args args = { in, weir_new(device, int32_t, GROUPS, "best"),
                          weir_new(device, int32_t, 1, "arrived"),
                          weir_new(device, int32_t, 1, "out") };
    for (int i = 0; i < GROUPS * GROUP; i++) {
        in[i] = i * 7 % 31;
    }
    *args.arrived = 0;
    if (!weir_launch(device, &largest, weir_nd_range_1d(GROUPS * GROUP, GROUP), &args,
                     &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    printf("the largest is %d\n", *args.out);
    weir_device_free(device);
    return 0;
}
