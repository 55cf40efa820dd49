#!/bin/sh
# SPDX-License-Identifier: MIT
#
# replay.sh: weir replay prints byte for byte what the recorded run printed, for
# kernels and for programs, and says where a run parts from its schedule. A wrong answer
# is recorded with the shortest schedule that leads to it.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

# same ARGUMENT...: records, and replays in both forms of output.
same()
{
    for form in '' --json; do
        # The option may be none.
        # shellcheck disable=SC2086
        weir check $form --no-fixes --record recorded "$@"
        cp "$out" first
        expected=$status
        # shellcheck disable=SC2086
        weir_ends "$expected" replay $form recorded
        cmp -s first "$out" || { bad "another output than of: $*"; diff first "$out"; }
        leaves_nothing
    done
}

for order in in-order reverse round-robin random pct:3:100; do
    same --schedule $order --seed 5 reduce_tree --n 100 --local 8
    for program in ./program ./plain; do
        for mode in clean diverge order second forks starts status; do
            same --schedule $order --seed 5 -- $program $mode
        done
    done
done
# The record of a wrong answer is the shortest schedule that leads to it, not the run's.
for program in ./program ./plain; do
    weir_ends 1 check --no-fixes --record recorded --schedule reverse -- $program \
        status-by-order
    weir_ends 1 replay recorded
    says "^wrong result of kernel 'last_one': $program ended with status 4" \
        'item 3 of group 1 runs first' '^  under the schedule of recorded$'
done
same --schedule pct:3 --seed 5 -- ./program order
same --schedule random --seed 7 reduce_last_group --n 500 --local 16
same --schedule random --seed 7 histogram_replicated --n 500
same --schedule reverse --seed 7 reduce_atomics1 --n 50 --device opencl12
same --schedule reverse --device opencl12 -- ./program clean
grep -q '^  device: opencl12$' recorded || bad "the device is not recorded"
sed 's/^command: \(.*\) --device opencl12/command: \1/' recorded >wrong
weir_ends 2 replay wrong
warns 'its device is default, and opencl12 was recorded'
sed 's/--device opencl12/--device cuda/' recorded >wrong
weir replay wrong
complains "--device: .*'cuda'"
weir_ends 0 shrink recorded -o smaller
weir_ends 1 replay smaller
says 'unsupported' "on device 'opencl12'"
same --schedule reverse --step-limit 30 reduce_tree --n 100
same --schedule reverse --after release --exited alive-only -- ./program diverge "it's"

# The first of several runs that fails is recorded, or else the first.
weir_ends 1 check --record recorded --schedule in-order,reverse,random -- ./program order
warns 'recorded in recorded: ./program under schedule reverse'
weir_ends 1 replay recorded
says '^  under schedule reverse$' '^1 run of ./program: 1 finding$'
weir_ends 0 check --record recorded --schedule in-order,reverse reduce_tree --n 64
warns 'under schedule in-order'

# What parts from its schedule: one line, with the step or the launch.
weir_ends 0 check --record recorded --schedule reverse -- ./program changing
CHANGING_SIZE=1
export CHANGING_SIZE
weir_ends 2 replay recorded
test "$(wc -l <"$err")" -eq 1 || bad "not one line"
warns '^weir replay: recorded: .*global size'
unset CHANGING_SIZE
weir_ends 0 check --record recorded --schedule reverse -- ./program more
MORE_LAUNCHES=1
export MORE_LAUNCHES
weir_ends 2 replay recorded
warns '^weir replay: recorded: .*1 launch'
weir_ends 0 check --record recorded --schedule reverse -- ./program more
unset MORE_LAUNCHES
weir_ends 2 replay recorded
warns '^weir replay: recorded: .*2 launches'
weir check --record recorded --schedule reverse --seed 3 reduce_tree --n 64 --local 8
sed 's/^  \([0-9]*\) 0\.\([0-9]*\):\([0-9]*\) -> /  \1 0.\2:9\3 -> /' recorded >wrong
weir replay wrong
complains 'wrong' 'step'

# Recorded once, by another build: what is decided at operations is the same in all of
# them. A kernel or the machine that reaches another stop parts from these.
for file in "$top_srcdir"/tests/cli/replays/*.schedule; do
    weir_ends 0 replay "$file"
    kernel=${file##*/}
    says "1 run of ${kernel%.schedule}: no findings, 1 note" \
        "^note: kernel '${kernel%.schedule}': its plain accesses to memory are not seen: the schedule"
done

# So a build with hooks follows what one without has recorded; the other way there are
# stops that the build does not have.
weir_ends 1 check --record recorded --schedule reverse -- ./plain order
sed 's|^command: \(.*\) \./plain|command: \1 ./program|' recorded >hooked
grep -q '^command: .* ./program order' hooked || bad "no command to replace"
weir_ends 1 replay hooked
says '^  under schedule reverse$' '^1 run of ./program: 1 finding, 1 note$'
weir check --record recorded --schedule reverse -- ./program clean
sed 's|^command: \(.*\) \./program|command: \1 ./plain|' recorded >hookless
weir_ends 2 replay hookless
warns 'kind of stops is operations, and accesses was recorded'

