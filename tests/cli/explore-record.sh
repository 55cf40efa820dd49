#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-record.sh: weir explore --record writes a schedule for a finding that turns of
# items lead to, and weir replay makes the same finding with it. The kernels of
# explored.c are right in order. Each has a neighbour that is right in any order.
. "${top_srcdir:-.}/tests/cli/lib.sh"

use_weir_cc
source=$top_srcdir/tests/cli/explored.c
weir_cc -g -O1 "$source" -o "$scratch/explored" \
    || { echo "FAIL: explored.c does not compile"; exit 1; }
cd "$scratch" || exit 99

line_of()
{
    grep -n "mark: $1 \*/" "$source" | cut -d : -f 1
}

# records CASE PATTERN...: the exploration writes a schedule, and its run says each
# pattern, twice the same.
records()
{
    name=$1
    shift
    weir_clean check --no-fixes --schedule in-order -- ./explored "$name"
    rm -f bug.schedule
    weir_ends 1 explore --no-fixes --record bug.schedule -- ./explored "$name"
    says '^  replay: weir replay bug\.schedule$'
    says_nothing_of 'cannot be replayed'
    test ! -s "$err" || bad "standard error is not empty"
    replays "$@"
}

replays()
{
    weir_ends 1 replay bug.schedule
    says 'under the schedule of bug.schedule' '^  again: weir replay bug\.schedule$' "$@"
    cp "$out" once
    weir replay bug.schedule
    cmp -s once "$out" || bad "another output the second time"
}

# is_right CASE: there is nothing to record.
is_right()
{
    rm -f bug.schedule
    weir_ends 0 explore --no-fixes --record bug.schedule -- ./explored "$1"
    says_nothing_of replay
    grep -q -- '--record: bug.schedule is not written: the exploration has no finding$' "$err" \
        || bad "no word of the file"
    test ! -e bug.schedule || bad "a file is there"
}

# not_by_turns CASE PATTERN: there is a finding, that no turns lead to.
not_by_turns()
{
    rm -f bug.schedule
    weir_ends 1 explore --no-fixes --record bug.schedule -- ./explored "$1"
    says "^  cannot be replayed: .*$2"
    grep -q 'no finding that can be replayed' "$err" || bad "no word of the file"
    test ! -e bug.schedule || bad "a file is there"
}

# A wrong sum: both items have read 0 before one writes.
records adds "^wrong result of kernel 'adds'" 'in launch 2 of 3'
weir_ends 1 replay --steps bug.schedule
test "$(grep -Ec 'atomic load, .*cells\[0\] = 0$' "$out")" -eq 2 || bad "not two reads of 0"
test "$(grep -Ec 'atomic store, .*cells\[0\] = 1$' "$out")" -eq 2 \
    || bad "not two stores of 1"
is_right adds-at-once

# A race, in which one item reads the flag after the other one has set it.
records message "^data race in kernel 'message'" "explored\.c:$(line_of written) " \
    "explored\.c:$(line_of read) "
is_right message-released
# It is with the first of two writes, so the second one must come later.
weir_ends 1 explore --no-fixes --record bug.schedule -- ./explored writes-twice
says "^  write .*explored\.c:$(line_of 'first write') "
replays "^  write .*explored\.c:$(line_of 'first write') "

# A deadlock, an assertion, a barrier to which an item does not come; and after
# barriers, where in order another item would go on.
records locks "^livelock in kernel 'locks'" "explored\.c:$(line_of waits) "
is_right locks-in-order
records asserts "^assertion failed in kernel 'asserts'" \
    "explored\.c:$(line_of asserted) "
weir_ends 1 explore --no-fixes -- ./explored asserts
says '^exhaustive: 2 executions; 1 more that a fault or a failed assertion ends;'
is_right asserts-less
records leaves "^barrier divergence in kernel 'leaves'" \
    "item 0 +waiting .*explored\.c:$(line_of barrier) " 'item 1 +returned '
records adds-behind "^assertion failed in kernel 'adds_behind'"

# What no turns lead to: old values, and a compare-exchange that fails without a reason.
not_by_turns buffers 'reads cells\[[01]\]=0 .*, not the newest value, 1, and no order'
not_by_turns tries 'the weak compare-exchange of item 0 of group \(0,0,0\) fails'
weir_ends 0 explore --no-fixes --model sc --record bug.schedule -- ./explored buffers
# The groups do not fit on a device, and the one of the replay is another one.
is_right waits
weir_ends 1 explore --no-fixes --resident 1 --record bug.schedule -- ./explored waits
says "^livelock in kernel 'waits'.* with 1 group resident" \
    '^  cannot be replayed: it needs a device on which no more than 1 group is resident$'
test ! -e bug.schedule || bad "a file is there"
# Turns that lead to something else are not written: one operation is one step.
weir_ends 1 explore --no-fixes --plain-events --record bug.schedule --json \
    -- ./explored tears
json '[(f["kind"], f["replay"] is None, f["turns"] is None, f["no_replay"])
    for f in it[1]["findings"] if f["kind"] == "assertion"]
    == [("assertion", True, False, "a run with its turns does not show it")]'

# Several findings, which have a file each, and JSON.
weir_ends 1 explore --no-fixes --plain-events --record bug.schedule --json \
    -- ./explored adds-plainly
json '[[(f["kind"], f["replay"], f["no_replay"]) for f in one["findings"]] for one in it]
    == [[], [("data-race", "weir replay bug.schedule", None),
             ("wrong-result", "weir replay bug-2.schedule", None)], []]'
