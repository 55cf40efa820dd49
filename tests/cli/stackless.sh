#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stackless.sh: weir-cc makes stackless entries where it can, with each clang here, and
# says why where it cannot; the answers and findings are those of the entries with stacks.
. "${top_srcdir:-.}/tests/arch/lib.sh"
rmdir "$scratch" # the other lib.sh makes its own
. "${top_srcdir:-.}/tests/cli/lib.sh"

use_weir_cc
test -f "$tree/libweir.a" || skip "no libweir.a"
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" || skip "a sanitizer"
source=$(cd "$top_srcdir/tests/cli" && pwd)/stackless.c
cd "$scratch" || exit 99

# compile ARGUMENT...: makes ./program
compile()
{
    step="weir-cc $*"
    rm -f program
    status=0
    "$tree/weir-cc" "$@" "$source" -o program >"$out" 2>"$err" || status=$?
}

# program KERNEL [stackful]
program()
{
    step="program $* ($how)"
    status=0
    ./program "$@" >"$out" 2>"$err" || status=$?
}

# stands KERNEL ENTRY STACKS: the program answers as with stacks, of which its items have so
# many.
stands()
{
    program "$1" stackful
    wanted=$(cut -d' ' -f1 "$out")
    ends_with 0
    case $1 in
    none | columns | wide) grep -q ' 1$' "$out" || bad "its items have stacks: $(cat "$out")" ;;
    *) grep -q ' 16$' "$out" || bad "its items have no stacks: $(cat "$out")" ;;
    esac
    program "$1"
    ends_with 0
    test "$(cat "$out")" = "$wanted $2 $3" || bad "prints '$(cat "$out")', not '$wanted $2 $3'"
}

# finds KERNEL LINE [stackful]
finds()
{
    program "$1" ${3-}
    ends_with 1
    grep -q "$2" "$err" || bad "does not find '$2'"
}

# finds_both KERNEL LINE: with stacks, and without
finds_both()
{
    finds "$1" "$2" stackful
    finds "$1" "$2"
}

