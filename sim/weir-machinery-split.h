/* SPDX-License-Identifier: MIT
 *
 * weir-machinery-split.h: kernels without stacks. A part of weir-machinery.h.
 *
 * weir-split makes a coroutine of K__split_item(), which keeps the values that an item
 * needs after a stop in a frame of some words. The entry K__stackless() runs a pass:
 * each item until it stops or returns. If all items of the group stopped at the same
 * site, the machine (exec/split.c) begins the next pass. The compiler numbers the
 * stops; `place` is such a number, and 0 the start of the body.
 *
 * In a *scalar* pass one item runs after the other, while all stop at the same site.
 * Places 0 to 7 have loops of their own, each with the code of that part alone; the
 * others share the loop of WEIRI_SPLIT_ANY, which finds the place in the item's frame.
 * An item that blocks in a function that was not inlined is parked with its stack and
 * its loop, as in the fast entry, and another loop runs the rest of the pass.
 *
 * A part is *plain* if it has no loops, calls or atomics. Then K__split_together()
 * can run all items of a group of one dimension at once, in a loop that the compiler
 * makes vectors of: between two stops, items are independent unless they race. Where
 * items end at different stops, a scalar pass afterwards tells the machine which.
 *
 * Frames lie across each other: word after word, each for all items in a row. A word
 * that has one value in all items, as long as they have made the same stops, is read
 * once for a pass.
 *
 * A stop may be *soft* (sim/split/loops.c): passes over all items at once stop there,
 * and scalar passes run past it.
 *
 * weir-split defines K__split_bytes(), _waits(), _resume(), _place(), _stop(),
 * _is_soft() and _vector(). */
#ifndef WEIR_MACHINERY_SPLIT_H
#define WEIR_MACHINERY_SPLIT_H

#if !defined(WEIR_MACHINERY_H) && !defined(__cplusplus)
#error "include weir-kernel.h"
#endif

/* In the body of K__split_item(), suspends the coroutine at @site and returns 0 when it
 * is resumed; elsewhere, a function of the machine, at which the item waits with its
 * stack. */
int weiri_split_stop(struct weir_group *group, const struct weir_site *site,
                     uint64_t op) __attribute__((nothrow));
/* In K__split_item(): returns from the coroutine. */
void weiri_split_leave(void) __attribute__((nothrow, noreturn));
void weiri_split_begin(void *frame) __attribute__((nothrow));

/* Of K__split_together(), which may be compiled for several instruction sets. */
#ifndef WEIRI_SPLIT_ATTRIBUTES
#define WEIRI_SPLIT_ATTRIBUTES __attribute__((noinline))
#endif

#define WEIRI_SPLIT_ANY UINT32_MAX
#define WEIRI_SPLIT_UNKNOWN ((void *)1)

/* Every word of the frames begins at a cache line. */
#define WEIRI_SPLIT_CAPACITY(items) (((items) + 63) / 64 * 64)

/* A kernel's stackless form. */
struct weiri_split {
    size_t (*frame_bytes)(void);
    int (*waits)(void); /* or it has soft stops alone, which scalar passes run past */
    void (*entry)(struct weir_group *group, size_t first);
    size_t own_bytes; /* of arguments of which each group has a copy, which the entry
                         changes; or 0 */
};

WEIRI_INLINE void weiri_split_pause(struct weir_group *group,
                                    const struct weir_site *site, uint64_t op)
{
    if (weiri_split_stop(group, site, op) != 0) {
        weiri_split_leave();
    }
}

WEIRI_INLINE void *weiri_known_array(struct weir_group *group, uint32_t k, size_t count,
                                     size_t element_bytes, const struct weir_site *site)
{
    if (k < group->n_arrays) {
        struct weiri_array *array = &group->arrays[k];
        if (array->site == site && array->bytes == count * element_bytes) {
            array->n_callers++;
            return array->start;
        }
    }
    return weiri_local_array(k, count, element_bytes, site);
}

#if WEIRI_SPLIT
/* weir-split finds calls of these two, and inlines them in scalar passes. */

