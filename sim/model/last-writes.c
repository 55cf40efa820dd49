/* SPDX-License-Identifier: MIT
 *
 * last-writes.c: see last-writes.h. A write removes from the list of its location the
 * initial value, the earlier writes of its thread, and those to which it is morally
 * strong: both are atomic, and each thread is in the other's scope. The rest depends on
 * causality, which is bounded from two sides:
 *
 *     causal   a write also removes the writes that its thread knows. A thread knows
 *              the writes that it reads morally strongly and all that their threads
 *              knew then, all that is known at a barrier that it leaves, and at a
 *              seq_cst fence all that was known at earlier ones. Causality order is
 *              part of this, since it consists of program order, such reads, barriers
 *              and fences. So writes stay only if the model does not order them.
 *     other    a thread knows its own writes, all that is known at a release that it
 *              reads by an acquire, if both are morally strong, and at a barrier what
 *              those know that wait there. A release is also a fence, for the strong
 *              writes of its thread after it, and an acquire one, for the strong reads
 *              before it, if the fence has the other thread in its scope, too. That
 *              orders only what is by one reference and the generic proxy. Writes are
 *              removed only if the model orders them. Messages that read-modify-writes
 *              pass on are left out, and all but the latest release fence.
 *
 * Every run of the first kind is an execution of PTX: all edges of program order,
 * reads-from, coherence, from-reads, fences and barriers lead forward in the run,
 * because a read returns a write that nothing came after at that time. So the axioms,
 * all of which forbid cycles or backward edges, hold.
 *
 * Follows: PTX ISA 9.4, 8.7 (morally strong), 8.8 (patterns of releases and acquires),
 * 8.9.6 and 8.10.1 (coherence). */
#include "config.h"

#include "model/last-writes.h"

#include <glib.h>
#include <string.h>

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

/* ---- Morally strong accesses ----------------------------------------------------- */

/* Whether @other is in a scope, as seen from @thread. */
static bool covers(const struct weiri_last_rules *rules, uint32_t scope,
                   uint32_t thread, uint32_t other)
{
    const struct weiri_program_thread *one = &rules->program->threads[thread];
    const struct weiri_program_thread *two = &rules->program->threads[other];
    switch (scope) {
    case memory_scope_work_item:
        return thread == other;
    case memory_scope_sub_group:
        return one->sub_group == two->sub_group;
    case memory_scope_work_group:
        return one->group == two->group;
    case WEIRI_SCOPE_CLUSTER:
        return one->cluster == two->cluster && one->device == two->device;
    case memory_scope_device:
        return one->device == two->device;
    default:
        return true;
    }
}

static bool is_morally_strong(const struct weiri_last_rules *rules,
                              const struct weiri_last_write *write, uint32_t thread,
                              const struct weiri_step *step)
{
    return write->thread != WEIRI_LAST_NO_THREAD && write->kind != WEIRI_LAST_WEAK
        && step->atomic && write->proxy == step->traits.proxy
        && write->reference == step->traits.reference
        && covers(rules, write->scope, write->thread, thread)
        && covers(rules, step->scope, thread, write->thread);
}

/* Whether a write of the thread comes after the write at the index, which it knows. */
static bool is_ordered(const struct weiri_last_rules *rules,
                       const struct weiri_last_write *write,
                       const struct weiri_step *step)
{
    return rules->causal
        || (write->proxy == WEIRI_PROXY_GENERIC
            && step->traits.proxy == WEIRI_PROXY_GENERIC
            && write->reference == step->traits.reference);
}

static bool follows(const struct weiri_last_rules *rules,
                    const struct weiri_last_writes *last, uint32_t at, uint32_t thread,
                    const struct weiri_step *step)
{
    const struct weiri_last_write *write = &last->writes[at];
    bool same = write->thread == thread && write->proxy == step->traits.proxy
        && write->reference == step->traits.reference;
    return write->thread == WEIRI_LAST_NO_THREAD || same
        || is_morally_strong(rules, write, thread, step)
        || ((last->knows[thread] & bit(at)) != 0 && is_ordered(rules, write, step));
}

/* Whether a read can be part of an acquire. */
static bool receives(const struct weiri_step *step)
{
    return (step->traits.flags & WEIRI_TRAIT_RESULT_UNUSED) == 0;
}

/* Whether a read of the write surely synchronises. */
static bool synchronises(const struct weiri_last_write *write,
                         const struct weiri_step *step)
{
    return write->kind == WEIRI_LAST_RELEASE
        && weiri_step_acquires((memory_order)step->order) && receives(step);
}

