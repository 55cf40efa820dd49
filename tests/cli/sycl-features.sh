#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-features.sh: what of SYCL 2020 the header has, by programs that print the values
# that the specification says; and what it has not fails to compile, with a message that
# names it. Few files, as each compilation costs seconds.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++ g++

# shows PROGRAM FILE: it prints what the file holds
shows()
{
    step="$1 by $CXX"
    status=0
    "./$1" >"$out" 2>"$err" || status=$?
    ends_with 0
    cmp -s "$out" "$2" || bad "it does not print what $2 holds: $(diff "$out" "$2")"
}

# On the host: selectors, bundles, properties, spans, indices, swizzles. Nothing but
# <sycl/sycl.hpp> is included: programs take more from it.
cat >host.cpp <<'END'
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>
struct half { // the name is the program's own, but where it includes CL/sycl.hpp
};
using namespace sycl;
class add;
constexpr specialization_id<int> factor(3);
constexpr specialization_id<float> half_of(0.5f);
int main()
{
    queue q{ default_selector_v, { property::queue::in_order{} } };
    queue profiled({ property::queue::enable_profiling() });
    queue third{ q.get_context(), q.get_device(), [](exception_list) {} };
    std::cout << q.is_in_order() << profiled.has_property<property::queue::enable_profiling>()
              << third.is_in_order() << "\n";

    // All of the first and none of the second.
    queue by_aspects{ aspect_selector(std::vector{ aspect::fp64 }) };
    try {
        queue none{ aspect_selector(std::vector{ aspect::fp64 }, std::vector{ aspect::cpu }) };
        std::cout << "selected\n";
    } catch (const exception &e) {
        std::cout << (e.code() == errc::runtime) << "\n";
    }

    auto id_of = get_kernel_id<add>();
    auto bundle = get_kernel_bundle<bundle_state::executable>(q.get_context(),
                                                              { q.get_device() }, { id_of });
    kernel k = bundle.get_kernel(id_of);
    namespace of = info::kernel_device_specific;
    std::cout << k.get_info<of::work_group_size>(q.get_device()) << " "
              << k.get_info<of::preferred_work_group_size_multiple>(q.get_device()) << " "
              << (q.get_device().get_info<info::device::max_work_group_size>()
                  == k.get_info<of::work_group_size>(q.get_device()))
              << "\n";

    // A constant of a launch: the default, what the handler sets, what a bundle holds.
    int *out = malloc_shared<int>(6, q);
    auto input = get_kernel_bundle<bundle_state::input>(q.get_context());
    input.set_specialization_constant<factor>(7);
    auto built = build(input);
    for (int way = 0; way < 3; way++) {
        q.submit([&](handler &h) {
            if (way == 1) {
                h.set_specialization_constant<factor>(5);
            } else if (way == 2) {
                h.use_kernel_bundle(built);
            }
            h.parallel_for(range<1>(2), [=](id<1> i, kernel_handler kh) {
                out[2 * way + int(i)] = kh.get_specialization_constant<factor>() * 10
                    + int(2 * kh.get_specialization_constant<half_of>());
            });
        });
    }
    q.wait();
    for (int i = 0; i < 6; i++) {
        std::cout << out[i] << (i < 5 ? " " : "\n");
    }
    free(out, q);

    // Bundles of some kernels; a constant that the bundle has is not the handler's.
    class multiply;
    const auto of_context = q.get_context();
    const auto first = get_kernel_id<add>(), second = get_kernel_id<multiply>();
    constexpr auto state = bundle_state::input;
    kernel_bundle adds = get_kernel_bundle<state>(of_context, { first });
    kernel_bundle multiplies
        = get_kernel_bundle<state>(of_context, { q.get_device() },
                                   [=](const device_image<state> &image) {
                                       return image.has_kernel(second);
                                   });
    kernel_bundle both = join(std::vector{ adds, multiplies }), same = adds;
    std::cout << adds.has_kernel(first) << adds.has_kernel(second)
              << multiplies.has_kernel<multiply>() << both.has_kernel(first)
              << both.get_kernel_ids().size() << (both.end() - both.begin())
              << (same == adds) << (both == adds);
    const auto is = [](errc code, auto f) {
        try {
            f();
        } catch (const exception &wrong) {
            return wrong.code() == code;
        }
        return false;
    };
    std::cout << is(errc::invalid, [&] { build(adds).get_kernel(second); })
              << is(errc::invalid,
                    [&] {
                        q.submit([&](handler &h) {
                            h.use_kernel_bundle(built);
                            h.set_specialization_constant<factor>(5);
                        });
                    })
              << is(errc::feature_not_supported, [&] {
                     q.get_device()
                         .create_sub_devices<info::partition_property::partition_equally>(2);
                 })
              << is(errc::feature_not_supported, [&] {
                     q.get_device().get_info<ext::intel::info::device::pci_address>();
                 })
              << q.get_device().has(aspect::ext_intel_pci_address)
              << q.get_device().get_info<info::device::usm_shared_allocations>() << "\n";

    // Names of SYCL 1.2.1; sizes of any number; a selector that is not constant.
    enum { five = 5 };
    vector_class<cl_int> list(2);
    cl_float2 pair(1.5f);
    pair = 2;
    struct chooses {
        int asked = 0;
        int operator()(const device &)
        {
            return ++asked;
        }
    };
    queue chosen{ chooses() };
    std::cout << range<2>(2.5, five)[0] << id<1>(five)[0] << list.size() << pair[1]
              << CHAR_BIT << std::isnan(float(nan(ushort2(1))[1])) << "\n";

    std::mutex mutex;
    std::array<int, 4> data = { 1, 2, 3, 4 };
    {
        buffer b(data.data(), range<1>(4), { property::buffer::use_mutex{ mutex } });
        std::cout << (b.get_property<property::buffer::use_mutex>().get_mutex_ptr() == &mutex)
                  << b.has_property<property::buffer::use_host_ptr>() << "\n";
        q.submit([&](handler &h) {
            auto a = b.get_access(h, range(2), id(1), read_write);
            h.parallel_for(range(2), [=](id<1> i) { a[i] *= 10; });
        });
    }
    span<int, 4> all{ data.data(), 4 };
    span tail = all.subspan(1);
    std::cout << all.size() << tail.front() << tail[1] << tail.size_bytes() << " " << data[3]
              << "\n";

    id<2> at(3, 4);
    id<2> before = at++;
    --at;
    std::cout << (before == at) << (++at)[1] << "\n";

    int4 v{ 1, 2, 3, 4 };
    int4 w = v.wzyx(), c = v.abgr();
    int2 rr = v.rr();
    v.xz() = int2(8, 9);
    std::cout << w[0] << w[3] << c[0] << c[2] << rr[1] << v[0] << v[2] << "\n";
    ext::oneapi::experimental::printf("%d %s\n", 12, "printed");
}
END
cat >host.out <<'END'
110
1
1024 16 1
31 31 51 51 71 71
10112210111101
252281
10
4203012 4
15
4142189
12 printed
END

