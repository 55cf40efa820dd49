#!/bin/sh
# SPDX-License-Identifier: MIT
#
# play.sh: the page of weir play: message passing is played to a stale read, by pointer,
# by keys and by a link; a kernel; layouts; and a session of many keys. PLAY_SECONDS=60
# makes that longer.
. "${top_srcdir:-.}/tests/browser/lib.sh"

# serve ARGUMENT...: a server; its address is in $address.
serve()
{
    step="weir play $*"
    status=0
    : >"$out"
    "$WEIR" play --port 0 "$@" >"$out" 2>"$err" </dev/null &
    server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
        grep -q http "$out" || sleep 0.25
    done
    if grep -q -e 'built without libmicrohttpd' -e 'no memory hooks' "$err"; then
        echo "SKIP: $(cat "$err")"
        test "$failures" -eq 0 && exit 77
        finish
    fi
    address=$(cat "$out")
    test -n "$address" || bad 'no address'
}

ends()
{
    kill -TERM $server
    status=0
    wait $server || status=$?
    test $status -eq 0 || bad "the server ended with $status"
}

serve "$top_srcdir/tests/browser/message.litmus"
in_browser play.py test "$address"
in_browser play.py session "$address" "${PLAY_SECONDS:-10}"
ends
serve --n 2 --local 1 reduce_last_group_relaxed
in_browser play.py kernel "$address"
ends
finish
