/* SPDX-License-Identifier: MIT
 *
 * accesses.h: what checked launches find in one access, by itself: bounds.h and
 * uninit.h build on it. Kernels are in the file that includes this one, which is
 * __BASE_FILE__ here, and is instrumented. A kernel marks the access that is wrong with
 * line_a, and with line_b the local array that it goes to, or the way there. */
#ifndef WEIR_TESTS_ACCESSES_H
#define WEIR_TESTS_ACCESSES_H

#include "schedules.h"

static _Atomic uint32_t line_a, line_b;

/* The compiler is not to know what it holds. */
#define OPAQUE(value)                                                                  \
    (__extension__({                                                                   \
        __auto_type value_ = (value);                                                  \
        __asm__ volatile("" : "+r"(value_));                                           \
        value_;                                                                        \
    }))
/* Short, since what is marked stands on one line. */
#define ADD_1(to, scope)                                                               \
    weir_atomic_fetch_add_explicit((to), 1, memory_order_relaxed, memory_scope_##scope)
#define OUT(item, args) ((args)->out[weir_global_id((item), 0)])

/* Options of a checked launch. */
#define CHECKED(order_, ...) UNDER(order_, .check = true, __VA_ARGS__)

/* @finding is of one party, which does @access at line_a, to the element @index.
 * Returns: that party */
TEST_HELPER const struct weir_party *expect_access(const struct weir_finding *finding,
                                                   const char *access, int64_t index)
{
    ck_assert_msg(finding->index == index,
                  "index %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT ": %s",
                  finding->index, index, finding->message);
    ck_assert_uint_eq(finding->n_parties, 1);
    const struct weir_party *party = finding->parties;
    ck_assert_str_eq(weir_access_name(party->access), access);
    ck_assert_str_eq(party->file, __BASE_FILE__);
    ck_assert_msg(party->line == line_of(&line_a), "line %u, not %u: %s", party->line,
                  line_of(&line_a), finding->message);
    return party;
}

/* @finding is about the local array of line_b. */
TEST_HELPER void expect_local_array(const struct weir_finding *finding)
{
    expect_contains(finding->object, "local array of ");
    expect_names_line(finding->object, __BASE_FILE__, line_of(&line_b));
}

#endif