# In kernels: memory that a call asks for, values that are not words, functions. It is
# checked, too: nothing that the header does may be seen.
cat >device.cpp <<'END'
#include <sycl/ext/oneapi/experimental/graph.hpp> // has all of <sycl/sycl.hpp>
using namespace sycl;
struct large {
    int of[40];
};
constexpr specialization_id<large> table(large{ { 3, 1, 4 } });
template <> struct sycl::is_device_copyable<std::pair<float, int>> : std::true_type {
};
namespace x = ext::oneapi::experimental;
x::device_global<const float[3]> thirds{ 1.5f, 2.5f, 3.5f };
x::device_global<int> one{ 4 };
x::device_global<int[8], decltype(x::properties{ x::device_image_scope })> results;
template <access::address_space S, class P, class = void> constexpr bool loads = false;
template <access::address_space S, class P>
constexpr bool loads<S, P,
                     std::void_t<decltype(std::declval<const sub_group &>().load<int, S>(
                         std::declval<P>()))>> = true;
template <class T> void show(const T *values, int n)
{
    for (int i = 0; i < n; i++) {
        std::cout << values[i] << (i + 1 < n ? " " : "\n");
    }
}
/* Extensions of DPC++. @wrong: a variable is written by all items, and of a graph's three
 * commands the last waits for none. */
