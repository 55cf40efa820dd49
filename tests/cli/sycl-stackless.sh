#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-stackless.sh: kernels in C++ that wait have stackless entries where clang++ compiles
# them, and give the same answers with them as with stacks: barriers of groups and
# sub-groups, group algorithms, atomics of local accessors, functors, kernels in
# templates, two dimensions, and operations that keep a stack.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++

cat >many.cpp <<'END'
#include <sycl/sycl.hpp>
#include <cstdio>
#include <cstdlib>

struct backwards {
    int *a;
    sycl::local_accessor<int, 1> part;
    void operator()(sycl::nd_item<1> it) const
    {
        const size_t k = it.get_local_id(0);
        part[k] = a[it.get_global_id(0)];
        sycl::group_barrier(it.get_group());
        a[it.get_global_id(0)] = part[it.get_local_range(0) - 1 - k] + 1;
    }
};

template <int N> void move(sycl::queue &q, int *a, size_t n, size_t local)
{
    q.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> it) {
        const auto sg = it.get_sub_group();
        const unsigned lane = sg.get_local_linear_id();
        int v = a[it.get_global_id(0)];
        v += sycl::shift_group_left(sg, v, 1) * N;
        it.barrier(sycl::access::fence_space::local_space);
        v = sycl::permute_group_by_xor(sg, v, 1);
        v += sycl::select_from_group(sg, v, (lane + N) % sg.get_local_linear_range());
        a[it.get_global_id(0)] = v;
    });
}

template <class T>
using own = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                             sycl::access::address_space::local_space>;

void apart(sycl::queue &q);

int main(int, char **argv)
{
    sycl::queue q;
    if (argv[1][0] == 'a') {
        apart(q);
        return 0;
    }
    const size_t local = size_t(std::atoi(argv[1])), n = local * 5, side = 32;
    int *a = sycl::malloc_shared<int>(n, q);
    long *out = sycl::malloc_shared<long>(n, q);
    int *square = sycl::malloc_shared<int>(side * side, q);
    for (size_t i = 0; i < n; i++) {
        a[i] = int(i * 7 % 13);
    }
    move<1>(q, a, n, local);
    move<2>(q, a, n, local);
    q.submit([&](sycl::handler &h) {
        sycl::local_accessor<int> part(local, h);
        h.parallel_for(sycl::nd_range<1>(n, local), backwards{ a, part });
    });
    q.submit([&](sycl::handler &h) {
        sycl::local_accessor<short> s(local, h);
        sycl::local_accessor<double, 2> d({ local, 2 }, h);
        sycl::local_accessor<int> counter(1, h);
        h.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> it) {
            const auto g = it.get_group();
            const size_t k = it.get_local_id(0), i = it.get_global_id(0);
            s[k] = short(a[i]);
            d[k][1] = a[i] * 0.5;
            counter[0] = 0;
            sycl::group_barrier(g);
            const double next = d[(k + 1) % it.get_local_range(0)][1];
            long x = sycl::reduce_over_group(g, a[i], sycl::plus<int>());
            x += 3 * long(sycl::reduce_over_group(g, next, sycl::maximum<double>()));
            x += sycl::exclusive_scan_over_group(g, long(a[i]), sycl::plus<long>());
            x += sycl::reduce_over_group(g, 1 + int(k & 1), sycl::multiplies<int>());
            x += sycl::any_of_group(g, a[i] > 20);
            x += sycl::group_broadcast(g, a[i], 1);
            if (k % 3 == 0) {
                sycl::atomic_ref<int, sycl::memory_order::relaxed,
                                 sycl::memory_scope::work_group>(counter[0])++;
            }
            it.barrier();
            for (int round = 0; round < 3; round++) {
                if (round == int(i & 1)) {
                    s[k] = short(s[k] + round);
                }
                sycl::group_barrier(g);
            }
            out[i] = x + s[(k + 5) % it.get_local_range(0)] + counter[0];
        });
    });
    q.submit([&](sycl::handler &h) {
        sycl::local_accessor<int, 2> tile({ 8, 8 }, h);
        h.parallel_for(sycl::nd_range<2>({ side, side }, { 8, 8 }),
                       [=](sycl::nd_item<2> it) {
            const size_t y = it.get_local_id(0), x = it.get_local_id(1);
            tile[y][x] = int(it.get_global_linear_id());
            it.barrier(sycl::access::fence_space::local_space);
            square[it.get_global_linear_id()] = tile[x][y];
        });
    });
    // All items of a group change one word, at a scope for which they take turns.
    q.submit([&](sycl::handler &h) {
        sycl::local_accessor<int> slot(local, h), taken(local, h), next(1, h);
        sycl::local_accessor<float> most(1, h);
        h.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> it) {
            const auto g = it.get_group();
            const size_t k = it.get_local_id(0);
            taken[k] = 0;
            next[0] = 0;
            most[0] = 0;
            sycl::group_barrier(g);
            slot[k] = own<int>(next[0]).fetch_add(1);
            sycl::group_barrier(g);
            taken[size_t(slot[k])] = 1;
            sycl::group_barrier(g);
            float seen = 0;
            while (seen < float(k)
                   && !own<float>(most[0]).compare_exchange_strong(seen, float(k))) {
            }
            sycl::group_barrier(g);
            out[it.get_global_id(0)] += taken[k] * 1000 + long(most[0]);
        });
    });
    unsigned long sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum = sum * 31 + unsigned(a[i]) + (unsigned long)out[i];
    }
    for (size_t i = 0; i < side * side; i++) {
        sum = sum * 7 + unsigned(square[i]);
    }
    std::printf("%lu\n", sum);
}
END
cat >other.cpp <<'END'
#include <sycl/sycl.hpp>
template <int N> void move(sycl::queue &q, int *a, size_t n, size_t local);
template <int N> void unused(sycl::queue &q, int *a)
{
    q.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> it) {
        sycl::group_barrier(it.get_group());
        a[it.get_global_id(0)] = N;
    });
}
void other(sycl::queue &q, int *a);
void other(sycl::queue &q, int *a)
{
    unused<3>(q, a);
}
void tree(sycl::queue &q, unsigned *sums, size_t n);
void tree(sycl::queue &q, unsigned *sums, size_t n)
{
    q.submit([&](sycl::handler &h) {
        sycl::local_accessor<unsigned> part(256, h);
        h.parallel_for(sycl::nd_range<1>(n, 256), [=](sycl::nd_item<1> it) {
            const size_t k = it.get_local_id(0);
            part[k] = sums[it.get_global_id(0)];
            for (size_t half = 128; half > 0; half /= 2) {
                sycl::group_barrier(it.get_group());
                if (k < half) {
                    part[k] += part[k + half];
                }
            }
            sums[it.get_global_id(0)] = part[0];
        });
    });
}
void apart(sycl::queue &q);
void apart(sycl::queue &q)
{
    int *a = sycl::malloc_shared<int>(8, q);
    q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> it) {
        if (it.get_local_id(0) < 4) {
            sycl::group_barrier(it.get_group()); // first
        } else {
            sycl::group_barrier(it.get_group()); // second
        }
        a[it.get_local_id(0)] = 1;
    });
}
END

