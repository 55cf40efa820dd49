/* SPDX-License-Identifier: MIT
 *
 * race_reference.c: the definition of a race, written out. Scoped RC11 as in "A Formal
 * Analysis of the NVIDIA PTX Memory Consistency Model" (ASPLOS 2019), with barriers
 * that order the address spaces that their flags name; and with the spaces apart, as in
 * "Overhauling SC atomics in C11 and OpenCL" (POPL 2016). docs/race-detection.md
 * describes both.
 *
 * A step becomes one to four events: an atomic that reads and writes is a read and then
 * a write, an arrival is an entry and an exit, with a fence on either side where its
 * scope is wider than the group. Relations between events are matrices of bits, and
 * sets are parts of the identity, so that a definition reads here as it does on paper:
 *
 *   rs   = [W] ; (sb & loc)? ; [W & At] ; ((rf & strong) ; rmw)*
 *   swra = [Rel] ; ([F] ; sb)? ; rs ; (rf & strong) ; [R & At] ; (sb ; [F])? ; [Acq]
 *   sw   = swra & strong
 *   hb   = (sb | sw | bar)+
 *
 * By the rules of PTX ("Memory Consistency Model" of the PTX ISA, 8.7 to 8.9) an
 * acquire pattern may also be a strong read and a later acquire of its location, and
 * what a read has observed is before what it is before:
 *
 *   obs  = (rf & strong) ; (rmw ; (rf & strong))*
 *   hb   = base | rmw? ; obs ; base     with base = (sb | sw | bar)+
 *
 * A read-modify-write is one operation there, hence rmw? at the head. Volatile accesses
 * are relaxed atomics of system scope, barriers order all memory, other operations of
 * sub-groups none, and seq_cst accesses have a fence before them.
 *
 * Only the races are needed of what the axioms say of consistent executions: a program
 * is one execution, and one that happened. */
#include "race_reference.h"

#include <limits.h>
#include <string.h>

/* ---- Relations ----------------------------------------------------------- */

enum event_kind { READ, WRITE, FENCE, ENTRY, EXIT };

struct event {
    enum event_kind kind;
    const struct step *step;
    unsigned index; /* of the step */
    bool ordered;   /* has an order: atomics and fences */
    bool acquire, release, seq_cst;
    memory_scope scope;
    unsigned space; /* it belongs to, of WEIR_LOCAL and WEIR_GLOBAL */
};

enum { MOST_EVENTS = 4 * MOST_STEPS };

struct relation {
    size_t n_words; /* of the whole matrix */
    uint64_t row[];
};

struct model {
    const struct program *program;
    enum weir_scope_rule scopes;
    bool widened; /* every scope is taken for the widest */
    unsigned n, words;
    struct event events[MOST_EVENTS];
    GPtrArray *relations; /* owned: all that were made */
};

static struct relation *empty(struct model *model)
{
    size_t n_words = (size_t)model->n * model->words;
    struct relation *made = g_malloc0(sizeof(*made) + n_words * sizeof(made->row[0]));
    made->n_words = n_words;
    g_ptr_array_add(model->relations, made);
    return made;
}

static uint64_t *row(const struct model *model, const struct relation *relation,
                     unsigned i)
{
    return (uint64_t *)relation->row + (size_t)i * model->words;
}

static bool holds(const struct model *model, const struct relation *relation,
                  unsigned i, unsigned j)
{
    return row(model, relation, i)[j / 64] >> j % 64 & 1;
}

static void relate(const struct model *model, struct relation *relation, unsigned i,
                   unsigned j)
{
    row(model, relation, i)[j / 64] |= UINT64_C(1) << j % 64;
}

/* Pairs of which @test holds. */
static struct relation *pairs(struct model *model,
                              bool (*test)(const struct model *, unsigned, unsigned))
{
    struct relation *made = empty(model);
    for (unsigned i = 0; i < model->n; i++) {
        for (unsigned j = 0; j < model->n; j++) {
            if (test(model, i, j)) {
                relate(model, made, i, j);
            }
        }
    }
    return made;
}

