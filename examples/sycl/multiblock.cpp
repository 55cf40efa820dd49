// SPDX-License-Identifier: MIT
//
// A sum by several groups: items read interleaved, a tree in local memory adds up each
// group, and one atomic operation a group adds to the result.
#include <cstdio>
#include <sycl/sycl.hpp>

int main()
{
    constexpr size_t n = 256, items = 8, each = 8, groups = n / items / each;
    sycl::queue q;
    std::vector<int> numbers(n);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = static_cast<int>(i % 10);
    }
    int sum = 0;
    {
        sycl::buffer input(numbers);
        sycl::buffer<int> output(&sum, 1);
        q.submit([&](sycl::handler &h) {
            sycl::accessor in(input, h, sycl::read_only);
            sycl::accessor out(output, h, sycl::read_write);
            sycl::local_accessor<int> part(items, h);
            h.parallel_for(
                sycl::nd_range<1>(groups * items, items), [=](sycl::nd_item<1> it) {
                    size_t lid = it.get_local_id(0);
                    size_t base = it.get_group(0) * items * each + lid;
                    int mine = 0;
                    for (size_t k = 0; k < each; k++) {
                        mine += in[base + k * items];
                    }
                    part[lid] = mine;
                    for (size_t stride = items / 2; stride > 0; stride /= 2) {
                        sycl::group_barrier(it.get_group());
                        if (lid < stride) {
                            part[lid] += part[lid + stride];
                        }
                    }
                    if (lid == 0) {
                        sycl::atomic_ref<int, sycl::memory_order::relaxed,
                                         sycl::memory_scope::device>
                            total(out[0]);
                        total.fetch_add(part[0]);
                    }
                });
        });
    }
    std::printf("sum %d\n", sum);
}
