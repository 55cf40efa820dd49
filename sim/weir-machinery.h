/* SPDX-License-Identifier: MIT
 *
 * weir-machinery.h: the code to which the macros of weir-kernel.h and weir-collective.h
 * expand. Not for users: weir-kernel.h includes it, names begin with weiri_, and
 * anything here may change.
 *
 * The idea that makes kernels fast: the body is inlined into a loop over the items
 * of a group. An item that never blocks is one turn of that loop, so the
 * compiler sees plain C and may vectorise across items. Only an item that
 * blocks (at a barrier, a collective, or in a long spin) becomes a coroutine:
 * the machine parks the whole loop as that item's stack and goes on with the
 * next item in a fresh loop. Two members of `struct weir_group` carry this:
 *
 *     at    the item that runs; written by the loop, so that an atomic, which
 *           takes no item, knows which item executes it
 *     end   where the loop stops: the number of items while some have not
 *           started, 0 from then on, so that a loop that was parked ends with
 *           the item it was parked in
 *
 * Both are of pointer type on purpose: stores to integer data cannot alias
 * them, so a loop without calls keeps them in registers.
 *
 * The file is long because all of it is inlined into that loop: ids, local memory and
 * collectives read the same three structures, and the entries are made of them. */
#ifndef WEIR_MACHINERY_H
#define WEIR_MACHINERY_H

#ifndef WEIR_KERNEL_H
#error "include weir-kernel.h"
#endif

/* ---- How a file is compiled ---------------------------------------------- */

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

/* Which entries of a kernel one compilation makes. With 0: both where it has hooks, the
 * fast one where it has none. So that neither entry slows the other, weir-cc --fat
 * compiles a file twice: with 1, without hooks, for all but the checked entries; and
 * with 2, with hooks, for these. weir-split compiles it with 3, without hooks, for the
 * stackless entries alone. */
#ifndef WEIRI_FAT
#define WEIRI_FAT 0
#endif
#define WEIRI_SPLIT (WEIRI_FAT == 3)
#if (WEIRI_FAT == 1 || WEIRI_SPLIT) && WEIRI_INSTRUMENTED
#error "WEIRI_FAT=1 and 3 are for compilations without hooks: use weir-cc"
#elif WEIRI_FAT == 2 && !WEIRI_INSTRUMENTED
#error "WEIRI_FAT=2 is for the compilation with hooks: use weir-cc --fat"
#endif

#include "weir-machinery-shared.h"

/* Attributes of the fast entries; a compilation without hooks may define others. */
#ifndef WEIRI_FAST_ATTRIBUTES
#define WEIRI_FAST_ATTRIBUTES WEIRI_UNINSTRUMENTED
#endif

#define WEIRI_SITE()                                                                   \
    (__extension__({                                                                   \
        static const struct weir_site weiri_site_                                      \
            = { __FILE__, __func__, __LINE__, 0 };                                     \
        &weiri_site_;                                                                  \
    }))

/* ---- The loops and entries of a kernel ------------------------------------ */

/* The loop over the items of a group, once for one dimension, where ids are
 * the loop's own counter, and once for more. */
#define WEIRI_ITEM_LOOP(name, args_type)                                               \
    const args_type args = *(const args_type *)group->args;                            \
    if (group->shape.dim == 1) {                                                       \
        const struct weiri_shape shape = WEIRI_SHAPE(group);                           \
        for (size_t i = (group->at = (void *)first, first); i < (size_t)group->end;    \
             group->at = (void *)++i) {                                                \
            struct weir_item item = { .group = group, .shape = &shape,                 \
                                      .local_linear = i, .local = { i } };             \
            name##__body(&item, &args);                                                \
        }                                                                              \
    } else {                                                                           \
        const struct weiri_shape shape = WEIRI_SHAPE(group);                           \
        size_t local[3];                                                               \
        WEIRI_SEEK(&shape, first, local);                                              \
        for (size_t i = (group->at = (void *)first, first); i < (size_t)group->end;    \
             group->at = (void *)++i) {                                                \
            struct weir_item item = { .group = group, .shape = &shape,                 \
                                      .local_linear = i,                               \
                                      .local = { local[0], local[1], local[2] } };     \
            name##__body(&item, &args);                                                \
            WEIRI_STEP(&shape, local);                                                 \
        }                                                                              \
    }

