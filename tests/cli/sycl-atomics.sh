#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-atomics.sh: additions whose results nothing uses are put off in fast launches. No
# result that is used is another one for that, whether the compiler drops unused results
# (-O2) or not (-O0), and no addition is lost.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers g++ clang++

cat >additions.cpp <<'END_OF_PROGRAM'
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>

constexpr size_t n = 1 << 14, items = 64;

template <class T>
using relaxed = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

static int wrong;

static void expect(bool right, const char *what)
{
    if (!right) {
        std::printf("wrong: %s\n", what);
        wrong++;
    }
}

// Whether the values are those from @first to @first + n - 1, in any order.
template <class T> static bool are_all(const T *values, long long first)
{
    std::vector<bool> seen(n);
    for (size_t i = 0; i < n; i++) {
        long long at = static_cast<long long>(values[i]) - first;
        if (at < 0 || at >= static_cast<long long>(n) || seen[static_cast<size_t>(at)]) {
            return false;
        }
        seen[static_cast<size_t>(at)] = true;
    }
    return true;
}

// What @act returns is used.
template <class T, class Act>
static void used(sycl::queue &q, const char *what, T start, long long first, T end, Act act)
{
    T *word = sycl::malloc_shared<T>(1, q), *results = sycl::malloc_shared<T>(n, q);
    *word = start;
    q.parallel_for(sycl::nd_range<1>(n, items), [=](sycl::nd_item<1> it) {
         results[it.get_global_id(0)] = act(relaxed<T>(*word));
     }).wait();
    expect(are_all(results, first), what);
    expect(*word == end, what);
    sycl::free(word, q);
    sycl::free(results, q);
}

// An item adds 1 and uses no result, then 1000 and uses it. Who has added 1000 has added
// 1 before.
static void mixed(sycl::queue &q)
{
    unsigned *words = sycl::malloc_shared<unsigned>(n / items, q);
    int *faults = sycl::malloc_shared<int>(1, q);
    *faults = 0;
    q.fill(words, 0u, n / items).wait();
    q.parallel_for(sycl::nd_range<1>(n, items), [=](sycl::nd_item<1> it) {
         relaxed<unsigned> word(words[it.get_group(0)]);
         word += 1;
         unsigned before = word.fetch_add(1000);
         bool looks = it.get_local_id(0) % 8 == 7;
         if (before % 1000 < before / 1000 + 1
             || (looks && word.load() < before + 1000)) {
             relaxed<int>(*faults)++;
         }
     }).wait();
    expect(*faults == 0, "a result without an addition before it");
    for (size_t g = 0; g < n / items; g++) {
        expect(words[g] == 1001 * items, "the sum of a group");
    }
    sycl::free(words, q);
    sycl::free(faults, q);
}

int main()
{
    sycl::queue q;
    used<unsigned>(q, "fetch_add", 5, 5, n + 5, [](auto x) { return x.fetch_add(1); });
    used<int>(q, "fetch_sub", 0, 1 - static_cast<long long>(n), -static_cast<int>(n),
              [](auto x) { return x.fetch_sub(1); });
    used<unsigned long>(q, "x++", 0, 0, n, [](auto x) { return x++; });
    used<long>(q, "++x", -7, -6, n - 7, [](auto x) { return ++x; });
    used<long>(q, "--x", 0, -static_cast<long long>(n), -static_cast<long>(n),
               [](auto x) { return --x; });
    used<unsigned>(q, "+=", 0, 1, n, [](auto x) { return x += 1; });
    mixed(q);
    std::printf(wrong == 0 ? "right\n" : "wrong\n");
}
END_OF_PROGRAM

# Unused, the result costs nothing: the function that finds it is not called.
cat >unused.cpp <<'END_OF_PROGRAM'
#include <sycl/sycl.hpp>
void count(sycl::queue &q, unsigned *word, size_t n)
{
    q.parallel_for(sycl::range<1>(n), [=](sycl::id<1>) {
        sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(
            *word)++;
    });
}
END_OF_PROGRAM

for CXX in $compilers; do
    levels=-O2
    test "${WEIR_ALL_COMPILERS:-0}" = 0 || levels='-O0 -O2'
    for level in $levels; do
        compiles -g0 --no-instrument --no-stackless $level additions.cpp -o ./additions
        prints right ./additions
    done
    compiles -g0 --no-instrument --no-stackless -O2 -S unused.cpp -o unused.s
    ! grep -q weiri_combine_old unused.s || bad "a result that nothing uses is computed"
done
finish
