#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sizes.sh: where memory is too small, weir check proposes the least size with which no
# access is out of bounds, whatever the index that its finding names, and states the
# largest one; it proposes nothing where there is no such size.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/builds.sh"
cp "$top_srcdir/tests/cli/sizes.c" .
ASAN_OPTIONS=detect_leaks=0 # the program leaves its memory to the system
export ASAN_OPTIONS

# check N IN_LOCAL N_LOCAL STRIDE MODULUS IN_OUT N_OUT [FARTHER]: checks the kernel with
# these numbers, which has N findings.
check()
{
    findings=$1
    shift
    weir check --time-limit 240 --runs 6 --json --patch patch -- ./sizes "$@"
    ends_with $((findings > 0))
    json "sum(not f.get('note') for f in it['findings']) == $findings"
}

# proposes WORDS...: the fixes, in order
proposes()
{
    wanted=
    for words in "$@"; do
        wanted="$wanted'$words',"
    done
    json "[x['to'] for f in it['findings'][:1] for x in f['fixes']] == [$wanted]"
}

counted
weir_cc -g -O1 sizes.c -o sizes || exit 1
compiled 1

# One index after the other in one item: the finding names the first of many. The first
# size is built; then one program, in which the run chooses others, and the size found.
check 1 40 41 1 1000000 8 8
proposes 'IN_LOCAL + 1'
compiled 1
check 1 16 60 1 1000000 8 8
proposes 'IN_LOCAL + 44'
compiled 3
json 'it["findings"][0]["index"] == 16
    and it["findings"][0]["why"] == "the largest index seen is 59"'
check 1 16 301 1 1000000 8 8
proposes 'IN_LOCAL + 285'
# Back and forth: 7 i mod 61 is 60, its maximum, at i = 26.
check 1 16 60 7 61 8 8
proposes 'IN_LOCAL + 45'
# A buffer, and both.
check 1 16 16 1 1000000 8 71
proposes 'in_out + 63'
check 2 16 60 1 1000000 8 71
json 'sorted({x["to"] for f in it["findings"] for x in f["fixes"]})
    == ["IN_LOCAL + 44", "in_out + 63"]'
compiled 16

# What suffices is left alone.
check 0 60 60 1 1000000 8 8
check 0 61 60 7 61 71 71

# No size suffices: an index that is far out, and more than local memory has.
check 1 16 60 4294967295 4294967296 8 8
proposes
check 1 16 100001 1 1000000 8 8
proposes
json 'it["findings"][0]["why"] is None'
compiled 3

# Where the compiler must know a size, each is built.
weir_cc -g -O1 -DIN_LOCAL=16 sizes.c -o sizes || exit 1
check 1 0 19 1 1000000 8 8
proposes 'IN_LOCAL + 3'
compiled 5

# The size that is found in one program is not enough when it is built.
weir_cc -g -O1 sizes.c -o sizes || exit 1
check 1 16 17 1 1000000 8 8 2
proposes 'IN_LOCAL + 3'
leaves_nothing
finish
