/* SPDX-License-Identifier: MIT
 *
 * brute_table.c: makes the candidates of a program, and collects the states of those
 * that a model allows.
 *
 * A candidate is made of an outcome for each branch, which gives each thread its
 * events, and a write, or the initial value, for each read. Then all values are
 * computed. Under Vulkan, a value that depends on itself is any of the constants of
 * program and claim. PTX has an axiom against it. Outcomes that the values do not give
 * are dropped, and so are executions in which a barrier is not complete. */
#include "brute_table.h"

#include <string.h>

enum { MOST_BRANCHES = 8, MOST_CONSTANTS = 24, MOST_MEETINGS = 16 };

const char *brute_table_model_name(enum brute_table_model model)
{
    static const char *const names[]
        = { "ptx-6.0", "ptx-7.5", "ptx", "vulkan", "vulkan-nochains", "vulkan-prose" };
    return names[model];
}

unsigned brute_table_term(int thread, unsigned index)
{
    return thread < 0 ? BRUTE_TABLE_THREADS * BRUTE_TABLE_REGISTERS + index
                      : (unsigned)thread * BRUTE_TABLE_REGISTERS + index;
}

/* An instruction that is executed. @event: its first, if it has any */
struct step {
    const struct brute_op *op;
    unsigned event;
    bool taken; /* a branch that is taken */
};

struct unfolding {
    const struct brute_table *table;
    enum brute_table_model model;
    struct brute_table_result *result;
    struct brute_table_candidate candidate;
    struct step steps[BRUTE_TABLE_THREADS][BRUTE_TABLE_OPS];
    unsigned n_steps[BRUTE_TABLE_THREADS];
    int64_t constants[MOST_CONSTANTS];
    unsigned n_constants;
    /* About the candidate at hand: */
    int64_t values[BRUTE_EVENTS];
    bool known[BRUTE_EVENTS];
    int64_t registers[BRUTE_TABLE_THREADS][BRUTE_TABLE_REGISTERS];
    uint64_t n_counted, most; /* if candidates are only counted */
};

/* ---- Paths ----------------------------------------------------------------------- */

static unsigned add_event(struct unfolding *u, const struct brute_op *op, unsigned t,
                          brute_set *kind)
{
    struct brute_table_candidate *c = &u->candidate;
    struct brute_event_of *event = &c->events[c->n];
    *event = (struct brute_event_of){ .op = op, .thread = t, .proxy = op->proxy };
    if (op->kind <= BRUTE_OP_UPDATE) {
        const struct brute_name *name = &u->table->names[op->name];
        event->location = name->location;
        event->address = name->address;
        event->proxy = op->proxy != BRUTE_GENERIC ? op->proxy : name->proxy;
    }
    *kind |= brute_bit(c->n);
    g_assert(c->n < BRUTE_EVENTS);
    return c->n++;
}

static unsigned add_events(struct unfolding *u, const struct brute_op *op, unsigned t)
{
    struct brute_table_candidate *c = &u->candidate;
    unsigned event = c->n;
    switch (op->kind) {
    case BRUTE_OP_LOAD:
        return add_event(u, op, t, &c->reads);
    case BRUTE_OP_STORE:
        return add_event(u, op, t, &c->writes);
    case BRUTE_OP_UPDATE:
        add_event(u, op, t, &c->reads);
        add_event(u, op, t, &c->writes);
        return event;
    case BRUTE_OP_FENCE:
        return add_event(u, op, t, &c->fences);
    case BRUTE_OP_PROXY_FENCE:
        return add_event(u, op, t, &c->proxy_fences);
    case BRUTE_OP_BARRIER:
        return add_event(u, op, t, &c->barriers);
    case BRUTE_OP_AVDEVICE:
    case BRUTE_OP_VISDEVICE:
        return add_event(u, op, t, &c->devices);
    default:
        return event;
    }
}

/* Follows the thread's branches. @outcomes: a bit for each branch of the program, which
 * is counted off; a branch that is not reached has a 0. Returns: false if there is no
 * such path, or if it jumps back */