void extensions(queue &q, bool wrong)
{
    int *out = malloc_shared<int>(16, q), *in = malloc_shared<int>(16, q), six = 6;
    q.parallel_for(16, [=](id<1> i) { in[i] = int(i); }).wait();
    q.memcpy(one, &six).wait();
    x::properties chosen{ x::sub_group_size<8>, x::work_group_size<8>,
                          x::work_group_scratch_size(8 * sizeof(int)) };
    q.submit([&](handler &h) {
        x::work_group_memory<int[8]> mine(h);
        accessor<int, 1, access_mode::atomic, target::local> votes(1, h);
        h.parallel_for(nd_range<1>(8, 8), chosen, [=](nd_item<1> it) {
            const auto me = ext::oneapi::this_work_item::get_nd_item<1>();
            const auto all = it.get_group();
            const int k = int(me.get_local_id(0));
            auto *scratch = static_cast<int *>(x::get_work_group_scratch_memory());
            scratch[k] = 10 * k;
            mine[k] = k;
            if (ONEAPI::leader(all)) {
                votes[0].store(0);
            }
            group_barrier(x::this_group<1>());
            votes[0].fetch_add(1);
            const auto piece = x::get_fixed_size_group<4>(it.get_sub_group());
            const auto alone = x::this_kernel::get_opportunistic_group();
            int blocked[2], striped[2];
            x::group_load(all, in, span(blocked));
            x::group_load(all, in, span(striped),
                          x::properties{ x::data_placement_striped });
            x::group_store(all, blocked[1] + striped[1], out + 8);
            const int sum = reduce_over_group(piece, k, plus<>());
            const bool five = any_of_group(piece, k == 5);
            const int eight = ONEAPI::reduce(all, 1, ONEAPI::plus<>());
            int of_pointers = ONEAPI::reduce(all, in, in + 16, ONEAPI::plus<>());
            group_barrier(all);
            if (wrong) {
                one = 6; // written
            }
            out[k] = scratch[7 - k] + mine[7 - k] + (wrong ? 6 : one) + 100 * sum + 10000 * five
                + 100000 * (eight == 8) + 1000000 * (of_pointers == 120)
                + 2000000 * (reduce_over_group(alone, k, plus<>()) == k)
                + 4000000 * (votes[0].load() == 8) + 8000000 * (int(me.get_global_id(0)) == k);
            results[k] = out[k];
        });
    }).wait();
    int of_host[8];
    q.copy(results, of_host).wait();
    show(of_host, 8);
    show(out + 8, 8);
    q.parallel_for(8, [=](id<1> i) {
        out[i] = int(2 * thirds[i % 3]) + ext::oneapi::dot_acc(0x01ff0203, 0x01010101, 0);
    });
    q.wait();
    show(out, 4);

    x::command_graph graph(q.get_context(), q.get_device());
    graph.begin_recording(q);
    event filled = q.fill(in, 3, 8); // filled
    event added = q.parallel_for(8, filled, [=](id<1> i) { in[i] += int(i); });
    q.submit([&](handler &h) {
        h.depends_on(wrong ? std::vector<event>() : std::vector{ added });
        h.memcpy(out, in, 8 * sizeof(int)); // copied
    });
    graph.end_recording();
    auto runs = graph.finalize();
    q.ext_oneapi_graph(runs).wait();
    in[0] = out[0] = 0;
    q.submit([&](handler &h) { h.ext_oneapi_graph(runs); }).wait();
    show(out, 4);

    x::nd_launch(q, nd_range<1>(8, 4), [=](nd_item<1> it) {
        out[it.get_global_id(0)] = int(it.get_sub_group().get_local_linear_range());
    });
    q.wait();
    q.ext_oneapi_fill2d(out + 1, 4, 7, 2, 2).wait();
    show(out, 8);
    q.parallel_for(16, [=](id<1> i) { in[i] = int(i); }).wait();
    q.parallel_for(nd_range<1>(8, 8), x::properties{ x::sub_group_size<8> }, [=](nd_item<1> it) {
        const auto sub = it.get_sub_group();
        const auto two = sub.load<2, int>(in);
        sub.store<int>(out, sub.load<int>(in) + 10 * two[0] + 100 * two[1]);
    });
    q.wait();
    show(out, 8);
    q.parallel_for(nd_range<1>(8, 8), x::properties{ x::sub_group_size<8> }, [=](nd_item<1> it) {
        constexpr auto space = access::address_space::global_space;
        constexpr auto plain = access::decorated::no;
        const auto sub = it.get_sub_group();
        const auto from = address_space_cast<space, plain>(in);
        const auto to = address_space_cast<space, access::decorated::yes>(out);
        const auto two = sub.load<2, int, space>(from);
        const int one = sub.load<int, space, plain>(from) + sub.load(from);
        sub.store<2, int, space>(to, vec<int, 2>(one, two[1]));
        sub.store<int, space, access::decorated::yes>(to, sub.load(to) + 100 * two[0]);
        static_assert(loads<space, decltype(from)>
                      && !loads<access::address_space::local_space, decltype(from)>);
    });
    q.wait();
    show(out, 16);
    const auto is = [](errc code, auto f) {
        try {
            f();
        } catch (const exception &wrong) {
            return wrong.code() == code;
        }
        return false;
    };
    std::cout << is(errc::invalid, [&] { q.memcpy(one, of_host, 8); })
              << is(errc::invalid, [&] { q.ext_oneapi_memset2d(out, 4, 0, 5, 1); })
              << is(errc::invalid, [&] { filled.wait(); })
              << is(errc::nd_range,
                    [&] { q.parallel_for(nd_range<1>(8, 4), chosen, [=](nd_item<1>) {}); })
              << is(errc::kernel_not_supported,
                    [&] {
                        q.parallel_for(nd_range<1>(8, 4),
                                       x::properties{ x::sub_group_size<64> },
                                       [=](nd_item<1>) {});
                    })
              << "\n";
    free(out, q);
    free(in, q);
}
int main(int argc, char **)
{
    queue q;
    extensions(q, argc > 1);
    if (argc > 1) {
        return 0;
    }
    const char *unset = q.get_backend() == backend::opencl ? "opencl" : "weir";
    q.submit([&](handler &h) {
        h.host_task([=](interop_handle handle) {
            std::cout << unset << (handle.get_backend() == backend::ext_oneapi_cuda) << "\n";
        });
    });
    int *out = malloc_shared<int>(8, q), *last = malloc_shared<int>(8, q);
    q.submit([&](handler &h) {
        local_accessor<int, 0> total(h);
        h.set_specialization_constant<table>(large{ { 2, 7, 1 } });
        h.parallel_for(nd_range<1>(8, 4), [=](nd_item<1> it, kernel_handler kh) {
            auto g = it.get_group();
            const int me = int(it.get_local_id(0));
            if (g.leader()) {
                total = 100;
            }
            int sum = 0;
            for (int turn = 0; turn < 2; turn++) {
                auto &a = *ext::oneapi::group_local_memory_for_overwrite<int[4]>(g);
                a[me] = me + turn;
                group_barrier(g);
                sum += a[3 - me];
                group_barrier(g);
            }
            auto seven = ext::oneapi::group_local_memory<int>(g, 7);
            auto &zero = *ext::oneapi::group_local_memory<int[2][2]>(g);
            out[it.get_global_id(0)] = total + 10 * *seven + sum + zero[1][1];
            large mine{ { me, 10 * me } };
            last[it.get_global_id(0)] = group_broadcast(g, mine, 3).of[1]
                + kh.get_specialization_constant<table>().of[1];
        });
    });
    q.wait();
    show(out, 8);
    show(last, 8);

    auto *least = malloc_shared<std::pair<float, int>>(1, q);
    *least = { 100.0f, -1 };
    auto *values = malloc_shared<float>(8, q);
    for (int i = 0; i < 8; i++) {
        values[i] = float((5 * i + 3) % 8);
    }
    q.parallel_for(range<1>(8),
                   reduction(least, *least, minimum<std::pair<float, int>>()),
                   [=](id<1> i, auto &r) {
                       r.combine(std::pair<float, int>(values[i], int(i)));
                   });
    q.wait();
    std::cout << least->first << " at " << least->second << "\n";

    q.submit([&](handler &h) {
        local_accessor<int, 1> part(4, h), base(2, h);
        h.parallel_for_work_group(range<1>(2), range<1>(4), [=](group<1> g) {
            int total = 0;
            base[1] = 100;
            g.parallel_for_work_item(
                [&](h_item<1> it) { part[it.get_local_id(0)] = int(it.get_global_id(0)); });
            for (int i = 0; i < 4; i++) {
                total += part[i];
            }
            g.parallel_for_work_item(
                [&](h_item<1> it) { out[it.get_global_id(0)] = total + base[1]; });
        });
    });
    q.wait();
    show(out, 8);

    ext::oneapi::bfloat16 third(1.0f / 3);
    int quotient, sign;
    const float rest = remquo(7.0f, 2.0f, &quotient), l = lgamma_r(-0.5f, &sign);
    std::cout << third << " " << third + third << " " << rest << " " << quotient << " "
              << mad_sat(100, 1 << 30, 5) << " " << mad_sat(200u, 1u << 30, 5u) << " "
              << upsample((unsigned char)0x12, (unsigned char)0x34) << " "
              << std::isnan(nan(0u)) << " " << int(100 * l) << " " << sign << "\n";
}
END
cat >device.out <<'END'
15100683 15100672 15100661 15100650 15112239 15112228 15112217 15112206
9 12 15 18 21 24 27 30
8 10 12 8
3 4 5 6
4 7 7 4 4 7 7 4
800 911 1022 1133 1244 1355 1466 1577
0 102 204 306 408 510 612 714 8 9 10 11 12 13 14 15
11111
weir0
177 175 173 171 177 175 173 171
37 37 37 37 37 37 37 37
0 at 1
106 106 106 106 122 122 122 122
0.333984 0.667969 -1 4 2147483647 4294967295 4660 1 126 -1
END

