#!/bin/sh
# SPDX-License-Identifier: MIT
#
# weir-cc.sh: the compiler wrapper compiles with hooks, links without, in one step
# or in two, with any compiler here, and says clearly what it cannot do.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# A folder of its own: another process may compile at the same time.
mkdir -p "$scratch/tmp"
TMPDIR=$scratch/tmp
export TMPDIR

wrapper=$(cd "$top_builddir" && pwd)/weir-cc
WEIR_LIB_DIR=$(cd "$top_builddir" && pwd)
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
export WEIR_INCLUDE_DIR WEIR_LIB_DIR
test -f "$WEIR_LIB_DIR/libweir.a" || skip "no libweir.a"

cat >"$scratch/kernel.c" <<'END'
#include <weir-kernel.h>
typedef struct { int32_t *out; } square_args;
WEIR_KERNEL(square, square_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = (int32_t)(i * i);
}
END
cat >"$scratch/my main.c" <<'END'
#include <weir-kernel.h>
#include <weir.h>
#include <stdio.h>
typedef struct { int32_t *out; } square_args;
WEIR_DECLARE_KERNEL(square);
int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int32_t *out = weir_new(device, int32_t, 8, "out");
    square_args args = { out };
    if (!weir_launch(device, &square, weir_nd_range_1d(8, 4), &args, NULL)) {
        return 1;
    }
    printf("%d %s %s\n", out[7], square.checked != NULL ? "checked" : "fast", WORD);
    weir_device_free(device);
    return 0;
}
END
cd "$scratch" || exit 99

# prints EXPECTED PROGRAM
prints()
{
    said=$("$2" 2>&1)
    if test "$said" = "$1"; then
        good "$CC: $2 prints '$1'"
    else
        bad "$CC: $2 prints '$said', not '$1'"
    fi
}

# Two entries of a kernel from two compilations, with variables of external linkage, a
# helper, and what must not be there twice.
cat >"$scratch/my fat.c" <<'END'
#include <weir-kernel.h>
#include <weir.h>
#include <stdio.h>
typedef struct { const int32_t *a; int32_t *out; size_t n; } add_args;
extern int32_t elsewhere;
int32_t base = 10, started;
static int quiet;
static const char *const words[] = { "two", "words" };
int32_t helped(int32_t v);
__attribute__((noinline)) int32_t helped(int32_t v) { base += 0; return v + base; }
WEIR_KERNEL(plain, add_args)
{
    size_t i = weir_global_id(item, 0);
    args->out[i] = args->a[i] + 1;
}
WEIR_KERNEL(other, add_args)
{
    size_t i = weir_global_id(item, 0);
    weir_barrier(item, WEIR_LOCAL);
    args->out[i] = helped((int32_t)i) + elsewhere + words[i % 2][0] - words[i % 2][0];
}
WEIR_GROUP_KERNEL(group_form, add_args)
{
    weir_for_each_item(item, group) {
        size_t i = weir_global_id(item, 0);
        if (i < args->n) {
            args->out[i] = args->a[i] + 1;
        }
    }
}
__attribute__((constructor)) static void start(void) { started++; quiet++; }
int main(void)
{
    struct weir_device *device = weir_device_new("default", NULL);
    int32_t *out = weir_new(device, int32_t, 8, "out");
    add_args args = { out, out, 8 };
    base = 20;
    elsewhere = 300;
    if (!weir_launch(device, &other, weir_nd_range_1d(8, 4), &args, NULL)) {
        return 1;
    }
    printf("%d %d %d\n", out[7], started, quiet);
    weir_device_free(device);
    return 0;
}
END
cat >"$scratch/elsewhere.c" <<'END'
#include <weir-kernel.h>
typedef struct { int32_t *out; } one_args;
int32_t elsewhere = 100;
WEIR_KERNEL(last, one_args) { *args->out = elsewhere; }
END

