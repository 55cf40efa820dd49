#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-header.sh: the SYCL header compiles without a warning, C++17 and C++20, by g++ and
# clang++: also where it is not a system header, whose warnings compilers keep back. Programs
# define macros with short names before they include it; it uses none of those.
#
# g++ finds some warnings only when it optimises, and clang++ all when it parses. Each
# standard and each compiler has its turn once, and with WEIR_ALL_COMPILERS=1 both of both.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++ g++

cp -R "$top_srcdir/sim" sim
chmod -R u+w sim
WEIR_INCLUDE_DIR=$scratch/sim
WEIR_CACHE_DIR=/dev/null/no-folder # a compiled header gives no warnings
step='the header as the program sees it'
status=0
grep -q 'pragma GCC system_header' sim/sycl/sycl/sycl.hpp || bad "it is no system header"
sed -i '/pragma GCC system_header/d' sim/sycl/sycl/sycl.hpp
sed 's|sycl/sycl.hpp|CL/sycl.hpp|' "$examples/article.cpp" >older.cpp

macros=
for name in A B C D E F G H I J K L M N O P Q R S T U V W X Y Z SIZE WIDTH HEIGHT BLOCK \
    BLOCK_SIZE TILE TILE_SIZE GROUP_SIZE WG_SIZE LOCAL_SIZE COUNT LENGTH DIM ROWS COLS STEP \
    STEPS NUM NUMBER ITEMS BINS LOAD STORE READ WRITE COPY WAIT BARRIER FENCE ANY ALL NONE \
    SHUFFLE BROADCAST EXCHANGE KIND TYPE MODE TARGET SELF BODY OP HALF MIN MAX EPS PI DEBUG \
    LOCAL GLOBAL PRIVATE BUFFER KERNEL QUEUE DEVICE HOST NAME ARGS CHECK; do
    macros="$macros -D$name=16"
done
cat >macros.cpp <<'END'
#include <CL/sycl.hpp>
static_assert(std::is_same<half, cl::sycl::half>::value, "DPC++ had it there");
int main()
{
    sycl::queue q;
    sycl::buffer<int> b(N);
    q.submit([&](sycl::handler &h) {
        sycl::accessor a(b, h);
        h.parallel_for(SIZE, [=](sycl::id<1> i) { a[i] = int(sycl::min<int>(X, M)); });
    });
    q.parallel_for(sycl::nd_range<1>(B * T, B), [=](sycl::nd_item<1> it) {
        sycl::group_barrier(it.get_group());
    });
    return A + Z == 32 ? 0 : 1;
}
END

# silent COMPILER ARGUMENT...
silent()
{
    command -v "$1" >/dev/null 2>&1 || return 0
    CXX=$1
    shift
    compiles --no-instrument --no-stackless "$@"
}

optimised='-O1 -c -o object.o'
# shellcheck disable=SC2086
{
    silent g++ -std=c++17 -Wpedantic $optimised "$examples/article.cpp"
    silent clang++ -std=c++20 -Wpedantic $macros -fsyntax-only macros.cpp
    if test "${WEIR_ALL_COMPILERS:-0}" = 1; then
        silent g++ -std=c++20 -Wpedantic $optimised older.cpp
        silent g++ $macros -fsyntax-only macros.cpp
        silent clang++ -std=c++17 -Wpedantic $optimised older.cpp
        silent clang++ -std=c++20 -Wpedantic $optimised "$examples/article.cpp"
        silent clang++ $macros -fsyntax-only macros.cpp
        silent clang++-16 -std=c++17 -Wpedantic $optimised "$examples/article.cpp"
        silent clang++-19 -std=c++20 -Wpedantic $optimised "$examples/article.cpp"
    fi
}

# ---- The header, compiled once ----------------------------------------------------

command -v clang++ >/dev/null 2>&1 || finish
CXX=clang++
WEIR_CACHE_DIR=$scratch/cache
cached=$WEIR_CACHE_DIR/c++
mkdir -p "$cached" small/sycl/sycl/weir
# A smaller header will do.
WEIR_INCLUDE_DIR=$scratch/small
cp sim/weir-kernel.h small
cp sim/sycl/sycl/weir/compiled.hpp small/sycl/sycl/weir
header=small/sycl/sycl/sycl.hpp
printf '#pragma once\n#include <vector>\ninline int old() { return 1; }\n' >$header
cat >once.cpp <<'END'
/* The program's own words,
 * in two lines. */ // and a third
#include <cstdio> // before
#include <stdint.h>

#include <sycl/sycl.hpp>
int main()
{
    std::vector<int> v(5);
    return old();
}
END
# once SOURCE ARGUMENT...
once()
{
    source=$1
    shift
    compiles -O0 -g0 --no-record --no-stackless -c "$source" "$@"
}
# has SEEN COMPILED: numbers of files in the cache
has()
{
    test "$(find "$cached" -name '*.seen' | wc -l).$(find "$cached" -name '*.pch' | wc -l)" = "$1.$2" \
        || bad "the cache has not $1 sets of options and $2 compiled headers"
    test "$(find "$cached" -type f | wc -l)" -eq $(($1 + $2)) || bad "the cache has other files"
}
once once.cpp -o first.o
has 1 0
once once.cpp -MMD -MF once.d -o second.o
has 1 1
cmp -s first.o second.o || bad "the compiled header makes another object"
grep -q "$header" once.d || bad "the header is not among what the object depends on"
! grep -q "$cached" once.d || bad "the object depends on a file of the cache"
once once.cpp -DOTHER -o second.o
has 2 1

: >"$(find "$cached" -name '*.pch')"
once once.cpp -o second.o
cmp -s first.o second.o || bad "a damaged compiled header makes another object"
has 2 0
once once.cpp -o second.o
has 2 1
step='a header that has changed since it was compiled'
echo 'inline int newer() { return 1; }' >>$header
sed 's/old()/newer()/' once.cpp >newer.cpp
once newer.cpp -o second.o
has 2 0

# What precedes the header may change it.
: >own.h
for line in '#define NDEBUG' '#include "own.h"' 'int x;' '#include <own.h>' '/* */ int y;' '#if 1'; do
    { echo "$line"; cat once.cpp; test "$line" != '#if 1' || echo '#endif'; } >macro.cpp
    once macro.cpp "-I$scratch" -o second.o
    has 2 0
done
step='an error beside the compiled header'
once once.cpp -o second.o
has 2 1
sed 's/old()/nothing/' once.cpp >wrong.cpp
"$compiler" -g -Wall -Wextra -O0 -g0 --no-record --no-stackless -c wrong.cpp 2>"$err" \
    && bad "a program with an error compiles"
test "$(grep -c "undeclared identifier 'nothing'" "$err")" -eq 1 || bad "not one error"
has 2 1
step='without hooks'
once once.cpp --no-instrument -o second.o
has 3 1
once once.cpp --no-instrument -o second.o
has 3 2
finish
