#!/bin/sh
# SPDX-License-Identifier: MIT
#
# cuda-source.sh: what weir-nvcc makes of a source: parameters of all forms, variables,
# functions that are called by pointers and by other files, and ways of launching. And the
# rules by which its kernels are judged, in pairs: a flag that is polled as volatile, and
# data that is only volatile; a plain store after an update that has seen all others.
. "${top_srcdir:-.}/tests/cli/lib.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
nvcc=$(cd "$(dirname "$WEIR")" && pwd)/weir-nvcc
top_srcdir=$(cd "$top_srcdir" && pwd)
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
cp "$top_srcdir/tests/cli/cuda-source.cu" "$scratch" && cd "$scratch" || exit 99

# compiles WORD...: weir-nvcc has nothing to say.
compiles()
{
    step="weir-nvcc $*"
    status=0
    "$nvcc" "$@" >"$out" 2>"$err" || status=$?
    test "$status" -eq 0 || bad "it fails"
    test ! -s "$err" || bad "it says something"
}

# with_stacks WORD...: the same without the entries that have none, which cost a third of
# the time.
with_stacks()
{
    compiles --no-stackless "$@"
}

# runs PROGRAM WORD...: it is right in a plain run.
runs()
{
    weir_clean run -- "$@"
    says '^right$'
}

compiles -g -O1 -std=c++17 cuda-source.cu -o all
runs ./all
for word in polls strides hands last shares moves heap reuses compares leaves; do
    runs ./all "$word"
done
for word in '' polls hands last shares moves heap reuses compares; do
    # shellcheck disable=SC2086
    weir_clean check --runs 4 --no-fixes -- ./all $word
    says '^4 runs of ./all: no findings'
done

# Weak by its use: nothing orders the two.
weir_ends 1 check --runs 4 --no-fixes -- ./all volatile
says '^data race in kernel .volatile_data., groups .0,0,0. and .1,0,0.'
says 'cuda-source.cu:.*// volatile race$'
says 'volatile orders nothing and makes no update atomic'

weir_ends 1 check --runs 4 --no-fixes -- ./all strides
says '^data race in kernel .strides.' 'cuda-source.cu:.*// volatile stride$'

# The fence reaches no other block.
weir_ends 1 check --runs 4 --no-fixes -- ./all 'shares early'
says '^data race in kernel .shares., groups' 'cuda-source.cu:.*// volatile share$'

# Copies of structures race, and end outside, as other accesses do.
weir_ends 1 check --runs 2 --no-fixes -- ./all 'moves early'
says '^data race in kernel .moves., group .0,0,0.: s\[' 'cuda-source.cu:.*// in$' \
    'cuda-source.cu:.*// out$' '^2 runs of .*: 1 finding'
weir_ends 1 check --runs 2 --no-fixes -- ./all 'moves outside'
# Calls of one line have their own names.
says '^out-of-bounds read in kernel .moves..*item .63,0,0.: from\[' 'cuda-source.cu:.*// in$'

# So do blocks of malloc().
weir_ends 1 check --runs 2 --no-fixes -- ./all 'heap past'
says '^out-of-bounds write in kernel .heap..*in no block of malloc' 'cuda-source.cu:.*// heap$'
weir_ends 1 check --runs 2 --no-fixes -- ./all 'heap late'
says '^use-after-free read in kernel .heap..*has freed$' 'cuda-source.cu:.*// late$'
weir_ends 1 check --runs 2 --no-fixes -- ./all 'heap twice'
says 'kernel .heap..*free.. or delete of a block that is freed already' 'cuda-source.cu:.*free.block.;$'

# A comparison in a function of a header is where it is called.
weir_ends 1 check --runs 2 --no-fixes -- ./all 'compares half'
says '^uninitialized-read in kernel .compares..*read of s.32. of 64' \
    '^  why   its value decides a comparison at .*cuda-source.cu:[0-9]*$'

