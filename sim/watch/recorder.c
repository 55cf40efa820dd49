/* SPDX-License-Identifier: MIT
 *
 * recorder.c: see recorder.h. Values are read as listing.c reads them: before an access
 * at its event, and after it at the next event of the launch. A copy or a fill of an
 * array is one event for each element.
 *
 * A local array is the same object for all groups: the call that made it, and where the
 * array is in its group's local memory.
 *
 * Invariant: an item starts before its other events, leaves a rendezvous before its
 * next event, and does nothing after its end. */
#include "config.h"

#include "watch/recorder.h"

#include "finding/names.h"
#include "watch/causes.h"

#include <string.h>

enum { MOST_BYTES = 8 }; /* of a value */
enum { FIRST_ENTRIES = 64 };

struct item {
    struct weiri_cause_item cause;
    bool started, waits, ended;
};

struct group {
    uint64_t index;
    const char *base;    /* its first local array, or NULL */
    struct item *items;  /* owned */
    uint64_t phase;      /* rendezvous of the group, */
    uint64_t *sub_phase; /* and of each sub-group; owned */
};

/* The key of a site: operations with equal keys are one site. No padding, as it is a
 * key of a table. */
struct place {
    const void *at; /* a struct weir_site, or a return address */
    uint64_t op;    /* of a rendezvous; else 0 */
    uint64_t what;
    uint32_t bytes;
    uint32_t act; /* of enum weiri_act_kind, but for LEAVE, which is ARRIVE */
};
struct site {
    struct place place;
    bool is_pc;
    const char *operation, *order, *scope, *type;
};

struct memory {
    const void *at;  /* the site of a local array, or the start of other memory */
    uint64_t offset; /* of a local array in its group's */
    struct weiri_object object;
    const volatile char *first; /* an address in it */
    uint64_t bytes;
};
enum { MEMORY_KEY = sizeof(void *) + sizeof(uint64_t) };

/* A write whose value is read at the next event. */
struct open {
    guint act;
    uint32_t bytes;
    const volatile char *at;
};

struct weiri_recorder {
    enum weir_language language; /* of the kernel */
    const uint64_t *const *now;
    uint64_t most;
    struct weiri_timeline *timeline;
    uint32_t sub_group_shift;
    size_t n_sub_groups;
    struct weiri_causes causes;
    struct weiri_table sites, memories;
    GHashTable *groups;   /* index -> struct group, owned: those that are resident */
    struct group *latest; /* or NULL */
    GArray *open;         /* of struct open */
    uint64_t before;      /* the bits that an atomic finds */
};

static void free_group(void *data)
{
    struct group *group = data;
    g_free(group->items);
    g_free(group->sub_phase);
    g_free(group);
}

struct weiri_recorder *weiri_recorder_new(const struct weir_kernel *kernel,
                                          const struct weiri_shape *shape,
                                          size_t n_groups, enum weir_scope_rule rule,
                                          const uint64_t *const *now, uint64_t most)
{
    struct weiri_recorder *recorder = g_new0(struct weiri_recorder, 1);
    struct weiri_timeline *timeline = g_new0(struct weiri_timeline, 1);
    timeline->dim = shape->dim;
    timeline->reversed = shape->reversed != 0;
    timeline->sub_group_size = shape->sub_group_size;
    memcpy(timeline->global, shape->global, sizeof(timeline->global));
    memcpy(timeline->local, shape->local, sizeof(timeline->local));
    memcpy(timeline->groups, shape->groups, sizeof(timeline->groups));
    timeline->n_groups = n_groups;
    timeline->group_items = shape->items;
    timeline->acts = g_array_new(FALSE, FALSE, sizeof(struct weiri_act));
    timeline->sites = g_array_new(FALSE, FALSE, sizeof(struct weiri_act_site));
    timeline->objects = g_array_new(FALSE, FALSE, sizeof(struct weiri_act_object));
    timeline->edges = g_array_new(FALSE, FALSE, sizeof(struct weiri_act_edge));
    recorder->timeline = timeline;
    recorder->language = kernel->language;
    recorder->now = now;
    recorder->most = most == 0 ? G_MAXINT32 : MIN(most, G_MAXINT32);
    recorder->sub_group_shift = shape->sub_group_shift;
    recorder->n_sub_groups
        = (shape->items + shape->sub_group_size - 1) >> shape->sub_group_shift;
    weiri_causes_init(&recorder->causes, rule, shape->sub_group_shift, timeline->edges);
    weiri_table_init(&recorder->sites, FIRST_ENTRIES, sizeof(struct site));
    weiri_table_init(&recorder->memories, FIRST_ENTRIES, sizeof(struct memory));
    recorder->groups
        = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_group);
    recorder->open = g_array_new(FALSE, FALSE, sizeof(struct open));
    return recorder;
}

