#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore.sh: weir explore finds every execution of built-in kernels: the numbers that
# follow from the orders of their atomic operations, and what the broken one can give.
. "${top_srcdir:-.}/tests/arch/lib.sh"
rmdir "$scratch" # the other lib.sh makes its own
. "${top_srcdir:-.}/tests/cli/lib.sh"
fixes=yes

printf '1\n2\n3\n' >"$scratch/three"

# Three groups in any order: the counter's increments. All see the sums of the others.
weir_clean explore reduce_last_group --input "$scratch/three" --local 1
says '^ +6  arrived\[0\]=3,out\[0\]=6,partial sums\[0\]=1,' '^exhaustive: 6 executions;'
says_nothing_of '!$' race

# The same orders. The last group may read a sum of another before it is written; of two
# sums it may lack either or both. Its own it has.
weir_ends 1 explore reduce_last_group_relaxed --input "$scratch/three" --local 1
says '^data race in kernel .*partial sums' 'reduce_last_group_relaxed.c:[0-9]+' \
    '^exhaustive: 6 executions, 6 of them with a race' plain-events
says_nothing_of 'out\[0\]'
# The execution that races, and why: the counter is relaxed.
says '^ +! +write partial sums\[0\]=1 +[0-9]+  args->partials' \
    '^ +fetch_add arrived\[0\]=1->2 relaxed device ' \
    '^ +! +read partial sums\[0\]=1 ' 'why .*: the write is not a release, and no'
says_nothing_of newest
weir_ends 1 explore reduce_last_group_relaxed --input "$scratch/three" --local 1 \
    --plain-events --json
json '[len(it), it[0]["executions"], it[0]["racy"], it[0]["positive"], it[0]["complete"]]
    == [1, 24, 24, 6, True]'
json 'sorted((s["state"].split("out[0]=")[1][0], s["executions"], s["holds"])
    for s in it[0]["states"])
    == [("1", 2, False), ("2", 2, False), ("3", 6, False), ("4", 4, False),
        ("5", 4, False), ("6", 6, True)]'
json '{f["kind"] for f in it[0]["findings"]} == {"data-race", "wrong-result"}'
# The wrong sum that is shown lacks one of the sums, which is newer than what is read.
json '[[(e["text"], e["value"], e["newest"], x["events"][e["newest_by"]]["text"])
      for e in x["events"] if e["newest"] is not None]
     for f in it[0]["findings"] for x in [f["execution"]]]
    == [[], [("R partial sums[0]=0", "0", "1", "W partial sums[0]=1")]]'
json '["partial sums[0]=0" in f["why"] for f in it[0]["findings"]] == [False, True]'
json '[x["interleaved"] for f in it[0]["findings"] for x in [f["execution"]]]
    == [True, False]'
json 'all(sorted(e["step"] for e in x["events"]) == list(range(len(x["events"])))
    and all(x["events"][d["from"]]["step"] < x["events"][d["to"]]["step"]
        for d in x["edges"] if d["kind"] in ("po", "rf", "rmw", "sw", "bar")
        and d["from"] < len(x["events"]))
    for f in it[0]["findings"] for x in [f["execution"]])'
# The same as drawings and as a page.
weir_ends 1 explore reduce_last_group_relaxed --input "$scratch/three" --local 1 \
    --plain-events --graphs "$scratch/graphs" --report "$scratch/page.html"
test "$(cd "$scratch/graphs" && echo *)" \
    = "reduce_last_group_relaxed-sycl-1.svg reduce_last_group_relaxed-sycl-2.svg" \
    || bad "other drawings: $(ls "$scratch/graphs")"
for part in '>W partial sums\[0\]=1<' '>race<' '>reduce_last_group_relaxed.c:41 ' \
    'reads-from'; do
    grep -Eq "$part" "$scratch/graphs/reduce_last_group_relaxed-sycl-1.svg" \
        || bad "the drawing of the race lacks $part"
done
grep -q '>newest is 1,' "$scratch/graphs/reduce_last_group_relaxed-sycl-2.svg" \
    || bad "the drawing of a wrong result marks no stale read"
for part in 'weir explore: ' '6 × .*out\[0\]=6' 'out\[0\]=5.*(wrong)' 'class="why"' \
    'id="f0-event0"' 'id="f1-event0"' 'sum += args-&gt;partials\[g\];' 'Again:.*--local 1'
