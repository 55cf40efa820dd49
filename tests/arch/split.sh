#!/bin/sh
# SPDX-License-Identifier: MIT
#
# split.sh: what weir-split makes of the built-in kernels is what split.table says, for each
# version of clang there: the numbers of stops, of soft stops, of parts, of those that run
# for all items together, and of loops that become vectors. A fall of these is a loss of
# speed that no answer shows. Change the table on purpose alone: with UPDATE=yes the script
# writes the rows of the versions that it tries.
. "${top_srcdir:-.}/tests/arch/lib.sh"

case $(uname -m) in
x86_64) ;;
*) skip "the table is of x86-64" ;;
esac
split=$top_builddir/weir-split
table=$top_srcdir/tests/arch/split.table

# split CLANG SOURCE ARGUMENT...
split()
{
    # shellcheck disable=SC2086
    WEIR_CLANG=$1 "$split" --report --show=release "$scratch/split.o" "$top_srcdir/$2" \
        -std=gnu11 -O3 -DHAVE_CONFIG_H "-I$top_builddir" "-I$top_srcdir/sim" \
        "-I$top_srcdir" $GLIB_CFLAGS $3 >"$scratch/rows" 2>"$scratch/shown"
}

# rows CLANG VERSION: prints the rows of a version.
rows()
{
    for source in "$top_srcdir"/kernels/*.c; do
        name=${source##*/}
        test "${UPDATE-}" = yes || grep -q "^$2 ${name%.c} " "$table" || continue
        split "$1" "kernels/$name"
        case $? in
        0) sed "s/^/$2 /" "$scratch/rows" ;;
        3) ;;
        *) echo "$2 $name: $(head -n 1 "$scratch/shown")" ;;
        esac
    done
}

# vectors_are_last CLANG: they are made by the last passes, which interleave loops, too,
# and if the arguments do not refuse them.
vectors_are_last()
{
    split "$1" kernels/histogram_replicated.c || return 1
    grep -q parallel_accesses "$scratch/shown" || return 1
    ! grep -q isvectorized "$scratch/shown" || return 1
    split "$1" kernels/histogram_replicated.c -fno-vectorize || return 1
    grep -q ' vectors 0$' "$scratch/rows"
}

tried=0
for clang in ${SPLIT_CLANGS:-$(clangs)}; do
    version=$(WEIR_CLANG=$clang "$split" --version | sed 's/.* //')
    grep -q "^$version " "$table" || test "${UPDATE-}" = yes || continue
    tried=$((tried + 1))
    rows "$clang" "$version" >"$scratch/$version"
    if test "${UPDATE-}" = yes; then
        { grep -v "^$version " "$table"; cat "$scratch/$version"; } >"$scratch/table"
        cat "$scratch/table" >"$table"
    fi
    vectors_are_last "$clang" && good "clang $version: vectors come last" \
        || bad "clang $version: vectors come early, or are not refused"
    grep "^$version " "$table" | diff - "$scratch/$version" >"$scratch/differs" \
        && good "clang $version: $(wc -l <"$scratch/$version") kernels" \
        || { bad "clang $version: other rows than in tests/arch/split.table:"; cat "$scratch/differs"; }
done
test $tried -gt 0 || skip "no clang of a version that the table has"
finish
