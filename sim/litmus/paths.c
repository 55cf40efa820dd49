/* SPDX-License-Identifier: MIT
 *
 * paths.c: see model/paths.h. Paths are found by trying all outcomes that are possible
 * while nothing is known of the values read. A path is followed by checking that each
 * of its outcomes is still possible with the values that are known.
 *
 * Invariant: when more values become known, outcomes only become impossible (see
 * path-step.c). So any values lead along exactly one of the paths. */
#include "config.h"

#include "litmus/paths.h"

#include "base/assert.h"

#include <glib.h>
#include <string.h>

typedef const struct weiri_litmus_instruction instruction;
typedef struct weiri_symbolic symbolic;

/* Bounds that no test meant for human readers reaches: on the paths of a thread, on
 * their steps in all, and on the events and the forks of one path. */
enum {
    MOST_PATHS = 1 << 13,
    MOST_STEPS = 1 << 20,
    MOST_EVENTS = 1 << 8,
    MOST_FORKS = 1 << 12,
};
/* Instructions between two events: the bound of litmus/run.c. */
enum { MOST_BETWEEN = 1 << 16 };

/* ---- Events ---------------------------------------------------------------------- */

static void add_event(GArray *events, const struct weiri_litmus_code *code,
                      instruction *at, enum weiri_execution_event_kind kind,
                      memory_order order, bool update)
{
    const struct weiri_execution_event event
        = { .kind = (uint8_t)kind,
            .atomic = at->atomic,
            .update = update,
            .order = (uint8_t)order,
            .scope = (uint8_t)at->scope,
            .spaces = (uint8_t)at->spaces,
            .index = events->len,
            .location = at->location,
            .label = at->label,
            .from = WEIRI_INITIAL,
            .place = (uint32_t)(at - code->instructions),
            .traits = at->traits };
    g_array_append_val(events, event);
}

/* How many entries to that barrier the path has so far. */
static uint32_t count_entries(const GArray *events, uint32_t label)
{
    uint32_t n = 0;
    for (guint i = 0; i < events->len; i++) {
        const struct weiri_execution_event *event
            = &g_array_index(events, struct weiri_execution_event, i);
        n += event->kind == WEIRI_ENTERS && event->label == label;
    }
    return n;
}

/* A barrier whose fence has a wider scope than the work-group becomes a fence, entry
 * and exit, and another fence. */
static void add_barrier(GArray *events, const struct weiri_litmus_code *code,
                        instruction *at, bool waits)
{
    uint32_t entry = count_entries(events, at->label);
    bool wide = at->scope > memory_scope_work_group;
    const struct {
        bool is;
        enum weiri_execution_event_kind kind;
    } parts[] = { { wide, WEIRI_FENCES },
                  { true, WEIRI_ENTERS },
                  { !waits, WEIRI_EXITS },
                  { wide && !waits, WEIRI_FENCES } };
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i].is) {
            add_event(events, code, at, parts[i].kind, memory_order_acq_rel, false);
            g_array_index(events, struct weiri_execution_event, events->len - 1).value
                = entry;
        }
    }
}

/* How often the path has come to that barrier of a table. */
static uint32_t count_rounds(const GArray *events, uint32_t place)
{
    uint32_t n = 0;
    for (guint i = 0; i < events->len; i++) {
        const struct weiri_execution_event *event
            = &g_array_index(events, struct weiri_execution_event, i);
        n += event->kind == WEIRI_ENTERS && event->place == place;
    }
    return n;
}

/* A barrier of a table has the order that is stated. Its number, where it is a
 * constant, is the value of the events, and their position is the round: a loop comes
 * to another barrier each time. The thread passes an arrival without waiting. */
static void add_stated_barrier(GArray *events, const struct weiri_litmus_code *code,
                               instruction *at, bool waits)
{
    bool exits = !waits && (at->traits.flags & WEIRI_TRAIT_ARRIVES) == 0;
    uint32_t round = count_rounds(events, (uint32_t)(at - code->instructions));
    for (unsigned part = 0; part < (exits ? 2 : 1); part++) {
        add_event(events, code, at, part == 0 ? WEIRI_ENTERS : WEIRI_EXITS, at->order,
                  false);
        struct weiri_execution_event *event
            = &g_array_index(events, struct weiri_execution_event, events->len - 1);
        event->value = at->a.slot == WEIRI_LITMUS_NO_SLOT ? at->a.value : 0;
        event->position = round;
    }
}

