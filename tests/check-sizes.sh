#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check-sizes.sh: every kernel gives the sequential answer for every number of
# elements, size of a group and number of workers below. A refusal is right only of a
# kernel whose row says that it needs a power of two or an even size, and only of a
# size that is not.
#
# A kernel that is broken on purpose runs like the others, but its answer is not
# judged. Each list can be set from outside, to try a part:
#
#   WEIR     the command                KERNELS  names; all of them unless given
#   SIZES    elements                   LOCALS   items of a group
#   WORKERS  threads
: "${WEIR:=./weir}"
: "${SIZES:=0 1 2 3 255 256 257 1000 65537 2^24 2^27+5}"
: "${LOCALS:=1 2 7 64 256 1024}"
: "${WORKERS:=1 2 5}"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/weir-sizes.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
good=0
bad=0
refused=0

# name, broken, power_of_two, even; one row a line.
"$WEIR" list --json >"$scratch/list" || exit 99
awk -F '"' -v wanted=" $KERNELS " '
    function value(line) { sub(/^.*: */, "", line); sub(/,.*$/, "", line); return line }
    $2 == "name" { name = $4 }
    $2 == "broken" { broken = value($0) }
    $2 == "power_of_two" { power = value($0) }
    $2 == "even" { even = value($0) }
    /^  }/ && (wanted ~ /^ *$/ || index(wanted, " " name " ")) { print name, broken, power, even }
    ' "$scratch/list" >"$scratch/rows"
test -s "$scratch/rows" || { echo "no kernel matches KERNELS='$KERNELS'"; exit 99; }
first_worker=${WORKERS%% *}

# may_refuse POWER_OF_TWO EVEN LOCAL
may_refuse()
{
    if test "$1" = true && test $(($3 & ($3 - 1))) -ne 0; then
        return 0
    fi
    test "$2" = true && test $(($3 % 2)) -ne 0
}

fail()
{
    echo "FAIL: $*"
    bad=$((bad + 1))
}

start=$(date +%s)
for n in $SIZES; do
    for local in $LOCALS; do
        able=
        while read -r name broken power even; do
            if may_refuse "$power" "$even" "$local"; then
                "$WEIR" run "$name" --n "$n" --local "$local" --workers "$first_worker" --csv \
                    >/dev/null 2>"$scratch/said"
                status=$?
                if test $status -eq 2; then
                    refused=$((refused + 1))
                else
                    fail "weir run $name --n $n --local $local: status $status, not 2"
                fi
            else
                able="$able $name"
            fi
        done <"$scratch/rows"

        test -n "$able" || continue
        for workers in $WORKERS; do
            # shellcheck disable=SC2086
            "$WEIR" run $able --n "$n" --local "$local" --workers "$workers" --reps 1 --csv \
                >"$scratch/csv" 2>"$scratch/said"
            status=$?
            for name in $able; do
                line=$(grep "^$name," "$scratch/csv")
                broken=$(sed -n "s/^$name \([a-z]*\) .*/\1/p" "$scratch/rows")
                case $broken,$line in
                *,) fail "weir run $name --n $n --local $local --workers $workers:" \
                        "no answer (status $status) $(head -n 2 "$scratch/said")" ;;
                true,*) good=$((good + 1)) ;;
                *)
                    # correct is the 8th column, findings the 12th
                    if test "$(echo "$line" | cut -d, -f8,12)" = true,0; then
                        good=$((good + 1))
                    else
                        fail "weir run $name --n $n --local $local --workers $workers: $line"
                    fi
                    ;;
                esac
            done
            # A status other than 0 has its reason in a row.
            test $status -eq 0 \
                || awk -F, 'NR > 1 && ($8 != "true" || $12 != "0") { wrong = 1 } END { exit !wrong }' \
                    "$scratch/csv" \
                || fail "weir run --n $n --local $local --workers $workers: status $status"
        done
        echo "n $n, local $local: $good right, $refused rightly refused, $bad wrong" \
            "after $(($(date +%s) - start)) s" >&2
    done
done
echo "$good right, $refused rightly refused, $bad wrong"
test "$bad" -eq 0
