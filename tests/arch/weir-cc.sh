#!/bin/sh
# SPDX-License-Identifier: MIT
#
# weir-cc.sh: the compiler wrapper compiles with hooks, links without, in one step
# or in two, with any compiler here, and says clearly what it cannot do.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# A folder of its own: somebody else may compile at the same time.
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

    # --show tells commands that work when pasted.
    rm -f ./*.o shown
    "$wrapper" --show -O1 "$word" kernel.c "my main.c" -o shown >commands
    test ! -e shown || bad "$CC: --show compiles"
    sh -e commands && prints "49 checked two words" ./shown
    if grep -- '-o shown' commands | grep -q fsanitize=thread; then
        bad "$CC: --show has hooks on the link"
    fi
    "$wrapper" --show | grep -q -- -fsanitize=thread || bad "$CC: --show alone"
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
"$wrapper" --help | grep -q Usage || bad "weir-cc --help"
ls "$TMPDIR"/weir-cc.* >/dev/null 2>&1 && bad "temporary objects are left"
finish
