// SPDX-License-Identifier: MIT
//
// A sum by one group: each item adds up its share, and a tree in local memory adds the
// shares. A barrier separates the steps of the tree.
#include <cstdio>
#include <sycl/sycl.hpp>

int main()
{
    constexpr size_t n = 64, items = 8;
    sycl::queue q;
    std::vector<int> numbers(n);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = static_cast<int>(i);
    }
    int sum = 0;
    {
        sycl::buffer input(numbers);
        sycl::buffer<int> output(&sum, 1);
        q.submit([&](sycl::handler &h) {
            sycl::accessor in(input, h, sycl::read_only);
            sycl::accessor out(output, h, sycl::write_only, sycl::no_init);
            sycl::local_accessor<int> part(items, h);
            h.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> it) {
                size_t lid = it.get_local_id(0);
                int mine = 0;
                for (size_t i = lid; i < n; i += items) {
                    mine += in[i];
                }
                part[lid] = mine;
                sycl::group_barrier(it.get_group());
                for (size_t stride = items / 2; stride > 0; stride /= 2) {
                    if (lid < stride) {
                        part[lid] += part[lid + stride];
                    }
                    sycl::group_barrier(it.get_group());
                }
                if (lid == 0) {
                    out[0] = part[0];
                }
            });
        });
    }
    std::printf("sum %d\n", sum);
}