static bool walk(struct unfolding *u, unsigned t, unsigned outcomes, unsigned *branch)
{
    const struct brute_column *column = &u->table->threads[t];
    unsigned bit_of[BRUTE_TABLE_OPS] = { 0 }, used = 0, mine = 0;
    for (unsigned i = 0; i < column->n_ops; i++) {
        if (column->ops[i].kind == BRUTE_OP_BRANCH) {
            bit_of[i] = (*branch)++;
            mine |= 1U << bit_of[i];
        }
    }
    u->n_steps[t] = 0;
    for (unsigned i = 0; i < column->n_ops;) {
        const struct brute_op *op = &column->ops[i];
        bool taken = op->kind == BRUTE_OP_BRANCH && (outcomes >> bit_of[i] & 1) != 0;
        used |= op->kind == BRUTE_OP_BRANCH ? 1U << bit_of[i] : 0;
        struct step *step = &u->steps[t][u->n_steps[t]++];
        *step = (struct step){ op, add_events(u, op, t), taken };
        if (taken && op->target <= i) {
            return false;
        }
        i = taken ? op->target : i + 1;
    }
    return (outcomes & mine & ~used) == 0;
}

static brute_set needs(const brute_set *tainted, struct brute_operand operand)
{
    return operand.is_register ? tainted[operand.value] : 0;
}

static void depend(struct relation *dep, brute_set from_, unsigned event)
{
    for (brute_set left = from_; left != 0; left &= left - 1) {
        relate(dep, (unsigned)__builtin_ctzll(left), event);
    }
}

/* Finds the reads that the thread's writes depend on, by their data and by control. */
static void find_dependencies(struct unfolding *u, unsigned t)
{
    struct brute_table_candidate *c = &u->candidate;
    brute_set tainted[BRUTE_TABLE_REGISTERS] = { 0 }, control = 0;
    for (unsigned i = 0; i < u->n_steps[t]; i++) {
        const struct brute_op *op = u->steps[t][i].op;
        unsigned event = u->steps[t][i].event;
        brute_set operands = needs(tainted, op->a) | needs(tainted, op->b);
        if (op->kind == BRUTE_OP_LOAD || op->kind == BRUTE_OP_UPDATE) {
            depend(&c->dep, control, event);
            tainted[op->dest] = op->no_result ? tainted[op->dest] : brute_bit(event);
        }
        if (op->kind == BRUTE_OP_UPDATE && op->function != BRUTE_EXCHANGE) {
            operands |= brute_bit(event);
        }
        if (op->kind == BRUTE_OP_STORE || op->kind == BRUTE_OP_UPDATE) {
            unsigned write = op->kind == BRUTE_OP_UPDATE ? event + 1 : event;
            depend(&c->data, operands, write);
            depend(&c->dep, operands | control, write);
        }
        if (op->kind == BRUTE_OP_BRANCH) {
            control |= operands;
        }
        if (op->kind == BRUTE_OP_COMPUTE) {
            tainted[op->dest] = operands;
        }
    }
}

static void relate_events(struct unfolding *u)
{
    struct brute_table_candidate *c = &u->candidate;
    brute_set accesses = c->reads | c->writes;
    for (unsigned i = 0; i < c->n; i++) {
        for (unsigned j = 0; j < c->n; j++) {
            const struct brute_event_of *a = &c->events[i], *b = &c->events[j];
            bool local = a->op != NULL && b->op != NULL && a->thread == b->thread;
            if (local) {
                relate(&c->same_thread, i, j);
            }
            if (local && i < j) {
                relate(&c->po, i, j);
            }
            if (j == i + 1 && local && a->op == b->op) {
                relate(&c->rmw, i, j);
            }
            if ((accesses >> i & accesses >> j & 1) == 0
                || a->location != b->location) {
                continue;
            }
            relate(&c->loc, i, j);
            if (a->op != NULL && b->op != NULL && a->address == b->address) {
                relate(&c->vloc, i, j);
            }
        }
    }
}

/* Returns: false if the outcomes are those of no path */
static bool begin(struct unfolding *u, unsigned outcomes)
{
    struct brute_table_candidate *c = &u->candidate;
    memset(c, 0, sizeof(*c));
    c->table = u->table;
    unsigned branch = 0;
    for (unsigned t = 0; t < u->table->n_threads; t++) {
        if (!walk(u, t, outcomes, &branch)) {
            return false;
        }
    }
    for (unsigned l = 0; l < u->table->n_locations; l++) {
        c->events[c->n] = (struct brute_event_of){ .location = (uint8_t)l };
        c->initial |= brute_bit(c->n);
        g_assert(c->n < BRUTE_EVENTS);
        c->n++;
    }
    c->writes |= c->initial;
    struct relation none = empty(c->n);
    c->po = c->same_thread = c->rf = c->rmw = c->loc = c->vloc = c->data = none;
    c->dep = c->gives = none;
    relate_events(u);
    for (unsigned t = 0; t < u->table->n_threads; t++) {
        find_dependencies(u, t);
    }
    return true;
}

