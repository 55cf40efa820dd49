/* SPDX-License-Identifier: MIT
 *
 * interleave.c: see interleave.h. States of threads are few, and are kept once: a state
 * of the whole has numbers for them.
 *
 * Barriers. All threads of a group (or sub-group) wait at a barrier of C and OpenCL at
 * the same time, and then leave together; nothing has to be counted. See meeting.c for
 * barriers of tables. */
#include "config.h"

#include "model/interleave.h"

#include "base/assert.h"
#include "model/last-writes.h"
#include "model/meeting.h"

#include <string.h>

/* The state of a thread; owned by the machine. */
struct local {
    struct weiri_step next;
    uint32_t thread, number;
    size_t bytes;
    uint8_t state[];
};

struct weiri_interleave {
    const struct weiri_program *program;
    struct weiri_interleave_options options;
    GHashTable *known;                    /* of struct local, as its own key; owned */
    GPtrArray *locals;                    /* the same, by number */
    struct weiri_meeting_rules *meetings; /* at barriers of tables; owned */
    uint8_t *room;                        /* a state of a thread */
};

struct weiri_interleave_state {
    uint64_t stepped, waiting;
    enum weiri_interleave_stop stop; /* by a count */
    uint32_t locals[WEIRI_INTERLEAVE_THREADS];
    struct weiri_last_writes last; /* if they are not */
    struct weiri_meetings meetings;
    int64_t memory[]; /* by location, if writes are in total order */
};

static uint64_t bit(uint32_t n)
{
    return UINT64_C(1) << n;
}

static bool is_total(const struct weiri_interleave *machine)
{
    return machine->options.writes == WEIRI_WRITES_TOTAL;
}

/* ---- States of threads ----------------------------------------------------------- */

