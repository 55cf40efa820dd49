/* SPDX-License-Identifier: MIT
 *
 * vulkan-nochains.c: `vulkan` for a device without the feature
 * vulkanMemoryModelAvailabilityVisibilityChains.
 *
 * Only an operation of a domain makes a write available to it, or visible: narrower
 * ones before it do not help.
 *
 * Follows: Vulkan 1.4, appendix "Memory Model". */
#include "config.h"

#include "model/vulkan-steps.h"

static void derive(struct weiri_facts *f)
{
    const struct weiri_vulkan_rules rules = { .from_ordered = true };
    weiri_vulkan_derive(f, &rules);
}

const struct weiri_model weiri_model_vulkan_nochains
    = { .name = "vulkan-nochains",
        .summary = "vulkan, without availability and visibility chains",
        WEIRI_VULKAN_MODEL,
        .derive = derive };
