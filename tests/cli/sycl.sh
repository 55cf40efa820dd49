#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl.sh: SYCL programs compile, print their answers, and are judged as C is: each example
# is clean, and with one mistake the finding names the user's lines, the kernel and the
# variables, and nothing of the header. All of these programs are joined to one.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers g++ clang++

programs=

# wrong NAME EXAMPLE SED: NAME.cpp is the example with a change, which must change something
wrong()
{
    step="$1: $2, '$3'"
    sed "$3" "$examples/$2.cpp" >"$1.cpp"
    status=0
    ! cmp -s "$1.cpp" "$examples/$2.cpp" || bad "the change changes nothing"
    programs="$programs $1"
}

# checks NAME: the program has findings. Fixes are the subject of sycl-fixes.sh.
checks()
{
    name=$1
    weir_ends 1 check --runs 4 -- ./all "$name"
    ! grep -q 'sycl/weir/\|/include/c++/' "$out" || bad "it shows a line of the header"
}

# at PATTERN [N]: the number of the N-th line of the program that has it
at()
{
    grep -n "$1" "$name.cpp" | sed -n "${2:-1}s/:.*//p"
}

# throws NAME: a fast launch ends the program, which says why
throws()
{
    name=$1
    step="./all $name"
    status=0
    ./all "$name" >"$out" 2>"$err" || status=$?
    test $status -ne 0 || bad "it throws nothing"
}

for example in global_atomics single_group_tree last_group multiblock histogram \
    single_happens_before article; do
    cp "$examples/$example.cpp" .
    programs="$programs $example"
done
right=$programs
wrong plain global_atomics 's/total += numbers/*sum += numbers/'
wrong nested global_atomics \
    's/total += .*/auto outer = [=](int v) { auto inner = [=](int w) { *sum += w; }; inner(v); };\n outer(numbers[i]);/'
wrong no_barrier single_group_tree '/part\[lid\] = mine;/{n;d}'
wrong branch single_group_tree 's/if (lid < stride) {/if (lid < stride) { sycl::group_barrier(it.get_group());/'
wrong relaxed last_group 's/memory_order::acq_rel/memory_order::relaxed/'
wrong narrow last_group 's/memory_scope::device/memory_scope::work_group/'
wrong behind_end multiblock 's/in\[base + k/in[base + 1 + k/'
wrong unset histogram 's/mine\[lid\] = 0;//'
wrong unacquired single_happens_before 's/ready.load() == 0/ready.load(sycl::memory_order::relaxed) == 0/'

# A recursion that ends too late: in the hooks, since its own frames are small.
cat >recursion.cpp <<'END'
#include <sycl/sycl.hpp>
static __attribute__((noinline)) int deeper(volatile int *at, int n)
{
    return n == 0 ? *at : deeper(at, n - 1) + 1;
}
int main()
{
    sycl::queue q;
    int *out = sycl::malloc_shared<int>(1, q);
    q.single_task([=]() {
        out[0] = 0;
        out[0] = deeper(out, 100000);
    });
    q.wait();
    sycl::free(out, q);
}
END

# A variable of each item, which outlives one loop over the items of a group.
cat >variables.cpp <<'END'
#include <sycl/sycl.hpp>
#include <iostream>
int main()
{
    sycl::queue q;
    int *own = sycl::malloc_shared<int>(8, q);
    q.submit([&](sycl::handler &h) {
        h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(4),
                                  [=](sycl::group<1> g) {
            sycl::private_memory<int> mine(g);
            g.parallel_for_work_item(
                [&](sycl::h_item<1> it) { mine(it) = int(it.get_global_id(0)); });
            g.parallel_for_work_item(
                [&](sycl::h_item<1> it) { own[it.get_global_id(0)] = 10 * mine(it); });
        });
    }).wait();
    std::cout << own[0] << " " << own[7] << "\n";
    sycl::free(own, q);
}
END

# A kernel with a name has it in the report, and a local size that does not divide is an
# exception.
cat >named.cpp <<'END'
#include <sycl/sycl.hpp>
#include <cstdio>
int main()
{
    sycl::queue q;
    int *x = sycl::malloc_shared<int>(1, q);
    q.parallel_for<class everybody_writes>(4, [=](sycl::id<1> i) { *x = int(i); });
    try {
        q.parallel_for(sycl::nd_range<1>(10, 4), [=](sycl::nd_item<1>) {});
    } catch (const sycl::exception &e) {
        std::printf("%d: %s\n", e.code() == sycl::errc::nd_range, e.what());
    }
    sycl::free(x, q);
}
END

# A source outside the sub-group is a finding of a fast launch, too, at its line.
cat >outside.cpp <<'END'
#include <sycl/sycl.hpp>
int main()
{
    sycl::queue q;
    int *x = sycl::malloc_shared<int>(8, q);
    q.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> it) {
        x[it.get_global_id(0)] = sycl::group_broadcast(it.get_group(), 1, 9);
    });
}
END