do
    grep -q "$part" "$scratch/page.html" || bad "the page lacks $part"
done
grep -Eq '<script|(src|href)="[^#]' "$scratch/page.html" && bad "the page loads something"
if command -v xmllint >/dev/null; then
    xmllint --noout --nonet "$scratch/page.html" "$scratch"/graphs/*.svg \
        || bad "not well-formed"
fi
# What was found is printed even if a folder cannot be made; a file that cannot be written
# is refused before anything runs.
weir_ends 2 explore reduce_tree --graphs "$scratch/three/below"
says '^exhaustive: 2'
grep -q -- '--graphs: .*three/below' "$err" || bad "no complaint of the folder"
weir_ends 2 explore reduce_tree --report "$scratch/none/page.html"
test ! -s "$out" || bad "the launch was explored before the page was refused"
grep -q -- '--report: .*none/page.html' "$err" || bad "no complaint of the page"
# Each of three groups has read the sums of the two others before. Which of these reads
# see a sum is one of the 25 acyclic graphs of three nodes, for each of the 6 orders of
# the counter. The last group reads again each sum that it has seen, and either value of
# a sum that it has not seen. 12 of the graphs have no edge to a given node, 10 have one, 3 two:
# 6 (12 * 4 + 10 * 2 + 3) executions, of which 6 * 25 have the right sum. An order of the
# counter leaves these alone, but is not a fix for the reads before, which race as well.
weir_ends 1 explore reduce_last_group_relaxed_read_before --input "$scratch/three" \
    --local 1 --plain-events
says '^exhaustive: 426 executions, 426 of them with a race, 276 with a wrong result' \
    '^ +150  .*out\[0\]=6,' '^no fix:' 'newest is 1, by item 0 of group \(0,0,0\)'
line=$(sed -n '/fetch_add arrived.*0->1/{s/.* device *\([0-9]*\) .*/\1/p;q;}' "$out")
weir_ends 1 explore reduce_last_group_relaxed_read_before --input "$scratch/three" \
    --local 1 --plain-events --no-fixes \
    --order "reduce_last_group_relaxed_read_before.c:$line=acq_rel"
says '^exhaustive: 150 executions, 150 of them with a race;' '^ +150  .*out\[0\]=6,'
# Without stale reads none of it shows.
weir_clean explore reduce_last_group_relaxed --input "$scratch/three" --local 1 \
    --model sc
says '^exhaustive: 6 executions;'

# One group, one execution; two groups, two orders of their additions to the sum.
weir_clean explore reduce_tree --n 64 --local 64
says '^exhaustive: 1 execution;'
weir_clean explore reduce_tree --n 128 --local 64
says '^exhaustive: 2 executions;'
# The four additions of reduce_atomics1, in any order.
weir_clean explore reduce_atomics1
says '^exhaustive: 24 executions;'
# A sum in two launches is right after the second.
weir_clean explore reduce_two_pass
says '^launch 1 of 2, of' '^launch 2 of 2, of'

# All but the histograms in local memory, which have too many.
for kernel in $("$WEIR" list --csv | sed -n 's/^\(reduce_[a-z0-9_]*\),.*/\1/p') \
    histogram_critical histogram_atomic_relaxed histogram_atomic_seq_cst; do
    for size in '4 2' '3 1'; do
        case $kernel/$size in
        *_last_group_relaxed*) continue ;;
        reduce_multi_pass*/'3 1') continue ;; # it needs an even local size
        esac
        weir_clean explore "$kernel" --n "${size% *}" --local "${size#* }"
        says '^exhaustive: [0-9]+ executions?;'
        says_nothing_of '!$'
    done
done

# Several processes print what one does.
for case in 'reduce_last_group --n 3 --local 1' 'reduce_atomics1 --n 6 --local 1 --json' \
    "reduce_last_group_relaxed --input $scratch/three --local 1 --json" \
    "reduce_last_group_relaxed --input $scratch/three --local 1 --plain-events"; do
    # The case is several words.
    # shellcheck disable=SC2086
    weir explore $case
    one=$status
    cp "$out" "$scratch/one"
    for jobs in 2 3 4; do
        # shellcheck disable=SC2086
        weir_ends "$one" explore $case --jobs $jobs
        cmp -s "$out" "$scratch/one" || bad "$jobs processes print something else"
    done
