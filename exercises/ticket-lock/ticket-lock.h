/* SPDX-License-Identifier: MIT */
#ifndef TICKET_LOCK_H
#define TICKET_LOCK_H

#include <weir-kernel.h>

typedef struct {
    const int32_t *in; /* one for each group, greater than 0 */
    int32_t *next;     /* the next ticket to be drawn: 0 at first */
    int32_t *serving;  /* the ticket that is called: 0 at first */
    int32_t *sum;      /* of the numbers so far: 0 at first */
    int32_t *so_far;   /* one for each group: the sum when it had added its number */
} sum_args;

WEIR_DECLARE_KERNEL(running_sum);

#endif
