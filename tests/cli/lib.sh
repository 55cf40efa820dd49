# SPDX-License-Identifier: MIT
#
# lib.sh: what the tests of the command share; sourced, not run. A test may be run
# by hand from the top of the sources with WEIR set to the command. Each step
# names itself first, so that a log says what failed; a script goes on after a
# failure and ends with status 1.
# shellcheck shell=sh

: "${top_srcdir:=.}"
test -x "${WEIR:-}" || { echo "SKIP: WEIR does not name the command"; exit 77; }
LC_ALL=C
export LC_ALL
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weir-cli.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
out=$scratch/out
err=$scratch/err
step=
# To try fixes takes most of the time of a check: a script that looks at them sets this to
# yes. --patch and --weaken try them whatever it is.
fixes=no

bad()
{
    failures=$((failures + 1))
    echo "FAIL: $step: $*"
    echo "  status $status; standard output, then standard error:"
    head -20 "$out" | sed 's/^/  | /'
    head -20 "$err" | sed 's/^/  ! /'
}

# Runs the command; what it wrote and how it ended is there for the checks below.
weir()
{
    step="weir $*"
    status=0
    case $fixes/${1-}/" $* " in
    */*/*' --patch '* | */*/*' --weaken '*) ;;
    no/check/* | no/explore/*)
        verb=$1
        shift
        set -- "$verb" --no-fixes "$@"
        ;;
    esac
    "$WEIR" "$@" >"$out" 2>"$err" </dev/null || status=$?
}

# use_weir_cc: for a script that compiles programs, or has them compiled. $tree is the folder
# of the build, and paths are whole, so that the script may go elsewhere. Where they are up
# to date, programs have the library without its debug information, of $tree/light,
# and weir_cc the headers there, which are compiled already; but not under sanitizers.
use_weir_cc()
{
    tree=$(cd "${top_builddir:-.}" && pwd)
    top_srcdir=$(cd "$top_srcdir" && pwd)
    WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
    WEIR_INCLUDE_DIR=$top_srcdir/sim
    WEIR_LIB_DIR=$tree
    light=$tree/tests/light
    linker=
    header=
    # The programs leave their memory to the system when they end.
    ASAN_OPTIONS=detect_leaks=0
    export WEIR_LIB_DIR WEIR_INCLUDE_DIR ASAN_OPTIONS
    test -z "${SANITIZE_FLAGS-}${COVERAGE_CFLAGS-}" || return 0
    # shellcheck disable=SC3013
    if test "$tree/light/libweir.a" -nt "$tree/libweir.a"; then
        WEIR_LIB_DIR=$tree/light
    fi
    if test -s "$light/O0/light.h.gch"; then # the compiler is gcc
        header=yes
        for file in "$top_srcdir"/sim/weir*.h "$top_srcdir/tests/light.h" "$tree/weir-cc"; do
            # shellcheck disable=SC3013
            test "$light/O0/light.h.gch" -nt "$file" || header=
        done
        ! command -v ld.gold >/dev/null 2>&1 || linker=-fuse-ld=gold
    fi
}

# The tree's weir-cc. Stackless entries take most of the time of a build, and only tests of
# them need any. There is a compiled header for -O0 and one for -O1; with another level gcc
# 12 fails on them.
weir_cc()
{
    early=
    case $header/" $* " in
    */*' --no-instrument '* | */*' -O'[!01]* | */*' -std='*) ;;
    yes/*' -O0 '*) early="-include $light/O0/light.h --alignment=no" ;;
    yes/*' -O1 '*) early="-include $light/O1/light.h --alignment=no" ;;
    */*' -O'[01]' '*) early=--alignment=no ;;
    esac
    # Several words.
    # shellcheck disable=SC2086
    "$tree/weir-cc" --no-stackless $linker $early "$@"
}

ends_with()
{
    test "$status" -eq "$1" || bad "ended with $status, not $1"
}

# Status 0 and nothing on standard error.
is_clean()
{
    ends_with 0
    test ! -s "$err" || bad "standard error is not empty"
}

# The command with these arguments ends with status 0 and nothing on standard error, or
# with the status that comes first.
weir_clean()
{
    weir "$@"
    is_clean
}

weir_ends()
{
    wanted=$1
    shift
    weir "$@"
    ends_with "$wanted"
}

# Wrong usage, input or environment: status 2, and one line that holds each pattern.
complains()
{
    ends_with 2
    test "$(wc -l <"$err")" -eq 1 || bad "not one line on standard error"
    test ! -s "$out" || bad "standard output is not empty"
    grep -q '^weir' "$err" || bad "the line does not say who complains"
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$err" || bad "the line lacks '$pattern'"
    done
}

# Standard output holds each pattern, or none of them.
says()
{
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$out" || bad "the output lacks '$pattern'"
    done
}

says_nothing_of()
{
    for pattern in "$@"; do
        ! grep -Eq -e "$pattern" "$out" || bad "the output has '$pattern'"
    done
}

# One line on standard error that holds each pattern, whatever else is there.
warns()
{
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$err" || bad "standard error lacks '$pattern'"
    done
}

# Python itself: python3 in PATH may be a script that takes longer to find it than it runs.
# Packages of its site, which -S leaves out, can take longer than all else.
python()
{
    test -n "${python-}" || python=$(python3 -S -c 'import sys; print(sys.executable)')
    "$python" -S "$@"
}

# Standard output is JSON of which a Python expression over `it` is true. Where
# there is no Python only this part is skipped.
json()
{
    command -v python3 >/dev/null 2>&1 || return 0
    python - "$out" "$1" <<'END' || bad "the JSON is not such that $1"
import json, sys
with open(sys.argv[1]) as file:
    it = json.load(file)
sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)
END
}

# row_has HEADING VALUE...: the one row of CSV below the headings has as many fields, and
# in the columns of these headings these values.
row_has()
{
    sed -n 1p "$out" | tr -d '\r' | tr ' ,' '_\n' >"$scratch/headings"
    sed -n 2p "$out" | tr -d '\r' | tr ',' '\n' >"$scratch/fields"
    test "$(wc -l <"$scratch/headings")" -eq "$(wc -l <"$scratch/fields")" \
        || bad "the row and the headings differ in number"
    while test $# -gt 1; do
        paste -d ' ' "$scratch/headings" "$scratch/fields" | grep -Fqx "$1 $2" \
            || bad "in column $1 there is no $2"
        shift 2
    done
}

# The output without what may differ from run to run: times and rates.
timeless()
{
    sed -E 's/[0-9]+\.[0-9]+ ms \(best; median [0-9.]+\), [0-9.]+ GB\/s/TIME/
        s/"(ms|ms_median|ms_best|gb_per_s|bandwidth_share|machine_gb_per_s)" : [0-9.e+-]+/"\1" : TIME/' \
        "$1"
}

finish()
{
    test "$failures" -eq 0 && exit 0
    echo "$failures failed"
    exit 1
}
