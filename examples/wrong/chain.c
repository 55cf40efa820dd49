/* SPDX-License-Identifier: MIT: each group waits for the next one, or for the one
 * before; see docs/tutorial/10-progress.md, which has what a GPU made of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int32_t *flag; /* one a group; 0 at first */
    bool later;    /* whether a group waits for the next one */
} chain_args;

WEIR_KERNEL(chain, chain_args)
{
    size_t g = weir_group_id(item, 0), groups = weir_num_groups(item, 0);
    if (g != (args->later ? groups - 1 : 0)) {
        int32_t *from = &args->flag[args->later ? g + 1 : g - 1];
        while (
            weir_atomic_load_explicit(from, memory_order_acquire, memory_scope_device)
            == 0) {}
    }
    weir_atomic_store_explicit(&args->flag[g], 1, memory_order_release,
                               memory_scope_device);
}

int main(int argc, char **argv)
{
    size_t groups = argc > 2 ? strtoul(argv[2], NULL, 10) : 16;
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    chain_args args = { weir_new(device, int32_t, groups, "flag"),
                        argc < 2 || strcmp(argv[1], "earlier") != 0 };
    memset(args.flag, 0, groups * sizeof(*args.flag));
    if (!weir_launch(device, &chain, weir_nd_range_1d(groups, 1), &args, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 1;
    }
    printf("%zu groups have passed the flag on\n", groups);
    weir_device_free(device);
    return 0;
}
