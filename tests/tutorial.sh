#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tutorial.sh PAGE: a page of docs/tutorial/, or one beside it that is written in the same
# way, is true. Its blocks are generated: the page is made again from its commands and
# compared with what stands there. With TUTORIAL=update (`make update-tutorial`) the page
# is rewritten instead.
#
# The commands of a page run one after the other, in one shell, in a copy of examples/:
# after those with which docs/tutorial/README.md prepares it.
# The line that opens a block states what the block is:
#
#   ```console            commands after `$ `, their later lines after `> `, and what
#                         they print
#   ```console times      the same, and some of it differs from run to run
#   ```console if TOOL    the same, where TOOL, a command or a file, is there; elsewhere
#                         the block stays as it is
#   ```c FILE /A/,/B/     these lines of a file, an address of sed; or ```cpp of one in
#                         C++, or ```text of another one
#   ```sh                 commands that have to succeed; what they print is not shown
#
# There is no other block. A picture of a page, `pictures/NAME.svg`, is what the commands
# have left in a folder of that name.
#
# Masks, for what differs between machines:
#
#   kernels/FILE    is how every page names a file of kernels/, whatever the folder of
#                   the build
#   times           in such a block a number with a decimal point stands for any other one,
#                   and a space for several; in a picture whose name begins with `times-`
#                   also each place and size for any other one, and an axis for any other
. "${top_srcdir:-.}/tests/arch/lib.sh"

build=$(cd "$top_builddir" && pwd)
test -f "$build/libweir.a" || skip "no libweir.a"
test -x "$build/weir" || skip "no command weir"
test -n "$CHECK_LIBS" || skip "no Check"
test -z "$SANITIZE_FLAGS$COVERAGE_CFLAGS" || skip "weir-cc links no other sanitizer"
is_clang "$CC" && skip "clang merges accesses that the pages distinguish"
if grep -q '^\$ weir-c++' "$1"; then
    command -v "${CXX:-c++}" >/dev/null 2>&1 || skip "no C++ compiler"
fi
if grep -qE '^\$ .*(-lOpenCL|\.cl( |:|$))' "$1"; then
    command -v clang >/dev/null 2>&1 || skip "no clang for kernels in OpenCL C"
    test -f /usr/lib/clc/nvptx64--.bc || skip "no libclc"
    test -f "$build/libweir-opencl.so" || skip "no libweir-opencl.so"
fi
if grep -q '^\$ .*-lOpenCL' "$1"; then
    echo 'int main(void) { return 0; }' >"$scratch/try.c"
    # shellcheck disable=SC2086
    ${CC:-cc} "$scratch/try.c" -o "$scratch/try" -lOpenCL 2>/dev/null || skip "no -lOpenCL"
fi
export XDG_CACHE_HOME="$scratch/cache"
unset WEIR_OPTIONS CK_RUN_CASE CK_RUN_SUITE CK_FORK CK_VERBOSITY

# Writes what makes the blocks of a page, to be read by sh: of the N-th block into
# $blocks/N.
script_of()
{
    awk '
        function quoted(text) {
            gsub(/\047/, "\047\\\047\047", text)
            return "\047" text "\047"
        }
        function refuse(why) {
            print "echo " quoted("line " NR ": " why) " >>\"$blocks/refused\""
        }
        # A command of several lines, the later ones after `> `, runs as a whole.
        function run() {
            if (command == "") return
            printf "%s(exit $status)\n%s\nstatus=$?\n", echoed, command
            command = echoed = ""
        }
        function close_block() {
            if (inside == "console") {
                run()
                print "} >\"$blocks/" n "\" 2>&1 </dev/null" (tool != "" ? "; fi" : "")
            } else if (inside == "sh") {
                print ") >\"$blocks/log\" 2>&1 </dev/null ||"
                print "    { cat \"$blocks/log\"; echo block " n " >>\"$blocks/refused\"; }"
            }
            inside = ""
        }
        /^```/ && inside != "" { close_block(); next }
        /^```console( times| if [^ ]+)?$/ {
            n++
            inside = "console"
            tool = $2 == "if" ? $3 : ""
            if (tool != "") {
                print "if command -v " quoted(tool) " >/dev/null 2>&1 || test -e " quoted(tool)
                print "then"
            }
            print "{"
            next
        }
        /^```sh$/ { n++; inside = "sh"; print "(set -e"; next }
        /^```(c|cpp|text) [^ ]+ ./ {
            n++
            inside = "excerpt"
            address = $0
            sub(/^[^ ]+ [^ ]+ /, "", address)
            print "sed -n " quoted(address "p") " " quoted($2) " >\"$blocks/" n "\""
            print "test -s \"$blocks/" n "\" ||"
            refuse("no such lines in " $2)
            next
        }
        /^```/ { n++; inside = "other"; refuse("a block that nothing generates"); next }
        inside == "sh" { print; next }
        inside != "console" { next }
        /^\$ / {
            run()
            echoed = "printf \"%s\\n\" " quoted($0) "\n"
            command = substr($0, 3)
            next
        }
        /^> / && command != "" {
            echoed = echoed "printf \"%s\\n\" " quoted($0) "\n"
            command = command "\n" substr($0, 3)
            next
        }
        { run() }' "$1"
}

# Puts the blocks that were made into a page, but where the masks make no difference.
assembled()
{
    awk -v blocks="$blocks" '
        function masked(line) {
            if (!times) return line
            gsub(/[0-9]+\.[0-9]+/, "#", line)
            gsub(/ +/, " ", line)
            return line
        }
        function close_block(    file, line, made, same, found) {
            file = blocks "/" n
            same = 1
            made = ""
            n_made = 0
            while ((found = (getline line < file)) > 0) {
                n_made++
                same = same && masked(line) == masked(old[n_made])
                made = made line "\n"
            }
            close(file)
            # There is no file of a block that was left out.
            same = (same && n_made == n_old) || kind == "```sh" || found < 0
            if (!same) {
                printf "%s", made
                return
            }
            for (i = 1; i <= n_old; i++) print old[i]
        }
        /^```/ && !inside {
            n++
            kind = $1
            times = $2 == "times"
            n_old = 0
            inside = 1
            print
            next
        }
        /^```/ { close_block(); inside = 0; split("", old); print; next }
        inside { old[++n_old] = $0; next }
        { print }' "$1"
}

