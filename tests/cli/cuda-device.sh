#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-device.sh: the device side of CUDA: programs of tests/cuda compare what functions of
# the device return with what the program works out itself. They are right in a plain run,
# and a check finds nothing in them.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
nvcc=$(cd "$(dirname "$WEIR")" && pwd)/weir-nvcc
top_srcdir=$(cd "$top_srcdir" && pwd)
test -x "$(dirname "$nvcc")/weir-cuda-cc" || { echo "SKIP: no weir-cuda-cc"; exit 77; }
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
cd "$scratch" || exit 99

for source in "$top_srcdir"/tests/cuda/*.cu; do
    name=$(basename "$source" .cu)
    step="weir-nvcc $name.cu" status=0
    "$nvcc" -w "$source" -o "$name" >"$out" 2>"$err" || { status=$?; bad "no program"; continue; }
    weir_clean run -- "./$name"
    says '^right$'
    case $name in
    half) ;; # nothing of it runs on the device
    volatile) # code that is right where a warp's threads advance together
        weir_ends 1 check --no-fixes --runs 2 -- ./volatile wrong
        says "^data race in kernel 'sum<false>'" "^data race in kernel 'scan<false>'"
        weir_clean check --runs 2 -- ./volatile right
        says '^2 runs of ./volatile: no findings'
        ;;
    *)
        weir_clean check --runs 2 -- "./$name"
        says "^2 runs of ./$name: no findings"
        ;;
    esac
done

finish