/* ---- Sites and memory ------------------------------------------------------------ */

static uint32_t add_site(struct weiri_recorder *recorder, const struct site *site)
{
    uint32_t index = weiri_table_find(&recorder->sites, &site->place, sizeof(*site),
                                      sizeof(site->place));
    return index != 0
        ? index
        : weiri_table_add(&recorder->sites, site, sizeof(*site), sizeof(site->place));
}

static struct site site_of(const struct weiri_event *event, enum weiri_act_kind act)
{
    return (struct site){
        .place = { .at = event->site != NULL ? (const void *)event->site : event->pc,
                   .bytes = (uint32_t)event->bytes,
                   .act = act },
        .is_pc = event->site == NULL
    };
}

/* Adds the object of an event, if it is memory that a timeline shows. @offset: (out):
 * of the event's address in it */
static uint32_t add_memory(struct weiri_recorder *recorder, const struct group *group,
                           const struct weiri_event *event, uint64_t *offset)
{
    const struct weiri_object *object = event->object;
    const volatile char *address = event->address;
    *offset = 0;
    if (object == NULL || address == NULL
        || (weiri_object_is_local(object) && object->group != group->index)) {
        return 0;
    }
    struct memory memory
        = { .at = object->start, .object = *object, .bytes = object->bytes };
    if (weiri_object_is_local(object)) {
        memory.at = object->site;
        memory.offset = (uint64_t)(object->start - group->base);
    } else if (object->kind == WEIRI_OBJECT_STATICS) {
        memory.at = (const void *)(uintptr_t)event->address; /* a variable each */
        memory.bytes = event->bytes;
    } else if (object->kind != WEIRI_OBJECT_GLOBAL) {
        return 0;
    }
    memory.first = object->kind == WEIRI_OBJECT_STATICS ? address : object->start;
    *offset = (uint64_t)(address - memory.first);
    uint32_t index
        = weiri_table_find(&recorder->memories, &memory, sizeof(memory), MEMORY_KEY);
    if (index == 0) {
        return weiri_table_add(&recorder->memories, &memory, sizeof(memory),
                               MEMORY_KEY);
    }
    struct memory *known
        = weiri_table_at(&recorder->memories, index, sizeof(struct memory));
    known->bytes = MAX(known->bytes, memory.bytes);
    return index;
}

/* ---- Events ---------------------------------------------------------------------- */

static uint64_t widen(uint64_t value, uint32_t bytes, bool is_signed)
{
    unsigned above = bytes > 0 ? 64 - 8 * bytes : 0;
    return is_signed ? (uint64_t)((int64_t)(value << above) >> above) : value;
}

static uint64_t value_at(const volatile void *at, uint32_t bytes, bool is_signed)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)at, bytes);
    return widen(value, bytes, is_signed);
}

static void settle(struct weiri_recorder *recorder)
{
    for (guint i = 0; i < recorder->open->len; i++) {
        const struct open *open = &g_array_index(recorder->open, struct open, i);
        g_array_index(recorder->timeline->acts, struct weiri_act, open->act).wrote
            = value_at(open->at, open->bytes, true);
    }
    g_array_set_size(recorder->open, 0);
}

static struct group *group_of(struct weiri_recorder *recorder,
                              const struct weiri_event *event)
{
    uint64_t index = event->group->shape.group_linear;
    if (recorder->latest == NULL || recorder->latest->index != index) {
        struct group *group = g_hash_table_lookup(recorder->groups, &index);
        if (group == NULL) {
            group = g_new0(struct group, 1);
            group->index = index;
            group->items = g_new0(struct item, recorder->timeline->group_items);
            group->sub_phase = g_new0(uint64_t, recorder->n_sub_groups);
            g_hash_table_insert(recorder->groups, &group->index, group);
        }
        recorder->latest = group;
    }
    return recorder->latest;
}

/* Returns: the event, to be filled in until the next is added; or NULL after the last
 * that is kept */