static void add_events(GArray *events, const struct weiri_litmus_code *code,
                       struct weiri_path_step step)
{
    instruction *at = step.instruction;
    bool succeeds
        = step.outcome == WEIRI_OUTCOME_SUCCESS || at->op == WEIRI_LITMUS_OP_UPDATE;
    memory_order read_order
        = at->op == WEIRI_LITMUS_OP_COMPARE && !succeeds ? at->failure : at->order;
    if (step.outcome == WEIRI_OUTCOME_FAULT) {
        return;
    }
    switch (at->op) {
    case WEIRI_LITMUS_OP_READ:
    case WEIRI_LITMUS_OP_UPDATE:
    case WEIRI_LITMUS_OP_COMPARE: {
        bool update = at->op != WEIRI_LITMUS_OP_READ && succeeds;
        add_event(events, code, at, WEIRI_READS_MEMORY, read_order, update);
        if (update) {
            add_event(events, code, at, WEIRI_WRITES_MEMORY, at->order, true);
        }
        break;
    }
    case WEIRI_LITMUS_OP_WRITE:
        add_event(events, code, at, WEIRI_WRITES_MEMORY, at->order, false);
        break;
    case WEIRI_LITMUS_OP_FENCE:
        add_event(events, code, at, WEIRI_FENCES, at->order, false);
        break;
    case WEIRI_LITMUS_OP_BARRIER:
        (at->traits.flags != 0 ? add_stated_barrier : add_barrier)(
            events, code, at, step.outcome == WEIRI_OUTCOME_WAIT);
        break;
    default:
        break;
    }
}

/* ---- Finding paths --------------------------------------------------------------- */

struct finder {
    struct weiri_path_values values;
    uint32_t rounds;
    bool may_wait;
    GArray *steps;    /* of struct weiri_path_step: the current path's so far */
    GArray *events;   /* of struct weiri_execution_event: the same */
    GArray *paths;    /* of struct weiri_path: those found so far */
    uint32_t n_steps; /* of @paths, in all */
    uint32_t n_forks; /* steps of the current path with several possible outcomes */
    bool complete;
    bool synchronises, reassigns; /* see struct weiri_paths */
};

/* Where the current path ends: at an instruction, and how many instructions that is
 * after the last event. */
struct place {
    uint32_t next;
    uint32_t n_between;
};

static void keep(struct finder *finder, enum weiri_execution_end end)
{
    struct weiri_path path = { .end = end,
                               .n_steps = finder->steps->len,
                               .n_events = finder->events->len };
    path.steps
        = g_memdup2(finder->steps->data, path.n_steps * sizeof(struct weiri_path_step));
    path.events = g_memdup2(finder->events->data, path.n_events * sizeof(*path.events));
    g_array_append_val(finder->paths, path);
    finder->n_steps += path.n_steps;
}

static bool is_live(instruction *head, uint32_t slot)
{
    for (uint32_t i = 0; i < head->n_live; i++) {
        if (head->live[i] == slot) {
            return true;
        }
    }
    return false;
}

/* Whether a fence or barrier of the thread can acquire what a relaxed read read. */
static bool has_acquire_fence(const struct weiri_litmus_code *code)
{
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        instruction *at = &code->instructions[i];
        if (at->op == WEIRI_LITMUS_OP_BARRIER
            || (at->op == WEIRI_LITMUS_OP_FENCE && weiri_step_acquires(at->order))) {
            return true;
        }
    }
    return false;
}

