/* SPDX-License-Identifier: MIT
 *
 * vulkan.c: the model of Vulkan, with availability and visibility chains.
 *
 * A read comes before a write only if location order put the write after the one which
 * is read, and the read after that one, too. The published tests have it so: an
 * execution with a race may then read what location order replaced. `vulkan-prose` does
 * without the second condition.
 *
 * Follows: Vulkan 1.4, appendix "Memory Model";
 * Dat3M, cat/vulkan.cat, for that condition. */
#include "config.h"

#include "model/vulkan-steps.h"

static void derive(struct weiri_facts *f)
{
    const struct weiri_vulkan_rules rules = { .chains = true, .from_ordered = true };
    weiri_vulkan_derive(f, &rules);
}

const struct weiri_model weiri_model_vulkan
    = { .name = "vulkan",
        .summary = "Vulkan, as its tests have it",
        WEIRI_VULKAN_MODEL,
        .derive = derive };