/* ---- Values ---------------------------------------------------------------------- */

static int64_t compute(enum brute_function function, int64_t a, int64_t b)
{
    switch (function) {
    case BRUTE_ADD:
        return (int64_t)((uint64_t)a + (uint64_t)b);
    case BRUTE_SUB:
        return (int64_t)((uint64_t)a - (uint64_t)b);
    case BRUTE_XOR:
        return a ^ b;
    case BRUTE_AND:
        return a & b;
    case BRUTE_OR:
        return a | b;
    case BRUTE_EQ:
        return a == b;
    case BRUTE_NE:
        return a != b;
    case BRUTE_LT:
        return a < b;
    case BRUTE_GT:
        return a > b;
    case BRUTE_LE:
        return a <= b;
    case BRUTE_GE:
        return a >= b;
    default:
        return a;
    }
}

struct operand_value {
    bool known;
    int64_t value;
};

/* The registers of a thread, as far as it has come. */
struct bank {
    struct operand_value at[BRUTE_TABLE_REGISTERS];
};

static struct operand_value look_up(const struct bank *bank,
                                    struct brute_operand operand)
{
    return operand.is_register ? bank->at[operand.value]
                               : (struct operand_value){ true, operand.value };
}

/* What an update writes, which has read @read. */
static struct operand_value updated(const struct brute_op *op,
                                    struct operand_value read, struct operand_value a,
                                    struct operand_value b)
{
    if (op->function == BRUTE_EXCHANGE) {
        return a;
    }
    if (op->function == BRUTE_CAS) {
        return (struct operand_value){ read.known && a.known && b.known,
                                       read.value == a.value ? b.value : read.value };
    }
    return (struct operand_value){ read.known && a.known,
                                   compute(op->function, read.value, a.value) };
}

static void learn(struct unfolding *u, unsigned event, struct operand_value value,
                  bool *more)
{
    if (value.known && !u->known[event]) {
        u->known[event] = true;
        u->values[event] = value.value;
        *more = true;
    }
}

static void run_step(struct unfolding *u, const struct step *step, struct bank *bank,
                     bool *more)
{
    const struct brute_op *op = step->op;
    struct operand_value a = look_up(bank, op->a), b = look_up(bank, op->b);
    struct operand_value read = { .known = false };
    if (op->kind == BRUTE_OP_LOAD || op->kind == BRUTE_OP_UPDATE) {
        for (unsigned w = 0; w < u->candidate.n; w++) {
            if (related(&u->candidate.rf, w, step->event)) {
                read = (struct operand_value){ u->known[w], u->values[w] };
            }
        }
        learn(u, step->event, read, more);
        read = (struct operand_value){ u->known[step->event], u->values[step->event] };
    }
    switch (op->kind) {
    case BRUTE_OP_STORE:
        learn(u, step->event, a, more);
        break;
    case BRUTE_OP_UPDATE:
        learn(u, step->event + 1, updated(op, read, a, b), more);
        G_GNUC_FALLTHROUGH;
    case BRUTE_OP_LOAD:
        bank->at[op->dest] = op->no_result ? bank->at[op->dest] : read;
        break;
    case BRUTE_OP_COMPUTE:
        bank->at[op->dest]
            = (struct operand_value){ a.known && b.known,
                                      compute(op->function, a.value, b.value) };
        break;
    default:
        break;
    }
}

static struct bank first_bank(const struct brute_column *column)
{
    struct bank bank;
    for (unsigned i = 0; i < BRUTE_TABLE_REGISTERS; i++) {
        bank.at[i] = (struct operand_value){ true, column->initial[i] };
    }
    return bank;
}

/* Computes all that follows from what is known. */
static void propagate(struct unfolding *u)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned t = 0; t < u->table->n_threads; t++) {
            struct bank bank = first_bank(&u->table->threads[t]);
            for (unsigned i = 0; i < u->n_steps[t]; i++) {
                run_step(u, &u->steps[t][i], &bank, &more);
            }
            for (unsigned i = 0; i < BRUTE_TABLE_REGISTERS; i++) {
                u->registers[t][i] = bank.at[i].value;
            }
        }
    }
}

