/* SPDX-License-Identifier: MIT
 *
 * weir-kernel.h: what a kernel may say. The device side of Weir.
 *
 * A kernel is one C function that every work-item of an ND-range runs. It is
 * written with WEIR_KERNEL() and sees two names, `item` and `args`:
 *
 *     typedef struct { const int32_t *in; int32_t *sum; size_t n; } sum_args;
 *
 *     WEIR_KERNEL(sum, sum_args)
 *     {
 *         size_t i = weir_global_id(item, 0);
 *         if (i < args->n)
 *             weir_atomic_fetch_add(weir_atomic_ref(args->sum, memory_order_relaxed,
 *                                                   memory_scope_device), args->in[i]);
 *     }
 *
 * The idea that makes it fast: the body is inlined into a loop over the items
 * of a group. An item that never blocks is one turn of that loop, so the
 * compiler sees plain C and may vectorise across items. Only an item that
 * blocks (at a barrier, a collective, or in a long spin) becomes a coroutine:
 * the machine parks the whole loop as that item's stack and goes on with the
 * next item in a fresh loop. Two words of `struct weir_group` carry this:
 *
 *     at    the item that runs; written by the loop, so that an atomic, which
 *           takes no item, still knows who executes it
 *     end   where the loop stops: the number of items while some have not
 *           started, 0 from then on, so that a loop that was parked ends with
 *           the item it was parked in
 *
 * Both are of pointer type on purpose: stores to integer data cannot alias
 * them, so a loop without calls keeps them in registers.
 *
 * This header is plain C11 with GNU statement expressions; it needs no GLib.
 * The host side is weir.h. Names follow SYCL 2020 and OpenCL C 3.0. */
#ifndef WEIR_KERNEL_H
#define WEIR_KERNEL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_THREAD__)
#define WEIRI_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WEIRI_INSTRUMENTED 1
#endif
#endif
#ifndef WEIRI_INSTRUMENTED
#define WEIRI_INSTRUMENTED 0
#endif

/* Which entries of a kernel a compilation makes. With 0 one object has what it can
 * have: both with the hooks, the fast one without. For entries that cost each other
 * nothing a file is compiled twice (weir-cc --fat): with 1, without hooks, comes all
 * but the checked entries, which are of the second compilation, with 2. */
#ifndef WEIRI_FAT
#define WEIRI_FAT 0
#endif
#if WEIRI_FAT == 1 && WEIRI_INSTRUMENTED
#error "WEIRI_FAT=1 is for the compilation without hooks: use weir-cc --fat"
#elif WEIRI_FAT == 2 && !WEIRI_INSTRUMENTED
#error "WEIRI_FAT=2 is for the compilation with hooks: use weir-cc --fat"
#endif

/* clang instruments C11 atomics even where no_sanitize tells it not to; gcc has a name
 * of its own for the attribute that leaves out the tracing of branches. */
#define WEIRI_UNINSTRUMENTED __attribute__((no_sanitize("thread")))
#if defined(__has_attribute)
#if __has_attribute(disable_sanitizer_instrumentation)
#undef WEIRI_UNINSTRUMENTED
#define WEIRI_UNINSTRUMENTED                                                           \
    __attribute__((no_sanitize("thread", "coverage"),                                  \
                   disable_sanitizer_instrumentation))
#elif __has_attribute(no_sanitize_coverage)
#undef WEIRI_UNINSTRUMENTED
#define WEIRI_UNINSTRUMENTED                                                           \
    __attribute__((no_sanitize("thread"), no_sanitize_coverage))
#endif
#endif

#define WEIRI_INLINE static inline __attribute__((always_inline, unused))
#define WEIRI_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- Sites ---------------------------------------------------------------
 * A site is the source position of one call. Each macro below that can block,
 * synchronise or fail owns a static site, so that two calls stay two sites
 * whatever the compiler merges. */

/**
 * weir_site:
 * @file: as the compiler was given it
 * @function: the enclosing function; the body of kernel K is `K__body`
 * @line: from 1
 */
