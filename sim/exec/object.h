/* SPDX-License-Identifier: MIT
 *
 * object.h: what an address belongs to: memory of weir_new(), a local array of a group,
 * or the program's own statics. Everything that judges accesses asks here first, so the
 * question is answered once an access, and most answers come from the place in the code
 * that asked before: an instruction goes on using the same array.
 *
 * Threads: one; of a launch that is watched. */
#ifndef WEIRI_OBJECT_H
#define WEIRI_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct weir_device;
struct weir_site;
struct weiri_stacks;

enum weiri_object_kind {
    WEIRI_OBJECT_GLOBAL,  /* of weir_new() */
    WEIRI_OBJECT_FREED,   /* it was, and weir_free() had it */
    WEIRI_OBJECT_LOCAL,   /* a local array of a group that lives */
    WEIRI_OBJECT_STATICS, /* writable data of the program */
    WEIRI_OBJECT_ENDED,   /* a local array of a group that is over: nobody finds it but
                             weiri_objects_locate() */
    WEIRI_OBJECT_RETIRED, /* the same of a launch that is over */
};

/* What an observer keeps of an object's memory. Objects are reused, for one group's
 * array after another's: whoever fills a slot looks whether it is large enough. */
struct weiri_shadow {
    void *cells; /* owned by who filled the slot */
    size_t n;
};

enum weiri_shadow_slot {
    WEIRI_SHADOW_RACE,
    WEIRI_SHADOW_INIT,
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
    size_t bytes; /* as asked for; 0 while a local array's group is no more */
    size_t element_bytes;
    enum weiri_object_kind kind;
    const char *name;             /* of weir_new(), or of what is past; or NULL. Lives
                                     with the objects */
    const struct weir_site *site; /* of a local array; or NULL */
    size_t group;                 /* the same: linear index of its group */
    struct weiri_shadow shadow[WEIRI_N_SHADOWS];

    /* For the machine. */
    const char *low, *high;    /* of what lies between them, nothing is another's */
    size_t whole_bytes;        /* @bytes, and still when a group is no more */
    weiri_symbol_of symbol_of; /* of statics; or NULL */
};

/* ---- For the machine ----------------------------------------------------- */

/* Places in the code whose latest object is remembered: those of a kernel. */
enum { WEIRI_OBJECTS_CACHED = 512 };

struct weiri_objects {
    struct weiri_object *cached[WEIRI_OBJECTS_CACHED]; /* by place; never NULL */
    struct weiri_object none;                          /* of no bytes */
    struct weiri_object_tables *tables;
};

/** The device's memory as it is now, what was freed, and the program's statics.
 *  @symbol_of: may be %NULL */
struct weiri_objects *weiri_objects_new(const struct weir_device *device,
                                        weiri_symbol_of symbol_of);

/** The launch is over: the device remembers its local memory for a while. */
void weiri_objects_free(struct weiri_objects *objects);

/** The same as weiri_objects_find(), by looking; @slot remembers the answer. */
struct weiri_object *weiri_objects_look_up(struct weiri_objects *objects,
                                           const volatile void *address,
                                           struct weiri_object **slot);

/** What @address lies in, or %NULL. @pc: the place in the code that asks */
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

/** The stacks of the launch's items. Borrowed until weiri_objects_free() */
void weiri_objects_set_stacks(struct weiri_objects *objects,
                              const struct weiri_stacks *stacks);

/**
 * weiri_objects_open_local:
 * @bytes: of a group's local memory, the same in each call
 * @n_resident: groups that live at once, at most; the same in each call
 *
 * Local memory for @group until weiri_objects_end_local(). Many other groups have
 * theirs before these addresses are given out again, so that a pointer that outlives
 * its group is found.
 *
 * Returns: its start; or %NULL where the system refuses
 */
char *weiri_objects_open_local(struct weiri_objects *objects, size_t bytes,
                               size_t n_resident, size_t group);

/** A local array of @bytes from @start on, which lies in local memory of @group and
 *  behind its arrays so far, comes to be. Returns: borrowed until
 *  weiri_objects_end_local() */
struct weiri_object *weiri_objects_add_local(struct weiri_objects *objects,
                                             const void *start, size_t bytes,
                                             size_t element_bytes,
                                             const struct weir_site *site,
                                             size_t group);

/** The local arrays of that group are no more. */
void weiri_objects_end_local(struct weiri_objects *objects, size_t group);

/* ---- For observers ------------------------------------------------------- */

/* What an address is that lies in no object. */
enum weiri_where {
    WEIRI_WHERE_NULL,    /* so low that a null pointer led there */
    WEIRI_WHERE_NEAR,    /* before or behind an object, where nothing else is */
    WEIRI_WHERE_ENDED,   /* local memory of a group, or of a launch, that is over */
    WEIRI_WHERE_STACK,   /* an item's stack */
    WEIRI_WHERE_MODULE,  /* of the program's or a library's image: constants mostly */
    WEIRI_WHERE_HOST,    /* other memory of the process */
    WEIRI_WHERE_FAR,     /* no memory, and near none; an object is within reach of an
                            index that is very wrong */
    WEIRI_WHERE_NOTHING, /* no memory, and far from any */
};

/**
 * weiri_objects_locate:
 * @group: whose item asks: linear index
 * @object: (out): of %WEIRI_WHERE_NEAR, %WEIRI_WHERE_FAR and %WEIRI_WHERE_ENDED
 *
 * An index of 32 bits that went below 0 is near, too: it is 2^32 elements off.
 *
 * May be called by an item: needs little stack, and allocates nothing.
 */
enum weiri_where weiri_objects_locate(struct weiri_objects *objects,
                                      const volatile void *address, size_t group,
                                      struct weiri_object **object);

/* "global" or "local"; static. */
const char *weiri_object_space(const struct weiri_object *object);

/** "total", "local array of tree.c:12", or the symbol of a static. Not for items, whose
 *  stacks are too small for a look at symbols.
 *  Returns: (transfer full) */
char *weiri_object_name(const struct weiri_object *object,
                        const volatile void *address);

/** The element of the object that @address lies in; it may lie outside. Not for
 *  items. */
int64_t weiri_object_index(const struct weiri_object *object,
                           const volatile void *address);

#endif
