/* SPDX-License-Identifier: MIT
 *
 * brute_generator.c: draws programs.
 *
 * Threads that touch a few locations at random rarely show a difference. Longer
 * patterns distinguish models: cycles, in which each thread touches what another one
 * does, and messages, of data after a flag that is handed on. So programs are of
 * three shapes:
 *
 *   wild     any location after any other
 *   cycle    a cycle of events: of each thread one or two, and from thread to thread a
 *            write and its read, a read and a later write, or two writes
 *   message  data and a flag; threads that update the flag or pass it on to another
 *            one; then the last flag, and the data
 *
 * In between there may be a fence, a dependency, a condition or a loop, and orders and
 * scopes follow the program's habits (brute_draft.h).
 *
 * Five of twenty programs have groups, scopes and spaces, four others have barriers,
 * too. A barrier is given to all threads of a group, at random places; some of these
 * are in branches, and now and then a thread lacks it or has other flags: then
 * executions are blocked. A program that is too large for brute force is drawn again,
 * and so is one that is too little. */
#include "brute_generator.h"

#include "brute_draft.h"

#include <inttypes.h>

enum { MOST_EVENTS = 10, MOST_MEETINGS = 4 };

/* ---- Shapes ---------------------------------------------------------------------- */

static void draw_wild(struct brute_draft *draft)
{
    for (unsigned t = 0; t < draft->program->n_threads; t++) {
        struct brute_touch touches[4];
        unsigned n = 1 + below(draft, 4);
        for (unsigned i = 0; i < n; i++) {
            touches[i]
                = (struct brute_touch){ below(draft, draft->n_locations), ANYHOW };
        }
        brute_add_touches(draft, t, touches, n);
    }
}

/* The cycle enters each thread at its first event and leaves it at its last one. A
 * thread of two events goes from one location to the next. */
static void draw_cycle(struct brute_draft *draft)
{
    static const enum brute_purpose from[] = { TO_WRITE, TO_READ, TO_WRITE };
    static const enum brute_purpose to[] = { TO_READ, TO_WRITE, TO_WRITE };
    unsigned n = draft->program->n_threads, n_pairs = 0;
    bool pair[BRUTE_THREADS];
    for (unsigned t = 0; t < n; t++) {
        pair[t] = t < 2 || once_in(draft, 2);
        n_pairs += pair[t];
    }
    draft->n_locations = MAX(draft->n_locations, n_pairs);
    unsigned location = 0, back = below(draft, 3); /* the edge that closes it */
    enum brute_purpose purpose = to[back];
    for (unsigned t = 0; t < n; t++) {
        struct brute_touch touches[2] = { { location, purpose } };
        unsigned edge = t + 1 == n ? back : below(draft, 3);
        if (pair[t]) {
            location = (location + 1) % n_pairs;
        } else {
            while (from[edge] != purpose && t + 1 < n) {
                edge = below(draft, 3);
            }
        }
        touches[1] = (struct brute_touch){ location, from[edge] };
        brute_add_touches(draft, t, touches, pair[t] ? 2 : 1);
        purpose = to[edge];
    }
}

/* The data is location 0, and all others are flags. */
static void draw_message(struct brute_draft *draft)
{
    unsigned last = draft->program->n_threads - 1, flag = 1;
    for (unsigned i = 0; i < draft->n_locations; i++) {
        draft->program->locations[i].atomic = i > 0 || once_in(draft, 2);
    }
    brute_add_touch(draft, 0, (struct brute_touch){ 0, ANYHOW });
    if (draft->fenced || once_in(draft, 4)) {
        brute_add_fence(draft, 0);
    }
    brute_add_touch(draft, 0, (struct brute_touch){ flag, TO_WRITE });
    if (once_in(draft, 4)) {
        brute_add_touch(draft, 0, (struct brute_touch){ flag, TO_WRITE });
    }
    for (unsigned t = 1; t < last; t++) {
        if (flag + 1 == draft->n_locations || !once_in(draft, 3)) {
            bool habit = draft->updates;
            draft->updates = true;
            brute_add_touch(draft, t, (struct brute_touch){ flag, ANYHOW });
            draft->updates = habit;
        } else {
            struct brute_touch touches[]
                = { { flag, TO_READ }, { flag + 1, TO_WRITE } };
            brute_add_touches(draft, t, touches, 2);
            flag++;
        }
    }
    brute_add_touch(draft, last, (struct brute_touch){ flag, TO_READ });
    bool asks = once_in(draft, 2) && brute_add_if(draft, last);
    if (draft->fenced || once_in(draft, 4)) {
        brute_add_fence(draft, last);
    }
    brute_add_touch(draft, last, (struct brute_touch){ 0, ANYHOW });
    if (asks) {
        brute_add_close(draft, last);
    }
}