/* Whether each read has the value of its write, which a value that justifies itself has
 * to be asked, and each branch its outcome. */
static bool values_agree(const struct unfolding *u)
{
    const struct brute_table_candidate *c = &u->candidate;
    for (unsigned w = 0; w < c->n; w++) {
        for (unsigned r = 0; r < c->n; r++) {
            if (related(&c->rf, w, r) && u->values[w] != u->values[r]) {
                return false;
            }
        }
    }
    for (unsigned t = 0; t < u->table->n_threads; t++) {
        struct bank bank = first_bank(&u->table->threads[t]);
        for (unsigned i = 0; i < u->n_steps[t]; i++) {
            const struct step *step = &u->steps[t][i];
            const struct brute_op *op = step->op;
            bool more = false;
            if (op->kind == BRUTE_OP_BRANCH
                && (compute(op->function, look_up(&bank, op->a).value,
                            look_up(&bank, op->b).value)
                    != 0)
                    != step->taken) {
                return false;
            }
            run_step((struct unfolding *)u, step, &bank, &more);
        }
    }
    return true;
}

/* ---- Barriers -------------------------------------------------------------------- */

/* Where a thread is, of the scope that @level numbers and all wider ones. */
static bool same_group(const struct brute_table *table, unsigned s, unsigned t)
{
    const unsigned *a = table->threads[s].place, *b = table->threads[t].place;
    return table->is_ptx ? a[0] == b[0] && a[1] == b[1] && a[2] == b[2]
                         : a[1] == b[1] && a[2] == b[2];
}

/* A barrier instruction, reached or not. @event: 0 and up if reached */
struct arrival {
    const struct brute_op *op;
    unsigned thread;
    int event;
    bool id_known;
    int64_t id;
};

/* Whether they are of one instance, among those whose number is known. */
static bool meet(const struct brute_table *table, const struct arrival *a,
                 const struct arrival *b)
{
    return a->op->instance == b->op->instance && same_group(table, a->thread, b->thread)
        && a->op->has_id == b->op->has_id
        && (!a->op->has_id || (a->id_known && b->id_known && a->id == b->id));
}

static unsigned list_arrivals(const struct unfolding *u, struct arrival *arrivals)
{
    unsigned n = 0;
    for (unsigned t = 0; t < u->table->n_threads; t++) {
        const struct brute_column *column = &u->table->threads[t];
        for (unsigned i = 0; i < column->n_ops; i++) {
            const struct brute_op *op = &column->ops[i];
            if (op->kind != BRUTE_OP_BARRIER) {
                continue;
            }
            g_assert(n < MOST_MEETINGS);
            arrivals[n++]
                = (struct arrival){ op, t, -1, !op->id.is_register, op->id.value };
        }
        struct bank bank = first_bank(column);
        for (unsigned i = 0; i < u->n_steps[t]; i++) {
            const struct step *step = &u->steps[t][i];
            bool more = false;
            for (unsigned a = 0; a < n; a++) {
                if (arrivals[a].op == step->op) {
                    arrivals[a].event = (int)step->event;
                    arrivals[a].id_known = true;
                    arrivals[a].id = look_up(&bank, step->op->id).value;
                }
            }
            run_step((struct unfolding *)u, step, &bank, &more);
        }
    }
    return n;
}

static void judge(struct unfolding *u);

/* Those that give at the barriers from the @at-th on, which others have not decided. */
static void choose_givers(struct unfolding *u, const struct arrival *arrivals,
                          unsigned n, unsigned at, brute_set decided, brute_set giving)
{
    while (at < n && (arrivals[at].event < 0 || (decided >> at & 1) != 0)) {
        at++;
    }
    if (at == n) {
        struct relation *gives = &u->candidate.gives;
        *gives = empty(u->candidate.n);
        for (unsigned a = 0; a < n; a++) {
            for (unsigned b = 0; b < n; b++) {
                if ((giving >> a & 1) != 0 && arrivals[b].event >= 0
                    && !arrivals[b].op->arrives
                    && meet(u->table, &arrivals[a], &arrivals[b])) {
                    relate(gives, (unsigned)arrivals[a].event,
                           (unsigned)arrivals[b].event);
                }
            }
        }
        judge(u);
        return;
    }
    brute_set all = 0, reached = 0;
    for (unsigned b = 0; b < n; b++) {
        if (meet(u->table, &arrivals[at], &arrivals[b])) {
            all |= brute_bit(b);
            reached |= arrivals[b].event >= 0 ? brute_bit(b) : 0;
        }
    }
    unsigned quorum = arrivals[at].op->quorum;
    bool waits = quorum > 0 ? (unsigned)__builtin_popcountll(reached) < quorum
                            : reached != all;
    if (waits) {
        u->result->n_blocked++;
        return;
    }
    for (brute_set some = reached; some != 0; some = (some - 1) & reached) {
        if (quorum > 0 ? (unsigned)__builtin_popcountll(some) == quorum
                       : some == reached) {
            choose_givers(u, arrivals, n, at + 1, decided | all, giving | some);
        }
    }
}

