/* SPDX-License-Identifier: MIT
 *
 * spin.c: prepares the code of a thread so that an iteration that changes nothing can
 * be recognised: one after which the thread continues exactly as it would have without
 * the iteration. Two questions are answered once for all executions.
 *
 * Which values matter at the head of a loop? Those that later decide a branch, an
 * address, a fault, a value written or compared with, or a register that the claim
 * names. A counter that is only incremented does not matter. So a slot is live if a use
 * that matters is ahead, and a computation is such a use only if its result matters.
 * This is a backward data-flow analysis over sets of slots, iterated to its fixed
 * point.
 *
 * Which accesses of an iteration may be left out of an execution? Those that cannot be
 * part of a race; otherwise the race could be left out with them. In a table of PTX,
 * which has no races, a read can always be left out. The answer depends on all accesses
 * to the location in the test and holds for all models:
 *
 *     a read                  no other thread writes to the location; or the read and
 *                             all writes are atomic and have one scope, which includes
 *                             the writers
 *     a read-modify-write     all accesses are atomic and have one scope that includes
 *     that writes the value   all threads that access the location, which is declared
 *     it reads                atomic
 *
 * In a table all of these accesses also use one name and one proxy. */
#include "config.h"

#include "litmus/parser.h"

#include <string.h>

typedef struct weiri_litmus_instruction instruction;

/* Words in all sets of a thread, and passes over them. Larger threads do not occur in
 * practice; their loops are left as they are. */
enum { BITS = 64, MOST_WORDS = 1 << 18, MOST_PASSES = 64 };
/* Slots that loops of a thread may add, because states are copied with every event. */
enum { MOST_SLOTS = 1 << 10 };

/* The code was made by this module and has no other users yet. */
static struct weiri_litmus_code *code_of(struct weiri_litmus *test, uint32_t thread)
{
    return (struct weiri_litmus_code *)test->threads[thread].code;
}

static instruction *instructions_of(struct weiri_litmus *test, uint32_t thread)
{
    return (instruction *)test->threads[thread].code->instructions;
}

/* ---- Which values matter --------------------------------------------------------- */

/* By instruction: the slots that are live before it. */
struct liveness {
    const struct weiri_litmus_code *code;
    uint32_t words;
    uint64_t *sets;
    uint64_t *observed; /* live at the end of the thread */
    uint64_t *scratch;
};

static bool has(const uint64_t *set, uint32_t slot)
{
    return (set[slot / BITS] >> slot % BITS & 1) != 0;
}

static void kill_slot(uint64_t *set, uint32_t slot)
{
    if (slot != WEIRI_LITMUS_NO_SLOT) {
        set[slot / BITS] &= ~(UINT64_C(1) << slot % BITS);
    }
}

static void use(uint64_t *set, const struct weiri_litmus_operand *operand)
{
    if (operand->slot != WEIRI_LITMUS_NO_SLOT) {
        set[operand->slot / BITS] |= UINT64_C(1) << operand->slot % BITS;
    }
}

static uint64_t *before(const struct liveness *live, uint32_t at)
{
    return live->sets + (size_t)at * live->words;
}

static bool may_fault(const instruction *at)
{
    return at->function == WEIRI_LITMUS_DIVIDE || at->function == WEIRI_LITMUS_MODULO
        || at->function == WEIRI_LITMUS_SHIFT_LEFT
        || at->function == WEIRI_LITMUS_SHIFT_RIGHT;
}

/* Turns the slots that are live after the instruction into the slots that are live
 * before it. */
static void go_back(const instruction *at, uint64_t *set)
{
    switch (at->op) {
    case WEIRI_LITMUS_OP_READ:
        kill_slot(set, at->result);
        use(set, &at->address);
        break;
    case WEIRI_LITMUS_OP_WRITE:
    case WEIRI_LITMUS_OP_UPDATE:
        kill_slot(set, at->result);
        use(set, &at->address);
        use(set, &at->a);
        use(set, &at->b); /* no slot, but for an UPDATE that compares */
        break;
    case WEIRI_LITMUS_OP_COMPARE:
        kill_slot(set, at->result);
        kill_slot(set, at->old);
        use(set, &at->address);
        use(set, &at->a);
        use(set, &at->b);
        break;
    case WEIRI_LITMUS_OP_COMPUTE:
        if (has(set, at->result) || may_fault(at)) {
            kill_slot(set, at->result);
            use(set, &at->a);
            use(set, &at->b);
        }
        break;
    case WEIRI_LITMUS_OP_BRANCH:
    case WEIRI_LITMUS_OP_BARRIER: /* its number */
        use(set, &at->a);
        break;
    default: /* iteration counts are not operands */
        break;
    }
}