/* The arguments, for the item's own copy. Reading them is not an access of the kernel.
 * clang has no hooks for memory of other address spaces; the first one is the usual
 * memory on these processors, and the assembly hides that. */
#if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#define WEIRI_ARGUMENTS(args_type, arguments)                                          \
    (__extension__({                                                                   \
        const args_type __attribute__((address_space(1))) * unhooked_;                 \
        __asm__("" : "=r"(unhooked_) : "0"(arguments));                                \
        *unhooked_;                                                                    \
    }))
#else
#define WEIRI_ARGUMENTS(args_type, arguments) (*(arguments))
#endif

/* The same for the checked entry, which has no hooks itself: the hooks are in a
 * function that does one item, so that no compiler can merge the hooks of neighbours,
 * and code around the body is not watched. */
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
    static WEIRI_ALIGNED __attribute__((noinline)) void name##__checked_item(          \
        struct weir_group *group, const args_type *arguments, size_t i, size_t x,      \
        size_t y, size_t z)                                                            \
    {                                                                                  \
        const args_type args = WEIRI_ARGUMENTS(args_type, arguments);              \
        struct weir_item item = { .group = group, .shape = &group->shape,              \
                                  .local_linear = i, .local = { x, y, z } };           \
        name##__body(&item, &args);                                                    \
    }

/* The loops of a group kernel ask whether they are checked. The fast entry answers this
 * where the compiler sees it: by a pointer that no store to data can change. */
#define WEIRI_CALL_GROUP_BODY(name, args_type, CHECKED)                                \
    const args_type args = *(const args_type *)group->args;                            \
    (void)first;                                                                       \
    group->checked = (CHECKED);                                                        \
    name##__body(group, &args);

#if WEIRI_FAT >= 2
#define WEIRI_FAST_ENTRY(name, CODE)
#else
#define WEIRI_FAST_ENTRY(name, CODE)                                                   \
    static WEIRI_FAST_ATTRIBUTES void name##__fast(struct weir_group *group,           \
                                                   size_t first)                       \
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

#include "weir-machinery-split.h"

/* ---- Kernels -------------------------------------------------------------- */

/* Code that is generated from another language states which. */
#ifndef WEIRI_LANGUAGE
#define WEIRI_LANGUAGE WEIR_LANGUAGE_C
#endif

#if WEIRI_FAT >= 2
#define WEIRI_DEFINE(name_, args_type, hierarchical_, split_)                          \
    extern const struct weir_kernel name_;
#else
#define WEIRI_DEFINE(name_, args_type, hierarchical_, split_)                          \
    extern const struct weir_kernel name_;                                             \
    const struct weir_kernel name_ = {                                                 \
        .name = #name_, .file = __FILE__, .line = __LINE__,                            \
        .hierarchical = hierarchical_, .args_bytes = sizeof(args_type),                \
        .language = WEIRI_LANGUAGE, .fast = name_##__fast,                             \
        .checked = WEIRI_CHECKED(name_), .stackless = split_,                          \
    };
#endif
#if WEIRI_SPLIT
#define WEIRI_STACKLESS(name, args_type) WEIRI_SPLIT_ENTRY(name, args_type)
#elif WEIRI_FAT == 2
#define WEIRI_STACKLESS(name, args_type)
#else
/* Weak: NULL where the file was compiled without one. */
#define WEIRI_STACKLESS(name, args_type)                                               \
    extern const struct weiri_split name##__split __attribute__((weak));
#endif

#define WEIRI_KERNEL(name, args_type)                                                  \
    WEIRI_INLINE void name##__body(struct weir_item *item, const args_type *args);     \
    WEIRI_FAST_ENTRY(name, WEIRI_ITEM_LOOP(name, args_type))                           \
    WEIRI_CHECKED_ENTRY(name, WEIRI_CHECKED_ITEM(name, args_type),                     \
                        WEIRI_UNINSTRUMENTED WEIRI_ALIGNED,                            \
                        WEIRI_CHECKED_LOOP(name, args_type))                           \
    WEIRI_STACKLESS(name, args_type)                                                   \
    WEIRI_DEFINE(name, args_type, 0, &name##__split)                                   \
    WEIRI_INLINE void name##__body(                                                    \
        struct weir_item *item __attribute__((unused)),                                \
        const args_type *args __attribute__((unused)))