# What programs use here and there. Copies by a group are tried in a pair: an argument
# leaves out the wait for one.
cat >rest.cpp <<'END'
#include <sycl/sycl.hpp>
#include <unordered_map>
#include <unordered_set>
using namespace sycl;
struct __attribute__((aligned(16))) aligned_four { // clang compiles in two steps for it
    int of[4];
};
template <class T> bool same(const T &a)
{
    T b(a);
    return a == b && std::hash<T>()(a) == std::hash<T>()(b);
}
template <class F> void shows_code(queue &q, F group)
{
    try {
        q.submit(group);
        std::cout << "none ";
    } catch (const exception &wrong) {
        std::cout << (wrong.code() == errc::kernel_argument) << " ";
    }
}
SYCL_EXTERNAL int twice(int x)
{
    return 2 * x;
}
int main(int argc, char **)
{
    static_assert(SYCL_LANGUAGE_VERSION >= 202012L);
    const bool waits = argc == 1;
    queue q;

    // Accessors of one element.
    buffer<int> b(4);
    {
        host_accessor<int, 0> a(b);
        a = 7;
    }
    q.submit([&](handler &h) {
        accessor<int, 0> a(b, h);
        h.single_task([=] {
            a = twice(a);
            int &first = a;
            first++;
        });
    });
    std::cout << host_accessor<int, 0, access_mode::read>(b) << "\n";

    // Hashes of what is compared by reference.
    event e = q.single_task([] {});
    host_accessor all(b);
    std::cout << same(q) << same(e) << same(b) << same(all) << same(q.get_device())
              << same(q.get_context()) << "\n";
    std::unordered_set<queue> queues{ q, queue(), q };
    std::unordered_map<event, int> numbers;
    numbers[e] = 1;
    std::cout << queues.size() << numbers.size() << "\n";

    // Halves and other numbers; elements of elements.
    half x(1.5f), y(2.0f), z = x * 2 + 1 - y;
    z += 1;
    z++;
    std::cout << float(z) << " " << x * 2.5 << " " << 2.0f * x << " " << (x < 2)
              << (2 * x == 3) << " " << 3 / x << "\n";
    int8 v(0, 1, 2, 3, 4, 5, 6, 7);
    v.lo().y() = 11;
    v.hi().odd().x() += 20;
    v.swizzle<7, 6>().swizzle<1>() = 60;
    int4 w = v.lo();
    std::cout << w.y() << " " << v.s5() << " " << v.s6() << " " << v.lo().hi().y() << " "
              << (v.lo() % 4)[3] << " " << (-v.lo()).w() << " " << v.even().size() << "\n";

    int *sum = malloc_shared<int>(2, q);
    sum[0] = sum[1] = 0;
    q.parallel_for(range<1>(10), reduction(sum, std::plus<int>()),
                   reduction(sum + 1, std::plus<>()), [=](id<1> i, auto &r, auto &t) {
                       r += int(i);
                       t++;
                   }).wait();
    std::cout << sum[0] << " " << sum[1] << "\n";

    // Commands without memory, or with too little.
    int *own = malloc_shared<int>(8, q);
    std::cout << "commands";
    try {
        q.memcpy(own, static_cast<void *>(nullptr), 4).wait();
    } catch (const exception &wrong) {
        std::cout << " " << (wrong.code() == errc::invalid);
    }
    buffer<int> small(2), large(3);
    try {
        q.submit([&](handler &h) {
            accessor from(large, h, read_only);
            accessor to(small, h, write_only);
            h.copy(from, to);
        });
    } catch (const exception &wrong) {
        std::cout << " " << (wrong.code() == errc::invalid) << "\n";
    }

    // Arguments that a kernel may not have, and those that it may.
    accessor<int> placed(large);
    shows_code(q, [&](handler &h) {
        local_accessor<int> l(3, h);
        h.parallel_for(3, [=](id<1> i) { l[i] = 1; });
    });
    shows_code(q, [&](handler &h) {
        local_accessor<int> l(3, h);
        h.parallel_for(nd_range<1>(3, 3), [=](nd_item<1> it) { l[it.get_local_id(0)] = 1; });
    });
    shows_code(q, [&](handler &h) { h.parallel_for(3, [=](id<1> i) { placed[i] = 1; }); });
    shows_code(q, [&](handler &h) {
        h.require(placed);
        h.parallel_for(3, [=](id<1> i) { placed[i] = 1; });
    });
    shows_code(q, [&](handler &h) {
        accessor a(large, h);
        q.parallel_for(3, [=](id<1> i) { a[i] = 1; });
    });
    buffer<int> middle(large, id<1>(1), range<1>(2));
    shows_code(q, [&](handler &h) {
        accessor a(middle, h);
        h.parallel_for(2, [=](id<1> i) { a[i] = 1; });
    });
    try {
        buffer<int> of_middle(middle, id<1>(0), range<1>(1));
    } catch (const exception &wrong) {
        std::cout << (wrong.code() == errc::invalid) << "\n";
    }

    // Sizes whose products are not numbers.
    const auto shows_size = [](auto f) {
        try {
            f();
            std::cout << " none";
        } catch (const exception &wrong) {
            std::cout << " "
                      << (wrong.code() == errc::nd_range
                          || wrong.code() == errc::memory_allocation);
        }
    };
    std::cout << "sizes";
    const std::size_t most = SIZE_MAX, third = std::size_t(1) << 22;
    shows_size([&] { q.parallel_for(range<1>(most), [=](id<1>) {}); });
    shows_size([&] {
        q.submit([&](handler &h) {
            h.parallel_for_work_group(range<1>(most / 8), range<1>(16), [=](group<1>) {});
        });
    });
    shows_size([&] { buffer<int, 3> none(range<3>(third, third, third)); });
    shows_size([&] {
        q.parallel_for(range<1>(most / 2), reduction(own, plus<int>()),
                       [=](id<1>, auto &sum) { sum += 1; });
    });
    shows_size([&] { q.parallel_for(range<1>(3), [=](id<1> i) { own[i] = 1; }).wait(); });
    std::cout << "\n";

    // What a command throws comes out where the program waits for it.
    queue hears = argc < 3 ? queue([](exception_list list) {
        std::cout << list.size() << " heard\n";
    })
                           : queue();
    hears.submit([&](handler &h) { h.host_task([] { throw std::runtime_error("late"); }); })
        .wait_and_throw();

    // What the program has not asked for comes out where the queue ends.
    sycl::event outlives;
    if (argc < 3) {
        const context of([](exception_list list) {
            std::cout << list.size() << " at the end of the queue\n";
        });
        queue ends(of, default_selector_v), copy = ends;
        outlives = ends.submit(
            [&](handler &h) { h.host_task([] { throw std::runtime_error("late"); }); });
        outlives.wait();
        ends = queue();
        std::cout << "not yet\n";
    }
    outlives.wait_and_throw();

    // The host's array while the buffer lives, after a wait; and if nothing is written back.
    int host_array[2] = { 1, 1 };
    {
        buffer to_array(host_array, range<1>(2));
        for (int turn = 0; turn < 3; turn++) {
            to_array.set_write_back(turn != 1);
            auto done = q.submit([&](handler &h) {
                accessor a(to_array, h, write_only);
                h.parallel_for(2, [=](id<1> i) { a[i] = turn + 2; });
            });
            turn == 0 ? q.wait() : done.wait();
            std::cout << host_array[1] << (turn < 2 ? " " : "\n");
        }
    }

    // The place that the elements go to may have no type, and need not be one.
    int anywhere[2] = { 1, 1 };
    for (void *to : { static_cast<void *>(anywhere), static_cast<void *>(nullptr) }) {
        buffer away(host_array, range<1>(2));
        away.set_final_data(to);
        q.submit([&](handler &h) {
            accessor a(away, h, write_only);
            h.parallel_for(2, [=](id<1> i) { a[i] = to != nullptr ? 5 : 6; });
        });
    }
    std::cout << anywhere[1] << " " << host_array[1] << "\n";

    // The reduction of an accessor, a ballot, an address that is printed, the bits of a
    // number, and memory whose alignment its declaration states.
    int counted = 1, *page = static_cast<int *>(std::aligned_alloc(4096, 4096));
    {
        buffer of_all(&counted, range<1>(1));
        q.submit([&](handler &h) {
            accessor a(of_all, h, read_write);
            h.parallel_for(nd_range<1>(64, 32), ONEAPI::reduction(a, ONEAPI::plus<>()),
                           [=](nd_item<1> it, auto &s) {
                               const auto yes = ext::oneapi::group_ballot(
                                   it.get_sub_group(), it.get_local_id(0) % 4 == 0);
                               s += int(yes.count());
                           });
        });
        q.submit([&](handler &h) {
            stream printed(1024, 80, h);
            accessor a(of_all, h, read_only);
            h.single_task([=] {
                const auto at = a.get_multi_ptr<access::decorated::no>();
                if (at.get() != &a[0]) {
                    printed << at << endl;
                }
            });
        });
    }
    std::cout << counted << " " << (bit_cast<std::uint32_t>(1.0f) == 0x3f800000) << " "
              << (reinterpret_cast<std::uintptr_t>(page) % 4096) << "\n";
    std::free(page);

    // Copies by a group: every second element, and then back in reverse.
    int *out = malloc_shared<int>(16, q);
    std::vector<int> in(32);
    std::iota(in.begin(), in.end(), 0);
    {
        buffer from(in);
        q.submit([&](handler &h) {
            accessor a(from, h, read_only);
            local_accessor<int> l(8, h);
            h.parallel_for(nd_range<1>(16, 8), [=](nd_item<1> it) {
                const auto g = it.get_group();
                const auto mine = l.get_multi_ptr<access::decorated::yes>();
                device_event copied = it.async_work_group_copy( // copy
                    mine, a.get_multi_ptr<access::decorated::yes>() + 16 * g[0], 8, 2);
                if (waits) {
                    it.wait_for(copied);
                }
                const int other = l[7 - it.get_local_id(0)]; // read
                group_barrier(g);
                l[it.get_local_id(0)] = other;
                group_barrier(g);
                g.async_work_group_copy(decorated_global_ptr<int>(out + 8 * g[0]), mine, 8)
                    .wait();
            });
        }).wait();
    }
    for (int i = 0; i < 16; i++) {
        std::cout << out[i] << (i < 15 ? " " : "\n");
    }
}
END
cat >rest.out <<'END'
15
111111
21
4 3.75 3 11 2
11 25 60 3 3 -3 4
45 10
commands 1 1
1 none 1 none 1 none 1
sizes 1 1 1 1 none
1 heard
not yet
1 at the end of the queue
2 2 4
5 4
257 1 0
14 12 10 8 6 4 2 0 30 28 26 24 22 20 18 16
END

