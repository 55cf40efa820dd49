/* SPDX-License-Identifier: MIT
 *
 * weir/sync.h: barriers of the block, and fences. */
#ifndef WEIR_CUDA_SYNC_H
#define WEIR_CUDA_SYNC_H

#include <weir/builtins.h>

/* clang knows a builtin of this name, which is not to be defined. */
#define __syncthreads weiri_syncthreads
WEIRI_DEVICE void weiri_syncthreads()
{
    weiri_cu_syncthreads();
}

WEIRI_DEVICE int __syncthreads_count(int predicate)
{
    return weiri_cu_syncthreads_count(predicate);
}

WEIRI_DEVICE int __syncthreads_and(int predicate)
{
    return weiri_cu_syncthreads_and(predicate);
}

WEIRI_DEVICE int __syncthreads_or(int predicate)
{
    return weiri_cu_syncthreads_or(predicate);
}

/* Fences are sequentially consistent: PTX's fence.sc. */
WEIRI_DEVICE void __threadfence_block()
{
    weiri_cu_fence(__ATOMIC_SEQ_CST, WEIRI_SCOPE_BLOCK);
}

WEIRI_DEVICE void __threadfence()
{
    weiri_cu_fence(__ATOMIC_SEQ_CST, WEIRI_SCOPE_DEVICE);
}

WEIRI_DEVICE void __threadfence_system()
{
    weiri_cu_fence(__ATOMIC_SEQ_CST, WEIRI_SCOPE_SYSTEM);
}

#endif
