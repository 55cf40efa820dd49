#!/bin/sh
# SPDX-License-Identifier: MIT
#
# links.sh: what a document refers to is there. Every relative link in a page of the tree
# names a file, and after `#` a heading of it. The paths of pages in plain text, of NEWS
# and of comments, exist, too.
#
# A heading's anchor is its text in small letters without punctuation, with hyphens for
# spaces; the second one of the same text ends in -1.
. "${top_srcdir:-.}/tests/arch/lib.sh"
cd "$top_srcdir" || exit 99

pages=$(find README.md HACKING.md docs examples exercises -name '*.md' 2>/dev/null | LC_ALL=C sort)
test "$(echo "$pages" | wc -l)" -gt 20 || bad "there are hardly any pages"

# FILE ANCHOR for each heading.
anchors()
{
    # shellcheck disable=SC2086
    awk '
        FNR == 1 { split("", seen); inside = 0 }
        /^ *```/ { inside = !inside; next }
        inside { next }
        /^#+ / {
            text = tolower($0)
            sub(/^#+ +/, "", text)
            gsub(/\]\([^)]*\)/, "", text)
            gsub(/[^a-z0-9 _-]/, "", text)
            gsub(/ /, "-", text)
            print FILENAME " " text (seen[text] ? "-" seen[text] : "")
            seen[text]++
        }' "$@"
}

# FILE:LINE TARGET for each link that leads to no other site.
links()
{
    awk '
        FNR == 1 { inside = 0 }
        /^ *```/ { inside = !inside; next }
        inside { next }
        {
            gsub(/`[^`]*`/, "")
            while (match($0, /\]\([^)]*\)/)) {
                target = substr($0, RSTART + 2, RLENGTH - 3)
                $0 = substr($0, RSTART + RLENGTH)
                if (target !~ /^[a-z]+:/) print FILENAME ":" FNR " " target
            }
        }' "$@"
}

# judge FOLDER_OF_ANCHORS: reads links; prints those that lead nowhere.
judge()
{
    while read -r place target; do
        file=${place%:*}
        path=${target%%#*}
        if test -z "$path"; then
            full=$file
        else
            full=$(realpath -m --relative-to=. "$(dirname "$file")/$path")
        fi
        if ! test -e "$full"; then
            echo "$place: no $target"
        elif test "$path" != "$target" && ! grep -qxF "$full ${target#*#}" "$1"; then
            echo "$place: no heading for $target"
        fi
    done
}

# shellcheck disable=SC2086
{
    anchors $pages >"$scratch/anchors"
    links $pages >"$scratch/links"
}
judge "$scratch/anchors" <"$scratch/links" >"$scratch/broken"
cat "$scratch/broken"
if test -s "$scratch/broken"; then
    bad "links that lead nowhere"
else
    good "$(wc -l <"$scratch/links") links of $(echo "$pages" | wc -l) pages"
fi
test "$(wc -l <"$scratch/links")" -gt 50 || bad "there are hardly any links"

# A link and its wrong neighbours, of a page that is made for it.
mkdir "$scratch/site"
cat >"$scratch/site/page.md" <<'END'
# A page: its [title](page.md)
[right](page.md#a-page-its-title) [here](#two) [wrong](#three) [gone](gone.md)
## Two
```text
[not a link](nowhere.md)
```
END
found=$(cd "$scratch/site" && anchors page.md >anchors && links page.md | judge anchors)
expected='page.md:2: no heading for #three
page.md:2: no gone.md'
test "$found" = "$expected" || bad "the judge of links says: $found"

# Pages that are named in text.
for folder in NEWS README.md HACKING.md docs examples exercises kernels sim tests; do
    test -e "$folder" && grep -rnoHE 'docs/[A-Za-z0-9_/-]+\.md' "$folder"
done | while IFS=: read -r file line path; do
    test -e "$path" || echo "$file:$line: no $path"
done >"$scratch/unknown"
cat "$scratch/unknown"
test ! -s "$scratch/unknown" || bad "pages that are named and are not there"
finish
