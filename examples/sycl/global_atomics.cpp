// SPDX-License-Identifier: MIT
//
// A sum by one atomic operation an item. Every item adds to the same word, which is
// correct, and slow on a device with thousands of items.
#include <cstdio>
#include <sycl/sycl.hpp>

int main()
{
    constexpr size_t n = 64;
    sycl::queue q;
    int *numbers = sycl::malloc_shared<int>(n, q);
    int *sum = sycl::malloc_shared<int>(1, q);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = static_cast<int>(i);
    }
    *sum = 0;
    q.parallel_for(n, [=](sycl::id<1> i) {
         sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>
             total(*sum);
         total += numbers[i];
     }).wait();
    std::printf("sum %d\n", *sum);
    sycl::free(numbers, q);
    sycl::free(sum, q);
}
