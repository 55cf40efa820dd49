/* SPDX-License-Identifier: MIT
 *
 * bounds.c: see bounds.h. A correct access is recognised by a few comparisons with the
 * object that its event names. A wrong one is recorded, once for each object and place
 * in the code, with a count. Names and sentences are made after the launch, since the
 * item may have a small stack.
 *
 * Accesses that share a record are reported for the first item of the first group under
 * any schedule. */
#include "config.h"

#include "watch/bounds.h"

#include "exec/memory.h"
#include "finding/names.h"

#include <string.h>

/* Findings that one launch may report. After that many, the next one does not help to
 * fix the kernel. */
enum { MOST_RECORDS = 1024 };

/* In bytes: types that ask for less are judged by the size of their accesses. */
enum { LEAST_ALIGNMENT = 8 };

/* The fault of an access. */
enum cause {
    OUTSIDE,
    WITHHELD,   /* in memory that the launch has only a part of */
    DENIED,     /* of memory that is read-only, or write-only */
    NO_BLOCK,   /* in memory that kernels get blocks of: in none, */
    GIVEN_BACK, /* or in one that a kernel has freed */
    FAR,
    NULL_POINTER,
    FREED,
    ENDED,
    OTHER_GROUP,
    OTHER_ITEM,
    ARGUMENTS,
    HOST,
    MISALIGNED,
};

struct record {
    enum cause cause;
    const struct weir_site *site; /* or NULL, and */
    const void *pc;
    uint32_t calls;
    unsigned access; /* of enum weiri_access_bit; 0: @atomic, */
    enum weiri_atomic atomic;
    memory_order order;
    memory_scope scope;
    bool has_object;
    struct weiri_object object;   /* as it was then */
    const volatile char *address; /* the first byte that is wrong */
    size_t bytes;                 /* of the access; MISALIGNED: */
    size_t alignment;             /* that its type asks for, */
    const char *type;             /* or NULL: one of @bytes */
    size_t group;                 /* that made it: linear index, */
    uint32_t item;
    uint64_t count; /* accesses */
};

struct weiri_bounds {
    struct weiri_bounds_state state; /* first */
    struct weiri_objects *objects;
    struct weiri_shape shape;
    const char *args;
    size_t args_bytes;
    struct record *records;
    size_t n_records;
    struct weiri_event held[3]; /* ALIGNMENT, until the access that it is about: of a
                                   member, read, write; by @access. No @type: none */
};

struct weiri_bounds *weiri_bounds_new(struct weiri_objects *objects,
                                      const struct weiri_shape *shape, const void *args,
                                      size_t args_bytes)
{
    struct weiri_bounds *bounds = g_new0(struct weiri_bounds, 1);
    bounds->objects = objects;
    bounds->shape = *shape;
    bounds->args = args;
    bounds->args_bytes = args_bytes;
    bounds->records = g_new0(struct record, MOST_RECORDS);
    return bounds;
}

void weiri_bounds_free(struct weiri_bounds *bounds)
{
    if (bounds != NULL) {
        g_free(bounds->records);
        g_free(bounds);
    }
}

void weiri_bounds_forget(struct weiri_bounds *bounds)
{
    bounds->n_records = 0;
}

/* ---- Judging ------------------------------------------------------------- */

static bool writes(const struct weiri_event *event)
{
    return event->atomic != NULL ? event->atomic->kind != WEIRI_ATOMIC_LOAD
                                 : (event->access & WEIRI_ACCESS_BIT_WRITE) != 0;
}

static bool reads(const struct weiri_event *event)
{
    return event->atomic != NULL ? event->atomic->kind != WEIRI_ATOMIC_STORE
                                 : (event->access & WEIRI_ACCESS_BIT_READ) != 0;
}

/* Whether a report shows two objects as one: the arrays that groups make at one site,
 * and all statics. */
static bool is_same_object(const struct weiri_object *a, const struct weiri_object *b)
{
    return a == NULL || b == NULL ? a == b
                                  : a->kind == b->kind && a->site == b->site
            && (a->site != NULL || a->start == b->start);
}

