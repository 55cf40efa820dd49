#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda.sh: CUDA's runtime without the compiler of .cu files: the program has the tables
# and the stubs that weir-nvcc makes. Right uses give what they must, in a plain run and
# under weir check, where they are silent; the nearest wrong uses are findings on their
# lines.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
use_weir_cc
cp "$top_srcdir/tests/cli/cuda-host.c" "$scratch" && cd "$scratch" || exit 99
step=compile
status=0
weir_cc -g -O1 -I"$top_srcdir/sim/cuda/include" -I"$top_srcdir/sim" cuda-host.c -o host \
    >"$out" 2>"$err" || { status=$?; bad "the program does not compile"; finish; }

# runs WORD...: the program does what it must in a plain run.
runs()
{
    step="host $*"
    status=0
    timeout 60 ./host "$@" >"$out" 2>"$err" || status=$?
    test "$status" -eq 0 || bad "it fails"
}

# line MARK: the line with that comment.
line()
{
    grep -n "// $1\$" cuda-host.c | sed 's/:.*//'
}

# found WORDS [PATTERN...]: one finding under weir check.
found()
{
    words=$1
    shift
    # shellcheck disable=SC2086
    weir_ends 1 check --runs 2 -- ./host $words
    says "$@" '^2 runs of ./host: 1 finding'
}

# silent WORDS: nothing is found under weir check.
silent()
{
    # shellcheck disable=SC2086
    weir_clean check --runs 3 -- ./host $1
    says 'no findings'
}

# nothing WORDS: the program launches no kernel, and nothing is found.
nothing()
{
    # shellcheck disable=SC2086
    weir_ends 2 check --runs 1 -- ./host $1
    says '^1 run of ./host: nothing to check'
}

# ---- Right ------------------------------------------------------------------------

for words in basic symbols shapes 'streams event' 'streams legacy' 'managed device' \
    'managed stream' 'managed event' 'managed query' 'flag set' talk graphs \
    'registered' 'pitched' 'async' 'times' 'threads'; do
    # shellcheck disable=SC2086
    runs $words
    silent "$words"
done
for words in 'frees right' 'host-calls sync' 'late sync' 'questions'; do
    # shellcheck disable=SC2086
    runs $words
    nothing "$words"
done
nothing 'refused block'

# ---- Order --------------------------------------------------------------------------

two='the two are not ordered: they are in two streams'
host='the host does not wait for it: there is no cudaDeviceSynchronize'
for how in none early nonblocking; do
    found "streams $how" "^data race between kernel 'fill' and kernel 'plus': a\[0\]" \
        "cuda-host.c:$(line 'kernel plus') " "cuda-host.c:$(line 'kernel fill') " "$two"
done
found 'managed none' "^data race between kernel 'fill' and the host: a" \
    "cuda-host.c:$(line 'host reads') " "$host"
found 'managed write' "^data race between kernel 'fill' and the host: a" \
    "cuda-host.c:$(line 'host writes') " "$host"
found 'late none' '^data race between cudaMemcpyAsync and the host: r' \
    "cuda-host.c:$(line 'host is early') " "$host"
found 'host-calls none' '^data race between cudaLaunchHostFunc and the host' \
    "cuda-host.c:$(line 'host looks') "
# A branch of a graph that the other one does not wait for.
weir_ends 1 check --runs 2 -- ./host graphs beside
says "^data race between kernel 'plus' and cudaMemcpyAsync: a\\[0\\]" "$two" '^2 runs .*: 2 findings'
weir_ends 1 check --runs 1 -- ./host graphs captured
says 'the event was recorded in a capture that has ended' \
    "cuda-host.c:$(line 'captured event') "
weir_ends 1 check --runs 1 -- ./host async race
says "^data race between kernel 'fill' and cudaFreeAsync: a" \
    '^data race between cudaMemcpyAsync and cudaFreeAsync: a' "$two" '^1 run.*: 2 findings'

# ---- Kernels that wait for the host ---------------------------------------------------

runs flag copy
found 'flag copy' '^race of an atomic and a plain access between kernel .wait_for. and' \
    "cuda-host.c:$(line wait_for) "
found 'device-flag set' "^data race between kernel 'wait_device' and the host: p" \
    "cuda-host.c:$(line 'kernel wait_device') " "cuda-host.c:$(line 'host sets') "
weir_ends 1 check --runs 2 -- ./host flag never
says "^livelock in kernel 'wait_for'" 'which holds 0; no item has written it'

# The program is copied where it has reached its first launch, though lines of its source
# were looked up before.
weir_clean check --runs 40 -- ./host started
test "$(wc -l <starts)" -lt 20 || bad "the program is started $(wc -l <starts) times"

# ---- Memory ---------------------------------------------------------------------------

found hidden '^out-of-bounds read by the host: a.*which the host cannot access' \
    "cuda-host.c:$(line 'host follows') "
for how in malloc static; do
    found "host-pointer $how" "^out-of-bounds read in kernel 'plus'.*memory of the host" \
        "cuda-host.c:$(line 'kernel plus') "
done
for how in kind long freed null fill; do
    runs copies $how
done
found 'copies kind' '^cudaMemcpy..: the direction is cudaMemcpyHostToDevice, and the source is' \
    "cuda-host.c:$(line 'copy kind') "
found 'copies long' '^out-of-bounds write by cudaMemcpy: a' "cuda-host.c:$(line 'copy long') "
found 'copies freed' '^use-after-free read by cudaMemcpy: a' "cuda-host.c:$(line 'copy freed') "
found 'copies null' '^cudaMemcpy..: the destination is NULL' "cuda-host.c:$(line 'copy null') "
found 'copies unwritten' '^cudaMemcpy..: none of the bytes' "cuda-host.c:$(line 'copy unwritten') "
found 'copies fill' '^cudaMemset..: .* is ordinary memory of the host' \
    "cuda-host.c:$(line 'copy fill') "
for how in twice inside host; do
    runs frees $how
    found "frees $how" '^cudaFree..: ' "cuda-host.c:$(line "free $how") "
done

# ---- Launches ---------------------------------------------------------------------------

for how in block empty bound; do
    runs refused $how
done
runs refused unseen
found 'refused unseen' '^fill<<<.1, 1, 1., .1025, 1, 1.>>>: a block of 1025 x 1 x 1 threads' \
    "cuda-host.c:$(line 'launch block') "

# A kernel that fails breaks the device, in a plain run.
runs ends assert
says '^cudaErrorAssert$'
test "$(grep -c '^cudaErrorAssert$' "$out")" -eq 2 || bad "the error does not stay"
grep -q '^assertion failed in kernel .fails.*i != 3' "$err" || bad "the finding is not printed"
runs ends null
says '^cudaErrorIllegalAddress$'

# What kernels print comes when the host waits, and calls stay whole.
runs speak
printf 'before the wait\nitem 0 of speak\nitem 1 of speak\n' | cmp -s - "$out" \
    || bad "kernels print otherwise"
finish