/* ---- States ---------------------------------------------------------------------- */

static void add_state(struct unfolding *u, const struct brute_table_state *state)
{
    GArray *states = u->result->states;
    for (guint i = 0; i < states->len; i++) {
        struct brute_table_state *old
            = &g_array_index(states, struct brute_table_state, i);
        if (memcmp(old->values, state->values, sizeof(old->values)) == 0) {
            old->race = old->race || state->race;
            old->is_ordered = old->is_ordered || state->is_ordered;
            return;
        }
    }
    g_array_append_val(states, *state);
}

/* Each location's last write is chosen by itself. */
static void add_states(struct unfolding *u, struct brute_table_state *state,
                       unsigned location, const brute_set *last,
                       const brute_set *ordered)
{
    if (location == u->table->n_locations) {
        add_state(u, state);
        return;
    }
    for (brute_set left = last[location]; left != 0; left &= left - 1) {
        unsigned w = (unsigned)__builtin_ctzll(left);
        bool was = state->is_ordered;
        state->is_ordered = was && (ordered[location] >> w & 1) != 0;
        state->values[brute_table_term(-1, location)] = u->values[w];
        add_states(u, state, location + 1, last, ordered);
        state->is_ordered = was;
    }
}

static void hear(void *user, const brute_set *last, const brute_set *ordered, bool race)
{
    struct unfolding *u = user;
    struct brute_table_state state;
    memset(&state, 0, sizeof(state));
    state.race = race;
    state.is_ordered = true;
    for (unsigned t = 0; t < u->table->n_threads; t++) {
        for (unsigned i = 0; i < BRUTE_TABLE_REGISTERS; i++) {
            bool seen = u->table->threads[t].observed[i];
            state.values[brute_table_term((int)t, i)] = seen ? u->registers[t][i] : 0;
        }
    }
    u->result->race = u->result->race || race;
    add_states(u, &state, 0, last, ordered);
}

static void judge(struct unfolding *u)
{
    (brute_is_ptx(u->model) ? brute_ptx_judge : brute_vulkan_judge)(&u->candidate,
                                                                    u->model, hear, u);
}

/* ---- Candidates ------------------------------------------------------------------ */

static bool all_known(const struct unfolding *u)
{
    brute_set accesses = u->candidate.reads | u->candidate.writes;
    for (unsigned i = 0; i < u->candidate.n; i++) {
        if ((accesses >> i & 1) != 0 && !u->known[i]) {
            return false;
        }
    }
    return true;
}

static void finish_values(struct unfolding *u)
{
    if (!values_agree(u)) {
        return;
    }
    u->result->n_candidates++;
    struct arrival arrivals[MOST_MEETINGS];
    unsigned n = list_arrivals(u, arrivals);
    choose_givers(u, arrivals, n, 0, 0, 0);
}

/* A read whose value depends on itself may have any of the constants. */
static void guess_values(struct unfolding *u)
{
    propagate(u);
    if (all_known(u)) {
        finish_values(u);
        return;
    }
    if (brute_is_ptx(u->model)) {
        return; /* a cycle of rf and data is one of rf and dep: No-Thin-Air */
    }
    struct relation cycle = steps(either(u->candidate.rf, u->candidate.data));
    unsigned r = 0;
    while (u->known[r] || !related(&cycle, r, r)
           || (u->candidate.reads >> r & 1) == 0) {
        r++;
    }
    bool known[BRUTE_EVENTS];
    int64_t values[BRUTE_EVENTS];
    memcpy(known, u->known, sizeof(known));
    memcpy(values, u->values, sizeof(values));
    for (unsigned i = 0; i < u->n_constants; i++) {
        memcpy(u->known, known, sizeof(known));
        memcpy(u->values, values, sizeof(values));
        u->known[r] = true;
        u->values[r] = u->constants[i];
        uint64_t before = u->result->n_candidates;
        guess_values(u);
        u->result->n_groundless += u->result->n_candidates - before;
    }
}

