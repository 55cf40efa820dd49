#!/bin/sh
# SPDX-License-Identifier: MIT
#
# readme.sh: the first kernel of README.md compiles with weir-cc as it stands there,
# and prints what README.md says.
. "${top_srcdir:-.}/tests/arch/lib.sh"

readme=$top_srcdir/README.md
wrapper=$top_builddir/weir-cc
WEIR_LIB_DIR=$(cd "$top_builddir" && pwd)
WEIR_INCLUDE_DIR=$(cd "$top_srcdir/sim" && pwd)
export WEIR_INCLUDE_DIR WEIR_LIB_DIR
test -f "$WEIR_LIB_DIR/libweir.a" || skip "no libweir.a"

# The first C block, and the first block after it that shows a terminal.
awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' "$readme" >"$scratch/first.c"
awk '/^```c$/ { seen = 1; next } seen && /^```console$/ { inside = 1; next }
     /^```$/ { if (inside) exit } inside' "$readme" >"$scratch/session"
test -s "$scratch/first.c" || bad "README.md has no C block"

grep '^\$ ' "$scratch/session" | sed 's/^\$ //' >"$scratch/commands"
grep -v '^\$ ' "$scratch/session" >"$scratch/expected"
name=$(grep -o '[a-z]*\.c' "$scratch/commands" | head -n 1)
test -n "$name" || bad "README.md shows no command that compiles it"
mkdir "$scratch/user"
cp "$scratch/first.c" "$scratch/user/$name"
ln -s "$(cd "$top_builddir" && pwd)/$(basename "$wrapper")" "$scratch/user/weir-cc"
if (cd "$scratch/user" && PATH=.:$PATH sh -e "$scratch/commands") >"$scratch/said" 2>&1 \
    && diff -u "$scratch/expected" "$scratch/said"; then
    good "README.md's first kernel runs as shown"
else
    bad "README.md's first kernel"
    cat "$scratch/said"
fi
finish
