#!/bin/sh
# SPDX-License-Identifier: MIT
#
# opencl-kernels.sh: whole programs of OpenCL: their kernels are compiled, run and are
# checked on the lines of their file, with the names of the parameters; commands that
# nothing orders race, and wrong calls are findings.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
test -f "$(dirname "$WEIR")/libweir-opencl.so" || { echo "SKIP: no libweir-opencl.so"; exit 77; }
cp "$top_srcdir"/tests/cli/opencl-kernels.c* "$scratch" && cd "$scratch" || exit 99
# shellcheck disable=SC2086
${CC:-cc} -g -O1 -Wall -Wextra opencl-kernels.c -o kernels -lOpenCL >"$out" 2>"$err" \
    || { echo "SKIP: no -lOpenCL"; exit 77; }
WEIR_CACHE_DIR=$scratch/cache
export WEIR_CACHE_DIR
weir run -- ./kernels add
! grep -q 'apt-get install' "$err" || { echo "SKIP: $(cat "$err")"; exit 77; }

for case in add reduce place move link include images shared later uneven let_go spaces turn; do
    weir_clean run -- ./kernels $case
    weir_clean check --runs 2 -- ./kernels $case
    says '^2 runs of ./kernels: no findings'
done

# What two sources define is an error of the link: a function, kernel or variable.
weir_clean run -- ./kernels twice
says '^-17 .*error: .chosen. is defined in .*, too$' \
    '^-17 .*error: .k. is defined in .*, too$' '^-17 .*error: .n. is defined in .*, too$' '^0 $'
test "$(grep -c '^0 $' "$out")" -eq 5 || bad 'static and inline ones are not linked'
weir_ends 1 check --runs 1 -- ./kernels twice
says 'api-error|clLinkProgram'
weir_clean run -- ./kernels variables
weir_clean check --runs 1 -- ./kernels variables

# The limit of time leaves out the time of the compiler, here more than the limit.
cat >slow-clang <<END
#!/bin/sh
case " \$* " in
*" -x cl "*) sleep 4 ;;
esac
exec ${WEIR_CLANG:-clang} "\$@"
END
chmod +x slow-clang
(
    export WEIR_CLANG="$scratch/slow-clang" WEIR_CACHE_DIR="$scratch/slow-cache"
    weir check --runs 1 --time-limit 3 -- ./kernels add
    test "$status" -eq 0 && grep -q '^1 run of ./kernels: no findings' "$out"
) || bad "a build counts against the limit of time"

# The objects have the entries of items that wait without stacks, but not at -O0.
case ${WEIR_CL_OPTIONS-} in
*-O0*) ;;
*)
    if "$(dirname "$WEIR")/weir-split" --version >"$out" 2>&1; then
        nm cache/opencl/*.so >"$out"
        for kernel in reduce move turn; do
            says "_${kernel}__stackless\$"
        done
    fi
    ;;
esac

line()
{
    grep -n "// $1\$" opencl-kernels.cl | sed 's/:.*//'
}

# Out of bounds: on the line of the file, by the name of the parameter.
weir_ends 1 check --runs 1 -- ./kernels beyond
says "^out-of-bounds write in kernel 'beyond'.* out\[256\] of 256 elements" "opencl-kernels.cl:$(line beyond) "
weir_clean check --runs 1 -- ./kernels beyond right
says '^1 run of ./kernels: no findings'

# What flags deny, and what is outside of a sub-buffer.
denied="in kernel 'scale'.* out\[0\] of 256 elements: the buffer is"
for row in "read_only write $denied CL_MEM_READ_ONLY\$" \
        "write_only read $denied CL_MEM_WRITE_ONLY\$" \
        "behind read in kernel 'scale'.*: the kernel is given sub-buffers of elements 0 to 127\$"; do
    weir_ends 1 check --runs 1 -- ./kernels limits "${row%% *}"
    says "^out-of-bounds ${row#* }" "opencl-kernels.cl:$(line scale) " ': 1 finding'
done
for how in read_write part before given; do
    weir_clean check --runs 1 -- ./kernels limits $how
    says '^1 run of ./kernels: no findings'
done

# Two kernels.
weir_ends 1 check --runs 1 -- ./kernels chain nothing
says "^data race between kernel 'add' and kernel 'scale': out\[" \
    "opencl-kernels.cl:$(line add) " "opencl-kernels.cl:$(line scale) " \
    '^  why  *the two commands are not ordered: their queue is out of order'
for how in event in_order; do
    weir_clean check --runs 1 -- ./kernels chain $how
    says '^1 run of ./kernels: no findings'
done

