#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stackless.sh SRCDIR BUILDDIR SCRATCH: random kernels run with stacks and without, and
# what they write and find must be the same. Each file has a seed and a
# configuration: a clang, a level, and perhaps -march=native.
#
#   FUZZ_KERNELS=1000   at least so many
#   FUZZ_FILE=20        of a file
#   FUZZ_SEED=1         of the first file; the next one has the next number
#   FUZZ_CLANGS         instead of all that are here
#   FUZZ_CONFIG         instead of one that the seed chooses: "clang-15 -O3"
#   FUZZ_REDUCE=7       only the kernel with this number of FUZZ_SEED: leave out what
#                       its failure does not need, one statement after the other
#
# Where something differs, the kernels stay in SCRATCH, and the command that compares
# these again is printed.
srcdir=${1:?} builddir=${2:?} scratch=${3:?}
: "${FUZZ_KERNELS=1000}" "${FUZZ_FILE=20}" "${FUZZ_SEED=1}" "${FUZZ_CLANGS=}" "${FUZZ_CONFIG=}" "${FUZZ_REDUCE=}"
WEIR_LIB_DIR=$builddir
WEIR_INCLUDE_DIR=$srcdir/sim
export WEIR_LIB_DIR WEIR_INCLUDE_DIR
again="make fuzz-stackless FUZZ_KERNELS=$FUZZ_FILE FUZZ_FILE=$FUZZ_FILE"

clangs=
for clang in ${FUZZ_CLANGS:-clang-14 clang-15 clang-16 clang-17 clang-18 clang-19}; do
    if WEIR_CLANG=$clang "$builddir/weir-split" --version >/dev/null 2>&1; then
        clangs="$clangs $clang"
    fi
done
if test -z "$clangs"; then
    echo 'fuzz-stackless: skipped: no clang of version 14 or later'
    exit 77
fi

mkdir -p "$scratch" && cd "$scratch" || exit 99
# The words of these are split on purpose.
# shellcheck disable=SC2046
{
    ${CC:-cc} -std=gnu11 -O1 "$srcdir/tests/fuzz/stackless-draw.c" -o draw \
        && ${CC:-cc} -std=gnu11 -O1 -I"$srcdir/sim" $(pkg-config --cflags glib-2.0) \
            -c "$srcdir/tests/fuzz/stackless-run.c" -o run.o
} || exit 99

# Sets $config for a seed: clangs change fastest.
configure()
{
    config=$FUZZ_CONFIG
    test -z "$config" || return 0
    # shellcheck disable=SC2086
    set -- "$1" $clangs
    seed=$1
    shift
    rest=$((seed / $#))
    shift $((seed % $#))
    config="$1 -O$((1 + rest % 3))"
    test $((rest / 3 % 2)) -eq 0 || config="$config -march=native"
}

# try NAME: compiles NAME.c as $config says, and runs it. Status 1: something differs;
# 124: it does not end; 99: it does not compile
try()
{
    WEIR_CLANG=${config%% *}
    export WEIR_CLANG
    rm -f "$1"
    # shellcheck disable=SC2086
    "$builddir/weir-cc" --stackless --no-instrument -w -g -ffp-contract=off ${config#* } \
        -I"$srcdir/tests/fuzz" -c "$1.c" -o "$1.o" >"$1.log" 2>&1 \
        && "$builddir/weir-cc" --no-instrument "$1.o" run.o -o "$1" >>"$1.log" 2>&1 \
        || return 99
    timeout 60 "./$1" >"$1.log" 2>&1
}

if test -n "$FUZZ_REDUCE"; then
    configure "$FUZZ_SEED"
    ./draw "$FUZZ_SEED" $FUZZ_FILE "$FUZZ_REDUCE" >reduced.c
    try reduced
    wanted=$?
    test $wanted -ne 0 || { echo "kernel $FUZZ_REDUCE does not differ ($config)"; exit 1; }
    out=
    for id in $(sed -n 's/^ *\/\* \([0-9]*\) \*\/$/\1/p' reduced.c | sort -rn); do
        ./draw "$FUZZ_SEED" $FUZZ_FILE "$FUZZ_REDUCE" "$out$id" >reduced.c
        try reduced
        test $? -ne $wanted || out="$out$id,"
    done
    ./draw "$FUZZ_SEED" $FUZZ_FILE "$FUZZ_REDUCE" "$out" >reduced.c
    try reduced
    echo "$scratch/reduced.c ($config):"
    cat reduced.log
    exit
fi

bad=0
seed=$FUZZ_SEED
last=$((FUZZ_SEED + (FUZZ_KERNELS + FUZZ_FILE - 1) / FUZZ_FILE))
while test "$seed" -lt "$last"; do
    configure "$seed"
    ./draw "$seed" $FUZZ_FILE >"seed-$seed.c"
    try "seed-$seed"
    status=$?
    if test $status -eq 0; then
        rm -f "seed-$seed" "seed-$seed".*
    else
        bad=1
        echo "seed $seed, $config: status $status: $scratch/seed-$seed.c; again by:"
        echo "  $again FUZZ_SEED=$seed FUZZ_CONFIG='$config'"
        grep -v ' workers$' "seed-$seed.log" || tail -n 1 "seed-$seed.log"
    fi
    seed=$((seed + 1))
done
test $bad -ne 0 || echo "$((FUZZ_FILE * (last - FUZZ_SEED))) kernels from seed $FUZZ_SEED on:" \
    "the same with stacks and without"
exit $bad
