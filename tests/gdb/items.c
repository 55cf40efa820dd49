/* SPDX-License-Identifier: MIT
 *
 * items.c KERNEL WORKERS [SCHEDULE]: what tests/gdb.sh looks at under gdb. Each kernel
 * brings the items of a group into states that differ; the script stops at lines by
 * their marks. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 8, GROUPS = 2 };

typedef struct {
    int32_t *out;
} items_args;

static __attribute__((noinline)) void pause_here(void)
{
    __asm__ volatile("" : : : "memory"); /* a call that stays one */
}

/* A barrier that is not in the kernel itself: an item that waits has two frames. */
static __attribute__((noinline)) int32_t meet_in_helper(struct weir_item *item,
                                                        int32_t mine)
{
    int32_t in_helper = mine * 2;
    weir_barrier(item, WEIR_GLOBAL); /* mark: helper barrier */
    return in_helper;
}

WEIR_KERNEL(stages, items_args)
{
    int32_t id = (int32_t)weir_local_linear_id(item);
    int32_t secret = 100 + id;
    int32_t twice = meet_in_helper(item, secret); /* mark: calls helper */
    pause_here();                                 /* mark: between */
    secret += twice;
    weir_barrier(item, WEIR_GLOBAL);                   /* mark: second barrier */
    int32_t sum = weir_group_reduce_add(item, secret); /* mark: collective */
    args->out[weir_global_linear_id(item)] = sum + id; /* mark: result */
}

/* Items 6 and 7 return, 0 to 2 wait at one barrier and 3 to 5 at another. */
WEIR_KERNEL(divergent, items_args)
{
    int32_t id = (int32_t)weir_local_linear_id(item);
    if (id >= 6) {
        return; /* mark: leaves */
    }
    if (id < 3) {
        weir_barrier(item, WEIR_LOCAL); /* mark: some */
    } else {
        weir_barrier(item, WEIR_LOCAL); /* mark: others */
    }
    args->out[id] = id;
}

WEIR_KERNEL(plain, items_args)
{
    size_t i = weir_global_linear_id(item);
    args->out[i] = (int32_t)i * 3; /* mark: plain */
}

WEIR_KERNEL(sub_groups, items_args)
{
    int32_t id = (int32_t)weir_local_linear_id(item);
    weir_sub_group_barrier(item); /* mark: sub-group */
    args->out[id] = id;
}

WEIR_GROUP_KERNEL(in_loops, items_args)
{
    weir_for_each_item(item, group) {
        int32_t id = (int32_t)weir_local_linear_id(item);
        args->out[id] = id; /* mark: loop */
    }
}

/* A thread that is not a worker. */
static void *stand_by(void *data)
{
    for (;;) {
        g_usleep(G_USEC_PER_SEC);
    }
    return data;
}

int main(int argc, char **argv)
{
    g_thread_unref(g_thread_new("bystander", stand_by, NULL));
    const struct weir_kernel *const kernels[]
        = { &stages, &divergent, &plain, &sub_groups, &in_loops };
    const struct weir_kernel *kernel = NULL;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        if (argc > 1 && strcmp(argv[1], kernels[i]->name) == 0) {
            kernel = kernels[i];
        }
    }
    GError *error = NULL;
    struct weir_device *device = weir_device_new("default", &error);
    if (device == NULL || kernel == NULL) {
        fprintf(stderr, "%s\n", error != NULL ? error->message : "no such kernel");
        return 2;
    }
    int32_t *out = weir_new(device, int32_t, ITEMS * GROUPS, "out");
    memset(out, 0, ITEMS * GROUPS * sizeof *out);
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.workers = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    options.schedule = argc > 3 ? argv[3] : NULL;
    items_args args = { out };
    struct weir_report *report = NULL;
    if (!weir_launch_with(device, kernel, weir_nd_range_1d(ITEMS * GROUPS, ITEMS),
                          &args, &options, &report, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return 2;
    }
    for (int i = 0; i < ITEMS * GROUPS; i++) {
        printf(i == 0 ? "%d" : " %d", out[i]);
    }
    printf("\n");
    int status = weir_report_n_findings(report) == 0 ? 0 : 1;
    weir_report_free(report);
    weir_device_free(device);
    return status;
}
