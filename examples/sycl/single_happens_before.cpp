// SPDX-License-Identifier: MIT
//
// SYCL 2020 has one happens-before for all memory: a flag in global memory, released
// and acquired, orders accesses to local memory, too.
#include <cstdio>
#include <sycl/sycl.hpp>

int main()
{
    sycl::queue q;
    int *flag = sycl::malloc_shared<int>(1, q);
    int *seen = sycl::malloc_shared<int>(1, q);
    *flag = 0;
    q.submit([&](sycl::handler &h) {
         sycl::local_accessor<int> data(1, h);
         h.parallel_for(sycl::nd_range<1>(2, 2), [=](sycl::nd_item<1> it) {
             sycl::atomic_ref<int, sycl::memory_order::acq_rel,
                              sycl::memory_scope::work_group>
                 ready(*flag);
             if (it.get_local_id(0) == 0) {
                 data[0] = 42;
                 ready.store(1);
             } else {
                 while (ready.load() == 0) {}
                 *seen = data[0];
             }
         });
     }).wait();
    std::printf("seen %d\n", *seen);
    sycl::free(flag, q);
    sycl::free(seen, q);
}
