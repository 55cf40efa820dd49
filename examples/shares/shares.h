/* SPDX-License-Identifier: MIT: the kernel of docs/tutorial/04-races.md. */
#ifndef SHARES_H
#define SHARES_H

#include <weir-kernel.h>
#include <weir.h>

enum { GROUP = 8 };

typedef struct {
    const int32_t *in; /* one an item */
    int32_t *out;      /* one an item: thousandths of its group's sum */
} shares_args;

WEIR_DECLARE_KERNEL(shares);

#endif
