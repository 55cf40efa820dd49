/* SPDX-License-Identifier: MIT
 *
 * brute_trace.c: runs a thread in every way. A run is a value: where there is a choice
 * (what a read reads, whether a weak compare-exchange that could write fails, whether
 * the rest of the group comes to a barrier), it goes one way after the other, each in a
 * copy of its own.
 *
 * Along go the dependencies of each register, by the program's text and by what its
 * value needs, and those of the branches that the run is in: from every read that a
 * condition depends on to every event of the chosen branch, not beyond the join; in
 * loops to the events of the body and of later rounds. */
#include "brute_trace.h"

#include <string.h>

enum { MOST_DEPTH = 6 };

/* The value of a register, and the events that it is from. */
struct held {
    int value;
    uint32_t data, flow;
};

/* An IF or a WHILE that the run is in. */
struct block {
    unsigned at;      /* its statement */
    unsigned rounds;  /* WHILE: so far */
    uint32_t control; /* reads that it depended on */
};

struct run {
    const struct brute_statement *statements;
    unsigned at;
    unsigned depth;
    struct block blocks[MOST_DEPTH];
    struct held registers[BRUTE_REGISTERS];
    unsigned occurrences[BRUTE_STATEMENTS]; /* by label */
    struct brute_trace trace;
};

/* The state that all runs of a search share. */
struct search {
    const struct brute_program *program;
    unsigned thread;
    const struct brute_domains *domains;
    unsigned rounds, most;
    bool wild; /* conditions and comparisons go either way */
    bool failed;
    GArray *traces;
};

/* ---- Operands -------------------------------------------------------------------- */

static struct held evaluate(const struct run *run, const struct brute_operand *operand)
{
    const struct held *reg = &run->registers[operand->reg];
    switch (operand->form) {
    case BRUTE_REGISTER:
        return (struct held){ reg->value + operand->value, reg->data, reg->flow };
    case BRUTE_XOR:
    case BRUTE_MASK:
        return (struct held){ operand->value, reg->data, 0 };
    default:
        return (struct held){ operand->value, 0, 0 };
    }
}

/* The events that decide whether the next event is reached. */
static uint32_t control_of(const struct run *run)
{
    uint32_t control = 0;
    for (unsigned i = 0; i < run->depth; i++) {
        control |= run->blocks[i].control;
    }
    return control;
}

static bool holds(const struct run *run, const struct brute_statement *condition)
{
    int left = run->registers[condition->reg].value;
    int right = evaluate(run, &condition->operand).value;
    switch (condition->comparison) {
    case BRUTE_EQUAL:
        return left == right;
    case BRUTE_UNEQUAL:
        return left != right;
    default:
        return left < right;
    }
}

/* ---- Events ---------------------------------------------------------------------- */

/* A new event of the run, all of it blank but for what each has. */
static struct brute_event *add(struct search *search, struct run *run,
                               enum brute_event_kind kind)
{
    static struct brute_event nowhere;
    struct brute_trace *trace = &run->trace;
    if (trace->n_events == BRUTE_TRACE_EVENTS) {
        search->failed = true;
        return &nowhere;
    }
    struct brute_event *event = &trace->events[trace->n_events++];
    *event = (struct brute_event){ .kind = kind,
                                   .thread = search->thread,
                                   .control = control_of(run) };
    return event;
}

static uint32_t last_event(const struct run *run)
{
    return UINT32_C(1) << (run->trace.n_events - 1);
}

/* The fields that an event takes from its statement. */
static void tell_access(const struct run *run, struct brute_event *event,
                        const struct brute_statement *access, memory_order order)
{
    event->address = evaluate(run, &access->offset).data;
    if (access->atomic) {
        event->ordered = true;
        event->order = order;
        event->scope = access->scope;
    }
}

/* @access: whose read it is; or %NULL, that of what a compare-exchange expects
 * Returns: what a register that takes it holds */
static struct held add_read(struct search *search, struct run *run, unsigned location,
                            int value, const struct brute_statement *access,
                            memory_order order)
{
    struct brute_event *event = add(search, run, READS);
    event->location = location;
    event->value = value;
    if (access != NULL) {
        tell_access(run, event, access, order);
    }
    run->trace.reads[location] |= brute_value_bit(value);
    return (struct held){ value, last_event(run), last_event(run) };
}