# The flags of DPC++ that mean nothing here go, with their arguments, and some have another
# name; what asks for a device's code, an FPGA or a library that is not there is refused.
takes()
{
    step="weir-c++ $*"
    status=0
    "$compiler" --show "$@" a.cpp -o a >"$out" 2>"$err" || status=$?
}
takes -fsycl -fsycl-targets=spir64 -fsycl-device-code-split=per_kernel -Xs '-DX=1' \
    -fsycl-unnamed-lambda -fsycl-id-queries-fit-in-int -Xsycl-target-backend --arch=sm_70 \
    -fp-model=precise -qopenmp --gcc-toolchain= -lsycl -DKEPT -I -fsycl
ends_with 0
grep -q -e '-fopenmp .*-DKEPT -I -fsycl.* a.cpp' "$out" || bad "it does not keep the others"
! sed 's/-I -fsycl//' "$out" | grep -e -fsycl -e sm_70 -e -DX -e fp-model -e toolchain \
    -e -lsycl -e qopenmp || bad "it keeps a flag of DPC++"
for refused in -fsycl-device-only:separate -fintelfpga:FPGA -fsycl-targets=spir64_fpga:FPGA \
    -qmkl=parallel:libraries -Xs:missing; do
    status=0
    "$compiler" --show a.cpp "${refused%:*}" >"$out" 2>"$err" || status=$?
    step="weir-c++ ${refused%:*}"
    ends_with 2
    warns "${refused#*:}"
