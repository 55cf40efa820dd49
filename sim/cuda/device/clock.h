/* SPDX-License-Identifier: MIT
 *
 * clock.h: see clock.c. */
#ifndef WEIR_CUDA_DEVICE_CLOCK_H
#define WEIR_CUDA_DEVICE_CLOCK_H

#include <stdint.h>

uint64_t weiri_cuda_clock(void);
uint64_t weiri_cuda_nanoseconds(void);

#endif
