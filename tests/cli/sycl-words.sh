#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-words.sh: what is found in a SYCL program is reported in SYCL's words, with the
# names that the program gives its memory, and with the place of each operation. Each
# kernel of the program has one defect.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++ g++
source=$top_srcdir/tests/cli/sycl-words.cpp

# at PATTERN [N]: the number of the N-th line of the program that has it
at()
{
    grep -n "$1" "$source" | sed -n "${2:-1}s/:.*//p"
}

# checks KERNEL: it has findings, which name nothing of the header
checks()
{
    weir check --runs 1 -- ./words "$1"
    ends_with 1
    says_nothing_of 'sycl/weir/' 'weiri?_' '_Z[A-Z]' '<atomic>'
}

# The program's own folder may have the name of the header's.
mkdir -p sycl/weir
cat >sycl/weir/own.cpp <<'END'
#include <sycl/sycl.hpp>
int main()
{
    sycl::queue q;
    int *x = sycl::malloc_shared<int>(1, q);
    q.parallel_for(2, [=](sycl::id<1> i) { *x = int(i); }).wait();
    sycl::free(x, q);
}
END

for CXX in $compilers; do
    compiles $stacks -O1 "$source" -o ./words

    checks branch
    says "^barrier divergence in kernel 'branch', .* items are at the sycl::group_barrier\(it\.get_group\(\)\); the others have returned$"
    checks sub-group
    says 'items are at the sycl::group_barrier\(it\.get_sub_group\(\)\); '
    checks operands
    says 'items are at the sycl::group_broadcast; their arguments differ$'
    checks reduce
    says 'items are at the sycl::reduce_over_group; the others have returned$'
    checks product
    says 'items are at the group algorithm; the others have returned$'
    checks outside
    says "^sycl::group_broadcast in kernel 'outside', .* the source of item 0 lies outside"

    checks shifts
    says "^sycl::shift_group_left in kernel 'shifts', .* the distance 8 leaves no source for any item of the sub-group of 8 items; " \
        "^sycl::shift_group_right in kernel 'shifts', .* the distance 8 leaves no source for any item of the group of 8 items; "
    weir_ends 0 check --runs 1 -- ./words shifts-less

    # Kernels get the sub-groups that their sources require.
    step='required sub-groups'
    status=0
    ./words required >"$out" 2>"$err" || status=$?
    is_clean
    says "^16 32 8 8 16 1 kernel 'wide' requires sub-groups of 64 items; device 'default' has sub-groups of 8, 16, 32$"

    # Memory has the names of variables, of several that one line declares, too.
    checks locals
    says "^data race in kernel 'locals', group \(0,0,0\): left\[4\]$" \
        "^data race in kernel 'locals', group \(0,0,0\): right\[0\]" \
        '^  why  +no sycl::group_barrier\(it\.get_group\(\)\) lies between the two$'
    checks fresh
    says ': read of fresh\[0\] of 8 elements, which' \
        ': read of device\[0\] of 8 elements, which'
    checks large
    says 'use a smaller sycl::local_accessor or group$'
    checks freed
    says ': member\[0\] of 8 elements, which sycl::free\(\) has freed$'
    checks names
    says ': out\[1\]' ': flag\[0\]' ': first\[1\]' ': second\[1\]' ': shared\[1\]' \
        ': table\[1\]'

    # An atomic has no site in C++: its place is where it returns to.
    checks relaxed
    says "sycl::atomic_ref::load\(sycl::memory_order::relaxed\) \(.*words.cpp:$(at 'while ((relaxed')\) read what" \
        "sycl::atomic_ref::store\(sycl::memory_order::relaxed\) \(.*words.cpp:$(at 'relaxed ? loose.store')\) wrote"
    checks narrow
    says 'scope sycl::memory_scope::work_group of (the store|item 0.s operation) does not include'
    checks spins
    says "^    on ready\[1\], which holds 0; written last by item 0 of group \(0,0,0\), sycl::atomic_ref::store at .*words.cpp:$(at 'set.store(0)')$"
    weir check --runs 1 --json -- ./words spins
    json 'it["findings"][0]["space"] == "local" and it["findings"][0]["object"] == "ready"'

    step='a device without orders'
    status=0
    (WEIR_SYCL_DEVICE=opencl12 ./words unsupported >"$out" 2>"$err") 2>/dev/null \
        || status=$?
    test $status -ne 0 || bad "it throws nothing"
    warns '^unsupported sycl::atomic_ref::fetch_add .* does not offer order sycl::memory_order::acq_rel of atomics .it has sycl::memory_order::relaxed' \
        "^  item 0  running  .*words.cpp:$(at 'counter.fetch_add') " \
        "^  item 0  running  .*words.cpp:$(at 'counter.fetch_add' 2) " \
        '^unsupported sycl::atomic_fence .* scope sycl::memory_scope::device of fences' \
        "^  item 0  running  .*words.cpp:$(at 'sycl::atomic_fence(') "

    compiles --no-stackless $level sycl/weir/own.cpp -o ./own
    weir check --runs 1 -- ./own
    says '^  write .* sycl/weir/own.cpp:'

    weir explore --weaken -- ./words weaken
    ends_with 0
    says '^  sycl::memory_order::relaxed instead of sycl::memory_order::seq_cst in the store at ' \
        '^  sycl::memory_order::relaxed instead of sycl::memory_order::seq_cst in the load at ' \
        '^  no fence space instead of sycl::access::fence_space::global_and_local in the group_barrier at '
    says_nothing_of 'memory_order_'
done

finish
