/* SPDX-License-Identifier: MIT
 *
 * object.h: the object to which an address belongs: memory of weir_new(), a local array
 * of a group, or the program's own statics. Every observer that judges accesses needs
 * to know, so it is looked up once an access. Mostly it is the object of the latest
 * access from the same place in the code, since an instruction keeps using one array.
 *
 * Threads: one; of a launch that is watched. */
#ifndef WEIRI_OBJECT_H
#define WEIRI_OBJECT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exec/memory.h"

struct weir_device;
struct weir_site;
struct weiri_stacks;

enum weiri_object_kind {
    WEIRI_OBJECT_GLOBAL,  /* of weir_new() */
    WEIRI_OBJECT_FREED,   /* the same after weir_free() */
    WEIRI_OBJECT_LOCAL,   /* a local array of a resident group */
    WEIRI_OBJECT_SHARED,  /* the same, which all of its cluster reach */
    WEIRI_OBJECT_STATICS, /* writable data of the program */
    WEIRI_OBJECT_PRIVATE, /* a private variable of an item: see private.h */
    WEIRI_OBJECT_ENDED,   /* a local array of a group that has ended: found only by
                             weiri_objects_locate() */
    WEIRI_OBJECT_RETIRED, /* the same of a launch that has ended */
};

/* An observer's data about an object's memory. Objects are reused for the arrays of
 * later groups, so an observer checks that its data is large enough. */
struct weiri_shadow {
    void *cells; /* owned by the observer */
    size_t n;
};

enum weiri_shadow_slot {
    WEIRI_SHADOW_RACE,
    WEIRI_SHADOW_UNINIT,
    WEIRI_N_SHADOWS,
};

/**
 * weiri_symbol_of:
 * @offset: (out): of @address in the variable
 * @element_bytes: (out): of an element where it is an array, else of the whole
 *
 * Returns: the name of the variable that @address lies in, which lives as long as the
 *          process; or %NULL
 */
typedef const char *(*weiri_symbol_of)(const volatile void *address, size_t *offset,
                                       size_t *element_bytes);

struct weiri_object {
    const char *start;
    size_t bytes; /* as requested; 0 after a local array's group has ended */
    size_t element_bytes;
    enum weiri_object_kind kind;
    const char *name;             /* of weir_new() or of a retired array, or NULL. Lives
                                     as long as the objects */
    const struct weir_site *site; /* of a local array or private variable; or NULL */
    size_t group;                 /* the same: linear index of its group */
    const char *members;          /* of a private variable: by byte of an element, 'x'
                                     where it is not padding; or NULL: none is */
    const GArray *windows;        /* of device memory: weiri_memory_limit(); or NULL.
                                     Borrowed while the launch goes on */
    weiri_part_of part_of;        /* of device memory: weiri_memory_divide(); or NULL */
    unsigned denied;              /* accesses that need a look at @windows or @part_of:
                                     of enum weiri_access_bit */
    struct weiri_shadow shadow[WEIRI_N_SHADOWS];

    /* For the machine. */
    const char *low, *high;    /* addresses between them belong to no other object */
    size_t whole_bytes;        /* @bytes, kept after a group has ended */
    weiri_symbol_of symbol_of; /* of statics; or NULL */
};

/** Whether it is a local array of a resident group. */
static inline bool weiri_object_is_local(const struct weiri_object *object)
{
    return object->kind == WEIRI_OBJECT_LOCAL || object->kind == WEIRI_OBJECT_SHARED;
}

/* ---- For the machine ----------------------------------------------------- */

/* Places in the code whose latest object is cached: enough for a kernel. */
enum { WEIRI_OBJECTS_CACHED = 512 };

struct weiri_objects {
    struct weiri_object *cached[WEIRI_OBJECTS_CACHED]; /* by place; never NULL */
    struct weiri_object none;                          /* of no bytes */
    struct weiri_object_tables *tables;
    struct weiri_privates *privates; /* NULL until there is a variable; see private.h */
};

/** The device's memory, live and freed, and the program's statics. @symbol_of: may be
 *  %NULL */
struct weiri_objects *weiri_objects_new(const struct weir_device *device,
                                        weiri_symbol_of symbol_of);

/** After the launch: its local memory is retired to the device. */
void weiri_objects_free(struct weiri_objects *objects);

