#!/bin/sh
# SPDX-License-Identifier: MIT
#
# exercise.sh: weir exercise as a catalogue, as commands to be typed, and as the judge of
# one answer and of those of a class.
. "${top_srcdir:-.}/tests/cli/lib.sh"
use_weir_cc
WEIR_EXERCISE_DIR=$top_srcdir/exercises
export WEIR_EXERCISE_DIR
e=$WEIR_EXERCISE_DIR
cd "$scratch" || exit 99

# The catalogue: all of a kind and no other, or the kinds that there are.
weir_clean exercise list --json
json 'len(it) >= 30 and len({e["name"] for e in it}) == len(it)'
json 'all(e["hints"] >= 3 and 1 <= e["difficulty"] <= 3 and e["kinds"] for e in it)'
json '{"data-race", "scope-race", "mixed-atomic", "barrier-divergence", "out-of-bounds",
    "uninitialized-read", "deadlock", "wrong-result", "unsupported"}
    <= {e["kinds"][0] for e in it}'
weir_clean exercise list --kind scope-race --json
json '[e["name"] for e in it if "scope-race" in e["kinds"]] == [e["name"] for e in it] != []'
weir_clean exercise list --kind scope-race
says '^narrow-scope +1 +scope-race, scope, atomic +The scope'
says_nothing_of '^missing-barrier'
weir exercise list --kind sea
complains "no exercise has the kind 'sea': the kinds are .*, barrier, .*, data-race, "

# The commands to be given by hand have the options with which a judge runs them.
weir_clean exercise show waiting-groups
says '^  weir explore --resident=1 -- \./waiting-groups launch 1 1x2 1x3$'
weir_clean exercise show missing-barrier
says '^  weir explore -- \./missing-barrier launch 1 2x1 3x1$'
weir_clean exercise hint missing-barrier 3
says '^Put weir_barrier' '^This is the last hint'
weir exercise hint missing-barrier 4
complains 'missing-barrier has 3 hints'
weir_clean exercise solution missing-barrier 2
says '^Solution 2: '
says_nothing_of '^Solution 1: '

test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" || finish # weir-cc links no other sanitizer

# What is found at two sizes is printed once, of the smaller one; and so in JSON.
answer=$WEIR_EXERCISE_DIR/waiting-groups/misses/2.c
weir_ends 1 exercise check waiting-groups "$answer"
test "$(grep -c '^livelock in kernel' "$out")" -eq 1 || bad "one livelock is not printed once"
says '^livelock in kernel .*resident at a time, at size 1x2$' '^  why  .*, because 1 group is resident$'
mkdir swapped
cp -r "$WEIR_EXERCISE_DIR/judge.h" "$WEIR_EXERCISE_DIR/waiting-groups" swapped
chmod -R u+w swapped
sed 's/^sizes=1x2 1x3$/sizes=1x3 1x2/' "$WEIR_EXERCISE_DIR/waiting-groups/exercise.ini" \
    >swapped/waiting-groups/exercise.ini
WEIR_EXERCISE_DIR=$scratch/swapped weir_ends 1 exercise check --json waiting-groups "$answer"
json '[(f["kind"], f["size"]) for f in it["findings"]] == [("livelock", "1x2")]'

# Two that differ stay two.
sed 's/memory_order_ac[a-z_]*/memory_order_relaxed/' "$answer" >two.c
weir_ends 1 exercise check --json waiting-groups two.c
json 'sorted((f["kind"], f["size"]) for f in it["findings"])
    == [("livelock", "1x2"), ("wrong-result", "1x2")]'

# A launch that never ends has no result, and so no wrong one.
cat >endless.c <<'END'
WEIR_KERNEL(reverse, reverse_args)
{
    volatile int again = 1;
    while (again) {}
}
END
weir_ends 1 exercise check missing-barrier endless.c --time-limit 1 --keep endless
says '^a run did not end: ' 'is rejected by check$'
says_nothing_of 'wrong result'
weir_ends 3 check --runs 8 --time-limit 1 --no-fixes -- ./endless launch 1 4x1
says_nothing_of 'wrong result'

# Exercises in CUDA: what is typed by hand is CUDA's, and the judges are the same.
weir_clean exercise list --kind cuda --json
json '[e["name"] for e in it] == ["cuda-block-sum", "cuda-edge-barrier", "cuda-warp-sum",
    "cuda-last-block", "cuda-narrow-flag"]'
weir_clean exercise show cuda-warp-sum --copy copied
says '^  weir-nvcc -g -O1 cuda-warp-sum.cu cuda-warp-sum-judge.cu -o cuda-warp-sum$' \
    '^  weir check -- \./cuda-warp-sum launch 1 64x1 128x2$'
says_nothing_of 'weir explore'
test "$(ls copied | tr '\n' ' ')" = \
    'cuda-warp-sum-judge.cu cuda-warp-sum.cu cuda-warp-sum.h judge.cuh ' || bad "copied: $(ls copied)"