static struct brute_event *add_write(struct search *search, struct run *run,
                                     unsigned location, struct held value,
                                     const struct brute_statement *access)
{
    struct brute_event *event = add(search, run, WRITES);
    event->location = location;
    event->value = value.value;
    event->data = value.data;
    event->flow = value.flow;
    if (access != NULL) {
        tell_access(run, event, access, access->order);
        event->pairs = access->kind != BRUTE_STORE;
    }
    run->trace.writes[location] |= brute_value_bit(value.value);
    return event;
}

static void add_fence(struct search *search, struct run *run, memory_order order,
                      const struct brute_statement *statement)
{
    struct brute_event *event = add(search, run, FENCES);
    event->ordered = true;
    event->order = order;
    event->scope = statement->scope;
    event->spaces = statement->spaces;
}

/* ---- Statements ------------------------------------------------------------------ */

static void go_on(struct search *search, struct run *run);

static void keep(struct search *search, struct run *run, enum brute_end end)
{
    for (unsigned i = 0; i < BRUTE_REGISTERS; i++) {
        run->trace.registers[i] = run->registers[i].value;
    }
    run->trace.end = end;
    search->failed = search->failed || search->traces->len == search->most;
    if (!search->failed) {
        g_array_append_val(search->traces, run->trace);
    }
}

/* Goes on after the statement. */
static void proceed(struct search *search, struct run *run)
{
    run->at++;
    go_on(search, run);
}

/* A load or a read-modify-write that reads @value. */
static void access_reading(struct search *search, struct run run, int value)
{
    const struct brute_statement *access = &run.statements[run.at];
    struct held operand = evaluate(&run, &access->operand);
    struct held got
        = add_read(search, &run, access->location, value, access, access->order);
    struct held written = operand;
    switch (access->kind) {
    case BRUTE_FETCH_ADD:
        written.value = value + operand.value;
        break;
    case BRUTE_FETCH_OR:
        written.value = value | operand.value;
        break;
    default:
        break;
    }
    if (access->kind == BRUTE_FETCH_ADD || access->kind == BRUTE_FETCH_OR) {
        written.data |= got.data;
        written.flow |= got.flow;
    }
    if (access->kind != BRUTE_LOAD) {
        add_write(search, &run, access->location, written, access);
    }
    if (!access->drops) {
        run.registers[access->result] = got;
    }
    proceed(search, &run);
}

/* A compare-exchange that has read @value, compares it with @expected, and succeeds or
 * not. Its write depends on both of what it is given. That it happened at all is not a
 * value: how it went is known from where the run went. */
static void compare(struct search *search, struct run run, int value,
                    struct held expected, bool succeeds)
{
    const struct brute_statement *access = &run.statements[run.at];
    struct held desired = evaluate(&run, &access->operand);
    struct held got = add_read(search, &run, access->location, value, access,
                               succeeds ? access->order : access->failure);
    if (succeeds) {
        desired.data |= expected.data;
        add_write(search, &run, access->location, desired, access);
    } else if (access->expects_location) {
        struct brute_event *back = add_write(search, &run, access->expected, got, NULL);
        back->control |= got.data | expected.data;
    } else {
        run.registers[access->expected] = got;
    }
    if (!access->drops) {
        run.registers[access->result]
            = (struct held){ succeeds, got.data | expected.data, 0 };
    }
    proceed(search, &run);
}

static void compare_with(struct search *search, const struct run *run,
                         struct held expected)
{
    const struct brute_statement *access = &run->statements[run->at];
    const struct brute_domains *domains = search->domains;
    for (unsigned i = 0; i < domains->n[access->location]; i++) {
        int value = domains->values[access->location][i];
        bool equal = value == expected.value;
        if (equal || search->wild) {
            compare(search, *run, value, expected, true);
        }
        if (!equal || access->weak || search->wild) {
            compare(search, *run, value, expected, false);
        }
    }
}

