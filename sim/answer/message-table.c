/* SPDX-License-Identifier: MIT
 *
 * message-table.c: why two accesses of a table of PTX or Vulkan are not ordered, where
 * that is not for want of synchronisation; see message.h. Clauses are tried in the
 * sequence in which an access meets them:
 *
 *     PTX      both are strong: scopes; causality leads from the one to the other:
 *              proxies and virtual addresses
 *     Vulkan   references; both are atomic: scopes; private accesses; one happens
 *              before the other: availability, then visibility
 *
 * The words are those of the two specifications. */
#include "config.h"

#include "answer/message-own.h"
#include "model/ptx-steps.h"
#include "model/vulkan-steps.h"

typedef struct weiri_execution_event happening;

static const happening *event_of(const struct weiri_messages *in, uint32_t event)
{
    return &in->facts->execution->events[event];
}

static bool is_in(const struct weiri_messages *in, unsigned own, uint32_t one,
                  uint32_t other)
{
    return weiri_relation_has(in->facts->algebra, in->facts->own[own], one, other);
}

static bool is_write(const struct weiri_messages *in, uint32_t event)
{
    return event_of(in, event)->kind == WEIRI_WRITES_MEMORY;
}

/* "write" or "read". */
static const char *noun_of(const struct weiri_messages *in, uint32_t event)
{
    return is_write(in, event) ? "write" : "read";
}

/* ---- PTX ------------------------------------------------------------------------- */

static const char *proxy_name(const struct weiri_messages *in, uint32_t access)
{
    static const char *const names[]
        = { [WEIRI_PROXY_GENERIC] = "generic", [WEIRI_PROXY_SURFACE] = "surface",
            [WEIRI_PROXY_TEXTURE] = "texture", [WEIRI_PROXY_CONSTANT] = "constant",
            [WEIRI_PROXY_ASYNC] = "async",     [WEIRI_PROXY_ALIAS] = "alias" };
    return names[event_of(in, access)->traits.proxy];
}

/* Returns: (transfer full) (nullable): several fences that the way from @one to @other
 * needs; %NULL if it needs one, or one of each CTA */
static char *why_not_in_order(const struct weiri_messages *in, uint32_t one,
                              uint32_t other)
{
    const happening *from = event_of(in, one), *to = event_of(in, other);
    bool aliases = from->traits.reference != to->traits.reference;
    bool before = from->traits.proxy != WEIRI_PROXY_GENERIC;
    bool after = to->traits.proxy != WEIRI_PROXY_GENERIC;
    if (before + aliases + after < 2
        || (!aliases && from->traits.proxy == to->traits.proxy)) {
        return NULL;
    }
    return g_strdup_printf(
        "causality order leads from line %s to line %s, but not through %s%s%s%s%s%s, "
        "in this order, those of a proxy in the CTA of its access",
        weiri_message_line_beside(in, one, other),
        weiri_message_line_beside(in, other, one), before ? "fence.proxy." : "",
        before ? proxy_name(in, one) : "",
        before && aliases && after ? ", "
            : before               ? " and "
                                   : "",
        aliases ? "fence.proxy.alias" : "",
        aliases && after ? " and fence.proxy."
            : after      ? "fence.proxy."
                         : "",
        after ? proxy_name(in, other) : "");
}

/* Returns: (transfer full): the fences that the way from @one to @other lacks */
static char *why_not_preserved(const struct weiri_messages *in, uint32_t one,
                               uint32_t other)
{
    const happening *from = event_of(in, one), *to = event_of(in, other);
    char *several = why_not_in_order(in, one, other);
    if (several != NULL) {
        return several;
    }
    if (from->traits.proxy != to->traits.proxy) {
        uint32_t special = from->traits.proxy != WEIRI_PROXY_GENERIC ? one : other;
        return g_strdup_printf(
            "causality order leads from line %s to line %s, but not for these proxies, "
            "%s and %s: there is no fence.proxy.%s in the CTA of the %s access, after "
            "the write and before the other access",
            weiri_message_line_beside(in, one, other),
            weiri_message_line_beside(in, other, one), proxy_name(in, one),
            proxy_name(in, other), proxy_name(in, special), proxy_name(in, special));
    }
    if (from->traits.reference != to->traits.reference) {
        return g_strdup_printf(
            "causality order leads from line %s to line %s, but they use two virtual "
            "addresses, and no fence.proxy.alias is between them",
            weiri_message_line_beside(in, one, other),
            weiri_message_line_beside(in, other, one));
    }
    return g_strdup_printf(
        "causality order leads from line %s to line %s, but they use the %s proxy in "
        "two CTAs: there is no fence.proxy.%s in the CTA of each, between the two",
        weiri_message_line_beside(in, one, other),
        weiri_message_line_beside(in, other, one), proxy_name(in, one),
        proxy_name(in, one));
}

static char *why_in_ptx(const struct weiri_messages *in, uint32_t one, uint32_t other)
{
    if (event_of(in, one)->atomic && event_of(in, other)->atomic) {
        g_autofree char *scopes = weiri_message_not_strong(in, one, other);
        return g_strdup_printf("both are strong, but %s", scopes);
    }
    if (is_in(in, WEIRI_PTX_BASE, one, other)) {
        return why_not_preserved(in, one, other);
    }
    return is_in(in, WEIRI_PTX_BASE, other, one) ? why_not_preserved(in, other, one)
                                                 : NULL;
}

/* ---- Vulkan ---------------------------------------------------------------------- */

