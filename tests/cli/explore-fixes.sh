#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-fixes.sh: the changes that weir explore proposes, which follow from what orders
# the accesses of each program; and changes that would not be enough, which it must not
# propose.
. "${top_srcdir:-.}/tests/arch/lib.sh"
rmdir "$scratch" # the other lib.sh makes its own
. "${top_srcdir:-.}/tests/cli/lib.sh"

use_weir_cc
cd "$scratch" || exit 99

# What a test expects must not depend on how fast the machine is, so no limit of time is
# reached.
weir()
{
    step="weir $*"
    command=$1
    shift
    status=0
    "$WEIR" "$command" --time-limit 3600 "$@" >"$out" 2>"$err" </dev/null || status=$?
}

# build NAME SOURCE EDIT
build()
{
    if test "$2" = none; then
        test -f "$1.c" || cp "${1#patched_}.c" "$1.c"
    else
        sed "$3" "$top_srcdir/tests/fixes/$2" >"$1.c"
    fi
    weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused "$1.c" -o "$1" \
        || bad "$1 does not compile"
}

# fixed NAME SOURCE EDIT PATTERN...: the edited program is wrong, and these are all the
# fixes that are listed.
fixed()
{
    build "$1" "$2" "$3"
    weir_ends 1 explore -- "./$1"
    shift 3
    says "$@"
    test "$(grep -Ec '^(fix|or): ' "$out")" -eq $# || bad "not $# fixes"
}

# weaker NAME SOURCE EDIT NEEDED PATTERN...: the edited program is correct. So many levers
# are needed, and these are all that could be weaker.
weaker()
{
    build "$1" "$2" "$3"
    weir_clean explore --weaken -- "./$1"
    n=$4
    shift 4
    says "^needed as strong as they are: $n of the orders, scopes and barrier flags\$" "$@"
    test "$(grep -c '^  .*(proved: [0-9]* executions*, exhaustive)$' "$out")" -eq $# \
        || bad "not $# that could be weaker"
}

relaxed=memory_order_relaxed

# The line of a call of several lines is the first, but the last for clang. That of the
# increment in reduce_last_group.c and its variants:
call=34
is_clang "$CC" && call=37

# ---- Built-in kernels --------------------------------------------------------

# The counter's increment publishes the sum of its group and receives those of the others:
# to acquire or to release alone is not enough, and seq_cst is more than enough.
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2
says "^fix: memory_order_acq_rel instead of $relaxed in the fetch_add at .*reduce_last_group_relaxed.c:$call \(proved: 6 executions, exhaustive\)$"
says_nothing_of '^or:' seq_cst 'memory_order_(acquire|release)'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2 --json
json '[(f["what"], f["line"], f["from"], f["to"], f["proved"]["executions"], f["alone"],
    f["verified"], f["number"]) for f in it[0]["fixes"]] == [("strengthen-order", '$call',
    "memory_order_relaxed", "memory_order_acq_rel", 6, True, True, 1)]'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2 --no-fixes
says_nothing_of '^fix:' '^or:' '^no fix:'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2 --no-fixes --json
json '"fixes" not in it[0]'
# What is not explored to its end proves nothing.
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2 --max-executions 5
says '^no fix: '
says_nothing_of '^fix:' '^or:' proved
# The same change by hand; one that is not enough; and the correct kernel, spoilt.
line=reduce_last_group_relaxed.c:$call
weir_clean explore reduce_last_group_relaxed --n 6 --local 2 --order "$line=acq_rel"
says '^exhaustive: 6 executions;'
says_nothing_of '^no fix:' '^fix:'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2 --order "$line=acquire"
says "^fix: memory_order_acq_rel instead of memory_order_acquire in the fetch_add"
for words in release work_group acq_rel+work_group; do
    weir_ends 1 explore reduce_last_group --n 6 --local 2 \
        --order "reduce_last_group.c:$call=$words" --no-fixes
    says 'race in kernel'
