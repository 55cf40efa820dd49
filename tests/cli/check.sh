#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh: weir check runs kernels and programs under several schedules: status 0
# where nothing is wrong, 1 with a finding, 2 where a program fails by itself or nothing
# can be run, 3 where a limit ended a run. It prints a finding once, with a command line
# that shows it again, and leaves neither files nor processes.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/program.sh"

# ---- Kernels ---------------------------------------------------------------------

weir_clean check --runs 4 reduce_tree
says '^4 runs of reduce_tree: no findings$'
weir_clean check --runs 4 reduce_tree histogram_local_relaxed --n 500 --local 32
says '^8 runs of 2 kernels: no findings$'
weir_clean check --runs 4 reduce_tree --n 300 --local 32 --json
json 'it["kernel"] == "reduce_tree" and it["seed"] == 1 and it["findings"] == []
    and it["n"] == 300 and it["local"] == 32 and it["groups"] == 10 and it["complete"]
    and [(r["schedule"], r["seed"]) for r in it["runs"]] == [("in-order", 1), ("reverse", 1),
        ("random", 1), ("random", 2)] and it["launches"] == 4 and it["notes"] == []'
weir_clean check reduce_tree reduce_builtin --n 64 --json --seed 9 --schedule random
json '[k["kernel"] for k in it] == ["reduce_tree", "reduce_builtin"]
    and all(k["seed"] == 9 and len(k["runs"]) == 1 for k in it)'
weir_clean check all --n 100 --schedule in-order,round-robin
says 'runs of [0-9]+ kernels: no findings'
weir_clean check all --n 1024 --schedule in-order
says 'runs of [0-9]+ kernels: 4 findings \(4 in kernels that are broken on purpose\)$'
weir check --runs 4 reduce_tree --n 100 --input /dev/null
complains '--n' '--input'
printf '1\n2\n3\n' >numbers
weir_clean check --runs 4 reduce_tree --input numbers --json
json 'it["n"] == 3'

# Schedules and seeds.
weir_clean check reduce_tree --n 64 --schedule random,pct:3:50,round-robin --seeds 3..5 --json
json '[r["schedule"] for r in it["runs"]] == ["random"] * 3 + ["pct:3:50"] * 3 + ["round-robin"]
    and [r["seed"] for r in it["runs"]] == [3, 4, 5, 3, 4, 5, 3]'
weir_clean check reduce_tree --n 64 --schedule in-order,pct:2 --json
json 'it["runs"][1]["schedule"] == "pct:2:%d" % it["runs"][0]["steps"]'
weir_clean check reduce_tree --n 64 --schedule pct:2 --seed 4 --json
json 'it["runs"][0]["schedule"] == "pct:2:%d" % it["runs"][0]["steps"] and len(it["runs"]) == 1'
for wrong in '' x 'random,' pct pct: pct:0 pct:x pct:3: pct:3:0 pct:3:4:5 pct:-1 Random; do
    weir check reduce_tree --schedule="$wrong"
    complains '--schedule'
done
for wrong in '' 5 1.. ..5 5..1 x..y 1...5 0..1000000 1..2..3; do
    weir check reduce_tree --seeds="$wrong"
    complains '--seeds'
done
weir check reduce_tree --seed x
complains '--seed' "'x'"
weir check reduce_tree --seed 1 --seeds 1..2
complains '--seed' '--seeds'

# Options.
for option in exited pairing after; do
    weir check --runs 4 reduce_tree --$option=nonsense
    complains "--$option" "'nonsense'"
