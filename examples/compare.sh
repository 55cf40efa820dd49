#!/bin/sh
# SPDX-License-Identifier: MIT
#
# compare.sh FILE.out: runs the example of that name and compares what it prints. How a
# report names the example's file depends on the folder of the build: here it is named
# as if it were compiled in its own.
expected=$1
name=$(basename "$expected" .out)
said=$("${top_builddir:-.}/examples/$name") || exit 1
printf '%s\n' "$said" | sed "s|[^ (]*/$name\.c:|$name.c:|g" | diff -u "$expected" - || exit 1
echo "$name prints what $name.out says"