# The line of the only barrier of the kernel that does not end.
waits_at=$(awk '/^WEIR_KERNEL\(endless/ { inside = 1 }
                inside && /weir_barrier/ { print NR; exit }' "$source")

try_all()
{
    stands tree stackless 1
    stands none stackful 1
    stands many stackless 1
    stands values stackless 1
    stands helper stackless 16
    stands spins stackless 1
    stands parts stackless 1
    stands turns stackless 1
    stands copied stackless 1
    stands vectors stackless 1
    stands keeps stackless 1
    stands leaves stackless 1
    stands columns stackless 1
    stands wide stackful 1
    stands adds stackless 1
    stands tickets stackless 1
    stands results stackless 1
    stands strides stackless 1
    stands addresses stackless 1
    stands grows stackful 16
    stands shrinks stackful 16
    finds_both diverges 'items 1,3,5,7,9,11,13,15 *returned'
    finds_both faults "kernel 'faults', group (3,0,0), item (15,0,0)"
    finds_both faults_plainly "kernel 'faults_plainly', group (2,0,0), item (2,1,0)"
    # With stacks the place is known where there is debug information.
    finds endless "limit of 0.5 seconds; item [0-9]* of group ([0-3],0,0) is at .*stackless.c:$waits_at\$"
}

clangs=
for clang in $(clangs); do
    if WEIR_CLANG=$clang "$tree/weir-split" --version >/dev/null 2>&1; then
        clangs="$clangs $clang"
    fi
done
test -n "$clangs" || skip "no clang of version 14 or later"

for clang in $clangs; do
    WEIR_CLANG=$clang
    export WEIR_CLANG
    how=$clang
    compile --stackless -g
    ends_with 0
    grep -q "kernel 'grows' have stacks: an array of variable length" "$err" \
        || bad "does not say why 'grows' has stacks: $(cat "$err")"
    try_all
done
# Without -march= there are vectors for two processors, which takes a quarter of the time.
for how in '-g -O3 -march=native --fat' '-O2 --no-instrument'; do
    # shellcheck disable=SC2086
    compile --stackless $how
    ends_with 0
    try_all
done

# In two steps, each of them by default.
how='-c'
"$tree/weir-cc" -g -O2 -DONLY_TREE -c "$source" -o object.o && "$tree/weir-cc" object.o -o program \
    || bad "does not compile in two steps"
stands tree stackless 1

# For code of LLVM, as the platform of OpenCL has it, arguments say whether it may stand
# anywhere, for any code.
how='code of LLVM'
status=0
: >"$out"
# shellcheck disable=SC2046
{
    "$WEIR_CLANG" -w -O1 -DONLY_TREE -DWEIRI_FAT=3 -fno-pic "-I$WEIR_INCLUDE_DIR" \
        $(pkg-config --cflags glib-2.0) -S -emit-llvm "$source" -o tree.ll \
        && "$tree/weir-split" tree.o tree.ll -O2 -fPIC && ${CC:-cc} -shared tree.o -o tree.so
} 2>"$err" || bad "is not code for a shared object"

# The built-in kernels.
for kernel in reduce_tree reduce_shuffle histogram_local_relaxed; do
    for option in '' --stackful; do
        # shellcheck disable=SC2086
        weir run $kernel --n 5000 $option
        ends_with 0
        grep -q 'expected.*right$' "$out" || bad "is wrong"
    done
done

# ---- Where there is none -------------------------------------------------------------

for how in '-O2 --no-stackless' -g; do
    # shellcheck disable=SC2086
    compile -DONLY_TREE $how
    ends_with 0
    program tree
    grep -q ' stackful 16$' "$out" || bad "has a stackless entry: $(cat "$out")"
done

# refuses WORDS ARGUMENT...: --stackless fails with these words, and without it there is a
# program.
refuses()
{
    words=$1
    shift
    compile --stackless -DONLY_TREE "$@"
    test "$status" -ne 0 || bad "does not fail"
    grep -q "$words" "$err" || bad "does not say '$words': $(cat "$err")"
    test ! -e program || bad "left a program"
    how=$*
    compile -DONLY_TREE "$@"
    ends_with 0
    test ! -s "$err" || bad "warns: $(cat "$err")"
    program tree
    ends_with 0
    grep -q ' stackful 16$' "$out" || bad "has a stackless entry: $(cat "$out")"
}
for static in 1 2 3; do
    refuses "static variables 'calls'.*make them global" -O1 -DSTATIC=$static
done
compile --stackless -DONLY_TREE -O1 -DSTATIC=4
ends_with 0
refuses 'give -O1 or more' -O0

# Where no kernel that waits has one, and where the object cannot be written, none is left.
# part STATUS WORDS ARGUMENT...
part()
{
    wanted=$1
    words=$2
    shift 2
    how=$*
    status=0
    "$tree/weir-cc" "$@" -c far.c -o far.o >"$out" 2>"$err" || status=$?
    ends_with "$wanted"
    test -z "$words" || grep -q "$words" "$err" || bad "does not say '$words': $(cat "$err")"
    test "$wanted" -eq 0 || test ! -e far.o || bad 'left an object'
    test ! -e far.o.part || bad 'left a part of an object'
    rm -f far.o
}
cat >far.c <<'END'
#include <weir-kernel.h>
#include <weir.h>
#ifndef INLINED
__attribute__((noinline))
#endif
static void meet(struct weir_item *item)
{
    weir_barrier(item, WEIR_LOCAL);
}
struct far_args {
    int *out;
};
WEIR_KERNEL(far, struct far_args)
{
    int *part = weir_local_array(item, int, 8);
    part[weir_local_id(item, 0)] = 1;
#ifdef MANY
#define FOUR(what) what what what what
#define FOUR_(what) what what what what
#define FOUR__(what) what what what what
#define FOUR___(what) what what what what
    FOUR(FOUR_(FOUR__(FOUR___(meet(item);))))
#endif
    meet(item);
    args->out[weir_global_id(item, 0)] = part[7 - weir_local_id(item, 0)];
}
END
part 0 '' -O1
part 0 '' -O1 --stackless -DINLINED
part 0 '' --no-instrument --stackless -DINLINED
part 1 "kernel 'far' have stacks: they wait in a function that was not inlined" -O1 --stackless
part 1 "kernel 'far' have stacks: more than 255 places where they wait" -O1 --stackless \
    -DINLINED -DMANY
part 2 'these arguments do not go with it' -O1 --stackless -DINLINED -fsanitize=undefined
mkdir bin
printf '%s\n' '#!/bin/sh' 'head -c 100 "$1" >"$2"' \
    'echo "cp: error writing it: No space left on device" >&2' 'exit 1' >bin/cp
chmod +x bin/cp
path=$PATH
PATH=$PWD/bin:$PATH
part 2 '^weir-cc: cannot write far.o: No space left on device' -O1 -DINLINED
PATH=$path
export TMPDIR=./none
part 2 '^weir-cc: cannot make a folder in ./none: ' -O1 -DINLINED
unset TMPDIR

printf '%s\n' '#!/bin/sh' 'test "$1" != -print-resource-dir || exec "$CLANG" "$@"' \
    'kill -SEGV $$' >clang-fails
chmod +x clang-fails
export CLANG="$WEIR_CLANG"
WEIR_CLANG=$PWD/clang-fails
part 0 '' -O1 -DINLINED
part 1 'clang-fails was ended by signal 11' -O1 -DINLINED --stackless
WEIR_CLANG=/bin/true
part 0 'true is not clang of version 14 or later' -O1 -DINLINED
part 2 'true is not clang of version 14 or later' -O1 -DINLINED --stackless
WEIR_CLANG=./no-such-clang
refuses 'no clang of version 14 or later' -O1

# With a clang that Weir was not tried with, kernels have stacks, and a line says so. With
# the option they need its libLLVM.
printf '#!/bin/sh\ntest "$1" != -print-resource-dir || echo /none/lib/clang/99\n' >clang-99
chmod +x clang-99
WEIR_CLANG=$PWD/clang-99
how='clang 99'
compile -DONLY_TREE -O1
ends_with 0
grep -q 'version 99, which was not tried with Weir.*get only entries with stacks' "$err" \
    || bad "does not say so: $(cat "$err")"
program tree
grep -q ' stackful 16$' "$out" || bad "has a stackless entry: $(cat "$out")"
compile --stackless -DONLY_TREE -O1
test "$status" -ne 0 || bad "does not fail"
grep -q 'no libLLVM of version 99' "$err" || bad "does not say why: $(cat "$err")"

finish