#define WEIRI_GROUP_KERNEL(name, args_type)                                            \
    WEIRI_INLINE void name##__body(struct weir_group *group, const args_type *args);   \
    WEIRI_FAST_ENTRY(name, WEIRI_CALL_GROUP_BODY(name, args_type, NULL))               \
    WEIRI_CHECKED_ENTRY(name, , WEIRI_ALIGNED,                                         \
                        WEIRI_CALL_GROUP_BODY(name, args_type, group))                 \
    WEIRI_DEFINE(name, args_type, 1, NULL)                                             \
    WEIRI_INLINE void name##__body(                                                    \
        struct weir_group *group __attribute__((unused)),                              \
        const args_type *args __attribute__((unused)))

/* ---- Ids -----------------------------------------------------------------
 * Their reads are not accesses of the kernel. If all code is compiled for checked
 * entries, they read in assembly, which gets no hooks. In fast entries that would keep
 * loops from being made vectors of. */

#if WEIRI_FAT == 2 && defined(__x86_64__) && defined(__LP64__)
#define WEIRI_LOAD_32 "movl %1, %0"
#define WEIRI_LOAD_64 "movq %1, %0"
#elif WEIRI_FAT == 2 && defined(__aarch64__) && defined(__LP64__)
#define WEIRI_LOAD_32 "ldr %w0, %1"
#define WEIRI_LOAD_64 "ldr %0, %1"
#endif

WEIRI_OWN uint32_t weiri_unseen_32(const uint32_t *word)
{
#ifdef WEIRI_LOAD_32
    uint32_t value;
    __asm__(WEIRI_LOAD_32 : "=r"(value) : "m"(*word));
    return value;
#else
    return *word;
#endif
}

WEIRI_OWN size_t weiri_unseen_64(const size_t *word)
{
#ifdef WEIRI_LOAD_64
    size_t value;
    __asm__(WEIRI_LOAD_64 : "=r"(value) : "m"(*word));
    return value;
#else
    return *word;
#endif
}

#define WEIRI_UNSEEN(member)                                                           \
    _Generic((member), uint32_t: weiri_unseen_32, size_t: weiri_unseen_64)(&(member))

WEIRI_OWN uint32_t weir_work_dim(const struct weir_item *item)
{
    return WEIRI_UNSEEN(item->shape->dim);
}

WEIRI_OWN size_t weir_local_id(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? item->local[dim] : 0;
}

WEIRI_OWN size_t weir_group_id(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(item->shape->group[dim]) : 0;
}

WEIRI_OWN size_t weir_local_size(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(item->shape->local[dim]) : 1;
}

WEIRI_OWN size_t weir_global_size(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(item->shape->global[dim]) : 1;
}

WEIRI_OWN size_t weir_num_groups(const struct weir_item *item, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(item->shape->groups[dim]) : 1;
}

WEIRI_OWN size_t weir_global_id(const struct weir_item *item, uint32_t dim)
{
    return weir_group_id(item, dim) * weir_local_size(item, dim)
        + weir_local_id(item, dim);
}

WEIRI_OWN size_t weir_local_linear_id(const struct weir_item *item)
{
    return item->local_linear;
}

WEIRI_OWN size_t weir_group_linear_id(const struct weir_item *item)
{
    return WEIRI_UNSEEN(item->shape->group_linear);
}

WEIRI_OWN size_t weir_global_linear_id(const struct weir_item *item)
{
    const struct weiri_shape *shape = item->shape;
    if (WEIRI_UNSEEN(shape->dim) == 1) {
        return weir_global_id(item, 0);
    }
    size_t row = weir_global_id(item, 0) * WEIRI_UNSEEN(shape->global[1])
        + weir_global_id(item, 1);
    return row * WEIRI_UNSEEN(shape->global[2]) + weir_global_id(item, 2);
}

WEIRI_OWN uint32_t weir_sub_group_id(const struct weir_item *item)
{
    return (uint32_t)item->local_linear >> WEIRI_UNSEEN(item->shape->sub_group_shift);
}

WEIRI_OWN uint32_t weir_sub_group_local_id(const struct weir_item *item)
{
    uint32_t size = WEIRI_UNSEEN(item->shape->sub_group_size);
    return (uint32_t)item->local_linear & (size - 1);
}

