#!/bin/sh
# SPDX-License-Identifier: MIT
#
# commit.sh: the hook for messages of commits accepts the form that HACKING.md states, and
# refuses each breach of it by what is wrong.
. "${top_srcdir:-.}/tests/arch/lib.sh"
hook=$top_srcdir/.githooks/commit-msg

# accepts MESSAGE
accepts()
{
    printf "$1" >"$scratch/message"
    sh "$hook" "$scratch/message" >"$scratch/out" 2>&1 \
        || bad "refused: $1: $(cat "$scratch/out")"
}

# refuses MESSAGE WORDS: the only line of the refusal has the words.
refuses()
{
    printf "$1" >"$scratch/message"
    if sh "$hook" "$scratch/message" >"$scratch/out" 2>&1; then
        bad "accepted: $1"
    elif test "$(wc -l <"$scratch/out")" -ne 1 || ! grep -qF "$2" "$scratch/out"; then
        bad "refused, but without '$2': $1: $(cat "$scratch/out")"
    fi
}

accepts 'exec: log each switch\n\nA replay needs them all.\n'
accepts 'opencl, sycl: name the queue\n\nBoth have one.\n'
accepts '# a comment\n\nexec: log each switch\n\nA replay needs them all.\n# On branch main\n'
accepts 'exec: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\nWhy.\n'
accepts 'exec: ääääääääääääääääääääääääääääääääääääääääääääääääääääää\n\nWhy.\n'
accepts 'Merge branch of a name that is longer than the sixty characters of a subject\n'
accepts 'fixup! exec: log each switch\n'
refuses 'exec: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\nWhy.\n' 'more than 60'
refuses 'log each switch\n\nWhy.\n' 'an area'
refuses 'Exec: log each switch\n\nWhy.\n' 'an area'
refuses 'exec: log each switch.\n\nWhy.\n' 'full stop'
refuses 'exec: log each switch\nWhy.\n' 'not empty'
refuses 'exec: log each switch\n' 'body is missing'
refuses 'exec: log each switch\n\nSigned-off-by: A B <a@b>\n' 'body is missing'
refuses 'exec: log each switch\n\n# Why.\n' 'body is missing'
refuses '# nothing\n' 'empty'
finish
