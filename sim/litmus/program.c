/* SPDX-License-Identifier: MIT
 *
 * program.c: see program.h. The state of a thread is its place in the code and its
 * slots. A barrier whose fence has a wider scope than the work-group becomes three
 * steps: a fence, the barrier, and a fence.
 *
 * An endless program sets slots to 0 whose values do not matter, so that states are
 * equal if the thread does the same from then on, and loops come back to them. */
#include "config.h"

#include "litmus/program.h"

#include "base/assert.h"
#include "litmus/meet.h"
#include "litmus/paths.h"

#include <string.h>

/* How far a thread is through a barrier with a wide fence. */
enum phase { BEFORE, AT_BARRIER, AFTER };

struct state {
    uint32_t at;
    uint32_t phase; /* of enum phase */
    int64_t slots[];
};

struct of_litmus {
    struct weiri_program program; /* first */
    struct weiri_words words;
    const struct weiri_litmus *test;
    uint32_t rounds;
    struct weiri_symbolic *slots;     /* owned; of one thread at a time */
    struct weiri_symbolic *registers; /* owned; of all threads, as last followed */
    uint32_t *first_register;         /* owned; by thread */
    GArray *constants;                /* of int64_t */
    uint64_t **live;   /* owned; by thread: its live slots, or NULL; of an
                                     endless program, otherwise NULL */
    uint32_t *n_words; /* owned; of those sets */
};

static const struct weiri_litmus_code *code_of(const struct of_litmus *of,
                                               uint32_t thread)
{
    return of->test->threads[thread].code;
}

static const struct weiri_litmus_instruction *instruction_at(const struct of_litmus *of,
                                                             uint32_t thread,
                                                             const struct state *state)
{
    return &code_of(of, thread)->instructions[state->at];
}

static bool is_wide(const struct weiri_litmus_instruction *instruction)
{
    return instruction->op == WEIRI_LITMUS_OP_BARRIER && instruction->traits.flags == 0
        && instruction->scope > memory_scope_work_group;
}

/* Describes the instruction, at its phase, as a step. */
static void describe(const struct weiri_litmus_instruction *at,
                     const struct state *state, struct weiri_step *step)
{
    const struct weiri_litmus_run run = { state->at, (int64_t *)state->slots };
    *step = (struct weiri_step){ .atomic = at->atomic,
                                 .weak = at->weak,
                                 .order = (uint8_t)at->order,
                                 .failure = (uint8_t)at->failure,
                                 .scope = (uint8_t)at->scope,
                                 .spaces = (uint8_t)at->spaces,
                                 .location = at->location,
                                 .label = at->label,
                                 .place = state->at,
                                 .traits = at->traits };
    switch (at->op) {
    case WEIRI_LITMUS_OP_READ:
        step->kind = WEIRI_STEP_READ;
        break;
    case WEIRI_LITMUS_OP_WRITE:
        step->kind = WEIRI_STEP_WRITE;
        step->value = weiri_litmus_convert(at->type, weiri_litmus_value(&run, &at->a));
        break;
    case WEIRI_LITMUS_OP_UPDATE:
    case WEIRI_LITMUS_OP_COMPARE:
        step->kind = WEIRI_STEP_UPDATE;
        break;
    case WEIRI_LITMUS_OP_FENCE:
        step->kind = WEIRI_STEP_FENCE;
        break;
    default:
        step->kind = is_wide(at) && state->phase != AT_BARRIER ? WEIRI_STEP_FENCE
                                                               : WEIRI_STEP_ENTER;
        step->order = at->traits.flags != 0 ? step->order : memory_order_acq_rel;
        step->value = weiri_litmus_value(&run, &at->a);
        step->quorum = (uint32_t)at->b.value;
        break;
    }
    if (at->traits.flags == 0 && !step->atomic && step->kind <= WEIRI_STEP_UPDATE) {
        step->order = step->failure = memory_order_relaxed;
        step->scope = memory_scope_work_item;
    }
}