# Two files of a program may include the header, by either name.
cat >other.cpp <<'END'
#include <sycl/sycl.hpp>
namespace both
{
int other(sycl::queue &q);
}
int both::other(sycl::queue &q)
{
    int *x = sycl::malloc_shared<int>(1, q);
    q.single_task([=] { *x = 7; }).wait();
    int result = *x;
    sycl::free(x, q);
    return result;
}
END
cat >both.cpp <<'END'
#include <CL/sycl.hpp>
#include <cstdio>
int other(cl::sycl::queue &q);
int main()
{
    cl::sycl::queue q;
    std::printf("%d\n", other(q));
}
END
# shellcheck disable=SC2086
joins $programs recursion variables named outside both

for CXX in $compilers; do
    # Each example alone, too, which needs its own includes.
    test "${WEIR_ALL_COMPILERS:-0}" = 0 || for example in $right; do
        compiles --no-instrument -Wpedantic -fsyntax-only "$examples/$example.cpp"
    done
    compiles $stacks -O1 -Wpedantic all.cpp other.cpp -o ./all
    for example in $right; do
        prints "$(cat "$examples/$example.out")" ./all $example
        weir_ends 0 check --runs 4 -- ./all $example
        says '^4 runs of ./all: no findings$'
    done

    # The answer is written by a plain addition.
    checks plain
    says "^data race in kernel 'plain.cpp:18', .*: sum\\[0\\]" \
        "plain.cpp:$(at '\*sum += numbers') "

    # In a lambda that another one calls.
    checks nested
    says "^data race in kernel 'nested.cpp:18', .*: sum\\[0\\]" \
        "^    called from operator\(\) at nested.cpp:$(at 'inner(v)')\$" \
        "^    called from kernel nested.cpp:18 at nested.cpp:$(at ' outer(numbers')\$"

    # No barrier before the tree.
    checks no_barrier
    says "^data race in kernel 'no_barrier.cpp:[0-9]*', group \\(0,0,0\\)" \
        "^  write .*[ /]no_barrier.cpp:$(at 'part\[lid\] = mine') " \
        "^  read .*[ /]no_barrier.cpp:$(at 'part\[lid\] += ') "

    # A barrier that half of the group reaches. A fast launch says so, too, and throws.
    checks branch
    says "^barrier divergence in kernel" "waiting .*branch.cpp:$(at 'lid < stride) { sycl') "
    throws branch
    warns "^  items 0-3  waiting  (./)?branch.cpp:$(at 'lid < stride) { sycl') " \
        "^  items 4-7  waiting  (./)?branch.cpp:$(at group_barrier 3) "

    # The partial sums are not released.
    checks relaxed
    says "^data race in kernel .*: partial\\[0\\]" \
        "relaxed.cpp:$(at 'partial\[it.get_group(0)\] =') " \
        "relaxed.cpp:$(at 'total += partial') "

    # The counter's scope leaves the other groups out.
    checks narrow
    says "^scope race in kernel" "narrow.cpp:$(at 'counter.fetch_add(1)')\\)"

    # An element after the end.
    checks behind_end
    says "^out-of-bounds read in kernel .*: .*input" "behind_end.cpp:$(at 'mine += in\[base') "

    # Bins that no item sets to 0.
    checks unset
    says "^uninitialized-read in kernel .*: read of mine\\[" "unset.cpp:$(at 'bin++;') "

    # A flag that is not acquired.
    checks unacquired
    says "^data race in kernel" "unacquired.cpp:$(at '\*seen = data\[0\]') "

    prints '0 70' ./all variables
    weir_ends 0 check --runs 4 -- ./all variables
    says '^4 runs of ./all: no findings$'

    checks recursion
    says "^stack overflow in kernel" "^  item 0 .*[ /]recursion.cpp:[23] "
    weir_ends 1 check --runs 1 -- ./all named
    says "^data race in kernel '(named::)?everybody_writes'" \
        '^1: local size 4 does not divide global size 10 in dimension 0$'
    throws outside
    warns '^sycl::group_broadcast in kernel .outside.cpp:6.*the source of item 0 lies outside' \
        '^  item 0 .*[ /]outside.cpp:7 '
    prints 7 ./all both
done

# weir-c++ refuses what it does not do.
if command -v g++ >/dev/null 2>&1; then
    step='weir-c++ --stackless'
    status=0
    CXX=g++ "$compiler" --stackless -O1 other.cpp -c >"$out" 2>"$err" || status=$?
    ends_with 2
    warns '^weir-c[+][+]: --stackless: g[+][+] names lambdas differently'
fi
finish
