#!/bin/sh
# SPDX-License-Identifier: MIT
#
# headers.sh: each public header compiles alone and says nothing under strict
# warnings: weir.h and weir-model.h in C11 and C++17,
# weir-kernel.h in C11, by every compiler here.
. "${top_srcdir:-.}/tests/arch/lib.sh"

strict='-Wall -Wextra -Wshadow -Wpointer-arith -Wundef -Werror -fsyntax-only'

# try COMPILER STANDARD LANGUAGE FILE
try()
{
    # The flags are lists of words.
    # shellcheck disable=SC2086
    if $1 -std="$2" -x "$3" $strict -I"$top_srcdir/sim" $GLIB_CFLAGS "$4" >"$scratch/log" 2>&1; then
        good "$1 -std=$2: $(basename "$4")"
    else
        bad "$1 -std=$2: $(basename "$4")"
        cat "$scratch/log"
    fi
}

for header in weir.h weir-kernel.h weir-model.h; do
    # An include, since a header given as the main file draws warnings of its own.
    printf '#include <%s>\nextern int use;\nint use;\n' $header >"$scratch/$header.c"
done
printf '#include <weir-kernel.h>\n#include <weir.h>\nextern int use;\nint use;\n' >"$scratch/both.c"
printf '#include <weir.h>\n#include <weir-kernel.h>\nextern int use;\nint use;\n' >"$scratch/turned.c"

# weir-kernel.h needs no GLib: its include path is not given.
for compiler in $(compilers); do
    for standard in c11 gnu11; do
        try "$compiler" $standard c "$scratch/weir.h.c"
        try "$compiler" $standard c "$scratch/weir-model.h.c"
        (GLIB_CFLAGS=; try "$compiler" $standard c "$scratch/weir-kernel.h.c"; exit $failures) \
            || failures=$((failures + 1))
        try "$compiler" $standard c "$scratch/both.c"
        try "$compiler" $standard c "$scratch/turned.c"
    done
done

# The program in the opening comment of weir-model.h is complete.
sed -n '/^ \*     #include <weir-model.h>/,/^ \*     }$/s/^ \*     \{0,1\}//p' "$top_srcdir/sim/weir-model.h" \
    | sed 's/^ \*$//' >"$scratch/example.c"
grep -q '^int main(void)$' "$scratch/example.c" || bad "weir-model.h begins with no program"
for compiler in $(compilers); do
    try "$compiler" c11 c "$scratch/example.c"
done

found=no
for compiler in g++ clang++; do
    if command -v $compiler >/dev/null 2>&1; then
        found=yes
        try $compiler c++17 c++ "$scratch/weir.h.c"
        try $compiler c++17 c++ "$scratch/weir-model.h.c"
    fi
done
test $found = yes || echo "no C++ compiler here: C++17 is not tried"
finish