/* Sets slots to 0 that do not matter any more. */
static void forget(const struct of_litmus *of, uint32_t thread,
                   struct weiri_litmus_run *run)
{
    uint32_t words = of->n_words[thread];
    const uint64_t *live = of->live[thread] + (size_t)run->at * words;
    for (uint32_t slot = 0; slot < code_of(of, thread)->n_slots; slot++) {
        if ((live[slot / 64] >> slot % 64 & 1) == 0) {
            run->slots[slot] = 0;
        }
    }
}

static enum weiri_litmus_stop run_on(const struct of_litmus *of, uint32_t thread,
                                     struct weiri_litmus_run *run)
{
    const struct weiri_litmus_code *code = code_of(of, thread);
    enum weiri_litmus_stop stop = weiri_litmus_next(code, run, of->rounds, NULL);
    if (of->live != NULL && of->live[thread] != NULL) {
        if (stop == WEIRI_LITMUS_BOUND
            && weiri_litmus_is_endless(code, run, of->live[thread],
                                       of->n_words[thread])) {
            stop = WEIRI_LITMUS_SPIN;
        }
        forget(of, thread, run);
    }
    return stop;
}

/* How long an iteration is that has changed nothing. */
static int64_t round_of(const struct of_litmus *of, uint32_t thread,
                        const struct weiri_litmus_run *run)
{
    return of->live != NULL ? 0 : weiri_litmus_round(code_of(of, thread), run);
}

static void go_on(const struct of_litmus *of, uint32_t thread, struct state *state,
                  struct weiri_step *next)
{
    struct weiri_litmus_run run = { state->at, state->slots };
    enum weiri_litmus_stop stop = run_on(of, thread, &run);
    state->at = run.at;
    state->phase = BEFORE;
    switch (stop) {
    case WEIRI_LITMUS_EVENT:
        describe(instruction_at(of, thread, state), state, next);
        return;
    case WEIRI_LITMUS_DONE:
        *next = (struct weiri_step){ .kind = WEIRI_STEP_END, .place = run.at };
        return;
    case WEIRI_LITMUS_SPIN:
        *next = (struct weiri_step){ .kind = WEIRI_STEP_SPIN,
                                     .value = round_of(of, thread, &run),
                                     .place = run.at };
        return;
    case WEIRI_LITMUS_BOUND:
        *next = (struct weiri_step){ .kind = WEIRI_STEP_BOUND, .place = run.at };
        return;
    default:
        *next = (struct weiri_step){ .kind = WEIRI_STEP_FAULT, .place = run.at };
        return;
    }
}

static void start(void *self, uint32_t thread, void *memory, struct weiri_step *next)
{
    const struct of_litmus *of = self;
    struct state *state = memory;
    struct weiri_litmus_run run = { 0, state->slots };
    weiri_litmus_start(code_of(of, thread), &run, NULL);
    state->at = run.at;
    go_on(of, thread, state, next);
}

static void resume(void *self, uint32_t thread, void *memory, int64_t read, bool wrote,
                   struct weiri_step *next)
{
    const struct of_litmus *of = self;
    struct state *state = memory;
    const struct weiri_litmus_instruction *at = instruction_at(of, thread, state);
    if (is_wide(at) && state->phase != AFTER) {
        state->phase++;
        describe(at, state, next);
        return;
    }
    struct weiri_litmus_run run = { state->at, state->slots };
    if (at->op == WEIRI_LITMUS_OP_COMPARE) {
        weiri_litmus_resume_compare(code_of(of, thread), &run, read, wrote, NULL);
    } else {
        weiri_litmus_resume(code_of(of, thread), &run, read, NULL);
    }
    state->at = run.at;
    go_on(of, thread, state, next);
}

static bool update(void *self, uint32_t thread, const void *memory, int64_t read,
                   int64_t *written)
{
    const struct of_litmus *of = self;
    const struct state *state = memory;
    const struct weiri_litmus_instruction *at = instruction_at(of, thread, state);
    const struct weiri_litmus_run run = { state->at, (int64_t *)state->slots };
    int64_t a = weiri_litmus_value(&run, &at->a);
    if (at->op == WEIRI_LITMUS_OP_COMPARE) {
        *written = weiri_litmus_convert(at->type, a);
        return read == weiri_litmus_convert(at->type, weiri_litmus_value(&run, &at->b));
    }
    *written = weiri_litmus_written(at, read, a, weiri_litmus_value(&run, &at->b));
    return true;
}

