/* SPDX-License-Identifier: MIT
 *
 * race_stage.c: see race_stage.h. */
#include "race_stage.h"

static unsigned place_of(const struct stage *stage, unsigned index)
{
    const struct step *step = &stage->program->steps[index];
    if (!stage->shared) {
        return index + 1;
    }
    return 1 + 8 * step->object + 4 * (step->kind == STEP_ATOMIC) + 2 * step->writes
        + step->reads + 64 * step->is_volatile;
}

static const void *pc_of(unsigned place)
{
    return (const void *)(uintptr_t)(0x400000 + 16 * place);
}

/* The place of an atomic may be given in two ways. Only one that is given by its site
 * may take the shortcut. */
static bool has_site(const struct stage *stage, unsigned index)
{
    return stage->program->steps[index].kind != STEP_PLAIN
        && place_of(stage, index) % 7 != 0;
}

static void emit(struct stage *stage, struct weiri_event *event)
{
    event->kernel = &stage->kernel;
    const struct weiri_observer observers[]
        = { WEIRI_FAN_OUT_OBSERVERS(&stage->plain), WEIRI_RACE_OTHERS(stage->race) };
    for (size_t i = 0; i < G_N_ELEMENTS(observers); i++) {
        if ((observers[i].kinds >> event->kind & 1) != 0) {
            enum weiri_verdict verdict = observers[i].event(observers[i].self, event);
            g_assert(verdict == WEIRI_GOES_ON);
        }
    }
}

static void emit_of_group(struct stage *stage, enum weiri_event_kind kind,
                          unsigned group)
{
    emit(stage, &(struct weiri_event){ .kind = kind, .group = &stage->groups[group] });
}

/* Memory of a group that is over, or some that is new. */
static struct weiri_object *place_local(struct stage *stage, unsigned index)
{
    const struct program *program = stage->program;
    struct weiri_object *object = &stage->slots[index];
    for (unsigned i = 0; i < program->n_objects; i++) {
        if (stage->slots[i].kind == WEIRI_OBJECT_LOCAL && stage->slots[i].start != NULL
            && stage->slots[i].bytes == 0) {
            object = &stage->slots[i];
        }
    }
    object->start = stage->memory[object - stage->slots];
    object->bytes = program->objects[index].bytes;
    object->element_bytes = 1;
    object->kind = WEIRI_OBJECT_LOCAL;
    object->group = program->objects[index].group;
    object->site = &stage->sites[0];
    return object;
}

/* All of a local array is written, as far as unwritten memory goes: no shortcut would
 * be taken otherwise. */
static void make_written(struct stage *stage, struct weiri_object *object)
{
    const struct weiri_event event = { .address = object->start,
                                       .bytes = object->bytes,
                                       .object = object,
                                       .access = WEIRI_ACCESS_BIT_WRITE };
    (void)weiri_uninit_array(stage->uninit, &event);
    (void)weiri_uninit_access(stage->uninit, &event);
}

static void begin_group(struct stage *stage, unsigned group)
{
    for (unsigned i = 0; i < stage->program->n_objects; i++) {
        const struct object *object = &stage->program->objects[i];
        if (object->local && object->group == group) {
            stage->objects[i] = place_local(stage, i);
            make_written(stage, stage->objects[i]);
        }
    }
    emit_of_group(stage, WEIRI_EVENT_GROUP_BEGIN, group);
}

static void end_group(struct stage *stage, unsigned group)
{
    emit_of_group(stage, WEIRI_EVENT_GROUP_END, group);
    for (unsigned i = 0; i < stage->program->n_objects; i++) {
        const struct object *object = &stage->program->objects[i];
        if (object->local && object->group == group) {
            stage->objects[i]->bytes = 0;
        }
    }
}

static struct weiri_shape shape_of(const struct program *program)
{
    return (struct weiri_shape){
        .dim = 1,
        .sub_group_size = program->sub_group_size,
        .sub_group_shift = (uint32_t)__builtin_ctz(program->sub_group_size),
        .items = program->n_items,
        .global = { program->n_items * program->n_groups, 1, 1 },
        .local = { program->n_items, 1, 1 },
        .groups = { program->n_groups, 1, 1 },
    };
}

/* Whether a group kernel could be the program: its loops' ends are barriers of all
 * items and both spaces. Every other one of those is. */
static bool is_hierarchical(const struct program *program)
{
    for (unsigned i = 0; i < program->n_meetings; i++) {
        const struct meeting *meeting = &program->meetings[i];
        if (meeting->kind != WEIRI_BARRIER || meeting->level != WEIRI_LEVEL_GROUP
            || meeting->scope != memory_scope_work_group
            || meeting->space != (WEIR_LOCAL | WEIR_GLOBAL)
            || (unsigned)__builtin_popcount(meeting->members) != program->n_items) {
            return false;
        }
    }
    return program->n_steps % 2 == 0;
}