static struct weiri_act *add_act(struct weiri_recorder *recorder,
                                 const struct group *group, size_t item,
                                 enum weiri_act_kind kind)
{
    struct weiri_timeline *timeline = recorder->timeline;
    if (timeline->acts->len >= recorder->most) {
        timeline->n_more++;
        return NULL;
    }
    const uint64_t *now = *recorder->now;
    struct weiri_act act = { .step = now != NULL && *now > 0 ? *now - 1 : 0,
                             .item = group->index * timeline->group_items + item,
                             .time = group->items[item].cause.time,
                             .kind = (uint8_t)kind };
    g_array_append_val(timeline->acts, act);
    return &g_array_index(timeline->acts, struct weiri_act, timeline->acts->len - 1);
}

static void advance(struct weiri_recorder *recorder, struct group *group, size_t item,
                    enum weiri_act_kind kind, uint32_t site, uint64_t offset)
{
    group->items[item].cause.time++;
    struct weiri_act *act = add_act(recorder, group, item, kind);
    if (act != NULL) {
        act->site = site;
        act->offset = offset;
    }
}

/* Before an event of an item: it has started, and waits no more. */
static void enter(struct weiri_recorder *recorder, struct group *group, size_t item)
{
    struct item *self = &group->items[item];
    if (!self->started) {
        self->started = true;
        advance(recorder, group, item, WEIRI_ACT_START, 0, 0);
    }
    if (self->waits) { /* a group that diverged goes on */
        self->waits = false;
        advance(recorder, group, item, WEIRI_ACT_LEAVE, 0, 0);
    }
}

static void end_item(struct weiri_recorder *recorder, struct group *group, size_t item,
                     enum weiri_act_kind kind)
{
    struct item *self = &group->items[item];
    if (!self->ended) {
        if (kind == WEIRI_ACT_END) {
            enter(recorder, group, item);
        }
        if (self->started) {
            advance(recorder, group, item, kind, 0, 0);
        }
        self->ended = true;
        g_clear_pointer(&self->cause.pending, g_array_unref);
    }
}

static void end_group(struct weiri_recorder *recorder, struct group *group,
                      const struct weiri_event *event)
{
    bool whole = event->kernel->hierarchical && group->items[0].ended;
    for (size_t i = 0; i < recorder->timeline->group_items; i++) {
        end_item(recorder, group, i, whole ? WEIRI_ACT_END : WEIRI_ACT_CUT);
    }
    recorder->latest = NULL;
    g_hash_table_remove(recorder->groups, &group->index);
}

/* ---- Rendezvous ------------------------------------------------------------------ */

static uint32_t site_of_meeting(struct weiri_recorder *recorder,
                                const struct weiri_event *event)
{
    struct site site = site_of(event, WEIRI_ACT_ARRIVE);
    site.place.op = event->op;
    site.is_pc = false;
    site.operation
        = weiri_named(event->site, weiri_operation_name(recorder->language, event->op));
    site.scope = weiri_scope_name((unsigned)WEIRI_OP_SCOPE(event->op));
    return add_site(recorder, &site);
}

static uint64_t *phase_of(struct weiri_recorder *recorder, struct group *group,
                          const struct weiri_event *event, size_t item)
{
    return WEIRI_OP_LEVEL(event->op) == WEIRI_LEVEL_GROUP
        ? &group->phase
        : &group->sub_phase[item >> recorder->sub_group_shift];
}

static void arrive(struct weiri_recorder *recorder, struct group *group, size_t item,
                   const struct weiri_event *event)
{
    enter(recorder, group, item);
    advance(recorder, group, item, WEIRI_ACT_ARRIVE, site_of_meeting(recorder, event),
            *phase_of(recorder, group, event, item));
    group->items[item].waits = true;
}

/* Whether item @item, of those from @first on, takes part in the rendezvous. */
static bool takes_part(const struct group *group, const struct weiri_event *event,
                       size_t first, size_t item)
{
    return group->items[item].waits
        && (WEIRI_OP_LEVEL(event->op) != WEIRI_LEVEL_LANES
            || (WEIRI_OP_ARGUMENT(event->op) >> (item - first) & 1) != 0);
}

/* All items that wait at the gate leave it together. The items of a group kernel reach
 * the end of a loop without an event. */
