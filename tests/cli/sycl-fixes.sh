#!/bin/sh
# SPDX-License-Identifier: MIT
#
# sycl-fixes.sh: fixes of SYCL programs are in SYCL's words, on the lines of the program.
# Each example with one mistake gets the fix that is stated here. The programs with the
# patches compile with every C++ compiler, are clean, and print what the examples print:
# they are joined to one program in the end. Before, each is one of its own, since a trial
# of a fix compiles the whole file.
. "${top_srcdir:-.}/tests/cli/lib.sh"
. "${top_srcdir:-.}/tests/cli/sycl-lib.sh"
use_compilers clang++ g++

# mistake NAME EXAMPLE SED...: the example with changes is NAME.cpp, which is checked
mistake()
{
    name=$1
    example=$2
    cp "$examples/$2.cpp" "$name.cpp"
    shift 2
    for change in "$@"; do
        cp "$name.cpp" before
        sed "$change" before >"$name.cpp"
        step="$example, '$change'"
        status=0
        ! cmp -s "$name.cpp" before || bad "the change changes nothing"
    done
    # shellcheck disable=SC2086
    compiles --no-stackless $precompiled $level "$name.cpp" -o "./$name"
    weir_ends 1 check --runs 6 --patch patch -- "./$name"
    says_nothing_of 'sycl/weir/' 'weiri?_' '_Z[A-Z]' 'memory_order_'
}

# at PATTERN: the number of the line
at()
{
    grep -n "$1" "$name.cpp" | sed -n '1s/:.*//p'
}

# fixed PATTERN: there is a fix like that, whose patch applies
fixed()
{
    says "^  fix +$1 \\(tried: clean in [0-9]+ of [0-9]+ runs: no finding left; the program does not judge its answer"
    step="$name, patched"
    patch -s -p1 <./patch >"$out" 2>"$err" || bad "the patch does not apply"
    patched="$patched $name:$example"
}

patched=
precompiles

# ---- Barriers ----------------------------------------------------------------------

no_barrier()
{
    mistake barrier single_group_tree '/part\[lid\] = mine;/{n;d}'
    fixed "insert sycl::group_barrier\\(it.get_group\\(\\)\\) after barrier.cpp:$(at 'part\[lid\] = mine')"
}
no_barrier

# Names are those of the source: no qualification, another item, a variable for the group.
mistake names single_group_tree '/part\[lid\] = mine;/{n;d}' 's/sycl::nd_/nd_/' \
    's/sycl::nd_/nd_/; s/sycl::queue/queue/; s/sycl::handler/handler/' \
    's/^int main/using namespace sycl;\n&/' 's/\<it\>/me/g' \
    's/size_t lid = me/auto mine_all = me.get_group(); &/' \
    's/sycl::group_barrier(me.get_group())/group_barrier(mine_all)/'
fixed "insert group_barrier\\(mine_all\\) after names.cpp:$(at 'part\[lid\] = mine')"

# In SYCL 1.2.1 the item has the barrier.
mistake older single_group_tree '/part\[lid\] = mine;/{n;d}' 's,<sycl/sycl.hpp>,<CL/sycl.hpp>,' \
    's/sycl::group_barrier(it.get_group())/it.barrier(sycl::access::fence_space::local_space)/'
fixed "insert it.barrier\\(sycl::access::fence_space::local_space\\) after older.cpp:$(at 'part\[lid\] = mine')"

# A barrier of the wrong memory, and one of the sub-group. One of the right memory stays.
mistake space single_group_tree \
    's/sycl::group_barrier(it.get_group())/it.barrier(sycl::access::fence_space::global_space)/' \
    '/part\[lid\] = mine/{n;s/global_space/local_space/}'
fixed "sycl::access::fence_space::global_and_local instead of sycl::access::fence_space::global_space in the barrier at space.cpp:$(at global_space)"
grep -q 'fence_space::local_space' space.cpp || bad "the other barrier is changed"
mistake sub_group multiblock 's/items = 8,/items = 32,/; s/n = 64/n = 256/' \
    's/group_barrier(it.get_group())/group_barrier(it.get_sub_group())/'
