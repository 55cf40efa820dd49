#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Guess: vload_half() and vstore_half() are there on every device of OpenCL, as they have
# been since version 1.0. The extension cl_khr_fp16 is about arithmetic of half.
#
# So it is: where cl_khr_fp16 is off, as for a device without that arithmetic, the driver
# of clang 14 does not declare them. The kernel below, which needs no extension, then ends
# with an implicit declaration. With the extension on it compiles, and then arithmetic of
# half is taken, too, which the device lacks. The reason is the table of functions that
# clang declares by itself; its header opencl-c.h has them in each case, so that the front
# end compiles the same text with -finclude-default-header. clang 15 has them in both.
#
# Seen with clang 14.0.6-12 of Debian 12. Source: OpenCL C 1.2, 6.12.7;
# OpenCLBuiltins.td and opencl-c.h of clang 14.
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
cat >half.cl <<'END'
kernel void unpack(global const half *packed, global float *whole)
{
    size_t i = get_global_id(0);
    whole[i] = vload_half(i, packed);
}
END
compile()
{
    "$clang" -target spir64 -cl-std=CL1.2 -Xclang -cl-ext="$1" -fsyntax-only half.cl 2>&1 \
        || echo failed
}
without=$(compile -all)
with=$(compile -all,+cl_khr_fp16)
by_header=$("$clang" -cc1 -triple spir64 -cl-std=CL1.2 -cl-ext=-all \
    -finclude-default-header -fsyntax-only half.cl 2>&1 || echo failed)
printf 'without cl_khr_fp16: %s\nwith it: %s\n' "$without" "${with:-compiles}"
echo "$without" | grep -q "implicit declaration of function 'vload_half'" \
    || { echo "it is declared now"; exit 1; }
test -z "$with" || { echo "it does not compile with the extension"; exit 1; }
test -z "$by_header" || { echo "it does not compile with the header"; exit 1; }
