/* SPDX-License-Identifier: MIT
 *
 * heap.h: the heap of kernels. heap.c is part of a program only if its kernels call
 * malloc(). */
#ifndef WEIRI_CUDA_HEAP_H
#define WEIRI_CUDA_HEAP_H

/** A launch begins: makes the heap. */
void weiri_cuda_heap_begin(void);

#endif
