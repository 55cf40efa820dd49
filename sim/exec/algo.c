/* SPDX-License-Identifier: MIT
 *
 * algo.c: one switch over kinds, one over types, and a macro for what the
 * types share. Follows [SYCL20] 4.17.4 for the algorithms and [CL30C] 6.15.15
 * for the shuffles. */
#include "config.h"

#include "exec/algo.h"

#include "base/assert.h"

#include <glib.h>

/* Integer sums wrap: they are taken in the unsigned type of that width. */
#define ALGORITHMS(s, T, U)                                                            \
    static T sum_##s(T a, T b)                                                         \
    {                                                                                  \
        return (T)((U)a + (U)b);                                                       \
    }                                                                                  \
    static void reduce_##s(enum weiri_collective kind, union weiri_value *values,      \
                           size_t n)                                                   \
    {                                                                                  \
        T result = values[0].s;                                                        \
        for (size_t i = 1; i < n; i++) {                                               \
            T value = values[i].s;                                                     \
            if (kind == WEIRI_REDUCE_ADD) {                                            \
                result = sum_##s(result, value);                                       \
            } else if (kind == WEIRI_REDUCE_MIN ? value < result : value > result) {   \
                result = value;                                                        \
            }                                                                          \
        }                                                                              \
        for (size_t i = 0; i < n; i++) {                                               \
            values[i].s = result;                                                      \
        }                                                                              \
    }                                                                                  \
    static void scan_##s(bool inclusive, union weiri_value *values, size_t n)          \
    {                                                                                  \
        T before = 0;                                                                  \
        for (size_t i = 0; i < n; i++) {                                               \
            T through = sum_##s(before, values[i].s);                                  \
            values[i].s = inclusive ? through : before;                                \
            before = through;                                                          \
        }                                                                              \
    }
ALGORITHMS(i32, int32_t, uint32_t)
ALGORITHMS(u32, uint32_t, uint32_t)
ALGORITHMS(i64, int64_t, uint64_t)
ALGORITHMS(u64, uint64_t, uint64_t)
ALGORITHMS(f32, float, float)
ALGORITHMS(f64, double, double)

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
    bool inclusive = WEIRI_OP_KIND(op) == WEIRI_INCLUSIVE_SCAN_ADD;
    switch (WEIRI_OP_TYPE(op)) {
#define X(s, T)                                                                        \
    case WEIRI_TYPE_##s:                                                               \
        scan_##s(inclusive, values, n);                                                \
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

/* The source of item i, which does not exist if it is n or more. */
static size_t source_of(uint64_t op, const size_t *sources, size_t i)
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
        size_t source = source_of(op, sources, i);
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
        scan(op, values, n);
        return n;
    case WEIRI_BROADCAST:
    case WEIRI_SHUFFLE:
    case WEIRI_SHUFFLE_XOR:
    case WEIRI_SHIFT_LEFT:
    case WEIRI_SHIFT_RIGHT:
        return move(op, values, sources, n);
    }
    weiri_assert(!"a kind of collective");
    return n;
}