/* Whether an event of the thread can release what happened before it. */
static bool has_release(const struct weiri_litmus_code *code)
{
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        instruction *at = &code->instructions[i];
        bool ordered = (at->op < WEIRI_LITMUS_OP_FENCE && at->atomic)
            || at->op == WEIRI_LITMUS_OP_FENCE;
        if (at->op == WEIRI_LITMUS_OP_BARRIER
            || (ordered && at->op != WEIRI_LITMUS_OP_READ
                && (at->order == memory_order_release
                    || at->order == memory_order_acq_rel
                    || at->order == memory_order_seq_cst))) {
            return true;
        }
    }
    return false;
}

/* Whether the event, in an iteration that changes nothing, may synchronise with another
 * thread. */
static bool may_synchronise(const struct weiri_litmus_code *code, instruction *at)
{
    switch (at->op) {
    case WEIRI_LITMUS_OP_READ:
        return at->atomic
            && (weiri_step_acquires(at->order) || has_acquire_fence(code));
    case WEIRI_LITMUS_OP_COMPARE:
        return at->atomic
            && (weiri_step_acquires(at->failure) || has_acquire_fence(code));
    case WEIRI_LITMUS_OP_UPDATE:
    case WEIRI_LITMUS_OP_FENCE:
        return true;
    default:
        return false;
    }
}

/* The last step of the current path has found that the iteration changed nothing. */
static void keep_spin(struct finder *finder, instruction *head)
{
    const struct weiri_litmus_code *code = finder->values.code;
    const symbolic *slots = finder->values.slots;
    bool fails_spuriously = false;
    for (guint i = finder->steps->len - 1; i-- > 0;) {
        const struct weiri_path_step *step
            = &g_array_index(finder->steps, struct weiri_path_step, i);
        instruction *at = step->instruction;
        if (at == head) {
            break;
        }
        bool assigns = at->op <= WEIRI_LITMUS_OP_COMPUTE;
        fails_spuriously |= step->outcome == WEIRI_OUTCOME_SPURIOUS;
        finder->synchronises |= may_synchronise(code, at);
        finder->reassigns
            |= assigns && (is_live(head, at->result) || is_live(head, at->old));
    }
    if (!fails_spuriously) {
        keep(finder, WEIRI_END_SPIN);
        struct weiri_path *path
            = &g_array_index(finder->paths, struct weiri_path, finder->paths->len - 1);
        path->n_round
            = (uint32_t)(slots[code->n_done].value + 1 - slots[head->since].value);
    }
}

/* Passes an instruction that has one outcome only. Returns: false if the path ends
 * there */
static bool pass(struct finder *finder, instruction *at, uint32_t *next)
{
    symbolic *slots = finder->values.slots;
    switch (at->op) {
    case WEIRI_LITMUS_OP_JUMP:
        *next = at->target;
        return true;
    case WEIRI_LITMUS_OP_ENTER:
        slots[at->result] = weiri_symbolic_known(0);
        break;
    case WEIRI_LITMUS_OP_HEAD:
        break;
    case WEIRI_LITMUS_OP_ROUND:
        if (slots[at->result].value >= finder->rounds) {
            keep(finder, WEIRI_END_BOUND);
            return false;
        }
        slots[at->result].value++;
        break;
    default: /* the end */
        keep(finder, WEIRI_END_COMPLETE);
        return false;
    }
    ++*next;
    return true;
}

/* Performs the step. Returns: whether the path goes on, at @place */
static bool take(struct finder *finder, instruction *at,
                 enum weiri_path_outcome outcome, symbolic *event, struct place *place)
{
    const struct weiri_path_step step = { at, outcome, finder->events->len };
    if (outcome != WEIRI_OUTCOME_FAULT) {
        weiri_path_learn(&finder->values, at, event[0], outcome);
    }
    g_array_append_val(finder->steps, step);
    add_events(finder->events, finder->values.code, step);
    weiri_path_perform(&finder->values, step, event);
    if (outcome == WEIRI_OUTCOME_SPIN) {
        keep_spin(finder, at);
        return false;
    }
    if (outcome == WEIRI_OUTCOME_FAULT || outcome == WEIRI_OUTCOME_WAIT) {
        keep(finder,
             outcome == WEIRI_OUTCOME_FAULT ? WEIRI_END_FAULT : WEIRI_END_BARRIER);
        return false;
    }
    place->next = outcome == WEIRI_OUTCOME_JUMP ? at->target : place->next + 1;
    place->n_between = at->op < WEIRI_LITMUS_OP_COMPUTE ? 0 : place->n_between + 1;
    return true;
}

