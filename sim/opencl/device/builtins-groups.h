/* SPDX-License-Identifier: MIT
 *
 * builtins-groups.h: barriers, fences, and functions of groups and sub-groups. A part
 * of builtins.c: [CL30C] 6.15.8, 6.15.9 and 6.15.16 to 6.15.19. */

/* ---- Memories and scopes ---------------------------------------------------- */

/* cl_mem_fence_flags, and memory_scope with OpenCL's numbers. memory_order has
 * C11's. */
enum {
    CLK_LOCAL_MEM_FENCE = 1,
    CLK_GLOBAL_MEM_FENCE = 2,
    CLK_IMAGE_MEM_FENCE = 4, /* an image lies in global memory */

    CL_WORK_ITEM = 0,
    CL_WORK_GROUP = 1,
    CL_DEVICE = 2,
    CL_ALL_SVM_DEVICES = 3,
    CL_SUB_GROUP = 4,
};

HELPER uint32_t spaces_of(uint32_t flags)
{
    return (flags & CLK_LOCAL_MEM_FENCE ? WEIR_LOCAL : 0)
        | (flags & (CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE) ? WEIR_GLOBAL : 0);
}

/* A number that is not a scope is passed on, for the finding. */
HELPER memory_scope scope_of(int scope)
{
    return scope == CL_WORK_ITEM      ? memory_scope_work_item
        : scope == CL_SUB_GROUP       ? memory_scope_sub_group
        : scope == CL_WORK_GROUP      ? memory_scope_work_group
        : scope == CL_DEVICE          ? memory_scope_device
        : scope == CL_ALL_SVM_DEVICES ? memory_scope_system
                                      : (memory_scope)15;
}

/* ---- Barriers --------------------------------------------------------------- */

OWN void weiri_cl_barrier_2(void *item, const void *site, uint32_t flags, int scope)
{
    weiri_meet(item,
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_GROUP,
                        scope_of(scope), spaces_of(flags), 0),
               site);
}

OWN void weiri_cl_barrier_1(void *item, const void *site, uint32_t flags)
{
    weiri_cl_barrier_2(item, site, flags, CL_WORK_GROUP);
}

OWN void weiri_cl_sub_group_barrier_2(void *item, const void *site, uint32_t flags,
                                      int scope)
{
    weiri_meet(item,
               WEIRI_OP(WEIRI_BARRIER, WEIRI_TYPE_none, WEIRI_LEVEL_SUB_GROUP,
                        scope_of(scope), spaces_of(flags), 0),
               site);
}

OWN void weiri_cl_sub_group_barrier_1(void *item, const void *site, uint32_t flags)
{
    weiri_cl_sub_group_barrier_2(item, site, flags, CL_SUB_GROUP);
}

/* ---- Fences ----------------------------------------------------------------- */

OWN void weiri_cl_work_item_fence(const void *site, uint32_t flags, int order,
                                  int scope)
{
    weiri_fence(spaces_of(flags), (memory_order)order, scope_of(scope), site);
}

/* OpenCL 1.x promises nothing between groups ([CL12] 3.3.1), so these have the scope of
 * one. */
OWN void weiri_cl_mem_fence(const void *site, uint32_t flags)
{
    weiri_fence(spaces_of(flags), memory_order_acq_rel, memory_scope_work_group, site);
}

OWN void weiri_cl_read_mem_fence(const void *site, uint32_t flags)
{
    weiri_fence(spaces_of(flags), memory_order_acquire, memory_scope_work_group, site);
}

OWN void weiri_cl_write_mem_fence(const void *site, uint32_t flags)
{
    weiri_fence(spaces_of(flags), memory_order_release, memory_scope_work_group, site);
}

/* ---- Values of a group ------------------------------------------------------ */

/* All items meet, and no memory is ordered: [CL30C] 6.15.16 says nothing of it. */
#define OP_OF(kind, level, argument)                                                   \
    WEIRI_OP((kind), 0, (level),                                                       \
             (level) == WEIRI_LEVEL_GROUP ? memory_scope_work_group                    \
                                          : memory_scope_sub_group,                    \
             0, (argument))

/* Types of OpenCL, and those in which the machine has them. */
#define NARROW_TYPES(X)                                                                \
    X(i8, int8_t, i32)                                                                 \
    X(u8, uint8_t, u32)                                                                \
    X(i16, int16_t, i32)                                                               \
    X(u16, uint16_t, u32)
#define WIDE_TYPES(X)                                                                  \
    X(i32, int32_t, i32)                                                               \
    X(u32, uint32_t, u32)                                                              \
    X(i64, int64_t, i64)                                                               \
    X(u64, uint64_t, u64)                                                              \
    X(f32, float, f32)                                                                 \
    X(f64, double, f64)

