/* SPDX-License-Identifier: MIT
 *
 * race-reason.c: see race-reason.h. The reason names the thing that comes nearest to an
 * order between the two accesses: two atomics whose scopes exclude each other, or whose
 * sizes differ; a read of a value that the other item wrote, with a memory order, a
 * scope or an address space that is too weak; a barrier with other flags; or nothing at
 * all. */
#include "config.h"

#include "watch/race-reason.h"

#include "exec/finding.h"
#include "finding/names.h"

#include <string.h>

static char *item_text(const struct weiri_pair_context *context, uint64_t group,
                       uint32_t item, uint64_t beside)
{
    if (group == beside) {
        return g_strdup_printf("item %u", item);
    }
    struct weiri_shape shape = context->shape;
    weiri_group_place(&shape, group);
    g_autofree char *at = weiri_place_text(&shape, shape.group);
    return g_strdup_printf("item %u of group %s", item, at);
}

/* C's atomics without a site, which come from stdatomic.h, have no place here. */
static char *where_text(const struct weiri_pair_context *context,
                        const struct weiri_place *place)
{
    const char *file = place->site != NULL ? place->site->file : NULL;
    uint32_t line = place->site != NULL ? place->site->line : 0;
    bool known = context->language != WEIR_LANGUAGE_C || weiri_place_is_volatile(place);
    if (file == NULL && known && context->symbols != NULL) {
        line = context->symbols->line(place->pc, &file);
    }
    return file != NULL ? g_strdup_printf(" (%s:%u)", file, line) : g_strdup("");
}

/* "atomic load (a.c:7)" */
static char *operation_text(const struct weiri_pair_context *context,
                            const struct weiri_place *place)
{
    g_autofree char *where = where_text(context, place);
    if (weiri_place_is_volatile(place)) {
        bool writes = (weiri_place_access(place) & WEIRI_ACCESS_BIT_WRITE) != 0;
        return g_strconcat("volatile ", writes ? "write" : "read", where, NULL);
    }
    g_autofree char *what
        = weiri_atomic_text(context->language, place->site, weiri_place_kind(place),
                            weiri_place_order(place));
    return g_strconcat(what, where, NULL);
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

/* Two atomics whose scopes do not include each other. */
static char *explain_atomics(const struct weiri_pair_context *context,
                             const struct weiri_race_pair *pair)
{
    const struct weiri_race_access *narrow = &pair->first, *other = &pair->second;
    if (includes(context, narrow->group, narrow->item, narrow->scope, other->group,
                 other->item, other->scope)) {
        return g_strdup_printf("their scopes %s and %s differ, and under the rule "
                               "'same' neither includes the other",
                               weiri_scope_text(context->language, narrow->scope),
                               weiri_scope_text(context->language, other->scope));
    }
    if (narrow->scope > other->scope) {
        narrow = &pair->second;
        other = &pair->first;
    }
    g_autofree char *item
        = item_text(context, other->group, other->item, narrow->group);
    return g_strdup_printf(
        "scope %s of item %u's operation does not include %s%s",
        weiri_scope_text(context->language, narrow->scope), narrow->item, item,
        context->rules.ptx ? ": the two are not morally strong" : "");
}

/* ---- A read that made no order --------------------------------------------------- */

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
    g_autofree char *reads = operation_text(context, read);
    g_autofree char *writes = operation_text(context, write);
    return g_strdup_printf("%s's %s read what %s's %s wrote", reader, reads, writer,
                           writes);
}

/* With wider scopes the read would have ordered the two. */
static char *explain_narrow(const struct weiri_pair_context *context,
                            const struct weiri_explained_pair *pair)
{
    const struct weiri_reading *reading = &pair->reading;
    const struct weiri_race_access *second = &pair->public.second;
    const struct weiri_place *read = weiri_pair_place(context, reading->place);
    const struct weiri_place *write = weiri_pair_place(context, reading->writer_place);
    memory_scope written = weiri_place_scope(write), got = weiri_place_scope(read);
    bool same_rule = context->rules.scope_rule == WEIR_SCOPE_RULE_SAME;
    enum weir_language language = context->language;
    g_autofree char *text = reading_text(context, pair);
    if (!includes(context, reading->writer_group, reading->writer_item, written,
                  second->group, reading->item, got)) {
        return g_strdup_printf(
            "%s, but scope %s of the %s does not include the other "
            "item",
            text, weiri_scope_text(language, MIN(written, got)),
            weiri_act_name(weiri_place_kind(got < written ? read : write)));
    } else if (same_rule && written != got) {
        return g_strdup_printf("%s, but their scopes %s and %s differ, and under the "
                               "rule 'same' they do not synchronise",
                               text, weiri_scope_text(language, written),
                               weiri_scope_text(language, got));
    } else if (reading->by_fence) {
        return g_strdup_printf("%s, but scope %s of the acquire fence after it, or the "
                               "scope of the release on the other side, %s",
                               text, weiri_scope_text(language, reading->fence),
                               same_rule ? "differs from the scope at the other end"
                                         : "does not include the other item");
    } else {
        return g_strdup_printf(
            "%s, but the scope of the release before it, which is a fence or the first "
            "write of the release sequence, %s",
            text, same_rule ? "differs" : "does not include the other item");
    }
}

