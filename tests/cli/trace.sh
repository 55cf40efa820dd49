#!/bin/sh
# SPDX-License-Identifier: MIT
#
# trace.sh: a trace has all events of a run, and they fit together; the same run gives the
# same bytes; a file is written as a whole or not at all.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

# trace_is FILE CLAIM...: the trace is consistent, and the claims are true.
trace_is()
{
    command -v python3 >/dev/null 2>&1 || return 0
    python -B "$top_srcdir/tests/cli/trace.py" "$@" \
        >"$scratch/wrong" || bad "$(cat "$scratch/wrong")"
}

# A tree of 8 items has three levels, and a barrier before each.
weir_ends 0 trace reduce_tree
says '^1 run of reduce_tree: no findings$'
warns 'reduce_tree.trace.json: 1 launch, 206 events'
trace_is reduce_tree.trace.json 'launch["kernel"] == "reduce_tree"' \
    'kinds_of(launch, "arrive") == 16 * 3' 'kinds_of(launch, "leave") == 16 * 3' \
    'kinds_of(launch, "start") == kinds_of(launch, "end") == 16' \
    'kinds_of(launch, "atomic-read-write") == 2' \
    '[o["variable"] for o in launch["objects"] if o["space"] == "local"] == ["scratch"]' \
    'any("scratch" in l for s in launch["sources"] for l in s["lines"])' \
    'launch["left_out"] == 0 and launch["incomplete"] is None'
# In one group all items come to the last level together: chains of causes are as long as
# the tree is deep, and not as the schedule is long.
trace_is reduce_tree.trace.json 'max(launch["events"]["time"]) < 30' \
    'launch["sites"][[i for i, k in enumerate(launch["events"]["kind"])
         if launch["kinds"][k] == "atomic-read-write"][0] * 0 - 1]["scope"] == "device"'

# Same schedule and seed, same bytes; another seed, another order.
for order in in-order reverse round-robin random pct:3:100; do
    weir_ends 0 trace --schedule $order --seed 5 -o first reduce_tree --n 100 --local 16
    trace_is first
    weir_ends 0 trace --schedule $order --seed 5 -o second reduce_tree --n 100 --local 16
    cmp -s first second || bad "the second trace differs"
done
weir_ends 0 trace --schedule random --seed 6 -o second reduce_tree --n 100 --local 16
weir_ends 0 trace --schedule random --seed 5 -o first reduce_tree --n 100 --local 16
! cmp -s first second || bad "the seed makes no difference"

# Group algorithms, sub-groups, the hierarchical form, atomics, fences and locks.
weir_ends 0 trace -o t reduce_tree_hierarchical
trace_is t 'kinds_of(launch, "arrive") == kinds_of(launch, "leave") > 0' \
    'kinds_of(launch, "end") == 16'
weir_ends 0 trace -o t --sub-group 8 --local 16 --n 64 reduce_shuffle
trace_is t 'any("sub_group" in s["operation"] for s in launch["sites"])' \
    'kinds_of(launch, "arrive") == kinds_of(launch, "leave") > 0'
weir_ends 0 trace -o t --schedule random --n 256 histogram_local_relaxed
trace_is t 'kinds_of(launch, "atomic-read-write") >= 256' 'any(launch["events"]["reads_from"])'
weir_ends 0 trace -o t --n 64 reduce_last_group
trace_is t 'len(launch["synchronises"]["from"]) >= 1'
# A release that is read by relaxed operations synchronises with nothing.
weir_ends 1 trace -o t --n 64 --order reduce_last_group.c:34=release reduce_last_group
trace_is t 'launch["synchronises"]["from"] == []' \
    'any(s["order"] == "release" for s in launch["sites"])' 'any(launch["events"]["reads_from"])'
weir_ends 1 trace -o t --n 64 reduce_last_group_relaxed
trace_is t 'launch["synchronises"]["from"] == []' 'len(launch["findings"]) == 1' \
    'launch["findings"][0]["finding"]["kind"] == "data-race"' \
    '[launch["kinds"][launch["events"]["kind"][e]] for e in launch["findings"][0]["events"]]
         == ["write", "read"]' \
    'len({(launch["events"]["object"][e], launch["events"]["offset"][e])
          for e in launch["findings"][0]["events"]}) == 1'

# A program: its launches, and where it diverged.
weir_ends 1 trace -- ./program diverge
test -s program.trace.json || bad "no file of the program's name"
trace_is program.trace.json 'kinds_of(launch, "cut") > 0' \
    'all(launch["kinds"][launch["events"]["kind"][e]] in ("arrive", "end")
         for e in launch["findings"][0]["events"])'
weir_ends 0 trace -o t -- ./program second
trace_is t 'len(it["launches"]) > 1'
weir_ends 3 trace -o t -- ./plain clean
trace_is t 'not launch["instrumented"] and kinds_of(launch, "read") == 0' \
    'kinds_of(launch, "end") > 0'
leaves_nothing

# Reads of what another item has just written, without any order.
weir_cc -g "$top_srcdir/examples/wrong/lost.c" -o lost \
    || bad "lost.c does not compile"
weir_ends 1 trace -o t --schedule random --seed 2 -- ./lost
trace_is t 'any(launch["events"]["reads_from"])'

# A recorded run, of a kernel and of a program, and one that an exploration has found.
weir_ends 0 check --schedule random --seed 5 --record recorded reduce_tree --n 100 --local 16
weir_ends 0 trace -o first --schedule random --seed 5 reduce_tree --n 100 --local 16
weir_ends 0 trace -o second --replay recorded
cmp -s first second || { sed 2,3d first >one; sed 2,3d second >two; cmp -s one two; } \
    || bad "the recorded run gives another trace"
weir_ends 1 check --schedule reverse --record recorded -- ./program diverge
weir_ends 1 trace -o t --replay recorded
trace_is t 'len(launch["findings"]) == 1'
weir_ends 1 explore --n 4 --local 1 --record recorded --no-fixes reduce_last_group_relaxed
test -s recorded || bad "nothing is recorded"
weir_ends 1 trace -o t --replay recorded
trace_is t 'launch["findings"] != []'
grep -q '"command":"weir replay recorded"' t || bad "another command"
weir trace -o t --replay recorded reduce_tree
complains '--replay: recorded states the run'
weir trace -o t --replay recorded --n 4
complains '--replay: recorded states the run'
weir trace -o t --replay no-such-file
complains 'no-such-file'

# A limit of events is never silent.
weir_ends 3 trace -o t --events 100 reduce_tree
warns '106 later events are left out'
trace_is t 'launch["n_events"] == 100 and launch["left_out"] == 106'
weir_ends 3 trace -o t --step-limit 50 reduce_tree
trace_is t 'launch["incomplete"] is not None'

# Complaints; the file is as it was.
echo old >kept
weir trace -o kept no_such_kernel
complains 'no_such_kernel'
weir trace -o kept
complains 'name kernels'
weir trace -o kept reduce_tree reduce_atomics1
complains 'one kernel'
weir trace -o kept --schedule in-order,reverse reduce_tree
complains '--schedule: name one'
weir trace -o kept --events 0 reduce_tree
complains '--events'
weir trace -o kept --n 2x reduce_tree
complains '--n'
weir trace -o kept --n 4 -- ./program clean
complains '--n is for built-in kernels'
weir trace -o kept -- ./no-such-program
ends_with 2
weir trace -o no/such/folder/t reduce_tree
ends_with 2
warns '--output: .*no/such/folder/t'
weir trace -o kept -- /bin/true
ends_with 2
warns 'no launch has ended'
test "$(cat kept)" = old || bad "the file was written"
leaves_nothing
finish