/* A number for each pair of numbers, such as those of a device and a group in it. */
static uint32_t number_of(GHashTable *numbers, uint32_t outer, uint32_t inner)
{
    gint64 key = (gint64)((uint64_t)outer << 32 | inner);
    gpointer known = g_hash_table_lookup(numbers, &key);
    if (known == NULL) {
        known = GUINT_TO_POINTER(g_hash_table_size(numbers) + 1);
        g_hash_table_insert(numbers, g_memdup2(&key, sizeof(key)), known);
    }
    return GPOINTER_TO_UINT(known);
}

/* Equal numbers of a level mean equal numbers of all wider levels, too. */
static struct weiri_program_thread *threads_of(const struct weiri_litmus *test)
{
    struct weiri_program_thread *threads
        = g_new0(struct weiri_program_thread, test->n_threads);
    GHashTable *levels[3];
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        levels[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    }
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_thread *thread = &test->threads[t];
        uint32_t cluster = number_of(levels[0], thread->device, thread->cluster);
        uint32_t group
            = test->placed ? number_of(levels[1], cluster, thread->group) : t;
        bool has_sub_groups = test->form == WEIRI_LITMUS_VULKAN;
        threads[t].device = thread->device;
        threads[t].cluster = cluster;
        threads[t].group = group;
        threads[t].sub_group
            = has_sub_groups ? number_of(levels[2], group, thread->sub_group) : t;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(levels); i++) {
        g_hash_table_unref(levels[i]);
    }
    return threads;
}

static struct weiri_program_location *locations_of(const struct weiri_litmus *test)
{
    struct weiri_program_location *locations
        = g_new0(struct weiri_program_location, test->n_locations);
    for (uint32_t i = 0; i < test->n_locations; i++) {
        const struct weiri_litmus_location *from = &test->locations[i];
        locations[i] = (struct weiri_program_location){
            from->name, from->space, weiri_litmus_convert(from->type, from->initial),
            from->atomic, from->type
        };
    }
    return locations;
}

static struct weiri_paths find_paths(void *self, uint32_t thread, bool may_wait)
{
    const struct of_litmus *of = self;
    g_autofree struct weiri_litmus_domain *domains
        = weiri_litmus_find_domains(of->test);
    return weiri_litmus_paths_find(code_of(of, thread), domains, of->rounds, may_wait);
}

static bool follow_path(void *self, uint32_t thread, const struct weiri_path *path,
                        struct weiri_symbolic *values)
{
    const struct of_litmus *of = self;
    const struct weiri_litmus_code *code = code_of(of, thread);
    if (!weiri_litmus_paths_follow(path, code,
                                   (of->rounds & WEIRI_LITMUS_STOP_SPINS) != 0,
                                   of->slots, values)) {
        return false;
    }
    if (code->n_registers > 0) {
        memcpy(of->registers + of->first_register[thread], of->slots,
               code->n_registers * sizeof(*of->registers));
    }
    return true;
}

static void add_dependencies(void *self, uint32_t thread, struct weiri_path *path,
                             const struct weiri_symbolic *values)
{
    const struct of_litmus *of = self;
    weiri_litmus_paths_depend(path, code_of(of, thread), of->rounds, values);
}

/* The barriers that the threads of the execution have come to. */
static uint32_t list_entries(const struct of_litmus *of,
                             const struct weiri_execution *execution,
                             const uint8_t *ends, struct weiri_litmus_entry *entries,
                             uint32_t *events)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < of->test->n_threads; t++) {
        for (uint32_t e = execution->first[t]; e < execution->first[t + 1]; e++) {
            const struct weiri_execution_event *event = &execution->events[e];
            if (event->kind == WEIRI_ENTERS) {
                events[n] = e;
                entries[n++] = (struct weiri_litmus_entry){
                    .thread = t,
                    .at = &code_of(of, t)->instructions[event->place],
                    .number = event->value,
                    .hangs
                    = ends[t] == WEIRI_END_BARRIER && e + 1 == execution->first[t + 1]
                };
            }
        }
    }
    return n;
}

