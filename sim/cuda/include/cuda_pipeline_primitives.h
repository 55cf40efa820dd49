/* SPDX-License-Identifier: MIT
 *
 * cuda_pipeline_primitives.h: copies of one thread, in groups. */
#ifndef WEIR_CUDA_PIPELINE_PRIMITIVES_H
#define WEIR_CUDA_PIPELINE_PRIMITIVES_H

#include <stddef.h>

#include <weir/builtins.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

/* @zfill: bytes at the end that are 0 in place of the source's */
WEIRI_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                          size_t zfill = 0)
{
    weiri_cu_copy_begin(to, from, (uint32_t)bytes, (uint32_t)(bytes - zfill));
}

WEIRI_DEVICE void __pipeline_commit()
{
    weiri_cu_copy_commit();
}

WEIRI_DEVICE void __pipeline_wait_prior(size_t n)
{
    weiri_cu_copy_wait((uint32_t)n);
}

WEIRI_DEVICE void __pipeline_arrive_on(__mbarrier_t *bar)
{
    weiri_cu_copy_arrive(bar, 0);
}

#endif
