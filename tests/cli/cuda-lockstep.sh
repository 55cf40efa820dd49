#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-lockstep.sh: weir check --lockstep runs the lanes of a warp in step. Code that is
# right for GPUs before Volta has its old result there, and notes that it relies on that;
# without the option it has races. Races that steps do not order stay findings, and code
# that relies on nothing has no note.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
nvcc=$(cd "$(dirname "$WEIR")" && pwd)/weir-nvcc
top_srcdir=$(cd "$top_srcdir" && pwd)
test -x "$(dirname "$nvcc")/weir-cuda-cc" || { echo "SKIP: no weir-cuda-cc"; exit 77; }
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
cp "$top_srcdir/tests/cli/cuda-lockstep.cu" "$scratch/lockstep.cu" && cd "$scratch" || exit 99

step='weir-nvcc lockstep.cu' status=0
"$nvcc" -g -O1 -std=c++17 lockstep.cu -o all >"$out" 2>"$err" || status=$?
test "$status" -eq 0 || bad "it fails"

# line MARK: of the source.
line()
{
    grep -n "// $1\$" lockstep.cu | cut -d: -f1
}

# The answer is right in every order of the lanes and warps.
for kernel in tree late scan lead shuffled; do
    weir_clean check --lockstep --no-fixes --schedule in-order,reverse,random,pct:3 -- ./all "$kernel"
    says '^right$' "^note: kernel '$kernel' relies on lockstep, group .0,0,0.: " \
        '^  why +only the lanes of a warp running in step order the two, .* Volta .*__syncwarp\(\)' \
        ' runs of ./all: no findings, [0-9]+ notes?, relies on lockstep$'
    weir_ends 1 check --no-fixes --runs 3 -- ./all "$kernel"
    says "^data race in kernel '$kernel'"
done
weir_clean check --lockstep --schedule in-order -- ./all tree
says "^  write  item 8  lockstep.cu:$(line 16)  " "^  read   item 0  lockstep.cu:$(line 8)  " \
    '^  again: weir check --schedule in-order --lockstep -- ./all tree$'
weir_clean check --lockstep --schedule in-order -- ./all lead
says "^  write  item 0  lockstep.cu:$(line lead)  " "^  read   item 1  lockstep.cu:$(line follow)  "
weir check --lockstep --schedule in-order --json -- ./all lead
test "$status" -eq 0 || bad "it does not end with 0"
json 'it["findings"][0]["note"] and it["findings"][0]["form"] == "relies on lockstep"
    and it["findings"][0]["kind"] == "data-race"'

# What no step orders.
weir_ends 1 check --lockstep --no-fixes --runs 3 -- ./all sides
says "^data race in kernel 'sides'" "lockstep.cu:$(line "then")  " "lockstep.cu:$(line "else")  " \
    '^3 runs of ./all: 1 finding$'
weir_ends 1 check --lockstep --no-fixes --runs 3 -- ./all cross
says "^data race in kernel 'cross'" "lockstep.cu:$(line 'other warp')  " '^3 runs of ./all: 1 finding$'
weir_ends 1 check --lockstep --no-fixes --runs 3 -- ./all one
says "^data race in kernel 'one'" "lockstep.cu:$(line one)  " '^3 runs of ./all: 1 finding$'

# Nothing to say.
weir_clean check --lockstep --schedule in-order,reverse,random,pct:3 -- ./all good flag
says '^right$' '^6 runs of ./all: no findings$'

# A hang is found as in other languages.
weir_ends 1 check --lockstep --no-fixes --schedule in-order -- ./all lock
says "^deadlock in kernel 'lock', .*advance together" "spinning  lockstep.cu:$(line poll)  " \
    "masked  +lockstep.cu:$(line unlock)  "
weir_clean check --no-fixes --schedule random --seeds 1..8 -- ./all lock
says 'no findings, 1 note$'

# A recorded run is the same.
weir_clean check --lockstep --schedule random --seed 3 --record file -- ./all late
weir_clean replay file
says '^right$' "relies on lockstep"
finish
