/* SPDX-License-Identifier: MIT
 *
 * cuda_awbarrier_primitives.h: mbarriers as functions of C. */
#ifndef WEIR_CUDA_AWBARRIER_PRIMITIVES_H
#define WEIR_CUDA_AWBARRIER_PRIMITIVES_H

#include <cuda_pipeline_primitives.h>
#include <weir/builtins.h>

WEIRI_DEVICE uint32_t __mbarrier_maximum_count()
{
    return (1u << 20) - 1;
}

WEIRI_DEVICE void __mbarrier_init(__mbarrier_t *bar, uint32_t count)
{
    weiri_cu_mbarrier_init(bar, count);
}

WEIRI_DEVICE void __mbarrier_inval(__mbarrier_t *bar)
{
    weiri_cu_mbarrier_invalidate(bar);
}

WEIRI_DEVICE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *bar)
{
    return weiri_cu_mbarrier_arrive(bar, 1, 0, 0);
}

WEIRI_DEVICE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *bar)
{
    return weiri_cu_mbarrier_arrive(bar, 1, 0, WEIRI_MBARRIER_DROP);
}

WEIRI_DEVICE bool __mbarrier_test_wait(__mbarrier_t *bar, __mbarrier_token_t token)
{
    return weiri_cu_mbarrier_test(bar, token, 0) != 0;
}

WEIRI_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t *bar, bool parity)
{
    return weiri_cu_mbarrier_test(bar, parity, WEIRI_MBARRIER_PARITY) != 0;
}

WEIRI_DEVICE bool __mbarrier_try_wait(__mbarrier_t *bar, __mbarrier_token_t token,
                                      uint32_t)
{
    return weiri_cu_mbarrier_test(bar, token, WEIRI_MBARRIER_TRY) != 0;
}

WEIRI_DEVICE bool __mbarrier_try_wait_parity(__mbarrier_t *bar, bool parity, uint32_t)
{
    return weiri_cu_mbarrier_test(bar, parity,
                                  WEIRI_MBARRIER_PARITY | WEIRI_MBARRIER_TRY)
        != 0;
}

WEIRI_DEVICE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return weiri_cu_mbarrier_pending(token);
}

#endif
