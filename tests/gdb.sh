#!/bin/sh
# SPDX-License-Identifier: MIT
#
# gdb.sh: under gdb, sim/gdb/weir-gdb.py lists where items are, selects items
# that are suspended, stops for one item, and leaves the program as it was.
#
# A session is a list of gdb's commands, some with a label; the answer to a label is
# then compared with patterns of grep -E.
. "${top_srcdir:-.}/tests/arch/lib.sh"

script=$top_srcdir/sim/gdb/weir-gdb.py
source=$top_srcdir/tests/gdb/items.c

command -v gdb >/dev/null 2>&1 || skip "no gdb"
gdb -nx -batch -ex 'python print("weir" + str(int(gdb.VERSION.split(".")[0]) >= 12))' 2>&1 \
    | grep -q '^weirTrue' || skip "this gdb has no Python, or is older than 12"
# Leaks are looked for with ptrace, which gdb has taken.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# build PROGRAM FLAG...
build()
{
    program=$scratch/$1
    shift
    # shellcheck disable=SC2086
    $CC -std=gnu11 -g "$@" -I"$top_srcdir/sim" $GLIB_CFLAGS $SANITIZE_FLAGS "$source" \
        -o "$program" "$top_builddir/libweir.a" $GLIB_LIBS $LIBDW_LIBS -pthread \
        $SANITIZE_FLAGS $COVERAGE_CFLAGS || { bad "$source does not compile"; finish; }
}

# session PROGRAM ARGUMENT...: commands from the standard input, a line each, as
# "label: command".
session()
{
    cat >"$scratch/commands"
    n=$#
    set -- "$@" -nx -batch -iex 'set auto-load no' -iex 'set confirm off' \
        -iex 'set pagination off' -iex 'set width 0' -ex "source $script"
    while IFS= read -r line; do
        set -- "$@" -ex "echo [${line%%:*}]\\n" -ex "${line#*: }"
    done <"$scratch/commands"
    set -- "$@" -ex 'echo [end]\n' -ex 'kill' --args
    while test "$n" -gt 0; do
        set -- "$@" "$1"
        shift
        n=$((n - 1))
    done
    gdb "$@" >"$scratch/output" 2>&1 </dev/null
    ! grep -q Traceback "$scratch/output" || { bad "Python stumbled:"; cat "$scratch/output"; }
}

# answer LABEL: what gdb said to the command of that label
answer()
{
    awk -v start="[$1]" '/^\[[a-z 0-9-]*\]$/ { on = $0 == start; next } on' "$scratch/output"
}

# expect LABEL PATTERN...: each is in a line of the answer
expect()
{
    label=$1
    shift
    for pattern in "$@"; do
        answer "$label" | grep -Eq -e "$pattern" && continue
        bad "no '$pattern' in the answer to $label:"
        answer "$label"
    done
}

# only LABEL PATTERN: the answer is one line, of that pattern
only()
{
    test "$(answer "$1" | wc -l)" -eq 1 || { bad "the answer to $1 is no single line:"; answer "$1"; }
    expect "$1" "^$2\$"
}

line_of()
{
    grep -n "mark: $1 \*/" "$source" | cut -d : -f 1
}

build items -O0
items=$scratch/items
if ! gdb -nx -batch -ex run --args "$items" stages </dev/null >"$scratch/output" 2>&1 \
    || ! grep -q 'exited normally' "$scratch/output"; then
    tail -n 3 "$scratch/output"
    skip "gdb cannot run programs here"
fi
gdb -nx -batch -ex 'ptype struct weiri_worker' "$items" 2>/dev/null | grep -q spare \
    || skip "libweir.a was built without -g"

helper=$(line_of 'helper barrier') calls=$(line_of 'calls helper')
between=$(line_of between) second=$(line_of 'second barrier') collective=$(line_of collective)
some=$(line_of some) others=$(line_of others) leaves=$(line_of leaves) result=$(line_of result)
sub_group=$(line_of 'sub-group') loop=$(line_of loop) plain=$(line_of plain)
right='2484 2485 2486 2487 2488 2489 2490 2491 2484 2485 2486 2487 2488 2489 2490 2491'

# ---- Who is where, and back again ------------------------------------------------

# The shadow memory of AddressSanitizer does not belong in a core file.
dump="generate-core-file $scratch/core"
test -z "$SANITIZE_FLAGS" || dump='echo'

