#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stackless-random.sh: some random kernels of fixed seeds write and find the same with
# stacks and without; `make fuzz-stackless' runs more of them.
. "${top_srcdir:-.}/tests/arch/lib.sh"

srcdir=$(cd "${top_srcdir:-.}" && pwd)
builddir=$(cd "${top_builddir:-.}" && pwd)
test -f "$builddir/libweir.a" || skip "no libweir.a"
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" || skip "a sanitizer"
FUZZ_KERNELS=10 FUZZ_FILE=5 FUZZ_SEED=4
FUZZ_CLANGS=$(clangs)
export FUZZ_KERNELS FUZZ_FILE FUZZ_SEED FUZZ_CLANGS
sh "$srcdir/tests/fuzz/stackless.sh" "$srcdir" "$builddir" "$scratch" >"$scratch/out" 2>&1
status=$?
test $status -ne 77 || skip "no clang"
if test $status -ne 0; then
    cat "$scratch/out" "$scratch"/*.log
    exit 1
fi
grep -q '^10 kernels' "$scratch/out" || { cat "$scratch/out"; exit 1; }
