#!/bin/sh
# SPDX-License-Identifier: MIT
#
# contend-random.sh: some random kernels of fixed seeds whose items change the same words
# leave in memory what a reference allows, without stacks and with them, and what an
# exploration finds, for few items; `make fuzz-contend' runs more of them, in more ways.
. "${top_srcdir:-.}/tests/arch/lib.sh"

srcdir=$(cd "${top_srcdir:-.}" && pwd)
builddir=$(cd "${top_builddir:-.}" && pwd)
test -f "$builddir/libweir.a" || skip "no libweir.a"
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" || skip "a sanitizer"

# draws SEED KERNELS CONFIGURATION [OPTION]
draws()
{
    FUZZ_SEED=$1 FUZZ_KERNELS=$2 FUZZ_FILE=$2 FUZZ_CONFIG=$3 FUZZ_DRAW=${4-}
    export FUZZ_KERNELS FUZZ_FILE FUZZ_SEED FUZZ_CONFIG FUZZ_DRAW
    sh "$srcdir/tests/fuzz/contend.sh" "$srcdir" "$builddir" "$scratch" >"$scratch/out" 2>&1
    status=$?
    test $status -ne 77 || skip "no clang"
    test $status -eq 0 && grep -q "^$2 kernels" "$scratch/out" || {
        cat "$scratch/out" "$scratch"/*.log
        bad "kernels of seed $1 ($3)"
    }
}

clang=$("$builddir/weir-split" --version 2>/dev/null) || skip "no clang"
clang=${clang% *}
cc=${CC:-cc}
FUZZ_CLANGS=$clang
export FUZZ_CLANGS
native="--no-instrument -O2 -march=native"
oldest="--no-instrument -O3 -march=x86-64"
# Stackless entries take most of the time, and had most of the errors. Explored kernels are
# compared with every allowed result, so fewer of them have stackless entries.
draws 1 4 "$cc $clang $native"
draws 2 120 "$cc $clang $native" --small
draws 7 3 "$cc $clang $oldest"
draws 3 100 "$cc $clang $oldest" --small
FUZZ_EXPLORE=1
export FUZZ_EXPLORE
draws 4 24 "$cc $clang --fat -O3 -march=native" --small
draws 6 56 "$cc $clang --fat --no-stackless -O1" --small
if command -v "$(printf '%s' "$clang" | sed 's|clang\([^/]*\)$|clang++\1|')" >/dev/null 2>&1; then
    draws 5 12 "sycl $clang --no-instrument -O2" --small
fi
finish