static enum weiri_rendezvous rendezvous(void *self,
                                        const struct weiri_execution *execution,
                                        const uint8_t *ends, uint64_t choice,
                                        bool *late)
{
    const struct of_litmus *of = self;
    uint32_t n_events = MAX(execution->n_events, 1);
    g_autofree struct weiri_litmus_entry *entries
        = g_new(struct weiri_litmus_entry, n_events);
    g_autofree uint32_t *events = g_new(uint32_t, n_events);
    g_autofree bool *gives = g_new0(bool, n_events);
    uint32_t n = list_entries(of, execution, ends, entries, events);
    enum weiri_litmus_meeting meeting
        = weiri_litmus_meet(of->test, entries, n, choice, gives);
    memset(late, 0, execution->n_events * sizeof(*late));
    for (uint32_t i = 0; i < n; i++) {
        late[events[i]] = !gives[i];
    }
    return meeting == WEIRI_LITMUS_MEETS    ? WEIRI_MEETING
        : meeting == WEIRI_LITMUS_NO_CHOICE ? WEIRI_NO_MEETING
                                            : WEIRI_OTHER_MEETING;
}

/* Whether the numbers of all barriers are constants. */
static bool has_fixed_barriers(const struct weiri_litmus *test)
{
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            if (code->instructions[i].op == WEIRI_LITMUS_OP_BARRIER
                && code->instructions[i].a.slot != WEIRI_LITMUS_NO_SLOT) {
                return false;
            }
        }
    }
    return true;
}

static const char *label_of(const void *self, uint32_t label)
{
    const struct of_litmus *of = self;
    return of->test->labels[label];
}

static char *name_of(const void *self, uint32_t thread)
{
    (void)self;
    return g_strdup_printf("P%u", thread);
}

static struct weiri_source_place place_of(const void *self, uint32_t thread,
                                          uint32_t place)
{
    const struct weiri_litmus_place at
        = code_of(self, thread)->instructions[place].place;
    return (struct weiri_source_place){ NULL, at.line, at.column };
}

static bool has_partial_barriers(const struct weiri_litmus_code *code)
{
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        if (code->instructions[i].op == WEIRI_LITMUS_OP_BARRIER
            && code->instructions[i].spaces != (WEIR_LOCAL | WEIR_GLOBAL)) {
            return true;
        }
    }
    return false;
}

static void add_constant(GArray *constants, int64_t value)
{
    for (guint i = 0; i < constants->len; i++) {
        if (g_array_index(constants, int64_t, i) == value) {
            return;
        }
    }
    g_array_append_val(constants, value);
}

/* Where a condition is about other values than the one that it names, also those beside
 * it. */
static void add_condition(GArray *constants,
                          const struct weiri_litmus_condition *condition, bool negated)
{
    for (; condition != NULL; condition = condition->next) {
        bool others = negated || condition->kind == WEIRI_LITMUS_IS_BELOW
            || condition->kind == WEIRI_LITMUS_IS_ABOVE;
        add_constant(constants, condition->value);
        if (others && condition->value < INT64_MAX && condition->value > INT64_MIN) {
            add_constant(constants, condition->value + 1);
            add_constant(constants, condition->value - 1);
        }
        add_condition(constants, condition->first,
                      negated || condition->kind == WEIRI_LITMUS_IS_NOT);
    }
}

/* The values that the code and the claim name. */
static GArray *constants_of(const struct weiri_litmus *test)
{
    GArray *constants = g_array_new(FALSE, FALSE, sizeof(int64_t));
    add_constant(constants, 0);
    add_condition(constants, test->condition, false);
    add_condition(constants, test->filter, false);
    for (uint32_t t = 0; t < test->n_threads; t++) {
        const struct weiri_litmus_code *code = test->threads[t].code;
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            add_constant(constants, code->instructions[i].a.value);
            add_constant(constants, code->instructions[i].b.value);
        }
    }
    return constants;
}

