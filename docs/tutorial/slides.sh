#!/bin/sh
# SPDX-License-Identifier: MIT
#
# slides.sh PAGE FOLDER: makes FOLDER/slides.html and FOLDER/slides-notes.html, and a PDF
# of each, from a page in Markdown: slides of 16:9 for a projector, and the same with the
# notes of the lecturer, on paper.
#
# Each heading of the page opens a slide. A quotation ends it: that is its note, and each
# slide has one. Blocks of sh are commands that the lecturer types beforehand: they go to
# the notes. The page's pictures stay where they are.
set -e
page=$1
folder=$2
here=$(cd "$(dirname "$page")" && pwd)

need()
{
    command -v "$1" >/dev/null 2>&1 && return
    echo "make slides needs $1; install it (Debian: apt-get install $2)" >&2
    exit 2
}
need cmark-gfm cmark-gfm
need chromium chromium

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d "${TMPDIR:-/tmp}/weir-slides.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# The slides, each with its note after it; prompts and what is typed in bold.
cmark-gfm --unsafe -e table "$page" | awk '
    function close_slide() {
        if (!n) return
        if (part != "note") {
            print "slides: no note: " title >"/dev/stderr"
            wrong = 1
        }
        print "</section>"
    }
    /^<h[12]>/ {
        close_slide()
        n++
        title = $0
        gsub(/<[^>]*>/, "", title)
        part = "slide"
        before = ""
        kind = /^<h1>/ ? "slide title" : "slide"
        print "<section><div class=\"" kind "\">" $0
        next
    }
    part == "slide" && /^<pre><code class="language-sh">/ { hidden = 1 }
    hidden {
        before = before $0 "\n"
        if (/<\/pre>/) hidden = 0
        next
    }
    part == "slide" && /^<blockquote>/ {
        part = "note"
        print "<footer>" n "</footer></div><div class=\"note\">"
        if (before != "") print "<p>Before this slide, type:</p>\n" before
        next
    }
    /^<\/blockquote>/ { next }
    /^<pre><code class="language-console">/ { typed = 1 }
    typed {
        if (sub(/^<pre><code[^>]*>/, "")) printf "<pre><code class=\"language-console\">"
        print /^(\$|&gt;) / ? "<b>" $0 "</b>" : $0
        if (/<\/pre>/) typed = 0
        next
    }
    { print }
    END { close_slide(); exit wrong }' >"$scratch/body"

# made KIND FILE: the page, then its PDF.
made()
{
    {
        echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        echo '<title>GPU memory models in 90 minutes</title>'
        printf '<base href="file://%s/"><style>\n' "$here"
        cat "$here/slides.css"
        printf '</style></head><body class="%s">\n' "$1"
        cat "$scratch/body"
        echo '<script>'
        cat "$here/slides.js"
        echo '</script></body></html>'
    } >"$folder/$2.html"
    # A folder of its own: a browser that runs already would take the command over.
    if ! HOME=$scratch chromium --headless --no-sandbox --disable-gpu --no-first-run \
        --disable-dev-shm-usage --user-data-dir="$scratch/$1" --no-pdf-header-footer \
        --host-resolver-rules='MAP * ~NOTFOUND' --print-to-pdf="$scratch/$2.pdf" \
        "file://$folder/$2.html" >"$scratch/log" 2>&1 || ! test -s "$scratch/$2.pdf"; then
        tail -n 5 "$scratch/log" >&2
        echo "slides: chromium printed no $2.pdf" >&2
        exit 1
    fi
    mv "$scratch/$2.pdf" "$folder/$2.pdf"
}

made slides slides
made notes slides-notes