struct stage *stage_new(const struct program *program, bool shared)
{
    struct stage *stage = g_new0(struct stage, 1);
    stage->program = program;
    stage->shared = shared;
    stage->kernel.name = "program";
    stage->kernel.hierarchical = is_hierarchical(program);
    for (unsigned i = 0; i < program->n_steps; i++) {
        stage->left[program->steps[i].item / program->n_items]++;
    }
    struct weiri_shape shape = shape_of(program);
    const struct weiri_race_rules rules = { .scope_rule = program->scopes,
                                            .spaces = program->spaces,
                                            .ptx = program->ptx };
    stage->race = weiri_race_new(&rules, &shape, program->n_groups);
    stage->bounds = weiri_bounds_new(NULL, &shape, NULL, 0);
    stage->uninit = weiri_uninit_new(false);
    weiri_plain_init(&stage->plain, stage->bounds, stage->race, stage->uninit);
    stage->cuts = program->n_steps % 3 != 0;
    for (unsigned i = 0; i < program->n_groups; i++) {
        stage->groups[i].shape = shape;
        stage->groups[i].shape.group[0] = stage->groups[i].shape.group_linear = i;
    }
    for (unsigned i = 0; i < program->n_objects; i++) {
        if (!program->objects[i].local) {
            stage->slots[i].start = stage->memory[i];
            stage->slots[i].bytes = program->objects[i].bytes;
            stage->slots[i].element_bytes = 1;
            stage->slots[i].kind
                = i % 2 == 0 ? WEIRI_OBJECT_GLOBAL : WEIRI_OBJECT_STATICS;
            stage->objects[i] = &stage->slots[i];
        }
    }
    return stage;
}

void stage_free(struct stage *stage)
{
    weiri_bounds_free(stage->bounds);
    weiri_uninit_free(stage->uninit);
    weiri_race_free(stage->race);
    g_free(stage);
}

/* ---- Telling ------------------------------------------------------------- */

/* Whether the atomic, which is not yet done, takes the shortcut. Its place may be seen
 * only once, so that it is made known before. */
static bool takes_atomic(struct stage *stage, struct weiri_event event)
{
    enum weiri_atomic kind = event.atomic->kind;
    struct weir_group *group = &stage->groups[event.group->shape.group_linear];
    group->at = (void *)event.item;
    if (!stage->cuts || event.site == NULL) {
        return false;
    }
    event.kind = WEIRI_EVENT_ATOMIC_DONE;
    event.stored = kind != WEIRI_ATOMIC_LOAD;
    if (kind != WEIRI_ATOMIC_COMPARE_EXCHANGE && kind != WEIRI_ATOMIC_FENCE) {
        weiri_plain_learn(&stage->plain, &event);
    }
    const struct weiri_atomic_op *op = event.atomic;
    return weiri_plain_takes_atomic(op->address,
                                    WEIRI_ATOMIC_WHAT(op->kind, op->type, op->bytes,
                                                      op->order, op->failure, op->scope,
                                                      op->space, op->legal),
                                    event.site, &stage->plain, group, event.calls);
}

static void emit_atomic(struct stage *stage, const struct step *step, unsigned place,
                        bool by_site, const struct weiri_atomic_op *op)
{
    const struct program *program = stage->program;
    bool fence = op->kind == WEIRI_ATOMIC_FENCE;
    struct weiri_event event = {
        .kind = WEIRI_EVENT_ATOMIC,
        .group = &stage->groups[step->item / program->n_items],
        .item = step->item % program->n_items,
        .site = by_site ? &stage->sites[place] : NULL,
        .pc = by_site ? NULL : pc_of(place),
        .atomic = op,
        .address = op->address,
        .bytes = op->bytes,
        .object = fence ? NULL : stage->objects[step->object],
    };
    bool taken = takes_atomic(stage, event);
    stage->taken[stage->at] |= taken;
    if (!taken) {
        emit(stage, &event);
    }
    if (!fence && step->writes) {
        stage->memory[step->object][step->offset]++;
    }
    event.kind = WEIRI_EVENT_ATOMIC_DONE;
    event.stored = !fence && step->writes;
    if (!taken) {
        emit(stage, &event);
    }
}

/* One of the fences around a barrier that reaches further than its group. */
static void emit_barrier_fence(struct stage *stage, const struct step *step)
{
    const struct meeting *meeting = &stage->program->meetings[step->meeting];
    unsigned place = 1;
    emit_atomic(stage, step, place, true,
                &(struct weiri_atomic_op){ .site = &stage->sites[place],
                                           .kind = WEIRI_ATOMIC_FENCE,
                                           .order = memory_order_acq_rel,
                                           .failure = memory_order_acq_rel,
                                           .scope = meeting->scope,
                                           .space = meeting->space,
                                           .legal = true });
}

