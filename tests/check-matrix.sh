#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-matrix.sh SRCDIR SCRATCH: make check in every build that there is a reason to
# fear: each compiler at each level, each of both with a switch by assembly and by
# ucontext; with address and undefined sanitizers; under valgrind. Prints a table and a
# count.
#
#   COMPILERS  those of gcc and clang that are here, unless given
#   LEVELS     -O0 -O1 -O2 -O3
#   SWITCHES   asm and ucontext in turn, so that each compiler and each level has both;
#              "asm ucontext" for all builds by both, which are twice as many
#   EXTRAS     sanitizer valgrind
srcdir=${1:?}
scratch=${2:?}
if test -z "${COMPILERS+set}"; then
    COMPILERS=
    for compiler in gcc clang; do
        command -v $compiler >/dev/null 2>&1 && COMPILERS="$COMPILERS $compiler"
    done
fi
: "${LEVELS=-O0 -O1 -O2 -O3}" "${SWITCHES=in turn}" "${EXTRAS=sanitizer valgrind}"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
good=0
bad=0

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
        rm -rf "$folder"
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
echo "$good of $((good + bad)) builds pass"
test "$bad" -eq 0
