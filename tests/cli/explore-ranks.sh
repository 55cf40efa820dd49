#!/bin/sh
# SPDX-License-Identifier: MIT
#
# explore-ranks.sh: mpirun weir explore and mpirun weir check print what the command alone
# prints, byte for byte, and write the same files, once; with --jobs, too. A rank that does
# something else than the others is an error and no result, and no rank waits for ever.
#
# By default this is a part, of some seconds; WEIR_ALL_RANKS=1 is all, of some minutes,
# which `make check-matrix CELL=ranks` asks for.
. "${top_srcdir:-.}/tests/cli/lib.sh"
fixes=yes

MPIRUN=${MPIRUN:-mpirun}
grep -q '^#define HAVE_MPI 1' "$(dirname "$WEIR")/config.h" && command -v "$MPIRUN" >/dev/null \
    || { echo "SKIP: no mpirun, or Weir was configured without MPI"; exit 77; }
# Open MPI runs as root, and more ranks than there are processors, if it is told to; the
# last name is that of versions from 5 on. Other MPIs do so anyway.
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM \
    OMPI_MCA_rmaps_base_oversubscribe PRTE_MCA_rmaps_default_mapping_policy
use_weir_cc
TMPDIR=$scratch/tmp
export TMPDIR
mkdir "$TMPDIR"
cd "$scratch" || exit 99
printf '1\n2\n3\n' >three

leaves_nothing()
{
    test -z "$(ls -d "$TMPDIR"/weir-* 2>/dev/null)" || bad "files are left: $(ls "$TMPDIR")"
}

# ranks COMMAND ARGUMENT...: the command with 4 ranks. mpirun's own lines are in `said`.
ranks()
{
    step="mpirun -n 4 weir $*"
    status=0
    timeout -k 5 300 "$MPIRUN" -n 4 "$WEIR" "$@" >"$out" 2>said </dev/null || status=$?
    grep '^weir' said >"$err"
    leaves_nothing
}

# same COMMAND ARGUMENT...: the same output, complaints and status. Addresses differ from
# run to run.
same()
{
    weir "$@"
    cp "$out" one
    cp "$err" one.err
    expected=$status
    ranks "$@"
    ends_with "$expected"
    cmp -s "$out" one || bad "the output is another one: $(diff one "$out" | head -5)"
    cmp -s "$err" one.err || bad "other complaints than: $(cat one.err)"
}

# killed COMMAND ARGUMENT...: a rank that is killed ends all ranks; mpirun says by what
# signal, and which one it was. The files of a rank in a folder stay.
killed()
{
    step="a rank of weir $* is killed"
    status=0
    timeout -k 5 100 "$MPIRUN" -n 4 "$WEIR" "$@" >"$out" 2>"$err" </dev/null || status=$?
    test "$status" -gt 3 && test "$status" -ne 124 || bad "it goes on"
    # Open MPI, and MPICH.
    grep -Eq 'process rank 1 .* signal 9|Killed \(signal 9\)' "$err" "$out" \
        || bad "it does not say why it ended"
    ! grep -Eq 'no findings|^exhaustive|executions' "$out" || bad "there is a result"
    rm -rf "$TMPDIR"/weir-*
}

# refuses STATUS PATTERN ARGUMENT...: an error that says why. If the program also fails in
# a rank, by its status, the executions of that rank are findings: status 1.
refuses()
{
    expected=$1
    pattern=$2
    shift 2
    ranks explore "$@"
    ends_with "$expected"
    says "^cannot be explored: .*$pattern"
}

# build NAME SOURCE EDIT
build()
{
    sed "$3" "$top_srcdir/tests/$2" >"$1.c"
    weir_cc -I"$top_srcdir/tests/fixes" -g -O1 -Wno-unused -pthread "$1.c" \
        -o "$1" || bad "$1 does not compile"
}

# ---- A part ------------------------------------------------------------------

build ranks cli/ranks.c ''
# Exploration: findings of a built-in kernel; a program's launches, also with processes.
same explore reduce_last_group_relaxed --input three --local 1 --no-fixes --json
same explore -- ./ranks
says '^launch 2 of 2, of kernel .add' '^exhaustive: 6 executions;'
same explore --json --jobs 2 -- ./ranks
# Search: the same runs, counts and findings.
same check --runs 30 --no-fixes --json -- ./ranks races
ends_with 1
json 'sum(k["runs"] for k in it["searched"]["kinds"]) == 30 and len(it["findings"]) > 0'
same check --runs 30 --no-fixes -- ./ranks
says '^30 runs of ./ranks: no findings'
same check --runs 30 --no-fixes --jobs 2 -- ./ranks races
# With processes in each rank, one that is killed is replaced, and leaves its files.
weir check --runs 6 --no-fixes --jobs 2 -- ./ranks kills
cp "$out" one
(leaves_nothing() { :; }; ranks check --runs 6 --no-fixes --jobs 2 -- ./ranks kills
    ends_with 3
    says 'nothing to check, 6 incomplete$'
    cmp -s "$out" one || bad "the output is another one: $(diff one "$out" | head -5)"
    exit $failures) || failures=$((failures + 1))