static void release(struct weiri_recorder *recorder, struct group *group,
                    const struct weiri_event *event)
{
    size_t n = recorder->timeline->group_items, first = 0, end = n;
    if (WEIRI_OP_LEVEL(event->op) != WEIRI_LEVEL_GROUP) {
        first = event->item >> recorder->sub_group_shift << recorder->sub_group_shift;
        end = MIN(first + recorder->timeline->sub_group_size, n);
    }
    for (size_t i = first; event->kernel->hierarchical && i < end; i++) {
        arrive(recorder, group, i, event);
    }
    uint32_t time = 0, site = site_of_meeting(recorder, event);
    for (size_t i = first; i < end; i++) {
        time = takes_part(group, event, first, i)
            ? MAX(time, group->items[i].cause.time)
            : time;
    }
    uint64_t *phase = phase_of(recorder, group, event, first);
    for (size_t i = first; i < end; i++) {
        if (takes_part(group, event, first, i)) {
            group->items[i].waits = false;
            group->items[i].cause.time = time;
            advance(recorder, group, i, WEIRI_ACT_LEAVE, site, *phase);
        }
    }
    ++*phase;
}

/* ---- Accesses -------------------------------------------------------------------- */

static enum weiri_act_kind kind_of(bool reads, bool writes, bool atomic)
{
    return reads && writes ? (atomic ? WEIRI_ACT_ATOMIC_UPDATE : WEIRI_ACT_UPDATE)
        : writes           ? (atomic ? WEIRI_ACT_ATOMIC_WRITE : WEIRI_ACT_WRITE)
                           : (atomic ? WEIRI_ACT_ATOMIC_READ : WEIRI_ACT_READ);
}

/* Adds an access of the running item to @access->bytes at @access->address. @what: is
 * filled in by the caller with what all pieces of an access have in common */
static void add_access(struct weiri_recorder *recorder, struct group *group,
                       const struct weiri_event *event,
                       const struct weiri_cause_access *access,
                       const struct weiri_act *what, bool is_signed)
{
    struct item *self = &group->items[event->item];
    const struct weiri_causer causer
        = { &self->cause, group->index, (uint32_t)event->item,
            recorder->timeline->acts->len + 1 };
    if (recorder->timeline->acts->len >= recorder->most) {
        recorder->timeline->n_more++;
        return;
    }
    uint32_t from = weiri_causes_access(&recorder->causes, &causer, access);
    struct weiri_act *act
        = add_act(recorder, group, event->item,
                  kind_of(access->reads, access->writes, access->atomic));
    act->site = what->site;
    act->object = what->object;
    act->offset = what->offset + (access->address - (uintptr_t)event->address);
    act->from = from;
    const volatile char *at = (const volatile char *)access->address;
    const struct weiri_object *object = event->object;
    bool inside = object != NULL
        && (size_t)((const char *)at - object->start) + access->bytes <= object->bytes;
    if (!inside || access->bytes > MOST_BYTES) {
        return;
    }
    uint64_t now = value_at(at, access->bytes, is_signed);
    if (access->atomic) { /* it has taken place */
        act->read = access->reads ? widen(what->read, access->bytes, is_signed) : 0;
        act->wrote = access->writes ? now : 0;
    } else {
        act->read = access->reads ? now : 0;
    }
    if (access->writes && !access->atomic) {
        struct open open = { recorder->timeline->acts->len - 1, access->bytes, at };
        g_array_append_val(recorder->open, open);
    }
}

static void plain(struct weiri_recorder *recorder, struct group *group,
                  const struct weiri_event *event)
{
    bool reads = (event->access & WEIRI_ACCESS_BIT_READ) != 0;
    bool writes = (event->access & WEIRI_ACCESS_BIT_WRITE) != 0;
    struct site site = site_of(event, kind_of(reads, writes, false));
    site.operation = weir_access_name(weiri_access_of(reads, writes));
    struct weiri_act what = { .object = 0 };
    what.object = add_memory(recorder, group, event, &what.offset);
    struct weiri_cause_access access = { .address = (uintptr_t)event->address,
                                         .bytes = (uint32_t)event->bytes,
                                         .reads = reads,
                                         .writes = writes };
    size_t element = event->object != NULL ? event->object->element_bytes : 0;
    access.local = what.object != 0 && weiri_object_is_local(event->object);
    if (event->bytes > MOST_BYTES && element > 0 && element <= MOST_BYTES
        && what.object != 0) {
        access.bytes = site.place.bytes = (uint32_t)element;
    }
    what.site = add_site(recorder, &site);
    for (size_t done = 0; done < event->bytes; done += access.bytes) {
        access.bytes = (uint32_t)MIN(access.bytes, event->bytes - done);
        access.address = (uintptr_t)event->address + done;
        add_access(recorder, group, event, &access, &what, true);
    }
}