# A GPU goes on without threads that have returned; it is reported.
weir_ends 1 check --runs 4 --no-fixes -- ./all leaves
says '^barrier divergence in kernel .leaves.*50 of 64 items are at the __syncthreads\(\)'

# An address that is wrong since a limit ended the kernel is not the program's fault.
weir_ends 1 check --runs 2 --no-fixes -- ./all 'counts wrong'
says '^cudaFree\(\): the pointer is 4 bytes after the start of its memory' '^2 runs of .*: 1 finding'
weir_clean check --runs 2 --no-fixes -- ./all counts
weir_ends 3 check --runs 2 --no-fixes --step-limit 20 -- ./all counts
says '^incomplete: .*counts. was ended at the limit'

# Without stackless entries, and without hooks.
compiles --no-stackless --no-instrument -std=c++17 cuda-source.cu -o plain
runs ./plain
runs ./plain leaves

# Two files, whose kernels call each other's functions.
cat >one.cu <<'END'
#include <cstdio>
extern __device__ int base;
__device__ int other(int x);
__global__ void both(int *out)
{
    out[threadIdx.x] = other(threadIdx.x) + base;
}
int main()
{
    int *p, h[4], bad = 0;
    cudaMalloc(&p, sizeof h);
    both<<<1, 4>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++)
        bad |= h[i] != 100 + 2 * (3 - i);
    puts(bad ? "wrong" : "right");
    return bad;
}
END
cat >two.cu <<'END'
__device__ int base = 100;
__device__ int other(int x)
{
    __shared__ int s[4];
    s[x] = 2 * x;
    __syncthreads();
    return s[3 - x];
}
END
compiles -O2 -rdc=true -c one.cu -o one.o
compiles -O2 -dc two.cu -o two.o
compiles -dlink one.o two.o -o link.o
compiles one.o two.o link.o -lcudart -o parts
runs ./parts
weir_clean check --runs 4 --no-fixes -- ./parts
says '^4 runs of ./parts: no findings'

# Without -rdc they have functions and variables of their own, by the same names.
for k in 1 2; do
    cat >"own$k.cu" <<END
#include <cstdio>
__device__ volatile int base = $k;
__device__ int *place() { return (int *)&base; }
__device__ int value(int x) { return *place() * 10 + x; }
static __global__ void kernel(int *out) { *out = value($k); }
int get$k()
{
    int *out, n = 0, set = $k + 2;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(out);
    cudaMemcpy(&n, out, sizeof n, cudaMemcpyDeviceToHost);
    cudaMemcpyToSymbol(base, &set, sizeof set);
    kernel<<<1, 1>>>(out);
    int first = n;
    cudaMemcpy(&n, out, sizeof n, cudaMemcpyDeviceToHost);
    return 100 * first + n;
}
END
done
cat >>own1.cu <<'END'
int get2();
int main()
{
    return printf("%d %d\n", get1(), get2()) < 0;
}
END
with_stacks -w own1.cu own2.cu -o own
weir_clean run -- ./own
says '^1131 2242$'
weir_clean check --runs 2 --no-fixes -- ./own
says '^2 runs of ./own: no findings'

