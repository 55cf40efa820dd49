#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-assembly.sh: inline PTX that weir-nvcc refuses, in one line that has the place of the
# asm statement; and the nearest that it takes. tests/cuda/assembly.cu has the values.
# exit ends the thread in all entries, with stacks and without.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
nvcc=$(cd "$(dirname "$WEIR")" && pwd)/weir-nvcc
test -x "$(dirname "$nvcc")/weir-cuda-cc" || { echo "SKIP: no weir-cuda-cc"; exit 77; }
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
cp "$top_srcdir/tests/cli/cuda-exit.cu" "$scratch/exit.cu" || exit 99
cd "$scratch" || exit 99

# source STATEMENT...: a kernel with asm statements, from line 4 on
program()
{
    printf '__global__ void k(unsigned *p, unsigned long long q, float f)\n{\n    unsigned r = 0;\n'
    for statement in "$@"; do
        printf '    asm volatile(%s : "memory");\n' "$statement"
    done
    printf '    *p = r;\n}\nint main() { return 0; }\n'
}

# compile: x.cu; what the compiler says is in $err
compile()
{
    status=0
    "$nvcc" --no-instrument --no-stackless -c x.cu >"$out" 2>"$err" || status=$?
}

# refused STATEMENT LINE
refused()
{
    step="weir-nvcc: $1"
    program "$1" >x.cu
    compile
    test $status -eq 1 || bad "it is not refused"
    test "$(cat "$err")" = "x.cu:4: error: $2" || bad "not: x.cu:4: error: $2"
}

refused '"wgmma.fence.sync.aligned;" ::' \
    "PTX instruction 'wgmma.fence.sync.aligned' is not supported by Weir: choose a path without tensor cores, as -arch=sm_60 may do"
refused '"ret;" ::' "PTX instruction 'ret' is not supported by Weir: write it in C++"
refused '"add.u32 %0, %1, x;" : "=r"(r) : "r"(1)' \
    "PTX instruction 'add.u32': unknown register 'x'"
refused '"mov.u32 %0, %%tidy;" : "=r"(r) :' \
    "PTX instruction 'mov.u32': unknown register '%tidy'"
refused '"add.u32 %0, %1;" : "=r"(r) : "r"(1)' \
    "PTX instruction 'add.u32' has a wrong number of operands"
refused '"add.f16 %0, %1, 2" : "=r"(r) : "r"(1)' \
    "PTX: ';' is missing at the end of the text"
refused '"bra NOWHERE; SOMEWHERE:" ::' "PTX instruction 'bra': unknown label 'NOWHERE'"
refused '"ld.global.u32 %0, [%1];" : "=r"(r) : "r"(1)' \
    "PTX instruction 'ld.global.u32': an address of 32 bits: addresses that are not in .shared have 64: use constraint \"l\""
refused '"mov.b64 %0, %1;" : "=r"(r) : "l"(q)' \
    "PTX instruction 'mov.b64': a result of 64 bits goes to 32 bits"
refused '"add.u64 %0, %1, %1;" : "=l"(q) : "r"(1)' \
    "PTX instruction 'add.u64': an operand has 32 bits, and 64 are needed"
refused '"{ .reg .b32 a; setp.eq.b32 a, %0, 0; }" :: "r"(1)' \
    "PTX instruction 'setp.eq.b32': a result of 1 bits goes to 32 bits"
refused '"{ .reg .f128 a; }" ::' "PTX: registers of type '.f128' are not supported by Weir"
refused '"{ { .reg .b32 a; } mov.b32 %0, a; }" : "=r"(r) :' \
    "PTX instruction 'mov.b32': unknown register 'a'"
refused '"ld.global.v2.u32 {%0}, [%1];" : "=r"(r) : "l"(p)' \
    "PTX instruction 'ld.global.v2.u32': a vector of 2 is expected"

refused '"popc.b16 %0, 1;" : "=r"(r) :' \
    "PTX instruction 'popc.b16' is not supported with this type: write it in C++"
