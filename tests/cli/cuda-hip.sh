#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-hip.sh: weir-hipcc and HIP's headers: a program in HIP is right in a plain run and
# clean, its nearest wrong uses are findings on their lines, and what is said of them has
# HIP's names.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
hipcc=$(cd "$(dirname "$WEIR")" && pwd)/weir-hipcc
top_srcdir=$(cd "$top_srcdir" && pwd)
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
WEIR_CACHE_DIR=$scratch/cache
export WEIR_CACHE_DIR
cp "$top_srcdir/tests/cli/cuda-hip.cpp" "$scratch" && cd "$scratch" || exit 99

step=weir-hipcc
status=0
"$hipcc" -g -O1 -std=c++17 --offload-arch=gfx90a -fgpu-rdc -munsafe-fp-atomics --no-stackless \
    cuda-hip.cpp -o hip -lamdhip64 >"$out" 2>"$err" || status=$?
test "$status" -eq 0 || bad "it fails"
test ! -s "$err" || bad "it says something"

# A plain run, and a checked one.
weir_clean run -- ./hip
says '^right$'
weir_clean check --runs 2 -- ./hip
says '^2 runs of ./hip: no findings'

# line MARK: the line with that comment.
line()
{
    grep -n "// $1\$" cuda-hip.cpp | sed 's/:.*//'
}

# found WORDS PATTERN...: one finding under weir check, that does not speak of CUDA.
found()
{
    words=$1
    shift
    # shellcheck disable=SC2086
    weir_ends 1 check --runs 1 -- ./hip $words
    says "$@" '^1 run of ./hip: 1 finding'
    says_nothing_of 'cuda[A-Z:]' 'CUDA'
}

weir_clean check --runs 2 -- ./hip hands
found 'hands relaxed' "^data race in kernel 'hands', groups" "cuda-hip.cpp:$(line 'after the flag')" \
    '__hip_atomic_load\(__ATOMIC_RELAXED\).* read what .*__hip_atomic_store\(__ATOMIC_RELAXED\)'
found counts '^data race in kernel .counts.' "cuda-hip.cpp:$(line 'an atomic') " \
    "cuda-hip.cpp:$(line 'a plain access') "
found narrow '^scope race in kernel' "cuda-hip.cpp" \
    'scope __HIP_MEMORY_SCOPE_WORKGROUP of item 0'
found beyond '^out-of-bounds write in kernel .beyond.*: a\[2\] of 2' "cuda-hip.cpp:$(line beyond) "
found freed '^use-after-free write.* a\[0\] of 2 elements, which hipFree\(\) has freed'
found streams '^data race between hipMemsetAsync and hipMemsetAsync: a\[0\]' 'no hipStreamWaitEvent'
found kind '^hipMemcpy..: the direction is hipMemcpyHostToDevice, and .* memory of hipMalloc\(\)'
found free '^hipFree\(\): .* not memory that HIP has allocated'

# Words of the compiler, and of the driver.
step='a source that does not compile'
echo '#include <hip/hip_runtime.h>
int main() { hipMallocArray(1, 2); return hipMemcpy(1, 2); }' >wrong.hip
status=0
"$hipcc" -c wrong.hip >"$out" 2>"$err" || status=$?
test "$status" -eq 1 || bad "status $status, not 1"
grep -q "no matching function for call to 'hipMemcpy'" "$err" || bad "hipMemcpy is not named"
! grep -q 'cudaM' "$err" || bad "it speaks of CUDA"

# refuses WORDS PATTERN
refuses()
{
    step="weir-hipcc $1"
    status=0
    # shellcheck disable=SC2086
    "$hipcc" $1 >"$out" 2>"$err" || status=$?
    test "$status" -eq 2 || bad "status $status, not 2"
    grep -q -e "^weir-hipcc: .*$2" "$err" && test "$(wc -l <"$err")" -eq 1 \
        || bad "it says something else"
}
refuses '' 'no input: name a source'
refuses 'cuda-hip.cpp -lhipblas' '-lhipblas: Weir does not have this library'
refuses '--genco cuda-hip.cpp' '--genco: Weir makes no code for a GPU'
refuses '--frobnicate cuda-hip.cpp' '--frobnicate: an option that weir-hipcc does not know'

finish