static bool is_same_record(const struct record *record, enum cause cause,
                           const struct weiri_event *event,
                           const struct weiri_object *object)
{
    if (record->cause != cause || cause == HOST) {
        return record->cause == cause;
    }
    return record->site == event->site && record->pc == event->pc
        && record->calls == event->calls
        && record->access == (event->atomic != NULL ? 0 : event->access)
        && is_same_object(record->has_object ? &record->object : NULL, object);
}

static enum weir_finding_kind kind_of(enum cause cause)
{
    switch (cause) {
    case FREED:
    case GIVEN_BACK:
    case ENDED:
        return WEIR_FINDING_USE_AFTER_FREE;
    case MISALIGNED:
        return WEIR_FINDING_MISALIGNED;
    default:
        return WEIR_FINDING_OUT_OF_BOUNDS;
    }
}

/* The name of a record's access. */
static enum weir_access access_of(const struct record *record)
{
    return record->access == 0
        ? weiri_access_of_atomic(record->atomic)
        : weiri_access_of((record->access & WEIRI_ACCESS_BIT_READ) != 0,
                          (record->access & WEIRI_ACCESS_BIT_WRITE) != 0);
}

static void fill(struct record *record, enum cause cause,
                 const struct weiri_event *event, const struct weiri_object *object,
                 const volatile char *address)
{
    record->cause = cause;
    record->site = event->site;
    record->pc = event->pc;
    record->calls = event->calls;
    record->access = event->access;
    if (event->atomic != NULL) {
        record->access = 0;
        record->atomic = event->atomic->kind;
        record->order = event->atomic->order;
        record->scope = event->atomic->scope;
    }
    record->has_object = object != NULL;
    if (object != NULL) {
        record->object = *object;
    }
    record->address = address;
    record->bytes = event->bytes;
    record->alignment = event->alignment;
    record->type = event->type;
    record->group = event->group->shape.group_linear;
    record->item = (uint32_t)event->item;
    weiri_finding_made(
        kind_of(cause),
        &(struct weiri_maker){ record->group, record->item, access_of(record) }, NULL);
}

static __attribute__((noinline)) enum weiri_verdict record(
    struct weiri_bounds *bounds, enum cause cause, const struct weiri_event *event,
    const struct weiri_object *object, const volatile char *address)
{
    struct record *found = NULL;
    for (size_t i = 0; found == NULL && i < bounds->n_records; i++) {
        if (is_same_record(&bounds->records[i], cause, event, object)) {
            found = &bounds->records[i];
        }
    }
    size_t group = event->group->shape.group_linear;
    if (found != NULL) {
        found->count++;
        if (group < found->group
            || (group == found->group && event->item < found->item)) {
            fill(found, cause, event, object, address);
        }
    } else if (bounds->n_records < MOST_RECORDS) {
        found = &bounds->records[bounds->n_records++];
        found->count = 1;
        fill(found, cause, event, object, address);
    }
    return cause == HOST || cause == MISALIGNED || cause == DENIED ? WEIRI_GOES_ON
                                                                   : WEIRI_ABANDON;
}

/* The power of two of which the address must be a multiple. For 16 bytes it is 8:
 * compilers have one hook for 16 bytes of any alignment. */
static inline size_t alignment_of(const struct weiri_event *event)
{
    if (event->atomic != NULL) {
        return event->bytes;
    }
    bool any
        = (event->access & (WEIRI_ACCESS_BIT_UNALIGNED | WEIRI_ACCESS_BIT_RANGE)) != 0;
    return any ? 1 : event->bytes > 8 ? 8 : event->bytes;
}

static inline enum weiri_verdict judge_address(struct weiri_bounds *bounds,
                                               const struct weiri_event *event,
                                               const struct weiri_object *object)
{
    uintptr_t at = (uintptr_t)event->address;
    if (__builtin_expect((at & (alignment_of(event) - 1)) == 0, 1)) {
        return WEIRI_GOES_ON;
    }
    struct weiri_event found = *event;
    found.alignment = alignment_of(event);
    return record(bounds, MISALIGNED, &found, object, event->address);
}

