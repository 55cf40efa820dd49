/* SPDX-License-Identifier: MIT */
#ifndef IGNORED_EXCHANGE_H
#define IGNORED_EXCHANGE_H

#include <weir-kernel.h>

/* Behind the last item of the list. */
enum { END = -1 };

typedef struct {
    int32_t *head; /* the first item: END at first */
    int32_t *next; /* for each item the next one, or END; END at first */
} list_args;

WEIR_DECLARE_KERNEL(push);

#endif