done

for CXX in $compilers; do
    compiles $stacks $level -Wpedantic -fsycl -Xsycl-target-backend --arch=sm_70 host.cpp \
        -o ./host
    compiles $stacks $level -Wpedantic device.cpp -o ./device
    compiles $stacks $level -Wpedantic rest.cpp -o ./rest
    for program in host device rest; do
        shows $program $program.out
        weir_ends 0 check --runs 4 -- ./$program
        says "^4 runs of ./$program: no findings$"
    done
    step="an exception that nothing hears, by $CXX"
    status=0
    ./rest not heard >"$out" 2>"$err" || status=$?
    ends_with 134
    grep -q '^SYCL: asynchronous exception: late$' "$err" || bad "it does not say what is late"
    weir_ends 1 check --no-fixes --runs 1 -- ./device wrong
    at()
    {
        printf 'device.cpp:%s ' "$(awk -v what="// $1\$" '$0 ~ what { print NR }' device.cpp)"
    }
    says '^data race in kernel .*: one\[0\]' "$(at written)" \
        '^data race between kernel .* and memcpy: in\[0\]' "$(at copied)" ': 2 findings$'
    weir_ends 1 check --runs 1 -- ./rest unwaited
    says '^data race in kernel .*: l\[' "rest.cpp:$(awk '/ copy$/ { print NR }' rest.cpp) " \
        "rest.cpp:$(awk '/ read$/ { print NR }' rest.cpp) " ': 1 finding$'