static const char *type_name(uint32_t type)
{
    static const char *const names[] = {
#define X(name, T) #name,
        WEIRI_VALUE_TYPES(X)
#undef X
    };
    return type < G_N_ELEMENTS(names) ? names[type] : NULL;
}

/* The site of an atomic, with the order of failure if it has not stored. */
static uint32_t site_of_atomic(struct weiri_recorder *recorder,
                               const struct weiri_event *event, enum weiri_act_kind act,
                               memory_order order)
{
    const struct weiri_atomic_op *op = event->atomic;
    struct site site = site_of(event, act);
    site.place.what = (uint64_t)op->kind | (uint64_t)order << 8
        | (uint64_t)op->scope << 16 | (uint64_t)op->type << 24;
    site.operation = op->kind == WEIRI_ATOMIC_FENCE
        ? "fence"
        : weiri_named(op->site, weiri_atomic_name(recorder->language, op->kind));
    site.order = weiri_order_name((unsigned)order);
    site.scope = weiri_scope_name((unsigned)op->scope);
    site.type = op->kind == WEIRI_ATOMIC_FENCE ? NULL : type_name(op->type);
    return add_site(recorder, &site);
}

static void fence(struct weiri_recorder *recorder, struct group *group,
                  const struct weiri_event *event)
{
    const struct weiri_atomic_op *op = event->atomic;
    if (recorder->timeline->acts->len >= recorder->most) {
        recorder->timeline->n_more++;
        return;
    }
    uint32_t site = site_of_atomic(recorder, event, WEIRI_ACT_FENCE, op->order);
    const struct weiri_causer causer
        = { &group->items[event->item].cause, group->index, (uint32_t)event->item,
            recorder->timeline->acts->len + 1 };
    weiri_causes_fence(&recorder->causes, &causer, op->order, op->scope);
    add_act(recorder, group, event->item, WEIRI_ACT_FENCE)->site = site;
}

/* An atomic that has taken place. */
static void atomic(struct weiri_recorder *recorder, struct group *group,
                   const struct weiri_event *event)
{
    const struct weiri_atomic_op *op = event->atomic;
    bool reads = op->kind != WEIRI_ATOMIC_STORE;
    enum weiri_act_kind kind = kind_of(reads, event->stored, true);
    struct weiri_act what = { .object = 0 };
    what.object = add_memory(recorder, group, event, &what.offset);
    const struct weiri_cause_access access
        = { .address = (uintptr_t)event->address,
            .bytes = (uint32_t)event->bytes,
            .local = what.object != 0 && weiri_object_is_local(event->object),
            .reads = reads,
            .writes = event->stored,
            .atomic = true,
            .order = event->stored || !reads ? op->order : op->failure,
            .scope = op->scope };
    what.site = site_of_atomic(recorder, event, kind, access.order);
    what.read = recorder->before;
    add_access(recorder, group, event, &access, &what,
               op->type == WEIRI_TYPE_i32 || op->type == WEIRI_TYPE_i64);
}

enum weiri_verdict weiri_recorder_event(void *self, const struct weiri_event *event)
{
    struct weiri_recorder *recorder = self;
    struct group *group = group_of(recorder, event);
    settle(recorder);
    switch (event->kind) {
    case WEIRI_EVENT_GROUP_END:
        end_group(recorder, group, event);
        break;
    case WEIRI_EVENT_ITEM_BEGIN:
        enter(recorder, group, event->item);
        break;
    case WEIRI_EVENT_ITEM_END:
        end_item(recorder, group, event->item, WEIRI_ACT_END);
        break;
    case WEIRI_EVENT_ARRIVE:
        arrive(recorder, group, event->item, event);
        break;
    case WEIRI_EVENT_RELEASE:
        release(recorder, group, event);
        break;
    case WEIRI_EVENT_LOCAL_ARRAY: {
        const char *start = event->object != NULL ? event->object->start : NULL;
        group->base = group->base == NULL ? start : group->base;
        add_memory(recorder, group, event, &(uint64_t){ 0 });
        break;
    }
    case WEIRI_EVENT_ACCESS:
        enter(recorder, group, event->item);
        plain(recorder, group, event);
        break;
    case WEIRI_EVENT_ATOMIC:
        recorder->before = event->object != NULL && event->bytes <= MOST_BYTES
            ? value_at(event->address, (uint32_t)event->bytes, false)
            : 0;
        break;
    case WEIRI_EVENT_ATOMIC_DONE:
        enter(recorder, group, event->item);
        if (event->atomic->kind == WEIRI_ATOMIC_FENCE) {
            fence(recorder, group, event);
        } else if (event->atomic->kind != WEIRI_ATOMIC_REF) {
            atomic(recorder, group, event);
        }
        break;
    default:
        break;
    }
    return WEIRI_GOES_ON;
}

