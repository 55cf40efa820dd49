#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lockstep.sh: weir check --lockstep reports what hangs where the items of a sub-group
# advance together, with the line that polls and the line of the write that is not
# reached; without the option such a program is clean, and a note says where it hangs.
# What is right in lockstep is silent, with the option and without.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

mkdir sources
cp "$top_srcdir/tests/cli/lockstep.c" sources/lockstep.c

# line_of MARK: of the program's source.
line_of()
{
    grep -n "/\* $1 \*/" sources/lockstep.c | cut -d: -f1
}

# ---- At every level of optimisation ----------------------------------------------

for level in -O0 -O1 -O2 -O3; do
    weir_cc -g $level sources/lockstep.c -o locks || bad "it does not compile"
    for kernel in inlined called rounds ticket; do
        poll=$(line_of "poll $kernel")
        write=$(line_of "write $kernel")
        weir_ends 1 check --lockstep --no-fixes --schedule in-order,random -- ./locks $kernel
        says "^deadlock in kernel '$kernel', group \([01],0,0\), where the items of a sub-group" \
            "  spinning  .*lockstep.c:$poll  " "  masked  .*lockstep.c:$write  STORE" \
            '^    on words\[0\], which holds' '^3 runs of ./locks: 1 finding' \
            "^  again: weir check --schedule in-order --lockstep -- ./locks $kernel$"
        weir_clean check --runs 4 -- ./locks $kernel
        says '^4 runs of ./locks: no findings, 1 note$' \
            "^note: .*'$kernel' .*lockstep.c:$poll .*lockstep.c:$write, .*again: weir check .*--lockstep"
    done
    silent='in_body with_break turns four_turns counted one_each trips'
    # Several words.
    # shellcheck disable=SC2086
    weir_clean check --lockstep --schedule in-order,reverse,random,pct:3 --seeds 1..2 \
        -- ./locks $silent
    says '^6 runs of ./locks: no findings$'
    # shellcheck disable=SC2086
    weir_clean check --runs 4 -- ./locks $silent
    says '^4 runs of ./locks: no findings$'
done

# ---- What else says so -----------------------------------------------------------

weir_clean check --runs 4 histogram_critical --n 128
says '^4 runs of histogram_critical: no findings, 1 note$' \
    '^note: .*histogram_critical.c:[0-9]+ waits for .*histogram_critical.c:[0-9]+, '
weir_ends 1 check --lockstep --runs 1 histogram_critical
says '^  again: weir check --schedule in-order histogram_critical --lockstep$'

weir_ends 1 check --lockstep --schedule in-order --json -- ./locks ticket
json 'it["findings"][0]["kind"] == "deadlock" and it["findings"][0]["form"] == "lockstep"
    and sorted(site["state"] for site in it["findings"][0]["sites"]) == ["masked", "spinning"]'
weir_clean check --schedule random --json -- ./locks ticket
json 'len(it["notes"]) == 1 and it["findings"] == [] and it["complete"]'

WEIR_OPTIONS='schedule=in-order lockstep=1' ./locks ticket 2>said && bad "it does not fail"
grep -q 'advance together' said || bad "WEIR_OPTIONS does not reach the launch"
WEIR_OPTIONS='schedule=in-order' ./locks ticket 2>said || bad "it fails without the option"

# ---- Recorded runs ---------------------------------------------------------------

for kernel in inlined rounds; do
    weir_ends 1 check --lockstep --no-fixes --schedule random --seed 3 --record file -- ./locks $kernel
    weir_ends 1 replay file
    says 'advance together' "  masked  .*lockstep.c:$(line_of "write $kernel")  "
    weir_ends 0 shrink file -o small
    weir_ends 1 replay small
    says 'advance together'
done

# ---- Without lines, and without the source ---------------------------------------

weir_cc -g0 -O1 sources/lockstep.c -o nolines || bad "it does not compile"
weir_ends 3 check --lockstep --runs 1 -- ./nolines in_body
says "kernel 'in_body' has no line numbers, .*compile it with -g"
mv sources elsewhere
weir_ends 2 check --lockstep --schedule in-order -- ./locks in_body
grep -q 'sources/lockstep.c, is missing' "$out" "$err" || bad "the missing source is not named"
weir_clean check --runs 4 -- ./locks in_body
weir_clean check --runs 4 -- ./locks ticket
says '^note: .* was not tried: ' 'no findings, 1 note$'
leaves_nothing
finish
