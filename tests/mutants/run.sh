#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh SOURCES BUILD SCRATCH [NAME...]: whether the tests notice the small changes of
# tests/mutants/table. It copies the sources to SCRATCH, configures a build there as
# BUILD is configured, applies one mutant after the other, and runs its tests. A mutant
# dies if each of its tests fails. With names, these mutants only.
#
# A line is printed for each mutant. Exit status 1: a mutant survived, no longer applies
# or does not compile; 2: the table is malformed, or has no mutant of a name given.
#
# A mutant of the table is some lines "KEY: TEXT" and ends with an empty line. Old text
# is part of a line and is found on exactly one line of the files below its `in`, so
# that it survives what moves in a file, and `in` may be a folder. Several pairs of old
# and new are applied together.
set -u
sources=$1 build=$2 scratch=$3
shift 3
only=" $* "
make=${MAKE:-make}
copy=$scratch/sources

say()
{
    printf '%-14s %-32s %s\n' "$1" "$2" "$3"
}

# Copies the sources without what a build in their folder leaves there.
copy_sources()
{
    rm -rf "$scratch"
    mkdir -p "$copy" "$scratch/build" || exit 2
    for entry in "$sources"/* "$sources"/.clang-format; do
        test -e "$entry/config.status" || cp -R "$entry" "$copy/" || exit 2
    done
    rm -f "$copy/config.status" "$copy/config.h" "$copy/Makefile"
    find "$copy" \( -name '*.o' -o -name '*.a' -o -name .dirstamp \) -exec rm -f {} +
}

# fails TEST: builds and runs a test. 0: it failed; 1: it passed; 2: it does not compile.
fails()
{
    log=${1%.sh}
    (
        cd "$scratch/build" || exit 2
        rm -f "$log.log" "$log.trs"
        timeout 600 $make -s "$log.log" >make.log 2>&1 </dev/null
        test -f "$log.trs" || exit 2
        ! grep -q '^:test-result: \(PASS\|SKIP\)' "$log.trs"
    )
}

# replace OLD NEW: replaces in the one line of the files below $in that has OLD.
replace()
{
    places=$(grep -rnF -e "$1" "$copy/$in" 2>/dev/null)
    case $(printf '%s' "$places" | grep -c '') in
    0) problem="nothing in $in has: $1"; return 1 ;;
    1) ;;
    *) problem="more than one line in $in has: $1"; return 1 ;;
    esac
    file=$copy/$in
    test -f "$file" || file=${places%%:*}
    case $changed in
    *" $file "*) ;;
    *)
        cp "$file" "$file.saved"
        changed="$changed$file "
        ;;
    esac
    old=$1 new=$2 awk '{
        at = index($0, ENVIRON["old"])
        if (at)
            $0 = substr($0, 1, at - 1) ENVIRON["new"] substr($0, at + length(ENVIRON["old"]))
        print
    }' "$file" >"$file.step" && mv "$file.step" "$file"
}

# Tries the mutant in $name, $in, $tests and the pairs of $scratch/pairs.
try()
{
    problem=
    changed=' '
    while read -r old && read -r new; do
        replace "$old" "$new" || break
    done <"$scratch/pairs"
    if test -n "$problem"; then
        say "NOT APPLIED" "$name" "$problem"
        failed=$((failed + 1))
    else
        verdict=dies
        for test in $tests; do
            fails "$test"
            case $? in
            1) verdict=SURVIVES; break ;;
            2) verdict='NOT BUILT'; break ;;
            esac
        done
        say "$verdict" "$name" "$test"
        test "$verdict" = dies || failed=$((failed + 1))
    fi
    for file in $changed; do
        mv "$file.saved" "$file"
        touch "$file"
    done
}

refuse()
{
    echo "run.sh: $1" >&2
    exit 2
}

# Without tests of its own, a mutant would die of none, or be tried by those of another.
check_row()
{
    test -n "$in" || refuse "mutant $name has no line 'in: '"
    test -n "$tests" || refuse "mutant $name has no line 'tests: '"
    test "$pairs" = whole || refuse "mutant $name: each 'old: ' is followed by its 'new: '"
}

# each COMMAND: runs it for each mutant of the table that is asked for.
each()
{
    name=
    while IFS= read -r line || test -n "$name"; do
        value=${line#*: }
        case $line in
        'mutant: '*)
            test -z "$name" || refuse "no empty line between mutants $name and $value"
            name=$value in='' tests='' pairs=''
            : >"$scratch/pairs"
            ;;
        'in: '*) in=$value ;;
        'tests: '*) tests=$value ;;
        'old: '*)
            case $pairs in
            old | wrong) pairs=wrong ;;
            *) pairs=old ;;
            esac
            printf '%s\n' "$value" >>"$scratch/pairs"
            ;;
        'new: '* | 'new:')
            test "$line" != new: || value=
            case $pairs in
            old) pairs=whole ;;
            *) pairs=wrong ;;
            esac
            printf '%s\n' "$value" >>"$scratch/pairs"
            ;;
        'loses: '* | '#'* | ' '*) ;;
        '')
            test -z "$name" || check_row
            case $only in
            *" $name "* | '  ') test -z "$name" || "$1" ;;
            esac
            name=
            ;;
        *) refuse "a line of the table that is none: $line" ;;
        esac
        line=
    done <"$sources/tests/mutants/table"
}

note_tests()
{
    mutants=$((mutants + 1))
    names="$names$name "
    for test in $tests; do
        case $all in
        *" $test "*) ;;
        *) all="$all$test " ;;
        esac
    done
}

copy_sources
failed=0 mutants=0 all=' ' names=' '
each note_tests
for name in $only; do
    case $names in
    *" $name "*) ;;
    *) refuse "the table has no mutant $name" ;;
    esac
done
eval "set -- $("$build/config.status" --config)"
(cd "$scratch/build" && "../sources/configure" "$@" --disable-werror -q) || exit 2
logs=
for test in $all; do
    logs="$logs ${test%.sh}.log"
done
# shellcheck disable=SC2086
(cd "$scratch/build" && $make -s $logs) >"$scratch/make.log" 2>&1 </dev/null
for log in $logs; do
    grep -q '^:test-result: PASS' "$scratch/build/${log%.log}.trs" && continue
    tail -n 20 "$scratch/make.log"
    echo "run.sh: ${log%.log} does not pass without a mutant" >&2
    exit 2
done
each try
echo "$((mutants - failed)) of $mutants mutants die"
test "$failed" -eq 0