# answers: what the program prints for groups of several sizes
answers()
{
    for local in 2 8 16 64 256; do
        ./many $local || bad "groups of $local: it fails" >&2
    done
}

# entries: how many kernels of the program have stackless entries
entries()
{
    nm many | grep -c ' t weir[0-9]*__stackless$'
}

# as_with_stacks: the entries, and the answers
as_with_stacks()
{
    test "$(entries)" -eq 9 || bad "$(entries) kernels have stackless entries, not 9"
    answers >given
    cmp -s given wanted || bad "not the answers that it gives with stacks"
}

compiles --no-instrument --no-stackless -O0 -c other.cpp
compiles --no-instrument --no-stackless -O0 many.cpp other.o -o ./many
answers >wanted
test "$(nm other.o | grep -c __stackless)" -eq 0 || bad "--no-stackless: there are such entries"
# One file in each of the two forms, and with all compilers also both in both.
compiles --fat -O3 -c other.cpp
compiles --stackless -O1 many.cpp other.o -o ./many
as_with_stacks
if test "${WEIR_ALL_COMPILERS:-0}" = 1; then
    compiles --stackless -O2 -c other.cpp
    compiles --fat -O3 many.cpp other.o -o ./many
    as_with_stacks
fi

# Items that stop at one barrier run as vectors: the place that C++ has packed is a
# constant to weir-split.
step='vectors'
if test "$(uname -m)" = x86_64; then
    n=$(objdump -d --no-show-raw-insn other.o | awk '
        /^[0-9a-f]+ </ { here = $2 ~ /__split_together/ }
        here && /paddd/ { n++ }
        END { print n + 0 }')
    test "$n" -gt 0 || bad "no vectors are added"
fi

# A divergence in such an entry is a finding on the program's lines.
step='a divergence'
status=0
./many apart >"$out" 2>"$err" || status=$?
test $status -ne 0 || bad "a divergence throws nothing"
warns "^  items 0-3 +waiting +other.cpp:$(sed -n '/ first$/=' other.cpp) " \
    "^  items 4-7 +waiting +other.cpp:$(sed -n '/ second$/=' other.cpp) "
finish
