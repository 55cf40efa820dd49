#!/bin/sh
# SPDX-License-Identifier: MIT
#
# complete.sh: shells complete every command, every option that the help of a command
# lists, and the words that options accept; what they offer is accepted.
. "${top_srcdir:-.}/tests/cli/lib.sh"

scripts=$(cd "$top_srcdir/completion" && pwd)
PATH=$(cd "$(dirname "$WEIR")" && pwd):$PATH
WEIR_EXERCISE_DIR=$(cd "$top_srcdir/exercises" && pwd)
export PATH WEIR_EXERCISE_DIR

# Standard output is these words, in this order; lines may have a meaning after a tab.
offers()
{
    cut -f 1 "$out" >"$scratch/offered"
    printf '%s\n' "$@" | cmp -s - "$scratch/offered" || bad "these were expected: $*"
}

# ---- The command itself ------------------------------------------------------------

weir help
sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$out" >"$scratch/commands"
commands=$(grep -v '^help$' "$scratch/commands")
weir_clean --complete ''
cut -f 1 "$out" | cmp -s - "$scratch/commands" || bad "not the commands of weir help"
# A command with actions has options for each of them.
for command in $commands; do
    weir help "$command"
    sed -n '/^Actions:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$out" >"$scratch/actions"
    if test -s "$scratch/actions"; then
        sed "s/^/$command /" "$scratch/actions" >>"$scratch/lines"
        weir_clean --complete "$command" ''
        cut -f 1 "$out" | cmp -s - "$scratch/actions" || bad "not the actions of its help"
    else
        echo "$command" >>"$scratch/lines"
    fi
done
while read -r command; do
    # A command and its action are two words.
    # shellcheck disable=SC2086
    set -- $command
    weir "$@" --help
    sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z][a-z0-9-]*=\{0,1\}\).*/\2/p' "$out" >"$scratch/listed"
    grep '^  .*--[a-z0-9-]*=[A-Z]' "$out" | sed 's/^.*--\([a-z0-9-]*\)=\([A-Z]*\).*/\1 \2/' \
        >"$scratch/valued"
    grep -q -- '--help' "$scratch/listed" || bad "no options are seen"
    weir_clean --complete "$@" --
    cut -f 1 "$out" | grep -v '^--$' | cmp -s - "$scratch/listed" \
        || bad "not the options of weir help $command"
    # A value that is a word or a file is offered, in both spellings.
    while read -r option kind; do
        case $kind in
        MODEL | PROFILE | RULE | WHAT | FAMILY | OBSERVATION | FILE | OUT | DIR)
            case $option in
            order) continue ;;
            esac
            weir_clean --complete "$@" "--$option" ''
            test -s "$out" || bad "nothing is offered for $kind"
            grep -v '^:' "$out" | sed "s/^/--$option=/" >"$scratch/apart"
            weir_clean --complete "$@" "--$option="
            grep -v '^:' "$out" | cmp -s - "$scratch/apart" || bad "not the words of --$option"
            ;;
        esac
    done <"$scratch/valued"
done <"$scratch/lines"

# The words of an option are those that its complaint names.
accepted()
{
    command=$1
    option=$2
    shift 2
    weir "$command" "$@" "--$option" x
    ends_with 2
    sed 's/^.*: \(give\|it is one of\) //; s/,* or pct:D:K$//; s/pct:D$/pct:/; s/, or /, /; s/ or /, /; s/, /\n/g' \
        "$err" | LC_ALL=C sort >"$scratch/accepted"
    weir --complete "$command" "--$option" ''
    cut -f 1 "$out" | LC_ALL=C sort | cmp -s - "$scratch/accepted" \
        || bad "not the words that are accepted: $(tr '\n' ' ' <"$scratch/accepted")"
}
for option in schedule exited pairing after scope-rule spaces same-value model; do
    accepted check $option reduce_tree --n 8 --runs 1
done
accepted bench family
accepted litmus expect mp
weir list --csv
sed '1d; s/,.*//' "$out" >"$scratch/kernels"
weir_clean --complete run ''
cut -f 1 "$out" | grep -vx -e -- | cmp -s - "$scratch/kernels" || bad "not the kernels of weir list"
weir_clean --complete litmus --model ''
offers sycl sycl-split rc11 sc opencl gpu ptx ptx-6.0 ptx-7.5 vulkan vulkan-nochains \
    vulkan-prose all
for command in litmus explore; do
    weir_clean --complete $command --progress ''
    offers fair hsa obe hsa_obe lobe all
done
weir_clean --complete explore --progress-by ''
offers item group
for model in $(weir --complete explore --model ''; cat "$out"); do
    weir_clean explore reduce_atomics1 --model "$model"
done