/* An access that begins in no object. */
static __attribute__((noinline)) enum weiri_verdict judge_stray(
    struct weiri_bounds *bounds, const struct weiri_event *event)
{
    const volatile char *at = event->address;
    size_t offset = (uintptr_t)at - (uintptr_t)bounds->args;
    if (offset < bounds->args_bytes) {
        return writes(event) ? record(bounds, ARGUMENTS, event, NULL, at)
                             : WEIRI_GOES_ON;
    }
    struct weiri_object *object;
    size_t group = event->group->shape.group_linear;
    switch (weiri_objects_locate(bounds->objects, at, group, &object)) {
    case WEIRI_WHERE_NULL:
        return record(bounds, NULL_POINTER, event, NULL, at);
    case WEIRI_WHERE_NEAR:
        return record(bounds, object->kind == WEIRI_OBJECT_FREED ? FREED : OUTSIDE,
                      event, object, at);
    case WEIRI_WHERE_ENDED:
        return record(bounds, ENDED, event, object, at);
    case WEIRI_WHERE_STACK:
        return record(bounds, OTHER_ITEM, event, NULL, at);
    case WEIRI_WHERE_MODULE:
        if (!writes(event)) {
            return WEIRI_GOES_ON;
        }
        break;
    case WEIRI_WHERE_HOST:
        break;
    case WEIRI_WHERE_FAR:
        return record(bounds, FAR, event, object, at);
    case WEIRI_WHERE_NOTHING:
        return WEIRI_GOES_ON; /* it will fault */
    }
    (void)record(bounds, HOST, event, NULL, at);
    return judge_address(bounds, event, NULL);
}

static bool permits(const struct weiri_window *window, unsigned access)
{
    return !(window->read_only && (access & WEIRI_ACCESS_BIT_WRITE) != 0)
        && !(window->write_only && (access & WEIRI_ACCESS_BIT_READ) != 0);
}

/* A window of the object with those bytes, one that permits @access if there is one; or
 * NULL. */
static const struct weiri_window *window_at(const struct weiri_object *object,
                                            size_t offset, size_t bytes,
                                            unsigned access)
{
    const struct weiri_window *found = NULL;
    for (guint i = 0; i < object->windows->len; i++) {
        const struct weiri_window *window
            = &g_array_index(object->windows, struct weiri_window, i);
        if (offset >= window->offset && bytes <= window->bytes
            && offset - window->offset <= window->bytes - bytes
            && (found == NULL || permits(window, access))) {
            found = window;
        }
    }
    return found;
}

/* An access in bounds, of memory that kernels get blocks of. */
static enum weiri_verdict judge_part(struct weiri_bounds *bounds,
                                     const struct weiri_event *event,
                                     const struct weiri_object *object)
{
    enum weiri_part part = object->part_of(event->address, event->bytes);
    return part == WEIRI_PART_LIVE
        ? WEIRI_GOES_ON
        : record(bounds, part == WEIRI_PART_FREED ? GIVEN_BACK : NO_BLOCK, event,
                 object, event->address);
}

/* An access in bounds, of an object that has windows. */
static __attribute__((noinline)) enum weiri_verdict judge_windows(
    struct weiri_bounds *bounds, const struct weiri_event *event,
    const struct weiri_object *object, size_t offset)
{
    if (object->part_of != NULL) {
        return judge_part(bounds, event, object);
    }
    unsigned access = (reads(event) ? WEIRI_ACCESS_BIT_READ : 0)
        | (writes(event) ? WEIRI_ACCESS_BIT_WRITE : 0);
    const struct weiri_window *window = window_at(object, offset, event->bytes, access);
    return window != NULL && permits(window, access)
        ? WEIRI_GOES_ON
        : record(bounds, window != NULL ? DENIED : WITHHELD, event, object,
                 event->address);
}