struct weir_site {
    const char *file;
    const char *function;
    uint32_t line;
};

#define WEIRI_SITE()                                                                   \
    (__extension__({                                                                   \
        static const struct weir_site weiri_site_ = { __FILE__, __func__, __LINE__ };  \
        &weiri_site_;                                                                  \
    }))

/* ---- Scopes and spaces --------------------------------------------------- */

/**
 * memory_scope:
 *
 * Which items an atomic operation or fence is ordered with, narrowest first.
 * Beside C11's memory_order_*. [SYCL20] 3.8.3.2, [CL30] 3.3.5
 */
typedef enum memory_scope {
    memory_scope_work_item,
    memory_scope_sub_group,
    memory_scope_work_group,
    memory_scope_device,
    memory_scope_system,
} memory_scope;

/** Memories that a barrier or fence orders; flags that may be joined with |. */
enum weir_space {
    WEIR_LOCAL = 1,
    WEIR_GLOBAL = 2,
};

/* ---- What the loop and the runtime share --------------------------------- */

/* The geometry of a launch and the place of one group in it. Copied into the
 * frame of every loop, where the compiler may keep it in registers. Entries
 * beyond the dimension are 1 for sizes and 0 for ids. */
struct weiri_shape {
    uint32_t dim;            /* 1 to 3 */
    uint32_t sub_group_size; /* items of every sub-group but perhaps the last: a
                                power of two */
    uint32_t sub_group_shift; /* its logarithm */
    size_t items;            /* items of the group */
    size_t global[3];        /* items of the range, a dimension */
    size_t local[3];         /* items of the group, a dimension */
    size_t groups[3];        /* groups of the range, a dimension */
    size_t group[3];         /* this group's index */
    size_t group_linear;     /* the same, linear: the last dimension is fastest */
};

struct weir_group {
    struct weiri_shape shape;
    const void *args; /* borrowed from the launch until it ends */
    void *at;         /* (size_t) linear local id of the item that runs */
    void *end;        /* (size_t) where the starting loop stops; see above */
    void *checked;    /* of a group kernel: not NULL in its checked entry */
};

struct weir_item {
    struct weir_group *group;
    const struct weiri_shape *shape; /* the loop's own copy */
    size_t local_linear;
    size_t local[3];
    uint32_t n_arrays; /* weir_local_array() calls so far */
};

/* One word a thread for each question that an atomic asks. `watch` and `solo`
 * are pointers for the reason given above. */
struct weiri_self {
    void *watch;    /* not NULL: atomics and fences report to the machine first */
    void *solo;     /* not NULL: one worker, so device scope needs no lock prefix */
    void *worker;   /* the machine's own; NULL outside a kernel */
    long patience;  /* fruitless atomics left before the item gives way */
    long stamina;   /* the same for atomics that change memory, beyond the group */
};
extern _Thread_local struct weiri_self weiri_self
    __attribute__((tls_model("initial-exec")));

/* ---- Kernels ------------------------------------------------------------- */

/**
 * weir_kernel:
 *
 * Defined by WEIR_KERNEL() and WEIR_GROUP_KERNEL(); the address of one is what
 * weir_launch() takes. Both entries run the same body: @fast carries no
 * instrumentation, @checked is NULL where the file was compiled without
 * -fsanitize=thread. weir-cc --fat compiles them apart.
 */
struct weir_kernel {
    const char *name;
    const char *file;
    uint32_t line;
    uint32_t hierarchical; /* 1: WEIR_GROUP_KERNEL */
    size_t args_bytes;     /* sizeof its arguments; a launch copies them */
    void (*fast)(struct weir_group *group, size_t first);
    void (*checked)(struct weir_group *group, size_t first);
};

void weiri_item_begin(size_t local_linear);
void weiri_loop_barrier(struct weir_group *group);
void weiri_seek(const struct weiri_shape *shape, size_t linear, size_t local[3]);

