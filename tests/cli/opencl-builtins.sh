#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-builtins.sh: each clang that is here compiles builtins.c in the three modes
# without a warning, and each row of builtins.def names a function of it.
. "${top_srcdir:-.}/tests/cli/lib.sh"

sources=$top_srcdir/sim/opencl
clangs=$(for version in 14 15 16 17 18 19; do
    ! command -v clang-$version >/dev/null 2>&1 || echo clang-$version
done)
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

# Functions of the IR; a name may go on behind that of the table: _2, _i32.
first=$(echo "$clangs" | head -1)
sed -n 's/^define .*@\(weiri_cl_[a-z0-9_]*\)(.*/\1/p' "$scratch/$first-1.ll" \
    | sort >"$scratch/functions"
step="rows of builtins.def"
sed -n 's/^X(\([a-z0-9_]*\), *\([a-z0-9_]*\),.*/\1 \2/p' "$sources/builtins.def" \
    >"$scratch/rows"
test "$(wc -l <"$scratch/rows")" -gt 100 || bad "there are fewer than 100"
while read -r name target; do
    grep -qE "^weiri_cl_$target(_[0-9a-z_]*)?\$" "$scratch/functions" \
        || bad "$name: there is no function weiri_cl_$target"
done <"$scratch/rows"

# What is not named in the table nor by the rewriter is a mistake.
step="functions of builtins.c"
while read -r function; do
    found=0
    rest=${function#weiri_cl_}
    while test -n "$rest" && test $found -eq 0; do
        ! grep -q " $rest\$" "$scratch/rows" || found=1
        case $rest in
        *_*) rest=${rest%_*} ;;
        *) rest= ;;
        esac
    done
    case $function in weiri_cl_local | weiri_cl_printf) found=1 ;; esac # the rewriter's
    test $found -eq 1 || bad "$function has no row"
done <"$scratch/functions"

test $failures -eq 0