static inline enum weiri_verdict judge(struct weiri_bounds *bounds,
                                       const struct weiri_event *event)
{
    const struct weiri_object *object = event->object;
    if (event->bytes == 0) {
        return WEIRI_GOES_ON; /* a fence, or a copy of nothing */
    }
    if (__builtin_expect(object == NULL, 0)) {
        return judge_stray(bounds, event);
    }
    if (__builtin_expect(object->kind == WEIRI_OBJECT_FREED, 0)) {
        return record(bounds, FREED, event, object, event->address);
    }
    size_t offset = (uintptr_t)event->address - (uintptr_t)object->start;
    if (__builtin_expect(event->bytes > object->bytes - offset, 0)) {
        return record(bounds, OUTSIDE, event, object, object->start + object->bytes);
    }
    if (__builtin_expect(object->kind == WEIRI_OBJECT_LOCAL
                             && object->group != event->group->shape.group_linear,
                         0)) {
        return record(bounds, OTHER_GROUP, event, object, event->address);
    }
    if (__builtin_expect(object->denied != 0, 0)
        && judge_windows(bounds, event, object, offset) != WEIRI_GOES_ON) {
        return WEIRI_ABANDON;
    }
    return judge_address(bounds, event, object);
}

/* The alignment of a type is reported before the access, with the address of the access
 * except in two cases. If a member is accessed, the address is the whole object's; and
 * gcc may leave out a constant, as the 8 of *(T *)(p + 8). The access that follows
 * shows whether it is meant. For a member that is copied whole there are two
 * reports. */
static void hold(struct weiri_bounds *bounds, const struct weiri_event *event)
{
    struct weiri_event *whole = &bounds->held[0];
    if (event->bytes > 0 && whole->item == event->item
        && whole->group == event->group) {
        whole->type = NULL;
    }
    if (event->object != NULL && event->object->kind != WEIRI_OBJECT_FREED
        && event->alignment >= LEAST_ALIGNMENT) {
        bounds->held[event->access] = *event;
        bounds->state.holds = true;
    }
}

/* @event: an access; @asks: what is held for it */
static void settle(struct weiri_bounds *bounds, const struct weiri_event *event,
                   const struct weiri_event *asks)
{
    uintptr_t at = (uintptr_t)event->address;
    bool is_member = asks->access == 0;
    uintptr_t offset = at - (uintptr_t)asks->address;
    bool is_meant = is_member
        || (asks->bytes > 0
                ? offset < asks->bytes
                : offset < asks->alignment && (at & (asks->alignment - 1)) != 0);
    if (event->atomic != NULL || (at & (alignment_of(event) - 1)) != 0) {
        return; /* reported without a type */
    }
    if (is_meant) {
        struct weiri_event found = *asks;
        found.access = event->access;
        found.pc = event->pc;
        (void)record(bounds, MISALIGNED, &found, asks->object, asks->address);
    }
}

static __attribute__((noinline)) enum weiri_verdict judge_type(
    struct weiri_bounds *bounds, const struct weiri_event *event)
{
    if (event->kind == WEIRI_EVENT_ALIGNMENT) {
        hold(bounds, event);
        return WEIRI_GOES_ON;
    }
    bounds->state.holds = false;
    for (size_t i = 0; i < G_N_ELEMENTS(bounds->held); i++) {
        struct weiri_event *asks = &bounds->held[i];
        bool is_its = asks->type != NULL && asks->group == event->group
            && asks->item == event->item
            && (asks->access == 0 || (asks->access & event->access) != 0);
        if (is_its) {
            settle(bounds, event, asks);
            asks->type = NULL;
        }
        bounds->state.holds |= asks->type != NULL;
    }
    return judge(bounds, event);
}

enum weiri_verdict weiri_bounds_event(void *self, const struct weiri_event *event)
{
    struct weiri_bounds *bounds = self;
    if (__builtin_expect(bounds->state.holds || event->kind == WEIRI_EVENT_ALIGNMENT,
                         0)) {
        return judge_type(bounds, event);
    }
    return judge(bounds, event);
}

