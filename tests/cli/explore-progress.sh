#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-progress.sh: weir explore --progress says whether a kernel ends under a model of
# forward progress, and who waits for what; its exit status is 1 if a fair execution does
# not end, and 3 if that is not known. The answers follow from the definitions of the
# models: see docs/progress.md. A kernel and its litmus test have the same.
. "${top_srcdir:-.}/tests/cli/lib.sh"

use_weir_cc
source=$(cd "$top_srcdir" && pwd)/tests/cli/progress.c
cd "$scratch" || exit 99
weir_cc -g -O1 "$source" -o progress || bad "progress.c does not compile"

# line_of MARK: the line of the source that has this mark.
line_of()
{
    grep -n "mark: $1 \*/" "$source" | cut -d : -f 1
}

# ends_under 'FAIR HSA OBE HSA_OBE LOBE' ITEM|GROUP KERNEL GROUPS ITEMS: the answers, each
# yes or no.
ends_under()
{
    answers=$1 by=$2
    shift 2
    case $answers in *no*) status=1 ;; *) status=0 ;; esac
    weir_ends $status explore --no-fixes --progress all --progress-by "$by" \
        --model "$model" -- ./progress "$@"
    sed -n 's/^terminates under [a-z_]*: //p' "$out" | xargs >is
    test "$(cat is)" = "$answers" || bad "$model: $* by $by ends under: $(cat is)"
}

# ends_in_ptx 'FAIR HSA OBE HSA_OBE LOBE' KERNEL GROUPS ITEMS: the answers under ptx by
# item, where a race is a finding beside them. "not known" is one word, unknown.
ends_in_ptx()
{
    answers=$1
    shift
    weir_ends 1 explore --no-fixes --model ptx --progress all -- ./progress "$@"
    sed -n 's/^terminates under [a-z_]*: //p' "$out" \
        | sed 's/^not known: it depends on whether causality orders .*/unknown/' \
        | xargs >is
    test "$(cat is)" = "$answers" || bad "$* under ptx ends under: $(cat is)"
}

# has_like_test KERNEL ITEMS: where threads are items, the litmus test of the kernel, of as
# many items in groups of one, has the same answers.
has_like_test()
{
    weir explore --no-fixes --progress all -- ./progress "$@" 1
    cp "$out" one
    weir_clean explore --no-fixes --litmus test.litmus -- ./progress "$@" 1
    weir litmus --progress all --model sycl test.litmus
    cp "$out" other
    sed -n 's/^ *\(terminates under .*: [a-z]*\).*/\1/p' one >is
    sed -n 's/^ *\(terminates under .*: [a-z]*\).*/\1/p' other >expected
    test -s is || bad "no answers for $*"
    cmp -s is expected || bad "the litmus test of $* ends under: $(cat expected)"
}

# ---- Answers -----------------------------------------------------------------------

model=sycl
# Who holds the lock has made a step. Under hsa the first item waits for one that need not
# run; but not for one of its own group, if the model obliges groups.
ends_under 'yes no yes yes yes' item lock 2 1
ends_under 'yes no yes yes yes' group lock 2 1
ends_under 'yes no yes yes yes' item lock 1 2
ends_under 'yes yes yes yes yes' group lock 1 2
# The first item waits for one that has not begun; no model but fair obliges that one.
ends_under 'yes no no no no' item down 2 1
ends_under 'yes no no no no' group down 2 1
ends_under 'yes no no no no' item down 1 2
ends_under 'yes yes yes yes yes' group down 1 2
# It waits for a lower number.
ends_under 'yes yes no yes yes' item up 2 1
ends_under 'yes yes no yes yes' group up 2 1
ends_under 'yes yes yes yes yes' group up 1 2
# A barrier of all groups needs all of them, and one group has itself.
ends_under 'yes no no no no' item meet 2 1
ends_under 'yes no no no no' group meet 2 2
ends_under 'yes yes yes yes yes' item meet 1 2
# Groups wait only for groups that have drawn a number. Their items that have not come to
# the barrier need not: but a group that has made a step runs all of its items.
ends_under 'yes no yes yes yes' item draw 2 1
ends_under 'yes no no no no' item draw 2 2
ends_under 'yes no yes yes yes' group draw 2 2
# A hang.
ends_under 'no no no no no' item leaves 1 2
ends_under 'yes yes yes yes yes' item leaves 2 1