static void choose_writes(struct unfolding *u, unsigned read)
{
    struct brute_table_candidate *c = &u->candidate;
    while (read < c->n && (c->reads >> read & 1) == 0) {
        read++;
    }
    if (read == c->n) {
        memset(u->known, 0, sizeof(u->known));
        memset(u->values, 0, sizeof(u->values));
        for (brute_set left = c->initial; left != 0; left &= left - 1) {
            unsigned w = (unsigned)__builtin_ctzll(left);
            u->known[w] = true;
            u->values[w] = u->table->initial[c->events[w].location];
        }
        guess_values(u);
        return;
    }
    for (unsigned w = 0; w < c->n; w++) {
        if ((c->writes >> w & 1) != 0 && related(&c->loc, w, read)) {
            relate(&c->rf, w, read);
            choose_writes(u, read + 1);
            c->rf.row[w] &= ~brute_bit(read);
        }
    }
}

static void add_constant(struct unfolding *u, int64_t value)
{
    for (unsigned i = 0; i < u->n_constants; i++) {
        if (u->constants[i] == value) {
            return;
        }
    }
    g_assert(u->n_constants < MOST_CONSTANTS);
    u->constants[u->n_constants++] = value;
}

/* Those of initial values, operands and the claim. */
static void find_constants(struct unfolding *u)
{
    const struct brute_table *table = u->table;
    for (unsigned l = 0; l < table->n_locations; l++) {
        add_constant(u, table->initial[l]);
    }
    for (unsigned i = 0; i < table->n_clauses; i++) {
        add_constant(u, table->clauses[i].value);
    }
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = 0; i < table->threads[t].n_ops; i++) {
            const struct brute_op *op = &table->threads[t].ops[i];
            bool one = op->kind == BRUTE_OP_STORE || op->kind == BRUTE_OP_UPDATE;
            bool two = op->kind == BRUTE_OP_BRANCH || op->kind == BRUTE_OP_COMPUTE
                || (one && op->function == BRUTE_CAS);
            if ((one || two) && !op->a.is_register) {
                add_constant(u, op->a.value);
            }
            if (two && !op->b.is_register) {
                add_constant(u, op->b.value);
            }
            if (op->kind == BRUTE_OP_BARRIER && op->has_id && !op->id.is_register) {
                add_constant(u, op->id.value);
            }
        }
    }
}

static unsigned count_branches(const struct brute_table *table)
{
    unsigned n = 0;
    for (unsigned t = 0; t < table->n_threads; t++) {
        for (unsigned i = 0; i < table->threads[t].n_ops; i++) {
            n += table->threads[t].ops[i].kind == BRUTE_OP_BRANCH;
        }
    }
    return n;
}

void brute_table_decide(const struct brute_table *table, enum brute_table_model model,
                        struct brute_table_result *result)
{
    struct unfolding *u = g_new0(struct unfolding, 1);
    *result = (struct brute_table_result){
        .states = g_array_new(FALSE, FALSE, sizeof(struct brute_table_state))
    };
    u->table = table;
    u->model = model;
    u->result = result;
    find_constants(u);
    for (unsigned outcomes = 0; outcomes < 1U << count_branches(table); outcomes++) {
        if (begin(u, outcomes)) {
            choose_writes(u, 0);
        }
    }
    g_free(u);
}

void brute_table_result_clear(struct brute_table_result *result)
{
    g_array_unref(result->states);
}

uint64_t brute_table_size(const struct brute_table *table, uint64_t most)
{
    struct unfolding *u = g_new0(struct unfolding, 1);
    u->table = table;
    uint64_t size = 0;
    unsigned n_branches = count_branches(table);
    for (unsigned outcomes = 0;
         n_branches <= MOST_BRANCHES && outcomes < 1U << n_branches; outcomes++) {
        if (!begin(u, outcomes)) {
            continue;
        }
        const struct brute_table_candidate *c = &u->candidate;
        uint64_t product = 1;
        for (unsigned r = 0; r < c->n && product <= most; r++) {
            if ((c->reads >> r & 1) != 0) {
                product *= (uint64_t)__builtin_popcountll(c->loc.row[r] & c->writes);
            }
        }
        size += product;
    }
    g_free(u);
    return n_branches > MOST_BRANCHES ? most + 1 : size;
}