done
# Random runs, of a launch with 8! orders: none is wrong, or some are, and the same
# each time. A seed that is printed repeats what was found.
weir_ends 3 explore reduce_last_group --n 8 --local 1 --sample 1000
says '^sampled: [0-9]+ different executions' '^1000 runs; the last 100 met'
says_nothing_of '!$' race
weir_ends 1 explore reduce_last_group_relaxed --n 8 --local 1 --sample 200 --plain-events
says '^wrong result .*; --sample 1 --seed [0-9]+ repeats one'
cp "$out" "$scratch/one"
weir_ends 1 explore reduce_last_group_relaxed --n 8 --local 1 --sample 200 --plain-events
cmp -s "$out" "$scratch/one" || bad "it prints something else the second time"
for seed in $(sed -n 's/.*--sample 1 --seed \([0-9]*\) .*/\1/p' "$scratch/one" | head -3); do
    weir_ends 1 explore reduce_last_group_relaxed --n 8 --local 1 --sample 1 --seed "$seed" \
        --plain-events --json
    json 'it[0]["executions"] == 1 and it[0]["negative"] == 1 or it[0]["race"]'
done
weir_ends 1 explore reduce_last_group_relaxed --n 8 --local 1 --sample 20
says '^data race in kernel' '^sampled: '
weir_ends 3 explore reduce_atomics1 --sample 500 --seed 7 --json
json 'it[0]["sampled"] == {"runs": 500, "late": 0, "once": 0}'
json 'not it[0]["complete"] and it[0]["executions"] == 24'
weir explore reduce_tree --sample 5 --jobs 2
complains '--sample excludes --jobs'
weir explore --seed 3 reduce_tree
complains '--seed' '--sample N'

# Few deviations: a wrong sum of six groups after one, in few of 6! * 2^5 executions. The
# correct kernel has the orders in which one group comes earlier.
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 1 --plain-events \
    --deviations 1 --json
json 'it[0]["negative"] > 0 and it[0]["executions"] < 23040 / 500
    and it[0]["deviations"] == 1 and not it[0]["complete"]'
json '{f["kind"] for f in it[0]["findings"]} == {"data-race", "wrong-result"}'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 1 --plain-events --no-fixes
says '^exhaustive: 23040 executions'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 1 --plain-events --deviations 0
says '^bounded to 0 deviations: 1 execution, with a race'
says_nothing_of 'wrong result'
weir_ends 3 explore reduce_last_group --n 6 --local 1 --deviations 1
says '^bounded to 1 deviation: 16 executions;'
weir explore reduce_tree --deviations 1 --jobs 2
complains '--deviations excludes --jobs'
weir explore reduce_tree --deviations -1
complains '--deviations'

# Five groups that add the same, and five that do not: 5! executions.
printf '1\n1\n1\n1\n1\n' > "$scratch/equal"
weir_clean explore reduce_atomics1 --input "$scratch/equal" --local 1 --symmetry --json
json 'it[0]["symmetry"] == {"items": 5, "orbits": 1} and it[0]["executions"] == 120
    and it[0]["complete"] and it[0]["states"][0]["executions"] == 120'
weir_clean explore reduce_atomics1 --input "$scratch/equal" --local 1 --symmetry
says '^exhaustive: 120 executions;' \
    '^5 items are interchangeable: .* count once, there is 1\.$'
weir_clean explore reduce_atomics1 --input "$scratch/equal" --local 1 --json
json 'it[0]["symmetry"] is None and it[0]["executions"] == 120'
weir_clean explore reduce_atomics1 --n 5 --local 1 --symmetry
says '^exhaustive: 120 executions;'
says_nothing_of interchangeable
weir_ends 1 explore reduce_last_group_relaxed --n 3 --local 1 --no-fixes --symmetry
says '^data race ' '^exhaustive: '
says_nothing_of interchangeable
weir explore reduce_tree --symmetry --jobs 2
complains '--symmetry excludes --plain-events, --jobs'

weir explore reduce_tree --jobs 0
complains '--jobs'

weir_ends 3 explore reduce_atomics1 --max-executions 5
says '^incomplete: 5 executions;'
# 10 groups in any order: 3628800 executions. A second run estimates the same.
weir_ends 3 explore reduce_last_group --n 10 --local 1 --max-executions 5 --json
json '1e6 < it[0]["estimate"]["executions"] < 1e7
    and it[0]["estimate"]["low"] <= it[0]["estimate"]["executions"]
    <= it[0]["estimate"]["high"] and it[0]["estimate"]["probes"] == 1000
    and 1 <= it[0]["estimate"]["spread"] <= 100'