/* The item that runs has stopped; or, if @site is NULL, it has returned. */
__attribute__((weak, noinline)) void weiri_split_tell(struct weir_group *group,
                                                      const struct weir_site *site,
                                                      uint64_t op)
{
    group->stop = site;
    group->stop_op = op;
}

/* In plain parts, weiri_split_arrays() is in its place, once for all items. */
__attribute__((weak, noinline)) void *weiri_split_array(struct weir_group *group,
                                                        uint32_t k, size_t count,
                                                        size_t element_bytes,
                                                        const struct weir_site *site)
{
    return weiri_known_array(group, k, count, element_bytes, site);
}
#else
void *weiri_split_array(struct weir_group *group, uint32_t k, size_t count,
                        size_t element_bytes, const struct weir_site *site);
#endif
/* Array @k of the group, for all of its items. */
void *weiri_split_arrays(struct weir_group *group, uint32_t k, size_t count,
                         size_t element_bytes, const struct weir_site *site);

/* The first item of a part of a pass sets @met, where the others are to stop. Another
 * one, which has not stopped there, is odd. Returns: whether this was the first */
WEIRI_INLINE bool weiri_split_decide(struct weir_group *group, uint32_t place)
{
    if (group->met != WEIRI_SPLIT_UNKNOWN) {
        group->odd = group;
        return false;
    }
    group->met = (void *)(uintptr_t)group->stop;
    group->met_op = group->stop_op;
    group->met_place = place;
    return true;
}

/* Runs items from @i with STEP as long as they stop together. A fault is of item @at,
 * which is volatile: else a loop without calls would write it once, at its end. */
#define WEIRI_SPLIT_PASS(name, STEP)                                                   \
    do {                                                                               \
        *(void *volatile *)&group->at = (void *)i;                                     \
        STEP;                                                                          \
        uint32_t at_ = name##__split_place(frames, capacity, i);                       \
        if (WEIRI_UNLIKELY(group->stop != met || group->stop_op != met_op)) {          \
            if (!weiri_split_decide(group, at_)) {                                     \
                break;                                                                 \
            }                                                                          \
            met = group->stop;                                                         \
            met_op = group->stop_op;                                                   \
            met_place = at_;                                                           \
        } else if (WEIRI_UNLIKELY(at_ != met_place)) {                                 \
            group->met_place = WEIRI_SPLIT_ANY;                                        \
        }                                                                              \
        if (WEIRI_UNLIKELY(shape_copy.dim > 1)) { /* or clang computes both ids */     \
            WEIRI_STEP(&shape_copy, local);                                            \
        } else {                                                                       \
            local[0]++;                                                                \
        }                                                                              \
    } while (++i < (size_t)group->end)

#define WEIRI_SPLIT_PLACE(name, NUMBER)                                                \
    case NUMBER:                                                                       \
        WEIRI_SPLIT_PASS(name, name##__split_resume(frames, capacity, group, args,     \
                                                    shape, i, local[0], local[1],      \
                                                    local[2], &args_copy, &shape_copy, \
                                                    NUMBER));                          \
        break;

/* The parameters of K__split_item(), except the frame, are also the parameters of the
 * parts. */
#define WEIRI_SPLIT_PARAMETERS(args_type)                                              \
    struct weir_group *group, const args_type *args, const struct weiri_shape *shape,  \
        size_t i, size_t x, size_t y, size_t z

/* The shape that items see: generated code may define it anew, as WEIRI_SHAPE(). Frames
 * may keep addresses of its members: it stays where it is while the group runs. */
#define WEIRI_SPLIT_SHAPE(group) (&(group)->shape)

/* In C++, all of WEIRI_SPLIT_ENTRY() is members of a class, and the arguments may be of
 * a class that has no assignment. K__prepare() makes the group's own arguments. */