/* The sides of a reading that make no order: operation and fences are too weak. */
struct lack {
    bool release, acquire;
};

/* A release before the write that makes no order with an acquire lies before the first
 * access, too: then the write lacks its own. */
static struct lack lack_of(const struct weiri_pair_context *context,
                           const struct weiri_reading *reading)
{
    const struct weiri_place *read = weiri_pair_place(context, reading->place);
    const struct weiri_place *write = weiri_pair_place(context, reading->writer_place);
    struct lack lack = { .acquire = !acquires(read) && !reading->acquired };
    lack.release = !releases(write) && (!reading->released || !lack.acquire);
    return lack;
}

/* The write is not a release, or the read is not an acquire. */
static char *explain_relaxed(const struct weiri_pair_context *context,
                             const struct weiri_explained_pair *pair)
{
    const struct weiri_reading *reading = &pair->reading;
    g_autofree char *text = reading_text(context, pair);
    struct lack lack = lack_of(context, reading);
    if (lack.release && reading->released && pair->of_first) {
        return g_strdup_printf(
            "%s, but no release lies between the first access and that write", text);
    }
    return g_strdup_printf("%s, but %s%s%s", text,
                           lack.release ? "the write releases nothing" : "",
                           lack.release && lack.acquire ? " and " : "",
                           lack.acquire ? "the read acquires nothing" : "");
}

/* The read made order, but not between these two accesses. */
static char *explain_elsewhere(const struct weiri_pair_context *context,
                               const struct weiri_explained_pair *pair)
{
    g_autofree char *text = reading_text(context, pair);
    if (pair->reading.space != pair->space
        && context->rules.spaces == WEIR_SPACES_OPENCL) {
        return g_strdup_printf(
            "%s, but that lies in %s memory, and with the address spaces of OpenCL it "
            "does not order %s memory",
            text, pair->reading.space == WEIRI_LOCALLY ? "local" : "global",
            pair->space == WEIRI_LOCALLY ? "local" : "global");
    }
    return g_strdup_printf("%s, but that does not lie between these two accesses",
                           text);
}

/* ---- No read --------------------------------------------------------------------- */

/* Whether both accesses are on one line, where no barrier fits between them. */
static bool is_one_place(const struct weiri_pair_context *context,
                         const struct weiri_explained_pair *pair)
{
    const void *first = pair->public.first.pc, *second = pair->public.second.pc;
    return pair->places[0] == pair->places[1]
        || (context->symbols != NULL && first != NULL && second != NULL
            && context->symbols->place(first) != 0
            && context->symbols->place(first) == context->symbols->place(second));
}

/* The barrier that is missing between two accesses of a group. In CUDA a barrier of the
 * warp is enough for two of its lanes. */
static const char *missing_barrier(const struct weiri_pair_context *context,
                                   const struct weiri_explained_pair *pair)
{
    uint32_t shift = context->shape.sub_group_shift;
    const char *of_lanes
        = weiri_name(context->language, WEIRI_NAME_NO_BARRIER_OF_LANES);
    return of_lanes != NULL
            && pair->public.first.item >> shift == pair->public.second.item >> shift
        ? of_lanes
        : weiri_name(context->language,
                     pair->space == WEIRI_LOCALLY ? WEIRI_NAME_NO_LOCAL_BARRIER
                                                  : WEIRI_NAME_NO_GLOBAL_BARRIER);
}