/* A place for the registers of each thread. */
static void add_registers(struct of_litmus *of)
{
    uint32_t n = 0;
    of->first_register = g_new(uint32_t, of->test->n_threads);
    for (uint32_t t = 0; t < of->test->n_threads; t++) {
        of->first_register[t] = n;
        n += code_of(of, t)->n_registers;
    }
    of->registers = g_new0(struct weiri_symbolic, MAX(n, 1));
}

/* The names of scopes, by enum memory_scope, and what is between the group and the
 * device. */
static const char *const *scopes_of(enum weiri_litmus_form form)
{
    static const char *const ptx[]
        = { [memory_scope_work_item] = "thread", [memory_scope_sub_group] = "warp",
            [memory_scope_work_group] = "cta",   [WEIRI_SCOPE_CLUSTER] = "cluster",
            [memory_scope_device] = "gpu",       [memory_scope_system] = "sys" };
    static const char *const vulkan[] = { [memory_scope_work_item] = "invocation",
                                          [memory_scope_sub_group] = "sg",
                                          [memory_scope_work_group] = "wg",
                                          [WEIRI_SCOPE_CLUSTER] = "qf",
                                          [memory_scope_device] = "dv",
                                          [memory_scope_system] = "sys" };
    return form == WEIRI_LITMUS_PTX ? ptx : form == WEIRI_LITMUS_VULKAN ? vulkan : NULL;
}

/* Sets the places where threads enter barriers of a table. */
static void add_entries(struct of_litmus *of)
{
    g_autoptr(GArray) entries
        = g_array_new(FALSE, FALSE, sizeof(struct weiri_program_entry));
    for (uint32_t t = 0; t < of->test->n_threads; t++) {
        const struct weiri_litmus_code *code = code_of(of, t);
        for (uint32_t i = 0; i < code->n_instructions; i++) {
            const struct weiri_litmus_instruction *at = &code->instructions[i];
            if (at->op == WEIRI_LITMUS_OP_BARRIER && at->traits.flags != 0) {
                const struct weiri_program_entry entry
                    = { .thread = t,
                        .step = { .kind = WEIRI_STEP_ENTER,
                                  .label = at->label,
                                  .value = at->a.value,
                                  .quorum = (uint32_t)at->b.value,
                                  .place = i,
                                  .traits = at->traits },
                        .any_number = at->a.slot != WEIRI_LITMUS_NO_SLOT };
                g_array_append_val(entries, entry);
            }
        }
    }
    of->program.n_entries = entries->len;
    of->program.entries = (const struct weiri_program_entry *)g_array_free(
        g_steal_pointer(&entries), FALSE);
}

struct weiri_program *weiri_litmus_program(const struct weiri_litmus *test,
                                           uint32_t rounds)
{
    static const struct weiri_path_interface paths
        = { find_paths, follow_path, NULL, add_dependencies };
    struct of_litmus *of = g_new0(struct of_litmus, 1);
    uint32_t n_slots = 0;
    bool partial_barriers = false;
    for (uint32_t t = 0; t < test->n_threads; t++) {
        n_slots = MAX(n_slots, test->threads[t].code->n_slots);
        partial_barriers |= has_partial_barriers(test->threads[t].code);
    }
    of->test = test;
    of->rounds = rounds;
    of->slots = g_new(struct weiri_symbolic, MAX(n_slots, 1));
    of->constants = constants_of(test);
    add_registers(of);
    of->words = (struct weiri_words){ .scoped = test->scoped,
                                      .label = label_of,
                                      .thread = name_of,
                                      .place = place_of,
                                      .scopes = scopes_of(test->form) };
    of->program = (struct weiri_program){
        .self = of,
        .n_threads = test->n_threads,
        .n_locations = test->n_locations,
        .threads = threads_of(test),
        .locations = locations_of(test),
        .partial_barriers = partial_barriers,
        .first_threads = test->first_threads,
        .then_threads = test->then_threads,
        .n_thens = test->n_thens,
        .rendezvous = weiri_litmus_is_table(test->form) ? rendezvous : NULL,
        .fixed_barriers = has_fixed_barriers(test),
        .constants = (const int64_t *)of->constants->data,
        .n_constants = of->constants->len,
        .state_bytes = sizeof(struct state) + n_slots * sizeof(int64_t),
        .start = start,
        .resume = resume,
        .update = update,
        .paths = &paths,
        .words = &of->words
    };
    add_entries(of);
    return &of->program;
}