static void access_memory(struct search *search, struct run *run)
{
    const struct brute_statement *access = &run->statements[run->at];
    const struct brute_domains *domains = search->domains;
    if (access->kind == BRUTE_STORE) {
        add_write(search, run, access->location, evaluate(run, &access->operand),
                  access);
        proceed(search, run);
    } else if (access->kind == BRUTE_COMPARE && access->expects_location) {
        for (unsigned i = 0; i < domains->n[access->expected]; i++) {
            struct run copy = *run;
            struct held expected
                = add_read(search, &copy, access->expected,
                           domains->values[access->expected][i], NULL, 0);
            compare_with(search, &copy, expected);
        }
    } else if (access->kind == BRUTE_COMPARE) {
        compare_with(search, run, run->registers[access->expected]);
    } else {
        for (unsigned i = 0; i < domains->n[access->location]; i++) {
            access_reading(search, *run, domains->values[access->location][i]);
        }
    }
}

/* A barrier whose fence reaches beyond its group stands between two fences. */
static void meet(struct search *search, struct run *run)
{
    const struct brute_statement *barrier = &run->statements[run->at];
    bool wide = barrier->scope > memory_scope_work_group;
    if (wide) {
        add_fence(search, run, memory_order_acq_rel, barrier);
    }
    unsigned occurrence = run->occurrences[barrier->label]++;
    for (int i = ENTERS; i <= EXITS; i++) {
        struct brute_event *event = add(search, run, (enum brute_event_kind)i);
        event->spaces = barrier->spaces;
        event->label = barrier->label;
        event->occurrence = occurrence;
        if (i == ENTERS) {
            struct run left = *run;
            keep(search, &left, BRUTE_WAITS);
        }
    }
    if (wide) {
        add_fence(search, run, memory_order_acq_rel, barrier);
    }
    proceed(search, run);
}

/* ---- Blocks ---------------------------------------------------------------------- */

/* The statement that ends the block in which statement @at stands: its CLOSE, or the
 * ELSE that is met on the way. */
static unsigned end_of(const struct run *run, unsigned at)
{
    unsigned depth = 0;
    for (;; at++) {
        enum brute_kind kind = run->statements[at].kind;
        if (depth == 0 && (kind == BRUTE_ELSE || kind == BRUTE_CLOSE)) {
            return at;
        }
        depth += kind == BRUTE_IF || kind == BRUTE_WHILE;
        depth -= kind == BRUTE_CLOSE;
    }
}

/* The condition of the innermost block has come out as @is_so. */
static void branch(struct search *search, struct run run, bool is_so)
{
    struct block *block = &run.blocks[run.depth - 1];
    bool loops = run.statements[run.at].kind == BRUTE_WHILE;
    if (is_so && loops && block->rounds++ == search->rounds) {
        keep(search, &run, BRUTE_TOO_LONG);
        return;
    }
    if (!is_so) {
        run.at = end_of(&run, run.at + 1);
        if (run.statements[run.at].kind == BRUTE_CLOSE) {
            run.depth--;
        }
    }
    proceed(search, &run);
}

/* The condition of the innermost block. */
static void decide(struct search *search, struct run *run)
{
    const struct brute_statement *condition = &run->statements[run->at];
    run->blocks[run->depth - 1].control |= run->registers[condition->reg].data
        | evaluate(run, &condition->operand).data;
    bool is_so = holds(run, condition);
    if (is_so || search->wild) {
        branch(search, *run, true);
    }
    if (!is_so || search->wild) {
        branch(search, *run, false);
    }
}

static void leave(struct search *search, struct run *run)
{
    struct block *block = &run->blocks[run->depth - 1];
    if (run->statements[block->at].kind == BRUTE_WHILE) {
        run->at = block->at;
        decide(search, run);
        return;
    }
    run->at = end_of(run, run->at + (run->statements[run->at].kind == BRUTE_ELSE));
    run->depth--;
    proceed(search, run);
}