static char *explain_in_group(const struct weiri_pair_context *context,
                              const struct weiri_explained_pair *pair,
                              bool hierarchical)
{
    if (hierarchical) {
        return g_strdup_printf("nothing orders the items of one %s loop",
                               weiri_name(context->language, WEIRI_NAME_ITEM_LOOP));
    }
    if (pair->unsuited != NULL) {
        return g_strdup_printf("the barrier at %s:%u does not order %s memory",
                               pair->unsuited->file, pair->unsuited->line,
                               pair->space == WEIRI_LOCALLY ? "local" : "global");
    }
    return is_one_place(context, pair)
        ? g_strdup("nothing orders the accesses of two items at this one place")
        : g_strdup_printf("%s lies between the two", missing_barrier(context, pair));
}

static char *explain_apart(const struct weiri_pair_context *context,
                           const struct weiri_race_pair *public)
{
    return weiri_cluster_has_both(&context->shape, public->first.group,
                                  public->second.group)
        ? g_strdup(
            "the items are of different groups of one cluster, and no barrier of "
            "the cluster orders the two")
        : g_strdup("the items are of different groups, and nothing synchronises them");
}

/* Whether the read was probably meant to order the two accesses. */
static bool was_to_order(const struct weiri_explained_pair *pair, bool relaxed)
{
    bool apart = pair->public.first.group != pair->public.second.group;
    return pair->reading.place != 0 && (pair->of_first || (relaxed && apart));
}

/* Adds to @why, or puts in its place, what explains two common errors: volatile and x++
 * are taken for atomic. Takes @why. Returns: (transfer full) */
static char *explain_plain(const struct weiri_pair_context *context,
                           const struct weiri_explained_pair *pair, bool loses,
                           char *why)
{
    unsigned access = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(pair->places); i++) {
        const struct weiri_place *place = weiri_pair_place(context, pair->places[i]);
        access |= weiri_place_is_atomic(place) ? 0 : weiri_place_access(place);
    }
    g_autofree char *reason = why;
    if (loses) {
        g_free(reason);
        reason = g_strdup("two items read the old value, and the change of one of them "
                          "is lost");
    }
    return (access & WEIRI_ACCESS_BIT_VOLATILE) == 0
        ? g_steal_pointer(&reason)
        : g_strdup_printf("volatile does not make it atomic: %s", reason);
}

/* Whether one side of the reading is too weak. */
static bool is_relaxed(const struct weiri_pair_context *context,
                       const struct weiri_explained_pair *pair)
{
    if (pair->reading.place == 0) {
        return false;
    }
    struct lack lack = lack_of(context, &pair->reading);
    return lack.release || lack.acquire;
}

/* Whether the second item has taken a lock that the first one has given back, with an
 * order that is too weak. An operation that reads what the same line has written, as of
 * a counter, is not one of a lock. */
static bool has_weak_lock(const struct weiri_pair_context *context,
                          const struct weiri_explained_pair *pair)
{
    return pair->of_first && is_relaxed(context, pair)
        && pair->reading.place != pair->reading.writer_place;
}

/* The thing that comes nearest to an order between the two. Returns: (transfer full) */
static char *nearest_reason(const struct weiri_pair_context *context,
                            const struct weiri_explained_pair *pair,
                            const struct weir_kernel *kernel)
{
    const struct weiri_race_pair *public = &pair->public;
    const struct weiri_reading *reading = &pair->reading;
    bool relaxed = is_relaxed(context, pair);
    bool is_volatile = context->rules.polls
        && (public->first.is_volatile || public->second.is_volatile);
    if (public->first.atomic && public->second.atomic && !is_volatile) {
        return public->first.bytes == public->second.bytes
            ? explain_atomics(context, public)
            : g_strdup_printf(
                "an operation of %u bytes and one of %u are not atomic to "
                "each other",
                public->first.bytes, public->second.bytes);
    }
    if (pair->pending) { /* atomics that the item has read do not matter */
        return g_strdup_printf(
            "the copy may happen at any moment until %s()",
            weiri_operation_name(
                context->language,
                WEIRI_OP(WEIRI_WAIT, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, 0, 0, 0)));
    }
    if (reading->narrow) {
        return explain_narrow(context, pair);
    }
    if (public->kind == WEIR_FINDING_SCOPE_RACE) {
        return g_strdup("the operations that synchronise the two have a scope that "
                        "does not include both items");
    }
    if (was_to_order(pair, relaxed)) {
        return (relaxed ? explain_relaxed : explain_elsewhere)(context, pair);
    }
    return public->first.group == public->second.group
        ? explain_in_group(context, pair, kernel->hierarchical != 0)
        : explain_apart(context, public);
}

