#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: a lane of c ? (r & M) | (x & ~M) : r has the sign of x, the other bits of r, where
# c holds and M has all bits but the highest, for any processor that clang compiles for.
#
# So it is: for AVX-512 this is one masked vpternlog, whose table of eight bits belongs to
# an order of its operands. Where the constant is one word that is repeated in memory, and
# the value that stays is the second operand, LLVM puts this operand first, and changes
# the table as for a swap of the second and the third: 184 (r | x where M is set, r & ~x
# elsewhere) stands where 228 (r where M is set, x elsewhere) belongs. Values are wrong,
# without a warning; for AVX2 they are right.
# The order of the operands follows from the order of the function's parameters here:
# with r before x the same source is compiled as it should be.
#
# Seen with clang 14.0.6-12 of Debian 12, and so with clang 15.0.6, 16.0.6 and, for
# integers, 19.1.7:
#   table 184, mask {%k1}, M = 0x7fffffffffffffff
# Source: the instruction's description in Intel's manual; in LLVM, the patterns for
# "broadcasts in other positions" of avx512_ternlog in X86InstrAVX512.td.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 libllvm14=1:14.0.6-12 \
    libclang-common-14-dev=1:14.0.6-12 libz3-4 libedit2 libbsd0 libmd0 libxml2 libicu72 \
    >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
clang=$folder/root/usr/lib/llvm-14/bin/clang
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-14/lib"
cat >sign.c <<'C'
typedef long lanes __attribute__((ext_vector_type(4)));
lanes sign(lanes x, lanes r, lanes c)
{
    lanes bits = (r & 0x7fffffffffffffffL) | (x & (long)0x8000000000000000L);
    return c == 0 ? bits : r;
}
C
"$clang" -O2 -march=x86-64-v4 -S sign.c -o sign.s
grep -E '^\s*\.quad|vpternlog' sign.s
# x is in ymm0, r in ymm1: AT&T's last operand, which is the first of the table.
grep -qE 'vpternlogq\s+\$184, .*\{1to4\}, %ymm0, %ymm1 \{%k1\}' sign.s \
    || { echo "LLVM makes another instruction now"; exit 1; }
grep -qE '\.quad\s+(0x7fffffffffffffff|9223372036854775807)' sign.s \
    || { echo "the constant is another one"; exit 1; }