/* Finds all paths that begin with the current one. */
static void find(struct finder *finder, struct place place);

/* Finds the paths of each possible outcome. */
static void fork_path(struct finder *finder, instruction *at, unsigned possible,
                      symbolic read, struct place place)
{
    size_t bytes = finder->values.code->n_slots * sizeof(symbolic);
    g_autofree symbolic *slots = g_memdup2(finder->values.slots, bytes);
    guint n_steps = finder->steps->len, n_events = finder->events->len;
    guint n_pairs = finder->values.pairs->len;
    finder->n_forks++;
    for (enum weiri_path_outcome outcome = WEIRI_OUTCOME_NEXT;
         outcome <= WEIRI_OUTCOME_SPIN; outcome++) {
        if ((possible & weiri_path_outcome_set(outcome)) != 0) {
            symbolic event[2] = { read };
            struct place after = place;
            if (take(finder, at, outcome, event, &after)) {
                find(finder, after);
            }
            g_array_set_size(finder->steps, n_steps);
            g_array_set_size(finder->events, n_events);
            g_array_set_size(finder->values.pairs, n_pairs);
            if (bytes > 0) {
                memcpy(finder->values.slots, slots, bytes);
            }
        }
    }
    finder->n_forks--;
}

/* Whether the instruction is not recorded as a step of the path. */
static bool is_passed(const struct finder *finder, instruction *at)
{
    if (at->op == WEIRI_LITMUS_OP_ENTER || at->op == WEIRI_LITMUS_OP_HEAD) {
        return !finder->values.notices_spins || at->since == WEIRI_LITMUS_NO_SLOT;
    }
    return at->op == WEIRI_LITMUS_OP_JUMP || at->op > WEIRI_LITMUS_OP_ENTER;
}

static void find(struct finder *finder, struct place place)
{
    for (;;) {
        instruction *at = &finder->values.code->instructions[place.next];
        if (finder->paths->len >= MOST_PATHS || finder->n_steps >= MOST_STEPS
            || finder->events->len >= MOST_EVENTS || finder->n_forks >= MOST_FORKS) {
            finder->complete = false;
            return;
        }
        if (place.n_between >= MOST_BETWEEN) {
            keep(finder, WEIRI_END_BOUND);
            return;
        }
        if (is_passed(finder, at)) {
            place.n_between++;
            if (!pass(finder, at, &place.next)) {
                return;
            }
            continue;
        }
        symbolic event[2] = { { .unknown = ++finder->values.fresh, .type = at->type } };
        unsigned possible = weiri_path_outcomes(&finder->values, at, event[0]);
        if (at->op == WEIRI_LITMUS_OP_BARRIER && !finder->may_wait
            && at->traits.flags == 0) {
            possible = weiri_path_outcome_set(WEIRI_OUTCOME_NEXT);
        }
        if ((possible & (possible - 1)) != 0) {
            fork_path(finder, at, possible, event[0], place);
            return;
        }
        if (!take(finder, at, (enum weiri_path_outcome)__builtin_ctz(possible), event,
                  &place)) {
            return;
        }
    }
}

struct weiri_paths weiri_litmus_paths_find(const struct weiri_litmus_code *code,
                                           const struct weiri_litmus_domain *domains,
                                           uint32_t rounds, bool may_wait)
{
    g_autofree symbolic *slots = g_new0(symbolic, MAX(code->n_slots, 1));
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(struct weiri_path_step));
    g_autoptr(GArray) events
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_execution_event));
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(struct weiri_path_pair));
    GArray *paths = g_array_new(FALSE, FALSE, sizeof(struct weiri_path));
    bool notices_spins = (rounds & WEIRI_LITMUS_STOP_SPINS) != 0;
    struct finder finder
        = { .values = { code, slots, 0, notices_spins, pairs, domains },
            .rounds = rounds & ~WEIRI_LITMUS_STOP_SPINS,
            .may_wait = may_wait,
            .steps = steps,
            .events = events,
            .paths = paths,
            .complete = true };
    weiri_path_start(&finder.values);
    find(&finder, (struct place){ 0, 0 });
    struct weiri_paths found = { .n = paths->len,
                                 .complete = finder.complete,
                                 .synchronises = finder.synchronises,
                                 .reassigns = finder.reassigns,
                                 .releases = has_release(code) };
    found.paths = (struct weiri_path *)(void *)g_array_free(paths, FALSE);
    return found;
}

