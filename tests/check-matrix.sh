#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-matrix.sh SRCDIR SCRATCH: make check in every build that there is a reason to
# fear: each compiler at each level, each of both with a switch by assembly and by
# ucontext; with address and undefined sanitizers; under valgrind. Then the tests of
# OpenCL, in one build, with each clang that compiles its kernels, and with and without
# its optimisation. Prints a table and a count.
#
#   COMPILERS  those of gcc and clang that are here, unless given
#   LEVELS     -O0 -O1 -O2 -O3
#   SWITCHES   asm and ucontext in turn, so that each compiler and each level has both;
#              "asm ucontext" for all builds by both, which are twice as many
#   EXTRAS     sanitizer valgrind
#   OPENCL     14 15 16 19: versions of clang for kernels in OpenCL C; those that are not
#              here are named
#   OPENCL_LEVELS  -O2 -O0: all levels but -O0 are one to Weir
srcdir=${1:?}
scratch=${2:?}
if test -z "${COMPILERS+set}"; then
    COMPILERS=
    for compiler in gcc clang; do
        command -v $compiler >/dev/null 2>&1 && COMPILERS="$COMPILERS $compiler"
    done
fi
: "${LEVELS=-O0 -O1 -O2 -O3}" "${SWITCHES=in turn}" "${EXTRAS=sanitizer valgrind}" \
    "${OPENCL=14 15 16 19}" "${OPENCL_LEVELS=-O2 -O0}"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
good=0
bad=0
keep= # whether a build that passes stays

# cell NAME TARGET CONFIGURE-ARGUMENT...
cell()
{
    name=$1 target=$2
    shift 2
    folder=$scratch/$(echo "$name" | tr -c 'A-Za-z0-9\n' '-')
    rm -rf "$folder"
    mkdir -p "$folder"
    begun=$(date +%s)
    printf '%-34s ' "$name"
    if ! (cd "$folder" && "$srcdir/configure" "$@") >"$folder/matrix-configure.log" 2>&1; then
        result="configure fails: $folder/matrix-configure.log"
    elif ! (cd "$folder" && make -j"$jobs") >"$folder/matrix-make.log" 2>&1; then
        result="make fails: $folder/matrix-make.log"
    elif ! (cd "$folder" && make -j"$jobs" "$target") >"$folder/matrix-check.log" 2>&1; then
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
        printf ' && make %s\n' "$target"
    fi
}

turn=asm
switch_turn()
{
    case $turn in
    asm) turn=ucontext ;;
    *) turn=asm ;;
    esac
}

for compiler in $COMPILERS; do
    for level in $LEVELS; do
        switches=$SWITCHES
        test "$SWITCHES" != 'in turn' || switches=$turn
        for switch in $switches; do
            case $switch in
            asm) asm=--enable-asm ;;
            *) asm=--disable-asm ;;
            esac
            cell "$compiler $level $switch" check CC="$compiler" CFLAGS="-g $level" $asm --enable-werror
        done
        switch_turn
    done
    switch_turn # the next compiler begins with the other one
done
for compiler in $COMPILERS; do
    for extra in $EXTRAS; do
        case $extra in
        sanitizer)
            cell "$compiler address,undefined" check CC="$compiler" --enable-debug \
                --enable-sanitizer=address,undefined
            ;;
        valgrind)
            # Valgrinds of clang's age do not read the DWARF 5 that it writes.
            cell "$compiler valgrind" check-valgrind CC="$compiler" CFLAGS="-gdwarf-4 -O2"
            ;;
        esac
    done
done

# The clang of a version: on the path, or where Debian has it.
clang_of()
{
    command -v "clang-$1" || command -v "/usr/lib/llvm-$1/bin/clang"
}

opencl_tests='check-opencl-build check-opencl-builtins tests/cli/list.sh tests/cli/opencl-api.sh
    tests/cli/opencl-arguments.sh tests/cli/opencl-builtins.sh tests/cli/opencl-fixes.sh
    tests/cli/opencl-kernels.sh'

# opencl_cell VERSION LEVEL: the tests in the build of the folder, which cell() has left.
opencl_cell()
{
    log=$folder/matrix-$1$2.log
    printf '%-34s ' "opencl, clang $1 $2"
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

found=
for version in $OPENCL; do
    if clang_of "$version" >/dev/null; then
        found="$found $version"
    else
        echo "opencl, clang $version: skipped: it is not here"
    fi
done
if test -n "$found"; then
    before=$bad
    keep=yes
    cell 'opencl, the build' all
    for version in $found; do
        for level in $OPENCL_LEVELS; do
            test $bad -gt $before && test ! -x "$folder/weir" || opencl_cell "$version" "$level"
        done
    done
fi
echo "$good of $((good + bad)) builds pass"
test "$bad" -eq 0
