/* SPDX-License-Identifier: MIT */
#ifndef BOUNDED_COUNTER_H
#define BOUNDED_COUNTER_H

#include <weir-kernel.h>

typedef struct {
    int32_t *taken; /* places that are taken; 0 at first */
    int32_t places; /* how many there are */
    int32_t *place; /* one for each item: its place, from 0, or -1 */
} place_args;

WEIR_DECLARE_KERNEL(take_place);

#endif
