#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-fixes.sh: fixes of SYCL programs are in SYCL's words, on the lines of the program.
# Each example with one mistake gets the fix that is stated here; the program with the
# patch compiles with every C++ compiler, is clean, and prints what the example prints.
. "${top_srcdir:-.}/tests/cli/lib.sh"
fixes=yes
. "${top_srcdir:-.}/tests/cli/program.sh"

case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-} in
?*) echo "SKIP: a build with sanitizers"; exit 77 ;;
esac
compiler=$WEIR_LIB_DIR/weir-c++
examples=$(cd "$top_srcdir/examples/sycl" && pwd)
cd "$scratch" || exit 99
compilers=
for name in g++ clang++; do
    ! command -v $name >/dev/null 2>&1 || compilers="$compilers $name"
done
test -n "$compilers" || { echo "SKIP: no C++ compiler"; exit 77; }
CXX=${compilers##* }
export CXX

# build SOURCE PROGRAM: without a warning
build()
{
    step="weir-c++ $1 by $CXX"
    status=0
    "$compiler" -O1 -g -Wall -Wextra "$1" -o "$2" >"$out" 2>"$err" || status=$?
    test $status -eq 0 && test ! -s "$err" || bad "it does not compile, or warns"
}

# mistake EXAMPLE SED...: the example with changes is wrong.cpp, which is checked
mistake()
{
    example=$1
    cp "$examples/$1.cpp" wrong.cpp
    shift
    for change in "$@"; do
        cp wrong.cpp before.cpp
        sed "$change" before.cpp >wrong.cpp
        step="$example, '$change'"
        status=0
        ! cmp -s wrong.cpp before.cpp || bad "the change changes nothing"
    done
    try_fix
}

# Checks wrong.cpp, with the option --patch.
try_fix()
{
    build wrong.cpp ./wrong
    weir check --runs 6 --patch patch -- ./wrong
    ends_with 1
}

# at PATTERN: the number of the line
at()
{
    grep -n "$1" wrong.cpp | sed -n '1s/:.*//p'
}

# fixed PATTERN: there is a fix like that; the patch has the program print what the file
# $example.out holds, which the examples have, and leaves no finding. By $CXX, or all.
fixed()
{
    says "^  fix +$1 \\(tried: clean in [0-9]+ of [0-9]+ runs: no finding left; the program does not judge its answer"
    step="$example, patched"
    patch -s -p1 <./patch >"$out" 2>"$err" || bad "the patch does not apply"
    expected=$examples/$example.out
    test -f "$expected" || expected=$example.out
    for CXX in ${2:-$CXX}; do
        build wrong.cpp ./right
        status=0
        ./right >"$out" 2>"$err" || status=$?
        cmp -s "$out" "$expected" || bad "it does not print what $expected holds"
        weir check --runs 4 -- ./right
        ends_with 0
    done
}

# unfixed: nothing is offered
unfixed()
{
    says_nothing_of '^  fix '
    says '^no change of the kinds that weir tries repairs this$'
    test ! -s patch || bad "the patch is not empty"
}

# ---- Barriers ----------------------------------------------------------------------

for CXX in $compilers; do
    mistake single_group_tree '/part\[lid\] = mine;/{n;d}'
    fixed "insert sycl::group_barrier\\(it.get_group\\(\\)\\) after wrong.cpp:$(at 'part\[lid\] = mine')" \
        "$compilers"
done

# Names are those of the source: no qualification, another item, a variable for the group.
mistake single_group_tree '/part\[lid\] = mine;/{n;d}' 's/sycl::nd_/nd_/' \
    's/sycl::nd_/nd_/; s/sycl::queue/queue/; s/sycl::handler/handler/' \
    's/^int main/using namespace sycl;\n&/' 's/\<it\>/me/g' \
    's/size_t lid = me/auto mine_all = me.get_group(); &/' \
    's/sycl::group_barrier(me.get_group())/group_barrier(mine_all)/'
fixed "insert group_barrier\\(mine_all\\) after wrong.cpp:$(at 'part\[lid\] = mine')"

# In SYCL 1.2.1 the item has the barrier.
mistake single_group_tree '/part\[lid\] = mine;/{n;d}' 's,<sycl/sycl.hpp>,<CL/sycl.hpp>,' \
    's/sycl::group_barrier(it.get_group())/it.barrier(sycl::access::fence_space::local_space)/'
fixed "insert it.barrier\\(sycl::access::fence_space::local_space\\) after wrong.cpp:$(at 'part\[lid\] = mine')"

# A barrier of the wrong memory, and one of the sub-group. One of the right memory stays.
mistake single_group_tree \
    's/sycl::group_barrier(it.get_group())/it.barrier(sycl::access::fence_space::global_space)/' \
    '/part\[lid\] = mine/{n;s/global_space/local_space/}'
fixed "sycl::access::fence_space::global_and_local instead of sycl::access::fence_space::global_space in the barrier at wrong.cpp:$(at global_space)"
grep -q 'fence_space::local_space' wrong.cpp || bad "the other barrier is changed"
mistake multiblock 's/items = 8,/items = 32,/; s/n = 64/n = 256/' \
    's/group_barrier(it.get_group())/group_barrier(it.get_sub_group())/'
says '^  fix +it.get_group\(\) instead of it.get_sub_group\(\) in the barrier at wrong.cpp:'

# ---- Items that part ---------------------------------------------------------------

mistake single_group_tree \
    '/part\[lid\] += part/{n;N;s/\(.*\)\n\(.*\)/\2\n\1/;}'
barrier=$(grep -n group_barrier wrong.cpp | sed -n '2s/:.*//p')
fixed "move the barrier of line $barrier out of the branch, after wrong.cpp:$((barrier + 1))"

# ---- Atomics -----------------------------------------------------------------------

mistake last_group 's/memory_order::acq_rel/memory_order::relaxed/'
fixed "sycl::memory_order::acq_rel instead of sycl::memory_order::relaxed at wrong.cpp:$(at memory_order::relaxed)"
mistake single_happens_before \
    's/ready.load() == 0/ready.load(sycl::memory_order::relaxed) == 0/'
fixed "sycl::memory_order::acquire instead of sycl::memory_order::relaxed at wrong.cpp:$(at memory_order::relaxed)"

# A name for it: of a parameter of the template, by its default.
mistake last_group 's/sycl::memory_scope::device/near/' \
    's/^int main/template <sycl::memory_scope near = sycl::memory_scope::work_group>\nint answer/' \
    '$s/.*/    return 0;\n}\nint main() { return answer(); }/'
fixed "sycl::memory_scope::device instead of near at wrong.cpp:$(at ' near>')"

# A plain update: the element's type is that of the declaration.
mistake global_atomics 's/total += numbers/*sum += numbers/' '/atomic_ref/,/total(/d'
fixed "make the read-modify-write atomic, 'sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>\\(\\*sum\\) \\+= numbers\\[i\\];', at wrong.cpp:$(at '\*sum +=')"
mistake histogram 's/bin++;/mine[values[it.get_global_id(0)] % bins]++;/' \
    '/work_group,$/,/bin(mine/d' '/atomic_ref<unsigned.*relaxed,$/{N;/mine\[/s/.*\n//}'
fixed "make the read-modify-write atomic, 'sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>\\(mine\\[values\\[it.get_global_id\\(0\\)\\] % bins\\]\\)\\+\\+;', at wrong.cpp:$(at '\]++')"

# ---- Memory ------------------------------------------------------------------------

mistake histogram '/q.fill(counts/d'
fixed "write 'counts' before the launch, 'q.memset\\(counts, 0, bins \\* sizeof\\(\\*counts\\)\\).wait\\(\\);', after wrong.cpp:$(at '\*counts =')"
mistake histogram 's/mine\[lid\] = 0;//'
fixed "insert 'for .size_t i = it.get_local_linear_id\\(\\); i < bins; i \\+= it.get_local_range\\(\\).size\\(\\)\\) mine\\[i\\] = 0;' and sycl::group_barrier\\(it.get_group\\(\\)\\) before wrong.cpp:$(at 'size_t lid')"

# Sizes are numbers of elements, of local memory and of the host's.
mistake single_group_tree 's/part(items, h)/part(items - 1, h)/'
fixed "enlarge to 8 elements, 'items', at wrong.cpp:$(at 'part(items')"
mistake last_group 's/malloc_device<int>(groups, q)/malloc_device<int>(7, q)/'
says '^out-of-bounds write .*: partial\[7\] of 7 elements$'
fixed "enlarge to 8 elements, '8', at wrong.cpp:$(at 'partial =')"

finish
