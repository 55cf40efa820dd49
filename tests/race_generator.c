/* SPDX-License-Identifier: MIT
 *
 * race_generator.c: draws programs.
 *
 * Operations drawn one by one race nearly always, and then say little: it is the last
 * edge of a long way that a detector gets wrong. So a program is made of pieces, its
 * items are interleaved at random, and then it is one of three things:
 *
 *   wild   as it is, and short
 *   clean  accesses that race are taken out until none does: what is left hangs by
 *          whatever order there is, however odd
 *   near   clean, and then a few things in it are changed: an order weaker, a scope
 *          narrower, a fence gone, an access more
 *
 * The reference decides which accesses race. */
#include "race_generator.h"

#include "race_draft.h"
#include "race_reference.h"

/* ---- One after the other ------------------------------------------------- */

struct progress {
    unsigned at[MOST_ITEMS]; /* lines done */
    uint64_t sent;
    bool taken[64]; /* locks */
    uint32_t arrived[MOST_MEETINGS];
    unsigned waits_at[MOST_ITEMS]; /* a meeting, from 1; or 0 */
};

/* Whether all items have ended that could have come to a meeting and do not. */
static bool have_ended(const struct draft *draft, const struct progress *progress,
                       unsigned item, const struct meeting *meeting)
{
    unsigned n = draft->program->n_items;
    unsigned size
        = meeting->level == WEIRI_LEVEL_GROUP ? n : draft->program->sub_group_size;
    for (unsigned i = item / n * n; i < (item / n + 1) * n; i++) {
        bool near = i % n / size == item % n / size;
        if (near && !(meeting->members >> i & 1)
            && progress->at[i] < draft->n_lines[i]) {
            return false;
        }
    }
    return true;
}

static bool can_go_on(const struct draft *draft, const struct progress *progress,
                      unsigned item)
{
    if (progress->at[item] == draft->n_lines[item] || progress->waits_at[item] != 0) {
        return false;
    }
    const struct line *line = &draft->lines[item][progress->at[item]];
    if (line->step.kind == STEP_ARRIVE) {
        return have_ended(draft, progress, item,
                          &draft->program->meetings[line->step.meeting]);
    }
    return (line->waits & ~progress->sent) == 0
        && !(line->takes != 0 && progress->taken[line->takes]);
}

static void go_on(struct draft *draft, struct progress *progress, unsigned item)
{
    struct program *program = draft->program;
    const struct line *line = &draft->lines[item][progress->at[item]++];
    program->steps[program->n_steps++] = line->step;
    progress->sent |= line->sends;
    progress->taken[line->takes] = true;
    progress->taken[line->gives] = false;
    if (line->step.kind != STEP_ARRIVE) {
        return;
    }
    unsigned meeting = line->step.meeting;
    progress->waits_at[item] = meeting + 1;
    progress->arrived[meeting] |= 1u << item;
    if (progress->arrived[meeting] == program->meetings[meeting].members) {
        for (unsigned i = 0; i < MOST_ITEMS; i++) {
            if (progress->waits_at[i] == meeting + 1) {
                progress->waits_at[i] = 0;
            }
        }
    }
}

/* Items that can go on, of the first @n_groups. */
static unsigned find_able(const struct draft *draft, const struct progress *progress,
                          unsigned n_groups, unsigned able[MOST_ITEMS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < n_groups * draft->program->n_items; i++) {
        if (can_go_on(draft, progress, i)) {
            able[n++] = i;
        }
    }
    return n;
}

/* An item goes on for a while, and groups may come one after the other, as on a device
 * that has room for few. */
static void interleave(struct draft *draft)
{
    struct program *program = draft->program;
    struct progress progress = { .sent = 0 };
    unsigned item = 0, stays = below(draft, 12);
    unsigned n_groups = once_in(draft, 2) ? 1 : program->n_groups;
    while (program->n_steps < MOST_STEPS) {
        unsigned able[MOST_ITEMS];
        unsigned n = find_able(draft, &progress, n_groups, able);
        if (n == 0 && n_groups == program->n_groups) {
            return;
        }
        if (n == 0) {
            n_groups++;
            continue;
        }
        if (!can_go_on(draft, &progress, item) || below(draft, 12) >= stays) {
            item = able[below(draft, n)];
        }
        go_on(draft, &progress, item);
    }
}

/* ---- Without races, and nearly so ---------------------------------------- */

/* The step with the most races among those that stay; plain ones go first. */
static unsigned worst(const struct program *program, const struct judgement *judgement,
                      const bool *leaves, struct draft *draft)
{
    unsigned found = UINT_MAX, most = 0;
    for (unsigned i = 0; i < program->n_steps; i++) {
        unsigned races = 0;
        for (unsigned j = 0; j < program->n_steps; j++) {
            races += !leaves[i] && !leaves[j] && judgement->kinds[i][j] != RACE_NONE;
        }
        unsigned weight = races == 0 ? 0
                                     : 8 * races + below(draft, 4)
                + (program->steps[i].kind == STEP_PLAIN ? 6 : 0);
        if (weight > most) {
            most = weight;
            found = i;
        }
    }
    return found;
}

/* Taking an atomic away may undo order, so it needs more than one round. */
static void clean(struct draft *draft)
{
    struct program *program = draft->program;
    g_autofree struct judgement *judgement = g_new(struct judgement, 1);
    while (reference_judge(program, judgement), judgement->n_races > 0) {
        bool leaves[MOST_STEPS] = { false };
        unsigned step;
        while ((step = worst(program, judgement, leaves, draft)) != UINT_MAX) {
            leaves[step] = true;
        }
        for (unsigned i = program->n_steps; i-- > 0;) {
            if (leaves[i]) {
                program_remove(program, i);
            }
        }
    }
}

