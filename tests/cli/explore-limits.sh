#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-limits.sh: what ends an item of an exploration, or the exploration. An item that
# ends the process, or that the processor stops, is a finding with the execution that leads
# to it. What was found when a limit is reached is printed.
. "${top_srcdir:-.}/tests/cli/lib.sh"

WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
WEIR_LIB_DIR=$(cd "${top_builddir:-.}" && pwd)
source=$(cd "$top_srcdir" && pwd)/tests/cli/limits.c
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
# The programs leave their memory to the system when they end.
ASAN_OPTIONS=detect_leaks=0
export WEIR_LIB_DIR WEIR_INCLUDE_DIR ASAN_OPTIONS
cd "$scratch" || exit 99
"$WEIR_LIB_DIR/weir-cc" -g -O1 "$source" -o limits || bad "limits.c does not compile"

# line_of MARK: the line of the source that has this mark.
line_of()
{
    grep -n "mark: $1 \*/" "$source" | cut -d : -f 1
}

# ends HOW FINDING: the item ends so in one of two executions. Each way to explore says so.
ends()
{
    weir_ends 1 explore --no-fixes -- ./limits "$1"
    says "^$2" "limits\.c:$(line_of "$1") " '^ +smallest execution: 4 of 4 events' \
        'fetch_add x\[0\]=1->2' \
        '^exhaustive: 1 execution; 1 more in which an item does not come to its end;'
    cp "$out" one
    for way in '--jobs 2' '--jobs 3'; do
        # shellcheck disable=SC2086
        weir_ends 1 explore --no-fixes $way -- ./limits "$1"
        cmp -s "$out" one || bad "$way prints something else"
    done
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

for how in exit _exit _Exit quick_exit; do
    ends $how "fault in kernel 'ends', .*: the item called $how\(\), which ends the program"
done
ends abort "fault in kernel 'ends', group \(0,0,0\), item \(0,0,0\): the item called abort\(\)"
ends divide "fault in kernel 'ends', .*: the item divided an integer by zero"
ends null "out-of-bounds write in kernel 'ends', .*: null pointer"
# Two items, each with a finding and its execution.
weir_ends 1 explore --no-fixes -- ./limits both
says '^fault .*group \(0,0,0\), .*exit\(\)' "limits\.c:$(line_of 'first exits') " \
    '^fault .*group \(1,0,0\), .*abort\(\)' "limits\.c:$(line_of 'second aborts') "
test "$(grep -c '^  smallest execution' "$out")" -eq 2 || bad "not two executions"

# What no handler sees ends the program, or a process that has a part of the exploration.
weir explore --time-limit 20 -- ./limits killed
complains 'was ended by signal 9 \(Killed\) inside launch 1, of kernel .ends.'
finish