#define COLLECT(level, LEVEL, name, KIND, s, T, wide)                                  \
    OWN T weiri_cl_##level##_##name##_##s(void *item, const void *site, T value)       \
    {                                                                                  \
        return (T)weiri_collect_##wide(item, OP_OF(WEIRI_##KIND, LEVEL, 0), value,     \
                                       site);                                          \
    }
#define COLLECTS(level, LEVEL, s, T, w)                                                \
    COLLECT(level, LEVEL, reduce_add, REDUCE_ADD, s, T, w)                             \
    COLLECT(level, LEVEL, reduce_min, REDUCE_MIN, s, T, w)                             \
    COLLECT(level, LEVEL, reduce_max, REDUCE_MAX, s, T, w)                             \
    COLLECT(level, LEVEL, scan_inclusive_add, INCLUSIVE_SCAN_ADD, s, T, w)             \
    COLLECT(level, LEVEL, scan_exclusive_add, EXCLUSIVE_SCAN_ADD, s, T, w)             \
    COLLECT(level, LEVEL, scan_inclusive_min, INCLUSIVE_SCAN_MIN, s, T, w)             \
    COLLECT(level, LEVEL, scan_inclusive_max, INCLUSIVE_SCAN_MAX, s, T, w)             \
    COLLECT(level, LEVEL, scan_exclusive_min, EXCLUSIVE_SCAN_MIN, s, T, w)             \
    COLLECT(level, LEVEL, scan_exclusive_max, EXCLUSIVE_SCAN_MAX, s, T, w)
#define X(s, T, w)                                                                     \
    COLLECTS(work_group, WEIRI_LEVEL_GROUP, s, T, w)                                   \
    COLLECTS(sub_group, WEIRI_LEVEL_SUB_GROUP, s, T, w)
WIDE_TYPES(X)
#undef X

#define VOTE(level, LEVEL, name, KIND)                                                 \
    OWN int weiri_cl_##level##_##name(void *item, const void *site, int condition)     \
    {                                                                                  \
        return weiri_collect_i32(item, OP_OF(WEIRI_##KIND, LEVEL, 0), condition != 0,  \
                                 site);                                                \
    }
VOTE(work_group, WEIRI_LEVEL_GROUP, all, ALL)
VOTE(work_group, WEIRI_LEVEL_GROUP, any, ANY)
VOTE(sub_group, WEIRI_LEVEL_SUB_GROUP, all, ALL)
VOTE(sub_group, WEIRI_LEVEL_SUB_GROUP, any, ANY)

/* The item with these local ids, as a linear one. An id outside of the group, which
 * would wrap to another row, belongs to no item. */
HELPER size_t linear_of(void *item, size_t x, size_t y, size_t z)
{
    size_t nx = weiri_cl_local_size(item, 0), ny = weiri_cl_local_size(item, 1);
    return x < nx && y < ny ? (z * ny + y) * nx + x : SIZE_MAX;
}

#define BROADCAST(s, T, w)                                                             \
    OWN T weiri_cl_work_group_broadcast_4_##s(void *item, const void *site, T value,   \
                                              size_t x, size_t y, size_t z)            \
    {                                                                                  \
        uint64_t op                                                                    \
            = OP_OF(WEIRI_BROADCAST, WEIRI_LEVEL_GROUP, linear_of(item, x, y, z));     \
        return (T)weiri_collect_##w(item, op, value, site);                            \
    }                                                                                  \
    OWN T weiri_cl_work_group_broadcast_3_##s(void *item, const void *site, T value,   \
                                              size_t x, size_t y)                      \
    {                                                                                  \
        return weiri_cl_work_group_broadcast_4_##s(item, site, value, x, y, 0);        \
    }                                                                                  \
    OWN T weiri_cl_work_group_broadcast_2_##s(void *item, const void *site, T value,   \
                                              size_t x)                                \
    {                                                                                  \
        return weiri_cl_work_group_broadcast_4_##s(item, site, value, x, 0, 0);        \
    }                                                                                  \
    OWN T weiri_cl_sub_group_broadcast_##s(void *item, const void *site, T value,      \
                                           uint32_t lane)                              \
    {                                                                                  \
        uint64_t op = OP_OF(WEIRI_BROADCAST, WEIRI_LEVEL_SUB_GROUP, lane);             \
        return (T)weiri_collect_##w(item, op, value, site);                            \
    }
NARROW_TYPES(BROADCAST)
WIDE_TYPES(BROADCAST)

/* ---- Moves in a sub-group ---------------------------------------------------- */

/* If the item to take from does not exist, the value of _up and _down is unspecified.
 * It is a finding if the lane is not below the size of the sub-group. */
HELPER uint32_t shifted(void *item, const void *site, enum weiri_collective kind,
                        uint32_t lane, uint32_t delta)
{
    uint32_t own = weir_sub_group_local_id(item);
    if (lane < weir_sub_group_size(item)) {
        return lane;
    }
    weiri_move_outside(OP_OF(kind, WEIRI_LEVEL_SUB_GROUP, delta), site,
                       weiri_cl_local_linear_id(item));
    return own;
}