cp "$out" "$scratch/once"
weir_ends 3 explore reduce_last_group --n 10 --local 1 --max-executions 5 --json
cmp -s "$out" "$scratch/once" || bad "another estimate"
weir_ends 3 explore reduce_last_group --n 10 --local 1 --max-executions 5
says '^There are about [1-9]\.[0-9]e6 executions: the estimate of 1000 random probes\. Each tenth .* between [1-9]\.[0-9]e[67] and [1-9]\.[0-9]e[67]: it may be wrong by a factor of [0-9]+ or more\.$'
weir_clean explore reduce_last_group --n 4 --local 1 --json
json 'it[0]["estimate"] is None'
weir explore
complains 'one kernel'
weir explore reduce_tree reduce_builtin
complains 'one kernel'
weir explore reduce_treee
complains "'reduce_treee'" reduce_tree
weir explore --model gpu reduce_tree
complains 'under gpu' '--litmus FILE' 'litmus --model gpu'
weir explore --model cuda reduce_treee
complains "'cuda'" sycl
weir explore --n 4 --input "$scratch/three" reduce_tree
complains '--n and --input'
weir_ends 2 explore reduce_tree --n 64 --jobs 2
says 'cannot be explored: the launch has 32 groups, of which 16 can be resident'

# The last group waits for no other.
weir_clean explore reduce_last_group --input "$scratch/three" --local 1 --resident all
says '^With any number of resident groups every execution ends'
weir explore reduce_tree --resident some
complains '--resident'
weir explore reduce_tree --resident 0
complains '--resident'

# Kernels as litmus tests, which have the same executions and races.
weir_clean explore reduce_last_group --input "$scratch/three" --local 1 \
    --litmus "$scratch/last.litmus"
weir_clean litmus --json "$scratch/last.litmus"
json '[it["executions"], it["race"], it["blocked"]] == [6, False, 0]'
weir_ends 1 explore reduce_last_group_relaxed --input "$scratch/three" --local 1 \
    --litmus "$scratch/last.litmus"
grep -q 'out_0 = r1 + r2 + r3;' "$scratch/last.litmus" \
    || bad "the sum is not one: $(cat "$scratch/last.litmus")"
weir litmus --json "$scratch/last.litmus"
json '[it["executions"], it["race"], it["blocked"]] == [24, True, 0]'
json 'sorted((s["state"].split("[out_0]=")[1], s["executions"]) for s in it["states"])
    == [("1", 2), ("2", 2), ("3", 6), ("4", 4), ("5", 4), ("6", 6)]'
json 'it["claim"] == "exists ([out_0]=1)"'
weir litmus --model gpu --json "$scratch/last.litmus"
json 'not any("unseen=1" in s["state"] for s in it["states"])'
weir_clean explore reduce_two_pass --litmus "$scratch/two.litmus"
test -f "$scratch/two.litmus" && test -f "$scratch/two-2.litmus" \
    || bad "not a test for each launch"
weir_ends 2 explore reduce_float_atomic --n 2 --local 1 --litmus "$scratch/float.litmus"
grep -q 'floating point' "$err" || bad "no reason: $(cat "$err")"

# Programs. Their launches are explored one after the other, and then run.
use_weir_cc
# build NAME SOURCE EDIT
build()
{
    sed "$3" "$top_srcdir/tests/fixes/$2" >"$scratch/$1.c"
    weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused \
        "$scratch/$1.c" -o "$scratch/$1" || bad "$1 does not compile"
}
build message message.c ''
weir_clean explore -- "$scratch/message"
says '^exhaustive: 1 execution;' # the wait ends by the only value that ends it
build relaxed message.c 's/memory_order_release/memory_order_relaxed/'
weir_ends 1 explore -- "$scratch/relaxed"
says '^data race in kernel .*box\[0\]' 'relaxed.c:16' 'relaxed.c:29'
cp "$out" "$scratch/one"
weir_ends 1 explore --jobs 2 -- "$scratch/relaxed"
cmp -s "$out" "$scratch/one" || bad "2 processes print something else"
weir_ends 1 explore --json -- "$scratch/relaxed"
json 'it[0]["race"] and it[0]["findings"][0]["first"]["line"] in (16, 29)'
weir_ends 1 explore --deviations 1 -- "$scratch/relaxed"
says '^data race in kernel .*box\[0\]' '^bounded to 1 deviation: '
weir_ends 1 explore --sample 50 -- "$scratch/relaxed"
says '^data race in kernel .*box\[0\]' '^sampled: '
build rounds rounds.c ''
weir_clean explore -- "$scratch/rounds"
says '^exhaustive: 1 execution;'
build one_barrier rounds.c '/taken/s/.*//'
weir_ends 1 explore -- "$scratch/one_barrier"
says "^data race in kernel 'rounds': given\[0\], in the only execution$" \
    '^  why .* no barrier and no release/acquire pair orders the two accesses\. So line'
