/* SPDX-License-Identifier: MIT
 *
 * 07_race.c: a barrier that is not there.
 *
 * Each item writes its own element of local memory and reads its neighbour's. The first
 * kernel has no barrier between the two, so it is chance whether an item reads before
 * its neighbour has written. On most machines the result is correct most of the time.
 * Under Weir's in-order schedule it is always wrong, but the finding does not depend on
 * the result: it says that nothing orders the two accesses.
 *
 * The second kernel has a barrier for the wrong memory: it orders global memory, but
 * the array is in local memory. The third kernel is correct.
 *
 * The source needs no annotations: `weir-cc` instruments every access to memory, as do
 * the flags that `pkg-config --variable=instrument_cflags weir` prints. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8 };

typedef struct {
    int32_t *out; /* ITEMS of them */
} turn_args;

/* expect: data-race */
WEIR_KERNEL(no_barrier, turn_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, ITEMS);
    shared[i] = (int32_t)i;
    args->out[i] = shared[(i + 1) % ITEMS];
}

/* expect: data-race */
WEIR_KERNEL(wrong_memory, turn_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, ITEMS);
    shared[i] = (int32_t)i;
    weir_barrier(item, WEIR_GLOBAL);
    args->out[i] = shared[(i + 1) % ITEMS];
}

WEIR_KERNEL(right, turn_args)
{
    size_t i = weir_local_id(item, 0);
    int32_t *shared = weir_local_array(item, int32_t, ITEMS);
    shared[i] = (int32_t)i;
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = shared[(i + 1) % ITEMS];
}

static void run(struct weir_device *device, const struct weir_kernel *kernel,
                const turn_args *args)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    options.check = true;
    GError *error = NULL;
    struct weir_report *report = NULL;
    if (!weir_launch_with(device, kernel, weir_nd_range_1d(ITEMS, ITEMS), args,
                          &options, &report, &error)) {
        fprintf(stderr, "%s\n", error->message); /* wrong input or environment */
        exit(EXIT_FAILURE);
    }
    char *text = weir_report_to_text(report); /* "" where there is no finding */
    printf("%s: findings: %zu\n%s\n", kernel->name, weir_report_n_findings(report),
           text);
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
    turn_args args = { weir_new(device, int32_t, ITEMS, "out") };
    run(device, &no_barrier, &args);
    run(device, &wrong_memory, &args);
    run(device, &right, &args);
    printf("out:");
    for (int i = 0; i < ITEMS; i++) {
        printf(" %d", args.out[i]);
    }
    printf("\n");
    weir_device_free(device);
    return EXIT_SUCCESS;
}
