#!/bin/sh
# SPDX-License-Identifier: MIT
#
# coverage.sh SRCDIR: after a run of the tests in a build that counts, the share of
# lines that ran, a source file a line. Run in the build folder.
srcdir=${1:?}
: "${GCOV:=gcov}"

# gcov writes its per-line reports beside us: in a folder to itself.
rm -rf coverage
mkdir coverage
cd coverage || exit 1
case $srcdir in
/*) ;;
*) srcdir=../$srcdir ;;
esac
srcdir=$(cd "$srcdir" && pwd)

find .. -name '*.gcda' | LC_ALL=C sort | while read -r counts; do
    "$GCOV" -r -s "$srcdir" "$counts" 2>/dev/null
done | awk -F "'" '
    /^File / { file = $2; next }
    /^Lines executed:/ && file ~ /^(sim|kernels)\// {
        split($0, part, /[:% ]+/)
        n = part[5]
        ran = part[3] * n / 100
        # A header counts in every file that includes it: the best of them.
        if (!(file in lines) || ran > executed[file]) { lines[file] = n; executed[file] = ran }
        file = ""
    }
    END {
        for (file in lines) {
            printf "%6.1f%%  %5d  %s\n", 100 * executed[file] / lines[file], lines[file], \
                file | "LC_ALL=C sort -k3"
            all += lines[file]; done += executed[file]
        }
        close("LC_ALL=C sort -k3")
        if (all) printf "%6.1f%%  %5d  in all\n", 100 * done / all, all
    }'
