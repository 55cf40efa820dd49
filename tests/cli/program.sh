# SPDX-License-Identifier: MIT
#
# program.sh: program.c compiled with the tree's weir-cc, for the tests of programs;
# sourced after lib.sh, not run. There are $program and $plain, the latter without
# instrumentation, and the test goes on in a scratch folder where they are.
# shellcheck shell=sh

: "${top_builddir:=.}"
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
WEIR_LIB_DIR=$(cd "$top_builddir" && pwd)
top_srcdir=$(cd "$top_srcdir" && pwd)
WEIR_INCLUDE_DIR=$top_srcdir/sim
export WEIR_LIB_DIR WEIR_INCLUDE_DIR
source=$top_srcdir/tests/cli/program.c
TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"
weir_cc -g -O1 "$source" -o "$scratch/program" \
    && weir_cc --no-instrument -g -O1 "$source" -o "$scratch/plain" \
    || { echo "FAIL: program.c does not compile"; exit 1; }
cd "$scratch" || exit 99

# Nothing is left of temporary files or of processes.
leaves_nothing()
{
    test -z "$(ls "$TMPDIR")" || bad "temporary files are left: $(ls "$TMPDIR")"
}