# The same, of an execution that is one of several.
build missing message.c '/written/s/.*//; s/== 0) {}/== 5) {}/'
weir_ends 1 explore --no-fixes -- "$scratch/missing"
says '^data race in kernel .*box\[[0-3]\], in [12] of 2 executions$'
# Two groups take two locks, each the other one first: in one execution each waits for the
# lock of the other. In the same order they never do.
locks()
{
    cat >"$scratch/$1.c" <<END
#include "program.h"

typedef struct {
    uint32_t *lock, *sum;
} locks_args;

static void take(struct weir_item *item, uint32_t *lock)
{
    uint32_t free = 0;
    (void)item;
    while (!weir_atomic_compare_exchange_strong_explicit(
        lock, &free, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) {
        free = 0;
    }
}

WEIR_KERNEL(locks, locks_args)
{
    size_t g = weir_global_id(item, 0);
    take(item, &args->lock[$2]);
    take(item, &args->lock[1 - $2]);
    args->sum[0] += (uint32_t)g;
    weir_atomic_store_explicit(&args->lock[0], 0, memory_order_release, memory_scope_device);
    weir_atomic_store_explicit(&args->lock[1], 0, memory_order_release, memory_scope_device);
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *lock = weir_new(device, uint32_t, 2, "lock");
    uint32_t *sum = weir_new(device, uint32_t, 1, "sum");
    lock[0] = lock[1] = sum[0] = 0;
    LAUNCH(device, locks, weir_nd_range_1d(2, 1), &(locks_args){ lock, sum });
    return 0;
}
END
    weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused \
        "$scratch/$1.c" -o "$scratch/$1" || bad "$1.c does not compile"
}
locks crossed g
weir_ends 1 explore -- "$scratch/crossed"
says '^livelock .*: 1 execution never ends$' '^exhaustive: 2 executions; 1 more that never ends;' \
    '^  why +item 0 of group .0,0,0. keeps reading lock.1.=1 .line 1[0-9]., and item 0 of group .1,0,0. keeps reading lock.0.=1 .line 1[0-9].; no item writes a value that would end one of these loops$' \
    '^no fix: neither '
locks ordered 0
weir_clean explore -- "$scratch/ordered"
says '^exhaustive: 2 executions;'
says_nothing_of livelock
# The message has two groups: one waits for the other, which has the higher number, or the
# lower.
weir_clean explore --resident all -- "$scratch/message"
says '^With any number of resident groups every execution ends'
build backwards message.c 's/weir_group_id(item, 0) == 0/weir_group_id(item, 0) == 1/'
weir_ends 1 explore --resident all -- "$scratch/backwards"
says '^livelock in kernel .* with 1 group resident' '^exhaustive: 1 execution;' \
    '^With 2 or more resident groups every execution ends' \
    '^With 1 resident group 1 execution never ends: group 0 waits for ever at .*backwards.c:2[0-9]' \
    '^  why +item 0 of group .0,0,0. keeps reading flag.0.=0 .line 2[0-9].; no group that has started writes a value that would end this loop, and 1 of 2 groups has not started, because 1 group is resident$'
says_nothing_of '^fix:' '^or:' proved
# Two groups wait for a third one.
build third message.c 's/weir_group_id(item, 0) == 0/weir_group_id(item, 0) == 2/; s/2 \* LOCAL, LOCAL/3 * LOCAL, LOCAL/; s/args->out.l. = args->box.l.;//'
weir_ends 1 explore --resident 2 -- "$scratch/third"
says '^With 2 resident groups 1 execution never ends: groups 0 and 1 wait for ever, group 0 at .*third.c:2[0-9]\.$' \
    'and 1 of 3 groups has not started, because 2 groups are resident$'
weir_ends 1 explore --resident 1 -- "$scratch/third"
says '^With 1 resident group 1 execution never ends: group 0 waits for ever at .*third.c:2[0-9]\.$' \
    'and 2 of 3 groups have not started, because 1 group is resident$'
# A device that runs one group at once is asked for that without the option.
sed "s/^compute_units = .*/compute_units = 1/" \
    "$top_srcdir/sim/exec/profiles/default.profile" >"$scratch/one.profile"
weir_ends 1 explore --device "$scratch/one.profile" -- "$scratch/backwards"
says '^livelock in kernel .* with 1 group resident'
weir_clean explore --device "$scratch/one.profile" -- "$scratch/message"
says '^With any number of resident groups every execution ends'
weir explore --device "$scratch/none.profile" -- "$scratch/message"
complains '--device' none.profile
weir_ends 2 explore --jobs 2 --device "$scratch/one.profile" -- "$scratch/message"
says 'the launch has 2 groups, of which 1 can be resident'
weir_ends 1 explore --json --resident 1 -- "$scratch/backwards"
json '[(r["groups"], r["executions"], r["blocked"]) for r in it[0]["residencies"]]
    == [(1, 0, 1)]'
# A message of which the first word is not written.
build part message.c 's/args->box\[l\] = /if (l > 0) &/'
weir_ends 1 explore --no-fixes -- "$scratch/part"
says '^uninitialized-read in kernel .* read of box\[0\] of 4 elements' \
    'its value decides what out\[0\] holds at the end' '^exhaustive: 1 execution;'
# What a read of unwritten memory decides is named by the cell: where that cell is the only
# one, where a state leaves it out since it is as at the start, beside cells that differ
# from execution to execution, and where there are more final states than without.
unwritten()
{
    cat >"$scratch/unwritten.c" <<END
#include "program.h"

typedef struct {
    uint32_t *a, *count, *order, *z;
} unwritten_args;

WEIR_KERNEL(unwritten, unwritten_args)
{
    uint32_t *mine = weir_local_array(item, uint32_t, 1);
    size_t g = weir_global_id(item, 0);
    uint32_t garbage = *mine;
    $1
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *a = weir_new(device, uint32_t, 2, "a");
    uint32_t *count = weir_new(device, uint32_t, 1, "count");
    uint32_t *order = weir_new(device, uint32_t, 2, "order");
    uint32_t *z = weir_new(device, uint32_t, 2, "z");
    a[0] = a[1] = *count = order[0] = order[1] = z[0] = z[1] = 0;
    LAUNCH(device, unwritten, weir_nd_range_1d(2, 1), &(unwritten_args){ a, count, order, z });
    return 0;
}
END
    weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused \
        "$scratch/unwritten.c" -o "$scratch/unwritten" || bad "unwritten.c does not compile"
    weir_ends 1 explore --no-fixes -- "$scratch/unwritten"
    says '^uninitialized-read in kernel ' "its value decides what $2${3- holds at the end}$"
}
add='weir_atomic_fetch_add_explicit(args->count, 1, memory_order_relaxed, memory_scope_device)'
unwritten 'args->z[g] = 5; if (g == 1) { args->a[1] = garbage; }' 'a\[1\]'
unwritten 'args->z[g] = 5; if (g == 1) { args->a[1] = garbage & 1; }' 'a\[1\]'
unwritten 'args->z[g] = 5; if (g == 1) { args->a[1] = ~garbage & 1; }' 'a\[1\]'
unwritten "args->order[g] = $add; if (g == 1) { args->z[1] = garbage & 1; }" 'z\[1\]'
unwritten "args->order[g] = $add; if (g == 1) { args->z[1] = ~garbage & 1; }" 'z\[1\]'
# Garbage may decide that there is a first atomic operation, and one on part of a word.
unwritten "if ((int32_t)garbage > 0) { $add; }" 'count\[0\]'
unwritten "$add; if ((int32_t)garbage > 0) { ((volatile uint8_t *)&args->z[g])[1] = 1; }
    args->z[g]++;" 'items do' ''
unwritten "args->a[g] = 5; uint32_t was = $add; if (garbage & 1) { args->order[g] = was; }" 'order\[0\]'
unwritten "args->a[g] = 5; uint32_t was = $add; if (~garbage & 1) { args->order[g] = was; }" 'order\[0\]'
# The order of two cells: each has the same values with other garbage, but not together.
unwritten "uint32_t was = $add; args->z[g] = was ^ (garbage & 1); args->order[g] = was;" memory
# A wait is a loop, and the test has one execution; that the box is 7 is not claimed.
weir_clean explore --litmus "$scratch/message.litmus" -- "$scratch/message"
weir_clean litmus --json "$scratch/message.litmus"
json '[it["executions"], it["race"], it["blocked"]] == [1, False, 0]'
# What an assertion claims, the test asks for.
build asserted message.c 's/args->out\[l\] = args->box\[l\];/weir_assert(item, args->box[l] == 0);/'
weir_ends 1 explore --litmus "$scratch/asserted.litmus" -- "$scratch/asserted"
weir litmus --json "$scratch/asserted.litmus"
json 'it["claim"].startswith("exists (4:failed=1") and it["observation"] == "Always"'
weir explore --n 4 -- "$scratch/message"
complains '--n' 'a program chooses'
weir explore -- "$scratch/none"
complains none
weir explore -- true
complains 'made no launch'
weir explore reduce_tree -- "$scratch/message"
complains 'one kernel, or a program'

# An item that reaches no stop ends with the time, and not as one that waits for ever.
cat >"$scratch/never.c" <<'END'
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    uint32_t *x;
} never_args;

