#!/bin/sh
# SPDX-License-Identifier: MIT
#
# project.sh: the project of examples/project is built by its Makefile, by CMake and by
# pkg-config, with Weir in its build folder, and checked; its job for a build server fails
# where its kernel lacks a barrier.
. "${top_srcdir:-.}/tests/cli/lib.sh"
use_weir_cc
# The folders are to be found without these.
unset WEIR_INCLUDE_DIR WEIR_LIB_DIR MAKEFLAGS MFLAGS
PATH=$tree:$PATH
export PATH
cp -R "$top_srcdir/examples/project" "$scratch/project" && cd "$scratch/project" || exit 99
chmod -R u+w .
sed '/weir_barrier/d' sums.c >hasty.c

# ends STATUS COMMAND...
ends()
{
    wanted=$1
    shift
    step=$*
    status=0
    "$@" >"$out" 2>"$err" </dev/null || status=$?
    test $status -eq "$wanted" || bad "status $status, not $wanted"
}

flags='CFLAGS=-g -O1 --no-stackless'
ends 0 make "$flags" all
for host in ./host-c ./host-cpp; do
    weir_clean check --runs 2 -- $host
    says '^0 of 4 sums are wrong$'
done

if command -v cmake >/dev/null 2>&1; then
    Weir_DIR=$tree/cmake
    export Weir_DIR
    # Stackless entries take most of the time of a build.
    sed 's/weir_kernels(\(.*\))/weir_kernels(\1 --no-stackless)/' CMakeLists.txt >changed
    mv changed CMakeLists.txt
    ends 0 ./ci.sh
    says '^20 runs of build/host-c: no findings$' 'tests passed, 0 tests failed out of 4$'
    cp hasty.c sums.c
    ends 1 ./ci.sh
    says "^data race in kernel 'sums'" "  read .*sums.c:[0-9]* .*part\[lid\] \+= part\[lid \+ stride\];"
    grep -q '"ruleId" *: *"data-race"' races.sarif || bad 'races.sarif has no race'

    # refuses LINE MESSAGE: a project with the line is not configured
    refuses()
    {
        mkdir -p wrong
        printf 'cmake_minimum_required(VERSION 3.21)\nproject(wrong LANGUAGES NONE)\n%s\n' "$1" \
            >wrong/CMakeLists.txt
        rm -rf wrong/build
        ends 1 cmake -S wrong -B wrong/build
        tr -s '\n ' ' ' <"$err" | grep -qF "$2" || bad "it does not say: $2"
    }
    refuses 'find_package(Weir REQUIRED)
weir_kernels(nothing)' "weir_kernels: 'nothing' is not a target: add it first"
    refuses 'find_package(Weir REQUIRED)
add_custom_target(some)
weir_kernels(some --fast)' "weir_kernels: '--fast' is not an option of weir-cc"
    refuses 'find_package(Weir 99 REQUIRED)' 'version: 0.1.0'
    unset Weir_DIR
fi

if command -v pkg-config >/dev/null 2>&1; then
    PKG_CONFIG_PATH=$tree:${PKG_CONFIG_PATH-}
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046
    {
        ends 0 ${CC:-cc} $(pkg-config --cflags weir) $(pkg-config --variable=instrument_cflags weir) \
            -O1 -c hasty.c -o hasty.o
        ends 0 ${CC:-cc} $(pkg-config --cflags weir) -c main.c -o main.o
        ends 0 ${CC:-cc} hasty.o main.o -o host-c $(pkg-config --libs weir)
    }
    weir_ends 1 check --runs 2 -- ./host-c
    says "^data race in kernel 'sums'"
fi
finish
