#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-matrix.sh SRCDIR SCRATCH: make check in every build that there is a reason to
# fear, a cell each: each compiler at each level, each of both with a switch by assembly and
# by ucontext; with address and undefined sanitizers; under valgrind. Then, in a plain
# build, the tests that try one compiler by default with all that are here; all steps of
# the ranks of mpirun; and the tests of OpenCL with each clang that compiles its kernels,
# with and without its optimisation. Prints the names of its cells, then of each whether it
# passes and how long it took, and a count.
#
#   CELL       only these cells, by their names: "clang-19-O2 opencl-clang-14-O0"
#   COMPILERS  gcc and the clangs that are here, unless given
#   LEVELS     -O0 -O1 -O2 -O3
#   SWITCHES   asm and ucontext in turn, so that each compiler and each level has both;
#              "asm ucontext" for all builds by both, which are twice as many
#   EXTRAS     sanitizer valgrind
#   OPENCL     14 15 16 17 18 19: versions of clang for kernels in OpenCL C
#   OPENCL_LEVELS  -O2 -O0: all levels but -O0 are one to Weir
srcdir=${1:?}
scratch=${2:?}
CC=cc
WEIR_ALL_COMPILERS=1
. "$srcdir/tests/compilers.sh"
test -n "${COMPILERS+set}" || COMPILERS="$(command -v gcc >/dev/null 2>&1 && echo gcc) $(clangs)"
: "${LEVELS=-O0 -O1 -O2 -O3}" "${SWITCHES=in turn}" "${EXTRAS=sanitizer valgrind}" \
    "${OPENCL=14 15 16 17 18 19}" "${OPENCL_LEVELS=-O2 -O0}" "${CELL=}"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
good=0
bad=0
keep= # whether a build that passes stays
listing=yes
names=

# asked NAME: whether this cell is to run. While listing, notes the name.
asked()
{
    if test $listing = yes; then
        names="$names $1"
        return 1
    fi
    test -z "$CELL" && return 0
    case " $CELL " in
    *" $1 "*) return 0 ;;
    esac
    return 1
}

# run_cell NAME TARGET CONFIGURE-ARGUMENT...; TESTS are those of a target check, or all
run_cell()
{
    name=$1 target=$2
    shift 2
    folder=$scratch/$name
    rm -rf "$folder"
    mkdir -p "$folder"
    begun=$(date +%s)
    printf '%-34s ' "$name"
    if ! (cd "$folder" && "$srcdir/configure" "$@") >"$folder/matrix-configure.log" 2>&1; then
        result="configure fails: $folder/matrix-configure.log"
    elif ! (cd "$folder" && make -j"$jobs") >"$folder/matrix-make.log" 2>&1; then
        result="make fails: $folder/matrix-make.log"
    elif ! (cd "$folder" && make -j"$jobs" "$target" ${TESTS:+"TESTS=$TESTS"}) \
        >"$folder/matrix-check.log" 2>&1; then
        result="make $target fails: $folder/matrix-check.log"
        result="$result: $(sed -n 's/^\(FAIL\|ERROR\): \([^ ]*\)$/\2/p' \
            "$folder/matrix-check.log" | sort -u | tr '\n' ' ')"
    else
        result=
    fi
    took=$(($(date +%s) - begun))
    if test -z "$result"; then
        good=$((good + 1))
        printf 'passes  %4d tests  %4d s\n' \
            "$(grep -c '^PASS: ' "$folder/matrix-check.log")" "$took"
        test -n "$keep" || rm -rf "$folder"
    else
        bad=$((bad + 1))
        printf 'FAILS  after %d s\n    %s\n' "$took" "$result"
        printf '    again: %s/configure' "$srcdir"
        printf " '%s'" "$@"
        printf ' && make %s\n' "$target${TESTS:+ TESTS='$TESTS'}"
    fi
}

# cell NAME TARGET CONFIGURE-ARGUMENT...: the same, if it is asked for
cell()
{
    ! asked "$1" || run_cell "$@"
}

turn=asm
switch_turn()
{
    case $turn in
    asm) turn=ucontext ;;
    *) turn=asm ;;
    esac
}

compiled_cells()
{
    turn=asm
    for compiler in $COMPILERS; do
        for level in $LEVELS; do
            switches=$SWITCHES
            test "$SWITCHES" != 'in turn' || switches=$turn
            for switch in $switches; do
                case $switch in
                asm) asm=--enable-asm ;;
                *) asm=--disable-asm ;;
                esac
                suffix=
                test "$SWITCHES" = 'in turn' || suffix=-$switch
                cell "${compiler##*/}$level$suffix" check CC="$compiler" CFLAGS="-g $level" $asm \
                    --enable-werror
            done
            switch_turn
        done
        switch_turn # the next compiler begins with the other one
    done
}

