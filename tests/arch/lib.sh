# SPDX-License-Identifier: MIT
#
# lib.sh: what the tests of the architecture share; sourced, not run. A test may
# be run by hand from the top of the sources, with the build folder in
# $top_builddir; under `make check` the environment comes from the Makefile.
# shellcheck shell=sh

: "${top_srcdir:=.}" "${top_builddir:=.}" "${CC:=cc}" "${NM:=nm}"
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weir-test.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT

# Says what is wrong and goes on.
bad()
{
    echo "FAIL: $*"
    failures=$((failures + 1))
}

good()
{
    echo "ok: $*"
}

# Ends the script as skipped: this machine lacks something.
skip()
{
    echo "SKIP: $*"
    exit 77
}

finish()
{
    if test "$failures" -gt 0; then
        echo "$failures failed"
        exit 1
    fi
    exit 0
}

# The C compilers of this machine: the one of the build, then gcc and clang. Two
# names of one compiler count once.
compilers()
{
    for compiler in "$CC" gcc clang; do
        # A compiler may be a command with arguments.
        # shellcheck disable=SC2086
        version=$($compiler --version 2>/dev/null | head -n 1 | sed 's/^[^ ]* //') || continue
        test -z "$version" || echo "$version|$compiler"
    done | awk -F '|' '!seen[$1]++ { print $2 }'
}

# Whether a compiler is clang, by what it says and not by its name.
is_clang()
{
    # shellcheck disable=SC2086
    case $($1 --version 2>/dev/null) in
    *clang*) ;;
    *) return 1 ;;
    esac
}