#ifdef __cplusplus
#define WEIRI_SPLIT_MEMBER static
#define WEIRI_SPLIT_DECLARE(name, args_type)
#define WEIRI_SPLIT_DEFINE(name)
#define WEIRI_SPLIT_PREPARE(name, group, i) name##__prepare((group), (i));
#define WEIRI_SPLIT_ARGUMENTS(args_type)                                               \
    const args_type *args = static_cast<const args_type *>(group->args);               \
    alignas(args_type) unsigned char args_bytes[sizeof(args_type)];                    \
    __builtin_memcpy(args_bytes, static_cast<const void *>(args), sizeof(args_bytes)); \
    const args_type &args_copy = *reinterpret_cast<const args_type *>(args_bytes)
#else
#define WEIRI_SPLIT_MEMBER
#define WEIRI_SPLIT_DECLARE(name, args_type)                                           \
    void name##__split_item(void *frame, WEIRI_SPLIT_PARAMETERS(args_type));
#define WEIRI_SPLIT_DEFINE(name)                                                       \
    extern const struct weiri_split name##__split;                                     \
    const struct weiri_split name##__split                                             \
        = { name##__split_bytes, name##__split_waits, name##__stackless, 0 };
#define WEIRI_SPLIT_PREPARE(name, group, i)
#define WEIRI_SPLIT_ARGUMENTS(args_type)                                               \
    const args_type *args = group->args, args_copy = *args
#endif

#define WEIRI_SPLIT_ENTRY(name, args_type)                                             \
    WEIRI_SPLIT_MEMBER size_t name##__split_bytes(void);                               \
    WEIRI_SPLIT_MEMBER int name##__split_waits(void);                                  \
    WEIRI_SPLIT_MEMBER void name##__split_resume(                                      \
        void *frames, size_t capacity, WEIRI_SPLIT_PARAMETERS(args_type),              \
        const args_type *args_copy, const struct weiri_shape *shape_copy,              \
        uint32_t place);                                                               \
    WEIRI_SPLIT_MEMBER uint32_t name##__split_place(void *frames, size_t capacity,     \
                                                    size_t i);                         \
    /* Tells the machine that the item has stopped at @place, or returned if that is   \
     * 0 */                                                                            \
    WEIRI_SPLIT_MEMBER void name##__split_stop(struct weir_group *group,               \
                                               uint32_t place);                        \
    WEIRI_SPLIT_MEMBER int name##__split_is_soft(uint32_t place);                      \
    /* Returns: the place at which all items have stopped, in both halves, 0 where     \
     * they have returned; two numbers that differ, if some items have stopped         \
     * elsewhere; or WEIRI_SPLIT_ANY in both, where it cannot run them */              \
    WEIRI_SPLIT_MEMBER uint64_t name##__split_vector(                                  \
        void *frames, size_t capacity, struct weir_group *group,                       \
        const args_type *args, const struct weiri_shape *shape,                        \
        const args_type *args_copy, const struct weiri_shape *shape_copy,              \
        size_t items, uint32_t place);                                                 \
    static __attribute__((noinline)) void name##__split_resume_any(                    \
        void *frames, size_t capacity, WEIRI_SPLIT_PARAMETERS(args_type))              \
    {                                                                                  \
        name##__split_resume(frames, capacity, group, args, shape, i, x, y, z, args,   \
                             shape, name##__split_place(frames, capacity, i));         \
    }                                                                                  \
    WEIRI_SPLIT_DECLARE(name, args_type)                                               \
    WEIRI_SPLIT_MEMBER void name##__split_item(void *frame,                            \
                                               WEIRI_SPLIT_PARAMETERS(args_type))      \
    {                                                                                  \
        weiri_split_begin(frame);                                                      \
        weiri_split_pause(group, NULL, 0);                                             \
        struct weir_item item = { group, shape, i, { x, y, z }, 0, args };             \
        name##__body(&item, args);                                                     \
        weiri_split_tell(group, NULL, 0);                                              \
    }                                                                                  \
    static WEIRI_SPLIT_ATTRIBUTES uint64_t name##__split_together(                     \
        struct weir_group *group)                                                      \
    {                                                                                  \
        WEIRI_SPLIT_ARGUMENTS(args_type);                                              \
        const struct weiri_shape *shape = WEIRI_SPLIT_SHAPE(group),                    \
                                 shape_copy = *shape;                                  \
        size_t capacity = WEIRI_SPLIT_CAPACITY(shape_copy.items);                      \
        uint32_t place = group->place;                                                 \
        for (;;) {                                                                     \
            uint64_t places = name##__split_vector(                                    \
                group->frames, capacity, group, args, shape, &args_copy, &shape_copy,  \
                shape_copy.items, place);                                              \
            if ((uint32_t)places != places >> 32                                       \
                || !name##__split_is_soft((uint32_t)places)) {                         \
                group->place = place;                                                  \
                return places;                                                         \
            }                                                                          \
            place = (uint32_t)places;                                                  \
        }                                                                              \
    }                                                                                  \
    static void name##__stackless(struct weir_group *group, size_t i)                  \
    {                                                                                  \
        WEIRI_SPLIT_PREPARE(name, group, i)                                            \
        WEIRI_SPLIT_ARGUMENTS(args_type);                                              \
        const struct weiri_shape *shape = WEIRI_SPLIT_SHAPE(group),                    \
                                 shape_copy = *shape;                                  \
        void *frames = group->frames;                                                  \
        size_t capacity = WEIRI_SPLIT_CAPACITY(shape_copy.items);                      \
        if (i == 0 && group->apart == NULL && shape_copy.dim == 1) {                   \
            group->at = NULL;                                                          \
            group->together = group;                                                   \
            uint64_t places = name##__split_together(group);                           \
            group->together = NULL;                                                    \
            uint32_t place = (uint32_t)places;                                         \
            if (place != places >> 32) {                                               \
                group->ran = group->apart = group;                                     \
            } else if (place != WEIRI_SPLIT_ANY) {                                     \
                name##__split_stop(group, place);                                      \
                (void)weiri_split_decide(group, place);                                \
                group->at = (void *)(shape_copy.items - 1);                            \
                return;                                                                \
            }                                                                          \
        }                                                                              \
        const void *met = group->met;                                                  \
        uint64_t met_op = group->met_op;                                               \
        uint32_t met_place = group->met_place;                                         \
        size_t local[3] = { i, 0, 0 };                                                 \
        if (shape_copy.dim > 1) {                                                      \
            size_t first[3];                                                           \
            WEIRI_SEEK(shape, i, first);                                               \
            local[0] = first[0];                                                       \
            local[1] = first[1];                                                       \
            local[2] = first[2];                                                       \
        }                                                                              \
        if (group->ran != NULL) {                                                      \
            WEIRI_SPLIT_PASS(                                                          \
                name, uint32_t to_ = name##__split_place(frames, capacity, i);         \
                if (name##__split_is_soft(to_)) {                                      \
                    name##__split_resume_any(frames, capacity, group, args, shape, i,  \
                                             local[0], local[1], local[2]);            \
                } else { name##__split_stop(group, to_); });                           \
            return;                                                                    \
        }                                                                              \
        switch (group->place) {                                                        \
            WEIRI_SPLIT_PLACE(name, 0)                                                 \
            WEIRI_SPLIT_PLACE(name, 1)                                                 \
            WEIRI_SPLIT_PLACE(name, 2)                                                 \
            WEIRI_SPLIT_PLACE(name, 3)                                                 \
            WEIRI_SPLIT_PLACE(name, 4)                                                 \
            WEIRI_SPLIT_PLACE(name, 5)                                                 \
            WEIRI_SPLIT_PLACE(name, 6)                                                 \
            WEIRI_SPLIT_PLACE(name, 7)                                                 \
        default:                                                                       \
            WEIRI_SPLIT_PASS(name, name##__split_resume_any(                           \
                                       frames, capacity, group, args, shape, i,        \
                                       local[0], local[1], local[2]));                 \
            break;                                                                     \
        }                                                                              \
    }                                                                                  \
    WEIRI_SPLIT_DEFINE(name)

#endif