extra_cells()
{
    for compiler in $COMPILERS; do
        for extra in $EXTRAS; do
            case $extra in
            sanitizer)
                cell "${compiler##*/}-sanitizer" check CC="$compiler" --enable-debug \
                    --enable-sanitizer=address,undefined
                ;;
            valgrind)
                # Valgrinds of clang's age do not read the DWARF 5 that it writes.
                cell "${compiler##*/}-valgrind" check-valgrind CC="$compiler" CFLAGS="-gdwarf-4 -O2"
                ;;
            esac
        done
    done
}

# Tests of which each has a part only, by default.
whole_cells()
{
    TESTS='tests/arch/entries.sh tests/arch/headers.sh tests/arch/hooks.sh tests/arch/refuse.sh
        tests/arch/vectorise.sh tests/arch/weir-cc.sh tests/cli/compilers.sh
        tests/cli/opencl-builtins.sh tests/cli/stackless.sh tests/cli/stackless-random.sh
        tests/cli/sycl.sh tests/cli/sycl-atomics.sh tests/cli/sycl-commands.sh
        tests/cli/sycl-fat.sh tests/cli/sycl-features.sh tests/cli/sycl-fixes.sh
        tests/cli/sycl-header.sh tests/cli/sycl-stackless.sh tests/cli/sycl-words.sh
        tests/quiet.sh tests/symbol.sh'
    TESTS=$(echo $TESTS)
    WEIR_ALL_COMPILERS=1
    export WEIR_ALL_COMPILERS
    cell compilers check
    unset WEIR_ALL_COMPILERS
    WEIR_ALL_RANKS=1
    export WEIR_ALL_RANKS
    TESTS=tests/cli/explore-ranks.sh
    cell ranks check --with-mpi
    unset TESTS WEIR_ALL_RANKS
}

# The clang of a version: on the path, or where Debian has it.
clang_of()
{
    command -v "clang-$1" || command -v "/usr/lib/llvm-$1/bin/clang"
}

opencl_tests='check-opencl-build check-opencl-builtins tests/cli/list.sh tests/cli/opencl-api.sh
    tests/cli/opencl-arguments.sh tests/cli/opencl-builtins.sh tests/cli/opencl-fixes.sh
    tests/cli/opencl-kernels.sh'

# opencl_cell VERSION LEVEL: the tests in the build of the folder, which run_cell() has left.
opencl_cell()
{
    log=$folder/matrix-$1$2.log
    printf '%-34s ' "opencl-clang-$1$2"
    begun=$(date +%s)
    if (cd "$folder" && WEIR_CLANG=$(clang_of "$1") WEIR_CL_OPTIONS=$2 \
        make -k check TESTS="$(echo $opencl_tests)") >"$log" 2>&1; then
        good=$((good + 1))
        printf 'passes  %4d tests  %4d s\n' "$(grep -c '^PASS: ' "$log")" \
            $(($(date +%s) - begun))
    else
        bad=$((bad + 1))
        printf 'FAILS  after %d s\n    %s: %s\n' $(($(date +%s) - begun)) "$log" \
            "$(sed -n 's/^\(FAIL\|ERROR\): \([^ ]*\)$/\2/p' "$log" | sort -u | tr '\n' ' ')"
    fi
}

opencl_cells()
{
    built=no
    for version in $OPENCL; do
        clang_of "$version" >/dev/null || continue
        for level in $OPENCL_LEVELS; do
            asked "opencl-clang-$version$level" || continue
            if test $built = no; then
                keep=yes
                run_cell opencl-build all
                keep=
                built=yes
            fi
            test ! -x "$folder/weir" || opencl_cell "$version" "$level"
        done
    done
}

cells()
{
    compiled_cells
    extra_cells
    whole_cells
    opencl_cells
}

unset TESTS
cells
for name in $CELL; do
    case " $names " in
    *" $name "*) ;;
    *)
        echo "check-matrix: there is no cell $name; CELL names some of:$names" >&2
        exit 2
        ;;
    esac
done
echo "cells:${CELL:+ $CELL of}$names"
listing=no
cells
echo "$good of $((good + bad)) builds pass"
test "$bad" -eq 0
