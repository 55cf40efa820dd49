/* SPDX-License-Identifier: MIT
 *
 * seam_kernel.h: the kernel that check_machine.c watches. It is in a file of
 * its own since that file is instrumented, and observers must not be. */
#ifndef SEAM_KERNEL_H
#define SEAM_KERNEL_H

#include <weir-kernel.h>

typedef struct {
    int *out;
    int *n;
} seam_args;

/** For groups of four items: each writes its id to out[order of arrival]. */
WEIR_DECLARE_KERNEL(seam);

#endif
