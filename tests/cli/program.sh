# SPDX-License-Identifier: MIT
#
# program.sh: the tests of programs source it after lib.sh. They go on in a scratch folder
# that has program.c compiled with the tree's weir-cc, ./program, and the same without
# instrumentation, ./plain, which make builds once for all of them.
# shellcheck shell=sh

use_weir_cc
source=$top_srcdir/tests/cli/program.c
TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"
cp "$tree/tests/cli/program" "$tree/tests/cli/plain" "$scratch" \
    || { echo "FAIL: build them: make tests/cli/program tests/cli/plain"; exit 1; }
cd "$scratch" || exit 99

# Nothing is left of temporary files or of processes.
leaves_nothing()
{
    test -z "$(ls "$TMPDIR")" || bad "temporary files are left: $(ls "$TMPDIR")"
}
