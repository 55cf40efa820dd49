#!/bin/sh
# SPDX-License-Identifier: MIT
#
# costs.sh TRS...: what each test of the last run took of the processors, in seconds: its
# user and system time with that of its children. Prints a line each, the most expensive
# first, and the total in the last line. SLOWEST=10 prints only the first 10 of them.
for file; do
    test -f "$file" || continue
    sed -n "s|^:processor-seconds: \(.*\)|\1 ${file%.trs}|p" "$file"
done | sort -k1,1nr -k2 | awk -v most="${SLOWEST:-0}" '
    { total += $1 }
    !most || NR <= most { printf "%9.2f s  %s\n", $1, $2 }
    END { printf "%9.2f s  all %d tests, in processor seconds\n", total, NR }'
