#!/bin/sh
# SPDX-License-Identifier: MIT
#
# threads.sh: two threads of the host launch kernels on the same words, or one accesses
# them while the other's launch runs: a data race with both places, unless a join, a
# mutex or a condition variable orders the two.
. "${top_srcdir:-.}/tests/cli/lib.sh"

use_weir_cc
cd "$scratch" || exit 99
cp "$top_srcdir/tests/cli/threads.c" .
weir_cc -g -O1 threads.c -o threads -lpthread \
    || { echo "FAIL: threads.c does not compile"; exit 1; }

# races FIRST SECOND WHAT: nothing orders them
races()
{
    weir_ends 1 check --no-fixes --runs 2 -- ./threads "$1" "$2" none
    says "^data race between $3: sum\\[" \
        "threads.c:$(grep -n "/\\* $1 \\*/" threads.c | cut -d: -f1) " \
        "threads.c:$(grep -n "/\\* $2 \\*/" threads.c | cut -d: -f1) " \
        '^2 runs of ./threads: 1 finding'
}

# silent FIRST SECOND ORDER
silent()
{
    weir_ends 0 check --no-fixes --runs 2 -- ./threads "$1" "$2" "$3"
    says '^2 runs of ./threads: no findings'
}

races one two "kernel 'add_one' and kernel 'add_two'"
races one write "kernel 'add_one' and the host"
races one read "kernel 'add_one' and the host"
silent one apart none
silent one read_apart none
for order in join mutex condition create; do
    silent one two $order
    silent one write $order
done
silent one read condition

# Atomics of the device may order launches that run at the same time: not decided.
weir_ends 3 check --no-fixes --runs 2 -- ./threads locked locked none
says 'which atomics may order'
silent locked locked mutex
weir_ends 3 check --no-fixes --runs 2 -- ./threads told read none
says 'which atomics may order'
finish
