#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tutorial.sh: a tutorial of docs/ is true: with its files, each of its commands prints
# what stands there.
#
# A block of C or of text is the file that the paragraph before it names last. A block
# of a terminal is commands, which all run in one folder, and what they print. The folder
# of the built-in kernels is named as from the root of the source.
. "${top_srcdir:-.}/tests/arch/lib.sh"

build=$(cd "$top_builddir" && pwd)
test -f "$build/libweir.a" || skip "no libweir.a"
test -x "$build/weir" || skip "no command weir"
test -n "$CHECK_LIBS" || skip "no Check"
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" || skip "weir-cc links no other sanitizer"
is_clang "$CC" && skip "clang merges accesses that the page distinguishes"
WEIR_LIB_DIR=$build
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
PATH=$build:$PATH
export WEIR_LIB_DIR WEIR_INCLUDE_DIR PATH
unset WEIR_OPTIONS CK_RUN_CASE CK_RUN_SUITE CK_FORK CK_VERBOSITY

# Writes the files of a page, each when its place comes, and runs its commands: to be
# read by sh. Its output is the page's terminals, as they are on this machine.
script_of()
{
    awk '
        function quoted(text) {
            gsub(/\047/, "\047\\\047\047", text)
            return "\047" text "\047"
        }
        function shown(line) { return "printf \"%s\\n\" " quoted(line) "\n" }
        # A command of several lines, the later ones behind `> `, runs as a whole.
        function run() {
            if (command == "") return
            printf "%s", echoed
            print "(exit $status)"
            print command
            print "status=$?"
            command = ""
        }
        /^```/ && inside != "" {
            if (inside == "file") print "END_OF_FILE"
            run()
            inside = ""
            next
        }
        /^```(c|text)$/ {
            inside = name != "" ? "file" : "other"
            if (inside == "file") printf "cat >%s <<\\END_OF_FILE\n", name
            next
        }
        /^```console$/ { inside = "console"; next }
        /^```/ { inside = "other"; next }
        inside == "file" { print; next }
        inside == "console" && /^\$ / {
            run()
            echoed = shown($0)
            command = substr($0, 3)
            next
        }
        inside == "console" && /^> / && command != "" {
            echoed = echoed shown($0)
            command = command "\n" substr($0, 3)
            next
        }
        inside == "console" { run() }
        inside != "" { next }
        /^$/ { ended = 1; next }
        {
            if (ended) name = ""
            ended = 0
            line = $0
            while (match(line, /`[A-Za-z_]+\.(c|h|litmus|supp)`/)) {
                name = substr(line, RSTART + 1, RLENGTH - 2)
                line = substr(line, RSTART + RLENGTH)
            }
        }' "$1"
}

# judge PAGE: runs docs/tutorial-PAGE.md.
judge()
{
    text=$top_srcdir/docs/tutorial-$1.md
    mkdir "$scratch/$1"
    { echo status=0; script_of "$text"; } >"$scratch/$1.sh"
    awk '/^```console$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$text" \
        >"$scratch/$1.expected"
    (cd "$scratch/$1" && sh "$scratch/$1.sh") 2>&1 \
        | sed 's|[^ ]*kernels/reduce|kernels/reduce|g' >"$scratch/$1.said"
    test -s "$scratch/$1.expected" || bad "tutorial-$1.md has no terminal"
    if diff -u "$scratch/$1.expected" "$scratch/$1.said"; then
        good "tutorial-$1.md"
    else
        bad "tutorial-$1.md"
    fi
}

judge race
judge divergence
judge litmus
judge last-group
finish