done
weir_clean check --runs 4 reduce_tree --n 64 --exited alive-only --pairing count --after release
weir_ends 0 check --runs 4 reduce_tree --n 64 --workers 4
warns 'workers'
says 'no findings'
weir check --runs 4 reduce_tree --n 64 --local 1025
complains '1025' '1024'
weir check --runs 4 reduce_tree --n 64 --device cuda
complains "'cuda'"
weir check --runs 4 reduce_shuffle --n 64 --sub-group 7
complains 'sub-group'
weir_clean check --runs 4 reduce_shuffle --n 64 --sub-group 8 --stack-bytes 128Ki
weir check
complains 'name kernels'
weir check --runs 4 reduce_tre
complains "'reduce_tre'" 'reduce_tree'
weir check --runs 4 reduce_tree -- ./program
complains "'reduce_tree'"
weir check --runs 4 --
complains 'program'
weir check --runs 4 ./program
complains "'./program'" 'weir check -- \./program$'
weir check --runs 4 ./no-such-program clean
complains 'weir check -- \./no-such-program$'
weir check --runs 4 program
complains 'weir check -- \./program$'
for wrong in 0 -1 x '' nan inf 1e99; do
    weir check --runs 4 reduce_tree --time-limit="$wrong"
    complains '--time-limit'
done
weir check --runs 4 reduce_tree --n 2^50
complains '--n' '1125899906842624'

# What a device lacks is a finding of each run, printed once.
weir_ends 1 check --runs 4 reduce_atomics1 --n 100 --local 10 --device opencl12
says 'unsupported|opencl12' '^  in 4 of 4 runs, first under schedule in-order$' \
    '^  again: weir check --schedule in-order reduce_atomics1 --n 100 --local 10 --device opencl12$' \
    "^4 runs of reduce_atomics1 on device 'opencl12': 1 finding\$"
weir_ends 1 check --runs 4 reduce_atomics1 --n 100 --local 10 --device opencl12 --json
json 'len(it["findings"]) == 1 and it["findings"][0]["kind"] == "unsupported"
    and it["findings"][0]["runs"] == 4 and it["findings"][0]["count"] >= 4
    and it["findings"][0]["launch"] == 1 and it["findings"][0]["seed"] == 1
    and it["findings"][0]["kernel"] == "reduce_atomics1"'

# A program that asks for the default device gets the one that is wanted, in copies of
# its process, too; one that names another keeps that.
weir_clean check --runs 6 -- ./program clean
says '^6 runs of ./program: no findings$'
weir_ends 1 check --runs 6 --device opencl12 -- ./program clean
says "^unsupported .*scope device of atomics .*opencl12|^unsupported .*opencl12" \
    '^  in 6 of 6 runs' '^  again: weir check --schedule in-order --device opencl12 -- ./program clean$' \
    "^6 runs of ./program on device 'opencl12': 1 finding\$"
weir_ends 1 check --runs 2 --jobs 2 --device opencl12 --json -- ./program clean
json 'it["devices"] == ["opencl12"] and it["findings"][0]["kind"] == "unsupported"'
PROGRAM_DEVICE=opencl20
export PROGRAM_DEVICE
weir_ends 0 check --runs 2 --device opencl12 -- ./program clean
says "^note: kernel 'tree_sum' ran on device 'opencl20', which the program names: --device replaces \"default\"" \
    "^2 runs of ./program on device 'opencl20': no findings, 1 note\$"
unset PROGRAM_DEVICE
weir_ends 0 check --runs 2 --json -- ./program clean
json 'it["devices"] == ["default"] and it["notes"] == []'
weir check --device cuda -- ./program clean
complains "^weir check: --device: .*'cuda'"
weir check --device ./no-such.profile -- ./program clean
complains 'no-such.profile'
sed 's/^max_work_group_size = .*/max_work_group_size = 2/' \
    "$top_srcdir/sim/exec/profiles/default.profile" >small.profile
weir check --runs 2 --device ./small.profile -- ./program clean
ends_with 2
warns "over the limit of 2 of device '\./small\.profile'"

# Limits.
weir_ends 3 check --runs 4 reduce_tree --n 100 --step-limit 20
says '^incomplete: reduce_tree in 4 of 4 runs, .* 20 steps' '4 incomplete'
weir_ends 3 check --runs 4 reduce_tree --n 100 --step-limit 20 --json
json 'not it["complete"] and "20 steps" in it["incomplete"]
    and all("20 steps" in r["incomplete"] for r in it["runs"])'
