# SPDX-License-Identifier: MIT
#
# compilers.sh: which compilers a test tries that could try several; sourced, not run. By
# default that of the build, or the oldest clang, however many are installed. With
# WEIR_ALL_COMPILERS=1, which a cell of `make check-matrix` sets, all that are here.
# shellcheck shell=sh

# Supported clangs of which the version is in the name; without any of these clang.
clangs()
{
    found=
    for clang in clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do
        command -v $clang >/dev/null 2>&1 || continue
        found="$found $clang"
        test "${WEIR_ALL_COMPILERS:-0}" = 1 || break
    done
    test -n "$found" || found=$(command -v clang >/dev/null 2>&1 && echo clang)
    # shellcheck disable=SC2086
    test -z "$found" || printf '%s\n' $found
}

# compilers [clang]: C compilers, that of the build first; with the argument the oldest
# clang, too. Two names of one compiler count once.
compilers()
{
    # shellcheck disable=SC2046
    case ${WEIR_ALL_COMPILERS:-0}/${1-} in
    1/*) set -- "$CC" gcc $(clangs) ;;
    */clang) set -- "$CC" "$(clangs)" ;;
    *) set -- "$CC" ;;
    esac
    for compiler; do
        # A compiler may be a command with arguments.
        # shellcheck disable=SC2086
        version=$($compiler --version 2>/dev/null | head -n 1 | sed 's/^[^ ]* //') || continue
        test -z "$version" || echo "$version|$compiler"
    done | awk -F '|' '!seen[$1]++ { print $2 }'
}