/* ---- The end --------------------------------------------------------------------- */

/* "tree" of "tree__body" and of "kernel tree". Returns: interned, or NULL */
static const char *function_name(const char *name)
{
    static const char KERNEL[] = "kernel ", BODY[] = "__body";
    if (name == NULL) {
        return NULL;
    }
    name += g_str_has_prefix(name, KERNEL) ? strlen(KERNEL) : 0;
    size_t length = strlen(name) - (g_str_has_suffix(name, BODY) ? strlen(BODY) : 0);
    g_autofree char *plain_name = g_strndup(name, length);
    return g_intern_string(plain_name);
}

static void look_up_site(struct weiri_timeline *timeline, const struct site *site,
                         const struct weiri_symbols *symbols)
{
    struct weiri_act_site found = { .operation = site->operation,
                                    .order = site->order,
                                    .scope = site->scope,
                                    .type = site->type,
                                    .bytes = site->place.bytes };
    const struct weir_site *of = site->place.at;
    struct weir_frame frame = { 0 };
    if (of != NULL && !site->is_pc) {
        frame = (struct weir_frame){ of->function, of->file, of->line };
    } else if (of != NULL && symbols->frames(of, &frame, 1) == 0) {
        frame = (struct weir_frame){ 0 };
    }
    found.file = frame.file;
    found.line = frame.line;
    found.function = function_name(frame.function);
    found.source = frame.file != NULL ? symbols->source(frame.file, frame.line) : NULL;
    g_array_append_val(timeline->sites, found);
}

/* The name before the first '=' of a line: "scratch" of "int32_t *scratch = …".
 * Returns: interned, or NULL */
static const char *assigned(const char *line)
{
    const char *end = line != NULL ? strchr(line, '=') : NULL;
    while (end != NULL && end > line && end[-1] == ' ') {
        end--;
    }
    const char *start = end;
    while (start != NULL && start > line
           && (g_ascii_isalnum(start[-1]) || start[-1] == '_')) {
        start--;
    }
    if (start == end) {
        return NULL;
    }
    g_autofree char *name = g_strndup(start, (size_t)(end - start));
    return g_intern_string(name);
}

static void look_up_memory(struct weiri_timeline *timeline, const struct memory *memory,
                           const struct weiri_symbols *symbols)
{
    const struct weir_site *site = memory->object.site;
    g_autofree char *name = weiri_object_name(&memory->object, memory->first);
    struct weiri_act_object found
        = { .name = g_intern_string(name),
            .variable = site == NULL ? NULL
                : site->name != NULL
                ? site->name
                : assigned(symbols->source(site->file, site->line)),
            .local = weiri_object_is_local(&memory->object),
            .first = weiri_object_index(&memory->object, memory->first),
            .element_bytes = MAX(memory->object.element_bytes, 1),
            .bytes = memory->bytes };
    if (memory->object.kind == WEIRI_OBJECT_STATICS) {
        found.element_bytes = MAX(memory->bytes, 1);
    }
    g_array_append_val(timeline->objects, found);
}

struct weiri_timeline *weiri_recorder_end(struct weiri_recorder *recorder,
                                          const struct weiri_symbols *symbols)
{
    struct weiri_timeline *timeline = recorder->timeline;
    g_array_set_size(recorder->open, 0); /* their memory may be gone */
    for (uint32_t i = 1; i < recorder->sites.n; i++) {
        look_up_site(timeline, weiri_table_at(&recorder->sites, i, sizeof(struct site)),
                     symbols);
    }
    for (uint32_t i = 1; i < recorder->memories.n; i++) {
        look_up_memory(timeline,
                       weiri_table_at(&recorder->memories, i, sizeof(struct memory)),
                       symbols);
    }
    weiri_causes_clear(&recorder->causes);
    weiri_table_clear(&recorder->sites);
    weiri_table_clear(&recorder->memories);
    g_hash_table_destroy(recorder->groups);
    g_array_unref(recorder->open);
    g_free(recorder);
    return timeline;
}