weir_ends 3 check reduce_tree histogram_critical --seeds 1..500 --time-limit 0.01
says 'incomplete: the time limit was reached' 'not made'
weir_ends 3 check histogram_critical --n 2^20 --schedule random --time-limit 0.05
says "at the limit of 0\\.0.* seconds.*; the command's own limit is 0\\.05 seconds\$"

# ---- Programs --------------------------------------------------------------------

weir_clean check --runs 4 -- ./program clean
says '^mode clean$' '^4 runs of ./program: no findings$'
test "$(grep -c '^mode clean' "$out")" -eq 1 || bad "not the output of one run"
weir_ends 0 check --runs 4 --json -- ./program clean
json 'it["kernel"] == "tree_sum" and it["program"] == ["./program", "clean"]
    and it["launches"] == 4 and it["findings"] == [] and it["complete"]'
warns '^mode clean$'
weir_ends 1 check --runs 4 -- ./program diverge
says 'barrier divergence' 'program.c' '1 finding$' \
    '^  again: weir check --schedule in-order -- ./program diverge$'
test ! -s "$err" || bad "the program prints the finding, too"
weir_ends 1 check --runs 4 --json -- ./program diverge
json 'len(it["findings"]) == 1 and it["findings"][0]["kind"] == "barrier-divergence"
    and it["findings"][0]["kernel"] == "tree_sum" and it["findings"][0]["runs"] == 4
    and it["findings"][0]["count"] == 4 and it["findings"][0]["first"]["line"] > 0
    and it["findings"][0]["first"]["function"] == "tree_sum"'

# Garbage that is summed. To see that it matters, the launch is run again and again,
# which is not reported.
weir_ends 1 check --runs 4 -- ./program garbage
line=$(grep -n 'expect: uninitialized-read' "$source" | cut -d: -f1)
says "^uninitialized-read in kernel 'guarded_sum', group \\(1,0,0\\), item \\(0,0,0\\): read of .*\\[3\\] of 4 elements" \
    "^  read  item 0  .*program.c:$line  uint32_t value = scratch\\[i\\]" \
    '^  why   its value decides what words\[0\] holds at the end$' \
    '^4 runs of ./program: 1 finding$' \
    '^  seen 4 times in 4 of 4 runs, first under schedule in-order$'
test "$(grep -c '^mode garbage' "$out")" -eq 1 || bad "not the output of one run"
cp "$out" before
weir check --runs 4 -- ./program garbage
cmp -s "$out" before || bad "not the same bytes the second time"
weir_ends 1 check --runs 4 --json -- ./program garbage
json 'len(it["findings"]) == 1 and it["findings"][0]["kind"] == "uninitialized-read"
    and it["findings"][0]["space"] == "local" and it["findings"][0]["index"] == 3
    and "words[0]" in it["findings"][0]["why"] and it["findings"][0]["count"] == 4'
weir_clean check --runs 4 -- ./program no-garbage
weir_ends 3 check --runs 4 -- ./plain garbage

# Names of memory that are not text, and memory without a name.
weir_ends 1 check --runs 4 --sarif names.sarif --report names.html -- ./program names
grep -Fq ': a\x0a\x1b[31m<b> "caf\xe9"[0]' "$out" || bad "the name is printed otherwise"
says "^data race in kernel 'overlap', .*: unnamed\[0\]" '^4 runs of ./program: 2 findings$'
! tr -d '\n' <"$out" | grep -q '[[:cntrl:]]' || bad "control characters"
weir_ends 1 check --runs 4 --json -- ./program names
json 'sorted(f["object"] for f in it["findings"])
    == ["a\\x0a\\x1b[31m<b> \"caf\\xe9\"", "unnamed"]'
mv names.sarif "$out"
json 'any("unnamed[0]" in r["message"]["text"] for r in it["runs"][0]["results"])'
grep -Fq '\x1b[31m&lt;b&gt; &quot;caf\xe9&quot;[0]' names.html || bad "no name in the page"
# The picture has the items of the group, which are four, and no others.
grep -o '"p-item"[^<]*' names.html | sed 's/.*>//' | sort -u >items
test "$(tr '\n' ' ' <items)" = '0 1 2 3 ' || bad "items of the picture: $(cat items)"