# What each step did, with the values. In order item 3 completes the first barrier and is
# the first at the second one, so that item 2 completes that and writes before item 3
# reads; in reverse item 1 completes it, and item 3 reads before item 2 writes.
weir_cc -g -O1 "$top_srcdir/tests/cli/gdb.c" -o steps || bad "gdb.c does not compile"
for read in 'in-order 1' 'reverse 0'; do
    weir_ends 1 check --no-fixes --record recorded --schedule "${read% *}" -- ./steps races
    weir_ends 1 replay --steps recorded
    says "^launch 1, of kernel 'races':$" ' 0\.2 +gdb\.c:[0-9]+  write  cells\[0\] = 0$' \
        ' 0\.2 +gdb\.c:[0-9]+  write  cells\[1\] = 1$' \
        " 0\\.3 +gdb\\.c:[0-9]+  read  cells\\[1\\] = ${read#* }\$" \
        " 0\\.3 +gdb\\.c:[0-9]+  write  cells\\[3\\] = ${read#* }\$" '^data race in kernel'
    test "$(grep -c ' weir_barrier$' "$out")" -eq 8 || bad "not 8 arrivals"
    leaves_nothing
done
# Items 0 to 3 in order: 0 + 2, which item 1 replaces by -5; -5 + 2, which item 3 leaves.
weir_ends 0 check --record recorded --schedule in-order -- ./steps counts
weir_ends 0 replay --steps recorded
says ' 0\.0 .* atomic fetch_add, relaxed, device  cells\[0\] = 0 -> 2$' \
    ' 0\.1 .* atomic compare_exchange, acq_rel, device  cells\[0\] = 2 -> -5$' \
    ' 0\.2 .* cells\[0\] = -5 -> -3$' ' 0\.3 .* cells\[0\] = -3 -> -3$' \
    ' fence, seq_cst, device$'
weir_ends 0 replay --steps --json recorded
json '[(s["launch"], s["group"], s["item"], s["access"], s["object"], s["index"], s["before"], s["after"])
    for s in it["steps"] if s["item"] == 1 and s["access"] == "atomic compare_exchange"]
    == [(1, 0, 1, "atomic compare_exchange", "cells", 0, "2", "-5")] and it["steps_more"] == 0
    and [s["step"] for s in it["steps"]] == sorted(s["step"] for s in it["steps"])'
weir_ends 0 replay --json recorded
json '"steps" not in it'
weir_ends 0 check --record recorded --schedule in-order reduce_atomics2 --n 8 --local 4
weir_ends 0 replay --steps recorded
# At -O3 clang reads four elements at once.
says "^launch 1, of kernel 'reduce_atomics2':$" \
    '  read  in\[(7\] = -?[0-9]+|4\], 16 bytes)$' \
    ' atomic fetch_add, relaxed, device  out\[0\] = 0 -> [0-9]+$'

# A page draws which items wait for which: the lock was written last by the item that
# waits at the barrier for the others; no item is left to write the cell that all spin on.
weir_ends 1 check --no-fixes --schedule in-order --report page.html -- ./steps locks
grep -q 'aria-label="which items wait for which"' page.html || bad "no drawing"
for text in 'items 1-3 of group (0,0,0)' 'item 0 of group (0,0,0)' \
    'on cells\[0\] = 1, written last by' 'at weir_barrier, for'; do
    grep -q "<text .*>$text</text>" page.html || bad "no text '$text' in the drawing"
done
# From the third line of either box, to the upper edge of the other one.
edge=$(sed -n 's/.*<rect class="w-box" x="4" y="4" width="\([0-9]*\)".*/\1/p' page.html)
grep -q "d=\"M$((edge + 4)) 64H[0-9]*V11[0-9]H" page.html || bad "no arrow from the first box to the second"
grep -q "d=\"M$((edge + 4)) 162H[0-9]*V2[0-9]H" page.html || bad "no arrow from the second box to the first"
! grep -q 'no item</text>' page.html || bad "a box without items"
weir_ends 1 check --no-fixes --schedule in-order --report page.html -- ./steps spins
for text in 'on cells\[0\] = 0, from' 'no item' 'no remaining item writes it'; do
    grep -q "<text .*>$text</text>" page.html || bad "no text '$text' in the drawing"
done
if command -v xmllint >/dev/null 2>&1; then
    xmllint --noout page.html 2>violations || bad "not well formed: $(head -3 violations)"
fi

# Files that are none.
weir replay no-such-file
complains 'no-such-file'
printf 'nonsense\n' >wrong
weir replay wrong
complains 'wrong'
: >wrong
weir replay wrong
complains 'wrong'
head -c 100 recorded >wrong
weir replay wrong
complains 'wrong'
head -c 100 /dev/urandom >wrong
weir replay wrong
complains 'wrong'
for command in 'weir' 'weir check' 'weir run reduce_tree' 'rm -rf x' "weir check 'x" \
    'weir check reduce_tree' 'weir check --schedule reverse all' \
    'weir check --schedule reverse --record x'; do
    sed "s|^command: .*|command: $command|" recorded >wrong
    weir_ends 2 replay wrong
done
sed 's|^command: .*|&\\|' recorded >wrong
weir replay wrong
complains 'wrong:2:' "'command: weir check .*\\\\' ends in a lone backslash" 'twice'
weir shrink wrong
complains 'wrong:2:' 'lone backslash'
grep -v '^command: ' recorded >wrong
weir replay wrong
complains 'wrong' 'record'
weir replay
complains 'name one file'
weir replay recorded recorded
complains 'name one file'
finish