# Item 3 is between two barriers: 0 to 2 are at the second, 4 to 7 still suspended in
# the first, which is in a helper.
session "$items" stages 1 <<END
nothing: info work-groups
: break main
: run
no launch: info work-items
: delete
set: break-item 3 items.c:$between
stop: continue
groups: info work-groups
items: info work-items
other: info work-items 1
beyond: info work-items 2
none: work-item
six: work-item 6
six-bt: bt
whole: bt -no-filters
six-locals: info locals
six-arg: print mine
six-up: up
six-secret: print secret
marked: info work-items
selected: work-item
call: print (int) abs(-5)
still: print secret
register: print \$sp = 0
return: return
one: work-item 1
one-locals: info locals
next: next
left: work-item
two: work-item 2 group 0
step: stepi
back: frame
five: work-item 0.5
running: work-item running
three: work-item 3
three-bt: bt
no item: work-item 8
no group: work-item 9.1
wrong: work-item five
wrong list: info work-items one
wrong break: break-item 3
thread: thread 2
from there: info work-items
seven: work-item 7
seven-frame: print mine
core: $dump
: work-item back
: next
: next
over barrier: next
whose: print id
over all: info work-items
: delete
end of it: continue
END
only nothing 'no launch is running: there is no process'
only 'no launch' 'no launch is running: no thread is in weir_launch\(\)'
expect set 'Breakpoint 2 stops for item 3 only\.'
expect stop "hit Breakpoint 2.*items\.c:$between"
expect groups "kernel 'stages' \(.*items\.c:[0-9]*\), 2 groups of 8 items" \
    '^\* +1 +0 +\(0,0,0\) +1 +0 +1 +4 +3 +0$'
expect items "^group 0 \(0,0,0\) of kernel 'stages', thread 1, phase 1, 8 items" \
    "^ +0-2 +waiting +1 +items\.c:$second in stages, weir_barrier +weir_barrier\(item, WEIR_GLOBAL\);" \
    "^\* +3 +running +1 +items\.c:$between in stages +pause_here\(\);" \
    "^ +4-7 +runnable +1 +items\.c:$helper in meet_in_helper +weir_barrier"
test "$(answer items | wc -l)" -eq 5 || bad "more parties than three"
only other "group 1 is not resident: see 'info work-groups'"
only beyond 'no group 2: this launch has 2'
only none 'No item is selected; item 3 of group 0 \(0,0,0\) runs\.'
expect six '^\[item 6 of group 0 \(0,0,0\), runnable, phase 1\]' \
    "#[0-9]+ .*meet_in_helper .*items\.c:$helper"
expect six-bt "meet_in_helper .*items\.c:$helper" "stages__body .*items\.c:$calls"
for backtrace in six-bt three-bt; do
    answer $backtrace | tail -1 | grep -q stages__body || bad "$backtrace does not end at the kernel"
done
expect whole coroutine_main
answer six-bt | grep -Eq "items\.c:$between|^#0" && bad "the running item's frames are in the item's backtrace"
expect six-locals '^in_helper = 212'
expect six-arg '= 106$'
expect six-secret '= 106$'
expect marked '^\* +3 ' '^ +4-5,7 +runnable ' '^> +6 +runnable '
only selected 'item 6 of group 0 \(0,0,0\) is selected\.'
# gdb cannot write all registers on some machines, whatever the program is.
answer call | grep -q '^Couldn.t write extended state' || expect call '= 5$'
expect still '= 106$'
expect register 'unmodifiable'
only return 'item 6 of group 0 \(0,0,0\) is suspended: it cannot return'
expect one 'item 1 of group 0 \(0,0,0\), waiting at weir_barrier, phase 1' "items\.c:$second"
expect one-locals '^id = 1' '^secret = 303' '^twice = 202'
expect next "^$((between + 1))[^0-9].*secret \+= twice"
only left 'No item is selected; item 3 of .*'
expect two 'item 2 of group 0' "items\.c:$second"
expect back "^#0 .*items\.c:$((between + 1))"
expect five 'item 5 of group 0' "items\.c:$helper"
expect running 'No item is selected; item 3 of' "^#0 .*stages__body .*items\.c:$((between + 1))"
expect three 'No item is selected; item 3 of' "^#0 .*stages__body"
expect three-bt "^#0 .*items\.c:$((between + 1))"
only 'no item' 'no item 8 in group 0 \(0,0,0\): it has 8 items'
only 'no group' 'no group 9: this launch has 2'
only wrong 'usage: work-item .*'
only 'wrong list' 'usage: info work-items .*'
only 'wrong break' 'usage: break-item .*'
expect 'from there' '^ +0-2 +waiting ' '^\* +3 +running ' '^ +4-7 +runnable '
expect seven 'item 7 of group 0' "items\.c:$helper"
expect seven-frame '= 107$'
expect 'over barrier' "^(${collective}|${result})[^0-9]" # a line may be two steps
expect whose '= 3$'
expect 'over all' '^\* +3 +running +[23] '
expect 'end of it' "^$right\$" 'exited normally'

# ---- A core file -----------------------------------------------------------------

