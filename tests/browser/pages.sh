#!/bin/sh
# SPDX-License-Identifier: MIT
#
# pages.sh: the pages of weir check and weir explore fit a screen and a telephone, in
# light and in dark, can be read, and load nothing.
. "${top_srcdir:-.}/tests/browser/lib.sh"

WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
top_srcdir=$(cd "$top_srcdir" && pwd)
build=$(cd "${top_builddir:=.}" && pwd)
test -x "$build/hand-findings" || { echo "FAIL: make builds hand-findings for this test"; exit 1; }
cp "$top_srcdir/tests/cli/tree.c.txt" "$scratch/tree.c"
ln -s "$build/hand-findings" "$scratch/findings"
cd "$scratch" || exit 99

# page NAME STATUS COMMAND ARGUMENT...: what the command writes with --report.
page()
{
    name=$1
    wanted=$2
    command=$3
    shift 3
    weir_ends "$wanted" "$command" --report "$name.html" "$@"
    test -s "$name.html" || bad "no page"
}

# Findings of all kinds, made by hand; among them are text that looks like markup and a
# path that is not UTF-8.
page kinds 1 check --runs 4 -- ./findings race scope bounds note divergence odd
page race 1 check --runs 4 -- "$build/examples/07_race"
page divergence 1 check --runs 4 -- "$build/examples/05_divergence"
page clean 0 check --runs 2 --n 64 reduce_tree
page explored 1 explore --n 64 --max-executions 2000 reduce_last_group_relaxed
page explored-clean 0 explore --n 8 --local 4 --time-limit 60 reduce_atomics1
page explored-lock 1 explore -- "$build/examples/11_lock"
in_browser layout.py ./*.html
finish
