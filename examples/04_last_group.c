/* SPDX-License-Identifier: MIT
 *
 * 04_last_group.c: a sum over all groups in one launch.
 *
 * Groups run in any order, some at once, some long after others, so there is no
 * barrier between groups. The group that happens to finish last adds up the sums
 * of all groups. Each group stores its sum, then adds one to a counter; the group
 * that gets back (number of groups - 1) is the last one.
 *
 * The counter shows that the other groups have counted. It need not show that they
 * have stored their sums, which are other memory: a relaxed counter does not. An
 * acq_rel counter does: its release half orders each store before the count, and
 * its acquire half orders the last group's reads after all counts. The scope is
 * device, since the items are in different groups. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000, GROUP = 64, GROUPS = (N + GROUP - 1) / GROUP };

typedef struct {
    const int32_t *in; /* N of them */
    int32_t *partial;  /* GROUPS of them */
    int32_t *count;    /* groups that have stored their sum; 0 before the launch */
    int32_t *sum;
} sum_args;

WEIR_KERNEL(sum, sum_args)
{
    size_t i = weir_global_id(item, 0);
    int32_t mine = i < N ? args->in[i] : 0; /* the last group may reach past the end */
    int32_t of_group = weir_group_reduce_add(item, mine);

    if (weir_local_id(item, 0) != 0) {
        return; /* one item goes on for the group; no barrier follows */
    }
    args->partial[weir_group_id(item, 0)] = of_group;
    int32_t before = weir_atomic_fetch_add(
        weir_atomic_ref(args->count, memory_order_acq_rel, memory_scope_device), 1);
    if (before == GROUPS - 1) {
        int32_t total = 0;
        for (int g = 0; g < GROUPS; g++) {
            total += args->partial[g];
        }
        *args->sum = total;
    }
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int32_t *in = weir_new(device, int32_t, N, "in");
    int32_t *partial = weir_new(device, int32_t, GROUPS, "partial");
    int32_t *count = weir_new(device, int32_t, 1, "count");
    int32_t *result = weir_new(device, int32_t, 1, "sum");
    for (int i = 0; i < N; i++) {
        in[i] = i + 1;
    }
    *count = 0;
    if (!weir_launch(device, &sum, weir_nd_range_1d(GROUPS * GROUP, GROUP),
                     &(sum_args){ in, partial, count, result }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    printf("1 + 2 + ... + %d = %d, added by the last of %d groups\n", N, *result,
           GROUPS);
    weir_device_free(device);
    return EXIT_SUCCESS;
}