if test -s "$scratch/core"; then
    session "$items" <<END
: core-file $scratch/core
items: info work-items
six: work-item 6
six-locals: info locals
END
    expect items '^ +0-2 +waiting ' '^\* +3 +running ' '^ +4-7 +runnable '
    expect six "meet_in_helper .*items\.c:$helper"
    expect six-locals '^in_helper = 212'
fi

# ---- Stopping for one item -------------------------------------------------------

session "$items" stages 1 <<END
: break-item 1.5 pause_here
: break-item 5 items.c:$collective if secret == 1
first: run
where: info work-items
second: continue
END
expect first 'hit Breakpoint 1, pause_here'
expect where '^group 1 ' '^\* +5 +running .* in pause_here'
expect second "^$right\$" 'exited normally'

# The same item of the next group is on the same stack: what was selected is not kept.
session "$items" stages 1 <<END
: break-item 5 pause_here
: run
: work-item 2
: continue
again: bt
selected: work-item
last: continue
END
test "$(grep -c 'hit Breakpoint 1' "$scratch/output")" -eq 2 || bad "break-item 5 does not stop once a group"
expect again '^#0 .*pause_here'
only selected 'No item is selected; item 5 of group 1 \(1,0,0\) runs\.'
expect last 'exited normally'

# ---- Other places ----------------------------------------------------------------

# Before the first barrier, and in the runtime.
session "$items" stages 1 <<END
: break-item 3 items.c:$calls
: run
items: info work-items
six: work-item 6
inside: break weiri_barrier
: delete 1
: continue
: continue
in barrier: info work-items
one: work-item 1
one-locals: info locals
itself: work-item 4
: delete
: break weiri_collect
: continue
: continue
: continue
in collective: info work-items
zero: work-item 0
zero-secret: print secret
: delete
: break weiri_fast_park
: continue
in park: info work-items
parking: work-item 2
: delete
: break weiri_algo
: continue
in algorithm: info work-items
: delete
: break-item 3 pause_here
: continue
: work-item 6
: delete
: break-item 1.3 items.c:$result
: continue
returned: info work-items
: delete
last: continue
END
expect items "^ +0-2 +waiting +0 .* in meet_in_helper" "^\* +3 +running +0 .* in stages" \
    '^ +4-7 +not started$'
only six 'item 6 of group 0 \(0,0,0\) is not suspended: it has not started'
expect 'in barrier' "^ +0-3 +waiting +0 +items\.c:$helper" "^\* +4 +running +0 +items\.c:$helper" \
    '^ +5-7 +not started$'
expect one "items\.c:$helper"
expect one-locals '^in_helper = 202'
expect itself 'No item is selected; item 4 of' "meet_in_helper .*items\.c:$helper"
expect 'in collective' "^ +0-1 +waiting +2 +items\.c:$collective in stages, weir_group_reduce_add" \
    "^\* +2 +running +2 +items\.c:$collective" "^ +3-7 +runnable +2 +items\.c:$second"
expect zero 'waiting at weir_group_reduce_add'
expect zero-secret '= 300$'
expect 'in park' '^ +0-1 +waiting +2 ' '^\* +2 +waiting +2 '
expect parking 'No item is selected' "stages__body .*items\.c:$collective"
expect 'in algorithm' '^ +0-6 +waiting +2 ' "^\* +7 +(running|waiting) +2 +items\.c:$collective in stages"
expect returned '^ +0-2 +returned +3$' "^\* +3 +running +3 "
expect last "^$right\$" 'exited normally'

# A divergent group, which ends with a finding.
session "$items" divergent 1 <<END
: break-item 0.7 items.c:$leaves
: run
groups: info work-groups
items: info work-items
four: work-item 4
four-id: print id
six: work-item 6
last: continue
END
expect groups '^\* +1 +0 +\(0,0,0\) +0 +0 +1 +0 +6 +1$'
expect items "^ +0-2 +waiting +0 +items\.c:$some in divergent, weir_barrier" \
    "^ +3-5 +waiting +0 +items\.c:$others in divergent, weir_barrier" \
    "^ +6 +returned +0$" "^\* +7 +running +0 +items\.c:$leaves"
expect four 'waiting at weir_barrier' "items\.c:$others"
expect four-id '= 4$'
only six 'item 6 of group 0 \(0,0,0\) is not suspended: it has returned'
expect last 'exited with code 01'

# The same where it is found, by Weir.
session "$items" divergent 1 <<END
: break-finding barrier-divergence
: run
items: info work-items
four: work-item 4
four-id: print id
: delete
last: continue
END
expect items "^ +0-2 +waiting +0 +items\.c:$some" "^ +3-5 +waiting +0 +items\.c:$others" \
    '^ +6-7 +returned +0$'
