#!/bin/sh
# SPDX-License-Identifier: MIT
#
# search.sh: weir check without a schedule searches: it finds a bug that takes a rare
# order, makes the same runs each time, and states what was tried. An interrupt ends it
# with what was found.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"
weir_cc -g -O1 "$top_srcdir/tests/cli/stack.c" -o stack || exit 1

# The ABA of a stack without a tag, in a launch or in the last of three; and its
# neighbour. With sanitizers and on a busy machine, so many runs take minutes.
for launches in 1 3; do
    weir check --no-fixes --time-limit 600 --runs 100 --json -- ./stack no-tag $launches
    ends_with 1
    json 'any(f["kind"] in ("assertion", "data-race") for f in it["findings"])
        and len(it["runs"]) == 100 and it["findings"][0]["runs"] < 10
        and {f["launch"] for f in it["findings"]} == {'$launches'}'
    weir check --time-limit 600 --runs 100 -- ./stack tag $launches
    is_clean
    says '^100 runs of ./stack: no findings$'
done

# What is tried, in which order, and the bound: of runs of no more than K steps.
weir check --runs 12 --json -- ./stack tag
ends_with 0
json '[(r["schedule"].split(":")[0:2], r["seed"]) for r in it["runs"]] == [
        (["in-order"], 1), (["reverse"], 1), (["random"], 1), (["random"], 2),
        (["pct", "1"], 3), (["pct", "24"], 4), (["pct", "2"], 5), (["pct", "24"], 6),
        (["pct", "3"], 7), (["random"], 8), (["pct", "1"], 9), (["pct", "24"], 10)]
    and [int(r["schedule"].split(":")[2]) for r in it["runs"] if r["schedule"][0] == "p"]
        == [max(r["steps"] for r in it["runs"][:2])] * 7'
json 'it["searched"]["runs"] == 12 and it["searched"]["items"] == 4
    and [(k["schedule"].split(":")[0:2], k["runs"], k.get("depth"))
        for k in it["searched"]["kinds"]] == [(["in-order"], 1, None), (["reverse"], 1, None),
        (["random"], 3, None), (["pct", "1"], 2, 2), (["pct", "24"], 3, None),
        (["pct", "2"], 1, 3), (["pct", "3"], 1, 4)]'
json 'all(abs(k["bound"] / (1 - (1 - p) ** n) - 1) < 1e-3
    for k in it["searched"]["kinds"] if k.get("depth") == 2
    for K in [int(k["schedule"].split(":")[2])]
    for n in [sum(r["steps"] <= K for r in it["runs"] if r["schedule"] == k["schedule"])]
    for p in [1 / (4 * K)])'
weir check --runs 12 -- ./stack tag
cp "$out" before
says '^searched: 1 in-order, 1 reverse, 3 random, 2 pct:1:[0-9]+, 3 pct:24:' \
    '^guarantee: .* for depth 2.* n = 4 items .*ASPLOS 2010'
weir check --runs 12 -- ./stack tag
cmp -s before "$out" || bad "the same runs print another text"
weir check --runs 3 reduce_tree --n 64
is_clean
says '^searched: 1 in-order, 1 reverse, 1 random$' '^3 runs of reduce_tree: no findings$'
says_nothing_of guarantee

# Time decides where it is asked to, and is shared by kernels; each is tried under four
# schedules. More time is given where the machine is so busy that it makes no more runs.
for seconds in 0.5 10; do
    weir check --for $seconds reduce_tree reduce_builtin --n 16 --json
    is_clean
    test "$(grep -c '"seed"' "$out")" -lt 40 || break
done
json 'all(len(k["runs"]) > 4 and k["complete"] for k in it)'
weir check --for 0.001 reduce_tree reduce_builtin --n 16 --json
is_clean
json 'all(len(k["runs"]) == 4 for k in it)'

# Else the number of runs follows from the launch: 160 after the first four for 4 items; a
# finding ends it sooner. It is the same for several processes, and in another run.
for jobs in 1 3; do
    weir check --no-fixes --jobs $jobs --json -- ./stack tag
    ends_with 0
    json 'len(it["runs"]) == 164 == it["searched"]["wanted"] and not it["searched"]["cut"]'
    weir check --no-fixes --jobs $jobs --json -- ./program diverge
    ends_with 1
    json 'len(it["runs"]) == 33 and not it["searched"]["cut"]'
