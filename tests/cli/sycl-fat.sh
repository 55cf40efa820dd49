#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-fat.sh: weir-c++ --fat. A program runs without hooks, and is judged as a default one
# is, finding for finding; functions and variables that C++ keeps one copy of in a program
# are found in both halves; and what would be two copies is refused.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++ g++
TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"

# hooked OBJECT PATTERN: whether functions of that name call hooks; 2: there is none
hooked()
{
    objdump -dr --no-show-raw-insn "$1" | awk -v name="$2" '
        /^[0-9a-f]+ <.*>:$/ {
            inside = $2 ~ name
            found += inside
        }
        inside && /__(tsan|sanitizer)_/ { hooks++ }
        END { exit !found ? 2 : !hooks }'
}

# What a report says, but for names of the program and of inlined functions of the header.
findings()
{
    sed -e 's/called from .* at /called at /' -e 's/\(default\|fat\)//g'
}

# Both files have a functor of this name and lambdas in functions of one name, whose
# symbols are alike, and use the same inline function, with its static variable, and the
# same template with a table of virtual functions.
cat >shared.hpp <<'END'
#include <sycl/sycl.hpp>
#include <cstdio>
inline int next()
{
    static int n = 40;
    return ++n;
}
__attribute__((noinline)) inline void put(int *p, int value)
{
    *p = value;
}
inline int written;
template <class T> struct base {
    virtual T operator()(T x) const { return x + 1; }
    virtual ~base() = default;
};
struct derived : base<int> {
    int operator()(int x) const override { return x * 2; }
};
END
cat >one.cpp <<'END'
#include "shared.hpp"
static const int table[] = { 1, 2, 3, 4 };
int scale = 5;
struct started {
    int v;
    started() : v(3) { std::puts("started"); }
};
static started once;
namespace
{
struct functor {
    int *a;
    void operator()(sycl::nd_item<1> it) const
    {
        a[it.get_global_id(0)]++;
        sycl::group_barrier(it.get_group());
    }
};
} // namespace
static int run(sycl::queue &q)
{
    int *a = sycl::malloc_shared<int>(8, q);
    q.parallel_for(8, [=](sycl::id<1> i) {
        const derived d;
        const base<int> &b = d;
        put(&a[i], b(table[i & 3]) * scale);
    });
    q.parallel_for(sycl::nd_range<1>(8, 4), functor{ a });
    q.single_task([=] { written = next(); });
    q.wait();
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        sum += a[i];
    }
    sycl::free(a, q);
    return sum;
}
static unsigned loops(sycl::queue &q)
{
    constexpr size_t n = 1003;
    unsigned *a = sycl::malloc_shared<unsigned>(n, q);
    q.parallel_for(n, [=](sycl::id<1> i) { a[i] = unsigned(i); });
    q.parallel_for(n, [=](sycl::item<1> i) { a[i] += 5; });
    q.wait();
    unsigned sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += a[i];
    }
    sycl::free(a, q);
    return sum;
}
int other(sycl::queue &q);
int main()
{
    sycl::queue q{ sycl::property::queue::in_order() };
    int mine = run(q), others = other(q);
    std::printf("%d %d %d %d %u\n", mine, others, next(), written, loops(q));
}
END
cat >two.cpp <<'END'
#include "shared.hpp"
namespace
{
struct functor {
    int *a;
    void operator()(sycl::nd_item<1> it) const
    {
        a[it.get_global_id(0)] += 100;
        a[0] += 0;
        sycl::group_barrier(it.get_group());
    }
};
} // namespace
static int run(sycl::queue &q)
{
    int *a = sycl::malloc_shared<int>(8, q);
    q.parallel_for(8, [=](sycl::id<1> i) {
        put(a + i, 1000);
        put(a, 1000); /* a race */
    });
    q.parallel_for(sycl::nd_range<1>(8, 4), functor{ a });
    q.single_task([=] { a[0] += next(); });
    q.submit([&](sycl::handler &h) {
        h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(4),
                                  [=](sycl::group<1> g) {
                                      g.parallel_for_work_item([&](sycl::h_item<1> i) {
                                          a[i.get_global_id(0) % 7] += 1;
                                      });
                                  });
    });
    q.wait();
    int sum = a[0] + a[7];
    sycl::free(a, q);
    return sum;
}
int other(sycl::queue &q)
{
    return run(q);
}
END
answer=$(printf 'started\n208 2244 43 41 507518')
cp "$examples/last_group.cpp" right.cpp
sed '/part\[lid\] = mine;/{n;d}' "$examples/single_group_tree.cpp" >wrong.cpp
line=$(sed -n '/part\[lid\] = mine/=' wrong.cpp)
joins right wrong
cat >far.cpp <<'END'
void far_away(int x);
void far_away(int) {}
END

