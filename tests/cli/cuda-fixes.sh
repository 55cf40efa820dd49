#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-fixes.sh: weir check finds fixes of programs in CUDA, in CUDA's words. Each kernel
# of tests/fixes/kernels.cu gets one mistake, and the fix that is stated here, which makes it
# silent. Without the mistake there is no finding.
. "${top_srcdir:-.}/tests/cli/lib.sh"
case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
use_weir_cc
command -v patch >/dev/null 2>&1 || { echo "SKIP: there is no patch(1)"; exit 77; }
test -x "$tree/weir-nvcc" && test -x "$tree/weir-cuda-cc" \
    || { echo "SKIP: weir-nvcc is not built"; exit 77; }
cd "$scratch" || exit 99

nvcc()
{
    step="weir-nvcc $*"
    status=0
    "$tree/weir-nvcc" --no-stackless -g -O1 "$@" >"$out" 2>"$err" || status=$?
    test "$status" -eq 0 || bad "does not compile"
}

# right PART: the kernel as it stands
right()
{
    cp "$top_srcdir/tests/fixes/kernels.cu" "right$1.cu"
    nvcc "-DPART=$1" "right$1.cu" -o "right$1"
    weir_clean check --runs 8 -- "./right$1"
    says ': no findings$'
}

# mistake NAME PART EDIT...: the kernel with changes is NAME.cu
mistake()
{
    name=$1
    part=$2
    shift 2
    cp "$top_srcdir/tests/fixes/kernels.cu" "$name.cu"
    for change in "$@"; do
        cp "$name.cu" before
        sed "$change" before >"$name.cu"
        step="$name, '$change'"
        status=0
        ! cmp -s "$name.cu" before || bad "the change changes nothing"
    done
    nvcc "-DPART=$part" "$name.cu" -o "$name"
    weir_ends 1 check --time-limit 240 --runs 8 --patch fix.diff -- "./$name"
}

# at PATTERN: the number of the first line that has it, after the part's begin
at()
{
    awk -v part="PART == $part\$" -v text="$1" \
        '$0 ~ part { inside = 1 } inside && index($0, text) { print NR; exit }' "$name.cu"
}

# fixed PATTERN: there is a fix like that, and its patch applies
fixed()
{
    says "^  fix +$1 \\(tried: clean in ([0-9]+) of \\1 runs, answer right"
    patch -s -p1 <fix.diff >"$out" 2>"$err" || bad "the patch does not apply"
}

# silent: what the patch has made compiles, and has no finding
silent()
{
    nvcc "-DPART=$part" "$name.cu" -o "$name"
    weir_clean check --runs 12 -- "./$name"
}

for part in 1 2 3 4 5 6 7; do
    right $part
done

# ---- Barriers ------------------------------------------------------------------------

mistake tree 1 '/part\[t + half\];/{n;s/__syncthreads();//;}'
fixed "insert __syncthreads\\(\\) after tree.cu:$(at 'part[t + half]')"
silent

# A barrier of the warp is enough in a kernel whose lanes exchange values.
mistake lanes 2 's/__syncwarp();//'
fixed "insert __syncwarp\\(\\) after lanes.cu:$(at 'box[t] =')"

# Several sources of one command, or objects that are linked later: each is built again by
# its own command, also where the headers are elsewhere.
step=several
mkdir more
cat >more/size.h <<'END'
int size(void);
END
cat >size.cpp <<'END'
#include "size.h"
int size(void) { return MANY; }
END
sed 's/^#include <cstdio>/&\n#include "size.h"/; s/int n = 128;/int n = 128, m = size();/
    s/work<<<.*>>>/work<<<m, 64>>>/; /part\[t + half\];/{n;s/__syncthreads();//;}' \
    "$top_srcdir/tests/fixes/kernels.cu" >several.cu
nvcc -DPART=1 -DMANY=2 -I more several.cu size.cpp -o several
nvcc -DPART=1 -DMANY=2 -I more -c several.cu
nvcc -DMANY=2 --include-path=more -c size.cpp
nvcc several.o size.o -o linked
for program in several linked; do
    weir_ends 1 check --time-limit 240 --runs 4 --patch fix.diff -- "./$program"
    says '^  fix +insert __syncthreads\(\) after several.cu:[0-9]+ \(tried'
done

# ---- Atomics and fences --------------------------------------------------------------

mistake sum 3 's/atomicAdd(out, in\[i\]);/*out += in[i];/'
fixed "make the read-modify-write atomic, 'atomicAdd\\(out, in\\[i\\]\\);', at sum.cu:$(at '*out +=')"
mistake scope 3 's/atomicAdd(out, in/atomicAdd_block(out, in/'
fixed "atomicAdd\\(\\) instead of atomicAdd_block\\(\\) at scope.cu:$(at atomicAdd_block)"
mistake order 4 's/ready.store(1, cuda::memory_order_release/ready.store(1, cuda::memory_order_relaxed/'
fixed "cuda::memory_order_release instead of cuda::memory_order_relaxed at order.cu:$(at ready.store)"
silent
mistake near 4 's/thread_scope_device/thread_scope_block/'
fixed "cuda::thread_scope_device instead of cuda::thread_scope_block at near.cu:$(at thread_scope_block)"
mistake fence 5 's/ __threadfence();//'
fixed "insert __threadfence\\(\\) after line $(($(at 'flag == 0') + 1)), and before fence.cu:$(at 'flag = 1')"
# The condition both releases and acquires.
mistake last 7 's/ __threadfence();//'
fixed "insert __threadfence\\(\\) after line $(at atomicInc), and before last.cu:$(at atomicInc)"
silent

# ---- Memory --------------------------------------------------------------------------

mistake unset 6 's/bins\[i\] = 0;/;/'
fixed "insert 'for .unsigned i = threadIdx.x; i < 4; i \\+= blockDim.x. bins\\[i\\] = 0;' and __syncthreads\\(\\) after unset.cu:$(at 'int bins')"
silent
mistake unfilled 3 '/cudaMemset/s/.*//'
fixed "write 'out' before the launch, 'CHECK\\(cudaMemset\\(out, 0, sizeof \\*out\\)\\);', after unfilled.cu:$(at 'cudaMalloc(&out')"
mistake guard 3 's/if (i < n)/if (i <= n)/'
fixed "'<' instead of '<=' in the condition at guard.cu:$(at 'i <= n')"

finish