says '^  fix +it.get_group\(\) instead of it.get_sub_group\(\) in the barrier at sub_group.cpp:'

# ---- Items that part ---------------------------------------------------------------

mistake parted single_group_tree \
    '/part\[lid\] += part/{n;N;s/\(.*\)\n\(.*\)/\2\n\1/;}'
barrier=$(grep -n group_barrier parted.cpp | sed -n '2s/:.*//p')
fixed "move the barrier of line $barrier out of the branch, after parted.cpp:$((barrier + 1))"

# ---- Atomics -----------------------------------------------------------------------

mistake release last_group 's/memory_order::acq_rel/memory_order::relaxed/'
fixed "sycl::memory_order::acq_rel instead of sycl::memory_order::relaxed at release.cpp:$(at memory_order::relaxed)"
mistake acquire single_happens_before \
    's/ready.load() == 0/ready.load(sycl::memory_order::relaxed) == 0/'
fixed "sycl::memory_order::acquire instead of sycl::memory_order::relaxed at acquire.cpp:$(at memory_order::relaxed)"

# A name for it: of a parameter of the template, by its default.
mistake scope last_group 's/sycl::memory_scope::device/near/' \
    's/^int main/template <sycl::memory_scope near = sycl::memory_scope::work_group>\nint answer/' \
    '$s/.*/    return 0;\n}\nint main() { return answer(); }/'
fixed "sycl::memory_scope::device instead of near at scope.cpp:$(at ' near>')"

# A plain update: the element's type is that of the declaration.
mistake plain global_atomics 's/total += numbers/*sum += numbers/' '/atomic_ref/,/total(/d'
fixed "make the read-modify-write atomic, 'sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>\\(\\*sum\\) \\+= numbers\\[i\\];', at plain.cpp:$(at '\*sum +=')"
mistake bins histogram 's/bin++;/mine[values[it.get_global_id(0)] % bins]++;/' \
    '/work_group,$/,/bin(mine/d' '/atomic_ref<unsigned.*relaxed,$/{N;/mine\[/s/.*\n//}'
fixed "make the read-modify-write atomic, 'sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>\\(mine\\[values\\[it.get_global_id\\(0\\)\\] % bins\\]\\)\\+\\+;', at bins.cpp:$(at '\]++')"

# ---- Memory ------------------------------------------------------------------------

mistake unfilled histogram '/q.fill(counts/d'
fixed "write 'counts' before the launch, 'q.memset\\(counts, 0, bins \\* sizeof\\(\\*counts\\)\\).wait\\(\\);', after unfilled.cpp:$(at '\*counts =')"
mistake unset histogram 's/mine\[lid\] = 0;//'
fixed "insert 'for .size_t i = it.get_local_linear_id\\(\\); i < bins; i \\+= it.get_local_range\\(\\).size\\(\\)\\) mine\\[i\\] = 0;' and sycl::group_barrier\\(it.get_group\\(\\)\\) before unset.cpp:$(at 'size_t lid')"

# Sizes are numbers of elements, of local memory and of the host's.
mistake small single_group_tree 's/part(items, h)/part(items - 1, h)/'
fixed "enlarge to 8 elements, 'items', at small.cpp:$(at 'part(items')"
mistake seven last_group 's/malloc_device<int>(groups, q)/malloc_device<int>(7, q)/'
says '^out-of-bounds write .*: partial\[7\] of 7 elements$'
fixed "enlarge to 8 elements, '8', at seven.cpp:$(at 'partial =')"

# ---- By other compilers, and with the patches ----------------------------------------

first=$CXX
joined=$patched
precompiled=
for CXX in $compilers; do
    test "$CXX" = "$first" || no_barrier
done
# shellcheck disable=SC2046
joins $(echo "$joined" | sed 's/:[a-z_]*//g')
for CXX in $compilers; do
    compiles $stacks $level all.cpp -o ./all
    for name in $joined; do
        prints "$(cat "$examples/${name#*:}.out")" ./all "${name%:*}"
        weir_ends 0 check --runs 4 -- ./all "${name%:*}"
    done
done
finish
