#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-header.sh: the SYCL header compiles without a warning, C++17 and C++20, with every
# compiler here: also where it is no system header, whose warnings compilers keep back.
# Programs define macros with short names before they include it; it uses none of those.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR_LIB_DIR=$(cd "$(dirname "$WEIR")" && pwd)
WEIR_INCLUDE_DIR=$scratch/sim
export WEIR_INCLUDE_DIR WEIR_LIB_DIR
example=$(cd "$top_srcdir/examples/sycl" && pwd)/article.cpp
cp -R "$top_srcdir/sim" "$scratch/sim"
chmod -R u+w "$scratch/sim"
cd "$scratch" || exit 99
step='the header as the program sees it'
status=0
grep -q 'pragma GCC system_header' sim/sycl/sycl/sycl.hpp || bad "it is no system header"
sed -i '/pragma GCC system_header/d' sim/sycl/sycl/sycl.hpp
sed 's|sycl/sycl.hpp|CL/sycl.hpp|' "$example" >older.cpp

# silent COMPILER STANDARD FILE
silent()
{
    command -v "$1" >/dev/null 2>&1 || return 0
    step="weir-c++ -std=$2 $3 by $1"
    status=0
    CXX=$1 "$WEIR_LIB_DIR/weir-c++" -std="$2" -O1 -g -Wall -Wextra -Wpedantic \
        -c "$3" -o object.o >"$out" 2>"$err" || status=$?
    test $status -eq 0 && test ! -s "$err" || bad "it does not compile, or warns"
}

silent g++ c++17 "$example"
silent g++ c++20 older.cpp
silent clang++ c++17 older.cpp
silent clang++ c++20 "$example"
silent clang++-16 c++17 "$example"
silent clang++-19 c++20 "$example"

macros=
for name in A B C D E F G H I J K L M N O P Q R S T U V W X Y Z SIZE WIDTH HEIGHT BLOCK \
    BLOCK_SIZE TILE TILE_SIZE GROUP_SIZE WG_SIZE LOCAL_SIZE COUNT LENGTH DIM ROWS COLS STEP \
    STEPS NUM NUMBER ITEMS BINS LOAD STORE READ WRITE COPY WAIT BARRIER FENCE ANY ALL NONE \
    SHUFFLE BROADCAST EXCHANGE KIND TYPE MODE TARGET SELF BODY OP HALF MIN MAX EPS PI DEBUG \
    LOCAL GLOBAL PRIVATE BUFFER KERNEL QUEUE DEVICE HOST NAME ARGS CHECK; do
    macros="$macros -D$name=16"
done
cat >macros.cpp <<'END'
#include <sycl/sycl.hpp>
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
for CXX in g++ clang++; do
    command -v "$CXX" >/dev/null 2>&1 || continue
    step="macros with short names by $CXX"
    status=0
    # shellcheck disable=SC2086
    CXX=$CXX "$WEIR_LIB_DIR/weir-c++" $macros -Wall -Wextra -fsyntax-only macros.cpp >"$out" \
        2>"$err" || status=$?
    test $status -eq 0 && test ! -s "$err" || bad "it does not compile, or warns"
done

test $failures -eq 0
