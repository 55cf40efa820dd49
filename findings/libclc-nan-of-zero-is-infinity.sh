#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: a compiler of OpenCL C that takes its functions from libclc needs to add nothing
# to nan(), sin() and their like: they are plain bitcode, the same for all devices.
#
# So it is: libclc's nan(code) puts the bits of the code into a number whose exponent is
# full, and sets no bit that makes it quiet. For code 0 of a double that is infinity.
# OpenCL C asks for a quiet NaN. Its sin() of a double gives 0.0 for -0.0, where the
# sign is to stay, as it does in its sin() of a float. An implementation has to correct
# both after libclc.
#
# Seen with libclc-14 1:14.0.6-12 of Debian 12, its bitcode for nvptx64 compiled for x86-64:
#   nan(0ul) = inf
#   sin(-0.0) = 0, sin(-0.0f) = -0
# Source: OpenCL C 3.0, 6.15.2 (nan) and the specification's table of edge cases (sinpi;
# sin by C99, F.9.1.6); libclc's generic/lib/math/nan.inc and sin.cl.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download libclc-14=1:14.0.6-12 clang-14=1:14.0.6-12 libclang-cpp14=1:14.0.6-12 \
    libllvm14=1:14.0.6-12 libclang-common-14-dev=1:14.0.6-12 llvm-14=1:14.0.6-12 \
    libz3-4 libedit2 libbsd0 libmd0 libxml2 libicu72 >/dev/null 2>&1
for package in *.deb; do
    dpkg -x "$package" root
done
bin=$folder/root/usr/lib/llvm-14/bin
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-14/lib"
cat >edges.c <<'C'
#include <stdint.h>
#include <stdio.h>
double clc_nan(uint64_t code) __asm__("_Z3nanm");
double clc_sin(double x) __asm__("_Z3sind");
float clc_sinf(float x) __asm__("_Z3sinf");
int main(void)
{
    printf("nan(0ul) = %g\n", clc_nan(0));
    printf("sin(-0.0) = %g, sin(-0.0f) = %g\n", clc_sin(-0.0), (double)clc_sinf(-0.0f));
    return 0;
}
C
"$bin/clang" -O1 -emit-llvm -c edges.c -o edges.bc
"$bin/llvm-link" --only-needed edges.bc root/usr/lib/clc/nvptx64--.bc -o all.bc 2>/dev/null
"$bin/llc" -mtriple=x86_64-pc-linux-gnu -filetype=obj -relocation-model=pic all.bc -o all.o \
    2>/dev/null
cc all.o -o edges -lm
./edges | tee said
grep -q '^nan(0ul) = inf$' said || { echo "nan(0ul) is not infinity now"; exit 1; }
grep -q '^sin(-0.0) = 0, sin(-0.0f) = -0$' said || { echo "the sign of zero differs now"; exit 1; }