# A program may define short names on the command line: the headers use none of them.
cat >names.cu <<'END'
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cuComplex.h>
#include <cub/cub.cuh>
#include <cstdio>
__global__ void k(int *p)
{
    *p = T + N;
}
int main()
{
    int *p, h = 0;
    cudaMalloc(&p, sizeof h);
    k<<<1, 1>>>(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    puts(h == T + N ? "right" : "wrong");
    return h != T + N;
}
END
with_stacks -DA=8 -DB=9 -DC=10 -DF=5 -DH=7 -DK=1 -DL=1 -DM=4 -DN=3 -DP=3 -DR=2 -DS=4 -DT=1 -DU=6 \
    -DV=1 -DW=1 -DX=0 -DY=2 -DZ=3 names.cu -o names
runs ./names

# No more names of std are there than nvcc's own header brings in: they are free for globals.
cat >globals.cu <<'END'
#include <cstdio>
using namespace std;
__device__ int array[4];
__constant__ int list[1] = { 10 };
int function = 1, map = 2, vector = 3, string = 4, set, queue, stack, bitset, complex, future;
int thread, mutex, plus, less, hash, sort, find, reduce, accumulate, iota, shuffle, merge;
struct ref {
    int count;
};
__device__ int count = 3;
__global__ void search(ref *r)
{
    array[threadIdx.x] = count;
    r->count = array[threadIdx.x] + list[0];
}
int main()
{
    ref *r;
    cudaMallocManaged(&r, sizeof *r);
    search<<<1, 1>>>(r);
    cudaDeviceSynchronize();
    int sum = r->count + function + map + vector + string + set + queue + stack + bitset
        + complex + future + thread + mutex + plus + less + hash + sort + find + reduce
        + accumulate + iota + shuffle + merge;
    puts(sum == 23 ? "right" : "wrong");
    return sum != 23;
}
END
compiles -std=c++14 globals.cu -o globals
runs ./globals
for standard in 17 20; do
    with_stacks -std=c++$standard globals.cu -o globals
    runs ./globals
done

# The C++ library in any order, in code of the host and of the device.
cat >library.cu <<'END'
#if __cplusplus >= 202002L
#include <ranges>
#endif
#include <map>
#include <sstream>
#include <deque>
#include <list>
#include <future>
#include <valarray>
#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>
#include <cstdio>
#include <optional>
template <class Function> __global__ void apply(Function f, int *p)
{
    std::array<int, 2> a = { 1, 2 };
    std::tuple<int, int> t(3, 4);
    *p = f(std::get<1>(t), std::max(a[0], a[1]));
}
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    apply<<<1, 1>>>(std::plus<int>(), p);
    cudaDeviceSynchronize();
    std::deque<int> d(3, 1), e(3);
    std::copy(d.begin(), d.end(), e.begin());
    std::list<int> l(e.begin(), e.end());
    l.sort();
    std::valarray<int> v(2, 4);
    std::map<std::string, std::vector<int>> m;
    m["a"].push_back(std::accumulate(std::begin(v), std::end(v), l.front()));
    auto later = std::async(std::launch::async, [] { return 100; });
    std::mt19937 engine(1);
    std::shuffle(d.begin(), d.end(), engine);
    std::ostringstream s;
    s << *p << m["a"][0] << later.get() << std::complex<float>(1, 2) << d[1]
      << std::optional<int>(5).value();
    bool is_right = s.str() == "69100(1,2)15";
    puts(is_right ? "right" : "wrong");
    return !is_right;
}
END
compiles -std=c++17 library.cu -o library
runs ./library
with_stacks -std=c++20 library.cu -o library
runs ./library

# Exceptions: what() of a class of the program overrides that of its base, and each class of
# the C++ library has its own.
cat >exceptions.cu <<'END'
#include <any>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>
struct E : std::exception {
    const char *what() const noexcept override { return "an E"; }
};
struct F : std::runtime_error {
    std::string more;
    F(std::string s) : runtime_error(s), more("an F: " + s) {}
    const char *what() const noexcept override { return more.c_str(); }
};
struct G : std::logic_error {
    G() : logic_error("its base") {}
    virtual const char *what() const throw() { return "a G"; }
};
struct H : std::bad_alloc {
    const char *what() const noexcept { return "an H"; }
};
__global__ void k(int *p)
{
    std::optional<int> o = 3;
    *p = o.value_or(4);
}
static int wrong;
template <class Kind = std::exception, class Function>
static void says(Function function, const char *text)
{
    try {
        function();
        wrong++;
    } catch (const Kind &e) {
        if (!strstr(e.what(), text)) {
            printf("%s, not %s\n", e.what(), text);
            wrong++;
        }
    }
}
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    k<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    says([] { throw E(); }, "an E");
    says([] { throw F("x"); }, "an F: x");
    says([] { throw G(); }, "a G");
    says([] { throw H(); }, "an H");
    says([] { throw std::runtime_error("plain"); }, "plain");
    says([] { std::vector<int>().at(3); }, "vector");
    says([] { std::function<void()>()(); }, "function");
    says([] { std::shared_ptr<int> s((std::weak_ptr<int>())); }, "weak");
    says([] { (void)std::filesystem::file_size("/nowhere/x"); }, "nowhere");
    auto twice = [] {
        std::promise<int> q;
        q.set_value(1);
        q.set_value(2);
    };
    auto opens = [] {
        std::ifstream f;
        f.exceptions(std::ios::failbit);
        f.open("/nowhere/x");
    };
    says(twice, "Promise");
    says<std::future_error>(twice, "Promise");
    says(opens, "iostream");
    says<std::ios_base::failure>(opens, "iostream");
    says<std::bad_optional_access>([] { std::optional<int>().value(); }, "optional");
    says<std::bad_variant_access>(
        [] {
            std::variant<int, float> v = 1;
            (void)std::get<float>(v);
        },
        "variant");
    puts(wrong == 0 && *p == 3 ? "right" : "wrong");
    return wrong;
}
END
compiles -std=c++17 exceptions.cu -o exceptions
runs ./exceptions
with_stacks -std=c++20 exceptions.cu -o exceptions
runs ./exceptions