# calls_hooks OBJECT FUNCTION: whether its code, split parts included, calls a hook; 2
# where there is no such function.
calls_hooks()
{
    objdump -dr --no-show-raw-insn "$1" | awk -v name="$2" '
        /^[0-9a-f]+ <.*>:$/ {
            inside = $2 ~ "^<" name "(_item)?[.>]"
            found += inside
        }
        inside && /__(tsan|sanitizer)_/ { hooks++ }
        END { exit !found ? 2 : !hooks }'
}

# instructions OBJECT FUNCTION
instructions()
{
    objdump -d --no-show-raw-insn "$1" | awk -F '\t' -v name="<$2>:" '
        /^[0-9a-f]+ <.*>:$/ { inside = index($0, name) > 0; next }
        inside && NF > 1 { sub(/ *[#<].*/, "", $2); gsub(/[0-9a-f]{3,}/, "", $2); print $2 }'
}

try_fat()
{
    mkdir -p "out put"
    "$wrapper" --fat -O3 "my fat.c" elsewhere.c -o "a fat one" -lm || bad "$CC: --fat"
    prints "327 1 1" "./a fat one"
    if command -v ldd >/dev/null 2>&1 && ldd "a fat one" | grep -q tsan; then
        bad "$CC: ThreadSanitizer's runtime is linked"
    fi

    # Two steps; and the object's two sides.
    "$wrapper" --fat -O3 -MMD -c "my fat.c" -o "out put/fat.o" \
        && "$wrapper" --fat -O3 -c elsewhere.c \
        && "$wrapper" "out put/fat.o" elsewhere.o -o two-steps || bad "$CC: --fat -c"
    prints "327 1 1" ./two-steps
    grep -q '^out\\ put/fat.o:.*my\\ fat.c' "out put/fat.d" || bad "$CC: --fat -MMD"
    test "$(ls "out put")" = "$(printf 'fat.d\nfat.o')" || bad "$CC: --fat leaves files"
    for kernel in plain other group_form; do
        calls_hooks "out put/fat.o" ${kernel}__checked \
            || bad "$CC: --fat: ${kernel}__checked is missing or calls no hook"
        calls_hooks "out put/fat.o" ${kernel}__fast
        test $? -eq 1 || bad "$CC: --fat: ${kernel}__fast is missing or calls hooks"
    done
    calls_hooks "out put/fat.o" main && bad "$CC: --fat: main() calls hooks"
    test "$($NM "out put/fat.o" | grep -c ' [A-Z] \(base\|started\)$')" -eq 2 \
        || bad "$CC: --fat: not one base and one started"
    test "$($NM "out put/fat.o" | grep -c ' [tT] helped$')" -ge 2 \
        || bad "$CC: --fat: the checked entry has no helped() of its own"
    "$wrapper" --no-stackless --no-instrument -O3 -c "my fat.c" -o plain.o || bad "$CC: --no-instrument -c"
    for kernel in plain group_form; do
        instructions plain.o ${kernel}__fast >plain
        instructions "out put/fat.o" ${kernel}__fast >fat
        test -s plain && cmp -s plain fat \
            || { bad "$CC: --fat: another ${kernel}__fast than without hooks"; diff plain fat; }
    done
    if test "$(uname -m)" = x86_64; then
        instructions "out put/fat.o" plain__fast | grep -q '^p\(add\|sub\)d' \
            || bad "$CC: --fat: plain__fast is not vectorised"
    fi
    for relocations in '-fPIC -fno-semantic-interposition' '-fno-pic -fcommon'; do
        # shellcheck disable=SC2086
        "$wrapper" --no-stackless --fat -O2 $relocations -c "my fat.c" -o "out put/fat.o" || bad "$CC: $relocations"
        objdump -r -j .text.helped "out put/fat.o" | grep -q 'base' \
            || bad "$CC: --fat $relocations: helped() uses a base of its own"
    done

    rm -f ./*.o shown
    "$wrapper" --show --fat -O1 "my fat.c" elsewhere.c -o shown >commands
    test ! -e shown || bad "$CC: --show compiles"
    sh -e commands && prints "327 1 1" ./shown
}

try()
{
    export CC="$1"
    word='-DWORD="two words"'

    "$wrapper" -O1 "$word" kernel.c "my main.c" -o one-step -lm || bad "$CC: one step"
    prints "49 checked two words" ./one-step
    if command -v ldd >/dev/null 2>&1 && ldd one-step | grep -q tsan; then
        bad "$CC: ThreadSanitizer's runtime is linked"
    fi

    "$wrapper" -O1 -c kernel.c && "$wrapper" -O1 "$word" -c "my main.c" -o main.o \
        && "$wrapper" main.o kernel.o -o two-steps || bad "$CC: two steps"
    prints "49 checked two words" ./two-steps

    "$wrapper" --no-instrument -O2 "$word" kernel.c "my main.c" -o plain || bad "$CC: plain"
    prints "49 fast two words" ./plain

    "$wrapper" "$word" -MMD kernel.c "my main.c" -o with-depends || bad "$CC: -MMD"
    grep -q weir-kernel.h kernel.d || bad "$CC: -MMD writes no kernel.d"
    "$wrapper" -E kernel.c | grep -q square__body || bad "$CC: -E"
    "$wrapper" -S kernel.c -o - | grep -q square__fast || bad "$CC: -S"
    printf 'int main(void) { return 0; }\n' | "$wrapper" -x c - -o from-stdin \
        && ./from-stdin || bad "$CC: a program from standard input"

    # --show prints commands that work when pasted.
    rm -f ./*.o shown
    "$wrapper" --show -O1 "$word" kernel.c "my main.c" -o shown >commands
    test ! -e shown || bad "$CC: --show compiles"
    sh -e commands && prints "49 checked two words" ./shown
    if grep -- '-o shown' commands | grep -q fsanitize=thread; then
        bad "$CC: --show has hooks on the link"
    fi
    "$wrapper" --show | grep -q -- -fsanitize=thread || bad "$CC: --show alone"

    # Lines for findings, and no code without optimization, unless the user says so.
    "$wrapper" --show -c kernel.c >commands
    grep -q -- ' -g ' commands && grep -q -- ' -O1 ' commands || bad "$CC: no -g or -O1"
    "$wrapper" --show -g0 -O2 -c kernel.c >commands
    grep -q -- ' -g \| -O1 ' commands && bad "$CC: -g or -O1 against the user's"
    "$wrapper" --show --no-instrument -c kernel.c >commands
    grep -q -- ' -g \| -O1 ' commands && bad "$CC: -g or -O1 without hooks"
    # gcc would put the hooks of -flto into the program at the link, and there not at all.
    "$CC" --version | grep -q clang || for lto in -flto -flto=auto; do
        "$wrapper" -O2 $lto -c kernel.c -o lto.o && nm lto.o | grep -q __tsan_write4 \
            || bad "$CC: $lto leaves out the hooks"
        "$wrapper" --no-instrument --show $lto -c kernel.c | grep -q fno-lto \
            && bad "$CC: --no-instrument $lto does not optimise the link"
    done
    for verbose in '' -v; do
        "$wrapper" --show $verbose one.o | grep -q -- --wrap=memcpy \
            || bad "$CC: ${verbose:-it} links without --wrap"
    done
    "$wrapper" --show -v | grep -q -- -lweir && bad "$CC: -v alone links"
    if command -v objdump >/dev/null 2>&1; then
        try_fat
    fi
}
# A library that is instrumented itself links with its own compiler only.
if test -n "$SANITIZE_FLAGS$COVERAGE_CFLAGS"; then
    all=$CC
else
    all=$(compilers)
fi
for compiler in $all; do
    try "$compiler"
done

# refuses STATUS MESSAGE ARGUMENT...
refuses()
{
    status=$1 message=$2
    shift 2
    "$wrapper" "$@" >out 2>err
    seen=$?
    test $seen -eq "$status" || bad "weir-cc $*: status $seen, not $status"
    grep -q -- "$message" err || { bad "weir-cc $*: does not say '$message'"; cat err; }
}
refuses 2 'no input files'
refuses 2 "argument to '-o' is missing" kernel.c -o
refuses 2 'must not be in a shared object' -shared kernel.c -o k.so
refuses 2 'cannot share a file with the memory hooks' -fsanitize=address kernel.c
refuses 2 'a file of arguments' @arguments
CC=no-such-compiler refuses 2 "no compiler 'no-such-compiler'" kernel.c
WEIR_LIB_DIR=/nowhere refuses 2 '/nowhere has no libweir.a' kernel.c
WEIR_INCLUDE_DIR=/nowhere refuses 2 '/nowhere has no weir-kernel.h' -c kernel.c
refuses 1 'no-such-file.c' no-such-file.c

# The compiler may be weir-cc itself, as for "make CC=weir-cc": in a wrapper, which here
# ends a chain that would not end by itself, by a link, and by its name.
cat >again <<END
#!/bin/sh
echo >>starts
test \$(wc -l <starts) -lt 60 || exit 99
exec "$wrapper" --no-record "\$@"
END
chmod +x again
mkdir itself
ln -s "$PWD/again" itself/cc
ln -s "$wrapper" itself/weir-cc
echo 'void f(int *p); void f(int *p) { *p = 1; }' >again.c
PATH=$PWD/itself:$PATH CC='' refuses 2 \
    "^weir-cc: the compiler 'cc' is weir-cc itself: name another in CC$" -c again.c
if test "$(wc -l <starts)" -lt 60; then
    for itself in ./again "env ./again" itself/weir-cc "$wrapper"; do
        rm -f again.o
        CC=$itself "$wrapper" -c again.c || bad "CC='$itself' stops"
        "$NM" again.o 2>&1 | grep -q __tsan_write4 || bad "CC='$itself': no hooks"
    done
fi

# What two halves cannot share.
one_kernel()
{
    printf '#include <weir-kernel.h>\ntypedef struct { int32_t *out; } one_args;\n%s\n' \
        "$1 WEIR_KERNEL(one, one_args) { *args->out += $2; }" >one.c
}
one_kernel 'static int count; int get(void); int get(void) { return count; }' 'count++'
refuses 2 "one.c: kernels use the static variable 'count', .*make it global" --fat -O2 -c one.c
one_kernel 'static __attribute__((noinline)) int next(void) { static int n; return ++n; }' 'next()'
refuses 2 "static variable '\(next\.\)\{0,1\}n'" --fat -c one.c
one_kernel 'static _Thread_local int own;' 'own++'
refuses 2 "static variable 'own'" --fat -c one.c
one_kernel 'static int a[9], b[9];' '++a[*args->out] + ++b[*args->out]'
refuses 2 "static variables '[ab]', '[ab]'" --fat -c one.c
test ! -e one.o || bad "weir-cc --fat: an object is left of what it refuses"
one_kernel 'static const int count = 3; static int host; int h(void); int h(void) { return host++; }' \
    count
"$wrapper" --fat -c one.c || bad "weir-cc --fat refuses a constant, or a variable of the host"
one_kernel 'int far_away(int);' 'far_away(2)'
echo 'int far_away(int x); int far_away(int x) { return x; } int main(void) { return 0; }' >two.c
refuses 2 'one.c: kernels call far_away() of another file' --fat one.c two.c -o none
for flag in -flto -flto=auto -fwhole-program -S -E -fsanitize=thread; do
    refuses 2 "does not go with $flag" --fat $flag -c one.c
done
refuses 2 'standard input' --fat -x c -
refuses 2 'give one of them' --fat --no-instrument -c one.c
refuses 2 'an object of each of 2 files' --fat -c one.c two.c -o none.o

# Where the text of a source and of its headers shows that no type asks for an alignment, no
# preprocessor looks for one. In doubt it does.
split=${wrapper%/*}/weir-split
mkdir -p shown/own
never=aligned
never()
{
    wanted=$1 text=$2
    shift 2
    printf "$text\n" >shown/a.c
    "$split" --never-$never "$WEIR_INCLUDE_DIR" "$@" shown/a.c
    test $? -eq "$wanted" || bad "--never-$never $* '$text' does not end with $wanted"
}
echo 'typedef int wide __attribute__((vector_size(16)));' >shown/wide.h
echo '#include "wide.h"' >shown/own/stdio.h
while read -r form; do
    never 3 "$form"
done <<'END'
_Alignas(16) int a;
#include <stdalign.h>\nalignas(16) int a;
int a __attribute__((__aligned__(16)));
#define TEN __attribute__((align\\\ned(16)))
#if 0\n#include "wide.h"\n#endif
#include "%s.h"
#include <immintrin.h>
#include WIDE
#define V(n) __attribute__((ali##n))
long double a;
#define L long\nL double a;
__m256 *a;
char a = '"'; int b /* " */ __attribute__((aligned(8)));
const char *a = "/*"; int b __attribute__((aligned(8))); /* */
%%:include "wide.h"
END
never 3 'int a;' -include shown/wide.h
never 3 'WIDE int a;' '-DWIDE=__attribute__((aligned(16)))'
never 3 'WIDE int a;' -D 'WIDE=_Alignas(16)'
never 3 '#include <stdio.h>' -Ishown/own
never 3 '#include <stdio.h>' -isystem shown/own
never 3 'int a;' -x c++
CPATH=shown/own never 3 '#include <stdio.h>'
never 0 '#include <weir-kernel.h>\n#include <stdio.h>\n/* aligned */ int a; // _Alignas' \
    -O2 -std=gnu11 -DN=3 -D M=4 -o long -MF double "-I$WEIR_INCLUDE_DIR"
never 0 '/* " */ int a; // aligned \" \n const char *b = "\\"long\\""; /*\n aligned */'

# The same of structures of odd sizes.
never=odd
while read -r form; do
    never 3 "$form"
done <<'END'
struct a { unsigned char b[3]; };
typedef uint8_t u8;\nunion a { int b; u8 c; };
struct a {\n    unsigned b : 20,\n        c : 4;\n};
#define packs __attribute__((packed))\nstruct packs a { int b; };
class a { std::array<char, 3> b; };
int a __attribute__((aligned(16)));
END
never 0 'struct a { const char *b; int c[3]; double d; }; int e(char *f) { return f ? 1 : 2; }'
never 0 'int a(bool b, short c) { char d[3]; return d[c] + b; }'

# A program for a trial has the fastest linker, and the usual one where that one fails; other
# programs are linked as they ask for.
mkdir -p trial linkers
printf '#!/bin/sh\necho run >>"%s"\nexit 1\n' "$scratch/gold" >linkers/ld.gold
chmod +x linkers/ld.gold
for trial in --objects="$scratch/trial" --no-record; do
    (PATH=$PWD/linkers:$PATH && "$wrapper" --no-stackless $trial -DWORD='""' \
        kernel.c 'my main.c' -o linked) || bad "weir-cc $trial: no other linker is tried"
    prints '49 checked ' ./linked
done
case ${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-}$(${CC:-cc} --version) in
*sanitize* | *coverage* | *clang*) ;; # clang looks for linkers beside itself first
*) test "$(wc -l <gold)" -eq 1 || bad "weir-cc has not run ld.gold for the trial alone" ;;
esac
"$wrapper" --help | grep -q Usage || bad "weir-cc --help"
ls "$TMPDIR"/weir-cc.* >/dev/null 2>&1 && bad "temporary objects are left"
finish