if test -x "$tree/weir-cuda-cc" && "$tree/weir-nvcc" --show -c "$e/cuda-warp-sum/judge.cu" \
    >"$out" 2>"$err"; then
    cd copied || exit 99
    weir_ends 1 exercise check cuda-warp-sum
    says '^data race in kernel .add_up' 'cuda-warp-sum.cu is rejected by check$'
    cd .. || exit 99
    # The header of the exercise counts, also where the one beside the answer differs.
    sed 's/MOST_THREADS = 256/MOST_THREADS = 1/' "$e/cuda-warp-sum/cuda-warp-sum.h" \
        >copied/cuda-warp-sum.h
    cp "$e/cuda-warp-sum/solutions/1.cu" copied/cuda-warp-sum.cu
    weir_clean exercise check cuda-warp-sum copied/cuda-warp-sum.cu --json
    json 'it["passed"] and it["findings"] == [] and it["explored"] is None'
    echo 'number x;' >copied/no.cu
    weir_ends 1 exercise check cuda-warp-sum copied/no.cu
    says "error: unknown type name 'number'" 'is rejected by compile$'
    sed 's/add_up(/add_down(/' copied/cuda-warp-sum.cu >copied/down.cu
    weir_ends 1 exercise check cuda-warp-sum copied/down.cu
    says "^the answer defines no kernel 'add_up'" 'is rejected by compile$'
    { cat copied/cuda-warp-sum.cu; echo 'extern "C" void weiri_mine() {}'; } >copied/more.cu
    weir_ends 1 exercise check cuda-warp-sum copied/more.cu
    says "^the file defines 'weiri_mine': make it static" 'is rejected by rule$'
    # No attribute hides what a kernel does.
    sed 's/^__global__/__attribute__((disable_sanitizer_instrumentation)) &/' \
        "$e/cuda-warp-sum/misses/4.cu" >copied/hidden.cu
    weir_ends 1 exercise check cuda-warp-sum copied/hidden.cu
    says '^data race in kernel .add_up' 'is rejected by check$'
    mkdir -p cuda/ada cuda/bob
    cp "$e/cuda-warp-sum/solutions/3.cu" cuda/ada/cuda-warp-sum.cu
    cp "$e/cuda-warp-sum/misses/10.cu" cuda/bob/cuda-warp-sum.cu
    cp "$e/cuda-warp-sum/misses/9.cu" cuda/bob/cuda-warp-sum.c
    weir_ends 1 exercise check --all cuda --set cuda-warp-sum
    says '^ada +cuda-warp-sum +passed$' '^bob +cuda-warp-sum +rejected by answer$' \
        '^cuda/bob/cuda-warp-sum.c: no answer .*; for one it is cuda-warp-sum.cu$'
fi
WEIR_CLANG=/nowhere/clang weir exercise check cuda-warp-sum "$e/cuda-warp-sum/kernel.cu"
complains "cuda-warp-sum is in CUDA: weir-nvcc: no compiler '/nowhere/clang\+\+': install clang"

# A class: each answer has a verdict that does not depend on the others, and the same
# files give the same bytes.
mkdir -p class/ada class/bob class/cyd class/dan/old
cp "$e/missing-barrier/solutions/1.c" class/ada/missing-barrier.c
cp "$e/relaxed-flag/solutions/2.c" class/ada/relaxed-flag.c
cp "$e/missing-barrier/misses/4.c" class/bob/missing-barrier.c
cp "$e/relaxed-flag/misses/5.c" class/bob/relaxed-flag.c
cp "$e/odd-tree/kernel.c" class/bob/odd-tree.c
echo 'this is no C' >class/cyd/missing-barrier.c
printf '#include <stdlib.h>\nWEIR_KERNEL(reverse, reverse_args) { abort(); }\n' \
    >class/cyd/missing-barrier-2.c
printf '#include <stdlib.h>\nWEIR_KERNEL(pass_on, message_args) { exit(0); }\n' \
    >class/cyd/relaxed-flag.c
echo notes >class/readme.txt
weir_ends 1 exercise check --all class --json
cp "$out" first.json
json 'list(it) == ["version", "seed", "results", "students", "ignored"]'
json '[(r["student"], r["exercise"], r["judge"]) for r in it["results"]] == [
    ("ada", "missing-barrier", None), ("ada", "relaxed-flag", None),
    ("bob", "missing-barrier", "check"), ("bob", "odd-tree", "answer"),
    ("bob", "relaxed-flag", "explore"), ("cyd", "missing-barrier", "compile"),
    ("cyd", "relaxed-flag", "check")]'
json 'all(set(r) == {"student", "exercise", "file", "passed", "undecided", "judge", "why",
    "findings", "executions", "explored"} for r in it["results"])'
