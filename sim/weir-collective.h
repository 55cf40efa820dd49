/* SPDX-License-Identifier: MIT
 *
 * weir-collective.h: barriers and group algorithms. Part of weir-kernel.h,
 * which includes it; not to be included alone.
 *
 * Every operation here is a rendezvous: all items of the group (or sub-group)
 * call it from the same site with the same arguments, or none does. What
 * distinguishes two rendezvous is packed into one word, so that the machine
 * compares arrivals with one comparison. */
#ifndef WEIR_COLLECTIVE_H
#define WEIR_COLLECTIVE_H

#ifndef WEIR_KERNEL_H
#error "include weir-kernel.h"
#endif

/* What a rendezvous does; the name is what reports print. */
#define WEIRI_COLLECTIVES(X)                                                           \
    X(BARRIER, "barrier")                                                              \
    X(BROADCAST, "broadcast")                                                          \
    X(ANY, "any")                                                                      \
    X(ALL, "all")                                                                      \
    X(NONE, "none")                                                                    \
    X(REDUCE_ADD, "reduce_add")                                                        \
    X(REDUCE_MIN, "reduce_min")                                                        \
    X(REDUCE_MAX, "reduce_max")                                                        \
    X(INCLUSIVE_SCAN_ADD, "inclusive_scan_add")                                        \
    X(EXCLUSIVE_SCAN_ADD, "exclusive_scan_add")                                        \
    X(SHUFFLE, "shuffle")                                                              \
    X(SHUFFLE_XOR, "shuffle_xor")                                                      \
    X(SHIFT_LEFT, "shift_left")                                                        \
    X(SHIFT_RIGHT, "shift_right")                                                      \
    X(LOAD, "load")

enum weiri_collective {
#define X(name, text) WEIRI_##name,
    WEIRI_COLLECTIVES(X)
#undef X
};

/* The types that collectives take: suffix, C type, name. */
#define WEIRI_VALUE_TYPES(X)                                                           \
    X(i32, int32_t)                                                                    \
    X(u32, uint32_t)                                                                   \
    X(i64, int64_t)                                                                    \
    X(u64, uint64_t)                                                                   \
    X(f32, float)                                                                      \
    X(f64, double)

enum weiri_type {
#define X(s, T) WEIRI_TYPE_##s,
    WEIRI_VALUE_TYPES(X)
#undef X
    WEIRI_TYPE_none,
};

enum weiri_level {
    WEIRI_LEVEL_GROUP,
    WEIRI_LEVEL_SUB_GROUP,
};

/* One word that two arrivals must share:
 *
 *   63        32 31      24 23    20 19    16 15     8 7      0
 *  +------------+----------+--------+--------+--------+--------+
 *  |  argument  |  flags   | scope  | level  |  type  |  kind  |
 *  +------------+----------+--------+--------+--------+--------+
 */
#define WEIRI_OP(kind, type, level, scope, flags, argument)                            \
    ((uint64_t)(kind) | (uint64_t)(type) << 8 | (uint64_t)(level) << 16                \
     | (uint64_t)(scope) << 20 | (uint64_t)((flags) & 0xff) << 24                      \
     | weiri_argument((uint64_t)(argument)) << 32)

/* What 32 bits cannot hold lies outside every group, as their greatest value does. */
WEIRI_INLINE uint64_t weiri_argument(uint64_t argument)
{
    return argument > UINT32_MAX ? UINT32_MAX : argument;
}

#define WEIRI_OP_KIND(op) ((enum weiri_collective)((op) & 0xff))
#define WEIRI_OP_TYPE(op) ((enum weiri_type)((op) >> 8 & 0xff))
#define WEIRI_OP_LEVEL(op) ((enum weiri_level)((op) >> 16 & 0xf))
#define WEIRI_OP_SCOPE(op) ((memory_scope)((op) >> 20 & 0xf))
#define WEIRI_OP_FLAGS(op) ((unsigned)((op) >> 24 & 0xff))
#define WEIRI_OP_ARGUMENT(op) ((uint32_t)((op) >> 32))

union weiri_value {
#define X(s, T) T s;
    WEIRI_VALUE_TYPES(X)
#undef X
    uint64_t bits;
};

/* The machine knows which item calls. It is not handed over: an item whose
 * address goes nowhere stays in registers, across its barriers too. */
void weiri_barrier(uint64_t op, const struct weir_site *site);
union weiri_value weiri_collect(uint64_t op, union weiri_value value,
                                const struct weir_site *site);
void weiri_shuffle_source(size_t source);

WEIRI_INLINE void weiri_meet(const struct weir_item *item, uint64_t op,
                             const struct weir_site *site)
{
    (void)item;
    weiri_barrier(op, site);
}