WEIRI_OWN uint32_t weir_sub_group_size(const struct weir_item *item)
{
    uint32_t size = WEIRI_UNSEEN(item->shape->sub_group_size);
    uint32_t rest = (uint32_t)WEIRI_UNSEEN(item->shape->items)
        - ((uint32_t)item->local_linear & ~(size - 1));
    return rest < size ? rest : size;
}

WEIRI_OWN uint32_t weir_num_sub_groups(const struct weir_item *item)
{
    uint32_t size = WEIRI_UNSEEN(item->shape->sub_group_size);
    uint32_t items = (uint32_t)WEIRI_UNSEEN(item->shape->items);
    return (items + size - 1) >> WEIRI_UNSEEN(item->shape->sub_group_shift);
}

WEIRI_OWN size_t weir_group_index(const struct weir_group *group, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(group->shape.group[dim]) : 0;
}

WEIRI_OWN size_t weir_group_index_linear(const struct weir_group *group)
{
    return WEIRI_UNSEEN(group->shape.group_linear);
}

WEIRI_OWN size_t weir_group_size(const struct weir_group *group, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(group->shape.local[dim]) : 1;
}

WEIRI_OWN size_t weir_group_size_linear(const struct weir_group *group)
{
    return WEIRI_UNSEEN(group->shape.items);
}

WEIRI_OWN size_t weir_group_range(const struct weir_group *group, uint32_t dim)
{
    return dim < 3 ? WEIRI_UNSEEN(group->shape.groups[dim]) : 1;
}

/* ---- The hierarchical loop ----------------------------------------------- */

/* Around and in a checked loop: opaque calls. @checked is a variable of the loop, so
 * that the fast one's copies of them vanish. */
WEIRI_OWN struct weir_item weiri_first_item(struct weir_group *group,
                                            const struct weiri_shape *shape,
                                            const void *checked)
{
    if (WEIRI_INSTRUMENTED && WEIRI_UNLIKELY(checked != NULL)) {
        weiri_loop_barrier(group);
    }
    group->at = (void *)0;
    return (struct weir_item){ .group = group, .shape = shape };
}

WEIRI_OWN void weiri_next_item(struct weir_item *item)
{
    item->local_linear++;
    if (item->shape->dim == 1) {
        item->local[0] = item->local_linear; /* clang vectorises this, not a select */
    } else {
        weiri_step(item->shape, item->local);
    }
    item->group->at = (void *)item->local_linear;
}

WEIRI_OWN bool weiri_each(struct weir_item *item, const void *checked)
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

#define WEIRI_FOR_EACH_ITEM(item_, group_)                                             \
    for (struct weiri_shape weiri_shape_ = (group_)->shape, *weiri_once_ = NULL,       \
                            *weiri_checked_ = (group_)->checked;                       \
         weiri_once_ == NULL; weiri_once_ = &weiri_shape_)                             \
        for (struct weir_item weiri_item_ = weiri_first_item((group_), &weiri_shape_,  \
                                                             weiri_checked_),          \
                              *item_ __attribute__((unused)) = &weiri_item_;           \
             weiri_each(&weiri_item_, weiri_checked_); weiri_next_item(&weiri_item_))

/* ---- Local memory and assertions ------------------------------------------ */

/* The same for the item's next array. Hooked code asks the machine at once, since
 * accesses to the group would be the item's. */
WEIRI_OWN void *weiri_array(struct weir_item *item, size_t count, size_t element_bytes,
                            const struct weir_site *site)
{
    uint32_t k = item->n_arrays++;
    if (WEIRI_SPLIT) {
        return weiri_split_array(item->group, k, count, element_bytes, site);
    }
    if (!WEIRI_INSTRUMENTED) {
        return weiri_known_array(item->group, k, count, element_bytes, site);
    }
    return weiri_local_array(k, count, element_bytes, site);
}
void *weiri_group_local_array(struct weir_group *group, size_t count,
                              size_t element_bytes, const struct weir_site *site);

void weiri_assert_failed(const char *text, const struct weir_site *site);
/* The same for a call that has no site. @pc: where it returns to */
void weiri_assert_failed_at(const char *text, const void *pc);

/* ---- Collectives --------------------------------------------------------- */

#define WEIRI_OP_SCOPE(op) ((memory_scope)((op) >> 20 & 0xf))

