#!/bin/sh
# SPDX-License-Identifier: MIT
#
# measured.sh: the driver of all tests: automake's own, which it runs with its arguments.
# It then adds what the test took of the processors, in seconds, to the .trs file, which
# automake makes and removes beside each .log. `make costs` prints these numbers.
here=$(cd "$(dirname "$0")" && pwd)
trs=
take=no
for argument; do
    test $take = no || trs=$argument
    take=no
    case $argument in
    --trs-file) take=yes ;;
    --) break ;;
    esac
done
"${SHELL:-/bin/sh}" "$here/../build-aux/test-driver" "$@"
status=$?
# The second line is that of the children which have been waited for, and of theirs. In
# $(...) it would be that of a subshell, which has none.
times >"$trs.times"
awk 'NR == 2 {
    gsub(/,/, ".") # a decimal comma
    for (i = 1; i <= 2; i++) {
        split($i, parts, "m")
        seconds += 60 * parts[1] + parts[2]
    }
    printf ":processor-seconds: %.2f\n", seconds
}' "$trs.times" >>"$trs"
rm -f "$trs.times"
exit $status
