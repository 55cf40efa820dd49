/* SPDX-License-Identifier: MIT
 *
 * race-reason.c: see race-reason.h. The reason is what comes nearest to an order
 * between the two accesses: two atomics whose scopes exclude each other; a read of what
 * the other item wrote, with a memory order, a scope or an address space that is too
 * weak; a barrier with other flags; or nothing at all. */
#include "config.h"

#include "watch/race-reason.h"

#include "exec/finding.h"
#include "exec/names.h"

static char *item_text(const struct weiri_pair_context *context, uint64_t group,
                       uint32_t item, uint64_t beside)
{
    if (group == beside) {
        return g_strdup_printf("item %u", item);
    }
    struct weiri_shape shape = context->shape;
    weiri_group_place(&shape, group);
    g_autofree char *at = weiri_coordinates(shape.group);
    return g_strdup_printf("item %u of group %s", item, at);
}

static char *where_text(const struct weiri_place *place)
{
    return place->site == NULL
        ? g_strdup("")
        : g_strdup_printf(" (%s:%u)", place->site->file, place->site->line);
}

static const char *operation_text(const struct weiri_place *place)
{
    static const char *const names[] = {
#define X(name, text) [WEIRI_ATOMIC_##name] = text,
        WEIRI_ATOMICS(X)
#undef X
    };
    return names[weiri_place_kind(place)];
}

static bool acquires(const struct weiri_place *place)
{
    memory_order order = weiri_place_order(place);
    return order != memory_order_relaxed && order != memory_order_release;
}

static bool releases(const struct weiri_place *place)
{
    memory_order order = weiri_place_order(place);
    return order == memory_order_release || order == memory_order_acq_rel
        || order == memory_order_seq_cst;
}

/* ---- Scopes ---------------------------------------------------------------------- */

/* Whether the scopes of two items include each other. */
static bool includes(const struct weiri_pair_context *context, uint64_t group_a,
                     uint32_t item_a, memory_scope scope_a, uint64_t group_b,
                     uint32_t item_b, memory_scope scope_b)
{
    memory_scope both = MIN(scope_a, scope_b);
    bool sub_group = item_a >> context->shape.sub_group_shift
        == item_b >> context->shape.sub_group_shift;
    return both >= memory_scope_device
        || (group_a == group_b
            && (both == memory_scope_work_group
                || (both == memory_scope_sub_group && sub_group)));
}

/* The narrowest scope that both items of a pair share. */
static const char *common_scope(const struct weiri_pair_context *context,
                                const struct weiri_race_pair *pair)
{
    const struct weiri_race_access *a = &pair->first, *b = &pair->second;
    return a->group != b->group ? "device"
        : includes(context, a->group, a->item, memory_scope_sub_group, b->group,
                   b->item, memory_scope_sub_group)
        ? "sub_group"
        : "work_group";
}

/* Two atomics whose scopes do not include each other. */
static void explain_atomics(const struct weiri_pair_context *context,
                            const struct weiri_race_pair *pair, char **why, char **fix)
{
    const struct weiri_race_access *narrow = &pair->first, *other = &pair->second;
    *fix
        = g_strdup_printf("give both operations scope %s", common_scope(context, pair));
    if (includes(context, narrow->group, narrow->item, narrow->scope, other->group,
                 other->item, other->scope)) {
        *why = g_strdup_printf("their scopes %s and %s differ, and under the rule "
                               "'same' neither includes the other",
                               weiri_scope_name(narrow->scope),
                               weiri_scope_name(other->scope));
        return;
    }
    if (narrow->scope > other->scope) {
        narrow = &pair->second;
        other = &pair->first;
    }
    g_autofree char *item
        = item_text(context, other->group, other->item, narrow->group);
    *why = g_strdup_printf("scope %s of item %u's operation does not include %s",
                           weiri_scope_name(narrow->scope), narrow->item, item);
}

/* ---- A read that made no order - ---------------------------------------------- */

/* "item 0's atomic load (a.c:7) read what item 1's atomic store (a.c:5) wrote" */
static char *reading_text(const struct weiri_pair_context *context,
                          const struct weiri_explained_pair *pair)
{
    const struct weiri_reading *reading = &pair->reading;
    const struct weiri_place *read = weiri_pair_place(context, reading->place);
    const struct weiri_place *write = weiri_pair_place(context, reading->writer_place);
    uint64_t group = pair->public.second.group;
    bool one_group
        = pair->public.first.group == group && reading->writer_group == group;
    uint64_t beside = one_group ? group : UINT64_MAX;
    g_autofree char *reader = item_text(context, group, reading->item, beside);
    g_autofree char *writer
        = item_text(context, reading->writer_group, reading->writer_item, beside);
    g_autofree char *read_at = where_text(read), *write_at = where_text(write);
    return g_strdup_printf("%s's atomic %s%s read what %s's atomic %s%s wrote", reader,
                           operation_text(read), read_at, writer, operation_text(write),
                           write_at);
}