/* The next item in 2 or 3 dimensions. Constant indices: with a variable one the
 * ids would have to lie in memory. */
WEIRI_INLINE void weiri_step(const struct weiri_shape *shape, size_t local[3])
{
    if (shape->dim == 3) {
        if (++local[2] < shape->local[2]) {
            return;
        }
        local[2] = 0;
    }
    if (++local[1] < shape->local[1]) {
        return;
    }
    local[1] = 0;
    ++local[0];
}

/* The loop over the items of a group, once for one dimension, where ids are
 * the loop's own counter, and once for more. */
#define WEIRI_ITEM_LOOP(name, args_type)                                               \
    const args_type args = *(const args_type *)group->args;                            \
    if (group->shape.dim == 1) {                                                       \
        const struct weiri_shape shape = group->shape;                                 \
        for (size_t i = (group->at = (void *)first, first); i < (size_t)group->end;    \
             group->at = (void *)++i) {                                                \
            struct weir_item item = { .group = group, .shape = &shape,                 \
                                      .local_linear = i, .local = { i } };             \
            name##__body(&item, &args);                                                \
        }                                                                              \
    } else {                                                                           \
        const struct weiri_shape shape = group->shape;                                 \
        size_t local[3];                                                               \
        weiri_seek(&shape, first, local);                                              \
        for (size_t i = (group->at = (void *)first, first); i < (size_t)group->end;    \
             group->at = (void *)++i) {                                                \
            struct weir_item item = { .group = group, .shape = &shape,                 \
                                      .local_linear = i,                               \
                                      .local = { local[0], local[1], local[2] } };     \
            name##__body(&item, &args);                                                \
            weiri_step(&shape, local);                                                 \
        }                                                                              \
    }

/* The same for the checked entry, which has no hooks itself: they are in a function
 * that does one item, so that no compiler can merge those of neighbours, and what is
 * around the body is not watched. */
#define WEIRI_CHECKED_LOOP(name, args_type)                                            \
    size_t local[3] = { first, 0, 0 };                                                 \
    if (group->shape.dim > 1) {                                                        \
        weiri_seek(&group->shape, first, local);                                       \
    }                                                                                  \
    for (size_t i = (group->at = (void *)first, first); i < (size_t)group->end;        \
         group->at = (void *)++i) {                                                    \
        weiri_item_begin(i);                                                           \
        name##__checked_item(group, group->args, i, local[0], local[1], local[2]);     \
        if (group->shape.dim > 1) {                                                    \
            weiri_step(&group->shape, local);                                          \
        } else {                                                                       \
            local[0]++;                                                                \
        }                                                                              \
    }

#define WEIRI_CHECKED_ITEM(name, args_type)                                            \
    static __attribute__((noinline)) void name##__checked_item(                        \
        struct weir_group *group, const args_type *arguments, size_t i, size_t x,      \
        size_t y, size_t z)                                                            \
    {                                                                                  \
        const args_type args = *arguments;                                             \
        struct weir_item item = { .group = group, .shape = &group->shape,              \
                                  .local_linear = i, .local = { x, y, z } };           \
        name##__body(&item, &args);                                                    \
    }

/* The loops of a group kernel ask whether they are checked. The fast entry says so
 * where the compiler sees it: a pointer that no store to data can change. */
#define WEIRI_CALL_GROUP_BODY(name, args_type, CHECKED)                                \
    const args_type args = *(const args_type *)group->args;                            \
    (void)first;                                                                       \
    group->checked = (CHECKED);                                                        \
    name##__body(group, &args);

#if WEIRI_FAT == 2
#define WEIRI_FAST_ENTRY(name, CODE)
#else
#define WEIRI_FAST_ENTRY(name, CODE)                                                   \
    static WEIRI_UNINSTRUMENTED void name##__fast(                                     \
        struct weir_group *group, size_t first)                                        \
    {                                                                                  \
        CODE                                                                           \
    }
#endif