/* [S] */
static struct relation *set(struct model *model, bool (*test)(const struct event *))
{
    struct relation *made = empty(model);
    for (unsigned i = 0; i < model->n; i++) {
        if (test(&model->events[i])) {
            relate(model, made, i, i);
        }
    }
    return made;
}

/* a & b */
static struct relation *both(struct model *model, const struct relation *a,
                             const struct relation *b)
{
    struct relation *made = empty(model);
    for (size_t k = 0; k < made->n_words; k++) {
        made->row[k] = a->row[k] & b->row[k];
    }
    return made;
}

/* a | b | ..., up to a NULL */
static struct relation *any(struct model *model, const struct relation *const list[])
{
    struct relation *made = empty(model);
    for (; *list != NULL; list++) {
        for (size_t k = 0; k < made->n_words; k++) {
            made->row[k] |= (*list)->row[k];
        }
    }
    return made;
}
#define ANY(model, ...) any((model), (const struct relation *[]){ __VA_ARGS__, NULL })

/* a ; b ; ..., up to a NULL */
static struct relation *chain(struct model *model, const struct relation *const list[])
{
    const struct relation *left = *list++;
    struct relation *made = NULL;
    for (; *list != NULL; list++) {
        made = empty(model);
        for (unsigned i = 0; i < model->n; i++) {
            for (unsigned j = 0; j < model->n; j++) {
                for (unsigned w = 0; holds(model, left, i, j) && w < model->words;
                     w++) {
                    row(model, made, i)[w] |= row(model, *list, j)[w];
                }
            }
        }
        left = made;
    }
    return made;
}
#define CHAIN(model, ...)                                                              \
    chain((model), (const struct relation *[]){ __VA_ARGS__, NULL })

/* r? */
static struct relation *maybe(struct model *model, const struct relation *relation)
{
    struct relation *made = ANY(model, relation);
    for (unsigned i = 0; i < model->n; i++) {
        relate(model, made, i, i);
    }
    return made;
}

/* r+ */
static struct relation *many(struct model *model, const struct relation *relation)
{
    struct relation *made = ANY(model, relation);
    for (unsigned via = 0; via < model->n; via++) {
        for (unsigned i = 0; i < model->n; i++) {
            for (unsigned w = 0; holds(model, made, i, via) && w < model->words; w++) {
                row(model, made, i)[w] |= row(model, made, via)[w];
            }
        }
    }
    return made;
}

/* ---- Events -------------------------------------------------------------- */

static struct event *add_event(struct model *model, const struct step *step,
                               enum event_kind kind)
{
    struct event *event = &model->events[model->n++];
    *event = (struct event){ .kind = kind,
                             .step = step,
                             .index = (unsigned)(step - model->program->steps),
                             .scope = memory_scope_work_item };
    return event;
}

/* An order releases on a write or a fence, and acquires on a read or a fence. */
static void set_order(struct model *model, struct event *event, memory_order order,
                      memory_scope scope)
{
    event->ordered = true;
    event->scope = model->widened ? memory_scope_system : scope;
    event->seq_cst = order == memory_order_seq_cst;
    event->release = event->kind != READ
        && (order == memory_order_release || order == memory_order_acq_rel
            || event->seq_cst);
    event->acquire = event->kind != WRITE
        && (order == memory_order_acquire || order == memory_order_consume
            || order == memory_order_acq_rel || event->seq_cst);
}

static void add_access(struct model *model, const struct step *step,
                       enum event_kind kind)
{
    struct event *event = add_event(model, step, kind);
    event->space
        = model->program->objects[step->object].local ? WEIR_LOCAL : WEIR_GLOBAL;
    if (step->kind == STEP_ATOMIC) {
        set_order(model, event, step_order(step), step->scope);
    } else if (step->is_volatile) {
        set_order(model, event, memory_order_relaxed, memory_scope_system);
    }
}

static void add_fence(struct model *model, const struct step *step, memory_order order,
                      memory_scope scope, unsigned space)
{
    struct event *event = add_event(model, step, FENCE);
    event->space = space;
    set_order(model, event, order, scope);
}