done
# Other findings come late, and then the search goes on for as long again.
weir check --no-fixes --json -- ./stack no-tag
json 'it["searched"]["wanted"] == 164 and len(it["runs"])
    >= min(164, 2 * next(i + 1 for i, r in enumerate(it["runs"]) if r["findings"] > 0))'
# Of 64 items it makes the most runs, and of many steps fewer.
weir check --no-fixes --json reduce_tree --n 256 --local 64
json 'it["searched"]["wanted"] == 404'
weir check --no-fixes --time-limit 1 --json reduce_tree --n 5000
json 'it["searched"]["wanted"] == 4 + 2**24 // max(r["steps"] for r in it["runs"][:4]) < 300'
# Where time ends it, the report says so, and the answer is that of the runs that were made.
weir check --time-limit 0.4 -- ./stack tag
ends_with 0
says '^the search was cut short: [0-9]+ of 164 runs of ./stack in 0.2 seconds; --for or --runs'
weir check --time-limit 0.4 --json -- ./stack tag
json 'it["complete"] and it["searched"]["cut"] and len(it["runs"]) < 164'

# A schedule that is asked for is not a search.
weir check --schedule random --seeds 1..3 reduce_tree --n 16
is_clean
says_nothing_of searched
for wrong in '--runs 5 --seed 1' '--for 1 --schedule random' '--for 1 --runs 5' '--runs 0' \
    '--for 0' '--for x'; do
    # Several words.
    # shellcheck disable=SC2086
    weir check $wrong reduce_tree --n 16
    complains
done

# What is recorded is a run that fails, found late; pct switches least.
weir check --no-fixes --time-limit 600 --runs 100 --record recorded -- ./stack no-tag
ends_with 1
warns 'recorded in recorded: ./stack under schedule pct:'
weir replay recorded
ends_with 1

# The program starts anew for the first four runs and for what is news; other runs are
# copies of a process that has reached its first launch. Where a process has something
# that copies would share or lack, or where a copy fails that a new process does not, each
# run starts anew. The report is the same.
starts()
{
    wc -l <starts
}
STACK_STARTS=starts
export STACK_STARTS
for search in '24 -- ./stack tag' '60 --json -- ./stack no-tag'; do
    : >starts
    # Several words.
    # shellcheck disable=SC2086
    weir check --no-fixes --time-limit 600 --runs $search 2
    cp "$out" before
    test "$(starts)" -lt 20 || bad "the program started $(starts) times"
    for state in thread file child shared timer token; do
        : >starts
        STACK_STATE=$state
        export STACK_STATE
        # shellcheck disable=SC2086
        weir check --no-fixes --time-limit 600 --runs $search 2
        unset STACK_STATE
        cmp -s before "$out" || bad "with a $state the report is another one"
        test "$(starts)" -ge "${search%% *}" || bad "with a $state it started $(starts) times"
        leaves_nothing
    done
done
unset STACK_STARTS

# same COMMAND ARGUMENT...: the report of several processes is that of one, byte for byte.
same()
{
    launcher=$1
    shift
    weir check "$@"
    cp "$out" before
    expected=$status
    step="$launcher weir check $*"
    status=0
    # Several words.
    # shellcheck disable=SC2086
    case $launcher in
    mpirun*) $launcher "$WEIR" check --no-fixes "$@" >"$out" 2>"$err" </dev/null || status=$? ;;
    *) "$WEIR" check --no-fixes $launcher "$@" >"$out" 2>"$err" </dev/null || status=$? ;;
    esac
    ends_with "$expected"
    cmp -s before "$out" || bad "the report is another one"
    leaves_nothing
}

launchers=--jobs=4
if grep -q '^#define HAVE_MPI 1' "${WEIR%/*}/config.h" && command -v mpirun >/dev/null; then
    launchers="$launchers mpirun"
