/* SPDX-License-Identifier: MIT
 *
 * builtins.c: the machine's builtins for CUDA, as functions of C on weir-kernel.h. The
 * headers in sim/cuda/include declare them without their first two parameters, which
 * weir-cuda-cc adds at each call: the item, and the place of the call in the user's
 * source.
 *
 * A function that is inlined into a kernel with hooks gets hooks, too. So a function
 * here that reads memory which is not the program's does it out of sight: by
 * WEIRI_UNSEEN(), or in a function that is not inlined. */
#include <weir-kernel.h>

#include "head.h"

#define OWN WEIRI_UNINSTRUMENTED __attribute__((always_inline))
#define HELPER static OWN __attribute__((unused))

/* The first parameters of every builtin. */
#define CALLER                                                                         \
    struct weir_item *item __attribute__((unused)),                                    \
        const struct weir_site *site __attribute__((unused))

/* Nothing but kernels calls these functions. */
#pragma clang diagnostic ignored "-Wmissing-prototypes"

#include "builtins-ids.h"

#include "builtins-sync.h"

#include "builtins-atomic.h"

#include "builtins-warp.h"

#include "builtins-copy.h"

#include "builtins-ptx.h"

#include "builtins-ptx-half.h"
