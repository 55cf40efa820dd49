#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exercises.sh [NAME...]: each exercise rejects its wrong form and its near misses, by
# the judge that they name, and accepts its solutions. Makefile fragment and folders have
# the same exercises, and README.md and NEWS their number. By hand from the top of the
# sources, with WEIR set to the command and the names of some exercises, it judges these.
. "${top_srcdir:-.}/tests/cli/lib.sh"
use_weir_cc
WEIR_EXERCISE_DIR=$top_srcdir/exercises
export WEIR_EXERCISE_DIR
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" \
    || { echo "SKIP: weir-cc links no other sanitizer"; exit 77; }
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR
cd "$scratch" || exit 99

folders=$(cd "$top_srcdir/exercises" && ls -d */ | tr -d /)
listed=$(sed -n '/^exercises = /,/[^\\]$/p' "$top_srcdir/exercises/local.mk" | tr -d '\t\\' \
    | sed '1d; s/ *$//')
step='exercises/local.mk' status=0
: >"$out"
: >"$err"
test "$folders" = "$listed" || bad "the folders and the list differ"
n=$(echo "$folders" | wc -l)
for file in README.md NEWS; do
    grep -q "weir exercise.* $n wrong" "$top_srcdir/$file" || bad "$file does not have $n"
done

# Those in CUDA need a clang.
if ! "${tree}/weir-nvcc" --show -c "$top_srcdir/exercises/cuda-block-sum/judge.cu" \
    >"$out" 2>"$err" || ! test -x "$tree/weir-cuda-cc"; then
    cat "$err"
    folders=$(echo "$folders" | grep -v '^cuda-')
fi
# Each of them takes a quarter of a minute: the others are a matter of check-matrix.
if test -z "${WEIR_ALL_COMPILERS-}"; then
    folders=$(echo "$folders" | grep -v '^cuda-\(edge\|last\|warp\)-')
fi
test $# -gt 0 || set -- $folders
weir exercise verify "$@"
is_clean
grep -v '^ok' "$out"
says "^$# of $# exercises are as they should be\$"
test -z "$(ls "$TMPDIR")" || bad "temporary files are left"
finish
