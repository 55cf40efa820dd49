#!/bin/sh
# SPDX-License-Identifier: MIT
#
# native-litmus.sh: kernels explored natively against `weir litmus`: each litmus test
# becomes a kernel, and both explorations have the same executions; in fast mode it ends in
# one of their states; see native_litmus.c.
# The tests are those of native-litmus/ and of the library, and those that
# $WEIR_NATIVE_LITMUS_DIR has in its folders c11 and scoped; or else those that the
# arguments name.
. "${top_srcdir:-.}/tests/arch/lib.sh"

build=$(cd "$top_builddir" && pwd)
sources=$(cd "$top_srcdir" && pwd)
WEIR_LIB_DIR=$build
WEIR_INCLUDE_DIR=$sources/sim
export WEIR_LIB_DIR WEIR_INCLUDE_DIR
test -z "$SANITIZE_FLAGS" || skip "weir-cc links no other sanitizer"
test -f "$build/libnativelitmus.a" || skip "no libnativelitmus.a"
test -x "$build/native-litmus-write" || skip "no native-litmus-write"
"$NM" "$build/libweir.a" 2>/dev/null | grep -q ' T __tsan_read4' || skip "no hooks"

# One program for so many tests, which a compiler takes seconds for.
chunk=100

# builds FLAGS TEST...
builds()
{
    flags=$1
    shift
    "$build/native-litmus-write" "$@" >"$scratch/kernels.c" \
        || { bad "no kernels are written of $1 and so on"; return 1; }
    # The flags are several words, or none.
    # shellcheck disable=SC2086
    "$build/weir-cc" --no-record $flags -g -w -fno-strict-aliasing \
        -I"$sources/tests" $COVERAGE_CFLAGS "$scratch/kernels.c" \
        "$build/libnativelitmus.a" -o "$scratch/program" \
        || { bad "the kernels of $1 and so on do not compile"; return 1; }
}

# runs_fast: the program in fast mode
runs_fast()
{
    NATIVE_LITMUS_RUNS=200 "$scratch/program" >"$scratch/log" \
        || bad "a state that is not allowed, compiled with $flags"
    grep -v '^skipped' "$scratch/log"
}

# judge LEVEL TEST...
judge()
{
    level=$1
    shift
    builds "--no-stackless $level" "$@" || return 0
    "$scratch/program" >"$scratch/log" || bad "a disagreement, compiled with $level"
    cat "$scratch/log"
    cat "$scratch/log" >>"$scratch/all"
    runs_fast
}

if test $# -eq 0; then
    # What a compiler keeps in registers decides how a loop looks. Below, -O1 has its turn.
    levels='-O0 -O2'
    test "${WEIR_ALL_COMPILERS:-0}" != 1 || levels='-O0 -O1 -O2 -O3'
    for level in $levels; do
        judge $level "$sources"/tests/native-litmus/*.litmus
    done
    # Stackless entries, of tests with barriers and local memory.
    for flags in --no-instrument --fat; do
        builds "$flags -O2 -DFAST" "$sources"/tests/litmus/barrier-spaces.litmus \
            "$sources"/tests/litmus/barrier-reuse.litmus \
            "$sources"/tests/litmus/last-group-told.litmus && runs_fast
    done
    set -- "$sources"/tests/litmus/*.litmus
    if test -n "$WEIR_NATIVE_LITMUS_DIR"; then
        set -- "$@" "$WEIR_NATIVE_LITMUS_DIR"/c11/*.litmus \
            "$WEIR_NATIVE_LITMUS_DIR"/scoped/*.litmus
    fi
fi
printf '%s\n' "$@" >"$scratch/tests"
split -l $chunk "$scratch/tests" "$scratch/part."
for part in "$scratch"/part.*; do
    # One path a line.
    old_ifs=$IFS
    IFS='
'
    # shellcheck disable=SC2046
    set -- $(cat "$part")
    IFS=$old_ifs
    judge -O1 "$@"
done

echo "--- all, each test under each model:"
awk '/^(compared|agree|back|followed|unfollowed) / { n[$1] += $2 }
     /^skipped / {
         reason = $0
         sub(/^skipped [0-9]*: /, "", reason)
         n["skipped: " reason] += $2
     }
     END { for (what in n) print what " " n[what] }' "$scratch/all" | sort
finish
