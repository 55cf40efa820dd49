#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-header.sh: the SYCL header compiles without a warning, C++17 and C++20, by g++ and
# clang++: also where it is no system header, whose warnings compilers keep back. Programs
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
finish
