#!/bin/sh
# SPDX-License-Identifier: MIT
#
# stall.sh: a fast launch whose items wait for ever prints one line on standard error
# within seconds, with their place; one that computes or changes memory for as long
# prints nothing, and neither does one whose items wait for an item that computes.
. "${top_srcdir:-.}/tests/arch/lib.sh"

source=$top_srcdir/tests/stall.c
program=$scratch/stall
test -z "$SANITIZE_FLAGS" || skip "sanitizers have code of their own in loops"
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "registers are not known here" ;;
esac

# run SECONDS MODE: for at most so long
run()
{
    status=0
    timeout -s KILL "$1" "$program" "$2" >"$scratch/out" 2>"$scratch/err" || status=$?
}

line_of()
{
    sed -n "/here: $1 /=" "$source"
}

# waits MODE PATTERN: one line, of that pattern, and the program goes on. On a machine
# with other work the line comes later.
waits()
{
    : >"$scratch/err"
    "$program" "$1" >"$scratch/out" 2>"$scratch/err" &
    pid=$!
    tries=0
    while test ! -s "$scratch/err" && test $tries -lt 120; do
        sleep 0.5
        tries=$((tries + 1))
    done
    sleep 1
    kill -0 $pid 2>/dev/null || bad "$1: the program ended"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    test "$(wc -l <"$scratch/err")" -eq 1 || bad "$1: not one line on standard error"
    grep -Eq "^weir: kernel 'waits_[a-z_]*' makes no progress: $2; for more: weir check$" \
        "$scratch/err" || { bad "$1: another line:"; cat "$scratch/err"; }
}

silent()
{
    run 30 "$1"
    test "$status" -eq 0 || bad "$1: ended with $status"
    test ! -s "$scratch/err" || { bad "$1: it is not silent:"; cat "$scratch/err"; }
}

# shellcheck disable=SC2086
$CC -std=gnu11 -g -O2 -I"$top_srcdir/sim" $GLIB_CFLAGS "$source" -o "$program" \
    "$top_builddir/libweir.a" $GLIB_LIBS $LIBDW_LIBS -pthread $COVERAGE_CFLAGS \
    || { bad "$source does not compile"; finish; }
waits atomic "item 0 of group 1 waits at .*stall\.c:$(line_of atomic)"
waits plain "an item of group 0 waits at .*stall\.c:$(line_of plain)"
silent computes
silent changes
silent waits-for-one-that-computes
finish