uint32_t weiri_interleave_hash(const uint8_t *bytes, size_t n)
{
    uint64_t hash = n, word;
    for (; n > 0; bytes += sizeof(word), n -= MIN(n, sizeof(word))) {
        word = 0;
        memcpy(&word, bytes, MIN(n, sizeof(word)));
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return (uint32_t)(hash ^ hash >> 15);
}

static guint hash_local(gconstpointer data)
{
    const struct local *local = data;
    return weiri_interleave_hash(local->state, local->bytes) ^ local->thread;
}

static gboolean equal_locals(gconstpointer a, gconstpointer b)
{
    const struct local *one = a, *other = b;
    return one->thread == other->thread && one->bytes == other->bytes
        && memcmp(one->state, other->state, one->bytes) == 0;
}

static struct local *local_of(const struct weiri_interleave *machine,
                              const struct weiri_interleave_state *state,
                              uint32_t thread)
{
    return g_ptr_array_index(machine->locals, state->locals[thread]);
}

/* Sets the state of a thread to the machine's @room. */
static void set_local(struct weiri_interleave *machine,
                      struct weiri_interleave_state *state, uint32_t thread,
                      const struct weiri_step *next)
{
    size_t bytes = machine->program->state_bytes;
    struct local *local = g_malloc0(sizeof(*local) + bytes);
    local->thread = thread;
    local->bytes = bytes;
    local->next = *next;
    local->number = machine->locals->len;
    memcpy(local->state, machine->room, bytes);
    struct local *known = g_hash_table_lookup(machine->known, local);
    if (known == NULL) {
        g_hash_table_add(machine->known, local);
        g_ptr_array_add(machine->locals, local);
        state->locals[thread] = local->number;
    } else {
        state->locals[thread] = known->number;
        g_free(local);
    }
}

static void resume(struct weiri_interleave *machine,
                   struct weiri_interleave_state *state, uint32_t thread, int64_t read,
                   bool wrote)
{
    const struct weiri_program *program = machine->program;
    struct weiri_step next = { 0 };
    memcpy(machine->room, local_of(machine, state, thread)->state,
           program->state_bytes);
    program->resume(program->self, thread, machine->room, read, wrote, &next);
    set_local(machine, state, thread, &next);
}

/* ---- Memory ---------------------------------------------------------------------- */

static struct weiri_last_rules rules_of(const struct weiri_interleave *machine)
{
    return (struct weiri_last_rules){ machine->program,
                                      machine->options.writes == WEIRI_WRITES_CAUSAL,
                                      machine->options.sc_fences_order };
}

static uint32_t n_values(const struct weiri_interleave *machine,
                         const struct weiri_interleave_state *state, uint32_t location)
{
    return is_total(machine) ? 1 : weiri_last_count(&state->last, location);
}

/* The value that a read of the location returns by that choice. */
static int64_t peek(const struct weiri_interleave *machine,
                    const struct weiri_interleave_state *state, uint32_t location,
                    uint32_t choice)
{
    return is_total(machine) ? state->memory[location]
                             : weiri_last_value(&state->last, location, choice);
}

static int64_t read_value(const struct weiri_interleave *machine,
                          struct weiri_interleave_state *state, uint32_t thread,
                          const struct weiri_step *step, uint32_t choice)
{
    const struct weiri_last_rules rules = rules_of(machine);
    return is_total(machine)
        ? state->memory[step->location]
        : weiri_last_read(&rules, &state->last, thread, step, choice);
}

static void write_value(const struct weiri_interleave *machine,
                        struct weiri_interleave_state *state, uint32_t thread,
                        const struct weiri_step *step, int64_t value)
{
    const struct weiri_last_rules rules = rules_of(machine);
    if (is_total(machine)) {
        state->memory[step->location] = value;
    } else if (!weiri_last_write(&rules, &state->last, thread, step, value)) {
        state->stop = WEIRI_INTERLEAVE_WRITES;
    }
}

/* Whether the thread's read-modify-write writes if it reads @read, and what. */
static bool update(const struct weiri_interleave *machine,
                   const struct weiri_interleave_state *state, uint32_t thread,
                   int64_t read, int64_t *written)
{
    const struct weiri_program *program = machine->program;
    return program->update(program->self, thread,
                           local_of(machine, state, thread)->state, read, written);
}

/* ---- Barriers -------------------------------------------------------------------- */

static bool is_of_table(const struct weiri_step *step)
{
    return (step->traits.flags & WEIRI_TRAIT_STATED) != 0;
}

/* Whether two threads are to meet at such a step. */
static bool are_together(const struct weiri_interleave *machine, uint32_t one,
                         uint32_t other, const struct weiri_step *step)
{
    const struct weiri_program_thread *threads = machine->program->threads;
    return step->scope == memory_scope_sub_group
        ? threads[one].sub_group == threads[other].sub_group
        : threads[one].group == threads[other].group;
}

static bool is_same_barrier(const struct weiri_interleave *machine,
                            const struct weiri_step *one,
                            const struct weiri_step *other)
{
    return one->label == other->label && one->scope == other->scope
        && (machine->options.any_flags || one->spaces == other->spaces);
}

/* Those that are to meet where a thread waits, and wait there. @missing: (out): those
 * that do not */
static uint64_t find_met(const struct weiri_interleave *machine,
                         const struct weiri_interleave_state *state, uint32_t thread,
                         uint64_t *missing)
{
    const struct weiri_step *step = &local_of(machine, state, thread)->next;
    uint64_t set = 0;
    *missing = 0;
    if (is_of_table(step)) {
        return weiri_meeting_find(machine->meetings, &state->meetings, thread, step,
                                  missing);
    }
    for (uint32_t t = 0; t < machine->program->n_threads; t++) {
        if (are_together(machine, thread, t, step)) {
            bool waits = (state->waiting & bit(t)) != 0
                && is_same_barrier(machine, step, &local_of(machine, state, t)->next);
            *(waits ? &set : missing) |= bit(t);
        }
    }
    return set;
}

/* Those that leave the barrier with a thread that waits; empty if it stays. */
static uint64_t leaving(const struct weiri_interleave *machine,
                        const struct weiri_interleave_state *state, uint32_t thread)
{
    uint64_t missing, met = find_met(machine, state, thread, &missing);
    return missing == 0 ? met : 0;
}

/* What a thread gets at the barrier that it leaves with others. */
static int64_t meet(const struct weiri_interleave *machine,
                    const struct weiri_interleave_state *state, uint32_t thread,
                    uint64_t others)
{
    const struct weiri_program *program = machine->program;
    const void *states[WEIRI_INTERLEAVE_THREADS] = { NULL };
    for (uint32_t t = 0; t < program->n_threads; t++) {
        if ((others & bit(t)) != 0) {
            states[t] = local_of(machine, state, t)->state;
        }
    }
    return program->meet != NULL ? program->meet(program->self, thread, states) : 0;
}

/* Those that have surely done all that they know before they came to the barrier at
 * which the thread waits: they wait there, too. With a quorum any of them may be those
 * that count, and an arrival at a cluster's barrier may be relaxed. */
static uint64_t sure_of(const struct weiri_interleave *machine,
                        const struct weiri_interleave_state *state, uint32_t thread)
{
    const struct weiri_step *step = &local_of(machine, state, thread)->next;
    uint64_t set = 0;
    for (uint32_t t = 0; t < machine->program->n_threads; t++) {
        const struct weiri_step *its = &local_of(machine, state, t)->next;
        if ((state->waiting & bit(t)) != 0 && its->label == step->label) {
            set |= bit(t);
        }
    }
    bool is_sure = !is_of_table(step)
        || (step->quorum == 0 && step->traits.meets == memory_scope_work_group);
    return is_sure ? set : 0;
}

/* Takes all threads past barriers that have opened. */
static void open_barriers(struct weiri_interleave *machine,
                          struct weiri_interleave_state *state)
{
    uint64_t others[WEIRI_INTERLEAVE_THREADS] = { 0 };
    int64_t values[WEIRI_INTERLEAVE_THREADS] = { 0 };
    uint64_t sure[WEIRI_INTERLEAVE_THREADS] = { 0 };
    const struct weiri_last_rules rules = rules_of(machine);
    for (uint32_t t = 0; t < machine->program->n_threads; t++) {
        if ((state->waiting & bit(t)) != 0) {
            others[t] = leaving(machine, state, t);
            values[t] = others[t] != 0 ? meet(machine, state, t, others[t]) : 0;
            sure[t] = others[t] & sure_of(machine, state, t);
        }
    }
    weiri_last_meet(&rules, &state->last, rules.causal ? others : sure);
    for (uint32_t t = 0; t < machine->program->n_threads; t++) {
        if (others[t] != 0) {
            state->waiting &= ~bit(t);
            resume(machine, state, t, values[t], false);
        }
    }
}

static void enter(struct weiri_interleave *machine,
                  struct weiri_interleave_state *state, uint32_t thread,
                  const struct weiri_step *step)
{
    state->waiting |= bit(thread);
    if (is_of_table(step)) {
        if (!weiri_meeting_enter(machine->meetings, &state->meetings, thread, step)) {
            state->stop = WEIRI_INTERLEAVE_ROUNDS;
            return;
        }
        if ((step->traits.flags & WEIRI_TRAIT_ARRIVES) != 0) {
            state->waiting &= ~bit(thread);
            resume(machine, state, thread, 0, false);
        }
    }
    open_barriers(machine, state);
    if (is_of_table(step)) {
        weiri_meeting_settle(machine->meetings, &state->meetings, thread, step);
    }
}

/* ---- Steps ----------------------------------------------------------------------- */

/* The choices of a weak compare-exchange that may succeed: for each value also to fail.
 * The second half of the numbers stands for that. */
uint32_t weiri_interleave_choices(const struct weiri_interleave *machine,
                                  const struct weiri_interleave_state *state,
                                  uint32_t thread)
{
    const struct weiri_step *step = &local_of(machine, state, thread)->next;
    if ((state->waiting & bit(thread)) != 0 || state->stop != WEIRI_INTERLEAVE_GOES) {
        return 0;
    }
    switch (step->kind) {
    case WEIRI_STEP_READ:
        return n_values(machine, state, step->location);
    case WEIRI_STEP_UPDATE:
        return n_values(machine, state, step->location) * (step->weak ? 2 : 1);
    case WEIRI_STEP_BLIND:
        return n_values(machine, state, step->location);
    case WEIRI_STEP_WRITE:
    case WEIRI_STEP_FENCE:
    case WEIRI_STEP_ENTER:
    case WEIRI_STEP_SPIN:
        return 1;
    default:
        return 0;
    }
}

static void take_update(struct weiri_interleave *machine,
                        struct weiri_interleave_state *state, uint32_t choice,
                        struct weiri_taken *taken)
{
    const struct weiri_step *step = &taken->step;
    uint32_t n = n_values(machine, state, step->location), thread = taken->thread;
    struct weiri_step read = *step;
    taken->several = n > 1;
    taken->read = peek(machine, state, step->location, choice % n);
    taken->writes = update(machine, state, thread, taken->read, &taken->written);
    if (taken->writes && choice >= n) {
        taken->writes = false;
        taken->spurious = true;
    }
    read.order = taken->writes ? step->order : step->failure;
    read_value(machine, state, thread, &read, choice % n);
    if (taken->writes) {
        write_value(machine, state, thread, step, taken->written);
    }
    resume(machine, state, thread, taken->read, taken->writes);
}

void weiri_interleave_step(struct weiri_interleave *machine,
                           struct weiri_interleave_state *state, uint32_t thread,
                           uint32_t choice, struct weiri_taken *taken)
{
    struct weiri_taken unused;
    taken = taken != NULL ? taken : &unused;
    *taken = (struct weiri_taken){ .step = local_of(machine, state, thread)->next,
                                   .thread = thread };
    const struct weiri_step *step = &taken->step;
    const struct weiri_last_rules rules = rules_of(machine);
    state->stepped |= bit(thread);
    switch (step->kind) {
    case WEIRI_STEP_READ:
        taken->reads = true;
        taken->several = n_values(machine, state, step->location) > 1;
        taken->read = read_value(machine, state, thread, step, choice);
        resume(machine, state, thread, taken->read, false);
        break;
    case WEIRI_STEP_UPDATE:
    case WEIRI_STEP_BLIND:
        taken->reads = true;
        take_update(machine, state, choice, taken);
        break;
    case WEIRI_STEP_WRITE:
        taken->writes = true;
        taken->written = step->value;
        write_value(machine, state, thread, step, step->value);
        resume(machine, state, thread, 0, false);
        break;
    case WEIRI_STEP_FENCE:
        weiri_last_fence(&rules, &state->last, thread, step);
        resume(machine, state, thread, 0, false);
        break;
    case WEIRI_STEP_ENTER:
        enter(machine, state, thread, step);
        break;
    default: /* a loop without an event */
        weiri_assert(step->kind == WEIRI_STEP_SPIN);
        break;
    }
}

/* ---- The machine ----------------------------------------------------------------- */

struct weiri_interleave *weiri_interleave_new(
    const struct weiri_program *program, const struct weiri_interleave_options *options)
{
    weiri_assert(program->n_threads <= WEIRI_INTERLEAVE_THREADS);
    struct weiri_interleave *machine = g_new0(struct weiri_interleave, 1);
    machine->program = program;
    machine->options = *options;
    machine->known = g_hash_table_new(hash_local, equal_locals);
    machine->locals = g_ptr_array_new_with_free_func(g_free);
    machine->meetings = weiri_meeting_rules_new(program);
    machine->room = g_malloc0(MAX(program->state_bytes, 1));
    return machine;
}

void weiri_interleave_free(struct weiri_interleave *machine)
{
    if (machine != NULL) {
        g_hash_table_unref(machine->known);
        g_ptr_array_unref(machine->locals);
        weiri_meeting_rules_free(machine->meetings);
        g_free(machine->room);
        g_free(machine);
    }
}

struct weiri_interleave_state *weiri_interleave_state_new(
    const struct weiri_interleave *machine)
{
    return g_malloc0(sizeof(struct weiri_interleave_state)
                     + machine->program->n_locations * sizeof(int64_t));
}

void weiri_interleave_state_free(struct weiri_interleave_state *state)
{
    g_free(state);
}

void weiri_interleave_start(struct weiri_interleave *machine,
                            struct weiri_interleave_state *state)
{
    const struct weiri_program *program = machine->program;
    const struct weiri_last_rules rules = rules_of(machine);
    memset(state, 0, sizeof(*state));
    for (uint32_t l = 0; l < program->n_locations; l++) {
        state->memory[l] = program->locations[l].initial;
    }
    if (!is_total(machine) && !weiri_last_start(&rules, &state->last)) {
        state->stop = WEIRI_INTERLEAVE_WRITES;
    }
    for (uint32_t t = 0; t < program->n_threads; t++) {
        struct weiri_step next = { 0 };
        memset(machine->room, 0, program->state_bytes);
        program->start(program->self, t, machine->room, &next);
        set_local(machine, state, t, &next);
    }
}

/* ---- States as bytes ------------------------------------------------------------- */

static void put(GByteArray *bytes, const void *data, size_t n)
{
    g_byte_array_append(bytes, data, (guint)n);
}

static const uint8_t *get(const uint8_t *bytes, void *data, size_t n)
{
    memcpy(data, bytes, n);
    return bytes + n;
}

/* How many threads have messages: they stay empty if causality may order writes. */
static uint32_t n_messages(const struct weiri_interleave *machine)
{
    return machine->options.writes == WEIRI_WRITES_CERTAIN ? machine->program->n_threads
                                                           : 0;
}

void weiri_interleave_pack(const struct weiri_interleave *machine,
                           const struct weiri_interleave_state *state,
                           GByteArray *bytes)
{
    const struct weiri_program *program = machine->program;
    uint8_t stop = (uint8_t)state->stop;
    put(bytes, &state->stepped, sizeof(state->stepped));
    put(bytes, &state->waiting, sizeof(state->waiting));
    put(bytes, &stop, 1);
    put(bytes, state->locals, program->n_threads * sizeof(state->locals[0]));
    if (is_total(machine)) {
        put(bytes, state->memory, program->n_locations * sizeof(state->memory[0]));
    } else {
        const struct weiri_last_writes *last = &state->last;
        put(bytes, &last->fences, sizeof(last->fences));
        put(bytes, last->knows, program->n_threads * sizeof(last->knows[0]));
        put(bytes, last->messages, n_messages(machine) * sizeof(last->messages[0]));
        put(bytes, &last->n, sizeof(last->n));
        put(bytes, last->writes, last->n * sizeof(last->writes[0]));
    }
    weiri_meeting_pack(machine->meetings, &state->meetings, bytes);
}

void weiri_interleave_unpack(const struct weiri_interleave *machine,
                             const uint8_t *bytes, struct weiri_interleave_state *state)
{
    const struct weiri_program *program = machine->program;
    uint8_t stop;
    bytes = get(bytes, &state->stepped, sizeof(state->stepped));
    bytes = get(bytes, &state->waiting, sizeof(state->waiting));
    bytes = get(bytes, &stop, 1);
    state->stop = (enum weiri_interleave_stop)stop;
    bytes = get(bytes, state->locals, program->n_threads * sizeof(state->locals[0]));
    if (is_total(machine)) {
        bytes = get(bytes, state->memory,
                    program->n_locations * sizeof(state->memory[0]));
    } else {
        struct weiri_last_writes *last = &state->last;
        bytes = get(bytes, &last->fences, sizeof(last->fences));
        bytes = get(bytes, last->knows, program->n_threads * sizeof(last->knows[0]));
        bytes = get(bytes, last->messages,
                    n_messages(machine) * sizeof(last->messages[0]));
        bytes = get(bytes, &last->n, sizeof(last->n));
        bytes = get(bytes, last->writes, last->n * sizeof(last->writes[0]));
    }
    weiri_meeting_unpack(machine->meetings, &state->meetings, bytes);
}

/* ---- What a state is ------------------------------------------------------------- */

uint64_t weiri_interleave_stepped(const struct weiri_interleave_state *state)
{
    return state->stepped;
}

uint64_t weiri_interleave_live(const struct weiri_interleave *machine,
                               const struct weiri_interleave_state *state)
{
    uint64_t live = 0;
    for (uint32_t t = 0; t < machine->program->n_threads; t++) {
        if (local_of(machine, state, t)->next.kind != WEIRI_STEP_END) {
            live |= bit(t);
        }
    }
    return live;
}

const struct weiri_step *weiri_interleave_next(
    const struct weiri_interleave *machine, const struct weiri_interleave_state *state,
    uint32_t thread)
{
    return &local_of(machine, state, thread)->next;
}

uint64_t weiri_interleave_missing(const struct weiri_interleave *machine,
                                  const struct weiri_interleave_state *state,
                                  uint32_t thread)
{
    uint64_t missing;
    find_met(machine, state, thread, &missing);
    return missing;
}

enum weiri_interleave_stop weiri_interleave_stopped(
    const struct weiri_interleave *machine, const struct weiri_interleave_state *state,
    uint32_t *thread)
{
    for (uint32_t t = 0; t < machine->program->n_threads; t++) {
        uint8_t kind = local_of(machine, state, t)->next.kind;
        if (kind == WEIRI_STEP_FAULT || kind == WEIRI_STEP_BOUND) {
            if (thread != NULL) {
                *thread = t;
            }
            return kind == WEIRI_STEP_FAULT ? WEIRI_INTERLEAVE_FAULT
                                            : WEIRI_INTERLEAVE_BOUND;
        }
    }
    return state->stop;
}
