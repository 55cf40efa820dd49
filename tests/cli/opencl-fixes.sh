#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-fixes.sh: fixes of kernels in OpenCL C are in OpenCL's words, on the lines of the
# .cl. Each example with one mistake gets the fix that is stated here; the patched kernel
# is clean, and computes what the example computes, by its checked entry: fast ones take
# seconds to build, and are those of opencl-examples.sh.
. "${top_srcdir:-.}/tests/cli/lib.sh"
fixes=yes
. "${top_srcdir:-.}/tests/cli/program.sh"
. "${top_srcdir:-.}/tests/cli/opencl-examples.sh"

command -v patch >/dev/null 2>&1 || { echo "SKIP: there is no patch(1)"; exit 77; }
cp "$top_srcdir/tests/cli/opencl-fixes.cl" .
line="--global 16 --local 8 --arg int[16]=iota --arg int[16]=0"

# holds 'N...': writes these numbers of 16 bits to answer, as a buffer of words
holds()
{
    printf "$(echo "$1" | awk '{ for (i = 1; i <= NF; i++)
        printf "\\%03o\\%03o\\0\\0", $i % 256, $i / 256 }')" >answer
}

# fixed KERNEL WORDS PATTERN ['BUFFER N...']: wrong.cl gets a fix like that; with the
# patch it is clean, and the buffer holds these numbers after each run.
fixed()
{
    # Several words.
    # shellcheck disable=SC2086
    weir_ends 1 check --runs 6 --patch patch wrong.cl"$1" $2
    says "^  fix +$3 \\(tried: clean in [0-9]+ of [0-9]+ runs\\)$"
    step="$step, patched"
    patch -s -p1 <./patch >"$out" 2>"$err" || bad "the patch does not apply"
    answer=${4:-}
    # shellcheck disable=SC2086
    set -- wrong.cl"$1" $2
    if test -n "$answer"; then
        holds "${answer#* }"
        set -- "$@" --expect "${answer%% *}=@answer"
    fi
    weir_clean check --runs 12 "$@"
}

# unfixed KERNEL WORDS: nothing is offered
unfixed()
{
    # shellcheck disable=SC2086
    weir_ends 1 check --runs 6 --patch patch opencl-fixes.cl:"$1" $2
    says_nothing_of '^  fix '
    test ! -s patch || bad "the patch is not empty"
}

sums='sums 120 376 632 888'
counts='bins 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16 16'

# ---- Barriers ----------------------------------------------------------------------

mistake sum.cl '/part\[lid\] = in/{n;d}'
fixed '' "$tree" "insert barrier\\(CLK_LOCAL_MEM_FENCE\\) after wrong.cl:$(at 'part\[lid\] = in')" \
    "$sums"
mistake sum.cl '/part\[lid\] += /{n;n;d}'
fixed :tree "$tree" "insert barrier\\(CLK_LOCAL_MEM_FENCE\\) after wrong.cl:[0-9]+" "$sums"
mistake sum.cl '/part\[lid\] = in/{n;s/LOCAL/GLOBAL/}'
fixed '' "$tree" "add CLK_LOCAL_MEM_FENCE to the flags of the barrier at wrong.cl:$(at GLOBAL_MEM)" \
    "$sums"
mistake sum.cl '/part\[lid\] = in/{n;s/barrier/mem_fence/}'
fixed '' "$tree" "barrier\\(CLK_LOCAL_MEM_FENCE\\) instead of mem_fence\\(\\) at wrong.cl:$(at mem_fence)" \
    "$sums"
# The source's name of it.
mistake sum.cl 's/barrier(/work_group_barrier(/; /part\[lid\] = in/{n;d}'
fixed '' "--cl-options -cl-std=CL2.0 $tree" \
    "insert work_group_barrier\\(CLK_LOCAL_MEM_FENCE\\) after wrong.cl:$(at 'part\[lid\] = in')" \
    "$sums"
# Global memory.
mistake opencl-fixes.cl '/out\[g\] = in/{n;d}'
fixed :rotate "$line" "insert barrier\\(CLK_GLOBAL_MEM_FENCE\\) after wrong.cl:$(at 'out\[g\] = in')"

# ---- Items that part ---------------------------------------------------------------

mistake sum.cl '/part\[lid\] += /{n;N;s/\(.*\)\n\(.*\)/\2\n\1/;}'
barrier=$(grep -n 'barrier(' wrong.cl | sed -n '2s/:.*//p')
fixed '' "$tree" "move the barrier of line $barrier out of the branch, after wrong.cl:$((barrier + 1))" \
    "$sums"
mistake opencl-fixes.cl '/every item/,/max(v)/s/int m = \(.*\);/int m = v; if (v % 2) m = \1;/'
fixed :largest "--cl-options -cl-std=CL2.0 $line" \
    "have all items call it, 'const int from_all = work_group_reduce_max\\(v\\);', before wrong.cl:$(at 'int m = v;')"

