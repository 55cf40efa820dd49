/* SPDX-License-Identifier: MIT
 *
 * values.h: sequences of values as keys of a GHashTable: an array of int64_t, the first
 * of which is the number of the others. */
#ifndef WEIRI_VALUES_H
#define WEIRI_VALUES_H

#include <glib.h>
#include <string.h>

static inline guint weiri_values_hash(const void *key)
{
    const int64_t *values = key;
    uint64_t hash = 0;
    for (int64_t i = 0; i <= values[0]; i++) {
        hash = (hash ^ (uint64_t)values[i]) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    return (guint)hash;
}

static inline gboolean weiri_values_equal(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return one[0] == other[0]
        && memcmp(one, other, ((size_t)one[0] + 1) * sizeof(*one)) == 0;
}

#endif