/* ---- Barriers -------------------------------------------------------------------- */

/* A place from @least on, most often one that is in no block. */
static unsigned draw_place(struct brute_draft *draft, unsigned thread, unsigned least)
{
    const struct brute_statement *statements
        = draft->program->threads[thread].statements;
    unsigned n = draft->n_statements[thread];
    unsigned at = least + below(draft, n - least + 1);
    int depth = 0;
    for (unsigned i = 0; i < at; i++) {
        depth += statements[i].kind == BRUTE_IF || statements[i].kind == BRUTE_WHILE;
        depth -= statements[i].kind == BRUTE_CLOSE;
    }
    while (depth > 0 && at < n && !once_in(draft, 12)) {
        depth -= statements[at++].kind == BRUTE_CLOSE;
    }
    return at;
}

/* Gives barriers to all of the group that thread @of is in. */
static void add_barriers(struct brute_draft *draft, unsigned of)
{
    const struct brute_thread *threads = draft->program->threads;
    unsigned least[BRUTE_THREADS] = { 0 };
    unsigned n = 1 + once_in(draft, 3);
    bool slips = once_in(draft, 8);
    for (unsigned i = 0; i < n; i++) {
        struct brute_statement barrier
            = { .kind = BRUTE_BARRIER,
                .label = 1 + (once_in(draft, 4) ? 0 : i),
                .spaces = below(draft, 4),
                .scope = once_in(draft, 6) ? memory_scope_device + below(draft, 2)
                                           : memory_scope_work_group };
        for (unsigned t = 0; t < draft->program->n_threads; t++) {
            if (threads[t].group != threads[of].group
                || threads[t].device != threads[of].device
                || (slips && once_in(draft, 4))) {
                continue;
            }
            struct brute_statement own = barrier;
            if (slips && once_in(draft, 4)) {
                own.spaces = below(draft, 4);
            }
            unsigned at = draw_place(draft, t, least[t]);
            brute_insert(draft, t, at, own);
            least[t] = MIN(at + 1, draft->n_statements[t]);
        }
    }
}

/* ---- Programs -------------------------------------------------------------------- */

/* @meet: the first thread has another one to meet, most often. */
static void place_threads(struct brute_draft *draft, bool meet)
{
    struct brute_thread *threads = draft->program->threads;
    unsigned n_groups = 1 + below(draft, 3), n_devices = 1 + once_in(draft, 4);
    for (unsigned t = 0; t < draft->program->n_threads; t++) {
        threads[t].group = below(draft, n_groups);
        threads[t].device = below(draft, n_devices);
    }
    if (meet && !once_in(draft, 8)) {
        threads[1].group = threads[0].group;
        threads[1].device = threads[0].device;
    }
}

static void draw_locations(struct brute_draft *draft)
{
    draft->n_locations = once_in(draft, 3) ? 2 + below(draft, 3) : 2;
    for (unsigned i = 0; i < 4; i++) {
        struct brute_location *location = &draft->program->locations[i];
        location->atomic = !draft->plain || once_in(draft, 2);
        location->local = draft->program->placed && once_in(draft, 3);
        location->initial = once_in(draft, 16);
        draft->homes[i] = below(draft, draft->program->n_threads);
    }
}