/* ---- Barriers ------------------------------------------------------------ */

/**
 * weir_barrier:
 * @item: the calling item
 * @flags: memories the barrier orders: %WEIR_LOCAL, %WEIR_GLOBAL, both joined
 *         by |, or 0 for an execution barrier only
 *
 * Holds the item until every item of its group has called weir_barrier() from
 * the same site with the same flags: a release fence, a rendezvous and an
 * acquire fence.
 *
 * Orders:   accesses before it, in memories of @flags, before those after it,
 *           at work-group scope
 * Findings: barrier-divergence, naming the items that returned or wait elsewhere
 * Source:   [CL30C] 6.15.8; [SYCL20] 4.17.3
 */
#define weir_barrier(item, flags)                                                      \
    weiri_meet((item),                                                                 \
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,             \
                        memory_scope_work_group, (flags), 0), WEIRI_SITE())

/** Both spaces: SYCL 2020's group_barrier(). */
#define weir_group_barrier(item) weir_barrier((item), WEIR_LOCAL | WEIR_GLOBAL)

/** The same with its fences widened to @scope. [SYCL20] 4.17.3 */
#define weir_group_barrier_scope(item, scope)                                          \
    weiri_meet((item),                                                                 \
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP, (scope),    \
                        WEIR_LOCAL | WEIR_GLOBAL, 0), WEIRI_SITE())

/** Holds the items of the sub-group only; both spaces, at sub-group scope. */
#define weir_sub_group_barrier(item)                                                   \
    weiri_meet((item),                                                                 \
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_SUB_GROUP,         \
                        memory_scope_sub_group, WEIR_LOCAL | WEIR_GLOBAL, 0),          \
               WEIRI_SITE())

/* ---- Group algorithms ----------------------------------------------------
 * Each is a barrier for both address spaces at its group's scope. Integers that
 * are narrower than int are promoted; integer sums wrap. Sums of floats are
 * taken in the order of the local linear id. [SYCL20] 4.17.4 */

#define X(s, T)                                                                        \
    WEIRI_INLINE T weiri_collect_##s(const struct weir_item *item, uint64_t op,        \
                                     T value, const struct weir_site *site)            \
    {                                                                                  \
        union weiri_value in = { .bits = 0 };                                          \
        (void)item;                                                                    \
        in.s = value;                                                                  \
        return weiri_collect(op | (uint64_t)WEIRI_TYPE_##s << 8, in, site).s;    \
    }
WEIRI_VALUE_TYPES(X)
#undef X

/* A shuffle's source is the one argument that may differ between items. */
#define X(s, T)                                                                        \
    WEIRI_INLINE T weiri_shuffle_##s(const struct weir_item *item, T value,            \
                                     size_t source, const struct weir_site *site)      \
    {                                                                                  \
        weiri_shuffle_source(source);                                                  \
        return weiri_collect_##s(                                                      \
            item,                                                                      \
            WEIRI_OP(WEIRI_SHUFFLE, 0, WEIRI_LEVEL_SUB_GROUP, memory_scope_sub_group,  \
                     WEIR_LOCAL | WEIR_GLOBAL, 0),                                     \
            value, site);                                                              \
    }
WEIRI_VALUE_TYPES(X)
#undef X

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

/** The value of the item with local linear id @source, which must be uniform. */
#define weir_group_broadcast(item, value, source)                                      \
    WEIRI_GROUP((item), WEIRI_BROADCAST, (source), (value))
/** Whether @condition holds for any, all or none of the items. */
#define weir_group_any(item, condition)                                                \
    ((bool)WEIRI_GROUP((item), WEIRI_ANY, 0, (int32_t)!!(condition)))
#define weir_group_all(item, condition)                                                \
    ((bool)WEIRI_GROUP((item), WEIRI_ALL, 0, (int32_t)!!(condition)))
#define weir_group_none(item, condition)                                               \
    ((bool)WEIRI_GROUP((item), WEIRI_NONE, 0, (int32_t)!!(condition)))
/** The sum, least or greatest value of all items, to all items. */
#define weir_group_reduce_add(item, value)                                             \
    WEIRI_GROUP((item), WEIRI_REDUCE_ADD, 0, (value))
#define weir_group_reduce_min(item, value)                                             \
    WEIRI_GROUP((item), WEIRI_REDUCE_MIN, 0, (value))
#define weir_group_reduce_max(item, value)                                             \
    WEIRI_GROUP((item), WEIRI_REDUCE_MAX, 0, (value))
/** The sum of the values of all items up to this one, with or without its own. */
#define weir_group_inclusive_scan_add(item, value)                                     \
    WEIRI_GROUP((item), WEIRI_INCLUSIVE_SCAN_ADD, 0, (value))