/* The scopes of distances. */
static const uint32_t scopes[WEIRI_LAST_DISTANCES]
    = { memory_scope_work_group, WEIRI_SCOPE_CLUSTER, memory_scope_device,
        memory_scope_system };

static uint32_t distance(const struct weiri_last_rules *rules, uint32_t thread,
                         uint32_t other)
{
    uint32_t d = 0;
    while (!covers(rules, scopes[d], thread, other)) {
        d++;
    }
    return d;
}

/* Whether threads at that distance, or nearer, are in the scope. */
static bool is_as_wide(uint32_t scope, uint32_t d)
{
    for (uint32_t i = d; i < WEIRI_LAST_DISTANCES; i++) {
        if (scopes[i] == scope) {
            return true;
        }
    }
    return false;
}

/* Whether the fence orders, if it has an order: a fence of a proxy is relaxed. */
static bool counts(const struct weiri_last_rules *rules, const struct weiri_step *fence)
{
    return fence->order != memory_order_seq_cst || rules->sc_fences_order;
}

/* ---- The lists ------------------------------------------------------------------- */

/* A set after a member has been inserted, or removed, below others. */
static uint64_t with_gap(uint64_t set, uint32_t at)
{
    uint64_t low = set & (bit(at) - 1);
    return low | (set & ~(bit(at) - 1)) << 1;
}

static uint64_t without(uint64_t set, uint32_t at)
{
    uint64_t low = set & (bit(at) - 1);
    return low | (set >> 1 & ~(bit(at) - 1));
}

static void change_sets(const struct weiri_last_rules *rules,
                        struct weiri_last_writes *last, uint32_t at,
                        uint64_t (*change)(uint64_t set, uint32_t at))
{
    last->fences = change(last->fences, at);
    for (uint32_t t = 0; t < rules->program->n_threads; t++) {
        struct weiri_last_messages *messages = &last->messages[t];
        last->knows[t] = change(last->knows[t], at);
        messages->told = change(messages->told, at);
        for (uint32_t d = 0; d < WEIRI_LAST_DISTANCES; d++) {
            messages->heard[d] = change(messages->heard[d], at);
        }
    }
    for (uint32_t i = 0; i < last->n; i++) {
        last->writes[i].knows = change(last->writes[i].knows, at);
        last->writes[i].told = change(last->writes[i].told, at);
    }
}

static void remove_at(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last, uint32_t at)
{
    change_sets(rules, last, at, without);
    last->n--;
    memmove(&last->writes[at], &last->writes[at + 1],
            (last->n - at) * sizeof(last->writes[0]));
}