expect four-id '= 4$'
expect last 'exited with code 01'

session "$items" sub_groups 1 <<END
: break-item 0.5 items.c:$sub_group
: run
items: info work-items
: delete
last: continue
END
expect items "^ +0-4 +waiting +0 +items\.c:$sub_group in sub_groups, weir_sub_group_barrier"
expect last 'exited normally'

session "$items" in_loops 1 <<END
: break-item 0.5 items.c:$loop
: run
id: print id
items: info work-items
one: work-item 1
: delete
last: continue
END
expect id '= 5$'
expect items 'a group kernel, in its loop at item 5' "^\* +all +running +0 +items\.c:$loop in in_loops"
only one 'no item 1 in group 0 \(0,0,0\): a group kernel has one stack: number 0'
expect last 'exited normally'

# Two threads, from the one that did not stop.
session "$items" stages 2 <<END
: break-item 1.3 items.c:$between
: run
here: info work-items
: thread 1
items: info work-items 1
six: work-item 1.6
six-locals: info locals
: delete
last: continue
END
expect here '^group 1 '
expect items '^group 1 ' '^ +0-2 +waiting +1 ' '^\* +3 +running +1 ' '^ +4-7 +runnable +1 '
expect six 'item 6 of group 1'
expect six-locals '^in_helper = 212'
expect last "^$right\$" 'exited normally'

# In turns: items start and run in another order, from the last to the first.
session "$items" stages 1 reverse <<END
: break-item 0.3 items.c:$between
: run
items: info work-items
zero: work-item 0
zero-locals: info locals
five: work-item 5
five-locals: info locals
next: next
: break-item 0.6 items.c:$calls
: run
start: info work-items
one: work-item 1
seven: work-item 7
: delete
last: continue
END
expect items "^ +0-2 +runnable +1 .* in meet_in_helper" "^\* +3 +running +1 " \
    "^ +4-7 +waiting +1 +items\.c:$second in stages, weir_barrier"
expect zero 'runnable' "meet_in_helper .*items\.c:$helper"
expect zero-locals '^in_helper = 200'
expect five 'waiting at weir_barrier' "items\.c:$second"
expect five-locals '^secret = 315'
expect next "^$((between + 1))[^0-9].*secret \+= twice"
expect start '^ +0-5 +not started$' '^\* +6 +running +0 ' "^ +7 +waiting +0 +items\.c:$helper"
only one 'item 1 of group 0 \(0,0,0\) is not suspended: it has not started'
expect seven "meet_in_helper .*items\.c:$helper"
expect last "^$right\$" 'exited normally'

# ---- Optimised -------------------------------------------------------------------

# What the compiler keeps in registers comes from the item's saved ones.
build optimised -O2
session "$scratch/optimised" stages 1 <<END
: break-item 5 pause_here
: run
items: info work-items
two: work-item 2
two-secret: print secret
six: work-item 6
six-helper: print in_helper
: delete
last: continue
END
expect items '^ +0-4 +waiting +1 ' '^\* +5 +running +1 ' "^ +6-7 +runnable +1 .* in meet_in_helper"
expect two-secret '= (306|<optimized out>)$'
expect six-helper '= (212|<optimized out>)$'
expect last "^$right\$" 'exited normally'

# In a loop without calls an optimising compiler writes `at` once, at its end.
build less -O1
session "$scratch/less" plain 1 <<END
: break items.c:$plain
: ignore 1 13
stop: run
items: info work-items
: delete
: break-item 1.7 items.c:$plain
: continue
seven: info work-items
: delete
last: continue
END
if answer stop | grep -q 'hit Breakpoint'; then # the compiler kept the line
    expect items '^group 1 ' '^ +0-4 +returned +0$' '^\* +5 +running +0 ' '^ +6-7 +not started$'
    expect seven '^group 1 ' '^\* +7 +running +0 '
    expect last 'exited normally'
else
    echo "not tested: the counter of a loop that $CC optimised"
fi

# ---- What is not there -----------------------------------------------------------

strip -g -o "$scratch/stripped" "$items" 2>/dev/null && {
    session "$scratch/stripped" stages 1 <<END
set: break-item 3 pause_here
: break weiri_barrier
: run
items: info work-items
END
    only set 'no struct weiri_worker in the debugging information: .*'
    only items 'no weiri_self in the debugging information: .*'
}

# Where an installed program finds the script.
if command -v readelf >/dev/null 2>&1; then
    readelf -p .debug_gdb_scripts "$items" 2>/dev/null | grep -q '/gdb/auto-load/weir-gdb\.py$' \
        || bad "programs do not name the script"
fi
test "$failures" -gt 0 || good "items under $(gdb --version | head -n 1)"
finish