# ---- Atomics -----------------------------------------------------------------------

# Of OpenCL C 1.2, and of 2.0.
mistake histogram.cl 's/atomic_inc(&bins\(.*\));/bins\1++;/'
fixed :global_bins "$bins" \
    "make the read-modify-write atomic, 'atomic_inc\\(&bins\\[values\\[get_global_id\\(0\\)\\] % BINS\\]\\);', at wrong.cl:$(at '\]++;')" \
    "$counts"
mistake histogram.cl 's/atomic_inc(&mine\(.*\));/mine\1 += 1;/'
fixed :by_group "$bins" \
    "make the read-modify-write atomic, 'atomic_add\\(&mine\\[values\\[get_global_id\\(0\\)\\] % BINS\\], 1\\);', at wrong.cl:$(at '\] += 1;')" \
    "$counts"
mistake histogram.cl 's/atomic_inc(&mine\(.*\));/mine\1 += 1;/'
fixed :by_group "--cl-options -cl-std=CL2.0 $bins" \
    "make the read-modify-write atomic, 'atomic_fetch_add_explicit\\(\\(volatile local atomic_uint \\*\\)&mine\\[.*\\], 1, memory_order_relaxed, memory_scope_work_group\\);', at wrong.cl:$(at '\] += 1;')" \
    "$counts"

mistake last_group.cl 's/memory_order_acq_rel/memory_order_relaxed/'
fixed '' "$last" "memory_order_acq_rel instead of memory_order_relaxed at wrong.cl:$(at order_relaxed)" \
    'sum 2016'
mistake last_group.cl 's/memory_scope_device/memory_scope_work_group/'
fixed '' "$last" "memory_scope_device instead of memory_scope_work_group at wrong.cl:[0-9]+" \
    'sum 2016'

# ---- Memory ------------------------------------------------------------------------

mistake histogram.cl '/mine\[BINS\]/{n;N;N;N;d}'
fixed :by_group "$bins" \
    "insert 'for \\(size_t i = get_local_id\\(0\\); i < BINS; i \\+= get_local_size\\(0\\)\\) mine\\[i\\] = 0;' and barrier\\(CLK_LOCAL_MEM_FENCE\\) after wrong.cl:$(at 'mine\[BINS\]')" \
    "$counts"

# ---- Nothing that helps --------------------------------------------------------------

unfixed neighbours "$line"
unfixed floats "--global 16 --local 8 --arg float[16]=iota --arg float[1]=0"

# ---- What is beside the file is included; messages name it ---------------------------

mkdir below
echo '#define WAIT barrier(CLK_LOCAL_MEM_FENCE)' >below/words.h
{ echo '#include "words.h"'; sed '/part\[lid\] += /{n;n;s/barrier.*/WAIT;/}; /part\[lid\] = in/{n;d}' sum.cl; } \
    >below/wrong.cl
# shellcheck disable=SC2086
weir_ends 1 check --runs 6 below/wrong.cl $tree
says '^  fix +insert barrier\(CLK_LOCAL_MEM_FENCE\) after below/wrong.cl:[0-9]+ \(tried'

# Without --expect nothing judges the answer, and no more is said.
mistake sum.cl '/part\[lid\] = in/{n;d}'
for answer in '120 376 632 888' '1 2 3 4'; do
    holds "$answer"
    # shellcheck disable=SC2086
    weir_ends 1 check --runs 6 wrong.cl $tree --expect sums=@answer
    case $answer in
    120*) says '^  fix .*\(tried: clean in [0-9]+ of [0-9]+ runs, answer right\)$' ;;
    *) says_nothing_of '^  fix ' ;;
    esac
done

# ---- A whole program ---------------------------------------------------------------

if test -f "$(dirname "$WEIR")/libweir-opencl.so"; then
    cp "$top_srcdir"/tests/cli/opencl-kernels.c* .
    sed 's/        barrier(CLK_LOCAL_MEM_FENCE);//' opencl-kernels.cl >changed
    mv changed opencl-kernels.cl
    # shellcheck disable=SC2086
    if ${CC:-cc} -g -O1 opencl-kernels.c -o kernels -lOpenCL >"$out" 2>"$err"; then
        weir_ends 1 check --runs 3 --patch patch -- ./kernels reduce
        says '^  fix +insert barrier\(CLK_LOCAL_MEM_FENCE\) (after|before) opencl-kernels.cl:[0-9]+ \(tried'
        patch -s -p1 <./patch >"$out" 2>"$err" || bad "the patch does not apply"
        weir_clean check --runs 3 -- ./kernels reduce
    fi
fi
finish