# A race of two lanes names the barrier of the warp, too. A shuffle orders no memory.
cat >lanes.cu <<'END'
#include <cstring>
__global__ void exchange(int *out, int distance, bool ordered)
{
    __shared__ int box[64];
    int t = threadIdx.x;
    box[t] = t;
    int lane = __shfl_sync(~0u, t % 32, t % 32);
    if (ordered && distance < 32) {
        __syncwarp();
    } else if (ordered) {
        __syncthreads();
    }
    out[t] = box[t ^ distance] + lane;
}
int main(int argc, char **argv)
{
    int *out;
    cudaMallocManaged(&out, 64 * sizeof *out);
    exchange<<<1, 64>>>(out, strcmp(argv[1], "lanes") == 0 ? 1 : 32, argc > 2);
    return cudaDeviceSynchronize();
}
END
with_stacks -g lanes.cu -o lanes
weir_ends 1 check --runs 4 --no-fixes -- ./lanes lanes
says '^  why    neither __syncthreads\(\) nor __syncwarp\(\) lies between the two$'
weir_ends 1 check --runs 4 --no-fixes -- ./lanes warps
says '^  why    no __syncthreads\(\) lies between the two$'
for word in lanes warps; do
    weir_clean check --runs 4 --no-fixes -- ./lanes $word ordered
done

# A toolkit has libcu++, CUB and Thrust: its copies are used where Weir's are not enough, all of
# them then, and findings name their files. Beside them Weir's own headers stay.
mkdir -p toolkit/include/thrust toolkit/include/cuda toolkit/include/cub \
    copy/thrust/thrust copy/cub/cub copy/libcudacxx/include/cuda
cat >toolkit/include/thrust/twice.h <<'END'
#include <cuda/atomic>
__device__ inline void twice(int *p) { p[mine] = 2 * p[0]; }
END
echo '__device__ const int mine = 0;' >toolkit/include/cuda/atomic
echo '#error not this one' >toolkit/include/cuda_runtime.h
cp toolkit/include/thrust/twice.h copy/thrust/thrust
cp toolkit/include/cuda/atomic copy/libcudacxx/include/cuda
cat >taken.cu <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#include <thrust/twice.h>
__global__ void k(int *p) { twice(p); }
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 4;
    k<<<2, 1>>>(p);
    cudaDeviceSynchronize();
    puts(*p == 16 ? "right" : "wrong");
}
END
cat >own.cu <<'END'
#include <cstdio>
#include <cuda/atomic>
__global__ void k(int *p)
{
    cuda::atomic_ref<int, cuda::thread_scope_device>(*p).fetch_add(1);
}
int main()
{
    int *p;
    cudaMallocManaged(&p, sizeof *p);
    *p = 4;
    k<<<2, 1>>>(p);
    cudaDeviceSynchronize();
    puts(*p == 6 ? "right" : "wrong");
}
END
for path in toolkit copy; do
    with_stacks -g -w "--cuda-path=$path" taken.cu -o taken
    weir_ends 1 check --runs 4 --no-fixes -- ./taken
    says '^data race in kernel .k.' " (.*/)?$path/(include|thrust)/thrust/twice.h:2 "
    with_stacks --cuda-path "$path" own.cu -o own
    runs ./own
