#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-limits.sh: what ends an item of an exploration, or the exploration. An item that
# ends the process, or that the processor stops, is a finding with the execution that leads
# to it. The findings until a limit is reached are printed.
. "${top_srcdir:-.}/tests/cli/lib.sh"

use_weir_cc
source=$(cd "$top_srcdir" && pwd)/tests/cli/limits.c
cd "$scratch" || exit 99
weir_cc -g -O1 "$source" -o limits || bad "limits.c does not compile"

# line_of MARK: the line of the source that has this mark.
line_of()
{
    grep -n "mark: $1 \*/" "$source" | cut -d : -f 1
}

# ends HOW FINDING: the item ends so in one of two executions, and several processes print
# the same.
ends()
{
    weir_ends 1 explore --no-fixes -- ./limits "$1"
    says "^$2" "limits\.c:$(line_of "$1") " '^ +smallest execution: 4 of 4 events' \
        'fetch_add x\[0\]=1->2' \
        '^exhaustive: 1 execution; 1 more that a fault or a failed assertion ends;'
    cp "$out" one
    weir_ends 1 explore --no-fixes --jobs 3 -- ./limits "$1"
    cmp -s "$out" one || bad "--jobs 3 prints something else"
}

# ends_always HOW FINDING: each way to explore says so.
ends_always()
{
    ends "$@"
    for way in '--sample 30' '--deviations 2' '--resident all' --symmetry; do
        # shellcheck disable=SC2086
        weir_ends 1 explore --no-fixes $way -- ./limits "$1"
        says "^$2" 'fetch_add x\[0\]=1->2'
    done
    weir_ends 1 explore --json --jobs 2 -- ./limits "$1"
    json 'len(it[0]["findings"]) == 1 and it[0]["blocked"] == 1
        and [e["text"] for e in it[0]["findings"][0]["execution"]["events"]][-1] != ""'
    weir_clean explore -- ./limits never "$1"
    says '^exhaustive: 2 executions;'
}

for how in _exit _Exit quick_exit; do
    ends $how "fault in kernel 'ends', .*: the item called $how\(\), which ends the program"
done
ends_always exit "fault in kernel 'ends', .*: the item called exit\(\), which ends the program"
ends abort "fault in kernel 'ends', group \(0,0,0\), item \(0,0,0\): the item called abort\(\)"
ends divide "fault in kernel 'ends', .*: the item divided an integer by zero"
ends_always null "out-of-bounds write in kernel 'ends', .*: null pointer"
# Memory that changes without a hook: what was found is not all.
for how in unseen unseen-alone unseen-local; do
    weir_ends 3 explore --no-fixes -- ./limits $how
    says '^incomplete: (x\[0\]|out\[0\]|local array of .*limits\.c:[0-9]+\[1\]) was changed by a write that has no hook' '^incomplete: [12] execution'
    says_nothing_of '^exhaustive'
done
weir_ends 3 explore --no-fixes --json --jobs 2 -- ./limits unseen-alone
json '[r["complete"] for r in it] == [False] and "out[0] was" in it[0]["incomplete"]'
# An asm statement in code that has hooks. weir check agrees.
for how in global own local rarely handed; do
    weir_ends 3 explore --no-fixes -- ./limits asm-$how
    says '^incomplete: .* was changed by a write that has no hook'
    weir_ends 3 check --no-fixes --runs 20 -- ./limits asm-$how
    says "^note: kernel .asm_$how.: memory accesses are not seen in a write that changes (out\[[0-9]\]|local array of .*limits\.c:[0-9]+\[1\]): it has no hook"
done
weir_clean explore --no-fixes -- ./limits asm-none
weir_clean check --no-fixes --runs 20 -- ./limits asm-none
says_nothing_of 'no hook'
weir_clean explore --no-fixes -- ./limits handed
says '^exhaustive: 1 execution;'
weir_clean explore --no-fixes -- ./limits seen
says '^exhaustive: 2 executions;'
weir_clean explore --no-fixes -- ./limits seen-local
says '^exhaustive: 1 execution;'
# The program's own exit status judges final states, unless it fails with each.
weir_ends 1 explore --no-fixes -- ./limits loses
says '^wrong result of kernel .loses. in 2 of 4 executions' '^ +2  x\[0\]=1  !$' '^ +2  x\[0\]=2$' \
    '^exhaustive: 4 executions, 2 with a wrong result'