/* ---- Following one --------------------------------------------------------------- */

bool weiri_litmus_paths_follow(const struct weiri_path *path,
                               const struct weiri_litmus_code *code, bool notices_spins,
                               symbolic *slots, symbolic *values)
{
    struct weiri_path_values followed = { code, slots, 0, notices_spins, NULL, NULL };
    const struct weiri_path_step *steps = path->steps;
    weiri_path_start(&followed);
    for (uint32_t i = 0; i < path->n_steps; i++) {
        struct weiri_path_step step = steps[i];
        symbolic read = step.event < path->n_events ? values[step.event]
                                                    : weiri_symbolic_known(0);
        if ((weiri_path_outcomes(&followed, step.instruction, read)
             & weiri_path_outcome_set(step.outcome))
            == 0) {
            return false;
        }
        weiri_path_perform(&followed, step, values + step.event);
    }
    return true;
}

static void set_dependencies(struct weiri_execution_event *event,
                             const struct weiri_litmus_flow *flow)
{
    event->address = flow->address;
    event->control = flow->control;
    if (event->kind == WEIRI_WRITES_MEMORY) {
        event->data = flow->data;
        event->control |= flow->expected; /* whether it writes depends on it */
    }
}

/* Whether an update of a table computes what it writes from what it reads. */
static bool computes(instruction *at)
{
    return at->op == WEIRI_LITMUS_OP_UPDATE && at->traits.flags != 0
        && (at->compares || at->function != WEIRI_LITMUS_EXCHANGE);
}

void weiri_litmus_paths_depend(struct weiri_path *path,
                               const struct weiri_litmus_code *code, uint32_t rounds,
                               const struct weiri_symbolic *values)
{
    const struct weiri_path_step *steps = path->steps;
    g_autofree int64_t *slots = g_new(int64_t, MAX(code->n_slots, 1));
    g_autofree uint64_t *slot_reads = g_new(uint64_t, MAX(code->n_slots, 1));
    g_autofree uint64_t *depth_reads = g_new(uint64_t, MAX(code->n_depths, 1));
    struct weiri_litmus_run run = { .slots = slots };
    struct weiri_litmus_flow flow = { .slots = slot_reads, .depths = depth_reads };
    weiri_litmus_start(code, &run, &flow);
    for (uint32_t i = 0; i < path->n_steps; i++) {
        struct weiri_path_step step = steps[i];
        uint32_t end = i + 1 < path->n_steps ? steps[i + 1].event : path->n_events;
        if (step.event == end) {
            continue; /* a computation, or the last step, which faults */
        }
        enum weiri_litmus_stop stop = weiri_litmus_next(code, &run, rounds, &flow);
        weiri_assert(stop == WEIRI_LITMUS_EVENT
                     && &code->instructions[run.at] == step.instruction);
        for (uint32_t event = step.event; event < end; event++) {
            set_dependencies(&path->events[event], &flow);
        }
        if (computes(step.instruction) && flow.n_reads < WEIRI_LITMUS_FLOW_READS) {
            path->events[step.event + 1].data |= UINT64_C(1) << flow.n_reads;
        }
        if (step.instruction->op == WEIRI_LITMUS_OP_COMPARE) {
            weiri_litmus_resume_compare(code, &run, values[step.event].value,
                                        step.outcome == WEIRI_OUTCOME_SUCCESS, &flow);
        } else {
            weiri_litmus_resume(code, &run, values[step.event].value, &flow);
        }
    }
    path->has_dependencies = true;
}
