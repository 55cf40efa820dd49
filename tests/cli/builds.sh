# SPDX-License-Identifier: MIT
#
# builds.sh: how often weir check builds a program; sourced after lib.sh, not run.
# shellcheck shell=sh

# Programs that are built from here on, or again later, are compiled by a compiler that
# notes its runs.
counted()
{
    before=${CC:-cc}
    printf '#!/bin/sh\necho "$*" >>"%s"\nexec %s "$@"\n' "$scratch/calls" "$before" \
        >"$scratch/counted"
    chmod +x "$scratch/counted"
    CC=$scratch/counted
    export CC
}

# Ends that for programs that are built by this script.
uncounted()
{
    CC=$before
}

# compiled N: so many sources have been compiled since the last time. Runs of the
# preprocessor alone are none.
compiled()
{
    n=$(grep -e ' -c ' "$scratch/calls" | grep -cv -e ' -E')
    : >"$scratch/calls"
    test "$n" -eq "$1" || bad "the compiler ran $n times, not $1"
}
