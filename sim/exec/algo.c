/* SPDX-License-Identifier: MIT
 *
 * algo.c: one switch over kinds, one over types, and a macro for the part that is the
 * same for all types. Follows [SYCL20] 4.17.4 for the algorithms and [CL30C] 6.15.15
 * for the shuffles and the scans. */
#include "config.h"

#include "exec/algo.h"

#include "base/assert.h"

#include <glib.h>
#include <math.h>

/* Integer sums wrap: they are taken in the unsigned type of that width. @least and
 * @greatest: of the type; the value before the first one, where that is left out. */
#define ALGORITHMS(s, T, U, least, greatest)                                           \
    static T join_##s(enum weiri_collective kind, T a, T b)                            \
    {                                                                                  \
        switch (kind) {                                                                \
        case WEIRI_REDUCE_MIN:                                                         \
        case WEIRI_INCLUSIVE_SCAN_MIN:                                                 \
        case WEIRI_EXCLUSIVE_SCAN_MIN:                                                 \
            return b < a ? b : a;                                                      \
        case WEIRI_REDUCE_MAX:                                                         \
        case WEIRI_INCLUSIVE_SCAN_MAX:                                                 \
        case WEIRI_EXCLUSIVE_SCAN_MAX:                                                 \
            return b > a ? b : a;                                                      \
        default:                                                                       \
            return (T)((U)a + (U)b);                                                   \
        }                                                                              \
    }                                                                                  \
    static void reduce_##s(enum weiri_collective kind, union weiri_value *values,      \
                           size_t n)                                                   \
    {                                                                                  \
        T result = values[0].s;                                                        \
        for (size_t i = 1; i < n; i++) {                                               \
            result = join_##s(kind, result, values[i].s);                              \
        }                                                                              \
        for (size_t i = 0; i < n; i++) {                                               \
            values[i].s = result;                                                      \
        }                                                                              \
    }                                                                                  \
    static void scan_##s(enum weiri_collective kind, union weiri_value *values,        \
                         size_t n)                                                     \
    {                                                                                  \
        bool inclusive = kind == WEIRI_INCLUSIVE_SCAN_ADD                              \
            || kind == WEIRI_INCLUSIVE_SCAN_MIN || kind == WEIRI_INCLUSIVE_SCAN_MAX;   \
        T before = 0;                                                                  \
        if (kind == WEIRI_EXCLUSIVE_SCAN_MIN) {                                        \
            before = (greatest);                                                       \
        } else if (kind == WEIRI_EXCLUSIVE_SCAN_MAX) {                                 \
            before = (least);                                                          \
        }                                                                              \
        for (size_t i = 0; i < n; i++) {                                               \
            T own = values[i].s;                                                       \
            T through = i == 0 && inclusive ? own : join_##s(kind, before, own);       \
            values[i].s = inclusive ? through : before;                                \
            before = through;                                                          \
        }                                                                              \
    }
ALGORITHMS(i32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
ALGORITHMS(u32, uint32_t, uint32_t, 0, UINT32_MAX)
ALGORITHMS(i64, int64_t, uint64_t, INT64_MIN, INT64_MAX)
ALGORITHMS(u64, uint64_t, uint64_t, 0, UINT64_MAX)
ALGORITHMS(f32, float, float, -INFINITY, INFINITY)
ALGORITHMS(f64, double, double, -INFINITY, INFINITY)

static void reduce(uint64_t op, union weiri_value *values, size_t n)
{
    switch (WEIRI_OP_TYPE(op)) {
#define X(s, T)                                                                        \
    case WEIRI_TYPE_##s:                                                               \
        reduce_##s(WEIRI_OP_KIND(op), values, n);                                      \
        break;
        WEIRI_VALUE_TYPES(X)
#undef X
    case WEIRI_TYPE_none:
        break;
    }
}

static void scan(uint64_t op, union weiri_value *values, size_t n)
{
    switch (WEIRI_OP_TYPE(op)) {
#define X(s, T)                                                                        \
    case WEIRI_TYPE_##s:                                                               \
        scan_##s(WEIRI_OP_KIND(op), values, n);                                        \
        break;
        WEIRI_VALUE_TYPES(X)
#undef X
    case WEIRI_TYPE_none:
        break;
    }
}

/* any, all and none of conditions that are 0 or 1. */
static void vote(enum weiri_collective kind, union weiri_value *values, size_t n)
{
    size_t n_true = 0;
    for (size_t i = 0; i < n; i++) {
        n_true += values[i].i32 != 0;
    }
    bool result
        = kind == WEIRI_ANY ? n_true > 0 : n_true == (kind == WEIRI_ALL ? n : 0);
    for (size_t i = 0; i < n; i++) {
        values[i].i32 = result;
    }
}

size_t weiri_algo_source(uint64_t op, const size_t *sources, size_t i)
{
    uint32_t argument = WEIRI_OP_ARGUMENT(op);
    switch (WEIRI_OP_KIND(op)) {
    case WEIRI_BROADCAST:
        return argument;
    case WEIRI_SHUFFLE:
        return sources[i];
    case WEIRI_SHUFFLE_XOR:
        return i ^ argument;
    case WEIRI_SHIFT_LEFT:
        return i + argument;
    case WEIRI_SHIFT_RIGHT:
        return argument <= i ? i - argument : SIZE_MAX;
    default:
        weiri_assert(!"a kind that moves values");
        return SIZE_MAX;
    }
}

static size_t move(uint64_t op, union weiri_value *values, const size_t *sources,
                   size_t n)
{
    g_autofree union weiri_value *given = g_memdup2(values, n * sizeof(*values));
    size_t outside = n;
    for (size_t i = 0; i < n; i++) {
        size_t source = weiri_algo_source(op, sources, i);
        if (source < n) {
            values[i] = given[source];
        } else {
            values[i].bits = WEIRI_ALGO_POISON;
            outside = outside == n ? i : outside;
        }
    }
    return outside;
}

size_t weiri_algo(uint64_t op, union weiri_value *values, const size_t *sources,
                  size_t n)
{
    switch (WEIRI_OP_KIND(op)) {
    case WEIRI_BARRIER:
    case WEIRI_LOAD:
    case WEIRI_COPY:
    case WEIRI_WAIT:
        return n;
    case WEIRI_ANY:
    case WEIRI_ALL:
    case WEIRI_NONE:
        vote(WEIRI_OP_KIND(op), values, n);
        return n;
    case WEIRI_REDUCE_ADD:
    case WEIRI_REDUCE_MIN:
    case WEIRI_REDUCE_MAX:
        reduce(op, values, n);
        return n;
    case WEIRI_INCLUSIVE_SCAN_ADD:
    case WEIRI_EXCLUSIVE_SCAN_ADD:
    case WEIRI_INCLUSIVE_SCAN_MIN:
    case WEIRI_INCLUSIVE_SCAN_MAX:
    case WEIRI_EXCLUSIVE_SCAN_MIN:
    case WEIRI_EXCLUSIVE_SCAN_MAX:
        scan(op, values, n);
        return n;
    case WEIRI_BROADCAST:
    case WEIRI_SHUFFLE:
    case WEIRI_SHUFFLE_XOR:
    case WEIRI_SHIFT_LEFT:
    case WEIRI_SHIFT_RIGHT:
        return move(op, values, sources, n);
    default: /* of lanes: lanes.c */
        break;
    }
    weiri_assert(!"a kind of collective");
    return n;
}