/* The memory that a meeting orders. */
static unsigned space_of(const struct program *program, const struct meeting *meeting)
{
    if (!program->ptx) {
        return meeting->space;
    }
    return meeting->kind == WEIRI_BARRIER     ? WEIR_LOCAL | WEIR_GLOBAL
        : meeting->level == WEIRI_LEVEL_GROUP ? meeting->space
                                              : 0;
}

static void add_arrival(struct model *model, const struct step *step)
{
    const struct meeting *meeting = &model->program->meetings[step->meeting];
    unsigned space = space_of(model->program, meeting);
    bool over = program_meeting_ends(model->program, step->meeting) != UINT_MAX;
    bool wide = meeting->scope > memory_scope_work_group;
    if (wide) {
        add_fence(model, step, memory_order_acq_rel, meeting->scope, meeting->space);
    }
    add_event(model, step, ENTRY)->space = space;
    if (over) {
        add_event(model, step, EXIT)->space = space;
    }
    if (over && wide) {
        add_fence(model, step, memory_order_acq_rel, meeting->scope, meeting->space);
    }
}

static void add_events(struct model *model)
{
    for (unsigned i = 0; i < model->program->n_steps; i++) {
        const struct step *step = &model->program->steps[i];
        if (step->kind == STEP_FENCE) {
            add_fence(model, step, step->order, step->scope, step->space);
        } else if (step->kind == STEP_ARRIVE) {
            add_arrival(model, step);
        } else {
            if (model->program->ptx && step->kind == STEP_ATOMIC
                && (step->order == memory_order_seq_cst
                    || step->failure == memory_order_seq_cst)) {
                add_fence(model, step, memory_order_seq_cst, step->scope,
                          WEIR_LOCAL | WEIR_GLOBAL);
            }
            if (step->reads) {
                add_access(model, step, READ);
            }
            if (step->writes) {
                add_access(model, step, WRITE);
            }
        }
    }
    model->words = (model->n + 63) / 64;
}

#define SET_OF(name, condition)                                                        \
    static bool name(const struct event *event)                                        \
    {                                                                                  \
        return condition;                                                              \
    }
SET_OF(is_write, event->kind == WRITE)
SET_OF(is_atomic_write, event->kind == WRITE && event->ordered)
SET_OF(is_atomic_read, event->kind == READ && event->ordered)
SET_OF(is_fence, event->kind == FENCE)
SET_OF(is_release, event->release)
SET_OF(is_acquire, event->acquire)
SET_OF(is_global, (event->space & WEIR_GLOBAL) != 0)
SET_OF(is_local, (event->space & WEIR_LOCAL) != 0)

/* ---- What happened ------------------------------------------------------- */

/* Events of an item stand in the order in which it came to them. */
static bool in_sb(const struct model *model, unsigned a, unsigned b)
{
    return a < b && model->events[a].step->item == model->events[b].step->item;
}

static bool in_loc(const struct model *model, unsigned a, unsigned b)
{
    return steps_overlap(model->events[a].step, model->events[b].step);
}

static bool in_rmw(const struct model *model, unsigned a, unsigned b)
{
    return b == a + 1 && model->events[a].step == model->events[b].step
        && is_atomic_read(&model->events[a]) && is_write(&model->events[b]);
}

/* From the last write before a read to it; a write that has only some of its bytes is
 * one, too. */
static bool in_rf(const struct model *model, unsigned a, unsigned b)
{
    if (a > b || model->events[b].kind != READ || model->events[a].kind != WRITE
        || !in_loc(model, a, b)) {
        return false;
    }
    for (unsigned later = a + 1; later < b; later++) {
        if (model->events[later].kind == WRITE && in_loc(model, later, b)) {
            return false;
        }
    }
    return true;
}

/* Whether @event's scope, seen from its item, has that item in it. */
static bool covers(const struct model *model, const struct event *event, unsigned item)
{
    const struct program *program = model->program;
    unsigned self = event->step->item, n = program->n_items;
    switch (event->scope) {
    case memory_scope_work_item:
        return self == item;
    case memory_scope_sub_group:
        return self / n == item / n
            && self % n / program->sub_group_size == item % n / program->sub_group_size;
    case memory_scope_work_group:
        return self / n == item / n;
    default:
        return true; /* there is one device */
    }
}

