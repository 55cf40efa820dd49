#!/bin/sh
# SPDX-License-Identifier: MIT
#
# shrink.sh: weir shrink leaves the switches that a failure needs, and what it writes
# fails when it is replayed.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

# shrinks STATUS MOST PATTERN: recorded.txt, whose replay ends with STATUS and says
# PATTERN; at most MOST switches are left. With sanitizers and on a busy machine, runs
# take long.
shrinks()
{
    weir_clean shrink recorded.txt --time-limit 600
    says '^recorded\.txt: [0-9]+ switch(es)? -> [0-9]+ in [0-9]+ runs$' \
        '^written to recorded\.min\.txt$'
    left=$(sed -n 's/^recorded.*-> \([0-9]*\) in.*/\1/p' "$out")
    test "$left" -le "$2" || bad "$left switches are left"
    test "$(grep -c '^  step' "$out")" -eq "$left" || bad "not a line for each switch"
    weir_ends "$1" replay recorded.min.txt
    says "$3"
    cp "$out" first
    weir replay recorded.min.txt
    cmp -s first "$out" || bad "another output the second time"
    leaves_nothing
}

for program in ./plain ./program; do
    for schedule in random pct:3:100 random,pct:2; do
        weir_ends 1 check --record recorded.txt --schedule $schedule --seeds 5..40 -- $program order
        shrinks 1 6 'barrier divergence.*tickets'
        weir_ends 1 check --record recorded.txt --schedule $schedule --seeds 1..40 -- $program second
        shrinks 1 6 'barrier divergence.*tickets'
    done
    # It fails in order, too: nothing is needed.
    weir_ends 1 check --record recorded.txt --schedule random --seed 3 -- $program diverge
    shrinks 1 0 'barrier divergence.*tree_sum'
    weir shrink recorded.txt
    says '^no switch is needed: it fails in order already$'
    weir_ends 1 check --no-fixes --record recorded.txt --schedule reverse -- $program status-by-order
    shrinks 1 1 '^wrong result of kernel'
    weir shrink recorded.txt
    says_nothing_of 'in order already'
    weir_ends 1 check --record recorded.txt --schedule reverse -- $program starts
    shrinks 1 6 'barrier divergence.*tickets'
done
# It says why it gives up.
weir_clean shrink recorded.min.txt -o again.txt
says '^no switch can be removed: without any one of them a run does not show "barrier divergence in kernel .tickets.'
cat >some.sh <<'END'
echo >>runs
test "$(wc -l <runs)" -lt "$1" && exec ./program diverge
exec ./program clean
END
weir_ends 1 check --record recorded.txt --schedule random --seed 3 -- sh some.sh 9
for fewer in 3 5; do
    rm -f runs
    sed "s/some.sh 9/some.sh $fewer/" recorded.txt >fewer.txt
    weir shrink fewer.txt
    ends_with 2
    case $fewer in
    3) complains 'switches left of the schedule, run again, do not show .barrier divergence in kernel .tree_sum.*: it ends without a finding: the failure depends on more than the schedule' ;;
    5) complains '0 switches left of the schedule, recorded and followed once more, .*: parted from the schedule .*: the failure depends on more than the schedule' ;;
    esac
done
weir_ends 1 check --record recorded.txt --schedule random reduce_atomics1 --n 40 --device opencl12
shrinks 1 0 'opencl12'

# One of two findings: the race is there in order, the exit in the second group alone.
weir_ends 1 check --record recorded.txt --schedule reverse -- ./program exit-inside
weir_ends 1 replay --json recorded.txt
says '"kind" : "data-race"' '"kind" : "fault"'
for kind in data-race fault; do
    weir replay --json recorded.txt
    number=$(sed -n 's/^ *"kind" : "\(data-race\|fault\)".*/\1/p' "$out" | grep -n "^$kind$" | cut -d : -f 1)
    weir_clean shrink --finding "$number" recorded.txt
    weir replay --json recorded.min.txt
    says "\"kind\" : \"$kind\""
    weir replay --json recorded.txt
    key=$(sed -n '/"key" :/s/.*: "\(.*\)".*/\1/p' "$out" | sed -n "${number}p")
    weir_clean shrink --finding "$key" recorded.txt
done
for wanted in 0 3 nothing; do
    weir shrink --finding $wanted recorded.txt
    complains "finding $wanted" 'has 2 findings'
done

# Names.
weir_clean shrink recorded.txt -o other
says '^written to other$'
test -s other || bad "there is no such file"
cp recorded.txt recorded
weir_clean shrink recorded
says '^written to recorded\.min$'
weir_ends 2 shrink recorded.txt -o /no/such/folder/file
warns '/no/such/folder/file'

# A run that does not fail, and a file that is not a schedule.
weir_ends 3 check --record recorded.txt --schedule random -- ./plain clean
rm -f recorded.min.txt
weir shrink recorded.txt
complains 'recorded.txt' 'does not fail'
test ! -e recorded.min.txt || bad "there is a result"
weir shrink no-such-file
complains 'no-such-file'
weir shrink
complains 'name one file'

# The time limit: the best so far is written.
weir_ends 1 check --record recorded.txt --schedule random --seed 7 -- ./plain order
weir_ends 3 shrink recorded.txt --time-limit 0.01
says 'time limit' '^written to recorded\.min\.txt$'
weir_ends 1 replay recorded.min.txt

# But it does not take the place of a smaller one, nor of anything else.
weir_clean shrink recorded.txt
cp recorded.min.txt smaller
weir_ends 3 shrink recorded.txt --time-limit 0.01
says '^not written: recorded\.min\.txt exists' '-o'
says_nothing_of '^written'
cmp -s smaller recorded.min.txt || bad "a smaller schedule was replaced"
test ! -e recorded.min.txt.new || bad "a file is left"
cp recorded.txt recorded.min.txt
weir_ends 3 shrink recorded.txt --time-limit 0.01
says '^written to recorded\.min\.txt$'
for other in 'a note of my own' "$(sed 's/^command: .*/command: weir check another/' recorded.txt)"; do
    printf '%s\n' "$other" >recorded.min.txt
    cp recorded.min.txt other
    weir_ends 3 shrink recorded.txt --time-limit 0.01
    says '^not written: recorded\.min\.txt exists'
    cmp -s other recorded.min.txt || bad "another file was replaced"
done
weir_clean shrink recorded.txt
says '^written to recorded\.min\.txt$'
finish
