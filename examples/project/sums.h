/* SPDX-License-Identifier: MIT: a kernel of one's own, for hosts in C and C++. */
#ifndef SUMS_H
#define SUMS_H

#include <weir.h>

enum { GROUP = 8 };

typedef struct {
    const int32_t *in; /* one an item */
    int32_t *sums;     /* one a group */
} sums_args;

#ifdef __cplusplus
extern "C" {
#endif
extern const struct weir_kernel sums;
#ifdef __cplusplus
}
#endif

#endif
