/* SPDX-License-Identifier: MIT */
#ifndef ABA_H
#define ABA_H

#include <weir-kernel.h>

typedef struct {
    int32_t *head;   /* the first free place: 0 at first */
    int32_t *next;   /* for each place the next place; for the last one 254 */
    int32_t *spare;  /* 0 at first */
    int32_t *first;  /* of each item: the place that it has given back */
    int32_t *second; /* of each item: the place that it has kept */
} list_args;

/* Marks the end of the list. There are four places for each item. */
enum { END = 254 };

WEIR_DECLARE_KERNEL(take_two);

#endif