static bool in_strong(const struct model *model, unsigned a, unsigned b)
{
    const struct event *x = &model->events[a], *y = &model->events[b];
    return x->step->item == y->step->item
        || (covers(model, x, y->step->item) && covers(model, y, x->step->item)
            && (model->scopes == WEIR_SCOPE_RULE_MUTUAL || x->scope == y->scope));
}

/* From the entry of an item to the exits of the others. */
static bool in_bar(const struct model *model, unsigned a, unsigned b)
{
    const struct event *entry = &model->events[a], *exit = &model->events[b];
    return entry->kind == ENTRY && exit->kind == EXIT
        && entry->step->meeting == exit->step->meeting
        && entry->step->item != exit->step->item;
}

static bool in_bar_of_global(const struct model *model, unsigned a, unsigned b)
{
    return in_bar(model, a, b) && is_global(&model->events[a]);
}

static bool in_bar_of_local(const struct model *model, unsigned a, unsigned b)
{
    return in_bar(model, a, b) && is_local(&model->events[a]);
}

/* Synchronisation that crosses from one address space to the other; an item needs none
 * with itself. */
static bool in_scf(const struct model *model, unsigned a, unsigned b)
{
    const struct event *x = &model->events[a], *y = &model->events[b];
    const unsigned spaces = WEIR_LOCAL | WEIR_GLOBAL;
    return (x->seq_cst && y->seq_cst && x->step->item != y->step->item)
        || (is_fence(x) && is_fence(y) && x->space == spaces && y->space == spaces);
}

/* ---- What follows -------------------------------------------------------- */

/* The synchronisation whose release end, acquire end and accesses between all are in
 * the set @in. */
static struct relation *synchronises(struct model *model, const struct relation *in)
{
    struct relation *sb = pairs(model, in_sb);
    struct relation *strong = pairs(model, in_strong);
    struct relation *strong_rf = both(model, pairs(model, in_rf), strong);
    struct relation *fence = set(model, is_fence);
    struct relation *link = CHAIN(model, strong_rf, in, pairs(model, in_rmw), in);
    struct relation *rs
        = CHAIN(model, set(model, is_write), in,
                maybe(model, both(model, sb, pairs(model, in_loc))),
                set(model, is_atomic_write), in, maybe(model, many(model, link)));
    struct relation *later = CHAIN(model, sb, fence);
    if (model->program->ptx) {
        later = ANY(model, later,
                    CHAIN(model, both(model, sb, pairs(model, in_loc)),
                          set(model, is_atomic_read)));
    }
    struct relation *swra = CHAIN(model, set(model, is_release), in,
                                  maybe(model, CHAIN(model, fence, sb)), rs, strong_rf,
                                  set(model, is_atomic_read), in, maybe(model, later),
                                  set(model, is_acquire), in);
    return both(model, swra, strong);
}

/* Happens-before for accesses to global memory and for those to local memory. */
struct orders {
    const struct relation *global, *local;
};

static struct orders happens_before(struct model *model)
{
    struct relation *sb = pairs(model, in_sb);
    struct relation *all = maybe(model, empty(model));
    struct relation *sw = synchronises(model, all);
    return (struct orders){
        .global = many(model, ANY(model, sb, sw, pairs(model, in_bar_of_global))),
        .local = many(model, ANY(model, sb, sw, pairs(model, in_bar_of_local))),
    };
}

/* The same by the rules of PTX. The kind of a race is a matter of what synchronises, so
 * observations do not count where scopes are widened. */
static struct orders causality(struct model *model)
{
    struct orders base = happens_before(model);
    if (model->widened) {
        return base;
    }
    struct relation *rmw = pairs(model, in_rmw);
    struct relation *reads
        = CHAIN(model, set(model, is_atomic_write),
                both(model, pairs(model, in_rf), pairs(model, in_strong)),
                set(model, is_atomic_read));
    struct relation *obs = CHAIN(model, maybe(model, rmw), reads,
                                 maybe(model, many(model, CHAIN(model, rmw, reads))));
    return (struct orders){
        .global = ANY(model, base.global, CHAIN(model, obs, base.global)),
        .local = ANY(model, base.local, CHAIN(model, obs, base.local)),
    };
}

