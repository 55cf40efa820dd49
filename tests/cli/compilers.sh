#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compilers.sh: what compilers write differently, and reports must not show: programs that
# each compiler here compiles at each level.
. "${top_srcdir:-.}/tests/arch/lib.sh"
rmdir "$scratch" # the other lib.sh makes its own
. "${top_srcdir:-.}/tests/cli/lib.sh"

wrapper=$(cd "${top_builddir:-.}" && pwd)/weir-cc
WEIR_LIB_DIR=$(cd "${top_builddir:-.}" && pwd)
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
export WEIR_LIB_DIR WEIR_INCLUDE_DIR
test -f "$WEIR_LIB_DIR/libweir.a" || skip "no libweir.a"
"$NM" "$WEIR_LIB_DIR/libweir.a" 2>/dev/null | grep -q ' T __tsan_read4' || skip "no hooks"

# compile SOURCE LEVEL...: to program
compile()
{
    source=$1
    shift
    step="$CC $* $source"
    status=0
    "$wrapper" --no-stackless "$@" "$top_srcdir/tests/cli/$source" -o "$scratch/program" >"$out" 2>"$err" \
        || bad "does not compile"
}

# ---- Alignment ---------------------------------------------------------------------

# Comments of alignment.c as lines "CASE KIND READ-OR-WRITE BYTES"; "clang" is what
# gcc shows at some levels at most: a struct that a call passes by value, and one of whose
# copy optimised code reads a later member alone.
cases_of_alignment()
{
    awk '/case [0-9]+:/ { match($0, /case [0-9]+/); n = substr($0, RSTART + 5, RLENGTH - 5) }
        match($0, /\/\* (right|misaligned:|clang:)[^*]*/) {
            what = substr($0, RSTART + 3, RLENGTH - 3)
            sub(/:/, "", what)
            print n, what
        }' "$top_srcdir/tests/cli/alignment.c"
}

# Cases that are right are launches of one run, which finds nothing, and the others are
# launches of another one, each with one finding.
try_alignment()
{
    compile alignment.c "$@"
    cases_of_alignment >"$scratch/cases"
    test "$(wc -l <"$scratch/cases")" -eq 31 || bad "alignment.c has other cases"
    is_clang "$CC" || sed -i '/ clang /d' "$scratch/cases"
    # Several words.
    # shellcheck disable=SC2046
    weir check --schedule in-order -- "$scratch/program" \
        $(awk '$2 == "right" { print $1 }' "$scratch/cases")
    step="$step ($CC $*)"
    # gcc has no hook for what a call takes by value.
    if is_clang "$CC"; then
        is_clean
    else
        ends_with 3
        says '^note: .* an argument of a call \([^ ]*alignment.c:(92|93|100)\)'
        says_nothing_of 'alignment.c:9[4-9]'
    fi
    ! grep -q ^misaligned "$out" || bad "a false alarm"
    grep -v right "$scratch/cases" >"$scratch/wrong"
    # shellcheck disable=SC2046
    weir check --schedule in-order -- "$scratch/program" $(cut -d ' ' -f 1 "$scratch/wrong")
    step="$step ($CC $*)"
    ends_with 1
    awk 'NR == FNR { number[FNR] = $1; next }
        /^misaligned / { what = $2 " " $NF }
        what && match($0, /in launch [0-9]+/) {
            print number[substr($0, RSTART + 10, RLENGTH - 10)], what
            what = ""
        }' "$scratch/wrong" "$out" >"$scratch/found"
    cut -d ' ' -f 1,3,4 "$scratch/wrong" | diff - "$scratch/found" >"$scratch/differ" \
        || bad "in another way misaligned: $(cat "$scratch/differ")"
}

# ---- Returns -----------------------------------------------------------------------

# Lines of returns.c with a comment of these words.
lines_of()
{
    grep -n "/\* $1 \*/" "$top_srcdir/tests/cli/returns.c" | cut -d : -f 1
}

# One missing return is one finding, at the return or at its condition.
try_returns()
{
    compile returns.c "$@"
    for kernel in if loop; do
        weir check --runs 4 -- "$scratch/program" $kernel
        step="$step ($CC $*)"
        ends_with 1
        test "$(grep -c '^barrier divergence' "$out")" -eq 1 || bad "not one divergence"
        found=no
        for line in $(lines_of "leaves the $kernel"); do
            ! grep -q "  returned  .*returns.c:$line " "$out" || found=yes
        done
        test $found = yes || bad "not at the return"
        test "$(grep -c '  returned  ' "$out")" -eq 1 || bad "one return is two"
        weir check --runs 4 -- "$scratch/program" $kernel right
        ends_with 0
    done
}

# ---- Plain accesses ----------------------------------------------------------------

# Every race has the reason that its case in plain.c states; cases 5 and 10 have none.
try_plain()
{
    compile plain.c "$@"
    for number in 1 2 3 4 5 6 7 8 9 10 11 12; do
        weir check --schedule in-order -- "$scratch/program" "$number"
        step="$step ($CC $*)"
        reason=$(sed -n "s|.*/\* $number: \(.*\) \*/|\1|p" "$top_srcdir/tests/cli/plain.c" | head -n 1)
        races=$(grep -c '^data race' "$out")
        if test -z "$reason"; then
            ends_with 0
        else
            test "$races" -ge 1 || bad "no race"
            test "$(grep -c "^  why  *$reason" "$out")" -eq "$races" || bad "not: $reason"
        fi
    done
}

# try_sizes FILE LEVEL...: accesses that are wide or of odd sizes.
try_sizes()
{
    compile "$@"
    for number in 0 1 2 3 4 5 6 7; do
        weir check --schedule in-order -- "$scratch/program" $number
        step="$step ($CC $*)"
        ends_with $((1 - number % 2))
    done
}

for CC in $(compilers); do
    export CC
    for level in -O0 -O1 -O2 '--fat -O2'; do
        # The handlers of another sanitizer would take what it reads.
        # shellcheck disable=SC2086
        test -n "$SANITIZE_FLAGS" || try_alignment $level
        # shellcheck disable=SC2086
        try_returns $level
        # shellcheck disable=SC2086
        try_plain $level
    done
    try_sizes wide.c -O2
    try_sizes wide.c -O1 --fat
done
# try_parts LEVEL...: elements of vectors, in checked code and in fast code.
try_parts()
{
    try_sizes parts.c "$@"
    "$scratch/program" fast || bad "$CC $*: neighbours of elements are written"
}

for CC in $(compilers clang); do
    export CC
    try_sizes odd.c -O1
    try_sizes odd.c -O2
done
for CC in $(clangs); do
    export CC
    try_parts -O0
    try_parts --stackless -O2
    try_parts --fat -O2
    compile parts.c --no-instrument -O1
    "$scratch/program" fast || bad "$CC, without hooks: neighbours of elements are written"
done
finish