# What needs a certain order, in a certain launch; and again.
weir_ends 1 check --schedule random --seeds 1..30 -- ./program second
says 'barrier divergence.*tickets' 'in launch 2 of 2$'
again=$(sed -n 's/^  again: weir //p' "$out" | head -1)
cp "$out" union
eval "weir $again"
ends_with 1
says 'barrier divergence.*tickets' 'in launch 2 of 2$'
grep -Fq -- "again: weir $again" "$out" || bad "the second again is another one"
weir check --schedule random --seeds 1..30 -- ./program second
cmp -s "$out" union || bad "not the same bytes the second time"

# Words that a shell would take apart.
odd="it's \$HOME;\"*  \\n"
weir_clean check --schedule reverse -- ./program echo "$odd"
grep -Fqx -- "$odd" "$out" || bad "the program got another word"
weir_ends 3 check --schedule reverse --step-limit 3 -- ./program diverge "$odd"
weir_ends 1 check --schedule reverse -- ./program diverge "$odd"
again=$(sed -n 's/^  again: weir //p' "$out")
cp "$out" before
eval "weir $again"
cmp -s "$out" before || bad "another output"

# Not instrumented, launching nothing, failing.
weir_ends 3 check --runs 4 -- ./plain clean
says "^note: kernel 'tree_sum' is not instrumented" ': no findings, 1 note, not all accesses seen$'
weir_ends 3 check --runs 4 --json -- ./plain clean
json 'len(it["notes"]) == 1 and "not instrumented" in it["notes"][0]'

# Functions without hooks that a kernel calls: one accesses memory, the other does not.
cat >helpers.c <<'END'
void put(int *to, int value);
void put(int *to, int value) { *to = value; }
int twice(int value);
int twice(int value) { return 2 * value; }
END
cat >calls.c <<'END'
#include <stdlib.h>
#include <weir-kernel.h>
#include <weir.h>
typedef struct { int32_t *out; } call_args;
void put(int *to, int value);
int get(const int *from);
int twice(int value), same(int value);
WEIR_KERNEL(calls, call_args)
{
    int value = twice((int)weir_local_id(item, 0));
#ifdef PUTS
    put(&args->out[value], value);
#elif defined(PARSES)
    args->out[value] = (int32_t)strtol((const char *)args->out, NULL, 10);
#elif defined(GETS)
    args->out[value] = value;
    args->out[value + 1] = get(&args->out[value]);
#elif defined(SAME)
    args->out[value] = same(value);
#else
    args->out[value] = value;
#endif
}
int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    call_args args = { weir_new(device, int32_t, 8, "out") };
    bool done = weir_launch(device, &calls, weir_nd_range_1d(4, 4), &args, NULL);
    weir_device_free(device);
    return !done;
}
END
${CC:-cc} -O1 -c helpers.c && weir_cc calls.c helpers.o -o calls \
    && weir_cc -DPUTS calls.c helpers.o -o puts \
    && weir_cc -DPARSES calls.c helpers.o -o parses || bad "calls.c"
weir_clean check --runs 1 -- ./calls
says_nothing_of 'note'
weir_clean explore --no-fixes -- ./calls
if test "$(uname -m)" = x86_64; then
    weir_ends 3 check --runs 1 -- ./puts
    says "^note: kernel 'calls': memory accesses are not seen in put\(\), which has no hooks"
    weir_ends 3 check --runs 1 -- ./parses
    says "^note: kernel 'calls': memory accesses are not seen in .*strtol\(\) of a library \("
    weir_ends 3 explore --no-fixes -- ./parses
    says "^incomplete: kernel 'calls': memory accesses are not seen in .*strtol\(\) of a library \("
    # Functions of a library of the program: one reads, and one does not access memory.
    echo 'int get(const int *p) { return *p; }
