#!/bin/sh
# SPDX-License-Identifier: MIT
#
# man.sh: every manual page is well formed, and every command that weir has is in
# one, with its options, and every kind of finding.
. "${top_srcdir:-.}/tests/arch/lib.sh"

pages=$top_srcdir/docs/man
if test -n "$MANDOC"; then
    tool=mandoc
elif command -v groff >/dev/null 2>&1; then
    tool=groff
else
    tool=none
fi

for page in "$pages"/*.[0-9]; do
    case $tool in
    mandoc) "$MANDOC" -T lint -W warning "$page" >"$scratch/log" 2>&1 ;;
    groff) groff -man -ww -K utf8 -z "$page" >"$scratch/log" 2>&1 ;;
    none) : >"$scratch/log" ;;
    esac
    if test -s "$scratch/log"; then
        bad "$(basename "$page"):"
        cat "$scratch/log"
    fi
    grep -q '^\.TH ' "$page" || bad "$(basename "$page") has no title"
    # What it refers to is there.
    sed -n 's/^\.BR weir\([a-z.-]*\) (\([0-9]\)).*/weir\1.\2/p' "$page" | while read -r other; do
        test -f "$pages/$other" || echo "$(basename "$page") refers to $other, which is not there"
    done >"$scratch/log"
    test ! -s "$scratch/log" || { bad "broken references"; cat "$scratch/log"; }
done

# Options: what --help of a command lists, its page lists too.
WEIR=${WEIR:-$top_builddir/weir}
if test -x "$WEIR"; then
    commands=$("$WEIR" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
    test -n "$commands" || bad "weir help lists no commands"
    for command in $commands; do
        test -f "$pages/weir-$command.1" || { bad "no page of weir $command"; continue; }
        { "$WEIR" $command --help
          test $command != exercise || for action in list show check hint solution verify; do
              WEIR_EXERCISE_DIR=$top_srcdir/exercises "$WEIR" exercise $action --help
          done; } 2>&1 | grep -oE -- '--[a-z][a-z-]*' | LC_ALL=C sort -u \
            >"$scratch/options"
        while read -r option; do
            case $option in
            --help | --help-*) continue ;;
            esac
            sed 's/\\-/-/g; s/\\f[BIR]//g' "$pages/weir-$command.1" | grep -q -- "$option" \
                || bad "weir-$command.1 lacks $option"
        done <"$scratch/options"
    done
fi
# Findings: the page of weir check has every kind that the library knows, spelled as
# files of suppressions want it, and no other.
sed -n '/define WEIR_FINDING_KINDS/,/[^\\]$/s/^ *X([A-Z_]*, "\([a-z-]*\)").*/\1/p' \
    "$top_srcdir/sim/weir.h" >"$scratch/kinds"
sed -n '/^\.SH FINDINGS/,/^\.SH SUPPRESSIONS/s/^\.B \([a-z\-]*\)$/\1/p' "$pages/weir-check.1" \
    | sed 's/\\-/-/g' >"$scratch/listed"
test -s "$scratch/kinds" || bad "weir.h has no kinds of findings"
diff "$scratch/kinds" "$scratch/listed" || bad "weir-check.1 has other kinds than weir.h"

test "$failures" -gt 0 || good "$(ls "$pages"/*.[0-9] | wc -l) pages are well formed ($tool)"
finish