/* With wider scopes the read would have ordered the two. */
static void explain_narrow(const struct weiri_pair_context *context,
                           const struct weiri_explained_pair *pair, char **why,
                           char **fix)
{
    const struct weiri_reading *reading = &pair->reading;
    const struct weiri_race_access *second = &pair->public.second;
    const struct weiri_place *read = weiri_pair_place(context, reading->place);
    const struct weiri_place *write = weiri_pair_place(context, reading->writer_place);
    memory_scope written = weiri_place_scope(write), got = weiri_place_scope(read);
    const char *common = common_scope(context, &pair->public);
    bool same_rule = context->rules.scope_rule == WEIR_SCOPE_RULE_SAME;
    g_autofree char *text = reading_text(context, pair);
    if (!includes(context, reading->writer_group, reading->writer_item, written,
                  second->group, reading->item, got)) {
        *why = g_strdup_printf("%s, but scope %s of the %s does not include the other "
                               "item",
                               text, weiri_scope_name(MIN(written, got)),
                               operation_text(got < written ? read : write));
        *fix = g_strdup_printf("give both of these operations, and the fences beside "
                               "them, scope %s",
                               common);
    } else if (same_rule && written != got) {
        *why = g_strdup_printf("%s, but their scopes %s and %s differ, and under the "
                               "rule 'same' they do not synchronise",
                               text, weiri_scope_name(written), weiri_scope_name(got));
        *fix = g_strdup_printf("give both of these operations scope %s", common);
    } else if (reading->by_fence) {
        *why = g_strdup_printf("%s, but scope %s of the acquire fence after it, or the "
                               "scope of the release on the other side, %s",
                               text, weiri_scope_name(reading->fence),
                               same_rule ? "is not that of the other end"
                                         : "does not include the other item");
        *fix = g_strdup_printf("give the fences on both sides scope %s", common);
    } else {
        *why = g_strdup_printf(
            "%s, but the scope of the release before it, which is a fence or the first "
            "write of the release sequence, %s",
            text, same_rule ? "differs" : "does not include the other item");
        *fix = g_strdup_printf("give that release scope %s", common);
    }
}

/* The write is no release, or the read is no acquire. */
static void explain_relaxed(const struct weiri_pair_context *context,
                            const struct weiri_explained_pair *pair, char **why,
                            char **fix)
{
    const struct weiri_reading *reading = &pair->reading;
    const struct weiri_place *read = weiri_pair_place(context, reading->place);
    const struct weiri_place *write = weiri_pair_place(context, reading->writer_place);
    g_autofree char *text = reading_text(context, pair);
    bool acquire = acquires(read), release = releases(write);
    *why = g_strdup_printf(
        "%s, but %s%s%s", text, release ? "" : "the write releases nothing",
        release || acquire ? "" : " and ", acquire ? "" : "the read acquires nothing");
    if (!release && !acquire && operation_text(read) == operation_text(write)) {
        *fix = g_strdup_printf("give the %s order acq_rel", operation_text(read));
        return;
    }
    *fix = g_strdup_printf(
        "%s%s%s",
        release ? ""
                : "give the write a release order, or put a release fence before it",
        release || acquire ? "" : "; ",
        acquire ? ""
                : "give the read an acquire order, or put an acquire fence after it");
}

/* The read made order, but not between these two accesses. */
static void explain_elsewhere(const struct weiri_pair_context *context,
                              const struct weiri_explained_pair *pair, char **why,
                              char **fix)
{
    g_autofree char *text = reading_text(context, pair);
    if (pair->reading.space != pair->space
        && context->rules.spaces == WEIR_SPACES_OPENCL) {
        *why = g_strdup_printf(
            "%s, but that lies in %s memory, and with the address spaces of OpenCL it "
            "does not order %s memory",
            text, pair->reading.space == WEIRI_LOCALLY ? "local" : "global",
            pair->space == WEIRI_LOCALLY ? "local" : "global");
        *fix = g_strdup("put a fence of WEIR_LOCAL | WEIR_GLOBAL before the write, and "
                        "another after the read");
        return;
    }
    *why
        = g_strdup_printf("%s, but that does not lie between these two accesses", text);
    *fix = g_strdup("put the first access before the release, and the second after "
                    "the acquire");
}

/* ---- No read -------------------------------------------------------------------- */

/* Whether both accesses are on one line, where no barrier fits between them. */
static bool is_one_place(const struct weiri_pair_context *context,
                         const struct weiri_explained_pair *pair)
{
    const void *first = pair->public.first.pc, *second = pair->public.second.pc;
    return pair->places[0] == pair->places[1]
        || (context->place_of != NULL && first != NULL && second != NULL
            && context->place_of(first) == context->place_of(second));
}

