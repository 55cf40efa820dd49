/* SPDX-License-Identifier: MIT
 *
 * builtins-warp.h: functions of the lanes of a warp that a mask names. A part of
 * builtins.c. */

/* See weiri_lanes_meet(). In an entry without stacks it is a stop. The machine reports
 * a mask that does not name the lane. */
HELPER uint64_t meet_lanes(const struct weir_item *item, uint32_t kind, uint32_t type,
                           uint32_t mask, uint64_t value, uint32_t source,
                           uint32_t bounds, const struct weir_site *site)
{
#if WEIRI_SPLIT
    if (mask == UINT32_MAX || (mask >> weir_sub_group_local_id(item) & 1) != 0) {
        struct weir_group *group = item->group;
        size_t self = item->local_linear;
        group->values[self].bits = value;
        group->sources[self] = source | (uint64_t)bounds << 32;
        weiri_split_pause(group, site, WEIRI_LANES_OP(kind, type, mask));
        return group->values[self].bits;
    }
#else
    (void)item;
#endif
    return weiri_lanes_meet(kind, type, mask, value, source, bounds, site);
}

OWN void weiri_cu_warp_sync(CALLER, uint32_t mask)
{
    meet_lanes(item, WEIRI_BARRIER, WEIRI_TYPE_none, mask, 0, 0, 0, site);
}

OWN uint32_t weiri_cu_active_mask(CALLER)
{
    return weiri_lanes_active(site);
}

#define VOTE(name, KIND)                                                               \
    OWN uint32_t weiri_cu_vote_##name(CALLER, uint32_t mask, int32_t predicate)        \
    {                                                                                  \
        return (uint32_t)meet_lanes(item, WEIRI_##KIND, WEIRI_TYPE_u32, mask,          \
                                    predicate != 0, 0, 0, site);                       \
    }
VOTE(any, ANY)
VOTE(all, ALL)
VOTE(uniform, UNIFORM)
VOTE(ballot, BALLOT)
#undef VOTE

/* @argument and @bounds: PTX's operands b and c of shfl.sync */
#define SHUFFLE(name, KIND, s, T)                                                      \
    OWN T weiri_cu_shuffle_##name##_##s(CALLER, uint32_t mask, T value,                \
                                        uint32_t argument, uint32_t bounds)            \
    {                                                                                  \
        return (T)meet_lanes(item, WEIRI_##KIND, WEIRI_TYPE_##s, mask, value,          \
                             argument, bounds, site);                                  \
    }
#define X(s, T)                                                                        \
    SHUFFLE(index, SHUFFLE, s, T)                                                      \
    SHUFFLE(xor, SHUFFLE_XOR, s, T)                                                    \
    SHUFFLE(down, SHIFT_LEFT, s, T)                                                    \
    SHUFFLE(up, SHIFT_RIGHT, s, T)                                                     \
    OWN uint32_t weiri_cu_match_any_##s(CALLER, uint32_t mask, T value)                \
    {                                                                                  \
        return (uint32_t)meet_lanes(item, WEIRI_MATCH_ANY, WEIRI_TYPE_##s, mask,       \
                                    value, 0, 0, site);                                \
    }                                                                                  \
    OWN uint32_t weiri_cu_match_all_##s(CALLER, uint32_t mask, T value)                \
    {                                                                                  \
        return (uint32_t)meet_lanes(item, WEIRI_MATCH_ALL, WEIRI_TYPE_##s, mask,       \
                                    value, 0, 0, site);                                \
    }
X(u32, uint32_t)
X(u64, uint64_t)
#undef X
#undef SHUFFLE

#define REDUCE(name, KIND, s, T)                                                       \
    OWN T weiri_cu_warp_reduce_##name##_##s(CALLER, uint32_t mask, T value)            \
    {                                                                                  \
        union weiri_value in = { .bits = 0 }, out;                                     \
        in.s = value;                                                                  \
        out.bits = meet_lanes(item, WEIRI_REDUCE_##KIND, WEIRI_TYPE_##s, mask,         \
                              in.bits, 0, 0, site);                                    \
        return out.s;                                                                  \
    }
#define INTEGERS(s, T)                                                                 \
    REDUCE(and, AND, s, T)                                                             \
    REDUCE(or, OR, s, T)                                                               \
    REDUCE(xor, XOR, s, T)
#define NUMBERS(s, T)                                                                  \
    REDUCE(add, ADD, s, T)                                                             \
    REDUCE(min, MIN, s, T)                                                             \
    REDUCE(max, MAX, s, T)
WEIRI_VALUE_TYPES(NUMBERS)
INTEGERS(u32, uint32_t)
INTEGERS(u64, uint64_t)
#undef INTEGERS
#undef NUMBERS
#undef REDUCE