static void emit_arrival(struct stage *stage, unsigned index)
{
    const struct program *program = stage->program;
    const struct step *step = &program->steps[index];
    const struct meeting *meeting = &program->meetings[step->meeting];
    bool wide = meeting->scope > memory_scope_work_group;
    if (wide) {
        emit_barrier_fence(stage, step);
    }
    struct weiri_event event = {
        .kind = WEIRI_EVENT_ARRIVE,
        .group = &stage->groups[step->item / program->n_items],
        .item = step->item % program->n_items,
        .site = &stage->sites[1 + step->meeting],
        .op = WEIRI_OP(meeting->kind, WEIRI_TYPE_none, meeting->level, meeting->scope,
                       meeting->space, 0),
    };
    if (!stage->kernel.hierarchical) {
        emit(stage, &event);
    }
    if (program_meeting_ends(program, step->meeting) != index) {
        return;
    }
    event.kind = WEIRI_EVENT_RELEASE;
    if (stage->kernel.hierarchical) { /* a loop is over, where no item arrives */
        event.item = 0;
        event.site = NULL;
    }
    emit(stage, &event);
    for (unsigned item = 0; wide && item < MOST_ITEMS; item++) {
        stage->fenced[item] |= meeting->members >> item & 1;
        if (meeting->members >> item & 1) {
            stage->barrier[item] = step->meeting;
        }
    }
}

/* As the machine does it: the shortcut, or else an event. */
static void emit_access(struct stage *stage, struct weiri_event *event)
{
    struct weir_group *group = &stage->groups[event->group->shape.group_linear];
    group->at = (void *)event->item;
    weiri_plain_learn(&stage->plain, event); /* each place may be seen only once */
    uint64_t what = weiri_access_what(event->bytes, event->access);
    if (stage->cuts
        && weiri_plain_takes(event->address, what, event->pc, &stage->plain, group,
                             event->calls)) {
        stage->taken[stage->at] = true;
    } else {
        emit(stage, event);
    }
}

static void emit_plain(struct stage *stage, unsigned index)
{
    const struct program *program = stage->program;
    const struct step *step = &program->steps[index];
    struct weiri_object *object = stage->objects[step->object];
    emit_access(stage,
                &(struct weiri_event){
                    .kind = WEIRI_EVENT_ACCESS,
                    .group = &stage->groups[step->item / program->n_items],
                    .item = step->item % program->n_items,
                    .address = object->start + step->offset,
                    .bytes = step->bytes,
                    .object = object,
                    .access = (step->reads ? WEIRI_ACCESS_BIT_READ : 0u)
                        | (step->writes ? WEIRI_ACCESS_BIT_WRITE : 0u)
                        | (step->is_volatile ? WEIRI_ACCESS_BIT_VOLATILE : 0u),
                    .pc = pc_of(place_of(stage, index)) });
    for (unsigned i = 0; step->writes && i < step->bytes; i++) {
        ((char *)object->start)[step->offset + i]++;
    }
}

void stage_emit(struct stage *stage, unsigned index)
{
    const struct program *program = stage->program;
    const struct step *step = &program->steps[index];
    unsigned group = step->item / program->n_items;
    stage->at = index;
    if (!stage->resident[group]) {
        stage->resident[group] = true;
        begin_group(stage, group);
    }
    if (!stage->begun[step->item]) {
        stage->begun[step->item] = true;
        emit(stage,
             &(struct weiri_event){ .kind = WEIRI_EVENT_ITEM_BEGIN,
                                    .group = &stage->groups[group],
                                    .item = step->item % program->n_items });
    }
    if (stage->fenced[step->item]) {
        stage->fenced[step->item] = false;
        emit_barrier_fence(stage,
                           &(struct step){ .item = step->item,
                                           .meeting = stage->barrier[step->item] });
    }
    if (step->kind == STEP_PLAIN) {
        emit_plain(stage, index);
    } else if (step->kind == STEP_ARRIVE) {
        emit_arrival(stage, index);
    } else {
        bool fence = step->kind == STEP_FENCE;
        emit_atomic(
            stage, step, place_of(stage, index), has_site(stage, index),
            &(struct weiri_atomic_op){
                .address
                = fence ? NULL : stage->objects[step->object]->start + step->offset,
                .site
                = has_site(stage, index) ? &stage->sites[place_of(stage, index)] : NULL,
                .kind = step->atomic,
                .type = step->bytes == 8 ? WEIRI_TYPE_u64 : WEIRI_TYPE_u32,
                .bytes = fence ? 0 : step->bytes,
                .order = step->order,
                .failure = step->failure,
                .scope = step->scope,
                .space = fence ? step->space : 0,
                .legal = true });
    }
    if (--stage->left[group] == 0) {
        end_group(stage, group);
    }
}

bool stage_is_at(const struct stage *stage, const struct weiri_race_access *access,
                 unsigned index)
{
    const struct step *step = &stage->program->steps[index];
    unsigned place = place_of(stage, index);
    bool atomic = step->kind == STEP_ATOMIC;
    if (access->is_volatile != step->is_volatile) {
        return false;
    }
    return (has_site(stage, index) ? access->site == &stage->sites[place]
                                   : access->site == NULL && access->pc == pc_of(place))
        && access->atomic == (atomic || step->is_volatile)
        && access->reads == step->reads && access->writes == step->writes
        && (!atomic
            || (access->kind == step->atomic && access->order == step_order(step)
                && access->scope == step->scope));
}