/* Returns: whether the set before the instruction has grown */
static bool look_at(const struct liveness *live, uint32_t i)
{
    const instruction *at = &live->code->instructions[i];
    bool jumps = at->op == WEIRI_LITMUS_OP_JUMP || at->op == WEIRI_LITMUS_OP_BRANCH;
    bool goes_on = at->op != WEIRI_LITMUS_OP_JUMP && at->op != WEIRI_LITMUS_OP_END;
    uint64_t *set = live->scratch, *was = before(live, i);
    bool grown = false;
    memset(set, 0, live->words * sizeof(*set));
    for (uint32_t w = 0; w < live->words; w++) {
        set[w] = (jumps ? before(live, at->target)[w] : 0)
            | (goes_on ? before(live, i + 1)[w] : 0)
            | (at->op == WEIRI_LITMUS_OP_END ? live->observed[w] : 0);
    }
    go_back(at, set);
    for (uint32_t w = 0; w < live->words; w++) {
        grown = grown || (set[w] & ~was[w]) != 0;
        was[w] |= set[w];
    }
    return grown;
}

/* Returns: whether the passes reached the fixed point */
static bool find_live(const struct liveness *live)
{
    bool grows = true;
    for (uint32_t pass = 0; grows && pass < MOST_PASSES; pass++) {
        grows = false;
        for (uint32_t i = live->code->n_instructions; i-- > 0;) {
            grows |= look_at(live, i);
        }
    }
    return !grows;
}

static void observe(const struct weiri_litmus_term *term, uint32_t thread,
                    uint64_t *set)
{
    if (term->thread == thread) {
        set[term->index / BITS] |= UINT64_C(1) << term->index % BITS;
    }
}

static void observe_condition(const struct weiri_litmus_condition *condition,
                              uint32_t thread, uint64_t *set)
{
    for (; condition != NULL; condition = condition->next) {
        if (weiri_litmus_has_terms(condition, false)) {
            observe(&condition->left, thread, set);
        }
        if (weiri_litmus_has_terms(condition, true)) {
            observe(&condition->right, thread, set);
        }
        observe_condition(condition->first, thread, set);
    }
}

/* Adds slots to the head: one for @since, and after it one for each live value. */
static void add_slots(struct weiri_litmus *test, struct weiri_litmus_code *code,
                      instruction *head, const uint64_t *live)
{
    uint32_t n = 0;
    for (uint32_t slot = 0; slot < code->n_done; slot++) {
        n += has(live, slot);
    }
    if (code->n_slots + n >= code->n_done + MOST_SLOTS) {
        return;
    }
    uint32_t *slots
        = weiri_litmus_memory_take(test->memory, MAX(n, 1) * sizeof(*slots));
    for (uint32_t slot = 0; slot < code->n_done; slot++) {
        if (has(live, slot)) {
            slots[head->n_live++] = slot;
        }
    }
    head->live = slots;
    head->since = head[-1].since = code->n_slots; /* the instruction before it is
                                                     ENTER */
    code->n_slots += 1 + n;
}

static void treat_loops(struct weiri_litmus *test, uint32_t thread)
{
    struct weiri_litmus_code *code = code_of(test, thread);
    instruction *all = instructions_of(test, thread);
    uint32_t n_loops = 0, words = (code->n_slots + BITS - 1) / BITS;
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        n_loops += all[i].op == WEIRI_LITMUS_OP_HEAD;
    }
    if (n_loops == 0 || (uint64_t)(code->n_instructions + 2) * words > MOST_WORDS) {
        return;
    }
    g_autofree uint64_t *sets
        = g_new0(uint64_t, (code->n_instructions + 2) * (size_t)MAX(words, 1));
    struct liveness live
        = { .code = code,
            .words = words,
            .sets = sets,
            .observed = sets + (size_t)code->n_instructions * words,
            .scratch = sets + (size_t)(code->n_instructions + 1) * words };
    for (uint32_t i = 0; i < test->n_observed; i++) {
        observe(&test->observed[i], thread, live.observed);
    }
    observe_condition(test->filter, thread, live.observed);
    if (!find_live(&live)) {
        return;
    }
    code->n_done = code->n_slots;
    code->changed = code->n_slots + 1;
    code->n_slots += 2;
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        if (all[i].op == WEIRI_LITMUS_OP_HEAD) {
            add_slots(test, code, &all[i], before(&live, i));
        }
    }
}

