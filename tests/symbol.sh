#!/bin/sh
# SPDX-License-Identifier: MIT
#
# symbol.sh: addresses become lines whatever the compiler, its level and its form of
# debug information, however the source was named, and wherever the program runs; and
# without debug information what is left is right. It compiles check_symbol.c anew.
. "${top_srcdir:-.}/tests/arch/lib.sh"

library=$(cd "$top_builddir" && pwd)/libweir.a
sources=$(cd "$top_srcdir" && pwd)
test -f "$library" || skip "no $library"
test -n "$CHECK_LIBS" || skip "no Check"

mkdir -p "$scratch/from/build/include"
cp "$sources/tests/check_symbol.c" "$scratch/from"
cp "$sources/tests/check_symbol.c" "$scratch/from/build"
cp "$sources/tests/check_symbol.h" "$scratch/from/build/include"

# judge COMPILER FLAGS SOURCE: SOURCE as seen from the folder where it is compiled.
judge()
{
    # shellcheck disable=SC2086
    if ! (cd "$scratch/from/build" && $1 -std=gnu11 $2 -I"$sources/sim" -I"$sources/tests" \
        $GLIB_CFLAGS $CHECK_CFLAGS $SANITIZE_FLAGS $COVERAGE_CFLAGS "$3" -o program \
        "$library" $GLIB_LIBS $LIBDW_LIBS $CHECK_LIBS -pthread) >"$scratch/log" 2>&1; then
        bad "$1 $2 $3: does not compile"
        cat "$scratch/log"
    elif (cd / && "$scratch/from/build/program") >"$scratch/log" 2>&1; then
        good "$1 $2 $3"
    else
        bad "$1 $2 $3"
        cat "$scratch/log"
    fi
}

for compiler in $(compilers); do
    # A library that is instrumented itself links with its own compiler only.
    test -n "$SANITIZE_FLAGS$COVERAGE_CFLAGS" && test "$compiler" != "$CC" && continue
    here=-Iinclude
    judge "$compiler" "-g -gdwarf-5 -O0 $here" ../check_symbol.c
    judge "$compiler" "-g -gdwarf-4 -O1 $here" check_symbol.c
    judge "$compiler" "-g -gdwarf-5 -O2 $here" ./check_symbol.c
    judge "$compiler" "-g -gdwarf-4 -O2 -fPIE -pie $here" "$scratch/from/check_symbol.c"
    # clang keeps the shorter name of a header under the folder where it runs.
    is_clang "$compiler" || here=-I$scratch/from/build/include
    judge "$compiler" "-g -gdwarf-4 -O3 $here" ../check_symbol.c
    judge "$compiler" "-g -gdwarf-5 -O3 -fno-pie -no-pie $here" \
        "$scratch/from/build/check_symbol.c"
    judge "$compiler" "-g0 -O2 -DWITHOUT_DEBUG_INFORMATION $here" \
        "$scratch/from/check_symbol.c"
done
finish
