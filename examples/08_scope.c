/* SPDX-License-Identifier: MIT
 *
 * 08_scope.c: a message to another group, in a scope that is too narrow.
 *
 * Group 0 writes a number and sets a flag; group 1 waits for the flag and reads the
 * number. The orders, release and acquire, are correct. But the scope is work-group,
 * which orders items of one group only, and these two are in different groups. A GPU
 * may keep the number in a cache that group 1 does not see. In this run the result is
 * correct, and the kernel is wrong all the same.
 *
 * The finding names the scope and the group outside it. Device scope is correct.
 *
 * Waiting for another group is not portable either: that group must be running. Here it
 * is, because group 0 starts first. */
#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int32_t *data; /* one */
    int32_t *flag; /* one; 0 at first */
    int32_t *out;  /* one */
    memory_scope scope;
} message_args;

/* expect: scope-race, unless the scope is device */
WEIR_KERNEL(message, message_args)
{
    if (weir_group_id(item, 0) == 0) {
        *args->data = 42;
        weir_atomic_store_explicit(args->flag, 1, memory_order_release, args->scope);
    } else {
        while (weir_atomic_load_explicit(args->flag, memory_order_acquire, args->scope)
               == 0) {}
        *args->out = *args->data;
    }
}

static void run(struct weir_device *device, const message_args *args)
{
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.schedule = "in-order";
    options.check = true;
    GError *error = NULL;
    struct weir_report *report = NULL;
    *args->flag = *args->data = *args->out = 0;
    if (!weir_launch_with(device, &message, weir_nd_range_1d(2, 1), args, &options,
                          &report, &error)) {
        fprintf(stderr, "%s\n", error->message); /* wrong input or environment */
        exit(EXIT_FAILURE);
    }
    char *text = weir_report_to_text(report); /* "" where there is no finding */
    printf("out: %d, findings: %zu\n%s\n", *args->out, weir_report_n_findings(report),
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
    message_args args
        = { weir_new(device, int32_t, 1, "data"), weir_new(device, int32_t, 1, "flag"),
            weir_new(device, int32_t, 1, "out"), memory_scope_work_group };
    printf("Work-group scope: ");
    run(device, &args);
    args.scope = memory_scope_device;
    printf("Device scope: ");
    run(device, &args);
    weir_device_free(device);
    return EXIT_SUCCESS;
}