#define SHUFFLE(s, T, w)                                                               \
    OWN T weiri_cl_sub_group_shuffle_##s(void *item, const void *site, T value,        \
                                         uint32_t lane)                                \
    {                                                                                  \
        return (T)weiri_shuffle_##w(item, value, lane, site);                          \
    }                                                                                  \
    OWN T weiri_cl_sub_group_shuffle_xor_##s(void *item, const void *site, T value,    \
                                             uint32_t mask)                            \
    {                                                                                  \
        uint32_t lane = weir_sub_group_local_id(item) ^ mask;                          \
        return (T)weiri_shuffle_##w(item, value, lane, site);                          \
    }                                                                                  \
    OWN T weiri_cl_sub_group_shuffle_up_##s(void *item, const void *site, T value,     \
                                            uint32_t delta)                            \
    {                                                                                  \
        uint32_t own = weir_sub_group_local_id(item);                                  \
        uint32_t lane = shifted(item, site, WEIRI_SHIFT_RIGHT,                         \
                                delta <= own ? own - delta : UINT32_MAX, delta);       \
        return (T)weiri_shuffle_##w(item, value, lane, site);                          \
    }                                                                                  \
    OWN T weiri_cl_sub_group_shuffle_down_##s(void *item, const void *site, T value,   \
                                              uint32_t delta)                          \
    {                                                                                  \
        uint32_t own = weir_sub_group_local_id(item), lane = own + delta;              \
        lane = shifted(item, site, WEIRI_SHIFT_LEFT, lane < own ? UINT32_MAX : lane,   \
                       delta);                                                         \
        return (T)weiri_shuffle_##w(item, value, lane, site);                          \
    }
NARROW_TYPES(SHUFFLE)
WIDE_TYPES(SHUFFLE)

/* ---- Ballots ----------------------------------------------------------------- */

/* A bit an item in the first two elements; no sub-group has more than 64 items. */
typedef uint32_t ballot_type __attribute__((ext_vector_type(4)));

HELPER uint64_t bits_of(ballot_type ballot)
{
    return ballot.x | (uint64_t)ballot.y << 32;
}

/* The bits of items whose id is less than @below. */
HELPER uint64_t bits_below(uint32_t below)
{
    return below < 64 ? (UINT64_C(1) << below) - 1 : UINT64_MAX;
}

OWN ballot_type weiri_cl_sub_group_ballot(void *item, const void *site, int predicate)
{
    uint64_t own = predicate != 0 ? UINT64_C(1) << weir_sub_group_local_id(item) : 0;
    uint64_t all = weiri_collect_u64(
        item, OP_OF(WEIRI_REDUCE_ADD, WEIRI_LEVEL_SUB_GROUP, 0), own, site);
    ballot_type ballot = { (uint32_t)all, (uint32_t)(all >> 32), 0, 0 };
    return ballot;
}

OWN int weiri_cl_sub_group_inverse_ballot(void *item, ballot_type ballot)
{
    return bits_of(ballot) >> weir_sub_group_local_id(item) & 1;
}

OWN int weiri_cl_sub_group_ballot_bit_extract(void *item, ballot_type ballot,
                                              uint32_t lane)
{
    (void)item;
    return lane < 64 ? bits_of(ballot) >> lane & 1 : 0;
}

HELPER uint32_t count_below(ballot_type ballot, uint32_t below)
{
    uint64_t bits = bits_of(ballot) & bits_below(below);
    return (uint32_t)__builtin_popcountll(bits);
}

OWN uint32_t weiri_cl_sub_group_ballot_bit_count(void *item, ballot_type ballot)
{
    return count_below(ballot, weir_sub_group_size(item));
}

OWN uint32_t weiri_cl_sub_group_ballot_inclusive_scan(void *item, ballot_type ballot)
{
    return count_below(ballot, weir_sub_group_local_id(item) + 1);
}

OWN uint32_t weiri_cl_sub_group_ballot_exclusive_scan(void *item, ballot_type ballot)
{
    return count_below(ballot, weir_sub_group_local_id(item));
}

/* The value is unspecified where no bit is set. */
OWN uint32_t weiri_cl_sub_group_ballot_find_lsb(void *item, ballot_type ballot)
{
    uint64_t bits = bits_of(ballot) & bits_below(weir_sub_group_size(item));
    return bits != 0 ? (uint32_t)__builtin_ctzll(bits) : 0;
}

OWN uint32_t weiri_cl_sub_group_ballot_find_msb(void *item, ballot_type ballot)
{
    uint64_t bits = bits_of(ballot) & bits_below(weir_sub_group_size(item));
    return bits != 0 ? 63 - (uint32_t)__builtin_clzll(bits) : 0;
}
