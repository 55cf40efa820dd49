#!/bin/sh
# SPDX-License-Identifier: MIT
#
# processes.sh: programs that launch in several processes under weir check, and in many
# launches: each launch is reported once, a schedule of all is recorded where there is one,
# and nothing is where there is none.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

# same ARGUMENT...: records, and replays.
same()
{
    weir check --no-fixes --record recorded "$@"
    cp "$out" first
    expected=$status
    weir_ends "$expected" replay recorded
    cmp -s first "$out" || { bad "another output than of: $*"; diff first "$out"; }
    leaves_nothing
}

# One after another, in turn: as one row.
for schedule in reverse random pct:2:20; do
    for mode in alternates forks starts; do
        same --schedule $schedule --seed 3 -- ./program $mode
    done
done
same --schedule reverse -- ./program alternates
grep -q '^processes: 1 2 2 1 1 3 3 1 1 4 4 1 1$' recorded || bad "not whose launch is whose"
test "$(grep -c '^launch: ' recorded)" -eq 13 || bad "not 13 launches"
sed 's/^processes: .*/processes: 1 2 1 2 1 3 3 1 1 4 4 1 1/' recorded >wrong
weir_ends 2 replay wrong
warns '^weir replay: wrong: the launches were made by the processes 1 2 2 1 .*, and by 1 2 1 2 .* when they were recorded$'
sed '/^processes: /d' recorded >wrong
weir_ends 2 replay wrong
warns ', and by 1 when they were recorded$'

# At the same time: all that is found is reported, but there is no one schedule.
weir_ends 1 check --schedule reverse -- ./program together
says "^barrier divergence in kernel 'tickets'" \
    '^note: launches were made at the same time' '^1 run of ./program: 1 finding, 1 note$'
rm -f recorded
weir_ends 2 check --schedule reverse --record recorded -- ./program together
says '1 finding, 1 note$'
warns '^weir check: recorded: nothing is recorded: launches were made at the same time'
test ! -e recorded || bad "there is a file"
weir_ends 1 check --schedule reverse --json -- sh -c './program together & ./program clean & wait'
json 'it["launches"] == 3 and len(it["findings"]) == 1'
step='many processes at once'
weir_ends 1 check --schedule reverse -- sh -c \
    'for i in 1 2 3 4 5 6 7 8; do ./program diverge & ./program second & done; wait'
says '2 findings'
leaves_nothing

# Many launches take as long as so many single ones: all of them are recorded.
MANY_LAUNCHES=300
export MANY_LAUNCHES
same --schedule reverse -- ./program many
test "$(grep -c '^launch: ' recorded)" -eq 300 || bad "not 300 launches"
grep -q '^processes: ' recorded && bad "there is one process"

# By hand, in a file: it is whole at any time, and at the end nothing is missing.
by_hand()
{
    step="WEIR_OPTIONS='$1' ./program $2"
    status=0
    WEIR_OPTIONS=$1 ./program "$2" >"$out" 2>"$err" || status=$?
    ends_with 0
}

whole()
{
    test "$(tail -n 1 byhand)" = end || bad "the file has no end"
    test "$(grep -c '^launch: ' byhand)" -eq "$1" || bad "not $1 launches"
}

rm -f byhand
by_hand 'schedule=reverse record=byhand' many
whole 300
by_hand 'replay=byhand' many
by_hand 'schedule=reverse record=byhand' clean
whole 301
rm -f byhand
by_hand 'schedule=in-order record=byhand' alternates
whole 13
rm -f byhand
MANY_LAUNCHES=40
by_hand 'schedule=in-order record=byhand' many-forks
whole 41
step='a program that is killed leaves a whole file'
rm -f byhand
MANY_LAUNCHES=1000000
WEIR_OPTIONS='schedule=in-order record=byhand' ./program many >"$out" 2>"$err" &
pid=$!
begun=$(date +%s)
until test -e byhand || test $(($(date +%s) - begun)) -ge 60; do
    sleep 0.1
done
for _ in 1 2 3 4 5 6 7 8; do
    sleep 0.1
    test ! -e byhand || test "$(tail -n 1 byhand)" = end || bad "not whole"
done
kill -KILL $pid
wait $pid 2>/dev/null
test "$(tail -n 1 byhand)" = end || bad "not whole after the end"
finish