for kernel in lock down up meet draw; do
    has_like_test $kernel 2
    has_like_test $kernel 3
done

# ---- PTX and Vulkan ----------------------------------------------------------------

# These kernels order what they write, so that it makes no difference.
for model in ptx vulkan; do
    ends_under 'yes no yes yes yes' item lock 2 1
    ends_under 'yes yes yes yes yes' group lock 1 2
    ends_under 'yes no no no no' item down 2 1
    ends_under 'yes yes no yes yes' item up 2 1
    ends_under 'yes no no no no' item draw 2 2
    ends_under 'yes no yes yes yes' group draw 2 2
    ends_under 'no no no no no' item leaves 1 2
    ends_under 'yes yes yes yes yes' item leaves 2 1
done
weir_ends 1 explore --no-fixes --model vulkan --progress fair -- ./progress races 2 1
says '^terminates under fair: not known: there is a race'
# In PTX a race has results. Two groups that count at the scope of a group have two last
# writes, and each can read its own for ever; one group has one.
ends_in_ptx 'yes yes yes yes yes' races 2 1
ends_in_ptx 'no no no no no' narrow 2 1
says '^  item 0 of group \(0,0,0\)  spins at line .*: it reads cells\[0\] = 1, one of several last writes that are not ordered, again and again$'
model=ptx ends_under 'yes yes yes yes yes' item narrow 1 2
ends_under 'yes no no no no' item meet 2 1
# The 2 comes after the 1 if the message between them synchronises; a compare-exchange
# that fails has its other order. A message that does not leaves open what is last.
ends_in_ptx 'yes yes no yes yes' relay 3 1
ends_in_ptx 'yes yes no yes yes' relay_seq_cst 3 1
ends_in_ptx 'unknown unknown no unknown unknown' relay_relaxed 3 1
ends_in_ptx 'yes yes no yes yes' relay_failed 3 1
ends_in_ptx 'unknown unknown no unknown unknown' relay_failed_relaxed 3 1
# Fences on both sides make it one that does, if each has the other item in its scope.
ends_in_ptx 'yes yes no yes yes' relay_fences 3 1
ends_in_ptx 'unknown unknown no unknown unknown' relay_sent 3 1
ends_in_ptx 'unknown unknown no unknown unknown' relay_taken 3 1
ends_in_ptx 'unknown unknown no unknown unknown' relay_near 3 1
ends_in_ptx 'yes no no no yes' relay_barrier 2 2
# An assertion fails only in a state that no execution has: that is not a finding.
weir_ends 1 explore --no-fixes --model ptx --progress obe -- ./progress relay_through 3 1
says_nothing_of 'assertion'
weir_ends 3 explore --no-fixes --model ptx --progress fair -- ./progress relay_through 3 1
says '^terminates under fair: not known: an item fails, perhaps in no execution of ptx$'
says_nothing_of 'assertion'

# ---- Words -------------------------------------------------------------------------

weir_ends 1 explore --no-fixes --progress hsa -- ./progress lock 2 1
says '^terminates under hsa: no$' \
    "^  item 0 of group \(0,0,0\)  spins at line $(line_of taken) of progress.c: it reads cells\[0\] = 1 and writes 1 again and again$" \
    "^  item 0 of group \(1,0,0\)  would read cells\[1\] at line $(line_of inside) of progress.c, but need not run$"
says_nothing_of 'under (fair|obe|lobe)'
weir_ends 1 explore --no-fixes -p obe -- ./progress down 2 1
says "^  item 0 of group \(0,0,0\)  spins at line $(line_of waits) of progress.c: it reads cells\[0\] = 0 again and again$" \
    "^  item 0 of group \(1,0,0\)  would write cells\[0\] = 1 at line $(line_of sends) of progress.c, but need not run$"