/* ---- Reporting ----------------------------------------------------------- */

/* "(3,0,0)" of a group's linear index. */
static char *group_text(const struct weiri_bounds *bounds, size_t linear)
{
    struct weiri_shape shape = bounds->shape;
    weiri_group_place(&shape, linear);
    return weiri_place_text(&shape, shape.group);
}

static size_t n_elements(const struct weiri_object *object)
{
    return object->whole_bytes / object->element_bytes;
}

/* "in[256] of 256 elements" */
static char *element_text(const struct record *record, const char *name, int64_t index)
{
    const struct weiri_object *object = &record->object;
    if (object->kind == WEIRI_OBJECT_STATICS) {
        return g_strdup_printf("%s[%" G_GINT64_FORMAT "]", name, index);
    }
    size_t n = n_elements(object);
    return g_strdup_printf("%s[%" G_GINT64_FORMAT "] of %zu element%s", name, index, n,
                           n == 1 ? "" : "s");
}

/* "4096 bytes after its end" */
static char *distance_text(const struct record *record)
{
    const char *start = record->object.start;
    const char *end = start + record->object.whole_bytes;
    const volatile char *at = record->address;
    return at < start
        ? g_strdup_printf("%zu bytes before its start", (size_t)(start - at))
        : g_strdup_printf("%zu bytes after its end", (size_t)(at - end));
}

/* How a wrong index was made, if its value shows it; or NULL. Returns: (transfer
 * full) */
static char *index_why(const struct record *record, int64_t index)
{
    const struct weiri_object *object = &record->object;
    const int64_t turn = (int64_t)1 << 32;
    bool wrong = (record->cause == OUTSIDE || record->cause == FAR)
        && object->kind != WEIRI_OBJECT_STATICS;
    return wrong && index < turn && index >= turn - (int64_t)n_elements(object)
        ? g_strdup_printf("a 32-bit index went below 0: as a signed number it is "
                          "%" G_GINT64_FORMAT,
                          index - turn)
        : NULL;
}

/* "0 to 15, 32 to 47": the elements of the object that the launch has. */
static char *windows_text(const struct weiri_object *object)
{
    GString *text = g_string_new(NULL);
    size_t each = object->element_bytes;
    for (guint i = 0; i < object->windows->len; i++) {
        const struct weiri_window *window
            = &g_array_index(object->windows, struct weiri_window, i);
        g_string_append_printf(text, "%s%zu to %zu", i == 0 ? "" : ", ",
                               window->offset / each,
                               (window->offset + window->bytes - 1) / each);
    }
    return g_string_free(text, FALSE);
}

