/* SPDX-License-Identifier: MIT
 *
 * cuda_awbarrier.h: nvcuda::experimental::awbarrier, which cuda::barrier has replaced.
 */
#ifndef WEIR_CUDA_AWBARRIER_H
#define WEIR_CUDA_AWBARRIER_H

#include <cuda_awbarrier_primitives.h>

namespace nvcuda
{
namespace experimental
{

class awbarrier
{
    __mbarrier_t bar;

  public:
    class arrival_token
    {
        friend class awbarrier;
        __mbarrier_token_t token;

      public:
        arrival_token() = default;
        WEIRI_DEVICE explicit arrival_token(__mbarrier_token_t token_) : token(token_)
        {
        }
    };
    awbarrier() = default;
    friend WEIRI_DEVICE void init(awbarrier *self, uint32_t expected)
    {
        __mbarrier_init(&self->bar, expected);
    }
    WEIRI_DEVICE arrival_token arrive()
    {
        return arrival_token(__mbarrier_arrive(&bar));
    }
    WEIRI_DEVICE arrival_token arrive_and_drop()
    {
        return arrival_token(__mbarrier_arrive_and_drop(&bar));
    }
    WEIRI_DEVICE bool timed_wait(arrival_token token, uint32_t)
    {
        return __mbarrier_try_wait(&bar, token.token, 0);
    }
    WEIRI_DEVICE void wait(arrival_token token)
    {
        while (!__mbarrier_try_wait(&bar, token.token, 0)) {}
    }
    WEIRI_DEVICE void arrive_and_wait()
    {
        wait(arrive());
    }
};

} // namespace experimental
} // namespace nvcuda

#endif
