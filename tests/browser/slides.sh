#!/bin/sh
# SPDX-License-Identifier: MIT
#
# slides.sh: the slides of docs/tutorial/slides.md are slides: 25 to 35 of them, a page of
# the PDF each, and nothing of a slide is beyond its edge or too small. What they print, the
# page's own test compares.
. "${top_srcdir:-.}/tests/browser/lib.sh"
command -v cmark-gfm >/dev/null 2>&1 || { echo "SKIP: no cmark-gfm (Debian: cmark-gfm)"; exit 77; }

tutorial=$(cd "$top_srcdir" && pwd)/docs/tutorial
made()
{
    sh "$tutorial/slides.sh" "$1" "$2" >"$scratch/log" 2>&1
}

# pages FILE: of a PDF.
pages()
{
    grep -ac '/Type /Page$' "$1"
}

made "$tutorial/slides.md" "$scratch/slides" || { cat "$scratch/log"; bad "no slides"; finish; }
headings=$(awk '/^```/ { inside = !inside } !inside && /^##? / { n++ } END { print n }' \
    "$tutorial/slides.md")
test "$headings" -ge 25 && test "$headings" -le 35 || bad "$headings slides"
test "$(pages "$scratch/slides/slides.pdf")" = "$headings" \
    || bad "$(pages "$scratch/slides/slides.pdf") pages of $headings slides"
test -s "$scratch/slides/slides-notes.pdf" || bad "no notes"
in_browser slides.py "$scratch/slides/slides.html" "$headings"

# A slide with too many lines is found, and one with two lines less is not.
mkdir "$scratch/page"
cp "$tutorial"/slides.css "$tutorial"/slides.js "$scratch/page"
deck()
{
    { echo '## Long'; echo; seq "$1" | sed 's/^/    /'; printf '\n> A note.\n'; } \
        >"$scratch/page/deck.md"
    made "$scratch/page/deck.md" "$scratch/deck" || bad "no slides of $1 lines"
}
deck 22
in_browser slides.py "$scratch/deck/slides.html" 1
deck 24
PYTHONDONTWRITEBYTECODE=1 "$python" "$top_srcdir/tests/browser/slides.py" \
    "$scratch/deck/slides.html" 1 >"$scratch/log" 2>&1 && bad "24 lines fit"
grep -q "beyond" "$scratch/log" || { cat "$scratch/log"; bad "another fault"; }

# Each slide has a note, and a missing tool is named with its package.
printf '## One\n\ntext\n\n## Two\n\ntext\n\n> A note.\n' >"$scratch/page/deck.md"
made "$scratch/page/deck.md" "$scratch/none" && bad "a slide without a note is accepted"
grep -qx 'slides: no note: One' "$scratch/log" || { cat "$scratch/log"; bad "no word of it"; }
test ! -e "$scratch/none/slides.pdf" || bad "there is a PDF all the same"
mkdir "$scratch/bin"
for tool in sh dirname; do
    ln -s "$(command -v $tool)" "$scratch/bin/$tool"
done
PATH=$scratch/bin sh "$tutorial/slides.sh" "$tutorial/slides.md" "$scratch/none" \
    >"$scratch/log" 2>&1 && bad "slides without tools"
grep -q 'needs cmark-gfm.*apt-get install cmark-gfm' "$scratch/log" \
    || { cat "$scratch/log"; bad "the package is not named"; }
finish