/* @ITEM: what the loops of @CODE call, or nothing; @attribute: of the entry */
#if WEIRI_FAT == 2
#define WEIRI_CHECKED_ENTRY(name, ITEM, attribute, CODE)                               \
    void name##__checked(struct weir_group *group, size_t first);                      \
    ITEM attribute void name##__checked(struct weir_group *group, size_t first)        \
    {                                                                                  \
        CODE                                                                           \
    }
#elif WEIRI_FAT == 1
#define WEIRI_CHECKED_ENTRY(name, ITEM, attribute, CODE)                               \
    void name##__checked(struct weir_group *group, size_t first);
#define WEIRI_CHECKED(name) name##__checked
#elif WEIRI_INSTRUMENTED
#define WEIRI_CHECKED_ENTRY(name, ITEM, attribute, CODE)                               \
    ITEM static attribute void name##__checked(struct weir_group *group, size_t first) \
    {                                                                                  \
        CODE                                                                           \
    }
#define WEIRI_CHECKED(name) name##__checked
#else
#define WEIRI_CHECKED_ENTRY(name, ITEM, attribute, CODE)
#define WEIRI_CHECKED(name) NULL
#endif

#if WEIRI_FAT == 2
#define WEIRI_DEFINE(name_, args_type, hierarchical_)                                  \
    extern const struct weir_kernel name_;
#else
#define WEIRI_DEFINE(name_, args_type, hierarchical_)                                  \
    extern const struct weir_kernel name_;                                             \
    const struct weir_kernel name_ = {                                                 \
        .name = #name_, .file = __FILE__, .line = __LINE__,                            \
        .hierarchical = hierarchical_, .args_bytes = sizeof(args_type),                \
        .fast = name_##__fast, .checked = WEIRI_CHECKED(name_),                        \
    };
#endif

/**
 * WEIR_KERNEL:
 * @name: defines `const struct weir_kernel name`
 * @args_type: a complete type, copied by every launch
 *
 * Opens a kernel; the body in braces follows. It sees `struct weir_item *item`
 * and `const args_type *args`, and returns nothing.
 */
#define WEIR_KERNEL(name, args_type)                                                   \
    WEIRI_INLINE void name##__body(struct weir_item *item, const args_type *args);     \
    WEIRI_FAST_ENTRY(name, WEIRI_ITEM_LOOP(name, args_type))                           \
    WEIRI_CHECKED_ENTRY(name, WEIRI_CHECKED_ITEM(name, args_type),                     \
                        WEIRI_UNINSTRUMENTED, WEIRI_CHECKED_LOOP(name, args_type))     \
    WEIRI_DEFINE(name, args_type, 0)                                                   \
    WEIRI_INLINE void name##__body(                                                    \
        struct weir_item *item __attribute__((unused)),                                \
        const args_type *args __attribute__((unused)))

/**
 * WEIR_GROUP_KERNEL:
 * @name: defines `const struct weir_kernel name`
 * @args_type: a complete type, copied by every launch
 *
 * Opens a kernel in hierarchical form. Its body sees `struct weir_group *group`
 * and `const args_type *args`; it runs once a group, and a loop opened with
 * weir_for_each_item() once an item. [SYCL20] 4.9.4.2.3
 */
#define WEIR_GROUP_KERNEL(name, args_type)                                             \
    WEIRI_INLINE void name##__body(struct weir_group *group, const args_type *args);   \
    WEIRI_FAST_ENTRY(name, WEIRI_CALL_GROUP_BODY(name, args_type, NULL))               \
    WEIRI_CHECKED_ENTRY(name, , , WEIRI_CALL_GROUP_BODY(name, args_type, group))       \
    WEIRI_DEFINE(name, args_type, 1)                                                   \
    WEIRI_INLINE void name##__body(                                                    \
        struct weir_group *group __attribute__((unused)),                              \
        const args_type *args __attribute__((unused)))

/** Declares a kernel that another file defines; ends in the caller's semicolon. */
#define WEIR_DECLARE_KERNEL(name) extern const struct weir_kernel name