static void go_on(struct search *search, struct run *run)
{
    const struct brute_statement *statement = &run->statements[run->at];
    if (search->failed) {
        return;
    }
    switch (statement->kind) {
    case BRUTE_END:
        keep(search, run, BRUTE_ENDS);
        break;
    case BRUTE_FENCE:
        add_fence(search, run, statement->order, statement);
        proceed(search, run);
        break;
    case BRUTE_BARRIER:
        meet(search, run);
        break;
    case BRUTE_SET:
        run->registers[statement->result] = evaluate(run, &statement->operand);
        proceed(search, run);
        break;
    case BRUTE_IF:
    case BRUTE_WHILE:
        g_assert(run->depth < MOST_DEPTH);
        run->blocks[run->depth++] = (struct block){ .at = run->at };
        decide(search, run);
        break;
    case BRUTE_ELSE: /* at the end of the branch before it */
    case BRUTE_CLOSE:
        leave(search, run);
        break;
    default:
        access_memory(search, run);
    }
}

/* ---- Searches -------------------------------------------------------------------- */

static GArray *search_traces(struct search *search)
{
    struct run run
        = { .statements = search->program->threads[search->thread].statements };
    for (unsigned i = 0; i < BRUTE_REGISTERS; i++) {
        run.registers[i].value = search->program->threads[search->thread].initial[i];
    }
    search->failed = false;
    search->traces = g_array_new(FALSE, FALSE, sizeof(struct brute_trace));
    go_on(search, &run);
    if (search->failed) {
        g_array_unref(search->traces);
        return NULL;
    }
    return search->traces;
}

GArray *brute_find_traces(const struct brute_program *program, unsigned thread,
                          const struct brute_domains *domains, unsigned rounds,
                          unsigned most)
{
    struct search search = { .program = program,
                             .thread = thread,
                             .domains = domains,
                             .rounds = rounds,
                             .most = most };
    return search_traces(&search);
}

/* Returns: whether there was room */
static bool hold(struct brute_domains *domains, unsigned location, int value,
                 bool *changed)
{
    unsigned n = domains->n[location];
    for (unsigned i = 0; i < n; i++) {
        if (domains->values[location][i] == value) {
            return true;
        }
    }
    if (n == BRUTE_VALUES) {
        return false;
    }
    domains->values[location][n] = value;
    domains->n[location]++;
    *changed = true;
    return true;
}

/* Writes of the thread's longest run whose values are of what it has read. */
static unsigned count_written(const GArray *traces)
{
    unsigned most = 0;
    for (guint i = 0; i < traces->len; i++) {
        const struct brute_trace *trace = &g_array_index(traces, struct brute_trace, i);
        unsigned n = 0;
        for (unsigned k = 0; k < trace->n_events; k++) {
            n += trace->events[k].kind == WRITES && trace->events[k].flow != 0;
        }
        most = MAX(most, n);
    }
    return most;
}

/* One more step of what may be written where. @n_derived: writes, of all threads, that
 * pass on what was read. */
static bool widen(const struct brute_program *program, unsigned rounds,
                  struct brute_domains *domains, bool *changed, unsigned *n_derived)
{
    const struct brute_domains before = *domains;
    *changed = false;
    *n_derived = 0;
    for (unsigned t = 0; t < program->n_threads; t++) {
        struct search search = { .program = program,
                                 .thread = t,
                                 .domains = &before,
                                 .rounds = rounds,
                                 .most = 20000,
                                 .wild = true };
        g_autoptr(GArray) traces = search_traces(&search);
        if (traces == NULL) {
            return false;
        }
        *n_derived += count_written(traces);
        for (guint i = 0; i < traces->len; i++) {
            const struct brute_trace *trace
                = &g_array_index(traces, struct brute_trace, i);
            for (unsigned k = 0; k < trace->n_events; k++) {
                const struct brute_event *event = &trace->events[k];
                if (event->kind == WRITES
                    && !hold(domains, event->location, event->value, changed)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* A value that is known comes along a chain of writes, each of which passes on what the
 * one before it has written, and no write comes twice in a chain. */
bool brute_find_domains(const struct brute_program *program, unsigned rounds,
                        struct brute_domains *domains)
{
    memset(domains, 0, sizeof(*domains));
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        domains->values[i][domains->n[i]++] = program->locations[i].initial;
    }
    bool changed = true;
    unsigned n_derived = 0;
    for (unsigned n = 0; changed && n <= n_derived; n++) {
        if (!widen(program, rounds, domains, &changed, &n_derived)) {
            return false;
        }
    }
    return true;
}
