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

# The tree's weir-cc, once WEIR_LIB_DIR is set. Stackless entries take most of the time of
# a build, and only tests of them need any.
weir_cc()
{
    "$WEIR_LIB_DIR/weir-cc" --no-stackless "$@"
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

# Standard output is JSON of which a Python expression over `it` is true. Where
# there is no Python only this part is skipped.
json()
{
    command -v python3 >/dev/null 2>&1 || return 0
    python3 - "$out" "$1" <<'END' || bad "the JSON is not such that $1"
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