done

# What is not there, all in one compilation: a message for the line of each.
cat >texts <<'END'
#include <sycl/sycl.hpp>
int main()
{
    sycl::queue q;
    sycl::image<2> i(nullptr, 1, 2, 3); // no images and samplers
    sycl::sampler s; // no images and samplers
    (void)sycl::get_native<sycl::backend::opencl>(q); // only back end
    std::string c; q.single_task([=] { (void)c.size(); }); // not device copyable
    int *s2 = nullptr; sycl::ext::oneapi::experimental::joint_sort(q, s2, s2); // no sorts of a group
    sycl::ext::intel::pipe<int, int, 4> p; (void)p; // no pipes
    sycl::ext::oneapi::experimental::annotated_ptr<int> g(s2); // no annotated pointers
    q.parallel_for(4, [=](sycl::id<1>) { (void)sycl::ext::oneapi::experimental::this_item<1>(); }); // has no range without them
    (void)sycl::ext::oneapi::experimental::get_tangle_group(q); // no groups of the items that take the same branch
    short n = 0; sycl::atomic_ref<short, sycl::memory_order::relaxed, sycl::memory_scope::device> a(n); (void)a; // atomic_ref takes int
    sycl::image<1> l(s2, sycl::image_channel_order::luminance, sycl::image_channel_type::unorm_short_565, 4, sycl::image_allocator()); // no images and samplers
}
END
sed 's, *//.*,,' texts >missing.cpp # compilers show the line
step="what is missing, by $CXX"
status=0
"$compiler" -fsyntax-only missing.cpp >"$out" 2>"$err" || status=$?
test $status -ne 0 || bad "it compiles"
# clang++ states after a message what the line is, and g++ before it.
begins=' error: '
grep -q 'In instantiation of' "$err" && begins=': In '
for number in $(seq 5 15); do
    text=$(sed -n "$number s,.*// ,,p" texts)
    awk -v begins="$begins" -v place="missing.cpp:$number:" -v text="$text" '
        index($0, begins) { if (at && says) ok = 1; at = says = 0 }
        index($0, place) { at = 1 }
        index($0, text) { says = 1 }
        END { exit !(ok || at && says) }' "$err" || bad "no message says '$text' of line $number"
done
echo '#include <sycl/ext/intel/esimd.hpp>' >missing.cpp
status=0
"$compiler" -fsyntax-only missing.cpp >"$out" 2>"$err" || status=$?
test $status -ne 0 || bad "a missing header compiles"
warns 'Weir has no <sycl/ext/intel/esimd.hpp>'
finish