done
weir_ends 1 explore reduce_last_group --n 6 --local 2 --order reduce_last_group.c:23=global
says '^fix: WEIR_LOCAL \| WEIR_GLOBAL instead of WEIR_GLOBAL in the barrier at .*reduce_last_group.c:23'
for order in "$line" "$line=" "$line=acq_rel/" "$line=strong" "$line=acq_rel,," \
    "$line=relaxed+relaxes"; do
    weir explore reduce_last_group_relaxed --order "$order"
    complains order
done
# A line without an operation, a file without one, and words that the operation has no use
# for: the launch would be explored as it is.
after=$((call + 1))
for kernel in reduce_last_group reduce_last_group_relaxed; do
    weir explore "$kernel" --order "$kernel.c:$after=acq_rel"
    complains "--order $kernel.c:$after: no item" "nearest lines with one: 2[34], $call\$"
done
weir explore reduce_last_group --order "reduce_last_group.c:$call=acq_rel,reduce_last_group.c:1=acq_rel"
complains '--order reduce_last_group.c:1: no item' "nearest lines with one: 23, $call\$"
weir explore reduce_last_group --order "last_group.c:$call=acq_rel"
complains "--order last_group.c:$call: no file of that name" ': reduce_last_group.c$'
weir explore reduce_last_group --order reduce_last_group.c:23=acq_rel
complains '--order reduce_last_group.c:23=acq_rel: .* no memory order'
weir explore reduce_last_group --order "reduce_last_group.c:$call=acq_rel+local"
complains "--order reduce_last_group.c:$call=local: .* no flags"
weir_clean explore reduce_last_group --order "kernels/reduce_last_group.c:$call=acq_rel+device" --no-fixes

# ---- Orders, scopes and flags ------------------------------------------------

fixed store message.c "s/memory_order_release/$relaxed/" \
    "^fix: memory_order_release instead of $relaxed in the store at store.c:(19|20) "
fixed load message.c "s/memory_order_acquire/$relaxed/" \
    "^fix: memory_order_acquire instead of $relaxed in the load at load.c:(24|25) "
fixed both message.c "s/memory_order_[ar][a-z]*/$relaxed/" \
    "^fix: memory_order_release instead of $relaxed in the store at both.c:(19|20); and memory_order_acquire instead of $relaxed in the load at both.c:(24|25) \(proved together: 1 execution, exhaustive\)$"
fixed flag message.c '/written/s/GLOBAL/LOCAL/' \
    '^fix: WEIR_LOCAL \| WEIR_GLOBAL instead of WEIR_LOCAL in the barrier at flag.c:17 '
fixed scope message.c '/send/s/device/work_group/' \
    '^fix: memory_scope_device instead of memory_scope_work_group in the store at scope.c:(19|20) '
fixed scopes message.c 's/scope_device/scope_work_group/' \
    '^fix: memory_scope_device .* scopes.c:(19|20); and memory_scope_device .* scopes.c:(24|25) \(proved together: '
# An order and a scope of one operation.
fixed neither message.c "/send/s/device/work_group/; s/memory_order_release/$relaxed/" \
    "^fix: memory_order_release instead of $relaxed in the store at neither.c:(19|20); and memory_scope_device instead of memory_scope_work_group in the store at neither.c:(19|20) \(proved together: "
fixed lock lock.c "s/memory_order_acquire/$relaxed/" \
    "^fix: memory_order_acquire instead of $relaxed in the compare_exchange at lock.c:(15|17) "
# Either a fence or the store after it may release.
fixed fence fence.c "s/fence(memory_order_release/fence($relaxed/" \
    "^fix: memory_order_release instead of $relaxed in the fence at fence.c:14 " \
    "^or:  memory_order_release instead of $relaxed in the store at fence.c:(15|16) "
weir_ends 1 explore --json -- ./both
json '[(f["number"], f["alone"]) for f in it[0]["fixes"]] == [(1, False), (1, False)]'

# C11's own atomics have no site, but a line.
cat >c11.c <<'END'
#include "program.h"
#include <stdatomic.h>

typedef struct {
    uint32_t *box;
    _Atomic uint32_t *flag;
} c11_args;