static void draw_habits(struct brute_draft *draft)
{
    draft->orders = (enum brute_orders)below(draft, 4);
    draft->scope = (memory_scope)(memory_scope_work_group + below(draft, 3));
    draft->fence_scope = once_in(draft, 2)
        ? draft->scope
        : (memory_scope)(memory_scope_work_group + below(draft, 3));
    draft->scope_slips = once_in(draft, 3) ? 2 : 6;
    draft->fenced = once_in(draft, 3);
    draft->updates = once_in(draft, 5);
    draft->branches = once_in(draft, 4);
    draft->loops = once_in(draft, 10);
    draft->plain = once_in(draft, 2);
}

/* Whether there is anything between threads. */
static bool is_shared(const struct brute_program *program)
{
    for (unsigned i = 0; i < BRUTE_LOCATIONS; i++) {
        unsigned n = 0;
        for (unsigned t = 0; t < program->n_threads; t++) {
            n += brute_uses(program, t, i) != 0;
        }
        if (n > 1) {
            return true;
        }
    }
    return false;
}

static void draw_program(struct brute_draft *draft)
{
    struct brute_program *program = draft->program;
    unsigned kind = below(draft, 20), shape = below(draft, 3);
    bool barriers = kind < 4;
    program->placed = kind < 9;
    program->n_threads = 2 + (shape != 0 || once_in(draft, 2) ? below(draft, 3) : 0);
    draw_habits(draft);
    if (program->placed) {
        place_threads(draft, barriers);
    }
    draw_locations(draft);
    draft->most_events = MOST_EVENTS - (barriers ? MOST_MEETINGS : 0);
    switch (shape) {
    case 0:
        draw_wild(draft);
        break;
    case 1:
        draw_cycle(draft);
        break;
    default:
        draw_message(draft);
    }
    draft->most_events = MOST_EVENTS;
    if (barriers) {
        add_barriers(draft, once_in(draft, 4) ? below(draft, program->n_threads) : 0);
    }
    brute_drop_unused(program);
}

/* A part of some final state. */
static void draw_clauses(struct brute_draft *draft, const struct brute_result *result)
{
    struct brute_program *program = draft->program;
    const struct brute_state *state = NULL;
    if (result->states->len != 0) {
        state = &g_array_index(result->states, struct brute_state,
                               below(draft, result->states->len));
    }
    program->any = once_in(draft, 8);
    program->n_clauses = 0;
    for (unsigned kept = 1 + below(draft, 2); program->n_clauses == 0; kept = 1) {
        for (unsigned t = 0; t <= BRUTE_MEMORY; t++) {
            for (unsigned i = 0; i < BRUTE_LOCATIONS || i < BRUTE_REGISTERS; i++) {
                int term = brute_term(program, t, i);
                if (term >= 0 && program->n_clauses < BRUTE_CLAUSES
                    && below(draft, 3) < kept) {
                    program->clauses[program->n_clauses++]
                        = (struct brute_clause){ t, i,
                                                 state ? state->values[term] : 0 };
                }
            }
        }
    }
}

struct brute_result *brute_draw(uint64_t seed, struct brute_program *program)
{
    uint64_t random = seed;
    for (;;) {
        struct brute_draft draft = { .program = program, .random = random };
        memset(program, 0, sizeof(*program));
        g_snprintf(program->name, sizeof(program->name), "brute-%" PRIu64, seed);
        draw_program(&draft);
        struct brute_result *result = NULL;
        if (is_shared(program)) {
            result = brute_decide(program, BRUTE_DRAWN_ROUNDS, BRUTE_DRAWN_CANDIDATES);
        }
        if (result != NULL && result->n_candidates > 2) {
            draw_clauses(&draft, result);
            brute_count(program, result);
            return result;
        }
        brute_result_free(result);
        random = draft.random;
    }
}
