/* SPDX-License-Identifier: MIT
 *
 * hooks_kernels.h: the kernels that check_hooks.c watches. They are in a file of their
 * own since that file is instrumented: what each item does is said here, and counted
 * there. */
#ifndef HOOKS_KERNELS_H
#define HOOKS_KERNELS_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in;
    int32_t *out;
    size_t n;
} plain_args;

/** Reads in[i] and in[i + 1], writes out[i]; what else it does is on its stack. */
WEIR_DECLARE_KERNEL(plain_accesses);

/** The same in a loop of a group kernel; around it reads in[0] and writes out[n]. */
WEIR_DECLARE_KERNEL(group_accesses);

struct __attribute__((packed)) crooked {
    char c;
    int32_t i;
};

typedef struct {
    struct crooked *crooked;
    int64_t *from, *to; /* 100 of each */
    volatile int32_t *flag;
} form_args;

/** Reads crooked->i, reads flag, copies from to to. */
WEIR_DECLARE_KERNEL(access_forms);

typedef struct {
    int32_t *out;
} call_args;

enum { CALL_DEPTH = 3 };

/** Writes out[0] in a helper that it calls from two places, and out[1] in one that
 *  calls itself CALL_DEPTH times; then out[2] in the kernel itself. */
WEIR_DECLARE_KERNEL(make_calls);

typedef struct {
    _Atomic uint8_t *a8;
    _Atomic uint16_t *a16;
    _Atomic uint32_t *a32;
    _Atomic uint64_t *a64;
    int32_t *weir;
} atomic_args;

/** For one item: each of C11's operations in each width, then each of weir's. */
WEIR_DECLARE_KERNEL(atomic_forms);

/** A fence of C11, one of weir, and a barrier of device scope. */
WEIR_DECLARE_KERNEL(fences);

typedef struct {
    int32_t *out;
    size_t n;
} end_args;

/** Three stores to out[i] with barriers between; the second is that to out[n + i]. */
WEIR_DECLARE_KERNEL(three_stores);
WEIR_DECLARE_KERNEL(three_stores_of_groups);

typedef struct {
    int32_t a;
    int64_t b;
    float c;
    int32_t *out;
} compare_args;

/** Compares its arguments with in[0]: 7, 8 and 1.5. */
WEIR_DECLARE_KERNEL(comparisons);

#endif
