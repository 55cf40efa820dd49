/* SPDX-License-Identifier: MIT
 *
 * vulkan-prose.c: `vulkan` as the prose of the specification has it.
 *
 * A read comes before each write that location order puts after the write which it
 * reads. Executions with races differ from those of `vulkan`; others do not.
 *
 * Follows: Vulkan 1.4, appendix "Memory Model". */
#include "config.h"

#include "model/vulkan-steps.h"

static void derive(struct weiri_facts *f)
{
    const struct weiri_vulkan_rules rules = { .chains = true };
    weiri_vulkan_derive(f, &rules);
}

const struct weiri_model weiri_model_vulkan_prose
    = { .name = "vulkan-prose",
        .summary = "Vulkan, as the prose of its specification has it",
        WEIRI_VULKAN_MODEL,
        .derive = derive };