cp "$out" one
weir_ends 1 explore --no-fixes --jobs 2 -- ./limits loses
cmp -s "$out" one || bad "--jobs 2 prints something else"
weir_clean explore --no-fixes -- ./limits keeps
weir_ends 2 explore --no-fixes -- ./limits far
says "^kernel 'keeps' at .*limits\.c:[0-9]+: a range of 1099511627776 groups is over the limit of 1048576 of explored"
weir_ends 2 explore --no-fixes -- ./limits fails
says '^exhaustive: 2 executions;'
says_nothing_of '!$'
# Two items, each with a finding and its execution.
weir_ends 1 explore --no-fixes -- ./limits both
says '^fault .*group \(0,0,0\), .*exit\(\)' "limits\.c:$(line_of 'first exits') " \
    '^fault .*group \(1,0,0\), .*abort\(\)' "limits\.c:$(line_of 'second aborts') "
test "$(grep -c '^  smallest execution' "$out")" -eq 2 || bad "not two executions"

# What no handler sees ends the program, or a process that has a part of the exploration.
weir explore --time-limit 20 -- ./limits killed
complains 'was ended by signal 9 \(Killed\) inside launch 1, of kernel .ends.'
grep -q 'made no launch' "$err" && bad "it has made one"

# A limit of time. The findings of each process until then count.
for jobs in 1 3; do
    begin=$(date +%s)
    weir_ends 3 explore --no-fixes --time-limit 0.8 --jobs $jobs --json -- ./limits adds
    test $(($(date +%s) - begin)) -le 15 || bad "it took longer than the limit"
    json 'it[0]["executions"] > 100 and it[0]["limited"] and not it[0]["complete"]
        and sum(s["executions"] for s in it[0]["states"]) == it[0]["executions"]'
    weir_ends 1 explore --no-fixes --time-limit 0.8 --jobs $jobs -- ./limits adds-wrong
    says '^assertion failed in kernel .adds.' "limits\.c:$(line_of 'first of all') " \
        '^ +smallest execution' \
        '^incomplete: .*; [1-9][0-9]* more that a fault or a failed assertion ends;'
    weir_ends 3 explore --no-fixes --time-limit 0.6 --jobs $jobs -- ./limits reads
    says '^incomplete: [1-9][0-9]* executions' \
        '^(Their number is not estimated: there was (time for only [0-9]+|no time for) random probes?\.|There are about .* random probes\. .*: it may be wrong by a factor of [0-9.e]+ or more\.)$'
    weir_ends 3 explore --no-fixes --time-limit 0.6 --jobs $jobs --json -- ./limits reads
    json '[None if e is None else (e[m] is None) == (e["probes"] < 100)
        for e in [it[0]["estimate"]] for m in ("executions", "low", "high", "spread")]
        in ([True] * 4, [None] * 4)'
done
weir_ends 3 explore --max-executions 20 --json -- ./limits adds
json 'it[0]["limited"] and it[0]["executions"] == 20 and it[0]["estimate"]["spread"] >= 1
    and it[0]["estimate"]["probes"] >= 100'
weir_clean explore --json -- ./limits never exit
json 'not it[0]["limited"] and it[0]["estimate"] is None'

# What is bounded in another way, too.
weir_ends 3 explore --time-limit 0.5 --deviations 30 -- ./limits adds
says '^bounded to 30 deviations, cut short by a limit: [1-9][0-9]* executions'
weir_ends 3 explore --time-limit 0.5 --deviations 30 --json -- ./limits adds
json 'it[0]["limited"] and it[0]["deviations"] == 30'
weir_ends 3 explore --deviations 1 -- ./limits adds
says '^bounded to 1 deviation: [1-9][0-9]* executions'
weir_ends 3 explore --time-limit 0.5 --sample 100000000 -- ./limits adds
says '^sampled, cut short by a limit: [1-9][0-9]* different executions'
weir_ends 3 explore --sample 50 -- ./limits adds
says '^sampled: [1-9][0-9]* different executions'

# A launch that reaches no end.
for jobs in 1 3; do
    weir_ends 3 explore --time-limit 1 --jobs $jobs -- ./limits computes
    says "^incomplete: kernel 'computes' was ended at .*; the command's own limit is 1 second\$" \
        '^incomplete: 0 executions' \
        '^The launch took longer than the limit: no execution of it ended\.$'
    weir_ends 3 explore --time-limit 1 --jobs $jobs -- ./limits sleeps
    grep -q "is incomplete: it took longer than the command's own limit of 1 second\$" "$err" \
        || bad "it does not say why"
    grep -q 'made no launch' "$err" && bad "it has made one"
done
finish