WEIR_KERNEL(never, never_args)
{
    for (volatile uint32_t i = 0; args->x[0] == 0; i++) {
        if (i == 1000 && args->x[0] == 1) {
            break;
        }
    }
}

int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    uint32_t *x = weir_new(device, uint32_t, 1, "x");
    x[0] = 0;
    bool made = weir_launch(device, &never, weir_nd_range_1d(2, 1), &(never_args){ x },
                            NULL);
    weir_free(device, x);
    weir_device_free(device);
    return !made;
}
END
weir_cc -g -O1 "$scratch/never.c" -o "$scratch/never" \
    || bad "never.c does not compile"
weir_ends 3 explore --time-limit 1 -- "$scratch/never"
says '^incomplete: '
says_nothing_of livelock

# A launch without items has one execution.
weir_clean explore reduce_last_group --n 0
says 'as at the start' '^exhaustive: 1 execution;'

# ---- PTX, and all models ----------------------------------------------------------

# A relaxed counter orders nothing but itself; an acq_rel one does.
weir_ends 1 explore --no-fixes --model ptx reduce_last_group_relaxed
says 'model ptx$' '^data race in kernel' '^wrong result of kernel'
weir_ends 0 explore --model ptx reduce_last_group
says '^exhaustive: 2 executions;'
# Under Vulkan a race has no meaning, so that no state of it is shown.
weir_ends 1 explore --no-fixes --model vulkan reduce_last_group_relaxed
says 'model vulkan$' '^data race in kernel' 'the write is not a release, and no release fence' \
    '4 of them with a race'