/** weiri_objects_find() without the cache; stores the object in @slot. */
struct weiri_object *weiri_objects_look_up(struct weiri_objects *objects,
                                           const volatile void *address,
                                           struct weiri_object **slot);

/** The object of @address, or %NULL. @pc: the place in the code of the access */
static inline struct weiri_object *weiri_objects_find(struct weiri_objects *objects,
                                                      const volatile void *address,
                                                      const void *pc)
{
    uintptr_t place = (uintptr_t)pc;
    struct weiri_object **slot
        = &objects->cached[(place ^ place >> 9) % WEIRI_OBJECTS_CACHED];
    struct weiri_object *object = *slot;
    if (__builtin_expect((uintptr_t)address - (uintptr_t)object->start < object->bytes,
                         1)) {
        return object;
    }
    return weiri_objects_look_up(objects, address, slot);
}

/** Sets the stacks of the launch's items, borrowed until weiri_objects_free(). */
void weiri_objects_set_stacks(struct weiri_objects *objects,
                              const struct weiri_stacks *stacks);

/**
 * weiri_objects_open_local:
 * @bytes: of a group's local memory, the same in each call
 * @n_resident: most groups that are resident at once; the same in each call
 *
 * Reserves local memory for @group until weiri_objects_end_local(). Its addresses are
 * reused only after many other groups, so that a pointer that outlives its group is
 * recognised.
 *
 * Returns: its start; or %NULL if the system refuses
 */
char *weiri_objects_open_local(struct weiri_objects *objects, size_t bytes,
                               size_t n_resident, size_t group);

/** Adds a local array of @bytes at @start, in local memory of @group and after its
 *  earlier arrays. @kind: LOCAL or SHARED. Returns: borrowed until
 *  weiri_objects_end_local() */
struct weiri_object *weiri_objects_add_local(struct weiri_objects *objects,
                                             const void *start, size_t bytes,
                                             size_t element_bytes,
                                             const struct weir_site *site, size_t group,
                                             enum weiri_object_kind kind);

/** Ends the local arrays of the group. */
void weiri_objects_end_local(struct weiri_objects *objects, size_t group);

/* ---- For observers ------------------------------------------------------- */

/** Calls @each with live memory of the device and the program's statics, in the order
 *  of addresses. */
void weiri_objects_each_global(const struct weiri_objects *objects,
                               void (*each)(void *data,
                                            const struct weiri_object *object),
                               void *data);

/* Where an address in no object lies. */
enum weiri_where {
    WEIRI_WHERE_NULL,    /* so low that it comes from a null pointer */
    WEIRI_WHERE_NEAR,    /* before or after an object, and in no other memory */
    WEIRI_WHERE_ENDED,   /* local memory of a group or a launch that has ended */
    WEIRI_WHERE_STACK,   /* an item's stack */
    WEIRI_WHERE_MODULE,  /* the program's or a library's image: constants mostly */
    WEIRI_WHERE_HOST,    /* other memory of the process */
    WEIRI_WHERE_FAR,     /* unmapped and near no object, but an index that is very wrong
                            could lead there */
    WEIRI_WHERE_NOTHING, /* unmapped and far from any object */
};

/**
 * weiri_objects_locate:
 * @group: linear index of the group whose item makes the access
 * @object: (out): of %WEIRI_WHERE_NEAR, %WEIRI_WHERE_FAR and %WEIRI_WHERE_ENDED
 *
 * A 32-bit index that went below 0 counts as near: it is off by 2^32 elements.
 *
 * May be called by an item: needs little stack, and allocates nothing.
 */
enum weiri_where weiri_objects_locate(struct weiri_objects *objects,
                                      const volatile void *address, size_t group,
                                      struct weiri_object **object);

/* "global", "local" or "private"; static. */
const char *weiri_object_space(const struct weiri_object *object);

/** "total", "local array of tree.c:12", or the symbol of a static. Not to be called
 *  on an item's stack, which is too small for looking up symbols.
 *  Returns: (transfer full) */
char *weiri_object_name(const struct weiri_object *object,
                        const volatile void *address);

/** The index of the element at @address, which may lie outside. Not to be called on an
 *  item's stack, as weiri_object_name(). */
int64_t weiri_object_index(const struct weiri_object *object,
                           const volatile void *address);

#endif