# wrong CASE CODE NUMBER TEXT
wrong()
{
    weir_clean run -- ./kernels wrong "$1"
    says "^$3\$"
    weir_ends 1 check --runs 1 -- ./kernels wrong "$1"
    says "^cl[A-Za-z]*: $2: .*$4" '^  cl[A-Za-z]*  host  opencl-kernels.c:' ': 1 finding'
}
wrong text CL_BUILD_PROGRAM_FAILURE -11 "undeclared identifier 'b'"
wrong options CL_INVALID_BUILD_OPTIONS -43 'fno-such-option'
wrong name CL_INVALID_KERNEL_NAME -46 "no kernel 'subtract'"
wrong index CL_INVALID_ARG_INDEX -49 "argument 4 of kernel 'add', which has 4"
wrong size CL_INVALID_ARG_SIZE -51 "argument 3 of kernel 'add', int n, has 4 bytes, not 8"
wrong local CL_INVALID_ARG_SIZE -51 "argument 0 of kernel 'add', int\* a, has 8 bytes, not 64"
wrong unset CL_INVALID_KERNEL_ARGS -52 "argument 0 of kernel 'scale', int\* out, was not set"
wrong released CL_INVALID_MEM_OBJECT -38 "argument 2 .* was released after it was set"
wrong divide CL_INVALID_WORK_GROUP_SIZE -54 'local size 3 does not divide global size 256 .* before OpenCL C 2.0 and'
wrong nothing CL_INVALID_WORK_GROUP_SIZE -54 'local size 0 in dimension 0'
wrong group CL_INVALID_WORK_ITEM_SIZE -55 'local size 8192'
wrong buffer CL_INVALID_MEM_OBJECT -38 "image2d_t in: the value is not an image"
wrong form CL_INVALID_MEM_OBJECT -38 "image2d_t in: the image is for an image1d_t"
wrong dims CL_INVALID_WORK_DIMENSION -53 '4 dimensions'
wrong required CL_INVALID_WORK_GROUP_SIZE -54 'reqd_work_group_size'
wrong shared CL_INVALID_BUFFER_SIZE -61 'a buffer of 1024 bytes in 1020 bytes of clSVMAlloc()'
wrong mapped CL_INVALID_OPERATION 0 'mapped by the host for writing'
wrong rebuild CL_INVALID_OPERATION -59 'has 1 kernel objects'

# A text of no file finds what it includes in the working folder. A call by OpenCL's
# bindings for C++ has the line of the program.
cat >opencl.hpp <<'END'
static cl_mem new_buffer(cl_context context, size_t bytes)
{
    return clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, NULL);
}
END
cat >texts.c <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "opencl.hpp"
int main(void)
{
    const char *text = "#include \"half.h\"\nkernel void k(global int *a) { a[0] = HALF; }";
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != 0
        || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != 0)
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    if (clBuildProgram(program, 1, &device, NULL, NULL, NULL) != 0)
        return 1;
    new_buffer(context, 4);
    new_buffer(context, 0); // none
    return 0;
}
END
echo '#define HALF 21' >half.h
for level in -O0 -O2; do
    ${CC:-cc} -g $level texts.c -o texts -lOpenCL || exit 99
    weir_clean run -- ./texts
    weir_ends 1 check --runs 1 -- ./texts
    says '^clCreateBuffer: CL_INVALID_BUFFER_SIZE' ': 1 finding' \
        "^  clCreateBuffer  host  texts.c:$(sed -n '/none$/=' texts.c)  "
done

# The branch that ends a loop has no line of its own, but a place. The path of a file is
# that which was given, also where it shares folders with the current one.
cat >leaves.cl <<'END'
kernel void leaves(global int *io)
{
    local int part[4];
    int lid = get_local_id(0), mine = io[lid];
    for (int i = 0; i < 3; i++) {
        part[lid] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine += part[lid ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine > 40)
            break;
    }
    io[lid] = mine;
}
END
mkdir -p below && cd below || exit 99
weir_ends 1 check --runs 1 --no-fixes "$scratch/leaves.cl" --global 4 --local 4 \
    --arg 'int[4]={1,90,1,1}'
cd .. || exit 99
says "^  items 2-3 +waiting +$scratch/leaves.cl:7 +barrier" \
    "^  they parted after $scratch/leaves.cl:(8|9|10|11|12)\$"

# A recorded run of a program is replayed.
weir_ends 1 check --runs 1 --record race.schedule -- ./kernels chain nothing
weir_ends 1 replay race.schedule
says "^data race between kernel 'add' and kernel 'scale': out\["
finish