/* ---- Ids -----------------------------------------------------------------
 * @dim counts from 0 to weir_work_dim() - 1; beyond it an id is 0 and a size 1.
 * Linear ids make the last dimension the fastest. [SYCL20] 3.11.1 */

WEIRI_INLINE uint32_t weir_work_dim(const struct weir_item *item)
{
    return item->shape->dim;
}

WEIRI_INLINE size_t weir_local_id(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? item->local[dim] : 0;
}

WEIRI_INLINE size_t weir_group_id(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? item->shape->group[dim] : 0;
}

WEIRI_INLINE size_t weir_local_size(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? item->shape->local[dim] : 1;
}

WEIRI_INLINE size_t weir_global_size(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? item->shape->global[dim] : 1;
}

WEIRI_INLINE size_t weir_num_groups(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? item->shape->groups[dim] : 1;
}

WEIRI_INLINE size_t weir_global_id(const struct weir_item *item, uint32_t dim)
{
    return weir_group_id(item, dim) * weir_local_size(item, dim)
        + weir_local_id(item, dim);
}

WEIRI_INLINE size_t weir_local_linear_id(const struct weir_item *item)
{
    return item->local_linear;
}

WEIRI_INLINE size_t weir_group_linear_id(const struct weir_item *item)
{
    return item->shape->group_linear;
}

WEIRI_INLINE size_t weir_global_linear_id(const struct weir_item *item)
{
    const struct weiri_shape *shape = item->shape;
    if (shape->dim == 1) {
        return weir_global_id(item, 0);
    }
    return (weir_global_id(item, 0) * shape->global[1] + weir_global_id(item, 1))
        * shape->global[2] + weir_global_id(item, 2);
}

/** The items of a sub-group are consecutive in local linear id. */
WEIRI_INLINE uint32_t weir_sub_group_id(const struct weir_item *item)
{
    return (uint32_t)item->local_linear >> item->shape->sub_group_shift;
}

WEIRI_INLINE uint32_t weir_sub_group_local_id(const struct weir_item *item)
{
    return (uint32_t)item->local_linear & (item->shape->sub_group_size - 1);
}

/** Items of this item's own sub-group; the last one of a group may be smaller. */
WEIRI_INLINE uint32_t weir_sub_group_size(const struct weir_item *item)
{
    uint32_t size = item->shape->sub_group_size;
    uint32_t rest = (uint32_t)item->shape->items
        - ((uint32_t)item->local_linear & ~(size - 1));
    return rest < size ? rest : size;
}

WEIRI_INLINE uint32_t weir_num_sub_groups(const struct weir_item *item)
{
    uint32_t size = item->shape->sub_group_size;
    return ((uint32_t)item->shape->items + size - 1) >> item->shape->sub_group_shift;
}

/** The index of a group in dimension @dim, for code outside weir_for_each_item(). */
WEIRI_INLINE size_t weir_group_index(const struct weir_group *group, uint32_t dim)
{
    return dim < 3 ? group->shape.group[dim] : 0;
}

WEIRI_INLINE size_t weir_group_index_linear(const struct weir_group *group)
{
    return group->shape.group_linear;
}

/** Items of the group, in dimension @dim and in all. */
WEIRI_INLINE size_t weir_group_size(const struct weir_group *group, uint32_t dim)
{
    return dim < 3 ? group->shape.local[dim] : 1;
}

WEIRI_INLINE size_t weir_group_size_linear(const struct weir_group *group)
{
    return group->shape.items;
}

/** Groups of the range in dimension @dim. */
WEIRI_INLINE size_t weir_group_range(const struct weir_group *group, uint32_t dim)
{
    return dim < 3 ? group->shape.groups[dim] : 1;
}

/* ---- The hierarchical loop ----------------------------------------------- */

/* Around and in a checked loop: opaque calls. @checked is a variable of the loop, so
 * that the fast one's copies of them vanish. */