/* The fault, as the end of a sentence. @element: of the object, or NULL */
static char *cause_text(const struct weiri_bounds *bounds, const struct record *record,
                        enum weir_language language, const char *element)
{
    uintptr_t at = (uintptr_t)record->address;
    g_autofree char *group
        = record->has_object ? group_text(bounds, record->object.group) : NULL;
    g_autofree char *distance = record->has_object ? distance_text(record) : NULL;
    switch (record->cause) {
    case OUTSIDE:
        return g_strdup(element);
    case WITHHELD: {
        g_autofree char *windows = windows_text(&record->object);
        return g_strdup_printf("%s: the kernel is given sub-buffers of elements %s",
                               element, windows);
    }
    case DENIED: {
        const struct weiri_window *window
            = window_at(&record->object,
                        (uintptr_t)record->address - (uintptr_t)record->object.start,
                        record->bytes, 0);
        return g_strdup_printf("%s: the buffer is %s", element,
                               window->read_only ? "CL_MEM_READ_ONLY"
                                                 : "CL_MEM_WRITE_ONLY");
    }
    case FAR:
        return g_strdup_printf("%s, if the nearest is meant: unmapped memory %s",
                               element, distance);
    case NULL_POINTER:
        return at == 0 ? g_strdup("null pointer")
                       : g_strdup_printf("null pointer and %zu bytes", (size_t)at);
    case FREED:
        return g_strdup_printf("%s, which %s has freed", element,
                               weiri_name(language, WEIRI_NAME_FREE));
    case NO_BLOCK:
        return g_strdup_printf("%s, which is in no block of malloc() or new", element);
    case GIVEN_BACK:
        return g_strdup_printf("%s, in a block that free() or delete has freed",
                               element);
    case ENDED:
        return record->object.kind == WEIRI_OBJECT_RETIRED
            ? g_strdup_printf("%s: local memory of an earlier launch", element)
            : g_strdup_printf("%s: local memory of group %s, which has ended", element,
                              group);
    case OTHER_GROUP:
        return g_strdup_printf("%s: local memory of another group, %s", element, group);
    case OTHER_ITEM:
        return g_strdup("private memory of another item");
    case ARGUMENTS:
        return g_strdup("the arguments of the launch, which are read-only");
    case HOST:
        return g_strdup("memory of the host, which a device does not see");
    case MISALIGNED:
        break;
    }
    g_autofree char *what = record->type != NULL
        ? g_strndup(record->type, strcspn(record->type + 1, "'") + 2)
        : g_strdup_printf("%zu bytes", record->bytes);
    return g_strdup_printf("%s%s%s at an address that is not a multiple of %zu",
                           element != NULL ? element : "", element != NULL ? ": " : "",
                           what, record->alignment);
}

/* ---- Fixes --------------------------------------------------------------- */

static void set_access(struct weir_party *party, const struct record *record)
{
    if (record->access != 0) {
        weiri_party_set_access(party, (record->access & WEIRI_ACCESS_BIT_READ) != 0,
                               (record->access & WEIRI_ACCESS_BIT_WRITE) != 0);
    } else {
        weiri_party_set_atomic(party, record->atomic, record->order, record->scope);
    }
}

static void report_one(const struct weiri_bounds *bounds, const struct record *record,
                       const struct weir_kernel *kernel,
                       const struct weiri_call_tree *call_tree,
                       struct weir_report *report)
{
    struct weiri_draft draft = { .kind = kind_of(record->cause),
                                 .kernel = kernel,
                                 .group_linear = record->group,
                                 .count = record->count };
    struct weiri_shape shape = bounds->shape;
    weiri_group_place(&shape, record->group);
    weiri_draft_init(&draft);
    struct weir_party party = weiri_party_new(WEIR_STATE_RUNNING, &shape, record->site,
                                              NULL, 0, &record->item, 1);
    set_access(&party, record);
    struct weiri_trail trail
        = weiri_trail_of(call_tree, record->site, record->pc, record->calls);
    weiri_draft_take(&draft, &party, &trail);
    g_autofree char *element = NULL;
    if (record->has_object) {
        draft.space = weiri_object_space(&record->object);
        draft.object = weiri_object_name(&record->object, record->address);
        draft.index = weiri_object_index(&record->object, record->address);
        draft.why = index_why(record, draft.index);
        element = element_text(record, draft.object, draft.index);
    } else if (record->cause == OTHER_ITEM) {
        draft.space = "private";
    }
    g_autofree char *group = weiri_place_text(&shape, shape.group);
    g_autofree char *item = weiri_coordinates(party.item);
    g_autofree char *cause = cause_text(bounds, record, kernel->language, element);
    draft.message = g_strdup_printf("%s %s in kernel '%s', group %s, item %s: %s",
                                    weir_finding_kind_name(draft.kind),
                                    weir_access_name(party.access), kernel->name, group,
                                    item, cause);
    weiri_report_add(report, &draft);
}

void weiri_bounds_report(const struct weiri_bounds *bounds,
                         const struct weir_kernel *kernel,
                         const struct weiri_call_tree *call_tree,
                         struct weir_report *report)
{
    for (size_t i = 0; i < bounds->n_records; i++) {
        report_one(bounds, &bounds->records[i], kernel, call_tree, report);
    }
}
