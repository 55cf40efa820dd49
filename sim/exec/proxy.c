/* SPDX-License-Identifier: MIT
 *
 * proxy.c: actions in a kernel's name by code outside of the machine and without hooks:
 * the builtins of OpenCL for images. Kernels call such code, which states the place of
 * the call. The functions are declared in weir-machinery-shared.h. */
#include "config.h"

#include "exec/hooks.h"
#include "exec/item-finding.h"
#include "exec/worker.h"

void weiri_proxy_access(const volatile void *address, size_t bytes, bool writes,
                        const void *pc)
{
    if (weiri_self.watch != NULL) {
        weiri_access(
            address,
            weiri_access_what(bytes,
                              writes ? WEIRI_ACCESS_BIT_WRITE : WEIRI_ACCESS_BIT_READ),
            pc);
    }
}

static void add_finding(enum weir_finding_kind kind, const char *operation,
                        const char *text, const void *pc)
{
    struct weiri_worker *worker = weiri_self.worker;
    struct weiri_group *group = worker->group;
    const struct weir_kernel *kernel = worker->launch->kernel;
    const size_t *at = group->public.shape.group;
    worker->inside++;
    if (!weiri_report_again(worker->launch->report, kind, NULL, pc,
                            group->public.shape.group_linear)) {
        weiri_item_finding_add(
            worker, kind, NULL, pc, WEIR_STATE_RUNNING,
            (uint32_t)(size_t)group->public.at, operation,
            g_strdup_printf("%s in kernel '%s', group (%zu,%zu,%zu): %s", operation,
                            kernel->name, at[0], at[1], at[2], text));
    }
    worker->inside--;
}

void weiri_proxy_outside(const char *operation, const char *text, const void *pc)
{
    add_finding(WEIR_FINDING_OUT_OF_BOUNDS, operation, text, pc);
}

void weiri_proxy_unsupported(const char *operation, const char *text, const void *pc)
{
    add_finding(WEIR_FINDING_UNSUPPORTED, operation, text, pc);
}
