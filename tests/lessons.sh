#!/bin/sh
# SPDX-License-Identifier: MIT
#
# lessons.sh: the lessons of docs/tutorial/ have one shape, lead from one to the next, and
# take at most ten minutes each, which README.md there states.
#
# Exercises that a lesson names exist, and each exercise belongs to a lesson.
#
# Minutes are estimated: 200 words of text, 40 lines of source or output, or 6 commands a
# minute, rounded up.
. "${top_srcdir:-.}/tests/arch/lib.sh"
cd "$top_srcdir/docs/tutorial" || exit 99

minutes()
{
    awk '
        /^```/ { inside = !inside; next }
        inside && /^\$ / { commands++; next }
        inside { lines++; next }
        { words += NF }
        END {
            took = words / 200 + lines / 40 + commands / 6
            print int(took) + (took > int(took))
        }' "$1"
}

# need PAGE PATTERN: a line of the page matches.
need()
{
    grep -qE "$2" "$1" || bad "$1: no line like $2"
}

set -- [01][0-9]-*.md
test $# = 11 || bad "there are $# lessons"
number=0
while test $# -gt 0; do
    page=$1
    shift
    number=$((number + 1))
    head -n 1 "$page" | grep -q "^# $number\. " || bad "$page does not begin with its number"
    title=$(sed -n "1s/^# $number\. //p" "$page")
    need "$page" '^After this lesson you can '
    for part in 'What an H200 did' 'Question' 'Source'; do
        need "$page" "^## $part\$"
    done
    need "$page" '^\*\*Answer\.\*\* '
    need "$page" '^```console'
    sed -n '/^## Source$/,$p' "$page" | grep -q '\.\./sources\.md#' \
        || bad "$page cites no source"
    for exercise in $(sed -n '/^## Exercises$/,/^## Source$/p' "$page" | grep -o '`[a-z-]*`' \
        | tr -d '`'); do
        test -d "../../exercises/$exercise" || bad "$page names no exercise: $exercise"
    done
    if test $# -gt 0; then
        need "$page" "^Next: \[[a-z ]*\]\($1\)\$"
    fi
    took=$(minutes "$page")
    test "$took" -le 10 || bad "$page takes $took minutes"
    grep -qF "| $number | [$title]($page) | $took |" README.md \
        || bad "README.md does not have: | $number | [$title]($page) | $took |"
    echo "$page: $took minutes"
done

for exercise in ../../exercises/*/; do
    exercise=$(basename "$exercise")
    sed -n '/^## Exercises$/,/^## Source$/p' [01][0-9]-*.md | grep -qF "\`$exercise\`" \
        || bad "no lesson names the exercise $exercise"
done

# Measurements on a slide are those of a lesson.
for number in $(grep '^|' slides.md | grep -oE '[0-9]+( [0-9]{3})+|[0-9]+ of [0-9]+' | tr ' ' '_' | sort -u); do
    grep -qF "$(echo "$number" | tr '_' ' ')" [01][0-9]-*.md || bad "slides.md: no lesson has $number"
done
for exercise in $(sed -n '/^Before the next class/,/^$/p' slides.md | grep -o '`[a-z-]*`' | tr -d '`'); do
    test -d "../../exercises/$exercise" || bad "slides.md names no exercise: $exercise"
done
finish