weir_ends 1 explore --no-fixes --progress obe -- ./progress draw 2 2
says "^  item 0 of group \(0,0,0\)  waits at the barrier of line $(line_of meets) of progress.c for item 1 of group \(0,0,0\)$" \
    "^  item 1 of group \(0,0,0\)  would arrive at the barrier at line $(line_of meets) of progress.c, but need not run$" \
    '^  item 1 of group \(1,0,0\)  has ended$'
weir_clean explore --no-fixes -- ./progress lock 2 1
says_nothing_of 'terminates'

# ---- JSON --------------------------------------------------------------------------

weir_ends 1 explore --no-fixes --json --progress all -- ./progress lock 2 1
json '[(p["progress"], p["terminates"]) for p in it[0]["progress"]]
    == [("fair", True), ("hsa", False), ("obe", True), ("hsa_obe", True), ("lobe", True)]'
json '[(w["item"], w["end"], w["file"][-10:], w["line"])
        for w in it[0]["progress"][1]["waits"]]
    == [("item 0 of group (0,0,0)", "spins", "progress.c", '"$(line_of taken)"'),
        ("item 0 of group (1,0,0)", "rests", "progress.c", '"$(line_of inside)"')]'
json '[p["waits"] for p in it[0]["progress"] if p["terminates"]] == [[], [], [], []]'
weir_ends 1 explore --no-fixes --json --progress fair -- ./progress leaves 1 2
json '[(w["end"], w["line"]) for w in it[0]["progress"][0]["waits"]]
    == [("hangs", '"$(line_of barrier)"'), ("ended", None)]'
weir_clean explore --json -- ./progress lock 2 1
json 'it[0]["progress"] == []'

# ---- Memory, and what is not known -------------------------------------------------

# Items spin only after an execution that no turns give.
weir_ends 1 explore --no-fixes --progress fair -- ./progress buffers 2 1
says '^terminates under fair: no, by an execution that is not sequentially consistent' \
    'executions? never ends?'
weir_clean explore --no-fixes --model sc --progress all -- ./progress buffers 2 1
says '^terminates under fair: yes$' '^terminates under hsa: yes$'
# A finding counts more than an answer that is not known.
weir_ends 1 explore --no-fixes --progress fair -- ./progress races 2 1
says '^terminates under fair: not known: there is a race'
weir_clean explore --no-fixes --progress all -- ./progress races 1 1
weir_ends 3 explore --no-fixes --progress fair --max-executions 1 -- ./progress lock 2 1
says '^terminates under fair: not known: there may be more executions$'
weir_ends 3 explore --no-fixes --json --progress fair --max-executions 1 \
    -- ./progress lock 2 1
json 'it[0]["progress"][0]["terminates"] is None and it[0]["progress"][0]["undecided"]'
# A fix is looked for as without the option.
weir_ends 1 explore -- ./progress races 2 1
grep -v '^terminates' "$out" >one
weir_ends 1 explore --progress all -- ./progress races 2 1
grep -v '^terminates' "$out" | cmp -s - one || bad "the rest of the output differs"

# ---- Wrong usage -------------------------------------------------------------------

# refused PART OPTION...
refused()
{
    part=$1
    shift
    weir_ends 2 explore "$@" -- ./progress lock 2 1
    grep -q -e "$part" "$err" || bad "no '$part' in: $(cat "$err")"
}

refused "'cuda': give one of fair, hsa, obe, hsa_obe, lobe, or all" --progress cuda
refused "'wave': give item or group" --progress all --progress-by wave
refused 'needs --progress, which is missing' --progress-by group
for option in '--jobs 2' '--sample 3' '--deviations 1' --symmetry; do
    # shellcheck disable=SC2086
    refused 'excludes --jobs' --progress all $option
done
refused 'table only: for --json, --weaken, --progress' --progress all --model all

finish
