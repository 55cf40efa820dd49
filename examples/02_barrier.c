/* SPDX-License-Identifier: MIT
 *
 * 02_barrier.c: the items of a group wait for each other.
 *
 * Eight items add up eight numbers in three steps: four items add a pair each,
 * then two, then one. An item of one step reads what another item wrote in the
 * step before, so no item may start a step before all have finished the last one.
 * weir_barrier() sees to that: it holds each item until all items of its group
 * have reached it. After it, every item sees what the others wrote before it.
 *
 * Every item must reach every barrier. So the barrier stands outside the `if`: an
 * item that has nothing to add reaches it, too. Inside the `if`, the items that
 * add would wait for items that never arrive. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 8, STEPS = 3 };

typedef struct {
    int32_t *values;           /* ITEMS of them; values[0] becomes the sum */
    int32_t (*history)[ITEMS]; /* values after each step, to be printed */
} tree_args;

WEIR_KERNEL(tree, tree_args)
{
    size_t i = weir_local_id(item, 0);
    size_t step = 0;
    for (size_t stride = ITEMS / 2; stride > 0; stride /= 2) {
        if (i < stride) {
            args->values[i] += args->values[i + stride];
        }
        weir_barrier(item, WEIR_GLOBAL); /* the values are in global memory */
        args->history[step++][i] = args->values[i];
    }
}

static void print(const char *title, const int32_t values[ITEMS])
{
    printf("%-12s", title);
    for (int i = 0; i < ITEMS; i++) {
        printf(" %3d", values[i]);
    }
    printf("\n");
}

int main(void)
{
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    int32_t *values = weir_new(device, int32_t, ITEMS, "values");
    int32_t(*history)[ITEMS]
        = (void *)weir_new(device, int32_t, STEPS * ITEMS, "history");
    for (int i = 0; i < ITEMS; i++) {
        values[i] = i + 1;
    }
    print("at first", values);
    if (!weir_launch(device, &tree, weir_nd_range_1d(ITEMS, ITEMS),
                     &(tree_args){ values, history }, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return EXIT_FAILURE;
    }
    print("4 items add", history[0]);
    print("2 items add", history[1]);
    print("1 item adds", history[2]);
    printf("sum: %d\n", values[0]);
    weir_device_free(device); /* frees the memory of the device too */
    return EXIT_SUCCESS;
}
