/* SPDX-License-Identifier: MIT
 *
 * private.c: see private.h. The variables of an item are found by its stack: few are
 * alive at once, so that they are in an array without an order. */
#include "config.h"

#include "exec/private.h"

#include "exec/hooks.h"
#include "exec/memory.h"
#include "exec/mode.h"

/* The variables on a stack. */
struct variables {
    uintptr_t stack;    /* its lowest address */
    GPtrArray *objects; /* of struct weiri_object; from @n_live on for later use */
    guint n_live;
};

struct weiri_privates {
    GHashTable *by_stack;     /* of struct variables, by @stack */
    struct variables *latest; /* that were asked for; or NULL */
};

static void free_variables(void *data)
{
    struct variables *variables = data;
    g_ptr_array_unref(variables->objects);
    g_free(variables);
}

void weiri_privates_free(struct weiri_privates *privates)
{
    if (privates != NULL) {
        g_hash_table_unref(privates->by_stack);
        g_free(privates);
    }
}

/* Those of the running item, or NULL. */
static struct variables *variables_of(struct weiri_privates *privates, uintptr_t stack)
{
    if (privates->latest == NULL || privates->latest->stack != stack) {
        privates->latest
            = g_hash_table_lookup(privates->by_stack, GSIZE_TO_POINTER(stack));
    }
    return privates->latest;
}

static struct variables *make_variables(struct weiri_worker *worker)
{
    struct weiri_objects *objects = worker->launch->objects;
    if (objects->privates == NULL) {
        objects->privates = g_new0(struct weiri_privates, 1);
        objects->privates->by_stack
            = g_hash_table_new_full(NULL, NULL, NULL, free_variables);
        worker->has_privates = true;
    }
    struct variables *variables = variables_of(objects->privates, worker->own_low);
    if (variables == NULL) {
        variables = g_new(struct variables, 1);
        *variables = (struct variables){ worker->own_low,
                                         g_ptr_array_new_with_free_func(g_free), 0 };
        g_hash_table_insert(objects->privates->by_stack,
                            GSIZE_TO_POINTER(worker->own_low), variables);
        objects->privates->latest = variables;
    }
    return variables;
}

static struct weiri_object *object_at(const struct variables *variables, guint i)
{
    return g_ptr_array_index(variables->objects, i);
}

static void swap(struct variables *variables, guint i, guint k)
{
    void *object = variables->objects->pdata[i];
    variables->objects->pdata[i] = variables->objects->pdata[k];
    variables->objects->pdata[k] = object;
}

/* An object for a variable in that memory, which those that lie there leave. */
static struct weiri_object *take_place(struct variables *variables, const char *start,
                                       size_t bytes)
{
    for (guint i = variables->n_live; i-- > 0;) {
        const struct weiri_object *object = object_at(variables, i);
        if (start < object->start + object->bytes && object->start < start + bytes) {
            swap(variables, i, --variables->n_live);
        }
    }
    if (variables->n_live == variables->objects->len) {
        g_ptr_array_add(variables->objects, g_new0(struct weiri_object, 1));
    }
    return object_at(variables, variables->n_live++);
}

static void emit(struct weiri_worker *worker, struct weiri_event *event)
{
    event->kernel = worker->launch->kernel;
    event->group = &worker->group->public;
    event->item = (size_t)worker->group->public.at;
    (void)weiri_emit(&worker->launch->audience, event);
}

void weiri_private_variable(void *address, size_t count, size_t element_bytes,
                            const char *members, const struct weir_site *site)
{
    struct weiri_worker *worker = weiri_self.watch;
    size_t bytes = count * element_bytes;
    if (worker == NULL
        || (worker->launch->audience.kinds & WEIRI_EVENT_BIT(PRIVATE)) == 0
        || !weiri_mode_is_body(worker) || bytes == 0) {
        return;
    }
    worker->inside++;
    struct weiri_object *object = take_place(make_variables(worker), address, bytes);
    *object = (struct weiri_object){ .start = address,
                                     .bytes = bytes,
                                     .whole_bytes = bytes,
                                     .element_bytes = element_bytes,
                                     .kind = WEIRI_OBJECT_PRIVATE,
                                     .members = members,
                                     .site = site,
                                     .group = worker->group->public.shape.group_linear,
                                     .shadow[WEIRI_SHADOW_UNINIT]
                                     = object->shadow[WEIRI_SHADOW_UNINIT] };
    weiri_memory_fill(address, bytes);
    emit(worker,
         &(struct weiri_event){ .kind = WEIRI_EVENT_PRIVATE,
                                .site = site,
                                .address = address,
                                .bytes = bytes,
                                .object = object });
    worker->inside--;
}

void weiri_private_begin_item(struct weiri_worker *worker)
{
    struct variables *variables
        = variables_of(worker->launch->objects->privates, worker->own_low);
    if (variables != NULL) {
        variables->n_live = 0;
    }
}

void weiri_private_access(struct weiri_worker *worker, const volatile void *address,
                          uint64_t what, const void *pc)
{
    const struct variables *variables
        = variables_of(worker->launch->objects->privates, worker->own_low);
    for (guint i = variables != NULL ? variables->n_live : 0; i-- > 0;) {
        struct weiri_object *object = object_at(variables, i);
        if ((uintptr_t)address - (uintptr_t)object->start < object->bytes) {
            worker->inside++;
            emit(worker,
                 &(struct weiri_event){ .kind = WEIRI_EVENT_PRIVATE_ACCESS,
                                        .address = address,
                                        .bytes = what >> 8,
                                        .object = object,
                                        .access = what & 0xff,
                                        .pc = pc,
                                        .calls = weiri_mode_calls(worker) });
            worker->inside--;
            return;
        }
    }
}
