# SPDX-License-Identifier: MIT
#
# lib.sh: programs that are right, made wrong by a change of their text, and the fixes
# that weir check offers for them; sourced after tests/cli/lib.sh, not run.
# shellcheck shell=sh

command -v patch >/dev/null 2>&1 || { echo "SKIP: there is no patch(1)"; exit 77; }
use_weir_cc
rows=0

level=-O0
fixes=yes

# build SOURCE...: ./program, in the current folder, of one command or, with $apart, of
# an object for each source.
build()
{
    if test -z "${apart:-}"; then
        weir_cc -g "$level" -Wno-unused "$@" -o program
        return
    fi
    objects=
    for file in "$@"; do
        weir_cc -g "$level" -c "$file" -o "${file%.c}.o" || return
        objects="$objects ${file%.c}.o"
    done
    # Several words.
    # shellcheck disable=SC2086
    weir_cc $objects -o program
}

# text_of SOURCE...: without comments and spaces.
text_of()
{
    for file in "$@"; do
        ${CC:-cc} -fpreprocessed -dD -E -P "$file"
    done | tr -d ' \n\t'
}

# is_right SOURCE...: the program of the current folder has no finding in 20 runs, and
# answers right in each of them and in a plain run. A text that has been tried is not tried
# again: several mistakes have the same fix, or the fix is the text without the mistake.
is_right()
{
    text="$level ${apart:-} $(text_of "$@")"
    if grep -Fqxe "$text" "$scratch/tried" 2>/dev/null; then
        return
    fi
    printf '%s\n' "$text" >>"$scratch/tried"
    build "$@" || bad "does not compile"
    weir check --schedule random,pct:3 --seeds 1..10 -- ./program
    is_clean
    step="$name: a plain run"
    status=0
    timeout 20 ./program >"$out" 2>"$err" || status=$?
    is_clean
}

# right 'SOURCE...': the programs, as they stand, are right.
right()
{
    for source in $1; do
        name="$source as it stands"
        mkdir "$scratch/right-$source"
        cp "$top_srcdir"/tests/fixes/*.[ch] "$scratch/right-$source"
        cd "$scratch/right-$source" || exit 99
        case $source in
        split_kernel.c) source="split_kernel.c split_main.c" ;;
        esac
        # Several words.
        # shellcheck disable=SC2086
        is_right $source
    done
}

# The kinds of the changes that are offered, and where they are, a line each.
offered()
{
    awk '/"what" : / { gsub(/[",]/, ""); what = $3 }
        /"file" : / { gsub(/[",]/, ""); file = $3 }
        /"line" : / && what { gsub(/,/, ""); print what, file ":" $3; what = "" }' "$out" \
        | sort -u
}

# make_wrong NAME 'SOURCE...' EDIT: checks the program that the sources are after they are
# edited by sed, in a folder of its own. An edit keeps the numbers of lines.
make_wrong()
{
    name=$1 sources=$2
    step=$name status=0
    mkdir -p "$scratch/$name/fixed"
    cd "$scratch/$name" || exit 99
    cp "$top_srcdir"/tests/fixes/*.h .
    for file in $sources; do
        sed "$3" "$top_srcdir/tests/fixes/$file" >"$file"
    done
    # Several words.
    # shellcheck disable=SC2086
    cat $sources | cmp -s - "$top_srcdir/tests/fixes/${sources%% *}" \
        && bad "the edit changes nothing"
    # Several words.
    # shellcheck disable=SC2086
    build $sources || bad "does not compile"
    # On a busy machine the default limit of time would end a trial.
    weir check --time-limit 240 --runs 12 --json --patch fix.diff -- ./program
    # A program that ends with a status of its own is reported as well, by status 2.
    test "$status" -eq 1 || test "$status" -eq 2 || bad "ended with $status"
    offered >offers
    cp "$out" found.json
    rows=$((rows + 1))
}

# judged IS: the JSON of the fix says whether the program judges its answer: each run has
# a number of right answers, or null.
judged()
{
    right=$(sed -n 's/^ *"right" : \([^,]*\),*$/\1/p' "$out" | head -n 1)
    case $1:$right in
    no:null | yes:[0-9]*) ;;
    *) bad "right is '$right', and the program's answer is judged: $1" ;;
    esac
}

# explained PATTERN: the reason of the first finding of the program that is wrong, whether
# fixes were tried or not.
explained()
{
    step="$name, its reason"
    weir check --runs 1 --no-fixes --json -- ../program
    for file in ../found.json "$out"; do
        sed -n 's/^ *"why" : "\(.*\)",$/\1/p' "$file" | head -n 1 | grep -Eqx "$1" \
            || bad "the reason in $file is not '$1'"
    done
}

# becomes TEXT: what the change of the program that is wrong writes.
becomes()
{
    grep -qF "\"to\" : \"$1\"" ../found.json || bad "no change to '$1' is offered"
}

# wrong NAME 'SOURCE...' EDIT KINDS LINES: the fix that is offered consists of changes of
# these kinds, each at a line that matches LINES, and the program with it is right. Kinds
# and lines are extended regular expressions.
wrong()
{
    make_wrong "$1" "$2" "$3"
    step=$name
    judged yes
    kinds=$(cut -d ' ' -f 1 offers | sort | paste -s -d ' ' -)
    echo "$kinds" | grep -Eqx -e "$4" || bad "offered is '$kinds', not '$4'"
    while read -r kind place; do
        sed -n "${place#*:}p" "${place%:*}" | grep -Eq -e "$5" \
            || bad "$kind at $place, which is: $(sed -n "${place#*:}p" "${place%:*}")"
    done <offers
    cp ./*.[ch] fixed
    cd fixed || exit 99
    if test -s ../fix.diff; then
        patch -s -p1 <../fix.diff || bad "the patch cannot be applied"
        # Several words.
        # shellcheck disable=SC2086
        is_right $2
    fi
}

# hopeless NAME 'SOURCE...' EDIT: there is a finding, and no fix is offered.
hopeless()
{
    make_wrong "$1" "$2" "$3"
    grep -q '"key" : ' "$out" || bad "there is no finding"
    test ! -s offers || bad "offered is $(cat offers)"
    test ! -s fix.diff || bad "the patch is not empty"
}