/* The same where the address spaces are apart: each has an order of its own, to which
 * only what belongs to it contributes. */
static struct orders happens_before_apart(struct model *model)
{
    struct relation *sb = pairs(model, in_sb);
    struct relation *scf = pairs(model, in_scf);
    struct relation *global = set(model, is_global), *local = set(model, is_local);
    struct relation *global_sw = synchronises(model, global);
    struct relation *local_sw = synchronises(model, local);
    struct relation *ghb
        = many(model,
               ANY(model, CHAIN(model, global, sb, global), global_sw,
                   pairs(model, in_bar_of_global), both(model, scf, local_sw)));
    struct relation *lhb
        = many(model,
               ANY(model, CHAIN(model, local, sb, local), local_sw,
                   pairs(model, in_bar_of_local), both(model, scf, global_sw)));
    struct relation *hb = ANY(model, ghb, lhb);
    return (struct orders){ .global = hb, .local = hb };
}

static bool conflict(const struct event *a, const struct event *b)
{
    return a->kind <= WRITE && b->kind <= WRITE && a->step->item != b->step->item
        && steps_overlap(a->step, b->step) && (a->kind == WRITE || b->kind == WRITE);
}

/* ---- Races --------------------------------------------------------------- */

enum { CONFLICT = 1, RACES = 2 };

/* What the steps of a program are to each other, by events: of the constants above. */
static void compare(const struct program *program, bool widened,
                    uint8_t found[MOST_STEPS][MOST_STEPS])
{
    struct model *model = g_new0(struct model, 1);
    model->program = program;
    model->scopes = widened ? WEIR_SCOPE_RULE_MUTUAL : program->scopes;
    model->widened = widened;
    model->relations = g_ptr_array_new_with_free_func(g_free);
    add_events(model);
    struct orders hb = program->ptx           ? causality(model)
        : program->spaces == WEIR_SPACES_SYCL ? happens_before(model)
                                              : happens_before_apart(model);
    for (unsigned i = 0; i < model->n; i++) {
        for (unsigned j = 0; j < model->n; j++) {
            const struct event *a = &model->events[i], *b = &model->events[j];
            if (!conflict(a, b)) {
                continue;
            }
            found[a->index][b->index] |= CONFLICT;
            const struct relation *order
                = a->space == WEIR_LOCAL ? hb.local : hb.global;
            bool together = a->ordered && b->ordered && in_strong(model, i, j);
            if (!together && !holds(model, order, i, j) && !holds(model, order, j, i)) {
                found[a->index][b->index] |= RACES;
            }
        }
    }
    g_ptr_array_free(model->relations, TRUE);
    g_free(model);
}

static enum race_kind kind_of(const struct program *program, const struct step *a,
                              const struct step *b, bool widened_races)
{
    if (a->kind != b->kind && !program->ptx) {
        return RACE_MIXED;
    }
    return widened_races ? RACE_DATA : RACE_SCOPE;
}

void reference_judge(const struct program *program, struct judgement *judgement)
{
    static uint8_t found[MOST_STEPS][MOST_STEPS], widened[MOST_STEPS][MOST_STEPS];
    memset(found, 0, sizeof(found));
    memset(widened, 0, sizeof(widened));
    memset(judgement, 0, sizeof(*judgement));
    compare(program, false, found);
    compare(program, true, widened);
    for (unsigned i = 0; i < program->n_steps; i++) {
        for (unsigned j = 0; j < program->n_steps; j++) {
            if (found[i][j] & RACES) {
                judgement->kinds[i][j]
                    = (uint8_t)kind_of(program, &program->steps[i], &program->steps[j],
                                       (widened[i][j] & RACES) != 0);
                judgement->n_races += i < j;
            } else if (found[i][j] & CONFLICT) {
                judgement->n_ordered += i < j;
            }
        }
    }
}

const char *race_kind_name(enum race_kind kind)
{
    static const char *const names[]
        = { "no race", "data-race", "scope-race", "mixed-atomic" };
    return names[kind];
}