/* Another plain access where its item comes by anyway. */
static void insert_plain(struct draft *draft, unsigned at)
{
    struct program *program = draft->program;
    unsigned item = program->steps[at].item, n = draft->n_lines[item];
    draft_add_plain(draft, item);
    if (draft->n_lines[item] == n || program->n_steps == MOST_STEPS) {
        return;
    }
    memmove(&program->steps[at + 1], &program->steps[at],
            (program->n_steps - at) * sizeof(program->steps[0]));
    program->n_steps++;
    program->steps[at] = draft->lines[item][n].step;
}

static void weaken(struct draft *draft, struct step *step)
{
    memory_order half = step->atomic == WEIRI_ATOMIC_LOAD ? memory_order_acquire
                                                          : memory_order_release;
    bool whole
        = step->atomic != WEIRI_ATOMIC_LOAD && step->atomic != WEIRI_ATOMIC_STORE;
    memory_order order = once_in(draft, 2) ? memory_order_relaxed : draft_order(draft);
    step->order = whole ? order : legal(order, half);
    step->failure = step->atomic == WEIRI_ATOMIC_COMPARE_EXCHANGE
        ? legal(draft_order(draft), memory_order_acquire)
        : step->order;
}

static void spoil(struct draft *draft)
{
    struct program *program = draft->program;
    if (program->n_steps == 0) {
        return;
    }
    unsigned at = below(draft, program->n_steps);
    for (unsigned tries = 0; tries < 10 && program->steps[at].kind == STEP_PLAIN;
         tries++) {
        at = below(draft, program->n_steps);
    }
    struct step *step = &program->steps[at];
    unsigned what = below(draft, 6);
    if (what == 0 || step->kind == STEP_PLAIN) {
        insert_plain(draft, at);
    } else if (what == 1) {
        program_remove(program, at);
    } else if (step->kind == STEP_ARRIVE) {
        struct meeting *meeting = &program->meetings[step->meeting];
        if (meeting->kind == WEIRI_BARRIER && meeting->level == WEIRI_LEVEL_GROUP
            && meeting->scope == memory_scope_work_group) {
            meeting->space = below(draft, 4);
        } else {
            program_remove(program, at);
        }
    } else if (what == 2) {
        step->scope = below(draft, memory_scope_system + 1);
    } else if (what == 3 && step->kind == STEP_FENCE) {
        step->space = WEIR_LOCAL + below(draft, 3);
    } else if (what == 4 && step->kind == STEP_ATOMIC) {
        step->kind = STEP_PLAIN;
    } else {
        weaken(draft, step);
    }
}

/* ---- Under PTX ----------------------------------------------------------- */

/* A plain access to a place of atomics, as the last that an item does. */
static void add_last(struct draft *draft, unsigned item)
{
    const struct place *place = &draft->places[below(draft, draft->n_places)];
    const struct object *object = &draft->program->objects[place->object];
    if (draft->n_lines[item] == MOST_LINES
        || (object->local && object->group != item / draft->program->n_items)) {
        return;
    }
    bool writes = once_in(draft, 2);
    draft->lines[item][draft->n_lines[item]++].step
        = (struct step){ .kind = STEP_PLAIN,
                         .item = item,
                         .object = place->object,
                         .offset = place->offset,
                         .bytes = place->bytes,
                         .reads = !writes,
                         .writes = writes };
}

/* Turns relaxed loads and stores into volatile accesses, and other atomics into relaxed
 * ones of wide scope, as counters have them. */
static void change(struct draft *draft, struct step *step, bool counts)
{
    if (step->kind != STEP_ATOMIC) {
        return;
    }
    bool half = step->atomic == WEIRI_ATOMIC_LOAD || step->atomic == WEIRI_ATOMIC_STORE;
    if (counts && once_in(draft, 2)) {
        step->order = step->failure = memory_order_relaxed;
        step->scope = memory_scope_device;
    }
    if (half && step->order == memory_order_relaxed && once_in(draft, 2)) {
        step->kind = STEP_PLAIN;
        step->is_volatile = true;
    }
}

static void make_ptx(struct draft *draft)
{
    struct program *program = draft->program;
    program->ptx = true;
    program->scopes = WEIR_SCOPE_RULE_MUTUAL;
    program->spaces = WEIR_SPACES_SYCL;
    bool counts = once_in(draft, 2);
    for (unsigned item = 0; item < program->n_groups * program->n_items; item++) {
        for (unsigned i = 0; i < draft->n_lines[item]; i++) {
            change(draft, &draft->lines[item][i].step, counts);
        }
        if (draft->n_places > 0 && once_in(draft, 2)) {
            add_last(draft, item);
        }
    }
}

/* ---- The whole ----------------------------------------------------------- */

void program_draw(struct program *program, uint64_t seed, bool ptx)
{
    g_autofree struct draft *draft = g_new0(struct draft, 1);
    memset(program, 0, sizeof(*program));
    draft->program = program;
    draft->random = seed;
    draft->wild = once_in(draft, 8);
    draft_draw(draft);
    if (ptx) {
        make_ptx(draft);
    }
    interleave(draft);
    if (draft->wild) {
        return;
    }
    clean(draft);
    for (unsigned n = once_in(draft, 7) ? 0 : 1 + below(draft, 8); n > 0; n--) {
        spoil(draft);
    }
}