rm -rf "$TMPDIR"/weir-*
# One rank ends before the others, and a rank that is killed.
refuses 2 'another rank has ended early' -- ./ranks stops 1
says '^exhaustive: 2 executions;'
killed explore -- ./ranks kills 1
killed check --runs 30 --no-fixes -- ./ranks kills 1
# A program that a shell starts, so that it is not copied: MPI may take the signal of its
# end. A command that missed it would wait for longer than ranks().
ranks check --runs 30 --no-fixes --time-limit 600 -- sh -c './ranks address; true'
is_clean
says '^30 runs of sh: no findings'
# A program that fails on one machine alone.
for rank in 2 9; do
    ranks check --runs 30 --no-fixes -- sh -c "./ranks address && test \$OMPI_COMM_WORLD_RANK != $rank"
    if test $rank = 2; then
        ends_with 2
        warns 'failed by itself in .* of 30 runs, .*, in each run of rank 2 and in none of another rank: it ended with status 1'
    else
        grep -q 'rank' "$err" && bad 'a rank is blamed'
    fi
done
test -n "${WEIR_ALL_RANKS-}" || finish

# ---- Built-in kernels --------------------------------------------------------

same explore reduce_last_group --n 3 --local 1
same explore reduce_last_group --n 5 --local 1 --json
same explore reduce_last_group_relaxed --input three --local 1
same explore reduce_last_group_relaxed --input three --local 1 --plain-events --json
same explore reduce_last_group_relaxed_read_before --input three --local 1 --plain-events --no-fixes
same explore reduce_last_group --n 6 --local 2 --weaken
same explore reduce_atomics1 --n 6 --local 1 --jobs 2
same explore reduce_two_pass
# With a limit each process has its part of it: 5 of 24 together, also if some have none.
for most in 2 5; do
    ranks explore reduce_atomics1 --max-executions $most
    ends_with 3
    says "^incomplete: $most executions;"
done
# What one process has to see alone.
same explore reduce_last_group --n 3 --local 1 --resident all
same explore reduce_atomics1 --sample 50 --seed 3
# A launch that is refused, and wrong usage.
same explore reduce_tree --n 64
same explore reduce_treee
same explore --jobs 0 reduce_tree
# Files are written by one rank.
weir explore reduce_last_group_relaxed --input three --local 1 --report page --graphs drawn
mkdir alone
mv page drawn alone
ranks explore reduce_last_group_relaxed --input three --local 1 --report page --graphs drawn
cmp -s page alone/page || bad "the page is another one"
diff -r drawn alone/drawn >/dev/null || bad "the drawings are others"

# ---- Programs ----------------------------------------------------------------

build relaxed fixes/message.c 's/memory_order_release/memory_order_relaxed/'
same explore -- ./relaxed
says '^fix: '
build turn fixes/turn.c ''
same explore --weaken -- ./turn
# Its fix is a change of the text, which is built and explored by rank 0.
build one_barrier fixes/rounds.c '/taken/s/.*//'
same explore --patch patch -- ./one_barrier
test -s patch || bad "there is no patch"
# The launches of a process that the program starts, in all ranks.
same explore -- ./ranks forks
# All ranks end early, in the same way.
same explore -- ./ranks aborts
same explore -- ./ranks ends
same explore --time-limit 3 -- ./ranks waits
same explore -- ./none

# An item reads an address that another one has written.
ranks explore -- ./ranks address
if test "$status" -eq 0; then
    says 'link\[0\]=[0-9]*,out\[0\]=7' '^exhaustive: 2 executions;'
else # where the system does not let memory have the same addresses in all ranks
    says '^cannot be explored: '
fi

# An item ends the process in some execution.
build limits cli/limits.c ''
for how in _exit divide null; do
    same explore -- ./limits $how
    says '^ +smallest execution: 4 of 4 events'
done
ranks explore --time-limit 20 -- ./limits killed
ends_with 2
grep -q 'signal 9' "$err" "$out" || bad "it does not say by what the program was ended"

# One rank does something else, be it rank 0 or another one.
refuses 2 'another rank has ended early' -- ./ranks aborts 2
says '^exhaustive: 2 executions;'
refuses 1 'another rank has ended early' -- ./ranks ends 1
refuses 2 'another rank makes another launch' -- ./ranks larger 3
refuses 2 'another rank makes another launch' -- ./ranks larger 0
refuses 2 'behave differently in another process' -- ./ranks differs 3
refuses 2 'behave differently in another process' -- ./ranks differs 0
ranks explore -- ./ranks ends 0
ends_with 1
says '^exhaustive: 2 executions[,;]'
# It waits, and the others for it, as long as there is time.
for rank in 0 3; do
    ranks explore --time-limit 3 -- ./ranks waits $rank
    ends_with 3
    grep -q 'limit of 3 seconds' "$err" || bad "no complaint of the time limit"
done
# An interrupt ends all ranks.
step='mpirun is interrupted'
timeout -k 5 100 "$MPIRUN" -n 4 "$WEIR" explore \
    --time-limit 50 -- ./ranks waits >"$out" 2>"$err" </dev/null &
pid=$!
sleep 3
kill -TERM $pid
status=0
wait $pid || status=$?
test "$status" -ne 0 && test "$status" -ne 124 || bad "it goes on"
finish
