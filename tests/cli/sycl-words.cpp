/* SPDX-License-Identifier: MIT
 *
 * sycl-words.cpp: kernels with one defect each, for sycl-words.sh. The first argument
 * says which one runs. */
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

/* The compiler does not know the attributes; Weir reads them in the source. */
#pragma GCC diagnostic ignored "-Wattributes"
#define NARROW [[sycl::reqd_work_group_size(8), sycl::reqd_sub_group_size(8)]]

using item = sycl::nd_item<1>;
const sycl::nd_range<1> one(8, 8), two(2, 1);

struct holder {
    int *member;
};

struct functor {
    int *size;
    [[sycl::reqd_sub_group_size(32)]] void operator()(item it) const
    {
        if (it.get_local_id(0) == 0)
            *size = int(it.get_sub_group().get_max_local_range()[0]);
    }
};

/* Prints the sizes of sub-groups that kernels get, and the error of the last. */
static void require(sycl::queue &q, int *size)
{
    auto print = [=] { std::printf("%d ", *size); };
    auto small = [=](item it) NARROW { functor{ size }(it); };
    q.parallel_for(one, [=](item it) { functor{ size }(it); }).wait(), print();
    q.parallel_for(one, functor{ size }).wait(), print();
    q.parallel_for(one, small).wait(), print();
    q.submit([&](sycl::handler &h) {
         h.parallel_for(one, [=](item it) [[sycl::reqd_sub_group_size(0x8)]] {
             functor{ size }(it);
         });
     }).wait(),
        print();
    /* not [[sycl::reqd_sub_group_size(8)]] */
    q.parallel_for(one,
                   [=](item it) /* reqd_sub_group_size(8) */ { functor{ size }(it); })
        .wait(),
        print();
    try {
        q.parallel_for<class wide>(one, [=](item) [[sycl::reqd_sub_group_size(64)]] {});
    } catch (const sycl::exception &e) {
        std::printf("%d %s\n", e.code() == sycl::errc::kernel_not_supported, e.what());
    }
}

