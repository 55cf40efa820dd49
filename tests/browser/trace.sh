#!/bin/sh
# SPDX-License-Identifier: MIT
#
# trace.sh: the page of weir report fits a screen and a telephone, in light and in dark,
# can be read, loads nothing, and every control works by keyboard; ten thousand items and
# a million events can be used.
. "${top_srcdir:-.}/tests/browser/lib.sh"

WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
build=$(cd "${top_builddir:=.}" && pwd)
test -x "$build/hand-findings" || { echo "FAIL: make builds hand-findings for this test"; exit 1; }
cd "$scratch" || exit 99

# page NAME STATUS ARGUMENT...: a trace, and its page.
page()
{
    name=$1
    wanted=$2
    shift 2
    weir_ends "$wanted" trace -o "$name.json" "$@"
    weir_clean report "$name.json" --html "$name.html"
    test -s "$name.html" || bad "no page"
}

printf '%s\n' 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9 3 >numbers
page tree 0 reduce_tree --input numbers
page histogram 0 histogram_local_relaxed --n 64 --local 16
page race 1 reduce_last_group_relaxed --n 16 --local 4
page group 0 reduce_last_group --n 16 --local 4
page divergence 1 -- "$build/examples/05_divergence"
page many 0 reduce_tree --n 10000 --local 250
page million 0 histogram_local_relaxed --n 440000 --local 100 --time-limit 600
in_browser trace.py tree histogram race group divergence many million
finish
