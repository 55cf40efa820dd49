#!/bin/sh
# SPDX-License-Identifier: MIT
#
# headers.sh: each public header compiles alone and says nothing under strict
# warnings: weir.h, weir-model.h and weir-play.h in C11 and C++17, weir-kernel.h in C11, by every
# compiler here; so does the example that a header opens with. In C++ weir-kernel.h is
# one error that names the remedy.
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

for header in weir.h weir-kernel.h weir-model.h weir-play.h; do
    # An include, since a header given as the main file draws warnings of its own.
    printf '#include <%s>\nextern int use;\nint use;\n' $header >"$scratch/$header.c"
done
printf '#include <weir-kernel.h>\n#include <weir.h>\nextern int use;\nint use;\n' >"$scratch/both.c"
printf '#include <weir.h>\n#include <weir-kernel.h>\nextern int use;\nint use;\n' >"$scratch/turned.c"

# The example in a header's opening comment: from its first #include to the end of the
# indented text.
example()
{
    awk '/^ \*     #include/ { on = 1 }
        on && !/^ \*(     |$)/ { exit }
        on { sub(/^ \*( {5})?/, ""); print }' "$top_srcdir/sim/$1"
}
examples='weir.h weir-kernel.h weir-collective.h weir-atomic.h'
for header in $examples; do
    example "$header" >"$scratch/$header.example.c"
    test -s "$scratch/$header.example.c" || bad "$header: no example"
done

# weir-kernel.h needs no GLib: its include path is not given.
for compiler in $(compilers); do
    for standard in c11 gnu11; do
        try "$compiler" $standard c "$scratch/weir.h.c"
        try "$compiler" $standard c "$scratch/weir-model.h.c"
        try "$compiler" $standard c "$scratch/weir-play.h.c"
        (GLIB_CFLAGS=; try "$compiler" $standard c "$scratch/weir-kernel.h.c"; exit $failures) \
            || failures=$((failures + 1))
        for header in $examples; do
            try "$compiler" $standard c "$scratch/$header.example.c"
        done
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
        try $compiler c++17 c++ "$scratch/weir.h.example.c"
        try $compiler c++17 c++ "$scratch/weir-model.h.c"
        try $compiler c++17 c++ "$scratch/weir-play.h.c"
        if $compiler -std=c++17 -x c++ -I"$top_srcdir/sim" -fsyntax-only \
            "$scratch/weir-kernel.h.example.c" >"$scratch/log" 2>&1; then
            bad "$compiler: a kernel compiles as C++"
        elif grep -q 'error: .*kernels are C11: compile this file with weir-cc' "$scratch/log" \
            && test "$(grep -c ': error: ' "$scratch/log")" = 1; then
            good "$compiler: a kernel as C++ is one error with its remedy"
        else
            bad "$compiler: a kernel as C++ is not one error with its remedy"
            cat "$scratch/log"
        fi
    fi
done
test $found = yes || echo "no C++ compiler here: C++17 is not tried"
finish
