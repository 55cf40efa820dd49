#!/bin/sh
# SPDX-License-Identifier: MIT
#
# command.sh: weir itself: help and version succeed, wrong usage is one line and
# status 2, and an output that cannot be written is never a success.
. "${top_srcdir:-.}/tests/cli/lib.sh"

for help in help --help -h; do
    weir_clean $help
    says 'Usage: weir' 'list' 'run' 'bench' 'check' 'replay' 'shrink' 'litmus' 'device'
done
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$out" | grep -v '^help$')
for command in $commands; do
    weir_clean help $command
    says "weir $command"
    weir_clean $command --help
    says "weir $command"
done
# No help is wider than a terminal, or longer than a screen of 50 lines; its page has the
# rest. Bytes that continue a character do not count.
for arguments in help $commands; do
    case $arguments in
    help) weir help ;;
    *) weir $arguments --help ;;
    esac
    awk '{ gsub(/[\200-\277]/, "") } length($0) > 80' "$out" >"$scratch/wide"
    test ! -s "$scratch/wide" || bad "more than 80 columns: $(cat "$scratch/wide")"
    lines=$(wc -l <"$out")
    test "$lines" -le 50 || bad "weir $arguments --help has $lines lines, more than 50"
done
weir_clean --version
says '^weir [0-9]+\.[0-9]+'

# Without a command the usage is shown, but that is not what was meant.
weir
ends_with 2
test -s "$err" || bad "nothing on standard error"
test ! -s "$out" || bad "standard output is not empty"

weir nonsense
complains "'nonsense'" 'weir help'
weir help nonsense
complains "'nonsense'"
weir --nonsense
complains 'nonsense'
for command in $commands; do
    weir $command --nonsense
    complains 'nonsense' "weir $command"
done

# Lost output.
if test -c /dev/full; then
    for arguments in list 'list --json' 'list --csv' device 'device --json' --help --version \
        'run reduce_tree --n 100' 'run reduce_tree --n 100 --json' 'run --help' \
        'check reduce_tree --n 64' 'check reduce_tree --n 64 --json' 'litmus mp' \
        'litmus mp --json' 'litmus --list' 'litmus --show mp'; do
        step="weir $arguments >/dev/full"
        status=0
        : >"$out"
        # The arguments are words.
        # shellcheck disable=SC2086
        "$WEIR" $arguments >/dev/full 2>"$err" || status=$?
        complains 'standard output'
    done
fi
step='weir list with standard output closed'
status=0
"$WEIR" list 2>"$err" >&- || status=$?
complains 'standard output'
finish