weir_clean --complete c
offers check
weir_clean --complete explore --mo
offers --model=
weir_clean --complete explore -m s
offers sycl sycl-split sc
weir_clean --complete explore --model=rc
offers --model=rc11
weir_clean --complete check reduce_tr
offers reduce_tree reduce_tree_hierarchical reduce_tree_divergent \
    reduce_tree_divergent_hierarchical reduce_tree_sequential reduce_tree_sequential_hierarchical
weir_clean --complete check -- ./program --mo
offers :program
weir_clean --complete check --schedule -- --no-f
offers --no-fixes
weir_clean --complete check --record --schedule p
test ! -s "$out" || bad "the value of an option is taken for an option"
weir_clean --complete replay ''
offers ':files *.schedule'
weir_clean --complete help 'doc'
offers 'doctor'
weir_clean --complete doctor st
offers stacks stackless
weir_clean --complete exercise show early
offers early-return
weir_clean --complete nonsense ''
test ! -s "$out" || bad "something is offered"

# ---- Shells ------------------------------------------------------------------------

folder=$scratch/files
mkdir "$folder" "$folder/sub"
touch "$folder/a.schedule" "$folder/a.txt" "$folder/b c.schedule"
cd "$folder" || exit 99

# shell_offers WORDS WANTED...: what a shell offers where WORDS are typed, in any order.
shell_offers()
{
    step="$shell: $1"
    words=$1
    status=0
    shift
    ask_"$shell" "$words" >"$out" 2>"$err" || status=$?
    is_clean
    LC_ALL=C sort "$out" >"$scratch/offered"
    printf '%s\n' "$@" | LC_ALL=C sort | cmp -s - "$scratch/offered" \
        || bad "these were expected: $*"
}
all_shells()
{
    shell_offers 'weir expl' explore
    shell_offers 'weir replay ' a.schedule 'b c.schedule' "sub$1"
    shell_offers 'weir bench --family ' reduction histogram
    shell_offers 'weir litmus mp-relax' mp-relaxed
}

# COMP_WORDS are what bash makes of the line; none of the words here has a space.
ask_bash()
{
    bash --norc -c '
        compopt() { :; }
        source "$1/bash/weir" && source "$1/bash/weir-cc" || exit
        line=${2//=/ = }
        read -ra COMP_WORDS <<<"${line//:/ : }"
        [[ $2 != *[\ =:] || $2 == *= ]] || COMP_WORDS+=("")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        function=_${COMP_WORDS[0]//-/_}
        "$function" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}"
        ((${#COMPREPLY[@]} == 0)) || printf "%s\n" "${COMPREPLY[@]}"' bash "$scripts" "$1"
}
if command -v bash >/dev/null 2>&1; then
    shell=bash
    all_shells ''
    shell_offers 'weir explore --mo' --model=
    shell_offers 'weir explore --model=sycl' sycl sycl-split
    shell_offers 'weir check --schedule=pct:' ''
    shell_offers 'weir explore --graphs=s' sub
    shell_offers 'weir replay a.t' a.txt
    shell_offers 'weir check -- ./a.s' ./a.schedule
    shell_offers 'weir-cc --stack' --stackless
fi

ask_fish()
{
    HOME=$scratch fish --no-config -c 'source $argv[1]/fish/weir.fish
        complete -C $argv[2] | string replace -r "\t.*" ""
        true' "$scripts" "$1"
}
if command -v fish >/dev/null 2>&1; then
    shell=fish
    all_shells /
    shell_offers 'weir explore --mo' --model=
    shell_offers 'weir explore --model=sycl' --model=sycl --model=sycl-split
    shell_offers 'weir explore --graphs=s' --graphs=sub/
fi

# The functions of zsh's completion write what they are to offer.
ask_zsh()
{
    zsh -f -c '
        compset() { [[ $PREFIX != --*=* ]] || PREFIX=${PREFIX#--*=} }
        _describe() {
            local word
            for word in "${(@P)3}"; do print -r -- "${${word//\\:/}%%:*}"; done
        }
        _files() {
            local -a found
            found=($PREFIX*(/N))
            case $1 in
            -g) found+=($PREFIX${~2}(N)) ;;
            "") found+=($PREFIX*(.N)) ;;
            esac
            (($#found == 0)) || print -rl -- $found
        }
        _normal() { print -r -- "$CURRENT $words" }
        words=("${(@s: :)2}")
        CURRENT=$#words PREFIX=$words[-1] service=$words[1]
        source $1/zsh/_weir' zsh "$scripts" "$1"
}
if command -v zsh >/dev/null 2>&1; then
    shell=zsh
    all_shells ''
    shell_offers 'weir explore --mo' --model=
    shell_offers 'weir explore --model=sycl' --model=sycl --model=sycl-split
    shell_offers 'weir explore --graphs=s' sub
    shell_offers 'weir check --runs 4 -- ./a.s' '1 ./a.s'
fi
finish