WEIRI_INLINE struct weir_item weiri_first_item(struct weir_group *group,
                                               const struct weiri_shape *shape,
                                               const void *checked)
{
    if (WEIRI_INSTRUMENTED && WEIRI_UNLIKELY(checked != NULL)) {
        weiri_loop_barrier(group);
    }
    group->at = (void *)0;
    return (struct weir_item){ .group = group, .shape = shape };
}

WEIRI_INLINE void weiri_next_item(struct weir_item *item)
{
    item->local_linear++;
    if (item->shape->dim == 1) {
        item->local[0] = item->local_linear; /* clang vectorises this, not a select */
    } else {
        weiri_step(item->shape, item->local);
    }
    item->group->at = (void *)item->local_linear;
}

WEIRI_INLINE bool weiri_each(struct weir_item *item, const void *checked)
{
    bool more = item->local_linear < item->shape->items;
    if (WEIRI_INSTRUMENTED && WEIRI_UNLIKELY(checked != NULL)) {
        if (more) {
            weiri_item_begin(item->local_linear);
        } else {
            weiri_loop_barrier(item->group);
        }
    }
    return more;
}

/**
 * weir_for_each_item:
 * @item: the name of a `struct weir_item *` that the loop's body sees
 * @group: the group
 *
 * Runs the statement that follows once for every item of @group, with an
 * implied work-group barrier after it. `continue` goes to the next item; there
 * is no meaning in `break`. A barrier or collective in the body is a finding.
 */
#define weir_for_each_item(item_, group_)                                              \
    for (struct weiri_shape weiri_shape_ = (group_)->shape, *weiri_once_ = NULL,       \
                            *weiri_checked_ = (group_)->checked;                       \
         weiri_once_ == NULL; weiri_once_ = &weiri_shape_)                             \
        for (struct weir_item weiri_item_ = weiri_first_item((group_), &weiri_shape_,  \
                                                             weiri_checked_),          \
                              *item_ __attribute__((unused)) = &weiri_item_;           \
             weiri_each(&weiri_item_, weiri_checked_); weiri_next_item(&weiri_item_))

/* ---- Local memory -------------------------------------------------------- */

/* Array @k of the group, for the item that runs. */
void *weiri_local_array(uint32_t k, size_t count, size_t element_bytes,
                        const struct weir_site *site);
void *weiri_group_local_array(struct weir_group *group, size_t count,
                              size_t element_bytes, const struct weir_site *site);

/**
 * weir_local_array:
 * @item: the calling item
 * @type: of an element
 * @count: elements
 *
 * Local memory of the group, aligned to 64 bytes: the same array for all items
 * that make the same calls in the same order. It holds garbage until it is
 * written, in every group anew.
 *
 * Returns:  @type *, valid until the group ends
 * Findings: local-memory, where the device's local memory does not suffice, or
 *           the items of a group differ in their calls
 */
#define weir_local_array(item, type, count)                                            \
    ((type *)weiri_local_array((item)->n_arrays++, (count), sizeof(type),              \
                               WEIRI_SITE()))

/** The same for a WEIR_GROUP_KERNEL, outside its loops. */
#define weir_group_local_array(group, type, count)                                     \
    ((type *)weiri_group_local_array((group), (count), sizeof(type), WEIRI_SITE()))

/* ---- Assertions ---------------------------------------------------------- */

void weiri_assert_failed(const char *text, const struct weir_site *site);

/**
 * weir_assert:
 * @item: the calling item
 * @condition: what must hold
 *
 * A claim of the kernel. When it is false, a finding of kind `assertion` with
 * the item's coordinates is made, the item goes no further and its group ends.
 */
#define weir_assert(item, condition)                                                   \
    ((void)(item),                                                                     \
     WEIRI_UNLIKELY(!(condition)) ? weiri_assert_failed(#condition, WEIRI_SITE())      \
                                  : (void)0)

#include "weir-collective.h"
#include "weir-atomic.h"

#endif