says_nothing_of 'wrong result'
weir_ends 0 explore --model vulkan reduce_last_group
says '^exhaustive: 2 executions;'
weir_ends 0 explore --model all reduce_last_group
says ', all models$' '^final state +sycl +sycl-split +rc11 +sc +ptx +vulkan$' \
    ' 2 +2 +2 +2 +2 +2$' '^never end +- +- +- +- +- +-$' \
    '^end by a fault +- +- +- +- +- +-$'
weir_ends 1 explore --model all reduce_last_group_relaxed
says '^wrong results +2 +2 +2 +- +2 +[1-9][0-9]*$' '^ptx: data race in kernel' \
    '^vulkan: data race in kernel'
weir explore --model all reduce_builtin
says '^out\[0\]=[0-9]+ +2 +2 +2 +2 +2 +\?$' \
    '^vulkan: cannot be explored: under vulkan a launch must not have operations'
for option in '--jobs 2' '--resident 1' '--litmus FILE' '--sample 2' '--deviations 1' --symmetry; do
    weir explore --model ptx $option reduce_tree
    ends_with 2
    complains "--model ptx excludes --jobs"
done
weir explore --model vulkan --jobs 2 reduce_tree
ends_with 2
complains '--model vulkan excludes --jobs'
weir check --model vulkan reduce_tree
ends_with 2
complains "weir check has no rules of Vulkan: 'weir explore --model vulkan' has them"
for option in --json --weaken; do
    weir explore --model all $option reduce_tree
    ends_with 2
    complains "--model all prints a table only"
done
weir explore --model vulkan-prose reduce_tree
ends_with 2
complains 'kernels cannot be explored under vulkan-prose: give language, sycl'

finish
