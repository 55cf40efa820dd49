#!/bin/sh
# SPDX-License-Identifier: MIT
#
# format.sh SRCDIR: clang-format has the last word on spaces, in every C file but the
# device headers, and two of the SYCL header. These are macros for the most part, of
# _Generic lists and of pasted functions, which clang-format takes apart; of them, and of
# all sources, the width, tabs and blanks at line ends are checked here. Files that a
# build in the source tree makes by awk are not formatted.
cd "${1:-${top_srcdir:-.}}" || exit 1

test -n "$CLANG_FORMAT" || CLANG_FORMAT=$(command -v clang-format) \
    || { echo "SKIP: no clang-format"; exit 77; }

# sources FOLDER... TEST...: the files there, sorted, but for those that are made.
sources()
{
    find "$@" | LC_ALL=C sort | xargs grep -L '^/\* Made from '
}

# Files with another form, from the errors of clang-format.
differs()
{
    sources sim kernels examples exercises tests -name '*.[ch]' -o -name '*.[ch]pp' \
        | grep -vxE 'sim/weir-(kernel|collective|atomic|machinery(-atomic|-split|-shared)?)\.h' \
        | grep -vxE 'sim/sycl/sycl/weir/(math|swizzles)\.hpp' \
        | xargs -n 16 -P "$(nproc)" "$CLANG_FORMAT" --dry-run --Werror 2>&1 \
        | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error: .*/\1/p' | LC_ALL=C sort -u
}

status=0
for file in $(differs); do
    echo "FAIL: $file: run $CLANG_FORMAT -i on it"
    status=1
done

# Columns are characters: bytes that continue one in UTF-8 do not count.
# shellcheck disable=SC2046
LC_ALL=C awk '
    function bad(what) { print "FAIL: " FILENAME ":" FNR ": " what; failed = 1 }
    /[ \t]$/ { bad("blanks at the end of the line") }
    /\t/ && FILENAME !~ /\.mk$/ { bad("a tab") }
    FILENAME ~ /\.[ch](pp)?$/ {
        gsub(/[\200-\277]/, "")
        if (length($0) > 88) bad(length($0) " columns, more than 88")
    }
    END { exit failed }' \
    $(sources sim kernels examples exercises tests docs \
        -name '*.[chS]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.awk' -o -name '*.mk') \
    || status=1

# Words that stop a reader, in comments and pages: a fragment that opens with "Of", "is no"
# where "is not a" is meant, and "behind" for "after". HACKING.md has what to write. Words in
# quotes, and names in sources, do not count. HACKING.md itself shows both.
words()
{
    awk '
    function bad(word) { print "FAIL: " FILENAME ":" FNR ": \"" word "\": " $0; failed = 1 }
    { page = FILENAME ~ /\.(md|[1-9])$/ }
    !page && !/^[ \t]*(\/\*|\* |\/\/|#)/ && !/\/\* / && !/ # / { next }
    {
        text = $0
        if (!page)
            sub(/^.*(\/\*\*?|\/\/|#) /, "* ", text)
        gsub(/\047[^\047]*\047|"[^"]*"|`[^`]*`/, "Q", text)
        if (text ~ /(^|^[ \t]*\*|[.!?:]|\|) *Of [a-z]/)
            bad("Of")
        gsub(/[Tt]here (is|are|was|were) no /, "", text)
        gsub(/(is|are|was|were) no (longer|more|less)/, "", text)
        if (text ~ /(^|[^a-z])(is|are|was|were) no [a-z]/)
            bad("is no")
        if (text ~ /(^|[^a-z_@])behind([^a-z_,)]|$)/ && text !~ /^\* behind /)
            bad("behind")
    }
    END { exit failed }' "$@"
}

# The test itself: each pattern is seen, and its nearest neighbour is not.
planted=$(mktemp -d) || exit 99
trap 'rm -rf "$planted"' EXIT
cat >"$planted/wrong.c" <<'END'
/* Of a search the reverse run counts, too. */
int a; /* it is no schedule */
 * the times stand behind in parentheses
END
cat >"$planted/right.c" <<'END'
/* In a search of one run there is no other; "Of a search" is a quotation. */
int behind; /* it is no longer a schedule */
END
test "$(words "$planted/wrong.c" | grep -c '^FAIL')" -eq 3 \
    || { echo "FAIL: a planted word is not seen"; status=1; }
words "$planted/right.c" || { echo "FAIL: a right word is refused"; status=1; }
# shellcheck disable=SC2046
words $(sources sim kernels examples exercises tests docs completion findings *.md weir-cc.in configure.ac Makefile.am \
    -name '*.[chS1-9]' -o -name '*.[ch]pp' -o -name '*.sh' -o -name '*.awk' -o -name '*.mk' \
    -o -name '*.md' -o -name '*.cl' -o -name '*.py' -o -name '*.js' -o -name '*.css' \
    -o -name weir-cc.in -o -name configure.ac -o -name Makefile.am \
    | grep -v '^HACKING.md$\|^docs/models/\|^tests/arch/format.sh$') || status=1
exit $status
