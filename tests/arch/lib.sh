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

. "$top_srcdir/tests/compilers.sh"

# Whether a compiler is clang, by what it says and not by its name.
is_clang()
{
    # shellcheck disable=SC2086
    case $($1 --version 2>/dev/null) in
    *clang*) ;;
    *) return 1 ;;
    esac
}