done
mkdir toolkit/include/cccl
mv toolkit/include/thrust toolkit/include/cuda toolkit/include/cccl
with_stacks -w --cuda-path toolkit taken.cu -o taken

# Static managed variables of two sources may have one name. Declared without __device__ one
# would be a variable of the host that no other object sees. A variable of the device with a
# value is not extern.
for n in 1 2; do
    cat >same$n.cu <<END
#include <cstdio>
static __device__ __managed__ int count = $n;
namespace { __device__ __managed__ int other = 10 * $n; }
namespace deep { static __device__ __managed__ int count = 100 * $n; }
__global__ void k$n() { count += 1, other += 2, deep::count += 3; }
bool is_right$n()
{
    k$n<<<1, 1>>>();
    cudaDeviceSynchronize();
    return count == $n + 1 && other == 10 * $n + 2 && deep::count == 100 * $n + 3;
}
END
done
cat >same.cu <<'END'
#include <cstdio>
bool is_right1(), is_right2();
int main() { puts(is_right1() && is_right2() ? "right" : "wrong"); }
END
with_stacks same.cu same1.cu same2.cu -o same
runs ./same
with_stacks -rdc=true same.cu same1.cu same2.cu -o same
runs ./same
sed 's/static __device__/static/' same1.cu >host1.cu
step='a static managed variable' status=0
"$nvcc" -c host1.cu -o host1.o >"$out" 2>"$err" || status=$?
test "$status" -eq 1 || bad "status $status, not 1"
grep -q "^weir-nvcc: host1.cu: the managed variable 'count' is static: declare it __device__" \
    "$err" || bad "it does not name the variable"
echo 'extern __device__ int n = 1; __global__ void k() { n++; }' >extern.cu
step='extern with a value' status=0
"$nvcc" -c extern.cu -o extern.o >"$out" 2>"$err" || status=$?
test "$status" -eq 1 || bad "status $status, not 1"
tail -n 1 "$err" | grep -q "is defined here: leave out 'extern'$" || bad "it says something else"
echo 'extern __device__ int n; __device__ int n = 1; __global__ void k() { n++; }' >extern.cu
with_stacks -c extern.cu -o extern.o

# Separate compilation: the host of one source uses a variable of the device that another one
# defines.
cat >counts.cu <<'END'
__device__ int counter = 1;
__constant__ int step;
__global__ void count() { atomicAdd(&counter, step); }
void run() { count<<<1, 32>>>(); }
END
cat >looks.cu <<'END'
#include <cstdio>
extern __device__ int counter;
extern __constant__ int step;
void run();
int main()
{
    int n = 2;
    cudaMemcpyToSymbol(step, &n, sizeof n);
    run();
    cudaMemcpyFromSymbol(&n, counter, sizeof n);
    puts(n == 65 ? "right" : "wrong");
}
END
with_stacks -rdc=true counts.cu looks.cu -o counts
runs ./counts

# Bad words, each with one line.
refuses()
{
    step="weir-nvcc $1"
    status=0
    # shellcheck disable=SC2086
    "$nvcc" $1 >"$out" 2>"$err" || status=$?
    test "$status" -eq 2 || bad "status $status, not 2"
    grep -q -e "$2" "$err" && test "$(wc -l <"$err")" -eq 1 || bad "it says something else"
}
refuses '' 'no input: name a source'
refuses 'none.cu' 'none.cu: no such file'
refuses '--frobnicate cuda-source.cu' '--frobnicate: an option that weir-nvcc does not know'
refuses '-Xcompiler -stdlib=libc++ cuda-source.cu' \
    "-stdlib=libc++: the kernels' headers stand beside libstdc++"