refused '"add.sat.u32 %0, %0, %0;" : "+r"(r) :' \
    "PTX instruction 'add.sat.u32': .sat is for sums of type '.s32'"

# Two statements are wrong: each has its line.
step="two lines"
program '"tex.x;" ::' '"bar.sync 0;" ::' '"mov.u32 %0, y;" : "=r"(r) :' >x.cu
compile
test "$(cut -d: -f1-3 "$err" | tr '\n' ' ')" = "x.cu:4: error x.cu:6: error " || bad "not lines 4 and 6"

step="the nearest"
program '"{ .reg .b32 a; { mov.b32 a, 7; } mov.b32 %0, a; }" : "=r"(r) :' \
    '"ld.global.v2.u32 {%0, _}, [%1];" : "=r"(r) : "l"(p)' \
    '"mov.b64 {%0, _}, %1;" : "=r"(r) : "l"(q)' \
    '"{ bra SOMEWHERE; SOMEWHERE: }" ::' '"" ::' \
    '"popc.b32 %0, 1; add.sat.s32 %0, %0, %0;" : "+r"(r) :' \
    '"add.f32 %0, %1, 0f3f800000;" : "=f"(f) : "f"(f)' >x.cu
compile
test $status -eq 0 && test ! -s "$err" || bad "it is refused"

# ---- exit ---------------------------------------------------------------------------

all='calls guarded negated always objects late rounds'
for option in -O2 --no-stackless -G; do
    step="weir-nvcc $option exit.cu" status=0
    "$nvcc" -g -O1 -std=c++17 $option exit.cu -o exits >"$out" 2>"$err" || status=$?
    test $status -eq 0 || bad "it fails"
    # shellcheck disable=SC2086
    weir_clean run -- ./exits $all missed
    says '^right$'
done
# shellcheck disable=SC2086
weir_clean check --schedule in-order,reverse,random,pct:3 -- ./exits $all
says '^right$' ': no findings$'
weir_ends 1 check --schedule in-order -- ./exits missed
says "^barrier divergence in kernel 'missed'.*41 of 64 items are at the __syncthreads.*returned" \
    "  returned  exit.cu:$(grep -n '// exit$' exit.cu | cut -d: -f1)  "
weir_clean check --exited alive-only --schedule in-order -- ./exits missed
says '^right$'

# refuses WHY OPTION: the function leave() in x.cu cannot exit
refuses()
{
    step="exit in a function that is called $1" status=0
    "$nvcc" "$2" x.cu -o x.o >"$out" 2>"$err" || status=$?
    test $status -eq 1 || bad "it is not refused"
    test "$(cat "$err")" = "x.cu:1: error: PTX's exit ends the thread in 'leave', which is called $1: return from the kernel instead" \
        || bad "another message"
}

cat >x.cu <<'END'
__device__ void leave(int x) { if (x > 0) leave(x - 1); asm volatile("exit;"); }
__global__ void k(int *v) { leave(*v); }
END
refuses 'by itself' -c
cat >x.cu <<'END'
__device__ void leave() { asm volatile("exit;"); }
__device__ void (*pointer)() = leave;
__global__ void k() { pointer(); }
END
refuses 'by a pointer' -c
cat >x.cu <<'END'
__device__ void leave() { asm volatile("exit;"); }
__global__ void k() { leave(); }
END
refuses 'from other objects' -dc
step="the nearest"
compile
test $status -eq 0 && test ! -s "$err" || bad "it is refused"

# What clang itself refuses in a source with letters that are rewritten: line and column
# stay.
step="an error of C++"
cat >x.cu <<'END'
__global__ void k(float f)
{
#ifdef __CUDA_ARCH__
    asm("" : "=f"(f) : "f"(g));
#endif
}
END
compile
grep -q "^x.cu:4:28: error: use of undeclared identifier 'g'" "$err" \
    || bad "not line 4, column 28"

finish