struct weiri_program *weiri_litmus_program_endless(const struct weiri_litmus *test)
{
    struct weiri_program *program
        = weiri_litmus_program(test, ~WEIRI_LITMUS_STOP_SPINS);
    struct of_litmus *of = program->self;
    of->live = g_new0(uint64_t *, MAX(test->n_threads, 1));
    of->n_words = g_new0(uint32_t, MAX(test->n_threads, 1));
    for (uint32_t t = 0; t < test->n_threads; t++) {
        of->live[t] = weiri_litmus_live_slots(code_of(of, t), &of->n_words[t]);
    }
    return program;
}

void weiri_litmus_program_free(struct weiri_program *program)
{
    if (program != NULL) {
        g_free((void *)program->threads);
        g_free((void *)program->locations);
        g_free((void *)program->entries);
        struct of_litmus *of = program->self;
        for (uint32_t t = 0; of->live != NULL && t < program->n_threads; t++) {
            g_free(of->live[t]);
        }
        g_free(of->live);
        g_free(of->n_words);
        g_free(of->slots);
        g_free(of->registers);
        g_free(of->first_register);
        g_array_unref(of->constants);
        g_free(of);
    }
}

int64_t weiri_litmus_program_register(const struct weiri_program *program,
                                      const void *state, uint32_t reg)
{
    (void)program;
    return ((const struct state *)state)->slots[reg];
}

int64_t weiri_litmus_program_value(struct weiri_litmus_term term, const void *execution)
{
    const struct weiri_execution *of = execution;
    return term.thread == WEIRI_LITMUS_MEMORY
        ? of->memory[term.index]
        : weiri_litmus_program_register(of->program, of->states[term.thread],
                                        term.index);
}

/* A register as its thread was last followed; memory is not known. */
static struct weiri_symbolic known_value(struct weiri_litmus_term term,
                                         const void *user)
{
    const struct of_litmus *of = user;
    return term.thread == WEIRI_LITMUS_MEMORY
        ? (struct weiri_symbolic){ .unknown = 1 }
        : of->registers[of->first_register[term.thread] + term.index];
}

bool weiri_litmus_program_may(const struct weiri_program *program, bool holds)
{
    const struct of_litmus *of = program->self;
    const struct weiri_litmus *test = of->test;
    unsigned wanted = holds ? WEIRI_LITMUS_MAY_HOLD : WEIRI_LITMUS_MAY_FAIL;
    return (weiri_litmus_outlook(test->condition, known_value, of) & wanted) != 0
        && (test->filter == NULL
            || (weiri_litmus_outlook(test->filter, known_value, of)
                & WEIRI_LITMUS_MAY_HOLD)
                != 0);
}

struct weiri_enumeration weiri_litmus_enumerate(
    const struct weiri_litmus *test, uint32_t rounds,
    const struct weiri_enumerate_options *options)
{
    struct weiri_program *program = weiri_litmus_program(test, rounds);
    struct weiri_enumeration seen = weiri_enumerate(program, options);
    weiri_litmus_program_free(program);
    return seen;
}

enum weiri_litmus_stop weiri_litmus_program_stop(const struct weiri_program *program,
                                                 uint32_t thread, const void *state,
                                                 struct weiri_litmus_run *run)
{
    const struct of_litmus *of = program->self;
    const struct state *it = state;
    const struct weiri_litmus_code *code = code_of(of, thread);
    run->at = it->at;
    memcpy(run->slots, it->slots, code->n_slots * sizeof(*run->slots));
    return weiri_litmus_next(code, run, of->rounds, NULL);
}
