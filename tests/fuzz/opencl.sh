#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl.sh SRCDIR BUILDDIR SCRATCH: random kernels in OpenCL C write the same on another
# platform and on Weir; checked they do, too, and nothing is found.
#
#   FUZZ_KERNELS=1000   at least so many
#   FUZZ_FILE=20        of a program
#   FUZZ_SEED=1         of the first program; the next one has the next number
#   FUZZ_PLATFORM       a part of the other platform's name: Portable, which is PoCL
#   FUZZ_REDUCE=7       only the kernel with this number of FUZZ_SEED: leave out what
#                       its failure does not need, one statement after the other
#
# The other platform compiles OpenCL C 1.2; Weir that, too, or 3.0 if the seed is even.
#
# Where something differs, the program stays in SCRATCH.
srcdir=${1:?} builddir=${2:?} scratch=${3:?}
: "${FUZZ_KERNELS=1000}" "${FUZZ_FILE=20}" "${FUZZ_SEED=1}" "${FUZZ_PLATFORM=Portable}"
: "${FUZZ_REDUCE=}"
options='-cl-std=CL1.2 -w'

mkdir -p "$scratch" && cd "$scratch" || exit 99
${CC:-cc} -std=gnu11 -O1 "$srcdir/tests/fuzz/opencl-draw.c" -o draw || exit 99
${CC:-cc} -std=gnu11 -O1 "$srcdir/tests/fuzz/opencl-run.c" -o run -lOpenCL 2>run.log \
    || { echo 'fuzz-opencl: skipped: no OpenCL, see run.log'; exit 77; }
echo >none.cl
./run none.cl "$FUZZ_PLATFORM" >run.log 2>&1
! grep -q 'no platform\|clGetPlatformIDs' run.log \
    || { echo "fuzz-opencl: skipped: no platform '$FUZZ_PLATFORM'"; exit 77; }
WEIR_CACHE_DIR=$PWD/cache
export WEIR_CACHE_DIR

unsure=0

# The other platform on NAME.cl. A kernel that does not end there, or ends the program, is
# launched nowhere. Status 1: it does not take the program
other()
{
    while :; do
        POCL_CACHE_DIR=$PWD/pocl timeout 120 ./run "$1.cl" "$FUZZ_PLATFORM" "$options" \
            >"$1.other" 2>"$1.log"
        how=$?
        test $how -ge 124 || return $how
        kernel=$(sed -n 's,^// launch \(k[0-9]*\) .*,\1,p' "$1.cl" \
            | sed -n "$(($(grep -c . "$1.other") + 1))p")
        test -n "$kernel" || return 1
        echo "$1, $kernel: not compared: '$FUZZ_PLATFORM' does not end it"
        unsure=$((unsure + 1))
        sed -i "s,^// launch $kernel ,// no launch $kernel ," "$1.cl"
    done
}

# Whether NAME's FILE has the answers of the other platform; NAME.differ lists those that
# it has not. They are not evidence where that platform contradicts itself: where it has
# another answer when it does not optimise.
agrees()
{
    : >"$1.differ"
    cmp -s "$1.other" "$2" && return
    test -f "$1.plain" \
        || POCL_CACHE_DIR=$PWD/pocl timeout 120 ./run "$1.cl" "$FUZZ_PLATFORM" \
            "$options -cl-opt-disable" >"$1.plain" 2>/dev/null
    test "$(grep -c . "$1.other")" = "$(grep -c . "$2")" || return
    grep -vxF -f "$1.other" "$2" >"$1.differ"
    while read -r kernel _; do
        grep -q "^$kernel " "$1.plain" || return 1
        ! grep "^$kernel " "$1.other" | grep -qxF -f "$1.plain" || return 1
    done <"$1.differ"
}

# try NAME SEED: runs NAME.cl everywhere. Status 1: something differs; 2: something is
# found, or does not end; 3: the other platform fails
try()
{
    ours='-cl-std=CL3.0 -w'
    test $(($2 % 2)) -eq 0 || ours=$options
    rm -rf cache pocl "$1.plain" "$1.differ"
    mkdir cache pocl
    other "$1" || return 3
    timeout 300 "$builddir/weir" run -- ./run "$1.cl" Weir "$ours" >"$1.fast" 2>"$1.log" \
        || return 2
    agrees "$1" "$1.fast" || return 1
    timeout 300 "$builddir/weir" check --runs 1 -- ./run "$1.cl" Weir "$ours" \
        >"$1.report" 2>"$1.log" || return 2
    grep '^k[0-9]* [0-9a-f]*$' "$1.report" >"$1.checked"
    agrees "$1" "$1.checked" || return 1
    test ! -s "$1.differ" || while read -r kernel _; do
        echo "$1, $kernel: not compared: '$FUZZ_PLATFORM' contradicts itself"
        unsure=$((unsure + 1))
    done <"$1.differ"
}

if test -n "$FUZZ_REDUCE"; then
    ./draw "$FUZZ_SEED" "$FUZZ_FILE" "$FUZZ_REDUCE" >reduced.cl
    try reduced "$FUZZ_SEED"
    wanted=$?
    test $wanted -ne 0 || { echo "kernel $FUZZ_REDUCE does not differ"; exit 1; }
    out=
    for id in $(sed -n 's/^ *\/\* \([0-9]*\) \*\/$/\1/p' reduced.cl | sort -rn); do
        ./draw "$FUZZ_SEED" "$FUZZ_FILE" "$FUZZ_REDUCE" "$out$id" >reduced.cl
        try reduced "$FUZZ_SEED"
        test $? -ne $wanted || out="$out$id,"
    done
    ./draw "$FUZZ_SEED" "$FUZZ_FILE" "$FUZZ_REDUCE" "$out" >reduced.cl
    try reduced "$FUZZ_SEED"
    echo "$scratch/reduced.cl: status $?"
    exit
fi

bad=0
skipped=0
seed=$FUZZ_SEED
last=$((FUZZ_SEED + (FUZZ_KERNELS + FUZZ_FILE - 1) / FUZZ_FILE))
while test "$seed" -lt "$last"; do
    ./draw "$seed" "$FUZZ_FILE" >"seed-$seed.cl"
    unsure_before=$unsure
    try "seed-$seed" "$seed"
    status=$?
    if test $status -eq 0; then
        rm -f "seed-$seed".*
    elif test $status -eq 3 && test $skipped -lt $(((last - FUZZ_SEED + 9) / 10)); then
        echo "seed $seed: not compared, and another one in its place:" \
            "'$FUZZ_PLATFORM' fails on it"
        skipped=$((skipped + 1))
        last=$((last + 1))
        unsure=$unsure_before
        rm -f "seed-$seed".*
    else
        bad=1
        echo "seed $seed: status $status: $scratch/seed-$seed.cl; again by:"
        echo "  make fuzz-opencl FUZZ_KERNELS=$FUZZ_FILE FUZZ_FILE=$FUZZ_FILE FUZZ_SEED=$seed"
        tail -n 3 "seed-$seed.log"
        for how in fast report; do
            test ! -f "seed-$seed.$how" || grep '^k[0-9]* ' "seed-$seed.$how" \
                | diff "seed-$seed.other" - | sed -n "s/^> /  $how: /p"
        done
    fi
    seed=$((seed + 1))
done
rm -rf cache pocl
test $bad -ne 0 || echo "$((FUZZ_FILE * (last - FUZZ_SEED - skipped))) kernels from seed $FUZZ_SEED on:" \
    "the same on '$FUZZ_PLATFORM' and here; $unsure of them not compared"
exit $bad
