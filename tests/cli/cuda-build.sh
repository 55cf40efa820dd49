#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-build.sh: weir-nvcc as the compiler of a project: of a Makefile that calls $(NVCC), with
# separate compilation and a library, and of CMake's language CUDA. Without CMake, what it
# looks for in the words of nvcc is looked for here.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
tree=$(cd "$(dirname "$WEIR")" && pwd)
WEIR=$tree/$(basename "$WEIR")
WEIR_CACHE_DIR=$scratch/cache
# Nothing is checked: the rules are tried, and not what they make.
CUDAFLAGS='--no-stackless --no-instrument'
PATH=$tree:$PATH
export WEIR_CACHE_DIR CUDAFLAGS PATH
cd "$scratch" || exit 99

cat >half.cu <<'END'
__device__ int half_of(int x)
{
    return x / 2;
}
END
echo 'int other() { return 1; }' >other.cpp
cat >main.cu <<'END'
#include <cstdio>
__device__ int half_of(int x);
int other();
__global__ void k(int *out)
{
    out[threadIdx.x] = half_of(4 * threadIdx.x);
}
int main()
{
    int *p, h[4];
    cudaMalloc(&p, sizeof h);
    k<<<1, 4>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    puts(h[3] == 6 && other() == 1 ? "right" : "wrong");
    return h[3] != 6;
}
END

# does COMMAND...: it ends with 0.
does()
{
    step="$*"
    status=0
    "$@" >"$out" 2>"$err" || status=$?
    test "$status" -eq 0 || bad "it fails"
}

# ---- make --------------------------------------------------------------------------------

cat >Makefile <<'END'
.RECIPEPREFIX = >
NVCC = nvcc
CXX = c++
NVCCFLAGS = -O2 -std=c++17 -gencode arch=compute_70,code=sm_70 -Xcompiler -Wall,-fPIC
twice: main.o link.o other.o libhalf.a
> $(NVCC) $(NVCCFLAGS) $(CUDAFLAGS) -o $@ main.o other.o link.o -L. -lhalf -lcudart
libhalf.a: half.o
> $(NVCC) -lib -o $@ half.o
link.o: main.o libhalf.a
> $(NVCC) $(NVCCFLAGS) -dlink -o $@ main.o -L. -lhalf
%.o: %.cu
> $(NVCC) $(NVCCFLAGS) $(CUDAFLAGS) -rdc=true -MD -c $< -o $@
-include main.d half.d
END
does make NVCC=weir-nvcc CXX=weir-c++
does ./twice
says '^right$'
step='the Makefile project is made again'
touch half.cu
does make -n NVCC=weir-nvcc CXX=weir-c++
says 'half.cu'
says_nothing_of 'main.cu'

# ---- What CMake looks for ------------------------------------------------------------------

# The link is by the command whose line has the text after LIBRARIES=.
does weir-nvcc -v -rdc=true main.o half.o other.o -o again
cp "$err" said && cat said >"$out"
says '^#\$ TOP=/' '^#\$ NVVMIR_LIBRARY_DIR=/.*/nvvm/libdevice$' '^#\$ PATH=/' \
    '^#\$ INCLUDES="-I/' '^#\$ LIBRARIES=.' '-arch compute_[0-9]+'
libraries=$(sed -n 's/^#\$ LIBRARIES= *//p' said)
line=$(sed '/^#\$ *[^= ]*=/d; s/^#\$ //' said | grep -F -e "$libraries" | tail -1)
test -x "${line%% *}" || bad "the line of the link does not begin with a program: $line"
echo main.o half.o 'other.o' >objects
does "${line%% *}" @objects -o linked
does ./linked
says '^right$'

# ---- CMake ---------------------------------------------------------------------------------

if command -v cmake >/dev/null 2>&1; then
    cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(twice LANGUAGES CUDA CXX)
add_library(half STATIC half.cu)
add_executable(twice main.cu other.cpp)
set_target_properties(half twice PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_link_libraries(twice PRIVATE half)
END
    does cmake -S . -B cmake-build -DCMAKE_CUDA_COMPILER=weir-nvcc -DCMAKE_CXX_COMPILER=weir-c++
    does cmake --build cmake-build
    does cmake-build/twice
    says '^right$'
fi

# A shared object is refused, and the link of device code that CMake calls one is not.
step='weir-nvcc -shared'
status=0
weir-nvcc -shared main.o -o libmain.so >"$out" 2>"$err" || status=$?
test "$status" -eq 2 && grep -q 'must not be in a shared object' "$err" || bad "it is not refused"
does weir-nvcc -shared -dlink --options-file objects -o link2.o

finish
