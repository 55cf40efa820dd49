// SPDX-License-Identifier: MIT
//
// A histogram a group in local memory, with atomics of work-group scope, which is then
// added to the global one.
#include <cstdio>
#include <sycl/sycl.hpp>

int main()
{
    constexpr size_t n = 64, items = 16, bins = 4;
    sycl::queue q;
    unsigned *values = sycl::malloc_shared<unsigned>(n, q);
    unsigned *counts = sycl::malloc_shared<unsigned>(bins, q);
    for (size_t i = 0; i < n; i++) {
        values[i] = static_cast<unsigned>(i * i % 7);
    }
    q.fill(counts, 0u, bins).wait();
    q.submit([&](sycl::handler &h) {
         sycl::local_accessor<unsigned> mine(bins, h);
         h.parallel_for(sycl::nd_range<1>(n, items), [=](sycl::nd_item<1> it) {
             size_t lid = it.get_local_id(0);
             if (lid < bins) {
                 mine[lid] = 0;
             }
             sycl::group_barrier(it.get_group());
             sycl::atomic_ref<unsigned, sycl::memory_order::relaxed,
                              sycl::memory_scope::work_group,
                              sycl::access::address_space::local_space>
                 bin(mine[values[it.get_global_id(0)] % bins]);
             bin++;
             sycl::group_barrier(it.get_group());
             if (lid < bins) {
                 sycl::atomic_ref<unsigned, sycl::memory_order::relaxed,
                                  sycl::memory_scope::device>
                     count(counts[lid]);
                 count.fetch_add(mine[lid]);
             }
         });
     }).wait();
    for (size_t b = 0; b < bins; b++) {
        std::printf("bin %zu: %u\n", b, counts[b]);
    }
    sycl::free(values, q);
    sycl::free(counts, q);
}
