/* SPDX-License-Identifier: MIT
 *
 * facts.c: see facts.h. Sets and relations are computed from all pairs of events, in
 * two steps. The first needs only the events: kinds, program order, barriers and
 * dependencies, which all candidates with the same paths share. The second follows
 * reads-from and the order of writes. A model adds its own relations after that. */
#include "config.h"

#include "model/facts.h"

#include "base/assert.h"

typedef struct weiri_execution_event happened;

/* ---- Sets ------------------------------------------------------------------------ */

/* The address spaces of an event: an access has its location's space, other events have
 * the spaces of their flags. */
static uint32_t spaces_of(const struct weiri_execution *execution,
                          const happened *event)
{
    return weiri_event_is_access(event)
        ? execution->program->locations[event->location].space
        : event->spaces;
}

static void sort_event(struct weiri_facts *facts, uint32_t i)
{
    const happened *event = &facts->execution->events[i];
    uint32_t spaces = spaces_of(facts->execution, event);
    bool reads = event->kind == WEIRI_READS_MEMORY;
    bool writes = event->kind == WEIRI_WRITES_MEMORY;
    bool fences = event->kind == WEIRI_FENCES;
    bool ordered = fences || ((reads || writes) && event->atomic);
    const struct {
        bool is;
        struct weiri_event_set set;
    } sorts[] = {
        { reads, facts->reads },
        { writes, facts->writes },
        { reads || writes, facts->accesses },
        { fences, facts->fences },
        { ordered, facts->atomics },
        { ordered && !reads && weiri_step_releases(event->order), facts->release },
        { ordered && !writes && weiri_step_acquires(event->order), facts->acquire },
        { ordered && event->order == memory_order_seq_cst, facts->sc },
        { (spaces & WEIR_GLOBAL) != 0, facts->global },
        { (spaces & WEIR_LOCAL) != 0, facts->local },
    };
    for (size_t s = 0; s < sizeof(sorts) / sizeof(sorts[0]); s++) {
        if (sorts[s].is) {
            weiri_event_set_add(sorts[s].set, i);
        }
    }
}

static void sort_events(struct weiri_facts *facts)
{
    struct weiri_event_set *const sets[]
        = { &facts->reads,   &facts->writes,  &facts->accesses, &facts->fences,
            &facts->atomics, &facts->release, &facts->acquire,  &facts->sc,
            &facts->global,  &facts->local };
    for (size_t s = 0; s < sizeof(sets) / sizeof(sets[0]); s++) {
        *sets[s] = weiri_event_set_new(facts->algebra);
    }
    for (uint32_t i = 0; i < facts->execution->n_events; i++) {
        sort_event(facts, i);
    }
}

/* ---- Program order and what comes with it ---------------------------------------- */

static bool are_accesses(const struct weiri_facts *facts, uint32_t a, uint32_t b)
{
    return weiri_event_set_has(facts->accesses, a)
        && weiri_event_set_has(facts->accesses, b);
}

static void relate_pair(struct weiri_facts *facts, uint32_t a, uint32_t b)
{
    const struct weiri_algebra *k = facts->algebra;
    const happened *one = &facts->execution->events[a];
    const happened *other = &facts->execution->events[b];
    if (one->thread == other->thread) {
        weiri_relation_add(k, facts->same_thread, a, b);
        if (a < b) {
            weiri_relation_add(k, facts->sb, a, b);
        }
        if (b == a + 1 && one->update && other->update
            && one->kind == WEIRI_READS_MEMORY && other->kind == WEIRI_WRITES_MEMORY) {
            weiri_relation_add(k, facts->rmw, a, b);
        }
    } else if (weiri_event_meets(facts->execution->program->threads, one, other)) {
        weiri_relation_add(k, facts->bar, a, b);
    }
    if (are_accesses(facts, a, b) && one->location == other->location) {
        weiri_relation_add(k, facts->loc, a, b);
    }
}

/* For thread @t: from each read in the masks of an event to that event. */
static void add_dependencies(struct weiri_facts *facts, uint32_t t)
{
    const struct weiri_algebra *k = facts->algebra;
    const struct weiri_execution *execution = facts->execution;
    uint32_t reads[64], n_reads = 0;
    for (uint32_t i = execution->first[t]; i < execution->first[t + 1]; i++) {
        const happened *event = &execution->events[i];
        for (uint32_t r = 0; r < n_reads; r++) {
            uint64_t bit = UINT64_C(1) << r;
            if ((event->address & bit) != 0) {
                weiri_relation_add(k, facts->address, reads[r], i);
            }
            if ((event->data & bit) != 0) {
                weiri_relation_add(k, facts->data, reads[r], i);
            }
            if ((event->control & bit) != 0) {
                weiri_relation_add(k, facts->control, reads[r], i);
            }
        }
        if (event->kind == WEIRI_READS_MEMORY && n_reads < 64) {
            reads[n_reads++] = i;
        }
    }
}

void weiri_facts_begin(struct weiri_facts *facts, struct weiri_algebra *algebra,
                       const struct weiri_execution *execution)
{
    weiri_algebra_begin(algebra, execution->n_events);
    *facts = (struct weiri_facts){ .execution = execution, .algebra = algebra };
    sort_events(facts);
    struct weiri_relation *const relations[]
        = { &facts->same_thread, &facts->loc,     &facts->sb,   &facts->rmw,
            &facts->bar,         &facts->address, &facts->data, &facts->control };
    for (size_t r = 0; r < sizeof(relations) / sizeof(relations[0]); r++) {
        *relations[r] = weiri_relation_new(algebra);
    }
    for (uint32_t a = 0; a < execution->n_events; a++) {
        for (uint32_t b = 0; b < execution->n_events; b++) {
            relate_pair(facts, a, b);
        }
    }
    for (uint32_t t = 0; t < execution->program->n_threads; t++) {
        add_dependencies(facts, t);
    }
}