int same(int x) { return x; }' >library.c
    ${CC:-cc} -O1 -fPIC -shared library.c -o liblibrary.so || bad "library.c"
    weir_cc -DGETS calls.c helpers.o -L. -llibrary -Wl,-rpath,"$PWD" -o gets \
        && weir_cc -DSAME calls.c helpers.o -L. -llibrary -Wl,-rpath,"$PWD" -o same \
        || bad "calls.c with a library"
    weir_ends 3 check --runs 1 -- ./gets
    says "^note: kernel 'calls': memory accesses are not seen in get\(\), which has no hooks"
    weir_ends 3 explore --no-fixes -- ./gets
    weir_clean check --runs 1 -- ./same
    says_nothing_of 'note'
    # Without symbols, functions are known by the tables for unwinding, if they have any.
    stripped()
    {
        weir_cc -DGETS calls.c helpers.o "$1" -s -o stripped || bad "stripped, with $1"
    }
    weir_cc -c library.c -o hooked.o && stripped hooked.o
    weir_clean check --runs 1 -- ./stripped
    says_nothing_of 'note'
    ${CC:-cc} -O1 -c library.c -o plain.o && stripped plain.o
    weir_ends 3 check --runs 1 -- ./stripped
    says "^note: kernel 'calls': memory accesses are not seen in the function at 0x[0-9a-f]+, which has no hooks"
    weir_ends 3 explore --no-fixes -- ./stripped
    ${CC:-cc} -O1 -fno-asynchronous-unwind-tables -c library.c -o plain.o && stripped plain.o
    weir_ends 3 check --runs 1 -- ./stripped
    says "^note: kernel 'calls': memory accesses may be unseen: the program has neither symbols nor"
    # The same library with hooks.
    weir_cc -fPIC -c library.c && ${CC:-cc} -shared library.o -o liblibrary.so \
        && weir_cc -DGETS calls.c helpers.o -rdynamic -L. -llibrary -Wl,-rpath,"$PWD" \
            -o gets || bad "a library with hooks"
    weir_clean check --runs 1 -- ./gets
    says_nothing_of 'note'
fi
# gcc stores what a call returns without a hook, unless it is a number, and reads what it
# takes; if the kernel's own memory has it first, that access is seen.
cat >returns.c <<'END'
#include <weir-kernel.h>
#include <weir.h>
typedef struct { int32_t x, y; } pair;
typedef struct { int32_t x[12]; } row;
typedef struct { pair *pairs; row *rows; } returns_args;
#define APART static __attribute__((noinline))
APART pair two(int32_t x) { return (pair){ x, x }; }
APART row many(const row *of) { row own = *of; own.x[0]++; return own; }
APART row more(const row *of) { return many(of + 1); }
WEIR_KERNEL(in_words, returns_args) { args->pairs[weir_local_id(item, 0) / 2] = two(1); }
WEIR_KERNEL(in_memory, returns_args) { args->rows[weir_local_id(item, 0) / 2] = more(args->rows + 2); }
WEIR_KERNEL(in_own, returns_args)
{
    row own[2];
    pair words = two(2);
    own[0] = many(args->rows + 2);
    own[words.x & 1] = more(args->rows + 2);
    args->rows[weir_local_id(item, 0) / 2] = own[0];
}
APART int32_t one(pair of) { return of.x - of.y; }
APART int32_t all(int32_t by, row of, int32_t at) { return of.x[at] + by; }
#define NEXT(i) (((i) + 1) % 4)
WEIR_KERNEL(of_words, returns_args)
{
    size_t i = weir_local_id(item, 0);
    args->pairs[i].x = one(args->pairs[NEXT(i)]);
}
WEIR_KERNEL(of_memory, returns_args)
{
    size_t i = weir_local_id(item, 0);
    args->pairs[i].x = all(args->pairs[i].y, args->rows[NEXT(i)], args->pairs[i].y & 7);
    args->rows[i].x[0] = 1;
}
WEIR_KERNEL(of_own, returns_args)
{
    size_t i = weir_local_id(item, 0);
    pair words = args->pairs[NEXT(i)];
    row own[3];
    for (int32_t k = 0; k < 3; k++) {
        own[k] = args->rows[NEXT(i)];
    }
    args->pairs[i].y = one(words) + all(args->pairs[i].x, own[i % 3], args->pairs[i].x & 7);
    args->rows[i].x[0] = all(args->pairs[i].x, i % 2 ? own[0] : own[i % 3], 1);
}
int main(int argc, char **argv)
{
    struct weir_device *device = weir_device_new("default", NULL);
    returns_args args = { weir_new(device, pair, 4, "pairs"), weir_new(device, row, 4, "rows") };
    memset(args.pairs, 0, 4 * sizeof(pair));
    memset(args.rows, 0, 4 * sizeof(row));
    const struct weir_kernel *kernels[]
        = { &in_words, &in_memory, &in_own, &of_words, &of_memory, &of_own };
    bool done = weir_launch_sized(device, kernels[argc > 1 ? argv[1][0] - '0' : 0],
                                  weir_nd_range_1d(4, 4), &args, sizeof(args), NULL);
    weir_device_free(device);
    return !done;
}
END
if test "$(uname -m)" = x86_64; then
    for level in -O0 -O1 -O2; do
        weir_cc $level returns.c -o returns || bad 'returns.c'
        for kernel in 0 1; do
            weir check --runs 1 -- ./returns $kernel
            grep -q "^data race in kernel 'in_" "$out" \
                || says "^note: kernel 'in_.*the result of a call \(returns.c:1[01]\); gcc stores"
        done
        for kernel in 3 4; do
            weir check --runs 1 -- ./returns $kernel
            grep -q "^data race in kernel 'of_" "$out" \
                || says "^note: kernel 'of_.*an argument of a call \(returns.c:(26|31)\); gcc reads"
        done
        for kernel in 2 5; do
            weir_ends 1 check --runs 1 -- ./returns $kernel
            says "^data race in kernel '.*_own'"
            says_nothing_of note
        done
    done
