# SPDX-License-Identifier: MIT
#
# program.sh: the tests of programs source it after lib.sh. They go on in a scratch folder
# that has program.c compiled with the tree's weir-cc, ./program, and the same without
# instrumentation, ./plain, which make builds once for all of them.
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
cp "$WEIR_LIB_DIR/tests/cli/program" "$WEIR_LIB_DIR/tests/cli/plain" "$scratch" \
    || { echo "FAIL: build them: make tests/cli/program tests/cli/plain"; exit 1; }
cd "$scratch" || exit 99

# Nothing is left of temporary files or of processes.
leaves_nothing()
{
    test -z "$(ls "$TMPDIR")" || bad "temporary files are left: $(ls "$TMPDIR")"
}