/* ---- What is read, and the order of writes --------------------------------------- */

void weiri_facts_follow(struct weiri_facts *facts)
{
    struct weiri_algebra *k = facts->algebra;
    const struct weiri_execution *execution = facts->execution;
    facts->rf = weiri_relation_new(k);
    facts->mo = weiri_relation_new(k);
    facts->rb = weiri_relation_new(k);
    for (uint32_t a = 0; a < execution->n_events; a++) {
        const happened *one = &execution->events[a];
        if (!weiri_event_set_has(facts->accesses, a)) {
            continue;
        }
        bool reads = one->kind == WEIRI_READS_MEMORY;
        if (reads && one->from == WEIRI_UNREAD) {
            continue;
        }
        struct weiri_relation later = reads ? facts->rb : facts->mo;
        if (reads && one->from != WEIRI_INITIAL) {
            weiri_relation_add(k, facts->rf, one->from, a);
        }
        for (uint32_t b = 0; b < execution->n_events; b++) {
            if (weiri_event_set_has(facts->writes, b)
                && weiri_relation_has(k, facts->loc, a, b)
                && weiri_event_mo_place(execution->events, one)
                    < execution->events[b].position + 1) {
                weiri_relation_add(k, later, a, b);
            }
        }
    }
    facts->eco = weiri_relation_closure(
        k,
        weiri_relation_union(k, facts->rf,
                             weiri_relation_union(k, facts->mo, facts->rb)));
}

void weiri_facts_follow_reads(struct weiri_facts *facts)
{
    struct weiri_algebra *k = facts->algebra;
    const struct weiri_execution *execution = facts->execution;
    facts->rf = weiri_relation_new(k);
    facts->rb = weiri_relation_new(k);
    for (uint32_t a = 0; a < execution->n_events; a++) {
        const happened *one = &execution->events[a];
        if (one->kind != WEIRI_READS_MEMORY || one->from == WEIRI_UNREAD) {
            continue;
        }
        if (one->from != WEIRI_INITIAL) {
            weiri_relation_add(k, facts->rf, one->from, a);
            continue;
        }
        for (uint32_t b = 0; b < execution->n_events; b++) {
            if (weiri_event_set_has(facts->writes, b)
                && weiri_relation_has(k, facts->loc, a, b)) {
                weiri_relation_add(k, facts->rb, a, b);
            }
        }
    }
}

/* ---- What a model asks of events ------------------------------------------------- */

struct weiri_event_set weiri_facts_where(
    const struct weiri_facts *facts,
    bool (*is)(const struct weiri_execution *execution,
               const struct weiri_execution_event *event))
{
    const struct weiri_execution *execution = facts->execution;
    struct weiri_event_set made = weiri_event_set_new(facts->algebra);
    for (uint32_t a = 0; a < execution->n_events; a++) {
        if (is(execution, &execution->events[a])) {
            weiri_event_set_add(made, a);
        }
    }
    return made;
}

struct weiri_relation weiri_facts_pairs(
    const struct weiri_facts *facts,
    bool (*is)(const struct weiri_execution *execution,
               const struct weiri_execution_event *one,
               const struct weiri_execution_event *other))
{
    const struct weiri_execution *execution = facts->execution;
    struct weiri_relation made = weiri_relation_new(facts->algebra);
    for (uint32_t a = 0; a < execution->n_events; a++) {
        for (uint32_t b = 0; b < execution->n_events; b++) {
            if (is(execution, &execution->events[a], &execution->events[b])) {
                weiri_relation_add(facts->algebra, made, a, b);
            }
        }
    }
    return made;
}

/* ---- Scopes ---------------------------------------------------------------------- */

/* Whether the scope, as seen from the one thread, includes the other. */
static bool has(const struct weiri_program *program, int scope, uint32_t from,
                uint32_t other)
{
    const struct weiri_program_thread *one = &program->threads[from];
    const struct weiri_program_thread *two = &program->threads[other];
    switch (scope) {
    case memory_scope_work_item:
        return from == other;
    case memory_scope_sub_group:
        return one->sub_group == two->sub_group;
    case memory_scope_work_group:
        return one->group == two->group;
    case memory_scope_device:
        return one->device == two->device;
    case WEIRI_SCOPE_CLUSTER:
        return one->cluster == two->cluster;
    default:
        return true;
    }
}

bool weiri_facts_takes_in(const struct weiri_execution *execution, uint32_t event,
                          uint32_t other)
{
    const happened *one = &execution->events[event];
    return has(execution->program, one->scope, one->thread,
               execution->events[other].thread);
}

static bool include(const struct weiri_program *program, enum weiri_scopes scopes,
                    const happened *a, const happened *b)
{
    if (scopes == WEIRI_SCOPES_IGNORED) {
        return true;
    }
    bool mutual = has(program, a->scope, a->thread, b->thread)
        && has(program, b->scope, b->thread, a->thread);
    return mutual
        && (scopes == WEIRI_SCOPES_MUTUAL
            || (a->scope == b->scope && a->scope != memory_scope_work_item));
}

struct weiri_relation weiri_facts_strong(const struct weiri_facts *facts,
                                         enum weiri_scopes scopes)
{
    const struct weiri_execution *execution = facts->execution;
    struct weiri_relation strong = weiri_relation_new(facts->algebra);
    for (uint32_t a = 0; a < execution->n_events; a++) {
        for (uint32_t b = 0; b < execution->n_events; b++) {
            if (include(execution->program, scopes, &execution->events[a],
                        &execution->events[b])) {
                weiri_relation_add(facts->algebra, strong, a, b);
            }
        }
    }
    return strong;
}