refuses '--cuda-path /nowhere cuda-source.cu' "--cuda-path /nowhere: it has no folder 'include'"
refuses '-ptx cuda-source.cu' 'makes no code for a GPU'
refuses 'cuda-source.cu -lcublas' 'does not have this library'

# Memory is called the same by both commands, and each call on the way to an access has
# one line, whatever the compiler does with the functions.
echo '__device__ void inner(int *w) { w[0] = (int)threadIdx.x; }
__device__ __noinline__ void outer(int *w) { inner(w); }
__global__ void k(int *w) { outer(w); }
int main() { int *data; cudaMalloc(&data, 64); k<<<1, 2>>>(data); return cudaDeviceSynchronize(); }' >both.cu
with_stacks both.cu -o both
for command in 'check --runs 1' 'explore'; do
    # Several words.
    # shellcheck disable=SC2086
    weir_ends 1 $command --no-fixes -- ./both
    says "^data race in kernel 'k'.*: data\[0\]"
    if test "$command" != explore; then
        test "$(grep -c 'called from outer at both.cu:2$' "$out")" -eq 2 \
            || bad "not one call of inner() an access"
        test "$(grep -c 'called from k at both.cu:3$' "$out")" -eq 2 \
            || bad "not one call of outer() an access"
    fi
done
# PTX decides, under which a volatile flag is strong; and what proves fixes does, too.
echo '__global__ void k(int *data, volatile int *flag, int *out) {
    if (blockIdx.x == 0) { *data = 42; FENCE; *flag = 1; } // sends
    else { while (*flag == 0) {} __threadfence(); *out = *data; } }
int main() { int *p; cudaMalloc(&p, 12); cudaMemset(p, 0, 12); k<<<2, 1>>>(p, p + 1, p + 2);
    return cudaDeviceSynchronize(); }' >flag.cu
with_stacks '-DFENCE=__threadfence()' flag.cu -o flag
weir_clean explore -- ./flag
says ', model ptx$' '^exhaustive: 1 execution;'
weir_clean check --runs 8 -- ./flag
weir_ends 1 explore --no-fixes --model sycl -- ./flag
says ', model sycl$' '^race of an atomic and a plain access'
with_stacks -DFENCE= flag.cu -o flag
weir_ends 1 explore --no-fixes -- ./flag
says "^data race in kernel 'k'.*: p\[0\]" 'flag.cu:.*// sends$'
weir_ends 1 check --no-fixes --runs 8 -- ./flag
says "^data race in kernel 'k'.*: p\[0\]" 'flag.cu:.*// sends$'
weir explore --no-fixes --jobs 2 -- ./flag
says "^under 'ptx', the model of CUDA's kernels, the options .* leave them out, or name another model$"
# Barriers, and relaxed operations of one location: as many threads as under sycl.
echo '__global__ void k(int *sum) { __shared__ int s[64]; int t = threadIdx.x;
    s[t] = 1; __syncthreads();
    for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; STEP; } // halves
    if (t == 0) atomicAdd(sum, s[0]); }
int main() { int *sum; cudaMalloc(&sum, 4); cudaMemset(sum, 0, 4); k<<<2, 64>>>(sum);
    int h; cudaMemcpy(&h, sum, 4, cudaMemcpyDeviceToHost); return h != 128; }' >halves.cu
with_stacks '-DSTEP=__syncthreads()' halves.cu -o halves
weir_clean explore -- ./halves
says ', model ptx$' 'sum\[0\]=128$' '^exhaustive: 2 executions;'
with_stacks -DSTEP= halves.cu -o halves
weir explore --no-fixes -- ./halves
says '^cannot be explored: under ptx it has too many histories, .*or explore it under sycl$' \
    "^data race in kernel 'k'"