json 'all(r["passed"] == (r["judge"] is None) for r in it["results"])
    and it["results"][0]["explored"] == "all"'
json '[(s["student"], s["passed"], s["of"]) for s in it["students"]] == [
    ("ada", 2, 2), ("bob", 0, 3), ("cyd", 0, 2), ("dan", 0, 0)]'
json 'it["ignored"] == ["class/readme.txt", "class/cyd/missing-barrier-2.c", "class/dan/old"]'
weir_ends 1 exercise check --all class --json
cmp -s "$out" first.json || bad "the same files give other bytes"
rm -r class/bob class/cyd
# What a browser makes of a second download, equal answers, and an answer without a kernel.
mkdir class/eve
: >class/eve/missing-barrier.c
cp class/ada/relaxed-flag.c 'class/dan/Relaxed_Flag (1).c'
cp class/ada/relaxed-flag.c class/eve/relaxed-flag.c
printf '// mine\n' >>class/ada/relaxed-flag.c
weir_ends 1 exercise check --all class --jobs 2 --set relaxed-flag,missing-barrier --json
json '[(s["student"], s["passed"], s["of"], s["missing"]) for s in it["students"]] == [
    ("ada", 2, 2, []), ("dan", 0, 2, ["relaxed-flag", "missing-barrier"]),
    ("eve", 1, 2, [])]'
json '[r["why"] for r in it["results"] if r["student"] == "eve"] == [
    "the answer defines no kernel '"'reverse'"'", None]'
weir_ends 1 exercise check --all class --set relaxed-flag
says "^class/dan/Relaxed_Flag \(1\).c: no answer to an exercise; for one it is relaxed-flag.c$" \
    '^class/readme.txt: no answer to an exercise$' '^dan: 0 of 1 passed; missing: relaxed-flag$' \
    '^eve: 1 of 1 passed$'
weir exercise check --all class --set relaxed-flags
complains relaxed-flags
weir exercise check --jobs 2 relaxed-flag class/ada/relaxed-flag.c
complains '--jobs is for a class: give --all, too'
# Answers that differ in comments on lines of their own are judged once; one that differs
# in a line of code, in a comment beside code, or in the number of a line is judged for
# itself. The judge is compiled once for all, and so is the header that all include.
mkdir -p many/a many/b many/c many/d many/e many/f
miss=$e/missing-barrier/misses/4.c
{ echo '// Ann'; cat "$miss"; } >many/a/missing-barrier.c
{ echo '/* Bob */'; cat "$miss"; } >many/b/missing-barrier.c
{ echo 'int third(void); // Cyd'; cat "$miss"; } >many/c/missing-barrier.c
{ echo 'int third(void); // Dan'; cat "$miss"; } >many/d/missing-barrier.c
{ echo; echo; cat "$miss"; } >many/e/missing-barrier.c
{ echo '/* Fay,'; echo '   once more */'; cat "$miss"; } >many/f/missing-barrier.c
printf '#!/bin/sh\necho "$*" >>"%s"\nexec %s "$@"\n' "$scratch/calls" "$CC" >count-cc
chmod +x count-cc
CC=$scratch/count-cc weir_ends 1 exercise check --all many --json
json '[(r["file"], r["judge"]) for r in it["results"]]
    == [("many/" + s + "/missing-barrier.c", "check") for s in "abcdef"]
    and str(it["results"][5]["findings"]) == str(it["results"][4]["findings"])
        .replace("many/e/", "many/f/") != str(it["results"][0]["findings"])
        .replace("many/a/", "many/f/")'
n=$(grep -e ' -c .*missing-barrier\.c' calls | grep -cv -e ' -E')
test "$n" -eq 4 || bad "answers were compiled $n times, not 4"
n=$(grep -e ' -c .*judge\.c' calls | grep -cv -e ' -E')
test "$n" -eq 1 || bad "the judge was compiled $n times"
n=$(grep -c -e '-x c-header' calls)
test "$n" -eq 1 || bad "the header was compiled $n times"
n=$(grep -e ' -c .*missing-barrier\.c' calls | grep -c -e '-include [^ ]*/early\.h ')
case $($CC --version) in
*clang*) wanted=0 ;; # only gcc takes it
*) wanted=4 ;;
esac
test "$n" -eq $wanted || bad "$n of 4 answers have the compiled header"
rm -r many class/eve class/dan
# An answer that defines more than its kernel could replace a function of Weir.
{ cat "$e/missing-barrier/solutions/1.c"; echo '__attribute__((weak)) int judged;'; } >more.c
weir_ends 1 exercise check missing-barrier more.c
says "^the file defines 'judged': make it static" 'is rejected by rule$'
weir_clean exercise check --all class
says '^student +exercise +result$' '^ada +relaxed-flag +passed$' '^ada: 2 of 2 passed$'
weir exercise check --all nowhere --json
complains nowhere
finish
