/* SPDX-License-Identifier: MIT
 *
 * 05_divergence.c: a barrier in each arm of a branch.
 *
 * Both arms call weir_barrier(), so it looks as if all items met. They do not: two
 * calls are two barriers. Five items wait at the first for the other three, and
 * three at the second for the other five. A GPU may hang there, or go on as if
 * nothing were wrong and fail later.
 *
 * Weir reports which items wait at which barrier. The second kernel has the fix: one
 * barrier before the branch, which every item reaches. It has no findings.
 *
 * A launch with a schedule is deterministic: its report is the same every time. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8, FEW = 5 };

typedef struct {
    int32_t *out; /* ITEMS of them */
} swap_args;

/* expect: different barrier */
WEIR_KERNEL(both_arms, swap_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, ITEMS);
    shared[i] = (int32_t)i;
    weir_barrier(item, WEIR_LOCAL);
    int32_t other = shared[ITEMS - 1 - i];
    if (i < FEW) {
        weir_barrier(item, WEIR_LOCAL);
        shared[i] = other;
    } else {
        weir_barrier(item, WEIR_LOCAL);
        shared[i] = -other;
    }
    args->out[i] = shared[i];
}

WEIR_KERNEL(one_barrier, swap_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, ITEMS);
    shared[i] = (int32_t)i;
    weir_barrier(item, WEIR_LOCAL);
    int32_t other = shared[ITEMS - 1 - i];
    weir_barrier(item, WEIR_LOCAL); /* all have read: now they may write */
    shared[i] = i < FEW ? other : -other;
    args->out[i] = shared[i];
}

static void run(struct weir_device *device, const struct weir_kernel *kernel,
                const swap_args *args)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    GError *error = NULL;
    struct weir_report *report = NULL;
    if (!weir_launch_with(device, kernel, weir_nd_range_1d(ITEMS, ITEMS), args,
                          &options, &report, &error)) {
        fprintf(stderr, "%s\n", error->message); /* wrong input or environment */
        exit(EXIT_FAILURE);
    }
    char *text = weir_report_to_text(report); /* "" where there is no finding */
    printf("findings: %zu\n%s", weir_report_n_findings(report), text);
    g_free(text);
    weir_report_free(report);
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    swap_args args = { weir_new(device, int32_t, ITEMS, "out") };
    printf("A barrier in each arm, ");
    run(device, &both_arms, &args);
    printf("\nOne barrier, before the branch, ");
    run(device, &one_barrier, &args);
    printf("out:");
    for (int i = 0; i < ITEMS; i++) {
        printf(" %d", args.out[i]);
    }
    printf("\n");
    weir_device_free(device);
    return EXIT_SUCCESS;
}