fi
weir_ends 2 check --runs 4 -- ./program nothing
warns '^weir check: ./program launched nothing: there is nothing to check$'
says '^4 runs of ./program: nothing to check$'
says_nothing_of 'no findings'
weir_ends 2 check --runs 4 -- true
warns 'launched nothing'
says '^4 runs of true: nothing to check$'
says_nothing_of 'no findings'
echo 'int main(void) { return 0; }' >alien.c
${CC:-cc} alien.c -o alien || bad "alien.c"
weir_ends 2 check --runs 4 -- ./alien
warns './alien launched nothing: it is not linked with Weir: build it with weir-cc$'
weir_ends 2 explore -- ./alien
warns './alien made no launch: it is not linked with Weir: build it with weir-cc$'
weir_ends 2 check --runs 4 -- ./program refused
says_nothing_of 'no findings'
warns 'no launch' 'local size 4 does not divide'
weir_ends 2 check --runs 4 -- ./program status
warns '^weir check: ./program failed by itself in 4 of 4 runs, .*status 3; again: weir check'
says 'failed by itself in 4'
weir_ends 2 check --runs 4 -- ./program signal
warns 'failed by itself' 'signal'
weir_ends 2 check --runs 4 --json -- ./program status
json 'all("status 3" in r["failure"] for r in it["runs"])'
# An answer that is wrong under some schedules is a finding, with the switches.
weir_ends 1 check --no-fixes --schedule in-order,reverse -- ./program status-by-order
warns '^item 0 was the last one$'
says "^wrong result of kernel 'last_one': ./program ended with status 4, and with status 0 under other" \
    '  why +(after )?item [0-9] of group [01] ' \
    '  in 1 of 2 runs, first under schedule reverse$' ': 1 finding$'