WEIRI_INLINE void weiri_meet(const struct weir_item *item, uint64_t op,
                             const struct weir_site *site)
{
    if (WEIRI_SPLIT) {
        weiri_split_pause(item->group, site, op);
    } else {
        weiri_barrier(op, site);
    }
}

WEIRI_INLINE union weiri_value weiri_exchange(const struct weir_item *item, uint64_t op,
                                              union weiri_value value,
                                              const struct weir_site *site)
{
    if (!WEIRI_SPLIT) {
        return weiri_collect(op, value, site);
    }
    item->group->values[item->local_linear] = value;
    weiri_meet(item, op, site);
    return item->group->values[item->local_linear];
}

#define WEIRI_ROW(s, T)                                                                \
    WEIRI_INLINE T weiri_collect_##s(const struct weir_item *item, uint64_t op,        \
                                     T value, const struct weir_site *site)            \
    {                                                                                  \
        union weiri_value in = { .bits = 0 };                                          \
        in.s = value;                                                                  \
        return weiri_exchange(item, op | (uint64_t)WEIRI_TYPE_##s << 8, in, site).s;   \
    }
WEIRI_VALUE_TYPES(WEIRI_ROW)
#undef WEIRI_ROW

/* A shuffle's source is the one argument that may differ between items. */
#define WEIRI_ROW(s, T)                                                                \
    WEIRI_INLINE T weiri_shuffle_##s(const struct weir_item *item, T value,            \
                                     size_t source, const struct weir_site *site)      \
    {                                                                                  \
        if (WEIRI_SPLIT) {                                                             \
            item->group->sources[item->local_linear] = source;                         \
        } else {                                                                       \
            weiri_shuffle_source(source);                                              \
        }                                                                              \
        return weiri_collect_##s(                                                      \
            item,                                                                      \
            WEIRI_OP(WEIRI_SHUFFLE, 0, WEIRI_LEVEL_SUB_GROUP, memory_scope_sub_group,  \
                     WEIR_LOCAL | WEIR_GLOBAL, 0),                                     \
            value, site);                                                              \
    }
WEIRI_VALUE_TYPES(WEIRI_ROW)
#undef WEIRI_ROW

WEIRI_INLINE long long weiri_collect_ll(const struct weir_item *item, uint64_t op,
                                        long long value, const struct weir_site *site)
{
    return weiri_collect_i64(item, op, value, site);
}

WEIRI_INLINE unsigned long long weiri_collect_ull(const struct weir_item *item,
                                                  uint64_t op,
                                                  unsigned long long value,
                                                  const struct weir_site *site)
{
    return weiri_collect_u64(item, op, value, site);
}

/* Chosen by the promoted type of the value. */
#define WEIRI_COLLECT(item, kind, level, argument, value)                              \
    _Generic(+(value), int: weiri_collect_i32, unsigned: weiri_collect_u32,            \
             long: weiri_collect_i64, unsigned long: weiri_collect_u64,                \
             long long: weiri_collect_ll, unsigned long long: weiri_collect_ull,       \
             float: weiri_collect_f32, double: weiri_collect_f64)(                     \
        (item),                                                                        \
        WEIRI_OP((kind), 0, (level), weiri_level_scope(level),                         \
                 WEIR_LOCAL | WEIR_GLOBAL, (argument)), (value), WEIRI_SITE())

WEIRI_INLINE memory_scope weiri_level_scope(enum weiri_level level)
{
    return level == WEIRI_LEVEL_GROUP ? memory_scope_work_group
                                      : memory_scope_sub_group;
}

#define WEIRI_GROUP(item, kind, argument, value)                                       \
    WEIRI_COLLECT((item), (kind), WEIRI_LEVEL_GROUP, (argument), (value))
#define WEIRI_SUB_GROUP(item, kind, argument, value)                                   \
    WEIRI_COLLECT((item), (kind), WEIRI_LEVEL_SUB_GROUP, (argument), (value))

#define WEIRI_SHUFFLE_VALUE(item, value, source)                                       \
    _Generic(+(value), int: weiri_shuffle_i32, unsigned: weiri_shuffle_u32,            \
             long: weiri_shuffle_i64, unsigned long: weiri_shuffle_u64,                \
             long long: weiri_shuffle_i64, unsigned long long: weiri_shuffle_u64,      \
             float: weiri_shuffle_f32, double: weiri_shuffle_f64)(                     \
        (item), (value), (source), WEIRI_SITE())

#endif