/* Under PTX a plain access is weak, and so never morally strong with another item's. */
static char *explain_weak(const struct weiri_pair_context *context,
                          const struct weiri_explained_pair *pair, char *why)
{
    const struct weiri_race_access *first = &pair->public.first;
    if (!context->rules.ptx || first->atomic == pair->public.second.atomic) {
        return why;
    }
    g_autofree char *reason = why;
    const struct weiri_race_access *weak = first->atomic ? &pair->public.second : first;
    return g_strdup_printf("the plain %s is weak, and so not ordered by the other "
                           "access being strong: %s",
                           weak->writes ? "write" : "read", reason);
}

char *weiri_race_reason(const struct weiri_pair_context *context,
                        const struct weiri_explained_pair *pair,
                        const struct weir_kernel *kernel, bool loses)
{
    const struct weiri_race_access *first = &pair->public.first,
                                   *second = &pair->public.second;
    if (pair->in_step) {
        return g_strdup(weiri_name(context->language, WEIRI_NAME_IN_STEP));
    }
    if (context->rules.polls && context->rules.ptx && first->atomic && second->atomic
        && (first->is_volatile || second->is_volatile)) {
        g_autofree char *nearest = nearest_reason(context, pair, kernel);
        return g_strdup_printf("volatile orders nothing and makes no update atomic: %s",
                               nearest);
    }
    char *why = nearest_reason(context, pair, kernel);
    return pair->public.kind == WEIR_FINDING_SCOPE_RACE
        ? why
        : explain_plain(context, pair, loses && !has_weak_lock(context, pair),
                        explain_weak(context, pair, why));
}

/* ---- Causes ---------------------------------------------------------------------- */

/* Its file, or NULL, and its line. */
static const char *file_of(const struct weiri_pair_context *context,
                           const struct weiri_place *place, uint32_t *line)
{
    const char *file = place->site != NULL ? place->site->file : NULL;
    *line = place->site != NULL ? place->site->line : 0;
    if (file == NULL && context->symbols != NULL && place->pc != NULL) {
        *line = context->symbols->line(place->pc, &file);
    }
    return file;
}

/* The word for an operation that is to acquire or to release, or both, too; or NULL
 * where it does. */
static const char *word_for(const struct weiri_place *place, bool acquire, bool release)
{
    acquire = acquire || acquires(place);
    release = release || releases(place);
    return acquire == acquires(place) && release == releases(place) ? NULL
        : acquire && release                                        ? "acq_rel"
        : acquire                                                   ? "acquire"
                                                                    : "release";
}

/* Appends a place and its words, if there are any. */
static void add_change(GString *text, const char *file, uint32_t line,
                       const char *order, bool widen)
{
    if (order != NULL || widen) {
        g_string_append_printf(text, "%s%s:%u=%s%s%s", text->len > 0 ? "," : "", file,
                               line, order != NULL ? order : "",
                               order != NULL && widen ? "+" : "",
                               widen ? "device" : "");
    }
}

char *weiri_race_cause(const struct weiri_pair_context *context,
                       const struct weiri_explained_pair *pair)
{
    const struct weiri_race_pair *public = &pair->public;
    const struct weiri_reading *reading = &pair->reading;
    if (pair->pending || reading->place == 0
        || (public->first.atomic && public->second.atomic)
        || !(pair->of_first || public->first.group != public->second.group)) {
        return NULL;
    }
    const struct weiri_place *read = weiri_pair_place(context, reading->place);
    const struct weiri_place *write = weiri_pair_place(context, reading->writer_place);
    if (weiri_place_is_volatile(read) || weiri_place_is_volatile(write)) {
        return NULL; /* it has no order to change */
    }
    uint32_t read_line, write_line;
    const char *read_file = file_of(context, read, &read_line);
    const char *write_file = file_of(context, write, &write_line);
    if (read_file == NULL || write_file == NULL) {
        return NULL;
    }
    bool one = read_line == write_line && strcmp(read_file, write_file) == 0;
    bool widen = reading->narrow;
    struct lack lack = lack_of(context, reading);
    if (widen || one) { /* fences may be too narrow */
        lack = (struct lack){ true, true };
    }
    GString *text = g_string_new(NULL);
    add_change(text, read_file, read_line, word_for(read, lack.acquire, one),
               widen && weiri_place_scope(read) < memory_scope_device);
    if (!one) {
        add_change(text, write_file, write_line, word_for(write, false, lack.release),
                   widen && weiri_place_scope(write) < memory_scope_device);
    }
    return g_string_free(text, text->len == 0);
}
