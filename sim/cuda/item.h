/* SPDX-License-Identifier: MIT
 *
 * item.h: see item.c. */
#ifndef WEIR_CUDA_ITEM_H
#define WEIR_CUDA_ITEM_H

#include <stddef.h>
#include <stdint.h>

/* The room for an item in a function that asks for it: sim/cuda-cc/outside.c. */
enum { WEIRI_CUDA_ITEM_BYTES = 512 };

/** Writes the struct weir_item of the item that runs. Returns: whether the launch is a
 *  checked one */
uint32_t weiri_cuda_item(void *room);

/** A number of the launch, which no store changes. */
size_t weiri_cuda_fixed(const size_t *number);

/** Ends the process where the processor lacks a feature that code was compiled for:
 *  names as the compiler has them, and %NULL at the end. */
void weiri_cuda_needs(const char *const *features);

/** The array of the group that is declared at a site. */
void *weiri_cuda_array(const void *site, size_t count, size_t element_bytes);

#endif