uint64_t *weiri_litmus_live_slots(const struct weiri_litmus_code *code, uint32_t *words)
{
    uint32_t n = (MAX(code->n_slots, 1) + BITS - 1) / BITS;
    if ((uint64_t)(code->n_instructions + 2) * n > MOST_WORDS) {
        return NULL;
    }
    uint64_t *sets = g_new0(uint64_t, (code->n_instructions + 2) * (size_t)n);
    const struct liveness live
        = { .code = code,
            .words = n,
            .sets = sets,
            .observed = sets + (size_t)code->n_instructions * n,
            .scratch = sets + (size_t)(code->n_instructions + 1) * n };
    if (!find_live(&live)) {
        g_free(sets);
        return NULL;
    }
    *words = n;
    return sets;
}

/* ---- Which accesses cannot be in a race ------------------------------------------ */

/* Facts that hold for all accesses to a location. */
struct use {
    uint64_t threads, writers; /* sets: those that access it, those that may write to
                                  it */
    memory_scope scope, write_scope;
    bool is_used, is_written;
    bool alike, writes_alike;   /* all are atomic and of one scope; all writes are */
    bool same_way;              /* all are by one name and proxy of a table */
    struct weiri_traits traits; /* of the latest access */
};

static bool is_same_way(const struct use *use, const instruction *at)
{
    return use->traits.reference == at->traits.reference
        && use->traits.proxy == at->traits.proxy;
}

static bool accesses(const instruction *at)
{
    return at->op <= WEIRI_LITMUS_OP_COMPARE;
}

static void add_use(struct use *use, const instruction *at, uint32_t thread)
{
    bool same_way = !use->is_used || is_same_way(use, at);
    use->threads |= UINT64_C(1) << thread;
    use->same_way = same_way && (!use->is_used || use->same_way);
    use->alike = at->atomic && use->same_way
        && (!use->is_used || (use->alike && use->scope == at->scope));
    use->traits = at->traits;
    use->scope = at->scope;
    use->is_used = true;
    if (at->op != WEIRI_LITMUS_OP_READ) {
        use->writers |= UINT64_C(1) << thread;
        use->writes_alike = at->atomic
            && (!use->is_written
                || (use->writes_alike && use->write_scope == at->scope));
        use->write_scope = at->scope;
        use->is_written = true;
    }
}

/* Whether the scope, as seen from the thread, includes all threads of the set. */
static bool takes_in_all(const struct weiri_litmus *test, memory_scope scope,
                         uint32_t thread, uint64_t threads)
{
    for (uint32_t t = 0; t < test->n_threads; t++) {
        if ((threads >> t & 1) != 0 && !weiri_litmus_in_scope(test, scope, thread, t)) {
            return false;
        }
    }
    return true;
}

static void judge(const struct weiri_litmus *test, const struct use *use,
                  instruction *at, uint32_t thread)
{
    uint64_t others = use->writers & ~(UINT64_C(1) << thread);
    at->may_go = at->op != WEIRI_LITMUS_OP_WRITE
        && ((others == 0 && use->same_way) || test->form == WEIRI_LITMUS_PTX
            || (at->atomic && use->writes_alike && use->same_way
                && use->write_scope == at->scope
                && takes_in_all(test, at->scope, thread, others)));
    at->may_keep = at->op == WEIRI_LITMUS_OP_UPDATE && use->alike
        && test->locations[at->location].atomic;
    for (uint32_t t = 0; t < test->n_threads && at->may_keep; t++) {
        at->may_keep = (use->threads >> t & 1) == 0
            || takes_in_all(test, use->scope, t, use->threads);
    }
}

void weiri_litmus_judge_accesses(struct weiri_litmus *test)
{
    g_autofree struct use *uses = g_new0(struct use, MAX(test->n_locations, 1));
    for (uint32_t t = 0; t < test->n_threads; t++) {
        instruction *all = instructions_of(test, t);
        for (uint32_t i = 0; i < test->threads[t].code->n_instructions; i++) {
            if (accesses(&all[i])) {
                add_use(&uses[all[i].location], &all[i], t);
            }
        }
    }
    for (uint32_t t = 0; t < test->n_threads; t++) {
        instruction *all = instructions_of(test, t);
        bool loops = test->threads[t].code->n_done != WEIRI_LITMUS_NO_SLOT;
        for (uint32_t i = 0; loops && i < test->threads[t].code->n_instructions; i++) {
            if (accesses(&all[i])) {
                judge(test, &uses[all[i].location], &all[i], t);
            }
        }
    }
}

void weiri_litmus_find_spins(struct weiri_litmus *test)
{
    for (uint32_t t = 0; t < test->n_threads; t++) {
        treat_loops(test, t);
    }
    weiri_litmus_judge_accesses(test);
}
