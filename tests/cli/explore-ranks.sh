#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-ranks.sh: mpirun weir explore prints what the command alone prints, byte for byte,
# and writes the same files, once. A rank that does something else than the others is an
# error and no result, and no rank waits for ever.
. "${top_srcdir:-.}/tests/cli/lib.sh"
fixes=yes

grep -q '^#define HAVE_MPI 1' "$(dirname "$WEIR")/config.h" && command -v mpirun >/dev/null \
    || { echo "SKIP: no mpirun, or Weir was configured without MPI"; exit 77; }
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
WEIR_LIB_DIR=$(cd "${top_builddir:-.}" && pwd)
top_srcdir=$(cd "$top_srcdir" && pwd)
WEIR_INCLUDE_DIR=$top_srcdir/sim
TMPDIR=$scratch/tmp
# The programs leave their memory to the system when they end.
ASAN_OPTIONS=detect_leaks=0
export WEIR_LIB_DIR WEIR_INCLUDE_DIR ASAN_OPTIONS TMPDIR
mkdir "$TMPDIR"
cd "$scratch" || exit 99
printf '1\n2\n3\n' >three

leaves_nothing()
{
    test -z "$(ls -d "$TMPDIR"/weir-* 2>/dev/null)" || bad "files are left: $(ls "$TMPDIR")"
}

# ranks ARGUMENT...: the command with 4 ranks. What mpirun itself says is left out.
ranks()
{
    step="mpirun -n 4 weir explore $*"
    status=0
    timeout -k 5 300 mpirun --allow-run-as-root --oversubscribe -n 4 "$WEIR" explore "$@" \
        >"$out" 2>said </dev/null || status=$?
    grep '^weir' said >"$err"
    leaves_nothing
}

# same ARGUMENT...: the same output, complaints and status. Addresses differ from run to run.
same()
{
    weir explore "$@"
    cp "$out" one
    cp "$err" one.err
    expected=$status
    ranks "$@"
    ends_with "$expected"
    cmp -s "$out" one || bad "the output is another one: $(diff one "$out" | head -5)"
    cmp -s "$err" one.err || bad "other complaints than: $(cat one.err)"
}

# refuses PATTERN ARGUMENT...: an error that says why
refuses()
{
    pattern=$1
    shift
    ranks "$@"
    ends_with 2
    says "^cannot be explored: .*$pattern"
}

# ---- Built-in kernels --------------------------------------------------------

same reduce_last_group --n 3 --local 1
same reduce_last_group --n 5 --local 1 --json
same reduce_last_group_relaxed --input three --local 1
same reduce_last_group_relaxed --input three --local 1 --plain-events --json
same reduce_last_group_relaxed_read_before --input three --local 1 --plain-events --no-fixes
same reduce_last_group --n 6 --local 2 --weaken
same reduce_atomics1 --n 6 --local 1 --jobs 2
same reduce_two_pass
# With a limit each process has its part of it: 5 of 24 together, also if some have none.
for most in 2 5; do
    ranks reduce_atomics1 --max-executions $most
    ends_with 3
    says "^incomplete: $most executions;"
done
# What one process has to see alone.
same reduce_last_group --n 3 --local 1 --resident all
same reduce_atomics1 --sample 50 --seed 3
# A launch that is refused, and wrong usage.
same reduce_tree --n 64
same reduce_treee
same --jobs 0 reduce_tree
# Files are written by one rank.
weir explore reduce_last_group_relaxed --input three --local 1 --report page --graphs drawn
mkdir alone
mv page drawn alone
ranks reduce_last_group_relaxed --input three --local 1 --report page --graphs drawn
cmp -s page alone/page || bad "the page is another one"
diff -r drawn alone/drawn >/dev/null || bad "the drawings are others"

# ---- Programs ----------------------------------------------------------------

# build NAME SOURCE EDIT
build()
{
    sed "$3" "$top_srcdir/tests/$2" >"$1.c"
    weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused -pthread "$1.c" \
        -o "$1" || bad "$1 does not compile"
}

build ranks cli/ranks.c ''
same -- ./ranks
says '^launch 2 of 2, of kernel .add' '^exhaustive: 6 executions;'
same --json --jobs 2 -- ./ranks
build relaxed fixes/message.c 's/memory_order_release/memory_order_relaxed/'
same -- ./relaxed
says '^fix: '
build turn fixes/turn.c ''
same --weaken -- ./turn
# Its fix is a change of the text, which is built and explored by rank 0.
build one_barrier fixes/rounds.c '/taken/s/.*//'
same --patch patch -- ./one_barrier
test -s patch || bad "there is no patch"
# The launches of a process that the program starts, in all ranks.
same -- ./ranks forks
# All ranks end early, in the same way.
same -- ./ranks aborts
same -- ./ranks ends
same --time-limit 3 -- ./ranks waits
says '^exhaustive: 2 executions;'
same -- ./none

# An item reads an address that another one has written.
ranks -- ./ranks address
if test "$status" -eq 0; then
    says 'link\[0\]=[0-9]*,out\[0\]=7' '^exhaustive: 2 executions;'
else # where the system does not let memory have the same addresses in all ranks
    says '^cannot be explored: '
fi

# An item ends the process in some execution.
build limits cli/limits.c ''
for how in _exit divide null; do
    same -- ./limits $how
    says '^ +smallest execution: 4 of 4 events'
done
ranks --time-limit 20 -- ./limits killed
ends_with 2
grep -q 'signal 9' "$err" "$out" || bad "it does not say by what the program was ended"

# One rank does something else, be it rank 0 or another one.
refuses 'another rank has ended early' -- ./ranks aborts 2
says '^exhaustive: 2 executions;'
refuses 'another rank has ended early' -- ./ranks ends 1
refuses 'in another rank it is another launch' -- ./ranks larger 3
refuses 'in another rank it is another launch' -- ./ranks larger 0
refuses 'do other things in another process' -- ./ranks differs 3
refuses 'do other things in another process' -- ./ranks differs 0
ranks -- ./ranks ends 0
ends_with 2
says '^exhaustive: 2 executions;'
# It waits, and the others for it, as long as there is time.
for rank in 0 3; do
    ranks --time-limit 3 -- ./ranks waits $rank
    ends_with 3
    says '^exhaustive: 2 executions;'
    grep -q 'limit of 3 seconds' "$err" || bad "no complaint of the time limit"
done
# A rank that is killed ends all; what it had in a folder is left.
step='a rank is killed'
status=0
timeout -k 5 100 mpirun --allow-run-as-root --oversubscribe -n 4 "$WEIR" explore \
    -- ./ranks kills 1 >"$out" 2>"$err" </dev/null || status=$?
test "$status" -ne 0 && test "$status" -ne 124 || bad "it goes on"
test ! -s "$out" || bad "there is a result"
rm -rf "$TMPDIR"/weir-*

# An interrupt ends all ranks.
step='mpirun is interrupted'
timeout -k 5 100 mpirun --allow-run-as-root --oversubscribe -n 4 "$WEIR" explore \
    --time-limit 50 -- ./ranks waits >"$out" 2>"$err" </dev/null &
pid=$!
sleep 3
kill -TERM $pid
status=0
wait $pid || status=$?
test "$status" -ne 0 && test "$status" -ne 124 || bad "it goes on"
finish