for CXX in $compilers; do
    # In two steps; and what of it has hooks, and is for other objects.
    compiles --fat $stacks -O3 -c one.cpp
    compiles --fat $stacks -O2 -fPIC -c two.cpp
    compiles one.o two.o -o ./fat
    prints "$answer" ./fat
    weir_ends 1 check --runs 3 -- ./fat
    first=$(sed -n '/q.parallel_for(8,/=' two.cpp)
    second=$(sed -n '/for_work_group(/=' two.cpp)
    says "^data race in kernel 'two.cpp:$first', group \\(0,0,0\\): a\\[0\\], both write the same value\$" \
        "^  write  item 0  (\./)?shared\.hpp:$(sed -n '/\*p = value/=' shared.hpp)  \\*p = value;\$" \
        "^    called from kernel two.cpp:$first at two.cpp:$((first + 1))\$" \
        "^    called from kernel two.cpp:$first at two.cpp:$((first + 2))\$" \
        "^data race in kernel 'two.cpp:$second', groups \\(0,0,0\\) and \\(1,0,0\\): a\\[0\\]\$" \
        "^    called from kernel two.cpp:$second at two.cpp:$((second + 2))\$" ': 3 findings$'
    if test "${WEIR_ALL_COMPILERS:-0}" = 1 || test "$CXX" != clang++; then
        findings <"$out" >wanted
        compiles --no-stackless -O1 one.cpp two.cpp -o ./default
        prints "$answer" ./default
        weir_ends 1 check --runs 3 -- ./default
        findings <"$out" | cmp -s - wanted || bad "not the findings of the fat program"
    fi
    hooked two.o 20kernel__checked_item || bad "checked entries have no hooks"
    hooked two.o 15kernel__checked || bad "of a group kernel the checked entry has none"
    hooked two.o '12kernel__fast'
    test $? -eq 1 || bad "there is no fast entry, or it has hooks"
    ! nm -g two.o | grep -q 'kernel__checked' || bad "checked entries are left global"
    test "$(nm -C one.o | grep -c ' [DdVu] next()::n$')" -eq 1 || bad "not one next()::n"
    test "$(nm -C one.o | grep -c ' [TtW] put(int\*, int)$')" -eq 2 || bad "not two put()"

    # The loop over items of a range without groups is vectorised for any size.
    case $(uname -m) in
    x86_64) vectors='padd[dq]' ;;
    aarch64) vectors='add.*\.[24][sd]' ;;
    *) vectors= ;;
    esac
    test -z "$vectors" || test "$(objdump -dr --no-show-raw-insn one.o | awk -v what="$vectors" '
        /^[0-9a-f]+ <.*>:$/ { name = $2 }
        name ~ /5loops.*12kernel__fast|12kernel__fast.*5loops/ && $0 ~ what { has[name] }
        END { for (name in has) n++; print n }')" -eq 2 \
        || bad "loops over items are not made vectors of"

    # In one step: a program which has no findings, and one which has.
    compiles --fat $level all.cpp far.cpp -o ./all
    prints "$(cat "$examples/last_group.out")" ./all right
    weir_ends 0 check --runs 3 -- ./all right
    says '^3 runs of ./all: no findings$'
    weir_ends 1 check --runs 3 -- ./all wrong
    says "^data race in kernel 'wrong.cpp:[0-9]*'" "^  write .*[ /]wrong.cpp:$line "
    ! grep -q 'sycl/weir/' "$out" || bad "it shows a line of the header"
done

# What would be two variables is refused, by the name that the source has.
cat >static.cpp <<'END'
#include <sycl/sycl.hpp>
namespace mine { static int count; }
int main()
{
    sycl::queue q;
    q.single_task([=] { mine::count++; });
    return mine::count;
}
END
step='a static variable'
status=0
"$compiler" --fat -O0 -c static.cpp >"$out" 2>"$err" || status=$?
complains "static.cpp: kernels use the static variable 'mine::count', which --fat would duplicate"
test ! -e static.o || bad "an object is left of what it refuses"
cat >near.cpp <<'END'
#include <sycl/sycl.hpp>
void far_away(int x);
int main()
{
    sycl::queue q;
    q.single_task([=] { far_away(1); });
}
END
step='a function of another file'
status=0
"$compiler" --fat -O0 near.cpp far.cpp -o far >"$out" 2>"$err" || status=$?
complains "near.cpp: kernels call far_away\\(\\) of another file"
test -z "$(ls "$TMPDIR")" || bad "temporary files are left: $(ls "$TMPDIR")"
finish
