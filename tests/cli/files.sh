#!/bin/sh
# SPDX-License-Identifier: MIT
#
# files.sh: what the command writes. A regular file is written whole or not at all; a
# link leads to it; a device, a pipe and the standard output are written to as they are.
. "${top_srcdir:-.}/tests/cli/lib.sh"
WEIR=$(cd "$(dirname "$WEIR")" && pwd)/$(basename "$WEIR")
cd "$scratch" || exit 99

# is_document FILE: it is a SARIF document to its end.
is_document()
{
    grep -q '"version" : "2.1.0"' "$1" && tail -n 1 "$1" | grep -q '^}' \
        || bad "$1 is no whole document"
}

weir_clean check --runs 4 --sarif new reduce_tree --n 64
is_document new

# No space for it: the old file stays, and there is no other.
echo before >kept
step='weir check --runs 4 --sarif kept with files of 512 bytes'
status=0
(
    trap '' XFSZ
    ulimit -f 1
    exec "$WEIR" check --runs 4 --sarif kept reduce_tree --n 64 >"$out" 2>"$err"
) || status=$?
ends_with 2
grep -q '^weir check: --sarif: .*kept' "$err" || bad "the loss is not reported"
test "$(cat kept)" = before || bad "the old file is lost"
test "$(ls)" = "$(printf 'err\nkept\nnew\nout')" || bad "there are other files: $(ls)"

mkdir folder
echo before >folder/target
for target in folder/target folder/none; do
    ln -sf $target link
    weir_clean check --runs 4 --sarif link reduce_tree --n 64
    test -h link || bad "the document replaced a link"
    is_document $target
done

mkfifo pipe
cat pipe >received &
weir check --runs 4 --sarif pipe reduce_tree --n 64
wait
is_clean
test -p pipe || bad "the document replaced a pipe"
is_document received

if test -e /dev/stdout; then
    weir_clean check --runs 4 --sarif /dev/stdout reduce_tree --n 64
    says '"version" : "2.1.0"' 'of reduce_tree: no findings$'
fi

# full OPTION ARGUMENT...: the command reports that /dev/full takes nothing.
full()
{
    option=$1
    shift
    weir_ends 2 "$@"
    test "$(grep -c '/dev/full' "$err")" -eq 1 || bad "not one line on /dev/full"
    grep -q "^weir $1: $option.*/dev/full: No space left" "$err" || bad "no reason is given"
    test -c /dev/full || bad "a file replaced the device"
}

if test -c /dev/full; then
    full --sarif check --runs 4 --sarif /dev/full reduce_tree --n 64
    full --report check --runs 4 --report /dev/full reduce_tree --n 64
    full 'cannot write' check --runs 4 --record /dev/full reduce_tree --n 64
    weir_ends 1 check --record recorded --schedule random reduce_atomics1 --n 40 --device opencl12
    full 'cannot write' shrink recorded -o /dev/full
    weir_clean litmus mp --graphs drawings
    for drawing in drawings/*; do
        ln -sf /dev/full "$drawing"
    done
    weir_ends 2 litmus mp --graphs drawings
    grep -q '^weir litmus: --graphs: drawings/.*: No space left' "$err" \
        || bad "no reason is given"
    test -c /dev/full || bad "a drawing replaced the device"
fi
finish