static int compare(const struct weiri_last_write *one,
                   const struct weiri_last_write *other)
{
    const uint32_t a[] = { one->location, one->thread, one->proxy, one->reference };
    const uint32_t b[]
        = { other->location, other->thread, other->proxy, other->reference };
    for (size_t i = 0; i < G_N_ELEMENTS(a); i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* Returns: the index of the new write */
static uint32_t insert(const struct weiri_last_rules *rules,
                       struct weiri_last_writes *last,
                       const struct weiri_last_write *write)
{
    uint32_t at = 0;
    while (at < last->n && compare(&last->writes[at], write) < 0) {
        at++;
    }
    change_sets(rules, last, at, with_gap);
    memmove(&last->writes[at + 1], &last->writes[at],
            (last->n - at) * sizeof(last->writes[0]));
    last->writes[at] = *write;
    last->n++;
    return at;
}

/* The index of the first write to the location. */
static uint32_t first_of(const struct weiri_last_writes *last, uint32_t location)
{
    uint32_t first = 0;
    while (first < last->n && last->writes[first].location != location) {
        first++;
    }
    return first;
}

/* ---- Accesses -------------------------------------------------------------------- */

bool weiri_last_start(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last)
{
    const struct weiri_program *program = rules->program;
    bool fits = program->n_locations < WEIRI_LAST_MOST;
    memset(last, 0, sizeof(*last));
    for (uint32_t l = 0; l < program->n_locations && fits; l++) {
        const struct weiri_last_write write
            = { .location = l,
                .thread = WEIRI_LAST_NO_THREAD,
                .value = program->locations[l].initial };
        insert(rules, last, &write);
    }
    return fits;
}

uint32_t weiri_last_count(const struct weiri_last_writes *last, uint32_t location)
{
    uint32_t first = first_of(last, location), n = 0;
    while (first + n < last->n && last->writes[first + n].location == location) {
        n++;
    }
    return n;
}

int64_t weiri_last_value(const struct weiri_last_writes *last, uint32_t location,
                         uint32_t choice)
{
    return last->writes[first_of(last, location) + choice].value;
}

/* The thread reads a write to which it is morally strong. An acquire learns what was
 * told by a fence before the write; an acquire fence after the read will learn that,
 * and what a release tells. */
static void hear(const struct weiri_last_rules *rules, struct weiri_last_writes *last,
                 uint32_t thread, const struct weiri_step *step, uint32_t at)
{
    const struct weiri_last_write *write = &last->writes[at];
    bool reaches = covers(rules, write->told_scope, write->thread, thread);
    uint64_t told = reaches ? write->told : 0;
    uint64_t released = write->kind == WEIRI_LAST_RELEASE ? write->knows | bit(at) : 0;
    if (receives(step) && step->traits.proxy == WEIRI_PROXY_GENERIC) {
        last->knows[thread]
            |= weiri_step_acquires((memory_order)step->order) ? told : 0;
        last->messages[thread].heard[distance(rules, thread, write->thread)]
            |= told | released;
    }
}

int64_t weiri_last_read(const struct weiri_last_rules *rules,
                        struct weiri_last_writes *last, uint32_t thread,
                        const struct weiri_step *step, uint32_t choice)
{
    uint32_t at = first_of(last, step->location) + choice;
    const struct weiri_last_write *write = &last->writes[at];
    if (is_morally_strong(rules, write, thread, step)
        && (rules->causal || synchronises(write, step))) {
        last->knows[thread] |= bit(at) | write->knows;
    }
    if (!rules->causal && is_morally_strong(rules, write, thread, step)) {
        hear(rules, last, thread, step, at);
    }
    return write->value;
}

static enum weiri_last_kind kind_of(const struct weiri_step *step)
{
    return !step->atomic                                 ? WEIRI_LAST_WEAK
        : weiri_step_releases((memory_order)step->order) ? WEIRI_LAST_RELEASE
                                                         : WEIRI_LAST_STRONG;
}

bool weiri_last_write(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last, uint32_t thread,
                      const struct weiri_step *step, int64_t value)
{
    for (uint32_t i = last->n; i-- > 0;) {
        if (last->writes[i].location == step->location
            && follows(rules, last, i, thread, step)) {
            remove_at(rules, last, i);
        }
    }
    if (last->n == WEIRI_LAST_MOST) {
        return false;
    }
    const struct weiri_last_write write = { .location = step->location,
                                            .thread = thread,
                                            .proxy = step->traits.proxy,
                                            .reference = step->traits.reference,
                                            .kind = kind_of(step),
                                            .scope = step->scope,
                                            .value = value };
    uint32_t at = insert(rules, last, &write);
    last->knows[thread] |= bit(at);
    last->writes[at].knows = last->knows[thread];
    if (write.kind != WEIRI_LAST_WEAK && write.proxy == WEIRI_PROXY_GENERIC) {
        last->writes[at].told_scope = (uint32_t)last->messages[thread].told_scope;
        last->writes[at].told = last->messages[thread].told;
    }
    return true;
}

void weiri_last_fence(const struct weiri_last_rules *rules,
                      struct weiri_last_writes *last, uint32_t thread,
                      const struct weiri_step *step)
{
    struct weiri_last_messages *messages = &last->messages[thread];
    if (rules->causal && step->order == memory_order_seq_cst) {
        last->fences |= last->knows[thread];
        last->knows[thread] = last->fences;
    }
    if (rules->causal || !counts(rules, step)) {
        return;
    }
    for (uint32_t d = 0; weiri_step_acquires((memory_order)step->order)
         && d < WEIRI_LAST_DISTANCES && is_as_wide(step->scope, d);
         d++) {
        last->knows[thread] |= messages->heard[d];
        messages->heard[d] = 0;
    }
    if (weiri_step_releases((memory_order)step->order)) {
        messages->told = last->knows[thread];
        messages->told_scope = step->scope;
    }
}

void weiri_last_meet(const struct weiri_last_rules *rules,
                     struct weiri_last_writes *last, const uint64_t *others)
{
    uint64_t knows[WEIRI_LAST_THREADS] = { 0 };
    uint32_t n = rules->program->n_threads;
    for (uint32_t t = 0; t < n; t++) {
        for (uint32_t other = 0; other < n; other++) {
            knows[t] |= (others[t] & bit(other)) != 0 ? last->knows[other] : 0;
        }
    }
    for (uint32_t t = 0; t < n; t++) {
        last->knows[t] |= knows[t];
    }
}
