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