weir_ends 1 check --no-fixes --schedule reverse -- ./program status-by-order
says '^1 run of ./program: 1 finding$'
weir_ends 1 check --no-fixes --runs 40 --json -- ./program lost
json '[[f["kind"], f["object"], len(f["switches"]) in (1, 2)] for f in it["findings"]] == [["wrong-result", "words", True]]'
json 'it["findings"][0]["runs"] == sum(r["failure"] is not None for r in it["runs"]) == sum(r["findings"] for r in it["runs"])'
cp "$out" first
weir check --no-fixes --runs 40 --json -- ./program lost
cmp -s first "$out" || bad "another output the second time"
weir_ends 1 check --no-fixes --runs 40 --record lost.schedule -- ./program lost
says 'of group [01] had read words\[0\] = [0-9]+, item [0-9] of group [01] wrote [0-9]+, and item [0-9] of group [01] then wrote [0-9]+$'
warns 'recorded in lost.schedule: .*, made minimal$'
weir_ends 1 replay lost.schedule
says '^wrong result of' '  again: weir replay lost.schedule$'
weir_clean check --no-fixes --runs 40 -- ./program kept
# A failure that depends on more than the schedule is none.
weir_ends 2 check --no-fixes --schedule in-order,reverse -- \
    sh -c './program clean; n=$(cat runs 2>/dev/null || echo 0); echo $((n + 1)) >runs; test "$n" -ne 1'
warns 'failed by itself in 1 of 2 runs'
# Where it has findings as well, these make the status, and both are reported.
weir_ends 1 check --schedule reverse -- sh -c './program diverge; exit 3'
warns 'failed by itself under schedule reverse: it ended with status 3;'
says '^barrier divergence' ': 1 finding, failed by itself in 1$'
weir_ends 2 check --schedule reverse -- sh -c './program clean; exit 3'
warns 'failed by itself'
weir check --runs 4 -- ./no-such-program
complains "'./no-such-program'"
weir check --runs 4 --n 5 -- ./program
complains '--n'

# Several processes.
weir_ends 1 check --schedule reverse -- ./program forks
says 'in launch 1 of 2$'
weir_ends 1 check --schedule reverse -- ./program starts
says 'in launch 2 of 4$'
step='two processes at once'
weir_ends 1 check --schedule reverse -- sh -c './program diverge & ./program order & wait'
says '2 findings'

# Standard input is read from its beginning in each run.
printf '1 2 3\n' >numbers
step='weir check --runs 4 -- ./program input <numbers'
status=0
"$WEIR" check --runs 4 -- ./program input <numbers >"$out" 2>"$err" || status=$?
ends_with 0
warns 'adds up to 6'

# The time limit ends a program with all that it has started.
weir_ends 3 check --runs 4 --time-limit 0.5 -- ./program hang
says 'time limit' 'no findings' '3 not made' "the command's own limit of 0\\.5 seconds"
leaves_nothing
weir_ends 3 check --time-limit 0.3 --schedule random -- ./program order-for-ever
says "at the limit of 0\\.[0-9]* seconds.*; the command's own limit is 0\\.3 seconds\$"
weir_ends 3 check --step-limit 30 --schedule random -- ./program clean
says 'at the limit of 30 steps'
says_nothing_of 'own limit'
weir_clean check --runs 4 -- ./program leave
step='a signal to weir check'
"$WEIR" check --runs 4 -- ./program hang >"$out" 2>"$err" &
weir_pid=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    grep -q . "$out" && break
    sleep 0.4
done
kill -TERM $weir_pid
status=0
wait $weir_pid || status=$?
ends_with 143
leaves_nothing
if command -v pgrep >/dev/null 2>&1; then
    # Dead processes that were not waited for do not matter.
    for pid in $(pgrep -f "^./program (hang|leave)"); do
        grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null || bad "process $pid is left"
    done
fi

# The variable by hand: the program prints its findings itself.
step='WEIR_OPTIONS by hand'
status=0
WEIR_OPTIONS='schedule=reverse seed=1' ./program order >"$out" 2>"$err" || status=$?
ends_with 1
warns 'barrier divergence'
for wrong in nonsense schedul=random 'seed=1 seed=2' seed=x schedule= exited=maybe \
    'schedule=%zz' 'schedule=in-order follow=blindly' schedule=unknown; do
    step="WEIR_OPTIONS='$wrong'"
    status=0
    WEIR_OPTIONS=$wrong ./program clean >"$out" 2>"$err" || status=$?
    ends_with 1
    test "$(wc -l <"$err")" -eq 1 || bad "not one line"
done
# It is not for the command's own runs.
step='WEIR_OPTIONS set for weir check'
status=0
WEIR_OPTIONS=nonsense "$WEIR" check --runs 4 reduce_tree --n 64 >"$out" 2>"$err" || status=$?
is_clean

