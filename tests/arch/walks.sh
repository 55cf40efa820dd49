#!/bin/sh
# SPDX-License-Identifier: MIT
#
# walks.sh: each function that a row of docs/walks.md names is in the file of that row, so
# that the page does not outlive what it describes.
. "${top_srcdir:-.}/tests/arch/lib.sh"

# rows PAGE: "FILE FUNCTION" for each function of the second column of a row.
rows()
{
    sed -n 's/^| [0-9]* | `\([^`]*\)` | \([^|]*\) |.*/\1 \2/p' "$1" | while read -r file names; do
        printf '%s\n' "$names" | grep -o '`[A-Za-z_0-9]*()`' | tr -d '`()' | sed "s|^|$file |"
    done
}

# stale TREE PAGE: prints the rows whose function is not in the file.
stale()
{
    rows "$2" | while read -r file name; do
        path=$1/sim/$file
        test -f "$path" || path=$1/$file
        if ! test -f "$path"; then
            echo "no file $file, which has $name"
        elif ! grep -q "\<$name\>" "$path"; then
            echo "$file has no $name"
        fi
    done | sort -u
}

# The test itself: a function and a file that are gone are seen, and one that is there is not.
mkdir -p "$scratch/sim/exec"
echo 'void start(void) {}' >"$scratch/sim/exec/a.c"
printf '| %s |\n' '1 | `exec/a.c` | `start()`, `begin()` | Starts.' \
    '2 | `exec/b.c` | `end()` | Ends.' >"$scratch/page"
test "$(stale "$scratch" "$scratch/page")" = "exec/a.c has no begin
no file exec/b.c, which has end" || bad "planted rows: $(stale "$scratch" "$scratch/page")"

n=$(rows "$top_srcdir/docs/walks.md" | wc -l)
test "$n" -gt 200 || bad "only $n functions are seen"
# Hooks are made by macros of their sizes.
stale "$top_srcdir" "$top_srcdir/docs/walks.md" | grep -v ' has no __tsan_' >"$scratch/stale"
while read -r line; do
    bad "docs/walks.md: $line"
done <"$scratch/stale"
test -s "$scratch/stale" || good "$n functions are where docs/walks.md says"
finish
