/* SPDX-License-Identifier: MIT: items leave a loop when another one has found what they
 * look for; see docs/tutorial/more-divergence.md. */
#include <stdio.h>
#include <string.h>
#include <weir-kernel.h>
#include <weir.h>

enum { GROUP = 8, N = 64 };

typedef struct {
    int32_t *in; /* N of them, of which one is 1 */
    int32_t *found;
} search_args;

WEIR_KERNEL(search, search_args)
{
    struct weir_atomic_i32 found
        = weir_atomic_ref(args->found, memory_order_relaxed, memory_scope_work_group);
    for (size_t i = weir_local_id(item, 0); i < N; i += GROUP) {
        if (weir_atomic_load(found)) {
            break; /* another item has it */
        }
        if (args->in[i] == 1) {
            weir_atomic_store(found, 1);
        }
        weir_barrier(item, WEIR_GLOBAL);
    }
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    search_args args
        = { weir_new(device, int32_t, N, "in"), weir_new(device, int32_t, 1, "found") };
    memset(args.in, 0, N * sizeof(*args.in));
    args.in[31] = 1;
    *args.found = 0;
    if (!weir_launch(device, &search, weir_nd_range_1d(GROUP, GROUP), &args, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    weir_device_free(device);
    return 0;
}