# The broken kernels of the table: another order of one operation repairs them, which is
# tried by the option that gives it that order; half of it does not. Two groups of two
# items are enough to show the race, and to prove that it is gone.
for kernel in reduce_last_group_relaxed reduce_last_group_relaxed_hierarchical; do
    fixes=yes
    weir_ends 1 check --runs 4 $kernel
    fixes=no
    # A call of several lines: compilers name its first line, or its last one.
    line=$(grep -n 'weir_atomic_fetch_add' "${top_srcdir:-.}/kernels/$kernel.c" | cut -d: -f1)
    grep -q "^  fix .*$kernel.c:$line " "$out" || line=$((line + 3))
    says "^  fix    memory_order_acq_rel for the operation at .*$kernel.c:$line \\(tried: clean in 24 of 24 runs, answer right; proved at n = 4, 2 groups\\)$"
    weir_ends 1 check --runs 4 --no-fixes $kernel
    ! grep -q '^  fix' "$out" || bad 'a fix that was not looked for'
    weir_clean check --runs 4 --order "$kernel.c:$line=acq_rel" $kernel
    weir_clean check --runs 4 --order "kernels/$kernel.c:$line=seq_cst" $kernel
    for order in relaxed acquire release; do
        weir_ends 1 check --runs 4 --no-fixes --order "$kernel.c:$line=$order" $kernel
    done
    weir_ends 1 check --runs 4 --no-fixes --order "group_$kernel.c:$line=acq_rel" $kernel
    weir_ends 1 check --runs 4 --no-fixes --order "$kernel.c:1=acq_rel" $kernel
done
for order in tree.c tree.c:x=relaxed tree.c:0=relaxed :3=relaxed tree.c:3=strong; do
    weir_ends 2 check --runs 4 --order $order reduce_atomics1
    warns "order '$order'"
done

# Code without lines: the report gives the function and states why.
cat >lineless.c <<'END'
#include <weir-kernel.h>
#include <weir.h>

typedef struct {
    int *p;
} both_args;

__attribute__((noinline)) static void put(int *p, int v)
{
    *p = v;
}
WEIR_KERNEL(both, both_args)
{
    put(args->p, (int)weir_local_id(item, 0));
    if (weir_local_id(item, 0) == 0) {
        weir_barrier(item, WEIR_LOCAL);
    }
}
int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    both_args args = { weir_new(device, int, 1, "p") };
    return !weir_launch(device, &both, weir_nd_range_1d(2, 2), &args, NULL);
}
END
for debug in -g -g0 -s; do
    weir_cc $debug -O1 lineless.c -o lineless || bad "it does not compile"
    weir_ends 1 check --schedule in-order --no-fixes -- ./lineless
    says '^  item 0  waiting   lineless.c:16  weir_barrier'
    case $debug in
    -g) says '  write  item 0  lineless.c:10  \*p = v;$' && says_nothing_of 'no line is known' ;;
    -g0) says '  write  item 0  put  no line is known: compile this code with -g$' ;;
    -s) says '  write  item 0  -  no line is known: compile with -g, do not strip$' ;;
    esac
    weir_ends 1 explore --no-fixes -- ./lineless
    says_nothing_of 'line 0'
done
# An access in a function of Weir's headers is at the call of it.
sed 's/put(/weiri_put(/' lineless.c >header.c
weir_cc -g -O1 header.c -o header || bad "it does not compile"
weir_ends 1 check --schedule in-order --no-fixes -- ./header
says '^  write  item 0  header.c:14  weiri_put\(args->p'
says_nothing_of 'called from' 'no line is known'

# A file that cannot be written: before anything runs.
for option in --record --sarif --report --patch; do
    weir check --schedule reverse $option /no/such/folder/file -- ./program order
    complains "^weir check: $option: '/no/such/folder/file' cannot be written: No such file"
done
weir explore --patch . -- ./program order
complains "^weir explore: --patch: '.' cannot be written: Is a directory$"
leaves_nothing
finish