WEIR_KERNEL(c11, c11_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->box[0] = 7;
        atomic_store_explicit(args->flag, 1, memory_order_relaxed);
    } else if (atomic_load_explicit(args->flag, memory_order_acquire) == 1) {
        args->box[1] = args->box[0];
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *box = weir_new(device, uint32_t, 2, "box");
    _Atomic uint32_t *flag = weir_new(device, _Atomic uint32_t, 1, "flag");
    box[0] = box[1] = 0;
    *flag = 0;
    LAUNCH(device, c11, weir_nd_range_1d(2, 1), &(c11_args){ box, flag });
    return 0;
}
END
weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused c11.c -o c11 \
    || bad "c11 does not compile"
weir_ends 1 explore -- ./c11
says "^fix: memory_order_release instead of $relaxed in the store at c11.c:13 \(proved: 2 executions, exhaustive\)$"
says_nothing_of '^or:'

# ---- Changes of the text -----------------------------------------------------

# A barrier that is missing; of the two of a round, it may stand at either end of it.
fixed missing message.c '/written/s/.*//' \
    '^fix: insert weir_barrier\(item, WEIR_GLOBAL\) after missing.c:16 \(proved: 1 execution, exhaustive\)$'
fixed round rounds.c '/taken/s/.*//' \
    '^fix: insert weir_barrier\(item, WEIR_LOCAL\) after round.c:22 ' \
    '^or:  insert weir_barrier\(item, WEIR_LOCAL\) before round.c:18 '
weir_ends 1 explore --json -- ./round
json '[(f["number"], f["what"], f["alone"]) for f in it[0]["fixes"]]
    == [(1, "insert-barrier", True), (2, "insert-barrier", True)]'
# A change that is lost between two atomics, or within one plain statement. Nothing else is
# read or written, so relaxed is enough.
lost()
{
    cat >"$1.c" <<END
#include <weir-kernel.h>
#include <weir.h>
typedef struct { int32_t *x; } lost_args;
WEIR_KERNEL($1, lost_args)
{
    $2
}
int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    lost_args args = { weir_new(device, int32_t, 1, "x") };
    *args.x = 0;
    bool done = weir_launch(device, &$1, weir_nd_range_1d(2, 1), &args, NULL);
    bool right = *args.x == 2;
    weir_device_free(device);
    return !done || !right;
}
END
}
lost apart 'int32_t old = weir_atomic_load_explicit(args->x, memory_order_relaxed, memory_scope_device);
    weir_atomic_store_explicit(args->x, old + 1, memory_order_relaxed, memory_scope_device);'
fixed apart none none \
    "^fix: make the load and the store after it one .*fetch_add_explicit\(args->x, 1, $relaxed, .* at apart.c:6 \(proved: 2 executions, exhaustive; the weakest that was tried\)$"
lost plain '*args->x += 1;'
fixed plain none none \
    "^fix: make the read-modify-write atomic, .*fetch_add_explicit\(args->x, 1, $relaxed, .* at plain.c:6 \(proved: 2 executions, exhaustive\)$"