replays "^data race in kernel 'adds_plainly'"
weir_ends 1 replay bug-2.schedule
says "^wrong result of kernel 'adds_plainly'"
weir_ends 1 explore --no-fixes --record bug.schedule --json -- ./explored buffers
json '[(f["replay"], "newest" in f["no_replay"]) for f in it[1]["findings"]]
    == [(None, True)]'
weir_ends 1 explore --no-fixes --json -- ./explored adds
json '[(f["replay"], f["no_replay"], sorted(f["turns"].split()[:2]))
    for f in it[1]["findings"]] == [(None, None, ["0.0:2", "1.0:2"])]'

# In two launches: each schedule has one of them in order.
weir_ends 1 explore --no-fixes --record bug.schedule -- ./explored adds message
weir_ends 1 replay bug.schedule
says "^wrong result of kernel 'adds'" 'in launch 2 of 4'
says_nothing_of '^data race'
weir_ends 1 replay bug-2.schedule
says "^data race in kernel 'message'" 'in launch 3 of 4'
says_nothing_of '^wrong result'

# The page has the command, and for what cannot be replayed that of the exploration.
weir_ends 1 explore --no-fixes --record bug.schedule --report page.html -- ./explored adds \
    buffers
grep -q 'Again:.*weir replay bug\.schedule' page.html || bad "the page lacks the command"
grep -q 'Again:.*weir explore' page.html || bad "the page lacks the exploration"

# Several processes find the same, and random runs find more than can be shown.
weir_ends 1 explore --no-fixes --record bug.schedule -- ./explored locks
cp "$out" one
cp bug.schedule one.schedule
weir_ends 1 explore --no-fixes --record bug.schedule --jobs 2 -- ./explored locks
if test -n "$SANITIZE_FLAGS"; then # see tests/explored.h
    for each in one "$out"; do
        sed 's/[0-9]* histories//' "$each" >"$each.less" && mv "$each.less" "$each"
    done
fi
cmp -s one "$out" || bad "2 processes print something else"
cmp -s one.schedule bug.schedule || bad "2 processes write something else"
rm bug.schedule
weir_ends 1 explore --sample 30 --record bug.schedule -- ./explored adds-late
says "^wrong result of kernel 'adds_late'" '^  replay: weir replay bug\.schedule$'
says_nothing_of 'smallest execution'
replays "^wrong result of kernel 'adds_late'"

# A lost addition needs one switch: the second item reads before the first one writes.
# Which of them writes last does not matter.
records adds "^wrong result"
weir_clean shrink bug.schedule --time-limit 600
says '^bug\.schedule: 2 switches -> 1 in' '^written to bug\.min\.schedule$'
weir_ends 1 replay bug.min.schedule
says "^wrong result of kernel 'adds'" 'under the schedule of bug.min.schedule'

# The file is for one finding: the race, which is there in order, is not what is kept.
rm -f bug*.schedule
weir_ends 1 explore --no-fixes --plain-events --record bug.schedule -- ./explored adds-plainly
weir_clean shrink bug-2.schedule --time-limit 600
says '^bug-2\.schedule: .* -> 1 in'
weir_ends 1 replay bug-2.min.schedule
says "^wrong result of kernel 'adds_plainly'"
weir_clean shrink bug.schedule --time-limit 600
weir_clean shrink --finding 1 bug-2.schedule --time-limit 600
says '^no switch is needed'

# Built-in kernels: the race is found natively; its wrong sum needs an old value.
printf '1\n2\n3\n' >three
for kernel in reduce_last_group_relaxed reduce_last_group_relaxed_hierarchical; do
    rm -f bug.schedule
    weir_ends 1 explore $kernel --input three --local 1 --plain-events --no-fixes \
        --record bug.schedule
    says '^  replay: weir replay bug\.schedule$' \
        '^  cannot be replayed: item 0 of group .* reads partial sums\[[012]\]=0 \('
    replays "^data race in kernel '$kernel'.*partial sums" "$kernel\.c:[0-9]+"
done
rm bug.schedule
weir_ends 1 explore reduce_last_group_relaxed --n 8 --local 1 --sample 20 \
    --record bug.schedule
replays "^data race in kernel 'reduce_last_group_relaxed'"
# With an order, and items of a sub-group, that the exploration was given. The line of a
# call of several lines is the compiler's.
weir_ends 1 explore reduce_last_group_relaxed --input three --local 1 --no-fixes
line=$(sed -n '/fetch_add arrived.*0->1/{s/.* device *\([0-9]*\) .*/\1/p;q;}' "$out")
order=reduce_last_group_relaxed.c:$line
weir_clean explore reduce_last_group_relaxed --input three --local 1 --order "$order=acq_rel"
rm bug.schedule
weir_ends 1 explore reduce_last_group_relaxed --input three --local 1 --no-fixes \
    --sub-group 8 --order "$order=release" --record bug.schedule
replays "^data race in kernel 'reduce_last_group_relaxed'"
grep -q "^command: weir check .* --sub-group 8 .*--order $order=release" bug.schedule \
    || bad "the file lacks the order or the sub-group: $(cat bug.schedule)"

weir_ends 2 explore reduce_last_group_relaxed --n 3 --local 1 --no-fixes \
    --record none/bug.schedule
test ! -s "$out" || bad "the launch was explored before the file was refused"
grep -q 'none/bug\.schedule' "$err" || bad "no complaint of the file"
finish