# What the mask leaves of a picture with times: its words and bars, but not its axis.
without_times()
{
    sed 's/<\([a-z?]*\)[^>]*>/<\1>/g; s/[0-9][0-9]*\.[0-9][0-9]*/#/g
        /^<line>$/d; /^<text>[0-9#]*<.text>$/d; /^<text>[0-9#]*<>$/d' "$1"
}

# same FILE FILE: whether two pictures are one, by the mask of their name.
same()
{
    case $1 in
    */times-*) test "$(without_times "$1")" = "$(without_times "$2")" ;;
    *) cmp -s "$1" "$2" ;;
    esac
}

page=$1
name=$(basename "$page")
shown=docs/${page#*docs/}
blocks=$scratch/blocks
mkdir "$blocks"
clone=$scratch/clone
mkdir "$clone"
cp -R "$top_srcdir/examples" "$clone/examples"
chmod -R u+w "$clone"
# The build's folder, but programs have no stackless entries, which no page is about, and a
# library without its debug information.
mkdir "$clone/build"
ln -s "$build"/* "$clone/build"
rm "$clone/build/weir-cc"
printf '#!/bin/sh\nexec "%s" --no-stackless "$@"\n' "$build/weir-cc" >"$clone/build/weir-cc"
chmod +x "$clone/build/weir-cc"
# shellcheck disable=SC3013
if test "$build/light/libweir.a" -nt "$build/libweir.a"; then
    ln -sf "$build/light/libweir.a" "$clone/build/libweir.a"
fi
ln -s "$(cd "$top_srcdir/sim" && pwd)" "$clone/sim"
awk '/^```sh$/ { inside = 1; next } /^```/ { if (inside) exit } inside' \
    "$top_srcdir/docs/tutorial/README.md" >"$scratch/prepare"
script_of "$page" >"$scratch/script"
(
    cd "$clone" || exit 99
    . "$scratch/prepare"
    WEIR_INCLUDE_DIR=$clone/sim WEIR_LIB_DIR=$clone/build
    export WEIR_INCLUDE_DIR WEIR_LIB_DIR
    mkdir -p pictures
    status=0
    . "$scratch/script"
)
pictures=$clone/lessons
find "$blocks" "$pictures/pictures" -type f \
    -exec sed -i 's|[^ <>"(]*kernels/\([a-z0-9_]*\.c\)|kernels/\1|g' {} +
if test -f "$blocks/refused"; then
    cat "$blocks/refused"
    bad "$name has blocks that cannot be made"
fi

assembled "$page" >"$scratch/page"
if cmp -s "$page" "$scratch/page"; then
    good "$name"
elif test "$TUTORIAL" = update; then
    cp "$scratch/page" "$page"
    good "$name: rewritten"
else
    diff -u "$page" "$scratch/page"
    bad "$name: stale; make update-tutorial TUTORIAL_PAGES=$shown rewrites it"
fi

# Drawings that stand in the page.
folder=$(dirname "$page")
for picture in $(grep -o '(pictures/[^)]*\.svg)' "$page" | tr -d '()' | sort -u); do
    if ! test -f "$pictures/$picture"; then
        bad "$name: no command draws $picture"
    elif test -f "$folder/$picture" && same "$folder/$picture" "$pictures/$picture"; then
        good "$picture"
    elif test "$TUTORIAL" = update; then
        cp "$pictures/$picture" "$folder/$picture"
        good "$picture: drawn again"
    else
        diff -u "$folder/$picture" "$pictures/$picture" | head -n 20
        bad "$name: $picture is stale"
    fi
done
finish
