#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-builtins.sh: the oldest clang, or each, compiles builtins.c in the three modes
# without a warning, and each row of builtins.def names a function of it. Every function
# of clang's opencl-c.h is one of the table, of libclc, or of weir-opencl-cc; or it is
# listed in tests/opencl/missing.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "$top_srcdir/tests/compilers.sh"

sources=$top_srcdir/sim/opencl/device
clangs=$(clangs)
test -n "$clangs" || { echo "SKIP: no clang"; exit 77; }

# compiles CLANG MODE FLAG...
compiles()
{
    step="$*"
    clang=$1 mode=$2
    shift 2
    status=0
    $clang -std=gnu11 -O1 -Wall -Wextra -I"$top_srcdir/sim" -DWEIRI_FAT="$mode" "$@" \
        -S -emit-llvm -o "$scratch/$clang-$mode.ll" "$sources/builtins.c" >"$out" 2>"$err" \
        || status=$?
    test $status -eq 0 && test ! -s "$err" || bad "it does not compile, or warns"
}

for clang in $clangs; do
    compiles "$clang" 1
    compiles "$clang" 2 -fsanitize=thread
    compiles "$clang" 3
done

# Functions of the IR; a name may continue the name in the table: _2, _i32.
first=$(echo "$clangs" | head -1)
sed -n 's/^define .*@\(weiri_cl_[a-z0-9_]*\)(.*/\1/p' "$scratch/$first-1.ll" \
    | sort >"$scratch/functions"
step="rows of builtins.def"
sed -n 's/^X(\([a-z0-9_]*\), *\([a-z0-9_]*\),.*/\1 \2/p' "$sources/builtins.def" \
    >"$scratch/rows"
test "$(wc -l <"$scratch/rows")" -gt 100 || bad "there are fewer than 100"
for row in $(awk '
    NR == FNR {
        for (name = $1; name != ""; sub(/_?[0-9a-z]*$/, "", name)) {
            begins[name]
        }
        next
    }
    !("weiri_cl_" $2 in begins) { print $1 ":weiri_cl_" $2 }' \
    "$scratch/functions" "$scratch/rows"); do
    bad "${row%:*}: there is no function ${row#*:}"
done

# What is not named in the table nor by weir-opencl-cc, as the five here, is a mistake.
step="functions of builtins.c"
for function in $(awk '
    NR == FNR {
        row[$2]
        next
    }
    /^weiri_cl_(aligned|keep|local|printf|private)$/ { next }
    {
        rest = substr($0, length("weiri_cl_") + 1)
        while (rest != "" && !(rest in row)) {
            sub(/_?[^_]*$/, "", rest)
        }
        if (rest == "") {
            print
        }
    }' "$scratch/rows" "$scratch/functions"); do
    bad "$function has no row"
done

# ---- Functions of OpenCL C -----------------------------------------------------------

header=$("$first" -print-resource-dir)/include/opencl-c.h
libclc=$(ls /usr/lib/clc/nvptx64--.bc /usr/share/clc/nvptx64--.bc 2>/dev/null | head -1)
nm=llvm-nm-${first#clang-}
if ! test -f "$header" || test -z "$libclc" || ! command -v "$nm" >/dev/null 2>&1; then
    echo "no opencl-c.h, libclc or $nm: the list is not compared"
    test $failures -eq 0
    exit
fi
# Names before a parenthesis. Vendors' own begin with the vendor.
grep -v '^ *\(//\|\*\|/\*\|#\)' "$header" | grep -o '\<[a-z][a-zA-Z_0-9]*(' | tr -d '(' \
    | grep -v '^intel_\|^arm_\|^amd_\|^defined$\|^if$\|^deprecated$' | sort -u >"$scratch/names"
"$nm" "$libclc" 2>/dev/null | sed -n 's/.* [TtW] _Z\([0-9]*\)\(.*\)/\1 \2/p' \
    | awk '{ print substr($2, 1, $1) }' >"$scratch/known"
cut -d' ' -f1 "$scratch/rows" >>"$scratch/known"
# Those of sim/opencl-cc: builtins.c, integers.c and reals.c.
grep -E '^(vload|vstore)|^(fract|modf|sincos|frexp|remquo|lgamma_r|ctz|mad_hi)$' \
    "$scratch/names" >>"$scratch/known"
sort -u "$scratch/known" >"$scratch/all"
step="functions of opencl-c.h"
test "$(wc -l <"$scratch/names")" -gt 500 || bad "there are fewer than 500"
comm -23 "$scratch/names" "$scratch/all" >"$scratch/lacking"
# Patterns of names that are known to be missing, a line each, followed by the reason.
sed -n 's/^    \(\S*\)  .*/\1/p' "$top_srcdir/tests/opencl/missing" >"$scratch/patterns"
while read -r name; do
    # shellcheck disable=SC2254
    while read -r pattern; do
        case $name in $pattern) continue 2 ;; esac
    done <"$scratch/patterns"
    bad "$name is nowhere, and not in tests/opencl/missing"
done <"$scratch/lacking"
while read -r pattern; do
    found=0
    while read -r name; do
        # shellcheck disable=SC2254
        case $name in $pattern) found=1 ;; esac
    done <"$scratch/lacking"
    test $found -eq 1 || bad "$pattern in tests/opencl/missing is not missing"
done <"$scratch/patterns"

test $failures -eq 0
