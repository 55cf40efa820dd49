/* SPDX-License-Identifier: MIT
 *
 * native_litmus.h: litmus tests as kernels. native_litmus_write.c writes a kernel for
 * each of some tests, whose exploration native_litmus.c compares with that of the test.
 * tests/native-litmus.sh does both.
 *
 * Each thread of a test is a work-item that makes the thread's accesses in the thread's
 * order. At its end it writes the registers whose values the test looks at. */
#ifndef WEIR_TESTS_NATIVE_LITMUS_H
#define WEIR_TESTS_NATIVE_LITMUS_H

#include <stdbool.h>
#include <stdint.h>

/* The arguments of every kernel. @memory: by location: its value is at the start of the
 * element. @out: by observed term: the final value, of a register. @stamp: not 0, and
 * another one for each launch. */
typedef struct {
    int64_t *memory, *out;
    int64_t stamp;
} native_litmus_args;

/* @kernel: NULL: the test cannot be written as a kernel: @reason says why.
 * @devices: the test has several devices, a launch has one: all is as in the test but
 * scopes. */
struct native_litmus_test {
    const char *path;
    const struct weir_kernel *kernel;
    const char *reason;
    uint32_t n_items, n_groups; /* of a group */
    bool devices;
};

/* The table that is written; ends with a test without a path. */
extern const struct native_litmus_test native_litmus_tests[];

#endif