/* The narrowest domain that has both threads. */
static unsigned domain_with(const struct weiri_messages *in, uint32_t one,
                            uint32_t other)
{
    unsigned d = 0;
    while (d + 1 < WEIRI_VULKAN_DOMAINS
           && !is_in(in, WEIRI_VULKAN_NEAR + d, one, other)) {
        d++;
    }
    return d;
}

/* Returns: (transfer full): what an access lacks to be nonprivate */
static char *why_private(const struct weiri_messages *in, uint32_t access)
{
    return g_strdup_printf(
        "the %s in line %s is private: give it nonpriv, or %s and a scope",
        noun_of(in, access), weiri_message_line(in, access),
        is_write(in, access) ? "av" : "vis");
}

/* Whether the relation leads from @one to an earlier event of @other's thread. */
static bool reaches(const struct weiri_messages *in, unsigned own, uint32_t one,
                    uint32_t other)
{
    for (uint32_t e = in->facts->execution->first[event_of(in, other)->thread];
         e < other; e++) {
        if (is_in(in, own, one, e)) {
            return true;
        }
    }
    return false;
}

/* @one happens before @other, and one of them is a write. Returns: (transfer full): why
 * location order does not order them */
static char *why_not_located(const struct weiri_messages *in, uint32_t one,
                             uint32_t other)
{
    static const char *const domains[WEIRI_VULKAN_DOMAINS] = { "sg", "wg", "qf", "dv" };
    unsigned d = domain_with(in, one, other);
    if (!is_in(in, WEIRI_VULKAN_AVAILABLE + d, one, other)
        && !reaches(in, WEIRI_VULKAN_AVAILABLE + d, one, other)) {
        return g_strdup_printf(
            "line %s happens before line %s, but the write is not available at scope "
            "%s then: neither is it av.%s, nor does a release with semav of its "
            "storage class make it so",
            weiri_message_line_beside(in, one, other),
            weiri_message_line_beside(in, other, one), domains[d], domains[d]);
    }
    return g_strdup_printf(
        "line %s happens before line %s, and the write is available at scope %s, but "
        "not visible to the read there: neither is that vis.%s, nor does an acquire "
        "with semvis of its storage class make it so",
        weiri_message_line_beside(in, one, other),
        weiri_message_line_beside(in, other, one), domains[d], domains[d]);
}

static char *why_in_vulkan(const struct weiri_messages *in, uint32_t one,
                           uint32_t other)
{
    const uint32_t both[] = { one, other };
    bool same = is_in(in, WEIRI_VULKAN_REFERENCE, one, other);
    if (!same) {
        return g_strdup("they access the location by two references, which nothing "
                        "orders");
    }
    if (event_of(in, one)->atomic && event_of(in, other)->atomic) {
        g_autofree char *scopes = weiri_message_not_strong(in, one, other);
        return g_strdup_printf("both are atomic, but not mutually ordered: %s", scopes);
    }
    for (size_t i = 0; i < 2; i++) {
        if (!weiri_event_set_has(in->facts->kinds[WEIRI_VULKAN_NONPRIVATE], both[i])) {
            return why_private(in, both[i]);
        }
    }
    for (size_t i = 0; i < 2; i++) {
        if (is_in(in, WEIRI_VULKAN_HB, both[i], both[1 - i]) && is_write(in, both[i])) {
            return why_not_located(in, both[i], both[1 - i]);
        }
    }
    return NULL;
}

/* ---- A read, and the write that it reads ----------------------------------------- */

static char *link_in_ptx(const struct weiri_messages *in, uint32_t write, uint32_t read)
{
    bool weak[] = { !event_of(in, write)->atomic, !event_of(in, read)->atomic };
    if (is_in(in, WEIRI_PTX_MS, write, read)) {
        return g_strdup("the write and the read are morally strong");
    }
    if (is_in(in, WEIRI_PTX_CAUSE, write, read)) {
        return g_strdup("the write is before the read in causality order");
    }
    if (weak[0] || weak[1]) {
        return g_strdup_printf("they are not morally strong: %s",
                               weak[0] && weak[1] ? "both are weak"
                                   : weak[0]      ? "the write is weak"
                                                  : "the read is weak");
    }
    return weiri_message_not_strong(in, write, read);
}

static char *link_in_vulkan(const struct weiri_messages *in, uint32_t write,
                            uint32_t read)
{
    if (is_in(in, WEIRI_VULKAN_MUTORD, write, read)) {
        return g_strdup("the write and the read are mutually ordered");
    }
    if (event_of(in, write)->thread == event_of(in, read)->thread
        && is_in(in, WEIRI_VULKAN_LOCORD, write, read)) {
        return g_strdup("the write is before the read in location order");
    }
    if (is_in(in, WEIRI_VULKAN_LOCORD, write, read)) {
        return g_strdup("the write is available, and visible to the read");
    }
    return NULL;
}

char *weiri_message_table_link(const struct weiri_messages *in, uint32_t write,
                               uint32_t read)
{
    switch (in->model->form) {
    case WEIRI_FORM_PTX:
        return link_in_ptx(in, write, read);
    case WEIRI_FORM_VULKAN:
        return link_in_vulkan(in, write, read);
    default:
        return NULL;
    }
}

char *weiri_message_table(const struct weiri_messages *in, uint32_t one, uint32_t other)
{
    switch (in->model->form) {
    case WEIRI_FORM_PTX:
        return why_in_ptx(in, one, other);
    case WEIRI_FORM_VULKAN:
        return why_in_vulkan(in, one, other);
    default:
        return NULL;
    }
}