fi
for launcher in $launchers; do
    test "$launcher" != mpirun \
        || launcher='mpirun --allow-run-as-root --oversubscribe -n 4'
    same "$launcher" --time-limit 600 --runs 60 --json -- ./stack no-tag
    same "$launcher" --time-limit 600 --runs 60 -- ./stack no-tag 3
    same "$launcher" --runs 40 -- ./stack tag
    same "$launcher" --runs 40 --json reduce_tree reduce_atomics1 --n 50 --device opencl12
    same "$launcher" --schedule random,pct:2,in-order --seeds 3..9 -- ./program order
done

# A process that ends takes one run with it. The program ends the one that has started it,
# in one run: mkdir succeeds once, however many try it at a time.
cat >killer <<'END'
#!/bin/sh
mkdir killed 2>/dev/null || exec ./stack tag
kill -9 $PPID
END
chmod +x killer
weir check --jobs 3 --runs 20 -- ./killer
ends_with 3
says '^incomplete: ./killer in 1 of 20 runs, .*signal 9' '^20 runs of ./killer: no findings, 1 incomplete$'
# Its folder is removed by the process in its place; but none is whose command runs.
leaves_nothing
cat >beside <<'END'
#!/bin/sh
env -u WEIR_OPTIONS "$WEIR" check --no-fixes --runs 1 -- ./stack tag >/dev/null 2>&1
ls "$TMPDIR" | grep -c '^weir-......$' >folders
exec ./stack tag
END
chmod +x beside
weir check --runs 1 -- ./beside
test "$(cat folders)" -eq 1 || bad "$(cat folders) folders while a command runs"
leaves_nothing

# ticks PID: what a process and its children have taken of the processors, in 1/100 s
ticks()
{
    children=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
    for one in "$1" $children; do
        cat "/proc/$one/stat" 2>/dev/null
    done | sed 's/.*) //' | awk '{ sum += $12 + $13 + $14 + $15 } END { print sum + 0 }'
}

# interrupted STATUS ARGUMENT...: an interrupt comes when runs are being made.
interrupted()
{
    expected=$1
    shift
    step="an interrupt of weir check $*"
    env --default-signal=INT "$WEIR" check --no-fixes "$@" >"$out" 2>"$err" </dev/null &
    pid=$!
    # Until it has a handler for interrupts, and some runs have been made.
    begun=$(date +%s)
    while test $(($(date +%s) - begun)) -lt 30; do
        case $(sed -n 's/^SigCgt:.*\(.\)$/\1/p' "/proc/$pid/status" 2>/dev/null) in
        [2367abef]) test "$(ticks $pid)" -lt 25 || break ;;
        esac
        sleep 0.1
    done
    kill -INT $pid
    status=0
    wait $pid || status=$?
    ends_with "$expected"
    leaves_nothing
}

# A command that is misspelt.
weir chek reduce_tree
complains "did you mean 'check'"
weir xyzzy
complains "unknown command 'xyzzy'"
! grep -q 'did you mean' "$err" || bad 'nothing is near xyzzy'

# A shell without a terminal starts what is in the background with interrupts ignored.
env --default-signal=INT true 2>/dev/null || {
    echo 'this env cannot restore interrupts: not tried'
    finish
}

interrupted 1 --for 50 -- ./program diverge
says 'barrier divergence' '^incomplete: .*interrupted' '^[0-9]+ runs of ./program: 1 finding'
interrupted 3 --for 50 -- ./stack tag
says '^incomplete: .*interrupted' '^[0-9]+ runs of ./stack: no findings'
interrupted 1 --jobs 2 --for 50 -- ./program diverge
says 'barrier divergence' '^incomplete: .*interrupted' '^[0-9]+ runs of ./program: 1 finding'
interrupted 3 --jobs 2 --for 50 reduce_tree
says '^incomplete: it was interrupted$' '^[0-9]+ runs of reduce_tree: no findings$'
interrupted 3 --for 50 reduce_tree
says '^incomplete: it was interrupted$' '^[0-9]+ runs of reduce_tree: no findings$'
interrupted 3 --schedule random --seeds 1..100000 reduce_tree
says '^[0-9]+ runs of reduce_tree: no findings, [0-9]+ not made$'
finish
