#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exercises.sh: each exercise rejects its wrong form and its near misses, by the judge
# that they name, and accepts its solutions. The judge notices an exercise that does not.
# What `weir exercise show` prints as commands is what the judges do.
. "${top_srcdir:-.}/tests/cli/lib.sh"
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
WEIR_LIB_DIR=$(cd "${top_builddir:-.}" && pwd)
top_srcdir=$(cd "$top_srcdir" && pwd)
WEIR_INCLUDE_DIR=$top_srcdir/sim
WEIR_EXERCISE_DIR=$top_srcdir/exercises
export WEIR_LIB_DIR WEIR_INCLUDE_DIR WEIR_EXERCISE_DIR
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" \
    || { echo "SKIP: weir-cc links no other sanitizer"; exit 77; }
mkdir "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR
cd "$scratch" || exit 99

# The commands to be given by hand have the options with which a judge runs them.
weir exercise show waiting-groups
is_clean
says '^  weir explore --resident=1 -- \./waiting-groups launch 1 1x2 1x3$'
weir exercise show missing-barrier
is_clean
says '^  weir explore -- \./missing-barrier launch 1 2x1 3x1$'

weir exercise verify
is_clean
grep -v '^ok' "$out"
n=$(ls -d "$top_srcdir"/exercises/*/ | wc -l)
says "^$n of $n exercises are as they should be\$"
test -z "$(ls "$TMPDIR")" || bad "temporary files are left"
finish
