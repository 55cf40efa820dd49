/* SPDX-License-Identifier: MIT
 *
 * contend-weir.c: launches of kernels in C, for contend-run.c. */
#include "contend-machine.h"

#include <weir-kernel.h>
#include <weir.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct weir_device *device;

void contend_open(const char *source)
{
    (void)source;
    GError *error = NULL;
    device = weir_device_new("default", &error);
    if (device == NULL) {
        printf("%s\n", error->message);
        exit(2);
    }
}

bool contend_is_stackless(const struct contend_case *c)
{
    return c->kernel->stackless != NULL;
}

bool contend_launch(const struct contend_case *c, const struct contend_shape *shape,
                    bool stackful, const uint32_t *in, struct contend_part *parts)
{
    struct contend_part here[C_PARTS];
    uint32_t *in_here = weir_new(device, uint32_t, C_IN, "in");
    memcpy(in_here, in, C_IN * sizeof(*in));
    for (size_t i = 0; i < C_PARTS; i++) {
        here[i] = parts[i];
        here[i].memory = parts[i].element == 8
            ? (void *)weir_new(device, int64_t, parts[i].n, parts[i].name)
            : (void *)weir_new(device, int32_t, parts[i].n, parts[i].name);
        memcpy(here[i].memory, parts[i].memory, parts[i].n * parts[i].element);
    }
    struct contend_args args = contend_args_of(in_here, here);
    size_t items = (size_t)shape->local * shape->groups;
    struct weir_nd_range range
        = { .dim = 1, .global = { items, 1, 1 }, .local = { shape->local, 1, 1 } };
    struct weir_launch_options options = WEIR_LAUNCH_OPTIONS;
    options.stackful = stackful;
    options.workers = shape->workers;
    struct weir_report *report = NULL;
    GError *error = NULL;
    if (!weir_launch_with(device, c->kernel, range, &args, &options, &report, &error)) {
        printf("%s: %s\n", c->name, error->message);
        exit(2);
    }
    bool clean = weir_report_n_findings(report) == 0;
    if (!clean) {
        char *text = weir_report_to_text(report);
        printf("%s: %u groups of %u: findings: %s\n", c->name, shape->groups,
               shape->local, text);
        free(text);
    }
    weir_report_free(report);
    weir_free(device, in_here);
    for (size_t i = 0; i < C_PARTS; i++) {
        memcpy(parts[i].memory, here[i].memory, parts[i].n * parts[i].element);
        weir_free(device, here[i].memory);
    }
    return clean;
}
