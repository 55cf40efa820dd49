/* SPDX-License-Identifier: MIT
 *
 * article.cpp: a sum of numbers in the form in which articles about reductions list it.
 * Each group adds up its part in a tree in local memory, and the host adds up the sums
 * of the groups. The arguments are the count of numbers and the size of a group. */
#include <iostream>
#include <numeric>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

int sum(sycl::queue &q, const std::vector<int> &data, std::size_t local)
{
    std::vector<int> partial(data.size() / local);
    {
        sycl::buffer input(data), sums(partial);
        q.submit([&](sycl::handler &h) {
            sycl::accessor in(input, h, sycl::read_only);
            sycl::accessor out(sums, h, sycl::write_only, sycl::no_init);
            sycl::local_accessor<int, 1> scratch(local, h);
            h.parallel_for<class tree>(
                sycl::nd_range<1>(data.size(), local), [=](sycl::nd_item<1> it) {
                    const std::size_t lid = it.get_local_id(0);
                    scratch[lid] = in[it.get_global_id(0)];
                    sycl::group_barrier(it.get_group());
                    for (std::size_t stride = local / 2; stride > 0; stride /= 2) {
                        if (lid < stride) {
                            scratch[lid] += scratch[lid + stride];
                        }
                        sycl::group_barrier(it.get_group());
                    }
                    if (lid == 0) {
                        out[it.get_group(0)] = scratch[0];
                    }
                });
        });
    }
    return std::accumulate(partial.begin(), partial.end(), 0);
}

int main(int argc, char **argv)
{
    const std::size_t n = argc > 1 ? std::stoul(argv[1]) : 64;
    const std::size_t local = argc > 2 ? std::stoul(argv[2]) : 8;
    std::vector<int> data(n);
    std::iota(data.begin(), data.end(), 1);
    sycl::queue q;
    const int found = sum(q, data, local), expected = static_cast<int>(n * (n + 1) / 2);
    std::cout << "the sum of 1 to " << n << " is " << found << ", expected " << expected
              << "\n";
    return found == expected ? 0 : 1;
}
