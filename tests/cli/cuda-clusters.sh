#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-clusters.sh: clusters of blocks in CUDA: their barrier, places and shared memory are
# right in plain and in checked runs, and each kernel made wrong has its finding.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
nvcc=$(cd "$(dirname "$WEIR")" && pwd)/weir-nvcc
top_srcdir=$(cd "$top_srcdir" && pwd)
test -x "$(dirname "$nvcc")/weir-cuda-cc" || { echo "SKIP: no weir-cuda-cc"; exit 77; }
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
cp "$top_srcdir/tests/cli/cuda-clusters.cu" "$scratch" && cd "$scratch" || exit 99

step='weir-nvcc cuda-clusters.cu' status=0
"$nvcc" -g -O1 -std=c++17 cuda-clusters.cu -o all >"$out" 2>"$err" || status=$?
test "$status" -eq 0 || bad "it fails"

weir_clean run -- ./all
says '^right$'
weir_clean check --runs 8 --no-fixes -- ./all
says '^8 runs of ./all: no findings'

# A barrier of the block reaches no other block; the fix is named and tried.
fixes=yes weir_ends 1 check --runs 4 -- ./all swap narrow
says "^data race in kernel 'swaps', groups .0,0,0. and .1,0,0.: s\[" 'cuda-clusters.cu:.*// put$' \
    'cuda-clusters.cu:.*// get$' \
    '^  why .*of different groups of one cluster, and no barrier of the cluster orders the two$' \
    '^  fix +insert cluster.sync\(\) .*tried: clean'

# The other block may have ended, and its memory with it.
weir_ends 1 check --runs 4 --no-fixes -- ./all swap early
says '^cluster.map_shared_rank in kernel .swaps.*the group of rank 0 of the cluster has ended'
weir_ends 1 check --schedule random --seed 2 --no-fixes -- ./all swap early
says "^use-after-free read in kernel 'swaps'.*: s\[.*local memory of group .*which has ended" \
    'cuda-clusters.cu:.*// get$'

# The scope of the block does not include the others of the cluster.
weir_ends 1 check --runs 4 --no-fixes -- ./all histogram scope
says "^scope race in kernel 'bins', groups" 'cuda-clusters.cu:.*// narrow$'
weir_ends 1 check --runs 2 --no-fixes -- ./all histogram size
says 'clusters of 4 x 1 x 1 blocks in a grid of 7 x 1 x 1: they must divide it' \
    'cudaErrorInvalidClusterSize'

# Between the halves of the barrier nothing is ordered, and each arrival has its wait.
weir_ends 1 check --runs 4 --no-fixes -- ./all two hasty
says "^data race in kernel 'halves'" 'cuda-clusters.cu:.*// one$' 'cuda-clusters.cu:.*// all$'
weir_ends 1 check --runs 4 --no-fixes -- ./all two twice
says 'it has arrived at the barrier of the cluster before, and not waited since' \
    'cuda-clusters.cu:.*// twice$'
weir_ends 1 check --runs 4 --no-fixes -- ./all ptx relaxed
says "^data race in kernel 'assembly', groups" 'cuda-clusters.cu:.*// ten$' \
    'cuda-clusters.cu:.*// load$'

weir_ends 1 check --runs 4 --no-fixes -- ./all visit hasty
says "^data race in kernel 'visits'" 'cuda-clusters.cu:.*// bring$' 'cuda-clusters.cu:.*// find$'

# A GPU goes on without threads that have returned; it is reported.
weir_clean run -- ./all leave
says '^right$'
weir_ends 1 check --runs 4 --no-fixes -- ./all leave
says "^barrier divergence in kernel 'leaves', cluster 0: 36 of 64 items" \
    'cuda-clusters.cu:.*// stay$'

# But for those that wait at another barrier it does wait.
weir_ends 2 run -- ./all part
warns "^barrier divergence in kernel 'parts'"
says '^cudaErrorLaunchFailure$'
weir_ends 1 check --runs 2 --no-fixes -- ./all part
says "^barrier divergence in kernel 'parts'" 'cuda-clusters.cu:.*// block$' \
    'cuda-clusters.cu:.*// cluster$'

# Their schedules are recorded and followed.
weir_ends 1 check --runs 4 --no-fixes --record s.json -- ./all swap narrow
weir_ends 1 replay s.json
says "^data race in kernel 'swaps'"
# There is no exploration of them, and it says so.
weir_ends 2 explore -- ./all ptx
says 'a launch with clusters cannot be explored: use weir check'

finish