#define weir_group_exclusive_scan_add(item, value)                                     \
    WEIRI_GROUP((item), WEIRI_EXCLUSIVE_SCAN_ADD, 0, (value))

/** The same over the sub-group; @source is a sub-group local id. */
#define weir_sub_group_broadcast(item, value, source)                                  \
    WEIRI_SUB_GROUP((item), WEIRI_BROADCAST, (source), (value))
#define weir_sub_group_any(item, condition)                                            \
    ((bool)WEIRI_SUB_GROUP((item), WEIRI_ANY, 0, (int32_t)!!(condition)))
#define weir_sub_group_all(item, condition)                                            \
    ((bool)WEIRI_SUB_GROUP((item), WEIRI_ALL, 0, (int32_t)!!(condition)))
#define weir_sub_group_none(item, condition)                                           \
    ((bool)WEIRI_SUB_GROUP((item), WEIRI_NONE, 0, (int32_t)!!(condition)))
#define weir_sub_group_reduce_add(item, value)                                         \
    WEIRI_SUB_GROUP((item), WEIRI_REDUCE_ADD, 0, (value))
#define weir_sub_group_reduce_min(item, value)                                         \
    WEIRI_SUB_GROUP((item), WEIRI_REDUCE_MIN, 0, (value))
#define weir_sub_group_reduce_max(item, value)                                         \
    WEIRI_SUB_GROUP((item), WEIRI_REDUCE_MAX, 0, (value))
#define weir_sub_group_inclusive_scan_add(item, value)                                 \
    WEIRI_SUB_GROUP((item), WEIRI_INCLUSIVE_SCAN_ADD, 0, (value))
#define weir_sub_group_exclusive_scan_add(item, value)                                 \
    WEIRI_SUB_GROUP((item), WEIRI_EXCLUSIVE_SCAN_ADD, 0, (value))

/**
 * weir_sub_group_shuffle:
 * @source: the sub-group local id whose value this item receives; may differ
 *          from item to item
 *
 * Findings: unsupported, where the source lies outside the sub-group; the item
 *           then receives a poison value
 */
#define weir_sub_group_shuffle(item, value, source)                                    \
    _Generic(+(value), int: weiri_shuffle_i32, unsigned: weiri_shuffle_u32,            \
             long: weiri_shuffle_i64, unsigned long: weiri_shuffle_u64,                \
             long long: weiri_shuffle_i64, unsigned long long: weiri_shuffle_u64,      \
             float: weiri_shuffle_f32, double: weiri_shuffle_f64)(                     \
        (item), (value), (source), WEIRI_SITE())
/** From the item whose sub-group local id is this one's xor @mask (uniform). */
#define weir_sub_group_shuffle_xor(item, value, mask)                                  \
    WEIRI_SUB_GROUP((item), WEIRI_SHUFFLE_XOR, (mask), (value))
/** From the item @delta (uniform) places further on, or further back. */
#define weir_sub_group_shift_left(item, value, delta)                                  \
    WEIRI_SUB_GROUP((item), WEIRI_SHIFT_LEFT, (delta), (value))
#define weir_sub_group_shift_right(item, value, delta)                                 \
    WEIRI_SUB_GROUP((item), WEIRI_SHIFT_RIGHT, (delta), (value))

/**
 * weir_sub_group_load:
 * @ptr: an element pointer, uniform over the sub-group
 * @count: elements an item
 * @out: an array of at least @count elements
 *
 * The block load of a sub-group: out[k] = ptr[k * sub_group_size + lane], so
 * that neighbouring items read neighbouring elements. Every item of the
 * sub-group calls it, or none.
 */
#define weir_sub_group_load(item, ptr, count, out)                                     \
    (__extension__({                                                                   \
        const struct weir_item *weiri_load_item_ = (item);                             \
        const __typeof__(*(ptr)) *weiri_load_ =                                        \
            (ptr) + weir_sub_group_local_id(weiri_load_item_);                         \
        size_t weiri_load_step_ = weir_sub_group_size(weiri_load_item_);               \
        if (WEIRI_UNLIKELY(weiri_self.watch != NULL)) {                                \
            weiri_barrier(WEIRI_OP(WEIRI_LOAD, WEIRI_TYPE_none, WEIRI_LEVEL_SUB_GROUP, \
                                   memory_scope_sub_group, 0, (count)), WEIRI_SITE()); \
        }                                                                              \
        for (size_t weiri_k_ = 0; weiri_k_ < (size_t)(count); weiri_k_++) {            \
            (out)[weiri_k_] = weiri_load_[weiri_k_ * weiri_load_step_];                \
        }                                                                              \
    }))

#endif