int main(int, char **arguments)
{
    std::string which = arguments[1];
    sycl::queue q;
    int *out = sycl::malloc_shared<int>(8, q), *flag = sycl::malloc_shared<int>(1, q);
    *flag = 0;
    if (which == "branch")
        q.parallel_for<class branch>(one, [=](item it) {
            if (it.get_local_id(0) < 4)
                sycl::group_barrier(it.get_group());
        });
    if (which == "sub-group")
        q.parallel_for<class sub>(one, [=](item it) {
            if (it.get_local_id(0) < 4)
                sycl::group_barrier(it.get_sub_group());
        });
    if (which == "operands")
        q.parallel_for<class operands>(one, [=](item it) {
            out[it.get_local_id(0)]
                = sycl::group_broadcast(it.get_group(), 1, it.get_local_id(0) / 4);
        });
    if (which == "reduce")
        q.parallel_for<class reduce>(one, [=](item it) {
            if (it.get_local_id(0) < 4)
                out[0] = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
        });
    if (which == "product")
        q.parallel_for<class product>(one, [=](item it) {
            if (it.get_local_id(0) < 4)
                out[0]
                    = sycl::reduce_over_group(it.get_group(), 1, sycl::multiplies<>());
        });
    if (which == "outside")
        q.parallel_for<class outside>(one, [=](item it) {
            out[it.get_local_id(0)] = sycl::group_broadcast(it.get_group(), 1, 9);
        });
    if (which == "shifts" || which == "shifts-less") {
        const unsigned by = which == "shifts" ? 8 : 7;
        q.parallel_for<class shifts>(one, [=](item it) {
             const int x = sycl::shift_group_left(it.get_sub_group(), 1, by);
             const auto y = sycl::shift_group_right(it.get_group(), sycl::int2(1), by);
             out[it.get_local_id(0)] = it.get_local_id(0) == 0 ? x : y[0];
         }).wait();
    }
    if (which == "required")
        require(q, flag);
    if (which == "locals")
        q.submit([&](sycl::handler &h) {
            sycl::local_accessor<int, 1> left(8, h), right(8, h);
            h.parallel_for<class locals>(one, [=](item it) {
                left[it.get_local_id(0)] = right[0] = 1;
                out[it.get_local_id(0)] = left[7 - it.get_local_id(0)] + right[0];
            });
        });
    if (which == "fresh")
        q.submit([&](sycl::handler &h) {
            sycl::local_accessor<int> fresh(8, h);
            auto *device = sycl::malloc_device<int>(8, q);
            h.parallel_for<class fresh>(one, [=](item it) {
                out[it.get_local_id(0)]
                    = fresh[it.get_local_id(0)] + device[it.get_local_id(0)];
            });
        });
    if (which == "large")
        q.submit([&](sycl::handler &h) {
            sycl::local_accessor<int> big(1000000, h);
            h.parallel_for<class large>(one, [=](item) { big[0] = 1; });
        });
    if (which == "freed") {
        holder here;
        here.member = sycl::malloc_device<int>(8, q);
        sycl::free(here.member, q);
        q.parallel_for<class freed>(8, [=](sycl::id<1> i) { here.member[i] = 1; });
    }
    if (which == "names") {
        std::vector<int> host(8);
        sycl::buffer<int> first(host), second{ host };
        sycl::usm_allocator<int, sycl::usm::alloc::shared> shared(q);
        std::vector<int, decltype(shared)> numbers(8, shared);
        int *vector = numbers.data();
        int *table[1];
        table[0] = sycl::malloc_device<int>(8, q);
        int *element = table[0];
        q.submit([&](sycl::handler &h) {
            sycl::accessor a(first, h, sycl::read_write);
            sycl::accessor b(second, h, sycl::read_write);
            h.parallel_for<class names>(one, [=](item) {
                out[1] = 1;
                flag[0] = 1;
                a[1] = 1;
                b[1] = 1;
                vector[1] = 1;
                element[1] = 1;
            });
        });
    }
    if (which == "relaxed" || which == "narrow")
        q.parallel_for<class message>(two, [=](item it) {
            using sycl::atomic_ref, sycl::memory_order, sycl::memory_scope;
            atomic_ref<int, memory_order::relaxed, memory_scope::device> loose(*flag);
            atomic_ref<int, memory_order::acq_rel, memory_scope::work_group> near(
                *flag);
            const bool relaxed = *arguments[1] == 'r';
            if (it.get_group(0) == 0) {
                out[0] = 1;
                relaxed ? loose.store(1) : near.store(1);
            } else {
                while ((relaxed ? loose.load() : near.load()) == 0) {}
                out[1] = out[0];
            }
        });
    if (which == "spins")
        q.submit([&](sycl::handler &h) {
            sycl::local_accessor<int> ready(2, h);
            h.parallel_for<class spins>(one, [=](item it) {
                sycl::atomic_ref<int, sycl::memory_order::acq_rel,
                                 sycl::memory_scope::work_group>
                    set(ready[1]);
                if (it.get_local_id(0) == 0)
                    set.store(0);
                sycl::group_barrier(it.get_group());
                while (set.load() == 0) {}
            });
        });
    if (which == "unsupported")
        q.parallel_for<class unsupported>(one, [=](item) {
            sycl::atomic_ref<int, sycl::memory_order::acq_rel,
                             sycl::memory_scope::device>
                counter(*flag);
            counter.fetch_add(1);
            counter.fetch_add(1);
            sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
        });
    if (which == "weaken")
        q.parallel_for<class weaken>(sycl::nd_range<1>(2, 2), [=](item it) {
            sycl::atomic_ref<int, sycl::memory_order::seq_cst,
                             sycl::memory_scope::device>
                counter(*flag);
            counter.store(1);
            it.barrier(sycl::access::fence_space::global_and_local);
            out[it.get_local_id(0)] = counter.load();
        });
    sycl::free(out, q);
    sycl::free(flag, q);
}
