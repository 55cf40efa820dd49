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
        .form = WEIRI_FORM_VULKAN,
        .buffers = true,
        .thin_air = true,
        .open_if_racy = true,
        .scopes = WEIRI_SCOPES_MUTUAL,
        .n_choices = 1,
        .n_axioms = WEIRI_VULKAN_AXIOMS,
        .axioms = weiri_vulkan_axioms,
        .pairs = weiri_vulkan_pairs,
        .begin = weiri_vulkan_begin,
        .derive = derive,
        .race = weiri_vulkan_race };
