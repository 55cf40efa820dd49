// SPDX-License-Identifier: MIT
//
// A sum in one launch: each group leaves a partial sum, and the group that arrives last
// adds them up. The counter's acq_rel, at device scope, makes the other groups' sums
// visible to it.
#include <cstdio>
#include <sycl/sycl.hpp>

int main()
{
    constexpr size_t n = 64, items = 8, groups = n / items;
    sycl::queue q;
    int *numbers = sycl::malloc_shared<int>(n, q);
    int *partial = sycl::malloc_device<int>(groups, q);
    unsigned *arrived = sycl::malloc_shared<unsigned>(1, q);
    int *sum = sycl::malloc_shared<int>(1, q);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = static_cast<int>(i);
    }
    *arrived = 0;
    q.parallel_for(sycl::nd_range<1>(n, items), [=](sycl::nd_item<1> it) {
         int of_group = sycl::reduce_over_group(
             it.get_group(), numbers[it.get_global_id(0)], sycl::plus<>());
         if (it.get_local_id(0) == 0) {
             partial[it.get_group(0)] = of_group;
             sycl::atomic_ref<unsigned, sycl::memory_order::acq_rel,
                              sycl::memory_scope::device>
                 counter(*arrived);
             if (counter.fetch_add(1) == groups - 1) {
                 int total = 0;
                 for (size_t g = 0; g < groups; g++) {
                     total += partial[g];
                 }
                 *sum = total;
             }
         }
     }).wait();
    std::printf("sum %d\n", *sum);
    sycl::free(numbers, q);
    sycl::free(partial, q);
    sycl::free(arrived, q);
    sycl::free(sum, q);
}