# Nothing is enough or not where no change could be built, as on a full disk.
printf '#!/bin/sh\nexec %s "$@"\n' "$CC" >full-cc
chmod +x full-cc
before=$CC
CC=$PWD/full-cc
export CC
build unbuilt message.c '/written/s/.*//'
CC=$before
printf '#!/bin/sh\necho "full-cc: No space left on device" >&2\nexit 1\n' >full-cc
weir_ends 1 explore -- ./unbuilt
says '^no fix: .*, and no change of the source was tried: cannot build .*/unbuilt.* again: full-cc: No space'
says_nothing_of 'nor one change'
# Two are missing, and one is not enough.
fixed tree tree.c '/weir_barrier/s/weir_barrier.*;//'
says '^no fix: neither stronger .*, alone or together, nor one change of the source'
# A change that is tried first and must not be proposed: a barrier that some items of a
# group miss; an atomic store that hides the race, and leaves the answer open, which is
# right where items run in order; a wait that never ends. And one that is right.
sabotaged()
{
    SABOTAGE_OLD=$1
    SABOTAGE_NEW=$2
    export SABOTAGE_OLD SABOTAGE_NEW
    build "$3" "$4" "$5"
    step="sabotage of $3"
    status=0
    "$tree/weir-sabotaged" explore --time-limit 3600 -- "./$3" >"$out" 2>"$err" </dev/null || status=$?
    ends_with 1
    says "$6"
}
if test -x "$tree/weir-sabotaged"; then
    one='part[l] += part[l + stride];'
    sabotaged "$one" "$one weir_barrier(item, WEIR_LOCAL);" branch tree.c '/filled/s/.*//' \
        '^(fix|or): *insert weir_barrier'
    says_nothing_of sabotage
    sabotaged 'h[l] = 0;' \
        'weir_atomic_store_explicit(&h[l], 0, memory_order_relaxed, memory_scope_work_group);' \
        hidden hist.c '/zero/s/.*//; s/LOCAL = [0-9]*/LOCAL = 8/; s/GROUPS = [0-9]*/GROUPS = 1/; s,i . i % 7 % BINS,i / 2,' \
        '^(fix|or): *insert weir_barrier'
    says_nothing_of sabotage
    sabotaged 'args->box[l] = (uint32_t)l + 7;' \
        'args->box[l] = (uint32_t)l + 7; while (weir_atomic_load_explicit(args->flag, memory_order_acquire, memory_scope_device) == 0) {}' \
        ever message.c '/written/s/.*//' '^fix: insert weir_barrier'
    says_nothing_of sabotage
    sabotaged 'args->box[l] = (uint32_t)l + 7;' \
        'args->box[l] = (uint32_t)l + 7; weir_barrier(item, WEIR_GLOBAL);' \
        good message.c '/written/s/.*//' '^(fix|or): *sabotage'
fi

# The cheapest fix as a patch: after it the program is correct.
if command -v patch >/dev/null 2>&1; then
    for program in both missing neither flag; do
        weir_ends 1 explore --patch fix.diff -- "./$program"
        step="the patch of $program"
        patch -s "$program.c" fix.diff || bad 'it does not apply'
        build "patched_$program" none ''
        weir_clean explore -- "./patched_$program"
    done
fi
weir_ends 1 explore --patch fix.diff -- ./tree
test ! -s fix.diff || bad 'a patch without a fix'
grep -q -e '--patch: fix.diff is empty: no fix was found' "$err" || bad 'no word of that'
weir_ends 1 explore reduce_last_group_relaxed --n 6 --local 2 --patch fix.diff
test ! -s fix.diff || bad 'a patch of a built-in kernel'
grep -q 'a built-in kernel is not changed' "$err" || bad 'no reason'
# received NAME RECEIVE: a message that the second group receives with these lines; the
# load has the wrong order.
received()
{
    cat >"$1.c" <<END
#include "program.h"

typedef struct {
    uint32_t *box, *flag;
} $1_args;

WEIR_KERNEL($1, $1_args)
{
    if (weir_global_id(item, 0) == 0) {
        args->box[0] = 7;
        weir_atomic_store_explicit(args->flag, 1, memory_order_release, memory_scope_device);
    $2
        args->box[1] = args->box[0];
    }
}

int main(void)
{
    struct weir_device *device = open_device();
    uint32_t *box = weir_new(device, uint32_t, 2, "box");
    uint32_t *flag = weir_new(device, uint32_t, 1, "flag");
    *flag = box[0] = box[1] = 0;
    LAUNCH(device, $1, weir_nd_range_1d(2, 1), &($1_args){ box, flag });
    return 0;
}
END
    build "$1" none ''
    weir_ends 1 explore --patch fix.diff -- "./$1"
    says "^fix: memory_order_acquire .* $relaxed in the load at $1.c:1[0-9]"
    step="the patch of $1"
}
load="weir_atomic_load_explicit(args->flag, $relaxed, memory_scope_device)"
if command -v patch >/dev/null 2>&1; then
    # The line has the end of another statement before the load, or its begin.
    received else_if "} else if ($load) {"
    patch -s else_if.c fix.diff || bad 'it does not apply'
    build patched_else_if none ''
    weir_clean explore -- ./patched_else_if
    received do_while "} else {
        do {
        } while ($load == 0);"
    patch -s do_while.c fix.diff || bad 'it does not apply'
    build patched_do_while none ''
    weir_clean explore -- ./patched_do_while
    received one_line "} else if (1) { for (; 1;) if ($load) break;"
    patch -s one_line.c fix.diff || bad 'it does not apply'
    build patched_one_line none ''
    weir_clean explore -- ./patched_one_line
