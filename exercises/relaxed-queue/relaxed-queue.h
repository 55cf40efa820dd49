/* SPDX-License-Identifier: MIT */
#ifndef RELAXED_QUEUE_H
#define RELAXED_QUEUE_H

#include <weir-kernel.h>

/* Places of a queue. */
enum { PLACES = 2 };

typedef struct {
    int32_t n;         /* numbers for each pair of groups */
    const int32_t *in; /* the numbers, none is 0: N for each pair */
    int32_t *queue;    /* PLACES for each pair; 0 at first */
    int32_t *written;  /* one for each pair: numbers put in so far; 0 at first */
    int32_t *read;     /* one for each pair: numbers taken out so far; 0 at first */
    int32_t *out;      /* what was taken out: N for each pair */
} queue_args;

WEIR_DECLARE_KERNEL(pass_through);

#endif