# An exploration that is refused has no findings. A mask is not a distance.
echo '__global__ void k(int *w) { w[threadIdx.x] = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1); }
int main() { int *data; cudaMalloc(&data, 128); k<<<1, 32>>>(data); return cudaDeviceSynchronize(); }' >shift.cu
with_stacks shift.cu -o shift
weir_ends 2 explore --no-fixes -- ./shift
says '^cannot be explored: .*__shfl_down_sync'
says_nothing_of 'leaves no source'
weir_clean check --runs 1 -- ./shift
# Optimisation at link time is left out.
with_stacks -Xcompiler -flto=auto both.cu -o both
weir_ends 1 check --runs 1 --no-fixes -- ./both
with_stacks --no-instrument both.cu -o both
weir_ends 3 check --runs 1 --no-fixes -- ./both
says "^note: kernel 'k' is not instrumented: .* weir-nvcc, and without --no-instrument$"

# lacks TEXT: a source of that text does not compile, and the last line names the reason.
lacks()
{
    printf '%s\n' "$1" >lacks.cu
    step="a source with $1"
    status=0
    "$nvcc" -c lacks.cu -o lacks.o >"$out" 2>"$err" || status=$?
    test "$status" -eq 1 || bad "status $status, not 1"
    tail -n 1 "$err" | grep -q -e "$2" || bad "it does not name the reason"
}
lacks '#include <thrust/sort.h>' "^weir-nvcc: 'thrust/sort.h' .*: --cuda-path DIR takes it from a"
lacks '#include <cub/cub.cuh>
int n = cub::DeviceReduce::n;' 'CUB is for blocks and warps: --cuda-path DIR takes the rest from a'
lacks '#include <curand_kernel.h>' '^weir-nvcc: Weir does not have cuRAND: '
lacks '#include <cublas_v2.h>' "^weir-nvcc: Weir does not have the library of 'cublas_v2.h'$"
lacks '#include <helper_cuda.h>' '^weir-nvcc: helper_cuda.h is of NVIDIA.s samples'
lacks '__global__ void k(cudaTextureObject_t t) {}' 'does not have textures and surfaces: '
lacks '__global__ void k() {}
__global__ void all() { k<<<1, 1>>>(); }' 'does not have dynamic parallelism: '
# An error of the source's own has no such line.
lacks '#include "own.h"' '^1 error generated'
lacks '__global__ void k() { undeclared = 0; }' '^1 error generated'

# The header is compiled once: a copy in the cache that is damaged, or older than the header,
# is not used, and the next compilation makes another one.
mkdir -p cache/cuda
cp "$WEIR_CACHE_DIR"/cuda/*.bc "$WEIR_CACHE_DIR"/cuda/*.sum cache/cuda
WEIR_CACHE_DIR=$scratch/cache
step="a compiled header"
echo '__global__ void k() {}
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' >small.cu
with_stacks -DSOME=1 small.cu -o small
test "$(ls cache/cuda/*.pch | wc -l)" -eq 2 || bad "not one for each pass"
for copy in cache/cuda/*.pch; do
    echo damaged >"$copy"
done
compiles -DSOME=2 small.cu -o small
weir_clean run -- ./small
test -z "$(find cache -name '*.pch' -size -2)" || bad "a damaged copy is kept"
compiles -DSOME=2 small.cu -o small
for copy in cache/cuda/*.pch; do
    head -c 6000000 "$copy" >part && mv part "$copy"
done
compiles -DSOME=2 small.cu -o small
test -z "$(find cache -name '*.pch' -size 6000000c)" || bad "a copy that was cut is kept"
# So are Weir's own parts of each program: here one is cut, one empty, and one a folder. The
# cache may have those of other builds, too.
for part in cache/cuda/*-1.bc; do head -c 1000 "$part" >part && mv part "$part"; done
for part in cache/cuda/*-2.bc; do : >"$part"; done
for part in cache/cuda/*-3.bc; do rm "$part" && mkdir "$part"; done
compiles -DSOME=2 small.cu -o small
weir_clean run -- ./small
test "$(find cache -name '*.bc' -type f -size +8 | wc -l)" -eq 3 || bad "a damaged part is kept"

finish