fi
# Two loads of one line: the trial has changed both.
received twice "} else if ($load && $load) {"
test ! -s fix.diff || bad 'one of the two loads is changed'
grep -Eq "fix.diff is empty: .*twice.c:1[0-9] does not have '$relaxed' in exactly one" "$err" \
    || bad 'no reason'

# ---- Fixes of weir check -----------------------------------------------------

# The fix that was tried is proved where all executions can be explored: 24, and not
# 40320.
build ticket ticket.c "s/acq_rel/relaxed/"
weir_ends 1 check --runs 4 -- ./ticket
says '^  fix .*memory_order_acq_rel instead of .* answer right; proved: all 24 executions\)$'
weir_ends 1 check --runs 4 --json -- ./ticket
json '[f["proved"] for f in it["findings"][0]["fixes"]]
    == [{"executions": 24, "n": None, "groups": None}]'
build tickets ticket.c "s/acq_rel/relaxed/; s/GROUPS = 4/GROUPS = 8/; s/!= 10/!= 36/"
weir_ends 1 check --runs 4 -- ./tickets
says '^  fix .*memory_order_acq_rel instead of .* answer right\)$'
weir_ends 1 check --runs 4 --json -- ./tickets
json '[f["proved"] for f in it["findings"][0]["fixes"]] == [None]'
weir_ends 1 check --runs 4 --json reduce_last_group_relaxed
json '[f["proved"] for f in it["findings"][0]["fixes"]]
    == [{"executions": 2, "n": 4, "groups": 2}]'

# ---- What could be weaker ----------------------------------------------------

# Both increments of one bin are counted, in any order; at the scope of its group
# one does not see the other.
printf '5\n5\n' >fives
weir_clean explore histogram_atomic_seq_cst --input fives --local 1 --weaken
says "^  $relaxed instead of memory_order_seq_cst in the fetch_add at .* \(proved: 2 executions, exhaustive\)$" \
    '^needed as strong as it is: 1 of the orders' '^  memory_scope_work_group instead of memory_scope_device in the fetch_add at .* would be wrong: scope race of out\[5\]$'
says_nothing_of 'memory_order_(acq_rel|acquire|release) instead'
# One needless order beside one that is needed.
weaker needless message.c 's/memory_order_release/memory_order_seq_cst/' 5 \
    '^  memory_order_release instead of memory_order_seq_cst in the store at needless.c:(19|20) '
says "^  $relaxed instead of memory_order_acquire in the load at needless.c:(24|25) would be wrong: data race of box\[0\]$"
weaker message message.c '' 6
weaker both_flags message.c '/received/s/WEIR_GLOBAL/WEIR_LOCAL | WEIR_GLOBAL/' 5 \
    '^  WEIR_GLOBAL instead of WEIR_LOCAL \| WEIR_GLOBAL in the barrier at both_flags.c:28 '
weir_clean explore --weaken --json -- ./needless
json '[(f["what"], f["to"], f["proved"]["executions"]) for f in it[0]["weaker"]]
    == [("weaken-order", "memory_order_release", 1)] and "fixes" not in it[0]
    and ("narrow-barrier", "data race of box[1]") in [(f["what"], f["breaks"])
    for f in it[0]["needed"]]'
weir_ends 1 explore --weaken -- ./store
says '^nothing was weakened: .* all correct'
says_nothing_of '^fix' proved
weir_ends 3 explore reduce_last_group --n 6 --local 2 --max-executions 5 --weaken
says '^nothing was weakened: .* all correct'
weir explore reduce_tree --weaken --no-fixes
complains 'exclude each other'
weir explore reduce_tree --weaken --model sc
complains 'sc'
finish
