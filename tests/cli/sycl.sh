#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl.sh: SYCL programs compile with every C++ compiler here, print their answers, and
# are judged as C is: each example is clean, and with one mistake the finding names the
# user's lines, the kernel and the variables, and nothing of the header.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
WEIR_LIB_DIR=$(cd "$(dirname "$WEIR")" && pwd)
export WEIR_INCLUDE_DIR WEIR_LIB_DIR
compiler=$WEIR_LIB_DIR/weir-c++
examples=$(cd "$top_srcdir/examples/sycl" && pwd)
cd "$scratch" || exit 99

cxx_compilers()
{
    for name in g++ clang++; do
        ! command -v $name >/dev/null 2>&1 || echo $name
    done
}
test -n "$(cxx_compilers)" || { echo "SKIP: no C++ compiler"; exit 77; }

# build SOURCE PROGRAM: without a warning
build()
{
    step="weir-c++ $1 by $CXX"
    status=0
    "$compiler" -O1 -g -Wall -Wextra -Wpedantic "$1" -o "$2" >"$out" 2>"$err" || status=$?
    test $status -eq 0 && test ! -s "$err" || bad "it does not compile, or warns"
}

# runs PROGRAM FILE: it prints what the file holds
runs()
{
    step=$1
    status=0
    "$1" >"$out" 2>"$err" || status=$?
    ends_with 0
    cmp -s "$out" "$2" || bad "it does not print what $2 holds"
}

# mistake EXAMPLE SED: the example with a change, which must change something
mistake()
{
    sed "$2" "$examples/$1.cpp" >wrong.cpp
    step="$1, '$2'"
    status=0
    ! cmp -s wrong.cpp "$examples/$1.cpp" || bad "the change changes nothing"
    build wrong.cpp ./wrong
    # Fixes are the subject of sycl-fixes.sh.
    weir check --no-fixes --runs 4 -- ./wrong
    ends_with 1
    ! grep -q 'sycl/weir/\|/include/c++/' "$out" || bad "it shows a line of the header"
}

# at PATTERN: the number of the line
at()
{
    grep -n "$1" wrong.cpp | sed -n '1s/:.*//p'
}

for CXX in $(cxx_compilers); do
    export CXX
    for example in global_atomics single_group_tree last_group multiblock histogram \
        single_happens_before article; do
        build "$examples/$example.cpp" ./right
        runs ./right "$examples/$example.out"
        weir_ends 0 check --runs 4 -- ./right
        says '^4 runs of ./right: no findings$'
    done

    # The answer is written by a plain addition.
    mistake global_atomics 's/total += numbers/*sum += numbers/'
    says "^data race in kernel 'wrong.cpp:18', .*: sum\\[0\\]"
    says "wrong.cpp:$(at '\*sum += numbers') "

    # No barrier before the tree.
    mistake single_group_tree '/part\[lid\] = mine;/{n;d}'
    says "^data race in kernel 'wrong.cpp:[0-9]*', group \\(0,0,0\\)"
    says "^  write .*wrong.cpp:$(at 'part\[lid\] = mine') "
    says "^  read .*wrong.cpp:$(at 'part\[lid\] += ') "

    # A barrier that half of the group reaches.
    mistake single_group_tree 's/if (lid < stride) {/if (lid < stride) { sycl::group_barrier(it.get_group());/'
    says "^barrier divergence in kernel"
    says "waiting .*wrong.cpp:$(at 'lid < stride) { sycl') "
    # A fast launch says so, too, and throws.
    status=0
    ./wrong >"$out" 2>"$err" || status=$?
    test $status -ne 0 || bad "a divergence throws nothing"
    warns "^  items 0-3  waiting  wrong.cpp:$(at 'lid < stride) { sycl') " \
        "^  items 4-7  waiting  wrong.cpp:$(grep -n group_barrier wrong.cpp | sed -n '3s/:.*//p') "

    # The partial sums are not released.
    mistake last_group 's/memory_order::acq_rel/memory_order::relaxed/'
    says "^data race in kernel .*: partial\\[0\\]"
    says "wrong.cpp:$(at 'partial\[it.get_group(0)\] =') "
    says "wrong.cpp:$(at 'total += partial') "

    # The counter's scope leaves the other groups out.
    mistake last_group 's/memory_scope::device/memory_scope::work_group/'
    says "^scope race in kernel"
    says "wrong.cpp:$(at 'counter.fetch_add(1)')\\)"

    # An element behind the end.
    mistake multiblock 's/in\[base + k/in[base + 1 + k/'
    says "^out-of-bounds read in kernel .*: .*input"
    says "wrong.cpp:$(at 'mine += in\[base') "

    # Bins that nobody sets to 0.
    mistake histogram 's/mine\[lid\] = 0;//'
    says "^uninitialized-read in kernel .*: read of mine\\["
    says "wrong.cpp:$(at 'bin++;') "

    # A flag that is not acquired; and one that nobody sets.
    mistake single_happens_before 's/ready.load() == 0/ready.load(sycl::memory_order::relaxed) == 0/'
    says "^data race in kernel"
    says "wrong.cpp:$(at '\*seen = data\[0\]') "

    # A recursion that ends too late: in the hooks, since its own frames are small.
    cat >wrong.cpp <<'EOF'
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
EOF
    build wrong.cpp ./wrong
    weir_ends 1 check --no-fixes --runs 2 -- ./wrong
    says "^stack overflow in kernel" "^  item 0 .* wrong.cpp:[23] "
done

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
build named.cpp ./named
weir check --runs 1 -- ./named
ends_with 1
says "^data race in kernel 'everybody_writes'"
says '^1: local size 4 does not divide global size 10 in dimension 0$'

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
build outside.cpp ./outside
status=0
./outside >"$out" 2>"$err" || status=$?
test $status -ne 0 || bad "it throws nothing"
warns '^sycl::group_broadcast in kernel .outside.cpp:6.*the source of item 0 lies outside' \
    '^  item 0 .*outside.cpp:7 '

# Two files of a program may include the header.
cat >other.cpp <<'END'
#include <sycl/sycl.hpp>
int other(sycl::queue &q)
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
step='two files'
status=0
"$compiler" -O1 both.cpp other.cpp -o both >"$out" 2>"$err" || bad "they do not link"
echo 7 >seven
runs ./both seven

# weir-c++ refuses what it does not do.
if command -v g++ >/dev/null 2>&1; then
    step='weir-c++ --stackless'
    status=0
    CXX=g++ "$compiler" --stackless -O1 both.cpp -c >"$out" 2>"$err" || status=$?
    ends_with 2
    warns '^weir-c[+][+]: --stackless: g[+][+] names lambdas differently'
fi

test $failures -eq 0
