/* SPDX-License-Identifier: MIT
 *
 * scope.c: which threads of a test are in a scope. */
#include "config.h"

#include "litmus/litmus.h"

#include "model/program.h"

bool weiri_litmus_in_scope(const struct weiri_litmus *test, memory_scope scope,
                           uint32_t thread, uint32_t other)
{
    const struct weiri_litmus_thread *one = &test->threads[thread];
    const struct weiri_litmus_thread *two = &test->threads[other];
    bool in_device = one->device == two->device;
    bool in_cluster = in_device && one->cluster == two->cluster;
    bool in_group = in_cluster && test->placed && one->group == two->group;
    if (thread == other) {
        return true;
    }
    switch ((int)scope) {
    case memory_scope_work_item:
        return false;
    case memory_scope_sub_group: /* except for Vulkan, each thread is one of its own */
        return in_group && test->form == WEIRI_LITMUS_VULKAN
            && one->sub_group == two->sub_group;
    case memory_scope_work_group:
        return in_group;
    case WEIRI_SCOPE_CLUSTER:
        return in_cluster;
    case memory_scope_device:
        return in_device;
    default:
        break;
    }
    return true;
}