static void explain_in_group(const struct weiri_pair_context *context,
                             const struct weiri_explained_pair *pair, bool hierarchical,
                             char **why, char **fix)
{
    const char *space = pair->space == WEIRI_LOCALLY ? "local" : "global";
    const char *flag = pair->space == WEIRI_LOCALLY ? "WEIR_LOCAL" : "WEIR_GLOBAL";
    if (hierarchical) {
        *why = g_strdup("nothing orders the items of one weir_for_each_item loop");
        *fix = g_strdup("end the loop between the two, and begin another "
                        "weir_for_each_item");
    } else if (pair->unsuited != NULL) {
        *why = g_strdup_printf("the barrier at %s:%u does not order %s memory",
                               pair->unsuited->file, pair->unsuited->line, space);
        *fix = g_strdup_printf("add %s to its flags", flag);
    } else {
        *why = g_strdup("no barrier of the group lies between the two");
        *fix = is_one_place(context, pair)
            ? g_strdup("let one item do it, or make it atomic")
            : g_strdup_printf("weir_barrier(item, %s) between them", flag);
    }
}

/* Whether the read was meant to order the two accesses. */
static bool was_to_order(const struct weiri_explained_pair *pair, bool relaxed)
{
    bool apart = pair->public.first.group != pair->public.second.group;
    return pair->reading.place != 0 && (pair->of_first || (relaxed && apart));
}

static void replace(char **text, char *by)
{
    g_free(*text);
    *text = by;
}

/* What programmers take for atomic that is not: volatile, and x++. */
static void explain_plain(const struct weiri_pair_context *context,
                          const struct weiri_explained_pair *pair, bool loses,
                          char **why, char **fix)
{
    unsigned access = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(pair->places); i++) {
        const struct weiri_place *place = weiri_pair_place(context, pair->places[i]);
        access |= weiri_place_is_atomic(place) ? 0 : weiri_place_access(place);
    }
    const char *scope = common_scope(context, &pair->public);
    if (loses) {
        replace(why,
                g_strdup("two items read the old value, and what one of them "
                         "changes is lost"));
        replace(fix,
                g_strdup_printf("make it one atomic read-modify-write of scope %s, "
                                "such as weir_atomic_fetch_add_explicit()",
                                scope));
    }
    if ((access & WEIRI_ACCESS_BIT_VOLATILE) == 0) {
        return;
    }
    replace(why, g_strdup_printf("volatile does not make it atomic: %s", *why));
    if (!loses && pair->public.kind == WEIR_FINDING_DATA_RACE) {
        replace(fix,
                g_strdup_printf("make both accesses atomic, of scope %s: a store of "
                                "order release, a load of order acquire",
                                scope));
    }
}

void weiri_race_reason(const struct weiri_pair_context *context,
                       const struct weiri_explained_pair *pair,
                       const struct weir_kernel *kernel, bool loses, char **why,
                       char **fix)
{
    const struct weiri_race_pair *public = &pair->public;
    const struct weiri_reading *reading = &pair->reading;
    bool relaxed = reading->place != 0
        && (!acquires(weiri_pair_place(context, reading->place))
            || !releases(weiri_pair_place(context, reading->writer_place)));
    if (public->first.atomic && public->second.atomic) {
        explain_atomics(context, public, why, fix);
    } else if (reading->narrow) {
        explain_narrow(context, pair, why, fix);
    } else if (public->kind == WEIR_FINDING_SCOPE_RACE) {
        *why = g_strdup("what synchronises the two has a scope that does not include "
                        "both items");
        *fix = g_strdup_printf("give the release and the acquire between them scope "
                               "%s",
                               common_scope(context, public));
    } else if (was_to_order(pair, relaxed)) {
        (relaxed ? explain_relaxed : explain_elsewhere)(context, pair, why, fix);
    } else if (public->first.group == public->second.group) {
        explain_in_group(context, pair, kernel->hierarchical != 0, why, fix);
    } else {
        *why = g_strdup("the items are of different groups, which no barrier orders, "
                        "and nothing else synchronises them");
        *fix = g_strdup("make both accesses atomic at scope device, or put them into "
                        "two launches");
    }
    if (public->kind != WEIR_FINDING_SCOPE_RACE) {
        explain_plain(context, pair, loses, why, fix);
    }
    if (public->kind == WEIR_FINDING_MIXED_ATOMIC) {
        bool writes = (public->first.atomic ? &public->second : &public->first)->writes;
        bool barrier = g_str_has_prefix(*fix, "weir_barrier");
        char *plain = g_strdup_printf("make the plain %s atomic too%s%s",
                                      writes ? "write" : "read", barrier ? ", or " : "",
                                      barrier ? *fix : "");
        g_free(*fix);
        *fix = plain;
    }
}
